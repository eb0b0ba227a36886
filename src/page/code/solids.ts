// The view of solids, in a file of its own that pages of one file hold too.

import { h } from "./dom";
import type { SolidView } from "./solid";
import type { Board } from "./types";

declare global {
  var solid: { SolidView: typeof SolidView } | undefined;
}

let loading: Promise<typeof SolidView> | null = null;

/** Put a view of a board's solids before what is in a place, where the browser can. */
export async function solidOn(place: HTMLElement, board: Pick<Board, "lattice" | "units">): Promise<SolidView | null> {
  try {
    const view = new (await loaded())(board);
    place.prepend(view.element);
    return view;
  } catch {
    place.prepend(h("p", { class: "soft" }, "This browser cannot draw in three dimensions: here are the layers."));
    return null;
  }
}

/** Load it once, when a solid is shown. */
function loaded(): Promise<typeof SolidView> {
  loading ??= new Promise((done, fail) => {
    const script = h("script", { src: "solid.js" });
    script.addEventListener("load", () => done(globalThis.solid!.SolidView));
    script.addEventListener("error", () => {
      loading = null; // the next solid tries again
      fail(new Error("solid.js could not be loaded."));
    });
    document.head.append(script);
  });
  return loading;
}
