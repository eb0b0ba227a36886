// The service worker of a site: after the first visit everything works without a network.

/** What `exactile.serve.site` writes before this script: a digest of all files, and their names. */
declare const SITE: { version: string; files: string[]; bundles: string[] };

const worker = self as any;
const NAME = `exactile-${SITE.version}`;

/** Many small files that come as one, compressed: not every host compresses what it sends. */
async function unpacked(bundle: string): Promise<Record<string, string>> {
  const packed = await fetch(bundle, { cache: "reload" });
  return new Response(packed.body!.pipeThrough(new DecompressionStream("deflate"))).json();
}

async function fill(): Promise<void> {
  const cache = await caches.open(NAME);
  await cache.addAll(SITE.files.map((file) => new Request(file, { cache: "reload" })));
  for (const bundle of SITE.bundles) {
    for (const [name, text] of Object.entries(await unpacked(bundle))) {
      const type = name.endsWith(".svg") ? "image/svg+xml" : "application/json";
      await cache.put(name, new Response(text, { headers: { "content-type": type } }));
    }
  }
}

async function sweep(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith("exactile-") && name !== NAME) await caches.delete(name);
  await worker.clients.claim();
}

async function given(request: Request): Promise<Response> {
  const kept = await (await caches.open(NAME)).match(request, { ignoreSearch: true });
  return kept ?? fetch(request);
}

worker.addEventListener("install", (event: any) => event.waitUntil(fill().then(() => worker.skipWaiting())));
worker.addEventListener("activate", (event: any) => event.waitUntil(sweep()));
worker.addEventListener("fetch", (event: any) => {
  const { request } = event;
  if (request.method === "GET" && new URL(request.url).origin === location.origin) event.respondWith(given(request));
});
