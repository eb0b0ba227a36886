// The units that the editor offers: those of a box, and what was drawn beyond it.

import { embedded, faces, key, kind } from "./lattice";
import type { Lattice, Point } from "./types";

const NEAR = 1e-6;

/** The units within a box, given by its size and its lowest corner, and some others. */
export function window(lattice: Lattice, size: number[], corner: number[], others: Point[]): Point[] {
  const found = new Map((lattice.flat ? plane : space)(lattice, size, corner).map((unit) => [key(unit), unit]));
  for (const unit of others) found.set(key(unit), unit);
  return [...found.values()];
}

/** How far apart columns and rows are: a cell of the lattice, as wide as one step along its rows. */
function steps({ embedding, period }: Lattice): [number, number] {
  const [[a, b], [c, d]] = embedding.map((axis) => axis.map((x) => x * period)) as [[number, number], [number, number]];
  const area = Math.abs(a * d - b * c);
  if (Math.abs(b) < NEAR) return [Math.abs(a), area / Math.abs(a)];
  if (Math.abs(c) < NEAR) return [area / Math.abs(d), Math.abs(d)];
  return [Math.sqrt(area), Math.sqrt(area)];
}

/** Units of a plane: the given number of columns and rows of cells, or a box of that size. */
function plane(lattice: Lattice, size: number[], corner: number[]): Point[] {
  const step = steps(lattice);
  if (lattice.period === 1) return within(lattice, corner, step.map((s, k) => corner[k]! + s * (size[k]! - 0.25)), middles);
  // cells may begin at the corner, or half a step before it: the box that holds more is meant
  const boxes = [0, -0.5].flatMap((x) => [0, -0.5].map((y) => [corner[0]! + x * step[0], corner[1]! + y * step[1]]));
  const all = boxes.map((low) => within(lattice, low, step.map((s, k) => low[k]! + s * size[k]!), corners));
  const most = all.reduce((best, units) => (units.length > best.length ? units : best));
  return lattice.edges ? withoutEnds(lattice, most) : most;
}

type Places = (lattice: Lattice, unit: Point) => number[][];

const middles: Places = (lattice, unit) => [embedded(lattice, unit)];

const corners: Places = (lattice, unit) => faces(lattice, unit).flat();

/** The units of a plane of which these places are in a box. */
function within(lattice: Lattice, low: number[], high: number[], places: Places): Point[] {
  const found: Point[] = [];
  const [[a, b], [c, d]] = lattice.embedding as [[number, number], [number, number]];
  const reach = [low, high].flatMap(([x]) => [low, high].map(([, y]) => (x! * d - y! * c) / (a * d - b * c)));
  const inside = (place: number[]) => place.every((x, k) => x >= low[k]! - NEAR && x <= high[k]! + NEAR);
  for (let i = Math.floor(Math.min(...reach)); i <= Math.max(...reach) + 1; i++) {
    const rows = [[a, c], [b, d]].map(([along, across], k) =>
      Math.abs(across!) < NEAR ? [-Infinity, Infinity] : [low, high].map((end) => (end[k]! - i * along!) / across!).sort((p, q) => p - q),
    );
    const [from, to] = [Math.max(rows[0]![0]!, rows[1]![0]!), Math.min(rows[0]![1]!, rows[1]![1]!)];
    for (let j = Math.ceil(from - NEAR); j <= to + NEAR; j++)
      if (kind(lattice, [i, j]) >= 0 && places(lattice, [i, j]).every(inside)) found.push([i, j]);
  }
  return found;
}

/** Edges without those at one end of which there is no other. */
function withoutEnds(lattice: Lattice, units: Point[]): Point[] {
  const ends = (unit: Point) => corners(lattice, unit).map((place) => place.map((x) => Math.round(x * 100)).join(","));
  const met = new Map<string, number>();
  for (const end of units.flatMap(ends)) met.set(end, (met.get(end) ?? 0) + 1);
  const kept = units.filter((unit) => ends(unit).every((end) => met.get(end)! > 1));
  return kept.length === units.length ? units : withoutEnds(lattice, kept);
}

/** Units of space in a box. */
function space(lattice: Lattice, size: number[], corner: number[]): Point[] {
  const found: Point[] = [];
  const margin = lattice.period === 1 ? 0.5 : 0;
  const inside = (point: Point) =>
    embedded(lattice, point).every((c, k) => c >= corner[k]! - NEAR && c <= corner[k]! + size[k]! - margin + NEAR);
  const visit = (point: Point): void => {
    const k = point.length;
    if (k === lattice.origins[0]!.length) {
      if (kind(lattice, point) >= 0 && inside(point)) found.push(point);
      return;
    }
    const scale = Math.max(1, Math.round(1 / Math.abs(lattice.embedding[k]![k]!)));
    const middle = Math.round((corner[k] ?? 0) * scale);
    for (let c = middle - scale; c <= middle + (size[k]! + 1) * scale; c++) visit([...point, c]);
  };
  visit([]);
  return found;
}
