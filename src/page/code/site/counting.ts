// Counting up to symmetry, in slices, so that it can be stopped and can report its progress.

import { check } from "./check";
import { Counter, Engine, type loadEngine, withoutImplied } from "./engine";
import type { Lowered, Model } from "./model";
import { Action, branches, symmetries } from "./symmetry";
import { answered, begun, progress, SLICE, type Tell } from "./tasks";

type Native = Awaited<ReturnType<typeof loadEngine>>;

/** States of a memo, and options of models that get one. */
const MOST_STATES = 2_000_000;
const MEMO_OPTIONS = 50_000;

/** Solutions are counted below one branch of each orbit, each as often as its orbit is large.
 *
 * The number of orbits of solutions is the mean number of solutions that a symmetry keeps.
 */
export function count(native: Native, lowered: Lowered, deadline: number, useSymmetry: boolean, tell: Tell): void {
  const since = begun();
  const group = symmetries(lowered);
  const action = new Action(lowered, group);
  if (byMemo(native, lowered, action, deadline, since, tell)) return;
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

/** Where pieces are in free supply: count by states, all solutions and those that each symmetry keeps. */
function byMemo(native: Native, lowered: Lowered, action: Action, deadline: number, since: number, tell: Tell): boolean {
  const { model } = lowered;
  if (!lowered.statement.pieces.some(({ upper }) => upper > 1) || model.first.length > MEMO_OPTIONS) return false;
  const totals: bigint[] = [];
  for (let g = 0; g < action.order; g++) {
    const { problem, rank } = withoutIdle(withoutImplied(invariant(lowered, action, g)), lowered);
    const counter = new Counter(native, problem, rank, MOST_STATES);
    try {
      let number: bigint | null | "no" = null;
      while (number === null && begun() < deadline) {
        number = counter.run(SLICE);
        if (!g) tell("progress", { ...progress(0, counter.done, 0, since), doing: "counting by states" });
      }
      if (number === null || number === "no") return false;
      totals.push(number);
    } finally {
      counter.free();
    }
  }
  const sum = (chosen: bigint[]) => {
    const total = chosen.reduce((a, b) => a + b, 0n);
    if (total % BigInt(chosen.length)) throw new Error("The solutions do not form whole orbits.");
    return exact(total / BigInt(chosen.length));
  };
  const raw = exact(totals[0]!);
  const rotation = sum(totals.filter((_, g) => action.symmetries[g]!.proper));
  tell("answer", answered(raw ? "complete" : "unsolvable", since, 0, { raw, rotation, symmetry: sum(totals), found: raw }));
  return true;
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

/** The problem without items that exclude nothing, and an order in which to decide the others. */
function withoutIdle(model: Model, { grid }: Lowered): { problem: Model; rank: number[] } {
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
  // along the longest axis
  const spans = grid.units[0]!.map((_, i) => new Set(grid.units.map((unit) => unit[i]!)).size);
  const axes = [...spans.keys()].sort((a, b) => spans[b]! - spans[a]!);
  const key = (item: number) => {
    const unit = grid.units[item - model.pieces];
    return axes.map((i) => (unit ? unit[i]! : Infinity));
  };
  const keys = kept.map(key);
  const order = [...kept.keys()].sort((a, b) => {
    for (const i of axes.keys()) if (keys[a]![i] !== keys[b]![i]) return keys[a]![i]! - keys[b]![i]!;
    return a - b;
  });
  const rank: number[] = [];
  order.forEach((item, place) => (rank[item] = place));
  return {
    problem: {
      ...model,
      lower: kept.map((item) => model.lower[item]!),
      upper: kept.map((item) => model.upper[item]!),
      first: Int32Array.from(first),
      members: Int32Array.from(members),
    },
    rank,
  };
}
