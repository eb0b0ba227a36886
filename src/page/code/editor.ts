// The editor: a region drawn by clicking, sets of pieces, pieces of one's own; saved as a file.

import { answer, packed, unpacked } from "./api";
import { nearest, STEPS } from "./cursor";
import { button, download, h, labelled, number, plural, say, select } from "./dom";
import { PALETTE, type Part, Sketch } from "./drawing";
import { embedded, key, settled } from "./lattice";
import { BRUSHES as PAINT_BRUSHES, byColor, given, kept, painted, PREFIX, unpainted, wrapOf, wrapText } from "./paint";
import { FREEDOMS, pieceCard, type Tray } from "./tray";
import { window } from "./window";
import type { Route } from "./route";
import type { Board, Lattice, Paint, Piece, Point } from "./types";

type State = "in" | "optional" | "piece";

interface Drawing {
  lattice: string;
  /** Width, height, layers of the window that is drawn in. */
  size: [number, number, number];
  corner: number[];
  units: [Point, State][];
  pieces: Piece[];
  name: string;
  title: string;
  wrap: Point[];
  crossing: boolean;
  paint: Paint;
}

const BRUSHES: [string, string][] = [
  ["in", "to be covered"],
  ["optional", "may stay empty"],
  ["out", "erase"],
  ["piece", "a piece of my own"],
  ...PAINT_BRUSHES,
];

export async function showEditor(place: HTMLElement, route: Route, signal: AbortSignal): Promise<void> {
  const lattices = await answer<Lattice[]>("lattices", {}, signal);
  const text = route.parts[1] ? await unpacked(route.parts[1]) : "";
  const editor = new Editor(lattices, signal);
  place.append(h("h1", {}, "Editor"), editor.element);
  if (text) await editor.open(text);
  else editor.begin("square");
}

class Editor {
  readonly element: HTMLElement;
  private drawing!: Drawing;
  private sketch!: Sketch;
  private points: Point[] = [];
  private past: string[] = [];
  private future: string[] = [];
  private cursor = 0;
  private painting = false;
  private written = "";
  private waiting = 0;

  private readonly board = h("div", {
    class: "card board",
    tabindex: 0,
    role: "application",
    "aria-label": "Drawing: arrows move, Space or Enter paints",
  });
  private readonly told = h("p", { role: "status" });
  private readonly tray = h("div", { class: "pieces" });
  private readonly links = h("div", { class: "row" });
  private readonly lattice: HTMLSelectElement;
  private readonly sets = h("select", { "aria-label": "Set of pieces" });
  private readonly oneSided = h("input", { type: "checkbox" });
  private readonly brush = select("Brush", BRUSHES, "in");
  private readonly sizes = ["Width", "Height", "Layers"].map((name) =>
    h("input", { type: "number", min: 1, max: 60, "aria-label": name }),
  );
  private readonly name = h("input", { "aria-label": "Name", value: "mine", size: 14 });
  private readonly wrap = h("input", { "aria-label": "Wrap", placeholder: "5,0; 0,4", size: 10, title: "Translations that bring each unit back to itself, in steps of the lattice" });
  private readonly pieceName = h("input", { "aria-label": "Name of the piece", placeholder: "A", size: 4 });
  private readonly freedom = select("Freedom", FREEDOMS, "free");
  private readonly file = h("input", { type: "file", accept: ".toml,.xmpuzzle,.psv,.txt", class: "hidden", "aria-label": "File" });

  constructor(
    private readonly lattices: Lattice[],
    private readonly signal: AbortSignal,
  ) {
    this.lattice = select("Lattice", lattices.map((l) => [l.name, l.name]));
    this.lattice.addEventListener("change", () => this.begin(this.lattice.value));
    for (const input of this.sizes) input.addEventListener("change", () => this.resize());
    this.name.addEventListener("change", () => this.change(() => (this.drawing.name = this.name.value)));
    this.wrap.addEventListener("change", () =>
      this.change(() => (this.drawing.wrap = wrapOf(this.wrap.value, this.here.period))),
    );
    this.file.addEventListener("change", () => void this.load());
    globalThis.addEventListener("pointerup", () => (this.painting = false), { signal });
    this.board.addEventListener("keydown", (event) => this.pressed(event));
    const row = (...children: HTMLElement[]) => h("div", { class: "row" }, ...children);
    this.element = h(
      "div",
      { class: "sides" },
      h(
        "div",
        {},
        row(labelled("Lattice", this.lattice), ...this.sizes.map((i) => labelled(i.ariaLabel!, i)), labelled("Wrap", this.wrap)),
        row(
          labelled("Paint", this.brush),
          button("Undo", () => this.back()),
          button("Redo", () => this.again()),
          button("Fill", () => this.all("in")),
          button("Clear", () => this.all(null)),
        ),
        this.board,
        this.told,
        this.links,
      ),
      h(
        "aside",
        {},
        h("h2", {}, "Pieces"),
        row(labelled("Set", this.sets)),
        row(labelled("one-sided", this.oneSided), button("Add set", () => void this.addSet())),
        row(
          labelled("Own piece", this.pieceName),
          this.freedom,
          button("Add piece", () => this.addPiece()),
        ),
        this.tray,
        button("No pieces", () => this.change(() => (this.drawing.pieces = []))),
        h("h2", {}, "File"),
        row(labelled("Name", this.name)),
        row(
          button("Open…", () => this.file.click()),
          button("Save", () => download(`${this.drawing.name}.toml`, new Blob([this.written]))),
          this.file,
        ),
      ),
    );
  }

  /** Begin with an empty drawing. */
  begin(lattice: string): void {
    const flat = this.find(lattice).flat;
    this.drawing = {
      ...{ lattice, size: flat ? [8, 6, 1] : [3, 3, 3], corner: [0, 0, 0], units: [], pieces: [] },
      ...{ name: this.name.value || "mine", title: "", wrap: [], crossing: true, paint: unpainted() },
    };
    this.past = [];
    this.future = [];
    this.show();
  }

  /** Show a puzzle of a file. */
  async open(text: string): Promise<void> {
    const board = await answer<Board>("board", { puzzle: text }, this.signal);
    const places = board.units.map((unit) => embedded(board.lattice, unit));
    const axis = (k: number) => places.map((p) => p[k] ?? 0);
    const low = [0, 1, 2].map((k) => Math.floor(Math.min(...axis(k))));
    const high = [0, 1, 2].map((k) => Math.ceil(Math.max(...axis(k))));
    const optional = new Set(board.optional);
    this.drawing = {
      lattice: board.lattice.name,
      size: [0, 1, 2].map((k) => Math.max(1, high[k]! - low[k]! + 1)) as [number, number, number],
      corner: low,
      units: board.units.map((unit, i) => [unit, optional.has(i) ? "optional" : "in"]),
      pieces: board.pieces,
      name: board.facts.puzzle,
      title: board.facts.title === board.facts.puzzle ? "" : board.facts.title,
      wrap: board.wrap,
      crossing: board.crossing,
      paint: board.paint,
    };
    this.show();
  }

  private find(name: string): Lattice {
    return this.lattices.find((l) => l.name === name)!;
  }

  private get here(): Lattice {
    return this.find(this.drawing.lattice);
  }

  private change(action: () => void): void {
    this.past.push(JSON.stringify(this.drawing));
    this.future = [];
    action();
    this.show();
  }

  private back(): void {
    this.swap(this.past, this.future);
  }

  private again(): void {
    this.swap(this.future, this.past);
  }

  private swap(from: string[], to: string[]): void {
    const other = from.pop();
    if (!other) return;
    to.push(JSON.stringify(this.drawing));
    this.drawing = JSON.parse(other);
    this.show();
  }

  private resize(): void {
    const size = this.sizes.map((input) => Math.min(Math.max(Number(input.value) || 1, 1), 60));
    this.change(() => (this.drawing.size = size as [number, number, number]));
  }

  private show(): void {
    const { drawing } = this;
    this.lattice.value = drawing.lattice;
    this.name.value = drawing.name;
    this.wrap.value = wrapText(drawing.wrap, this.here.period);
    this.sizes.forEach((input, k) => {
      input.value = String(drawing.size[k]);
      input.parentElement!.hidden = k === 2 && this.here.flat;
    });
    this.sets.replaceChildren(...this.here.sets.map((set) => h("option", { value: set }, set)));
    this.sets.selectedIndex = Math.min(3, this.here.sets.length - 1);
    this.points = window(this.here, drawing.size, drawing.corner, drawing.units.map(([unit]) => unit));
    this.sketch = new Sketch(this.here, this.points, "The drawing", { names: false });
    this.sketch.listen("pointerdown", (unit, event) => {
      event.preventDefault();
      const there = event.target as Element;
      if (there.hasPointerCapture(event.pointerId)) there.releasePointerCapture(event.pointerId);
      this.painting = true;
      this.past.push(JSON.stringify(this.drawing));
      this.future = [];
      this.paint(unit);
    });
    this.sketch.listen("pointerover", (unit) => {
      if (this.painting) this.paint(unit);
    });
    this.board.replaceChildren(this.sketch.element);
    this.fillTray();
    this.redraw();
  }

  private redraw(): void {
    const state = new Map(this.drawing.units.map(([unit, state]) => [key(unit), state]));
    const of = (wanted: State) =>
      this.points.map((_, i) => i).filter((i) => state.get(key(this.points[i]!)) === wanted);
    const part = (name: string, units: number[], color: string, faint = false): Part => ({ name, units, color, faint });
    this.sketch.show([
      part("to be covered", of("in"), "#5aa2f0"),
      part("may stay empty", of("optional"), "#f7c948", true),
      part("a piece of my own", of("piece"), "#e9768f"),
      ...[...byColor(this.drawing.paint)].map(([color, keys]) =>
        part("painted", this.points.map((_, i) => i).filter((i) => keys.has(key(this.points[i]!))), color),
      ),
    ]);
    clearTimeout(this.waiting);
    this.links.replaceChildren();
    this.written = "";
    const turn = (this.waiting = globalThis.setTimeout(() => void this.build(turn), 250));
  }

  private paint(unit: number): void {
    this.cursor = unit;
    const point = this.points[unit]!;
    if (this.brush.value.startsWith(PREFIX)) {
      this.drawing.paint = painted(this.drawing.paint, point, this.brush.value.slice(PREFIX.length));
      return this.redraw();
    }
    const brush = this.brush.value as State | "out";
    const others = this.drawing.units.filter(([other]) => key(other) !== key(point));
    const same = this.drawing.units.some(([other, state]) => key(other) === key(point) && state === brush);
    const erase = brush === "out" || (same && !this.dragging(point));
    this.drawing.units = erase ? others : [...others, [point, brush]];
    this.redraw();
  }

  private last = "";

  /** Whether a stroke goes on that has begun on another unit. */
  private dragging(point: Point): boolean {
    const begun = this.painting && this.last !== "" && this.last !== key(point);
    this.last = key(point);
    return begun;
  }

  private pressed(event: KeyboardEvent): void {
    const step = STEPS[event.key];
    if (step) {
      this.cursor = nearest(this.sketch, this.cursor, ...step);
      this.sketch.mark([this.cursor], "ghost");
      say(key(this.points[this.cursor]!));
    } else if (event.key === " " || event.key === "Enter") {
      this.past.push(JSON.stringify(this.drawing));
      this.last = "";
      this.paint(this.cursor);
    } else if (event.key === "z" && event.ctrlKey) this.back();
    else return;
    event.preventDefault();
  }

  private all(state: State | null): void {
    this.change(() => {
      this.drawing.units = state ? this.points.map((point) => [point, state]) : [];
    });
  }

  private async addSet(): Promise<void> {
    const set = (this.oneSided.checked ? "one-sided-" : "") + this.sets.value;
    try {
      const found = await answer<Piece[]>("pieces", { lattice: this.drawing.lattice, set }, this.signal);
      const names = new Set(this.drawing.pieces.map((piece) => piece.name));
      this.change(() => this.drawing.pieces.push(...found.filter((piece) => !names.has(piece.name))));
    } catch (error) {
      this.tell((error as Error).message, "wrong");
    }
  }

  private addPiece(): void {
    const own = this.drawing.units.filter(([, state]) => state === "piece").map(([unit]) => unit);
    const name = this.pieceName.value.trim() || "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[this.drawing.pieces.length % 26]!;
    if (!own.length) return this.tell("Paint “a piece of my own” first.", "wrong");
    this.change(() => {
      this.drawing.units = this.drawing.units.filter(([, state]) => state !== "piece");
      const units = settled(this.here, own);
      this.drawing.paint = given(this.drawing.paint, this.here, own, name);
      const color = PALETTE[this.drawing.pieces.length % PALETTE.length]!;
      const freedom = this.freedom.value as Piece["freedom"];
      this.drawing.pieces.push({ name, units, freedom, lower: 1, upper: 1, color });
    });
  }

  private fillTray(): void {
    const tray: Tray = {
      lattice: this.here,
      paint: this.drawing.paint,
      brush: () => this.brush.value,
      change: (action) => this.change(action),
      paintAs: (paint) => (this.drawing.paint = paint),
      without: (piece) => (this.drawing.pieces = this.drawing.pieces.filter((other) => other !== piece)),
      tell: (words) => this.tell(words),
    };
    const focused = this.tray.contains(document.activeElement) ? document.activeElement!.getAttribute("aria-label") : null;
    this.tray.replaceChildren(...this.drawing.pieces.map((piece) => pieceCard(tray, piece)));
    if (focused) this.tray.querySelector<HTMLElement>(`[aria-label="${CSS.escape(focused)}"]`)?.focus();
  }

  /** Say something; what is wrong is also marked where it is: the wrap, or the pieces it names. */
  private tell(words: string, kind = ""): void {
    this.told.textContent = words;
    this.told.className = kind;
    const wrong = kind === "wrong" ? words : "";
    const named = new Set([...wrong.matchAll(/pieces? '?([\p{L}\p{N}_]+)/gu)].map(([, name]) => name));
    this.wrap.setAttribute("aria-invalid", String(wrong.includes("wrap")));
    for (const copies of this.tray.querySelectorAll("input"))
      copies.setAttribute("aria-invalid", String(named.has(copies.getAttribute("aria-label")!.slice("Copies of ".length))));
  }

  private of(state: State): Point[] {
    return this.drawing.units.filter(([, s]) => s === state).map(([unit]) => unit);
  }

  /** Ask for the file of what is drawn, and what there is to be said of it, unless that changes meanwhile. */
  private async build(turn: number): Promise<void> {
    const late = () => this.signal.aborted || turn !== this.waiting;
    const { name, title, lattice, pieces, wrap, crossing } = this.drawing;
    const paint = kept(this.drawing.paint, this.drawing.units.map(([unit]) => unit), pieces.map((p) => p.name));
    const [units, optional] = [this.of("in"), this.of("optional")];
    const area = pieces.reduce((sum, piece) => sum + piece.units.length * piece.upper, 0);
    const sum = `${plural(units.length, "unit")} to be covered, pieces of ${number(area)}`;
    if (!units.length || !pieces.length) return this.tell(`${sum}: draw a region and add pieces.`);
    try {
      const drawn = { name, title: title || name, lattice, units, optional, pieces, wrap, crossing, paint };
      const { text } = await answer<{ text: string }>("build", drawn, this.signal);
      const { facts } = await answer<Board>("board", { puzzle: text }, this.signal);
      const word = await packed(text);
      if (late()) return;
      this.written = text;
      const wrong = facts.unsolvable_because;
      this.tell(wrong ? `${sum}. It cannot be solved: ${wrong}.` : `${sum}.`, wrong ? "wrong" : "");
      history.replaceState(null, "", `#/edit/${word}`);
      const link = (tab: string, label: string) => h("a", { href: `#/own/${word}${tab}` }, label);
      this.links.replaceChildren(link("", "Solve it"), link("/play", "Play it"), link("/watch", "Watch it"));
    } catch (error) {
      if (!late()) this.tell((error as Error).message, "wrong");
    }
  }

  private async load(): Promise<void> {
    const file = this.file.files?.[0];
    if (!file) return;
    try {
      const bytes = new Uint8Array(await file.arrayBuffer());
      const content = btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(""));
      const { text } = await answer<{ text: string }>("read", { name: file.name, content }, this.signal);
      await this.open(text);
    } catch (error) {
      this.tell((error as Error).message, "wrong");
    }
  }
}
