// Does tasks with the worker of a site, in Node: requests are lines of JSON, and so are answers,
// in which numbers beyond 2^53 are texts.
// node --experimental-default-type=module worker.mjs SITE

import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const site = pathToFileURL(`${process.argv[2]}/`).href;
globalThis.self = globalThis;
globalThis.location = { href: `${site}worker.js` };
globalThis.fetch = async (url) => {
  try {
    return new Response(await readFile(new URL(url)));
  } catch {
    return new Response("", { status: 404 });
  }
};
const events = [];
let finish = () => {};
globalThis.postMessage = (event) => {
  if (event.kind !== "progress") events.push(event);
  if (event.kind === "end" || event.kind === "error") finish();
};
await import(`${site}worker.js`);

for await (const line of createInterface({ input: process.stdin })) {
  const { task, ...asked } = JSON.parse(line);
  events.length = 0;
  const over = new Promise((done) => (finish = done));
  globalThis.onmessage({ data: { task, base: site, asked } });
  await over;
  console.log(JSON.stringify({ events }, (_, value) => (typeof value === "bigint" ? String(value) : value)));
}
