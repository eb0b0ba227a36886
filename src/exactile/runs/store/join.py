"""Makes shares, which are stores with some of the parts of a run; merges the results of stores.

Each part of a share has an *origin*: a digest of its prefixes, which define exactly the subtrees
that are searched. If the part is cut, the new parts keep this origin. So the results and the
waiting parts of an origin together always cover the original part.

When a share is merged into the store of the whole run, the results and waiting parts of each origin
replace the original part if it still waits in that store. Otherwise, they replace the earlier
results of that origin if those leave more to search. In the store of the whole run, they get
the origin of the original part, followed by their own. So a share may be searched anywhere,
even several times, shares may be merged at any time and in any order, and no solution is counted
twice.
"""

from __future__ import annotations

from math import fsum
from typing import NamedTuple

from exactile.doors import door
from exactile.errors import FileError
from exactile.runs.store.packing import ORIGIN, decoded, origin_of
from exactile.runs.store.records import RunRecord
from exactile.runs.store.store import OWN, Store
from exactile.wanted import plural

RESULTS = ("part", "total", "solutions")
"""Tables whose rows have an origin."""


class Joined(NamedTuple):
    """Number of parts or whole runs taken from another store, and number of those already known."""

    taken: int = 0
    known: int = 0


@door
def take_share(store: Store, run: int, share: Store, number: int, of: int) -> int | None:
    """Copy one share of the waiting parts of a run to another store.

    Of the parts I, I + N, and so on, share I of N has those that still wait. So further shares of a
    run can be taken after some have been merged. Return the number of the new run in the other
    store, or None if no part of the share waits.

    Parameters
    ----------
    store, run
        The store and the number of the run.
    share
        The store for the share, open for writing.
    number, of
        Number of the share, from 1, and number of shares.

    Raises
    ------
    FileError
        If parts of the run still wait, but fewer parts than `of` have ever been added to it. Also
        if a store is damaged, or `share` cannot be written or has a census of tilings.
    """
    words = "SELECT number, prefixes FROM part WHERE run = ? ORDER BY number"
    waiting = store.query(words, run)  # at once: another process may merge a share meanwhile
    parts = store.next_part(run) - 1
    if waiting and parts < of:
        raise FileError(
            f"{store.path}: run {run} has only {plural(parts, 'part')}, too few for {of:,} shares: "
            f"cut it first, by --set parts={10 * of}."
        )
    own = [(each, data) for each, data in waiting if (each - number) % of == 0]
    if not own:
        return None
    with share.transaction():
        copy = share.copy_run(store.puzzle(run), store.run(run))
        share.change("INSERT INTO share VALUES (?, ?, ?)", copy, number, of)
        for each, data in own:
            with store.decoding(f"part {each} of run {run}"):
                prefixes = decoded(data)
            share.add_parts(copy, origin_of(prefixes), [prefixes])
    return copy


def require_share(store: Store, run: int | None, share: Store, number: int, of: int) -> None:
    """Raise FileError unless the first run in `share` is the given share of a run in `store`.

    `run`: number of the run in `store`; None for any run. `number`, `of`: number of the share, from
    1, and number of shares. The store `share` must have a run.
    """
    mine = share.runs()[0]
    wholes = store.runs() if run is None else [store.run(run)]
    if not mine.share or not any(_same(whole, mine) for whole in wholes):
        raise FileError(
            f"{share.path}: this keeps another search, over {mine.puzzle}, and no share of "
            f"{store.path}: name another file for the share."
        )
    [taken] = share.query("SELECT number, of FROM share WHERE run = ?", mine.number)
    if taken != (number, of):
        raise FileError(
            f"{share.path}: this is share {taken[0]}/{taken[1]}, not {number}/{of}: name another "
            "file for that one."
        )


def join(store: Store, other: Store) -> Joined:
    """Merge the results of the store `other` into `store`, in one transaction.

    Return how many parts and whole runs were taken, and how many were already known. A process may
    write to `other` meanwhile; its later results are ignored. If both stores have the whole of a
    run, the results of the one that has searched more are kept.

    Raise FileError if `other` is a ledger or has a share of a run that `store` lacks, if `store`
    cannot be written or has only a share of a run in `other`, or if one of the stores is damaged or
    has a census of tilings.
    """
    if other.query("SELECT 1 FROM census"):
        raise FileError(
            f"{other.path}: this store has a census of tilings: merge it with censuses alone."
        )
    if other.query("SELECT 1 FROM known"):
        raise FileError(
            f"{other.path}: this is a ledger: `exactile catalogue export` writes its results as "
            "JSON, and `exactile catalogue verify --known JSON` takes them."
        )
    joined = Joined()
    with other.snapshot(), store.transaction():
        for theirs in other.runs():
            ours = next((run for run in store.runs() if _same(run, theirs)), None)
            if ours is not None and ours.share:
                raise FileError(
                    f"{store.path}: this has only a share of a run over {ours.puzzle}: begin with "
                    "the store that the shares were made of."
                )
            way = _join_share if theirs.share else _join_whole
            more = way(store, ours, other, theirs)
            joined = Joined(joined.taken + more.taken, joined.known + more.known)
    return joined


def _same(one: RunRecord, two: RunRecord) -> bool:
    """Return whether two runs have the same puzzle, model, settings and version of exactile."""
    return (one.digest, one.model, one.settings, one.version) == (
        two.digest,
        two.model,
        two.settings,
        two.version,
    )


def _join_share(store: Store, ours: RunRecord | None, other: Store, theirs: RunRecord) -> Joined:
    """Merge a share (`theirs`, in `other`) into its run `ours`; raise FileError if `ours` is None.

    The results of an origin are taken if less of it is left to search in the share than in `store`,
    where the part waits or has earlier results. Nothing is taken if `ours` has an answer.
    """
    if ours is None:
        raise FileError(
            f"{other.path}: this has a share of a run over {theirs.puzzle} that {store.path} does "
            "not have: begin with the store that the shares were made of."
        )
    run, rests = ours.number, _rests(store, ours.number)
    paths = {path[-ORIGIN:]: path for path in rests}
    waiting = {}
    words = "SELECT number, origin, weight FROM part WHERE run = ?"
    for number, path, weight in store.query(words, run):
        origin = origin_of(store.prefixes(run, number))
        if paths.setdefault(origin, path + origin) not in rests:
            waiting[origin], rests[path + origin] = number, (weight, 1)
    taken = known = 0
    for origin, rest in _rests(other, theirs.number).items():
        if ours.answer is None and origin in paths and rest < rests[paths[origin]]:
            taken += 1
            if origin in waiting:
                store.take_part(run, waiting[origin])
            else:
                for table in RESULTS:
                    store.clear(table, run, paths[origin])
            _take_found(store, run, paths[origin], other, theirs.number, origin)
        elif origin not in waiting:
            known += 1
    return Joined(taken, known)


def _rests(store: Store, run: int) -> dict[bytes, tuple[float, int]]:
    """Return, for each origin that has results, the weight of its waiting parts, and their number.

    Waiting parts with longer origins that begin with this origin are included. The origin `OWN` is
    left out. The weight of a part may be 0, by rounding.
    """
    origins = store.query("SELECT origin FROM total WHERE run = ? AND origin > ?", run, OWN)
    left: dict[bytes, list[float]] = {origin: [] for (origin,) in origins}
    for path, weight in store.query("SELECT origin, weight FROM part WHERE run = ?", run):
        for end in range(ORIGIN, len(path) + 1, ORIGIN):
            left.get(path[:end], []).append(weight)
    return {origin: (fsum(weights), len(weights)) for origin, weights in left.items()}


def _join_whole(store: Store, ours: RunRecord | None, other: Store, theirs: RunRecord) -> Joined:
    """Replace the run `ours` by the run `theirs` of `other` if less of `theirs` is left to search.

    If `ours` is None, add the run.
    """
    if ours is not None:
        if _rest(ours) <= _rest(theirs):
            return Joined(0, 1)
        for table in (*RESULTS, "checkpoint", "chunk"):
            store.clear(table, ours.number)
    run = store.copy_run(other.puzzle(theirs.number), theirs) if ours is None else ours.number
    words = "SELECT origin FROM part WHERE run = ?1 UNION SELECT origin FROM total WHERE run = ?1"
    for (origin,) in other.query(words, theirs.number):
        _take_found(store, run, origin, other, theirs.number, origin)
    _take_checkpoints(store, run, other, theirs)
    store.change("UPDATE run SET answer = ? WHERE number = ?", theirs.answer, run)
    return Joined(1, 0)


def _rest(run: RunRecord) -> tuple[float, int]:
    """Return the weight and the number of the parts that are left; 0 if the run has an answer.

    For example, a run that needs only one solution may have an answer before all is searched.
    """
    return (0.0, 0) if run.answer is not None else (run.left, run.parts)


def _take_found(
    store: Store, run: int, own: bytes, other: Store, theirs: int, origin: bytes
) -> None:
    """Copy results, solutions and waiting parts of one origin from `other` to `store`.

    `run`, `theirs`: numbers of the run in `store` and in `other`. `own`: the origin that the copies
    get in `store`, where nothing else has it.
    """
    store.add_found(run, own, other.totals(theirs, origin))
    for data in other.kept(theirs, origin):
        store.keep(run, own, data)
    numbers = other.query("SELECT number FROM part WHERE run = ? AND origin = ?", theirs, origin)
    store.add_parts(run, own, [other.prefixes(theirs, number) for (number,) in numbers])


def _take_checkpoints(store: Store, run: int, other: Store, theirs: RunRecord) -> None:
    """Copy the state of a count by a frontier to the run with the number `run` in `store`.

    The state consists of the results of finished steps, the checkpoint of the present step, if any,
    and the fraction of the count that is left.
    """
    words = "SELECT step, number FROM checkpoint WHERE run = ?"
    for step, number in other.query(words, theirs.number):
        store.change("INSERT INTO checkpoint VALUES (?, ?, ?)", run, step, number)
    chunks = other.query("SELECT number FROM chunk WHERE run = ? ORDER BY number", theirs.number)
    if not chunks:
        return
    other.look_at("chunk")
    for (number,) in chunks:  # one by one: they are large
        [row] = other.query("SELECT step, data FROM chunk WHERE number = ?", number)
        store.change("INSERT INTO chunk (run, step, data) VALUES (?, ?, ?)", run, *row)
    store.change("UPDATE part SET weight = ? WHERE run = ?", theirs.left, run)
