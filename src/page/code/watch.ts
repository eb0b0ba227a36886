// The native search, node by node: the partial tiling, the item chosen and why, the tree around.

import { answer } from "./api";
import { button, h, labelled, number, say, select } from "./dom";
import { boardSketch, parts } from "./drawing";
import { key } from "./lattice";
import type { Tab } from "./puzzle";
import { type State, tree } from "./tree";
import type { Placed } from "./types";

interface Candidate {
  placement: Placed | null;
  state: State;
}

export interface Level {
  item: string;
  candidates: Candidate[];
}

export interface Position {
  nodes: number;
  done: number;
  placed: Placed[];
  levels: Level[];
  rivals: { item: string; spare: number }[];
  solution: boolean;
  found: number;
  ended: boolean;
}

const SPEEDS: [string, string][] = [
  ["1000", "1 a second"],
  ["300", "3 a second"],
  ["100", "10 a second"],
  ["0", "as fast as possible"],
];

export const showWatch: Tab = async (place, { board, asked }, signal) => {
  const title = board.facts.title || board.facts.puzzle;
  const sketch = boardSketch(board, title);
  const told = h("p", { role: "status" });
  const bar = h("progress", { max: 1, value: 0, "aria-label": "Part of the tree searched" });
  const details = h("div", { class: "card" });
  const speed = select("Speed", SPEEDS, "300");
  const depth = h("input", { type: "number", min: 0, value: 3, "aria-label": "Depth" });
  const jump = h("input", { type: "number", min: 0, value: 0, "aria-label": "Node" });
  let here: Position | null = null;
  let running = 0; // the number of this run, 0 for none
  let runs = 0;
  let busy = false;

  const go = async (after: number, until = "node"): Promise<void> => {
    if (busy) return;
    busy = true;
    try {
      const to = Math.max(0, Math.floor(after) || 0);
      here = await answer<Position>("watch", { ...asked, after: to, until, depth: Number(depth.value) || 0 }, signal);
      show(here);
    } catch (error) {
      stop();
      if (!signal.aborted) told.textContent = (error as Error).message;
    } finally {
      busy = false;
    }
  };
  const show = (position: Position) => {
    sketch.show(parts(board, position.placed));
    markChosen();
    bar.value = position.done;
    if (document.activeElement !== jump) jump.value = String(position.nodes); // else it is being typed
    const state = position.ended
      ? "The search has ended"
      : position.solution
        ? "A solution"
        : `Depth ${way(position).length}`;
    told.textContent = `Node ${number(position.nodes)} · ${state} · ${number(position.found)} found before`;
    if (!running) say(told.textContent);
    details.replaceChildren(...explained(position));
  };
  /** The levels above a position, each with its choice: a piece, or one that is left out. */
  const way = ({ levels }: Position): Level[] => levels.filter(({ candidates }) => candidates.some((c) => c.state === "chosen"));
  /** The ways that are to be tried at a position, if it is not one to go back from. */
  const openAt = ({ levels }: Position): Level | null => {
    const last = levels[levels.length - 1];
    return last?.candidates.every((c) => c.state === "to come") ? last : null;
  };
  /** Mark the unit that is chosen, or that has no way left. */
  const markChosen = () => {
    if (!here || here.solution || here.ended) return sketch.mark([], "");
    const open = openAt(here);
    const item = open?.item ?? here.rivals[0]?.item ?? "";
    const unit = sketch.points.findIndex((point) => item === `unit ${key(point)}`);
    sketch.mark(unit < 0 ? [] : [unit], open ? "ghost" : "bad");
  };
  const step = () => void go((here?.nodes ?? -1) + 1);
  const back = () => void go((here?.nodes ?? 1) - 1);
  const stop = () => {
    running = 0;
    run.textContent = "Run";
    run.setAttribute("aria-pressed", "false");
  };
  const start = async () => {
    if (running) return stop();
    const own = (running = ++runs);
    run.textContent = "Pause";
    run.setAttribute("aria-pressed", "true");
    while (running === own && !signal.aborted && !here?.ended) {
      await go((here?.nodes ?? -1) + 1);
      await new Promise((done) => setTimeout(done, Number(speed.value)));
    }
    if (running === own) stop(); // else another has begun
  };
  const run = button("Run", () => void start(), { "aria-pressed": "false" });
  const controls = [
    button("Back", back),
    button("Step", step, { class: "main" }),
    run,
    labelled("Speed", speed),
    button("Next solution", () => void go(here?.nodes ?? 0, "solution")),
  ];
  const jumps = [
    labelled("Depth", depth),
    button("Next node there", () => void go(here?.nodes ?? 0, "depth")),
    labelled("Node", jump),
    button("Go to node", () => void go(Number(jump.value))),
  ];
  const left = h(
    "div",
    {},
    h("div", { class: "card board" }, sketch.element),
    h("div", { class: "row" }, ...controls),
    h("div", { class: "row" }, ...jumps),
    bar,
    told,
    h("p", { class: "soft" }, "These are the nodes of the native engine, one by one; arrow keys step."),
  );
  place.append(h("div", { class: "sides" }, left, details));
  document.addEventListener("keydown", (event) => {
    if ((event.target as Element).matches("input, select, textarea")) return;
    if (event.ctrlKey || event.altKey || event.metaKey) return; // keys of the browser
    if (event.key === "ArrowRight") step();
    if (event.key === "ArrowLeft") back();
  }, { signal });
  await go(0);

  function explained(position: Position): HTMLElement[] {
    const open = openAt(position);
    const result: HTMLElement[] = [h("h2", {}, "The item chosen")];
    if (position.solution || position.ended) result.push(h("p", {}, "Nothing is left to be chosen."));
    else if (open) result.push(h("p", {}, `${open.item}: no other item has fewer options to spare.`));
    else result.push(h("p", {}, `${position.rivals[0]?.item ?? "An item"} has too few options left: backtrack.`));
    result.push(rivalTable(position));
    if (open) result.push(h("h2", {}, "Options to be tried"), listed(open.candidates));
    result.push(h("h2", {}, "The tree around"));
    const drawn = tree(position.levels.map((level) => level.candidates.map(({ state }) => state)));
    result.push(h("div", { class: "around", tabindex: 0, role: "group", "aria-label": "Tree" }, drawn));
    result.push(h("p", { class: "soft" }, "Gray: tried. Filled: the path to this node. Hollow: not tried yet."));
    result.push(h("h2", {}, "The path to this node"));
    const trail = h("ol", { class: "trail", tabindex: 0, "aria-label": "The path to this node" });
    for (const level of way(position)) {
      const at = level.candidates.findIndex((c) => c.state === "chosen");
      const piece = level.candidates[at]!.placement?.[0] ?? "nothing";
      trail.append(h("li", {}, `${level.item}: ${piece}, option ${at + 1} of ${level.candidates.length}`));
    }
    result.push(trail);
    return result;
  }

  function rivalTable(position: Position): HTMLElement {
    const rows = position.rivals.slice(0, 8).map(({ item, spare }, i) =>
      h("tr", {}, h("td", {}, i === 0 ? h("strong", {}, item) : item), h("td", {}, spare < 0 ? "too few" : number(spare))),
    );
    const head = h("tr", {}, h("th", { scope: "col" }, "item"), h("th", { scope: "col" }, "options to spare"));
    return h("table", {}, h("thead", {}, head), h("tbody", {}, ...rows));
  }

  function listed(candidates: Candidate[]): HTMLElement {
    const list = h("div", { class: "pieces" });
    for (const { placement } of candidates.slice(0, 60)) {
      const name = placement?.[0] ?? "–";
      const control = button(name, () => undefined, { title: `Show ${name} here` });
      const mark = () => sketch.mark(placement?.[1] ?? [], "ghost");
      control.addEventListener("pointerenter", mark);
      control.addEventListener("focus", mark);
      for (const leave of ["pointerleave", "blur"]) control.addEventListener(leave, markChosen);
      list.append(control);
    }
    return list;
  }
};
