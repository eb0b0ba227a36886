// One solution by a portfolio: beams and restarts in turn, and a search of everything.

import { Engine, Finder, type loadEngine } from "./engine";
import type { Lowered } from "./model";
import { typeOf } from "./shapes";
import { begun, progress, type Tell } from "./tasks";

type Native = Awaited<ReturnType<typeof loadEngine>>;

/** A solution; null if there is none, nothing if none was found in time. */
export function firstSolution(
  native: Native,
  lowered: Lowered,
  deadline: number,
  seed: number,
  tell: Tell,
): Int32Array | null | undefined {
  const since = begun();
  const { model, grid, lattice, statement } = lowered;
  const random = dice(seed + 1);
  // units that must be covered, as items; those that touch are neighbors
  const required = grid.units.flatMap((_, u) => (model.lower[model.pieces + u] === 1 ? [u] : []));
  const near: number[][] = model.lower.map(() => []);
  const isRequired = new Set(required);
  for (const u of required)
    for (const step of lattice.neighbors[typeOf(lattice, grid.units[u]!)]!) {
      const other = grid.index(grid.units[u]!.map((c, i) => c + step[i]!));
      if (other >= 0 && other !== u && isRequired.has(other)) near[model.pieces + u]!.push(model.pieces + other);
    }
  const demands = [...model.lower.keys()].filter(
    (item) => item >= model.pieces + model.units && model.lower[item] === 1 && model.upper[item] === 1,
  );
  const finder = new Finder(native, model, near.map((own) => [...new Set(own)].sort((a, b) => a - b)));
  const engine = new Engine(native, model, null);
  const size = model.members.length / Math.max(model.first.length - 1, 1);
  const number = required.length / Math.max(size - 1, 1);
  const places = grid.units.map((unit) =>
    lattice.embedding[0]!.map((_, k) => unit.reduce((sum, c, i) => sum + c * lattice.embedding[i]![k]!, 0)),
  );
  let width = Math.min(40, Math.max(6, 12_000_000 / model.first.length));
  let nodes = 50_000;
  try {
    for (let turn = 0; begun() < deadline; turn++) {
      const units = [...sweep(places, required, random).map((u) => model.pieces + u), ...demands];
      let found: Int32Array | null | undefined;
      if (turn % 3 === 0) {
        const [solution] = engine.run(0.3, 1);
        found = solution ?? (engine.exhausted ? null : undefined);
      } else if (turn % 3 === 1) {
        found = finder.attempt(units, Math.round(width), Math.min(20, number / 2) * (size - 1), 20_000, random() * 2 ** 48);
        width = Math.min(1000, width * 1.25);
        if (found === null) found = undefined; // a beam does not search everything
      } else {
        const first = new Set(units);
        const order = [...units, ...model.lower.keys()].filter((item, k) => k < units.length || !first.has(item));
        found = finder.attempt(order, 0, 0, nodes, random() * 2 ** 48);
        nodes *= 1.1;
      }
      if (found !== undefined) return found;
      tell("progress", { ...progress(0, null, engine.nodes, since), doing: `attempt ${turn + 1} for ${statement.name}` });
    }
    return undefined;
  } finally {
    engine.free();
    finder.free();
  }
}

/** Units in the order of a direction drawn at random, an axis now and then. */
function sweep(places: number[][], units: number[], random: () => number): number[] {
  const axis = Math.floor(random() * places[0]!.length);
  const straight = random() < 0.5;
  const direction = places[0]!.map((_, k) => (straight ? Number(k === axis) + 0.01 * random() : random() - 0.5));
  const at = (u: number) => places[u]!.reduce((sum, c, k) => sum + c * direction[k]!, 0);
  return [...units].sort((a, b) => at(a) - at(b) || a - b);
}

/** A list in an order drawn at random. */
export function shuffled<T>(list: T[], seed: number): T[] {
  const random = dice(seed + 1);
  return list
    .map((thing): [number, T] => [random(), thing])
    .sort(([a], [b]) => a - b)
    .map(([, thing]) => thing);
}

/** Numbers from 0 to 1 that look random, the same for the same seed. */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
