// Classes of similar solutions, walked through: from one to the next by the pieces that move.

import { ask } from "./api";
import { button, h, labelled, number, plural, say, select } from "./dom";
import { boardSketch, parts } from "./drawing";
import type { Tab } from "./puzzle";
import type { Placed, Progress } from "./types";

export interface Way {
  first: number;
  second: number;
  symmetry: number;
  kind: "block" | "exchange" | "pair";
  moved: number[];
}

export interface Similar {
  solutions: Placed[][];
  classes: number[][];
  ways: Way[];
  units: number[][];
  pieces: number[][];
  names: string[];
  remarks: string[];
}

/** How a solution lies on the board: what becomes of its units and of its pieces. */
interface Frame {
  units: number[];
  pieces: number[];
}

const KINDS = {
  block: "turn as one block",
  exchange: "exchange places",
  pair: "are rearranged",
};

const MOST_CHOICES = 500;

function inverse(permutation: number[]): number[] {
  const result: number[] = [];
  permutation.forEach((to, from) => (result[to] = from));
  return result;
}

const composed = (outer: number[], inner: number[]): number[] => inner.map((i) => outer[i]!);

export const showClasses: Tab = async (place, { board, asked }, signal) => {
  const title = board.facts.title || board.facts.puzzle;
  const sketch = boardSketch(board, title);
  const told = h("p", { role: "status" }, "Two solutions are similar if moving a few pieces makes one into the other.");
  const bar = h("progress", { max: 1, value: 0, "aria-label": "Progress" });
  const choice = h("div", { class: "row" });
  const ways = h("div", { class: "ways", role: "group", "aria-label": "Where to go from here" });
  const trail = h("p", { class: "soft" });
  const start = button("Sort all solutions into classes", () => void sort(), { class: "main" });
  place.append(
    h(
      "div",
      { class: "sides" },
      h("div", {}, h("div", { class: "card board" }, sketch.element), h("div", { class: "row" }, start), bar, told, trail),
      h("aside", {}, choice, ways),
    ),
  );

  async function sort(): Promise<void> {
    start.disabled = true;
    bar.removeAttribute("value");
    told.textContent = "Searching…";
    try {
      for await (const { kind, content } of ask("classes", { ...asked, time_limit: 300 }, signal)) {
        if (kind === "progress") progress(content);
        else walk(content as Similar);
      }
    } catch (error) {
      if (!signal.aborted) told.textContent = (error as Error).message;
    }
    bar.value = 1;
    start.disabled = false;
  }

  function progress(news: Partial<Progress>): void {
    if (typeof news.done === "number") bar.value = news.done;
    told.textContent = news.found ? `${plural(news.found, "solution")} found` : "Comparing…";
  }

  function walk(similar: Similar): void {
    const { solutions, classes } = similar;
    const of = new Map(similar.names.map((name, i) => [name, i]));
    let here = classes[0]?.[0] ?? 0;
    let frame: Frame = { units: similar.units[0]!, pieces: similar.pieces[0]! };
    let path: number[] = [here];
    const lying = ([name, units]: Placed): Placed => [
      similar.names[frame.pieces[of.get(name)!]!]!,
      units.map((unit) => frame.units[unit]!),
    ];
    const show = () => {
      sketch.show(parts(board, solutions[here]!.map(lying)));
      sketch.mark([], "");
      trail.textContent = `Path: ${path.map((n) => number(n + 1)).join(" → ")}`;
      const on = similar.ways.filter((way) => way.first === here || way.second === here);
      ways.replaceChildren(h("h2", {}, on.length ? "Where to go from here" : "No similar solution"), ...on.map(wayButton));
      say(`Solution ${here + 1}, ${plural(on.length, "transformation")}`);
    };
    const go = (way: Way) => {
      const [units, pieces] = [similar.units[way.symmetry]!, similar.pieces[way.symmetry]!];
      const forth = way.first === here;
      here = forth ? way.second : way.first;
      frame = {
        units: composed(frame.units, forth ? units : inverse(units)),
        pieces: composed(frame.pieces, forth ? pieces : inverse(pieces)),
      };
      path = [...path.slice(-20), here];
      show();
      ways.querySelector("button")?.focus();
    };
    /** The placements that move, as they lie on the board now. */
    const moving = (way: Way): Placed[] => {
      if (way.first === here) return way.moved.map((k) => lying(solutions[here]![k]!));
      const [units, pieces] = [inverse(similar.units[way.symmetry]!), inverse(similar.pieces[way.symmetry]!)];
      const kept = new Set(
        solutions[way.first]!.filter((_, k) => !way.moved.includes(k)).map(([name, own]) =>
          spot(similar.names[pieces[of.get(name)!]!]!, own.map((unit) => units[unit]!)),
        ),
      );
      return solutions[here]!.filter(([name, own]) => !kept.has(spot(name, own))).map(lying);
    };
    const wayButton = (way: Way) => {
      const moved = moving(way);
      const other = way.first === here ? way.second : way.first;
      const names = moved.map(([name]) => name).sort().join(" ");
      const control = button(`${names} ${KINDS[way.kind]}: solution ${number(other + 1)}`, () => go(way));
      const mark = () => sketch.mark(moved.flatMap(([, units]) => units), "bad");
      for (const event of ["pointerenter", "focus"]) control.addEventListener(event, mark);
      for (const event of ["pointerleave", "blur"]) control.addEventListener(event, () => sketch.mark([], ""));
      return control;
    };
    const options = classes.slice(0, MOST_CHOICES).map((members, k): [string, string] => {
      return [String(k), `class ${number(k + 1)}: ${plural(members.length, "solution")}`];
    });
    const chosen = select("Class", options, "0");
    chosen.addEventListener("change", () => {
      here = classes[Number(chosen.value)]![0]!;
      frame = { units: similar.units[0]!, pieces: similar.pieces[0]! };
      path = [here];
      show();
    });
    choice.replaceChildren(labelled("Class", chosen));
    const sum = `${plural(solutions.length, "solution")} in ${plural(classes.length, "class", "classes")}`;
    told.textContent = [`${sum}, ${plural(similar.ways.length, "transformation")} between them.`, ...similar.remarks].join(" ");
    if (solutions.length) show();
  }
};

function spot(name: string, units: number[]): string {
  return `${name} ${[...units].sort((a, b) => a - b).join(",")}`;
}
