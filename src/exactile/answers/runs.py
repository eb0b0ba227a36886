"""The answers about long searches that are kept in a store."""

from __future__ import annotations

from exactile.answers.base import Answer, Status


class RunStatus(Answer, frozen=True, kw_only=True):
    """How far a run is.

    Attributes
    ----------
    run
        Its number in the store.
    puzzle, backend, status, raw, rotation, symmetry, stopped
        See `Count`.
    verb
        ``"count"``, ``"solve"`` or ``"prove"``.
    version
        Of exactile that began it.
    begun
        When, in UTC.
    found
        Number of solutions so far, with those that symmetry gives.
    done
        The part of the search that lies behind, from 0 to 1, if all branches were alike.
    share
        Whether it is a share of a run of another store.
    parts, lost
        How many parts wait, and how many of them somebody died of.
    nodes, seconds
        Nodes visited; processor time.
    working
        Whether a process works on the store now.
    on, workers, alive
        Who searches now, or did at last, with how many workers, of which so many were alive when
        something was last written.
    nodes_per_second
        Of the process that works now, or did at last.
    seconds_left, seconds_left_error
        How long the rest takes at its speed, and how far that may be wrong: the truth lies within
        the error four times in five. None if that is unknown.
    """

    run: int
    puzzle: str
    verb: str
    backend: str
    version: str
    begun: str
    status: Status
    raw: int | None = None
    rotation: int | None = None
    symmetry: int | None = None
    stopped: str | None = None
    found: int = 0
    done: float = 0.0
    share: bool = False
    parts: int = 0
    lost: int = 0
    nodes: int = 0
    seconds: float = 0.0
    working: bool = False
    on: str | None = None
    workers: int | None = None
    alive: int | None = None
    nodes_per_second: float | None = None
    seconds_left: float | None = None
    seconds_left_error: float | None = None


class StoreStatus(Answer, frozen=True, kw_only=True):
    """The runs of a store."""

    file: str
    runs: tuple[RunStatus, ...]


class JoinedStore(Answer, frozen=True, kw_only=True):
    """What came of joining stores.

    Attributes
    ----------
    file
        The store that has all of it now.
    taken
        How many parts were taken over as they were searched.
    known
        How many were not, because they were done already.
    runs
        The runs of the store.
    """

    file: str
    taken: int
    known: int
    runs: tuple[RunStatus, ...]
