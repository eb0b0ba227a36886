"""Labels of units in puzzle files: words, units, what is wrong with them, where they show."""

from __future__ import annotations

from typing import Any

import pytest

import exactile
from exactile.errors import PuzzleError
from exactile.files.puzzles.document import Document
from exactile.files.puzzles.writer import puzzle_text
from exactile.puzzle import Puzzle
from exactile.render import draw_svg

HEAD = """
format = 1
[puzzle.a]
lattice = "square"
pieces = "3xdomino"
region.box = [3, 2]
"""

BOARDS: dict[str, dict[str, Any]] = {
    "square": {"box": (3, 2)},
    "hexagon": {"box": (3, 2)},
    "triangle": {"box": (2, 2)},
    "cube": {"box": (2, 2, 2)},
    "square-edges": {"box": (2, 1)},
}


def puzzle(text: str) -> Puzzle:
    return Document("my.toml", HEAD + text).puzzle("a")


def test_words_and_units_say_the_same() -> None:
    drawn = puzzle('labels = """\nJan . Mar\n1 2 1\n"""')
    listed = puzzle('labels = { Jan = "0,1", Mar = "2,1", 1 = "0,0 2,0", 2 = "1,0" }')
    assert drawn.labels == listed.labels
    assert drawn.labels[0, 1] == "Jan"
    assert (1, 1) not in drawn.labels


def test_labels_are_not_part_of_what_is_asked() -> None:
    assert puzzle('labels = "1 2 3\\n4 5 6"') == puzzle("")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('labels = "1 2 3"', "1 lines, and the region 2 lines"),
        ('labels = "1 2 3\\n4 5"', "line 2 has 2 words for 3 units"),
        ('labels = { Jan = "5,5" }', "outside the region"),
        (f'labels = {{ {"x" * 21} = "0,0" }}', "1 to 20 printable characters"),
        ('labels = { Jan = "0..1,0", Feb = "1,0" }', "'Jan' and 'Feb' label the same unit"),
        ('labels = { "\\u0007" = "0,0" }', "1 to 20 printable characters"),
        ("labels = 5", "labels"),
    ],
)
def test_what_is_wrong_is_said(text: str, message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        puzzle(text)


@pytest.mark.parametrize("words", [["a", "b"], ["New Year", "."], ["a\\b", '"""'], [" a", "b "]])
@pytest.mark.parametrize("lattice", BOARDS)
def test_written_labels_are_read_again(lattice: str, words: list[str]) -> None:
    empty = exactile.make_puzzle({"orders": [1]}, lattice=lattice, **BOARDS[lattice])
    units = [tuple(unit) for unit in empty.region.units.tolist()]
    labels = dict(zip(units, words, strict=False))
    labeled = Puzzle("a", empty.region, empty.pieces, labels=labels)
    text = f"format = 1\n{puzzle_text(labeled)}"
    assert Document("my.toml", text).puzzle("a").labels == labels


def test_labels_of_open_units_are_drawn() -> None:
    board = exactile.make_puzzle(
        {"set": "domino", "copies": 2},
        box=(3, 2),
        open=[{"units": "0..2,0..1", "exactly": 2}],
        labels={"Jan": "0,0", "Feb": "2,1"},
        fixed=[{"piece": "I2", "units": "2,0..1"}],
    )
    solutions = list(exactile.Search(board))
    drawn = [">Jan<" in draw_svg(board, solution) for solution in solutions]
    covered = [any((0, 0) in p.units for p in solution) for solution in solutions]
    assert len(set(covered)) == 2
    assert drawn == [not c for c in covered]
    assert ">Feb<" in draw_svg(board, ())


@pytest.mark.parametrize(
    "labels", [{1: "a"}, {"ab": "a"}, {(0,): "a"}, {(0, 0): 5}, {None: "a"}, 7]
)
def test_labels_of_wrong_types_are_refused(labels: Any) -> None:
    board = puzzle("")
    with pytest.raises(PuzzleError):
        Puzzle("a", board.region, board.pieces, labels=labels)


def test_a_unit_of_a_wrap_has_one_label() -> None:
    text = HEAD.replace("region.box = [3, 2]", "region = { box = [3, 2], wrap = [[3, 0]] }")
    with pytest.raises(PuzzleError, match="'Jan' and 'Feb' label the same unit"):
        Document("my.toml", f'{text}labels = {{ Jan = "0,0", Feb = "3,0" }}').puzzle("a")


@pytest.mark.parametrize(
    "region",
    [
        "{ box = [3, 2], wrap = [[3, 0], [1, 2]] }",
        "{ box = [3, 2], shift = [2, 0], wrap = [[3, 0]] }",
        '{ box = [3, 2], shift = [2, 0], wrap = [["x + 3", "1 - y"]] }',
    ],
)
def test_words_stand_as_the_units_of_a_wrapped_region_are_drawn(region: str) -> None:
    head = HEAD.replace("[3, 2]", region).replace("region.box", "region")
    board = Document("my.toml", f'{head}labels = """\na b c\nd e f\n"""').puzzle("a")
    places = map(tuple, board.region.places.tolist())
    units = map(tuple, board.region.units.tolist())
    where = dict(zip(places, units, strict=True))
    left = min(x for x, _ in where)
    words = [[board.labels[where[left + x, y]] for x in range(3)] for y in (1, 0)]
    assert words == [["a", "b", "c"], ["d", "e", "f"]]
    written = puzzle_text(board)
    assert "a b c\nd e f\n" in written
    assert Document("again.toml", "format = 1\n" + written).puzzle("a").labels == board.labels
