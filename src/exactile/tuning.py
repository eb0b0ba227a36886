"""Settings: budgets and tuning constants that a user may change, each with its range.

``exactile help options`` lists them. They are set on the command line (``--set NAME=VALUE``), in
the environment (``EXACTILE_SET="NAME=VALUE,NAME=VALUE"``) and in Python (``TUNING.name = value``).
No answer depends on them, only the time it takes, and what is refused as too large.

The command line sets rare options in the same two ways; in Python these are arguments of
functions, `ARGUMENTS`.
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
"""The environment variable with settings."""

ARGUMENTS = {
    "allow_crossing": "Pieces may cross at vertices",
    "backend": "Solver, see `exactile backends`",
    "columns": "Pictures side by side",
    "copies": "Most copies in periods tried",
    "coronas": "Most coronas in patches tried",
    "effort": "Most nodes of a tiling's decision",
    "encoding": "How sat writes 'at most one'",
    "exit_code": "Exit codes: plain, or SAT competition's",
    "exploded": "Draw solid pieces apart",
    "hint": "Solution file to begin near",
    "lattice": "Lattice of pieces on several lattices",
    "memory": "Memory for search or count",
    "most": "Silhouettes printed of each kind",
    "on": "Where to search: threads, processes, dask",
    "ordered": "Same order whatever the workers",
    "pagoda": "Look for pagoda functions first",
    "pairs": "Count pairs of similar solutions",
    "parts": "Cut a stored search, search nothing",
    "scratch": "Directory for temporary lists",
    "seed": "Seed of a solver's random choices",
    "shared": "Placements that compared solutions share",
    "use_reasons": "Try areas and colorings first",
    "use_symmetry": "Use symmetry to search less",
    "verbose": "Report counters on stderr",
    "workers": "Threads or processes",
}
"""Settings that are options of commands, and arguments of functions in Python: name, words."""


class Row(NamedTuple):
    """A line of the table."""

    name: str
    default: float
    lowest: float
    highest: float
    what: str


def _row(default: N, lowest: N, highest: N, what: str) -> N:
    """Return a field of `Tuning`."""
    return field(default=default, metadata={"range": (lowest, highest), "what": what})


@dataclass(init=False, repr=False, eq=False, match_args=False)  # they take 10 ms to make
class Tuning:
    """All budgets and tuning constants; seconds, unless something else is said.

    Raises
    ------
    SettingError
        If there is no such setting, or a number is not within its range.

    Examples
    --------
    >>> TUNING.first_look
    5.0
    >>> Tuning(memo_states=0)
    Traceback (most recent call last):
        ...
    exactile.errors.SettingError: memo_states is 0: it must be 1 to 1,000,000,000,000.
    """

    # Models and formulas.
    model_options: int = _row(
        10_000_000, 1, 2**31, "Placements beyond which a model is refused; 200 bytes each."
    )
    rule_members: int = _row(
        50_000_000, 1, 2**31, "Members of color rules beyond which a model is refused."
    )
    tries_at_once: int = _row(
        2**16, 1, 2**31, "Aspects times places that are tried at a time, or one aspect everywhere."
    )
    probed_units: int = _row(
        16, 1, 10**6, "Units of a piece tested in all places before the others."
    )
    pair_clauses: int = _row(
        2_000_000, 0, 10**9, "Pairs of rivals up to which a formula has a clause for each."
    )
    formula_literals: int = _row(
        400_000_000, 1, 2**31, "Literals beyond which a formula is refused."
    )
    counter_cells: int = _row(
        4_000_000, 1, 10**9, "Literals times thresholds beyond which a counter is refused."
    )
    shade_sums: int = _row(
        100_000, 0, 10**9, "Sums of parities beyond which no balance is looked for."
    )
    option_images: int = _row(
        2_000_000, 0, 10**10, "Images of options up to which all are written down once."
    )
    backend_images: int = _row(
        5_000_000, 0, 10**10, "Images of options up to which a backend is given them."
    )
    checked_cells: int = _row(
        2_000_000, 1, 10**9, "Assignments times items that are checked at a time."
    )
    solutions_at_once: int = _row(
        50_000, 1, 10**8, "Solutions that are checked at a time, images included."
    )
    samples_at_once: int = _row(1000, 1, 10**8, "Sampled solutions that are made at a time.")

    # Runs.
    run_saved: float = _row(20.0, 0, 1e9, "Least seconds between two saves of a frontier.")
    run_saving: float = _row(20.0, 1, 1e6, "Least time between saves, in durations of a save.")
    store_copied: float = _row(60.0, 0, 1e9, "Largest age of a plain copy of a store.")
    run_farewell: float = _row(5.0, 0, 1e6, "Seconds to wait for workers when a run stops.")
    run_patience: float = _row(8.0, 1, 1e6, "Factor of time for backends that cannot be split.")
    run_pieces: int = _row(
        16, 2, 10**6, "Prefixes into which a part is cut that still took longer."
    )
    run_seconds: float = _row(2.0, 0.01, 1e6, "Seconds for a part of a run.")
    run_short_seconds: float = _row(0.2, 0.001, 1e6, "Seconds for a part while too few parts wait.")
    run_plenty: float = _row(4.0, 1.0, 1e6, "Largest number of parts waiting for each worker.")
    run_results: float = _row(50.0, 0.001, 1e6, "Largest number of parts that end in a second.")
    run_first_seconds: float = _row(
        2.0, 0.0, 1e9, "Processor time before waiting parts are cut into families."
    )
    run_families: int = _row(500, 1, 10**7, "Largest number of families of parts.")
    run_known_families: int = _row(3, 2, 10**7, "Families begun before the time left is shown.")
    run_error: float = _row(
        2.0, 0.1, 100.0, "Standard errors shown with it; six times as many at first."
    )
    dask_patience: float = _row(10.0, 0.1, 3600.0, "Seconds to wait for a Dask scheduler.")
    dask_look: float = _row(2.0, 0.1, 3600.0, "Time after which the Dask workers are counted anew.")
    run_solutions: int = _row(
        500_000, 1, 2**31, "Solutions after which a part gives the rest back."
    )

    # The native search.
    bits_cells_at_once: int = _row(
        1024, 1, 10**6, "Cells that the bit kernel reads in the time of one sparse item."
    )
    sparse_members_at_once: float = _row(
        3.0, 0.01, 1000.0, "Members that the sparse kernel removes in that time."
    )
    bits_cells: int = _row(2**31, 1, 2**40, "Cells beyond which the kernel on bits is not tried.")
    replays_worth: float = _row(
        4.0, 1.0, 1000.0, "Least slice, as a multiple of the slowest replay."
    )
    proof_slice: float = _row(
        0.05, 0.001, 10.0, "Seconds between two checks for Ctrl-C in a refutation."
    )

    # Backends and processes.
    process_tries: int = _row(2, 1, 100, "Processes that may die of a part before it is given up.")
    hopeless_cubes: int = _row(
        3, 1, 1000, "Cubes given up, while none is closed, before all are given up."
    )
    cubes_a_worker: int = _row(32, 1, 10**6, "Cubes of a SAT search for all solutions, a process.")
    sat_conflicts: int = _row(1000, 1, 10**9, "Conflicts of a SAT solver's first slice.")
    cpsat_workers: int = _row(8, 1, 1024, "Workers beyond which CP-SAT is given no more.")
    dive_nodes: int = _row(30, 1, 10**9, "Nodes that a dive makes, whatever the time.")
    race_head_start: float = _row(
        0.5, 0.0, 3600.0, "How long the exhaustive search of `auto` runs before others start."
    )
    race_alone_nodes: int = _row(
        100_000, 0, 10**12, "Nodes of that search after which `first` starts in any case."
    )
    race_short_nodes: float = _row(
        2e7, 0.0, 1e15, "Nodes within which that search seems to end and keeps a processor."
    )
    race_copies: float = _row(4.0, 1.0, 10**6, "Uses of a piece beyond which pieces are copies.")
    race_different: float = _row(
        40.0, 1.0, 10**6, "Factor by which other solvers start later where they are not."
    )
    race_next: float = _row(4.0, 1.0, 10**6, "Factor by which each further one starts later.")
    race_rest: float = _row(1.5, 0.0, 3600.0, "How long it rests for a solver of copies.")
    race_widens: float = _row(60.0, 0.0, 10**6, "When the exhaustive search gets more threads.")
    race_widens_from: float = _row(1e-3, 0.0, 1.0, "The part of it that is to be done by then.")
    trial_grace: float = _row(
        60.0, 0.0, 3600.0, "Time after its limit at which a compared solver is killed."
    )

    # One solution by the backend `first`.
    portfolio_head_start: float = _row(
        5e7, 0.0, 1e15, "Work of the exhaustive search before it counts as its share."
    )
    portfolio_slice: int = _row(20_000, 1, 10**12, "Nodes of one attempt of the exhaustive search.")
    portfolio_options: int = _row(
        100_000, 0, 2**31, "Options beyond which restarts are not tried and little is exhaustive."
    )
    restart_near: int = _row(
        8, 1, 2**30, "Branches up to which items are equally good for some restarts."
    )
    restart_nodes: int = _row(50_000, 1, 10**12, "Nodes of the first restart.")
    restart_growth: float = _row(1.1, 1.0, 1000.0, "How much longer each further restart is.")
    restart_work: float = _row(5e8, 1.0, 1e15, "Work that halves the share of a kind of restarts.")
    beam_work: float = _row(5e9, 1.0, 1e15, "Work that halves the share of beams.")
    beam_width: int = _row(40, 1, 10**6, "States of the first beam.")
    beam_growth: float = _row(1.25, 1.0, 1000.0, "How much wider each further beam is.")
    beam_widest: int = _row(1000, 1, 10**6, "States beyond which no beam grows.")
    beam_options: float = _row(
        1.2e7, 1.0, 1e15, "Options times states of the first beam, unless it has 6 states or fewer."
    )
    beam_endgame_nodes: int = _row(
        20_000, 1, 10**12, "Nodes for which what a state of a beam leaves is searched."
    )
    beam_left: int = _row(
        20, 1, 10**6, "Pieces left at which the first beam stops, unless half of them are fewer."
    )
    repair_left: int = _row(
        8, 0, 10**6, "Pieces left at which a beam for a tiling to be repaired stops."
    )
    repair_patience: int = _row(6_000, 1, 10**6, "Moves in vain after which a walk ends.")
    repair_growth: int = _row(3, 1, 1000, "Factor of patience from every second walk to the next.")
    repair_alike: float = _row(
        4.0, 1.0, 10**6, "Copies of a piece, on the average, up to which tilings are repaired."
    )
    symmetric_alike: float = _row(
        2.0, 1.0, 10**6, "Copies of a piece, on the average, from which on solutions are symmetric."
    )
    sweep_sample: int = _row(300, 1, 10**9, "Options sampled for the distance of neighbors.")
    sweep_neighbors: int = _row(6, 1, 10**6, "Neighbors of an item where there is no geometry.")
    sweep_options: int = _row(200, 1, 10**9, "Options of an item that are examined for neighbors.")
    sweep_landmarks: int = _row(
        3, 1, 1000, "Items whose distances are a place where there is no geometry."
    )

    # Counting without listing.
    memo_states: int = _row(50_000_000, 1, 10**12, "States at which a counter stops.")
    memory_bytes: int = _row(
        4 * GIB, 2**20, 2**50, "Memory at which counters and peg searches end."
    )
    memory_part: float = _row(
        0.25, 0.001, 1.0, "The part of the machine's memory that a search for colorings may take."
    )
    auto_memo_states: int = _row(
        1_000_000, 0, 10**12, "States that are tried before solutions are listed after all."
    )
    auto_memo_bits: float = _row(
        10.0, 0.0, 64.0, "Bits that the pieces used may need for a memo to be tried."
    )
    auto_memo_options: int = _row(50_000, 0, 10**9, "Options up to which a memo is tried unasked.")
    cover_head_start: int = _row(
        100, 0, 10**9, "Nodes an item that are searched before a model file or sudoku gets a memo."
    )
    cover_memo_density: int = _row(
        8, 1, 10**6, "Options an item up to which a model file gets a memo."
    )
    cover_memo_states: int = _row(
        2**20, 0, 10**12, "States expected up to which a model file gets a memo."
    )
    cover_first_round: int = _row(
        2_000_000, 1, 10**12, "Nodes that are searched before it gets one whatever is expected."
    )
    cover_nodes_a_state: int = _row(
        8, 1, 10**6, "Nodes for each state of such a memo, which so takes the smaller part of time."
    )
    cover_growth: int = _row(8, 2, 10**6, "Factor of nodes and states from turn to turn.")
    cover_last_states: int = _row(
        8_000_000, 1, 10**12, "States of the last memo; from then on there is only the search."
    )
    memo_last_states: int = _row(
        10**9, 1, 10**12, "States of a memo that takes over from a search."
    )
    front_head_start: int = _row(10_000_000, 0, 10**12, "Nodes of a search before these are tried.")
    front_worth: int = _row(
        200_000_000,
        0,
        10**15,
        "Nodes left from which on it is: in vain, it takes as long as a tenth of these.",
    )
    front_entries: float = _row(5e9, 0.0, 1e18, "Entries of its lists beyond which it gives up.")
    front_entries_a_node: float = _row(2.0, 0.0, 1e9, "And for each node left.")
    front_nodes_a_node: float = _row(
        1e-3, 0.0, 1e9, "Nodes of its automaton for each node left, if that is more than at first."
    )
    front_step: int = _row(
        2, 1, 20, "Coordinates of the directions in which a front may go, at most."
    )
    front_order_members: int = _row(
        400_000, 0, 2**40, "Members of options beyond which only few orders are compared."
    )
    front_few_orders: int = _row(12, 1, 10**6, "How many these are.")
    front_nodes: int = _row(
        20_000_000, 1, 10**12, "Nodes beyond which the automaton of a front is given up."
    )
    front_first_nodes: int = _row(
        300_000, 1, 10**12, "Nodes up to which automata are built while orders are compared."
    )
    front_growth: int = _row(3, 2, 1000, "How many times as many they may have each time.")
    front_built: int = _row(8, 1, 1000, "Orders, the most promising, for which one is built.")
    front_alike: float = _row(
        0.005, 0.0, 1.0, "Difference of bounds, in parts, below which two orders confirm little."
    )
    front_small: int = _row(
        300_000, 0, 10**12, "Entries expected up to which no other order is tried."
    )
    walked_items: int = _row(
        1500, 0, 10**6, "Items up to which orders for a memo are made from neighborhoods."
    )
    slanting_head_start: float = _row(
        2.5, 1.0, 1000.0, "Factor by which a slanting order must promise more than a straight one."
    )

    # Reasons for having no solution.
    first_look: float = _row(5.0, 0.0, 3600.0, "Seconds searched before explain and pack")
    coloring_seconds: float = _row(
        20.0, 0.0, 10**6, "How long `prove` looks for a coloring at most."
    )
    coloring_share: float = _row(
        0.25, 0.0, 1.0, "The part of a time limit in which `prove` looks for a coloring."
    )
    ledger_coloring_seconds: float = _row(
        10.0, 0.0, 10**6, "How long the ledger looks for a coloring."
    )
    survey_coloring_seconds: float = _row(
        5.0, 0.0, 10**6, "How long a survey of regions looks for a coloring."
    )
    survey_coloring_nodes: int = _row(
        100, 0, 10**9, "Nodes of a search in vain after which a survey looks for one."
    )
    coloring_classes: int = _row(
        8, 1, 1000, "Classes beyond which repeating weights are no plainer than others."
    )
    coloring_trials: int = _row(
        4000, 1, 10**9, "Combinations of weights among which the plainest is chosen."
    )
    check_share: float = _row(
        0.2, 0.0, 1.0, "The part of a time limit kept for checking an explanation."
    )
    core_conflicts: int = _row(
        4_000, 1, 10**9, "Conflicts after which a question about a core is put off."
    )
    core_growth_conflicts: int = _row(
        300, 1, 10**9, "Conflicts after which a demand is not added to those that can be met."
    )
    core_whole_conflicts: int = _row(
        50_000, 1, 10**9, "Conflicts spent on all demands if the pieces alone cannot be met."
    )

    # The ledger.
    ledger_first_budget: float = _row(1.0, 0.01, 10**6, "Time of a puzzle in the first round.")
    ledger_growth: float = _row(4.0, 1.0, 1000.0, "How much longer each further round is.")
    ledger_slice: float = _row(10.0, 0.1, 10**6, "Searching that a killed process may lose.")
    ledger_race_from: float = _row(200.0, 0.0, 10**9, "Budget from which other backends are asked.")
    ledger_hope: float = _row(
        10.0, 1.0, 10**6, "Budgets that a search may be expected to take to be begun."
    )
    ledger_dives: int = _row(2000, 1, 10**9, "Dives of an estimate.")
    ledger_estimate_seconds: float = _row(0.7, 0.01, 3600.0, "How long an estimate may take.")
    ledger_memo_seconds: float = _row(1800.0, 0.0, 10**6, "How long a memo may take.")
    ledger_find_from: float = _row(4.0, 0.0, 10**9, "Budget from which one solution is looked for.")
    ledger_find_seconds: float = _row(12.0, 0.01, 10**6, "How long.")
    ledger_front_seconds: float = _row(1800.0, 0.0, 10**6, "How long two fronts may take.")
    ledger_front_bytes: int = _row(3 * 2**30, 1, 2**50, "Memory of each; more goes to disk.")
    ledger_memo_pieces: int = _row(24, 0, 10**6, "Pieces up to which a memo is tried.")
    ledger_memo_units: int = _row(100, 0, 10**6, "Units up to which a memo is tried.")
    ledger_memo_solutions: int = _row(
        2000, 0, 10**12, "Known solutions from which on a memo is tried."
    )

    # Subsets, classes, peg solitaire.
    subset_listed: int = _row(
        20_000, 0, 10**12, "Solutions that are listed before each subset is looked for alone."
    )
    class_pairs_at_once: int = _row(
        200_000, 1, 10**10, "Pairs of a solution and an isometry looked at between heartbeats."
    )
    class_keys_at_once: int = _row(4_000_000, 1, 10**10, "Keys of solutions sorted at a time.")
    peg_options: int = _row(500_000, 1, 2**31, "Options beyond which a peg model is refused.")
    peg_first_run: int = _row(100_000, 1, 10**12, "Jumps tried before another order of jumps is.")
    peg_growth: float = _row(1.1, 1.001, 1000.0, "How much longer each further run is.")
    peg_patience: int = _row(
        200_000, 0, 10**12, "Jumps in vain after which a pagoda function is looked for."
    )

    def __init__(self, **changes: float) -> None:
        for name, value in changes.items():
            setattr(self, name, value)

    def __setattr__(self, name: str, value: float) -> None:
        if name not in self.__dataclass_fields__:
            raise unknown(name)
        lowest, highest = self.__dataclass_fields__[name].metadata["range"]
        if not lowest <= value <= highest:
            raise SettingError(f"{name} is {value:,}: it must be {lowest:,} to {highest:,}.")
        super().__setattr__(name, value)

    @contextmanager
    def changed(self, **changes: float) -> Iterator[None]:
        """Change settings for a while.

        Examples
        --------
        >>> with TUNING.changed(first_look=0):
        ...     TUNING.first_look
        0
        >>> TUNING.first_look
        5.0
        """
        before = {name: getattr(self, name) for name in changes}
        try:
            for name, value in changes.items():
                setattr(self, name, value)
            yield
        finally:
            for name, value in before.items():
                setattr(self, name, value)


def table() -> list[Row]:
    """Return the table, sorted by name, with the values that are used.

    Examples
    --------
    >>> [row.default for row in table() if row.name == "first_look"]
    [5.0]
    """
    rows = []
    for name, about in ((c.name, c.metadata) for c in fields(Tuning)):
        lowest, highest = about["range"]
        rows.append(Row(name, getattr(TUNING, name), lowest, highest, about["what"]))
    return sorted(rows)


def pairs_of(words: Iterable[str]) -> dict[str, str]:
    """Return names and values.

    Raises
    ------
    SettingError
        If a name has no value, or there is no such setting.

    Examples
    --------
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
    """Return names and values that stand in the environment; see `pairs_of`."""
    try:
        return pairs_of(filter(None, os.environ.get(VARIABLE, "").split(",")))
    except SettingError as error:
        raise SettingError(f"{VARIABLE}: {error}") from None


def numbers_of(pairs: Mapping[str, str]) -> dict[str, float]:
    """Return the values of those settings that are numbers of the table.

    Raises
    ------
    SettingError
        If one is no number, or out of its range.

    Examples
    --------
    >>> numbers_of({"first_look": "2", "memory_bytes": "1e9", "seed": "7"})
    {'first_look': 2.0, 'memory_bytes': 1000000000}
    """
    numbers: dict[str, float] = {}
    for name, text in pairs.items():
        if about := Tuning.__dataclass_fields__.get(name):
            whole = isinstance(about.default, int)
            try:
                number = float(text)
            except ValueError:
                number = nan
            if isnan(number) or (whole and not number.is_integer()):
                kind = "whole number" if whole else "number"
                raise SettingError(f"{name} is {text}: it must be a {kind}.")
            numbers[name] = int(number) if whole else number
            Tuning(**{name: numbers[name]})  # within its range
    return numbers


def unknown(name: str) -> SettingError:
    """Return the error for a name that is not in the table."""
    near = suggestion(name, [*Tuning.__dataclass_fields__, *ARGUMENTS])
    return SettingError(
        f"There is no setting '{name}'.{near} See `exactile help options` for all of them."
    )


TUNING = Tuning(**numbers_of(environment_pairs()))
"""The numbers that are used."""


def environment() -> dict[str, str]:
    """Return the environment of a process that is to use the same numbers."""
    changed = [
        f"{c.name}={getattr(TUNING, c.name)!r}"
        for c in fields(Tuning)
        if getattr(TUNING, c.name) != c.default
    ]
    return {**os.environ, VARIABLE: ",".join(changed)}
