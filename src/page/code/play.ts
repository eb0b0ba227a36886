// Playing: pieces are taken, turned and put down; the page says whether it can still be finished.

import { answer, ask } from "./api";
import { nearest, STEPS } from "./cursor";
import { button, h, number, plural, say, select, within } from "./dom";
import { Drag } from "./drag";
import { apart, boardSketch, mean, parts, type Sketch } from "./drawing";
import { piecePicture } from "./iso";
import { Clock } from "./clock";
import { type Game as State, keepGame, keptGame } from "./kept";
import { key, type Place } from "./lattice";
import { after, allPlacements, motionOf, motions, placement, placements } from "./motion";
import { type Puzzle, type Tab, uses } from "./puzzle";
import { address, rename } from "./route";
import { linked } from "./share";
import { Grid } from "./site/grid";
import type { SolidView } from "./solid";
import { solidOn } from "./solids";
import { read, write } from "./storage";
import type { Piece, Placed, Point } from "./types";

const PATIENCE = 100;
/** Milliseconds without an answer after which the page says that it is still thinking. */

/** How many pieces a challenge of each level leaves to be placed at most. */
const LEVELS: [string, string][] = [
  ["3", "easy"],
  ["5", "medium"],
  ["7", "hard"],
  ["", "hardest"],
];

const SEED = "challenges";
/** The browser keeps under this name how many challenges there have been. */

const REST_SECONDS = 60;
/** Time limit for solving the rest of a puzzle. */

const CANNOT = "This cannot be finished any more";

const SNAP = 0.9;
/** How far from a place a piece that is dragged snaps to it, in units of length. */

/** A way to put a piece down: numbers of units, and whether nothing else lies there. */
interface Way {
  units: number[];
  fits: boolean;
  far: number;
}

export const showPlay: Tab = async (place, puzzle, signal) => {
  const { game } = puzzle.sent;
  const kept = keptGame(puzzle.subject, puzzle.board);
  const sent = game.given.length || game.placed.length;
  const view = play(place, puzzle, signal, sent ? game : kept);
  if (sent) view.follow(kept);
  rename(address(puzzle.subject, "play")); // a reload shows the game as it was played, not as it was sent
  if (!puzzle.board.lattice.flat) await view.addSolid();
};

/** Let a game be played in a place; the short form is for pages with other things on them. */
export function play(place: HTMLElement, puzzle: Puzzle, signal: AbortSignal, state: State, short = false): Game {
  const game = new Game(puzzle, state, short);
  signal.addEventListener("abort", () => game.close());
  place.append(game.element);
  game.changed();
  return game;
}

const touches = matchMedia("(pointer: coarse)").matches;

const MOUSE = "Drag a piece onto the board. R or the wheel turns it, F flips it.";

const LAYERS = "Drag a piece into the view or into a layer; the lowest is on the left. X, Y and Z turn it.";

const FINGERS = "Drag a piece onto the board; a second finger turns it. Tap it to turn and flip it first.";

class Game {
  readonly element: HTMLElement;
  private readonly sketch: Sketch;
  private readonly places: Grid;
  private readonly verdict = h("p", { role: "status", class: "verdict" });
  private readonly tray = h("div", { class: "pieces", role: "group", "aria-label": "Pieces" });
  private readonly hand = h("div", { class: "row hand" });
  private readonly level = select("Level", LEVELS, "3");
  private readonly challenger = button("Challenge", () => void this.challenge(), { title: "Begin with pieces that leave one solution" });
  private readonly clock = new Clock();
  private readonly undo: State[] = [];
  private redo: State[] = [];
  /** The number of the placement that is in the air. */
  private air = -1;
  private landing: Way | null = null;
  private held: { piece: Piece; units: Point[] } | null = null;
  private cursor = 0;
  private fit = -1;
  private cycled: number[] | null = null;
  private over: number | null = null;
  private asking = new AbortController();
  private solid: SolidView | null = null;

  constructor(
    private readonly puzzle: Puzzle,
    private state: State,
    private readonly short: boolean,
  ) {
    const { board } = puzzle;
    puzzle.link = () => linked(address(puzzle.subject, "play"), { ...this.state });
    this.places = new Grid(board.units, board.wrap);
    const title = board.facts.title || board.facts.puzzle;
    this.sketch = boardSketch(board, title);
    this.sketch.listen("pointermove", (unit) => this.hover(unit));
    this.sketch.listen("click", (unit) => this.click(unit));
    this.sketch.element.addEventListener("pointerleave", () => this.hover(null));
    this.sketch.listen("pointerdown", (unit, event) => this.seize(unit, event));
    this.element = h(
      "div",
      { class: short ? "sides play short" : "sides play" },
      h(
        "div",
        {},
        h(
          "div",
          {
            class: "card board",
            tabindex: 0,
            role: "application",
            "aria-label": "Board: arrows move, Enter puts down or takes, Space tries the fits here",
          },
          this.sketch.element,
        ),
      ),
      h(
        "aside",
        {},
        this.verdict,
        h("h2", { class: "hidden" }, "Pieces"),
        this.tray,
        this.hand,
        h(
          "div",
          { class: "row" },
          button("↶", () => this.back(), { "aria-label": "Undo", title: "Undo" }),
          button("↷", () => this.back(this.redo, this.undo), { "aria-label": "Redo", title: "Redo" }),
          !short && button("Clear", () => this.set([], this.placed.length ? this.state.given : [])),
          button("Hint", () => void this.hint()),
          !short && button("Finish", () => void this.rest(), { title: "Put all other pieces where they can lie" }),
        ),
        !short && h("div", { class: "row" }, this.challenger, this.level, this.clock.element),
      ),
    );
    this.element.addEventListener("keydown", (event) => this.pressed(event));
  }

  /** Show what is on the board in three dimensions, too. */
  async addSolid(): Promise<void> {
    // as large as what is coming: else that would push the layers away under the pointer
    const coming = h("div", { class: "coming" }, h("div", { class: "scene" }), h("details", { class: "more" }, h("summary", {}, "…")));
    const place = h("div", { class: "card board small" }, coming);
    this.element.firstElementChild!.prepend(place);
    this.solid = await solidOn(place, this.puzzle.board);
    coming.remove();
    this.show();
  }

  close(): void {
    this.asking.abort();
    this.clock.close();
    this.solid?.close();
  }

  /** The pieces that the player has placed. */
  private get placed(): Placed[] {
    return this.state.placed;
  }

  /** What was placed before the game began, and stays. */
  private get locked(): Placed[] {
    return [...this.puzzle.board.fixed, ...this.state.given];
  }

  /** What lies on the board. */
  private lying(): Placed[] {
    return [...this.locked, ...this.placed.filter((_, i) => i !== this.air)];
  }

  /** What the server is asked about. */
  private get asked() {
    return { ...this.puzzle.asked, placed: [...this.state.given, ...this.placed] };
  }

  private show(): void {
    const shown = parts(this.puzzle.board, this.lying());
    if (this.state.given.length) for (const part of shown.slice(0, this.locked.length)) part.locked = true;
    this.sketch.show(shown);
    this.solid?.show(shown);
  }

  /** Show what is on the board, and ask whether it can be finished. */
  changed(): void {
    if (this.held && this.left(this.held.piece) <= 0) this.held = null;
    this.cycled = null;
    this.air = -1; // numbers of placements are others now
    this.show();
    this.sketch.mark([], "");
    this.fillTray();
    this.fillHand();
    keepGame(this.puzzle.subject, this.state);
    void this.judge();
  }

  private set(placed: Placed[], given = this.state.given): void {
    this.undo.push(this.state);
    this.redo = [];
    if (given !== this.state.given) this.clock.goOn(given);
    if (given !== this.state.given && given.length) this.clock.begin();
    this.state = { given, placed };
    this.changed();
  }

  /** Let Undo bring back a game that this one replaces. */
  follow(before: State): void {
    const [lost, now] = [before, this.state].map(({ given, placed }) => JSON.stringify([given, placed]));
    if (lost !== now && before.given.length + before.placed.length) this.undo.push(before);
  }

  private back(from = this.undo, to = this.redo): void {
    const other = from.pop();
    if (!other) return;
    to.push(this.state);
    if (other.given !== this.state.given) this.clock.goOn(other.given);
    this.state = other;
    this.changed();
  }

  /** End what was asked before: only the last answer is told. */
  private speaks(): AbortSignal {
    this.asking.abort();
    this.asking = new AbortController();
    return this.asking.signal;
  }

  private async judge(): Promise<void> {
    const signal = this.speaks();
    const thinking = setTimeout(() => signal.aborted || this.tell("Still thinking…", ""), PATIENCE);
    let full = false;
    try {
      for await (const { kind, content } of ask("finish", this.asked, signal)) {
        clearTimeout(thinking);
        if (kind === "finish") full = content.solved && this.placed.length > 0;
        if (kind === "finish" && content.possible === null) this.tell("No answer within the time limit.", "");
        else if (kind === "finish" && content.possible)
          this.tell(full ? `Solved!${this.clock.end()}` : "This can still be finished.", full ? "right solved" : "right");
        else if (kind === "finish")
          this.tell(`${CANNOT}${content.reason ? `: ${content.reason}` : ""}.`, "wrong");
        else if (kind === "ways" && !full)
          this.tell(`This can still be finished in ${content.more ? "more than " : ""}${plural(content.ways, "way")}.`, "right");
      }
    } catch (error) {
      if (!signal.aborted) this.tell((error as Error).message, "wrong");
    } finally {
      clearTimeout(thinking);
    }
  }

  private tell(words: string, kind: string): void {
    this.verdict.textContent = words;
    this.verdict.className = `verdict ${kind}`;
    const solved = kind.includes("solved");
    this.element.classList.toggle("solved", solved);
    this.challenger.textContent = solved && this.state.given.length ? "Next challenge" : "Challenge";
    this.challenger.className = solved ? "main" : "";
  }

  /** The units that are not covered. */
  private free(): Set<number> {
    const covered = new Set(this.lying().flatMap(([, units]) => units));
    return new Set(this.puzzle.board.units.map((_, i) => i).filter((i) => !covered.has(i)));
  }

  private left(piece: Piece): number {
    const all = [...this.locked, ...this.placed];
    return piece.upper - all.filter(([name]) => name === piece.name).length;
  }

  private fillTray(): void {
    const { board } = this.puzzle;
    const focused = (document.activeElement as HTMLElement | null)?.dataset["piece"];
    const given = new Set(this.short ? this.state.given.map(([name]) => name) : []);
    this.tray.replaceChildren(
      ...board.pieces.filter(({ name }) => !given.has(name)).map((piece) => {
        const left = this.left(piece);
        const picture = piecePicture(board.lattice, piece.units, piece.color, piece.name, board.lattice.flat ? 12 : 16, board.paint);
        const take = (event: PointerEvent) => {
          this.drag(event, piece, piece.units, picture.nearest(picture.place(event)));
        };
        const count = piece.upper > 1 ? ` ×${number(left)}` : uses(piece);
        const control = button("", () => this.take(piece, piece.units), {
          onpointerdown: take as EventListener,
          "aria-label": `Take ${piece.name}${count}, ${number(left)} left`,
          "aria-pressed": String(this.held?.piece === piece),
          "data-piece": piece.name,
          disabled: left <= 0,
          class: left <= 0 && "out",
        });
        picture.element.setAttribute("aria-hidden", "true");
        control.append(picture.element, h("span", { class: "name" }, piece.name + count));
        return control;
      }),
    );
    if (focused) this.tray.querySelector<HTMLElement>(`[data-piece="${CSS.escape(focused)}"]`)?.focus();
  }

  private fillHand(): void {
    const { lattice } = this.puzzle.board;
    const focused = this.hand.contains(document.activeElement) ? document.activeElement!.textContent : null;
    if (!this.held) return this.hand.replaceChildren(h("p", { class: "soft" }, touches ? FINGERS : lattice.flat ? MOUSE : LAYERS));
    const { piece, units } = this.held;
    const picture = piecePicture(lattice, units, piece.color, `${piece.name}, in the hand`, 18);
    picture.element.addEventListener("pointerdown", (event) =>
      this.drag(event, piece, units, picture.nearest(picture.place(event))),
    );
    const turns = [...motions(lattice, piece)].map(([name, matrix]) =>
      button(name, () => this.take(piece, after(lattice, this.held!.units, matrix)[0])),
    );
    const back = button("Put back", () => {
      this.drop();
      this.tray.querySelector<HTMLElement>(`[data-piece="${CSS.escape(piece.name)}"]`)?.focus();
    });
    this.hand.replaceChildren(picture.element, ...turns, back);
    if (focused) [...turns, back].find((control) => control.textContent === focused)?.focus();
  }

  private take(piece: Piece, units: Point[]): void {
    this.held = { piece, units };
    this.fit = -1;
    this.fillHand();
    for (const control of this.tray.querySelectorAll<HTMLElement>("button"))
      control.setAttribute("aria-pressed", String(control.dataset["piece"] === piece.name));
    this.hover(this.over);
  }

  private drop(): void {
    this.held = null;
    this.changed();
  }

  /** The way to put down what is held on a unit: one that fits, else any within the region. */
  private best(unit: number): Way | null {
    if (!this.held) return null;
    const { board } = this.puzzle;
    const on = this.sketch.shapes[unit]!.middle;
    const ways = placements(board.lattice, this.places, this.held.units, board.units[unit]!);
    return this.choice(ways.map((units) => [units, this.far(units, on)]));
  }

  /** Of ways with their distances the nearest that fits, else the nearest within the region. */
  private choice(ways: [number[], number][]): Way | null {
    const free = this.free();
    const found = ways
      .filter(([units]) => units.every((u) => u >= 0))
      .map(([units, far]) => ({ units, far, fits: units.every((u) => free.has(u)) && new Set(units).size === units.length }));
    return found.sort((a, b) => Number(b.fits) - Number(a.fits) || a.far - b.far)[0] ?? null;
  }

  /** How far the middle of units is from a place; Infinity if some are outside. */
  private far(units: number[], place: Place): number {
    if (units.includes(-1)) return Infinity;
    return apart(mean(units.map((u) => this.sketch.shapes[u]!.middle)), place);
  }

  private hover(unit: number | null): void {
    this.over = unit;
    this.cycled = null;
    const way = unit === null ? null : this.best(unit);
    this.sketch.mark(way?.units ?? [], way?.fits ? "ghost" : "bad");
  }

  private click(unit: number): void {
    this.cursor = unit;
    const there = this.placed.findIndex(([, units]) => units.includes(unit));
    if (there >= 0 && !this.best(unit)?.fits) return this.pickUp(there);
    const way = this.best(unit);
    if (way?.fits) this.put(way.units);
  }

  private put(units: number[]): void {
    const { piece } = this.held!;
    if (this.left(piece) <= 0) return;
    if (this.left(piece) === 1) this.held = null;
    this.cycled = null;
    say(`${piece.name} put down`);
    this.set([...this.placed, [piece.name, units]]);
  }

  /** A press on the board may be the beginning of dragging the piece that lies there. */
  private seize(unit: number, event: PointerEvent): void {
    const there = this.placed.findIndex(([, units]) => units.includes(unit));
    if (there < 0) return;
    const { board } = this.puzzle;
    const [name, units] = this.placed[there]!;
    const piece = board.pieces.find((p) => p.name === name)!;
    this.drag(event, piece, units.map((u) => board.units[u]!), units.indexOf(unit), there);
  }

  /** Where a piece would go: where it is held, else any way in which it is on the unit below. */
  private landingOf(units: Point[], grab: number, place: Place): Way | null {
    const { board } = this.puzzle;
    const there = this.sketch.nearest(place);
    const far = (unit: number) => apart(this.sketch.shapes[unit]!.middle, place);
    const held = board.units.flatMap((on, unit): [number[], number][] => {
      const way = far(unit) < SNAP && placement(board.lattice, this.places, units, grab, on);
      return way ? [[way, far(unit)]] : [];
    });
    const other = far(there) < SNAP ? placements(board.lattice, this.places, units, board.units[there]!) : [];
    return this.choice([...held, ...other.map((way): [number[], number] => [way, SNAP + this.far(way, place)])]);
  }

  /** Where a piece would go in space: as deep below the pointer as nothing lies before it. */
  private landingInSpace(units: Point[], grab: number, below: number[]): Way | null {
    const { board } = this.puzzle;
    const free = this.free();
    const covered = below.findIndex((unit) => !free.has(unit));
    const open = (covered < 0 ? below : below.slice(0, covered)).reverse();
    const ways = open.flatMap((unit, deep): [number[], number][] => {
      const on = board.units[unit]!;
      const held = placement(board.lattice, this.places, units, grab, on);
      const others = placements(board.lattice, this.places, units, on);
      return [...(held ? [[held, deep] as [number[], number]] : []), ...others.map((way): [number[], number] => [way, deep + open.length])];
    });
    return this.choice(ways);
  }

  /** Whether a place of the screen is on the board, in layers or in space. */
  private isOn(at: { clientX: number; clientY: number }): boolean {
    return within(this.sketch.element, at) || !!this.solid?.isAt(at);
  }

  /** Drag a piece by one of its units: a new one, or one of those on the board. */
  private drag(event: PointerEvent, piece: Piece, units: Point[], grab: number, air = -1): void {
    if (event.button || (air < 0 && this.left(piece) <= 0)) return;
    const there = event.target as Element;
    if (there.hasPointerCapture(event.pointerId)) there.releasePointerCapture(event.pointerId);
    const { board } = this.puzzle;
    const before = this.state;
    new Drag(this.sketch, board.lattice, piece, units, grab, event, {
      tray: this.tray.contains(there) ? this.tray : null,
      lifted: () => {
        this.air = this.state === before ? air : -1; // else it has changed, and is left as it is
        this.held = null;
        this.show();
      },
      over: (turned, unit, at) => {
        const deep = this.solid?.below(at) ?? [];
        this.landing = deep.length ? this.landingInSpace(turned, unit, deep) : this.landingOf(turned, unit, this.sketch.place(at));
        units = turned;
        this.sketch.mark(this.landing?.units ?? [], this.landing?.fits ? "ghost" : "bad");
        this.solid?.mark(this.landing?.fits ? { name: piece.name, units: this.landing.units, color: piece.color } : null);
        return deep.length > 0;
      },
      dropped: (at) => {
        const { landing } = this;
        const onBoard = this.isOn(at);
        this.end();
        if (this.state !== before) return this.show(); // it has changed meanwhile
        const others = this.placed.filter((_, i) => i !== air);
        if (landing?.fits) this.set([...others, [piece.name, landing.units]]);
        else if (air >= 0 && !onBoard) this.set(others);
        else {
          this.show();
          if (air < 0) this.take(piece, units);
          if (onBoard) {
            this.speaks(); // a verdict that comes later must not hide this
            this.tell(`${piece.name} does not fit there.`, "wrong");
          }
        }
        if (landing?.fits) say(`${piece.name} put down`);
      },
      cancelled: () => {
        this.end();
        this.show();
      },
    });
  }

  /** Nothing is in the air any more. */
  private end(): void {
    this.air = -1;
    this.landing = null;
    this.solid?.mark(null);
    this.sketch.mark([], "");
    this.fillHand();
  }

  private pickUp(which: number): void {
    const [name, units] = this.placed[which]!;
    const { board } = this.puzzle;
    this.held = { piece: board.pieces.find((p) => p.name === name)!, units: units.map((u) => board.units[u]!) };
    this.set(this.placed.filter((_, i) => i !== which));
  }

  private pressed(event: KeyboardEvent): void {
    const board = (event.target as HTMLElement).getAttribute("role") === "application";
    const { lattice } = this.puzzle.board;
    const matrix = this.held && motionOf(lattice, this.held.piece, event.key);
    if (event.ctrlKey || event.altKey || event.metaKey) {
      if (event.altKey || event.key.toLowerCase() !== "z") return; // keys of the browser
      event.shiftKey ? this.back(this.redo, this.undo) : this.back();
    } else if (this.held && matrix) {
      this.take(this.held.piece, after(lattice, this.held.units, matrix)[0]);
    } else if (event.key === "Escape") this.drop();
    else if (board && STEPS[event.key]) this.step(STEPS[event.key]!);
    else if (board && event.key === "Enter" && this.cycled) this.put(this.cycled);
    else if (board && event.key === "Enter") this.click(this.cursor);
    else if (board && event.key === " ") this.cycle();
    else return;
    event.preventDefault();
  }

  /** Move the cursor to the nearest unit in a direction. */
  private step([dx, dy]: Place): void {
    this.cursor = nearest(this.sketch, this.cursor, dx, dy);
    this.hover(this.cursor);
    if (!this.best(this.cursor)) this.sketch.mark([this.cursor], "ghost");
    const owner = this.placed.find(([, units]) => units.includes(this.cursor))?.[0];
    say(`${key(this.puzzle.board.units[this.cursor]!)}, ${owner ?? "empty"}`);
  }

  /** Turn what is held so that it fits on the cursor in the next way. */
  private cycle(): void {
    if (!this.held) return;
    const { board } = this.puzzle;
    const free = this.free();
    const ways = allPlacements(board.lattice, this.places, this.held.piece, board.units[this.cursor]!)
      .filter((way) => way.every((u) => free.has(u)) && new Set(way).size === way.length);
    if (!ways.length) return say("It does not fit here");
    this.fit = (this.fit + 1) % ways.length;
    const way = ways[this.fit]!;
    this.held = { piece: this.held.piece, units: way.map((u) => board.units[u]!) };
    this.fillHand();
    this.cycled = way;
    this.sketch.mark(way, "ghost");
    say(`Way ${this.fit + 1} of ${ways.length}`);
  }

  private async hint(): Promise<void> {
    const signal = this.speaks();
    this.tell("Looking for a hint…", "");
    try {
      const found = await answer<{ fits: Placed[]; moves: Placed[]; possible: boolean | null }>("hint", this.asked, signal);
      const [fits] = found.fits;
      const [move, ...more] = found.moves;
      const given = this.state.given.some(([, units]) => move && key(units) === key(move[1])); // it stays
      if (fits) {
        this.sketch.mark(fits[1], "ghost");
        this.tell(`${fits[0]} fits where it is marked.`, "right");
      } else if (found.possible) this.tell("Nothing is left to be done.", "");
      else if (found.possible === null) this.tell("No hint was found in time.", "");
      else if (!move || (given && this.placed.length < 2)) this.tell(`${CANNOT}.`, "wrong");
      else if (more.length || given) this.tell("More than one piece must move.", "wrong");
      else {
        this.sketch.mark(move[1], "bad");
        this.tell(`${move[0]} must move: it is marked.`, "wrong");
      }
    } catch (error) {
      if (!signal.aborted) this.tell((error as Error).message, "wrong");
    }
  }

  /** Put all other pieces where they can lie. */
  private async rest(): Promise<void> {
    const signal = this.speaks();
    this.tell("Looking for a solution…", "");
    const asked = { ...this.asked, backend: "auto", limit: 1, time_limit: REST_SECONDS };
    try {
      for await (const { kind, content } of ask("solve", asked, signal)) {
        if (kind === "answer") this.tell(content.status === "unsolvable" ? `${CANNOT}.` : "None was found in time.", "wrong");
        if (kind !== "solutions") continue;
        const fixed = new Set(this.locked.map(([, units]) => key(units)));
        return this.set((content[0] as Placed[]).filter(([, units]) => !fixed.has(key(units))));
      }
    } catch (error) {
      if (!signal.aborted) this.tell((error as Error).message, "wrong");
    }
  }

  private async challenge(): Promise<void> {
    const signal = this.speaks();
    this.tell("Making a challenge…", "");
    try {
      const seed = Number(read(SEED) ?? 0) + 1;
      write(SEED, String(seed));
      const asked = { ...this.puzzle.asked, seed, open: Number(this.level.value) || null };
      this.set([], (await answer<{ placed: Placed[] }>("challenge", asked, signal)).placed);
    } catch (error) {
      if (!signal.aborted) this.tell((error as Error).message, "wrong");
    }
  }
}
