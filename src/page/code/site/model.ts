// Lowering in the browser: from a puzzle to items and options, as exactile.model.lower does it.

import { paintOf } from "../paint";
import type { Piece, Point } from "../types";
import { compare, Grid, mod } from "./grid";
import { type Aspect, aspects, typeOf } from "./shapes";
import type { FullLattice, Statement } from "./types";

const MOST_OPTIONS = 1_000_000;
const MOST_TRIES = 300_000_000;

/** A model in flat arrays: option o has the items members[first[o]] to members[first[o + 1] - 1]. */
export interface Model {
  lower: number[];
  upper: number[];
  first: Int32Array;
  members: Int32Array;
  /** Numbers of pieces and units; their items come first, in this order. */
  pieces: number;
  units: number;
}

export interface Lowered {
  statement: Statement;
  lattice: FullLattice;
  grid: Grid;
  /** Aspects of each piece. */
  aspects: Aspect[][];
  model: Model;
  /** Number of the options that are placements; they come first. */
  placements: number;
  /** The piece and the units of each of them. */
  places: { piece: number; units: Int32Array }[];
}

export class TooLarge extends Error {}

export function lower(statement: Statement, lattice: FullLattice): Lowered {
  if (statement.color_rules.length)
    throw new TooLarge("Rules about the colors of pieces are searched by exactile serve only.");
  if (statement.use_rules.some((rule) => rule.placed))
    throw new TooLarge("Rules about pieces in some places are searched by exactile serve only.");
  const { pieces, units } = statement;
  const grid = new Grid(units, statement.wrap);
  const codes = paints(statement);
  const shapes = pieces.map((piece) => aspects(lattice, piece, codes(piece)));
  const tries = shapes.reduce((sum, own) => sum + own.length * units.length * own[0]!.points.length, 0);
  if (tries > MOST_TRIES) throw tooLarge(statement);
  const rows: Int32Array[][] = [];
  let total = 0;
  for (const [k, own] of shapes.entries()) {
    rows.push(pieces[k]!.upper ? placements(own, statement, lattice, grid) : []);
    total += rows.at(-1)!.length;
    if (total > MOST_OPTIONS) throw tooLarge(statement);
  }
  const number = new Map(pieces.map((piece, k) => [piece.name, k]));
  for (const rule of statement.use_rules)
    if (!rule.upper) for (const name of rule.pieces) rows[number.get(name)!] = [];
  return { statement, lattice, grid, aspects: shapes, ...joined(statement, lattice, grid, rows, number) };
}

function tooLarge({ title, name }: Statement): TooLarge {
  return new TooLarge(`${title || name} is too large for a page: exactile serve searches it.`);
}

/** How paint is numbered: from 1, by name; 0 for none. */
function paints({ paint }: Statement): (piece: Piece) => number[] {
  const names = paintNames(paint);
  return (piece) => {
    const own = new Map(paintOf(paint, piece.name).map(([point, color]) => [point.join(), color]));
    return piece.units.map((unit) => 1 + names.indexOf(own.get(unit.join()) ?? ""));
  };
}

const paintNames = (paint: Statement["paint"]) =>
  [...new Set(Object.values(paint.pieces).flatMap((own) => own.map(([, color]) => color)))].sort();

/** Which paints of pieces may lie on each unit of the region. */
function allowed({ paint, units }: Statement): (code: number, unit: number) => boolean {
  const names = paintNames(paint);
  const there = new Map(paint.units.map(([point, color]) => [point.join(), color]));
  const colors = units.map((unit) => there.get(unit.join()));
  return (code, unit) => {
    const color = colors[unit];
    const own = names[code - 1]!;
    return code === 0 || color === undefined || (paint.fits[own] ?? [own]).includes(color);
  };
}

/** All placements of a piece, as numbers of units in order. */
function placements(own: Aspect[], statement: Statement, lattice: FullLattice, grid: Grid): Int32Array[] {
  const { units } = grid;
  const types = units.map((unit) => typeOf(lattice, unit));
  const fits = allowed(statement);
  const painted = own.some((aspect) => aspect.paint.some((code) => code > 0));
  const found: Int32Array[] = [];
  const place: Point = [];
  for (const { points, paint } of own) {
    const steps = points.map((p) => p.map((c, i) => c - points[0]![i]!));
    const type = typeOf(lattice, points[0]!);
    next: for (let at = 0; at < units.length; at++) {
      if (types[at] !== type) continue;
      const row = new Int32Array(points.length);
      for (let k = 0; k < steps.length; k++) {
        const step = steps[k]!;
        for (let i = 0; i < step.length; i++) place[i] = units[at]![i]! + step[i]!;
        const unit = grid.index(place);
        if (unit < 0 || (painted && !fits(paint[k]!, unit))) continue next;
        row[k] = unit;
      }
      found.push(row.sort());
    }
  }
  if (!grid.wrapped && !painted) return found;
  const seen = new Set<string>();
  return found.filter((row) => {
    const key = row.join();
    if (seen.has(key) || row.some((unit, k) => k > 0 && unit === row[k - 1])) return false;
    seen.add(key);
    return true;
  });
}

/** Items and options, from the placements of each piece. */
function joined(
  statement: Statement,
  lattice: FullLattice,
  grid: Grid,
  rows: Int32Array[][],
  number: Map<string, number>,
): { model: Model; placements: number; places: Lowered["places"] } {
  const { pieces, units } = statement;
  const lower = pieces.map((piece) => piece.lower);
  const upper = pieces.map((piece) => piece.upper);
  const item = (low: number, high: number) => upper.push(high) && lower.push(low) - 1;
  const optional = new Set(statement.optional);
  const named = new Set(statement.open_rules.flatMap((rule) => rule.units));
  const never = new Set(statement.open_rules.filter((rule) => !rule.upper).flatMap((rule) => rule.units));
  units.forEach((_, u) => item(optional.has(u) && !named.has(u) ? 0 : 1, 1));
  if (statement.choice) item(statement.choice, statement.choice);
  const offset = [0];
  for (const own of rows) offset.push(offset.at(-1)! + own.length);
  const total = offset.at(-1)!;
  const options: number[][] = rows.flatMap((own, k) =>
    own.map((row) => [k, ...Array.from(row, (u) => u + pieces.length)]),
  );
  for (const [piece, covered] of statement.fixed) {
    const k = number.get(piece)!;
    const wanted = [...covered].sort((a, b) => a - b);
    const fixed = item(1, 1);
    rows[k]!.forEach((row, n) => {
      if (row.length === wanted.length && compare(row, wanted) === 0) options[offset[k]! + n]!.push(fixed);
    });
  }
  if (statement.crossing && lattice.crossing)
    crossings(lattice, lattice.crossing, grid, rows, (low, high) => item(low, high), options);
  const choices = new Set(statement.choices);
  if (statement.choice)
    pieces.forEach((piece, k) => choices.has(piece.name) && options.push([k, pieces.length + units.length]));
  const mayOpen = statement.optional.filter((u) => named.has(u) && !never.has(u)).sort((a, b) => a - b);
  const firstOpen = options.length;
  for (const u of mayOpen) options.push([pieces.length + u]);
  for (const rule of statement.open_rules) {
    const own = new Set(rule.units);
    const number = item(rule.lower, rule.upper);
    mayOpen.forEach((u, k) => own.has(u) && options[firstOpen + k]!.push(number));
  }
  for (const rule of statement.use_rules) {
    const uses = item(rule.lower, rule.upper);
    for (const name of rule.pieces) {
      const k = number.get(name)!;
      for (let o = offset[k]!; o < offset[k + 1]!; o++) options[o]!.push(uses);
    }
  }
  const first = new Int32Array(options.length + 1);
  options.forEach((own, o) => (first[o + 1] = first[o]! + own.length));
  const members = new Int32Array(first.at(-1)!);
  options.forEach((own, o) => members.set(own, first[o]));
  const places = rows.flatMap((own, piece) => own.map((row) => ({ piece, units: row })));
  return {
    model: { lower, upper, first, members, pieces: pieces.length, units: units.length },
    placements: total,
    places,
  };
}

/** The items that keep pieces from crossing at vertices. */
function crossings(
  { period }: FullLattice,
  { rays, items }: NonNullable<FullLattice["crossing"]>,
  grid: Grid,
  rows: Int32Array[][],
  item: (low: number, high: number) => number,
  options: number[][],
): void {
  const width = 1 + items.flat().reduce((most, i) => Math.max(most, i), -1);
  const origins = grid.units.map((unit) =>
    rays.map((ray) => {
      const origin = unit.map((c, i) => c - ray[i]!);
      return origin.every((c) => mod(c, period) === 0) ? grid.reduce(origin) : null;
    }),
  );
  const distinct = new Map<string, Point>();
  for (const origin of origins.flat()) if (origin) distinct.set(origin.join(), origin);
  const order = new Map([...distinct.values()].sort(compare).map((origin, k) => [origin.join(), k]));
  const ends = origins.map((own) => own.map((origin) => (origin ? order.get(origin.join())! : -1)));
  const uses = new Map<number, number[]>();
  let option = 0;
  for (const own of rows)
    for (const row of own) {
      const masks = new Map<number, number>();
      for (const unit of row)
        ends[unit]!.forEach((vertex, ray) => vertex >= 0 && masks.set(vertex, (masks.get(vertex) ?? 0) | (1 << ray)));
      for (const [vertex, mask] of masks)
        for (const kind of items[mask]!) {
          const code = vertex * width + kind;
          const users = uses.get(code);
          if (users) users.push(option);
          else uses.set(code, [option]);
        }
      option++;
    }
  for (const code of [...uses.keys()].sort((a, b) => a - b)) {
    const users = uses.get(code)!;
    if (users.length < 2) continue; // an item in one option forbids nothing
    const there = item(0, 1);
    for (const user of users) options[user]!.push(there);
  }
}
