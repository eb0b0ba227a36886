// Long searches: the runs of the file that the page was opened with, how far they are.

import { answer, packed } from "./api";
import { button, duration, h, number, plural, roughly } from "./dom";
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
/** Milliseconds between two looks at the file while something is running. */

export async function showRuns(place: HTMLElement, _: Route, signal: AbortSignal): Promise<void> {
  const list = h("ul", { class: "runs" });
  const told = h("p", { role: "status", class: "wrong" });
  /** The runs that this page goes on with, and what ends that. */
  const here = new Map<number, AbortController>();
  signal.addEventListener("abort", () => here.forEach((running) => running.abort()));
  const goOn = async (run: number): Promise<void> => {
    const running = new AbortController();
    here.set(run, running);
    again();
    try {
      await answer("go_on", { run }, running.signal);
    } catch (error) {
      if (!running.signal.aborted) told.textContent = (error as Error).message;
    }
    here.delete(run);
    again();
  };
  const control = (run: Run): HTMLElement | null => {
    const running = here.get(run.run);
    const action = running ? () => running.abort() : () => void goOn(run.run);
    const final = run.status === "complete" || run.status === "unsolvable";
    if (final || !run.parts || (run.working && !running)) return null;
    return button(running ? "Pause" : "Go on", action, { "data-run": run.run, "aria-label": `${running ? "Pause" : "Go on with"} run ${run.run}` });
  };
  const look = async (): Promise<void> => {
    const { file, runs, texts } = await answer<Runs>("runs", {}, signal);
    const words = await Promise.all(texts.map(packed));
    const focused = (document.activeElement as HTMLElement | null)?.dataset["run"];
    place.replaceChildren(h("h1", {}, "Long searches"), h("p", { class: "soft" }, file), told, list);
    list.replaceChildren(...runs.map((run, i) => card(run, words[i]!, control(run))));
    if (focused) list.querySelector<HTMLElement>(`[data-run="${focused}"]`)?.focus();
    if (!runs.length) list.append(h("li", {}, "This file has no runs yet: choose a puzzle, then keep its solutions or a count."));
    if (here.size || runs.some((run) => run.working)) later();
  };
  let waiting: ReturnType<typeof setTimeout> | undefined;
  const later = (): void => {
    clearTimeout(waiting);
    if (!signal.aborted) waiting = setTimeout(again, PAUSE);
  };
  const again = (): void => void look().catch(later);
  await look();
}

function card(run: Run, word: string, control: HTMLElement | null): HTMLLIElement {
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
    run.working && run.seconds_left !== null ? `${roughly(run.seconds_left)}${error} left` : "",
  ];
  return h(
    "li",
    { class: "card" },
    h("h2", {}, h("a", { href: shown }, name)),
    h("progress", { max: 1, value: run.done, "aria-label": `Part of run ${run.run} that is done` }),
    h("p", {}, counted),
    h("p", { class: "soft" }, told.filter(Boolean).join(" · ")),
    control,
  );
}
