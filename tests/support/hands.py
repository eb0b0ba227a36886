"""Hands on the page: a mouse or a finger, which count what they do and put pieces into place."""

from __future__ import annotations

import base64
import zlib
from itertools import product
from typing import Any

import numpy as np

from exactile.geometry import get_lattice
from exactile.puzzle import Puzzle
from support.waiting import wait_until

RAISED = 56
"""Pixels by which the page holds a piece above a finger."""

TELEPHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
}

SCREEN: dict[str, Any] = {"viewport": {"width": 1366, "height": 768}}

Points = list[tuple[int, ...]]


def own(text: str) -> str:
    """Return the address within the page of a puzzle, given by the text of its file."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(text.encode()) + packer.flush()
    return f"/own/{base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


class Hand:
    """A mouse, or a finger on a telephone; `clicks` counts clicks, drags, and fields."""

    def __init__(self, page: Any, finger: bool) -> None:
        self.page = page
        self.finger = finger
        self.clicks = 0
        self.raised = RAISED if finger else 0
        self.touch = page.context.new_cdp_session(page) if finger else None

    def click(self, target: Any) -> None:
        """Click or tap, as a person does it."""
        self.clicks += 1
        if self.finger:
            target.tap()
        else:
            target.click()

    def press(self, name: str, role: str = "button") -> None:
        """Click what has a name."""
        self.click(self.page.get_by_role(role, name=name, exact=True).first)

    def card(self, name: str) -> None:
        """Click a card of the front page."""
        self.click(self.page.locator(".gallery .card", has_text=name).first)

    def write(self, label: str, text: str) -> None:
        """Click into a field and type."""
        field = self.page.get_by_label(label, exact=True)
        self.click(field)
        field.fill("")
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")

    def choose(self, label: str, value: str) -> None:
        """Choose from a list, which the browser itself draws: one click opens it, one chooses."""
        self.clicks += 2
        self.page.get_by_label(label, exact=True).select_option(value)

    def down(self, x: float, y: float) -> None:
        """Press."""
        self.clicks += 1
        if self.touch:
            self._touch("touchStart", x, y)
        else:
            self.page.mouse.move(x, y)
            self.page.mouse.down()

    def move(self, x: float, y: float) -> None:
        """Move what is held to a place: a finger is below it."""
        if self.touch:
            self._touch("touchMove", x, y + self.raised)
            self.page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
        else:
            self.page.mouse.move(x, y)

    def up(self) -> None:
        """Let go."""
        if self.touch:
            self.touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        else:
            self.page.mouse.up()

    def _touch(self, kind: str, x: float, y: float) -> None:
        assert self.touch is not None
        there = {"type": kind, "touchPoints": [{"x": x, "y": y}]}
        self.touch.send("Input.dispatchTouchEvent", there)

    def middle(self, target: Any) -> tuple[float, float]:
        """Return the middle of an element on the screen."""
        box = target.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def lift(self, target: Any) -> None:
        """Take a piece: up, which does not leaf through the others."""
        x, y = self.middle(target)
        self.down(x, y)
        self.move(x, y - self.raised - 20)
        self.page.locator(".floating svg").wait_for()

    def stroke(self, *points: str) -> None:
        """Draw from unit to unit."""
        start, *others = [self.middle(self.unit(point)) for point in points]
        self.down(*start)
        for x, y in others:
            self.move(x, y - self.raised)
        self.up()

    def unit(self, point: str) -> Any:
        """Return a unit of the board."""
        return self.page.locator(f'.hits [data-point="{point}"]')

    def place(self, puzzle: Puzzle, name: str, points: Points) -> None:
        """Turn a piece and drag it to some units."""
        source = self.page.locator(f"[data-piece={name}]")
        source.scroll_into_view_if_needed()
        words = turns(puzzle, name, points)
        if words:
            self.click(source)
            for word in words:
                self.press(word)
            source = self.page.locator(".hand svg")
        self.lift(source)
        there = [self.unit(",".join(map(str, point))) for point in points]
        wanted = {unit.get_attribute("d") for unit in there}
        for unit in there:  # one of them is where the hand holds the piece
            self.move(*self.middle(unit))
            marks = self.page.locator(".marks .ghost").all()
            if {mark.get_attribute("d") for mark in marks} == wanted:
                break
        else:
            raise AssertionError(f"{name} cannot be held over {points}")
        before = self.page.locator(".board .sketch .part").count()
        self.up()
        wait_until(lambda: self.page.locator(".board .sketch .part").count() == before + 1)


def turns(puzzle: Puzzle, name: str, points: Points) -> list[str]:
    """Return the names of the turns that bring a piece into the position of some units.

    For lattices of cells whose units are all alike.
    """
    lattice = get_lattice(puzzle.lattice.name)
    matrices = [np.array(m) for m in lattice.group]
    proper = matrices[: len(lattice.proper)]
    if lattice.dimension == 2:
        motions = {"Turn": _first(proper, 4), "Flip": matrices[len(lattice.proper)]}
    else:
        motions = {f"Turn about {a}": _first(proper, 4, k) for k, a in enumerate("xyz")}
    piece = np.array(puzzle.piece(name).units)
    wanted = _settled(np.array(points))
    for count in range(5):
        for words in product(motions, repeat=count):
            turned = piece
            for word in words:
                turned = turned @ motions[word].T
            if _settled(turned) == wanted:
                return list(words)
    raise AssertionError(f"{name} never lies so")


def _first(matrices: list[Any], order: int, axis: int | None = None) -> Any:
    """Return the first matrix of an order, about an axis."""
    for matrix in matrices:
        powers = [np.linalg.matrix_power(matrix, n) for n in range(1, order + 1)]
        own = [n for n, m in enumerate(powers, 1) if (m == np.eye(len(m))).all()][:1]
        if own == [order] and (axis is None or matrix[axis][axis] == 1):
            return matrix
    raise AssertionError


def _settled(points: Any) -> list[tuple[int, ...]]:
    """Return points moved so that those of equal shape are equal."""
    return sorted(map(tuple, (points - points.min(axis=0)).tolist()))
