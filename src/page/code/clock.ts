// A clock for those who want one: how long a challenge has taken.

import { h, labelled } from "./dom";
import { read, write } from "./storage";

const NAME = "clock";
/** The browser keeps under this name that a clock is wanted. */

/** Minutes and seconds. */
function words(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export class Clock {
  readonly element: HTMLElement;
  private readonly wanted = h("input", { type: "checkbox", checked: read(NAME) !== null });
  private readonly shown = h("output");
  /** When the challenges began that are not solved; each is known by what it has given. */
  private readonly begun = new WeakMap<object, number>();
  private challenge: object = {};
  private readonly ticking = setInterval(() => this.show(), 1000);

  constructor() {
    this.element = h("span", { class: "clock" }, labelled("Clock", this.wanted), this.shown);
    this.wanted.addEventListener("change", () => {
      write(NAME, this.wanted.checked ? "" : null);
      this.show();
    });
  }

  /** Another game is gone on with: its time is shown if it is a challenge that has begun. */
  goOn(challenge: object): void {
    this.challenge = challenge;
    this.shown.textContent = "";
    this.show();
  }

  /** The challenge begins. */
  begin(): void {
    this.begun.set(this.challenge, Date.now());
    this.show();
  }

  /** It is solved: how long it took, if that is to be said. */
  end(): string {
    const since = this.begun.get(this.challenge);
    this.show();
    this.begun.delete(this.challenge);
    return since && this.wanted.checked ? ` It took ${words(Date.now() - since)}.` : "";
  }

  close(): void {
    clearInterval(this.ticking);
  }

  private show(): void {
    const since = this.begun.get(this.challenge);
    if (!this.wanted.checked) this.shown.textContent = "";
    else if (since) this.shown.textContent = words(Date.now() - since);
  }
}
