// The page of a puzzle: the views in which something is done with it.

import { answer, packed } from "./api";
import { button, h, number, plural } from "./dom";
import { playable, possible } from "./kept";
import type { Puzzle, Tab } from "./puzzle";
import { address, type Route, type Subject, subject, type View } from "./route";
import { copier, sent } from "./share";
import { alone } from "./site/local";
import { showCount, showSolve } from "./solve";
import type { Board } from "./types";

type Shown = () => Promise<Tab>;

const VIEWS: Record<string, [string, Shown]> = {
  play: ["Play", async () => (await import("./play")).showPlay],
  "": ["Solve", async () => showSolve],
  count: ["Count", async () => showCount],
};

/** What few need. */
const TOOLS: Record<string, [string, Shown]> = {
  watch: ["Watch", async () => (await import("./watch")).showWatch],
  compare: ["Compare", async () => (await import("./compare")).showCompare],
  classes: ["Classes", async () => (await import("./classes")).showClasses],
};

export const showPuzzle: View = async (place: HTMLElement, route: Route, signal: AbortSignal) => {
  const about = await subject(route);
  const asked = { puzzle: about.puzzle, omit: about.omit };
  place.append(h("p", { class: "soft" }, "Loading…"));
  const whole = await answer<Board>("board", { puzzle: about.puzzle }, signal);
  const board = about.omit.length ? await answer<Board>("board", asked, signal) : whole;
  const colors = new Map(whole.pieces.map((piece) => [piece.name, piece.color]));
  for (const piece of board.pieces) piece.color = colors.get(piece.name)!;
  const all = { ...VIEWS, ...TOOLS };
  const named = route.parts[2] ?? "";
  const tab = Object.hasOwn(all, named) ? named : "";
  const { query } = route;
  const puzzle: Puzzle = {
    ...{ board, whole, subject: about, asked, run: Number(query.get("run")) || null },
    sent: {
      solution: possible(board, await sent(query, "solution"), []),
      game: playable(board, await sent(query, "given"), await sent(query, "placed")),
    },
    link: async () => address(about, tab),
  };
  const below = h("div");
  place.replaceChildren(
    h(
      "div",
      { class: "head" },
      h("div", {}, h("h1", {}, board.facts.title || board.facts.puzzle), h("p", { class: "soft" }, summary(board))),
      tabs(about, tab, button("Edit a copy", () => void edit(asked).catch((error: Error) => told(below, error))), copier(() => puzzle.link())),
    ),
    below,
  );
  await (await all[tab]![1]())(below, puzzle, signal);
};

function summary({ facts, lattice, pieces }: Board): string {
  const most = pieces.reduce((sum, piece) => sum + piece.upper, 0);
  const optional = facts.optional_units ? `, ${number(facts.optional_units)} of them optional` : "";
  return [
    `${plural(most, "piece")} on the ${lattice.name} lattice`,
    `${plural(facts.units, "unit")}${optional}`,
  ].join(" · ");
}

function told(place: HTMLElement, error: Error): void {
  place.prepend(h("p", { class: "wrong", role: "alert" }, error.message));
}

async function edit(asked: Puzzle["asked"]): Promise<void> {
  const { text } = await answer<{ text: string }>("text", { ...asked, form: alone ? "drawing" : "toml" });
  location.hash = `#/edit/${await packed(text)}`;
}

function tabs(about: Subject, current: string, editing: HTMLElement, copying: HTMLElement): HTMLElement {
  const links = (views: Record<string, [string, Shown]>) =>
    Object.entries(views).map(([name, [label]]) =>
      h("a", { href: address(about, name), "aria-current": name === current && "page" }, label),
    );
  const [chosen] = TOOLS[current] ?? ["Tools"];
  const tools = h("details", { class: "menu" }, h("summary", { class: TOOLS[current] && "chosen" }, chosen), h("div", {}, ...links(TOOLS), editing));
  tools.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !tools.open) return;
    event.preventDefault(); // it does not end a search, too
    tools.open = false;
    tools.querySelector("summary")!.focus();
  });
  tools.addEventListener("focusout", (event) => tools.contains(event.relatedTarget as Node | null) || (tools.open = false));
  return h("nav", { class: "tabs", "aria-label": "Views" }, ...links(VIEWS), tools, copying);
}
