"""Rules about numbers in files and in Python: their meaning, refusals, a year of calendars."""

from __future__ import annotations

import calendar
import pickle
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import exactile
from exactile.errors import CheckFailedError, FileError, PieceError, PuzzleError
from exactile.files.puzzles.writer import puzzle_text
from exactile.geometry.lattice import Point
from exactile.puzzle import OpenRule, Placement, Puzzle, Region, UseRule
from exactile.puzzle.check import faults
from exactile.puzzle.symmetry import symmetries
from exactile.search import Search
from exactile.search.case import Case
from support.command_line import Cli

YEAR = """format = 1
[puzzle.year]
lattice = "square"
pieces = [
  { set = "pentominoes", only = ["L", "N", "P", "U", "V", "Y", "Z"] },
  { cells = { Box = "0..1,0..2" } },
]
region.units = "0..5,5..6 0..6,1..4 0..2,0"
open = [
  { units = "0..5,5..6", exactly = 1 },
  { units = "0..6,1..4 0..2,0", exactly = 1 },
  { units = "1,6 1..2,0", at_most = 1 },
  { units = "3,6 5,6 2,5 4,5 2,0", at_most = 1 },
]
"""

SMALL: dict[str, Any] = {"lattice": "square", "box": (3, 3)}


def cells(month: int, day: int) -> tuple[Point, Point]:
    """Return where a month and a day stand."""
    return ((month - 1) % 6, 6 - (month - 1) // 6), ((day - 1) % 7, 4 - (day - 1) // 7)


DATES = [
    (month, day)
    for month in range(1, 13)
    for day in range(1, calendar.monthrange(2024, month)[1] + 1)
]


@pytest.fixture(scope="module")
def by_date() -> tuple[Puzzle, Counter[frozenset[Point]]]:
    """Return the year, and the number of its solutions by the units that stay open."""
    assert YEAR.count("\n") <= 15
    puzzle = exactile.load(YEAR)
    every = {tuple(unit) for unit in puzzle.region.units.tolist()}
    with Search(puzzle) as search:
        left = Counter(frozenset(every.difference(*(p.units for p in s))) for s in search)
    return puzzle, left


def own_count(puzzle: Puzzle, month: int, day: int) -> int | None:
    """Return the number of solutions of a date as a puzzle without rules."""
    region, out = puzzle.region, cells(month, day)
    kept = np.array([tuple(unit) not in out for unit in region.units.tolist()])
    of_day = Region(region.lattice, region.places[kept])
    return exactile.count(replace(puzzle, region=of_day, open_rules=())).raw


def test_a_year_is_one_puzzle(by_date: tuple[Puzzle, Counter[frozenset[Point]]]) -> None:
    puzzle, left = by_date
    assert exactile.count(puzzle).raw == left.total() == 24_405
    assert left.keys() == {frozenset(cells(*date)) for date in DATES}
    assert (len(left), min(left.values()), max(left.values())) == (366, 7, 216)
    for date in DATES[::61]:
        assert own_count(puzzle, *date) == left[frozenset(cells(*date))], date


@pytest.mark.slow
def test_every_date_alone_has_as_many(by_date: tuple[Puzzle, Counter[frozenset[Point]]]) -> None:
    puzzle, left = by_date
    for date in DATES:
        assert own_count(puzzle, *date) == left[frozenset(cells(*date))], date


def test_solve_and_show_name_what_is_open(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "year.toml"
    path.write_text(YEAR, "utf-8")
    code, out, _ = cli("solve", str(path), "-n", "1")
    assert code == 0
    words = out.splitlines()[-1].split()
    assert words[0] == "open:"
    found = {tuple(map(int, word.split(","))) for word in words[1:]}
    assert found in [set(cells(*date)) for date in DATES]
    _, out, _ = cli("show", str(path))
    assert "exactly 1 of 0..5,5 0..5,6" in out


def test_the_checker_says_what_is_wrong() -> None:
    plain = exactile.make_puzzle("polyominoes-123", **SMALL)
    solution = exactile.solve_one(plain)
    assert solution is not None
    loose = exactile.make_puzzle(
        {"set": "polyominoes-123"}, **SMALL, open=[{"units": "0..1,0", "exactly": 2}]
    )
    with pytest.raises(CheckFailedError, match=r"0 of the units \[0, 0\] \[1, 0\] are open, not e"):
        exactile.check(loose, solution)
    grouped = exactile.make_puzzle(
        {"set": "polyominoes-123", "ranges": "0..1"},
        **SMALL,
        use=[{"pieces": ["I2", "I3"], "at_most": 1}],
    )
    with pytest.raises(CheckFailedError, match="2 of the pieces I2 I3 are used, not at most 1"):
        exactile.check(grouped, solution)


@pytest.mark.parametrize(
    ("keys", "error", "words"),
    [
        ({"open": [{"units": "0..2,0", "exactly": 4}]}, PuzzleError, "at most 3 of these may"),
        ({"open": [{"units": "0..2,5", "exactly": 1}]}, PuzzleError, r"\[0, 5\].* outside"),
        ({"open": [{"units": "0..2,0"}]}, FileError, "write how many"),
        ({"open": [{"units": "0,0", "exactly": 1, "at_most": 1}]}, FileError, "write how many"),
        ({"open": [{"units": "", "exactly": 0}]}, PuzzleError, "names no units"),
        ({"use": [{"pieces": ["I2", "I3"], "exactly": 3}]}, PieceError, "at most 2 of these"),
        (
            {"use": [{"pieces": ["I2", "I3"], "at_most": 1}]},
            PieceError,
            "at least 2 of these must be",
        ),
        ({"use": [{"pieces": ["Q"], "at_most": 1}]}, PieceError, "no such piece"),
        ({"use": [{"pieces": ["I2", "I2"], "exactly": 1}]}, PieceError, "twice"),
        ({"use": [{"pieces": [], "exactly": 0}]}, PieceError, "names no piece"),
        (
            {"use": [{"pieces": ["I2"], "places": ["0..1,0", "0..1,1"], "exactly": 2}]},
            PieceError,
            "in places, but at most 1 of these can be",
        ),
        (
            {"use": [{"pieces": ["I2"], "places": ["0..2,0"], "exactly": 1}]},
            PuzzleError,
            "not a place of I2: 0,0 1,0 2,0",
        ),
        (
            {"use": [{"pieces": ["I2"], "places": ["0..1,5"], "exactly": 1}]},
            PuzzleError,
            "not a place of I2",
        ),
        (
            {"use": [{"pieces": ["I2"], "places": ["0..1,0", "1,0 0,0"], "exactly": 1}]},
            PieceError,
            "names a place twice",
        ),
        ({"use": [{"pieces": ["I2"], "places": [""], "exactly": 1}]}, PuzzleError, "without units"),
        (
            {"use": [{"pieces": ["I2"], "at_least": 2, "at_most": 1}]},
            PuzzleError,
            "the smaller one first",
        ),
    ],
)
def test_rules_that_cannot_be_kept_are_refused(
    keys: dict[str, Any], error: type[PuzzleError], words: str
) -> None:
    with pytest.raises(error, match=words) as raised:
        exactile.make_puzzle("polyominoes-123", **SMALL, **keys)
    assert "\n" not in str(raised.value)


def test_rules_belong_to_the_identity_and_restrict_symmetries() -> None:
    plain = exactile.make_puzzle({"set": "polyominoes-123"}, **SMALL, optional="0..2,0..2")
    corner, other = ((0, 0),), ((2, 2),)
    one = replace(plain, open_rules=(OpenRule(corner, 1, 1),))
    both = replace(plain, open_rules=(OpenRule(corner, 1, 1), OpenRule(other, 1, 1)))
    used = replace(plain, use_rules=(UseRule(("I2",), 1, 1),))
    assert len({p.digest for p in (plain, one, both, used)}) == 4
    assert one == replace(plain, open_rules=(OpenRule(corner, 1),))
    assert [len(symmetries(p)) for p in (plain, one, both, used)] == [8, 2, 4, 8]
    for puzzle in (one, both, used):
        assert pickle.loads(pickle.dumps(puzzle)) == puzzle


def test_a_piece_is_here_or_there(cli: Cli) -> None:
    here, there = "2,1 1..3,2 2,3", "1,2 0..2,3 1,4"
    puzzle = exactile.load("pentominoes-6x10")

    def number(*texts: str) -> int:
        code, out, _ = cli(
            "count", "pentominoes-6x10", "-q", *(w for t in texts for w in ("--fix", t))
        )
        assert code == 0
        return int(out.split("all")[1].split()[0].replace(",", ""))

    assert number(f"X@{here}") + number(f"X@{there}") == number(f"X@{here} or {there}") == 704
    either = exactile.make_puzzle(
        "pentominoes", box=(10, 6), use=[{"pieces": ["X"], "places": [here, there], "exactly": 1}]
    )
    assert len(symmetries(either)) == 1 < len(symmetries(puzzle))
    neither = exactile.make_puzzle(
        "pentominoes", box=(10, 6), use=[{"pieces": ["X"], "places": [here, there], "at_most": 0}]
    )
    assert exactile.count(neither).raw == 9_356 - 704
    solution = exactile.solve_one(neither)
    assert solution is not None
    with pytest.raises(CheckFailedError, match="0 of the pieces X lie in their places, not exactl"):
        exactile.check(either, solution)
    _, out, _ = cli("show", "pentominoes-6x10", "--fix", f"X@{here} or {there}")
    assert "at least 1 of X on 1,2 0..2,3 1,4 or 2,1 1..3,2 2,3" in out


def test_fewer_pieces_keep_their_places() -> None:
    from exactile.serve.tasks.puzzles import without

    puzzle = exactile.make_puzzle(
        {"set": "polyominoes-123", "ranges": "0..2"},
        **SMALL,
        use=[{"pieces": ["I2", "I3"], "places": ["0..1,0", "0..2,0"], "exactly": 1}],
    )
    assert without(puzzle, ["I2"]).use_rules[0].places == (((0, 0), (1, 0), (2, 0)),)
    assert exactile.count_by_subset(puzzle).raw == exactile.count(puzzle).raw
    with pytest.raises(PuzzleError, match="no piece is left that does"):
        without(puzzle, ["I2", "I3"])


def test_no_piece_that_a_rule_requires_is_left_out() -> None:
    from exactile.serve.tasks.puzzles import without

    puzzle = exactile.load("tetrominoes-5x4")
    ruled = replace(puzzle, use_rules=(UseRule(("L4", "T4"), 1),), known=())
    assert without(ruled, ["L4"]).use_rules == (UseRule(("T4",), 1),)
    with pytest.raises(PuzzleError, match="at least 1 of L4 T4 are used, but none of them is left"):
        without(ruled, ["L4", "T4"])
    allowed = replace(puzzle, use_rules=(UseRule(("L4", "T4"), 0, 2),), known=())
    assert without(allowed, ["L4", "T4"]).use_rules == ()


def test_groups_tell_congruent_pieces_apart() -> None:
    twins = exactile.make_puzzle(
        {"cells": {"A": "0,0 1,0", "B": "0,0 1,0"}, "ranges": "0..2"},
        lattice="square",
        box=(2, 2),
        use=[{"pieces": ["A"], "exactly": 1}],
    )
    assert [p.name for p in twins.pieces] == ["A", "B"]
    assert exactile.count(twins).raw == 4
    merged = replace(twins, use_rules=(UseRule(("A", "B"), 2),))
    assert [(p.name, p.upper) for p in merged.pieces] == [("A", 4)]
    assert exactile.count(merged).raw == 2


def test_units_that_must_be_covered_are_in_no_rule_about_open_units() -> None:
    """In a file they would become optional, and the file would state another puzzle."""
    region = Region("square", [(0, 0), (1, 0), (2, 0)], [True, False, False])
    plain = exactile.make_puzzle("0..3xO1", lattice="square", box=(3, 1))
    rules = OpenRule(((0, 0), (1, 0)), 0, 1), OpenRule(((2, 0),))
    puzzle = replace(plain, region=region, open_rules=rules)
    assert [rule.units for rule in puzzle.open_rules] == [((0, 0),)]
    assert exactile.count(puzzle).raw == 2
    assert exactile.load("format = 1\n\n" + puzzle_text(puzzle)) == puzzle


TWINS = exactile.make_puzzle(
    {"cells": {"A": "0,0 1,0", "B": "0,0 1,0"}, "ranges": "0..2"},
    lattice="square",
    box=(2, 2),
    use=[{"pieces": ["A"], "at_most": 1}],
)


@pytest.mark.parametrize("method", ["list", "each", "frontier"])
def test_subsets_tell_congruent_pieces_apart(method: str) -> None:
    """Without the rule, each subset would be two of the same piece."""
    found = exactile.count_by_subset(TWINS, method=method)
    assert [(t.pieces, t.raw) for t in found.by_pieces] == [({"A": 1, "B": 1}, 4), ({"B": 2}, 2)]
    assert found.raw == exactile.count(TWINS).raw == 6


def test_boards_tell_congruent_pieces_apart() -> None:
    found = exactile.survey_boards([TWINS], sets=True).found
    assert [each.pieces for each in found] == [{"B": 2}, {"A": 1, "B": 1}]


def test_colorings_and_parts_of_solutions_tell_congruent_pieces_apart() -> None:
    twins = {"cells": {"A": "0..3,0", "B": "0..3,0"}}
    others = {"set": "tetrominoes", "only": ["L4", "T4", "O4"]}
    rule = {"pieces": ["A"], "places": ["0..3,0"], "at_most": 0}
    puzzle = exactile.make_puzzle([twins, others], lattice="square", box=(5, 4), use=[rule])
    coloring = exactile.find_coloring(puzzle).certificate
    assert coloring is not None
    assert coloring.pieces == {"T4": 1}
    part = Placement("B", tuple((x, 0) for x in range(4)))
    assert faults(Case(puzzle).part_puzzle, (part,)) == []


def test_what_cannot_keep_the_rules_says_so(tmp_path: Path) -> None:
    puzzle = exactile.make_puzzle(
        {"set": "polyominoes-123", "ranges": "0..1"},
        **SMALL,
        use=[{"pieces": ["I2"], "exactly": 1}],
    )
    with pytest.raises(FileError, match="no rules about numbers"):
        exactile.write_puzzle_as(puzzle, tmp_path / "a.xmpuzzle", "xmpuzzle")
    for verb in (exactile.pack, exactile.explain):
        with pytest.raises(PuzzleError, match="only without it"):
            verb(puzzle)
    methods = ("list", "each", "frontier")
    told = [exactile.count_by_subset(puzzle, method=method) for method in methods]
    numbers = [(t.raw, sorted(n.found for n in t.by_pieces)) for t in told]
    assert numbers[0] == numbers[1] == numbers[2]
    assert numbers[0][0] == exactile.count(puzzle).raw


def test_ranges_without_a_limit_are_as_long_as_there_is_room() -> None:
    def board(ranges: str) -> Puzzle:
        return exactile.make_puzzle(
            {"set": "polyominoes-123", "only": ["I2", "I3"], "ranges": ranges}, **SMALL
        )

    assert [(p.lower, p.upper) for p in board("1..").pieces] == [(1, 4), (1, 3)]
    assert exactile.make_puzzle("1..xI2,1..xI3", box=(3, 3)) == board("1..")
    written = puzzle_text(board("0.."))
    assert exactile.load(f"format = 1\n{written}") == board("0..")
    assert exactile.count(board("0..")).raw == exactile.count(board("0..9")).raw == 2 + 4 * 3
    with pytest.raises(FileError, match="is not a range"):
        board("..2")
