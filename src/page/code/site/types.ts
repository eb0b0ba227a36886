// What the files of a site say, as src/exactile/serve/site.py writes them.

import type { Lattice, Piece, Point } from "../types";

/** A lattice with all that models need of it. */
export interface FullLattice extends Lattice {
  /** Whether files have coordinates other than points. */
  customary: boolean;
  /** The rule that pieces do not cross: units at a vertex, and the items of each set of these. */
  crossing: { rays: Point[]; items: number[][] } | null;
}

/** A puzzle: pieces and units as in a `Board`, and the rules with numbers of pieces and units. */
export interface Statement {
  name: string;
  title: string;
  source: string;
  lattice: string;
  units: Point[];
  optional: number[];
  wrap: Point[];
  pieces: Piece[];
  choice: number;
  choices: string[];
  fixed: [string, number[]][];
  crossing: boolean;
  paint: { units: [Point, string][]; pieces: Record<string, [Point, string][]>; fits: Record<string, string[]> };
  open_rules: { units: number[]; lower: number; upper: number }[];
  /** `placed`: it is about uses in some places, which the page cannot search. */
  use_rules: { pieces: string[]; lower: number; upper: number; placed: boolean }[];
  color_rules: { kind: "separated" | "joined"; color: string; pieces: string[] }[];
  known: { count: number; up_to: string; source: string; refuted: string }[];
  /** From the ledger: sizes of model and group, why there is no solution, and a solution. */
  items: number;
  options: number;
  symmetries: number;
  proper: number;
  digest: string;
  reason: string;
  solution: [string, number[]][];
  /** What is written on each unit; nothing at all if nothing is. */
  labels?: string[];
  text: string;
}
