// What the editor knows besides shapes: paint of units, and translations that identify them.

import { key, settled } from "./lattice";
import type { Lattice, Paint, Point } from "./types";

/** The paints that are offered; files may have others. */
export const PAINTS: Record<string, string> = {
  red: "#c8323c",
  green: "#2f8f4e",
  blue: "#2a4fb0",
  yellow: "#e0b000",
  black: "#30343c",
  white: "#f4f4f0",
};

/** For those that files have besides, in the order of their names. */
const OTHERS = ["#5b4a8a", "#e6dcc0", "#8a5a9e", "#2f8f8f", "#c87533", "#7d8795"];

export const PREFIX = "paint ";

/** Choices of a brush that paints. */
export const BRUSHES = [...Object.keys(PAINTS), ""].map((name): [string, string] => [
  PREFIX + name,
  name ? `paint it ${name}` : "no paint",
]);

export function unpainted(): Paint {
  return { units: [], pieces: {}, fits: {} };
}

/** The paint of a piece, which may have any name. */
export function paintOf({ pieces }: Paint, piece: string): [Point, string][] {
  return Object.hasOwn(pieces, piece) ? pieces[piece]! : [];
}

/** The region's paint with that of one unit changed; an empty name takes it away. */
export function painted(paint: Paint, point: Point, name: string): Paint {
  const others = paint.units.filter(([other]) => key(other) !== key(point));
  return { ...paint, units: name ? [...others, [point, name]] : others };
}

/** The paint with that of one unit of a piece changed; an empty name takes it away. */
export function pieceUnitPainted(paint: Paint, piece: string, point: Point, name: string): Paint {
  const own = painted({ ...paint, units: paintOf(paint, piece) }, point, name).units;
  const { [piece]: _, ...others } = paint.pieces;
  return { ...paint, pieces: own.length ? { ...others, [piece]: own } : others };
}

/** The paint after some painted units have become a piece. */
export function given(paint: Paint, lattice: Lattice, own: Point[], piece: string): Paint {
  const keys = new Set(own.map(key));
  const [mine, others] = [true, false].map((is) => paint.units.filter(([p]) => keys.has(key(p)) === is));
  if (!mine!.length) return paint;
  const goals = settled(lattice, own);
  const sorted = own.map((point) => [point]).sort(([a], [b]) => before(a!, b!)).map(([point]) => key(point!));
  const moved = mine!.map(([point, name]): [Point, string] => [goals[sorted.indexOf(key(point))]!, name]);
  return { ...paint, units: others!, pieces: { ...paint.pieces, [piece]: moved } };
}

function before(a: Point, b: Point): number {
  const at = a.findIndex((c, i) => c !== b[i]);
  return at < 0 ? 0 : a[at]! - b[at]!;
}

/** What is sent: the paint of units and pieces that are there. */
export function kept(paint: Paint, units: Point[], pieces: string[]): Paint {
  const keys = new Set(units.map(key));
  const own = Object.entries(paint.pieces).filter(([name]) => pieces.includes(name));
  return { ...paint, units: paint.units.filter(([p]) => keys.has(key(p))), pieces: Object.fromEntries(own) };
}

/** Painted units by their color: those of the region, or those of a piece. */
export function byColor(paint: Paint, units = paint.units): Map<string, Set<string>> {
  const names = [paint.units, ...Object.values(paint.pieces)].flatMap((own) => own.map(([, name]) => name));
  const others = [...new Set(names)].filter((name) => !Object.hasOwn(PAINTS, name)).sort();
  const found = new Map<string, Set<string>>();
  for (const [point, name] of units) {
    const color = (Object.hasOwn(PAINTS, name) && PAINTS[name]) || OTHERS[others.indexOf(name) % OTHERS.length]!;
    found.set(color, (found.get(color) ?? new Set()).add(key(point)));
  }
  return found;
}

/** Translations as people write them, in steps of the lattice: "5,0; 0,4". */
export function wrapText(wrap: Point[], period: number): string {
  return wrap.map((vector) => vector.map((c) => c / period).join(",")).join("; ");
}

/** The translations of such a text; null if it is no list of them. */
export function wrapOf(text: string, { period, origins }: Lattice): Point[] | null {
  const parts = text.split(";").filter((part) => part.trim());
  const vectors = parts.map((part) => part.split(",").map((c) => (c.trim() ? Number(c) * period : NaN)));
  const right = vectors.every((vector) => vector.length === origins[0]!.length && vector.every(Number.isInteger));
  return right ? vectors : null;
}
