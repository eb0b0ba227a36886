"""The searches for one solution: what they find is right, and the same seed finds the same."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import pytest

import exactile
from exactile.backends import Request, get_backend
from exactile.backends.members import (
    Attempt,
    Beams,
    Exhaustive,
    Member,
    Repairs,
    Restarts,
    Schedule,
    Ways,
    members_of,
)
from exactile.errors import ModelError
from exactile.model.decoder import fault
from exactile.model.model import Ints, Model
from exactile.model.sweeps import KINDS, Sweeps, places
from exactile.search.search import Search
from support.few import few
from support.planted import planted_model
from support.random_models import brute_force, random_model

QUICK, PLANTED = 50, 1000
BLOCK = 25
MEMBERS: dict[str, Callable[[Ways], Member]] = {
    "near": lambda ways: Restarts("near", 1, ways, near=8, until=0),
    "restarts": lambda ways: Restarts("restarts", 1, ways, near=1, until=0),
    "sweep": lambda ways: Restarts("sweep", 1, ways, near=2**30, until=0.5),
    "beam": lambda ways: Beams("beam", 1, ways),
    "repair": lambda ways: Repairs("repair", 1, ways),
    "exhaustive": lambda ways: Exhaustive("exhaustive", 1, ways),
}


BLOCKS = [
    pytest.param(first, marks=[pytest.mark.slow] if first >= QUICK else [])
    for first in range(0, PLANTED, BLOCK)
]


def attempts(model: Model, make: Callable[[Ways], Member], seed: int, number: int) -> list[Attempt]:
    """Return what comes of so many attempts."""
    member, rng = make(Ways(model, None)), np.random.default_rng(seed)
    results = []
    for _ in range(number):
        results.append(member.draw(rng)())
        member.learn(results[-1])
    return results


def assert_solves(model: Model, solution: Ints | None) -> None:
    assert solution is not None
    assert fault(model, solution[None, :]) is None


@pytest.mark.parametrize("first", BLOCKS)
def test_what_members_find_in_planted_models_is_right(first: int) -> None:
    found = dict.fromkeys(MEMBERS, 0)
    for seed in range(first, first + BLOCK):
        planted = planted_model(seed)
        assert fault(planted.model, np.array([planted.solution], dtype=np.int32)) is None
        ways = Ways(planted.model, planted.places if seed % 2 else None)
        for name, make in MEMBERS.items():
            attempt = make(ways).draw(np.random.default_rng(seed))()
            assert not attempt.exhausted
            if attempt.solution is not None:
                assert_solves(planted.model, attempt.solution)
                found[name] += 1
    for name in ("near", "restarts", "sweep", "exhaustive"):
        assert found[name] == BLOCK
    assert found["beam"] > BLOCK / 2  # one beam is not a proof
    assert found["repair"] > 0


@pytest.mark.parametrize("first", BLOCKS)
@pytest.mark.parametrize("backend", ["first", "first:chance"])
def test_the_portfolio_solves_every_planted_model(backend: str, first: int) -> None:
    """Copies, secondary items, colors, optional units: see `planted_model`."""
    for seed in range(first, first + BLOCK):
        planted = planted_model(seed)
        request = Request(limit=1, seed=seed, workers=1 + seed % 3, places=planted.places)
        batches = list(get_backend(backend).search(planted.model, request))
        assert_solves(planted.model, batches[-1].assignments[0])


@pytest.mark.parametrize("first", few(range(0, 200, 50), 4))
def test_the_portfolio_agrees_with_brute_force(first: int) -> None:
    for seed in range(first, first + 50):
        model = random_model(seed)
        solutions = brute_force(model)
        *_, last = get_backend("first").search(model, Request(limit=1, workers=1 + seed % 2))
        if solutions:
            assert frozenset(last.assignments[0].tolist()) in solutions
        else:
            assert not len(last.assignments)
            assert last.stopped is None


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] * (n == "repair")) for n in MEMBERS]
)
def test_the_same_seed_finds_the_same(name: str) -> None:
    model = exactile.lower(exactile.load("hexiamonds-3x12"))
    number = 1 if name == "repair" else 3  # its attempts are long
    told = [attempts(model, MEMBERS[name], seed, number) for seed in (1, 1, 2)]
    kept = [[(a.counters, str(a.solution)) for a in results] for results in told]
    assert kept[0] == kept[1]
    if name != "exhaustive":
        assert kept[0] != kept[2]


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow)])
def test_with_one_worker_the_portfolio_is_repeatable(seed: int) -> None:
    puzzle = exactile.load("one-sided-heptiamonds-triangle-3")
    runs = []
    for _ in range(2):
        with Search(puzzle, backend="first", limit=1, seed=seed, workers=1) as search:
            runs.append((next(search), search.stats["nodes"], search.stats["attempts"]))
    assert runs[0] == runs[1]


@pytest.mark.slow
def test_what_has_no_solution_is_searched_to_the_end() -> None:
    with Search(exactile.load("hexiamonds-3x12"), backend="first", limit=1) as search:
        assert not list(search)
        assert search.status.value == "unsolvable"


@pytest.mark.parametrize("name", ["near", "beam"])
def test_restarts_and_beams_make_way_for_repair_the_longer_they_find_nothing(name: str) -> None:
    ways = Ways(exactile.lower(exactile.load("dominoes-4x4")), None)
    member, repair = MEMBERS[name](ways), MEMBERS["repair"](ways)
    assert repair.due(1e12) == 1e12
    assert member.due(-1.0) == -1.0  # a head start
    assert member.due(member.lasting) == 2 * member.lasting
    assert member.due(9 * member.lasting) == 90 * member.lasting


def test_who_finds_nothing_has_the_turn_ever_less_often() -> None:
    ways = Ways(exactile.lower(exactile.load("dominoes-4x4")), None)
    members = [MEMBERS["beam"](ways), MEMBERS["repair"](ways)]
    schedule, turns = Schedule(members, seed=0), []
    for _ in range(110):
        member, _ = schedule.next()
        turns.append(member.name)
        work = {"nodes": 0, "endgames": 0, "beam_work": int(members[0].lasting)}
        schedule.report(member, Attempt(None, False, work))
    assert 9 <= turns.count("beam") <= 11


def test_repair_leaves_no_piece_used_too_often() -> None:
    puzzle = exactile.load("heptiamonds-trefoil-6")
    model = exactile.lower(puzzle)
    ways = Ways(model, places(puzzle, model))
    member, rng = MEMBERS["repair"](ways), np.random.default_rng(1)
    solution = None
    while solution is None:
        solution = member.draw(rng)().solution
    assert_solves(model, solution)
    options, filled = ways.ground.best()
    assert filled == model.meaning.units
    assert fault(model, options[None, :]) is None


def test_patience_grows_up_to_what_the_native_search_takes() -> None:
    model = Model.of_options([[0, 1], [0, 2]], lower=[1] * 3, upper=[1] * 3)
    member, rng = MEMBERS["repair"](Ways(model, None)), np.random.default_rng(0)
    for _ in range(100):
        assert member.draw(rng)().solution is None


@pytest.mark.parametrize("learning", [0.0, 0.01, 1e6])
def test_weights_of_pieces_change_the_way_not_the_answer(learning: float) -> None:
    puzzle = exactile.load("pentominoes-8x8-center-hole")
    model = exactile.lower(puzzle)
    ways, rng = Ways(model, places(puzzle, model)), np.random.default_rng(0)
    walk = (6.0, 5.0, 500, True, 0.02, learning, 10_000, 10_000)
    found = [ways.ground.repair(ways.units(rng, "axis"), 5, 40, *walk, k) for k in range(5)]
    solved = [solution for solution, _, counters in found if counters["cost"] == 0]
    assert solved
    for solution in solved:
        assert_solves(model, solution)


def test_attempts_end_when_they_are_told_to() -> None:
    puzzle = exactile.load("one-sided-hexominoes-72x5")
    model = exactile.lower(puzzle)
    for name in MEMBERS:
        ways = Ways(model, places(puzzle, model))
        member = MEMBERS[name](ways)
        make = member.draw(np.random.default_rng(0))
        thread = threading.Thread(target=make)
        thread.start()
        ways.ground.stop()
        member.stop()
        thread.join()  # or this test never ends


def test_a_search_that_is_stopped_has_a_packing() -> None:
    puzzle = exactile.load("hexominoes-14x15")  # 35 of them fill no rectangle
    model = exactile.lower(puzzle)
    running = get_backend("first").search(model, Request(limit=1, places=places(puzzle, model)))
    packing = None
    while packing is None:
        batch = next(running)
        packing = batch.packing
    assert batch.doing
    running.close()
    used = np.bincount(np.concatenate([model.option(o) for o in packing]), minlength=model.items)
    assert (used <= model.upper).all()


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_order_has_all_units(kind: str) -> None:
    for name in ("soma-cube", "hexiamonds-3x12", "dominoes-4x4"):
        puzzle = exactile.load(name)
        model = exactile.lower(puzzle)
        for where in (places(puzzle, model), None):
            sweeps = Sweeps(model, where)
            order = sweeps.draw(np.random.default_rng(0), kind)
            assert sorted(order.tolist()) == sweeps.units.tolist()


def test_components_are_swept_one_after_the_other_or_together() -> None:
    model = Model.of_options([[0, 1], [2, 3]], lower=[1] * 4, upper=[1] * 4)
    sweeps = Sweeps(model, np.array([[0.0, 0], [1, 0], [5, 0], [6, 0]]))
    rng = np.random.default_rng(0)
    halves = {tuple(sorted(sweeps.draw(rng, "axis")[:2].tolist())) for _ in range(50)}
    assert halves == {(0, 1), (2, 3), (0, 2), (1, 3)}


def test_a_beam_that_dies_late_is_followed_by_one_that_stops_earlier() -> None:
    """The narrowest of all finds a tiling to be repaired with every seed."""
    puzzle = exactile.load("soma-cube")
    model = exactile.lower(puzzle)
    ways = Ways(model, places(puzzle, model))
    order = ways.units(np.random.default_rng(0), "axis")
    walk = (11, 10, 500, True, 0, 0, 0, 1)
    costs = [ways.ground.repair(order, 1, 8, *walk, seed)[2]["cost"] for seed in range(12)]
    assert min(costs) >= 0


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("dominoes-4x4", False),
        ("soma-cube", False),
        ("polytwigs-45-triangle-1", False),
        ("pentakites-trapezoid", True),
        ("didrafters-hexagon", True),
        ("tetraboloes-14x2", True),
        ("polysticks-1234-7x7", True),
    ],
)
def test_what_a_lattice_joins_are_neighbors(name: str, others: bool) -> None:
    """Where there are several kinds of neighbors, some units as close as these are added."""
    puzzle = exactile.load(name)
    model = exactile.lower(puzzle)
    first, near = Sweeps(model, places(puzzle, model)).neighbors
    found = set(zip(np.repeat(np.arange(model.items), np.diff(first)), near, strict=True))
    units, lattice = puzzle.region.units, puzzle.lattice
    item = dict(zip(map(tuple, units), np.flatnonzero(model.meaning.is_unit), strict=True))
    joined = {
        (item[unit], item[other])
        for unit, kind in zip(item, lattice.types(units), strict=True)
        for step in lattice.neighbors[kind]
        if (other := tuple(np.add(unit, step))) in item
    }
    assert joined <= found
    assert (joined < found) == others


def test_orders_that_are_none_are_refused() -> None:
    ways = Ways(exactile.lower(exactile.load("dominoes-4x4")), None)
    wrong = np.zeros(3, dtype=np.int32)
    with pytest.raises(ValueError, match="order"):
        ways.ground.restart(wrong, 1, 0, 10, 0)
    with pytest.raises(ValueError, match="order"):
        ways.ground.beam(wrong, 1, 0.0, 10, 0)


def test_a_model_that_the_engine_refuses_is_an_error() -> None:
    model = Model(
        lower=np.array([1], dtype=np.int32),
        upper=np.array([1], dtype=np.int32),
        first=np.array([0, 2]),
        members=np.array([0, 0], dtype=np.int32),
        colors=np.zeros(2, dtype=np.int32),
    )
    with pytest.raises(ModelError, match="twice"):
        list(get_backend("first").search(model, Request(limit=1)))


def test_members_follow_the_nature_of_the_model() -> None:
    names = {
        puzzle: [m.name for m in members_of(Ways(exactile.lower(exactile.load(puzzle)), None))]
        for puzzle in ("hexiamonds-3x12", "y-pentominoes-15x24")
    }
    assert "repair" in names["hexiamonds-3x12"]
    assert "repair" not in names["y-pentominoes-15x24"]
    assert all(listed[0] == "exhaustive search" for listed in names.values())
