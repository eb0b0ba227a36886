// The pieces of the editor: how often each is used, how it may be moved, how its units are painted.

import { nearest, STEPS } from "./cursor";
import { h, select } from "./dom";
import { unitsSketch } from "./drawing";
import { piecePicture } from "./iso";
import { key } from "./lattice";
import { byColor, paintOf, pieceUnitPainted, PREFIX } from "./paint";
import type { Lattice, Paint, Piece } from "./types";

export const FREEDOMS: [string, string][] = [
  ["free", "turns, flips"],
  ["one-sided", "turns"],
  ["fixed", "as it is"],
];

export const COPIES = "Copies are a number such as 3, or a range such as 0-3; 0 removes the piece.";

/** How often a piece is used, as it was typed; null if that says nothing. */
export function copiesOf(text: string): { lower: number; upper: number } | null {
  const [, low, high = low] = text.match(/^\s*(\d+)(?:\s*-\s*(\d+))?\s*$/) ?? [];
  return low === undefined ? null : { lower: Math.min(Number(low), Number(high)), upper: Math.max(Number(low), Number(high)) };
}

/** What cards of pieces may know and do. */
export interface Tray {
  lattice: Lattice;
  paint: Paint;
  brush: () => string;
  change: (action: () => void) => void;
  paintAs: (paint: Paint) => void;
  without: (piece: Piece) => void;
  tell: (words: string) => void;
}

/** A piece with its picture, on which units are painted, and its controls. Those of solids are seen at a slant, painted ones in layers. */
export function pieceCard(tray: Tray, piece: Piece): HTMLElement {
  const own = piece.lower === piece.upper ? `${piece.lower}` : `${piece.lower}-${piece.upper}`;
  const copies = h("input", { value: own, size: 4, "aria-label": `Copies of ${piece.name}`, title: "3, or 0-3" });
  copies.addEventListener("change", () => {
    const typed = copiesOf(copies.value);
    if (!typed) {
      copies.value = own;
      return tray.tell(COPIES);
    }
    tray.change(() => (typed.upper ? Object.assign(piece, typed) : tray.without(piece)));
  });
  const freedom = select(`Freedom of ${piece.name}`, FREEDOMS, piece.freedom);
  freedom.addEventListener("change", () => tray.change(() => (piece.freedom = freedom.value as Piece["freedom"])));
  const painted = tray.lattice.flat || tray.brush().startsWith(PREFIX) || paintOf(tray.paint, piece.name).length;
  const picture = painted ? painting(tray, piece) : piecePicture(tray.lattice, piece.units, piece.color, piece.name).element;
  return h("span", { class: "piece" }, picture, h("span", { class: "name" }, piece.name), copies, freedom);
}

function painting(tray: Tray, piece: Piece): HTMLElement {
  const sketch = unitsSketch(tray.lattice, piece.units, piece.color, piece.name, 14);
  const colors = [...byColor(tray.paint, paintOf(tray.paint, piece.name))];
  const all = piece.units.map((_, i) => i);
  sketch.show([
    { name: piece.name, units: all, color: piece.color },
    ...colors.map(([color, keys]) => ({ name: "", units: all.filter((i) => keys.has(key(piece.units[i]!))), color })),
  ]);
  const paint = (unit: number) => {
    const brush = tray.brush();
    if (!brush.startsWith(PREFIX)) return tray.tell("To paint a unit of a piece, choose a paint for the brush first.");
    const name = brush.slice(PREFIX.length);
    tray.change(() => tray.paintAs(pieceUnitPainted(tray.paint, piece.name, piece.units[unit]!, name)));
  };
  sketch.listen("click", paint);
  let cursor = 0;
  const words = `Paint ${piece.name}: arrows move, Space paints`;
  const board = h("span", { tabindex: 0, role: "application", "aria-label": words }, sketch.element);
  board.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (step) {
      cursor = nearest(sketch, cursor, ...step);
      sketch.mark([cursor], "ghost");
    } else if (event.key === " " || event.key === "Enter") paint(cursor);
    else return;
    event.preventDefault();
  });
  return board;
}
