"""The library as files: one for each instance in the folder of its family, and a table of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from os import PathLike
from pathlib import Path

from exactile.answers import InstanceList
from exactile.doors import door
from exactile.errors import CheckFailedError, FileError
from exactile.files.models.formats import export_model, format_names
from exactile.files.puzzles.writer import write_puzzles
from exactile.puzzle.puzzle import Puzzle
from exactile.surveys.instances.library import (
    Stated,
    digest,
    entries,
    list_instances,
    named,
    write_rows,
)

PACKED = ("", ".gz", ".xz")


@door
def make_instances(
    directory: str | PathLike[str],
    words: Sequence[str] = (),
    *,
    form: str | None = None,
    watch: Callable[[str], None] | None = None,
) -> InstanceList:
    """Write instances of the library as files, and ``instances.tsv``, a table of them.

    Puzzles become puzzle files, the others model files (``.xcc``). The same call writes the same
    bytes.

    Parameters
    ----------
    directory
        Each family becomes a folder in it.
    words
        See `list_instances`.
    form
        A format of `export_model` for all of them instead, such as ``"cnf"`` or, compressed,
        ``"cnf.xz"``.
    watch
        Called with the name of each instance.

    Raises
    ------
    NotFoundError
        If a word names no instance.
    FileError
        If there is no such format, or it cannot express an instance.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = make_instances(folder, ["aztec-diamonds"])
    ...     sorted(path.name for path in Path(folder).rglob("*-4.*"))
    ['aztec-diamonds-4.toml']
    """
    form, packed = _format(form)
    root = Path(directory)
    chosen = named(words)
    sums = []
    for each in chosen:
        if watch is not None:
            watch(each.name)
        path = _written(each, root / each.family.name, form, packed)
        sums.append(sha256(path.read_bytes()).hexdigest())
        del each.__dict__["made"]  # models are large
    write_rows([entries()[each.name] for each in chosen], root / "instances.tsv", sums)
    return list_instances(words)


def _format(form: str | None) -> tuple[str | None, str]:
    """Return a format and the suffix of compressed files; raise FileError if it is unknown."""
    name, dot, packed = (form or "").partition(".")
    if form is not None and (name not in format_names() or dot + packed not in PACKED):
        raise FileError(
            f"There is no format '{form}': there are {', '.join(format_names())}, each also "
            "followed by .gz or .xz."
        )
    return name or None, dot + packed


def _written(each: Stated, folder: Path, form: str | None, packed: str) -> Path:
    """Write an instance; return its file."""
    problem = each.made.problem
    if digest(problem) != entries()[each.name].digest:
        raise CheckFailedError(
            f"The instance {each.name} differs from the table. This is a bug: please report it."
        )
    folder.mkdir(parents=True, exist_ok=True)
    if form is None and isinstance(problem, Puzzle):
        path = folder / f"{each.name}.toml"
        write_puzzles(path, [problem], each.family.about)
        return path
    path = folder / f"{each.name}.{form or 'xcc'}{packed}"
    export_model(problem, path, form or "xcc")
    return path
