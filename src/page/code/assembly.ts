// In which order the parts of a solid can be put in, each by a straight move from outside.

import { distinct, embedded, faces, kind, least, most, type Place } from "./lattice";
import type { Lattice, Point } from "./types";

/** Where a part comes from: the axis of space, and from which of its ends. */
export interface Entry {
  part: number;
  /** In words, such as "from above"; empty for parts that hold each other, which are there first. */
  from: string;
}

const WAYS: [words: string, axis: number, sign: 1 | -1][] = [
  ["from above", 2, 1],
  ["from the right", 0, 1],
  ["from the left", 0, -1],
  ["from behind", 1, 1],
  ["from the front", 1, -1],
  ["from below", 2, -1],
];

const NEAR = 1e-6;

type Span = [low: number, high: number];

/** A unit of some type as it is seen along an axis, its middle at the origin. */
interface Outline {
  corners: Place[];
  /** The directions of its edges and those across them: outlines that lie side by side do so in one of these. */
  ways: Place[];
  /** What it covers in the directions of the axes. */
  box: [Span, Span];
}

const flat = (spot: number[], axis: number) => spot.filter((_, k) => k !== axis) as Place;

const less = (a: Place, b: Place): Place => [a[0] - b[0], a[1] - b[1]];

const along = (place: Place, way: Place): number => place[0] * way[0] + place[1] * way[1];

function outline(lattice: Lattice, origin: Point, axis: number): Outline {
  const middle = flat(embedded(lattice, origin), axis);
  const all = faces(lattice, origin).map((face) => face.map((spot) => less(flat(spot, axis), middle)));
  const edges = all.flatMap((corners) => corners.map((from, i) => less(corners[(i + 1) % corners.length]!, from)));
  const ways = edges.filter((edge) => Math.hypot(...edge) > NEAR).flatMap(([x, y]): Place[] => {
    const long = Math.hypot(x, y);
    return [[x / long, y / long], [y / long, -x / long]];
  });
  const corners = distinct(all.flat());
  return { corners, ways: distinct(ways), box: [span(corners, [1, 0]), span(corners, [0, 1])] };
}

/** What corners cover in a direction, without its ends; about one place if they are seen from their side. */
function span(corners: Place[], way: Place): Span {
  const places = corners.map((corner) => along(corner, way));
  const [low, high] = [least(places), most(places)];
  return high - low > 3 * NEAR ? [low + NEAR, high - NEAR] : [low - NEAR / 3, high + NEAR / 3];
}

const overlap = (a: Span, b: Span, by: number): boolean => a[0] <= b[1] + by && b[0] + by <= a[1];

/** Whether outlines overlap, the second one moved. */
function meet(a: Outline, b: Outline, by: Place): boolean {
  if (!overlap(a.box[0], b.box[0], by[0]) || !overlap(a.box[1], b.box[1], by[1])) return false;
  return [...a.ways, ...b.ways].every((way) => overlap(span(a.corners, way), span(b.corners, way), along(by, way)));
}

/** For each part, the parts that it meets on its way along an axis, in the direction of larger coordinates. */
function ahead(lattice: Lattice, parts: Point[][], axis: number): Set<number>[] {
  const outlines = lattice.origins.map((origin) => outline(lattice, origin, axis));
  const touch = lattice.balls ? Math.hypot(...embedded(lattice, lattice.neighbors[0]![0]!)) - NEAR : 0;
  const units = parts.map((own) =>
    own.map((unit) => {
      const middle = embedded(lattice, unit);
      return { shape: outlines[kind(lattice, unit)]!, at: flat(middle, axis), depth: middle[axis]! };
    }),
  );
  const found = parts.map(() => new Set<number>());
  units.forEach((own, i) =>
    units.slice(0, i).forEach((others, j) => {
      for (const a of own)
        for (const b of others) {
          const [low, high] = a.depth < b.depth ? [i, j] : [j, i];
          const by = less(b.at, a.at);
          if (touch ? Math.hypot(...by) < touch : meet(a.shape, b.shape, by)) found[low]!.add(high);
        }
    }),
  );
  return found;
}

/**
 * An order for parts, given by the points of their units. They are taken out one after the other,
 * the highest first; what is taken out makes no other move impossible, so that none is overlooked.
 */
export function assembly(lattice: Lattice, parts: Point[][]): Entry[] {
  const before = [0, 1, 2].map((axis) => ahead(lattice, parts, axis));
  const height = parts.map((units) => least(units.map((unit) => embedded(lattice, unit)[2]!)));
  const left = parts.map((_, part) => part).sort((a, b) => height[b]! - height[a]!);
  const free = (part: number, axis: number, sign: number): boolean =>
    left.every((other) => !(sign > 0 ? before[axis]![part]!.has(other) : before[axis]![other]!.has(part)));
  const out: Entry[] = [];
  for (;;) {
    const next = WAYS.flatMap(([from, axis, sign]) => {
      const part = left.find((one) => free(one, axis, sign));
      return part === undefined ? [] : [{ part, from }];
    })[0];
    if (!next) break;
    left.splice(left.indexOf(next.part), 1);
    out.push(next);
  }
  out.push(...left.map((part) => ({ part, from: "" })));
  return out.reverse();
}
