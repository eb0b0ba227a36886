// In which order the parts of a solid can be put in, each by a straight move from outside.

import { key, least, most } from "./lattice";
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

/**
 * An order for parts, given by the points of their units. They are taken out one after the other,
 * the highest first; what is taken out makes no other move impossible, so that none is overlooked.
 */
export function assembly(lattice: Lattice, parts: Point[][]): Entry[] {
  const owner = new Map<string, number>();
  parts.forEach((units, part) => units.forEach((unit) => owner.set(key(unit), part)));
  const all = parts.flat();
  const span = all.length
    ? Math.max(...[0, 1, 2].map((k) => most(all.map((p) => p[k]!)) - least(all.map((p) => p[k]!))))
    : 0;
  const free = (part: number, axis: number, sign: number): boolean =>
    parts[part]!.every((unit) => {
      for (let far = lattice.period; far <= span; far += lattice.period) {
        const there = owner.get(key(unit.map((c, k) => (k === axis ? c + sign * far : c))));
        if (there !== undefined && there !== part) return false;
      }
      return true;
    });
  const height = parts.map((units) => least(units.map((unit) => unit[2]!)));
  const left = parts.map((_, part) => part).sort((a, b) => height[b]! - height[a]!);
  const out: Entry[] = [];
  for (;;) {
    const next = WAYS.flatMap(([from, axis, sign]) => {
      const part = left.find((one) => free(one, axis, sign));
      return part === undefined ? [] : [{ part, from }];
    })[0];
    if (!next) break;
    for (const unit of parts[next.part]!) owner.delete(key(unit));
    left.splice(left.indexOf(next.part), 1);
    out.push(next);
  }
  out.push(...left.map((part) => ({ part, from: "" })));
  return out.reverse();
}
