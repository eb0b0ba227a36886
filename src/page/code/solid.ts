// Solids in three dimensions: turned, taken apart, cut at a layer, built in an order that works.

import { Vector3 } from "three";
import { assembly, type Entry } from "./assembly";
import { button, h, labelled, select, within } from "./dom";
import type { Part } from "./drawing";
import { embedded, faces } from "./lattice";
import { type Shapes, Stage } from "./scene";
import type { Board } from "./types";

/** Where the units are. */
type Ground = Pick<Board, "lattice" | "units">;

type Spot = [number, number, number];

const THICK = 0.09;
/** The radius of the rods that edges are. */

const SIDES = 8;
/** So many sides a rod has. */

const NEAR = [0.6, 0.9];
/** How near to a unit's middle one points at it, in units of length; where nothing is, how near beside it. */

const TURNS: Record<string, [number, number]> = {
  ArrowLeft: [-0.15, 0],
  ArrowRight: [0.15, 0],
  ArrowUp: [0, -0.15],
  ArrowDown: [0, 0.15],
};

interface Face {
  corners: Spot[];
  normal: Spot;
  /** The same for the same face of another unit. */
  id: string;
}

function face(corners: number[][]): Face {
  const [a, b, c] = corners.map((corner) => new Vector3(...(corner as Spot)));
  const normal = c ? b!.clone().sub(a!).cross(c.clone().sub(a!)).normalize() : new Vector3();
  const id = corners.map((corner) => corner.map((x) => Math.round(x * 100)).join(",")).sort().join(" ");
  return { corners: corners as Spot[], normal: normal.toArray(), id };
}

export class SolidView {
  readonly element: HTMLElement;
  private readonly stage: Stage;
  private readonly faces: Face[][];
  private readonly layers: number[];
  private readonly middle: Vector3;
  private readonly apart = h("input", { type: "range", min: 0, max: 2, step: 0.02, value: 0 });
  private readonly layer = h("input", { type: "range", min: 1, max: 1, value: 1 });
  private readonly upTo = h("input", { type: "range", min: 0, max: 1, value: 1 });
  private readonly alone = select("One piece alone", [["", "all pieces"]]);
  private readonly told = h("output", { class: "soft" });
  private parts: Part[] = [];
  private order: Entry[] = [];
  /** A key for each part: its name, and the number of earlier parts with that name. */
  private names: string[] = [];
  /** Where a piece would go. */
  private ghost: Part | null = null;

  constructor(private readonly board: Ground) {
    this.faces = board.units.map((unit) => faces(board.lattice, unit).map(face));
    const heights = board.units.map((unit) => embedded(board.lattice, unit)[2]!);
    const levels = [...new Set(heights)].sort((a, b) => a - b);
    this.layers = heights.map((height) => levels.indexOf(height));
    this.toEnd(this.layer, levels.length);
    const places = this.faces.flat().flatMap(({ corners }) => corners);
    const far = (best: (...values: number[]) => number) =>
      new Vector3(...([0, 1, 2].map((k) => places.reduce((a, p) => best(a, p[k]!), places[0]![k]!)) as Spot));
    const [low, high] = [far(Math.min), far(Math.max)];
    this.middle = low.clone().add(high).multiplyScalar(0.5);
    this.stage = new Stage(this.middle, high.distanceTo(low));
    this.stage.outline(this.rims());
    this.listen(this.stage.canvas);
    for (const control of [this.apart, this.layer, this.upTo]) control.addEventListener("input", () => this.fill());
    this.alone.addEventListener("change", () => this.fill());
    this.element = h(
      "div",
      {},
      this.stage.canvas,
      h(
        "details",
        { class: "more" },
        h("summary", {}, "Take apart, build, cut"),
        h(
          "div",
          { class: "row" },
          labelled("Apart", this.apart),
          labelled("Piece by piece", this.upTo),
          labelled("Highest layer", this.layer),
          this.alone,
          button("Larger", () => this.stage.zoom(1 / 1.2)),
          button("Smaller", () => this.stage.zoom(1.2)),
          button("Reset view", () => this.reset()),
        ),
      ),
      this.told,
    );
  }

  private listen(canvas: HTMLCanvasElement): void {
    canvas.className = "scene";
    canvas.tabIndex = 0;
    canvas.title = "Drag to turn it. After a click the wheel changes its size.";
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", "The solid; arrow keys turn it, plus and minus change its size");
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons) this.stage.turn(event.movementX / 120, event.movementY / 120);
    });
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && document.activeElement !== canvas) return; // the page is scrolled
      event.preventDefault();
      this.stage.zoom(event.deltaY > 0 ? 1.1 : 1 / 1.1);
    });
    canvas.addEventListener("keydown", (event) => {
      const turn = TURNS[event.key];
      if (turn) this.stage.turn(...turn);
      else if (event.key === "+") this.stage.zoom(1 / 1.1);
      else if (event.key === "-") this.stage.zoom(1.1);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  /** Show placements, in an order in which they can be put in. */
  show(parts: Part[]): void {
    this.parts = parts;
    this.order = assembly(this.board.lattice, parts.map((part) => part.units.map((unit) => this.board.units[unit]!)));
    this.toEnd(this.upTo, Math.max(parts.length, 1));
    const kept = this.alone.value;
    this.names = parts.map(({ name }, i) => `${name} ${parts.slice(0, i).filter((part) => part.name === name).length}`);
    const choices = [["", "all pieces"], ...this.order.map(({ part }) => [this.names[part]!, `${parts[part]!.name} alone`])];
    this.alone.replaceChildren(...choices.map(([value, text]) => h("option", { value: value!, selected: value === kept }, text!)));
    this.fill();
  }

  /** The units that a pointer is at, those nearer to the eye first; layers that are cut off are not there. */
  below(at: { clientX: number; clientY: number }): number[] {
    if (!within(this.stage.canvas, at)) return [];
    const middles = this.board.units.map((unit) => new Vector3(...(embedded(this.board.lattice, unit) as Spot)));
    for (const near of NEAR) {
      const depths = this.stage.depths(at, middles, near);
      const there = [...depths.keys()].filter((unit) => depths[unit]! >= 0 && this.layers[unit]! < Number(this.layer.value));
      if (there.length) return there.sort((a, b) => depths[a]! - depths[b]!);
    }
    return [];
  }

  /** Whether a place of the screen is in the view. */
  isAt(at: { clientX: number; clientY: number }): boolean {
    return within(this.stage.canvas, at);
  }

  /** Show where a piece would go, or nowhere. */
  mark(ghost: Part | null): void {
    if (ghost?.units.join() === this.ghost?.units.join()) return;
    this.ghost = ghost;
    this.fill();
  }

  /** See all of it again, as at first. */
  private reset(): void {
    this.apart.value = "0";
    for (const range of [this.layer, this.upTo]) range.value = range.max;
    this.alone.value = "";
    this.stage.reset();
    this.fill();
  }

  private toEnd(range: HTMLInputElement, end: number): void {
    range.max = String(end); // first: a value is never more than the largest
    range.value = range.max;
  }

  /** Say what the last piece that is shown is, and where it comes from. */
  private tell(): void {
    const count = Number(this.upTo.value);
    const last = this.order[count - 1];
    const held = this.order.filter(({ from }) => !from).length;
    const words = !last || count === this.order.length
      ? ""
      : `${count}: ${this.parts[last.part]!.name} ${last.from || "is among those that hold each other"}`;
    const locked = held > 1 ? `${held} pieces hold each other: no straight move puts in one of them alone.` : "";
    this.told.textContent = [words, locked].filter(Boolean).join(" · ");
  }

  /** The lines between faces of the region's outside that do not lie in one plane; all edges of edges. */
  private rims(): number[] {
    const sides = new Map<string, { ends: Spot[]; normals: Spot[] }>();
    const all = this.board.lattice.edges ? this.faces.flat() : outside(this.faces.flat());
    for (const { corners, normal } of all)
      corners.forEach((from, i) => {
        const ends = [from, corners[(i + 1) % corners.length]!];
        const id = ends.map((end) => end.map((x) => Math.round(x * 100)).join(",")).sort().join(" ");
        const side = sides.get(id) ?? { ends, normals: [] };
        side.normals.push(normal);
        sides.set(id, side);
      });
    const level = ([a, b]: Spot[]) => Math.abs(a![0] * b![0] + a![1] * b![1] + a![2] * b![2]) > 0.99;
    return [...sides.values()].filter(({ normals }) => normals.length !== 2 || !level(normals)).flatMap(({ ends }) => ends.flat());
  }

  private fill(): void {
    const shapes: Shapes = { corners: [], normals: [], colors: [], lines: [] };
    const [most, highest] = [this.upTo, this.layer].map((control) => Number(control.value));
    const only = this.alone.value;
    const pieces = this.order.flatMap(({ part }, i) => (i >= most! || (only && this.names[part] !== only) ? [] : [this.parts[part]!]));
    for (const { units, color } of [...pieces, ...(this.ghost ? [this.ghost] : [])]) {
      const shown = units.filter((unit) => this.layers[unit]! < highest!);
      const by = this.home(units).multiplyScalar(Number(this.apart.value)).toArray();
      if (this.board.lattice.edges) for (const unit of shown) rod(shapes, this.faces[unit]![0]!.corners, by, color);
      else add(shapes, outside(shown.flatMap((unit) => this.faces[unit]!)), by, color);
    }
    this.stage.fill(shapes, 1 + Number(this.apart.value));
    this.tell();
  }

  /** Where the middle of some units is, seen from that of all. */
  private home(units: number[]): Vector3 {
    const corners = units.flatMap((unit) => this.faces[unit]!.flatMap((own) => own.corners));
    const sum = corners.reduce((total, corner) => total.add(new Vector3(...corner)), new Vector3());
    return sum.multiplyScalar(1 / corners.length).sub(this.middle);
  }

  close(): void {
    this.stage.close();
  }
}

/** The faces that only one unit has: the outside of a piece. */
function outside(all: Face[]): Face[] {
  const seen = new Map<string, Face | null>();
  for (const own of all) seen.set(own.id, seen.has(own.id) ? null : own);
  return [...seen.values()].filter((own) => own !== null);
}

/** The parts of a color that say how much red, green and blue it has. */
function rgb(color: string): Spot {
  return [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16) / 255) as Spot;
}

const moved = (corner: Spot, by: Spot): Spot => [corner[0] + by[0], corner[1] + by[1], corner[2] + by[2]];

function add(shapes: Shapes, own: Face[], by: Spot, color: string): void {
  const parts = rgb(color);
  for (const { corners, normal } of own) {
    const there = corners.map((corner) => moved(corner, by));
    for (let i = 1; i + 1 < there.length; i++)
      for (const corner of [there[0]!, there[i]!, there[i + 1]!]) point(shapes, corner, normal, parts);
    there.forEach((corner, i) => shapes.lines.push(...corner, ...there[(i + 1) % there.length]!));
  }
}

function point(shapes: Shapes, corner: Spot, normal: Spot, color: Spot): void {
  shapes.corners.push(...corner);
  shapes.normals.push(...normal);
  shapes.colors.push(...color);
}

/** A rod along an edge, which ends before its vertices. */
function rod(shapes: Shapes, ends: Spot[], by: Spot, color: string): void {
  const [a, b] = ends.map((end) => new Vector3(...moved(end, by))) as [Vector3, Vector3];
  const way = b.clone().sub(a);
  const across = new Vector3(way.y, way.z, way.x).cross(way).normalize();
  const other = across.clone().cross(way).normalize();
  const at = (side: number, end: number): [Spot, Spot] => {
    const angle = (2 * Math.PI * side) / SIDES;
    const normal = across.clone().multiplyScalar(Math.cos(angle)).addScaledVector(other, Math.sin(angle));
    const place = a.clone().addScaledVector(way, end).addScaledVector(normal, THICK);
    return [place.toArray(), normal.toArray()];
  };
  const parts = rgb(color);
  for (let side = 0; side < SIDES; side++) {
    const [[p, n], [q, m], [r], [s]] = [at(side, 0.04), at(side + 1, 0.04), at(side + 1, 0.96), at(side, 0.96)];
    for (const [place, normal] of [[p, n], [q, m], [r, m], [p, n], [r, m], [s, n]] as [Spot, Spot][]) point(shapes, place, normal, parts);
    for (const [end, corners] of [[0.04, [p, q]], [0.96, [s, r]]] as [number, Spot[]][]) {
      const middle = a.clone().addScaledVector(way, end).toArray();
      for (const place of [middle, ...corners]) point(shapes, place, way.clone().normalize().toArray(), parts);
    }
  }
}
