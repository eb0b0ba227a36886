"""The protocol between a run and the executor of its parts: plain values go out and come back.

A *run* is one search with its settings. It consists of *parts*, prefixes that are searched together
for some seconds. Only the run's own process writes results down; an executor takes parts and
returns the result of each, in any order. What it does not return has not happened.
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
from exactile.search.case import Case


def own_version() -> str:
    """Return the version of this exactile."""
    return __version__


@dataclass(frozen=True)
class RunWork:
    """What an executor must know of a run; it can be pickled."""

    case: Case  # the puzzle; what follows from it is made anew in other processes
    model: str  # digest of its model: numbers of options mean something in this model only
    version: str  # of exactile. An executor with another version refuses the work.
    backend: str = DEFAULT_BACKEND  # name of the backend
    symmetric: bool = True  # whether what is found below the prefixes stands for its images too
    keep: bool = False  # whether solutions are kept, not only counted
    limit: int | None = None  # a part ends after this number of solutions; None if it goes on

    @classmethod
    def of(cls, puzzle: Puzzle | Case, **settings: Any) -> Self:
        """Return the work of a run that this exactile begins.

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

    number: int  # no other part of the run has, had or will have it
    prefixes: list[Prefix]  # what is to be searched
    seconds: float  # seconds to search, of the clock; the rest is then given back


class PartResult(NamedTuple):
    """The result of a part."""

    number: int  # the part
    left: list[Prefix]  # what is not searched yet
    # The solutions found, by the names of the pieces left out; see `exactile.counting.shares`
    shares: Shares
    # The solutions, one a row, padded with -1: options of the model. Images are left out. None if
    # only their number was wanted.
    rows: Assignments | None
    found: int  # how many solutions were found and checked; images are not counted
    nodes: int  # nodes visited
    seconds: float  # processor time
    # Whether the part was given back because the time did not suffice for any of it: what is left
    # is better searched prefix by prefix
    too_large: bool = False


class PartLost(NamedTuple):
    """A part that was not searched: its process died or refused it."""

    number: int  # the part
    cause: str  # how, in words
    again: bool = True  # whether another try may succeed


class Executor(Protocol):
    """What searches parts, in threads or processes, on one machine or several."""

    @property
    def parallel(self) -> int:
        """Number of parts that can be searched at a time."""

    @property
    def ahead(self) -> int:
        """Number of parts that may wait for an answer: more than `parallel`, if the way is long."""

    @property
    def alive(self) -> int:
        """Number of workers known to be alive, for people."""

    def start(self, work: RunWork) -> None:
        """Make ready."""

    def give(self, part: RunPart) -> None:
        """Begin with a part, or put it behind those that were given before."""

    def take(self, seconds: float) -> PartResult | PartLost | None:
        """Return the result of a part; None if nothing has come within some seconds.

        Errors of Exactile, such as a wrong solution, are raised here.
        """

    def stop(self) -> None:
        """Let parts end soon, where that can be: what they give back is taken as before.

        Does nothing by default: parts are short enough to wait for their ends.
        """
        return

    def close(self) -> None:
        """End everything at once."""


def get_executor(words: str, workers: int | None = None) -> Executor:
    """Return an executor by what stands behind ``--on``: ``threads``, ``dask:ADDRESS`` ...

    Executors are modules of `exactile.runs.executors`, or entry points ``exactile.executors``: a
    function of the words behind the colon, None if there are none, and of the number of workers.
    Raise WorkError if there is no executor with this name.
    """
    name, _, choice = words.partition(":")
    load = named("exactile.runs.executors", name, "executor", "exactile.executors")
    if load is None:
        raise WorkError(f"Parts cannot be searched on '{words}': take threads or processes.")
    made: Executor = load()(choice or None, workers or cores())
    return made
