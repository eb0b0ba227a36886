"""Stores of shares joined: the runs that are complete then get their answers."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from os import PathLike, fspath

from exactile.answers import JoinedStore
from exactile.doors import door
from exactile.runs.run import StoredRun
from exactile.runs.status import statuses
from exactile.runs.store import Store, store_to_fill
from exactile.runs.store.join import Joined, join


@door
def join_stores(path: str | PathLike[str], others: Sequence[str | PathLike[str]]) -> JoinedStore:
    """Take what other stores have found into one, and return what it has then.

    Of two stores that have searched the same, the one that is further comes first.

    Parameters
    ----------
    path
        The store; created if it does not exist.
    others
        The other ones, which stay as they are.

    Raises
    ------
    FileError
        If one of them is no store, or has a share of a run that the first does not have.
    """
    path = fspath(path)
    with ExitStack() as open_files:
        opened = [open_files.enter_context(Store(other)) for other in others]
        store = open_files.enter_context(store_to_fill(path))
        taken, known = _join_all(store, sorted(opened, key=_left))
        for record in store.runs():
            run = StoredRun(store, record.number)
            if run.finished and record.answer is None:
                run.go_on()
        return JoinedStore(file=path, taken=taken, known=known, runs=statuses(store))


def _join_all(store: Store, others: list[Store]) -> tuple[int, int]:
    """Take what other stores have found; return how many parts were taken, and done already.

    What a share of a share has found belongs here once the first share has brought the parts that
    it has cut: so what seemed done already is asked for again, until nothing more is taken.
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
    """Return the order of stores: whole runs first, then by the rest that is left."""
    runs = store.runs()
    return any(run.share for run in runs), sum(run.left for run in runs)
