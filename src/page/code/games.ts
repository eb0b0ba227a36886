// Peg solitaire with hints from what can still be reached, and sudokus.

import { answer } from "./api";
import { button, h, labelled, plural, s, say, select } from "./dom";
import { fine } from "./drawing";
import { rename, type Route } from "./route";

interface PegBoard {
  boards: string[];
  places: [number, number][];
  jumps: [number, number, number][];
  pegs: number[];
}

const REASONS: Record<string, string> = {
  pegs: "there are not enough pegs",
  parity: "the parity of the diagonals rules it out",
  pagoda: "a pagoda function rules it out",
  search: "all jumps were tried",
  model: "its model has no solution",
};

export async function showPeg(place: HTMLElement, route: Route, signal: AbortSignal): Promise<void> {
  const name = route.parts[1] || "english";
  const empty = Number(route.parts[2]) || 0;
  const asked = route.parts[3]?.split(".") ?? [];
  const board = await answer<PegBoard>("peg", { board: name }, signal);
  const holes = board.places.map((_, hole) => hole);
  const start = new Set(empty >= 1 && empty <= holes.length ? holes.filter((hole) => hole !== empty - 1) : board.pegs);
  let pegs = start;
  /** The jumps that were made, as the address has them, and the pegs before each. */
  let past: [jump: string, pegs: Set<number>][] = [];
  let taken: number | null = null;
  let asking = new AbortController();
  signal.addEventListener("abort", () => asking.abort());
  const told = h("p", { role: "status" });
  const xs = board.places.map((p) => p[0]);
  const ys = board.places.map((p) => -p[1]);
  const [left, top] = [Math.min(...xs) - 0.7, Math.min(...ys) - 0.7];
  const box = [left, top, Math.max(...xs) + 0.7 - left, Math.max(...ys) + 0.7 - top].map(fine).join(" ");
  const drawing = s("svg", { viewBox: box, class: "sketch", role: "group", "aria-label": `Board ${name}` });

  const to = (from: number) => board.jumps.filter(([a, over, b]) => a === from && pegs.has(a) && pegs.has(over) && !pegs.has(b));
  /** Make the jump from a hole to another, if there is one. */
  const jump = (from: number, hole: number): boolean => {
    const found = to(from).find(([, , end]) => end === hole);
    if (!found) return false;
    past.push([`${from + 1}-${hole + 1}`, pegs]);
    pegs = new Set([...pegs].filter((peg) => peg !== found[0] && peg !== found[1]).concat(hole));
    return true;
  };
  const named = () => rename(`#/peg/${[name, empty, past.map(([made]) => made).join(".")].join("/")}`);
  const click = (hole: number): void => {
    if (taken !== null && jump(taken, hole)) {
      taken = to(hole).length ? hole : null;
      named();
      void judge();
    } else taken = pegs.has(hole) && to(hole).length ? hole : null;
    draw(hole);
  };
  const draw = (focus: number | null = null, shown: number[] = []) => {
    const ends = new Set(taken === null ? [] : to(taken).map(([, , end]) => end));
    drawing.replaceChildren(
      ...board.places.map(([x, y], hole) => {
        const has = pegs.has(hole);
        const words = `Hole ${hole + 1}, ${has ? "peg" : "empty"}${ends.has(hole) ? ", can be jumped to" : ""}`;
        const group = s("g", { tabindex: 0, role: "button", "aria-label": words, "aria-pressed": String(taken === hole) });
        const at = { cx: fine(x), cy: fine(-y) };
        group.append(s("circle", { ...at, r: 0.42, class: ends.has(hole) || shown.includes(hole) ? "hole marked" : "hole" }));
        if (has) group.append(s("circle", { ...at, r: 0.32, class: taken === hole ? "peg taken" : "peg" }));
        group.addEventListener("click", () => click(hole));
        group.addEventListener("keydown", (event) => {
          if (event.key !== "Enter" && event.key !== " ") return;
          event.preventDefault();
          click(hole);
        });
        return group;
      }),
    );
    if (focus !== null) (drawing.children[focus] as SVGElement).focus();
  };
  const judge = async (hint = false): Promise<void> => {
    asking.abort();
    asking = new AbortController();
    const own = asking;
    const thinking = setTimeout(() => (told.textContent = "Still thinking…"), 100);
    try {
      const news = await answer<{ possible: boolean | null; jump: number[] | null; reasons: string[] }>(
        "reachable",
        { board: name, pegs: [...pegs] },
        own.signal,
      );
      const why = news.reasons.map((kind) => REASONS[kind] ?? kind).join(", ");
      told.className = news.possible ? "right" : news.possible === false ? "wrong" : "";
      told.textContent =
        pegs.size === 1
          ? "One peg is left: solved!"
          : news.possible === null
            ? "No answer within the time limit."
            : news.possible
              ? `${plural(pegs.size, "peg")}: it can still end with one peg.`
              : `${plural(pegs.size, "peg")}: it cannot end with one peg${why && `: ${why}`}.`;
      if (hint && news.jump) {
        draw(null, news.jump);
        told.textContent = `Jump from hole ${news.jump[0]! + 1} to hole ${news.jump[1]! + 1}.`;
      }
      say(told.textContent);
    } catch (error) {
      if (!own.signal.aborted) told.textContent = (error as Error).message;
    } finally {
      clearTimeout(thinking);
    }
  };
  const reset = (position: Set<number>) => {
    pegs = position;
    taken = null;
    draw();
    void judge();
  };
  const back = (to: number) => {
    const before = past[to]?.[1];
    if (!before) return;
    past = past.slice(0, to);
    named();
    reset(before);
  };
  const choice = select("Board", board.boards.map((b) => [b, b]), name);
  choice.addEventListener("change", () => (location.hash = `#/peg/${choice.value}`));
  const vacant = select(
    "Empty at first",
    [["0", "the usual hole"], ...holes.map((hole): [string, string] => [String(hole + 1), `hole ${hole + 1}`])],
    String(empty),
  );
  vacant.addEventListener("change", () => (location.hash = `#/peg/${name}${vacant.value === "0" ? "" : `/${vacant.value}`}`));
  place.append(
    h("h1", {}, "Peg solitaire"),
    h(
      "div",
      { class: "sides" },
      h("div", { class: "card board" }, drawing),
      h(
        "aside",
        {},
        h("div", { class: "row" }, labelled("Board", choice), labelled("Empty at first", vacant)),
        h(
          "div",
          { class: "row" },
          button("Hint", () => void judge(true), { class: "main" }),
          button("Undo", () => back(past.length - 1)),
          button("Begin again", () => back(0)),
        ),
        told, // below the buttons: what it says would push them away from under the pointer
        h("p", { class: "soft" }, "Choose a peg, then the hole that it jumps to over another peg. The address holds the jumps."),
      ),
    ),
  );
  asked.every((made) => {
    const [from, end] = made.split("-").map(Number);
    return jump(from! - 1, end! - 1);
  });
  reset(pegs);
}

const EXAMPLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

export async function showSudoku(place: HTMLElement, route: Route, signal: AbortSignal): Promise<void> {
  const given = route.parts[1] || EXAMPLE;
  const cells = Array.from({ length: 81 }, (_, i) => {
    const where = `Row ${Math.floor(i / 9) + 1}, column ${(i % 9) + 1}`;
    const cell = h("input", { maxlength: 1, inputmode: "numeric", "aria-label": where, value: given[i]?.match(/[1-9]/)?.[0] ?? "" });
    cell.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -9, ArrowDown: 9 }[event.key];
      if (by) cells[(i + by + 81) % 81]!.focus();
    });
    cell.addEventListener("paste", (event) => {
      const all = event.clipboardData?.getData("text").replace(/\s/g, "") ?? "";
      if (all.length !== 81) return;
      event.preventDefault();
      location.hash = `#/sudoku/${all.replace(/[^1-9]/g, ".")}`;
    });
    cell.addEventListener("input", () => {
      cell.value = cell.value.replace(/[^1-9]/g, "");
      cell.className = "";
      named();
    });
    return cell;
  });
  const told = h("p", { role: "status" });
  const named = () => rename(`#/sudoku/${text()}`);
  const text = () => cells.map((c) => (c.className ? "." : c.value || ".")).join("");
  const wipe = (all: boolean) => {
    for (const cell of cells)
      if (all || cell.className) {
        cell.value = "";
        cell.className = "";
      }
    told.textContent = "";
    named();
  };
  const solve = async () => {
    const asked = text();
    wipe(false);
    try {
      const news = await answer<{ kind: string; solutions: string[]; differing: number[]; reason: string | null }>("sudoku", { text: asked }, signal);
      if (text() !== asked) {
        told.textContent = "It has changed meanwhile: solve it again.";
        return;
      }
      const words: Record<string, string> = {
        unique: "It has one solution.",
        ambiguous: `It has more than one solution. This is one of them; another differs in the ${plural(news.differing.length, "cell")} that are marked.`,
        contradictory: `It has no solution${news.reason ? `: ${news.reason}` : ""}.`,
      };
      told.textContent = words[news.kind] ?? `It is ${news.kind}.`;
      const [solution] = news.solutions;
      const unsure = new Set(news.differing);
      if (solution)
        cells.forEach((cell, i) => {
          if (cell.value) return;
          cell.value = solution[i]!;
          cell.className = unsure.has(i) ? "found unsure" : "found";
        });
    } catch (error) {
      if (signal.aborted) return;
      told.textContent = (error as Error).message;
    }
    say(told.textContent ?? "");
  };
  const rows = Array.from({ length: 9 }, (_, r) => h("tr", {}, ...cells.slice(9 * r, 9 * r + 9).map((cell) => h("td", {}, cell))));
  place.append(
    h("h1", {}, "Sudoku"),
    h(
      "div",
      { class: "sides" },
      h("div", {}, h("table", { class: "sudoku" }, h("tbody", {}, ...rows))),
      h(
        "aside",
        {},
        h(
          "div",
          { class: "row" },
          button("Solve", () => void solve(), { class: "main" }),
          button("Givens only", () => wipe(false)),
          button("Clear", () => wipe(true)),
        ),
        told,
        h("p", { class: "soft" }, "The address holds the givens; 81 digits or dots can be pasted into any cell."),
      ),
    ),
  );
}
