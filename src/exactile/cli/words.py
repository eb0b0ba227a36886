"""Words: numbers with their nouns, completion in shells, click's messages in plain words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import rich_click as click
from click.shell_completion import CompletionItem

from exactile.wanted import plural as plural

VARIABLE = "_EXACTILE_COMPLETE"
"""The environment variable with which a shell's script requests completions."""


def puzzles(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the puzzles of the catalogue that begin with these letters, or else files."""
    from exactile.files.puzzles.catalogue import entries

    files = CompletionItem(begun, type="file")  # first: shells take files if nothing follows
    return [files, *(CompletionItem(e.id, help=e.title) for e in entries() if _fits(e.id, begun))]


def backends(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the solvers that begin with these letters."""
    from exactile.backends import backend_names

    return _items(backend_names(), begun)


def lattices(_: click.Context, __: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return the lattices that begin with these letters."""
    from exactile.files.puzzles.catalogue import entries

    return _items(sorted({e.lattice for e in entries()}), begun)


def about(name: str, message: str) -> str:
    """Return a message that begins with a name, which is added if it does not.

    >>> about("ring", "ring has no solution."), about("ring", "Time is up.")
    ('ring has no solution.', 'ring: Time is up.')
    """
    return message if message.startswith(f"{name} ") else f"{name}: {message}"


def _items(words: Iterable[str], begun: str) -> list[CompletionItem]:
    return [CompletionItem(word) for word in words if _fits(word, begun)]


def _fits(word: str, begun: str) -> bool:
    return word.startswith(begun.casefold())


PLAIN = {
    r"is not a valid integer(?: range)?\.": "is not a whole number.",
    r"is not a valid boolean\. Recognized values: .*": "is neither yes nor no.",
    r"is not a valid float(?: range)?\.": "is not a number: write digits alone.",
    r"(?<!\S)(\S++) is not in the range x>=(\S+)\.": r"\1 is too small: it must be \2 or more.",
    r"(?<!\S)(\S++) is not in the range x>(\S+)\.": r"\1 is too small: it must be more than \2.",
    r"(?<!\S)(\S++) is not in the range (\S+)<=x<=(\S+)\.": r"\1 is not between \2 and \3.",
}


def in_plain_words(message: str) -> str:
    """Return a message of click in plain words.

    >>> in_plain_words("Invalid value for '-n': 0 is not in the range x>=1.")
    "Invalid value for '-n': 0 is too small: it must be 1 or more."
    """
    for said, meant in PLAIN.items():
        message = re.sub(said, meant, message)
    return message


def every(number: int, what: str, alike: str = "") -> str:
    """Return a number with its noun, and say that these are all.

    >>> every(1, "solution"), every(6, "solution", " up to symmetry")
    ('1 solution, the only one', 'all 6 solutions up to symmetry')
    """
    if number == 1:
        return f"1 {what}{alike}, the only one"
    return f"all {plural(number, what)}{alike}"


def uses_text(uses: Mapping[str, int]) -> str:
    """Return the used pieces, with their numbers of uses, in words.

    >>> uses_text({"X": 1, "Y": 10}), uses_text({})
    ('X 10×Y', 'no piece')
    """
    return " ".join(name if n == 1 else f"{n}×{name}" for name, n in uses.items()) or "no piece"


def percent(done: float) -> str:
    """Return the finished part of a search; 100 % appears only at the end.

    >>> percent(0.1234), percent(0.99999)
    ('12.3 %', '99.9 %')
    """
    return f"{int(done * 1000) / 10:.1f} %"
