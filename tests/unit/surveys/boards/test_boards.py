"""Boards: the same sets and numbers as by trying all, resumed after a stop, by several workers."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, combinations, product
from pathlib import Path
from typing import Any

import pytest

import exactile
from exactile import _native
from exactile.answers import BoardSurvey
from exactile.backends import exploration
from exactile.errors import CheckFailedError, FileError, Interrupted, PuzzleError
from exactile.model.lower import lower
from exactile.puzzle import Puzzle
from exactile.search.limits import Limits
from exactile.surveys.boards import ground, survey
from exactile.surveys.boards.ground import board_puzzle, boards_of, open_choices, sets_of
from exactile.surveys.boards.survey import survey_puzzles
from exactile.surveys.subsets import families
from exactile.surveys.subsets.selection import only
from support.events import at

OPEN = [{"units": "0..3,0", "exactly": 1}]


def small(**other: Any) -> Puzzle:
    """Return a board of twelve cells, one of a row of which stays open."""
    return exactile.make_puzzle(
        {"orders": [3, 4], "ranges": "0..1"},
        **{"lattice": "square", "box": (4, 3), "open": OPEN, **other},
    )


def test_the_sets_are_those_that_fill_each_board() -> None:
    puzzle = small()
    found = exactile.survey_boards([puzzle], sets=True)
    boards = [board_puzzle(puzzle, board) for board in boards_of([puzzle])]
    good = []
    for uses in product((0, 1), repeat=len(puzzle.pieces)):
        area = sum(n * p.order for n, p in zip(uses, puzzle.pieces, strict=True))
        if area == 11 and all(
            exactile.solve_one(only(board, uses), backend="reference") for board in boards
        ):
            pairs = zip(puzzle.pieces, uses, strict=True)
            good.append({piece.name: 1 for piece, n in pairs if n})
    assert good
    assert sorted(map(str, good)) == sorted(str(each.pieces) for each in found.found)
    assert found.tried == found.sets == len(sets_of([puzzle], {11}))
    assert sum(board.refused or 0 for board in found.each) == found.tried - len(good)


RULES: list[dict[str, Any]] = [
    {"fixed": [{"piece": "I4", "units": "0..3,2"}]},
    {"separated": {"red": ["I3", "V3", "O4"]}},
    {"paint": {"region": {"w": "0,0..2", "b": "1..3,0..2"}, "pieces": {"L4": {"b": "0,0"}}}},
]
"""Rules that boards keep."""


@pytest.mark.parametrize("rule", RULES)
def test_boards_keep_the_rules_of_their_puzzle(rule: dict[str, Any]) -> None:
    puzzle = small(**rule)
    by_sets = exactile.survey_boards([puzzle], sets=True)
    counted = exactile.survey_boards([puzzle])
    assert sum((each.raw or 0) * each.alike for each in counted.each) == exactile.count(puzzle).raw
    boards = [board_puzzle(puzzle, board) for board in boards_of([puzzle])]
    good = [
        {p.name: 1 for p, n in zip(puzzle.pieces, uses, strict=True) if n}
        for uses in sets_of([puzzle], {11}).tolist()
        if all(exactile.solve_one(only(board, tuple(uses))) for board in boards)
    ]
    assert good
    assert sorted(map(str, good)) == sorted(str(each.pieces) for each in by_sets.found)
    assert by_sets.tried == by_sets.sets == len(sets_of([puzzle], {11}))


@pytest.mark.parametrize("order", [1, -1])
def test_sets_have_what_any_board_gives(order: int) -> None:
    units = "0..3,0..1 0..2,2"
    given: list[dict[str, Any]] = [
        {"region": {"units": units}},
        {"region": {"units": units}, "fixed": [{"piece": "O4", "units": "0..1,0..1"}]},
        {"region": {"units": units}, "use": [{"pieces": ["V3"], "exactly": 1}]},
    ]
    pieces = {"orders": [3, 4], "ranges": "0..1"}
    puzzles = [
        exactile.make_puzzle(pieces, lattice="square", name=f"p{k}", **each)
        for k, each in enumerate(given)
    ][::order]
    found = exactile.survey_boards(puzzles, sets=True)
    assert [" ".join(each.pieces) for each in found.found] == ["V3 L4 O4"]
    assert found.tried == 4  # V3, O4, and each of the other tetrominoes


def test_regions_without_the_area_are_not_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(families, "generate", None)
    assert not list(families.family(exactile.load("pentominoes-6x10"), cells=14))


def test_the_sets_are_those_with_the_area_the_number_and_the_rules() -> None:
    rules = [{"pieces": ["I3", "V3"], "exactly": 1}]
    pieces = {"orders": [3, 4], "ranges": "0..2"}
    puzzle = exactile.make_puzzle(pieces, lattice="square", box=(4, 3), use=rules)
    by_hand = {
        uses
        for uses in product((0, 1, 2), repeat=len(puzzle.pieces))
        if uses[0] + uses[1] == 1 and sum(uses) == 3 and 3 + 4 * sum(uses[2:]) == 11
    }
    assert by_hand
    assert set(map(tuple, sets_of([puzzle], {11}, 3).tolist())) == by_hand


def test_the_choices_of_open_units_are_those_by_the_rules() -> None:
    rules = [{"units": "0..3,0", "exactly": 1}, {"units": "1..2,0..2", "at_least": 2}]
    puzzle = small(open=rules)
    units = [tuple(unit) for unit in puzzle.region.units.tolist()]
    optional = [k for k in range(len(units)) if puzzle.region.optional[k]]
    by_hand = set()
    for chosen in chain.from_iterable(combinations(optional, n) for n in range(5)):
        points = [units[k] for k in chosen]
        if sum(y == 0 for _, y in points) == 1 and sum(x in (1, 2) for x, _ in points) >= 2:
            by_hand.add(chosen)
    assert by_hand
    assert set(open_choices(puzzle, {0, 1, 2, 3, 4})) == by_hand


def test_counts_of_boards_add_up() -> None:
    puzzle = exactile.make_puzzle("2xL4", box=(3, 3), open=[{"units": "0..2,0..2", "exactly": 1}])
    found = exactile.survey_boards([puzzle])
    assert (found.boards, found.alike) == (3, 9)
    assert sum((each.raw or 0) * each.alike for each in found.each) == exactile.count(puzzle).raw
    assert [each.raw for each in found.each] == sorted(each.raw or 0 for each in found.each)
    made = survey_puzzles([puzzle], found)
    assert [exactile.count(each).raw for each in made] == [e.raw for e in found.each if e.raw]


def test_a_board_has_at_least_one_unit() -> None:
    puzzle = exactile.make_puzzle("0..1xI2", box=(2, 1), optional="0..1,0", name="free")
    assert [facts.board for facts in exactile.survey_boards([puzzle]).each] == ["free"]


def test_boards_do_not_have_the_aliases_of_their_puzzle() -> None:
    whole = replace(exactile.make_puzzle("2xI4", box=(2, 4), name="t"), aliases=("other",))
    made = survey_puzzles([whole], exactile.survey_boards([whole]))
    assert [(each.name, each.aliases) for each in made] == [("t-board-1", ())]


def test_the_progress_of_counts_does_not_speak_of_sets() -> None:
    told: list[str] = []
    exactile.survey_boards([exactile.make_puzzle("2xL4", box=(4, 2))], watch=told.append)
    assert told == ["1 of 1 parts"]


def results(answer: BoardSurvey) -> Any:
    """Return what does not depend on how the work was done."""
    return answer.sets, answer.tried, answer.found, answer.stopped


def test_a_stopped_survey_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(survey, "SETS_EACH", 3)
    puzzle, store = small(), tmp_path / "a.jsonl"
    whole = exactile.survey_boards([puzzle], sets=True)
    told: list[str] = []

    def stop(words: str) -> None:
        told.append(words)
        if len(told) == 3:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as stopped:
        exactile.survey_boards([puzzle], sets=True, store=store, watch=stop)
    assert stopped.value.answer.tried == 9
    store.write_bytes(store.read_bytes()[:-9])  # a kill cut the last line
    parts: list[int] = []
    own = survey.BoardWork.done

    def noted(work: survey.BoardWork, part: survey.BoardPart, limits: Limits) -> survey.BoardRecord:
        parts.append(part.first)
        return own(work, part, limits)

    monkeypatch.setattr(survey.BoardWork, "done", noted)
    answer = exactile.survey_boards([puzzle], sets=True, store=store)
    assert results(answer) == results(whole)
    assert parts == list(range(6, whole.sets or 0, 3))
    exactile.survey_boards([puzzle], sets=True, store=store)
    assert parts == list(range(6, whole.sets or 0, 3))  # nothing was left


@pytest.mark.parametrize("sets", [True, False])
def test_time_ends_a_survey_within_a_part(sets: bool) -> None:
    """What is begun is given up, not told as a result."""
    work = survey.BoardWork((small(),), sets, None)
    part = survey.BoardPart(0, 1, tuple(range(len(work.boards))), "a")
    assert len(work.done(part).refused if sets else work.done(part).counts) == 1
    over = Limits(time_limit=60).within(0)
    with pytest.raises(TimeoutError):
        work.done(part, over)
    found = exactile.survey_boards([small()], sets=sets, limits=over)
    assert (found.stopped, found.tried, found.each) == ("time limit", 0, ())


def test_a_count_hears_that_it_is_cancelled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(survey, "BOARDS_EACH", 1)
    limits = Limits()
    at(monkeypatch, 1, limits.cancel)
    found = exactile.survey_boards([small()], limits=limits)
    assert (found.stopped, found.each) == ("cancelled", ())


def test_a_first_solution_hears_the_limit() -> None:
    model = lower(exactile.load("pentominoes-6x10"))
    arrays = model.lower, model.upper, model.first, model.members
    found = exploration.first_solution(*arrays)
    assert found is not None
    assert len(found) == 12
    with pytest.raises(TimeoutError):
        exploration.first_solution(*arrays, seconds=0)


def test_what_is_left_counts_even_if_its_weight_rounds_to_zero(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = lower(exactile.load("pentominoes-6x10"))

    class Deep(_native.Engine):
        remaining = 0.0

    monkeypatch.setattr(exploration, "Engine", Deep)
    with pytest.raises(TimeoutError):
        exploration.first_solution(model.lower, model.upper, model.first, model.members, seconds=0)


def test_two_workers_find_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(survey, "SETS_EACH", 10)
    answer = exactile.survey_boards([small()], sets=True, workers=2, store=tmp_path / "a.jsonl")
    assert results(answer) == results(exactile.survey_boards([small()], sets=True))


def test_a_wrong_solution_and_a_wrong_refusal_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    right = exploration.first_solution

    def wrong(*model: Any) -> Any:
        found = right(*model)
        return None if found is None else found[:-1]

    monkeypatch.setattr(ground, "first_solution", wrong)
    with pytest.raises(CheckFailedError, match="is wrong"):
        exactile.survey_boards([small()], sets=True)
    monkeypatch.setattr(ground, "first_solution", lambda *model: None)
    with pytest.raises(CheckFailedError, match="of which the engine found none"):
        exactile.survey_boards([small()], sets=True)


@pytest.mark.parametrize(
    ("puzzles", "options", "words"),
    [
        ([], {}, "name a puzzle"),
        ([small()], {"size": 3}, "is for `sets`"),
        ([small(), small()], {}, "the same name"),
        ([small(), replace(small(box=(4, 4)), name="b")], {"sets": True}, "from 11 to 15 units"),
        (
            [small(), replace(exactile.make_puzzle("2xI4", box=(4, 3), open=OPEN), name="b")],
            {"sets": True},
            "other pieces|no board",
        ),
        ([small()], {"sets": True, "size": 9}, "No 9 of the pieces"),
        ([exactile.make_puzzle("2xI4", box=(3, 3))], {}, "no board"),
        (
            [exactile.make_puzzle("I4,O4", box=(4, 2), joined={"red": ["I4", "O4"]})],
            {"sets": True},
            "must be joined",
        ),
        (
            [small(use=[{"pieces": ["I3"], "places": ["0..2,0"], "at_most": 0}])],
            {},
            "`use` with places",
        ),
    ],
)
def test_errors(puzzles: list[Puzzle], options: dict[str, Any], words: str) -> None:
    with pytest.raises(PuzzleError, match=words):
        exactile.survey_boards(puzzles, **options)


def test_another_file_is_not_a_store(tmp_path: Path) -> None:
    store = tmp_path / "a.jsonl"
    store.write_text('{"puzzle": "p", "backend": "dlx"}\n')
    with pytest.raises(FileError, match="is not a store of boards"):
        exactile.survey_boards([small()], sets=True, store=store)
