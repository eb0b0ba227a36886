"""Challenges have one solution, need every clue, and no two of them are alike."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
import pytest

import exactile
from exactile.answers import Challenge, ChallengeList
from exactile.backends import dlx, exploration
from exactile.errors import CheckFailedError, CountingError, Interrupted, PuzzleError
from exactile.puzzle import Puzzle
from exactile.render.paper import PALETTE
from exactile.search.case import Case
from exactile.search.limits import Limits
from exactile.surveys.design import challenges, recheck, rivals
from exactile.surveys.design.challenges import (
    ChallengeSettings,
    DesignWork,
    challenge_puzzles,
)
from exactile.surveys.design.clues import Language
from exactile.surveys.design.recheck import counted_apart, require_minimal, require_one
from exactile.surveys.design.rivals import hitting_set, hitting_sets
from support.ctrl_c import interrupted

CALENDAR: dict[str, Any] = {
    "pieces": "I3, V3, L4",
    "box": (4, 3),
    "open": [{"units": "0..3,0", "exactly": 1}, {"units": "0..3,1..2", "exactly": 1}],
}


def solutions(puzzle: Puzzle) -> list[frozenset[Any]]:
    """Return all solutions, each as what can be said of it: placements and open units."""
    every = {tuple(u) for u in puzzle.region.units.tolist()}
    return [
        frozenset([*found, *(every - {u for p in found for u in p.units})])
        for found in exactile.Search(puzzle)
    ]


def said(puzzle: Puzzle, challenge: Challenge) -> frozenset[Any]:
    stated = exactile.challenge_puzzle(puzzle, challenge)
    units = {r.units[0] for r in stated.open_rules[len(puzzle.open_rules) :]}
    return frozenset([*stated.fixed, *units])


def require(puzzle: Puzzle, challenges: tuple[Challenge, ...]) -> None:
    """Fail unless a list of all solutions confirms what is said of challenges."""
    listed = solutions(puzzle)
    symmetries = exactile.symmetries(puzzle)
    points = [tuple(u) for u in puzzle.region.units.tolist()]
    places = {point: k for k, point in enumerate(points)}
    images = []
    for challenge in challenges:
        clues = said(puzzle, challenge)
        assert sum(clues <= each for each in listed) == 1
        needed = all(sum(clues - {clue} <= each for each in listed) > 1 for clue in clues)
        assert challenge.minimal == needed
        alike = set()
        for symmetry in symmetries:
            image = []
            for clue in clues:
                units = clue.units if isinstance(clue, exactile.Placement) else (clue,)
                moved = tuple(sorted(points[symmetry.units[places[unit]]] for unit in units))
                piece = clue.piece if isinstance(clue, exactile.Placement) else ""
                number = puzzle.piece_index.get(piece, -1)
                image.append((int(symmetry.pieces[number]) if number >= 0 else -1, moved))
            alike.add(tuple(sorted(image)))
        images.append(min(alike))
    assert len({*images}) == len(images)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("tetrahexes-4x7", {}),
        ("tetrahexes-4x7", {"open_pieces": 3}),
        ("soma-cube", {}),
        ("soma-cube", {"symmetric": True}),
        ("dominoes-4x4", {}),
        ("tetrahexes-4x7", {"fewest": True}),
        ("dominoes-4x4", {"fewest": True}),
        ("tetrominoes-5x4-tube", {"open_pieces": 3}),
    ],
)
def test_a_list_of_all_solutions_confirms_challenges(name: str, options: dict[str, Any]) -> None:
    puzzle = exactile.load(name)
    found = exactile.design_challenges(puzzle, 4, seed=3, **options)
    assert found.stopped in (None, "all")
    assert len(found.challenges) == 4 or found.stopped == "all"
    require(puzzle, found.challenges)
    if "open_pieces" in options:
        assert {c.open_pieces for c in found.challenges} == {options["open_pieces"]}
    elif "symmetric" not in options:
        assert all(c.minimal for c in found.challenges)
    for stated, challenge in zip(challenge_puzzles(puzzle, found), found.challenges, strict=True):
        assert exactile.find_solutions(stated).solutions == (challenge.solution,)


@pytest.mark.parametrize("given", ["pieces", "open", "both"])
def test_cells_that_stay_open_are_clues(given: Any) -> None:
    puzzle = exactile.make_puzzle(**CALENDAR)
    found = exactile.design_challenges(puzzle, 5, given=given)
    assert found.challenges
    require(puzzle, found.challenges)
    assert any(c.given for c in found.challenges) == (given != "open")
    assert any(c.open_units for c in found.challenges) == (given != "pieces")


def test_open_cells_and_pieces_of_a_large_calendar() -> None:
    puzzle = exactile.load("calendar")
    [found] = exactile.design_challenges(puzzle, 1, given="both", seed=2).challenges
    require(puzzle, (found,))


@pytest.mark.parametrize("asked", [{"open_pieces": 13}, {"given": "open"}])
def test_what_cannot_be_is_refused(asked: dict[str, Any]) -> None:
    with pytest.raises(PuzzleError, match="open"):
        exactile.design_challenges(exactile.load("pentominoes-6x10"), **asked)


@pytest.mark.parametrize(
    ("size", "fewest"), [(2, 1), (4, 2), pytest.param(6, 3, marks=pytest.mark.slow)]
)
def test_the_fewest_dominoes_that_force_the_others(size: int, fewest: int) -> None:
    # Pachter and Kim, Forcing matchings on square grids, 1998: n of a square of 2n by 2n
    puzzle = exactile.make_puzzle(f"{size * size // 2}xdomino", box=(size, size))
    found = exactile.design_challenges(puzzle, fewest=True)
    assert found.fewest == fewest == len(found.challenges[0].given)
    listed = solutions(puzzle)
    shared = Counter(c for each in listed for c in combinations(sorted(each), fewest - 1))
    assert min(shared.values()) > 1
    assert sum(tally.solutions for tally in found.tallies) == exactile.count(puzzle).symmetry
    assert found.counted_by == "memo"


def test_the_same_seed_gives_the_same_challenges() -> None:
    puzzle = exactile.load("soma-cube")
    one, other = (exactile.design_challenges(puzzle, 3, seed=5) for _ in range(2))
    assert one.challenges == other.challenges
    assert exactile.design_challenges(puzzle, 3, seed=6).challenges != one.challenges


@pytest.mark.parametrize("name", ["tetrahexes-4x7", "soma-cube"])
def test_colors_of_cells_are_clues(name: str) -> None:
    puzzle = exactile.load(name)
    found = exactile.design_challenges(puzzle, 2, given="colors", seed=3)
    assert len(found.challenges) == 2
    for challenge in found.challenges:
        assert challenge.minimal
        assert not challenge.given
        stated = exactile.challenge_puzzle(puzzle, challenge)
        assert len(stated.labels) == len(challenge.colors) > 0
        by_unit = {unit: piece for piece, units in challenge.solution for unit in units}
        assert all(by_unit[unit] == piece for piece, unit in challenge.colors)
        drawn = exactile.draw_svg(stated, ())
        assert all(PALETTE[puzzle.piece_index[piece]] in drawn for piece, _ in challenge.colors)
        assert exactile.count(stated, method="memo").raw == 1
        for k in range(len(stated.use_rules)):
            fewer = replace(stated, use_rules=stated.use_rules[:k] + stated.use_rules[k + 1 :])
            assert (exactile.count(fewer).raw or 0) > 1


@pytest.mark.parametrize(
    ("region", "number"),
    [
        ({"box": [2, 2], "optional": "0,0 1,0 0,1 1,1"}, 0),  # no unit shows a color
        ({"box": [4, 1], "optional": "2,0 3,0"}, 2),  # not of I2 on 0..1,0, with or without another
    ],
)
def test_colors_do_not_hide_solutions_with_more_pieces(region: dict[str, Any], number: int) -> None:
    pieces = [{"set": "domino", "ranges": "0..2"}, {"set": "trominoes", "ranges": "0..1"}]
    puzzle = exactile.make_puzzle(pieces, lattice="square", region=region)
    found = exactile.design_challenges(puzzle, 3, given="colors")
    assert (len(found.challenges), found.stopped) == (number, "attempts")
    for challenge in found.challenges:
        assert exactile.count(exactile.challenge_puzzle(puzzle, challenge)).raw == 1


def test_workers_find_different_challenges() -> None:
    puzzle = exactile.load("tetrahexes-4x7")
    found = exactile.design_challenges(puzzle, 5, workers=2)
    assert len(found.challenges) == 5
    assert (found.stopped, found.checked_by) == (None, "memo")
    stated = [exactile.challenge_puzzle(puzzle, each) for each in found.challenges]
    assert [exactile.count(each).raw for each in stated] == [1] * 5
    images = {
        min(
            tuple(sorted(tuple(sorted(s.units[puzzle.region.index(np.array(p.units))])) for p in f))
            for s in exactile.symmetries(puzzle)
        )
        for f in (each.fixed for each in stated)
    }
    assert len(images) == 5
    with pytest.raises(PuzzleError, match="has no solution"):
        exactile.design_challenges(exactile.make_puzzle("2xL4,T4", box=(4, 3)), workers=2)


def test_workers_tell_their_attempts_as_they_are_made() -> None:
    puzzle = exactile.load("dominoes-4x4")
    asked = ChallengeSettings(3, 8, "pieces", False, False, False, None, Random(0))
    told: list[Any] = []
    DesignWork(puzzle, asked).start()(1, told.append)
    assert len(told) > 1
    assert {message.attempts for message in told} == {1}
    assert len(told) == 200  # no solution of eight dominoes is the only one


def require_symmetric(puzzle: Puzzle, challenges: tuple[Challenge, ...]) -> None:
    for challenge in challenges:
        stated = exactile.challenge_puzzle(puzzle, challenge)
        units = [unit for placement in stated.fixed for unit in placement.units]
        units += [unit for rule in stated.open_rules for unit in rule.units]
        kept = {*puzzle.region.index(np.array(units)).tolist()}
        assert len([s for s in exactile.symmetries(puzzle) if {*s.units[[*kept]]} == kept]) > 1


def test_symmetric_layouts_are_symmetric() -> None:
    puzzle = exactile.load("soma-cube")
    require_symmetric(puzzle, exactile.design_challenges(puzzle, 3, symmetric=True).challenges)


@pytest.mark.parametrize(
    ("pieces", "given", "number"),
    [("2xV3, I2", "pieces", 1), ("1..2xV3, I2", "open", 0), ("2xV3, I2", "both", 3)],
)
def test_symmetric_layouts_with_open_cells_are_symmetric(
    pieces: str, given: Any, number: int
) -> None:
    puzzle = exactile.make_puzzle(pieces, box=(3, 3), optional="0..2,0..2")
    found = exactile.design_challenges(puzzle, 3, symmetric=True, given=given)
    require_symmetric(puzzle, found.challenges)
    assert len(found.challenges) == number


def test_a_puzzle_with_one_solution_is_a_challenge_without_clues() -> None:
    puzzle = exactile.make_puzzle("I2", box=(2, 1))
    found = exactile.design_challenges(puzzle, 2)
    assert [c.given for c in found.challenges] == [()]
    assert found.stopped == "attempts"


def test_many_solutions_are_not_listed() -> None:
    puzzle = exactile.load("dominoes-8x8")  # of which there are 12,988,816
    found = exactile.design_challenges(puzzle, 2)
    assert all(c.minimal and len(c.given) >= 4 for c in found.challenges)
    (open_,) = exactile.design_challenges(puzzle, open_pieces=14).challenges
    assert (open_.open_pieces, len(open_.given)) == (14, 18)


def test_each_challenge_is_of_another_solution() -> None:
    puzzle = exactile.load("tetrasticks-5x5-without-h")
    found = exactile.design_challenges(puzzle, 5)
    solved = [exactile.solve_one(stated) for stated in challenge_puzzles(puzzle, found)]
    assert len({frozenset(solution) for solution in solved if solution}) == 5


def test_a_seed_gives_the_same_challenges_however_fast_the_machine_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    puzzle = exactile.load("tetrasticks-5x5-without-h")
    found = []
    for seconds in (0.001, 0.02, 1e9):
        monkeypatch.setattr(dlx, "HEARTBEAT", seconds)
        monkeypatch.setattr(exploration, "HEARTBEAT", seconds)
        found.append(exactile.design_challenges(puzzle, 5).challenges)
    assert found[0] == found[1] == found[2]


def test_what_takes_long_to_prove_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(challenges, "LIST_NODES", 0)
    monkeypatch.setattr(challenges, "FRUITLESS", 6)
    known = {}
    for nodes in (5, 2_000):
        monkeypatch.setattr(rivals, "NODES_EACH", nodes)
        found = exactile.design_challenges(exactile.load("dominoes-8x8"), 2)
        assert all(challenge.minimal for challenge in found.challenges)
        known[nodes] = len(found.challenges)
    assert known == {5: 0, 2_000: 2}


def test_limits_and_ctrl_c_keep_what_is_found() -> None:
    puzzle = exactile.load("soma-cube")
    limits = Limits()

    def cancel(words: str) -> None:
        if words.startswith("2 challenges"):
            limits.cancel()

    found = exactile.design_challenges(puzzle, 9, limits=limits, watch=cancel)
    assert (found.stopped, len(found.challenges)) == ("cancelled", 2)

    def pressed() -> ChallengeList:
        with pytest.raises(Interrupted) as caught:
            exactile.design_challenges(puzzle, 9)
        answer: ChallengeList = caught.value.answer
        return answer

    stopped = interrupted(pressed, 3, challenges, "require_one")
    assert (stopped.stopped, len(stopped.challenges)) == ("interrupted", 2)


def test_limits_and_ctrl_c_in_the_second_count(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = exactile.load("tetrahexes-4x7")
    limits = Limits()
    limits.cancel()
    with pytest.raises(TimeoutError, match="cancelled"):
        counted_apart(puzzle, limits)

    def too_small(*_: Any, **options: Any) -> None:
        raise CountingError

    def pressed() -> ChallengeList:
        with pytest.raises(Interrupted) as caught:
            exactile.design_challenges(puzzle, 9)
        answer: ChallengeList = caught.value.answer
        return answer

    monkeypatch.setattr(recheck, "count", too_small)  # so that the solver lists
    stopped = interrupted(pressed, lambda search, _: search.backend.name.startswith("sat"))
    assert (stopped.stopped, stopped.challenges) == ("interrupted", ())


def test_what_cannot_be_asked() -> None:
    puzzle = exactile.load("tetrahexes-4x7")
    wrong: tuple[dict[str, Any], ...] = (
        {"fewest": True, "symmetric": True},
        {"given": "open", "open_pieces": 2},
        {"given": "nothing"},
        {"time_limit": 1.0, "limits": Limits()},
    )
    for options in wrong:
        with pytest.raises(PuzzleError):
            exactile.design_challenges(puzzle, **options)
    with pytest.raises(PuzzleError, match="no solution"):
        exactile.design_challenges(exactile.load("tetrominoes-5x4"))


def test_wrong_claims_are_refused() -> None:
    puzzle = exactile.load("tetrahexes-4x7")
    language = Language(Case(puzzle))
    one, other = language.some(2)
    with pytest.raises(CheckFailedError, match="18 solutions"):
        require_one(puzzle, language.placements(one), Limits())
    with pytest.raises(CheckFailedError):
        require_one(replace(puzzle, fixed=language.placements(other)), [], Limits())
    with pytest.raises(CheckFailedError, match="the same"):
        require_minimal(language, one[:1], one, {one[0]: one})


def test_hitting_sets_are_the_smallest() -> None:
    sets = [0b0011, 0b0110, 0b1100, 0b1001]
    sizes = [m for m in range(16) if all(m & s for s in sets)]
    least = min(map(int.bit_count, sizes))
    assert hitting_set(sets, least - 1) is None
    assert (hitting_set(sets, least) or 0).bit_count() == least
    assert sorted(hitting_sets(sets, least)) == [m for m in sizes if m.bit_count() == least]


@pytest.mark.slow
def test_the_fewest_pentominoes_by_counting_every_choice() -> None:
    listed = solutions(exactile.load("pentominoes-6x10"))
    assert len(listed) == 9356
    needed: dict[frozenset[Any], int] = {}
    for size in (1, 2, 3):
        times: Counter[frozenset[Any]] = Counter()
        choices = {
            each: [frozenset(c) for c in combinations(each, size)]
            for each in listed
            if each not in needed
        }
        for each in listed:
            times.update(frozenset(c) for c in combinations(each, size))
        needed |= {each: size for each, own in choices.items() if 1 in map(times.get, own)}
    tallies = Counter(needed.values())  # no solution is symmetric: each counts four times
    assert tallies == {1: 4 * 15, 2: 4 * 2106, 3: 4 * 218}
