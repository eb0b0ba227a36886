"""The answers of searches: solutions, counts, verdicts, estimates, packings, runs in a store."""

from __future__ import annotations

from decimal import Decimal
from html import escape

from exactile.answers.base import Answer, Drawable, Placements, Stats, Status
from exactile.answers.reasons import Weights
from exactile.wanted import plural


class Count(Answer, frozen=True, kw_only=True):
    """The number of solutions of a puzzle.

    Attributes
    ----------
    puzzle
        Name of the puzzle.
    backend
        The backend that listed the solutions; None if none did.
    method
        ``"list"``, ``"memo"`` or ``"frontier"``; ``"first look"`` if the puzzle is obviously
        unsolvable, ``"coloring"`` if weights found during the search exclude all solutions.
    status
        ``COMPLETE`` or ``UNSOLVABLE`` if the counts are final.
    raw
        Number of all solutions; None if not determined.
    rotation, symmetry
        Number of solutions up to the proper symmetries of the puzzle, and up to all of them; None
        if not determined.
    found
        Number of solutions seen before the search ended.
    stopped
        Why the search ended early, such as ``"time limit"``; None if it did not.
    done
        Fraction of the search that is done; 1 if the counts are final, None if unknown.
    reason
        Why the puzzle is unsolvable, if a reason other than the search is known.
    crossing
        Whether pieces must not cross at vertices, on lattices where they could.
    proof
        A folder with a formula and a proof that there are no further solutions, if the backend
        wrote one.
    certificate
        The directory of the certificate, if one was written.
    stats
        Sizes of the model, counters of the backend, and seconds.
    """

    puzzle: str
    backend: str | None
    method: str = "list"
    status: Status
    raw: int | None = None
    rotation: int | None = None
    symmetry: int | None = None
    found: int = 0
    stopped: str | None = None
    done: float | None = None
    reason: str | None = None
    crossing: bool = True
    proof: str | None = None
    certificate: str | None = None
    stats: Stats = Stats()

    @property
    def by(self) -> str:
        """Name of the backend that listed the solutions; the method if none did."""
        return self.backend if self.backend is not None else self.method

    def _repr_html_(self) -> str:
        rows = [
            ("status", self.status.value + (f" ({self.stopped})" if self.stopped else "")),
            ("all", self.raw),
            ("up to rotation", self.rotation),
            ("up to symmetry", self.symmetry),
        ]
        cells = "".join(
            f"<tr><th>{what}</th><td>{'?' if value is None else escape(_cell(value))}</td></tr>"
            for what, value in rows
        )
        caption = escape(f"{self.puzzle}, {self.by}")
        return f"<table><caption>{caption}</caption>{cells}</table>"


def _cell(value: str | int) -> str:
    return value if isinstance(value, str) else f"{value:,}"


class SolutionList(Drawable, frozen=True, kw_only=True):
    """Solutions of a puzzle.

    Attributes
    ----------
    up_to
        ``"rotation"`` or ``"symmetry"`` if only one solution of each orbit is given.
    solutions
        The solutions found, at most the requested number, in the order of the search.
    packing
        The best partial solution, if the backend reports it and the search was stopped before it
        found a solution. No unit is covered twice and no piece is used too often.
    puzzle, backend, status
        Names of the puzzle and of the backend, and the status of the search.
    stopped
        Why the search ended early, such as ``"time limit"``; None if it did not.
    reason
        Why the puzzle is unsolvable, if a reason other than the search is known.
    crossing
        Whether pieces must not cross at vertices, on lattices where they could.
    proof
        A folder with a formula and a proof that there are no further solutions, if the backend
        wrote one.
    stats
        Sizes of the model, counters of the backend, and seconds.
    """

    puzzle: str
    backend: str
    status: Status
    stopped: str | None = None
    reason: str | None = None
    crossing: bool = True
    up_to: str | None = None
    solutions: tuple[Placements, ...] = ()
    packing: Placements | None = None
    proof: str | None = None
    stats: Stats = Stats()


class ModelSolutions(Answer, frozen=True, kw_only=True):
    """The solutions of a model file, or their number.

    Attributes
    ----------
    file, puzzle
        Both are the name of the file.
    count, raw
        Both are the number of all solutions; None if not determined.
    rotation, symmetry
        None: a model file has no symmetries.
    ignored_lines
        Numbers of the lines that were ignored because their options have no primary items.
    solutions
        The solutions, each as the texts of its options; None if only their number was requested.
    backend, method
        The backend that listed the solutions, None if none did; the method: ``"list"`` or
        ``"memo"``.
    status, found
        The status of the search, and the number of solutions that it found.
    stopped
        Why the search ended early, such as ``"time limit"``; None if it did not.
    proof
        A folder with a formula and a proof that there are no further solutions, if the backend
        wrote one.
    stats
        Sizes of the model, counters of the backend, and seconds.
    """

    file: str
    puzzle: str
    backend: str | None
    method: str = "list"
    status: Status
    count: int | None = None
    raw: int | None = None
    rotation: int | None = None
    symmetry: int | None = None
    found: int = 0
    stopped: str | None = None
    proof: str | None = None
    ignored_lines: tuple[int, ...] = ()
    solutions: tuple[tuple[str, ...], ...] | None = None
    stats: Stats = Stats()


class Verdict(Drawable, frozen=True, kw_only=True):
    """Whether a puzzle has a solution.

    Attributes
    ----------
    puzzle
        Name of the puzzle.
    backend
        The backend that searched; None if none did.
    method
        The method that decided: ``"first look"``, ``"coloring"`` or ``"search"``.
    status
        ``UNSOLVABLE``, ``SOLVABLE`` or ``UNKNOWN``.
    reason
        Why the puzzle is unsolvable, in words.
    stopped
        Why the search ended without an answer, such as ``"time limit"``; None if it did not.
    certificate
        The directory of the certificate, if one was written.
    argument
        The kind of argument of the certificate, in words.
    coloring
        Weights that show the puzzle to be unsolvable, if a coloring was found.
    solution
        A solution, if one was found.
    crossing
        Whether pieces must not cross at vertices, on lattices where they could.
    done
        Fraction of the search that is done; None if unknown.
    proof
        A folder with a formula and a proof that there is no solution, if the backend wrote one.
    stats
        Sizes of the model, counters of the backend, and seconds.
    """

    puzzle: str
    backend: str | None
    method: str = "search"
    status: Status
    reason: str | None = None
    stopped: str | None = None
    crossing: bool = True
    done: float | None = None
    certificate: str | None = None
    argument: str | None = None
    coloring: Weights | None = None
    solution: Placements | None = None
    proof: str | None = None
    stats: Stats = Stats()

    @property
    def by(self) -> str:
        """Name of the backend that searched; the method if none did."""
        return self.backend if self.backend is not None else self.method


class Sample(Drawable, frozen=True, kw_only=True):
    """Solutions drawn uniformly, or nearly so, at random.

    Attributes
    ----------
    puzzle
        Name of the puzzle.
    method
        The method that counted the solutions: ``"memo"`` or ``"frontier"``; or ``"sampled
        frontier"`` if their number was estimated.
    raw
        Number of all solutions; None if it was estimated, or not determined in time.
    estimate
        The estimate of the number of solutions, if there is one.
    bias
        Approximate upper bound on the total variation distance between the distribution of a drawn
        solution and the uniform one. 0 if all solutions are equally likely; None if unknown.
    stopped
        Why fewer solutions than requested were drawn; None if all were drawn.
    crossing
        Whether pieces must not cross at vertices, on lattices where they could.
    seed
        The same seed gives the same solutions, unless `estimate` was made with a time limit.
    solutions
        The solutions drawn; the same solution may occur twice. They are independent if `raw` is
        known.
    stats
        Sizes of the memo or of the frontier, and counters.
    """

    puzzle: str
    method: str
    raw: int | None = None
    estimate: Sampled | None = None
    bias: float | None = None
    stopped: str | None = None
    crossing: bool = True
    seed: int = 0
    solutions: tuple[Placements, ...] = ()
    stats: Stats = Stats()


class Sampled(Answer, frozen=True, kw_only=True):
    """An estimate of the number of all solutions, not up to symmetry.

    Attributes
    ----------
    number
        The estimate; None if too few runs reached the end, or their results differ too much.
    error
        The standard error of the estimate; None if `number` is exact or None.
    low, high
        The ends of the 95 % confidence interval, equal if `number` is exact; None if `number` is
        None.
    exact
        Whether `number` is exact, because all states were kept.
    states
        Number of states that a level of the frontier may keep; the last levels may keep more.
    runs, lived
        Number of independent runs, and of those that reached the end. The others count as zero.
    reached
        Largest fraction of the levels that a run reached.
    order
        The order in which the frontier decides the items, in words.
    seed
        The same seed, states and runs give the same estimate, unless a time limit ended the runs.
    version
        The version of the package.
    """

    number: int | None
    error: int | None
    low: int | None
    high: int | None
    exact: bool
    states: int
    runs: int
    lived: int
    reached: float
    order: str
    seed: int
    version: str = ""

    @property
    def half_width(self) -> float | None:
        """Half-width of the interval as a fraction of the number; None if there is no number."""
        if self.number is None or self.low is None or self.high is None:
            return None
        return (self.high - self.low) / (2 * self.number) if self.number else 0.0

    @property
    def rounded(self) -> tuple[str, str, str] | None:
        """The number and the ends of its interval as texts, with enough digits to differ.

        None if there is no number.
        """
        if self.number is None or self.low is None or self.high is None:
            return None
        digits = max(3, len(str(self.high)) - len(str(self.high - self.low)) + 2)
        number, low, high = (
            rough(n, digits, self.high) for n in (self.number, self.low, self.high)
        )
        return number, low, high

    @property
    def words(self) -> str:
        """The estimate with its interval, in words."""
        if self.rounded is None:
            lived = f"no estimate: {self.lived} of {plural(self.runs, 'run')} came to the end"
            if not self.runs:
                lived = "no estimate: there was no time for a whole run"
            if not self.reached:
                return lived
            if self.lived:
                return f"{lived}, too few or too different ones"
            return f"{lived}, the best one {self.reached:.0%} of the way"
        if self.exact:
            return f"{self.number:,}, exactly"
        return "about {}, from {} to {}".format(*self.rounded)


def rough(number: int, digits: int = 3, largest: int | None = None) -> str:
    """Return a number as text, rounded to `digits` significant digits.

    The text has an exponent if `largest`, by default the number itself, has more than 15 digits.

    Examples
    --------
    >>> rough(987), rough(3631923), rough(3631923, 5), rough(12 * 10**40)
    ('987', '3,630,000', '3,631,900', '1.20e41')
    """
    length = len(str(number))
    digits = min(digits, length)
    if len(str(largest or number)) > 15:
        return f"{Decimal(number):.{digits - 1}e}".replace("e+", "e")
    return f"{round(number, digits - length) if length > digits else number:,}"


class Estimate(Answer, frozen=True, kw_only=True):
    """The estimated size of a search.

    Attributes
    ----------
    puzzle
        Name of the puzzle; empty for a model.
    crossing
        Whether pieces must not cross at vertices, on lattices where they could.
    seed
        The same seed gives the same estimate, unless there was a time limit.
    nodes, nodes_error
        An estimate of the number of nodes of the search tree, and its standard error, None after a
        single dive. Both are rounded down, and too low if most of the tree lies where few dives go.
    solutions
        An estimate of the number of solutions.
    dives
        Number of dives: random paths down the search tree.
    deepest
        Number of nodes of the longest dive.
    nodes_per_second
        Speed of the search in a short trial; None if there was none.
    seconds
        Seconds that the search would take at the measured speed; None if unknown.
    """

    puzzle: str = ""
    crossing: bool = True
    seed: int = 0
    nodes: int
    nodes_error: int | None
    solutions: Sampled
    dives: int
    deepest: int
    nodes_per_second: float | None = None
    seconds: float | None = None


class Packing(Drawable, frozen=True, kw_only=True):
    """The best packing and its bound.

    Attributes
    ----------
    puzzle, backend, objective
        Names of the puzzle, the solver, and the number that is maximized: ``"units"`` or
        ``"pieces"``.
    value
        Number of units that the best packing covers, not counting optional ones, or number of
        pieces that it uses; None if there is no packing.
    bound
        An upper bound on the value of every packing.
    total
        The value of a packing that leaves nothing out.
    optimal
        Whether it is proven that no packing is better.
    solution
        Whether the packing solves the puzzle.
    stopped
        Why the search ended early, such as ``"time limit"``; None if it did not.
    crossing
        Whether pieces must not cross at vertices, on lattices where they could.
    placements
        The best packing found; None if there is none at all, for example if fixed placements cross.
    stats
        Counters of the solver, and seconds.
    """

    puzzle: str
    backend: str
    objective: str
    value: int | None
    bound: int
    total: int
    optimal: bool
    solution: bool
    stopped: str | None = None
    crossing: bool = True
    placements: Placements | None = None
    stats: Stats = Stats()


class RunStatus(Answer, frozen=True, kw_only=True):
    """The progress of a run.

    Attributes
    ----------
    run
        Number of the run in the store.
    puzzle, backend, status
        Names of the puzzle and of the backend, and the status of the run.
    raw, rotation, symmetry
        Number of solutions: all, up to rotation, up to symmetry; None if not determined.
    stopped
        Why the stored answer is not complete; None if it is complete, or if no answer is stored.
    verb
        ``"count"``, ``"solve"`` or ``"prove"``.
    assemblable
        Whether only solutions that come apart are counted.
    rotations
        Whether pieces may also be rotated to take solutions apart.
    version
        The version of exactile that began the run.
    begun
        When the run began, in UTC.
    found
        Number of solutions so far, including the images of found solutions under symmetries. If
        `assemblable`, these are the solutions that were tried, also those that do not come apart.
    done
        Fraction of the search, or of the share, that is done, as if all branches of a node had
        the same size.
    share
        Whether the run has only a share of the parts of another store's run.
    parts, lost
        Number of parts that remain to be searched, and of parts during which a process died.
    nodes, seconds
        Nodes visited; processor time in seconds.
    working
        Whether a process works on the run now.
    on, workers, alive
        The executor that searches now, or did last; its number of workers; and the number of them
        that were alive when the store was last written.
    nodes_per_second
        Nodes visited per second by the process that works now, or did last; None if unknown.
    seconds_left, seconds_left_error
        Estimated seconds until the end, and an error bound that holds in at least four cases of
        five. None if unknown.
    """

    run: int
    puzzle: str
    verb: str
    backend: str
    version: str
    begun: str
    status: Status
    raw: int | None = None
    rotation: int | None = None
    symmetry: int | None = None
    stopped: str | None = None
    found: int = 0
    done: float = 0.0
    share: bool = False
    assemblable: bool = False
    rotations: bool = False
    parts: int = 0
    lost: int = 0
    nodes: int = 0
    seconds: float = 0.0
    working: bool = False
    on: str | None = None
    workers: int | None = None
    alive: int | None = None
    nodes_per_second: float | None = None
    seconds_left: float | None = None
    seconds_left_error: float | None = None


class StoreStatus(Answer, frozen=True, kw_only=True):
    """The runs of a store."""

    file: str
    runs: tuple[RunStatus, ...]


class JoinedStore(Answer, frozen=True, kw_only=True):
    """The result of joining stores.

    Attributes
    ----------
    file
        Name of the store into which the others were merged.
    taken
        Number of searched parts that were copied from the other stores.
    known
        Number of parts that were not copied, because the store had already searched them.
    runs
        The runs of the store.
    """

    file: str
    taken: int
    known: int
    runs: tuple[RunStatus, ...]
