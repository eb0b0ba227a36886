// The aspects of a piece: its distinct orientations, with the paint of their units.

import type { Lattice, Piece, Point } from "../types";
import { compare, mod, times } from "./grid";

/** Units in order, and the paint of each as a number, 0 for none. */
export interface Aspect {
  points: Point[];
  paint: number[];
}

const NOTHING = 1e-6;

/** The type of a point, -1 where there is no unit. */
export function typeOf(lattice: Lattice, point: Point): number {
  return lattice.origins.findIndex((o) => o.every((c, i) => mod(point[i]! - c, lattice.period) === 0));
}

/** The distinct orientations of a piece, with the sets of units that have the same shape. */
export function aspects(lattice: Lattice, piece: Piece, paint: number[] = []): Aspect[] {
  const sets = [{ points: piece.units, paint }, ...slid(lattice, piece.units, paint)];
  return oriented(sets, motions(lattice, piece), lattice.period);
}

/** The matrices by which a piece may be moved, the identity first, then other rotations. */
export function motions(lattice: Lattice, { freedom, units }: Piece): number[][][] {
  if (freedom === "fixed") return lattice.group.slice(0, 1);
  const turns = freedom === "free" || (lattice.balls && flat(units));
  return turns ? lattice.group : lattice.group.slice(0, lattice.proper);
}

/** Whether points lie in one plane. */
function flat(points: Point[]): boolean {
  const [origin, ...others] = points;
  const vectors = others.map((p) => p.map((c, i) => c - origin![i]!));
  const cross = ([a, b, c]: number[], [d, e, f]: number[]) => [b! * f! - c! * e!, c! * d! - a! * f!, a! * e! - b! * d!];
  for (const u of vectors)
    for (const v of vectors) {
      const normal = cross(u, v);
      if (normal.some((c) => c !== 0)) return vectors.every((w) => w.reduce((s, c, i) => s + c * normal[i]!, 0) === 0);
    }
  return true;
}

/** The distinct images of painted sets under matrices, at the origin, in order. */
export function oriented(sets: Aspect[], matrices: number[][][], period: number): Aspect[] {
  const found = new Map<string, Aspect>();
  for (const matrix of matrices)
    for (const { points, paint } of sets) {
      const image = atOrigin(points.map((p) => times(matrix, p)), paint, period);
      found.set(keyOf([image]), image);
    }
  return [...found.values()].sort(
    (a, b) => compare(a.points.flat(), b.points.flat()) || compare(a.paint, b.paint),
  );
}

function atOrigin(points: Point[], paint: number[], period: number): Aspect {
  const low = points[0]!.map((_, i) => points.reduce((least, p) => Math.min(least, p[i]!), Infinity));
  const shift = low.map((c) => Math.floor(c / period) * period);
  const moved = points.map((p, k): [Point, number] => [p.map((c, i) => c - shift[i]!), paint[k]!]);
  moved.sort(([a], [b]) => compare(a, b));
  return { points: moved.map(([p]) => p), paint: moved.map(([, c]) => c) };
}

/** A text that is equal exactly for equal aspects. */
export function keyOf(list: Aspect[]): string {
  return list.map(({ points, paint }) => `${points.join(";")}/${paint}`).join("|");
}

/** Other sets of units with the same shape and orientation: see exactile.geometry.recut. */
export function slid(lattice: Lattice, points: Point[], paint: number[] = []): Aspect[] {
  const found: Aspect[] = [];
  for (const { offsets, shares } of lattice.slides) {
    const covered = new Map<string, { point: Point; paint: number; part: number }>();
    points.forEach((point, k) => {
      const type = typeOf(lattice, point);
      shares[type]!.forEach((share, m) => {
        if (share <= 0) return;
        const there = point.map((c, i) => c + offsets[type]![m]![i]!);
        const key = `${there}/${paint[k]}`;
        const unit = covered.get(key) ?? { point: there, paint: paint[k]!, part: 0 };
        unit.part += share;
        covered.set(key, unit);
      });
    });
    const units = [...covered.values()];
    if (units.every((unit) => unit.part >= 1 - NOTHING))
      found.push({ points: units.map((u) => u.point), paint: units.map((u) => u.paint) });
  }
  return found;
}
