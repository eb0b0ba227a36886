"""What counts without listing has in common: waiting, solutions by number, samples, frequencies."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from exactile import _native
from exactile.backends.base import HEARTBEAT
from exactile.errors import CheckFailedError, CountingError, PuzzleError
from exactile.model.condense import CountProblem
from exactile.model.model import Ints, Longs, Model
from exactile.model.orbits import Assignments
from exactile.puzzle.puzzle import Puzzle, Solution
from exactile.search.case import Case
from exactile.search.checking import first_fault
from exactile.search.limits import Limits
from exactile.search.slices import drive
from exactile.tuning import TUNING


class Kept(Protocol):
    """A native counter that has kept what its number comes from; numbers are rows of limbs."""

    @property
    def limbs(self) -> int:
        """32-bit limbs of a number."""

    def unrank(self, numbers: npt.NDArray[np.uint32]) -> Assignments:
        """Return the solutions of some numbers."""

    def tally(self, seconds: float) -> bool:
        """Work on how many solutions contain each option; return whether that is known."""

    def tallies(self) -> npt.NDArray[np.uint32]:
        """Return how many."""


class AnyCounter(ABC):
    """Counts solutions without listing them; the work is done when a number is first asked for.

    Attributes
    ----------
    model
        The model; its options are what the numbers of samples and frequencies mean.
    puzzle
        The puzzle that it belongs to, if it is known.
    """

    _preparing: Iterator[None] = iter(())
    """The preparation before counting, step by step."""

    def __init__(
        self,
        subject: Puzzle | Case | Model | CountProblem,
        puzzle: Puzzle | None,
        *,
        keep: bool,
    ) -> None:
        case = Case.of(subject) if isinstance(subject, Puzzle | Case) else None
        self._case = case
        self.puzzle = puzzle if case is None else case.puzzle
        self.model = (
            subject if isinstance(subject, Model | CountProblem) else Case.of(subject).model
        )
        self._keep = keep
        self._limits = Limits()  # for `cancel`
        self._raw: int | None = None
        self._frequencies: npt.NDArray[np.object_] | None = None

    @property
    @abstractmethod
    def stats(self) -> dict[str, Any]:
        """The work so far: the number of ``"states"`` met."""

    @property
    def effort(self) -> int:
        """States and nodes that it has gone through."""
        return int(self.stats.get("states", 0))

    @property
    def patience(self) -> float:
        """For how many seconds to count at a time."""
        return HEARTBEAT

    @abstractmethod
    def _step(self, seconds: float) -> None:
        """Count on; note the number when it is known."""

    def _kept(self) -> Kept:
        """Return the native counter when it is ready for `unrank` and `tally`."""
        raise CountingError("This way of counting keeps nothing.")

    @property
    def known(self) -> bool:
        """Whether the number is known."""
        return self._raw is not None

    def cancel(self) -> None:
        """Stop at the next heartbeat; may be called from any thread."""
        self._limits.cancel()

    def obey(self, limits: Limits) -> None:
        """Be cancelled with these limits."""
        self._limits = limits.within(None)

    def wait(self, timeout: float | None = None) -> bool:
        """Count on to the end or for `timeout` seconds; return whether the number is known.

        Raises
        ------
        CountingError
            If the budget does not suffice, or the scratch directory is full.
        """
        return self._go_on(lambda: self.known, timeout)

    @property
    def raw(self) -> int:
        """The number of solutions.

        Raises
        ------
        CountingError
            If the budget does not suffice, or after `cancel`.
        """
        self.wait()
        if self._raw is None:
            raise CountingError("The count was cancelled before it was finished: count anew.")
        return self._raw

    def frequencies(self) -> npt.NDArray[np.object_]:
        """Return how many solutions contain each option, as integers of any size.

        Raises
        ------
        CountingError
            See `raw`; also if `keep` was False.
        """
        if self._frequencies is None:
            native = self._ready()
            self._to_the_end(native.tally)
            limbs = native.tallies().astype(object)
            weights = [1 << 32 * k for k in range(limbs.shape[1])]
            self._frequencies = np.array((limbs * weights).sum(axis=1), dtype=object)
        return self._frequencies.copy()

    def unrank(self, numbers: Sequence[int]) -> Assignments:
        """Return the solutions of some numbers, one a row, padded with -1.

        Each number from 0 to ``raw - 1`` stands for one solution, each solution for one number.

        Raises
        ------
        CountingError
            See `frequencies`.
        PuzzleError
            If there is no such solution.
        """
        for number in numbers:
            if not 0 <= number < self.raw:
                raise PuzzleError(
                    f"There is no solution number {number:,}: they are numbered from 0 and are "
                    f"{self.raw:,}."
                )
        native = self._ready()
        size = 4 * native.limbs
        raw = b"".join(number.to_bytes(size, "little") for number in numbers)
        table = np.frombuffer(raw, dtype="<u4").astype(np.uint32)
        with explained():
            return native.unrank(table.reshape(len(numbers), native.limbs))

    def sample(self, n: int, seed: int = 0) -> Assignments:
        """Return solutions drawn at random, each as likely as any other, one a row.

        They are drawn independently, so one may come twice. The same seed gives the same ones.

        Raises
        ------
        CountingError
            See `frequencies`.
        PuzzleError
            If there are no solutions.
        """
        return self.unrank(list(self._draws(n, seed)))

    def solutions(self, n: int, seed: int = 0) -> Iterator[Solution]:
        """Yield the solutions of the puzzle that `sample` returns, each of them checked.

        Raises
        ------
        CheckFailedError
            If one is wrong, which is a bug.
        """
        assert self._case is not None
        decoder, checker = self._case.decoder, self._case.checker
        draws = self._draws(n, seed)
        while batch := list(islice(draws, TUNING.samples_at_once)):
            rows = self.unrank(batch)
            fault = first_fault(checker, decoder, rows)
            if fault is not None:
                raise CheckFailedError(
                    f"A sample is no solution of {checker.puzzle.name}: {'; '.join(fault[1])}. "
                    "This is a bug in Exactile: please report it."
                )
            yield from decoder.solutions(rows)

    def _draws(self, n: int, seed: int) -> Iterator[int]:
        if n > 0 and self.raw == 0:
            raise PuzzleError("There are no solutions to draw from.")
        rng = random.Random(seed)  # noqa: S311  # no secret
        return (rng.randrange(self.raw) for _ in range(n))

    def _ready(self) -> Kept:
        _ = self.raw
        if not self._keep:
            raise CountingError("This counter keeps nothing: make one with keep=True.")
        return self._kept()

    def _go_on(self, ready: Callable[[], bool], timeout: float | None) -> bool:
        """Count on until something is ready, or for `timeout` seconds; return whether it is."""

        def work(seconds: float) -> bool:
            if not ready():
                self._step(seconds)
            return ready()

        limits = self._limits.within(timeout)
        least = HEARTBEAT if timeout is None else min(timeout, HEARTBEAT)
        if self._limits.reached() is not None:
            return ready()
        with explained():
            for _ in self._preparing:
                if limits.reached() is not None:
                    return ready()
            if not work(least):  # so that any wait helps
                drive(work, limits, lambda: self.patience)
        return ready()

    def _to_the_end(self, work: Callable[[float], bool]) -> None:
        with explained():
            stopped = None if work(HEARTBEAT) else drive(work, self._limits)
        if stopped:
            raise CountingError("The count was cancelled before it was finished.")


@contextmanager
def explained() -> Iterator[None]:
    """Turn lack of memory, or of room on a disk, into an error that says what to do."""
    try:
        yield
    except _native.ScratchError as error:
        raise CountingError(
            f"{error}: make room there, choose another directory (--scratch), or allow more "
            "memory (--memory)."
        ) from error
    except MemoryError as error:
        raise CountingError(
            "There is not enough memory to count without listing: use method 'list'."
        ) from error


def as_ranks(order: Longs) -> Ints:
    """Return the ranks that a number for each item stands for.

    Examples
    --------
    >>> as_ranks(np.array([30, 10, 20])).tolist()
    [2, 0, 1]
    """
    rank = np.empty(len(order), dtype=np.int32)
    rank[np.argsort(order, kind="stable")] = np.arange(len(order), dtype=np.int32)
    return rank


def as_int(limbs: npt.NDArray[np.uint32]) -> int:
    """Return a number of 32-bit limbs, least first.

    Examples
    --------
    >>> as_int(np.array([5, 1], dtype=np.uint32))
    4294967301
    """
    return int.from_bytes(limbs.astype("<u4").tobytes(), "little")
