// What the browser keeps of puzzles: games until they are cleared, solutions until the page is closed.

import { address, type Subject } from "./route";
import type { Board, Placed } from "./types";

const NAME = "games";

const MOST = 40;
/** How many games are kept: those played last. */

type Games = [where: string, placed: Placed[]][];

function games(): Games {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(NAME) ?? "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return []; // somebody else has written there, or nothing can be read
  }
}

/** What lay on the board of a puzzle when it was last played, as far as it can still lie there. */
export function keptGame(subject: Subject, board: Board): Placed[] {
  const placed = games().find(([where]) => where === address(subject))?.[1] ?? [];
  const free = new Set(board.units.map((_, i) => i));
  for (const [, units] of board.fixed) units.forEach((unit) => free.delete(unit));
  const left = new Map(board.pieces.map(({ name, upper }) => [name, upper]));
  return placed.filter(([name, units]) => {
    const count = left.get(name) ?? 0;
    if (!count || !units.every((unit) => free.has(unit))) return false;
    units.forEach((unit) => free.delete(unit));
    left.set(name, count - 1);
    return true;
  });
}

export function keepGame(subject: Subject, placed: Placed[]): void {
  const where = address(subject);
  const others = games().filter(([there]) => there !== where);
  try {
    localStorage.setItem(NAME, JSON.stringify(placed.length ? [...others, [where, placed]].slice(-MOST) : others));
  } catch {
    // it is kept no longer than the page is open
  }
}

/** What a search has found, and what was said of it. */
export interface Found {
  solutions: Placed[][];
  current: number;
  complete: boolean;
  words: string;
}

/** Those of the puzzles that were looked at last. */
const found = new Map<string, Found>();

const SEARCHES = 4;
/** For how many puzzles solutions are kept. */

export function keepFound(subject: Subject, news: Found): void {
  const where = address(subject);
  found.delete(where);
  found.set(where, news);
  if (found.size > SEARCHES) found.delete(found.keys().next().value!);
}

export function keptFound(subject: Subject): Found | undefined {
  return found.get(address(subject));
}
