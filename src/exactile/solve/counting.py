"""Counting without listing: a memo on states, uniform samples, and how often each option occurs."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from threading import Event
from types import TracebackType

import numpy as np
import numpy.typing as npt

from exactile import _native
from exactile.backends.base import HEARTBEAT
from exactile.errors import CheckFailedError, CountingError, PuzzleError
from exactile.model.condense import CountProblem
from exactile.model.item_order import coordinate_keys, load, ranks
from exactile.model.model import Longs, Model
from exactile.model.orbits import Assignments
from exactile.puzzle.puzzle import Puzzle, Solution
from exactile.solve.case import Case
from exactile.tuning import TUNING


class Counter:
    """Counts the solutions of a puzzle or a model without listing them.

    All numbers are exact. The work is done when a number is first asked for.

    Parameters
    ----------
    subject
        A puzzle, a model, or a model for counting.
    most_states, most_bytes
        The budget: how many states may be made, and how much memory they may take.
    keep
        Whether samples and frequencies will be asked for. If not, states are forgotten as soon as
        possible.
    condense
        Whether items that exclude nothing are dropped first. The numbers are the same.
    order
        A number for each item, the least is decided first; None to search for a good order.
    puzzle
        The puzzle that a model for counting belongs to: its units suggest orders.

    Attributes
    ----------
    model
        The model; its options are what the numbers of samples and frequencies mean.
    states_expected
        About how many states there can be at most; often far too high.

    Examples
    --------
    >>> import exactile
    >>> counter = Counter(exactile.load("dominoes-6x6"))
    >>> counter.raw
    6728
    >>> counter.sample(2, seed=1).shape
    (2, 18)
    >>> counter.frequencies()[:3].tolist()
    [3364, 1276, 2900]
    """

    def __init__(
        self,
        subject: Puzzle | Case | Model | CountProblem,
        *,
        most_states: int = TUNING.memo_states,
        most_bytes: int = TUNING.memory_bytes,
        keep: bool = True,
        condense: bool = True,
        order: Longs | None = None,
        puzzle: Puzzle | None = None,
    ) -> None:
        self._case: Case | None = None
        if isinstance(subject, Puzzle | Case):
            self._case = Case.of(subject)
            puzzle, subject = self._case.puzzle, self._case.model
        self._puzzle, self.model = puzzle, subject
        self._keep = keep
        self._most_states = most_states
        self._cancel = Event()
        problem = CountProblem.of_model(self.model) if isinstance(self.model, Model) else self.model
        if condense:
            problem = problem.without_idle_items()
        if order is not None:
            rank = _as_ranks(order[problem.kept])
        elif self._puzzle is not None:
            rank = ranks(problem, *unit_keys(self._puzzle, problem))
        else:
            rank = ranks(problem)
        self.states_expected = load(problem, rank)
        with _MemoryErrorsExplained():
            self._native = _native.Counter(
                problem.lower,
                problem.upper,
                problem.first,
                problem.members,
                problem.colors,
                rank,
                keep,
                most_states,
                most_bytes,
            )
        self._raw: int | None = None
        self._frequencies: npt.NDArray[np.object_] | None = None
        self._weighed = False

    @property
    def stats(self) -> dict[str, int]:
        """States and edges so far, layers in all, and bits of the widest state."""
        native = self._native
        return {
            "states": native.states,
            "edges": native.edges,
            "layers": native.layers,
            "bits": native.width,
        }

    def cancel(self) -> None:
        """Stop at the next heartbeat; may be called from any thread."""
        self._cancel.set()

    def wait(self, timeout: float | None = None) -> bool:
        """Count on to the end or for `timeout` seconds; return whether the number is known.

        Raises
        ------
        CountingError
            If the budget does not suffice.
        """
        end = None if timeout is None else time.monotonic() + timeout
        while self._raw is None and not self._cancel.is_set():
            left = HEARTBEAT if end is None else end - time.monotonic()
            status = self._native.run(min(HEARTBEAT, max(left, 0.0)))
            if status == 1:
                self._raw = _as_int(self._native.total())
            elif status != 0:
                what = f"{self._most_states:,} states" if status == 2 else "memory"
                raise CountingError(
                    f"Counting without listing needs more than {what} here, after "
                    f"{self._native.states:,} states: allow it more, or count with method 'list'."
                )
            if end is not None and time.monotonic() >= end:
                break
        return self._raw is not None

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
            self._weigh()
            self._to_the_end(self._native.tally)
            limbs = self._native.tallies().astype(object)
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
        self._weigh()
        size = 4 * self._native.limbs
        raw = b"".join(number.to_bytes(size, "little") for number in numbers)
        table = np.frombuffer(raw, dtype="<u4").astype(np.uint32)
        return self._native.unrank(table.reshape(len(numbers), self._native.limbs))

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
        return self.unrank(self._draws(n, seed))

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
        for start in range(0, n, TUNING.samples_at_once):
            for row in self.unrank(draws[start : start + TUNING.samples_at_once]).tolist():
                solution = decoder.solution(row)
                faults = checker.faults(solution)
                if faults:
                    raise CheckFailedError(
                        f"A sample is no solution of {checker.puzzle.name}: {'; '.join(faults)}. "
                        "This is a bug of ours: please report it."
                    )
                yield solution

    def _draws(self, n: int, seed: int) -> list[int]:
        if n > 0 and self.raw == 0:
            raise PuzzleError("There are no solutions to draw from.")
        rng = random.Random(seed)  # noqa: S311  # no secret
        return [rng.randrange(self.raw) for _ in range(n)]

    def _weigh(self) -> None:
        """Count the solutions below each node."""
        _ = self.raw
        if not self._keep:
            raise CountingError("This counter keeps no states: make one with keep=True.")
        if not self._weighed:
            self._to_the_end(self._native.weigh)
        self._weighed = True

    def _to_the_end(self, work: Callable[[float], bool]) -> None:
        with _MemoryErrorsExplained():
            while not work(HEARTBEAT):
                if self._cancel.is_set():
                    raise CountingError("The count was cancelled before it was finished.")


class _MemoryErrorsExplained:
    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if isinstance(error, MemoryError):
            raise CountingError(
                "There is not enough memory to count without listing: use method 'list'."
            ) from error


def unit_keys(puzzle: Puzzle, problem: CountProblem) -> tuple[list[Longs], list[Longs]]:
    """Return orders of the items by the places of their units, straight and slanting ones."""
    units = problem.kept - len(puzzle.pieces)
    real = (units >= 0) & (units < len(puzzle.region))

    def of_items(key: Longs) -> Longs:
        found = np.full(problem.items, len(puzzle.region), dtype=np.int64)
        found[real] = key[units[real]]
        return found

    straight, slanting = coordinate_keys(puzzle.region.units)
    return [of_items(key) for key in straight], [of_items(key) for key in slanting]


def _as_ranks(order: Longs) -> npt.NDArray[np.int32]:
    """Return the ranks that a number for each item stands for."""
    rank = np.empty(len(order), dtype=np.int32)
    rank[np.argsort(order, kind="stable")] = np.arange(len(order), dtype=np.int32)
    return rank


def _as_int(limbs: npt.NDArray[np.uint32]) -> int:
    return int.from_bytes(limbs.astype("<u4").tobytes(), "little")
