// The front door: what this is, a game that has begun, famous puzzles, families, and ways on.

import { answer, example, packed, unpacked } from "./api";
import { h, number, plural } from "./dom";
import { apart } from "./drawing";
import { begun, keptGame } from "./kept";
import { embedded, type Place } from "./lattice";
import { address, type Subject } from "./route";
import { calendar, calendarPicture, dateInWords } from "./today";
import type { Board, Exhibit, Placed } from "./types";

/** Puzzles to begin with, how they are called here, and what is said of them. */
const FAMOUS: [string, string, string][] = [
  ["pentominoes-6x10", "Pentominoes", "The classic: 6 by 10"],
  ["soma-cube", "Soma cube", "Seven pieces, 240 ways"],
  ["bedlam-cube", "Bedlam cube", "Thirteen pieces, and hard"],
  ["tetrasticks-5x5-without-h", "Tetrasticks", "Four sticks each"],
  ["tritrigs-heart-1", "Tritrig heart", "Lines among triangles"],
  ["hexiamonds-snowflake", "Hexiamond star", "Six triangles each"],
  ["tetrahexes-holey-star-1", "Tetrahexes", "Two ways only"],
  ["tetraboloes-7x7-5140", "Tetraboloes", "Halves of squares"],
  ["shader-star", "Shader’s star", "Two trigs to a piece"],
  ["conway-blocks", "Conway’s blocks", "A box of 5 by 5 by 5"],
  ["mutilated-chessboard", "Mutilated chessboard", "Impossible: see why"],
];

const CALENDAR_AT = 3;
/** The place of the calendar among them. */

const BEGUN = "pentominoes-6x10";
/** The puzzle that can be played on the front page. */

const MISSING = 3;
/** How many of its pieces are left to be placed. */

const LAST = 6;
/** How many games are shown that wait to be gone on with. */

const DAY = 86_400_000;

/** Ways into the catalogue, as queries, and what is behind them. */
const DOORS: [string, string, (e: Exhibit) => boolean][] = [
  ["count=1-1", "One solution only", (e) => e.count === 1],
  ["order=most", "Most solutions first", () => true],
  ["size=0-30", "Small puzzles", (e) => e.units !== null && e.units <= 30],
  ["state=unsolvable", "Impossible, and why", (e) => e.status === "unsolvable"],
  ["state=open", "Still open, and how far", (e) => e.status === "open"],
];

export function picture({ id }: Exhibit): HTMLImageElement {
  const image = h("img", { src: `pictures/${id}.svg`, alt: "", loading: "lazy" });
  image.addEventListener("error", () => image.replaceWith(h("span", { class: "none" })));
  return image;
}

function card(href: string, image: HTMLElement, name: string, words: string): HTMLLIElement {
  return h("li", {}, h("a", { class: "card", href }, image, h("span", { class: "name" }, name), h("span", { class: "soft" }, words)));
}

const OWN = "#/own/";

/** The title of a puzzle of one's own, or else its name, from the text in its address. */
async function titled(where: string): Promise<string> {
  const text = await unpacked(where.slice(OWN.length)).catch(() => "");
  const title = /^title = ("(?:[^"\\]|\\.)*")/m.exec(text)?.[1];
  try {
    if (title) return JSON.parse(title) as string;
  } catch {
    // it has an escape that JSON lacks
  }
  return /^\[puzzle\."?(.*?)"?\]$/m.exec(text)?.[1] ?? "A puzzle of your own";
}

/** What this is. */
export const lead = (): HTMLElement =>
  h("p", { class: "lead" }, "Puzzles of pieces that fill a shape: play them, see every solution, or draw your own.");

/** What comes after the game: famous puzzles, families, and what people look for. */
export async function rest(all: Exhibit[]): Promise<HTMLElement[]> {
  const known = new Map(all.map((e) => [e.id, e]));
  const famous = FAMOUS.filter(([id]) => known.has(id)).map(([id, name, words]) => {
    const exhibit = known.get(id)!;
    return card(`#/p/${id}${exhibit.status === "unsolvable" ? "" : "/play"}`, picture(exhibit), name, words);
  });
  const date = new Date();
  const word = await packed(calendar(date)).catch(() => ""); // an old browser cannot pack it
  const today = `#/own/${word}`;
  const calendarCard = (words: string) => card(`${today}/play`, calendarPicture(date), "Calendar", words);
  if (word) famous.splice(CALENDAR_AT, 0, calendarCard(`Today: ${dateInWords(date)}`));
  const waiting = await Promise.all(
    begun().map(async (where) => {
      if (where === today) return calendarCard("begun");
      if (where.startsWith(OWN)) return card(`${where}/play`, h("span", { class: "none" }), await titled(where), "begun");
      const exhibit = known.get(decodeURIComponent(where.replace("#/p/", "")));
      return exhibit && card(`#/p/${exhibit.id}/play`, picture(exhibit), exhibit.title, "begun");
    }),
  );
  const last = waiting.filter((shown) => shown !== undefined).slice(0, LAST);
  const families = [...new Set(all.map((e) => e.family))].map((family) => {
    const own = all.filter((e) => e.family === family);
    const shown = own.find((e) => e.status === "exact" && e.count! > 0) ?? own[0]!;
    return card(`#/?family=${family}`, picture(shown), family, plural(own.length, "puzzle"));
  });
  const doors = DOORS.map(([query, words, behind]) =>
    h("a", { class: "door", href: `#/?${query}` }, words, " ", h("span", { class: "soft" }, number(all.filter(behind).length))),
  );
  const games = last.length
    ? [h("h2", {}, "Continue where you left off"), h("ul", { class: "gallery small" }, ...last)]
    : [];
  return [
    ...games,
    h("h2", {}, "Famous puzzles"),
    h("ul", { class: "gallery" }, ...famous),
    h("h2", {}, "Families"),
    h("ul", { class: "gallery small" }, ...families),
    h("p", { class: "row" }, ...doors),
    h("h2", {}, "All puzzles"),
  ];
}

/** A game of this day in a place: a famous puzzle of which a few pieces are missing. */
export async function begin(place: HTMLElement, signal: AbortSignal): Promise<void> {
  const subject: Subject = { base: "#/today", puzzle: BEGUN, omit: [] };
  const asked = { puzzle: BEGUN, omit: [] };
  const [board, solution, { play }] = await Promise.all([
    answer<Board>("board", { puzzle: BEGUN }, signal),
    example(BEGUN, signal),
    import("./play"),
  ]);
  if (signal.aborted) return;
  const whole = { ...subject, base: `#/p/${BEGUN}` };
  const puzzle = {
    ...{ board, whole: board, subject, asked, run: null },
    sent: { solution: [], game: { given: [], placed: [] } },
    link: async () => address(whole, "play"),
  };
  const given = lying(board, solution, Math.floor(Date.now() / DAY));
  const kept = keptGame(subject, board);
  const same = JSON.stringify(kept.given) === JSON.stringify(given);
  place.replaceChildren(
    h("h2", {}, "Three pieces are missing ", h("a", { href: address(whole, "play") }, "play the whole puzzle")),
  );
  play(place, puzzle, signal, { given, placed: same ? kept.placed : [] }, true);
}

/** The placements of a solution but for some beside each other, others on each day. */
function lying(board: Board, solution: Placed[], day: number): Placed[] {
  const middles = solution.map(([, units]): Place => {
    const places = units.map((unit) => embedded(board.lattice, board.units[unit]!));
    return [0, 1].map((k) => places.reduce((sum, p) => sum + p[k]!, 0) / places.length) as Place;
  });
  const first = middles[day % solution.length]!;
  const order = solution.map((_, i) => i).sort((a, b) => apart(middles[a]!, first) - apart(middles[b]!, first));
  const missing = new Set(order.slice(0, MISSING));
  return solution.filter((_, i) => !missing.has(i));
}
