// The symmetries of a puzzle, what they do to options, and one branch of each orbit.

import { compare, mod, times } from "./grid";
import { keyOf, oriented } from "./shapes";
import type { Lowered } from "./model";

const MOST_IMAGES = 1 << 25;

export interface Symmetry {
  /** Unit i goes to unit units[i], placements of piece k become placements of piece pieces[k]. */
  units: number[];
  pieces: number[];
  /** Whether a rotation or translation does the same. */
  proper: boolean;
}

export function symmetries(lowered: Lowered): Symmetry[] {
  const { lattice, grid, statement } = lowered;
  const found = new Map<string, Symmetry>();
  const goals = pieceActions(lowered);
  lattice.group.forEach((matrix, number) => {
    const pieces = goals(number);
    if (!pieces || !grid.keeps(matrix)) return;
    for (const units of unitActions(lowered, matrix)) {
      if (!keepsPaint(lowered, units) || !keepsFixed(lowered, units, pieces) || !keepsOpen(statement.open_rules, units))
        continue;
      const key = `${units}/${pieces}`;
      if (!found.has(key)) found.set(key, { units, pieces, proper: number < lattice.proper });
    }
  });
  return [...found.values()];
}

/** For each matrix of the point group, the piece that each piece goes to; null if one goes to none. */
function pieceActions({ lattice, statement, aspects }: Lowered): (matrix: number) => number[] | null {
  const { pieces, choices, use_rules } = statement;
  const rules = pieces.map(({ name }) => use_rules.flatMap((rule, k) => (rule.pieces.includes(name) ? k : [])).join());
  const kinds = new Map(pieces.map((_, k) => [`${keyOf(aspects[k]!)}!${rules[k]}`, k]));
  const bounds = pieces.map(({ name, lower, upper }) => `${lower},${upper},${choices.includes(name)}`);
  const made = new Map<string, number | undefined>();
  const goal = (k: number, matrix: number): number | undefined => {
    const { freedom } = pieces[k]!;
    if (freedom === "free" || matrix === 0) return k;
    if (freedom === "one-sided" && matrix < lattice.proper) return k;
    const coset = `${k},${freedom === "one-sided" ? lattice.proper : matrix}`;
    if (!made.has(coset)) {
      const images = oriented(aspects[k]!, [lattice.group[matrix]!], lattice.period);
      made.set(coset, kinds.get(`${keyOf(images)}!${rules[k]}`));
    }
    return made.get(coset);
  };
  return (matrix) => {
    const found: number[] = [];
    for (let k = 0; k < pieces.length; k++) {
      const target = goal(k, matrix);
      if (target === undefined || bounds[target] !== bounds[k]) return null;
      found.push(target);
    }
    return found;
  };
}

/** The images of the units under a matrix and each translation that keeps the region. */
function* unitActions({ lattice, grid, statement }: Lowered, matrix: number[][]): Generator<number[]> {
  const images = grid.units.map((unit) => times(matrix, unit));
  const low = (points: number[][], i: number) => points.reduce((least, p) => Math.min(least, p[i]!), Infinity);
  const shifts = grid.wrapped
    ? grid.units.map((unit) => unit.map((c, i) => c - images[0]![i]!))
    : [images[0]!.map((_, i) => low(grid.units, i) - low(images, i))];
  const optional = new Set(statement.optional);
  next: for (const shift of shifts) {
    if (shift.some((c) => mod(c, lattice.period))) continue;
    const units: number[] = [];
    for (const [k, image] of images.entries()) {
      const unit = grid.index(image.map((c, i) => c + shift[i]!));
      if (unit < 0 || optional.has(unit) !== optional.has(k)) continue next;
      units.push(unit);
    }
    yield units;
  }
}

function keepsPaint({ grid, statement }: Lowered, units: number[]): boolean {
  const { paint } = statement;
  if (!paint.units.length || !Object.keys(paint.pieces).length) return true;
  const colors = new Map(paint.units.map(([point, color]) => [point.join(), color]));
  const own = grid.units.map((unit) => colors.get(unit.join()));
  return units.every((image, k) => own[image] === own[k]);
}

function keepsFixed({ statement }: Lowered, units: number[], pieces: number[]): boolean {
  const { fixed } = statement;
  const number = new Map(statement.pieces.map((piece, k) => [piece.name, k]));
  const word = (piece: number, covered: number[]) => `${piece}:${[...covered].sort((a, b) => a - b)}`;
  const here = new Set(fixed.map(([piece, covered]) => word(number.get(piece)!, covered)));
  return fixed.every(([piece, covered]) =>
    here.has(word(pieces[number.get(piece)!]!, covered.map((unit) => units[unit]!))),
  );
}

function keepsOpen(rules: Lowered["statement"]["open_rules"], units: number[]): boolean {
  const words = (move: (unit: number) => number) =>
    rules.map((r) => `${r.lower},${r.upper}:${r.units.map(move).sort((a, b) => a - b)}`).sort().join("|");
  return words((unit) => unit) === words((unit) => units[unit]!);
}

/** A group of symmetries as it acts on options. */
export class Action {
  readonly order: number;
  private readonly codes: Float64Array;
  private readonly byKey = new Map<number, number>();
  private readonly table: Int32Array | null;
  private readonly items: Int32Array[];
  private readonly span: number;

  constructor(
    private readonly lowered: Lowered,
    readonly symmetries: Symmetry[],
  ) {
    const { model } = lowered;
    this.order = symmetries.length;
    this.span = model.pieces + model.units;
    this.items = symmetries.map(({ units, pieces }) =>
      Int32Array.from([...pieces, ...units.map((unit) => unit + model.pieces)]),
    );
    this.codes = codes(this.span);
    const options = model.first.length - 1;
    if (this.order > 1) for (let o = 0; o < options; o++) this.byKey.set(this.key(o, this.items[0]!), o);
    if (this.order > 1 && this.byKey.size < options) throw new Error("Two options have the same key.");
    const size = this.order * options;
    this.table = size <= MOST_IMAGES ? new Int32Array(size).fill(-1) : null;
  }

  /** The sum of the codes of the pieces and units that an option goes to; sums are exact. */
  private key(option: number, items: Int32Array): number {
    const { first, members } = this.lowered.model;
    let sum = 0;
    for (let k = first[option]!; k < first[option + 1]!; k++) {
      const item = members[k]!;
      if (item < this.span) sum += this.codes[items[item]!]!;
    }
    return sum;
  }

  image(element: number, option: number): number {
    if (element === 0) return option;
    const at = element * (this.lowered.model.first.length - 1) + option;
    const known = this.table?.[at] ?? -1;
    if (known >= 0) return known;
    const image = this.byKey.get(this.key(option, this.items[element]!));
    if (image === undefined) throw new Error("A symmetry of the puzzle carries an option to no option.");
    if (this.table) this.table[at] = image;
    return image;
  }

  /** How many symmetries keep a solution, and how many proper ones. */
  kept(solution: Int32Array): [all: number, proper: number] {
    let all = 0;
    let proper = 0;
    const own = this.order > 1 ? new Set(solution) : null;
    for (let g = 0; g < this.order; g++) {
      if (g && !solution.every((option) => own!.has(this.image(g, option)))) continue;
      all++;
      if (this.symmetries[g]!.proper) proper++;
    }
    return [all, proper];
  }

  /** The least image of a solution, the same for all solutions that are alike. */
  least(solution: Int32Array, proper: boolean): string {
    let best: Int32Array | null = null;
    for (let g = 0; g < this.order; g++) {
      if (proper && !this.symmetries[g]!.proper) continue;
      const image = solution.map((option) => this.image(g, option)).sort();
      if (!best || compare(image, best) < 0) best = image;
    }
    return best!.join();
  }
}

/** Numbers that look random, the same every time; sums of a million of them are exact. */
function codes(size: number): Float64Array {
  let state = 0x9e3779b9;
  const word = () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  };
  return Float64Array.from({ length: size }, () => (word() & 0xfffff) * 2 ** 20 + (word() & 0xfffff));
}

/** Options of one item that every symmetry keeps: one of each orbit, and the size of the orbit. */
export function branches({ model }: Lowered, action: Action): { option: number; size: number }[] | null {
  if (action.order === 1) return null;
  const span = model.pieces + model.units;
  const uses = new Int32Array(model.lower.length);
  for (const item of model.members) uses[item]!++;
  let best = -1;
  for (let item = 0; item < span; item++) {
    if (model.lower[item] !== 1 || model.upper[item] !== 1) continue;
    const kept = action.symmetries.every(({ pieces, units }) =>
      item < model.pieces ? pieces[item] === item : units[item - model.pieces] === item - model.pieces,
    );
    if (kept && (best < 0 || uses[item]! < uses[best]!)) best = item;
  }
  if (best < 0) return null;
  const found: { option: number; size: number }[] = [];
  const seen = new Set<number>();
  for (let o = 0; o + 1 < model.first.length; o++) {
    if (seen.has(o) || !model.members.subarray(model.first[o], model.first[o + 1]).includes(best)) continue;
    const orbit = new Set<number>();
    for (let g = 0; g < action.order; g++) orbit.add(action.image(g, o));
    for (const image of orbit) seen.add(image);
    found.push({ option: o, size: orbit.size });
  }
  return found;
}
