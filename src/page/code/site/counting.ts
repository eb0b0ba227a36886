// Counting up to symmetry, in slices, so that it can be stopped and its progress is told.

import { check } from "./check";
import { Engine, type loadEngine } from "./engine";
import type { Lowered } from "./model";
import { Action, branches, symmetries } from "./symmetry";
import { answered, begun, progress, SLICE, type Tell } from "./tasks";

type Native = Awaited<ReturnType<typeof loadEngine>>;

/** Solutions are counted below one branch of each orbit, each as often as its orbit is large.
 *
 * The number of orbits of solutions is the mean number of solutions that a symmetry keeps.
 */
export function count(native: Native, lowered: Lowered, deadline: number, useSymmetry: boolean, tell: Tell): void {
  const since = begun();
  const group = symmetries(lowered);
  const action = new Action(lowered, group);
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
