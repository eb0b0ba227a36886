// Addresses within the page.

import { unpacked } from "./api";

export interface Route {
  parts: string[];
  query: URLSearchParams;
}

let here = "";
/** The address of the view that is shown. */

/** The address in the browser, of which a view is about to be shown. */
export function arrive(): Route {
  here = location.hash;
  const [path = "", query = ""] = here.replace(/^#\/?/, "").split("?");
  return { parts: path.split("/").map(decoded), query: new URLSearchParams(query) };
}

/** Whether the browser has gone on from the view that is shown. */
export function hasLeft(): boolean {
  return location.hash !== here;
}

/** What a part of an address stands for; itself if it is a percent sign that stands for nothing. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Give the view that is shown another address, unless the browser has gone on: it says so a moment later. */
export function rename(address: string): void {
  if (hasLeft()) return;
  history.replaceState(null, "", address);
  here = location.hash;
}

export type View = (place: HTMLElement, route: Route, signal: AbortSignal) => Promise<void>;

/** The puzzle that an address names, as the server is asked about it. */
export interface Subject {
  /** What comes before the tab in the address. */
  base: string;
  puzzle: string;
  omit: string[];
}

export async function subject({ parts, query }: Route): Promise<Subject> {
  const [where = "p", word = ""] = parts;
  const omit = query.get("omit")?.split(",").filter(Boolean).map(decoded) ?? [];
  const puzzle = where === "own" ? await unpacked(word) : word;
  return { base: `#/${where}/${encodeURIComponent(word)}`, puzzle, omit };
}

/** The address of a view of a puzzle. Names of pieces are encoded twice: they may have commas. */
export function address({ base, omit }: Subject, tab = ""): string {
  const names = omit.map((name) => encodeURIComponent(encodeURIComponent(name)));
  const rest = omit.length ? `?omit=${names.join(",")}` : "";
  return base + (tab && `/${tab}`) + rest;
}
