"""Texts of any length: no error is long, no parser takes all memory."""

from __future__ import annotations

import json
import tracemalloc
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import exactile
from exactile.cli.main import run
from exactile.errors import LONGEST_LINE, ExactileError, FileError, PieceError
from exactile.files import Document
from exactile.files.sources import MOST_CHARACTERS, Place, parsed
from exactile.runs.ledger.export import read_export

LEDGER = Path(__file__).parents[2] / "docs" / "catalogue" / "ledger.json"
LONG = "x" * 1_000_000


def test_errors_are_lines_that_people_read() -> None:
    with pytest.raises(PieceError) as caught:
        exactile.load("soma-cube").piece(LONG)
    assert len(str(caught.value)) <= LONGEST_LINE
    assert str(caught.value).startswith("The puzzle has no piece 'xxx")
    assert "Its pieces: " in str(caught.value)
    with pytest.raises(FileError) as told:
        Document("my.toml", f'format = 1\n[puzzle."{LONG} "]\n').puzzle("a")
    assert len(str(told.value)) <= LONGEST_LINE
    assert len(str(ExactileError("\n".join([LONG] * 100)))) < 50 * LONGEST_LINE


@pytest.mark.parametrize("words", [["show", LONG[:100_000]], ["show", "soma-cube", LONG[:100_000]]])
def test_the_command_line_too(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words) in (1, 2)
    assert len(capsys.readouterr().err) < 10 * LONGEST_LINE


def test_errors_of_other_programs_files_name_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {
        "a.psv": f"Title\nBoard (({10**30},1))\ntile ((0,0)(1,0))\n",
        "b.psv": "Title\nBoard ((1,1))\ntile ((0,0)(1,0))(5,5)\n",
        "c.txt": f"D:xDim={10**9}:yDim=2\n~D\n",
        "d.txt": f"D:xDim=2:yDim=2\nC:name=A:type=M:layout=0 0 0, {10**30} 0 0\n~D\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
        assert run(["import", str(tmp_path / name)]) == 1
        message = capsys.readouterr().err
        assert name in message
        assert len(message.splitlines()) == 1


def test_check_names_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "wrong"
    file.write_text("Solving SomaCube:\n\n0,0,0 1,0,0 0,1,0 V\n\n1 solution\n")
    assert run(["check", str(file)]) == 1
    assert f"{file}: 1 of 1 solution of soma-cube is wrong" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text",
    [
        "a" + ".a" * 30_000 + " = 1",
        "[" + "a . " * 30_000 + "a]",
        '"a".' * 30_000 + "'a' = 1",
        'x = """y"""" # """"\n' + "a." * 30_000 + "a = 1",
        "x" * (MOST_CHARACTERS + 1),
    ],
)
def test_deep_keys_and_endless_texts_never_reach_the_parser(text: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(FileError, match=r"a key has more than 16 parts|too long"):
            Document("my.toml", text)
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "text",
    [
        "x = '" + "a." * 100 + "'",
        "# " + "a." * 100,
        'x = """\n' + "a.b.c." * 100 + '"""""\ny = 1',
        "x = '''\n" + "a.b.c." * 100 + "''''\ny = 1",
        r'x = "\"' + "a." * 100 + '"',
    ],
)
def test_what_only_looks_like_a_deep_key_is_read(text: str) -> None:
    assert set(parsed(text, Place("my.toml"))) <= {"x", "y"}


def test_the_text_of_a_large_file_is_not_read(tmp_path: Path) -> None:
    file = tmp_path / "my.toml"
    with file.open("wb") as stream:
        stream.truncate(1 << 34)
    with pytest.raises(FileError, match=r"my\.toml: it is too long"):
        Document(file)


@cache
def with_the_soma_cube() -> dict[str, Any]:
    """Return the document of the ledger with one puzzle."""
    document: dict[str, Any] = json.loads(LEDGER.read_text())
    return document | {"puzzles": [e for e in document["puzzles"] if e["id"] == "soma-cube"]}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"numbers": {"raw": -5, "rotation": 480, "symmetry": 240}}, "it has -5"),
        ({"numbers": {"raw": 11520, "rotation": 480, "symmetry": 481}}, "481 up to symmetry"),
        ({"numbers": {"raw": 100, "rotation": 480, "symmetry": 240}}, "it has 100"),
        ({"numbers": {"raw": 11520, "rotation": 400, "symmetry": 240}}, "with 48 symmetries"),
        ({"numbers": {"raw": 0, "rotation": 0, "symmetry": 0}}, "exact and has 0 solutions"),
        ({"numbers": None}, "has no numbers"),
        ({"at_least": 11521}, "11,521 solutions are known"),
        ({"at_least": -1}, "negative"),
        ({"status": "unsolvable"}, "unsolvable and has 11,520"),
        ({"status": "unheard of"}, "unheard of"),
        ({"proper": 0}, "0 of them proper"),
        ({"shares": {"V": {"raw": 1, "rotation": 1, "symmetry": 1}}}, "do not add up"),
    ],
)
def test_a_ledger_that_contradicts_itself_is_refused(
    change: dict[str, Any], told: str, tmp_path: Path
) -> None:
    document = with_the_soma_cube()
    (line,) = document["puzzles"]
    file = tmp_path / "known.json"
    file.write_text(json.dumps(document | {"puzzles": [line | change]}))
    with pytest.raises(FileError, match=rf"known\.json: the record of soma-cube .*{told}"):
        read_export(file)
    assert run(["catalogue", "verify", "--known", str(file), "--puzzle", "soma-cube"]) == 1
    file.write_text(json.dumps(document | {"puzzles": [line]}))
    assert read_export(file)[0].numbers is not None
