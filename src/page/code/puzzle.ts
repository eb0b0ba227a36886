// A puzzle: what it is, its pieces, and what is known of it.

import { gallery } from "./api";
import { button, h, number } from "./dom";
import { piecePicture } from "./iso";
import { address, type Subject } from "./route";
import type { Game } from "./kept";
import type { Board, Exhibit, Piece, Placed } from "./types";

export interface Puzzle {
  board: Board;
  /** The same with no piece left out. */
  whole: Board;
  subject: Subject;
  /** What every request about it says. */
  asked: { puzzle: string; omit: string[] };
  /** The run of the open store whose solutions are shown, if any. */
  run: number | null;
  /** What the address has placed on the board, if anything. */
  sent: { solution: Placed[]; game: Game };
  /** The address of what is shown; a view that shows more than its address says sets it. */
  link: () => Promise<string>;
}

/** A view in which something is done with a puzzle. */
export type Tab = (place: HTMLElement, puzzle: Puzzle, signal: AbortSignal) => Promise<void>;

/** How often a piece is used, if not once. */
export function uses({ lower, upper }: Piece): string {
  if (lower === 1 && upper === 1) return "";
  return lower === upper ? ` ×${number(lower)}` : ` ×${number(lower)}–${number(upper)}`;
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
    const name = piece.name + uses(piece);
    const words = out ? `Take ${name} back` : `Leave ${name} out`;
    const control = button("", change, {
      "aria-label": words,
      "aria-pressed": String(out),
      title: words,
      class: out && "out",
      "data-piece": piece.name,
    });
    const picture = piecePicture(board.lattice, piece.units, piece.color, piece.name, undefined, board.paint).element;
    picture.setAttribute("aria-hidden", "true");
    control.append(picture, h("span", { class: "name" }, name));
    list.append(control);
  }
  const choice = board.choice
    ? `${board.choice} of ${board.choices.join(" ")} is left out in a solution; click one to choose it.`
    : "Click a piece to leave it out.";
  return h("section", {}, h("h2", {}, "Pieces"), h("p", { class: "soft" }, choice), list);
}

/** What the ledger knows of a puzzle, if nothing is left out of it. */
export async function exhibited({ subject: about }: Puzzle): Promise<Exhibit | undefined> {
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
  else if (exhibit?.at_least) rows.push(["in the ledger", `at least ${number(exhibit.at_least)}: ${exhibit.why || "open"}`]);
  for (const known of board.facts.known) {
    const wrong = known.refuted ? `, wrong: ${known.refuted}` : "";
    const what = known.up_to === "raw" ? "in all" : `up to ${known.up_to}`;
    rows.push(["published", `${number(known.count)} ${what} (${known.source})${wrong}`]);
  }
  if (board.facts.source) rows.push(["source", board.facts.source]);
  if (board.facts.unsolvable_because) rows.push(["unsolvable", board.facts.unsolvable_because]);
  rows.push(["symmetries", number(board.facts.symmetries.all)]);
  rows.push(["model", `${number(board.facts.items)} items, ${number(board.facts.options)} options`]);
  const lines = rows.map(([name, text]) => h("tr", {}, h("th", { scope: "row", class: "name" }, name), h("td", {}, text)));
  return h("section", {}, h("h2", {}, "Known"), h("table", {}, h("tbody", {}, ...lines)));
}

