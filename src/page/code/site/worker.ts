// The worker of a page without a server: one task, then it is closed.

import { work } from "./tasks";

self.onmessage = async ({ data: { task, base, asked } }: MessageEvent) => {
  const tell = (kind: string, content: unknown) => self.postMessage({ kind, content });
  try {
    await work(task, base, asked, tell);
    tell("end", null);
  } catch (error) {
    tell("error", { message: error instanceof Error ? error.message : String(error) });
  }
};
