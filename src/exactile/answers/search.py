"""The answers of searches."""

from __future__ import annotations

from msgspec import field

from exactile.answers.base import Answer, Stats, Status


class Count(Answer, frozen=True, kw_only=True):
    """The number of solutions of a puzzle.

    Attributes
    ----------
    puzzle, backend
        Names; the backend is ``"memo"`` if the solutions were counted without listing them.
    status
        ``COMPLETE`` or ``UNSOLVABLE`` if the counts are final.
    raw
        Number of all solutions; None if not determined.
    rotation, symmetry
        Number of solutions up to the proper symmetries of the puzzle, and up to all of them.
    found
        Number of solutions seen before the search ended.
    stopped
        Why it ended early, if it did.
    done
        The part of the search that lies behind, from 0 to 1; 1 if the counts are final, None if
        the backend cannot tell.
    reason
        Why the puzzle is obviously unsolvable, if it is.
    crossing
        Whether pieces must not cross at vertices, on lattices where they could.
    proof
        A folder with a formula and a proof that there are no further solutions, if the backend left
        one.
    certificate
        The directory of the certificate, if one was written.
    stats
        Sizes of the model, counters of the backend, and seconds (building the model apart).
    """

    puzzle: str
    backend: str
    status: Status
    raw: int | None = None
    rotation: int | None = None
    symmetry: int | None = None
    found: int = 0
    stopped: str | None = None
    done: float | None = None
    reason: str | None = None
    crossing: bool = True
    proof: str | None = None
    certificate: str | None = None
    stats: Stats = field(default_factory=dict)
