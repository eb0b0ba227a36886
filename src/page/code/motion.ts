// Pieces in the hand: turned, flipped, and let down where they fit best.

import { compare, embedded, key, moved, settled, turned } from "./lattice";
import type { Grid } from "./site/grid";
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

/** The turns that one makes in turn, by name; the last, if any, is a flip. */
export function motions(lattice: Lattice, freedom: Piece["freedom"]): Map<string, Matrix> {
  const found = new Map<string, Matrix>();
  if (freedom === "fixed") return found;
  const [identity] = lattice.group as [Matrix];
  const proper = lattice.group.slice(1, lattice.proper);
  if (lattice.flat) {
    const most = Math.max(...proper.map((m) => order(m, identity)));
    found.set("Turn", proper.find((m) => order(m, identity) === most)!);
  } else
    ["x", "y", "z"].forEach((axis, k) => {
      const about = proper.find((m) => order(m, identity) === 4 && m[k]![k] === 1);
      if (about) found.set(`Turn about ${axis}`, about);
    });
  if (freedom === "free" && lattice.group.length > lattice.proper)
    found.set("Flip", lattice.group[lattice.proper]!);
  return found;
}

const KEYS: Record<string, string> = { r: "Turn", f: "Flip", x: "Turn about x", y: "Turn about y", z: "Turn about z" };

/** The motion that belongs to a key, if a piece of this freedom has it. */
export function motionOf(lattice: Lattice, freedom: Piece["freedom"], key: string): Matrix | undefined {
  const all = motions(lattice, freedom);
  return all.get(KEYS[key] ?? "") ?? (key === "r" ? all.values().next().value : undefined);
}

/** A piece after a motion, and where one of its units has come to in the new order. */
export function after(lattice: Lattice, units: Point[], matrix: Matrix, unit = 0): [Point[], number] {
  const images = units.map((own) => turned(matrix, own));
  return [settled(lattice, images), [...images].sort(compare).indexOf(images[unit]!)];
}

/** All orientations of a piece, each once. */
export function aspects(lattice: Lattice, piece: Piece): Point[][] {
  const some = piece.freedom === "free" ? lattice.group.length : lattice.proper;
  const group = piece.freedom === "fixed" ? lattice.group.slice(0, 1) : lattice.group.slice(0, some);
  const found = new Map<string, Point[]>();
  for (const matrix of group) {
    const [units] = after(lattice, piece.units, matrix);
    found.set(units.map(key).join(" "), units);
  }
  return [...found.values()];
}

/** Where a piece comes to lie if one of its units is put on a unit: numbers of units, -1 outside. */
export function placement(lattice: Lattice, places: Grid, units: Point[], unit: number, on: Point): number[] | null {
  const by = on.map((c, i) => (c - units[unit]![i]!) / lattice.period);
  return by.every(Number.isInteger) ? moved(lattice, units, by).map((point) => places.index(point)) : null;
}

/** Where a piece can be let down so that it has a unit. */
export function placements(lattice: Lattice, places: Grid, units: Point[], on: Point): number[][] {
  return units.map((_, unit) => placement(lattice, places, units, unit, on)).filter((way) => way !== null);
}

/** The middle of units in plane or space. */
export function center(lattice: Lattice, units: Point[]): number[] {
  const places = units.map((unit) => embedded(lattice, unit));
  return places[0]!.map((_, k) => places.reduce((sum, p) => sum + p[k]!, 0) / places.length);
}
