"""Words that keep readers out: patterns that "How we write" in CONTRIBUTING.md advises against."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

PATTERNS = re.compile(
    r"\b(?:[Ss]o (?:many|often|seldom)|[Ss]o long(?! as\b)|so long as|so much(?! as\b| so\b))\b"
    r"|\b[Ww]hoever\b|\b[Nn]obody\b"
    r"|(?:^|[.:;,] +)[Ww]ho\b"  # as a subject; "somebody who" is English
    r"|\b(?:is|are|was|were|be|been|being) (?:told|heard|looked at)\b"
    r"|\b(?:[Tt]ells?|[Tt]old|[Hh]ears?|[Hh]eard)\b"
    r"|(?<=\S )(?<![Tt]here )(?:is|are|was|were) no "  # "is no file" for "is not a file"
    r"(?!longer\b|more\b|less\b|other\b|better\b|worse\b|larger\b|smaller\b|plainer\b|help\b)"
)

PACKAGE = ROOT / "src" / "exactile"
ROOMS = sorted(path.parent for path in PACKAGE.glob("*/__init__.py"))
MODULES = sorted(PACKAGE.glob("*.py"))
PAGES = [
    *(ROOT / "CHANGELOG.md", ROOT / "README.md", ROOT / "tests" / "README.md"),
    *sorted((ROOT / "docs").glob("*.md")),
]
NATIVE = sorted((ROOT / "src" / "native").glob("*.[ch]pp"))


def prose(path: Path) -> Iterator[tuple[int, str]]:
    """Yield comments, docstrings and messages with their lines."""
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.lineno, node.value
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string.removeprefix("# ")
    elif path.suffix == ".md":
        yield from enumerate(text.splitlines(), 1)
    else:
        for line, shown in enumerate(text.splitlines(), 1):
            yield line, shown.partition("//")[2]


def refused(path: Path) -> list[str]:
    """Return the lines of a file that have a pattern, without names: `code` and single words."""
    return [
        f"{path.relative_to(ROOT)}:{line}: {shown.strip()}"
        for line, text in prose(path)
        for shown in text.splitlines()
        if " " in shown.strip()
        and not shown.lstrip().startswith(">>>")
        and PATTERNS.search(re.sub("`+[^`]*`+", "", shown))
    ]


@pytest.mark.parametrize("room", [*ROOMS, *MODULES], ids=lambda path: path.name)
def test_words_of_the_package_are_plain(room: Path) -> None:
    files = sorted(room.rglob("*.py")) if room.is_dir() else [room]
    assert [line for file in files for line in refused(file)] == []


@pytest.mark.parametrize("page", [*PAGES, *NATIVE], ids=lambda page: page.name)
def test_words_of_the_pages_and_of_the_native_code_are_plain(page: Path) -> None:
    assert refused(page) == []


def test_how_we_write_shows_what_is_refused() -> None:
    """The left column has the patterns, and the right one has none of them."""
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    pairs = re.findall(r"^\| (.+) \| (.+) \|$", text.split("## How we write")[1], re.M)[1:]
    assert len(pairs) == 20
    assert sum(bool(PATTERNS.search(before)) for before, _ in pairs) >= 10
    assert [after for _, after in pairs if PATTERNS.search(after)] == []
