// The units of a region, and the number of the unit at each point.

import type { Point } from "../types";

/** The remainder that is not negative. */
export const mod = (a: number, b: number): number => ((a % b) + b) % b;

/** Compare points, or any lists of numbers of equal length. */
export function compare(a: ArrayLike<number>, b: ArrayLike<number>): number {
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return a[k]! - b[k]!;
  return 0;
}

/** Up to this many places of the bounding box have their numbers in a table. */
const MOST_LISTED = 1 << 24;

export class Grid {
  private readonly rows: Point[];
  private readonly low: Point;
  private readonly span: Point;
  private readonly table: Int32Array | null;
  private readonly numbers = new Map<number, number>();

  constructor(
    readonly units: Point[],
    wrap: Point[],
  ) {
    this.rows = echelon(wrap.map((vector) => [...vector]));
    const axes = [...units[0]!.keys()];
    this.low = axes.map((i) => units.reduce((least, u) => Math.min(least, u[i]!), Infinity));
    this.span = axes.map((i) => units.reduce((most, u) => Math.max(most, u[i]!), -Infinity) - this.low[i]! + 1);
    const size = this.span.reduce((product, c) => product * c, 1);
    this.table = size <= MOST_LISTED ? new Int32Array(size).fill(-1) : null;
    units.forEach((unit, k) => {
      if (this.table) this.table[this.place(unit)] = k;
      else this.numbers.set(this.place(unit), k);
    });
  }

  /** The number of a place of the bounding box, -1 outside. */
  private place(point: Point): number {
    let place = 0;
    for (let i = 0; i < point.length; i++) {
      const c = point[i]! - this.low[i]!;
      if (c < 0 || c >= this.span[i]!) return -1;
      place = place * this.span[i]! + c;
    }
    return place;
  }

  get wrapped(): boolean {
    return this.rows.length > 0;
  }

  /** Number of independent translations that identify units. */
  get translations(): number {
    return this.rows.length;
  }

  /** The representative of a point among those that the wrap identifies. */
  reduce(point: Point): Point {
    const result = [...point];
    for (const row of this.rows) {
      const pivot = row.findIndex((c) => c !== 0);
      const times = Math.floor(result[pivot]! / row[pivot]!);
      if (times) row.forEach((c, i) => (result[i]! -= times * c));
    }
    return result;
  }

  /** The number of the unit at a point, -1 outside. */
  index(point: Point): number {
    const place = this.place(this.wrapped ? this.reduce(point) : point);
    if (place < 0) return -1;
    return this.table ? this.table[place]! : (this.numbers.get(place) ?? -1);
  }

  /** Whether a matrix carries identified points to identified points. */
  keeps(matrix: number[][]): boolean {
    return this.rows.every((row) => this.reduce(times(matrix, row)).every((c) => c === 0));
  }
}

export function times(matrix: number[][], point: Point): Point {
  return matrix.map((row) => row.reduce((sum, c, i) => sum + c * point[i]!, 0));
}

/** A basis of the integer span of rows, in echelon form with positive pivots. */
function echelon(rows: Point[]): Point[] {
  const done: Point[] = [];
  for (let column = 0; column < (rows[0]?.length ?? 0); column++) {
    for (;;) {
      const live = rows.filter((row) => row[column]).sort((a, b) => Math.abs(a[column]!) - Math.abs(b[column]!));
      const [pivot, ...others] = live;
      if (!pivot) break;
      if (!others.length) {
        rows = rows.filter((row) => row !== pivot);
        done.push(pivot[column]! > 0 ? pivot : pivot.map((c) => -c));
        break;
      }
      for (const row of others) {
        const q = Math.floor(row[column]! / pivot[column]!);
        pivot.forEach((c, i) => (row[i]! -= q * c));
      }
    }
    if (!rows.length) break;
  }
  return done;
}
