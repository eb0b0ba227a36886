// A piece in the air: lifted by mouse, pen or finger, turned on its way, and let down.

import { h } from "./dom";
import type { Sketch } from "./drawing";
import { piecePicture } from "./iso";
import { after, motionOf } from "./motion";
import type { Lattice, Piece, Point } from "./types";

const THRESHOLD = 6;
/** Pixels after which a press has become a drag. */

const RAISED = 56;
/** Pixels by which a piece is above the finger that drags it: fingers hide what they touch. */

const LEVEL = 2;
/** A finger scrolls the tray if it moves at least this many times as far sideways as up or down. */

type Spot = { clientX: number; clientY: number };

/** What a drag tells. */
export interface Dragging {
  /** What is scrolled sideways by a finger that does not lift the piece. */
  tray: HTMLElement | null;
  lifted: () => void;
  /** The piece is held by one of its units over a place of the screen; returns whether it hides what is there. */
  over: (units: Point[], grab: number, at: Spot) => boolean;
  /** It was let go. */
  dropped: (at: Spot) => void;
  cancelled: () => void;
}

export class Drag {
  private readonly floating = h("div", { class: "floating", "aria-hidden": "true" });
  private readonly done = new AbortController();
  private at: Spot;
  private lifted = false;
  /** Where the tray was when it began to be scrolled. */
  private scrolled: number | null = null;

  /** Begin with a press; it stays a press until the pointer has moved on a little. */
  constructor(
    private readonly board: Sketch,
    private readonly lattice: Lattice,
    private readonly piece: Piece,
    private units: Point[],
    private grab: number,
    private readonly start: PointerEvent,
    private readonly news: Dragging,
  ) {
    this.at = start;
    const options = { signal: this.done.signal, capture: true, passive: false };
    const own = (action: (event: PointerEvent) => void) => (event: PointerEvent) => {
      if (event.pointerId === start.pointerId) action(event);
    };
    addEventListener("pointermove", own((event) => this.moved(event)), options);
    addEventListener("pointerup", own(() => this.up()), options);
    addEventListener("pointercancel", own(() => this.cancel()), options);
    addEventListener("pointerdown", (event) => this.second(event), options);
    addEventListener("contextmenu", (event) => event.preventDefault(), options);
    addEventListener("keydown", (event) => this.key(event), options);
    addEventListener("wheel", (event) => this.wheel(event), options);
    addEventListener("blur", (event) => event.target === window && this.cancel(), options);
  }

  private moved(event: PointerEvent): void {
    const far = Math.hypot(event.clientX - this.start.clientX, event.clientY - this.start.clientY);
    if (!this.lifted && far < THRESHOLD) return;
    if (!this.lifted && this.leafs(event)) return;
    event.preventDefault();
    event.stopPropagation(); // what is below is not pointed at
    if (event.button === 2 && event.buttons & 2) this.turn("f"); // a second button of the mouse
    const raised = event.pointerType === "touch" ? RAISED : 0;
    this.at = { clientX: event.clientX, clientY: event.clientY - raised };
    if (!this.lifted) {
      this.lifted = true;
      this.news.lifted();
      document.body.append(this.floating);
      document.body.classList.add("dragging");
      this.draw();
    }
    this.update();
  }

  /** Whether the tray is scrolled, as fingers do it; it is then until the finger goes. */
  private leafs({ clientX, clientY, pointerType }: PointerEvent): boolean {
    const { tray } = this.news;
    if (!tray || pointerType !== "touch" || tray.scrollWidth <= tray.clientWidth) return false;
    const [x, y] = [clientX - this.start.clientX, clientY - this.start.clientY];
    if (this.scrolled === null && Math.abs(x) < LEVEL * Math.abs(y)) return false;
    this.scrolled ??= tray.scrollLeft;
    tray.scrollLeft = this.scrolled - x;
    return true;
  }

  /** Draw the piece as large as on the board, the unit by which it is held at the pointer. */
  private draw(): void {
    const scale = this.board.element.getScreenCTM()!.a;
    const { element, box, middles } = piecePicture(this.lattice, this.units, this.piece.color, "", scale);
    const [x, y] = middles[this.grab]!;
    element.style.translate = `${(box[0] - x) * scale}px ${(box[1] - y) * scale}px`;
    this.floating.replaceChildren(element);
  }

  private update(): void {
    this.floating.style.transform = `translate(${this.at.clientX}px, ${this.at.clientY}px)`;
    this.floating.classList.toggle("faint", this.news.over(this.units, this.grab, this.at));
  }

  private turn(key: string): boolean {
    const matrix = motionOf(this.lattice, this.piece, key);
    if (matrix && this.lifted) {
      [this.units, this.grab] = after(this.lattice, this.units, matrix, this.grab);
      this.draw();
      this.update();
    }
    return matrix !== undefined;
  }

  /** Another finger turns the piece. */
  private second(event: PointerEvent): void {
    event.preventDefault();
    event.stopPropagation();
    this.turn("r");
  }

  private key(event: KeyboardEvent): void {
    if (event.key === "Escape") this.cancel();
    else if (event.ctrlKey || event.altKey || event.metaKey || !this.turn(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  private wheel(event: WheelEvent): void {
    if (!this.lifted) return;
    event.preventDefault();
    this.turn("r");
  }

  private up(): void {
    this.end();
    if (!this.lifted && this.scrolled === null) return;
    // the click that a browser makes of a drag within one element is none
    const swallow = (event: Event) => event.stopPropagation();
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }));
    if (!this.lifted) return;
    this.news.dropped(this.at);
  }

  private cancel(): void {
    this.end();
    if (this.lifted) this.news.cancelled();
  }

  private end(): void {
    this.done.abort();
    this.floating.remove();
    document.body.classList.remove("dragging");
  }
}
