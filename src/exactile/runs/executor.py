"""The protocol between a run and the executor of its parts: plain values in both directions.

A *run* is one search with its settings. It consists of *parts*, prefixes that are searched together
for some seconds. Only the run's own process stores results; an executor takes parts and returns the
result of each, in any order. A part whose result it does not return counts as not searched.
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
    """Return the version of this exactile."""
    return __version__


@dataclass(frozen=True)
class RunWork:
    """The data of a run that an executor needs; it can be pickled."""

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
        """Return the work of a run that this version of exactile begins.

        Examples
        --------
        >>> import exactile
        >>> RunWork.of(exactile.load("soma-cube"), keep=True).backend
        'dlx'
        """
        case = Case.of(puzzle)
        return cls(case, case.digest, own_version(), **settings)


class RunPart(NamedTuple):
    """A part of a run."""

    number: int  # unique in the run; never used again
    prefixes: list[Prefix]
    seconds: float  # seconds of wall-clock time after which the rest is returned


class PartResult(NamedTuple):
    """The result of a part."""

    number: int
    left: list[Prefix]  # the rest, which is not searched yet
    shares: Shares
    rows: Assignments | None  # the solutions without images; None if they are only counted
    found: int  # solutions found and checked; images are not counted
    nodes: int
    seconds: float  # processor time
    too_large: bool = False  # nothing was searched in time: each prefix becomes a part


class PartLost(NamedTuple):
    """A part that was not searched, because its process died or refused it."""

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
        """Number of parts that may be given to it; more than `parallel` if messages take long."""

    @property
    def alive(self) -> int:
        """Number of workers that are alive, for progress lines."""

    def start(self, work: RunWork) -> None:
        """Begin to work on a run."""

    def give(self, part: RunPart) -> None:
        """Search a part after those that were given before."""

    def take(self, seconds: float) -> PartResult | PartLost | None:
        """Return the result of a part; None if there is none within `seconds`.

        Errors of workers, such as a wrong solution, are raised here.
        """

    def stop(self) -> None:
        """End parts soon, if possible; `take` returns their results. By default, do nothing."""
        return

    def close(self) -> None:
        """End all workers at once."""


def get_executor(words: str, workers: int | None = None) -> Executor:
    """Return the executor for a value of ``--on``, such as ``threads`` or ``dask:ADDRESS``.

    Executors are modules of `exactile.runs.executors`, or entry points ``exactile.executors``. Each
    has a function with two arguments: the text after the colon, or None, and the number of workers.
    """
    name, _, choice = words.partition(":")
    load = named("exactile.runs.executors", name, "executor", "exactile.executors")
    if load is None:
        raise WorkError(f"Parts cannot be searched on '{words}': take threads or processes.")
    made: Executor = load()(choice or None, workers or cores())
    return made


def refuse_choice(name: str, choice: str | None) -> None:
    """Raise WorkError if there is a text after the colon for an executor without choices."""
    if choice is not None:
        raise WorkError(f"'{name}' takes nothing after a colon: leave out '{choice}'.")
