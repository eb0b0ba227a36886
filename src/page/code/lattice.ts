// Where units lie: types of points, motions of pieces, and their outlines on paper.

import type { Lattice, Point } from "./types";

export type Place = [number, number];

/** A unit on paper: a cell has corners, an edge two ends, an edge seen end-on one place. */
export interface Shape {
  corners: Place[];
  middle: Place;
}

export const key = (point: Point): string => point.join(",");

export function add(a: Point, b: Point): Point {
  return a.map((c, i) => c + b[i]!);
}

export function turned(matrix: number[][], point: Point): Point {
  return matrix.map((row) => row.reduce((sum, c, i) => sum + c * point[i]!, 0));
}

// Functions of many arguments fail where there are too many.

export function least(values: number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Infinity);
}

export function most(values: number[]): number {
  return values.reduce((a, b) => Math.max(a, b), -Infinity);
}

const modulo = (a: number, b: number): number => ((a % b) + b) % b;

/** The type of a point, -1 if there is no unit. */
export function kind(lattice: Lattice, point: Point): number {
  return lattice.origins.findIndex((origin) =>
    origin.every((c, i) => modulo(point[i]! - c, lattice.period) === 0),
  );
}

export function embedded(lattice: Lattice, point: readonly number[]): number[] {
  const width = lattice.embedding[0]!.length;
  return Array.from({ length: width }, (_, k) =>
    point.reduce((sum, c, i) => sum + c * lattice.embedding[i]![k]!, 0),
  );
}

/** The corners of each face of a unit in the plane or in space. */
export function faces(lattice: Lattice, point: Point): number[][][] {
  const own = lattice.faces[kind(lattice, point)]!;
  return own.map((face) => face.map((corner) => embedded(lattice, add(point, corner))));
}

/** Move points by a multiple of the period so that a place is as near to another as can be. */
export function moved(lattice: Lattice, points: Point[], by: Point): Point[] {
  return points.map((point) => point.map((c, i) => c + by[i]! * lattice.period));
}

/** The smallest coordinates that translations allow; equal for equal orientations. */
export function settled(lattice: Lattice, points: Point[]): Point[] {
  const low = points[0]!.map((_, i) => Math.min(...points.map((p) => p[i]!)));
  const by = low.map((c) => -Math.floor(c / lattice.period));
  return moved(lattice, points, by).sort(compare);
}

/** The order of units: that of their numbers in a region. */
export function compare(a: Point, b: Point): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!;
  return 0;
}

const MOST = 6;
/** The most layers in a row. */

/** How regions are laid out on paper: flat ones as they are, solid ones layer beside layer, in rows. */
export class Paper {
  private readonly heights: number[];
  private readonly pitch: Place;
  private readonly left: number;
  private readonly top: number;
  private readonly columns: number;

  constructor(
    readonly lattice: Lattice,
    points: Point[],
  ) {
    const places = points.flatMap((point) => faces(lattice, point).flat());
    const axis = (k: number) => places.map((p) => p[k]!);
    const [wide, high] = [most(axis(0)) - least(axis(0)), most(axis(1)) - least(axis(1))];
    this.pitch = [wide + 1, high + 1];
    [this.left, this.top] = [least(axis(0)), -most(axis(1))];
    const found = lattice.flat ? [] : points.map((p) => embedded(lattice, p)[2]!);
    this.heights = [...new Set(found)].sort((a, b) => a - b);
    this.columns = Math.ceil(this.layers / Math.ceil(this.layers / MOST));
  }

  /** The number of layers, at least 1. */
  get layers(): number {
    return Math.max(this.heights.length, 1);
  }

  /** What is said of each layer, at its upper left. */
  labels(): [x: number, y: number, words: string][] {
    return this.heights.map((_, layer) => {
      const [column, row] = [layer % this.columns, Math.floor(layer / this.columns)];
      const words = layer === 0 ? "1, lowest" : String(layer + 1);
      return [this.left + column * this.pitch[0], this.top + row * this.pitch[1] - 0.15, words];
    });
  }

  shape(point: Point): Shape {
    const middle = embedded(this.lattice, point);
    const layer = Math.max(0, this.heights.indexOf(middle[2] ?? 0));
    const [column, row] = [layer % this.columns, Math.floor(layer / this.columns)];
    const flatten = (p: number[]): Place => [p[0]! + column * this.pitch[0], row * this.pitch[1] - p[1]!];
    // of a solid cell, the face that looks up
    const all = faces(this.lattice, point);
    const top = all.reduce((best, face) => (height(face) > height(best) ? face : best));
    return { corners: outline(top.map(flatten)), middle: flatten(middle) };
  }
}

function height(face: number[][]): number {
  return face.reduce((sum, corner) => sum + (corner[2] ?? 0), 0) / face.length;
}

/** A polygon, or the two ends or the one place of one that is seen edge-on. */
function outline(corners: Place[]): Place[] {
  if (corners.length <= 2 || Math.abs(area(corners)) > 1e-6) return distinct(corners);
  const sorted = distinct(corners).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return sorted.length > 1 ? [sorted[0]!, sorted[sorted.length - 1]!] : sorted;
}

/** Places, each once. */
export function distinct(corners: Place[]): Place[] {
  const seen = new Map(corners.map((c) => [placeKey(c), c]));
  return [...seen.values()];
}

function area(corners: Place[]): number {
  return corners.reduce((sum, [x, y], i) => {
    const [u, v] = corners[(i + 1) % corners.length]!;
    return sum + (x * v - u * y) / 2;
  }, 0);
}

export function placeKey([x, y]: Place): string {
  return `${Math.round(x * 1000)},${Math.round(y * 1000)}`;
}
