"""Settings: budgets and tuning constants that users can change, each with its range.

``exactile help options`` lists them. They are set on the command line (``--set NAME=VALUE``), in
the environment (``EXACTILE_SET="NAME=VALUE,NAME=VALUE"``) and in Python (``TUNING.name = value``).
They affect how long answers take, and which problems are refused as too large. They never change an
answer.

On the command line and in the environment, rarely used options of commands are settings as well:
see `ARGUMENTS`. In Python, they are arguments of functions.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from math import isnan, nan
from typing import NamedTuple, TypeVar

from exactile.errors import SettingError, suggestion

N = TypeVar("N", int, float)

GIB = 2**30

VARIABLE = "EXACTILE_SET"
"""The environment variable with settings, such as ``first_look=2,seed=7``."""

ARGUMENTS = {
    "allow_crossing": "Pieces may cross at vertices",
    "backend": "Solver, see `exactile backends`",
    "bevel": "Millimeters cut off outer edges",
    "color": "Meaning of the colors of tiles",
    "columns": "Number of pictures in a row",
    "copies": "Maximum copies in a tiling's period",
    "coronas": "Maximum rings (coronas) around a tile",
    "effort": "Maximum nodes to decide a tiling",
    "encoding": "How sat encodes 'at most one'",
    "exit_code": "Exit codes: plain, or SAT competition's",
    "exploded": "In space, draw the pieces apart",
    "hint": "Solution file to start from",
    "lattice": "Lattice, if pieces exist on several",
    "memory": "Memory for search or count",
    "most": "Maximum silhouettes of each kind",
    "on": "Where to search: threads, processes, dask",
    "ordered": "Order independent of number of workers",
    "pagoda": "Look for pagoda functions first",
    "pairs": "Count pairs of solutions sharing placements",
    "paper": "Size of pages: a4 or letter",
    "parts": "Parts to cut a search into",
    "proof_format": "Proofs of certificates: drup, lrat",
    "proofs": "Directory for proofs about tilings",
    "radius": "Radius of cut corners, millimeters",
    "rotations": "Allow quarter turns in taking apart",
    "scratch": "Directory for temporary lists",
    "seed": "Seed of a solver's random choices",
    "shard": "Share of a census, as I/N",
    "shared": "Minimum placements that compared solutions share",
    "shuffle": "Random order of runs",
    "sort": "Column that sorts a table",
    "symmetric": "Unfilled part of challenges is symmetric",
    "use_reasons": "Try areas and colorings first",
    "use_symmetry": "Use symmetry to search less",
    "verbose": "Report counters on stderr",
    "workers": "Number of threads or processes",
}
"""Settings that are arguments of functions in Python, each with its description."""


class Row(NamedTuple):
    """A numerical setting in the result of `table`; `default` is the value in use."""

    name: str
    default: float
    lowest: float
    highest: float
    what: str


def _row(default: N, lowest: N, highest: N, what: str) -> N:
    """Return a field of `Tuning`, given its default, its range and its description (`what`).

    The description has at most six words.
    """
    return field(default=default, metadata={"range": (lowest, highest), "what": what})


@dataclass(init=False, repr=False, eq=False, match_args=False)  # these take 10 ms to make
class Tuning:
    """All numerical settings, each with a default, a range and a description.

    The constructor and assignments raise SettingError if there is no such setting, or if the value
    is not a number within the range of the setting.

    >>> TUNING.first_look
    5.0
    >>> Tuning(memo_states=0)
    Traceback (most recent call last):
        ...
    exactile.errors.SettingError: memo_states is 0: it must be 1 to 1,000,000,000,000.
    """

    # Models and formulas.
    model_options: int = _row(10_000_000, 1, 2**31, "Maximum placements of a model")
    rule_members: int = _row(50_000_000, 1, 2**31, "Maximum members of color rules")
    formula_literals: int = _row(400_000_000, 1, 2**31, "Maximum literals of a formula")
    backend_images: int = _row(5_000_000, 0, 10**10, "Maximum symmetric images for a backend")
    checked_cells: int = _row(2_000_000, 1, 10**9, "Cells checked at a time")

    # Runs.
    run_saved: float = _row(20.0, 0, 1e9, "Seconds between saves of a frontier")
    run_saving: float = _row(20.0, 1, 1e6, "Pause between saves / their duration")
    store_copied: float = _row(60.0, 0, 1e9, "Seconds between copies of a store")
    run_pieces: int = _row(16, 2, 10**6, "Prefixes that replace a long part")
    run_seconds: float = _row(2.0, 0.01, 1e6, "Seconds spent on one part")
    run_short_seconds: float = _row(0.2, 0.001, 1e6, "Seconds per part if workers idle")
    run_first_seconds: float = _row(2.0, 0.0, 1e9, "Seconds before a run is cut")
    dask_patience: float = _row(10.0, 0.1, 3600.0, "Seconds to wait for Dask's scheduler")
    dask_look: float = _row(2.0, 0.1, 3600.0, "Seconds between counts of Dask workers")

    # Backends and processes.
    process_tries: int = _row(2, 1, 100, "Workers lost before a part fails")
    cpsat_workers: int = _row(8, 1, 1024, "Maximum workers of CP-SAT")
    trial_grace: float = _row(60.0, 0.0, 3600.0, "Extra seconds before solvers are killed")

    # Counting without listing.
    memo_states: int = _row(50_000_000, 1, 10**12, "Maximum states of a memo")
    memory_bytes: int = _row(4 * GIB, 2**20, 2**50, "Bytes for counts, memos, peg searches")
    memory_part: float = _row(0.25, 0.001, 1.0, "Share of memory for colorings")
    auto_memo_states: int = _row(1_000_000, 0, 10**12, "Maximum memo states before listing")
    auto_memo_options: int = _row(50_000, 0, 10**9, "Maximum options of models with memos")
    cover_head_start: int = _row(30, 0, 10**9, "Nodes per option before a memo")
    cover_memo_states: int = _row(2**20, 0, 10**12, "Maximum expected states of a memo")
    cover_first_round: int = _row(2_000_000, 1, 10**12, "Nodes before any memo")
    cover_nodes_a_state: int = _row(8, 1, 10**6, "Nodes searched per memo state")
    cover_last_states: int = _row(8_000_000, 1, 10**12, "Maximum states of the last memo")
    memo_last_states: int = _row(10**9, 1, 10**12, "Maximum memo states in long counts")
    frontier_head_start: int = _row(10_000_000, 0, 10**12, "Nodes before a frontier is considered")
    frontier_worth: int = _row(
        200_000_000,
        0,
        10**15,
        "Nodes left that justify a frontier",
    )
    frontier_entries: float = _row(5e9, 0.0, 1e18, "Maximum entries of a frontier")
    frontier_entries_a_node: float = _row(2.0, 0.0, 1e9, "Entries of a frontier per node")
    frontier_first_nodes: int = _row(300_000, 1, 10**12, "Automaton nodes to compare sweep orders")

    # Reasons for having no solution.
    first_look: float = _row(5.0, 0.0, 3600.0, "Seconds searched before explaining or packing")
    coloring_seconds: float = _row(20.0, 0.0, 10**6, "Seconds that prove seeks colorings")
    coloring_share: float = _row(0.25, 0.0, 1.0, "Share of time limit for colorings")
    ledger_coloring_seconds: float = _row(
        10.0, 0.0, 10**6, "Seconds that the ledger seeks colorings"
    )
    core_conflicts: int = _row(4_000, 1, 10**9, "Maximum conflicts per question of explain")

    # The ledger.
    ledger_first_budget: float = _row(1.0, 0.01, 10**6, "Seconds per puzzle in round one")
    ledger_dives: int = _row(2000, 1, 10**9, "Dives of a ledger estimate")
    ledger_estimate_seconds: float = _row(0.7, 0.01, 3600.0, "Seconds of a ledger estimate")
    ledger_find_from: float = _row(4.0, 0.0, 10**9, "Seconds before seeking one solution")
    ledger_memo_solutions: int = _row(2000, 0, 10**12, "Known solutions that justify a memo")

    # Subsets, classes, peg solitaire.
    subset_listed: int = _row(20_000, 0, 10**12, "Solutions listed before subsets are searched")
    peg_options: int = _row(500_000, 1, 2**31, "Maximum options of peg models")
    peg_patience: int = _row(200_000, 0, 10**12, "Jumps before seeking a pagoda function")

    def __init__(self, **changes: float) -> None:
        for name, value in changes.items():
            setattr(self, name, value)

    def __setattr__(self, name: str, value: float) -> None:
        if name not in self.__dataclass_fields__:
            raise unknown(name)
        lowest, highest = self.__dataclass_fields__[name].metadata["range"]
        number = _number(name, value)
        if not lowest <= number <= highest:
            raise SettingError(
                f"{name} is {shown(number)}: it must be {shown(lowest)} to {shown(highest)}."
            )
        super().__setattr__(name, number)

    @contextmanager
    def changed(self, **changes: float) -> Iterator[None]:
        """Change settings within a ``with`` statement; raise SettingError as an assignment does.

        >>> with TUNING.changed(first_look=0):
        ...     TUNING.first_look
        0.0
        >>> TUNING.first_look
        5.0
        """
        before = {c.name: getattr(self, c.name) for c in fields(self) if c.name in changes}
        try:
            for name, value in changes.items():
                setattr(self, name, value)
            yield
        finally:
            for name, value in before.items():
                setattr(self, name, value)


def _number(name: str, value: object) -> float:
    """Convert a value to the type of a setting, int or float.

    Raise SettingError if it is not a number of this type.
    """
    whole = isinstance(Tuning.__dataclass_fields__[name].default, int)
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        number = nan
    if isnan(number) or (whole and not number.is_integer()):
        kind = "whole number" if whole else "number"
        raise SettingError(f"{name} is {value}: it must be a {kind}.")
    return int(number) if whole else number


def shown(number: float) -> str:
    """Return a number with commas, as in messages.

    >>> shown(3600.0), shown(0.25), shown(2**50)
    ('3,600', '0.25', '1,125,899,906,842,624')
    """
    return f"{int(number):,}" if float(number).is_integer() else f"{number:,.15g}"


def table() -> list[Row]:
    """Return all numerical settings, sorted by name, with the values in use.

    >>> [row.default for row in table() if row.name == "first_look"]
    [5.0]
    """
    rows = []
    for name, about in ((c.name, c.metadata) for c in fields(Tuning)):
        lowest, highest = about["range"]
        rows.append(Row(name, getattr(TUNING, name), lowest, highest, about["what"]))
    return sorted(rows)


def pairs_of(words: Iterable[str]) -> dict[str, str]:
    """Return the settings in texts of the form ``NAME=VALUE``: values, as text, by name.

    Raise SettingError if a text has no name or no value, or there is no such setting.

    >>> pairs_of(["first_look=2", "seed=7"])
    {'first_look': '2', 'seed': '7'}
    """
    pairs = {}
    for word in words:
        name, equals, value = (part.strip() for part in word.partition("="))
        if not equals or not value:
            raise SettingError(f"'{word}' sets nothing: write NAME=VALUE.")
        if name not in ARGUMENTS and name not in Tuning.__dataclass_fields__:
            raise unknown(name)
        pairs[name] = value
    return pairs


def environment_pairs() -> dict[str, str]:
    """Return the settings in the environment variable `VARIABLE`: values, as text, by name.

    The result is empty without the variable. Raise SettingError as `pairs_of` does.
    """
    try:
        return pairs_of(filter(None, os.environ.get(VARIABLE, "").split(",")))
    except SettingError as error:
        raise SettingError(f"{VARIABLE}: {error}") from None


def numbers_of(pairs: Mapping[str, str]) -> dict[str, float]:
    """Return the numerical settings among `pairs`, with their values as numbers.

    Raise SettingError if the value of such a setting is not a number within its range.

    >>> numbers_of({"first_look": "2", "memory_bytes": "1e9", "seed": "7"})
    {'first_look': 2.0, 'memory_bytes': 1000000000}
    """
    numbers: dict[str, float] = {}
    for name, text in pairs.items():
        if name in Tuning.__dataclass_fields__:
            numbers[name] = getattr(Tuning(**{name: text}), name)  # type: ignore[arg-type]
    return numbers


def unknown(name: str) -> SettingError:
    """Return the error for a name that is not the name of a setting."""
    near = suggestion(name, [*Tuning.__dataclass_fields__, *ARGUMENTS])
    return SettingError(
        f"There is no setting '{name}'.{near} See `exactile help options` for all of them."
    )


TUNING = Tuning(**numbers_of(environment_pairs()))
"""The numerical settings in use."""


def environment() -> dict[str, str]:
    """Return our environment variables, changed to give another process our numerical settings.

    `VARIABLE` has only the numerical settings that differ from their defaults.
    """
    changed = [
        f"{c.name}={getattr(TUNING, c.name)!r}"
        for c in fields(Tuning)
        if getattr(TUNING, c.name) != c.default
    ]
    return {**os.environ, VARIABLE: ",".join(changed)}
