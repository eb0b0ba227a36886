"""Measures the page in Chromium: the first picture, frames while a solid turns, memory.

    cd benchmarks && python page.py [/usr/bin/chromium]

The frames are those of a browser without a graphics card, which draws in software: a lower bound.
Seconds by the clock depend on what else the machine does, so that its load is told, and the
processor time that server and browser take for the first picture.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

FRAMES = """async action => {
    const act = new Function("frame", action);
    const times = [];
    await new Promise(done => {
        const step = time => {
            times.push(time);
            act(times.length);
            if (times.length > 240) done(); else requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
    });
    const spent = times.slice(1).map((time, k) => time - times[k]).sort((a, b) => a - b);
    return [spent[spent.length >> 1], spent[Math.floor(spent.length * 0.95)]];
}"""

TURN = """document.querySelector("canvas").dispatchEvent(
    new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }))"""

SCROLL = """const range = document.querySelector('input[aria-label="Solution"]');
range.value = String(1 + (frame * 37) % Number(range.max));
range.dispatchEvent(new Event("input"));"""

FIRST = """new Promise(done => {
    const look = () => {
        const [image] = [...document.images].filter(i => i.complete && i.naturalWidth);
        if (image) done(performance.now()); else requestAnimationFrame(look);
    };
    look();
})"""

ARGUMENTS = ["--no-sandbox", "--disable-quic", "--no-first-run", "--enable-unsafe-swiftshader"]


def main() -> None:
    """Print the table."""
    words = [sys.executable, "-m", "exactile", "serve", "--no-browser", "--port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            with sync_playwright() as running:
                path = sys.argv[1] if len(sys.argv) > 1 else "/usr/bin/chromium"
                browser = running.chromium.launch(executable_path=path, args=ARGUMENTS)
                rows = measured(browser, server.stdout.readline().strip())
        finally:
            server.terminate()
    print("| what | measured |\n|---|---|")
    for row in rows:
        print(f"| {row[0]} | {row[1]} |")


def measured(browser: Any, address: str) -> list[tuple[str, str]]:
    """Return what was measured, in words."""
    time.sleep(5)  # the server has begun, as it has where a browser is opened by hand
    seconds, spent = [], []
    for _ in range(4):
        page = browser.new_context(viewport={"width": 1200, "height": 900}).new_page()
        page.set_default_timeout(120_000)
        before = processor_time()
        page.goto(address)
        seconds.append(page.evaluate(FIRST) / 1000)
        spent.append(processor_time() - before)
    first, work = ("{:.2f}, then {:.2f}, {:.2f}, {:.2f}".format(*each) for each in (seconds, spent))
    rows = [
        ("load of the machine, with its processors", f"{os.getloadavg()[0]:.0f}, {os.cpu_count()}"),
        ("first picture in a browser just begun, seconds by the clock", first),
        ("processor time of server and browser for it, seconds", work),
    ]
    page.evaluate("location.hash = '#/p/pentacubes-3x3x17-tower'")
    page.get_by_label("Solver").select_option("auto")
    page.get_by_label("at most").fill("1")
    page.get_by_role("button", name="Solve").click()
    page.wait_for_selector("text=1 of 1")
    rows.append(("frames while 145 cubes turn", told(page.evaluate(FRAMES, TURN))))
    page.evaluate("location.hash = '#/p/pentominoes-6x10'")
    page.get_by_role("button", name="Solve").click()
    page.wait_for_selector("text=1 of 2,000")
    session = page.context.new_cdp_session(page)
    page.wait_for_selector("text=2,000 solutions found")
    rows.append(("frames while 2,000 solutions are scrolled", told(page.evaluate(FRAMES, SCROLL))))
    heaps = []
    for _ in range(5):
        page.evaluate(FRAMES, SCROLL)
        session.send("HeapProfiler.collectGarbage")
        used = session.send("Runtime.getHeapUsage")["usedSize"]
        heaps.append(f"{used / 1e6:.1f}")
    rows.append(("memory of scripts after each 240 of them, MB", ", ".join(heaps)))
    return rows


def processor_time() -> float:
    """Return for how many seconds the processes begun from here, and alive, have worked."""
    found, ticks = [os.getpid()], 0
    for pid in found:
        with suppress(OSError):  # it has just ended
            for task in Path(f"/proc/{pid}/task").iterdir():
                found += map(int, (task / "children").read_text().split())
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def told(spent: list[float]) -> str:
    """Return the time between frames in words."""
    return f"{1000 / spent[0]:.0f} a second; 19 of 20 come within {spent[1]:.0f} ms"


if __name__ == "__main__":
    main()
