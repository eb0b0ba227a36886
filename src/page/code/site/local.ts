// Requests of a page without a server: files, and tasks that a worker does.

import type { News } from "../api";

/** Whether the page came from a static host: `make site` marks it. */
export const alone = "site" in document.documentElement.dataset;

/** What is said of all that does not work here. */
export const NEEDS = "This needs exactile serve, which runs on your own computer.";

/** Milliseconds after the first view until all else is loaded: what is played needs the engine first. */
const SETTLED = 2000;

/** Keep the site for visits without a network, once the first view is there. */
export function keepOffline(): void {
  if (!alone || !("serviceWorker" in navigator && "DecompressionStream" in window)) return;
  setTimeout(() => void navigator.serviceWorker.register("offline.js").catch(() => null), SETTLED);
}

/** Do a task in a worker of its own and yield its events; aborting the signal kills it. */
export async function* askWorker(task: string, asked: object, signal?: AbortSignal): AsyncGenerator<News | Error> {
  const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  const waiting: News[] = [];
  let wake = () => {};
  worker.onmessage = ({ data }: MessageEvent<News>) => {
    waiting.push(data);
    wake();
  };
  worker.onerror = (event) => {
    waiting.push({ kind: "error", content: { message: event.message || "The engine could not be loaded." } });
    wake();
  };
  const aborted = () => wake();
  signal?.addEventListener("abort", aborted);
  try {
    worker.postMessage({ task, base: document.baseURI, asked });
    for (;;) {
      signal?.throwIfAborted();
      const news = waiting.shift();
      if (!news) await new Promise<void>((done) => (wake = done));
      else if (news.kind === "end") return;
      else yield news.kind === "error" ? new Error(news.content.message) : news;
    }
  } finally {
    signal?.removeEventListener("abort", aborted);
    worker.terminate();
  }
}
