"""The protocol between a run and its executor, which sends parts of the run to workers.

A *run* is one search with its settings. It consists of *parts*. A part is a set of prefixes that
one worker searches together, for a limited number of seconds. An executor takes parts and returns
their results, in any order. Only the run's own process stores results. A part without a result
counts as not searched. All messages can be pickled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, Self

from exactile import __version__
from exactile.backends.base import Prefix, cores
from exactile.counting.shares import Shares
from exactile.errors import WorkError
from exactile.model.orbits import Assignments
from exactile.plugins import DEFAULT_BACKEND, named
from exactile.puzzle.puzzle import Puzzle
from exactile.runs.levels import Apart
from exactile.search.case import Case


def own_version() -> str:
    """Return the version of exactile that this process runs."""
    return __version__


@dataclass(frozen=True)
class RunWork:
    """The puzzle and settings of a run, for the workers of an executor; can be pickled."""

    case: Case  # other processes derive the model and symmetries from its puzzle again
    model: str  # digest of its model: numbers of options have a meaning in this model only
    version: str  # version of exactile; an executor with another version refuses the work
    backend: str = DEFAULT_BACKEND
    symmetric: bool = True  # whether solutions below the prefixes stand for their images too
    keep: bool = False  # whether solutions are kept, not only counted
    limit: int | None = None  # a part ends after this number of solutions
    apart: Apart | None = None  # moves by which solutions must come apart to count, if any

    @classmethod
    def of(cls, puzzle: Puzzle | Case, **settings: Any) -> Self:
        """Return the work of a new run; `settings`: values of other fields, such as `keep`.

        Examples
        --------
        >>> import exactile
        >>> RunWork.of(exactile.load("soma-cube"), keep=True).backend
        'dlx'
        """
        case = Case.of(puzzle)
        return cls(case, case.digest, own_version(), **settings)


class RunPart(NamedTuple):
    """A part of a run: prefixes to be searched together, and the seconds to spend on them."""

    number: int  # unique in the run; never used again
    prefixes: list[Prefix]
    seconds: float  # seconds of wall-clock time after which the rest is returned


class PartResult(NamedTuple):
    """The result of a part: the solutions that were found, and the prefixes that are left."""

    number: int
    left: list[Prefix]  # the rest, which is not searched yet
    shares: Shares
    rows: Assignments | None  # the solutions without images; None if they are only counted
    found: int  # solutions found and checked; images are not counted
    nodes: int
    seconds: float  # processor time
    too_large: bool = False  # nothing was searched in time: each prefix becomes a part


class PartLost(NamedTuple):
    """A report that a part was not searched, for example because the worker's process died."""

    number: int
    cause: str
    again: bool = True  # whether another attempt may succeed


class Executor(Protocol):
    """Searches parts in threads or processes, on one machine or several."""

    @property
    def parallel(self) -> int:
        """Number of parts that can be searched at a time."""

    @property
    def ahead(self) -> int:
        """Number of parts that the executor may have at a time, queued ones included.

        It is greater than `parallel` if a worker would otherwise wait for its next part.
        """

    @property
    def alive(self) -> int:
        """Number of workers that are alive, for progress lines."""

    def start(self, work: RunWork) -> None:
        """Prepare to search parts of a run; called once, before `give`."""

    def give(self, part: RunPart) -> None:
        """Queue a part to be searched; do not wait for its result."""

    def take(self, seconds: float) -> PartResult | PartLost | None:
        """Return the next result; None if none arrives within `seconds`.

        Raise errors of workers, such as CheckFailedError if a solution is wrong. Raise WorkError if
        no worker can search.
        """

    def stop(self) -> None:
        """End the search of all parts soon; `take` then returns their results so far.

        By default, do nothing: `close` then drops the parts that are being searched.
        """
        return

    def close(self) -> None:
        """End all workers, without waiting for the results of their parts."""


def get_executor(words: str, workers: int | None = None) -> Executor:
    """Return the executor for a value of ``--on``, such as ``threads`` or ``dask:ADDRESS``.

    `workers`: number of workers; by default, one for each processor. An executor is made by the
    function `executor` of a module in `exactile.runs.executors`, or by an entry point in the group
    ``exactile.executors``. The arguments of that function or entry point are the text after the
    colon, or None, and the number of workers. Raise WorkError if the name is unknown, the executor
    does not accept the text after the colon, or the executor cannot be made, for example because
    Dask is not installed.
    """
    name, _, choice = words.partition(":")
    load = named("exactile.runs.executors", name, "executor", "exactile.executors")
    if load is None:
        raise WorkError(f"Parts cannot be searched on '{words}': take threads or processes.")
    made: Executor = load()(choice or None, workers or cores())
    return made


def refuse_choice(name: str, choice: str | None) -> None:
    """Raise WorkError if `choice`, the text after the colon as in ``threads:4``, is not None."""
    if choice is not None:
        raise WorkError(f"'{name}' takes nothing after a colon: leave out '{choice}'.")
