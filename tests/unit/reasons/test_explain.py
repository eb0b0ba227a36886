"""Explanations of puzzles whose answer is known from books."""

from __future__ import annotations

from dataclasses import replace

import pytest

import exactile
from exactile.answers import Explanation
from exactile.errors import CheckFailedError, PuzzleError
from exactile.geometry import get_lattice
from exactile.puzzle import Omission, Placement, Puzzle, Region
from exactile.puzzle.coordinates import from_coordinates, units_from_coordinates
from exactile.puzzle.pieces.sets import piece_set
from exactile.puzzle.relax import relax
from exactile.reasons import explain as module
from exactile.reasons.adapters.explanation import CoreFinding, CoreKind
from exactile.reasons.explain import explain
from exactile.reasons.verdict import prove
from exactile.search import Status
from exactile.search.limits import Limits
from support.clock import late
from support.random_puzzles import random_puzzle
from support.small import box_puzzle, dominoes, mutilated


def copies(set_name: str, piece: str, number: int, width: int, height: int) -> Puzzle:
    """Return the puzzle to fill a rectangle with copies of one piece."""
    grid = get_lattice("square")
    region = Region(grid, grid.points(grid.builders["box"](width, height)))
    return Puzzle("copies", region, (piece_set(set_name, grid).piece(piece, number, number),))


def require_minimal(puzzle: Puzzle, found: Explanation) -> None:
    """Solve what is left of the puzzle: impossible, but without any one of the demands."""
    assert found.status is Status.UNSOLVABLE
    assert found.minimal
    assert not found.rules
    assert found.size == len(found.units) + sum(found.pieces.values()) > 0
    units = units_from_coordinates(puzzle, found.units)
    left = relax(puzzle, units, found.pieces)
    assert prove(left, backend="cpsat", workers=1).status is Status.UNSOLVABLE
    for unit in units:
        others = [u for u in units if u != unit]
        assert exactile.solve_one(relax(puzzle, others, found.pieces)) is not None
    for name, number in found.pieces.items():
        fewer = found.pieces | {name: number - 1}
        assert exactile.solve_one(relax(puzzle, units, fewer)) is not None


def test_five_tetrominoes() -> None:
    puzzle = box_puzzle("tetrominoes", 5, 4)
    found = explain(puzzle, smallest=True)
    require_minimal(puzzle, found)
    assert found.method == "smallest"
    assert (found.units, list(found.pieces)) == ((), ["I4", "L4", "O4", "T4", "Z4"])
    assert found.reason == "no choice of placements balances the region by the parity of x + y"
    assert found.refuted_by == ("reason", "dlx")


@pytest.mark.parametrize("smallest", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_mutilated_board(smallest: bool) -> None:
    """Of the 18 squares of one color, 17 have but 16 neighbors of the other."""
    puzzle = mutilated(6)
    found = explain(puzzle, smallest=smallest)
    require_minimal(puzzle, found)
    assert (len(found.units), found.pieces) == (17, {})
    assert len({(x + y) % 2 for x, y in found.units}) == 1
    assert found.at_least == (17 if smallest else None)
    assert found.refuted_by[0] == "glucose4"
    assert len(found.refuted_by) == 2


def test_t_tetrominoes_at_the_corners() -> None:
    puzzle = copies("tetrominoes", "T4", 9, 6, 6)
    found = explain(puzzle, smallest=True)
    require_minimal(puzzle, found)
    assert (found.size, len(found.units), found.method) == (7, 7, "smallest")


@pytest.mark.slow
def test_y_pentominoes() -> None:
    puzzle = copies("pentominoes", "Y", 18, 10, 9)
    found = explain(puzzle)
    require_minimal(puzzle, found)
    assert len(found.units) < 80


@pytest.mark.parametrize(
    ("name", "units", "pieces"),
    [
        ("polyominoes-1234-cross-x", 0, {"O4": 1}),
        ("polytrigs-23-three-congruent-x4", 0, {"I3": 1}),
        ("soma-w", 0, dict.fromkeys("LTVZabp", 1)),
        ("tetrahexes-trefoil-x4", 0, {f"{x}4": 1 for x in "IJOPSUY"}),
        ("one-sided-tetratwigs-3x2-2", 0, {f"{x}4": 1 for x in "CPWYpy"}),
    ],
)
def test_puzzles_of_the_catalogue(name: str, units: int, pieces: dict[str, int]) -> None:
    puzzle = exactile.load(name)
    found = explain(puzzle)
    require_minimal(puzzle, found)
    assert (len(found.units), found.pieces) == (units, pieces)


def test_too_few_pieces_and_too_many() -> None:
    few = replace(dominoes(3, 2), pieces=dominoes(2, 2).pieces)
    found = explain(few)
    assert (found.method, found.minimal, len(found.units)) == ("area", False, 6)
    assert found.reason == "the pieces have 4 units, the region has 6"
    many = replace(dominoes(2, 2), pieces=dominoes(3, 2).pieces)
    found = explain(many)
    assert (found.method, found.units, found.pieces) == ("area", (), {"I2": 3})
    assert found.refuted_by == ("reason",)


def test_a_unit_that_nothing_covers() -> None:
    puzzle = copies("domino", "I2", 2, 3, 1)
    grid = puzzle.lattice
    apart = Region(grid, grid.points([(0, 0), (1, 0), (5, 0), (9, 9)]))
    found = explain(replace(puzzle, region=apart), smallest=True)
    assert (found.size, found.method) == (1, "smallest")
    assert found.units in (((5, 0),), ((9, 9),))


def test_solvable_puzzles_have_nothing_to_explain() -> None:
    puzzle = dominoes(4, 4)
    found = explain(puzzle)
    assert (found.status, found.method, found.size) == (Status.SOLVABLE, None, None)
    assert found.solution is not None
    exactile.check(puzzle, from_coordinates(puzzle, found.solution))


def test_a_choice_of_pieces_and_fixed_placements_are_rules() -> None:
    """The I can only stand where the fixed domino lies."""
    grid = get_lattice("square")
    pieces = piece_set("polyominoes-123", grid)
    region = Region(grid, grid.points(grid.builders["box"](3, 2)))
    taken = (Placement("I2", ((0, 0), (0, 1))),)
    puzzle = Puzzle(
        "rules", region, (pieces.piece("I2"), pieces.piece("I3"), pieces.piece("O1")), taken
    )
    found = explain(puzzle, smallest=True)
    assert (found.pieces, found.units, found.rules) == ({"I3": 1}, (), ("fixed placement 1",))
    assert found.method == "smallest"
    assert found.sentence == "Given fixed placement 1, this piece cannot be placed: I3."


def test_rules_alone_may_be_impossible() -> None:
    """The I is to be left out, but it is also fixed."""
    whole = box_puzzle("tetrominoes", 4, 3)
    taken = (Placement("I4", tuple((x, 0) for x in range(4))),)
    found = explain(replace(whole, fixed=taken, omission=Omission(("I4", "O4"), 2)))
    rules = "2 omitted pieces, fixed placement 1"
    assert found.sentence == f"These rules cannot all be kept: {rules}."
    assert found.minimal


def test_crossings_are_forbidden_in_explanations_too() -> None:
    grid = get_lattice("square-edges")
    piece = piece_set("disticks", grid).piece("I2", 2, 2)
    units = grid.points([(0, 1, 0), (1, 1, 0), (1, 0, 1), (1, 1, 1)])
    cross = Puzzle("cross", Region(grid, units), (piece,))
    found = explain(cross, smallest=True)
    require_minimal(cross, found)
    assert found.size == 2
    assert explain(replace(cross, crossing=False)).status is Status.SOLVABLE


def test_the_smallest_explanation_is_not_the_first_minimal_one() -> None:
    """Placements show that each of its demands is needed, too."""
    puzzle = random_puzzle(147)
    assert explain(puzzle).size == 6
    found = explain(puzzle, smallest=True)
    require_minimal(puzzle, found)
    assert (found.size, found.at_least, found.method) == (5, 5, "smallest")


def test_a_time_limit_leaves_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    late(monkeypatch, 1, module._Explaining, "_look")
    found = explain(exactile.load("hexominoes-14x15"), limits=Limits(9))
    assert (found.status, found.stopped) == (Status.UNSOLVABLE, "time limit")
    assert found.method in ("whole", "core")
    assert not found.minimal
    with pytest.raises(PuzzleError, match="must be positive"):
        explain(dominoes(2, 2), limits=Limits(0))


def solver_that_says(*findings: CoreFinding) -> object:
    def search(*args: object, **options: object) -> object:
        yield from findings

    return search


def test_a_wrong_core_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = mutilated(6)
    wrong = CoreFinding(CoreKind.CORE, {1: 1, 2: 1}, [], 0)
    monkeypatch.setattr(module, "search_cores", solver_that_says(wrong))
    with pytest.raises(CheckFailedError, match="2 demands cannot be met, but dlx meets them"):
        explain(puzzle)


def test_a_core_that_is_not_minimal_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = mutilated(6)
    every = dict.fromkeys(range(1, 35), 1)
    monkeypatch.setattr(
        module, "search_cores", solver_that_says(CoreFinding(CoreKind.MINIMAL, every, [], 0))
    )
    with pytest.raises(CheckFailedError, match="no placements show it"):
        explain(puzzle)


def test_a_wrong_solution_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        module, "search_cores", solver_that_says(CoreFinding(CoreKind.SOLUTION, {}, [0, 1], 0))
    )
    with pytest.raises(CheckFailedError, match="No solution of"):
        explain(mutilated(6))
