// What the browser keeps of puzzles: games until they are cleared, and what was found last.

import { address, type Subject } from "./route";
import { read, write } from "./storage";
import type { Board, Placed } from "./types";

const NAME = "games";

const MOST = 40;
/** How many games are kept: those played last. */

/** What lies on a board: pieces that were given, and those that the player has placed. */
export interface Game {
  given: Placed[];
  placed: Placed[];
}

type Games = [where: string, placed: Placed[], given?: Placed[]][];

function games(): Games {
  try {
    const found: unknown = JSON.parse(read(NAME) ?? "[]");
    return Array.isArray(found) ? found.filter((game) => Array.isArray(game) && typeof game[0] === "string") : [];
  } catch {
    return []; // somebody else has written there
  }
}

/** Those of some placements that can lie on a board beside each other and beside others. */
export function possible(board: Board, placed: unknown, others: Placed[] = board.fixed): Placed[] {
  const free = new Set(board.units.map((_, i) => i));
  const left = new Map(board.pieces.map(({ name, upper }) => [name, upper]));
  const sizes = new Map(board.pieces.map((piece) => [piece.name, piece.units.length]));
  for (const [name, units] of others) {
    units.forEach((unit) => free.delete(unit));
    left.set(name, (left.get(name) ?? 0) - 1);
  }
  return (Array.isArray(placed) ? placed : []).filter((one: unknown): one is Placed => {
    const [name, units] = Array.isArray(one) ? one : [];
    const count = left.get(name) ?? 0;
    if (count <= 0 || !Array.isArray(units) || !units.every((unit) => free.has(unit))) return false;
    if (units.length !== sizes.get(name) || new Set(units).size < units.length) return false;
    units.forEach((unit) => free.delete(unit));
    left.set(name, count - 1);
    return true;
  });
}

/** A game as far as it can lie on a board. */
export function playable(board: Board, given: unknown, placed: unknown): Game {
  const there = possible(board, given);
  return { given: there, placed: possible(board, placed, [...board.fixed, ...there]) };
}

/** The game of a puzzle as it was when it was last played. */
export function keptGame(subject: Subject, board: Board): Game {
  const [, placed, given] = games().find(([where]) => where === address(subject)) ?? [];
  return playable(board, given, placed);
}

export function keepGame(subject: Subject, { given, placed }: Game): void {
  const where = address(subject);
  const others = games().filter(([there]) => there !== where);
  const own: Games = placed.length || given.length ? [[where, placed, given]] : [];
  write(NAME, JSON.stringify([...others, ...own].slice(-MOST)));
}

/** The addresses of the whole puzzles that were played last, the last one first. */
export function begun(): string[] {
  return games()
    .map(([where]) => where)
    .filter((where) => /^#\/(p|own)\/[^/?]+$/.test(where))
    .reverse();
}

/** What a search has found, and what was said of it. */
export interface Found {
  solutions: Placed[][];
  current: number;
  complete: boolean;
  /** Up to what they are different: older versions did not keep it. */
  sought?: string;
  words: string;
  /** The numbers of solutions up to symmetry, up to rotation, and in all, if they were counted. */
  numbers: [number, number, number] | null;
}

/** Those of the puzzles that were looked at last. */
const found = new Map<string, Found>();

const SEARCHES = 8;
/** For how many puzzles solutions are kept. */

const [STORE, RECENT] = ["found", "recent"];
/** In the browser's data base: what was found by address, and the addresses, the last one last. */

let opening: Promise<IDBDatabase | null> | null = null;

/** The browser's data base; null where there is none that can be used. */
function base(): Promise<IDBDatabase | null> {
  opening ??= new Promise((done) => {
    try {
      const asked = indexedDB.open("exactile", 1);
      asked.onupgradeneeded = () => asked.result.createObjectStore(STORE);
      asked.onsuccess = () => done(asked.result);
      asked.onerror = () => done(null);
    } catch {
      done(null);
    }
  });
  return opening;
}

/** Keep what was found, now for this page and soon for those to come. */
export async function keepFound(where: string, news: Found): Promise<void> {
  found.delete(where);
  found.set(where, news);
  if (found.size > SEARCHES) found.delete(found.keys().next().value!);
  const store = (await base())?.transaction(STORE, "readwrite").objectStore(STORE);
  if (!store) return;
  const asked: IDBRequest<string[] | undefined> = store.get(RECENT);
  asked.onsuccess = () => {
    const recent = [...(asked.result ?? []).filter((other) => other !== where), where];
    for (const old of recent.splice(0, Math.max(0, recent.length - SEARCHES))) store.delete(old);
    store.put(recent, RECENT);
    store.put(news, where);
  };
}

export async function keptFound(where: string): Promise<Found | undefined> {
  const here = found.get(where);
  const store = here ? null : (await base())?.transaction(STORE).objectStore(STORE);
  if (!store) return here;
  return new Promise((done) => {
    const asked: IDBRequest<Found | undefined> = store.get(where);
    asked.onsuccess = () => done(asked.result);
    asked.onerror = () => done(undefined);
  });
}
