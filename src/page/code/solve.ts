// Searching: solutions to leaf through, their number, whether there are any, and how it goes on.

import { answer, ask, bytes, example, opened } from "./api";
import { button, type Child, download, duration, h, labelled, number, plural, roughly, say, select } from "./dom";
import { boardSketch, parts, type Sketch } from "./drawing";
import { type Found, keepFound, keptFound } from "./kept";
import { key } from "./lattice";
import { exhibited, knowledge, omitted, type Puzzle, refuted, type Tab } from "./puzzle";
import { address } from "./route";
import { linked } from "./share";
import { alone } from "./site/local";
import type { SolidView } from "./solid";
import { solidOn } from "./solids";
import { read, write } from "./storage";
import type { Answer, Exhibit, Figure, Placed, Progress } from "./types";

const MOST = 50_000;
/** How many solutions are shown at most, unless more are known. */

const MEMORY = 250_000;
/** How many solutions a page can hold. */

const KEPT = 20_000;
/** How many of them the browser keeps at most. */

const PART = 500_000;
/** About how long the solutions are that are sent to the server at once, in letters. */

const PACE = 2000;
/** Milliseconds between the times at which it keeps what a search has found. */

const MORE = "more";
/** The browser keeps under this name that what few need is shown. */

const RATED = new Set(["nodes", "updates", "conflicts", "decisions", "propagations", "branches", "restarts"]);

/** What a solver's counter means, where its name does not say it all. */
const LONGER: Record<string, string> = {
  conflicts: "conflicts, each a learned clause",
  variables_left: "variables that bounds leave open",
};

const SECONDS = 600;
/** The time limit of a search, unless another is typed. */

const EARLY = 1500;
/** Milliseconds without a solution after which one is looked for by other ways, too. */
const EARLY_SECONDS = 120;
const INTERRUPTED = "The search was interrupted: Solve begins it again.";
const OTHERS = "Proofs, explanations, other solvers and long searches need exactile serve.";

const WHY_SECONDS = 20;
/** A picture of why there is no solution is looked for so long, unasked. */

export const showSolve: Tab = async (place, puzzle, signal) => show(place, puzzle, signal, false);
export const showCount: Tab = async (place, puzzle, signal) => show(place, puzzle, signal, true);

async function show(place: HTMLElement, puzzle: Puzzle, signal: AbortSignal, counting: boolean): Promise<void> {
  const view = new Solving(puzzle, await exhibited(puzzle), counting);
  signal.addEventListener("abort", () => view.close());
  place.append(view.element);
  if (!puzzle.board.lattice.flat) void view.addSolid();
  view.aside.append(omitted(puzzle), await knowledge(puzzle));
  void view.addKeepers();
  if (puzzle.run) void view.run("kept", { run: puzzle.run });
  else if (puzzle.sent.solution.length) void view.receive(puzzle.sent.solution);
  else if (await view.again()) return;
  else if (await refuted(puzzle)) void view.run("why", { time_limit: WHY_SECONDS });
}

class Solving {
  readonly element: HTMLElement;
  readonly aside = h("aside");
  private readonly board: Puzzle["board"];
  private readonly sketch: Sketch;
  private readonly boards = h("div", { class: "card board" });
  private solid: SolidView | null = null;
  private solutions: Placed[][] = [];
  private current = -1;
  private running: AbortController | null = null;
  private task = "";
  private complete = false;
  /** Whether what is shown was found beside the search for all. */
  private early = false;
  /** Whether it came with the address, or from the ledger: then it is not kept. */
  private presented = false;
  private readonly left = new AbortController();
  private seen = 0;
  /** What is kept of it has this name. */
  private readonly where: string;
  private keptAt = 0;
  /** Up to what the solutions are different. */
  private sought = "symmetry";
  /** The last status that is kept with the solutions. */
  private said = "";
  private counted: Found["numbers"] = null;
  private readonly most: number;

  private readonly backend: HTMLSelectElement;
  private readonly upTo = select("Count as different", [
    ["symmetry", "up to symmetry"],
    ["rotation", "up to rotation"],
    ["", "all"],
  ], "symmetry");
  private readonly seconds = h("input", { type: "number", min: 1, value: SECONDS, "aria-label": "Seconds" });
  private readonly limit: HTMLInputElement;
  private readonly known = button("Show a known solution", () => void this.showKnown());
  private readonly numbers = h("dl", { class: "numbers" });
  private readonly at = h("output", { class: "at" }, "No solution yet");
  private readonly range = h("input", { type: "range", min: 1, max: 1, value: 1, "aria-label": "Solution" });
  private readonly wanted = h("input", { type: "number", min: 1, value: 1, class: "wanted", "aria-label": "Number of the solution" });
  private readonly previous = button("Previous", () => this.go(this.current - 1));
  private readonly next = button("Next", () => this.go(this.current + 1));
  private readonly stop = button("Cancel", () => this.cancel());
  private readonly bar = h("progress", { max: 1, value: 0, "aria-label": "Progress", hidden: true });
  private readonly status = h("p", { role: "status" }, "");
  private readonly figures = h("tbody");
  private readonly keepers = h("div", { class: "row" });
  private readonly symmetry = h("input", { type: "checkbox", checked: true });
  private readonly pictures = h("div", { class: "board" });
  private readonly starters: HTMLButtonElement[];
  private readonly savers: HTMLButtonElement[];
  private readonly asked: Puzzle["asked"];

  constructor(
    private readonly puzzle: Puzzle,
    private readonly exhibit: Exhibit | undefined,
    private readonly counting: boolean,
  ) {
    this.board = puzzle.board;
    this.where = address(puzzle.subject, counting ? "count" : "");
    this.most = Math.max(MOST, Math.min(Number(exhibit?.count ?? 0), MEMORY));
    this.limit = h("input", { type: "number", min: 1, max: this.most, value: this.most });
    for (const input of [this.limit, this.seconds]) input.addEventListener("change", () => this.limited());
    puzzle.link = () => this.link();
    this.status.textContent = counting
      ? "Count finds the number of solutions, without showing them."
      : "Solve shows solutions as they are found.";
    this.asked = puzzle.asked;
    const { board } = this;
    const title = board.facts.title || board.facts.puzzle;
    this.sketch = boardSketch(board, title);
    this.sketch.show(parts(board, board.fixed));
    this.backend = select("Solver", board.backends.map((name) => [name, name]), "dlx");
    this.starters = [
      button("Solve", () => void this.solve(), { class: !counting && "main" }),
      button("Count", () => void this.run("count"), { class: counting && "main" }),
      button("Prove", () => void this.run("prove")),
      button("Explain", () => void this.run("explain")),
      button("Estimate", () => void this.run("estimate")),
    ];
    this.savers = [
      button("SVG", () => void this.saved(this.save("svg"))),
      button("PNG", () => void this.saved(this.savePng())),
      button("TOML", () => void this.saved(this.save("toml"))),
      button("Certificate", () => void this.run("certificate")),
      button("Solutions", () => void this.saved(this.save("jsonl"))),
    ];
    this.range.addEventListener("input", () => this.go(Number(this.range.value) - 1));
    this.wanted.addEventListener("change", () => {
      this.go(Math.min(Math.max(Math.floor(Number(this.wanted.value)) || 1, 1), this.solutions.length) - 1);
      this.wanted.value = this.range.value;
    });
    this.boards.append(this.sketch.element);
    this.element = this.layout();
    this.update();
  }

  /** Show solids in three dimensions, too, where the browser can. */
  async addSolid(): Promise<void> {
    this.solid = await solidOn(this.boards, this.board);
    this.show();
  }

  /** Where a file of long searches is open: search into it. */
  async addKeepers(): Promise<void> {
    const { store } = await opened();
    if (!store) return;
    const keep = (verb: string) => async () => {
      try {
        await answer("begin", { ...this.asked, verb, backend: this.backend.value });
        location.hash = "#/runs";
      } catch (error) {
        this.tell((error as Error).message, true);
      }
    };
    const into = (verb: string, label: string) => button(label, () => void keep(verb)());
    this.keepers.append(h("span", { class: "soft" }, `Into ${store}`), into("solve", "Keep solutions"), into("count", "Keep a count"));
  }

  close(): void {
    this.left.abort();
    const searching = { solve: "Solve", count: "Count" }[this.task];
    if (!this.running) this.keep(null); // else what is said is about something that ends now
    else if (searching) this.keep(`The search ended when you left: ${searching} begins it again.`);
    this.cancel();
    this.solid?.close();
  }

  /** Let the browser keep what there is, with what is to be said of it. */
  private keep(words: string | null): void {
    if (this.puzzle.run || this.presented || (!this.solutions.length && !this.numbers.childNodes.length && !words)) return;
    const { current, complete } = this;
    const whole = this.solutions.length <= KEPT;
    const rest = whole ? "" : ` The browser has kept the first ${number(KEPT)}.`;
    void keepFound(this.where, {
      solutions: whole ? this.solutions : this.solutions.slice(0, KEPT),
      current: Math.min(current, KEPT - 1),
      complete: complete && whole,
      sought: this.sought,
      words: (words ?? this.said) + rest,
      numbers: this.numbers.childNodes.length ? this.counted : null,
    });
    this.keptAt = Date.now();
  }

  /** Show what was found when this puzzle was last solved, if anything was. */
  async again(): Promise<boolean> {
    const found = await keptFound(this.where);
    if (!found || this.running) return false;
    this.solutions = found.solutions;
    this.complete = found.complete;
    this.sought = found.sought ?? "symmetry";
    this.tell(found.words);
    if (found.numbers) this.explain(found.numbers);
    this.go(found.current);
    return true;
  }

  /** Show one solution, until a search finds its own. */
  present(solution: Placed[], words: string): void {
    if (this.running) return;
    this.solutions = [solution];
    this.early = this.presented = true;
    this.complete = false;
    this.go(0);
    this.tell(words);
  }

  /** Show a solution of the address, if it is one: an address may say anything. */
  async receive(solution: Placed[]): Promise<void> {
    const fixed = new Set(this.board.fixed.map(([, units]) => key(units)));
    const placed = solution.filter(([, units]) => !fixed.has(key(units)));
    this.tell("Checking the solution in the address …");
    try {
      const { solved } = await answer<{ solved: boolean }>("finish", { ...this.asked, placed }, this.left.signal);
      if (!solved) throw new Error("What came with the address is not a solution.");
      this.present(solution, "This solution came with the address. Solve finds the others.");
    } catch (error) {
      const why = (error as Error).message;
      if (this.left.signal.aborted || this.running) return;
      // A site without a server names the server where it cannot check.
      if (why.includes("exactile serve")) this.present(solution, `This came with the address, and is not checked. ${why}`);
      else this.tell(why, true);
    }
  }

  private async showKnown(): Promise<void> {
    try {
      this.present(await example(this.exhibit!.id, this.left.signal), "This is the solution that the ledger knows.");
    } catch {
      this.tell("The solution could not be loaded.", true);
    }
  }

  /** The address of the solution that is shown. */
  private async link(): Promise<string> {
    const solution = this.solutions[this.current] ?? [];
    return linked(address(this.puzzle.subject, this.counting ? "count" : ""), { solution });
  }

  /** Say where what was typed is more than there can be, or less. */
  private limited(): void {
    const [typed, seconds] = [this.limit, this.seconds].map((input) => Number(input.value)) as [number, number];
    const { said } = this;
    if (!(seconds >= 1)) this.seconds.value = String(SECONDS);
    if (!(typed >= 1 && typed <= this.most)) this.limit.value = String(this.most);
    if (typed > this.most) this.tell(`The page shows at most ${number(this.most)} solutions. Count counts all of them.`);
    else if (!(typed >= 1 && seconds >= 1)) this.tell("A limit must be at least 1.", true);
    this.said = said; // a limit says nothing of the solutions
  }

  private show(): void {
    const shown = parts(this.board, this.solutions[this.current] ?? this.board.fixed);
    this.sketch.show(shown);
    this.solid?.show(shown);
  }

  private layout(): HTMLElement {
    const row = (...children: Child[]) => h("div", { class: "row" }, ...children);
    const [solve, count, ...others] = this.starters;
    const more = h(
      "details",
      { class: "more", open: read(MORE) !== null },
      h("summary", {}, "More"),
      alone ? h("p", { class: "soft" }, OTHERS) : row(...others),
      row(!alone && labelled("Solver", this.backend), labelled("Count as different", this.upTo)),
      row(labelled("at most", this.limit), labelled("seconds", this.seconds), labelled("use symmetry", this.symmetry)),
      row(h("span", { class: "soft" }, "Save"), ...(alone ? this.savers.slice(2, 3) : this.savers)),
      h("table", {}, this.figures),
    );
    more.addEventListener("toggle", () => write(MORE, more.open ? "" : null));
    this.aside.append(
      row(...(this.counting ? [count, solve] : [solve, count]), this.stop, this.known),
      this.status,
      this.bar,
      this.numbers,
      row(this.previous, this.at, this.next, h("span", { class: "through" }, this.range, this.wanted)),
      this.keepers,
      more,
    );
    const element = h("div", { class: "sides solve" }, h("div", {}, this.boards, this.pictures), this.aside);
    const pressed = (event: KeyboardEvent) => {
      const there = event.target as Element;
      if (event.defaultPrevented || there.matches("input, select, textarea, canvas")) return;
      if (event.ctrlKey || event.altKey || event.metaKey) return; // keys of the browser
      if (event.key === "ArrowLeft") this.go(this.current - 1);
      if (event.key === "ArrowRight") this.go(this.current + 1);
      if (event.key === "Escape") this.cancel();
      const end = { Home: 0, End: this.solutions.length - 1 }[event.key];
      if (end === undefined || !this.solutions.length) return;
      event.preventDefault(); // the solution stays in sight
      this.go(end);
    };
    document.addEventListener("keydown", pressed, { signal: this.left.signal });
    return element;
  }

  cancel(): void {
    this.running?.abort();
  }

  private go(to: number): void {
    if (to < 0 || to >= this.solutions.length) return;
    this.current = to;
    this.show();
    this.update();
    clearTimeout(this.seen);
    this.seen = setTimeout(() => this.running || this.left.signal.aborted || this.keep(null), 300);
  }

  private async solve(): Promise<void> {
    this.solutions = [];
    this.current = -1;
    this.complete = this.early = this.presented = false;
    this.sought = this.upTo.value;
    this.show();
    const running = this.run("solve");
    const waiting = setTimeout(() => void this.first(), this.exhibit?.status === "open" ? 0 : EARLY);
    await running;
    clearTimeout(waiting);
  }

  /** Where the search for all has found nothing soon, look for one solution by other ways, too. */
  private async first(): Promise<void> {
    const { running } = this;
    if (!running || this.solutions.length || this.backend.value === "auto") return;
    const asked = { ...this.asked, backend: "auto", limit: 1, time_limit: EARLY_SECONDS };
    try {
      for await (const { kind, content } of ask("solve", asked, running.signal)) {
        if (kind !== "solutions" || this.running !== running || this.solutions.length) continue;
        this.add(content);
        this.early = true;
      }
    } catch {
      // the search for all goes on, and says what there is to be said
    }
  }

  async run(task: string, more: object = {}): Promise<void> {
    if (this.running) return; // what was begun first goes on
    const running = new AbortController();
    const { said } = this;
    this.running = running;
    this.task = task;
    this.pictures.replaceChildren();
    this.numbers.replaceChildren();
    this.bar.removeAttribute("value");
    this.tell(`${TASKS[task]}…`);
    this.update();
    const asked = {
      ...this.asked,
      backend: this.backend.value,
      time_limit: Math.max(Number(this.seconds.value) || SECONDS, 1),
      ...((task === "solve" || task === "count") && { use_symmetry: this.symmetry.checked }),
      ...((task === "solve" || task === "kept") && {
        up_to: this.upTo.value || null,
        limit: Math.min(Math.max(Math.floor(Number(this.limit.value)) || 1, 1), this.most),
      }),
      ...more,
    };
    try {
      for await (const { kind, content } of ask(task, asked, running.signal)) {
        if (kind === "progress") this.progress(content);
        else if (kind === "solutions") task === "prove" ? this.proven(content) : this.add(content);
        else if (kind === "picture") this.picture(content.svg);
        else if (kind === "why") this.tell(content.words ?? "No short reason why it has no solution was found: Prove searches.");
        else if (kind === "file") download(content.name, bytes(content.content));
        else if (kind === "answer") this.answered(task, content);
      }
    } catch (error) {
      const words = running.signal.aborted ? "Cancelled." : (error as Error).message;
      this.tell(words, !running.signal.aborted);
      if (!running.signal.aborted) this.said = task === "solve" ? INTERRUPTED : said;
    }
    for (const image of this.pictures.querySelectorAll("img")) image.alt = this.status.textContent!;
    running.abort(); // what looks for one solution beside it ends, too
    this.running = null;
    if (!this.left.signal.aborted) this.keep(null);
    if (!this.bar.hasAttribute("value")) this.bar.value = task === "why" ? 1 : 0;
    this.update();
  }

  private add(found: Placed[][]): void {
    if (this.early) {
      this.early = false; // it is among those that the search for all finds
      this.solutions = [];
      this.current = -1;
    }
    this.solutions.push(...found);
    if (this.current < 0) this.go(0);
    else this.update();
    if (Date.now() - this.keptAt > PACE) this.keep(INTERRUPTED);
  }

  /** A proof that there is a solution has found one: it is shown where there is none yet. */
  private proven(found: Placed[][]): void {
    if (!this.solutions.length) this.add(found);
  }

  private picture(svg: string): void {
    const address = `data:image/svg+xml,${encodeURIComponent(svg)}`;
    this.pictures.append(h("img", { src: address, alt: "" }));
  }

  private progress(news: Partial<Progress>): void {
    const found = this.task === "solve" && !this.early ? this.solutions.length : news.found; // those that have arrived
    const told = [
      news.doing,
      found ? plural(found, "solution") : null,
      news.nodes ? `${number(news.nodes)} nodes` : null,
      news.left !== null && news.left !== undefined && news.done !== 1 ? `${roughly(news.left)} left` : null,
    ].filter(Boolean);
    if (told.length) this.status.textContent = told.join(" · ");
    if (typeof news.done === "number") this.bar.value = news.done;
    if (news.counters) this.table({ ...news.counters, seconds: news.seconds ?? null }, news.seconds);
  }

  private answered(task: string, answer: Answer): void {
    this.bar.value = answer.stopped ? this.bar.value || 0 : 1;
    if (task === "solve" || task === "kept") this.complete = answer.status === "complete" || answer.status === "unsolvable";
    this.tell(inWords(task, answer, this.solutions.length) + this.capped(task, answer));
    if (task === "count" && answer.raw) this.explain([answer.symmetry ?? 0, answer.rotation ?? 0, answer.raw]);
    const { other, ...stats } = answer.stats ?? {};
    this.table({ ...(stats as Record<string, Figure>), ...other }, Number(stats.seconds));
  }

  /** What is to be said of a limit that was reached. */
  private capped(task: string, answer: Answer): string {
    if (task !== "solve" || answer.stopped !== "solution limit" || Number(this.limit.value) < this.most) return "";
    const all = this.exhibit?.count;
    return ` ${all ? `${number(all)} are known; the` : "The"} page shows no more at once, and Count counts all of them.`;
  }

  /** Show the three numbers, with what each of them counts. */
  private explain(numbers: Found["numbers"] & {}): void {
    this.counted = numbers;
    const what = [
      ["up to symmetry", "solutions that are turned or mirrored into each other count once"],
      ["up to rotation", "those that are turned into each other count once"],
      ["in all", "every solution counts"],
    ];
    this.numbers.replaceChildren(
      ...what.map(([name, words], i) => h("div", {}, h("dt", {}, number(numbers[i]!)), h("dd", {}, h("strong", {}, name!), `: ${words}`))),
    );
  }

  /** Show what the solver tells: nodes, or conflicts, restarts, bounds; and how many a second. */
  private table(figures: Record<string, Figure>, seconds = 0): void {
    const rate = (name: string, value: Figure) =>
      seconds > 0.1 && RATED.has(name) ? `${number(Math.round(Number(value) / seconds))} a second` : "";
    const rows = Object.entries(figures).filter(([, value]) => value !== null && value !== undefined);
    this.figures.replaceChildren(
      ...rows.map(([name, value]) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, LONGER[name] ?? name.replaceAll("_", " ")),
          h("td", {}, typeof value === "string" ? value : number(value!)),
          h("td", {}, rate(name, value)),
        ),
      ),
    );
  }

  private tell(words: string, wrong = false): void {
    this.status.textContent = words;
    this.status.className = wrong ? "wrong" : "";
    if (!wrong) this.said = words;
    say(words);
  }

  private update(): void {
    const busy = this.running !== null;
    const total = this.solutions.length;
    for (const starter of [...this.starters, this.savers[3]!]) starter.disabled = busy;
    this.stop.hidden = this.bar.hidden = !busy;
    this.known.hidden = this.counting || busy || total > 0 || !(this.exhibit?.count || this.exhibit?.at_least);
    this.previous.parentElement!.hidden = total === 0;
    this.previous.disabled = this.current <= 0;
    this.next.disabled = this.current + 1 >= total;
    this.range.max = String(Math.max(total, 1));
    this.range.value = String(this.current + 1);
    this.wanted.max = this.range.max;
    if (document.activeElement !== this.wanted) this.wanted.value = this.range.value; // else it is being typed
    this.range.disabled = this.wanted.disabled = total < 2;
    for (const saver of this.savers.slice(4)) saver.disabled = total === 0;
    const all = this.sought === "symmetry" && !this.complete ? this.exhibit?.count : null;
    const more = this.complete ? "" : all && !this.early ? ` so far, ${number(all)} known` : " so far";
    this.at.textContent = total
      ? `${number(this.current + 1)} of ${number(total)}${more}`
      : "No solution yet";
  }

  /** Say why a file could not be saved. */
  private async saved(saving: Promise<void>): Promise<void> {
    try {
      await saving;
    } catch (error) {
      this.tell((error as Error).message, true);
    }
  }

  private async save(form: string): Promise<void> {
    const text = form === "jsonl" ? await this.allWritten() : await this.written(form);
    download(`${this.board.facts.puzzle}.${form}`, new Blob([text]));
  }

  private async written(form: string): Promise<string> {
    const solutions = form !== "toml" && this.current >= 0 ? [this.solutions[this.current]!] : [];
    return (await answer<{ text: string }>("text", { ...this.asked, form, solutions })).text;
  }

  /** All solutions as one file. They are sent in parts, as there is a limit to the size of a request. */
  private async allWritten(): Promise<string> {
    const { complete, solutions: [...all] } = this; // more may be found meanwhile
    const some = Math.max(1, Math.floor(PART / JSON.stringify(all[0]).length));
    let whole = "";
    for (let from = 0; from < all.length; from += some) {
      const part = { form: "jsonl", solutions: all.slice(from, from + some), complete };
      const { text } = await answer<{ text: string }>("text", { ...this.asked, ...part });
      const last = from + some < all.length ? text.lastIndexOf("\n", text.length - 2) + 1 : text.length;
      whole += text.slice(from && text.indexOf("\n") + 1, last); // each part begins and ends with a line of its own
    }
    return whole;
  }

  private async savePng(): Promise<void> {
    const picture = new Image();
    picture.src = `data:image/svg+xml,${encodeURIComponent(await this.written("svg"))}`;
    await picture.decode();
    const canvas = h("canvas", { width: 2 * picture.width, height: 2 * picture.height });
    canvas.getContext("2d")!.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done));
    if (blob) download(`${this.board.facts.puzzle}.png`, blob);
  }
}

const TASKS: Record<string, string> = {
  solve: "Searching",
  kept: "Reading the solutions of this run",
  why: "Looking for the reason why there is no solution",
  certificate: "Looking for a proof to certify",
  count: "Counting",
  prove: "Looking for a proof",
  explain: "Looking for an explanation",
  estimate: "Estimating",
};

/** What an answer says, in a sentence. */
function inWords(task: string, answer: Answer, shown: number): string {
  const stopped = answer.stopped ? ` It ended early: ${answer.stopped}.` : "";
  if (task === "estimate") {
    const time = typeof answer["seconds"] === "number" ? `, ${duration(answer["seconds"])} by one thread` : "";
    return `A search for all solutions has about ${number(Number(answer["nodes"]))} nodes${time}.`;
  }
  if (answer.status === "unsolvable") {
    const why = answer.sentence ?? answer.argument ?? answer.reason ?? "";
    return `There is no solution. ${why && why[0]!.toUpperCase() + why.slice(1).replace(/[^.]$/, "$&.")}`.trim();
  }
  if (task === "count" && ["number", "bigint"].includes(typeof answer.raw))
    return (
      `${plural(answer.symmetry ?? 0, "solution")} up to symmetry, ` +
      `${number(answer.rotation ?? 0)} up to rotation, ${number(answer.raw!)} in all.`
    );
  if (task === "prove" && answer.status === "solvable") return "There is a solution.";
  if (task === "explain") return answer.status === "solvable" ? "There is a solution." : `Not known.${stopped}`;
  if (task === "kept") return `${plural(shown, "solution")} of this run.${stopped}`;
  if (answer.status === "complete") return shown === 1 ? "The only solution." : `All ${plural(shown, "solution")} found.`;
  if (task === "solve" && answer.stopped === "solution limit") return `These are ${plural(shown, "solution")}, as many as were asked for: there may be more.`;
  if (task === "solve" && shown) return `${plural(shown, "solution")} found.${stopped}`;
  return `Not known.${stopped}`;
}
