// Solutions to leaf through in a page that is one file: its data stand in the page itself.

import { button, h, number } from "./dom";
import { boardSketch, parts } from "./drawing";
import css from "./leaf.css?inline";
import type { SolidView } from "./solid";
import type { Board, Placed } from "./types";

type Leaf = Pick<Board, "lattice" | "units" | "optional" | "pieces" | "labels" | "paint">;

function content<T>(id: string): T {
  return JSON.parse(document.getElementById(id)!.textContent!);
}

/** Fill the page; solids are also shown in three dimensions, where their view is in the page. */
function leaf(): void {
  document.head.append(h("style", {}, css));
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset["theme"] = dark ? "dark" : "light";
  const board = content<Leaf>("board");
  const solutions = content<Placed[][]>("solutions");
  const sketch = boardSketch(board, document.title);
  const at = h("span", { role: "status" });
  const last = solutions.length - 1;
  const range = h("input", { type: "range", min: 1, max: solutions.length, value: 1, "aria-label": "Solution" });
  let shown = 0;
  let solid: SolidView | null = null;
  try {
    solid = globalThis.solid ? new globalThis.solid.SolidView(board) : null;
  } catch {
    solid = null; // this browser shows no three dimensions: the layers are there
  }
  const show = (to: number) => {
    shown = Math.max(0, Math.min(last, to));
    const drawn = parts(board, solutions[shown]!);
    sketch.show(drawn);
    solid?.show(drawn);
    range.value = String(shown + 1);
    at.textContent = `${number(shown + 1)} of ${number(solutions.length)}`;
    history.replaceState(null, "", `#${shown + 1}`);
  };
  range.addEventListener("input", () => show(Number(range.value) - 1));
  document.addEventListener("keydown", (event) => {
    if (event.target instanceof HTMLInputElement) return;
    const steps: Record<string, number> = {
      ArrowLeft: shown - 1,
      ArrowRight: shown + 1,
      PageUp: shown - 10,
      PageDown: shown + 10,
      Home: 0,
      End: last,
    };
    const to = steps[event.key];
    if (to === undefined) return;
    show(to);
    event.preventDefault();
  });
  const nav = h("nav", {}, button("Previous", () => show(shown - 1)), at, button("Next", () => show(shown + 1)), range);
  const views = h("div", { class: "board" }, sketch.element);
  if (solid) views.prepend(solid.element);
  document.querySelector("figure")!.replaceWith(nav, views);
  show((parseInt(location.hash.slice(1)) || 1) - 1);
}

leaf();
