"""Pictures that commands write: sheets, pages, a page to leaf through; the ending is the format."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import pytest

import exactile
import exactile.cli.output
from exactile.render.pictures import in_time, write_pictures
from exactile.search import Search
from exactile.search.limits import Limits
from support.command_line import Cli


def test_solve_writes_a_sheet(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "all.svg"
    assert cli("solve", "tetrahexes-4x7", "--all", "-o", str(file), "--set", "columns=6")[0] == 0
    text = file.read_text("utf-8")
    assert text.count("<svg ") == 19
    assert ">18</text>" in text


@pytest.mark.parametrize("form", ["png", "pdf", "html"])
def test_solve_writes_every_form(form: str, cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / f"some.{form}"
    assert cli("solve", "pentominoes-6x10", "--limit", "5", "-o", str(file))[0] == 0
    begin = {"png": b"\x89PNG", "pdf": b"%PDF", "html": b"<!DOCTYPE html>"}
    assert file.read_bytes().startswith(begin[form])


def test_render_leafs_through_a_file(cli: Cli, tmp_path: Path) -> None:
    found, page = tmp_path / "found.jsonl", tmp_path / "found.html"
    assert cli("solve", "tetrahexes-4x7", "--all", "-o", str(found))[0] == 0
    assert cli("render", "tetrahexes-4x7", str(found), "-o", str(page))[0] == 0
    text = page.read_text("utf-8").partition('id="solutions">')[2].partition("</script>")[0]
    assert len(json.loads(text)) == 18
    assert cli("render", "tetrahexes-4x7", str(found), "--number", "2", "-o", str(page))[0] == 0
    assert page.read_text("utf-8").count("\n[[") == 1


def test_render_says_that_a_page_does_not_show_all(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, page = tmp_path / "found.jsonl", tmp_path / "found.html"
    assert cli("solve", "tetrahexes-4x7", "--all", "-o", str(found))[0] == 0
    for most, words in (
        (18, ""),
        (17, f"{found} has more than 17 solutions: the page shows the first 17.\n"),
    ):
        monkeypatch.setattr("exactile.cli.drawing_commands.MOST_LEAVES", most)
        code, _, err = cli("render", "tetrahexes-4x7", str(found), "-o", str(page))
        assert (code, err) == (0, words)
        assert page.read_text("utf-8").count("\n[[") == most


def test_a_sheet_of_samples_and_of_pieces(cli: Cli, tmp_path: Path) -> None:
    sheet, pieces = tmp_path / "nine.svg", tmp_path / "pieces.svg"
    assert cli("sample", "dominoes-4x4", "-n", "9", "-o", str(sheet))[0] == 0
    assert sheet.read_text("utf-8").count("<svg ") == 10
    code, _, err = cli("pieces", "square", "5", "-o", str(pieces))
    assert (code, err) == (0, "12 free polyominoes of order 5\n")
    text = pieces.read_text("utf-8")
    assert text.count("<svg ") == 13
    assert ">W</text>" in text


def test_text_solutions_are_numbered(cli: Cli) -> None:
    out = cli("solve", "pentominoes-6x10", "--limit", "2")[1]
    assert out.startswith("1.\n")
    assert "\n\n2.\n" in out
    assert not cli("solve", "pentominoes-6x10")[1].startswith("1.")


def test_no_solution_leaves_no_file(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "none.html"
    cli("solve", "mutilated-chessboard-6x6", "--all", "-o", str(file))
    assert not file.exists()


def test_ctrl_c_leaves_a_sheet_of_what_was_found(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Search.__next__

    def third(search: Search) -> exactile.Solution:
        if len(seen) == 3:
            raise KeyboardInterrupt
        seen.append(1)
        return real(search)

    seen: list[int] = []
    monkeypatch.setattr(Search, "__next__", third)
    file = tmp_path / "three.svg"
    assert cli("solve", "pentominoes-6x10", "--all", "-o", str(file))[0] == 130
    assert file.read_text("utf-8").count("<svg ") == 4


def test_names_that_are_not_ascii_are_utf8(cli: Cli, tmp_path: Path) -> None:
    source = tmp_path / "käse.toml"
    source.write_text(
        'format = 1\n[puzzle.k]\ntitle = "Käse ♥"\nlattice = "square"\n'
        'pieces = { set = "domino", copies = { I2 = 2 } }\nregion = { box = [2, 2] }\n',
        encoding="utf-8",
    )
    for form in ("svg", "html"):
        file = tmp_path / f"a.{form}"
        assert cli("solve", str(source), "--all", "-o", str(file))[0] == 0
        assert "Käse ♥" in file.read_text("utf-8")


class Hourglass(Limits):
    """A second less is left each time one asks."""

    @property
    def left(self) -> float:
        self.seconds = (self.seconds or 0) - 1
        return max(self.seconds, 0.0)


def test_drawing_ends_with_the_time_and_one_is_drawn_at_least() -> None:
    solutions: list[exactile.Solution] = [()] * 9
    for seconds, number in ((4, 3), (1, 1), (0.5, 1), (100, 9)):
        some = list(in_time(iter(solutions), Hourglass(seconds), conversion=0.0))
        assert len(some) == number


@pytest.mark.parametrize("form", ["svg", "png", "pdf", "html"])
def test_every_format_keeps_the_limits(form: str) -> None:
    puzzle = exactile.load("tetrahexes-4x7")
    with Search(puzzle) as search:
        found = list(search)
    stream = BytesIO()
    assert write_pictures(puzzle, found, stream, form, limits=Hourglass(3)) == 2
    assert stream.getvalue()


def test_what_was_not_drawn_is_told_as_not_finished(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All 18 solutions come in one batch, so that the search itself ends in time."""
    some = tmp_path / "some.jsonl"
    assert cli("solve", "tetrahexes-4x7", "--all", "-o", str(some))[0] == 0
    write = exactile.cli.output.write_found_pictures
    monkeypatch.setattr(
        "exactile.cli.solve_commands.write_found_pictures",
        lambda *given, limits, **named: write(*given, **named, limits=Hourglass(3)),
    )
    for words in (("solve", "tetrahexes-4x7", "--all"), ("render", "tetrahexes-4x7", str(some))):
        file = tmp_path / f"{words[0]}.html"
        code, _, err = cli(*words, "-o", str(file))
        assert code == 3
        assert "Only the first 2 are drawn: the time limit was reached." in err
        assert file.read_text("utf-8").count('[["') == 2


def test_pictures_of_classes_that_came_too_late_are_told(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("exactile.cli.classes_command.Limits.rest", lambda limits: Hourglass(8))
    monkeypatch.setattr("exactile.cli.classes_command.Limits.within", lambda *_: Limits())
    file = tmp_path / "silhouettes.svg"
    code, out, err = cli("classes", "soma-cube", "--silhouettes", str(file))
    assert code == 3
    assert "18 classes" in out
    assert f"{file} is not written: the time limit came first." in err
    assert not file.exists()
