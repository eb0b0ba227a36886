"""Texts of classic exact-cover problems in Knuth's format."""

from __future__ import annotations

from itertools import product

TOY = "a b c d e f g\nc e\na d g\nb c f\na d f\nb g\nd e g\n"
"""Knuth's example: one solution, {a d f, b g, c e}."""

SECONDARY = "A B C D E | F G\nC E F\nA D G\nB C F\nA D\nB G\nD E G\n"
"""The example of DLX1: one solution, {A D, B G, C E F}."""

COLORS = "p q r | x y\np q x y:A\np r x:A y\np x:B\nq x:A\nr y:B\n"
"""Knuth's example of colors: one solution, {p r x:A y, q x:A}."""

IGNORED = "A B C | X Y\nA B X:0 Y:0\nA C X:1 Y:1\nX:0 Y:1\nB X:1\nC Y:1\n"
"""The example of DLX2: one solution, {A C X:1 Y:1, B X:1}; one option has no primary item."""

BOUNDS = """| A simple example of color controls
A B 2:3|C | X Y
A B X:0 Y:0
A C X:1 Y:1
C X:0
B X:1
C Y:1
"""
"""The example of DLX3: one solution, {A C X:1 Y:1, B X:1, C Y:1}."""


def langford(n: int) -> str:
    """Each number k of 1..n in two of 2n places that are k + 1 apart; mirror images both count."""
    places = range(1, 2 * n + 1)
    options = [f"{k} s{p} s{p + k + 1}" for k in range(1, n + 1) for p in places[: 2 * n - k - 1]]
    return "\n".join([" ".join([*map(str, range(1, n + 1)), *(f"s{p}" for p in places)]), *options])


def queens(n: int) -> str:
    """A queen in each row and column; both kinds of diagonals are secondary."""
    head = " ".join(f"r{k} c{k}" for k in range(n))
    diagonals = " ".join(f"a{k} b{k}" for k in range(2 * n - 1))
    options = [f"r{r} c{c} a{r + c} b{r - c + n - 1}" for r, c in product(range(n), repeat=2)]
    return "\n".join([f"{head} | {diagonals}", *options])


def attacks(n: int, queens: int) -> str:
    """So many queens that attack or occupy every cell."""
    cells = list(product(range(n), repeat=2))
    head = " ".join([f"{queens}|#", *(f"1:{queens}|{r},{c}" for r, c in cells)])
    options = [
        " ".join(
            ["#"] + [f"{x},{y}" for x, y in cells if x == r or y == c or abs(x - r) == abs(y - c)]
        )
        for r, c in cells
    ]
    return "\n".join([head, *options])


def de_bruijn(n: int) -> str:
    """Cyclic sequences of bits in which every word of n bits occurs once, with a fixed start."""
    words = ["".join(bits) for bits in product("01", repeat=n)]
    size = len(words)
    head = " ".join([*(f"p{k}" for k in range(size)), *(f"w{w}" for w in words)])
    options = [
        f"p{k} w{w} " + " ".join(f"x{(k + j) % size}:{bit}" for j, bit in enumerate(w))
        for k in range(size)
        for w in words
    ]
    return "\n".join([f"{head} | " + " ".join(f"x{k}" for k in range(size)), *options])


def dominoes(width: int, height: int) -> str:
    """Dominoes in a box."""
    cells = [f"{x},{y}" for x in range(width) for y in range(height)]
    flat = [f"{x},{y} {x + 1},{y}" for x in range(width - 1) for y in range(height)]
    upright = [f"{x},{y} {x},{y + 1}" for x in range(width) for y in range(height - 1)]
    return "\n".join([" ".join(cells), *flat, *upright])
