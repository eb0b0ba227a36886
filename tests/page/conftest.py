"""A browser and a server for the tests of the page; without a browser they are left out."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from exactile.clock import CLOCK, VARIABLE
from support.waiting import PATIENCE

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
ARGUMENTS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of long searches: one that has solved, one that was cut into parts."""
    file = tmp_path_factory.mktemp("page") / "long.store"
    for words in (
        ["solve", "soma-cube", "--all"],
        ["count", "one-sided-pentominoes-9x10", "--set", "parts=5"],  # long on any machine
    ):
        line = [sys.executable, "-m", "exactile", *words, "--store", str(file)]
        subprocess.run(line, capture_output=True)  # a search that is not done has its own code
    return file


@pytest.fixture(scope="session")
def address(store: Path) -> Iterator[str]:
    """The address of a server that has a file of long searches open."""
    words = ["serve", str(store), "--no-browser", "--port", "0", "--token", "secret"]
    # The server waits for a browser, whose seconds are those of the machine.
    second = max(1.0, CLOCK.second)
    with subprocess.Popen(
        [sys.executable, "-m", "exactile", *words],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {VARIABLE: str(second)},
    ) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.terminate()


@pytest.fixture(scope="module")
def playwright() -> Iterator[Any]:
    """What drives browsers.

    It ends with each file of tests: until then its event loop runs in this thread, where tests of
    other files could not start theirs.
    """
    library = pytest.importorskip("playwright.sync_api", reason="needs Playwright")
    with library.sync_playwright() as running:
        yield running


@pytest.fixture(scope="module")
def browser(playwright: Any) -> Any:
    """Debian's Chromium, headless."""
    if CHROMIUM is None:
        pytest.skip("needs Chromium")
    return playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)


@pytest.fixture(scope="module")
def firefox(playwright: Any) -> Any:
    """Debian's Firefox, headless, driven by the protocol that it has itself (WebDriver BiDi)."""
    if FIREFOX is None:
        pytest.skip("needs Firefox")
    return playwright.firefox.launch(executable_path=FIREFOX, channel="moz-firefox")


@pytest.fixture
def page(browser: Any, address: str) -> Iterator[Any]:
    """A page in a context of its own; what goes wrong in it is an error."""
    context = browser.new_context(viewport={"width": 1200, "height": 900}, reduced_motion="reduce")
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda m: wrong.append(m.text) if m.type == "error" else None)
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(f"{address}#/sudoku")  # the view that is there soonest
    page.wait_for_selector("h1")
    yield page
    context.close()
    assert wrong == []
