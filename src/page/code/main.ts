// Which view belongs to the address; leaving a view ends all that it has asked for.

import "./style.css";
import { gallery, GONE, opened, packed, Refused } from "./api";
import { h, say } from "./dom";
import { showGallery } from "./gallery";
import { UNLOADED } from "./loading";
import { arrive, hasLeft, type View } from "./route";
import { alone, keepOffline, NEEDS } from "./site/local";
import { themed } from "./theme";
import { showPuzzle } from "./views";

const VIEWS = new Map<string, () => Promise<View>>([
  ["p", async () => showPuzzle],
  ["own", async () => showPuzzle],
  ["peg", async () => (await import("./games")).showPeg],
  ["sudoku", async () => (await import("./games")).showSudoku],
  ["runs", async () => (await import("./runs")).showRuns],
  ["edit", async () => (await import("./editor")).showEditor],
]);

/** The views that there are without a server. */
const HERE = ["", "p", "own", "peg", "sudoku", "edit"];

if (alone)
  for (const link of document.querySelectorAll("header nav a"))
    if (!HERE.includes(link.getAttribute("href")!.slice(2))) link.remove();

let leaving = new AbortController();

async function show(): Promise<void> {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const main = document.getElementById("main")!;
  const there = arrive();
  const view = VIEWS.get(there.parts[0]!) ?? (async () => showGallery);
  const place = h("div");
  main.replaceChildren(place);
  if (!history.state) scrollTo(0, 0);
  for (const link of document.querySelectorAll("header nav a")) {
    const own = link.getAttribute("href")!.replace(/^#\/?/, "");
    if (own === there.parts[0]) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  try {
    if (alone && !HERE.includes(there.parts[0]!))
      throw new Refused(NEEDS);
    const shows = await view().catch(() => {
      throw new Refused(alone ? UNLOADED : GONE);
    });
    await shows(place, there, signal);
    if (signal.aborted) return; // the title is that of another view
    const title = place.querySelector("h1")?.textContent ?? "Puzzles";
    document.title = `${title} · Exactile`;
    say(title);
  } catch (error) {
    if (signal.aborted) return;
    const words = error instanceof Error ? error.message : String(error);
    const title = "This did not work";
    place.replaceChildren(h("h1", {}, title), h("p", { class: "wrong" }, words));
    document.title = `${title} · Exactile`;
    say(`${title}: ${words}`);
    if (!(error instanceof Refused)) console.error(error);
  }
}

themed(document.getElementById("theme") as HTMLButtonElement);
document.querySelector(".skip")!.addEventListener("click", (event) => {
  event.preventDefault(); // its address is that of no view
  document.getElementById("main")!.focus();
});
if (location.hash.length < 2) void gallery().catch(() => null); // most likely it is what comes first
const first = await opened();
window.addEventListener("hashchange", () => void (hasLeft() && show())); // not before: what follows shows the first view
if (first.store) document.querySelector("header nav")!.append(h("a", { href: "#/runs" }, "Runs"));
if (location.hash.length > 1) await show();
else if (first.store) location.replace("#/runs");
else if (first.puzzle.includes("\n")) location.replace(`#/own/${await packed(first.puzzle)}`);
else if (first.puzzle) location.replace(`#/p/${first.puzzle}`);
else await show();
keepOffline();
