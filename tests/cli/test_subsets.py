"""Subsets of the pieces on the command line: solve --up-to pieces, count --by-pieces, subsets."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pypdfium2 import PdfDocument

import exactile
from exactile.answers import Survey
from exactile.cli.subsets_command import SubsetLine
from exactile.render.paper import PALETTE
from support.command_line import Cli

SOME = """\
format = 1

[puzzle.two]
lattice = "square"
pieces = { set = "tetrominoes", ranges = "0..2" }
region.box = [4, 2]

[puzzle.none]
lattice = "square"
pieces = { set = "tetrominoes", ranges = "0..1" }
region.box = [3, 3]
"""


@pytest.fixture
def some(tmp_path: Path) -> str:
    path = tmp_path / "some.toml"
    path.write_text(SOME, "utf-8")
    return str(path)


def test_regions_that_no_choice_of_the_pieces_fits_are_told(cli: Cli) -> None:
    code, out, err = cli("subsets", "pentominoes-3x20", "--cells", "5")
    assert (code, out) == (0, "")
    assert "no such region has as many units as the pieces of pentominoes-3x20 cover, 60." in err
    assert 'ranges = "0..1"' in err
    code, out, err = cli("subsets", "shader-hexagon", "--cells", "3", "--symmetric", "9", "--json")
    assert (code, json.loads(out)["puzzles"]) == (0, [])
    assert "no such region with 9 symmetries or more" in err


def test_a_sheet_has_the_number_of_solutions_where_there_is_one_subset(
    cli: Cli, tmp_path: Path
) -> None:
    file = tmp_path / "days.svg"
    assert cli("subsets", "calendar-10-06", "-o", str(file))[0] == 0
    assert ">8 pieces, 7 solutions<" in file.read_text("utf-8")


def test_one_solution_of_each_subset_is_drawn(cli: Cli, some: str) -> None:
    code, out, err = cli("solve", f"{some}#two", "--all", "--up-to", "pieces")
    assert code == 0
    heads = [line.partition(". ") for line in out.splitlines() if ". " in line]
    assert [number for number, _, _ in heads] == ["1", "2", "3"]
    assert {names for _, _, names in heads} == {"2×I4", "2×L4", "2×O4"}
    assert "two, dlx: all 3 subsets, " in err


@pytest.mark.parametrize("backend", ["dlx", "sat"])
def test_solutions_of_subsets_as_json_hold(cli: Cli, backend: str) -> None:
    code, out, err = cli(
        "solve", "shader-hexagon", "--all", "--up-to", "pieces", "--json", "--backend", backend
    )
    document = json.loads(out)
    assert (code, err, document["status"]) == (0, "", "complete")
    assert len(document["subsets"]) == 8
    assert len({tuple(entry["pieces"]) for entry in document["subsets"]}) == 8
    for entry in document["subsets"]:
        assert [name for name, _ in entry["solution"]] == list(entry["pieces"])
        assert sum(len(units) for _, units in entry["solution"]) == 12


def test_solutions_of_subsets_go_to_a_file_that_check_reads(cli: Cli, tmp_path: Path) -> None:
    path = str(tmp_path / "found.jsonl")
    code, out, _ = cli(
        "solve",
        "shader-hexagon",
        "--all",
        "--up-to",
        "pieces",
        "--format",
        "jsonl",
        "-o",
        path,
        "-q",
    )
    assert (code, out) == (0, "")
    code, out, _ = cli("check", "shader-hexagon", path)
    assert (code, out) == (0, "8 solutions of shader-hexagon, all right and all different\n")


def test_a_limit_and_no_solution(cli: Cli, some: str) -> None:
    code, out, err = cli("solve", "shader-hexagon", "--up-to", "pieces", "--limit", "2")
    assert (code, out.count(". ")) == (0, 2)
    assert "shader-hexagon, dlx: 2 subsets, " in err
    code, out, err = cli("solve", f"{some}#none", "--all", "--up-to", "pieces")
    assert (code, out) == (0, "")
    assert "no solution (no choice of the pieces has 9 units)" in err
    code, out, err = cli(
        "solve", "shader-ring", "--all", "--up-to", "pieces", "--time-limit", "1e-9", "--json"
    )
    assert (code, json.loads(out)["status"], json.loads(out)["stopped"]) == (
        3,
        "unknown",
        "time limit",
    )


@pytest.mark.parametrize(
    "extra",
    [
        ["--set", "hint=a.jsonl"],
        ["--set", "ordered=yes"],
        ["--set", "use_symmetry=no"],
        ["--format", "svg"],
    ],
)
def test_what_makes_no_sense_with_subsets_is_refused(cli: Cli, extra: list[str]) -> None:
    code, out, err = cli("solve", "shader-hexagon", "--up-to", "pieces", *extra)
    assert (code, out) == (2, "")
    named = " ".join(extra).partition("=")[0]
    assert f"--up-to pieces and {named} exclude each other" in err


def test_one_subset_is_found_unless_more_are_asked_for(cli: Cli) -> None:
    code, out, err = cli("solve", "shader-hexagon", "--up-to", "pieces")
    assert (code, out.count(". ")) == (0, 1)
    assert "shader-hexagon, dlx: 1 subset (" in err or "1 subset," in err


def test_counts_by_pieces(cli: Cli, some: str) -> None:
    code, out, err = cli("count", f"{some}#two", "--by-pieces", "-q")
    assert (code, err) == (0, "")
    assert out.splitlines() == [
        "two, dlx: complete",
        "  all                        4",
        "  up to rotation             4",
        "  up to symmetry             3",
        "  subsets                    3",
        "  in each of them: no piece",
        "  in none of them: T4 Z4",
        "  pieces       all  rotation  symmetry  which",
        "       2         2         2         1  2×L4",
        "       2         1         1         1  2×I4",
        "       2         1         1         1  2×O4",
    ]


def test_counts_by_pieces_as_json_by_both_methods(cli: Cli) -> None:
    documents = []
    for method in ("auto", "memo"):
        code, out, _ = cli("count", "shader-hexagon", "--by-pieces", "--json", "--method", method)
        documents.append(json.loads(out))
        assert code == 0
    plain = exactile.count(exactile.load("shader-hexagon"))
    for document in documents:
        assert (document["raw"], document["rotation"], document["symmetry"]) == (108, 18, 9)
        assert (document["raw"], document["symmetry"]) == (plain.raw, plain.symmetry)
        assert document["unused"] == ["I3", "L3", "S3", "Y3"]
        assert sum(entry["raw"] for entry in document["by_pieces"]) == 108
    assert documents[0]["by_pieces"] == documents[1]["by_pieces"]


def test_counts_by_pieces_that_are_not_final_are_null(cli: Cli) -> None:
    code, out, _ = cli("count", "shader-ring", "--by-pieces", "--json", "--time-limit", "1e-9")
    document = json.loads(out)
    assert (code, document["raw"], document["subsets"], document["needed"]) == (3, None, None, None)
    code, out, _ = cli("count", "shader-hexagon", "--by-pieces", "--certificate", "x")
    assert code == 2


def test_a_survey_of_files_patterns_and_ids(cli: Cli, some: str) -> None:
    code, out, err = cli("subsets", some, "shader-hex*", "--time-limit", "1e6")
    assert code == 0
    rows = [line.split() for line in out.splitlines()[1:]]
    assert [row[0] for row in rows] == ["two", "none", "shader-hexagon", "shader-hexagon-2-open"]
    assert rows[0][1:] == ["8", "2", "3", "4", rows[0][5], "easy"]
    assert out.splitlines()[2].endswith("impossible: no choice of the pieces has 9 units")
    assert err == "4 puzzles: 2 easy, 2 impossible\n"


def test_an_invalid_puzzle_does_not_stop_a_survey(cli: Cli, some: str) -> None:
    Path(some).write_text(SOME.replace("region.box = [4, 2]", "region.boxx = [4, 2]"), "utf-8")
    code, out, err = cli("subsets", some, "shader-hexagon")
    assert (code, [line.split()[0] for line in out.splitlines()[1:]]) == (
        1,
        ["none", "shader-hexagon"],
    )
    assert err.startswith("two: ")
    assert "boxx" in err
    assert err.endswith("3 puzzles: 1 easy, 1 impossible, 1 invalid\n")
    document = Survey.from_json(cli("subsets", some, "--json")[1])
    assert [each.puzzle for each in document.puzzles] == ["none"]
    assert [each.puzzle for each in document.failed] == ["two"]
    assert cli("subsets", f"{some}#two")[:2] == (1, "")


def test_a_survey_is_sorted(cli: Cli) -> None:
    names = ["shader-hexagon", "shader-trapezoid-4x1", "shader-arrowhead"]
    for column in ("units", "effort"):
        code, out, _ = cli("subsets", *names, "--sort", column)
        place = out.splitlines()[0].split().index(column)
        values = [float(line.split()[place].replace(",", "")) for line in out.splitlines()[1:4]]
        assert code == 0
        assert values == sorted(values)
        assert len(set(values)) > 1


def test_a_survey_as_json(cli: Cli) -> None:
    code, out, err = cli("subsets", "shader-hexagon", "shader-spokes", "--json")
    document = json.loads(out)
    assert (code, err, document["finished"]) == (0, "", True)
    hexagon, spokes = document["puzzles"]
    assert (hexagon["difficulty"], hexagon["pieces"], hexagon["subsets"]) == ("easy", [4, 4], 8)
    assert sum(hexagon["example"].values()) == 4
    assert (spokes["difficulty"], spokes["proof"]) == ("impossible", "all was searched: 11 nodes")


def test_a_family_is_searched_written_and_drawn(cli: Cli, tmp_path: Path) -> None:
    file, picture = tmp_path / "found.toml", tmp_path / "found.svg"
    words = ["--cells", "6", "--symmetric", "2", "--write", str(file), "-o", str(picture)]
    code, out, err = cli("subsets", "shader-triangle-2", *words)
    assert (code, err) == (0, "1 puzzle: 1 easy\n")
    assert out.splitlines()[1].split()[:4] == ["shader-triangle-2-11", "12", "4", "8"]
    assert exactile.count(exactile.load(str(file))).raw == 108
    assert picture.read_text("utf-8").count("<svg ") == 2
    assert sum(color in picture.read_text("utf-8") for color in PALETTE) == 4  # it is covered


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["nothing-*"], 1, "No puzzle of the catalogue has an id like 'nothing-*'"),
        (["shader-hexagn"], 1, "Did you mean 'shader-hexagon'?"),
        (["shader-hexagon", "shader-star", "--cells", "3"], 2, "give one PUZZLE"),
        (["shader-hexagon", "--cells", "3", "--units", "3"], 2, "exclude each other"),
        (["shader-hexagon", "--symmetric", "3"], 2, "--symmetric goes with --cells or --units"),
        (["shader-hexagon", "--cells", "99"], 1, "The order 99 is out of range"),
        (["shader-spokes", "--write", "x.toml"], 1, "x.toml is not written"),
    ],
)
def test_bad_requests(cli: Cli, words: list[str], code: int, message: str) -> None:
    got, _, err = cli("subsets", *words)
    assert got == code
    assert message in " ".join(err.split())


@pytest.mark.parametrize("words", [["solve", "--up-to", "pieces"], ["count", "--by-pieces"]])
def test_model_files_have_no_pieces(cli: Cli, words: list[str], tmp_path: Path) -> None:
    path = tmp_path / "model.xcc"
    path.write_text("a b\na b\n", "utf-8")
    code, out, err = cli(words[0], str(path), *words[1:])
    assert (code, out) == (2, "")
    assert f"{words[1]} is for puzzles" in err


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("words", "key", "value"),
    [
        (["subsets", "shader-hexagon", "--json"], "finished", False),
        (["count", "shader-hexagon", "--by-pieces", "--json"], "stopped", "interrupted"),
        (
            ["solve", "shader-hexagon", "--all", "--up-to", "pieces", "--json"],
            "stopped",
            "interrupted",
        ),
    ],
)
def test_ctrl_c_leaves_a_document_and_130(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, words: list[str], key: str, value: object
) -> None:
    monkeypatch.setattr(SubsetLine, "__call__", interrupt)
    code, out, _ = cli(*words)
    assert code == 130
    assert json.loads(out)[key] == value


def test_a_folder_that_is_missing_is_noticed_at_once(cli: Cli, tmp_path: Path) -> None:
    code, out, err = cli("subsets", "shader-star", "-o", str(tmp_path / "none" / "x.svg"))
    assert (code, out) == (1, "")
    assert "Cannot read or write" in err


def test_a_survey_as_pdf_has_pages_of_paper(tmp_path: Path, cli: Cli) -> None:
    file = tmp_path / "a.pdf"
    assert cli("subsets", "shader-hexagon", "shader-spokes", "-o", str(file))[0] == 0
    document = PdfDocument(file)
    texts = [page.get_textpage().get_text_bounded() for page in document]
    assert [text.split()[0] for text in texts] == ["Easy", "Impossible"]
    assert document[0].get_size() == pytest.approx((595.276, 841.89), abs=0.01)
