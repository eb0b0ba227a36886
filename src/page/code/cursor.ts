// A cursor on a drawing, moved by the arrow keys.

import type { Sketch } from "./drawing";
import type { Place } from "./lattice";

export const STEPS: Record<string, Place> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The unit nearest to another in a direction. */
export function nearest(sketch: Sketch, from: number, dx: number, dy: number): number {
  const [x, y] = sketch.shapes[from]!.middle;
  let best = from;
  let least = Infinity;
  sketch.shapes.forEach(({ middle }, unit) => {
    const along = (middle[0] - x) * dx + (middle[1] - y) * dy;
    const aside = Math.abs((middle[0] - x) * dy) + Math.abs((middle[1] - y) * dx);
    if (along > 0.05 && aside <= along * 1.5 + 0.01 && along + 2 * aside < least) {
      least = along + 2 * aside;
      best = unit;
    }
  });
  return best;
}
