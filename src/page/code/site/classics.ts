// Sudokus and peg solitaire, as exactile.serve.tasks.playing answers about them.

import { Engine, type Native, PegFinder } from "./engine";
import type { Model } from "./model";
import { begun, SLICE } from "./tasks";

export interface Verdict {
  kind: "unique" | "ambiguous" | "contradictory";
  solutions: string[];
  differing: number[];
  reason: string | null;
}

interface House {
  name: string;
  cells: number[];
}

const NINE = [...Array(9).keys()];

/** Rows and columns first: they are easier to see than boxes. */
const HOUSES: House[] = [
  ...NINE.map((k) => ({ name: `row ${k + 1}`, cells: NINE.map((i) => 9 * k + i) })),
  ...NINE.map((k) => ({ name: `column ${k + 1}`, cells: NINE.map((i) => 9 * i + k) })),
  ...NINE.map((k) => ({
    name: `box ${k + 1}`,
    cells: NINE.map((i) => 9 * (3 * Math.floor(k / 3) + Math.floor(i / 3)) + 3 * (k % 3) + (i % 3)),
  })),
];

const where = (cell: number) => `row ${Math.floor(cell / 9) + 1}, column ${(cell % 9) + 1}`;

/** The kind of a sudoku of 81 cells, and up to two solutions. */
export function sudoku(native: Native, text: string): Verdict {
  const cells = [...text.replace(/\s/g, "")].map((c) => (/[1-9]/.test(c) ? Number(c) : /[.0]/.test(c) ? 0 : -1));
  if (cells.length !== 81 || cells.includes(-1))
    throw new Error("A sudoku has 81 cells here, digits or dots; exactile serve reads other sizes.");
  const reason = contradiction(cells);
  if (reason) return { kind: "contradictory", solutions: [], differing: [], reason };
  const entries = cells.flatMap((given, cell) => NINE.filter((d) => !given || given === d + 1).map((d) => [cell, d] as const));
  // cells, then digits of houses
  const members = entries.flatMap(([cell, d]) => [
    cell,
    ...HOUSES.flatMap(({ cells: own }, k) => (own.includes(cell) ? [81 + 9 * k + d] : [])),
  ]);
  const items = 81 + 9 * HOUSES.length;
  const once = Array<number>(items).fill(1);
  const first = Int32Array.from({ length: entries.length + 1 }, (_, k) => 4 * k);
  const model: Model = { lower: once, upper: once, first, members: Int32Array.from(members), pieces: 0, units: 0 };
  const engine = new Engine(native, model, null);
  const solutions: string[] = [];
  while (!engine.exhausted && solutions.length < 2)
    for (const found of engine.run(SLICE, 2 - solutions.length)) {
      const grid = Array<number>(81).fill(0);
      for (const option of found) grid[entries[option]![0]] = entries[option]![1] + 1;
      solutions.push(checked(cells, grid));
    }
  engine.free();
  const [one, two] = solutions;
  const differing = one && two ? [...one].flatMap((digit, k) => (digit === two[k] ? [] : [k])) : [];
  if (!one) return { kind: "contradictory", solutions, differing, reason: "nothing contradicts itself at once, but all was searched" };
  return { kind: two ? "ambiguous" : "unique", solutions, differing, reason: null };
}

/** A grid that keeps the givens and has each digit once in each house, as a text. */
function checked(givens: number[], grid: number[]): string {
  const kept = givens.every((given, cell) => !given || given === grid[cell]);
  if (!kept || HOUSES.some(({ cells }) => new Set(cells.map((cell) => grid[cell])).size < 9 || cells.some((cell) => !grid[cell])))
    throw new Error("The engine found a wrong solution of the sudoku. Please report this.");
  return grid.join("");
}

/** A simple reason why there is no solution. */
function contradiction(givens: number[]): string | null {
  for (const { name, cells } of HOUSES)
    for (const cell of cells) {
      const twin = cells.find((other) => givens[other] && givens[other] === givens[cell] && other < cell);
      if (twin !== undefined) return `${name} has ${givens[cell]} twice: in ${where(twin)} and in ${where(cell)}`;
    }
  const around = givens.map(() => new Set<number>());
  for (const { cells } of HOUSES)
    for (const cell of cells) for (const other of cells) if (givens[other]) around[cell]!.add(givens[other]);
  const stuck = givens.findIndex((given, cell) => !given && around[cell]!.size === 9);
  if (stuck >= 0) return `${where(stuck)} has no candidate`;
  for (const { name, cells } of HOUSES)
    for (let digit = 1; digit <= 9; digit++)
      if (!cells.some((cell) => givens[cell] === digit || (!givens[cell] && !around[cell]!.has(digit))))
        return `${name} has no place for ${digit}`;
  return null;
}

/** A board of the site's file; numbers are holes. */
export interface PegBoard {
  places: [number, number][];
  jumps: [number, number, number][];
  pegs: number[];
  symmetries: number[][];
  /** Sets of holes in which each jump changes the number of pegs by 0 or 2. */
  even: number[][];
}

/** Seconds for the question what a board can end with. */
const PEG_SECONDS = 20;

/** Whether a single peg can remain, the next jump on the way, and why not. */
export function reachable(native: Native, { places, jumps, symmetries, even }: PegBoard, pegs: number[], seconds = PEG_SECONDS) {
  const there = new Set(pegs);
  const parity = (set: number[], own: (hole: number) => boolean) => set.filter(own).length % 2;
  const goals = [...places.keys()].filter((goal) =>
    even.every((set) => parity(set, (hole) => there.has(hole)) === parity(set, (hole) => hole === goal)),
  );
  const reasons = goals.length < places.length ? ["parity"] : [];
  if (!pegs.length) return { possible: false, jump: null, reasons: ["pegs"] };
  if (pegs.length === 1) return { possible: true, jump: null, reasons: [] };
  if (!goals.length) return { possible: false, jump: null, reasons };
  const among = new Set(goals);
  const kept = symmetries.filter((images) => goals.every((goal) => among.has(images[goal]!)));
  const finder = new PegFinder(native, places.length, [...there], jumps.flat(), kept.flat(), goals);
  const deadline = begun() + seconds;
  let found: number[] | null | undefined | "no";
  while (found === undefined && begun() < deadline) found = finder.run(SLICE);
  if (found === undefined || found === "no") return { possible: null, jump: null, reasons };
  if (found === null) return { possible: false, jump: null, reasons: [...reasons, "search"] };
  const left = new Set(there);
  for (const number of found) {
    const [from, over, to] = jumps[number]!;
    if (!left.delete(from) || !left.delete(over) || left.has(to)) throw new Error("The engine found no sequence of jumps. Please report this.");
    left.add(to);
  }
  if (left.size !== 1) throw new Error("The engine left more than one peg. Please report this.");
  const [from, , to] = jumps[found[0]!]!;
  return { possible: true, jump: [from, to], reasons };
}
