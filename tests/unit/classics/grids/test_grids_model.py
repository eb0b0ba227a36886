"""The model has the items of the document; layouts, the checker and simple reasons."""

from __future__ import annotations

import pytest

from exactile.answers import SudokuAnswer
from exactile.classics.grids.reader import Variant
from exactile.classics.grids.search import (
    SudokuSearch,
    contradiction,
    count_sudoku,
    judge,
    sudoku_model,
    superfluous,
)
from exactile.classics.grids.sudoku import Sudoku, boxed, faults, jigsaw
from exactile.errors import Interrupted, PuzzleError, UnfinishedError
from exactile.search.limits import Limits
from support.clock import ticking
from support.ctrl_c import interrupted
from support.sudokus import (
    HARD,
    HARD_SOLUTION,
    LAYOUTS,
    SMALL,
    SMALL_SOLUTION,
    TILTED,
    empty,
    sudoku,
)


def test_items_have_the_names_of_the_document() -> None:
    labels = sudoku_model(sudoku(SMALL)).model.meaning.labels
    assert len(labels) == 64
    assert " ".join(labels[:8]) == "1b0 2b0 3b0 4b0 1b1 2b1 3b1 4b1"
    assert " ".join(labels[16:24]) == "1c0 2c0 3c0 4c0 1c1 2c1 3c1 4c1"
    assert " ".join(labels[32:36]) == "1r0 2r0 3r0 4r0"
    assert " ".join(labels[48:56]) == "0,0 1,0 2,0 3,0 0,1 1,1 2,1 3,1"


@pytest.mark.parametrize(
    ("layout", "items"),
    [
        (boxed(9, (3, 3)), 324),
        (boxed(9, (3, 3), diagonals=True), 342),
        (boxed(9, (3, 3), windows=True), 360),
        (boxed(16, (4, 4)), 1024),
        (jigsaw(TILTED), 100),
    ],
)
def test_every_digit_in_every_house_is_an_item(layout: object, items: int) -> None:
    model = sudoku_model(empty(layout)).model  # type: ignore[arg-type]
    assert model.items == items
    assert (model.lower == 1).all()
    assert (model.upper == 1).all()


def test_a_given_has_one_option_and_an_empty_cell_one_for_each_digit() -> None:
    lowered = sudoku_model(sudoku(SMALL))
    model = lowered.model
    assert model.options == 8 + 8 * 4
    words = [[model.meaning.labels[i] for i in model.option(o)] for o in range(3)]
    assert words == [
        ["1b0", "1c0", "1r0", "0,0"],
        ["1b0", "1c1", "1r0", "1,0"],
        ["2b0", "2c1", "2r0", "1,0"],
    ]
    assert (model.first[1:] - model.first[:-1] == 4).all()


def test_windows_of_hyper_sudoku() -> None:
    windows = [h.cells for h in boxed(9, (3, 3), windows=True).houses if h.kind == "w"]
    assert [w[0] for w in windows] == [10, 14, 46, 50]
    assert windows[3] == (50, 51, 52, 59, 60, 61, 68, 69, 70)


def test_layouts_that_are_none() -> None:
    with pytest.raises(PuzzleError, match="Boxes of 2 by 4 cells do not fit a grid of 9 by 9"):
        boxed(9, (2, 4))
    with pytest.raises(PuzzleError, match="Windows lie between square boxes"):
        boxed(6, (2, 3), windows=True)
    with pytest.raises(PuzzleError, match="Region A has 3 cells, but a row has 2"):
        jigsaw("AAAB")
    with pytest.raises(PuzzleError, match="Regions of 5 cells in total do not make a square"):
        jigsaw("AAABB")
    with pytest.raises(PuzzleError, match="needs 16 digits from 0 to 4"):
        Sudoku(boxed(4, (2, 2)), (5,) + (0,) * 15)


@pytest.mark.parametrize("name", LAYOUTS)
def test_the_checker_refuses_every_changed_cell(name: str) -> None:
    found = judge(empty(LAYOUTS[name])).solutions[0]
    assert faults(empty(LAYOUTS[name]), found) == []
    for cell, digit in enumerate(found):
        changed = (*found[:cell], digit % LAYOUTS[name].size + 1, *found[cell + 1 :])
        assert len(faults(empty(LAYOUTS[name]), changed)) >= 3  # its row, column and region


def test_the_checker_knows_diagonals_windows_and_givens() -> None:
    plain = sudoku(SMALL)
    grid = tuple(map(int, SMALL_SOLUTION))
    assert faults(plain, grid) == []
    crossed = sudoku("." * 16, Variant(diagonals=True))
    assert faults(crossed, grid) == ["falling diagonal: 1 4 4 3", "rising diagonal: 4 3 1 4"]
    windowed = sudoku("." * 16, Variant(windows=True))
    assert faults(windowed, grid) == ["window at row 2, column 2: 4 1 3 4"]
    given = sudoku("2" + "." * 15)
    assert faults(given, grid) == ["row 1, column 1: 1, not 2 as given"]
    assert faults(given, grid[1:]) == ["15 cells, not 16"]


REASONS = [
    ("11..............", "row 1 has 1 twice: in row 1, column 1 and in row 1, column 2"),
    ("1...........1...", "column 1 has 1 twice: in row 1, column 1 and in row 4, column 1"),
    ("1....1..........", "box 1 has 1 twice: in row 1, column 1 and in row 2, column 2"),
    ("123...4.........", "row 1, column 4 has no candidate"),
    ("12......3.......", None),
    ("1.......2.3..1..", None),
    ("..1..1..........", None),
]


@pytest.mark.parametrize(("text", "reason"), REASONS)
def test_simple_reasons(text: str, reason: str | None) -> None:
    assert contradiction(sudoku(text)) == reason
    verdict = judge(sudoku(text))
    if reason:
        assert (verdict.kind, verdict.reason) == ("contradictory", reason)


def test_houses_without_a_place_and_houses_of_variants() -> None:
    # Cell by cell there are candidates left, but the 1 has no cell in the first row.
    nowhere = sudoku("23....1.........", Variant(boxes=(2, 2)))
    assert contradiction(nowhere) == "row 1 has no place for 1"
    assert judge(nowhere).kind == "contradictory"
    crossed = sudoku("1..............1", Variant(diagonals=True))
    assert str(contradiction(crossed)).startswith("diagonal 1 has 1 twice")
    windowed = sudoku(".....1....1.....", Variant(windows=True))
    assert str(contradiction(windowed)).startswith("window 1 has 1 twice")
    tilted = Sudoku(jigsaw(TILTED), (0, 1, 0, 0, 0, 1) + (0,) * 19)
    assert str(contradiction(tilted)).startswith("region 1 has 1 twice")


def test_contradictions_that_only_a_search_finds() -> None:
    changed = "1" + HARD[1:]
    verdict = judge(sudoku(changed))
    assert verdict.kind == "contradictory"
    assert "all was searched" in str(verdict.reason)


def test_superfluous_givens() -> None:
    assert superfluous(sudoku(HARD)) == []
    filled = HARD_SOLUTION[:9] + HARD[9:]
    spare = superfluous(sudoku(filled))
    assert set(spare) >= set(range(1, 9))
    for cell, given in enumerate(sudoku(filled).givens):
        if given:
            without = filled[:cell] + "." + filled[cell + 1 :]
            assert (judge(sudoku(without)).kind == "unique") == (cell in spare)
    assert superfluous(sudoku(SMALL)) == [3, 5, 7, 8, 9, 11, 14]


def test_no_time_is_no_proof_that_givens_are_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    ticking(monkeypatch)
    with pytest.raises(UnfinishedError, match="allow more time"):
        superfluous(sudoku(HARD), time_limit=0.5)


def test_a_limit_of_one_is_content_with_a_solution() -> None:
    verdict = judge(sudoku(HARD), limit=1)
    assert (verdict.kind, verdict.stopped) == ("solvable", "solution limit")
    assert [verdict.sudoku.text(g) for g in verdict.solutions] == [HARD_SOLUTION]
    assert verdict.differing == []
    with pytest.raises(PuzzleError, match="Shared limits replace"):
        SudokuSearch(sudoku(HARD), limit=1, limits=Limits())


def test_ambiguous_ones_have_two_solutions_and_the_cells_in_which_they_differ() -> None:
    text = HARD_SOLUTION.replace("1", ".").replace("2", ".")
    verdict = judge(sudoku(text))
    assert verdict.kind == "ambiguous"
    one, two = verdict.solutions
    assert one != two
    assert faults(verdict.sudoku, one) == faults(verdict.sudoku, two) == []
    assert verdict.differing == [c for c in range(81) if one[c] != two[c]]
    assert {one[c] for c in verdict.differing} == {1, 2}
    more = judge(sudoku("." * 81), limit=3)
    assert len(more.solutions) == 3
    first, second, _ = more.solutions
    assert more.differing == [c for c in range(81) if first[c] != second[c]]


def test_ctrl_c_during_a_count_has_an_answer_about_the_sudoku() -> None:
    def pressed() -> SudokuAnswer:
        with pytest.raises(Interrupted) as caught:
            count_sudoku(Sudoku(boxed(9, (3, 3)), (0,) * 81))
        answer: SudokuAnswer = caught.value.answer
        return answer

    answer = interrupted(pressed, 1)
    assert isinstance(answer, SudokuAnswer)
    assert (answer.status, answer.raw, answer.stopped) == ("unknown", None, "interrupted")
