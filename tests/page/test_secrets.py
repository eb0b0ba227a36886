"""What the page gives away and what it takes from its address: secrets, links of strangers."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, ClassVar

import pytest


class Neighbor(BaseHTTPRequestHandler):
    """Another server of this machine: it answers all, and keeps what it is sent."""

    got: ClassVar[list[str]] = []

    def do_GET(self) -> None:  # as the library calls it
        self.got.append(f"{self.path} {self.headers.as_string()}")
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        # An icon of its own: one that is asked for while the test ends would be an error.
        self.wfile.write(b"<link rel='icon' href='data:,'><a href='/'>there</a>")

    def log_message(self, *words: Any) -> None:
        pass


@pytest.fixture
def neighbor() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Neighbor)
    Neighbor.got.clear()
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    thread.join()
    server.server_close()


def test_the_secret_leaves_the_address_and_goes_to_no_other_port(page: Any, neighbor: str) -> None:
    assert "secret" not in page.url
    assert page.context.cookies() == []
    own = page.url.partition("#")[0]
    page.goto(neighbor)
    assert page.evaluate("localStorage.length") == 0
    assert Neighbor.got
    assert not any("secret" in got or own in got for got in Neighbor.got)


def test_a_link_on_another_page_leads_to_the_puzzle(page: Any, neighbor: str) -> None:
    own = page.url.partition("#")[0]
    page.goto(neighbor)
    page.evaluate("link => { document.links[0].href = link }", f"{own}#/p/soma-cube")
    page.get_by_role("link").click()
    page.wait_for_selector("h1:has-text('Soma')")


def test_without_the_secret_the_page_says_where_it_is(browser: Any, address: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(address.partition("?")[0])
    page.wait_for_selector("text=Open the address that `exactile serve` has printed")
    context.close()


def test_a_browser_that_keeps_nothing_shows_the_page(browser: Any, address: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.add_init_script(
        """for (const name of ["localStorage", "sessionStorage", "indexedDB"])
            Object.defineProperty(window, name, { get() { throw new Error("blocked"); } });"""
    )
    page.goto(f"{address}#/p/soma-cube")
    page.get_by_role("button", name="Count", exact=True).click()
    page.wait_for_selector("text=240 solutions up to symmetry")
    page.get_by_role("button", name="Dark").click()
    page.get_by_role("button", name="Light").wait_for()
    page.evaluate("location.hash = '/edit'")
    page.get_by_role("button", name="Fill").click()
    page.wait_for_selector("text=48 units to be covered")
    context.close()


def deflated(text: bytes) -> str:
    """Return a text as addresses have it."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = packer.compress(text) + packer.flush()
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


@pytest.mark.parametrize(
    ("link", "words"),
    [
        ("#/own/" + deflated(b"x" * (200 << 20)), "The puzzle in this address is too large."),
        ("#/own/%", "This address is broken"),
        ("#/own/abc", "This address is broken"),
        ("#/p/%", "There is no puzzle '%' in the catalogue."),
        ("#/p/%E0%A4%A", "There is no puzzle '%E0%A4%A'"),
    ],
    ids=["large", "no letters", "no text", "a percent sign", "half a letter"],
)
def test_links_that_hold_no_puzzle_are_refused_in_words(page: Any, link: str, words: str) -> None:
    page.evaluate("link => { location.hash = link }", link)
    page.wait_for_selector(f"text={words}")
    assert page.title() == "This did not work · Exactile"
    assert words in page.text_content("#spoken")


@pytest.mark.parametrize("link", ["#/%", "#/constructor", "#/__proto__", "#/toString/p"])
def test_unknown_addresses_show_the_gallery(page: Any, link: str) -> None:
    page.evaluate("link => { location.hash = link }", link)
    page.wait_for_selector("h1:has-text('Puzzles')")
