// Finding puzzles by words: sizes in any spelling, slips of the pen, and the best first.

import type { Exhibit } from "./types";

const FEWEST = 4;
/** Words of fewer letters are not corrected. */

const TITLE = 0.15;
/** Penalty for each word of a title that was not asked for: shorter titles come first. */

const ELSEWHERE = 0.5;
/** What it costs that a word stands in the name of the set, the lattice and the like only. */

/** The words of a text; a size such as "10 by 6" is one word, its smallest side first. */
export function words(text: string): string[] {
  const sizes = text.toLowerCase().replace(/\d+(?:\s*(?:by|x|×|\*)\s*\d+)+/g, (size) =>
    size.match(/\d+/g)!.map(Number).sort((a, b) => a - b).join("x"),
  );
  return sizes.split(/[^\p{L}\p{N}]+/u).filter((word) => word && word !== "by");
}

/** How many letters have to be changed, put in or left out. */
function slips(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + Number(a[i - 1] !== b[j - 1])));
    row = next;
  }
  return row[b.length]!;
}

/** What it costs to take a word for the one that was typed; Infinity if it is another. */
function exact(typed: string, word: string): number {
  if (typed === word) return 0;
  if (word.startsWith(typed)) return 0.1;
  return typed.length > 1 && word.includes(typed) && !/^\d/.test(typed) ? 0.4 : Infinity;
}

function corrected(typed: string, word: string): number {
  if (typed.length < FEWEST || /\d/.test(typed)) return Infinity;
  const wrong = Math.min(slips(typed, word), slips(typed, word.slice(0, typed.length)));
  return wrong <= Math.max(1, Math.floor(typed.length / 4)) ? wrong : Infinity;
}

/** Finds puzzles among some. */
export class Finder {
  private readonly own: { exhibit: Exhibit; title: string[]; others: string[] }[];
  private readonly all: Set<string>;

  constructor(exhibits: Exhibit[]) {
    this.own = exhibits.map((exhibit) => {
      const { id, title, lattice, family, set, aliases } = exhibit;
      return { exhibit, title: words(title), others: words([id, lattice, family, set, ...aliases].join(" ")) };
    });
    this.all = new Set(this.own.flatMap(({ title, others }) => [...title, ...others]));
  }

  /** The puzzles that a text means, the best first; with no words all of them, in their order. */
  find(text: string): Exhibit[] {
    const typed = words(text);
    if (!typed.length) return this.own.map(({ exhibit }) => exhibit);
    const costs = typed.map((word) => this.costs(word));
    const named = typed.join(" ");
    return this.own
      .map(({ exhibit, title, others }) => {
        const best = (cost: Map<string, number>, among: string[]) =>
          among.reduce((least, word) => Math.min(least, cost.get(word) ?? Infinity), Infinity);
        const parts = costs.map((cost) => Math.min(best(cost, title), best(cost, others) + ELSEWHERE));
        const rest = TITLE * Math.max(0, title.length - typed.length);
        const cost = words(exhibit.id).join(" ") === named ? -1 : parts.reduce((sum, part) => sum + part, rest);
        return { exhibit, cost };
      })
      .filter(({ cost }) => cost < Infinity)
      .sort((a, b) => a.cost - b.cost)
      .map(({ exhibit }) => exhibit);
  }

  /** The words that a typed one can mean: those that it is part of, else those that it resembles. */
  private costs(typed: string): Map<string, number> {
    for (const price of [exact, corrected]) {
      const found = [...this.all].map((word): [string, number] => [word, price(typed, word)]).filter(([, cost]) => cost < Infinity);
      if (found.length) return new Map(found);
    }
    return new Map();
  }
}
