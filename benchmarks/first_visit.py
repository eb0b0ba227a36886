"""Measures a first visit to the page without a server: bytes of each file, seconds until one plays.

    make site; cd benchmarks && python first_visit.py [CHROMIUM]

Chromium begins with an empty cache and slows its main thread down four times, as its developer
tools do; workers are not slowed by that. All files share a line of 20 Mbit a second, once as they
are and once compressed, as many hosts send them. A piece can be dragged as soon as it is drawn;
that the page has judged the game shows that the engine is there. Seconds depend on what else the
machine does. What is loaded later for visits without a network is left out.
"""

from __future__ import annotations

import gzip
import os
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock, Thread
from typing import Any

from playwright.sync_api import sync_playwright

SITE = Path(__file__).parents[1] / "build" / "site"
RATE = 20e6 / 8
SLOWER = 4
TIMES = 5
SCREEN = {"width": 1366, "height": 768}

WATCH = """window.seen = {};
const wanted = { played: ".begun [data-piece]", judged: ".begun .verdict.right" };
const look = () => {
    for (const [name, selector] of Object.entries(wanted))
        if (document.querySelector(selector)) seen[name] ??= performance.now();
    if (!seen.judged) requestAnimationFrame(look);
};
requestAnimationFrame(look);"""

ARGUMENTS = ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-gpu"]


class Line:
    """A line that all files come by; it keeps how many bytes of each came."""

    def __init__(self, packed: bool) -> None:
        self.packed = packed
        self.sizes: dict[str, int] = {}
        self._free = 0.0
        self._lock = Lock()

    def send(self, stream: Any, content: bytes) -> None:
        """Send bytes as fast as the line has room for them."""
        for k in range(0, len(content), 16384):
            part = content[k : k + 16384]
            with self._lock:
                self._free = max(self._free, time.monotonic()) + len(part) / RATE
                until = self._free
            time.sleep(max(0.0, until - time.monotonic()))
            stream.write(part)


def handler(line: Line) -> type[SimpleHTTPRequestHandler]:
    """Return what answers requests for files of the site by a line."""

    class Handler(SimpleHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            path = Path(self.translate_path(self.path))
            path = path / "index.html" if path.is_dir() else path
            content = path.read_bytes() if path.exists() else b""
            self.send_response(200 if content else 404)
            if line.packed:
                content = gzip.compress(content, 6)
                self.send_header("Content-Encoding", "gzip")
            self.send_header("Content-Type", self.guess_type(path))
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            line.sizes[str(path.relative_to(SITE))] = len(content)
            with suppress(ConnectionError):  # the page has been closed
                line.send(self.wfile, content)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    return Handler


@contextmanager
def hosted(line: Line) -> Iterator[str]:
    """Serve the site by a line; yield the address."""
    words: dict[str, Any] = {"directory": str(SITE)}
    own = handler(line)
    server = ThreadingHTTPServer(("127.0.0.1", 0), lambda *given: own(*given, **words))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


def visited(browser: Any, packed: bool) -> tuple[dict[str, float], dict[str, int]]:
    """Visit the site; return the seconds, and the bytes until the game is judged."""
    line = Line(packed)
    with hosted(line) as address:
        context = browser.new_context(viewport=SCREEN, service_workers="block")
        page = context.new_page()
        page.set_default_timeout(300_000)
        page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
        page.add_init_script(WATCH)
        page.goto(address, wait_until="commit")
        page.wait_for_function("window.seen?.judged")
        sizes = dict(line.sizes)
        seen = page.evaluate("seen")
        context.close()
    return {name: spent / 1000 for name, spent in seen.items()}, sizes


def main() -> None:
    """Print the tables."""
    path = sys.argv[1] if len(sys.argv) > 1 else shutil.which("chromium")
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=path, args=ARGUMENTS)
        found = {
            packed: [visited(browser, packed) for _ in range(TIMES)] for packed in (False, True)
        }
    print(f"Load of the machine: {os.getloadavg()[0]:.0f}, processors: {os.cpu_count()}\n")
    print("| files | seconds until a piece can be dragged | until the game is judged | kB |")
    print("|---|---|---|---|")
    for packed, visits in found.items():
        times = [
            ", ".join(f"{x:.2f}" for x in sorted(seen[name] for seen, _ in visits))
            for name in ("played", "judged")
        ]
        total = sum(visits[0][1].values()) / 1000
        print(
            f"| {'compressed' if packed else 'as they are'} | {' | '.join(times)} | {total:.0f} |"
        )
    plain, packed_sizes = (found[packed][0][1] for packed in (False, True))
    print("\n| file | kB | compressed |\n|---|---|---|")
    for name, size in sorted(plain.items(), key=lambda pair: -pair[1]):
        print(f"| {name} | {size / 1000:.1f} | {packed_sizes.get(name, 0) / 1000:.1f} |")


if __name__ == "__main__":
    main()
