// Classes of similar solutions, as exactile.surveys.classes finds them; at most a few thousand.

import type { Similar, Way } from "../classes";
import type { Placed } from "../types";
import { check } from "./check";
import { Engine, type Native, similarMoves } from "./engine";
import { compare, times } from "./grid";
import type { Lowered } from "./model";
import { Action, branches, symmetries } from "./symmetry";
import { begun, SLICE } from "./tasks";

/** Solutions that are compared at most; exactile serve compares more. */
const MOST = 10_000;

/** Placements that two solutions must share to be compared. */
const SHARED = 2;

const NEVER = -2;

const KINDS = ["block", "exchange", "pair"] as const;

type Row = Int32Array;

/** Solutions, one of each orbit, and their images under all symmetries, by their options. */
class Solutions {
  readonly images: Row[][];
  private readonly place = new Map<string, number>();
  private readonly keepers: number[][];

  constructor(
    readonly rows: Row[],
    action: Action,
  ) {
    this.images = action.symmetries.map((_, g) => rows.map((row) => row.map((option) => action.image(g, option)).sort()));
    this.images.forEach((own, g) =>
      own.forEach((row, k) => {
        const key = row.join();
        if (!this.place.has(key)) this.place.set(key, g * rows.length + k);
      }),
    );
    this.keepers = rows.map((row, k) => this.images.flatMap((own, g) => (compare(own[k]!, row) ? [] : [g])));
    this.moved = (g, row) => row.map((option) => action.image(g, option)).sort();
  }

  private readonly moved: (element: number, row: Row) => Row;

  /** The least place of a set of options among the images, up to symmetries that keep a solution, and the set there. */
  find(first: number, row: Row): [number, Row] | undefined {
    const place = this.place.get(row.join());
    if (place === undefined) return undefined;
    let least: [number, Row] = [place, row];
    if (this.keepers[first]!.length > 1)
      for (const g of this.keepers[first]!) {
        const other = this.moved(g, row);
        const there = this.place.get(other.join())!;
        if (there < least[0]) least = [there, other];
      }
    return least;
  }
}

export function similar(native: Native, lowered: Lowered, deadline: number, watch: (done: number) => void): Similar {
  const { statement, grid, places } = lowered;
  const action = new Action(lowered, symmetries(lowered));
  const rows = found(native, lowered, action, deadline);
  const solutions = new Solutions(rows, action);
  const ways = new Map<number, Way>();
  const add = (kind: (typeof KINDS)[number], first: number, row: Row) => {
    const there = solutions.find(first, row);
    if (!there) return;
    const [place, image] = there;
    const second = place % rows.length;
    const own = rows[first]!;
    const kept = new Set(image);
    const moved = [...own.keys()].filter((k) => !kept.has(own[k]!));
    if (second <= first || own.length - moved.length < SHARED) return;
    const key = first * action.order * rows.length + place;
    if (!ways.has(key)) ways.set(key, { first, second, symmetry: Math.floor(place / rows.length), kind, moved });
  };
  const remarks: string[] = [];
  const least = 2 * Math.min(...statement.pieces.map((piece) => piece.units.length));
  const maps = isometries(lowered, least);
  const byUnits = optionsByUnits(places);
  const carried = new Map<string, number>();
  const carry = (option: number, map: number, backwards: boolean): number => {
    const key = `${option},${map},${backwards}`;
    const known = carried.get(key);
    if (known !== undefined) return known;
    const image = backwards ? maps[map]!.inverse : maps[map]!.image;
    const { piece, units } = places[option]!;
    const to = byUnits.get(`${piece}:${units.map((unit) => image[unit]!).sort()}`) ?? NEVER;
    carried.set(key, to);
    return to;
  };
  const step = 500;
  let cut = 0;
  // kinds in this order: the first one found is the one that counts
  KINDS.slice(0, 2).forEach((kind, k) => {
    const usable = [...maps.keys()].filter((m) => maps[m]!.wanted & (k + 1));
    const images = Int32Array.from(usable.flatMap((m) => [...maps[m]!.image]));
    for (let begin = 0; begin < rows.length; begin += step) {
      if (begun() > deadline) throw late();
      const some = rows.slice(begin, begin + step);
      const width = Math.max(...some.map((row) => row.length));
      const owners = new Int32Array(some.length * grid.units.length).fill(-1);
      const pieces = new Int32Array(some.length * width).fill(-1);
      some.forEach((row, s) =>
        row.forEach((option, column) => {
          pieces[s * width + column] = places[option]!.piece;
          for (const unit of places[option]!.units) owners[s * grid.units.length + unit] = column;
        }),
      );
      const result = similarMoves(native, owners, pieces, images, usable.map(() => k + 1), grid.units.length);
      cut += result.cut;
      for (const { solution, map, columns } of result.moves) {
        const row = some[solution]!.slice();
        for (const c of columns) row[c < 0 ? ~c : c] = carry(row[c < 0 ? ~c : c]!, usable[map]!, c < 0);
        if (!row.includes(NEVER)) add(kind, begin + solution, row.sort());
      }
      watch((k + begin / rows.length) / 3);
    }
  });
  for (const [first, row] of rearranged(lowered, rows, deadline)) add("pair", first, row);
  if (cut)
    remarks.push(
      `${cut.toLocaleString("en")} times one isometry moves more than ten blocks or pairs of sets: unions ` +
        "of these are not among the transformations. The classes are the same.",
    );
  // in the order of their options, which `moved` numbers
  const placement = (option: number): Placed => [statement.pieces[places[option]!.piece]!.name, [...places[option]!.units]];
  const between = [...ways.entries()].sort(([a], [b]) => a - b).map(([, way]) => way);
  return {
    solutions: rows.map((row) => [...row].map(placement)),
    classes: joined(rows.length, between),
    ways: between,
    units: action.symmetries.map(({ units }) => units),
    pieces: action.symmetries.map(({ pieces }) => pieces),
    names: statement.pieces.map(({ name }) => name),
    remarks,
  };
}

const late = () => new Error("Not all solutions were found and compared in time: exactile serve allows more time.");

/** All solutions, one of each orbit: their placements in order. */
function found(native: Native, lowered: Lowered, action: Action, deadline: number): Row[] {
  const starts = branches(lowered, action);
  const engine = new Engine(native, lowered.model, starts && starts.map(({ option, size }) => ({ path: [option], weight: size })));
  const seen = new Set<string>();
  const rows: Row[] = [];
  try {
    while (!engine.exhausted) {
      if (begun() > deadline) throw late();
      for (const solution of engine.run(SLICE)) {
        check(lowered, solution);
        const row = solution.filter((option) => option < lowered.placements).sort();
        const key = action.least(row, false);
        if (seen.has(key)) continue;
        seen.add(key);
        rows.push(row);
        if (rows.length > MOST)
          throw new Error(`There are more than ${MOST.toLocaleString("en")} solutions: exactile serve compares more.`);
      }
    }
  } finally {
    engine.free();
  }
  return rows;
}

interface Isometry {
  image: Int32Array;
  inverse: Int32Array;
  /** 1 for blocks, 2 for exchanges, 3 for both. */
  wanted: number;
}

/** What keeps some units of the region within it: images of units, -1 outside. */
function isometries({ lattice, grid }: Lowered, least: number): Isometry[] {
  const { units } = grid;
  const found = new Map<string, Isometry>();
  for (const matrix of lattice.group) {
    if (!grid.keeps(matrix)) continue;
    const turned = units.map((unit) => times(matrix, unit));
    for (const shift of shifts(turned, units, lattice.period)) {
      const image = Int32Array.from(turned, (point) => grid.index(point.map((c, i) => c + shift[i]!)));
      const inside = image.reduce((n, unit) => n + Number(unit >= 0), 0);
      if (inside < least || image.every((unit, k) => unit === k)) continue;
      const key = image.join();
      if (found.has(key)) continue;
      const inverse = new Int32Array(units.length).fill(-1);
      image.forEach((unit, k) => unit >= 0 && (inverse[unit] = k));
      found.set(key, { image, inverse, wanted: Number(cyclic(image)) + 2 * Number(!found.has(inverse.join())) });
    }
  }
  return [...found.values()].filter(({ wanted }) => wanted);
}

/** The translations that may carry turned units into the region. */
function shifts(turned: number[][], units: number[][], period: number): number[][] {
  const low = (points: number[][], i: number) => points.reduce((n, p) => Math.min(n, p[i]!), Infinity);
  const high = (points: number[][], i: number) => points.reduce((n, p) => Math.max(n, p[i]!), -Infinity);
  return units[0]!.reduce<number[][]>(
    (some, _, i) => {
      const from = Math.ceil((low(units, i) - high(turned, i)) / period);
      const to = Math.floor((high(units, i) - low(turned, i)) / period);
      const steps = Array.from({ length: Math.max(0, to - from + 1) }, (_, k) => (from + k) * period);
      return some.flatMap((shift) => steps.map((c) => [...shift, c]));
    },
    [[]],
  );
}

/** Whether some unit returns to itself without leaving the region. */
function cyclic(image: Int32Array): boolean {
  const left = new Uint8Array(image.length);
  for (let k = 0; k < image.length; k++) {
    const way: number[] = [];
    let unit = k;
    for (; unit >= 0 && !left[unit]; unit = image[unit]!) {
      left[unit] = 1;
      way.push(unit);
    }
    if (unit >= 0 && way.includes(unit)) return true;
  }
  return false;
}

/** Solutions in which two placements lie otherwise on the same units. */
function* rearranged({ places, grid, statement }: Lowered, rows: Row[], deadline: number): Generator<[number, Row]> {
  const unitsOf = (option: number) => places[option]!.units;
  const through: number[][] = Array.from({ length: statement.pieces.length * grid.units.length }, () => []);
  places.forEach(({ piece, units }, option) => units.forEach((unit) => through[piece * grid.units.length + unit]!.push(option)));
  const byUnits = optionsByUnits(places);
  const known = new Map<string, number[][]>();
  const others = (one: number, other: number): number[][] => {
    const key = `${one},${other}`;
    const there = known.get(key);
    if (there) return there;
    const union = [...unitsOf(one), ...unitsOf(other)].sort((a, b) => a - b);
    const all = new Set(union);
    const result: number[][] = [];
    for (const [first, second] of [[one, other], [other, one]] as const)
      for (const option of through[places[first]!.piece * grid.units.length + union[0]!]!) {
        if (option === first || !unitsOf(option).every((unit) => all.has(unit))) continue;
        const own = new Set(unitsOf(option));
        const rest = byUnits.get(`${places[second]!.piece}:${union.filter((unit) => !own.has(unit))}`);
        if (rest !== undefined && option !== second) result.push([option, rest]);
      }
    known.set(key, result);
    return result;
  };
  for (const [k, row] of rows.entries()) {
    if (begun() > deadline) throw late();
    for (let i = 0; i < row.length; i++)
      for (let j = i + 1; j < row.length; j++)
        for (const [a, b] of others(row[i]!, row[j]!)) {
          const changed = row.slice();
          changed[i] = a!;
          changed[j] = b!;
          yield [k, changed.sort()];
        }
  }
}

const optionsByUnits = (places: Lowered["places"]) => new Map(places.map(({ piece, units }, option) => [`${piece}:${units}`, option]));

/** Connected solutions, the largest class first. */
function joined(count: number, ways: Way[]): number[][] {
  const parent = Array.from({ length: count }, (_, k) => k);
  const root = (k: number): number => {
    while (parent[k] !== k) k = parent[k] = parent[parent[k]!]!;
    return k;
  };
  for (const { first, second } of ways) parent[Math.max(root(first), root(second))] = Math.min(root(first), root(second));
  const classes = new Map<number, number[]>();
  for (let k = 0; k < count; k++) {
    const own = classes.get(root(k));
    if (own) own.push(k);
    else classes.set(root(k), [k]);
  }
  return [...classes.values()].sort((a, b) => b.length - a.length || a[0]! - b[0]!);
}
