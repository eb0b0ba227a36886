// Curves that grow: how much each of several has done in how many seconds.

import { h, number, s } from "./dom";
import { fine } from "./drawing";

const [HEIGHT, LEFT, RIGHT, TOP, BELOW] = [240, 16, 96, 40, 28];

const COLORS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

const DASHES = ["", "7 4", "2 4", "10 3 2 3"];
/** Curves are told apart by their names at the end, by color, and by these. */

type Point = [seconds: number, value: number];

export class Curves {
  readonly element: HTMLElement;
  private readonly width = matchMedia("(max-width: 32rem)").matches ? 360 : 640; // so that words can be read
  private readonly drawing = s("svg", { viewBox: `0 0 ${this.width} ${HEIGHT}`, class: "curves", role: "img" });
  private curves = new Map<string, Point[]>();

  constructor(
    private readonly what: string,
    private readonly names: string[],
  ) {
    this.element = h("div", { class: "card board", hidden: true }, this.drawing);
  }

  clear(): void {
    this.curves = new Map();
    this.draw();
  }

  add(name: string, seconds: number, value: number): void {
    const points = this.curves.get(name) ?? [[0, 0]];
    this.curves.set(name, [...points, [seconds, Number(value)]]);
    this.draw();
  }

  private draw(): void {
    const all = [...this.curves.values()].flat();
    const [last, most] = [0, 1].map((k) => all.reduce((best, point) => Math.max(best, point[k]!), 0)) as [number, number];
    this.element.hidden = most === 0;
    const right = this.width - RIGHT;
    const [across, up] = [right - LEFT, HEIGHT - TOP - BELOW];
    const at = ([seconds, value]: Point): [number, number] => [
      LEFT + (across * seconds) / (last || 1),
      HEIGHT - BELOW - (up * value) / (most || 1),
    ];
    const [left, floor] = at([0, 0]);
    const axes = s("path", { d: `M${left} ${TOP}V${floor}H${right}`, class: "axis" });
    const words = (x: number, y: number, text: string, anchor: string) =>
      s("text", { x, y, "text-anchor": anchor }, text);
    const ends = [...this.curves].map(([name, points]) => ({ name, end: at(points[points.length - 1]!) }));
    ends.sort((a, b) => a.end[1] - b.end[1]);
    ends.forEach(({ end }, i) => (end[1] = Math.max(end[1], i ? ends[i - 1]!.end[1] + 15 : TOP)));
    const over = ends.length ? Math.max(0, ends[ends.length - 1]!.end[1] - floor) : 0;
    this.drawing.setAttribute("aria-label", `${this.what} by seconds: ${this.told()}`);
    this.drawing.replaceChildren(
      axes,
      words(left, TOP - 24, `${this.what}: ${number(most)}`, "start"),
      words(right, floor + 18, `${last.toFixed(1)} s`, "end"),
      ...[...this.curves].map(([name, points]) => {
        const which = this.names.indexOf(name);
        const d = points.map((point, i) => `${i ? "L" : "M"}${at(point).map(fine).join(" ")}`).join("");
        const stroke = COLORS[which % COLORS.length]!;
        return s("path", { d, class: "curve", stroke, "stroke-dasharray": DASHES[which % DASHES.length] });
      }),
      ...ends.map(({ name, end: [x, y] }) => words(Math.min(x, right) + 5, y - over + 4, name, "start")),
    );
  }

  private told(): string {
    const parts = [...this.curves].map(([name, points]) => {
      const [seconds, value] = points[points.length - 1]!;
      return `${name} ${number(value)} after ${seconds.toFixed(1)}`;
    });
    return parts.join(", ");
  }
}
