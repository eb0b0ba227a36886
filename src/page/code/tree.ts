// The tree around a node: at each level what was tried, what is chosen, what is to come.

import { s } from "./dom";
import { fine } from "./drawing";

export type State = "tried" | "chosen" | "to come";

const STEP = 10;
const MOST = 40;
/** More branches of a level are drawn closer together. */

/** A drawing of levels, from the root down to the node; the branches of each in their order. */
export function tree(levels: State[][]): SVGSVGElement {
  const width = STEP * (Math.min(MOST, Math.max(1, ...levels.map((states) => states.length))) + 1);
  const height = STEP * 2 * (levels.length + 1);
  const words = `The tree around: ${levels.length} levels`;
  const drawing = s("svg", {
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    class: "tree",
    role: "img",
    "aria-label": words,
  });
  let from: [number, number] = [width / 2, STEP];
  drawing.append(s("circle", { cx: fine(from[0]), cy: from[1], r: 3, class: "chosen" }));
  levels.forEach((states, depth) => {
    const y = STEP * (2 * depth + 3);
    const step = Math.min(STEP, (width - STEP) / states.length);
    const [parent, first] = [from, width / 2 - (step * (states.length - 1)) / 2];
    states.forEach((state, i) => {
      const x = first + step * i;
      const kind = state.replace(" ", "-");
      const [x1, y1, x2] = [parent[0], parent[1], x].map(fine);
      drawing.prepend(s("line", { x1, y1, x2, y2: y, class: kind }));
      drawing.append(s("circle", { cx: fine(x), cy: y, r: fine(Math.min(3, step * 0.4)), class: kind }));
      if (state === "chosen") from = [x, y];
    });
  });
  return drawing;
}
