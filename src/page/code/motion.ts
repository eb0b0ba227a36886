// Pieces in the hand: turned, flipped, and let down where they fit best.

import { compare, embedded, key, moved, settled, turned } from "./lattice";
import type { Grid } from "./site/grid";
import { aspects, motions as allowedMotions, slid } from "./site/shapes";
import type { Lattice, Piece, Point } from "./types";

type Matrix = number[][];

const same = (a: Matrix, b: Matrix): boolean => key(a.flat()) === key(b.flat());

function product(a: Matrix, b: Matrix): Matrix {
  return a.map((row) => b[0]!.map((_, k) => row.reduce((sum, c, i) => sum + c * b[i]![k]!, 0)));
}

function order(matrix: Matrix, identity: Matrix): number {
  let power = matrix;
  let n = 1;
  while (!same(power, identity)) {
    power = product(power, matrix);
    n++;
  }
  return n;
}

/** The first of some matrices that returns to the identity latest. */
function sharpest(some: Matrix[], identity: Matrix): Matrix | undefined {
  const orders = some.map((matrix) => order(matrix, identity));
  return some[orders.indexOf(Math.max(...orders))];
}

/** The turns that one makes in turn, by name; the last, if any, is a flip. */
export function motions(lattice: Lattice, piece: Piece): Map<string, Matrix> {
  const found = new Map<string, Matrix>();
  const allowed = allowedMotions(lattice, piece);
  const [identity, ...proper] = allowed.slice(0, lattice.proper) as [Matrix, ...Matrix[]];
  if (lattice.flat && proper.length) found.set("Turn", sharpest(proper, identity)!);
  if (!lattice.flat)
    ["x", "y", "z"].forEach((axis, k) => {
      const quarter = proper.find((m) => order(m, identity) === 4 && m[k]![k] === 1);
      const about = quarter ?? sharpest(proper.filter((m) => m.every((row, i) => row[k] === identity[i]![k])), identity);
      if (about) found.set(`Turn about ${axis}`, about);
    });
  if (allowed.length > lattice.proper) found.set("Flip", allowed[lattice.proper]!);
  return found;
}

const KEYS: Record<string, string> = { r: "Turn", f: "Flip", x: "Turn about x", y: "Turn about y", z: "Turn about z" };

/** The motion that belongs to a key, in upper or lower case, if a piece has it. */
export function motionOf(lattice: Lattice, piece: Piece, key: string): Matrix | undefined {
  const all = motions(lattice, piece);
  const low = key.toLowerCase();
  return all.get(KEYS[low] ?? "") ?? (low === "r" ? all.get(KEYS["z"]!) : undefined);
}

/** A piece after a motion, and where one of its units has come to in the new order. */
export function after(lattice: Lattice, units: Point[], matrix: Matrix, unit = 0): [Point[], number] {
  const images = units.map((own) => turned(matrix, own));
  return [settled(lattice, images), [...images].sort(compare).indexOf(images[unit]!)];
}

/** Where a piece comes to lie if one of its units is put on a unit: numbers of units, -1 outside. */
export function placement(lattice: Lattice, places: Grid, units: Point[], unit: number, on: Point): number[] | null {
  const by = on.map((c, i) => (c - units[unit]![i]!) / lattice.period);
  return by.every(Number.isInteger) ? moved(lattice, units, by).map((point) => places.index(point)) : null;
}

/** Where a piece can be let down so that it has a unit, in this orientation. */
export function placements(lattice: Lattice, places: Grid, units: Point[], on: Point): number[][] {
  const cut = slid(lattice, units).map(({ points }) => points);
  return [units, ...cut].flatMap((own) => translated(lattice, places, own, on));
}

/** Where a piece can be let down so that it has a unit, in any orientation, each once. */
export function allPlacements(lattice: Lattice, places: Grid, piece: Piece, on: Point): number[][] {
  return aspects(lattice, piece).flatMap(({ points }) => translated(lattice, places, points, on));
}

/** The translations of units that have a unit. */
function translated(lattice: Lattice, places: Grid, units: Point[], on: Point): number[][] {
  return units.map((_, unit) => placement(lattice, places, units, unit, on)).filter((way) => way !== null);
}

/** The middle of units in plane or space. */
export function center(lattice: Lattice, units: Point[]): number[] {
  const places = units.map((unit) => embedded(lattice, unit));
  return places[0]!.map((_, k) => places.reduce((sum, p) => sum + p[k]!, 0) / places.length);
}
