// Counting up to symmetry, in slices, so that it can be stopped and can report its progress.

import { check } from "./check";
import { Counter, Engine, Frontier, MORE_MEMORY, type Native, OutOfMemory, withoutImplied } from "./engine";
import type { Point } from "../types";
import type { Lowered, Model } from "./model";
import { Action, branches, symmetries } from "./symmetry";
import { answered, begun, progress, SLICE, type Tell } from "./tasks";

interface Counting {
  native: Native;
  lowered: Lowered;
  action: Action;
  deadline: number;
  since: number;
  tell: Tell;
}

/** Nodes of an automaton, entries of all lists, and entries for which no other order is tried. */
const FRONT_NODES = 1_000_000;
const FRONT_ENTRIES = 1e9;
const FRONT_SMALL = 300_000;

/** Nodes after which a search may be overtaken, nodes that it must seem to have, and seconds for that. */
const FRONT_HEAD_START = 5_000_000;
const FRONT_WORTH = 50_000_000;
const FRONT_SECONDS = 60;

/** States of a memo, and options of models that get one. */
const MOST_STATES = 2_000_000;
const MEMO_OPTIONS = 50_000;

/** Solutions are counted below one branch of each orbit, each as often as its orbit is large.
 *
 * The number of orbits of solutions is the mean number of solutions that a symmetry keeps.
 */
export function count(native: Native, lowered: Lowered, deadline: number, useSymmetry: boolean, method: string, tell: Tell): void {
  const since = begun();
  const group = symmetries(lowered);
  const action = new Action(lowered, group);
  const own = { native, lowered, action, deadline, since, tell };
  if (method === "memo" || method === "frontier") {
    if (unlisted(method, own)) return;
    throw new Error(`Counting by a ${method} needs more time or ${MORE_MEMORY}: count with "dlx".`);
  }
  const several = lowered.statement.pieces.some(({ upper }) => upper > 1);
  // half of the time, so that the search has some if a memo takes too long
  const half = since + (deadline - since) / 2;
  if (several && lowered.model.first.length <= MEMO_OPTIONS && unlisted("memo", { ...own, deadline: half })) return;
  const starts = useSymmetry ? branches(lowered, action) : null;
  const sizes = new Map(starts?.map(({ option, size }) => [option, size]));
  const engine = new Engine(
    native,
    lowered.model,
    starts && starts.map(({ option, size }) => ({ path: [option], weight: size })),
  );
  let raw = 0;
  let kept = 0;
  let keptProperly = 0;
  let told = since;
  let frontier = true;
  while (!engine.exhausted && begun() < deadline) {
    for (const solution of engine.run(SLICE)) {
      check(lowered, solution);
      const times = starts ? sizes.get(solution.find((option) => sizes.has(option))!)! : 1;
      const [all, proper] = action.kept(solution);
      raw += times;
      kept += times * all;
      keptProperly += times * proper;
    }
    if (begun() - told > 0.2) {
      told = begun();
      tell("progress", progress(raw, engine.done, engine.nodes, since));
    }
    // a search that has done little may be overtaken, once
    if (frontier && engine.nodes > FRONT_HEAD_START) {
      frontier = false;
      if (engine.nodes / engine.done > FRONT_WORTH && unlisted("frontier", { ...own, deadline: Math.min(deadline, begun() + FRONT_SECONDS) })) {
        engine.free();
        return;
      }
    }
  }
  const nodes = engine.nodes;
  if (!engine.exhausted) {
    const status = raw ? "solvable" : "unknown";
    return tell("answer", answered(status, since, nodes, { stopped: "time limit", found: raw, raw: null }));
  }
  const rotations = group.filter((s) => s.proper).length;
  if (kept % group.length || keptProperly % rotations) throw new Error("The solutions do not form whole orbits.");
  const numbers = { raw, rotation: keptProperly / rotations, symmetry: kept / group.length };
  tell("progress", progress(raw, 1, nodes, since));
  tell("answer", answered(raw ? "complete" : "unsolvable", since, nodes, { ...numbers, found: raw }));
}

/** Count without listing; whether that was done: if the memory does not suffice, a search still can. */
function unlisted(method: "memo" | "frontier", own: Counting): boolean {
  try {
    return isCounted(method, own);
  } catch (error) {
    if (error instanceof OutOfMemory) return false;
    throw error;
  }
}

/** Count all solutions and those that each symmetry keeps; whether that was done. */
function isCounted(method: "memo" | "frontier", own: Counting): boolean {
  const { native, lowered, action, deadline, since, tell } = own;
  const totals: bigint[] = [];
  for (let g = 0; g < action.order; g++) {
    const problem = withoutIdle(withoutImplied(invariant(lowered, action, g)), lowered);
    const doing = method === "memo" ? "counting by states" : "counting by a frontier";
    const watch = (done: number) => g || tell("progress", { ...progress(0, done, 0, since), doing });
    const number = method === "memo" ? byStates(native, problem, deadline, watch) : byFrontier(native, problem, deadline, watch);
    if (number === null) return false;
    totals.push(number);
  }
  const sum = (chosen: bigint[]) => {
    const total = chosen.reduce((a, b) => a + b, 0n);
    if (total % BigInt(chosen.length)) throw new Error("The solutions do not form whole orbits.");
    return exact(total / BigInt(chosen.length));
  };
  const raw = exact(totals[0]!);
  const rotation = sum(totals.filter((_, g) => action.symmetries[g]!.proper));
  const numbers = { raw, rotation, symmetry: sum(totals), found: raw };
  tell("answer", { ...answered(raw ? "complete" : "unsolvable", since, 0, numbers), method });
  return true;
}

type Watch = (done: number) => unknown;

function byStates(native: Native, { problem, ranks }: Reduced, deadline: number, watch: Watch): bigint | null {
  const counter = new Counter(native, problem, ranks[0]!, MOST_STATES);
  try {
    return run(counter, deadline, () => watch(counter.done));
  } finally {
    counter.free();
  }
}

/** By the order of the least bound among those whose automata are small. */
function byFrontier(native: Native, { problem, ranks, supplied }: Reduced, deadline: number, watch: Watch): bigint | null {
  let best: Frontier | null = null;
  let front: Frontier | null = null;
  try {
    for (const rank of ranks) {
      front = new Frontier(native, problem, rank, supplied, FRONT_NODES);
      let known: bigint | null | "no" = null;
      while (known === null && !front.built && begun() < deadline) {
        known = front.run(SLICE);
        watch(0);
      }
      if (typeof known === "bigint") return known;
      if (front.built && !(best && best.bound <= front.bound)) [best, front] = [front, best];
      front?.free();
      front = null;
      if (best && best.bound <= FRONT_SMALL) break;
    }
    const chosen = best;
    return chosen && chosen.bound < FRONT_ENTRIES ? run(chosen, deadline, () => watch(chosen.done)) : null;
  } finally {
    front?.free();
    best?.free();
  }
}

function run(counter: Counter | Frontier, deadline: number, watch: () => unknown): bigint | null {
  while (begun() < deadline) {
    const number = counter.run(SLICE);
    if (number !== null) return number === "no" ? null : number;
    watch();
  }
  return null;
}

/** A number as it is; large ones stay exact. */
const exact = (number: bigint) => (number <= Number.MAX_SAFE_INTEGER ? Number(number) : (number as unknown as number));

/** The problem whose solutions are those that a symmetry keeps: its options are orbits of options. */
function invariant({ model }: Lowered, action: Action, element: number): Model {
  if (!element) return model;
  const options = model.first.length - 1;
  const first = [0];
  const members: number[] = [];
  const seen = new Uint8Array(options);
  const uses = new Int32Array(model.lower.length);
  for (let o = 0; o < options; o++) {
    if (seen[o]) continue;
    const own: number[] = [];
    for (let image = o; !seen[image]; image = action.image(element, image)) {
      seen[image] = 1;
      own.push(...model.members.subarray(model.first[image], model.first[image + 1]));
    }
    for (const item of own) uses[item]!++;
    if (own.every((item) => uses[item]! <= model.upper[item]!)) {
      members.push(...own.sort((a, b) => a - b));
      first.push(members.length);
    }
    for (const item of own) uses[item] = 0;
  }
  return { ...model, first: Int32Array.from(first), members: Int32Array.from(members) };
}

/** A problem, orders in which to decide its items, and which of these are pieces. */
interface Reduced {
  problem: Model;
  ranks: number[][];
  supplied: number[];
}

/** The problem without items that exclude nothing, and orders in which to decide the others. */
function withoutIdle(model: Model, { grid }: Lowered): Reduced {
  const uses = new Int32Array(model.lower.length);
  for (const item of model.members) uses[item]!++;
  const kept = [...model.lower.keys()].filter((item) => model.lower[item]! > 0 || uses[item]! > model.upper[item]!);
  const number = new Map(kept.map((item, k) => [item, k]));
  const first = [0];
  const members: number[] = [];
  for (let o = 0; o + 1 < model.first.length; o++) {
    for (const item of model.members.subarray(model.first[o], model.first[o + 1])) {
      const there = number.get(item);
      if (there !== undefined) members.push(there);
    }
    first.push(members.length);
  }
  // along the longest axis, then along others and diagonals
  const spans = grid.units[0]!.map((_, i) => new Set(grid.units.map((unit) => unit[i]!)).size);
  const axes = [...spans.keys()].sort((a, b) => spans[b]! - spans[a]!);
  const ways = axes.flatMap((axis) => {
    const rest = axes.filter((other) => other !== axis);
    const straight = [axis, ...rest].map((i) => unitVector(axes.length, i));
    const slanting = rest.map((other) => [...axes.keys()].map((i) => Number(i === axis) + Number(i === other)));
    return [straight, ...slanting.map((direction) => [direction, ...straight])];
  });
  return {
    problem: {
      ...model,
      lower: kept.map((item) => model.lower[item]!),
      upper: kept.map((item) => model.upper[item]!),
      first: Int32Array.from(first),
      members: Int32Array.from(members),
    },
    ranks: ways.map((way) => ranked(kept.map((item) => along(grid.units[item - model.pieces], way)))),
    supplied: kept.map((item) => Number(item < model.pieces)),
  };
}

const unitVector = (size: number, at: number) => Array.from({ length: size }, (_, i) => Number(i === at));

/** How far a point lies in each of some directions; what has no place comes last. */
const along = (point: Point | undefined, way: number[][]) =>
  way.map((direction) => (point ? point.reduce((sum, c, i) => sum + c * direction[i]!, 0) : Infinity));

/** The place of each key in their order. */
function ranked(keys: number[][]): number[] {
  const order = [...keys.keys()].sort((a, b) => {
    for (const i of keys[a]!.keys()) if (keys[a]![i] !== keys[b]![i]) return keys[a]![i]! - keys[b]![i]!;
    return a - b;
  });
  const rank: number[] = [];
  order.forEach((item, place) => (rank[item] = place));
  return rank;
}
