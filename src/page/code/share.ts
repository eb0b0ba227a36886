// Links that say everything: the puzzle, the view, what lies on the board.

import { packed, unpacked } from "./api";
import { button, h, say } from "./dom";
import type { Placed } from "./types";

/** An address within the page with placements in its query. */
export async function linked(there: string, placements: Record<string, Placed[]>): Promise<string> {
  const parts = await Promise.all(
    Object.entries(placements)
      .filter(([, placed]) => placed.length)
      .map(async ([name, placed]) => `${name}=${await packed(JSON.stringify(placed))}`),
  );
  if (!parts.length) return there;
  return `${there}${there.includes("?") ? "&" : "?"}${parts.join("&")}`;
}

/** Placements of an address, as it has them; they may be anything. */
export async function sent(query: URLSearchParams, name: string): Promise<unknown> {
  const word = query.get(name);
  if (!word) return undefined;
  try {
    return JSON.parse(await unpacked(word));
  } catch {
    return undefined; // the puzzle is shown without them
  }
}

/** A button that copies a link; where the browser forbids that, the link is shown. */
export function copier(link: () => Promise<string>): HTMLElement {
  const copy = button("Copy link", async () => {
    const address = new URL(await link(), location.href).href;
    try {
      await navigator.clipboard.writeText(address);
      copy.textContent = "Copied";
      say("The link is copied");
      setTimeout(() => (copy.textContent = "Copy link"), 2000);
    } catch {
      const field = h("input", { readonly: true, value: address, "aria-label": "Link" });
      copy.replaceWith(field);
      field.select();
    }
  });
  return copy;
}
