// The units that the editor offers: those of a box, and what was drawn beyond it.

import { embedded, key, kind } from "./lattice";
import type { Lattice, Point } from "./types";

/** The units within a box, given by its size and its lowest corner, and some others. */
export function window(lattice: Lattice, size: number[], corner: number[], others: Point[]): Point[] {
  const dimension = lattice.origins[0]!.length;
  const reach = 2 * Math.max(...size) + 4;
  const found = new Map<string, Point>();
  const margin = lattice.period === 1 ? 0.5 : 0;
  const inside = (point: Point) =>
    embedded(lattice, point).every((c, k) => c >= corner[k]! - 1e-6 && c <= corner[k]! + size[k]! - margin + 1e-6);
  const visit = (point: Point): void => {
    if (point.length === dimension) {
      if (kind(lattice, point) >= 0 && inside(point)) found.set(key(point), point);
      return;
    }
    const k = point.length;
    const scale = Math.max(1, Math.round(1 / Math.abs(lattice.embedding[k]![k]!)));
    const middle = Math.round((corner[k] ?? 0) * scale);
    const [low, high] = lattice.flat
      ? [middle - reach * scale, middle + reach * scale]
      : [middle - scale, middle + (size[k]! + 1) * scale];
    for (let c = low; c <= high; c++) visit([...point, c]);
  };
  visit([]);
  for (const unit of others) found.set(key(unit), unit);
  return [...found.values()];
}
