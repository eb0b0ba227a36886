"""TOML texts, within bounds: the parser needs hundreds of bytes for each byte of deep keys."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from exactile.files.io.place import Place, shown

MOST_CHARACTERS = 4_000_000
"""Longer texts are refused; the longest puzzle file of the catalogue has 50,000."""

DEEPEST = 16
"""A key ``a.b.c`` has three parts; no file of this package needs more than this."""

STRINGS = re.compile(
    r"""\"{3}(?:"{0,2}(?:[^"\\]++|\\.))*+(?:"{3,5})?"""
    r"""|'{3}(?:'{0,2}[^']++)*+(?:'{3,5})?"""
    r"""|"(?:[^"\\\n]++|\\.)*+"?|'[^'\n]*+'?|(?P<comment>#[^\n]*+)""",
    re.DOTALL,
)
"""Strings and comments; the parser stops at a string without an end, so it may end anywhere.

No repetition with ``*+`` looks ahead: Python 3.11.2 would continue behind what was seen there.
"""

DEEP = re.compile(rf"(?<![\w-])(?:[\w-]++[ \t]*+\.[ \t]*+){{{DEEPEST}}}")


def parsed(text: str, place: Place) -> dict[str, Any]:
    r"""Return the parsed contents of a TOML text.

    Raise FileError if it is not TOML, too long, or has a key of too many parts.

    >>> parsed('a.b = "c"', Place("my.toml"))
    {'a': {'b': 'c'}}
    >>> parsed("a" + ".a" * 30_000 + " = 1", Place("my.toml"))
    Traceback (most recent call last):
    ...
    exactile.errors.FileError: my.toml: line 1: a key has more than 16 parts: "a.a...
    """
    if len(text) > MOST_CHARACTERS:
        raise place.error(
            f"it is too long: {len(text):,} characters; the limit is {MOST_CHARACTERS:,}."
        )
    text = text.replace("\r\n", "\n")
    deep = DEEP.search(STRINGS.sub(_blank, text))
    if deep is not None:
        line = deep.string.count("\n", 0, deep.start()) + 1
        raise Place(place.file, f"line {line}").error(
            f"a key has more than {DEEPEST} parts: {shown(deep[0])}."
        )
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"at line ([0-9]+)", str(error))
        lines = text.splitlines()
        number = int(found[1]) if found else len(lines)
        offending = lines[number - 1].strip() if 0 < number <= len(lines) else ""
        raise place.error(f"bad TOML: {error}: {shown(offending)}.") from None
    except (ValueError, RecursionError) as error:
        nested = isinstance(error, RecursionError)
        reason = "it is nested too deeply" if nested else "an integer has thousands of digits"
        raise place.error(f"bad TOML: {reason}.") from None


def _blank(match: re.Match[str]) -> str:
    """Replace a string by a word and a comment by nothing; line breaks stay."""
    return ("" if match["comment"] else "x") + "\n" * match[0].count("\n")
