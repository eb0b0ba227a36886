"""Files of other programs: their formats, and the reader of each."""

from __future__ import annotations

import re
from collections.abc import Callable
from io import StringIO
from pathlib import Path

from exactile.errors import FileError, NotFoundError
from exactile.files.foreign.common import Foreign
from exactile.files.foreign.polycube_text import parse_polycube
from exactile.files.foreign.psv import CONTENT, parse_psv
from exactile.files.foreign.xmpuzzle import parse_xmpuzzle
from exactile.files.io.contents import decoded
from exactile.files.models.names import SUFFIXES
from exactile.files.puzzles.catalogue import load
from exactile.files.solutions.reader import Reading, read_solutions, stated_puzzle
from exactile.puzzle import Puzzle


def _text(parse: Callable[[str, str], Foreign]) -> Callable[[str, bytes], Foreign]:
    return lambda name, data: parse(name, decoded(name, data))


PUZZLES: dict[str, Callable[[str, bytes], Foreign]] = {
    "xmpuzzle": parse_xmpuzzle,
    "psv": _text(parse_psv),
    "polycube": _text(parse_polycube),
}
"""Readers of puzzles; each takes the file's name and its contents."""

NAMED = {**SUFFIXES, ".xmpuzzle": "xmpuzzle", ".psv": "psv"}
"""Formats by the suffix of a file's name."""

POLYCUBE = re.compile(r"(?:\s*(?:#.*)?\n)*\s*D\s*(?::|$|\n)")
SOLUTIONS = "solutions"


def format_of(name: str, data: bytes) -> str:
    r"""Return the format of a file, from its name or from its first characters.

    `name`, `data`: the file's name and its contents.

    The result: a key of `PUZZLES`, ``"solutions"``, ``"json"``, or ``"xcc"`` if nothing else fits.
    Raise FileError if it is a puzzle file already.

    >>> format_of("a.txt", b"# two dominoes\nD:xDim=2:yDim=2"), format_of("b.dlx", b"a b")
    ('polycube', 'xcc')
    """
    suffix = Path(name).suffix.lower()
    if suffix == ".toml":
        raise FileError(f"{name}: this is a puzzle file: every command takes it as it is.")
    if suffix in NAMED:
        return NAMED[suffix]
    if data.startswith(b"\x1f\x8b") or data.lstrip().startswith(b"<"):
        return "xmpuzzle"
    text = data.decode("utf-8-sig", "replace")
    if stated_puzzle(text.splitlines()) is not None:
        return SOLUTIONS
    if POLYCUBE.match(text):
        return "polycube"
    if CONTENT.search(text):
        return "psv"
    return "json" if text.lstrip().startswith("{") else "xcc"


def named_solutions(name: str, text: str) -> tuple[Puzzle, Reading]:
    r"""Return the puzzle that the first line of a solution file names, and the solutions.

    `name`, `text`: the file's name, for messages, and its contents. Raise NotFoundError if the
    first line names no puzzle, or one that is not in the catalogue.

    >>> text = "Solving SomaCube:\n\nno solutions\n"
    >>> puzzle, solutions = named_solutions("soma.txt", text)
    >>> puzzle.name, list(solutions)
    ('soma-cube', [])
    """
    reference = stated_puzzle(text.splitlines())
    if reference is None:
        raise NotFoundError(
            f"{name}: the first line names no puzzle, as 'Solving Pentominoes6x10:' does. If you "
            f"know the puzzle, check the file by `exactile check PUZZLE {name}`."
        )
    try:
        puzzle = load(reference)
    except NotFoundError as error:
        raise NotFoundError(f"{name}: line 1: {error}") from None
    return puzzle, read_solutions(StringIO(text), puzzle, name)
