// Addresses within the page.

import { unpacked } from "./api";

export interface Route {
  parts: string[];
  query: URLSearchParams;
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
  const omit = query.get("omit")?.split(",").filter(Boolean) ?? [];
  const puzzle = where === "own" ? await unpacked(word) : word;
  return { base: `#/${where}/${encodeURIComponent(word)}`, puzzle, omit };
}

/** The address of a view of a puzzle. */
export function address({ base, omit }: Subject, tab = ""): string {
  const rest = omit.length ? `?omit=${omit.map(encodeURIComponent).join(",")}` : "";
  return base + (tab && `/${tab}`) + rest;
}
