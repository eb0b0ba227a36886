// Regions, solutions and pieces as SVG, on every lattice: cells with outlines, edges as strokes.

import { s } from "./dom";
import { key, least, most, Paper, type Place, placeKey, type Shape } from "./lattice";
import { byColor } from "./paint";
import { PALETTE } from "./palette";
import type { Board, Lattice, Placed, Point } from "./types";

/** A placement that is drawn: its units by number, its color, its name. */
export interface Part {
  name: string;
  units: number[];
  color: string;
  faint?: boolean;
  /** It was there before the game began. */
  locked?: boolean;
}

const PALETTE_STEP = 5;

/** The parts of a solution: each piece in its color, further copies in others. */
export function parts(board: Pick<Board, "pieces">, placed: Placed[]): Part[] {
  const colors = board.pieces.map((piece) => piece.color);
  const index = new Map(board.pieces.map((piece, i) => [piece.name, i]));
  const copies = new Map<string, number>();
  return placed.map(([name, units]) => {
    const copy = copies.get(name) ?? 0;
    copies.set(name, copy + 1);
    const first = index.get(name) ?? 0;
    const color = copy === 0 ? colors[first]! : PALETTE[(first + copy * PALETTE_STEP) % PALETTE.length]!;
    return { name, units, color };
  });
}

const SCREEN = [820, 560] as const;
/** How large boards are on a screen, about, in pixels. */

const BOLD = [0.07, 2.6] as const;
/** How wide the outlines of pieces are at most, in units of length and in pixels. */

const BESIDE = 0.24;
/** How far from an edge its name stands. */

const LABEL = 0.3;
/** Room above layers for what is said of them. */

/** The colors of paint, and the units that have each. */
type Spots = ReturnType<typeof byColor>;

/** A picture with the places of its units. */
export class Picture {
  constructor(
    readonly element: SVGSVGElement,
    /** What is in it: left, top, width, height. */
    readonly box: [number, number, number, number],
    readonly middles: Place[],
    scale = 0,
  ) {
    if (!scale) return;
    element.setAttribute("width", fine(box[2] * scale));
    element.setAttribute("height", fine(box[3] * scale));
  }

  /** The place that a pointer is at. */
  place(event: { clientX: number; clientY: number }): Place {
    const matrix = this.element.getScreenCTM()!.inverse();
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    return [x, y];
  }

  /** The unit nearest to a place. */
  nearest(place: Place): number {
    const far = this.middles.map((middle) => apart(middle, place));
    return far.indexOf(least(far));
  }
}

/** A drawing of units, in which parts can be changed without making it anew. */
export class Sketch extends Picture {
  readonly shapes: Shape[];
  private readonly ground = s("g", { class: "ground" });
  private readonly above = s("g", { class: "parts" });
  private readonly marked = s("g", { class: "marks" });
  private readonly hits = s("g", { class: "hits" });

  constructor(
    private readonly lattice: Lattice,
    readonly points: Point[],
    title: string,
    private readonly options: { names?: boolean; optional?: Set<number>; unit?: number; labels?: string[]; spots?: Spots } = {},
  ) {
    const paper = new Paper(lattice, points);
    const shapes = points.map((point) => paper.shape(point));
    const corners = shapes.flatMap((shape) => shape.corners);
    const labelled = paper.layers > 1 && !options.unit;
    const margin = lattice.edges && options.names !== false ? 0.45 : 0.25;
    const [xs, ys] = [corners.map((c) => c[0]), corners.map((c) => c[1])];
    const [left, top] = [least(xs) - margin, least(ys) - margin - (labelled ? LABEL : 0)];
    const box: Picture["box"] = [left, top, most(xs) + margin - left, most(ys) + margin - top];
    const attributes = { viewBox: box.map(fine).join(" "), class: "sketch", role: "img", "aria-label": title };
    super(s("svg", attributes, s("title", {}, title)), box, shapes.map(({ middle }) => middle), options.unit);
    this.shapes = shapes;
    const pixels = options.unit ?? Math.min(SCREEN[0] / box[2], SCREEN[1] / box[3]);
    this.element.style.setProperty("--bold", fine(Math.min(BOLD[0], BOLD[1] / pixels)));
    this.element.append(this.ground, this.above, this.marked, this.hits);
    this.drawGround();
    for (const [color, keys] of options.spots ?? [])
      shapes.forEach((shape, unit) => keys.has(key(points[unit]!)) && this.above.after(spot(shape, color)));
    options.labels?.forEach((label, unit) => label && this.ground.after(this.note(label, this.shapes[unit]!)));
    if (labelled) this.element.append(...paper.labels().map(([x, y, words]) => s("text", { class: "layer", x: fine(x), y: fine(y) }, words)));
  }

  private drawGround(): void {
    this.shapes.forEach((shape, unit) => {
      const optional = this.options.optional?.has(unit) ? " optional" : "";
      this.ground.append(unitElement(shape, `empty${optional}`));
    });
  }

  /** Show placements in place of those before. */
  show(shown: Part[]): void {
    const covered = new Set(shown.flatMap(({ units }) => units));
    [...this.ground.children].forEach((unit, i) => unit.classList.toggle("covered", covered.has(i)));
    this.above.replaceChildren(...shown.map((part) => this.part(part)));
    this.above.append(this.borders(shown));
  }

  /** Mark some units, such as where a piece would go. */
  mark(units: number[], kind: string): void {
    this.marked.replaceChildren(...units.map((u) => unitElement(this.shapes[u]!, kind)));
  }

  /** Call back with the unit that is pointed at. */
  listen(event: string, action: (unit: number, event: PointerEvent) => void): void {
    if (!this.hits.childNodes.length)
      this.shapes.forEach((shape, unit) => {
        const element = unitElement(shape, "hit");
        element.dataset["unit"] = String(unit);
        element.dataset["point"] = key(this.points[unit]!);
        this.hits.append(element);
      });
    this.hits.addEventListener(event, (happened) => {
      const unit = (happened.target as SVGElement).dataset["unit"];
      if (unit !== undefined) action(Number(unit), happened as PointerEvent);
    });
  }

  private part(part: Part): SVGGElement {
    const shapes = part.units.map((unit) => this.shapes[unit]!);
    const kind = ["part", part.faint && "faint", part.locked && "locked"].filter(Boolean).join(" ");
    const group = s("g", { class: kind }, s("title", {}, part.name));
    const cells = shapes.filter((shape) => shape.corners.length > 2);
    if (cells.length)
      group.append(s("path", { d: cells.map(polygon).join(""), fill: part.color, class: "cell" }));
    const lines = shapes.filter((shape) => shape.corners.length === 2);
    if (lines.length) {
      const d = strokes(lines, this.lattice.edges);
      group.append(s("path", { d, class: "edge rim" }), s("path", { d, stroke: part.color, class: "edge" }));
    }
    for (const { middle } of shapes.filter((shape) => shape.corners.length === 1))
      group.append(s("circle", { cx: fine(middle[0]), cy: fine(middle[1]), r: 0.16, fill: part.color }));
    if (this.options.names !== false) group.append(this.label(part, shapes));
    return group;
  }

  /** What is written on a unit: pieces lie over it. */
  private note(words: string, shape: Shape): SVGTextElement {
    const [x, y] = shape.middle;
    const size = radius(shape) * Math.min(0.8, 2.6 / words.length);
    return s("text", { class: "note", x: fine(x), y: fine(y + size * 0.36), "font-size": fine(size) }, words);
  }

  private label(part: Part, shapes: Shape[]): SVGTextElement {
    const center = mean(shapes.map((shape) => shape.middle));
    const nearest = [...shapes].sort((a, b) => apart(a.middle, center) - apart(b.middle, center))[0]!;
    const edge = nearest.corners.length === 2;
    const room = edge ? 0.21 : radius(nearest) * 1.1;
    const size = Math.min(room, (room * 2.4) / Math.max(part.name.length, 1));
    const [x, y] = edge ? beside(nearest) : nearest.middle;
    return s("text", { x: fine(x), y: fine(y + size * 0.36), "font-size": fine(size) }, part.name);
  }

  /** Thick lines between cells of different parts. */
  private borders(shown: Part[]): SVGPathElement {
    const owner = new Map<number, number>();
    shown.forEach((part, i) => part.units.forEach((unit) => owner.set(unit, i)));
    const sides = new Map<string, { ends: [Place, Place]; owners: (number | undefined)[] }>();
    this.shapes.forEach(({ corners }, unit) => {
      if (corners.length < 3) return;
      corners.forEach((from, i) => {
        const to = corners[(i + 1) % corners.length]!;
        const id = [placeKey(from), placeKey(to)].sort().join(" ");
        const side = sides.get(id) ?? { ends: [from, to], owners: [] };
        side.owners.push(owner.get(unit));
        sides.set(id, side);
      });
    });
    const between = [...sides.values()].filter(({ owners }) =>
      owners.length === 1 ? true : owners[0] !== owners[1],
    );
    return s("path", { d: between.map(({ ends }) => line(ends)).join(""), class: "border" });
  }
}

export function fine(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}

function at([x, y]: Place): string {
  return `${fine(x)} ${fine(y)}`;
}

function line(ends: Place[]): string {
  return `M${ends.map(at).join("L")}`;
}

function polygon(shape: Shape): string {
  return `${line(shape.corners)}Z`;
}

export function mean(places: Place[]): Place {
  const sum = places.reduce((a, b): Place => [a[0] + b[0], a[1] + b[1]], [0, 0] as Place);
  return [sum[0] / places.length, sum[1] / places.length];
}

export function apart(a: Place, b: Place): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1]);
}

function between(a: Place, b: Place, part: number): Place {
  return [a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part];
}

/** How far from its middle a cell's sides are at least. */
function radius(shape: Shape): number {
  const distances = shape.corners.map((corner, i) => {
    const next = shape.corners[(i + 1) % shape.corners.length]!;
    return apart(between(corner, next, 0.5), shape.middle);
  });
  return Math.min(...distances) || 0.3;
}

/** A place on the right of an edge, or above it. */
function beside({ corners, middle }: Shape): Place {
  const [[ax, ay], [bx, by]] = corners as [Place, Place];
  const length = Math.hypot(bx - ax, by - ay);
  const [x, y] = [(by - ay) / length, (ax - bx) / length];
  const sign = x > 0.01 || (Math.abs(x) <= 0.01 && y < 0) ? BESIDE : -BESIDE;
  return [middle[0] + sign * x, middle[1] + sign * y];
}

function unitElement(shape: Shape, kind: string): SVGElement {
  const [first] = shape.corners;
  if (shape.corners.length === 1)
    return s("circle", { cx: fine(first![0]), cy: fine(first![1]), r: 0.16, class: `${kind} dot` });
  if (shape.corners.length > 2) return s("path", { d: polygon(shape), class: `${kind} cell` });
  const [a, b] = shape.corners as [Place, Place];
  return s("path", { d: line([between(a, b, SHORT), between(b, a, SHORT)]), class: `${kind} edge` });
}

/** A spot of paint beside the middle of a unit, where a name may stand. */
function spot(shape: Shape, color: string): SVGCircleElement {
  const far = 0.62 * radius(shape);
  const [x, y] = shape.middle;
  return s("circle", { cx: fine(x + far), cy: fine(y + far), r: fine(0.35 * far), fill: color, class: "spot" });
}

const SHORT = 0.22;
/** How far from a vertex an edge ends that does not go on there. */

const BEND = 0.34;
/** How far from a vertex the curve begins by which a piece turns there. */

const INWARD = 0.18;
/** How far from a vertex with three edges a dot fills what lies between its curves. */

/** The path of a piece of edges: curves at vertices show which way it goes on. */
function strokes(shapes: Shape[], joined: boolean): string {
  if (!joined) return shapes.map((shape) => line(shape.corners)).join("");
  const ends = new Map<string, { vertex: Place; others: Place[] }>();
  for (const { corners } of shapes)
    corners.forEach((vertex, i) => {
      const there = ends.get(placeKey(vertex)) ?? { vertex, others: [] };
      there.others.push(corners[1 - i]!);
      ends.set(placeKey(vertex), there);
    });
  const start = (vertex: Place, other: Place): number => {
    const { others } = ends.get(placeKey(vertex))!;
    if (others.length === 1) return SHORT;
    return others.some((o) => o !== other && straight(vertex, o, other)) ? 0 : BEND;
  };
  const bodies = shapes.map(({ corners: [a, b] }) =>
    line([between(a!, b!, start(a!, b!)), between(b!, a!, start(b!, a!))]),
  );
  const curves = [...ends.values()].flatMap(({ vertex, others }) =>
    turns(vertex, others).map(([from, to]) => {
      const [a, b] = [from, to].map((other) => between(vertex, other, BEND)) as [Place, Place];
      return `M${at(a)}Q${at(vertex)} ${at(b)}`;
    }),
  );
  // what is between three curves, or beside a straight line, is filled by a dot
  const around = [...ends.values()].filter(
    ({ vertex, others }) =>
      others.length > 2 &&
      (turns(vertex, others).length === others.length || others.some((a) => others.some((b) => a !== b && straight(vertex, a, b)))),
  );
  const middles = around.flatMap(({ vertex, others }) => [vertex, between(vertex, mean(others), INWARD)]).map((place) => `M${at(place)}h0`);
  return [...bodies, ...curves, ...middles].join("");
}

function straight(vertex: Place, a: Place, b: Place): boolean {
  return apart(mean([a, b]), vertex) < 0.01;
}

/** The pairs of neighbouring edges at a vertex that are less than a half turn apart. */
function turns(vertex: Place, others: Place[]): [Place, Place][] {
  const angle = ([x, y]: Place) => Math.atan2(y - vertex[1], x - vertex[0]);
  const sorted = [...others].sort((a, b) => angle(a) - angle(b));
  if (sorted.length < 2) return [];
  return sorted
    .map((a, i): [Place, Place] => [a, sorted[(i + 1) % sorted.length]!])
    .filter(([a, b]) => {
      const gap = (angle(b) - angle(a) + 2 * Math.PI) % (2 * Math.PI);
      return gap < Math.PI - 0.01 && gap > 0.01;
    });
}

/** A board with its labels and its paint, on which solutions can be shown. */
export function boardSketch(board: Pick<Board, "lattice" | "units" | "optional" | "labels" | "paint">, title: string): Sketch {
  const { lattice, units, labels } = board;
  return new Sketch(lattice, units, title, { optional: new Set(board.optional), labels, spots: byColor(board.paint) });
}

/** A small picture of units, by which they can be painted. */
export function unitsSketch(
  lattice: Lattice,
  units: Point[],
  color: string,
  name: string,
  unit = 14,
  spots?: Spots,
): Sketch {
  const sketch = new Sketch(lattice, units, name, { names: false, unit, spots });
  sketch.show([{ name, units: units.map((_, i) => i), color }]);
  return sketch;
}
