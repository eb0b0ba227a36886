// Every solution is checked by code that knows units and pieces, but neither items nor options.

import type { Lowered } from "./model";

/** Return a solution; throw if it is none. */
export function check(lowered: Lowered, solution: Int32Array): Int32Array {
  const { statement, places, placements } = lowered;
  const { pieces, units, optional, choice } = statement;
  const covered = new Uint8Array(units.length);
  const uses = new Int32Array(pieces.length);
  for (const option of solution) {
    if (option >= placements) continue;
    const place = places[option]!;
    uses[place.piece]!++;
    if (place.units.length !== pieces[place.piece]!.units.length) throw wrong("a piece has lost a unit");
    for (const unit of place.units) if (covered[unit]!++) throw wrong("two pieces overlap");
  }
  for (const unit of optional) covered[unit] = 1;
  if (covered.includes(0)) throw wrong("a unit is left");
  let out = 0;
  pieces.forEach(({ name, lower, upper }, k) => {
    if (!uses[k] && choice && statement.choices.includes(name)) out++;
    else if (uses[k]! < lower || uses[k]! > upper) throw wrong(`${name} is used ${uses[k]} times`);
  });
  if (out !== choice) throw wrong("too many or too few pieces are left out");
  for (const { units: own, lower, upper } of statement.open_rules) {
    const open = own.filter((unit) => !solution.some((o) => o < placements && places[o]!.units.includes(unit))).length;
    if (open < lower || open > upper) throw wrong("too many or too few units stay open");
  }
  for (const { pieces: own, lower, upper } of statement.use_rules) {
    const used = pieces.reduce((sum, { name }, k) => sum + (own.includes(name) ? uses[k]! : 0), 0);
    if (used < lower || used > upper) throw wrong("too many or too few pieces of a rule are used");
  }
  return solution;
}

const wrong = (words: string) => new Error(`The engine found a wrong solution: ${words}. Please report this.`);
