"""Whatever is done to a puzzle file, it gives puzzles or one of our errors, never another."""

from __future__ import annotations

import random
import re

import pytest

from exactile.errors import PuzzleError
from exactile.files import Document, entries
from support.few import few

JUNK = [
    "true",
    "-1",
    "0",
    "1e9",
    "[]",
    "{}",
    '""',
    '"x"',
    "[[1,2]]",
    "99999999999999999999",
    '"0..3"',
    '["X"]',
    "{a=1}",
    "[1,2,3]",
    "nan",
    '"#"',
    '"0,0"',
    "[0,0,0]",
    "1979-05-27",
]

LINES = [
    "region.wrap=%",
    "region.optional=%",
    "region.plus=[{units=%}]",
    "region.minus=[{box=%}]",
    "region.shift=%",
    'fixed=[{piece=%,units="0,0"}]',
    'fixed=[{piece="X",units=%}]',
    "crossing=%",
    "pieces.copies=%",
    "region.units=%",
    "region.drawing=%",
    "region.triangle=%",
]


def mutated(text: str, rng: random.Random) -> str:
    """Replace a value, a number or a character, or add a line."""
    kind = rng.randrange(4)
    if kind == 0:
        return text.rstrip("\n") + "\n" + rng.choice(LINES).replace("%", rng.choice(JUNK)) + "\n"
    if kind == 1:
        place = rng.randrange(len(text))
        return text[:place] + rng.choice('#+.",[]{}= 0a\n\0é') + text[place + rng.randrange(3) :]
    pattern = r"(?<==).*$" if kind == 2 else r'-?\d+|"[^"\n]*"'
    found = list(re.finditer(pattern, text, flags=re.MULTILINE))
    if not found:
        return text
    chosen = rng.choice(found)
    return text[: chosen.start()] + rng.choice(JUNK) + text[chosen.end() :]


SAMPLES = ["pentominoes", "soma", "hexiamonds", "tetrahexes", "tetrasticks", "tritrigs", "tori"]


@pytest.mark.parametrize("seed", few(range(200), 4))
def test_mutations(seed: int) -> None:
    rng = random.Random(seed)  # no secrets here
    paths = sorted({e.path for e in entries() if e.path.stem in SAMPLES})
    sections = re.split(r"(?=^\[puzzle)", rng.choice(paths).read_text("utf-8"), flags=re.MULTILINE)
    text = "format = 1\n" + rng.choice(sections[1:])
    for _ in range(rng.randrange(1, 4)):
        text = mutated(text, rng)
    assert outcome(text).startswith("f.toml: ")


def outcome(text: str) -> str:
    """Return what is wrong with a file, or that nothing is."""
    try:
        document = Document("f.toml", text)
        for name in document.ids:
            document.puzzle(name)
    except PuzzleError as error:
        return str(error)
    return "f.toml: nothing is wrong"
