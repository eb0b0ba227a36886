"""Reading and writing exact-cover problems: details and messages."""

from __future__ import annotations

from dataclasses import replace
from io import StringIO
from pathlib import Path

import pytest

from exactile.errors import FileError, ModelError, NotFoundError
from exactile.files.models.exact_cover import write_exact_cover
from exactile.files.models.formats import read_model
from exactile.model import Meaning, Model
from support import cover_files as problems


def test_all_of_the_format_in_one_file(tmp_path: Path) -> None:
    path = tmp_path / "example.xcc"
    path.write_text(
        "| comment\n\n  a 2|b 0:3|c | x y  \r\n\tc x:A a\n | more\nb y\nx y\nb x:B\n",
        "utf-8",
    )
    problem = read_model(path)
    model = problem.model
    assert model.meaning.labels == ("a", "b", "c", "x", "y")
    assert (model.lower.tolist(), model.upper.tolist()) == ([1, 2, 0, 0, 0], [1, 2, 3, 1, 1])
    assert [model.option(o).tolist() for o in range(model.options)] == [[0, 2, 3], [1, 4], [1, 3]]
    assert model.colors.tolist() == [0, 0, 1, 0, 0, 0, 2]
    assert problem.colors == ("A", "B")
    assert (problem.lines, problem.ignored) == ((4, 6, 8), (7,))
    assert problem.text(0) == "a c x:A"


def test_a_file_without_options_has_none() -> None:
    model = read_model(StringIO("a b")).model
    assert (model.items, model.options) == (2, 0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the stream: there are no items in it"),
        ("| only\n| comments\n", "the stream: there are no items in it"),
        ("a | x | y\n", "the stream: line 1: a second |: "),
        ("\na b a\n", 'the stream: line 2: the item "a" is named twice.'),
        ("a 2:|b\n", 'the stream: line 1: "2:|b" is not an item: write a, 2|a or 2:3|a.'),
        ("a b:c\n", '"b:c" is not an item'),
        ("3:2|a\n", 'the stream: line 1: "3:2|a": the bounds 3 to 2 are not allowed.'),
        ("0|a\n", '"0|a": the bounds 0 to 0 are not allowed.'),
        ("9999999999|a\n", '"9999999999|a" is not an item'),
        ("a | 2|x\n", '"2|x": a secondary item is covered once or not at all.'),
        ("a b\na\n\na B\n", 'the stream: line 4: there is no item "B".'),
        ("alpha beta\nalpa\n", "line 2: there is no item \"alpa\". Did you mean 'alpha'?"),
        ("a | x\na:1 x\n", 'line 2: "a:1": only secondary items have colors.'),
        ("a | x\na x:\n", 'line 2: "x:" is not a colored item: a color is one word after a single'),
        ("a | x\na x:1:2\n", 'line 2: "x:1:2" is not a colored item'),
        ("a b\na b\nb a b\n", 'line 3: the item "b" occurs twice in an option.'),
        ("a | x\na x:1 x:2\n", 'line 2: the item "x" occurs twice in an option.'),
        ("a | x\na | x\n", 'line 2: there is no item "|".'),
    ],
)
def test_damaged_files(text: str, message: str) -> None:
    with pytest.raises(FileError) as caught:
        read_model(StringIO(text))
    assert message in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match=r"nowhere\.xcc: there is no such file\."):
        read_model(tmp_path / "nowhere.xcc")
    with pytest.raises(FileError, match="this is a directory: name a file in it"):
        read_model(tmp_path)
    (tmp_path / "latin.xcc").write_bytes(b"a b\na\n\xe9\n")
    with pytest.raises(FileError, match=r"latin\.xcc: line 3: not UTF-8: byte 0xe9\."):
        read_model(tmp_path / "latin.xcc")


def written(model: Model, **options: list[str]) -> list[str]:
    stream = StringIO()
    write_exact_cover(model, stream, **options)
    return stream.getvalue().splitlines()


def test_primary_items_are_written_first() -> None:
    model = Model.of_options([[0, 1, 2], [2]], [0, 1, 0], [1, 1, 4])
    assert written(model) == ["item1 0:4|item2 | item0", "item1 item2 item0", "item2"]


def test_options_of_secondary_items_get_an_item_that_forbids_nothing() -> None:
    model = Model.of_options([[0], [0, 1], [0]], [0, 1], [1, 1])
    assert written(model) == ["item1 0:2|+ | item0", "+ item0", "item1 item0", "+ item0"]
    assert written(Model.of_options([], [], [])) == ["0:1|+"]


def test_items_that_must_not_be_covered_are_left_out() -> None:
    model = Model.of_options([[0], [0, 1]], [1, 0], [1, 0])
    assert written(model) == ["item0", "item0"]


def test_bounds_of_any_size_can_be_read_again() -> None:
    lines = written(Model.of_options([[0, 1], [1]], [1, 0], [1, 2**31 - 1]))
    assert lines[0] == "item0 0:999999999|item1"
    again = read_model(StringIO("\n".join(lines))).model
    assert (again.lower.tolist(), again.upper.tolist()) == ([1, 0], [1, 999_999_999])


def test_labels_that_cannot_be_names_are_numbered() -> None:
    model = Model.of_options([[0, 1, 2, 3]], [1] * 4, [1] * 4)
    meaning = Meaning.of_labels(["piece much too long", "unit 1,2", "a|b", "1,2"], 1, 1)
    assert written(replace(model, meaning=meaning)) == [
        "| #1 is piece much too long",
        "| #2 is a|b",
        "| #3 is 1,2",
        "#1 1,2 #2 #3",
        "#1 1,2 #2 #3",
    ]


def test_colors_have_names() -> None:
    model = Model.of_options([[0, 1]] * 2, [1, 0], [1, 1], colors=[{1: 1}, {1: 70}])
    assert written(model)[1:] == ["item0 item1:1", "item0 item1:70"]
    model = Model.of_options([[0, 1]] * 2, [1, 0], [1, 1], colors=[{1: 1}, {1: 11}])
    assert written(model)[1:] == ["item0 item1:1", "item0 item1:b"]
    named = [f"c{k}" for k in range(1, 12)]
    assert written(model, colors=named)[1:] == ["item0 item1:c1", "item0 item1:c11"]
    with pytest.raises(ModelError, match="There are 11 colors, but 2 names"):
        written(model, colors=["red", "blue"])
    with pytest.raises(ModelError, match="A color cannot be named 'c 5'"):
        written(model, colors=[f"c {k}" if k == 5 else f"c{k}" for k in range(1, 12)])


def test_a_file_is_written_as_it_was_read() -> None:
    problem = read_model(StringIO(problems.BOUNDS))
    lines = written(problem.model, colors=list(problem.colors), comments=["two\nlines"])
    assert lines == ["| two lines", *problems.BOUNDS.splitlines()[1:]]


def test_a_byte_order_mark_is_no_part_of_a_name(tmp_path: Path) -> None:
    file = tmp_path / "marked.xc"
    file.write_bytes(b"\xef\xbb\xbfa b\na b\n")
    assert read_model(file).model.meaning.labels == ("a", "b")
