// What the server tells, as src/exactile/serve/tasks and exactile.answers define it.

export type Point = number[];

/** A piece and the numbers of its units in the region. */
export type Placed = [piece: string, units: number[]];

export interface Lattice {
  name: string;
  polyform: string;
  plural: string;
  period: number;
  origins: Point[];
  embedding: number[][];
  faces: number[][][][];
  neighbors: Point[][];
  group: number[][][];
  proper: number;
  flips: boolean;
  flat: boolean;
  edges: boolean;
  sets: string[];
  /** Whether units are balls: flat pieces may be turned over. */
  balls: boolean;
  /** Translations after which units overlap others: by type, offsets to these and their shares. */
  slides: { offsets: Point[][]; shares: number[][] }[];
}

export interface Piece {
  name: string;
  units: Point[];
  freedom: "free" | "one-sided" | "fixed";
  lower: number;
  upper: number;
  color: string;
}

export interface Known {
  count: number;
  up_to: string;
  source: string;
  refuted: string;
}

export interface Facts {
  puzzle: string;
  title: string;
  units: number;
  optional_units: number;
  symmetries: { all: number; proper: number };
  items: number;
  options: number;
  known: Known[];
  unsolvable_because: string | null;
  source: string;
}

/** Units of the region and of pieces that have colors, and which colors go together. */
export interface Paint {
  units: [Point, string][];
  pieces: Record<string, [Point, string][]>;
  fits: Record<string, string[]>;
}

export interface Board {
  facts: Facts;
  lattice: Lattice;
  units: Point[];
  optional: number[];
  wrap: number[][];
  pieces: Piece[];
  choice: number;
  choices: string[];
  fixed: Placed[];
  crossing: boolean;
  paint: Paint;
  backends: string[];
  /** What is written on each unit; empty if nothing is. */
  labels: string[];
}

export interface Exhibit {
  id: string;
  title: string;
  lattice: string;
  aliases: string[];
  family: string;
  set: string;
  units: number | null;
  pieces: number | null;
  status: "exact" | "unsolvable" | "open";
  count: number | null;
  at_least: number;
  /** Why it has no solution, or how large a search for all would be. */
  why: string;
}

export interface Progress {
  found: number;
  done: number | null;
  left: number | null;
  nodes: number | null;
  seconds: number;
  doing: string | null;
  counters: Record<string, number>;
}

/** What is counted in a search. */
export type Figure = number | string | null;

/** What all answers of searches have. */
export interface Answer {
  backend: string;
  status: "unknown" | "solvable" | "complete" | "unsolvable";
  stopped: string | null;
  reason: string | null;
  raw?: number | null;
  rotation?: number | null;
  symmetry?: number | null;
  found?: number;
  stats?: { seconds?: number; other?: Record<string, Figure> } & Record<string, unknown>;
  argument?: string | null;
  sentence?: string | null;
  [other: string]: unknown;
}
