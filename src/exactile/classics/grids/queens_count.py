"""The number of placements of queens, by the counting plan of all models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from exactile.answers import QueensAnswer
from exactile.backends import Backend
from exactile.classics.grids.queens import QueensBoard, QueensSearch
from exactile.counting.listing import Alternating
from exactile.counting.orbits import OrbitCount
from exactile.counting.plan import counts_unlisted
from exactile.doors import Seed, Workers, door
from exactile.errors import Interrupted
from exactile.plugins import DEFAULT_BACKEND
from exactile.search.limits import INTERRUPTED, Limits


@door
def count_queens(
    size: int,
    *,
    torus: bool = False,
    backend: str | Backend = DEFAULT_BACKEND,
    time_limit: float | None = None,
    seed: Seed = 0,
    workers: Workers | None = None,
    use_memo: bool = True,
    watch: Callable[[Any], None] | None = None,
) -> QueensAnswer:
    """Count the placements of queens that do not attack each other: all, and up to symmetry.

    None is listed unless another backend than the default is asked for. The orbits come from the
    placements that a symmetry of each class keeps: see `exactile.counting.orbits`.

    Parameters
    ----------
    size, torus, backend, seed
        See `exactile.classics.grids.queens.QueensSearch`.
    time_limit
        Time limit in seconds.
    workers, use_memo, watch
        See `exactile.counting.listing.Alternating`; `watch` as in `OrbitCount`.

    Raises
    ------
    Interrupted
        After Ctrl-C; it has the answer so far.

    Examples
    --------
    >>> answer = count_queens(8)
    >>> answer.raw, answer.rotation, answer.symmetry
    (92, 24, 12)
    """
    limits = Limits(time_limit)
    if not counts_unlisted(backend):
        search = QueensSearch(
            size,
            torus=torus,
            backend=backend,
            seed=seed,
            workers=workers,
            watch=watch,
            limits=limits,
        )
        answer = search.counted().answer()
    else:
        answer = _unlisted(QueensBoard(size, torus), limits, workers, use_memo, watch)
    if answer.stopped == INTERRUPTED:
        raise Interrupted(answer)
    return answer


def _unlisted(
    board: QueensBoard,
    limits: Limits,
    workers: int | None,
    use_memo: bool,
    watch: Callable[[Any], None] | None,
) -> QueensAnswer:
    method = Alternating(use_memo=use_memo, workers=workers)
    counted = OrbitCount(board, method).run(limits, watch)
    return QueensAnswer(
        puzzle=board.name,
        backend=counted.backend,
        method=counted.method,
        status=counted.status,
        stopped=counted.stopped,
        raw=counted.raw,
        rotation=counted.rotation,
        symmetry=counted.symmetry,
        found=counted.found,
        stats=counted.stats,
    )
