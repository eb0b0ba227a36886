"""The library of instances: puzzles and models, stated in ``families.toml`` and made here.

The table ``instances.tsv`` keeps data that take long to compute: features of the instances, and
answers of searches. The command `make instances` runs this module to write the table.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache, cached_property
from hashlib import sha256
from os import PathLike
from pathlib import Path
from typing import Any

import msgspec

from exactile.answers import InstanceEntry, InstanceFamily, InstanceList, Status
from exactile.atomic import written
from exactile.doors import door
from exactile.errors import CheckFailedError, FileError, NotFoundError
from exactile.files.models.exact_cover import ExactCover
from exactile.files.models.formats import export_model, format_names
from exactile.files.puzzles import catalogue
from exactile.files.puzzles.catalogue import ledger
from exactile.files.puzzles.writer import write_puzzles
from exactile.files.sources import Place, parsed
from exactile.model.lower import lower
from exactile.puzzle.puzzle import Puzzle
from exactile.puzzle.symmetry import symmetries
from exactile.reasons.verdict import prove
from exactile.search.cover import CoverSearch
from exactile.search.limits import Limits
from exactile.surveys.instances.generators import GENERATORS, Generated

HERE = Path(__file__).parent
TABLE = HERE / "instances.tsv"


class Family(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A family of instances, as stated in ``families.toml``."""

    name: str
    about: str
    catalogue: tuple[str, ...] = ()  # puzzles of the catalogue
    generator: str = ""  # a name of `GENERATORS`
    each: tuple[dict[str, Any], ...] = ()  # for each instance its parameters, id, answer, source
    answer: str = "open"
    source: str = ""


class LibraryFile(msgspec.Struct, frozen=True):
    """The contents of ``families.toml``."""

    family: tuple[Family, ...]


@dataclass(frozen=True)
class Stated:
    """An instance as stated in ``families.toml``.

    `parameters`: those of its generator; None if the instance is a puzzle of the catalogue.
    """

    family: Family
    name: str
    parameters: dict[str, Any] | None = None
    answer: str = "open"
    source: str = ""

    @cached_property
    def made(self) -> Generated:
        """The problem, and the number of its solutions if a formula gives it."""
        if self.parameters is None:
            return Generated(catalogue.load(self.name))
        return GENERATORS[self.family.generator](self.name, **self.parameters)

    @property
    def known(self) -> tuple[str, int | None, str]:
        """The facts known without a search: answer, number of solutions or None, and their source.

        The answer is ``"counted"``, ``"satisfiable"``, ``"unsatisfiable"`` or ``"open"``.
        """
        if self.parameters is not None:
            number = 0 if self.answer == "unsatisfiable" else self.made.number
            return self.answer, number, self.source
        entry = ledger().get(self.name)
        if entry is None:
            return "open", None, ""
        if entry.numbers is not None:
            answer = "counted" if entry.numbers.raw else "unsatisfiable"
            return answer, entry.numbers.raw, f"ledger: {entry.reason or entry.method}"
        known = entry.at_least > 0
        return "satisfiable" if known else "open", None, "ledger: a solution" if known else ""


@cache
def stated() -> tuple[Stated, ...]:
    """Return all instances, in the order of ``families.toml``.

    >>> [each.name for each in stated() if each.family.name == "aztec-diamonds"][:2]
    ['aztec-diamonds-4', 'aztec-diamonds-6']
    """
    path = HERE / "families.toml"
    place = Place(path.name)
    found = []
    for family in place.convert(parsed(path.read_text("utf-8"), place), LibraryFile).family:
        found += [Stated(family, name) for name in family.catalogue]
        for line in family.each:
            rest = dict(line)
            answer, source = rest.pop("answer", family.answer), rest.pop("source", family.source)
            name = rest.pop("id", "-".join([family.name, *map(str, rest.values())]))
            found.append(Stated(family, name, rest, answer, source))
    return tuple(found)


@cache
def entries() -> dict[str, InstanceEntry]:
    """Return the rows of ``instances.tsv`` by the names of the instances.

    >>> entries()["soma-steps"].options
    531
    """
    with TABLE.open(encoding="utf-8", newline="") as stream:
        rows = csv.DictReader(stream, delimiter="\t")
        return {
            row["name"]: msgspec.convert(
                {name: value for name, value in row.items() if value}, InstanceEntry, strict=False
            )
            for row in rows
        }


@door
def list_instances(words: Sequence[str] = ()) -> InstanceList:
    """Return the instances of the library that match any of the words; all if `words` is empty.

    `words`: names of instances or families, or patterns such as ``"planted-*"``. Raise
    NotFoundError if a word matches nothing.

    Examples
    --------
    >>> library = list_instances(["aztec-diamonds"])
    >>> [(each.name, each.number) for each in library.families[0].instances][:2]
    [('aztec-diamonds-4', 1024), ('aztec-diamonds-6', 2097152)]
    """
    known, groups = entries(), dict[str, tuple[Family, list[InstanceEntry]]]()
    for each in named(words):
        groups.setdefault(each.family.name, (each.family, []))[1].append(known[each.name])
    return InstanceList(
        families=tuple(
            InstanceFamily(name=name, about=family.about, instances=tuple(rows))
            for name, (family, rows) in groups.items()
        )
    )


def named(words: Sequence[str]) -> list[Stated]:
    """Return the instances that match any of the words; all if `words` is empty.

    Raise NotFoundError if a word matches nothing: see `list_instances`.
    """
    for word in words:
        if not any(_fits(each, word) for each in stated()):
            raise NotFoundError(
                f"No instance and no family is called '{word}': `exactile instances list` has all."
            )
    return [each for each in stated() if not words or any(_fits(each, w) for w in words)]


def _fits(each: Stated, word: str) -> bool:
    return any(fnmatchcase(name, word) for name in (each.name, each.family.name))


def described(each: Stated) -> InstanceEntry:
    """Return the row of an instance: its features, and the facts known without a search."""
    problem = each.made.problem
    puzzle = problem if isinstance(problem, Puzzle) else None
    model = lower(problem) if isinstance(problem, Puzzle) else problem.model
    answer, number, source = each.known
    return InstanceEntry(
        name=each.name,
        family=each.family.name,
        answer=answer,
        number=number,
        source=source,
        units=len(puzzle.region) if puzzle else None,
        pieces=len(puzzle.pieces) if puzzle else None,
        items=model.items,
        options=model.options,
        symmetries=len(symmetries(puzzle)) if puzzle else None,
        density=round(len(model.members) / max(1, model.items * model.options), 6),
        digest=digest(problem),
    )


def digest(problem: Puzzle | ExactCover) -> str:
    """Return the digest that identifies a problem."""
    return problem.digest if isinstance(problem, Puzzle) else problem.model.digest


def searched(entry: InstanceEntry, problem: Puzzle | ExactCover, seconds: float) -> InstanceEntry:
    """Search for a solution of an instance; return its row `entry`, changed to state the answer.

    `seconds`: time limit. If it is reached first, the row is returned unchanged.
    """
    if isinstance(problem, Puzzle):
        verdict = prove(problem, time_limit=seconds, workers=1)
        status, reason = verdict.status, verdict.reason or f"a solution by {verdict.by}"
    else:
        with CoverSearch(problem.model, backend="auto", limits=Limits(seconds, 1)) as search:
            found = next(iter(search), None) is not None
        status, reason = search.status, f"{'a solution by ' * found}{search.backend.name}"
    if status is Status.UNSOLVABLE:
        answer: tuple[str, int | None] = "unsatisfiable", 0
    elif status is not Status.UNKNOWN:
        answer = "satisfiable", None
    else:
        return entry
    return msgspec.structs.replace(
        entry, answer=answer[0], number=answer[1], source=f"search: {reason}"
    )


def table(seconds: float) -> Iterator[InstanceEntry]:
    """Yield the rows of ``instances.tsv``, after a search of each instance without an answer.

    `seconds`: time limit of each search; 0 for no searches. Answers of earlier searches are kept
    for problems that have not changed.
    """
    earlier = entries() if TABLE.exists() else {}
    for each in stated():
        entry = described(each)
        old = earlier.get(entry.name)
        if entry.answer == "open" and old and old.digest == entry.digest:
            changes = {"answer": old.answer, "number": old.number, "source": old.source}
            entry = msgspec.structs.replace(entry, **changes)
        if entry.answer == "open" and seconds:
            entry = searched(entry, each.made.problem, seconds)
        del each.__dict__["made"]  # models are large
        yield entry


def write_rows(rows: Sequence[InstanceEntry], path: Path, more: Sequence[str] = ()) -> None:
    """Write instances as a table separated by tabs.

    `more`: a last column, the SHA-256 of the file of each instance; empty for no such column.
    """
    fields = [field.name for field in msgspec.structs.fields(InstanceEntry)]
    with written(path) as stream:
        writer = csv.writer(stream, delimiter="\t", lineterminator="\n")
        writer.writerow([*fields, "sha256"] if more else fields)
        for k, row in enumerate(rows):
            writer.writerow([*msgspec.structs.astuple(row), *more[k : k + 1]])


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

    The same call always writes the same bytes. The table keeps its rows of other instances whose
    files are still in the directory.

    Parameters
    ----------
    directory
        Where to write; each family becomes a folder in this directory.
    words
        See `list_instances`.
    form
        Format of `export_model` for all instances, such as ``"cnf"`` or, compressed, ``"cnf.xz"``.
        By default, puzzles become puzzle files, and models become model files (``.xcc``).
    watch
        Called with the name of each instance.

    Raises
    ------
    NotFoundError
        If a word matches nothing.
    FileError
        If the format is unknown, or is ``"icnf"``.
    ModelError
        If the format cannot express an instance.
    CheckFailedError
        If an instance differs from its row in the table of the library: a bug.

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
    sums = _earlier_sums(root)
    for each in chosen:
        if watch is not None:
            watch(each.name)
        path = _written(each, root / each.family.name, form, packed)
        sums[each.name] = sha256(path.read_bytes()).hexdigest()
        del each.__dict__["made"]  # models are large
    rows = [row for row in entries().values() if row.name in sums]
    write_rows(rows, root / TABLE.name, [sums[row.name] for row in rows])
    return list_instances(words)


def _earlier_sums(root: Path) -> dict[str, str]:
    """Return the SHA-256 of the file of each instance that an earlier call wrote to a directory.

    Instances that have changed since then, or whose files are missing, are left out.
    """
    table = root / TABLE.name
    if not table.exists():
        return {}
    with table.open(encoding="utf-8", errors="replace", newline="") as stream:
        return {
            row["name"]: row["sha256"]
            for row in csv.DictReader(stream, delimiter="\t")
            if (known := entries().get(row.get("name", ""))) is not None
            and row.get("sha256")
            and row.get("digest") == known.digest
            and any((root / known.family).glob(f"{known.name}.*"))
        }


def _format(form: str | None) -> tuple[str | None, str]:
    """Return the two parts of a format such as ``"cnf.xz"``: ``"cnf"`` and ``".xz"``.

    The first part is None if no format is given, the second empty if files are not compressed.
    Raise FileError if the format is unknown.
    """
    name, dot, packed = (form or "").partition(".")
    known = [each for each in format_names() if each != "icnf"]  # which is for cubes
    if form is not None and (name not in known or dot + packed not in PACKED):
        raise FileError(
            f"There is no format '{form}' for instances: there are {', '.join(known)}, each also "
            "followed by .gz or .xz."
        )
    return name or None, dot + packed


def _written(each: Stated, folder: Path, form: str | None, packed: str) -> Path:
    """Write an instance to a file in `folder`, and return the path of the file.

    `form`: the format of a model; None for a puzzle file, or ``.xcc`` if the instance is a model.
    `packed`: the suffix of a compressed file, or an empty string. Raise CheckFailedError if the
    instance differs from its row in the table.
    """
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


def main(seconds: float) -> None:
    """Write ``instances.tsv``, and print a line for each instance.

    `seconds`: time limit of each search; 0 for no searches.
    """
    rows = []
    for row in table(seconds):
        print(row.name, row.answer, row.options, flush=True)
        rows.append(row)
    write_rows(rows, TABLE)


if __name__ == "__main__":
    main(float(sys.argv[1]) if sys.argv[1:] else 0)
