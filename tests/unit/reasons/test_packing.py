"""Packings with known optima, and packers that lie."""

from __future__ import annotations

from dataclasses import replace
from typing import TypedDict

import numpy as np
import pytest

import exactile
from exactile.answers import Packing, Placed
from exactile.errors import (
    BackendError,
    BackendNotFoundError,
    CheckFailedError,
    PuzzleError,
)
from exactile.geometry import get_lattice
from exactile.model.lower import lower
from exactile.puzzle import Omission, Placement, Puzzle, Region
from exactile.puzzle.coordinates import from_coordinates
from exactile.puzzle.pieces.sets import piece_set
from exactile.reasons import packing as module
from exactile.reasons.adapters import packing as adapter
from exactile.reasons.adapters.packing import PackingProgress
from exactile.reasons.packing import pack
from exactile.search.case import Case
from exactile.search.limits import Limits
from exactile.tuning import TUNING
from support.clock import late
from support.few import few
from support.small import box_puzzle, dominoes, mutilated


class Settings(TypedDict):
    workers: int
    first_look: bool


AT_ONCE: Settings = {"workers": 1, "first_look": False}


@pytest.mark.parametrize("backend", few(["cpsat", "rc2"], 2))
@pytest.mark.parametrize(
    ("puzzle", "objective", "value", "total"),
    [
        (box_puzzle("tetrominoes", 5, 4), "units", 16, 20),
        (box_puzzle("tetrominoes", 5, 4), "pieces", 4, 5),
        (mutilated(6), "units", 32, 34),
        (mutilated(6), "pieces", 16, 17),
        (box_puzzle("pentominoes", 5, 5), "units", 25, 25),
        (box_puzzle("pentominoes", 2, 5), "units", 5, 10),
        (box_puzzle("pentominoes", 2, 5), "pieces", 1, 12),
        (box_puzzle("polyominoes-123", 3, 3), "pieces", 4, 4),
    ],
)
def test_known_optima(puzzle: Puzzle, objective: str, value: int, total: int, backend: str) -> None:
    found = pack(puzzle, objective=objective, backend=backend, **AT_ONCE)
    assert (found.value, found.bound, found.total) == (value, value, total)
    assert found.optimal
    assert found.solution == (value == total and objective == "pieces")
    assert found.stopped is None


def test_a_solution_is_the_best_packing() -> None:
    puzzle = exactile.load("soma-cube")
    found = pack(puzzle)
    assert found.solution
    assert found.placements is not None
    exactile.check(puzzle, from_coordinates(puzzle, found.placements))
    assert (found.value, found.bound, found.total) == (27, 27, 27)


def test_bounds_are_sums_of_orders() -> None:
    """Twelve hexiamonds cover 66 units or 72, and 72 were refuted."""
    seen: list[Packing] = []
    found = pack(
        exactile.load("hexiamonds-hexagon-4"),
        watch=lambda news: seen.append(news) if news else None,
        workers=1,
        limits=Limits(120),
    )
    assert found.bound == 66
    assert all(news.bound % 6 == 0 for news in seen)
    values = [news.value or 0 for news in seen]
    assert values == sorted(values)


def test_optional_units_do_not_count() -> None:
    puzzle = dominoes(3, 1)
    region = puzzle.region
    loose = Region(region.lattice, region.units, region.units[:, 0] == 0)
    domino = replace(puzzle.pieces[0], lower=0, upper=5)
    found = pack(replace(puzzle, region=loose, pieces=(domino,)), workers=1)
    assert (found.value, found.total, found.optimal, found.solution) == (2, 2, True, True)


@pytest.mark.parametrize("backend", few(["cpsat", "rc2"], 2))
def test_a_choice_leaves_out_so_many_at_least(backend: str) -> None:
    puzzle = box_puzzle("polyominoes-123", 3, 3)
    pieces = tuple(p for p in puzzle.pieces if p.name != "V3")
    for count, units in ((1, 5), (2, 3), (3, 0)):
        omission = Omission(tuple(p.name for p in pieces), count)
        less = replace(puzzle, pieces=pieces, omission=omission)
        found = pack(less, backend=backend, **AT_ONCE)
        assert (found.value, found.bound, found.total) == (units, units, 9)
        found = pack(less, objective="pieces", backend=backend, **AT_ONCE)
        assert (found.value, found.bound, found.total) == (3 - count, 3 - count, 3 - count)


def crossing() -> Puzzle:
    grid = get_lattice("square-edges")
    piece = piece_set("disticks", grid).piece("I2", 2, 2)
    units = grid.points([(0, 1, 0), (1, 1, 0), (1, 0, 1), (1, 1, 1)])
    return Puzzle("cross", Region(grid, units), (piece,))


@pytest.mark.parametrize("backend", ["cpsat", "rc2"])
def test_pieces_must_not_cross(backend: str) -> None:
    assert pack(crossing(), backend=backend, workers=1).value == 2
    assert pack(replace(crossing(), crossing=False), backend=backend, workers=1).value == 4


@pytest.mark.parametrize("backend", ["cpsat", "rc2"])
def test_fixed_placements_stay(backend: str) -> None:
    middle = Placement("I2", ((1, 0), (2, 0)))
    found = pack(replace(dominoes(4, 1), fixed=(middle,)), backend=backend, workers=1)
    assert (found.placements, found.value, found.optimal) == ((Placed(*middle),), 2, True)
    across = [Placement("I2", ((1, 2), (3, 2))), Placement("I2", ((2, 1), (2, 3)))]
    found = pack(replace(crossing(), fixed=tuple(across)), backend=backend, workers=1)
    assert (found.placements, found.value, found.optimal) == (None, None, False)
    assert found.stopped is None


def test_a_time_limit_keeps_packing_and_bound() -> None:
    puzzle = exactile.load("hexominoes-14x15")
    found = pack(puzzle, limits=Limits(0.1), workers=1, first_look=False)
    assert found.stopped == "time limit"
    assert (found.value or 0) <= found.bound <= 210


def test_wrong_wishes() -> None:
    with pytest.raises(PuzzleError, match="pack units or pieces"):
        pack(dominoes(2, 2), objective="corners")
    with pytest.raises(PuzzleError, match="must be positive"):
        pack(dominoes(2, 2), limits=Limits(-1))
    with pytest.raises(BackendNotFoundError, match="Take one of cpsat, rc2"):
        pack(mutilated(6), backend="dlx")
    with pytest.raises(BackendNotFoundError):  # though none is needed
        pack(dominoes(2, 2), backend="dlx")


@pytest.mark.parametrize(
    ("progress", "message"),
    [
        (PackingProgress([0, 2], 4), "covered 2 times"),
        (PackingProgress([0], 1), "says that 0 is the most"),
        (PackingProgress([0], 4), "the bound 4"),
    ],
)
def test_a_packer_that_lies_is_caught(
    progress: PackingProgress, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "search_packings", lambda *args, **options: (p for p in [progress]))
    with pytest.raises(CheckFailedError, match=message):
        pack(dominoes(2, 2), first_look=False)


def test_where_a_coloring_shows_that_there_is_no_solution_the_first_look_packs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fall(*given: object, **named: object) -> None:
        raise BackendError("there is no packer today")

    monkeypatch.setattr(module, "search_packings", fall)
    monkeypatch.setattr(TUNING, "first_look", 3600.0)  # it ends much sooner, by its own answer
    found = pack(exactile.load("hexominoes-14x15"), workers=1)
    assert (found.value, found.bound, found.total) == (204, 204, 210)


def test_the_first_look_keeps_a_packing_of_more_pieces_than_its_solution() -> None:
    puzzle = box_puzzle("polyominoes-123", 3, 3)
    pieces = tuple(replace(piece, lower=0, upper=9) for piece in reversed(puzzle.pieces))
    puzzle = replace(puzzle, pieces=pieces)  # large pieces first: the search places these
    judge = module._Judge(Case(puzzle), "pieces", "cpsat")
    single = next(piece.name for piece in puzzle.pieces if piece.order == 1)
    judge.best = tuple(Placement(single, ((x, y),)) for x in range(3) for y in range(3) if x or y)
    judge.value = 8
    judge.look(Limits().rest(1), 0, 1, None)
    assert judge.value == len(judge.best) >= 8


def test_the_first_look_packs_before_anything_is_maximized(monkeypatch: pytest.MonkeyPatch) -> None:
    def fall(*given: object, **named: object) -> None:
        raise BackendError("there is no packer today")

    monkeypatch.setattr(module, "search_packings", fall)
    monkeypatch.setattr(module, "LOOKS", "first:repair")
    late(monkeypatch, lambda search, _: search.packing is not None)
    found = pack(exactile.load("hexiamonds-3x12"), workers=1)
    assert found.value
    assert found.stopped == "there is no packer today"


def test_cpsat_takes_the_processors_of_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def cores() -> int:
        asked.append(1)
        return 1

    monkeypatch.setattr(adapter, "cores", cores)
    model, told = lower(dominoes(2, 2)), list[PackingProgress]()
    for workers, number in ((2, 0), (None, 1)):
        adapter.Maximize(model, np.arange(4, dtype=np.int32), "cpsat", workers=workers).run(
            told.append
        )
        assert (len(asked), bool(told[-1].options)) == (number, True)
