// All puzzles, with a picture each, found by words, family, size, and what is known.

import { gallery } from "./api";
import { Finder } from "./find";
import { begin, lead, picture, rest } from "./front";
import { h, labelled, number, plural, select } from "./dom";
import { rename, type Route } from "./route";
import type { Exhibit } from "./types";

const PAGE = 60;

const PATIENCE = 2000;
/** How many milliseconds the list of puzzles waits for the game above it. */

const pause = (time: number): Promise<void> => new Promise((done) => setTimeout(done, time));

const STATES: [string, string][] = [
  ["", "any state"],
  ["exact", "counted"],
  ["unsolvable", "unsolvable"],
  ["open", "open"],
];

const SIZES: [string, string][] = [
  ["", "any size"],
  ["0-30", "up to 30 units"],
  ["31-60", "31 to 60 units"],
  ["61-100", "61 to 100 units"],
  ["101-1000000", "more than 100 units"],
];

const COUNTS: [string, string][] = [
  ["", "any number"],
  ["1-1", "one solution"],
  ["2-100", "2 to 100"],
  ["101-10000", "101 to 10,000"],
  ["10001-1e300", "more than 10,000"],
];

const ORDERS: [string, string][] = [
  ["", "best first"],
  ["most", "most solutions first"],
];

/** How many solutions a puzzle has, or at least has. */
const solutions = (e: Exhibit): number => Number(e.count ?? e.at_least ?? 0);

function within(range: string, value: number | null): boolean {
  if (!range) return true;
  const [low, high] = range.split("-").map(Number) as [number, number];
  return value !== null && value >= low && value <= high;
}

/** How many solutions a puzzle has, in words. */
export function verdict(exhibit: Exhibit): string {
  if (exhibit.status === "unsolvable") return "no solution";
  if (exhibit.count !== null) return plural(exhibit.count, "solution");
  return exhibit.at_least ? `open, at least ${number(exhibit.at_least)}` : "open";
}

function card(exhibit: Exhibit): HTMLLIElement {
  const units = exhibit.units === null ? "" : `${number(exhibit.units)} units, `;
  return h(
    "li",
    {},
    h(
      "a",
      { class: "card", href: `#/p/${exhibit.id}` },
      picture(exhibit),
      h("span", { class: "name" }, exhibit.title),
      h("span", { class: "soft" }, `${exhibit.family}: ${units}${verdict(exhibit)}`),
      exhibit.why && h("span", { class: "why" }, exhibit.why),
    ),
  );
}

export async function showGallery(place: HTMLElement, route: Route, signal: AbortSignal): Promise<void> {
  const back: { shown?: number; y?: number } | null = history.state;
  const words = h("input", { type: "search", placeholder: "pentominoes 6 by 10", value: route.query.get("q") ?? "" });
  const search = h("form", { class: "row find", role: "search" }, labelled("Find", words));
  let wished = false;
  let go = () => void (wished = true); // as long as there is no list
  search.addEventListener("submit", (event) => {
    event.preventDefault();
    go();
  });
  const searching = new Promise((done) => words.addEventListener("input", done, { once: true }));
  const game = h("section", { class: "card begun" });
  const front = h("div", { hidden: route.query.size > 0 }, lead(), game);
  let playing: Promise<void> | null = null;
  const play = () => (playing ??= begin(game, signal).catch(() => game.remove())); // the others can be played
  place.append(h("div", { class: "head" }, h("h1", {}, "Puzzles"), search), front);
  const coming = gallery();
  // The game is there before what is built and drawn below it takes the time of a slow processor.
  const loaded = await Promise.race([coming, null]);
  if (!loaded && !front.hidden && !back) await Promise.race([play(), searching, coming.then(() => pause(PATIENCE))]);
  const all = await coming;
  const below = await rest(all);
  if (signal.aborted) return;
  const finder = new Finder(all);
  front.append(...below);
  const names = (list: string[]): [string, string][] => [...new Set(list)].map((x) => [x, x]);
  const { query } = route;
  const chosen = (name: string) => query.get(name) ?? "";
  const controls = {
    family: select("Family", [["", "every family"], ...names(all.map((e) => e.family))], chosen("family")),
    set: select("Pieces", [["", "all pieces"], ...names(all.map((e) => e.set))], chosen("set")),
    size: select("Size", SIZES, chosen("size")),
    count: select("Solutions", COUNTS, chosen("count")),
    state: select("State", STATES, chosen("state")),
    order: select("Order", ORDERS, chosen("order")),
  };
  const told = h("p", { class: "soft", role: "status" });
  const list = h("ul", { class: "gallery" });
  const more = h("button", { type: "button" }, "Show more");
  let fitting: Exhibit[] = [];
  let shown = 0;

  const extend = () => {
    list.append(...fitting.slice(shown, shown + PAGE).map(card));
    shown = Math.min(shown + PAGE, fitting.length);
    more.hidden = shown >= fitting.length;
  };
  const update = () => {
    fitting = finder.find(words.value).filter(
      (e) =>
        (!controls.family.value || e.family === controls.family.value) &&
        (!controls.set.value || e.set === controls.set.value) &&
        (!controls.state.value || e.status === controls.state.value) &&
        within(controls.size.value, e.units) &&
        within(controls.count.value, e.count),
    );
    if (controls.order.value) fitting.sort((a, b) => solutions(b) - solutions(a));
    else if (!words.value) fitting.sort((a, b) => Number(a.status === "unsolvable") - Number(b.status === "unsolvable"));
    told.textContent = plural(fitting.length, "puzzle");
    list.replaceChildren();
    shown = 0;
    extend();
    const kept = new URLSearchParams();
    if (words.value) kept.set("q", words.value);
    for (const [name, control] of Object.entries(controls))
      if (control.value) kept.set(name, control.value);
    front.hidden = kept.size > 0;
    if (!front.hidden) void play();
    rename(kept.size ? `#/?${kept}` : "#/");
  };
  words.addEventListener("input", update);
  for (const control of Object.values(controls)) control.addEventListener("change", update);
  more.addEventListener("click", extend);
  // what was shown is there again when one comes back
  place.addEventListener("click", () => history.replaceState({ shown, y: scrollY }, ""));
  go = () => {
    if (words.value && fitting[0]) location.hash = `#/p/${fitting[0].id}`;
  };
  const filters = h(
    "details",
    { class: "more", open: Object.values(controls).some((control) => control.value) },
    h("summary", {}, "Choose by family, size, solutions"),
    h("div", { class: "row" }, ...Object.values(controls)),
  );
  place.append(filters, told, list, more);
  update();
  if (wished) go();
  while (back?.shown && shown < Math.min(back.shown, fitting.length)) extend();
  if (back?.y) scrollTo(0, back.y);
}
