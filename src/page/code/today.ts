// A calendar of today's date as a puzzle: the pieces leave its month and its day.

import { h } from "./dom";

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

const NAMES = "January February March April May June July August September October November December".split(" ");

/** What stands in the cells, line by line: two lines of months, five of days. */
const LINES = [
  MONTHS.slice(0, 6),
  MONTHS.slice(6),
  ...[1, 8, 15, 22, 29].map((first) => Array.from({ length: Math.min(7, 32 - first) }, (_, i) => String(first + i))),
];

/** What the pieces leave open on a date. */
function open(date: Date): Set<string> {
  return new Set([MONTHS[date.getMonth()]!, String(date.getDate())]);
}

export function dateInWords(date: Date): string {
  return `${NAMES[date.getMonth()]} ${date.getDate()}`;
}

/** Its pieces: seven pentominoes and a box. */
const PIECES: Record<string, number[][]> = {
  L: [[0, 0], [0, 1], [0, 2], [0, 3], [1, 0]],
  N: [[0, 0], [0, 1], [1, 1], [1, 2], [1, 3]],
  P: [[0, 0], [0, 1], [0, 2], [1, 1], [1, 2]],
  U: [[0, 0], [0, 1], [1, 0], [2, 0], [2, 1]],
  V: [[0, 0], [0, 1], [0, 2], [1, 0], [2, 0]],
  Y: [[0, 0], [0, 1], [0, 2], [0, 3], [1, 1]],
  Z: [[0, 2], [1, 0], [1, 1], [1, 2], [2, 0]],
  Box: [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]],
};

/** The puzzle of a date, as a file that is read without a server, too. */
export function calendar(date: Date): string {
  const left = open(date);
  const named = LINES.flatMap((line, y) => line.map((cell, x): [string, number[]] => [cell, [x, LINES.length - 1 - y]]));
  const covered = named.filter(([cell]) => !left.has(cell));
  const labels = covered.map(([cell, place]) => `${cell} = ${JSON.stringify([place])}`);
  const pieces = Object.entries(PIECES).map(([name, units]) => `${name} = ${JSON.stringify(units)}`);
  return `format = 1

[puzzle.calendar-${date.getMonth() + 1}-${date.getDate()}]
title = "Calendar, ${dateInWords(date)}"
source = "DragonFjord"
lattice = "square"
pieces = [
  { freedom = "free", cells = { ${pieces.join(", ")} } },
]
region.units = ${JSON.stringify(covered.map(([, place]) => place))}
labels = { ${labels.join(", ")} }
`;
}

/** A picture of it: a sheet of the calendar, the date marked. */
export function calendarPicture(date: Date): HTMLElement {
  const left = open(date);
  const cells = LINES.flatMap((line, y) =>
    line.map((cell, x) => {
      const made = h("span", { class: left.has(cell) && "open" }, cell);
      made.style.gridArea = `${y + 1} / ${x + 1}`;
      return made;
    }),
  );
  return h("span", { class: "calendar", "aria-hidden": "true" }, ...cells);
}
