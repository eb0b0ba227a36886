"""The answers about long searches in a store."""

from __future__ import annotations

from exactile.answers.base import Answer, Status


class RunStatus(Answer, frozen=True, kw_only=True):
    """The progress of a run.

    Attributes
    ----------
    run
        Its number in the store.
    puzzle, backend, status, raw, rotation, symmetry, stopped
        See `Count`.
    verb
        ``"count"``, ``"solve"`` or ``"prove"``.
    assemblable
        Whether only solutions that come apart count.
    version
        The version of exactile that began it.
    begun
        When it began, in UTC.
    found
        Number of solutions so far, with those that symmetry gives.
    done
        Fraction of the search that is done, estimated as if all branches were alike.
    share
        Whether it is a share of a run of another store.
    parts, lost
        Number of waiting parts, and of parts whose processes died.
    nodes, seconds
        Nodes visited; processor time.
    working
        Whether a process works on the store now.
    on, workers, alive
        The executor that searches now, or did last, with its number of workers, and the number
        alive when the store was last written.
    nodes_per_second
        Nodes visited per second by the process that works now, or did last; None if unknown.
    seconds_left, seconds_left_error
        Estimated seconds until the end, and the error of that estimate, which is larger in one
        case of five. None if unknown.
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
    assemblable: bool = False
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
    """The result of joining stores.

    Attributes
    ----------
    file
        The store that contains everything now.
    taken
        Number of searched parts taken over.
    known
        Number of parts not taken over, because they were done already.
    runs
        The runs of the store.
    """

    file: str
    taken: int
    known: int
    runs: tuple[RunStatus, ...]
