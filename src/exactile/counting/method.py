"""The common base of the methods of counting, which also gives samples and frequencies."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from exactile import _native
from exactile.backends.base import HEARTBEAT
from exactile.errors import CheckFailedError, CountingError, PuzzleError
from exactile.model.condense import CountProblem, as_limbs
from exactile.model.model import Ints, Longs, Model
from exactile.model.orbits import Assignments
from exactile.puzzle.puzzle import Puzzle, Solution
from exactile.search.case import Case, first_fault
from exactile.search.handle import drive
from exactile.search.limits import CANCELLED, Limits
from exactile.tuning import TUNING
from exactile.wanted import numbered, wanted

SAMPLES_AT_ONCE = 1000
"""Number of random solutions that are drawn at a time."""


class Kept(Protocol):
    """A native counter that has kept its states, for samples and frequencies.

    Its numbers are arrays of 32-bit limbs, the least significant one first.
    """

    @property
    def limbs(self) -> int:
        """Number of limbs of each number."""

    def unrank(self, numbers: npt.NDArray[np.uint32]) -> Assignments:
        """Return the solutions with these numbers, one in each row, padded with -1."""

    def tally(self, seconds: float) -> bool:
        """Count solutions by option for about `seconds`; return whether all are counted."""

    def tallies(self) -> npt.NDArray[np.uint32]:
        """Return a row of limbs for each option: the number of solutions that contain it.

        `tally` must have returned True before.
        """


Countable = Puzzle | Case | Model | CountProblem
"""Types of the problems whose solutions a method counts."""


class Method(ABC):
    """A way to count solutions: by listing them, by a memo, or by a frontier.

    A method works on one problem at a time. If `count` is called again with the same problem, it
    continues where it was stopped; samples, frequencies and files are those of the last problem.

    A subclass must define `name`, `stats`, `_begin` and `_step`. It may define `done` and `found`,
    which are shown as progress; `_kept`, for samples and frequencies; `save` and `restore`.

    Parameters
    ----------
    keep
        Whether to keep all states for samples and frequencies, which takes more memory.
    puzzle
        The puzzle to which the counted models belong, if any: the positions of its units suggest
        orders in which to decide the items.

    Attributes
    ----------
    problem
        The problem that is counted; None at first.
    model
        The model of the problem; samples and frequencies refer to its options.
    """

    name: str
    problem: Countable | None = None
    model: Model | CountProblem
    found = 0
    """Number of solutions so far, for methods that find them one by one; otherwise 0."""
    done: float | None = None
    """The fraction of the work that is done, from 0 to 1; None if unknown."""
    doing: str | None = None
    """The present attempt, in words; None if there is only one."""

    _watch: Callable[[Any], None] | None = None
    _raw: int | None = None
    _frequencies: npt.NDArray[np.object_] | None = None
    _preparing: Iterator[None] = iter(())

    def __init__(self, *, keep: bool = False, puzzle: Puzzle | None = None) -> None:
        self._keep = keep
        self._places = self.puzzle = puzzle
        self._case: Case | None = None
        self.limits = Limits()

    @property
    @abstractmethod
    def stats(self) -> dict[str, Any]:
        """Counters so far, such as ``"nodes"`` and ``"states"``."""

    @abstractmethod
    def _begin(self) -> Iterator[None]:
        """Forget the last problem, and prepare to count `model`; yield between steps."""

    @abstractmethod
    def _step(self, seconds: float) -> None:
        """Count for about this many seconds; set `_raw` when the number is known."""

    def _kept(self) -> Kept:
        """Return the native counter with all its states, ready for `unrank` and `tally`.

        The base class raises CountingError: a method keeps no states unless it defines this.
        """
        raise CountingError(f"The method '{self.name}' keeps nothing: count by another one.")

    @property
    def effort(self) -> int:
        """Number of states and of search nodes so far, as a measure of the work."""
        return int(self.stats.get("states", 0))

    @property
    def patience(self) -> float:
        """Seconds of counting between two checks of the limits and calls of `watch`."""
        return HEARTBEAT

    def count(
        self,
        problem: Countable,
        limits: Limits | None = None,
        watch: Callable[[Any], None] | None = None,
    ) -> int | None:
        """Return the number of solutions; None if a limit is reached first.

        Parameters
        ----------
        problem
            The problem. If a limit stopped its last count, the count continues.
        limits
            When to stop, and how much memory to use.
        watch
            Called with the method at every heartbeat.

        Raises
        ------
        CountingError
            If the budget or the memory is exceeded, or the scratch directory is full.
        """
        self._take_up(problem, limits, watch)
        self._go_on(lambda: self._raw is not None)
        return self._raw

    def prepare(self, problem: Countable) -> None:
        """Prepare the count, for example by building native structures.

        `count` of the same problem continues from there. Raise CountingError as `count` does.

        Examples
        --------
        >>> from exactile.counting.listing import Listing
        >>> model = Model.of_options([[0, 1], [1], [0]], lower=[1, 1], upper=[1, 1])
        >>> method = Listing()
        >>> method.prepare(model)
        >>> method.count(model)
        2
        """
        self._take_up(problem, None)
        with explained():
            for _ in self._steps_of_preparing():
                pass

    def _take_up(
        self,
        problem: Countable,
        limits: Limits | None,
        watch: Callable[[Any], None] | None = None,
    ) -> None:
        self.limits, self._watch = limits or Limits(), watch
        self.limits.begin()
        if problem is self.problem:
            return
        self.problem, self._raw, self._frequencies = None, None, None
        if isinstance(problem, Puzzle | Case):
            self._case = Case.of(problem)
            self.puzzle, self.model = self._case.puzzle, self._case.model
        else:
            self._case, self.puzzle, self.model = None, self._places, problem
        self._preparing = self._begin()
        self.problem = problem  # not before: Ctrl-C may come earlier

    @property
    def memory(self) -> int:
        """Bytes of memory that a count may use."""
        return self.limits.memory or TUNING.memory_bytes

    @property
    def raw(self) -> int:
        """The number of solutions.

        Raises
        ------
        CountingError
            If it is not known yet.
        """
        if self._raw is None:
            raise CountingError("The number of solutions is not known yet: count first.")
        return self._raw

    def frequencies(self) -> npt.NDArray[np.object_]:
        """Return, for each option, the number of solutions that contain it, as Python integers.

        Raises
        ------
        CountingError
            If the number of solutions is not known, `keep` was False, there is not enough memory,
            or a limit of the last `count` is reached.
        """
        if self._frequencies is None:
            native = self._ready()
            self._to_the_end(native.tally)
            limbs = native.tallies().astype(object)
            weights = [1 << 32 * k for k in range(limbs.shape[1])]
            self._frequencies = np.array((limbs * weights).sum(axis=1), dtype=object)
        return self._frequencies.copy()

    def unrank(self, numbers: Iterable[int]) -> Assignments:
        """Return the options of the solutions with these numbers, one solution in each row.

        Rows are padded with -1. The numbers from 0 to ``raw - 1`` correspond to the solutions one
        to one.

        Raises
        ------
        CountingError
            See `frequencies`.
        PuzzleError
            If `numbers` is not a collection, or has a value that is not the number of a solution.
        """
        given = wanted(numbers, Iterable, "The numbers of solutions")  # type: ignore[type-abstract]
        ranks = [numbered(number, self.raw, "solution") for number in given]
        native = self._ready()
        with explained():
            return native.unrank(as_limbs(ranks, native.limbs))

    def sample(self, n: int, seed: int = 0) -> Assignments:
        """Return the options of `n` solutions drawn uniformly at random, as rows of `unrank`.

        They are drawn independently, so one may be drawn twice. The same seed gives the same
        solutions.

        Raises
        ------
        CountingError
            See `frequencies`.
        PuzzleError
            If there are no solutions.
        """
        return self.unrank(list(self._draws(n, seed)))

    def solutions(self, n: int, seed: int = 0) -> Iterator[Solution]:
        """Yield the solutions that `sample` returns, as checked placements; only for puzzles.

        Raises
        ------
        CountingError, PuzzleError
            See `sample`.
        CheckFailedError
            If one is not a solution, which is a bug.
        """
        assert self._case is not None
        draws = self._draws(n, seed)
        while batch := list(islice(draws, SAMPLES_AT_ONCE)):
            yield from checked(self._case, self.unrank(batch))

    def _draws(self, n: int, seed: int) -> Iterator[int]:
        if n > 0 and self.raw == 0:
            raise PuzzleError("There are no solutions to draw from.")
        from random import Random  # here: counting does not need it

        rng = Random(seed)  # noqa: S311  # no secret
        return (rng.randrange(self.raw) for _ in range(n))

    def _ready(self) -> Kept:
        _ = self.raw
        if not self._keep:
            raise CountingError("Nothing was kept: make the method with keep=True.")
        return self._kept()

    def _go_on(self, ready: Callable[[], bool]) -> bool:
        """Count until `ready` returns True or a limit is reached; return what `ready` returns."""

        def work(seconds: float) -> bool:
            if not ready():
                self._step(seconds)
                if self._watch is not None:
                    self._watch(self)
            return ready()

        limits = self.limits
        if ready() or limits.reached() == CANCELLED:
            return ready()
        with explained():
            for _ in self._steps_of_preparing():
                if limits.reached() is not None:
                    return False
            # At least one step, whatever the time: then repeated calls come to an end.
            if not work(HEARTBEAT if limits.left is None else min(limits.left, HEARTBEAT)):
                drive(work, limits, lambda: self.patience)
        return ready()

    def _steps_of_preparing(self) -> Iterator[None]:
        """Continue the preparation; yield between steps.

        After an error or Ctrl-C, the next count begins anew.
        """
        try:
            for _ in self._preparing:
                yield
        except GeneratorExit:  # a limit came: the rest is prepared later
            raise
        except BaseException:
            self.problem = None
            raise

    def _to_the_end(self, work: Callable[[float], bool]) -> None:
        with explained():
            stopped = None if work(HEARTBEAT) else drive(work, self.limits)
        if stopped:
            raise CountingError(f"The count was not finished: {stopped}.")


def checked(case: Case, drawn: Assignments) -> list[Solution]:
    """Return assignments, one in each row, as solutions of a case.

    Raise CheckFailedError if one is not a solution, which is a bug.
    """
    fault = first_fault(case.checker, case.decoder, drawn)
    if fault is not None:
        raise CheckFailedError(
            f"A sample is not a solution of {case.name}: {'; '.join(fault[1])}. "
            "This is a bug in Exactile: please report it."
        )
    return case.decoder.solutions(drawn)


@contextmanager
def explained(
    full: str = "There is not enough memory to count without listing: use method 'list'.",
) -> Iterator[None]:
    """Turn errors from a lack of memory or disk space into CountingError.

    `full`: the message for a lack of memory.
    """
    try:
        yield
    except _native.ScratchError as error:
        raise CountingError(
            f"{error}: make room there, choose another directory (--scratch), or allow more "
            "memory (--memory)."
        ) from error
    except MemoryError as error:
        raise CountingError(full) from error


def as_ranks(order: Longs) -> Ints:
    """Return the rank of each item, from 0, when items are sorted by their numbers in `order`.

    Examples
    --------
    >>> as_ranks(np.array([30, 10, 20])).tolist()
    [2, 0, 1]
    """
    rank = np.empty(len(order), dtype=np.int32)
    rank[np.argsort(order, kind="stable")] = np.arange(len(order), dtype=np.int32)
    return rank


def real_units(puzzle: Puzzle, problem: CountProblem) -> tuple[npt.NDArray[np.bool_], Longs]:
    """Return a mask of the items that are units, and the index of each such unit in the region."""
    units = problem.kept - len(puzzle.pieces)
    real = (units >= 0) & (units < len(puzzle.region))
    return real, units[real]
