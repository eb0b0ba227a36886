// Backends race on a puzzle; their bars and curves grow as they go.

import { ask } from "./api";
import { Curves } from "./curves";
import { button, h, labelled, number, select } from "./dom";
import type { Tab } from "./puzzle";
import { alone } from "./site/local";
import type { Answer, Progress } from "./types";

/** Without a server, the ways in which the page itself finds one solution, or counts all. */
const WAYS: Record<string, string[]> = { solve: ["dlx", "auto"], count: ["dlx", "memo", "frontier"] };

const HERE =
  "On this page dlx, the search for all solutions, races with beams and restarts (auto) for a first solution, and with " +
  "a memo and a frontier for the count. SAT solvers, CP-SAT and others race with exactile serve only.";

const AT_ONCE = 3;
/** Number of searches that race at once; the server keeps room for other questions. */

export const showCompare: Tab = async (place, { board, asked }, signal) => {
  const task = select("Task", [["solve", "a first solution"], ["count", "all solutions"]], "count");
  const seconds = h("input", { type: "number", min: 1, value: 30, "aria-label": "Seconds for each" });
  const found = new Curves("Solutions", board.backends);
  const done = new Curves("Percent of the search", board.backends);
  const rows = board.backends.map((name) => new Row(name, found, done));
  const raced = () => rows.filter(({ name }) => !alone || WAYS[task.value]!.includes(name));
  const choose = () => body.replaceChildren(...raced().map((row) => row.element));
  const body = h("tbody");
  choose();
  task.addEventListener("change", choose);
  let racing: AbortController | null = null;

  const race = async () => {
    racing = new AbortController();
    start.disabled = task.disabled = true;
    stop.disabled = false;
    const waiting = raced().filter((row) => row.wanted.checked);
    for (const shown of [...rows, found, done]) shown.clear();
    const runner = async () => {
      for (let row = waiting.shift(); row && !racing!.signal.aborted; row = waiting.shift())
        await row.run(task.value, { ...asked, time_limit: Number(seconds.value) || 30 }, racing!.signal);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, runner));
    start.disabled = task.disabled = false;
    stop.disabled = true;
  };
  const start = button("Race", () => void race(), { class: "main" });
  const stop = button("Stop", () => racing?.abort(), { disabled: true });
  signal.addEventListener("abort", () => racing?.abort());
  const head = ["", "solver", "progress", "report"].map((text) => h("th", { scope: "col" }, text));
  place.append(
    h("div", { class: "row" }, labelled("Task", task), labelled("seconds for each", seconds), start, stop),
    h(
      "div",
      { class: "card board" },
      h("table", { class: "race" }, h("thead", {}, h("tr", {}, ...head)), body),
    ),
    found.element,
    done.element,
    h("p", { class: "soft" }, alone ? HERE : "They share this machine's processors: the seconds of one depend on the others."),
  );
};

class Row {
  readonly wanted: HTMLInputElement;
  readonly element: HTMLTableRowElement;
  private readonly bar: HTMLProgressElement;
  private readonly told = h("td", {}, "");

  constructor(
    readonly name: string,
    private readonly found: Curves,
    private readonly part: Curves,
  ) {
    this.wanted = h("input", { type: "checkbox", checked: name !== "reference", "aria-label": `Let ${name} race` });
    this.bar = h("progress", { max: 1, value: 0, "aria-label": `Progress of ${name}` });
    this.element = h("tr", {}, h("td", {}, this.wanted), h("th", { scope: "row" }, name), h("td", {}, this.bar), this.told);
  }

  clear(): void {
    this.bar.value = 0;
    this.told.textContent = "";
  }

  async run(task: string, asked: object, signal: AbortSignal): Promise<void> {
    const limited = task === "solve" ? { limit: 1 } : {};
    this.bar.removeAttribute("value");
    try {
      for await (const { kind, content } of ask(task, { ...asked, ...limited, backend: this.name }, signal)) {
        if (kind === "progress") this.progress(content);
        else if (kind === "answer") this.answered(content);
      }
    } catch (error) {
      this.bar.value = 0;
      this.told.textContent = signal.aborted ? "stopped" : (error as Error).message;
    }
  }

  private progress(news: Progress): void {
    if (news.done !== null) this.bar.value = news.done;
    this.found.add(this.name, news.seconds, news.found);
    if (news.done !== null) this.part.add(this.name, news.seconds, 100 * news.done);
    const counters = Object.entries(news.counters).slice(0, 3).map(([name, value]) => `${number(value)} ${name}`);
    this.told.textContent = [`${news.seconds.toFixed(1)} s`, `${number(news.found)} found`, ...counters].join(" · ");
  }

  private answered(answer: Answer): void {
    this.bar.value = answer.stopped && answer.stopped !== "solution limit" ? this.bar.value || 0 : 1;
    const spent = Number(answer.stats?.["seconds"] ?? 0);
    const seconds = spent.toFixed(2);
    const known = answer.raw !== null && answer.raw !== undefined;
    if (known) this.found.add(this.name, spent, answer.raw!);
    if (answer.status === "complete" || answer.status === "unsolvable") this.part.add(this.name, spent, 100);
    const count = known ? ` · ${number(answer.raw!)} in all` : "";
    const stopped = answer.stopped ? ` · ${answer.stopped}` : "";
    this.told.textContent = `${answer.status} · ${seconds} s${count}${stopped}`;
  }
}
