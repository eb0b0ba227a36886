// Long searches: the runs of the file that the page was opened with, how far they are.

import { answer, packed } from "./api";
import { duration, h, number, plural } from "./dom";
import type { Route } from "./route";

interface Run {
  run: number;
  puzzle: string;
  verb: string;
  backend: string;
  status: string;
  raw: number | null;
  rotation: number | null;
  symmetry: number | null;
  found: number;
  done: number;
  parts: number;
  nodes: number;
  seconds: number;
  working: boolean;
  alive: number | null;
  seconds_left: number | null;
  seconds_left_error: number | null;
}

interface Runs {
  file: string;
  runs: Run[];
  texts: string[];
}

const PAUSE = 2000;
/** So often the page looks while somebody is at work, in milliseconds. */

export async function showRuns(place: HTMLElement, _: Route, signal: AbortSignal): Promise<void> {
  const list = h("ul", { class: "runs" });
  const look = async (): Promise<void> => {
    const { file, runs, texts } = await answer<Runs>("runs", {}, signal);
    const words = await Promise.all(texts.map(packed));
    place.replaceChildren(h("h1", {}, "Long searches"), h("p", { class: "soft" }, file), list);
    list.replaceChildren(...runs.map((run, i) => card(run, words[i]!)));
    if (!runs.length) list.append(h("li", {}, "This file has no runs yet."));
    if (runs.some((run) => run.working)) setTimeout(again, PAUSE);
  };
  const again = (): void =>
    void look().catch(() => {
      if (!signal.aborted) setTimeout(again, PAUSE);
    });
  await look();
}

function card(run: Run, word: string): HTMLLIElement {
  const name = `${run.run}. ${run.verb} ${run.puzzle}`;
  const shown = run.verb === "solve" ? `#/own/${word}?run=${run.run}` : `#/own/${word}`;
  const counted =
    run.raw === null
      ? `${plural(run.found, "solution")} found so far`
      : `${number(run.raw)} in all, ${number(run.rotation ?? 0)} up to rotation, ${number(run.symmetry ?? 0)} up to symmetry`;
  const error = run.seconds_left_error === null ? "" : ` ± ${duration(run.seconds_left_error)}`;
  const told = [
    `${run.status} by ${run.backend}`,
    `${number(run.nodes)} nodes`,
    run.parts ? `${plural(run.parts, "part")} left` : "",
    run.working ? `${plural(run.alive ?? 0, "worker")} at work` : "",
    run.working && run.seconds_left !== null ? `about ${duration(run.seconds_left)}${error} left` : "",
  ];
  return h(
    "li",
    { class: "card" },
    h("h2", {}, h("a", { href: shown }, name)),
    h("progress", { max: 1, value: run.done, "aria-label": `Part of run ${run.run} that is done` }),
    h("p", {}, counted),
    h("p", { class: "soft" }, told.filter(Boolean).join(" · ")),
  );
}
