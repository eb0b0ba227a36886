// Pieces of solids as SVG, seen at a slant: one recognises them at a glance.

import { s } from "./dom";
import { fine, Picture, unitsSketch } from "./drawing";
import { embedded, faces, least, most, type Place } from "./lattice";
import { byColor, paintOf } from "./paint";
import type { Lattice, Paint, Point } from "./types";

type Spot = [number, number, number];

const dot = (a: Spot, b: Spot): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const minus = (a: Spot, b: Spot): Spot => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = (a: Spot, b: Spot): Spot => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a: Spot): Spot => a.map((c) => c / (Math.hypot(...a) || 1)) as Spot;

/** From where pieces are seen: as the view in three dimensions begins. */
const TURN = -0.5;
const TILT = 0.55;
const EYE: Spot = [Math.sin(TURN) * Math.cos(TILT), -Math.cos(TURN) * Math.cos(TILT), Math.sin(TILT)];
const RIGHT: Spot = [Math.cos(TURN), Math.sin(TURN), 0];
const UP = cross(EYE, RIGHT);
const LIGHT = unit([-0.35, -0.5, 0.95]);

const onPaper = (spot: Spot): Place => [dot(spot, RIGHT), -dot(spot, UP)];

interface Face {
  corners: Spot[];
  normal: Spot;
  /** How near the unit that it belongs to is. */
  near: number;
}

/** The faces that only one of some units has and that are seen, the farther ones first. */
function seen(lattice: Lattice, units: Point[]): Face[] {
  const found = new Map<string, Face | null>();
  let solid = true;
  for (const own of units) {
    const center = embedded(lattice, own) as Spot;
    const all = faces(lattice, own) as Spot[][];
    solid &&= all.length > 1;
    for (const corners of all) {
      const [a, b, c] = corners as [Spot, Spot, Spot?];
      let normal: Spot = c ? unit(cross(minus(b, a), minus(c, a))) : [0, 0, 0];
      const outward = solid ? dot(normal, minus(a, center)) : dot(normal, EYE);
      if (outward < 0) normal = normal.map((x) => -x) as Spot;
      const id = corners.map((corner) => corner.map((x) => Math.round(x * 100)).join(",")).sort().join(" ");
      found.set(id, found.has(id) ? null : { corners, normal, near: dot(center, EYE) + 1e-3 * dot(normal, EYE) });
    }
  }
  const outside = [...found.values()].filter((face) => face !== null);
  return outside.filter(({ normal }) => !solid || dot(normal, EYE) > 1e-6).sort((a, b) => a.near - b.near);
}

/** A color that is darker by a factor. */
function shade(color: string, light: number): string {
  const parts = [1, 3, 5].map((at) => Math.round(parseInt(color.slice(at, at + 2), 16) * Math.min(1, light)));
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

/** A small picture of a piece: flat ones as they are, with their paint if it is given, others at a slant. */
export function piecePicture(lattice: Lattice, units: Point[], color: string, name: string, scale = 14, paint?: Paint): Picture {
  if (!lattice.flat) return solidPicture(lattice, units, color, name, scale);
  return unitsSketch(lattice, units, color, name, scale, paint && byColor(paint, paintOf(paint, name)));
}

/** A picture of a piece of a lattice in space, with a number of pixels for each unit of length. */
function solidPicture(lattice: Lattice, units: Point[], color: string, name: string, scale: number): Picture {
  const all = seen(lattice, units);
  const places = all.flatMap(({ corners }) => corners.map(onPaper));
  const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)];
  const [left, top] = [least(xs) - 0.15, least(ys) - 0.15];
  const box: Picture["box"] = [left, top, most(xs) + 0.15 - left, most(ys) + 0.15 - top];
  const element = s(
    "svg",
    { viewBox: box.map(fine).join(" "), class: "sketch", role: "img", "aria-label": name },
    ...all.map(({ corners, normal }) => {
      const d = `M${corners.map((corner) => onPaper(corner).map(fine).join(" ")).join("L")}Z`;
      const fill = shade(color, 0.7 + 0.36 * Math.max(0, dot(normal, LIGHT)));
      return s("path", { d, ...(lattice.edges ? { stroke: color, class: "edge" } : { fill, class: "face" }) });
    }),
  );
  return new Picture(element, box, units.map((own) => onPaper(embedded(lattice, own) as Spot)), scale);
}
