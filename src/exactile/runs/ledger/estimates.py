"""Estimates the numbers of solutions of the open puzzles in a ledger."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from exactile.errors import CountingError, PuzzleError
from exactile.files.puzzles.catalogue import load
from exactile.runs.ledger.record import Record
from exactile.runs.ledger.settle import Settler
from exactile.runs.ledger.store import Ledger
from exactile.search.limits import Limits


class Estimates:
    """Estimates the number of solutions of each open puzzle, with a requested precision.

    A record is written as soon as it changes. Even an estimate that is not precise enough is
    recorded, unless the record has a better one; later calls repeat it only if they have more
    seconds. If an estimate fails, its error message is in `errors`, by the identifier of the
    puzzle.

    Parameters
    ----------
    ledger
        A ledger that is open for writing.
    seconds
        Time limit of the estimate for one puzzle, in seconds from when its model is complete.
    to
        Requested half-width of the confidence interval, as a fraction of the estimate.
    memory
        Limit of memory for the states of the estimate, in bytes; None for the default.
    watch
        Called with each record that is written.

    Raises
    ------
    PuzzleError
        If `seconds` or `to` is not positive.
    """

    def __init__(
        self,
        ledger: Ledger,
        seconds: float,
        to: float,
        memory: int | None = None,
        watch: Callable[[Record], None] | None = None,
    ) -> None:
        if not (seconds > 0 and to > 0):
            raise PuzzleError("Estimates need a positive time and a positive interval.")
        self.ledger, self.seconds, self.to, self.memory = ledger, seconds, to, memory
        self.errors: dict[str, str] = {}
        self._watch = watch

    def make(self, names: Sequence[str]) -> None:
        """Make estimates for the puzzles with these identifiers, the fewest options first.

        Skip puzzles that are not in the ledger, are settled, have an estimate that is precise
        enough, or were tried with at least as many seconds before. Raise NotFoundError if there is
        no puzzle with one of the identifiers.
        """
        puzzles = {load(name).digest: name for name in reversed(names)}
        known = [self.ledger.read(name, puzzle) for puzzle, name in puzzles.items()]
        due = [record for record in known if record is not None and self._is_due(record)]
        for record in sorted(due, key=lambda record: record.options):
            self._estimate(record)

    def _is_due(self, record: Record) -> bool:
        most = max(map(seconds_of, record.tried), default=0.0)
        return not (record.settled or most >= self.seconds or self._is_good(record))

    def _is_good(self, record: Record) -> bool:
        half = None if record.sampled is None else record.sampled.half_width
        return half is not None and half <= self.to

    def _estimate(self, record: Record) -> None:
        settler = Settler(load(record.id), record)
        try:
            settler.sample(Limits(self.seconds, memory_limit=self.memory), self.to)
        except (CountingError, MemoryError) as error:
            self.errors[record.id] = str(error) or "out of memory"
            return
        if not self._is_good(settler.record):
            settler.record.tried = [*settler.record.tried, by_time(self.seconds)]
        self.ledger.write(settler.record)
        if self._watch is not None:
            self._watch(settler.record)


def by_time(seconds: float) -> str:
    """Return the text in `Record.tried` for an estimate that was not precise enough.

    An example is ``estimate of 60 seconds``.
    """
    return f"estimate of {seconds:g} seconds"


def seconds_of(tried: str) -> float:
    """Return the seconds in a text that `by_time` made; 0 for other texts in `Record.tried`.

    >>> seconds_of(by_time(60)), seconds_of("first")
    (60.0, 0.0)
    """
    found = re.fullmatch(r"estimate of (.+) seconds", tried)
    return float(found[1]) if found else 0.0
