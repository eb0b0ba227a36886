"""Estimates the numbers of solutions of the open puzzles in a ledger, first with few states."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from exactile.clock import CLOCK
from exactile.counting.sampled import MOST_STATES
from exactile.errors import CountingError, PuzzleError
from exactile.files.puzzles.catalogue import load
from exactile.runs.ledger.record import Record
from exactile.runs.ledger.settle import Settler
from exactile.runs.ledger.store import Ledger
from exactile.search.limits import Limits

FIRST_STATES = 1000
"""Largest number of states of a level in the first round."""

GROWTH = 4
"""Factor by which that number grows from round to round."""


class Estimates:
    """Gives each open puzzle an estimate of the requested precision, if the time permits.

    The runs of a round keep a fixed number of states, so that the same seed gives the same estimate
    on any machine. Puzzles whose interval is too wide get more states, round by round; rounds that
    its width shows to be too small are skipped. Each record is written as soon as it changes, with
    the attempts made: another call continues where this one ended.

    Parameters
    ----------
    ledger
        A ledger that is open for writing.
    seconds
        Seconds of processor time for a puzzle in a round, at most, after its model is made.
    to
        Wanted half-width of the interval, as a fraction of the number.
    memory
        Bytes for the states of a puzzle.
    watch
        Called with each record that is written.
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
        """Work on puzzles, by identifier, those with the fewest options first."""
        puzzles = {load(name).digest: name for name in reversed(names)}
        states = FIRST_STATES
        while states <= MOST_STATES:
            known = [self.ledger.read(name, puzzle) for puzzle, name in puzzles.items()]
            due = [r for r in known if r is not None and self._is_due(r, states)]
            for record in sorted(due, key=lambda record: record.options):
                self._estimate(record, states)
            states *= GROWTH

    def _is_due(self, record: Record, states: int) -> bool:
        """Return whether a puzzle needs a better estimate, and should have it in this round."""
        tried = {by_states(states), by_time(self.seconds)} & set(record.tried)
        if record.settled or tried or record.id in self.errors:
            return False
        known = record.sampled
        if known is None or known.half_width is None:
            return True
        if known.half_width <= self.to:
            return False
        # The width is roughly inversely proportional to the square root of the number of states.
        growth = (known.half_width / self.to) ** 2
        needed, seconds = growth * known.states, growth * record.sampled_seconds
        whole = record.tried[-1:] == [by_states(known.states)]
        skipped = whole and needed <= MOST_STATES and seconds <= self.seconds
        return not skipped or states >= needed / 2

    def _estimate(self, record: Record, states: int) -> None:
        settler, begun = Settler(load(record.id), record), CLOCK.worked()
        limits = Limits(memory_limit=self.memory)

        def look_at_time() -> None:
            if CLOCK.worked() - begun > self.seconds:
                limits.cancel()

        while True:
            try:
                settler.sample(limits, states, look_at_time)
                break
            except (CountingError, MemoryError) as error:
                self.errors[record.id] = str(error) or "out of memory"
                states //= GROWTH  # a round that was skipped may fit
                if states < FIRST_STATES or by_states(states) in record.tried:
                    return
        cut = limits.reached() is not None
        name = by_time(self.seconds) if cut else by_states(states)
        settler.record.tried = [*settler.record.tried, name]
        self.ledger.write(settler.record)
        if self._watch is not None:
            self._watch(settler.record)


def by_states(states: int) -> str:
    """Return the entry of `Record.tried` for an estimate that was made to the end."""
    return f"estimate of {states:,} states"


def by_time(seconds: float) -> str:
    """Return the entry of `Record.tried` for an estimate that was stopped after some time."""
    return f"estimate of {seconds:g} seconds"
