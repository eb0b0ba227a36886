// The tasks of exactile serve that the page does by itself, where there is no server.

import { parsed } from "../exact";
import { loaded } from "../loading";
import type { Answer, Board, Placed, Progress } from "../types";
import { check } from "./check";
import { type PegBoard, reachable, sudoku } from "./classics";
import { similar } from "./classes";
import { count } from "./counting";
import { Engine, loadEngine } from "./engine";
import { firstSolution, shuffled } from "./first";
import { lower, type Lowered, TooLarge } from "./model";
import { Action, branches, symmetries } from "./symmetry";
import { PALETTE } from "../palette";
import { type Drawn, drawing, keptLabels, read, written } from "./own";
import type { FullLattice, Statement } from "./types";
import { type Watched, watched } from "./watch";

export type Tell = (kind: string, content: unknown) => void;

export interface Asked {
  puzzle: string;
  omit?: string[];
  placed?: Placed[];
  backend?: string;
  limit?: number | null;
  up_to?: "rotation" | "symmetry" | null;
  time_limit?: number;
  use_symmetry?: boolean;
  seed?: number;
  form?: string;
  open?: number | null;
}

/** Seconds of one slice of a search; progress is reported between slices. */
export const SLICE = 0.1;

const MOST_WAYS = 1000;
const WAYS_NODES = 1_000_000;

async function file(base: string, path: string): Promise<any> {
  const id = /^puzzles\/(.*)\.json$/.exec(path)?.[1];
  const missing = id && `There is no puzzle '${decodeURIComponent(id)}' in the catalogue.`;
  return parsed(await (await loaded(new URL(path, base), missing)).text());
}

/** A puzzle of the site, with its lattice. */
class Case {
  private constructor(
    readonly base: string,
    readonly statement: Statement,
    readonly lattice: FullLattice,
  ) {}

  static async of(base: string, asked: Asked): Promise<Case> {
    const own = asked.puzzle.includes("\n");
    const whole: Statement = own
      ? colored(read(asked.puzzle, await file(base, "lattices.json")))
      : await file(base, `puzzles/${encodeURIComponent(asked.puzzle)}.json`);
    const statement = without(whole, asked.omit ?? []);
    statement.fixed = [...statement.fixed, ...(asked.placed ?? [])];
    return new Case(base, statement, await file(base, `lattices/${whole.lattice}.json`));
  }
}

function colored(statement: Statement): Statement {
  const pieces = statement.pieces.map((piece, k) => ({ ...piece, color: PALETTE[k % PALETTE.length]! }));
  return { ...statement, pieces };
}

/** The puzzle with some of its pieces left out; they count among those omitted by choice. */
function without(whole: Statement, omit: string[]): Statement {
  if (!omit.length) return whole;
  const stays = (name: string) => !omit.includes(name);
  const choices = whole.choices.filter(stays);
  const choice = Math.min(Math.max(whole.choice - (whole.choices.length - choices.length), 0), choices.length);
  const pieces = whole.pieces.filter(({ name }) => stays(name));
  if (!pieces.length) throw new Error("No piece is left.");
  const needed = whole.fixed.find(([name]) => !stays(name));
  if (needed) throw new Error(`${needed[0]} has a given place, so it cannot be left out.`);
  const ruled = <R extends { pieces: string[] }>(rules: R[]) =>
    rules.map((rule) => ({ ...rule, pieces: rule.pieces.filter(stays) })).filter((rule) => rule.pieces.length);
  return {
    ...whole,
    pieces,
    choice,
    choices: choice ? choices : [],
    paint: { ...whole.paint, pieces: Object.fromEntries(Object.entries(whole.paint.pieces).filter(([name]) => stays(name))) },
    use_rules: ruled(whole.use_rules),
    color_rules: ruled(whole.color_rules),
    known: [],
    items: 0, // its model is another one
    solution: [],
    reason: "",
  };
}

async function board(base: string, asked: Asked, tell: Tell): Promise<void> {
  const { statement, lattice } = await Case.of(base, asked);
  const { name, title, source, known, units, optional } = statement;
  let reason: string | null = null;
  if (!statement.items) {
    // it is not of the catalogue
    const lowered = lower(statement, lattice);
    const group = symmetries(lowered);
    statement.items = lowered.model.lower.length;
    statement.options = lowered.model.first.length - 1;
    statement.symmetries = group.length;
    statement.proper = group.filter((s) => s.proper).length;
    reason = tooFew(lowered);
  }
  const view: Board = {
    facts: {
      puzzle: name,
      title,
      source,
      known,
      units: units.length,
      optional_units: optional.length,
      symmetries: { all: statement.symmetries, proper: statement.proper },
      items: statement.items,
      options: statement.options,
      unsolvable_because: reason,
    },
    lattice,
    units,
    optional,
    wrap: statement.wrap,
    pieces: statement.pieces,
    choice: statement.choice,
    choices: statement.choices,
    fixed: statement.fixed,
    crossing: statement.crossing,
    paint: statement.paint,
    labels: statement.labels ?? [],
    backends: ["dlx", "auto", "memo", "frontier"],
  };
  tell("board", view);
}

export const placed = ({ statement, places, placements }: Lowered, solution: Int32Array): Placed[] =>
  [...solution]
    .filter((option) => option < placements)
    .map((option) => places[option]!)
    .sort((a, b) => a.piece - b.piece || a.units[0]! - b.units[0]!)
    .map(({ piece, units }) => [statement.pieces[piece]!.name, [...units]]);

/** Why there is no solution, as far as areas show it. */
export function tooFew({ statement }: Lowered): string | null {
  const sizes = statement.pieces.map((piece) => piece.units.length);
  const sum = (uses: "lower" | "upper") => statement.pieces.reduce((n, piece, k) => n + piece[uses] * sizes[k]!, 0);
  const omitted = statement.choices.map((name) => sizes[statement.pieces.findIndex((p) => p.name === name)]!).sort((a, b) => a - b);
  const most = sum("upper") - omitted.slice(0, statement.choice).reduce((a, b) => a + b, 0);
  const least = sum("lower") - omitted.slice(omitted.length - statement.choice).reduce((a, b) => a + b, 0);
  const { length } = statement.units;
  const needed = length - statement.optional.length;
  if (least > length) return `the pieces have at least ${least} units, and the region has ${length}`;
  if (most < needed) return `the pieces have at most ${most} units, and ${needed} units must be covered`;
  return null;
}

export const begun = () => performance.now() / 1000;

/** What all answers say. */
export function answered(status: Answer["status"], since: number, nodes: number, more: Partial<Answer> = {}): Answer {
  return {
    backend: "dlx",
    status,
    stopped: null,
    reason: null,
    stats: { seconds: begun() - since, nodes },
    ...more,
  };
}

export function progress(found: number, done: number | null, nodes: number, since: number): Progress {
  const seconds = begun() - since;
  const left = done && done > 0.001 ? (seconds * (1 - done)) / done : null;
  return { found, done, left, nodes, seconds, doing: null, counters: { nodes } };
}

async function solve(base: string, asked: Asked, tell: Tell): Promise<void> {
  const since = begun();
  const [{ statement, lattice }, native] = await Promise.all([Case.of(base, asked), loadEngine(base)]);
  const lowered = lower(statement, lattice);
  const reason = tooFew(lowered);
  if (reason) return tell("answer", answered("unsolvable", since, 0, { reason, found: 0 }));
  const limit = asked.limit ?? Infinity;
  const deadline = since + (asked.time_limit ?? 600);
  if (asked.backend === "auto" && limit === 1) {
    const solution = firstSolution(native, lowered, deadline, asked.seed ?? 0, tell);
    if (solution) tell("solutions", [placed(lowered, check(lowered, solution))]);
    const status = solution ? "solvable" : solution === null ? "unsolvable" : "unknown";
    const stopped = solution === undefined ? "time limit" : null;
    return tell("answer", answered(status, since, 0, { stopped, found: solution ? 1 : 0 }));
  }
  const action = new Action(lowered, asked.up_to || asked.use_symmetry !== false ? symmetries(lowered) : []);
  const starts = asked.up_to === "symmetry" ? branches(lowered, action) : null;
  const engine = new Engine(native, lowered.model, starts && starts.map(({ option, size }) => ({ path: [option], weight: size })));
  const seen = new Set<string>();
  let found = 0;
  let told = since;
  let cut = false; // whether there is a solution beyond the limit
  while (!engine.exhausted && found < limit && begun() < deadline) {
    const fresh: Placed[][] = [];
    for (const solution of engine.run(found ? SLICE : SLICE / 4)) {
      check(lowered, solution);
      const least = asked.up_to && action.order > 1 ? action.least(solution, asked.up_to === "rotation") : "";
      if (seen.has(least)) continue;
      cut = found >= limit;
      if (cut) break;
      if (least) seen.add(least);
      found++;
      fresh.push(placed(lowered, solution));
    }
    if (fresh.length) tell("solutions", fresh);
    if (begun() - told > 0.2) {
      told = begun();
      tell("progress", progress(found, engine.done, engine.nodes, since));
    }
  }
  tell("progress", progress(found, engine.done, engine.nodes, since));
  const stopped = engine.exhausted && !cut ? null : found >= limit ? "solution limit" : "time limit";
  const status = stopped ? (found ? "solvable" : "unknown") : found ? "complete" : "unsolvable";
  tell("answer", answered(status, since, engine.nodes, { stopped, found }));
}

/** The number of solutions up to a limit, and whether these are all; few nodes are visited. */
function few(native: Awaited<ReturnType<typeof loadEngine>>, lowered: Lowered, limit: number): [number, boolean] {
  const engine = new Engine(native, lowered.model, null);
  try {
    let found = 0;
    while (!engine.exhausted && found < limit && engine.nodes < WAYS_NODES)
      found += engine.run(1, limit - found, WAYS_NODES / 10).length;
    return [found, engine.exhausted];
  } finally {
    engine.free();
  }
}

/** One solution by the search for all, until a time; null if there is none, or nothing if not known. */
function one(native: Awaited<ReturnType<typeof loadEngine>>, lowered: Lowered, deadline: number) {
  if (tooFew(lowered)) return null;
  const engine = new Engine(native, lowered.model, null);
  try {
    while (!engine.exhausted && begun() < deadline) {
      const [solution] = engine.run(SLICE, 1);
      if (solution) return check(lowered, solution);
    }
    return engine.exhausted ? null : undefined;
  } finally {
    engine.free();
  }
}

/** A text that is equal exactly for equal placements. */
const words = ([piece, units]: Placed) => `${piece}:${[...units].sort((a, b) => a - b)}`;

/** Whether what is placed is a solution: units that may stay empty can still be open. */
function solved(lowered: Lowered): boolean {
  const { fixed, optional, pieces, units } = lowered.statement;
  const covered = new Set([...optional, ...fixed.flatMap(([, own]) => own)]);
  if (covered.size < units.length) return false;
  const there = new Set(fixed.map(words));
  const lying = lowered.places.flatMap(({ piece, units: own }, option) =>
    there.has(words([pieces[piece]!.name, [...own]])) ? [option] : [],
  );
  try {
    check(lowered, Int32Array.from(lying));
    return true;
  } catch {
    return false;
  }
}

async function finish(base: string, asked: Asked, tell: Tell): Promise<void> {
  const deadline = begun() + (asked.time_limit ?? 60);
  const [{ statement, lattice }, native] = await Promise.all([Case.of(base, asked), loadEngine(base)]);
  const lowered = lower(statement, lattice);
  const solution = one(native, lowered, deadline);
  const possible = solution === undefined ? null : solution !== null;
  const reason = solution === null ? tooFew(lowered) : null;
  tell("finish", { possible, solved: !!solution && solved(lowered), reason });
  if (!solution) return;
  const [ways, all] = few(native, lowered, MOST_WAYS + 1);
  if (all || ways > MOST_WAYS) tell("ways", { ways: Math.min(ways, MOST_WAYS), more: ways > MOST_WAYS });
}

async function hint(base: string, asked: Asked, tell: Tell): Promise<void> {
  const deadline = begun() + (asked.time_limit ?? 60);
  const native = await loadEngine(base);
  const known = async (there: Placed[]) => {
    const { statement, lattice } = await Case.of(base, { ...asked, placed: there });
    const lowered = lower(statement, lattice);
    const solution = one(native, lowered, deadline);
    return solution && placed(lowered, solution);
  };
  const own = asked.placed ?? [];
  const solution = await known(own);
  if (solution) {
    const { statement } = await Case.of(base, asked);
    const there = new Set(statement.fixed.map(words));
    const left = solution.filter((placement) => !there.has(words(placement)));
    return tell("hint", { fits: left.slice(0, 1), moves: [], possible: true });
  }
  if (solution === undefined) return tell("hint", { fits: [], moves: [], possible: null });
  let moves = own.length > 1 ? own : [];
  for (let k = own.length - 1; k >= 0; k--) {
    const rest = await known(own.filter((_, n) => n !== k));
    if (rest) return tell("hint", { fits: [], moves: [own[k]], possible: false });
    if (rest === undefined) moves = []; // not all was tried
  }
  if (moves.length && !(await known([]))) moves = []; // nothing helps
  tell("hint", { fits: [], moves, possible: false });
}

/** Placements with which there is one solution only: one after the other is taken away. */
async function challenge(base: string, asked: Asked, tell: Tell): Promise<void> {
  const deadline = begun() + (asked.time_limit ?? 60);
  const [{ statement, lattice }, native] = await Promise.all([Case.of(base, asked), loadEngine(base)]);
  const lowered = lower(statement, lattice);
  const solution = tooFew(lowered) ? null : firstSolution(native, lowered, deadline, asked.seed ?? 0, () => {});
  if (!solution) throw new Error("No solution was found in time to make a challenge of.");
  const there = new Set(statement.fixed.map(words)); // these stay where they are
  const chosen = placed(lowered, check(lowered, solution)).filter((placement) => !there.has(words(placement)));
  const order = shuffled(chosen, asked.seed ?? 0);
  let kept = order;
  for (const placement of order) {
    if (order.length - kept.length >= (asked.open ?? Infinity) || begun() > deadline) break;
    const fewer = kept.filter((other) => other !== placement);
    const left = lower({ ...statement, fixed: [...statement.fixed, ...fewer] }, lattice);
    const [ways, all] = few(native, left, 2);
    if (ways === 1 && all) kept = fewer;
  }
  tell("challenge", { placed: kept });
}

async function why(base: string, asked: Asked, tell: Tell): Promise<void> {
  const { statement, lattice } = await Case.of(base, asked);
  const reason = statement.reason || tooFew(lower(statement, lattice));
  tell("why", { words: reason ? `It has no solution: ${reason}.` : null });
}

async function text(base: string, asked: Asked, tell: Tell): Promise<void> {
  if (asked.form === "drawing") {
    const { statement, lattice } = await Case.of(base, asked);
    return tell("text", { text: drawing(statement, lattice) });
  }
  if (asked.form !== "toml") throw new Error("Files of solutions and pictures are written by exactile serve only.");
  if (asked.omit?.length) throw new Error("Puzzles with pieces left out are written by exactile serve only.");
  tell("text", { text: (await Case.of(base, asked)).statement.text });
}

/** The numbers of a model, and a digest of its arrays, to be compared with those of the ledger. */
async function model(base: string, asked: Asked, tell: Tell): Promise<void> {
  const { statement, lattice } = await Case.of(base, asked);
  const lowered = lower(statement, lattice);
  const { model } = lowered;
  const parts = [model.lower, model.upper, model.first, model.members, new Int32Array(model.members.length)];
  const bytes = new Uint8Array(parts.reduce((n, part) => n + 8 * part.length + 1, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(new Uint8Array(BigInt64Array.from(part as number[], BigInt).buffer), at);
    at += 8 * part.length + 1;
    bytes[at - 1] = "/".charCodeAt(0);
  }
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const group = symmetries(lowered);
  tell("model", {
    items: model.lower.length,
    options: model.first.length - 1,
    symmetries: group.length,
    proper: group.filter((s) => s.proper).length,
    digest: [...digest.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join(""),
  });
}

async function counted(base: string, asked: Asked, tell: Tell): Promise<void> {
  const since = begun();
  const [{ statement, lattice }, native] = await Promise.all([Case.of(base, asked), loadEngine(base)]);
  const lowered = lower(statement, lattice);
  const reason = tooFew(lowered);
  if (reason) return tell("answer", answered("unsolvable", since, 0, { reason, raw: 0, rotation: 0, symmetry: 0 }));
  count(native, lowered, since + (asked.time_limit ?? 600), asked.use_symmetry !== false, asked.backend ?? "", tell);
}

/** A position of the search; the page asks for one after the other. */
async function watch(base: string, asked: Asked & Partial<Watched>, tell: Tell): Promise<void> {
  const [{ statement, lattice }, native] = await Promise.all([Case.of(base, asked), loadEngine(base)]);
  const { after = 0, until = "node", depth = 0 } = asked;
  tell("position", watched(native, lower(statement, lattice), { after, until, depth }));
}

async function classes(base: string, asked: Asked, tell: Tell): Promise<void> {
  const deadline = begun() + (asked.time_limit ?? 300);
  const [{ statement, lattice }, native] = await Promise.all([Case.of(base, asked), loadEngine(base)]);
  tell("classes", similar(native, lower(statement, lattice), deadline, (done) => tell("progress", { done, doing: "comparing" })));
}

async function pegBoard(base: string, name: string): Promise<[string[], PegBoard]> {
  const all: Record<string, PegBoard> = await file(base, "pegs.json");
  const board = all[name];
  if (!board) throw new Error(`There is no board '${name}' here.`);
  return [Object.keys(all), board];
}

async function peg(base: string, asked: Asked & { board?: string }, tell: Tell): Promise<void> {
  const [boards, { places, jumps, pegs }] = await pegBoard(base, asked.board!);
  tell("board", { boards, places, jumps, pegs });
}

async function left(base: string, asked: Asked & { board?: string; pegs?: number[] }, tell: Tell): Promise<void> {
  const [[, board], native] = await Promise.all([pegBoard(base, asked.board!), loadEngine(base)]);
  tell("reachable", reachable(native, board, asked.pegs!, asked.time_limit));
}

async function digits(base: string, asked: Asked & { text?: string }, tell: Tell): Promise<void> {
  tell("sudoku", sudoku(await loadEngine(base), asked.text!));
}

async function lattices(base: string, _: Asked, tell: Tell): Promise<void> {
  tell("lattices", Object.values(await file(base, "lattices.json")));
}

async function pieces(base: string, asked: Asked & { lattice?: string; set?: string }, tell: Tell): Promise<void> {
  const found = (await file(base, `sets/${asked.lattice}.json`))[asked.set!];
  if (!found) throw new Error(`There is no set '${asked.set}' on the ${asked.lattice} lattice.`);
  const list = Object.entries(found.pieces).map(([name, units]) => ({ name, units, freedom: found.freedom, lower: 1, upper: 1 }));
  tell("pieces", list.map((piece, k) => ({ ...piece, color: PALETTE[k % PALETTE.length]! })));
}

async function build(base: string, asked: Asked, tell: Tell): Promise<void> {
  const drawn = asked as unknown as Drawn;
  const all = await file(base, "lattices.json");
  const labels = drawn.like ? keptLabels(drawn, read(drawn.like, all)) : [];
  const text = written({ ...drawn, labels: labels ?? [] }, all[drawn.lattice]);
  read(text, all);
  tell("text", { text, lost: labels ? [] : ["labels of units"] });
}

async function opened(base: string, asked: Asked & { content?: string }, tell: Tell): Promise<void> {
  const bytes = Uint8Array.from(atob(asked.content!), (letter) => letter.charCodeAt(0));
  const text = new TextDecoder().decode(bytes);
  read(text, await file(base, "lattices.json"));
  tell("text", { text });
}

const TASKS: Record<string, (base: string, asked: Asked, tell: Tell) => Promise<void>> = {
  board,
  solve,
  count: counted,
  finish,
  hint,
  challenge,
  why,
  text,
  model,
  lattices,
  pieces,
  build,
  read: opened,
  watch,
  classes,
  peg,
  reachable: left,
  sudoku: digits,
};

/** Do a task; an error says what needs a server. */
export async function work(task: string, base: string, asked: Asked, tell: Tell): Promise<void> {
  const known = TASKS[task];
  if (!known) throw new TooLarge("This needs exactile serve, which runs on your own computer.");
  await known(base, asked, tell);
}
