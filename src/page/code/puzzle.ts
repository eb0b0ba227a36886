// A puzzle: what it is, its pieces, and the views in which something is done with it.

import { answer, gallery, packed } from "./api";
import { button, h, number, plural } from "./dom";
import { pieceSketch } from "./drawing";
import { address, type Route, type Subject, subject, type View } from "./route";
import { showSolve } from "./solve";
import type { Board, Exhibit, Piece } from "./types";

export interface Puzzle {
  board: Board;
  /** The same with no piece left out. */
  whole: Board;
  subject: Subject;
  /** What every request about it says. */
  asked: { puzzle: string; omit: string[] };
  /** The run of the open store whose solutions are shown, if any. */
  run: number | null;
}

export type Tab = (place: HTMLElement, puzzle: Puzzle, signal: AbortSignal) => Promise<void>;

const TABS: Record<string, [string, () => Promise<Tab>]> = {
  "": ["Solve", async () => showSolve],
  play: ["Play", async () => (await import("./play")).showPlay],
  compare: ["Compare", async () => (await import("./compare")).showCompare],
  watch: ["Watch", async () => (await import("./watch")).showWatch],
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
  const puzzle: Puzzle = { board, whole, subject: about, asked, run: Number(route.query.get("run")) || null };
  const tab = TABS[route.parts[2] ?? ""] ? (route.parts[2] ?? "") : "";
  const below = h("div");
  place.replaceChildren(
    h("h1", {}, board.facts.title || board.facts.puzzle),
    h("p", { class: "soft" }, summary(board)),
    tabs(about, tab, button("Edit a copy", () => void edit(asked))),
    below,
  );
  await (await TABS[tab]![1]())(below, puzzle, signal);
};

function summary({ facts, lattice, pieces }: Board): string {
  const most = pieces.reduce((sum, piece) => sum + piece.upper, 0);
  const optional = facts.optional_units ? `, ${number(facts.optional_units)} of them optional` : "";
  return [
    `${plural(most, "piece")} on the ${lattice.name} lattice`,
    `${plural(facts.units, "unit")}${optional}`,
    `${number(facts.symmetries.all)} symmetries`,
    `${number(facts.items)} items and ${number(facts.options)} options`,
  ].join(" · ");
}

async function edit(asked: Puzzle["asked"]): Promise<void> {
  const { text } = await answer<{ text: string }>("text", { ...asked, form: "toml" });
  location.hash = `#/edit/${await packed(text)}`;
}

function tabs(about: Subject, current: string, editing: HTMLElement): HTMLElement {
  const links = Object.entries(TABS).map(([name, [label]]) =>
    h("a", { href: address(about, name), "aria-current": name === current && "page" }, label),
  );
  return h("nav", { class: "tabs", "aria-label": "Views" }, ...links, editing);
}

/** How often a piece is used, if not once. */
export function uses({ lower, upper }: Piece): string {
  if (lower === 1 && upper === 1) return "";
  return lower === upper ? ` ×${lower}` : ` ×${lower}–${upper}`;
}

/** The pieces; clicking on the picture of one leaves it out, or takes it back. */
export function omitted({ board, whole, subject: about }: Puzzle): HTMLElement {
  const list = h("div", { class: "pieces", role: "group", "aria-label": "Pieces" });
  for (const piece of whole.pieces) {
    const out = about.omit.includes(piece.name);
    const change = () => {
      const others = about.omit.filter((name) => name !== piece.name);
      location.hash = address({ ...about, omit: out ? others : [...about.omit, piece.name] });
    };
    const words = out ? `Take ${piece.name} back` : `Leave ${piece.name} out`;
    const control = button("", change, {
      "aria-label": words,
      "aria-pressed": String(out),
      title: words,
      class: out && "out",
      "data-piece": piece.name,
    });
    const picture = pieceSketch(board.lattice, piece).element;
    picture.setAttribute("aria-hidden", "true");
    control.append(picture, h("span", { class: "name" }, piece.name + uses(piece)));
    list.append(control);
  }
  const choice = board.choice
    ? `${board.choice} of ${board.choices.join(" ")} is left out in a solution; click one to choose it.`
    : "Click a piece to leave it out.";
  return h("section", {}, h("h2", {}, "Pieces"), h("p", { class: "soft" }, choice), list);
}

/** What the ledger knows of a puzzle, if nothing is left out of it. */
async function exhibited({ subject: about }: Puzzle): Promise<Exhibit | undefined> {
  return about.omit.length ? undefined : (await gallery()).find((e) => e.id === about.puzzle);
}

/** Whether a puzzle is known to have no solution. */
export async function refuted(puzzle: Puzzle): Promise<boolean> {
  return !!puzzle.board.facts.unsolvable_because || (await exhibited(puzzle))?.status === "unsolvable";
}

/** What is known of a puzzle without searching. */
export async function knowledge(puzzle: Puzzle): Promise<HTMLElement> {
  const { board } = puzzle;
  const rows: [string, string][] = [];
  const exhibit = await exhibited(puzzle);
  if (exhibit?.count !== null && exhibit?.count !== undefined)
    rows.push(["in the ledger", `${number(exhibit.count)} up to symmetry`]);
  for (const known of board.facts.known) {
    const wrong = known.refuted ? `, wrong: ${known.refuted}` : "";
    const what = known.up_to === "raw" ? "in all" : `up to ${known.up_to}`;
    rows.push(["published", `${number(known.count)} ${what} (${known.source})${wrong}`]);
  }
  if (board.facts.source) rows.push(["source", board.facts.source]);
  if (board.facts.unsolvable_because) rows.push(["unsolvable", board.facts.unsolvable_because]);
  if (!rows.length) return h("section");
  const lines = rows.map(([name, text]) => h("tr", {}, h("th", { scope: "row", class: "name" }, name), h("td", {}, text)));
  return h("section", {}, h("h2", {}, "Known"), h("table", {}, h("tbody", {}, ...lines)));
}

