// The editor: a region drawn by clicking, sets of pieces, pieces of one's own; saved as a file.

import { answer, packed, unpacked } from "./api";
import { nearest, STEPS } from "./cursor";
import { button, download, h, labelled, number, plural, say, select } from "./dom";
import { type Part, Sketch } from "./drawing";
import { embedded, key, least, most, settled } from "./lattice";
import { BRUSHES as PAINT_BRUSHES, byColor, given, kept, painted, PREFIX, unpainted, wrapOf, wrapText } from "./paint";
import { PALETTE } from "./palette";
import { COPIES, copiesOf, FREEDOMS, pieceCard, type Tray } from "./tray";
import type { SolidView } from "./solid";
import { solidOn } from "./solids";
import { read, write } from "./storage";
import { window } from "./window";
import { rename, type Route } from "./route";
import type { Board, Lattice, Paint, Piece, Point } from "./types";

type State = "in" | "optional" | "piece";

/** A brush: a state, "out", or a paint. */
type Stroke = string;

const STEP = 4;
/** Pixels between the places of a stroke at which it is asked what is there. */

const MOST_SIZE = 60;
/** Limit of a width or height that is typed; a copy may be larger. */

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
  /** The text of the puzzle that was copied: its rules hold here too, as far as they can. */
  like: string;
}

/** What is kept: a drawing, and the word of the address that it was opened from or written to last. */
interface Kept {
  drawing: Drawing;
  word: string;
}

const [KEPT, UNDO] = ["drawing", "undo"];
/** The browser keeps under these names what is drawn, in each tab and last in any, and what Undo brings back in a tab. */

const MOST_UNDO = 50;
/** How many of the last drawings Undo brings back after a reload. */

const BRUSHES: [string, string][] = [
  ["in", "to be covered"],
  ["optional", "may stay empty"],
  ["out", "erase"],
  ["piece", "a piece of my own"],
  ...PAINT_BRUSHES,
];

export async function showEditor(place: HTMLElement, route: Route, signal: AbortSignal): Promise<void> {
  const lattices = await answer<Lattice[]>("lattices", {}, signal);
  const word = route.parts[1] ?? "";
  const text = word && (await unpacked(word));
  const editor = new Editor(lattices, signal);
  place.append(h("h1", {}, "Editor"), editor.element);
  const kept = editor.restored();
  if (kept === null) editor.begin("square");
  if (word && word !== kept) await editor.open(text, word); // else the drawing is newer than the address
}

class Editor {
  readonly element: HTMLElement;
  private drawing!: Drawing;
  private sketch!: Sketch;
  private points: Point[] = [];
  private past: string[] = [];
  private future: string[] = [];
  private cursor = 0;
  /** What the stroke that is being drawn makes of units; empty if none is. */
  private painting: Stroke = "";
  private last = { clientX: 0, clientY: 0 };
  private written = "";
  /** The word of the address that what is drawn was opened from or written to last. */
  private word = "";
  private waiting = 0;
  /** The drawing in three dimensions, and the units that it is of. */
  private solid: { view: Promise<SolidView | null>; units: string } | null = null;

  private readonly board = h("div", {
    class: "card board",
    tabindex: 0,
    role: "application",
    "aria-label": "Drawing: arrows move, Space or Enter paints",
  });
  private readonly space = h("div", { class: "card board small" });
  private readonly told = h("p", { role: "status" });
  private readonly tray = h("div", { class: "pieces" });
  private readonly links = h("div", { class: "row" });
  private readonly lattice: HTMLSelectElement;
  private readonly sets = h("select", { "aria-label": "Set of pieces" });
  private readonly oneSided = h("input", { type: "checkbox" });
  private readonly each = h("input", { value: "1", size: 4, "aria-label": "Copies of each", title: "3, or 0-3" });
  private readonly brush = select("Brush", BRUSHES, "in");
  private readonly sizes = ["Width", "Height", "Layers"].map((name) =>
    h("input", { type: "number", min: 1, max: MOST_SIZE, "aria-label": name }),
  );
  private readonly name = h("input", { "aria-label": "Name", value: "mine", size: 14 });
  private readonly wrap = h("input", { "aria-label": "Wrap", placeholder: "5,0; 0,4", size: 10, title: "Translations that bring each unit back to itself, in steps of the lattice" });
  private readonly pieceName = h("input", { "aria-label": "Name of the piece", placeholder: "A", size: 4 });
  private readonly freedom = select("Freedom", FREEDOMS, "free");
  private readonly file = h("input", { type: "file", accept: ".toml,.xmpuzzle,.psv,.txt", class: "hidden", tabindex: -1, "aria-label": "File" });

  constructor(
    private readonly lattices: Lattice[],
    private readonly signal: AbortSignal,
  ) {
    this.lattice = select("Lattice", lattices.map((l) => [l.name, l.name]));
    this.lattice.addEventListener("change", () => this.begin(this.lattice.value));
    this.sizes.forEach((input, k) => input.addEventListener("change", () => this.resize(k)));
    this.name.addEventListener("change", () => this.change(() => (this.drawing.name = this.name.value)));
    this.wrap.addEventListener("change", () => this.rewrap());
    this.file.addEventListener("change", () => void this.load());
    this.brush.addEventListener("change", () => this.here.flat || this.fillTray()); // units of solids are painted on layers
    for (const end of ["pointerup", "pointercancel"]) globalThis.addEventListener(end, () => (this.painting = ""), { signal });
    this.board.addEventListener("keydown", (event) => this.pressed(event));
    signal.addEventListener("abort", () => this.close());
    globalThis.addEventListener("pagehide", () => this.keepUndo(), { signal });
    const row = (...children: HTMLElement[]) => h("div", { class: "row" }, ...children);
    this.element = h(
      "div",
      { class: "sides" },
      h(
        "div",
        {},
        row(labelled("Lattice", this.lattice), ...this.sizes.map((i) => labelled(i.ariaLabel!, i)), labelled("Wrap", this.wrap)),
        row(
          labelled("Brush", this.brush),
          button("Undo", () => this.back()),
          button("Redo", () => this.again()),
          button("Fill", () => this.all("in")),
          button("Clear", () => this.all(null)),
        ),
        h("div", { class: "drawn" }, this.board, this.space),
        this.told,
        this.links,
      ),
      h(
        "aside",
        {},
        h("h2", {}, "Pieces"),
        row(labelled("Set", this.sets)),
        row(labelled("one-sided", this.oneSided), labelled("each", this.each), button("Add set", () => void this.addSet())),
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
          button("Save", () => void this.save()),
          this.file,
        ),
      ),
    );
  }

  /** Begin with an empty drawing. */
  begin(lattice: string): void {
    const flat = this.find(lattice).flat;
    this.remember();
    this.drawing = {
      ...{ lattice, size: flat ? [8, 6, 1] : [3, 3, 3], corner: [0, 0, 0], units: [], pieces: [] },
      ...{ name: this.name.value || "mine", title: "", wrap: [], crossing: true, paint: unpainted(), like: "" },
    };
    this.show();
  }

  /**
   * Show what was drawn last in this tab, else in any. Return the word of its address, which is empty for
   * a drawing of another tab: that is not newer than any address. Return null if nothing was drawn.
   */
  restored(): string | null {
    try {
      const own = read(KEPT, "sessionStorage");
      const { drawing, word }: Kept = JSON.parse(own ?? read(KEPT) ?? "{}");
      this.past = JSON.parse(read(UNDO, "sessionStorage") ?? "[]");
      if (!drawing.units.length && !drawing.pieces.length) return null;
      [this.drawing, this.word] = [drawing, own ? word : ""];
      this.show();
      return this.word;
    } catch {
      return null; // nothing is there, or somebody else has written there
    }
  }

  /** Keep what is drawn for Undo, unless it is empty. */
  private remember(): void {
    if (!this.drawing || (!this.drawing.units.length && !this.drawing.pieces.length)) return;
    this.past.push(JSON.stringify(this.drawing));
    this.future = [];
  }

  /** Show a puzzle of a file, or of an address with its word. */
  async open(text: string, word = this.word): Promise<void> {
    const board = await answer<Board>("board", { puzzle: text }, this.signal);
    const places = board.units.map((unit) => embedded(board.lattice, unit));
    const axis = (k: number) => places.map((p) => p[k] ?? 0);
    const low = [0, 1, 2].map((k) => Math.floor(least(axis(k))));
    const high = [0, 1, 2].map((k) => Math.ceil(most(axis(k))));
    const optional = new Set(board.optional);
    this.remember();
    this.word = word;
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
      like: text,
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

  private resize(axis: number): void {
    const typed = Math.floor(Number(this.sizes[axis]!.value)) || 1;
    this.change(() => (this.drawing.size[axis] = Math.min(Math.max(typed, 1), MOST_SIZE)));
  }

  private rewrap(): void {
    const wrap = wrapOf(this.wrap.value, this.here);
    if (wrap) return this.change(() => (this.drawing.wrap = wrap));
    clearTimeout(this.waiting);
    this.waiting = 0; // what is being built comes too late
    this.links.replaceChildren();
    this.tell(`The wrap “${this.wrap.value}” cannot be read: write translations such as ${this.here.flat ? "5,0; 0,4" : "5,0,0; 0,4,0"}.`, "wrong");
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
    this.cursor = Math.min(this.cursor, this.points.length - 1);
    this.sketch = new Sketch(this.here, this.points, "The drawing", { names: false });
    this.sketch.listen("pointerdown", (unit, event) => {
      event.preventDefault();
      if (event.button) return; // it opens the menu of the browser
      const there = event.target as Element;
      if (there.hasPointerCapture(event.pointerId)) there.releasePointerCapture(event.pointerId);
      this.begun([unit], event);
    });
    this.sketch.element.addEventListener("pointermove", (event) => {
      if (this.painting) this.paint(this.crossed(event));
    });
    this.board.replaceChildren(this.sketch.element);
    this.raise();
    this.fillTray();
    this.redraw();
  }

  /** Show solids in three dimensions beside their layers. */
  private raise(): void {
    const units = this.here.flat ? "" : [this.drawing.lattice, ...this.points.map(key)].join(" ");
    if (this.solid?.units === units) return;
    this.flatten();
    this.space.hidden = this.here.flat;
    if (units) this.solid = { view: solidOn(this.space, { lattice: this.here, units: this.points }), units };
  }

  /** Show three dimensions no more. */
  private flatten(): void {
    void this.solid?.view.then((view) => {
      view?.close();
      view?.element.remove(); // where it was still being loaded
    });
    this.solid = null;
    this.space.replaceChildren();
  }

  private redraw(): void {
    const state = new Map(this.drawing.units.map(([unit, state]) => [key(unit), state]));
    const of = (wanted: State) =>
      this.points.map((_, i) => i).filter((i) => state.get(key(this.points[i]!)) === wanted);
    const part = (name: string, units: number[], color: string, faint = false): Part => ({ name, units, color, faint });
    const shown = [
      part("to be covered", of("in"), "#5aa2f0"),
      part("may stay empty", of("optional"), "#f7c948", true),
      part("a piece of my own", of("piece"), "#e9768f"),
      ...[...byColor(this.drawing.paint)].map(([color, keys]) =>
        part("painted", this.points.map((_, i) => i).filter((i) => keys.has(key(this.points[i]!))), color),
      ),
    ];
    this.sketch.show(shown);
    const { solid } = this;
    void solid?.view.then((view) => solid === this.solid && view?.show(shown.slice(0, 3).filter(({ units }) => units.length)));
    this.keep();
    clearTimeout(this.waiting);
    this.links.replaceChildren();
    this.written = "";
    const turn = (this.waiting = globalThis.setTimeout(() => void this.build(turn), 250));
  }

  /** Begin a stroke; on a unit that is as the brush would make it, the stroke erases. */
  private begun(units: number[], at: { clientX: number; clientY: number }): void {
    const brush = this.brush.value as Stroke;
    const point = key(this.points[units[0]!]!);
    const same = this.drawing.units.some(([other, state]) => key(other) === point && state === brush);
    this.past.push(JSON.stringify(this.drawing));
    this.future = [];
    this.painting = same ? "out" : brush;
    this.last = at;
    this.paint(units);
  }

  /** The units between where the pointer was and where it is: it may have been fast. */
  private crossed(event: PointerEvent): number[] {
    const { clientX: x, clientY: y } = this.last;
    const [dx, dy] = [event.clientX - x, event.clientY - y];
    const steps = Math.ceil(Math.hypot(dx, dy) / STEP);
    this.last = { clientX: event.clientX, clientY: event.clientY };
    const units = Array.from({ length: steps }, (_, i) => {
      const there = document.elementFromPoint(x + (dx * (i + 1)) / steps, y + (dy * (i + 1)) / steps);
      return there && this.sketch.element.contains(there) ? (there as SVGElement).dataset["unit"] : undefined;
    });
    return [...new Set(units)].filter((unit) => unit !== undefined).map(Number);
  }

  private paint(units: number[]): void {
    const stroke = this.painting;
    if (!units.length || !stroke) return;
    this.cursor = units[units.length - 1]!;
    const points = units.map((unit) => this.points[unit]!);
    if (stroke.startsWith(PREFIX))
      for (const point of points) this.drawing.paint = painted(this.drawing.paint, point, stroke.slice(PREFIX.length));
    else {
      const own = new Set(points.map(key));
      const others = this.drawing.units.filter(([other]) => !own.has(key(other)));
      this.drawing.units = stroke === "out" ? others : [...others, ...points.map((point): [Point, State] => [point, stroke as State])];
    }
    this.redraw();
  }

  private pressed(event: KeyboardEvent): void {
    const step = STEPS[event.key];
    if (event.ctrlKey || event.altKey || event.metaKey) {
      if (event.altKey || event.key.toLowerCase() !== "z") return; // keys of the browser
      event.shiftKey ? this.again() : this.back();
    } else if (step) {
      this.cursor = nearest(this.sketch, this.cursor, ...step);
      this.sketch.mark([this.cursor], "ghost");
      say(key(this.points[this.cursor]!));
    } else if (event.key === " " || event.key === "Enter") {
      this.begun([this.cursor], this.last);
      this.painting = "";
    } else return;
    event.preventDefault();
  }

  private all(state: State | null): void {
    this.change(() => {
      this.drawing.units = state ? this.points.map((point) => [point, state]) : [];
    });
  }

  private keep(): void {
    const kept: Kept = { drawing: this.drawing, word: this.word };
    write(UNDO, null, "sessionStorage"); // it takes no space from the drawing, and is written last
    for (const place of ["sessionStorage", "localStorage"] as const) {
      write(KEPT, null, place); // an older drawing does not come back if this one does not fit
      write(KEPT, JSON.stringify(kept), place);
    }
  }

  private keepUndo(): void {
    write(UNDO, JSON.stringify(this.past.slice(-MOST_UNDO)), "sessionStorage");
  }

  private close(): void {
    this.keepUndo();
    this.flatten();
  }

  private async save(): Promise<void> {
    if (!this.written) {
      clearTimeout(this.waiting);
      await this.build(this.waiting);
    }
    if (this.written) download(`${this.drawing.name}.toml`, new Blob([this.written]));
    else this.tell(`Nothing is saved yet. ${this.told.textContent}`, "wrong");
  }

  private async addSet(): Promise<void> {
    const copies = copiesOf(this.each.value);
    if (!copies?.upper) return this.tell(COPIES, "wrong");
    const set = (this.oneSided.checked ? "one-sided-" : "") + this.sets.value;
    try {
      const found = await answer<Piece[]>("pieces", { lattice: this.drawing.lattice, set }, this.signal);
      const names = new Set(this.drawing.pieces.map((piece) => piece.name));
      this.change(() => this.drawing.pieces.push(...found.filter((piece) => !names.has(piece.name)).map((piece) => ({ ...piece, ...copies }))));
    } catch (error) {
      this.tell((error as Error).message, "wrong");
    }
  }

  private addPiece(): void {
    const own = this.drawing.units.filter(([, state]) => state === "piece").map(([unit]) => unit);
    const names = this.drawing.pieces.map((piece) => piece.name);
    const name = this.pieceName.value.trim() || [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].find((letter) => !names.includes(letter)) || `P${names.length}`;
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
    const { name, title, lattice, pieces, wrap, crossing, like } = this.drawing;
    const paint = kept(this.drawing.paint, this.drawing.units.map(([unit]) => unit), pieces.map((p) => p.name));
    const [units, optional] = [this.of("in"), this.of("optional")];
    const area = pieces.reduce((sum, piece) => sum + piece.units.length * piece.upper, 0);
    const sum = `${plural(units.length, "unit")} to be covered, pieces of ${number(area)}`;
    if (!(units.length + optional.length) || !pieces.length) {
      // what was drawn before would come back
      if (this.past.length && !late()) this.rename("");
      return this.tell(`${sum}: draw a region and add pieces.`);
    }
    try {
      const drawn = { name, title: title || name, lattice, units, optional, pieces, wrap, crossing, paint, like };
      const { text, lost } = await answer<{ text: string; lost: string[] }>("build", drawn, this.signal);
      const { facts } = await answer<Board>("board", { puzzle: text }, this.signal);
      const word = await packed(text);
      if (late()) return;
      this.written = text;
      const wrong = facts.unsolvable_because;
      const without = lost.length ? ` These rules of the copied puzzle are lost: ${lost.join(", ")}.` : "";
      this.tell(`${sum}.${wrong ? ` It cannot be solved: ${wrong}.` : ""}${without}`, wrong || lost.length ? "wrong" : "");
      this.rename(word);
      const link = (tab: string, label: string) => h("a", { href: `#/own/${word}${tab}` }, label);
      this.links.replaceChildren(link("", "Solve it"), link("/play", "Play it"), link("/watch", "Watch it"));
    } catch (error) {
      if (!late()) this.tell((error as Error).message, "wrong");
    }
  }

  /** Give what is drawn an address; an empty word is that of no puzzle. */
  private rename(word: string): void {
    rename(word ? `#/edit/${word}` : "#/edit");
    this.word = word;
    this.keep();
  }

  private async load(): Promise<void> {
    const file = this.file.files?.[0];
    if (!file) return;
    this.file.value = ""; // the same file can be opened again
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
