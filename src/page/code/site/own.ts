// Puzzles of one's own: written as puzzle files, and read again as far as such files go.

import type { Paint, Piece, Point } from "../types";
import { compare, Grid } from "./grid";
import { aspects, keyOf, typeOf } from "./shapes";
import { readToml, type Value } from "./toml";
import type { FullLattice, Statement } from "./types";

export interface Drawn {
  name: string;
  title: string;
  lattice: string;
  units: Point[];
  optional: Point[];
  pieces: Piece[];
  wrap: Point[];
  crossing: boolean;
  paint: Paint;
  /** What is written on each of the units, then on each of the optional ones. */
  labels?: string[];
  /** The text of the puzzle that it was copied from. */
  like?: string;
}

type Table = Record<string, Value>;

const MOST_UNITS = 100_000;

/** A point in customary coordinates, as files have them. */
function coordinates(lattice: FullLattice, point: Point): Point {
  if (!lattice.customary) return point;
  const type = typeOf(lattice, point);
  const place = point.map((c, i) => (c - lattice.origins[type]![i]!) / lattice.period);
  return lattice.origins.length === 1 ? place : [...place, type];
}

function point(lattice: FullLattice, given: Value): Point {
  const dimension = lattice.origins[0]!.length;
  const several = lattice.customary && lattice.origins.length > 1;
  const list = Array.isArray(given) ? (given as number[]) : [];
  const type = several ? list[dimension]! : 0;
  const origin = lattice.origins[type];
  if (list.length !== dimension + Number(several) || !list.every(Number.isInteger) || !origin)
    throw new Error(`${JSON.stringify(given)} is not a unit of the ${lattice.name} lattice.`);
  const place = list.slice(0, dimension);
  const found = lattice.customary ? place.map((c, i) => c * lattice.period + origin[i]!) : place;
  if (typeOf(lattice, found) < 0) throw new Error(`${JSON.stringify(given)} is not a unit of the ${lattice.name} lattice.`);
  return found;
}

const listed = (lattice: FullLattice, points: Point[]) => JSON.stringify(points.map((p) => coordinates(lattice, p)));

/** What is drawn as a puzzle file, which `exactile` reads, too. */
export function written(drawn: Drawn, lattice: FullLattice): string {
  const { name, title, units, optional, pieces, wrap, crossing, paint } = drawn;
  if (!units.length && !optional.length) throw new Error("The region is empty: click on units to draw it.");
  if (paint.units.length || Object.keys(paint.pieces).length)
    throw new Error("Paint needs exactile serve, which runs on your own computer.");
  const groups = pieces.map(({ name, units: own, freedom, lower, upper }) => {
    const cells = `cells = { ${JSON.stringify(name)} = ${listed(lattice, own)} }`;
    return `  { ${cells}, quasi = true, freedom = "${freedom}", ranges = "${lower}..${upper}" },`;
  });
  const steps = wrap.map((vector) => vector.map((c) => c / lattice.period));
  return [
    "format = 1\n",
    `[puzzle.${JSON.stringify(name)}]`,
    ...(title && title !== name ? [`title = ${JSON.stringify(title)}`] : []),
    `lattice = "${lattice.name}"`,
    ...(crossing ? [] : ["crossing = false"]),
    "pieces = [",
    ...groups,
    "]",
    `region.units = ${listed(lattice, [...units, ...optional])}`,
    ...(optional.length ? [`region.optional = ${listed(lattice, optional)}`] : []),
    ...(wrap.length ? [`region.wrap = ${JSON.stringify(steps)}`] : []),
    ...lettered(lattice, [...units, ...optional], drawn.labels ?? []),
    "",
  ].join("\n");
}

function lettered(lattice: FullLattice, units: Point[], labels: string[]): string[] {
  const there = new Map<string, Point[]>();
  labels.forEach((label, k) => label && there.set(label, [...(there.get(label) ?? []), units[k]!]));
  if (!there.size) return [];
  const entries = [...there].map(([label, own]) => `${JSON.stringify(label)} = ${listed(lattice, own)}`);
  return [`labels = { ${entries.join(", ")} }`];
}

/** The labels of a puzzle that a drawing was copied from, for its units; null if one has lost its unit. */
export function keptLabels({ units, optional }: Drawn, like: Statement): string[] | null {
  const own = new Map(like.units.map((unit, k) => [unit.join(), like.labels?.[k] ?? ""]));
  const kept = [...units, ...optional].map((unit) => own.get(unit.join()) ?? "");
  const number = (labels: string[]) => labels.filter(Boolean).length;
  return number(kept) < number(like.labels ?? []) ? null : kept;
}

/** A puzzle of the site as it would be drawn. */
export function drawing(statement: Statement, lattice: FullLattice): string {
  const { fixed, choice, open_rules, use_rules, color_rules, optional } = statement;
  if (fixed.length || choice || open_rules.length || use_rules.length || color_rules.length)
    throw new Error("The rules of this puzzle are edited by exactile serve only.");
  const own = new Set(optional);
  const order = [...statement.units.keys()].filter((k) => !own.has(k));
  const units = (numbers: number[]) => numbers.map((k) => statement.units[k]!);
  const labels = statement.labels?.length ? [...order, ...optional].map((k) => statement.labels![k]!) : [];
  return written(
    { ...statement, units: units(order), optional: units(optional), labels },
    lattice,
  );
}

/** The puzzle of a text, if it is like those written here. */
export function read(text: string, lattices: Record<string, FullLattice>): Statement {
  const file = readToml(text);
  const [[name, table] = ["", null], ...others] = Object.entries((file["puzzle"] ?? {}) as Record<string, Table>);
  if (!table) throw new Error("This is not a puzzle file.");
  if (others.length) throw needs("a file of several puzzles");
  const lattice = lattices[String(table["lattice"])];
  if (!lattice) throw new Error(`There is no lattice '${String(table["lattice"])}'.`);
  const region = (table["region"] ?? {}) as Table;
  only(table, ["title", "lattice", "crossing", "pieces", "region", "labels", "aliases", "source", "known"]);
  only(region, ["units", "optional", "wrap"]);
  const points = (list: Value) => {
    if (!Array.isArray(list)) throw needs("units that are not lists");
    return list.map((given) => point(lattice, given));
  };
  const optional = points(region["optional"] ?? []);
  const wrap = ((region["wrap"] ?? []) as Point[]).map((vector) => vector.map((c) => c * lattice.period));
  const units = numbered([...points(region["units"] ?? []), ...optional], wrap, lattice);
  const grid = new Grid(units, wrap);
  const groups = [table["pieces"] ?? []].flat() as Table[];
  return {
    name,
    title: String(table["title"] ?? name),
    source: String(table["source"] ?? ""),
    lattice: lattice.name,
    units,
    optional: [...new Set(optional.map((unit) => grid.index(unit)))].sort((a, b) => a - b),
    wrap,
    pieces: merged(groups.flatMap((group) => piecesOf(group, points)), lattice),
    choice: 0,
    choices: [],
    fixed: [],
    crossing: table["crossing"] !== false,
    paint: { units: [], pieces: {}, fits: {} },
    open_rules: [],
    use_rules: [],
    color_rules: [],
    known: [],
    items: 0,
    options: 0,
    symmetries: 0,
    proper: 0,
    digest: "",
    reason: "",
    solution: [],
    labels: labelled(table["labels"] ?? {}, units.length, (list) => points(list).map((unit) => grid.index(unit))),
    text,
  };
}

/** What is written on each unit; nothing at all if nothing is. */
function labelled(labels: Value, units: number, numbers: (list: Value) => number[]): string[] {
  if (typeof labels !== "object" || Array.isArray(labels)) throw needs("labels that are drawn");
  const written = Object.entries(labels).flatMap(([label, list]) => numbers(list).map((unit): [number, string] => [unit, label]));
  if (!written.length) return [];
  const found = Array<string>(units).fill("");
  for (const [unit, label] of written) {
    if (!(unit in found)) throw new Error(`Label '${label}' is on a unit outside the region.`);
    found[unit] = label;
  }
  return found;
}

/** The units of a region, each once, reduced by the wrap, in order. */
function numbered(points: Point[], wrap: Point[], { origins }: FullLattice): Point[] {
  if (!points.length) throw new Error("The region is empty: click on units to draw it.");
  if (points.length > MOST_UNITS) throw needs(`a region of ${points.length} units`);
  if (wrap.some((vector) => vector.length !== origins[0]!.length || !vector.every(Number.isInteger)))
    throw new Error(`Each translation of the wrap has ${origins[0]!.length} numbers.`);
  const distinct = new Map(points.map((unit) => [unit.join(), unit]));
  const grid = new Grid([...distinct.values()], wrap);
  if (grid.translations !== wrap.length) throw new Error("The translations of the wrap are not independent.");
  const reduced = new Map([...distinct.values()].map((unit) => grid.reduce(unit)).map((unit) => [unit.join(), unit]));
  if (reduced.size < distinct.size) throw new Error("The wrap identifies two units of the region.");
  return [...reduced.values()].sort(compare);
}

function piecesOf(group: Table, points: (list: Value) => Point[]): Piece[] {
  only(group, ["cells", "quasi", "freedom", "ranges"]);
  const range = String(group["ranges"] ?? "1");
  const [, low, high = low] = /^(\d{1,6})(?:\.\.(\d{1,6}))?$/.exec(range) ?? [];
  if (!low) throw needs(`pieces that are used '${range}' times`);
  const [lower, upper] = [Number(low), Number(high)];
  const freedom = String(group["freedom"]) as Piece["freedom"];
  return Object.entries((group["cells"] ?? {}) as Table).map(([name, list]) => {
    const units = points(list);
    if (!["free", "one-sided", "fixed"].includes(freedom)) throw needs("pieces without a freedom");
    if (!units.length) throw new Error(`Piece ${name} has no units.`);
    if (new Set(units.map(String)).size < units.length) throw new Error(`Piece ${name} has a unit twice.`);
    if (upper < lower)
      throw new Error(`Piece ${name} cannot be used ${low} to ${high} times.`);
    return { name, units, freedom, lower, upper, color: "" };
  });
}

/** Congruent pieces become the first of them; their numbers of uses are added. */
function merged(pieces: Piece[], lattice: FullLattice): Piece[] {
  if (!pieces.length) throw new Error("The puzzle has no pieces: it needs at least one.");
  const found = new Map<string, Piece>();
  const names = new Set<string>();
  for (const piece of pieces) {
    if (names.has(piece.name)) throw new Error(`Two pieces are called '${piece.name}': rename one.`);
    names.add(piece.name);
    const key = keyOf(aspects(lattice, piece, piece.units.map(() => 0)));
    const twin = found.get(key);
    if (twin) found.set(key, { ...twin, lower: twin.lower + piece.lower, upper: twin.upper + piece.upper });
    else found.set(key, piece);
  }
  return [...found.values()];
}

function only(table: Table, keys: string[]): void {
  if (typeof table !== "object") throw needs(`a puzzle file with '${table}'`);
  const other = Object.keys(table).find((key) => !keys.includes(key));
  if (other) throw needs(`a puzzle file with '${other}'`);
}

const needs = (what: string) => new Error(`For ${what} exactile serve is needed, which runs on your own computer.`);
