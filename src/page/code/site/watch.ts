// The search node by node, as exactile.serve.tasks.searching reports it: repeated up to the node.

import type { Placed } from "../types";
import type { Level, Position } from "../watch";
import { Engine, type Native, withoutImplied } from "./engine";
import type { Lowered, Model } from "./model";

/** Nodes up to which a search is repeated here. */
const MOST_NODES = 20_000_000;

const MOST_RIVALS = 12;

const chosen = (path: number[]) => path.filter((option) => option >= 0);

export interface Watched {
  after: number;
  until: "node" | "solution" | "depth";
  depth: number;
}

/** The position after some nodes, or at the next solution or the next node of a depth from there. */
export function watched(native: Native, lowered: Lowered, { after, until, depth }: Watched): Position {
  if (!(after >= 0 && after <= MOST_NODES)) throw new Error(`A search is watched up to ${MOST_NODES.toLocaleString("en")} nodes here.`);
  const model = withoutImplied(lowered.model);
  const make = () => new Engine(native, model, null, { watched: true });
  const probe = make();
  const searched = (nodes: number) => {
    const engine = make();
    if (nodes) engine.skip(nodes);
    return engine;
  };
  /** Whether the next node is a solution. */
  const solved = (engine: Engine): boolean => {
    const [next] = engine.ahead;
    if (!next) return false;
    const before = probe.count;
    probe.begin([{ path: next, weight: 1 }]);
    probe.skip(1);
    return probe.count > before;
  };
  let engine = searched(after);
  const free = () => (engine.free(), probe.free());
  try {
    if (until === "depth") {
      while (!engine.exhausted && engine.nodes < MOST_NODES) {
        engine.skip(1);
        const [next] = engine.ahead;
        if (next && chosen(next).length === depth) break;
      }
    } else if (until === "solution") {
      if (solved(engine)) engine.skip(1);
      const before = engine.count;
      engine.run(MOST_NODES, 1, MOST_NODES);
      const nodes = engine.nodes - Number(engine.count > before);
      engine.free();
      engine = searched(nodes);
    }
    const { ahead, nodes, done, count } = engine;
    const path = ahead[0] ?? [];
    const ways = [-1, ...path.keys()].filter((k) => k < 0 || path[k]! >= 0).map((k) => path.slice(0, k + 1));
    const place = (option: number): Placed | null => {
      const found = lowered.places[option];
      return found && option < lowered.placements ? [lowered.statement.pieces[found.piece]!.name, [...found.units]] : null;
    };
    const level = (way: number[]): Level | null => {
      probe.begin([{ path: way, weight: 1 }]);
      probe.skip(1);
      const depth = chosen(way).length;
      const branches = probe.ahead.map(chosen).filter((own) => own.length > depth).map((own) => own.at(-1)!);
      if (!branches.length) return null;
      const at = branches.indexOf(chosen(path)[depth] ?? -1);
      const state = (k: number) => (k > at ? "to come" : k === at ? "chosen" : "tried");
      return {
        item: itemName(lowered, commonItem(model, way, branches)),
        candidates: branches.map((option, k) => ({ placement: place(option), state: state(k) })),
      };
    };
    const solution = solved(engine);
    const spare = spares(model, path);
    const open = [...spare.keys()].filter((item) => spare[item]! > MET).sort((a, b) => spare[a]! - spare[b]! || a - b);
    return {
      nodes,
      done,
      placed: chosen(path).flatMap((option) => {
        const found = place(option);
        return found ? [found] : [];
      }),
      levels: ways.map(level).filter((found) => found !== null),
      rivals: open.slice(0, MOST_RIVALS).map((item) => ({ item: itemName(lowered, item), spare: spare[item]! })),
      solution,
      found: count,
      ended: !ahead.length,
    };
  } finally {
    free();
  }
}

/** What an item stands for; rules have no names here. */
function itemName({ statement, grid, model }: Lowered, item: number): string {
  if (item < model.pieces) return `piece ${statement.pieces[item]!.name}`;
  if (item < model.pieces + model.units) return `unit ${grid.units[item - model.pieces]!.join(",")}`;
  return `rule ${item - model.pieces - model.units + 1}`;
}

/** Marks an item that needs nothing more. */
const MET = -(2 ** 40);

/** How many options each item has left beyond those it needs: computed apart from the engine. */
function spares({ lower, upper, first, members }: Model, path: number[]): number[] {
  const options = first.length - 1;
  const own = (option: number) => members.subarray(first[option], first[option + 1]);
  const live = Array<boolean>(options).fill(true);
  const full = (item: number) => {
    for (let o = 0; o < options; o++) if (live[o] && own(o).includes(item)) live[o] = false;
  };
  upper.forEach((most, item) => most === 0 && full(item));
  const used = lower.map(() => 0);
  for (const step of path) {
    live[step >= 0 ? step : ~step] = false;
    if (step >= 0) for (const item of own(step)) if (++used[item]! === upper[item]) full(item);
  }
  const left = lower.map(() => 0);
  for (let o = 0; o < options; o++) if (live[o]) for (const item of own(o)) left[item]!++;
  return lower.map((least, item) => (used[item]! < least ? left[item]! - (least - used[item]!) : MET));
}

/** The item that has all branches: the one with the fewest options. */
function commonItem(model: Model, way: number[], branches: number[]): number {
  const { first, members } = model;
  const own = (option: number) => [...members.subarray(first[option], first[option + 1])];
  const common = branches.map(own).reduce((some, items) => some.filter((item) => items.includes(item)));
  const spare = spares(model, way);
  const open = common.filter((item) => spare[item]! >= 0);
  return (open.length ? open : common).reduce((a, b) => (spare[b]! < spare[a]! || (spare[b] === spare[a] && b < a) ? b : a));
}
