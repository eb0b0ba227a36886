"""The interface of solvers, which get a model and yield batches of assignments."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from importlib.util import find_spec
from typing import NamedTuple

import numpy as np

from exactile.clock import HEARTBEAT
from exactile.errors import BackendError, BackendMissingError, BackendNotFoundError
from exactile.model.model import Ints, Model
from exactile.model.orbits import Assignments
from exactile.model.sweeps import Floats
from exactile.wanted import seen

__all__ = ["HEARTBEAT", "Backend", "Batch", "Request"]


class Prefix(NamedTuple):
    """A node of the search tree, which stands for everything below it.

    Attributes
    ----------
    path
        The choices from the root: o if option o is chosen, ~o if it is excluded.
    weight
        The product of 1 / (number of branches) along the path: the share of the tree below the
        node, as if all branches of a node had the same size.
    """

    path: tuple[int, ...]
    weight: float


class Left(NamedTuple):
    """The part of a search that is not done yet, in a form that can be saved and resumed.

    Attributes
    ----------
    prefixes
        The nodes below which the tree is not searched yet.
    rows
        Solutions that were found but not yet returned: the options of each.
    digest
        Digest of the model; ``""`` if the backend does not state it.
    symmetric
        Whether only one branch of each orbit is searched, so that the images of solutions under the
        symmetries of the puzzle must be added.
    images
        Whether `rows` already has the images.
    """

    prefixes: list[Prefix]
    rows: list[list[int]]
    digest: str = ""
    symmetric: bool = False
    images: bool = True


NATIVE = "native"
"""Value of `Backend.refuter` for the native search, which writes a proof as it searches."""


@dataclass(frozen=True)
class Request:
    """A search that is requested of a backend.

    Attributes
    ----------
    limit
        Largest number of solutions that will be read; None for all. It is only a hint: if the
        backend yields more, they are ignored.
    seed
        Seed of solvers that use random numbers.
    workers
        Number of threads; if None, the backend decides.
    ordered
        Whether solutions must come in the same order for any number of workers.
    prefixes
        Partial choices: o if option o is chosen, ~o (that is, -o - 1) if it is excluded. Only
        solutions that extend one of them are requested. No solution extends two of them.
    weights
        The share of the search below each prefix, for backends that report progress; empty if all
        shares are equal.
    hint
        Options that are believed to be in a solution, for backends with `takes_hints`. They may
        make the search faster, but do not change the answer.
    encoding
        The encoding of formulas, one of `exactile.model.encode.ENCODINGS`; if None, the backend
        chooses. Only for backends that list it in `encodings`.
    images
        A group of symmetries of the model, shape ``(symmetries, options)``: the image of each
        option. The backend may search for one solution of each orbit and then yield its images.
        Only for backends with `takes_images`, if all solutions are requested, without prefixes.
        None for no symmetries.
    kinds
        For each option the number of its kind, from 0, or -1 for no kind. Solutions with equal
        numbers of options of each kind are equivalent: one of them suffices, but the backend may
        yield more. Only for backends with `takes_kinds`, and without images. None: all
        solutions are requested.
    at_once
        Largest number of solutions in a batch, if the backend can limit it. All solutions of a
        batch are checked together.
    places
        Positions of items in plane or space, shape ``(items, d)``, NaN for items without one; None
        if there is no geometry. They help backends that fill a region from one end.
    spared
        A function that returns a prefix; calling it takes a moment. If the model has solutions, at
        least one extends this prefix, so that a search for one solution can leave out the rest.
        None if only the empty prefix is known. Only for backends with `takes_spared`.
    more
        A function that returns the number of threads that may now be used in addition to `workers`.
        A backend that can change its number of threads calls it repeatedly.
    deadline
        The time, as of `CLOCK.now`, at which the search will be stopped; None without a time limit.
        For backends that can be stopped only at long intervals.
    """

    limit: int | None = None
    seed: int = 0
    workers: int | None = None
    ordered: bool = False
    prefixes: tuple[tuple[int, ...], ...] = ((),)
    weights: tuple[float, ...] = ()
    hint: tuple[int, ...] = ()
    encoding: str | None = None
    images: Ints | None = None
    kinds: Ints | None = None
    at_once: int = 4096
    places: Floats | None = None
    spared: Callable[[], tuple[int, ...]] | None = None
    more: Callable[[], int] = int
    deadline: float | None = None

    @property
    def parts(self) -> tuple[float, ...]:
        """The share of the search below each prefix: `weights`, or equal shares."""
        return self.weights or (1 / max(len(self.prefixes), 1),) * len(self.prefixes)


class Batch(NamedTuple):
    """A report of a backend: progress, and the solutions found since the last report, if any.

    Attributes
    ----------
    assignments
        The solutions, one in each row: the numbers of its options, padded with -1.
    stats
        Counters since the beginning of the search, such as nodes or conflicts.
    done
        The fraction of the search that is done, if the solver reports it.
    stopped
        Why the solver gave up before it had searched everything; this is then the last batch.
    proof
        A folder with a formula, and a proof that there are no further solutions, if the solver
        wrote a proof.
    left
        A function that returns the rest of the search after this batch; None if the backend cannot
        state the rest. Call the function before the next batch is requested.
    packing
        The options of the best partial solution so far, if the solver has one. It uses no item too
        often.
    doing
        The present attempt of a portfolio of searches, in words.
    """

    assignments: Assignments
    stats: Mapping[str, int] = {}
    done: float | None = None
    stopped: str | None = None
    proof: str | None = None
    left: Callable[[], Left] | None = None
    packing: Ints | None = None
    doing: str | None = None


class Backend(ABC):
    """A solver: `name`, `search` and `version` are required, all else has a default.

    `tests/agreement/test_your_own_backend.py` has a complete example.

    Attributes
    ----------
    name
        *Required.* The name that ``--backend`` accepts, such as ``sat:cadical195``.
    takes_prefixes
        *Optional.* Whether it uses `Request.prefixes`; if not, it gets only the empty prefix.
    takes_colors
        *Optional.* Whether it accepts models with colored items.
    takes_hints, takes_images, takes_kinds, takes_seed, takes_spared, takes_workers
        *Optional.* Whether it uses `Request.hint`, `Request.images`, `Request.kinds`,
        `Request.seed`, `Request.spared`, `Request.workers`.
    encodings
        *Optional.* The encodings that it accepts as `Request.encoding`.
    refuter
        *Optional.* The solver that can prove the answers of this backend: `NATIVE`, a solver of
        PySAT, or None.
    races
        *Optional.* Its role when the backend ``auto`` searches for one solution; None for no role.
        ``"reason"``: it soon finds a reason why there is no solution, or gives up. ``"chance"``: it
        searches where a solution is likely; its variant with the suffix ``:chance`` must make no
        exhaustive search. ``"brief"``: it helps at once or not at all; its variant with the suffix
        ``:brief`` must give up soon. ``"later"``: it learns from conflicts, which helps if a puzzle
        has many copies of one piece.
    for_copies
        *Optional.* The backend that replaces this one in ``auto``, such as ``sat:glucose42``, if
        the puzzle has many copies of few pieces.
    """

    name: str
    takes_prefixes: bool = False
    takes_colors: bool = False
    takes_hints: bool = False
    takes_images: bool = False
    takes_kinds: bool = False
    takes_seed: bool = False
    takes_spared: bool = False
    takes_workers: bool = False
    encodings: tuple[str, ...] = ()
    refuter: str | None = None
    races: str | None = None
    for_copies: str | None = None

    @abstractmethod
    def search(self, model: Model, request: Request) -> Generator[Batch]:
        """*Required.* Yield every solution once, and end when there are no more.

        Yield a batch at least every `HEARTBEAT` seconds, if necessary with `no_solutions()`, since
        limits and Ctrl-C are noticed only then. When the generator is closed, stop the search at
        once. Every solution is checked, but if one is missing or repeated, counts are wrong.
        """

    @abstractmethod
    def version(self) -> str:
        """*Required.* Return name and version of the solver as text, such as ``PySAT 1.8``."""

    def choices(self) -> list[str]:
        """*Optional.* Return the names that may follow the colon, as in ``sat:SOLVER``."""
        return []

    def parameters(self, request: Request) -> Mapping[str, int | str]:
        """*Optional.* Return the parameters that the solver gets for a request, by name."""
        return {}

    def knows(self, name: str) -> bool:
        """*Optional.* Return whether `configured` accepts a parameter of this name."""
        return False

    def configured(self, values: Mapping[str, str]) -> Backend:
        """*Optional.* Return a copy of this backend with other parameters for its solver.

        `values`: the new values, as text, by name. By default, no parameter is accepted; without
        values, the result is this backend itself.

        Raises
        ------
        BackendError
            If the backend does not accept a parameter, or its value.
        """
        if values:
            names = ", ".join(values)
            raise BackendError(f"The backend {self.name} takes no parameters: leave {names} out.")
        return self


def results(backend: Backend, model: Model, request: Request) -> Generator[Batch]:
    """Yield the batches of a backend's search.

    Raise BackendError if `search` does not return a generator, or yields anything but a `Batch`
    whose assignments are rows of numbers of options, padded with -1. Whether the assignments solve
    the model is not checked here.
    """
    running = backend.search(model, request)
    who = f"The backend {backend.name}"
    if not isinstance(running, Generator):
        raise BackendError(f"{who}: `search` returned {seen(running)}; yield each batch instead.")
    with closing(running):
        for batch in running:
            rows = batch.assignments if isinstance(batch, Batch) else None
            if rows is None:
                raise BackendError(f"{who} yielded {seen(batch)}; yield a Batch.")
            if not isinstance(rows, np.ndarray) or rows.ndim != 2 or rows.dtype.kind not in "iu":
                raise BackendError(
                    f"{who} yielded a Batch of {seen(rows)}; its assignments are an array of "
                    "integers with one solution in each row."
                )
            if rows.size and not -1 <= rows.min() <= rows.max() < model.options:
                wrong = rows.max() if rows.max() >= model.options else rows.min()
                raise BackendError(
                    f"{who} yielded option {wrong}; options are numbered from 0 to "
                    f"{model.options - 1}, and -1 fills up a row."
                )
            yield batch


def cores() -> int:
    """Return the number of processors that this process may use."""
    allowed = getattr(os, "sched_getaffinity", None)
    return len(allowed(0)) if allowed else os.cpu_count() or 1


def check_encoding(backend: Backend, encoding: str | None) -> None:
    """Raise BackendError if a backend does not accept an encoding; all accept None."""
    known = backend.encodings
    if encoding is None or encoding in known:
        return
    from exactile.model.encode import MULTIPLYING  # seldom needed

    if not known:
        raise BackendError(
            f"The backend {backend.name} has no encodings: leave out '{encoding}', or use sat."
        )
    if encoding in MULTIPLYING:
        why = "one solution would have many models in it"
    else:
        why = "it does not know it"
    raise BackendError(
        f"The backend {backend.name} refuses the encoding '{encoding}': {why}. "
        f"Take one of {', '.join(known)}."
    )


def require_package(backend: str, package: str) -> None:
    """Raise BackendMissingError unless a Python package is installed.

    The message names the extra of Exactile to install, which has the name of the backend.
    """
    if find_spec(package) is None:
        raise BackendMissingError(
            f"The backend '{backend}' is not installed: pip install 'exactile[{backend}]'."
        )


def refuse_choice(backend: str, choice: str | None, known: Iterable[str] = ()) -> None:
    """Raise BackendNotFoundError if `choice` is not None and not among the solvers in `known`."""
    known = list(known)
    if choice is not None and choice not in known:
        others = " or ".join(f"{backend}:{name}" for name in known)
        raise BackendNotFoundError(
            f"The backend '{backend}' has no solver '{choice}': write '{backend}'"
            f"{others and f', {others}'}."
        )


def no_solutions() -> Assignments:
    """Return an empty array of assignments, for a batch without solutions."""
    return np.empty((0, 0), dtype=np.int32)
