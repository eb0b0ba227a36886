"""XML as plain nodes with their line numbers, for messages."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from xml.parsers import expat

from exactile.errors import PuzzleError
from exactile.files.sources import Place, shown

DEEPEST = 50
"""Largest depth of nested elements."""

MOST_ELEMENTS = 500_000
"""Largest number of elements: each takes some hundred bytes of memory."""

TEXT_AT_ONCE = 1 << 20
"""Bytes of text that the parser joins before it reports them."""


@dataclass(slots=True)
class Node:
    """An element."""

    tag: str
    attributes: dict[str, str]
    file: str
    line: int  # where it begins
    text: str = ""  # without that of the children
    children: list[Node] = field(default_factory=list)

    @property
    def place(self) -> Place:
        """The file and the line where it begins."""
        return Place(self.file, f"line {self.line}")

    def all(self, tag: str) -> Iterator[Node]:
        """Yield the children with a tag."""
        return (child for child in self.children if child.tag == tag)

    def one(self, tag: str) -> Node:
        """Return the only child with a tag; raise FileError if there are none or several."""
        found = list(self.all(tag))
        if len(found) != 1:
            raise self.error(f"it has {len(found)} elements <{tag}>: there must be one.")
        return found[0]

    def number(self, name: str, default: int | None = None) -> int:
        """Return an attribute that is an integer, 0 or greater.

        Raise FileError if it is not, or if it is missing and there is no default.
        """
        text = self.attributes.get(name)
        if text is None and default is not None:
            return default
        if text is None:
            raise self.error(f"the attribute {name} is missing.")
        if not (text.isascii() and text.isdigit() and len(text) <= 10):
            raise self.error(f"{name}={shown(text)} is not an integer of at least 0.")
        return int(text)

    def integer(self, name: str, default: int) -> int:
        """Return an attribute that is any integer of at most nine digits."""
        text = self.attributes.get(name)
        if text is None:
            return default
        digits = text.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) <= 9):
            raise self.error(f"{name}={shown(text)} is not an integer.")
        return int(text)

    def error(self, text: str) -> PuzzleError:
        """Return an error that names file, line and element."""
        return self.place.error(f"<{self.tag}>: {text}")


def parse_xml(name: str, data: bytes) -> Node:
    r"""Return the root of an XML file.

    Raise FileError if it is not well-formed XML, is too large or nested too deeply, or declares a
    document type.

    >>> root = parse_xml("a.xml", b"<a>\n<b c='5'>text</b></a>")
    >>> node = root.one("b")
    >>> node.number("c"), node.text, str(node.place)
    (5, 'text', 'a.xml: line 2')
    """
    parser = expat.ParserCreate(_encoding(data))
    top = Node("", {}, name, 0)
    stack = [top]
    number = 0

    def place() -> Place:
        return Place(name, f"line {parser.CurrentLineNumber}")

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal number
        number += 1
        if number > MOST_ELEMENTS:
            raise place().error(f"there are more than {MOST_ELEMENTS:,} elements: too many.")
        if len(stack) > DEEPEST:
            raise place().error(f"the elements are nested more than {DEEPEST} deep.")
        node = Node(tag, attributes, name, parser.CurrentLineNumber)
        stack[-1].children.append(node)
        stack.append(node)

    def add(text: str) -> None:
        stack[-1].text += text

    def doctype(*_: object) -> None:
        raise place().error("it declares a document type, which these files never do.")

    parser.buffer_text = True
    parser.buffer_size = TEXT_AT_ONCE
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: stack.pop()
    parser.CharacterDataHandler = add
    parser.StartDoctypeDeclHandler = doctype
    try:
        with _collecting_later():
            parser.Parse(data, True)
    except expat.ExpatError as error:
        line = data.split(b"\n")[error.lineno - 1 : error.lineno]
        text = shown(line[0].decode("utf-8", "replace").strip()) if line else ""
        reason = expat.ErrorString(error.code)
        raise Place(name, f"line {error.lineno}").error(f"bad XML: {reason}: {text}.") from None
    except PuzzleError:
        raise
    except (ValueError, LookupError):  # from the codec that the file names
        raise Place(name).error("its encoding is not supported: save it in UTF-8.") from None
    return top.children[0]


@contextmanager
def _collecting_later() -> Iterator[None]:
    """Disable the garbage collector, which would visit all nodes again and again."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _encoding(data: bytes) -> str | None:
    """Return Latin-1 for a text that is not UTF-8 and does not name its encoding, else None.

    Older files contain designers' names in that encoding.
    """
    named = data.startswith((b"\xff\xfe", b"\xfe\xff")) or b"encoding" in data.partition(b">")[0]
    try:
        data.decode()
    except UnicodeDecodeError:
        return None if named else "iso-8859-1"
    return None
