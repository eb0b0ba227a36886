// What the browser keeps as texts; one that it does not keep is there as long as the page is open.

type Place = "localStorage" | "sessionStorage";

const unkept = new Map<string, string | null>();

/** A text by its name, of all tabs or of this one; null if there is none. */
export function read(name: string, place: Place = "localStorage"): string | null {
  const here = unkept.get(place + name);
  if (here !== undefined) return here;
  try {
    return globalThis[place].getItem(name);
  } catch {
    return null; // the browser lets nothing be kept
  }
}

/** Keep a text under a name; null removes it. */
export function write(name: string, text: string | null, place: Place = "localStorage"): void {
  try {
    if (text === null) globalThis[place].removeItem(name);
    else globalThis[place].setItem(name, text);
    unkept.delete(place + name);
  } catch {
    unkept.set(place + name, text); // it forbids that, or is full
  }
}
