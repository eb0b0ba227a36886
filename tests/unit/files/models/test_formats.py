"""Model files: kinds, messages about damaged JSON, conversions, writing as a whole."""

from __future__ import annotations

import json
from dataclasses import replace
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from typing import IO, Any

import msgspec
import numpy as np
import pytest

from exactile import plugins
from exactile.atomic import written
from exactile.errors import FileError, ModelError, NotFoundError
from exactile.files import load
from exactile.files.models.cnf_writer import write_cnf
from exactile.files.models.exact_cover import ExactCover
from exactile.files.models.formats import (
    FORMATS,
    export_model,
    format_names,
    model_of,
    read_model,
    write_model,
)
from exactile.files.models.model_json import FORMAT, ModelDocument, schema
from exactile.files.puzzles.document import make_puzzle
from exactile.model import Meaning, Model
from exactile.model.lower import lower
from support import cover_files

ITEMS = '"items": [{"label": "a"}, {"label": "b", "lower": 0}]'
GOOD = f'{{"format": 1, {ITEMS}, "options": [{{"items": [0, 1]}}, {{"items": [0]}}]}}'

DAMAGED = [
    ("", "bad JSON: Input data was truncated."),
    ('{"format": 1,\n "items": [}', "bad JSON: JSON is malformed: invalid character (line 2)."),
    ("[]", "expected 'object', got 'array'."),
    ("{}", "object missing required field 'format'."),
    ('{"format": 2}', "format: this version reads format 1, not 2."),
    ('{"format": true}', "format: expected 'int', got 'bool'."),
    ('{"format": 1}', "object missing required field 'items'."),
    (GOOD.replace('"options"', '"optoins"'), "object contains unknown field 'optoins'."),
    (GOOD.replace('"b"', "3"), "items[1].label: expected 'str', got 'int'."),
    (GOOD.replace('"b"', '"a"'), 'items[1]: the label "a" is also that of item 0.'),
    (GOOD.replace('"lower": 0', '"lower": 2'), 'items[1]: "b" has the impossible bounds 2 to 1.'),
    (GOOD.replace('"lower": 0', '"lower": -1'), "impossible bounds -1 to 1."),
    (GOOD.replace('"lower": 0', '"upper": 5000000000'), "impossible bounds 1 to 5000000000."),
    (GOOD.replace('"lower": 0', '"kind": "cell"'), "items[1].kind: invalid enum value 'cell'."),
    (
        GOOD.replace('"lower": 0', '"kind": "piece"'),
        "items[1].kind: pieces come first, then units, then other items.",
    ),
    (GOOD.replace("[0]", "[2]"), "options[1].items: there is no item 2: they are numbered 0 to 1."),
    (GOOD.replace("[0]", f"[{10**25}]"), "options[1].items: there is no item 1000"),
    (GOOD.replace("[0]", "[-1]"), "options[1].items: there is no item -1"),
    (GOOD.replace("[0]", "[]"), "options[1].items: an option has at least one item."),
    (GOOD.replace("[0]", "[1, 1]"), "options[1].items: an item occurs twice: [1, 1]."),
    (
        GOOD.replace("[0]}", '[0], "colors": []}'),
        "options[1].colors: there are 0 of them for 1 items",
    ),
    (
        GOOD.replace("[0]}", '[0], "colors": ["A"]}'),
        'options[1].colors: there is no color "A": name it under colors at the top.',
    ),
    (GOOD.replace("[0]}", '[0], "colors": [""]}'), 'options[1].colors: there is no color "": name'),
    (
        GOOD.replace("[0]}", '[0], "colors": ["A"]}').replace(
            '"items": [{', '"colors": ["A"], "items": [{'
        ),
        "Item 0 (a) is colored, but its bounds are 1..1: they must be 0..1.",
    ),
    (
        GOOD.replace('"items": [{', '"colors": ["A", "A"], "items": [{'),
        "colors: a color is named twice.",
    ),
    ('{"format": 1, "x": ' + "[" * 100_000, "bad JSON: it is nested too deeply."),
]


@pytest.mark.parametrize(("text", "message"), DAMAGED)
def test_damaged_files_get_one_message(text: str, message: str) -> None:
    with pytest.raises(FileError) as caught:
        read_model(StringIO(text), "json")
    assert str(caught.value).startswith("the stream: ")
    assert message in str(caught.value)


def test_the_good_file_is_good() -> None:
    model = read_model(StringIO(GOOD)).model
    assert (model.lower.tolist(), model.upper.tolist()) == ([1, 0], [1, 1])
    assert [model.option(o).tolist() for o in range(2)] == [[0, 1], [0]]


def test_items_of_an_option_in_any_order() -> None:
    text = (
        '{"format": 1, "colors": ["A", "B"], '
        '"items": [{"label": "x", "lower": 0}, {"label": "p"}, {"label": "y", "lower": 0}], '
        '"options": [{"items": [2, 0, 1], "colors": ["B", "A", null]}]}'
    )
    problem = read_model(StringIO(text))
    assert problem.text(0) == "x:A p y:B"
    assert problem.model.colors.tolist() == [1, 0, 2]


def test_every_prefix_of_a_file_is_damaged(tmp_path: Path) -> None:
    """A file that was cut off is noticed, wherever that happened."""
    stream = StringIO()
    write_model(read_model(StringIO(cover_files.COLORS)), stream, "json")
    text = stream.getvalue().rstrip("\n")
    for end in range(len(text)):
        with pytest.raises(FileError):
            read_model(StringIO(text[:end]), "json")


def test_the_schema_describes_what_is_written() -> None:
    stream = StringIO()
    write_model(model_of(load("soma-cornerstone"), placements=True), stream, "json")
    document = msgspec.json.decode(stream.getvalue(), type=ModelDocument)
    assert document.format == FORMAT
    assert document.items[0].kind == "piece"
    assert len(document.options) == 317
    properties = schema()["$defs"]["ModelDocument"]["properties"]
    assert set(json.loads(stream.getvalue())) <= set(properties)


def test_two_rules_about_the_same_pieces_have_labels_of_their_own() -> None:
    rules = [{"pieces": ["X", "T"], key: 1} for key in ("at_least", "at_most")]
    puzzle = make_puzzle({"set": "pentominoes", "ranges": "0..1"}, box=(5, 5), use=rules)
    stream = StringIO()
    write_model(model_of(puzzle), stream, "json")
    again = read_model(StringIO(stream.getvalue())).model
    assert again.digest == lower(puzzle).digest
    assert again.meaning.labels[-2:] == ("uses of X T, rule 1", "uses of X T, rule 2")


def test_a_label_that_occurs_twice_is_not_written_as_json() -> None:
    meaning = Meaning(("a", "a"))
    problem = ExactCover(replace(Model.of_options([[0, 1]], [1, 1], [1, 1]), meaning=meaning))
    with pytest.raises(ModelError, match="its own label, but two are 'a'"):
        write_model(problem, StringIO(), "json")


def test_the_largest_bound_is_read_back() -> None:
    stream = StringIO()
    write_model(ExactCover(Model.of_options([[0]], [0], [2**31 - 1])), stream, "json")
    assert read_model(StringIO(stream.getvalue())).model.upper.tolist() == [2**31 - 1]


def test_the_kind_of_a_file(tmp_path: Path) -> None:
    for name, text in [("a.json", GOOD), ("b.dlx", "a b\na\n"), ("c", GOOD), ("d.txt", "a\na\n")]:
        (tmp_path / name).write_text(text, "utf-8")
        assert read_model(tmp_path / name).model.meaning.labels[0] == "a"
    with pytest.raises(FileError, match="bad JSON"):
        read_model(tmp_path / "b.dlx", "json")
    with pytest.raises(NotFoundError, match="no such file"):
        read_model(tmp_path / "none.json")
    with pytest.raises(FileError, match="no reader for 'cnf'"):
        read_model(tmp_path / "c", "cnf")
    with pytest.raises(FileError, match="There is no format 'nothing'"):
        write_model(read_model(tmp_path / "c"), StringIO(), "nothing")


def test_the_kind_of_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(name: str, text: str) -> ExactCover:
        monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(text.encode())))
        return read_model(name)

    with pytest.raises(FileError, match=r"^standard input: .*expected 'object'"):
        read("json:-", '"a"\n"a"\n')
    assert read("xcc:-", "{a b\n{a b\n").model.meaning.labels == ("{a", "b")
    assert read("-", GOOD).model.meaning.labels == ("a", "b")


def test_puzzle_commands_say_what_a_model_file_is(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="model file, not of a puzzle: `exactile count"):
        load("queens.dlx")


def test_labels_that_formats_cannot_hold() -> None:
    """Spaces, quotes, line ends and other scripts in labels break no format."""
    bounds = np.ones(3, dtype=np.int32)
    labels = ('a "b"\\\n', "unit é|:", "x" * 600)
    first, members = np.array([0, 3, 4]), np.array([0, 1, 2, 0], dtype=np.int32)
    model = Model(bounds, bounds, first, members, meaning=Meaning(labels))
    for form in FORMATS:
        stream = StringIO()
        write_model(ExactCover(model, title="two\nlines"), stream, form)
        text = stream.getvalue()
        lines = text.splitlines()
        assert "lines" not in {line.split()[0] for line in lines if line.split()}
        if form == "lp":
            assert max(map(len, lines)) <= 255
        if form in ("xcc", "json"):
            assert read_model(StringIO(text)).model.options == 2


def test_native_cannot_be_written() -> None:
    model = Model.of_options([[0]], [1], [1])
    with pytest.raises(ModelError, match="'native' has no clauses to write: take pairwise"):
        write_cnf(model, StringIO(), encoding="native")


def write_half(path: Path) -> None:
    with written(path) as stream:
        stream.write("half of it")
        raise KeyboardInterrupt


def test_what_a_format_does_not_have_is_refused(tmp_path: Path) -> None:
    problem = read_model(StringIO(GOOD))
    with pytest.raises(FileError, match=r"opb has no encodings: only cnf, icnf, wcnf have\."):
        export_model(problem, tmp_path / "a.opb", "opb", encoding="pairwise")
    with pytest.raises(FileError, match="in the format cnf has no cubes"):
        write_model(problem, StringIO(), "cnf", cubes=2)
    assert not [*tmp_path.iterdir()]


def test_a_file_is_written_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.cnf"
    path.write_text("old", "utf-8")
    with pytest.raises(KeyboardInterrupt):
        write_half(path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
    link = tmp_path / "link"
    link.symlink_to(path)
    with written(link) as stream:
        stream.write("new")
    assert (path.read_text(), link.is_symlink()) == ("new", True)
    with written("/dev/null") as stream:
        stream.write("nothing")
    assert Path("/dev/null").is_char_device()
    with pytest.raises(FileNotFoundError), written(tmp_path / "none" / "a.cnf"):
        pass


def write_sizes(model: Model, output: IO[str], *, colors: Any, comments: Any) -> None:
    output.write(f"{model.items} {model.options} {list(comments)}\n")


def test_an_installed_package_adds_a_format(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugins, "_loaders", lambda group: {"sizes": lambda: write_sizes})
    assert format_names() == [*FORMATS, "sizes"]
    stream = StringIO()
    write_model(ExactCover(Model.of_options([[0]], [1], [1]), title="one"), stream, "sizes")
    assert stream.getvalue().startswith("1 1 ['one', 'digest of the model: ")


def test_a_format_that_cannot_be_loaded_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> Any:
        raise ImportError("No module named 'gone'")

    monkeypatch.setattr(plugins, "_loaders", lambda group: {"sizes": broken})
    problem = ExactCover(Model.of_options([[0]], [1], [1]))
    with pytest.raises(FileError, match="'sizes' cannot be loaded: No module named 'gone'"):
        write_model(problem, StringIO(), "sizes")
    with pytest.raises(FileError, match=r"no format 'size'.*cpsat, sizes"):
        write_model(problem, StringIO(), "size")


@pytest.mark.parametrize("title", ["p show 1 0", "t pmc"])
def test_a_title_is_no_instruction_for_counters(title: str) -> None:
    model = Model.of_options([[0], [0]], [1], [1])
    stream = StringIO()
    write_model(ExactCover(model, title=title), stream, "cnf")
    lines = stream.getvalue().splitlines()
    assert [line for line in lines if line.startswith(("c p", "c t"))] == ["c t mc"]
    assert any(title[2:] in line for line in lines)
