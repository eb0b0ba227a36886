"""Writes the ledger's document, its pages and pictures to a folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from exactile.atomic import written
from exactile.runs.ledger.export import Export, as_json
from exactile.runs.ledger.gallery import FOLDER, pictures
from exactile.runs.ledger.pages import pages
from exactile.runs.ledger.refuted import missed_pictures, read_missed, refuted_page

MISSED = "missed"
"""The folder of solutions that published counts missed, beside the pages."""


def publish(document: Export, directory: Path) -> int:
    """Write everything to a folder, each file as a whole; return the number of files.

    Solution files in its subfolder `MISSED` are read and drawn. Files that say the same already
    are not touched, so that a second call changes nothing.

    Raises
    ------
    CheckFailedError
        If a missed solution is wrong.
    """
    number = 0
    for name, text in _files(document, directory):
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text("utf-8") != text:
            with written(path) as stream:
                stream.write(text)
        number += 1
    return number


def _files(document: Export, directory: Path) -> Iterator[tuple[str, str]]:
    missed = read_missed(directory / MISSED)
    for name, picture in (*pictures(document), *missed_pictures(document, missed)):
        yield f"{FOLDER}/{name}", picture
    for name, page in pages(document).items():
        yield f"{name}.md", page
    yield "refuted.md", refuted_page(document, missed)
    yield "ledger.json", as_json(document)
