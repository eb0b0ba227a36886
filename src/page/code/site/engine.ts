// The native engine, compiled to WebAssembly from src/native/web.cpp.

import { loaded } from "../loading";
import type { Model } from "./model";

/** What the engine exports; numbers are addresses. */
export interface Native {
  memory: WebAssembly.Memory;
  [name: string]: any;
}

const AT_ONCE = 4096;

/** Memory of a count by states; a tab has 4 GB at most. */
const MOST_BYTES = 2 ** 30;

/** How every message says that memory ran out. */
export const MORE_MEMORY = "more memory than a page has";

/** The engine could not allocate what it needs. */
export class OutOfMemory extends Error {
  constructor() {
    super(`This needs ${MORE_MEMORY}: exactile serve searches it.`);
  }
}

/** Load the engine from beside the page. */
export async function loadEngine(base: string): Promise<Native> {
  const module = await compiled(new URL("engine.wasm", base));
  const native = {} as { exports?: Native };
  const imports: WebAssembly.Imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module))
    (imports[from] ??= {})[name] = system(name, () => native.exports!.memory);
  const instance = await WebAssembly.instantiate(module, imports);
  native.exports = instance.exports as unknown as Native;
  native.exports["_initialize"]?.();
  return native.exports;
}

/** Compiled while it comes; browsers keep such a module for the next worker. */
async function compiled(address: URL): Promise<WebAssembly.Module> {
  const answer = await loaded(address);
  const typed = answer.headers.get("content-type") === "application/wasm";
  return typed ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
}

/** What the engine asks of its surroundings: the time; all else is answered by "done" or "no". */
function system(name: string, memory: () => WebAssembly.Memory): (...values: any[]) => number | void {
  if (name === "clock_time_get")
    return (_clock: number, _precision: bigint, at: number) => {
      new DataView(memory().buffer).setBigUint64(at >>> 0, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    };
  if (name === "environ_sizes_get")
    return (count: number, size: number) => {
      const view = new DataView(memory().buffer);
      view.setUint32(count >>> 0, 0, true);
      view.setUint32(size >>> 0, 0, true);
      return 0;
    };
  if (name === "proc_exit")
    return (code: number) => {
      throw new Error(`The engine ended with code ${code}.`);
    };
  return () => 0;
}

/** The last error. */
function failure(native: Native): Error {
  const bytes = new Uint8Array(native.memory.buffer, native["error_words"]() >>> 0);
  const found = new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
  return found === "std::bad_alloc" ? new OutOfMemory() : new Error(found);
}

/** Arrays in the engine's memory. */
class Arrays {
  readonly at: number;

  constructor(
    private readonly native: Native,
    arrays: ArrayLike<number>[],
  ) {
    this.at = native["arrays_new"]();
    if (!this.at) throw new OutOfMemory();
    try {
      arrays.forEach((array, k) => this.set(k, array));
    } catch (error) {
      this.free();
      throw error;
    }
  }

  set(which: number, array: ArrayLike<number>): void {
    const at = this.native["arrays_sized"](this.at, which, array.length);
    if (array.length) new Int32Array(this.native.memory.buffer).set(array, made(this.native, at) >>> 2);
  }

  free(): void {
    this.native["arrays_free"](this.at);
  }
}

const arraysOf = ({ lower, upper, first, members }: Model): ArrayLike<number>[] => [
  lower,
  upper,
  first,
  members,
  new Int32Array(members.length),
];

function checked(native: Native, code: number): void {
  if (code < 0) throw failure(native);
}

function made(native: Native, at: number): number {
  if (!at) throw failure(native);
  return at;
}

const result = (native: Native): Int32Array => {
  const at = native["result_data"]() >>> 2;
  return new Int32Array(native.memory.buffer).slice(at, at + native["result_size"]());
};

/** Bit vectors are faster for models of which each option concerns a good part. */
function sparse({ lower, first, members }: Model): boolean {
  const options = first.length - 1;
  const cells = options * lower.length;
  if (!cells) return false;
  const length = members.length / options;
  const removed = (length * length * members.length) / lower.length;
  return !(cells / 1024 < lower.length + removed / 3 && cells <= 2 ** 31);
}

/** Lists, each behind its length. */
function* parts(flat: Int32Array): Generator<Int32Array> {
  for (let k = 0; k < flat.length; k += flat[k]! + 1) yield flat.subarray(k + 1, k + 1 + flat[k]!);
}

/** A part of the tree that is to be searched. */
export interface Ahead {
  path: number[];
  weight: number;
}

/** Seconds that never pass. */
export const FOREVER = 1e9;

/** The search for all solutions, in slices. */
export class Engine {
  private readonly at: number;
  private readonly whole: number;

  constructor(
    private readonly native: Native,
    model: Model,
    prefixes: Ahead[] | null,
    { watched = false, bits = !sparse(model) } = {},
  ) {
    const arrays = new Arrays(native, arraysOf(withoutImplied(model)));
    this.at = made(native, native["engine_new"](arrays.at, Number(!bits) + 2 * Number(watched)));
    arrays.free();
    if (prefixes) this.begin(prefixes);
    this.whole = native["engine_remaining"](this.at);
  }

  /** Search these parts of the tree instead of those that are left. */
  begin(prefixes: Ahead[]): void {
    const flat = prefixes.flatMap(({ path }) => [path.length, ...path]);
    const arrays = new Arrays(this.native, [[], [], [], [], [], flat, prefixes.map(({ weight }) => weight)]);
    checked(this.native, this.native["engine_begin"](this.at, arrays.at));
    arrays.free();
  }

  /** What is not searched yet, in order: options that are chosen, and complements of excluded ones. */
  get ahead(): number[][] {
    this.native["engine_prefixes"](this.at);
    return [...parts(result(this.native))].map((part) => [...part]);
  }

  /** Number of solutions found, kept or not. */
  get count(): number {
    return this.native["engine_count"](this.at);
  }

  /** Visit some nodes; solutions are only counted. */
  skip(nodes: number): void {
    checked(this.native, this.native["engine_run"](this.at, -1, FOREVER, nodes));
  }

  /** Search for some seconds and return solutions, each as its options. */
  run(seconds: number, limit = AT_ONCE, nodes = 0): Int32Array[] {
    checked(this.native, this.native["engine_run"](this.at, Math.min(limit, AT_ONCE), seconds, nodes));
    return [...parts(result(this.native))];
  }

  get exhausted(): boolean {
    return this.native["engine_exhausted"](this.at) === 1;
  }

  get nodes(): number {
    return this.native["engine_nodes"](this.at);
  }

  /** The part of the tree that is searched. */
  get done(): number {
    if (this.exhausted || !this.whole) return 1;
    return Math.max(0, 1 - this.native["engine_remaining"](this.at) / this.whole);
  }

  free(): void {
    this.native["engine_free"](this.at);
  }
}

/** The model without bounds above one that follow from others, where all options have the item. */
export function withoutImplied(model: Model): Model {
  const options = model.first.length - 1;
  const uses = new Int32Array(model.lower.length);
  for (const item of model.members) uses[item]!++;
  const candidate = model.upper.map((high, i) => high > 1 && uses[i] === options);
  if (!options || !candidate.includes(true)) return model;
  const fixed = model.lower.map((low, i) => low === model.upper[i] && !candidate[i]);
  const total = model.lower.reduce((sum, low, i) => sum + (fixed[i] ? low : 0), 0);
  const size = (o: number) =>
    model.members.subarray(model.first[o], model.first[o + 1]).reduce((sum, i) => sum + Number(fixed[i]), 0);
  const each = size(0);
  for (let o = 1; o < options; o++) if (size(o) !== each) return model;
  if (!each || total % each) return model;
  const number = total / each;
  const idle = candidate.map((there, i) => there && model.lower[i]! <= number && number <= model.upper[i]!);
  return {
    ...model,
    lower: model.lower.map((low, i) => (idle[i] ? 0 : low)),
    upper: model.upper.map((high, i) => (idle[i] ? options : high)),
  };
}

const number = (limbs: number[]) => limbs.reduceRight((sum, limb) => (sum << 32n) + BigInt(limb >>> 0), 0n);

/** Counts without listing, by states; see count.hpp. */
export class Counter {
  private readonly at: number;

  constructor(
    private readonly native: Native,
    model: Model,
    rank: number[],
    mostStates: number,
  ) {
    const arrays = new Arrays(native, [...arraysOf(model), rank]);
    this.at = made(native, native["counter_new"](arrays.at, mostStates, MOST_BYTES));
    arrays.free();
  }

  /** Count for some seconds: the number if it is known, null if it is not yet, "no" if it cannot be. */
  run(seconds: number): bigint | null | "no" {
    checked(this.native, this.native["counter_run"](this.at, seconds));
    const [status, ...limbs] = result(this.native);
    if (status === 0) return null;
    return status === 1 ? number(limbs) : "no";
  }

  get done(): number {
    return this.native["counter_done"](this.at);
  }

  get states(): number {
    return this.native["counter_states"](this.at);
  }

  free(): void {
    this.native["counter_free"](this.at);
  }
}

/** Counts by a frontier: an automaton without the pieces, and lists of which are used; see front_count.hpp. */
export class Frontier {
  private readonly at: number;
  private status = 0;

  constructor(
    private readonly native: Native,
    model: Model,
    rank: number[],
    supplied: number[],
    mostNodes: number,
  ) {
    const arrays = new Arrays(native, [...arraysOf(model), rank, supplied]);
    this.at = made(native, native["front_new"](arrays.at, mostNodes, MOST_BYTES));
    arrays.free();
  }

  /** Build the automaton, or count, for some seconds: as `Counter.run`. */
  run(seconds: number): bigint | null | "no" {
    checked(this.native, this.native["front_run"](this.at, seconds));
    const [status, ...limbs] = result(this.native);
    this.status = status!;
    if (status! < 2) return null;
    return status === 2 ? number(limbs) : "no";
  }

  /** Whether the automaton is built. */
  get built(): boolean {
    return this.status === 1 || this.status === 2;
  }

  /** An upper bound of the entries of its lists, once it is built. */
  get bound(): number {
    return this.native["front_bound"](this.at);
  }

  get done(): number {
    return this.native["front_done"](this.at);
  }

  free(): void {
    this.native["front_free"](this.at);
  }
}

/** Attempts to find one solution: beams and restarts; see finder.hpp. */
export class Finder {
  private readonly at: number;
  private readonly arrays: Arrays;

  constructor(
    private readonly native: Native,
    model: Model,
    private readonly neighbors: number[][],
  ) {
    const pieces = model.lower.map((_, i) => Number(i < model.pieces));
    const first = [0];
    for (const own of this.neighbors) first.push(first.at(-1)! + own.length);
    this.arrays = new Arrays(native, [...arraysOf(model), pieces, first, this.neighbors.flat()]);
    this.at = made(native, native["ground_new"](this.arrays.at));
  }

  /** Make an attempt: a solution, null if there is none, or nothing if none was found. */
  attempt(order: number[], width: number, rest: number, nodes: number, seed: number): Int32Array | null | undefined {
    this.arrays.set(5, order);
    checked(this.native, this.native["ground_try"](this.at, this.arrays.at, width, rest, nodes, seed));
    const [exhausted, ...options] = result(this.native);
    if (options.length) return Int32Array.from(options);
    return exhausted ? null : undefined;
  }

  free(): void {
    this.native["ground_free"](this.at);
    this.arrays.free();
  }
}

/** Sequences of jumps of pegs; see peg_find.hpp. */
export class PegFinder {
  private readonly at: number;

  constructor(
    private readonly native: Native,
    holes: number,
    pegs: number[],
    jumps: number[],
    symmetries: number[],
    goals: number[],
  ) {
    const arrays = new Arrays(native, [pegs, jumps, symmetries, goals]);
    this.at = made(native, native["peg_new"](arrays.at, holes, MOST_BYTES));
    arrays.free();
  }

  /** Search for some seconds: the jumps, null if there are none, nothing if not known yet, "no" if it cannot be. */
  run(seconds: number): number[] | null | undefined | "no" {
    checked(this.native, this.native["peg_run"](this.at, seconds));
    const [status, ...jumps] = result(this.native);
    if (jumps.length) return jumps;
    if (status === 0) return undefined;
    return status === 1 ? null : "no";
  }
}

/** What an isometry, or its inverse, moves within a solution: columns, complements for the inverse. */
export interface Move {
  solution: number;
  map: number;
  columns: Int32Array;
}

/** Blocks and exchanges; see similar.hpp. */
export function similarMoves(
  native: Native,
  owners: Int32Array,
  pieces: Int32Array,
  images: Int32Array,
  wanted: number[],
  units: number,
): { cut: number; moves: Move[] } {
  const arrays = new Arrays(native, [owners, pieces, images, wanted]);
  const width = (pieces.length * units) / owners.length;
  checked(native, native["similar_moves"](arrays.at, units, width));
  arrays.free();
  const flat = result(native);
  const moves: Move[] = [];
  for (let k = 1; k < flat.length; k += 3 + flat[k + 2]!)
    moves.push({ solution: flat[k]!, map: flat[k + 1]!, columns: flat.subarray(k + 3, k + 3 + flat[k + 2]!) });
  return { cut: flat[0]!, moves };
}
