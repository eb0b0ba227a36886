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

/** The puzzle of a date, as a file. */
export function calendar(date: Date): string {
  const left = open(date);
  const labels = LINES.map((line) => line.filter((cell) => !left.has(cell)).join(" ")).join("\n");
  const drawing = LINES.map((line) => line.map((cell) => (left.has(cell) ? "." : "#")).join("")).join("\n");
  return `format = 1

[puzzle.calendar-${date.getMonth() + 1}-${date.getDate()}]
title = "Calendar, ${dateInWords(date)}"
source = "DragonFjord"
lattice = "square"
pieces = [
  { set = "pentominoes", only = ["L", "N", "P", "U", "V", "Y", "Z"] },
  { cells = { Box = "0..1,0..2" } },
]
region.drawing = """
${drawing}
"""
labels = """
${labels}
"""
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
