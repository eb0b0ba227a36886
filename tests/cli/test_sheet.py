"""`exactile sheet`: pages of paper."""

from __future__ import annotations

from pathlib import Path

import pytest
from pypdfium2 import PdfDocument

import exactile
from exactile.cli.options import Length
from support.command_line import Cli


def test_a_booklet_has_challenges_and_solutions(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "soma.pdf"
    words = ("soma-c*", "--bank", "--solutions", "--title", "Soma", "-o", str(path))
    code, out, err = cli("sheet", *words, "--per-page", "2")
    assert (code, out) == (0, "")
    document = PdfDocument(path)
    assert err.endswith(f" puzzles on {len(document)} pages\n")
    texts = [page.get_textpage().get_text_bounded() for page in document]
    assert all(text.startswith("Soma") for text in texts)
    assert texts[0].count("1. ") == 1
    assert "Soma: solutions" in texts[-1]


def test_an_unsolvable_puzzle_has_a_board_and_no_solution(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "a.svg"
    code, _, err = cli("sheet", "tetrominoes-5x4", "--boards", "solved", "-o", str(path))
    assert code == 0
    assert "tetrominoes-5x4, without its solution: unsolvable (" in err
    assert "<svg" in path.read_text("utf-8")


def test_several_pages_as_svg_need_a_file_for_each(tmp_path: Path, cli: Cli) -> None:
    words = ("sheet", "soma-cube", "tetrahexes-4x7", "--per-page", "1", "-o")
    code, _, err = cli(*words, str(tmp_path / "a.svg"))
    assert code == 2
    assert "Several pages as svg need a file for each: write -o 'page-{page}.svg'" in err
    assert cli(*words, str(tmp_path / "a-{page}.svg")) == (0, "", "2 puzzles on 2 pages\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a-1.svg", "a-2.svg"]


@pytest.mark.parametrize(
    "words",
    [
        "soma-cube --solutions",
        "soma-cube --solutions --cell 9mm",
        "soma-cube tetrahexes-4x7 --boards solved --per-page 1",
        "soma-c* --boards solved",
        "soma-c* --boards solved --columns 5",
    ],
)
def test_pages_without_files_are_refused_before_a_search(
    words: str, tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "exactile.reasons.verdict.prove", lambda *_, **__: pytest.fail("it searches")
    )
    code, _, err = cli("sheet", *words.split(), "-o", str(tmp_path / "a.png"))
    assert code == 2
    assert "Several pages as png need a file for each: write -o 'page-{page}.png'" in err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "remedy"),
    [
        ("p-{page}.pdf", "a PDF has all pages in one file: leave out {page}."),
        ("{name}.pdf", "a PDF has all pages in one file: leave out {name}."),
        ("{name}-{page}.pdf", "a PDF has all pages in one file: leave out {page} and {name}."),
        ("{name}.svg", "files of pages are numbered: write {page} in place of {name}."),
        ("{name}-{page}.svg", "files of pages are numbered: write {page} in place of {name}."),
    ],
)
@pytest.mark.parametrize("words", ["sheet tetrahexes-4x7", "pieces soma-cube --cell 9mm"])
def test_placeholders_are_never_names(
    words: str, name: str, remedy: str, tmp_path: Path, cli: Cli
) -> None:
    code, _, err = cli(*words.split(), "-o", str(tmp_path / name))
    assert code == 2
    assert f"{name}: {remedy}" in " ".join(err.split())
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("0..xdomino", "I2 has no limit: say how many there are at most, such as 0..8xI2."),
        ("2..xX --count", "X has no limit"),
        (
            "0..99999xdomino --cell 20mm -o cut.pdf",
            "99,999 pieces to cut out: the limit is 10,000.",
        ),
    ],
)
def test_pieces_without_a_region_are_a_number_of_pieces(
    words: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli
) -> None:
    monkeypatch.chdir(tmp_path)
    code, _, err = cli("pieces", *words.split())
    assert (code, message in " ".join(err.split())) == (2, True), err
    assert not list(tmp_path.iterdir())


def test_a_title_may_be_any_text(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "a.pdf"
    assert cli("sheet", "soma-cube", "--title", "a\x01 <b> & c", "-o", str(path))[0] == 0
    assert "<b> & c" in PdfDocument(path)[0].get_textpage().get_text_bounded()


def test_boards_are_empty_given_or_solved(tmp_path: Path, cli: Cli) -> None:
    fixed = ("pentominoes-6x10", "--fix", "X@2,1 1..3,2 2,3", "-o")
    pieces = {}
    for kind in ("empty", "given", "solved"):
        path = tmp_path / f"{kind}.svg"
        assert cli("sheet", *fixed, str(path), "--boards", kind)[0] == 0
        pieces[kind] = path.read_text("utf-8").count("<g>")
    assert pieces == {"empty": 0, "given": 1, "solved": 12}


def test_true_size_has_a_ruler_and_an_error_names_the_largest(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "a.svg"
    assert cli("sheet", "pentominoes-6x10", "--cell", "1.5cm", "-o", str(path))[0] == 0
    assert "data-ruler" in path.read_text("utf-8")
    code, _, err = cli("sheet", "pentominoes-6x10", "--cell", "1in", "-o", str(path))
    assert code == 1
    assert "take cells of at most" in err


def test_true_size_has_no_number_of_columns(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "a.svg"
    words = ("--cell", "9mm", "--columns", "2", "-o", str(path))
    code, _, err = cli("sheet", "tetrahexes-4x7", *words)
    assert code == 2
    assert "--cell and --set columns exclude each other: with --cell, a row holds" in err
    assert not path.exists()


def test_pieces_in_true_size_are_of_a_set_or_as_many_as_a_puzzle_needs(
    tmp_path: Path, cli: Cli
) -> None:
    path = tmp_path / "a.pdf"
    assert cli("pieces", "pentominoes", "--cell", "20mm", "-o", str(path))[0] == 0
    assert PdfDocument(path)[0].get_size() == pytest.approx((595.276, 841.89), abs=0.01)
    words = ("--cell", "20mm", "--paper", "letter", "--colors", "gray", "-o", str(path))
    assert cli("pieces", "t-tetrominoes-6x6", *words)[2] == "T tetrominoes, 6 by 6: 9 pieces\n"
    texts = [page.get_textpage().get_text_bounded() for page in PdfDocument(path)]
    assert sum(text.count("100 mm") for text in texts) == len(texts)
    assert PdfDocument(path)[0].get_size() == pytest.approx((612, 792), abs=0.01)


def test_pieces_of_a_puzzle_are_listed_and_counted(cli: Cli) -> None:
    code, out, err = cli("pieces", "soma-cube")
    assert (code, out.count("\n"), err) == (0, 7, "Soma, cube: 7 pieces\n")
    assert out.startswith("L  0,0,0 0,1,0 1,0,0 2,0,0\n")
    assert cli("pieces", "one-sided-tetrominoes", "--count")[1] == "7\n"
    assert cli("pieces", "30xdomino", "--count")[1] == "30\n"


def test_options_of_orders_are_not_for_puzzles(cli: Cli) -> None:
    for word in ("--one-sided", "--fixed", "--quasi", "--json"):
        code, _, err = cli("pieces", "soma-cube", word)
        assert code == 2
        assert f"{word} is for LATTICE ORDER" in err
    assert "name a file, -o pieces.pdf" in cli("pieces", "pentominoes", "--cell", "9mm")[2]
    assert cli("pieces", "nothing-of-that-name")[0] == 1


@pytest.mark.parametrize(
    ("word", "length"), [("20mm", 20), ("2cm", 20), ("0.75in", 19.05), ("7", 7), (" 2 CM ", 20)]
)
def test_lengths_have_units(word: str, length: float) -> None:
    assert Length().convert(word, None, None) == pytest.approx(length)


@pytest.mark.parametrize("word", ["", "x", "-3mm", "0", "1e3", "2km", "99999cm", "nan"])
def test_other_words_are_no_lengths(word: str, cli: Cli) -> None:
    code, _, err = cli("sheet", "soma-cube", "--cell", word)
    assert code == 2
    assert "write 20mm, 2cm or 0.75in" in err


def test_many_solutions_fill_pages_of_the_paper(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "a.pdf"
    for paper, size in (("a4", (595.276, 841.89)), ("letter", (612, 792))):
        words = ("--all", "-q", "--columns", "2", "--set", f"paper={paper}", "-o", str(path))
        assert cli("solve", "tetrahexes-4x7", *words)[0] == 0
        document = PdfDocument(path)
        assert len(document) > 1
        for page in document:
            assert page.get_size() == pytest.approx(size, abs=0.01)


def test_challenges_come_by_level_with_hints_upside_down(tmp_path: Path, cli: Cli) -> None:
    puzzle = exactile.load("tetrahexes-4x7")
    found = [
        exactile.design_challenges(puzzle, 1, open_pieces=n, graded=True).challenges[0]
        for n in (5, 2)
    ]
    assert [challenge.level for challenge in found] == sorted(
        (challenge.level for challenge in found), key=lambda level: -(level or 0)
    )
    assert found[0].level != found[1].level
    source, path = tmp_path / "a.toml", tmp_path / "a.pdf"
    names = ("hard", "soft")
    made = [exactile.challenge_puzzle(puzzle, c, n) for c, n in zip(found, names, strict=True)]
    several = exactile.load("soma-cube")
    exactile.write_puzzles(str(source), [*made, several])
    code, _, err = cli("sheet", str(source), "--graded", "-o", str(path))
    assert code == 0
    assert "Without its level: soma-cube has several solutions" in err
    boards, hints = [page.get_textpage().get_text_bounded() for page in PdfDocument(path)]
    words = [
        f"{n}. {name} ({c.word})"
        for n, name, c in zip((1, 2), names[::-1], found[::-1], strict=True)
    ]
    assert all(each in " ".join(boards.split()) for each in words)
    assert hints.startswith("Hints")
    code, _, err = cli("sheet", f"{source}#soft", "--graded", "-o", str(tmp_path / "a-{page}.svg"))
    assert code == 0
    page = (tmp_path / "a-2.svg").read_text("utf-8")
    assert "rotate(180" in page
    assert "no other" in page
    assert "rotate(180" not in (tmp_path / "a-1.svg").read_text("utf-8")
