"""The progress of the runs in a store, and the joining of stores."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from os import PathLike, fspath
from typing import Any

import msgspec

from exactile.answers import (
    AssemblyCount,
    Count,
    JoinedStore,
    RunStatus,
    Status,
    StoreStatus,
    Verdict,
)
from exactile.doors import door
from exactile.runs.run import RunSettings, StoredRun
from exactile.runs.store import RunRecord, RunSession, Store, is_written, store_to_fill
from exactile.runs.store.join import Joined, join


@door
def store_status(path: str | PathLike[str]) -> StoreStatus:
    """Return the progress of the runs in a store, even while another process works on it.

    Do not call this while this process has the store open: see
    `exactile.runs.store.opening.is_written`.

    Raises
    ------
    FileError
        If there is no such store, or it is damaged.
    """
    path = fspath(path)
    written = is_written(path)
    with Store(path) as store:
        return StoreStatus(file=path, runs=statuses(store, written=written))


def statuses(store: Store, *, written: bool = False) -> tuple[RunStatus, ...]:
    """Return the progress of each run in a store, in the order of their numbers.

    `written`: whether another process has the store open for writing. If so, the other process is
    assumed to work on the run with the newest session. Raise FileError if the store is damaged.
    """
    newest = store.query("SELECT run FROM session ORDER BY number DESC LIMIT 1")
    found = []
    for run in store.runs():
        sessions = store.sessions(run.number)
        working = written and newest == [(run.number,)]
        with store.decoding(f"run {run.number}"):
            found.append(_status(run, sessions[-1] if sessions else None, working=working))
    return tuple(found)


def _status(run: RunRecord, session: RunSession | None, *, working: bool) -> RunStatus:
    """Return the progress of a run.

    `session`: the record of the last process that worked on the run, if any. `working`: whether
    that process is still at work.
    """
    settings = msgspec.convert(run.settings, RunSettings)
    return RunStatus(
        run=run.number,
        puzzle=run.puzzle,
        verb=settings.verb,
        backend=settings.backend,
        version=run.version,
        begun=datetime.fromtimestamp(run.begun, UTC).isoformat(timespec="seconds"),
        found=run.totals.raw,
        done=run.done,
        share=run.share,
        assemblable=settings.apart is not None,
        rotations=settings.apart == "rotations",
        parts=run.parts,
        lost=run.lost,
        nodes=run.totals.nodes,
        seconds=round(run.totals.seconds, 3),
        working=working,
        **_known(run, settings),
        **(_of_session(session) if session else {}),
    )


def _known(run: RunRecord, settings: RunSettings) -> dict[str, Any]:
    """Return fields of `RunStatus` from the stored answer of a run.

    The fields are the status, the three counts, and the limit that ended the run, if any. Without a
    stored answer, the result has only the status so far.
    """
    if run.answer is None:
        return {"status": Status.SOLVABLE if run.totals.found else Status.UNKNOWN}
    kind = Verdict if settings.verb == "prove" else AssemblyCount if settings.apart else Count
    answer = kind.from_json(run.answer)
    keys = ("status", "raw", "rotation", "symmetry", "stopped")
    return {key: getattr(answer, key, None) for key in keys}


def _of_session(session: RunSession) -> dict[str, Any]:
    """Return fields of `RunStatus` about the workers, their speed, and the time that is left."""
    passed = session.seen - session.begun
    speed = session.spent / passed if passed > 0 else 0.0
    return {
        "on": session.on,
        "workers": session.workers,
        "alive": session.alive,
        "nodes_per_second": round(session.nodes / passed, 1) if passed > 0 else None,
        "seconds_left": _divided(session.rest, speed),
        "seconds_left_error": _divided(session.rest_error, speed),
    }


def _divided(seconds: float | None, speed: float) -> float | None:
    return round(seconds / speed, 1) if seconds is not None and speed > 0 else None


@door
def join_stores(path: str | PathLike[str], others: Sequence[str | PathLike[str]]) -> JoinedStore:
    """Merge the results of other stores into a store, and return the progress of its runs.

    The result also has the numbers of parts taken from the other stores, and of those already
    known. The answer of each run that is then finished is stored.

    If several stores have results of the same part, those of the store that has searched most of it
    are used. Results of parts that the store at `path` has searched by itself are ignored.

    Parameters
    ----------
    path
        The store that takes the results; created if it does not exist.
    others
        The other stores, which are not changed.

    Raises
    ------
    FileError
        If one of the files is not a store, is damaged, or has a census of tilings; if one of
        `others` is missing or is a ledger; or if the store at `path` cannot be written. Also if one
        of `others` has a share of a run that the store at `path` lacks, or if the store at `path`
        has only a share of a run in one of `others`. Also if a run is finished after the merge but
        cannot get its answer, because another version of exactile began it; all results are merged
        then.
    """
    path = fspath(path)
    with ExitStack() as open_files:
        opened = [open_files.enter_context(Store(other)) for other in others]
        for other in opened:
            open_files.enter_context(other.snapshot())
        store = open_files.enter_context(store_to_fill(path))
        taken, known = _join_all(store, sorted(opened, key=_left))
        for record in store.runs():
            run = StoredRun(store, record.number)
            if run.finished and record.answer is None:
                run.go_on()
        return JoinedStore(file=path, taken=taken, known=known, runs=statuses(store))


def _join_all(store: Store, others: list[Store]) -> tuple[int, int]:
    """Merge other stores into `store`; return the numbers of parts taken and of parts known before.

    A share may itself have been divided into smaller shares. `store` has the parts of a smaller
    share only after the larger share was merged. So stores with parts that were not taken are
    merged again until none of them adds anything.
    """
    joined = [join(store, other) for other in others]
    more = True
    while more:
        more = False
        for k, (taken, known) in enumerate(joined):
            if known and (now := join(store, others[k]).taken):
                joined[k] = Joined(taken + now, known - now)
                more = True
    return sum(one.taken for one in joined), sum(one.known for one in joined)


def _left(store: Store) -> tuple[bool, float]:
    """Return a sort key: stores of whole runs first, then by the weight left."""
    runs = store.runs()
    return any(run.share for run in runs), sum(run.left for run in runs)
