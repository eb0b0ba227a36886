"""Makes a census, in one process or several, and keeps it in a store if there is one."""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from typing import TypeVar

import msgspec

from exactile import __version__
from exactile.answers import INTERRUPTED, CensusEntry, TilingCensus
from exactile.clock import CLOCK
from exactile.errors import CheckFailedError, FileError, Interrupted, WorkError
from exactile.runs.store import Store, store_to_fill
from exactile.search.limits import Limits
from exactile.surveys.tiling.census import Census, Claim, Judged, Judging, judged, summary, verified
from exactile.surveys.tiling.prototiles import Units
from exactile.work import Pool

T = TypeVar("T")

AT_ONCE = 64
"""Number of polyforms that are decided before they are stored, or before a worker reports them."""

SECONDS = 1.0
"""Largest number of seconds between two writes of results."""


class CensusStore:
    """A census in a store, with the evidence of each entry.

    Parameters
    ----------
    store
        The store; open for writing if entries are to be added.

    Examples
    --------
    >>> import tempfile
    >>> census = Census("square", 4, "free")
    >>> with Store(tempfile.mkdtemp() + "/a.store", write=True) as store:
    ...     kept = CensusStore(store)
    ...     kept.begin(census, 5)
    ...     kept.add(judged(census, census.forms(), [1, 3]))
    ...     sorted(kept.ranks())
    [1, 3]
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    @property
    def census(self) -> tuple[Census, int] | None:
        """The census and its number of forms; None if the store has none.

        Raise FileError if the store is damaged.
        """
        rows = self._store.query("SELECT forms, data FROM census")
        return (self._decoded(rows[0][1], Census), rows[0][0]) if rows else None

    def begin(self, census: Census, forms: int) -> None:
        """Write the settings of a census, if the store has none; call this before `add`.

        Raises
        ------
        FileError
            If the store has a different census or searches of puzzles, is damaged, or cannot be
            written.
        """
        path, there = self._store.path, self.census
        if there is not None and there != (census, forms):
            raise FileError(
                f"{path}: this store has another census, of order {there[0].order} on the "
                f"{there[0].lattice} lattice{_differing(there[0], census)}: name a new file."
            )
        others = "SELECT 1 FROM run UNION SELECT 1 FROM known"  # also results of a ledger
        if there is None and self._store.query(others):
            raise FileError(
                f"{path}: this store has searches of puzzles: name another file for a census."
            )
        if there is None:
            with self._store.transaction():
                data = msgspec.json.encode(census).decode()
                self._store.change("INSERT INTO census VALUES (?, ?, ?)", forms, __version__, data)

    def add(self, found: Iterable[Judged]) -> None:
        """Store the results for some forms, in one transaction; they replace earlier results."""
        with self._store.transaction():
            for each in found:
                self._store.change(
                    "INSERT OR REPLACE INTO judged VALUES (?, ?, ?, ?)",
                    each.entry.rank,
                    each.nodes,
                    msgspec.json.encode(each.entry),
                    zlib.compress(msgspec.json.encode(each.claim)),
                )

    def ranks(self) -> set[int]:
        """Return the ranks (numbers from 1) of the polyforms that have an entry."""
        return {rank for (rank,) in self._store.query("SELECT rank FROM judged")}

    def entries(self) -> list[CensusEntry]:
        """Return the entries in increasing order of their ranks.

        Raise FileError if the store is damaged.
        """
        rows = self._store.query("SELECT entry FROM judged ORDER BY rank")
        return [self._decoded(data, CensusEntry) for (data,) in rows]

    def nodes(self) -> int:
        """Return the number of nodes of all entries."""
        [(total,)] = self._store.query("SELECT total(nodes) FROM judged")
        return int(total)

    def judged(self, rank: int) -> Judged:
        """Return the result for the polyform with number `rank`, and the claim that proves it.

        Raises
        ------
        FileError
            If the store has no such result, or if it is damaged.
        """
        rows = self._store.query("SELECT entry, claim, nodes FROM judged WHERE rank = ?", rank)
        if not rows:
            raise FileError(f"{self._store.path}: form {rank} is not in the census yet.")
        try:
            claim = zlib.decompress(rows[0][1])
        except zlib.error as error:
            raise FileError(f"{self._store.path}: form {rank} is damaged: {error}.") from None
        entry = self._decoded(rows[0][0], CensusEntry)
        return Judged(entry, self._decoded(claim, Claim), rows[0][2])

    def _decoded(self, data: bytes, kind: type[T]) -> T:
        try:
            return msgspec.json.decode(data, type=kind)
        except msgspec.MsgspecError as error:
            raise FileError(f"{self._store.path}: its census is damaged: {error}.") from None


def _differing(census: Census, other: Census) -> str:
    """Return the settings of `census` that differ from those of `other`, in words.

    The result begins with a comma, as in ``, with effort 1000``, or is empty. Order and lattice are
    ignored.
    """
    names = [name for name in census.__struct_fields__ if name not in ("lattice", "order")]
    values = [(name, getattr(census, name)) for name in names]
    words = [
        f"{name.removeprefix('most_')} {value}"
        for name, value in values
        if value != getattr(other, name)
    ]
    return f", with {', '.join(words)}" if words else ""


def survey(
    census: Census,
    store: Store | None = None,
    *,
    workers: int = 1,
    shard: tuple[int, int] = (1, 1),
    verify: bool = False,
    entries: bool = False,
    limits: Limits | None = None,
    watch: Callable[[int, int], None] | None = None,
) -> TilingCensus:
    """Make or continue a census: decide for each polyform of an order whether it tiles.

    Parameters
    ----------
    census
        The settings of the census.
    store
        The store of the census, open for writing; forms with an entry are not decided again. None
        to keep results in memory.
    workers
        Number of processes. If it is 1, or at most `AT_ONCE` forms are left, this process does all
        work.
    shard
        The share of the forms (polyforms) to decide, such as (3, 200) for the third of 200 shares.
    verify
        Whether the certificate of each new result is verified.
    entries
        Whether the answer has the entries, which are the results for single forms.
    limits
        When to stop.
    watch
        Called many times a second with the number of decided forms and the number of all forms.

    Raises
    ------
    PieceError
        If the order is out of range or has too many polyforms.
    FileError
        If the store has a different census or searches of puzzles, is damaged, or cannot be
        written.
    CheckFailedError
        If a certificate does not hold, with `verify` and one process: a bug.
    WorkError
        If processes died repeatedly on some forms, or raised an error; everything else is kept.
    Interrupted
        After Ctrl-C, with what is known.

    Examples
    --------
    >>> survey(Census("square", 5, "free")).half_turn
    12
    """
    forms = census.forms()
    limits = limits or Limits()
    limits.begin()
    kept = _Kept(census, forms, store)
    number, of = shard
    ranks = [r for r in range(number, len(forms) + 1, of) if r not in kept.known]

    def goes_on() -> bool:
        if watch is not None:
            watch(len(kept.known), len(forms))
        return limits.reached() is None

    stopped: str | None = None
    try:
        if workers == 1 or len(ranks) <= AT_ONCE:
            _judge_here(kept, ranks, goes_on, verify=verify)
        else:
            _judge_elsewhere(kept, ranks, workers, goes_on, verify=verify)
        if not kept.known.issuperset(ranks):
            stopped = limits.reached()
    except KeyboardInterrupt:
        kept.write()
        raise Interrupted(kept.answer(INTERRUPTED, entries=entries)) from None
    return kept.answer(stopped, entries=entries)


class _Kept:
    """The results of a census so far, in a store or in memory."""

    def __init__(self, census: Census, forms: Units, store: Store | None) -> None:
        self.census, self.forms = census, forms
        self._store = None if store is None else CensusStore(store)
        if self._store is not None:
            self._store.begin(census, len(forms))
        self.known = set() if self._store is None else self._store.ranks()
        self._entries: list[CensusEntry] = []
        self._nodes = 0
        self._waiting: list[Judged] = []
        self._written = CLOCK.now()

    def add(self, found: Judged) -> None:
        self._waiting.append(found)
        self.known.add(found.entry.rank)
        if len(self._waiting) >= AT_ONCE or CLOCK.now() > self._written + SECONDS:
            self.write()

    def write(self) -> None:
        waiting, self._waiting = self._waiting, []
        self._written = CLOCK.now()
        if self._store is None:
            self._entries += [each.entry for each in waiting]
            self._nodes += sum(each.nodes for each in waiting)
        elif waiting:  # a finished census may be in a file that cannot be written to
            self._store.add(waiting)

    def answer(self, stopped: str | None, *, entries: bool) -> TilingCensus:
        self.write()
        known, nodes = self._entries, self._nodes
        if self._store is not None:
            known, nodes = self._store.entries(), self._store.nodes()
        known = sorted(known, key=lambda entry: entry.rank)
        return summary(
            self.census, len(self.forms), known, stopped=stopped, nodes=nodes, with_entries=entries
        )


def _judge_here(
    kept: _Kept, ranks: Sequence[int], goes_on: Callable[[], bool], *, verify: bool
) -> None:
    for found in judged(kept.census, kept.forms, ranks, verify=verify, goes_on=goes_on):
        kept.add(found)
        if not goes_on():
            break


def _judge_elsewhere(
    kept: _Kept, ranks: Sequence[int], workers: int, goes_on: Callable[[], bool], *, verify: bool
) -> None:
    chunks = [ranks[k : k + AT_ONCE] for k in range(0, len(ranks), AT_ONCE)]
    service = Judging(kept.census, verify)
    given_up: list[str] = []
    with Pool(service, len(chunks), lambda part, _: chunks[part], workers) as pool:
        for event in pool:
            if event is not None and event.message is not None:
                for found in event.message:
                    kept.add(found)
            if event is not None and event.death is not None:
                first, last = chunks[event.part][0], chunks[event.part][-1]
                given_up.append(f"forms {first} to {last}: {event.death.cause}")
            if not goes_on():
                break
    kept.write()
    if given_up:
        raise WorkError(f"Not all could be decided: {'; '.join(given_up)}.")


def census_of(path: str | os.PathLike[str]) -> TilingCensus:
    """Return the statistics of the census in a store.

    Raises
    ------
    FileError
        If there is no such store, or it is damaged or has no census.
    """
    with Store(path) as store:
        kept = CensusStore(store)
        if kept.census is None:
            raise FileError(f"{path}: this store has no census.")
        census, forms = kept.census
        return summary(census, forms, kept.entries(), nodes=kept.nodes())


def join_censuses(path: str | os.PathLike[str], others: Sequence[str | os.PathLike[str]]) -> int:
    """Copy the results of other stores into the store at `path`; return the number of new ones.

    The store at `path` is made if it is missing. After an error, nothing is copied.

    Raises
    ------
    FileError
        If the censuses differ, one of the other stores has none, the store at `path` has searches
        of puzzles, or a store cannot be read or written.
    """
    taken = 0
    with ExitStack() as files:
        sources = [CensusStore(files.enter_context(Store(other))) for other in others]
        store = files.enter_context(store_to_fill(path))
        files.enter_context(store.transaction())
        kept = CensusStore(store)
        for other, theirs in zip(others, sources, strict=True):
            if theirs.census is None:
                raise FileError(f"{other}: this store has no census.")
            kept.begin(*theirs.census)
            fresh = sorted(theirs.ranks() - kept.ranks())
            kept.add(map(theirs.judged, fresh))
            taken += len(fresh)
    return taken


def verify_all(kept: CensusStore) -> Iterator[tuple[int, int]]:
    """Verify the claim of each result in a store.

    After each, yield the number of verified results and the number of all results.

    Raises
    ------
    CheckFailedError
        If a claim does not hold, or the store has a wrong number of forms or a wrong rank.
    FileError
        If the store has no census, or is damaged.
    """
    found = kept.census
    if found is None:
        raise FileError("This store has no census.")
    census, stated = found
    forms = census.forms()
    if stated != len(forms):
        raise CheckFailedError(
            f"The store states that there are {stated:,} forms of order {census.order} on the "
            f"{census.lattice} lattice; there are {len(forms):,}."
        )
    ranks = sorted(kept.ranks())
    for done, rank in enumerate(ranks, 1):
        result = kept.judged(rank)
        if not (1 <= rank <= len(forms) and result.entry.rank == rank):
            raise CheckFailedError(
                f"The store has a result of form {result.entry.rank} with the number {rank}; "
                f"numbers are from 1 to {len(forms):,}."
            )
        verified(census, result, forms[rank - 1])
        yield done, len(ranks)
