// What the page asks the server: a task goes in, events come out as they happen.

import { parsed } from "./exact";
import { loaded } from "./loading";
import { alone, askWorker } from "./site/local";
import { read, write } from "./storage";
import type { Exhibit, Placed } from "./types";

/** The server's words about what went wrong. */
export class Refused extends Error {}

export interface News {
  kind: string;
  content: any;
}

// The secret comes with the address once. It is kept where only pages of this very host and port
// can read it; a cookie would go to every other server of the host as well.
const given = new URLSearchParams(location.search).get("token");
if (given !== null) {
  write("token", given);
  history.replaceState(null, "", location.pathname + location.hash);
}

export const GONE = "The server does not answer any more: start `exactile serve` again, and open the address that it prints.";

async function request(path: string, init: RequestInit = {}): Promise<Response> {
  const token = encodeURIComponent(read("token") ?? "");
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`api/${path}`, { ...init, headers }).catch((error) => {
    throw init.signal?.aborted ? error : new Refused(GONE);
  });
  if (!answer.ok || !answer.body) throw new Refused(await words(answer));
  return answer;
}

/** Ask for a task and yield its events; aborting the signal ends it, also on the server. */
export function ask(task: string, asked: object, signal?: AbortSignal): AsyncGenerator<News> {
  return alone ? askHere(task, asked, signal) : askServer(task, asked, signal);
}

async function* askHere(task: string, asked: object, signal?: AbortSignal): AsyncGenerator<News> {
  for await (const news of askWorker(task, asked, signal)) {
    if (news instanceof Error) throw new Refused(news.message);
    yield news;
  }
}

async function* askServer(task: string, asked: object, signal?: AbortSignal): AsyncGenerator<News> {
  const answer = await request(task, { method: "POST", body: JSON.stringify(asked), signal });
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read().catch((error) => {
      throw signal?.aborted ? error : new Refused(GONE);
    });
    if (done) throw new Refused(GONE);
    text += value;
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const [kind, data] = text.slice(0, end).split("\ndata: ") as [string, string];
      text = text.slice(end + 2);
      const content = parsed(data);
      if (kind === "event: error") throw new Refused(content.message);
      if (kind === "event: end") return;
      signal?.throwIfAborted(); // what was already on its way is not news any more
      yield { kind: kind.slice("event: ".length), content };
    }
  }
}

/** Ask for a task that has one answer. */
export async function answer<T>(task: string, asked: object, signal?: AbortSignal): Promise<T> {
  for await (const news of ask(task, asked, signal)) if (news.kind !== "progress") return news.content;
  throw new Refused("There was no answer.");
}

async function words(answer: Response): Promise<string> {
  const text = await answer.text();
  try {
    return JSON.parse(text).message;
  } catch {
    return text || `The server answers ${answer.status}.`;
  }
}

let shown: Promise<Exhibit[]> | null = null;

export function gallery(): Promise<Exhibit[]> {
  shown ??= (alone ? loaded("gallery.json") : request("gallery"))
    .then((answer) => answer.text())
    .then((text) => (alone ? unfolded(parsed(text)) : parsed(text)))
    .catch((error) => {
      shown = null; // the next view tries again
      throw error;
    });
  return shown;
}

/** The exhibits of a site, which writes their fields once. */
function unfolded({ fields, rows }: { fields: (keyof Exhibit)[]; rows: unknown[][] }): Exhibit[] {
  return rows.map((row) => Object.fromEntries(fields.map((field, k) => [field, row[k]])) as unknown as Exhibit);
}

/** A solution of a puzzle of the catalogue, as the ledger has it. */
export async function example(id: string, signal?: AbortSignal): Promise<Placed[]> {
  const found = await fetch(alone ? `puzzles/${id}.json` : `examples/${id}.json`, { signal });
  const content = found.ok ? await found.json() : [];
  const solution: Placed[] = alone ? (content.solution ?? []) : content;
  if (!solution.length) throw new Refused("The solution could not be loaded.");
  return solution;
}

interface Opened {
  puzzle: string;
  store: string;
}

let begun: Promise<Opened> | null = null;

/** What the page was opened with: a puzzle, its text, or a file of long searches. */
export function opened(): Promise<Opened> {
  if (alone) return Promise.resolve({ puzzle: "", store: "" });
  begun ??= request("opened")
    .then((answer): Promise<Opened> => answer.json())
    .catch(() => ({ puzzle: "", store: "" }));
  return begun;
}

/** What the server sends in base64. */
export function bytes(content: string): Blob {
  return new Blob([Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))]);
}

// Own puzzles are part of the address: their text, deflated, in base64.

/** More than any server takes at once; a few kilobytes can inflate to whatever one likes. */
const MOST_BYTES = 1 << 24;

async function through(data: Uint8Array, stream: CompressionStream | DecompressionStream) {
  const reader = new Blob([data as BlobPart]).stream().pipeThrough(stream).getReader();
  const parts: BlobPart[] = [];
  let size = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    parts.push(value as BlobPart);
    size += value.length;
    if (size > MOST_BYTES) {
      void reader.cancel();
      throw new Refused("The puzzle in this address is too large.");
    }
  }
}

export async function packed(text: string): Promise<string> {
  const data = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  const letters = Array.from(data, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export async function unpacked(word: string): Promise<string> {
  try {
    const letters = atob(word.replaceAll("-", "+").replaceAll("_", "/"));
    const data = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
    return new TextDecoder().decode(await through(data, new DecompressionStream("deflate-raw")));
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Refused("This address is broken: the puzzle in it cannot be read.");
  }
}
