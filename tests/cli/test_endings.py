"""Files that commands write: the ending is the format, and they are tried before any work."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from click import UsageError

from exactile.cli.output import FITTING, form_of
from exactile.files.models.formats import FORMATS, read_model
from exactile.files.reading import load
from support.command_line import Cli

DRAWN = [("solve", "tetrahexes-4x7"), ("sample", "dominoes-4x4"), ("render", "tetrahexes-4x7")]
PICTURES = [*DRAWN, ("queens", "6"), ("sudoku", "one.txt"), ("peg", "triangle-4", "--start", "2")]
SHEETS = [
    ("coloring", "tetrominoes-5x4", "-o"),
    ("explain", "tetrominoes-5x4", "-o"),
    ("pack", "tetrominoes-5x4", "-o"),
    ("subsets", "shader-ring", "-o"),
    ("classes", "tetrahexes-4x7", "--plot"),
]
WRITTEN = [
    *((*words, "-o") for words in PICTURES),
    *SHEETS,
    ("export", "soma-cube", "-o"),
    ("import", "two.xcc", "-o"),
    ("classes", "tetrahexes-4x7", "--graph"),
    ("subsets", "shader-ring", "--write"),
    ("prove", "tetrominoes-5x4", "--certificate"),
    ("count", "tetrominoes-5x4", "--certificate"),
]


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("one.txt").write_text("1..4.4.223.1..2.\n")
    Path("two.xcc").write_text("a b\na\nb\na b\n")


def _name(words: tuple[str, ...]) -> str:
    return f"{words[0]} {words[-1]}" if words[-1].startswith("-") else words[0]


@pytest.mark.parametrize("words", PICTURES, ids=_name)
def test_svg_is_written_where_the_ending_says_so(words: tuple[str, ...], cli: Cli) -> None:
    assert cli(*words, "-o", "a.svg", "--quiet" if words[0] != "render" else "--empty")[0] == 0
    assert Path("a.svg").read_text().startswith("<svg ")


@pytest.mark.parametrize("ending", ["jpg", "json"])
@pytest.mark.parametrize("words", [*PICTURES, *SHEETS], ids=_name)
def test_what_cannot_be_written_is_an_error(words: tuple[str, ...], ending: str, cli: Cli) -> None:
    option = () if words[-1].startswith("-") else ("-o",)
    code, out, err = cli(*words, *option, f"a.{ending}")
    assert (code, out) == (2, "")
    assert f"a.{ending}: files ending in .{ending} cannot be written here" in err.replace("\n", " ")
    assert not Path(f"a.{ending}").exists()


def test_endings_are_told_with_their_formats(cli: Cli) -> None:
    assert cli("export", "soma-cube", "-o", "p.cpsat")[0] == 0
    assert "\nvariables {" in Path("p.cpsat").read_text()
    _, _, err = cli("export", "soma-cube", "-o", "p.xyz")
    assert ".dlx (xcc), .pbtxt (cpsat), .cpsat, .xcc, .cnf" in " ".join(err.split())
    assert ".log" not in err
    _, _, err = cli("render", "soma-cube", "-o", "p.xyz")
    assert ".svg, .png, .pdf, .html, .txt (text)" in " ".join(err.split())


def test_solutions_of_models_are_not_written_to_files(cli: Cli) -> None:
    Path("some.xcc").write_text("a b\na\nb\na b\n")
    for file in ("x.json", "x.svg", "x.xyz"):
        code, _, err = cli("solve", "some.xcc", "-o", file)
        assert code == 2
        assert "--output is for puzzles: some.xcc is a model." in " ".join(err.split())


@pytest.mark.parametrize("words", [*PICTURES, ("export", "soma-cube"), ("import", "two.xcc")])
def test_an_ending_that_nobody_knows_is_an_error(words: tuple[str, ...], cli: Cli) -> None:
    code, out, err = cli(*words, "-o", "a.xyz")
    assert (code, out) == (2, "")
    assert "a.xyz: files ending in .xyz cannot be written here" in err.replace("\n", " ")


@pytest.mark.parametrize("given", [(), ("--format", "jsonl")])
def test_solutions_are_not_compressed(given: tuple[str, ...], cli: Cli) -> None:
    code, out, err = cli("solve", "soma-cube", *given, "-o", "a.jsonl.gz")
    assert (code, out) == (2, "")
    assert "'... | gzip > a.jsonl.gz'" in " ".join(err.split())
    assert not Path("a.jsonl.gz").exists()


@pytest.mark.parametrize("words", [*SHEETS, ("export", "soma-cube")], ids=_name)
def test_meshes_are_written_by_another_command(words: tuple[str, ...], cli: Cli) -> None:
    option = () if words[-1].startswith("-") else ("-o",)
    code, _, err = cli(*words, *option, "a.stl")
    assert code == 2
    assert "a.stl: to write files ending in .stl, use 'exactile make'." in " ".join(err.split())


@pytest.mark.parametrize(
    ("ending", "begin"), [("svg", b"<svg "), ("png", b"\x89PNG"), ("pdf", b"%PDF")]
)
@pytest.mark.parametrize("words", SHEETS, ids=_name)
def test_what_prints_words_draws_too(
    words: tuple[str, ...], ending: str, begin: bytes, cli: Cli
) -> None:
    assert cli(*words, f"a.{ending}")[0] == 0
    assert Path(f"a.{ending}").read_bytes().startswith(begin)


def test_a_format_and_numbers_go_with_any_name(cli: Cli) -> None:
    assert cli("solve", "tetrahexes-4x7", "-q", "--format", "svg", "-o", "a.xyz")[0] == 0
    assert Path("a.xyz").read_text().startswith("<svg ")
    assert cli("solve", "tetrahexes-4x7", "-q", "-o", "found.2")[0] == 0
    assert cli("solve", "tetrahexes-4x7", "-q", "--format", "svg", "-o", "a.out")[0] == 0
    assert Path("a.out").read_text().startswith("<svg ")


@pytest.mark.parametrize("ending", ["jsonl", "txt", "sol", ""])
def test_solutions_are_written_as_the_ending_says(ending: str, cli: Cli) -> None:
    file = f"found.{ending}" if ending else "found"
    assert cli("solve", "tetrahexes-4x7", "--all", "-q", "-o", file)[0] == 0
    assert Path(file).read_text().startswith("{") == (ending == "jsonl")


def test_a_format_that_contradicts_the_ending_is_an_error(cli: Cli) -> None:
    code, _, err = cli("solve", "tetrahexes-4x7", "--format", "jsonl", "-o", "a.svg")
    assert code == 2
    assert "the ending .svg does not go with the format jsonl" in err
    assert cli("render", "tetrahexes-4x7", "--empty", "-o", "a.txt")[0] == 0
    assert "<svg" not in Path("a.txt").read_text()


@pytest.mark.parametrize("form", [*FORMATS, "toml", "xmpuzzle"])
def test_exports_are_in_the_format_of_the_ending(form: str, cli: Cli) -> None:
    ending = next(e for e, forms in FITTING.items() if forms and forms[0] == form)
    cubes = ("--cubes", "4") if form == "icnf" else ()
    assert cli("export", "soma-cube", *cubes, "-o", f"by-ending{ending}") == (0, "", "")
    assert cli("export", "soma-cube", *cubes, "--format", form, "-o", "by-option") == (0, "", "")
    assert Path(f"by-ending{ending}").read_bytes() == Path("by-option").read_bytes()


def test_imports_are_in_our_formats(cli: Cli) -> None:
    assert cli("import", "two.xcc", "-o", "two.json", "-q")[0] == 0
    assert read_model("two.json").model.options == 3
    assert cli("import", "two.xcc", "-o", "two.toml", "-q")[0] == 2
    assert cli("export", "soma-cube", "-o", "soma.xmpuzzle")[0] == 0
    assert cli("import", "soma.xmpuzzle", "-o", "soma.toml", "-q")[0] == 0
    assert load("soma.toml") == load("soma-cube")


@pytest.mark.parametrize("words", WRITTEN, ids=_name)
def test_a_folder_that_is_not_there_is_told_before_any_work(
    words: tuple[str, ...], cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    def load(*_: object) -> None:
        pytest.fail("the puzzle was read")

    # `load` is replaced where it is, not in modules that hold it from their first import on.
    import_module("exactile.files.foreign.conversion")
    import_module("exactile.runs.ledger.pages")
    import_module("exactile.runs.ledger.run")
    monkeypatch.setattr("exactile.files.puzzles.catalogue.load", load)
    code, out, err = cli(*words, "no/such")
    assert (code, out) == (1, "")
    assert "Cannot read or write" in err
    assert "no/such" in err


def test_nothing_is_left_of_the_trial(cli: Cli) -> None:
    Path("old.txt").write_text("old")
    assert cli("solve", "mutilated-chessboard-6x6", "-q", "-o", "old.txt")[0] == 0
    assert Path("old.txt").read_text() == "old"
    assert sorted(p.name for p in Path().iterdir()) == ["old.txt", "one.txt", "two.xcc"]


def test_what_the_ending_leaves_open() -> None:
    assert form_of("a.txt", ["text", "line", "svg"]) is None
    assert form_of("a.txt", ["text", "line", "svg"], "line") == "line"
    assert form_of("a.SVG", ["text", "svg"], default="text") == "svg"


def test_the_ending_of_a_format_of_another_package_is_its_name() -> None:
    forms = ["xcc", "dot", "json"]
    assert form_of("a.dot", forms, default="xcc") == form_of("a.DOT", forms, "dot", "xcc") == "dot"
    assert form_of("a.txt", forms, "dot", "xcc") == form_of("a.gv", forms, "dot", "xcc") == "dot"
    assert form_of("a.eps", ["xcc", "EPS"], "EPS", "xcc") == "EPS"
    assert form_of("a.eps", ["xcc", "EPS"], default="xcc") == "EPS"
    with pytest.raises(UsageError, match=r"use one of .*, \.dot\."):
        form_of("a.gv", forms, default="xcc")
    with pytest.raises(UsageError, match="does not go with the format dot"):
        form_of("a.json", forms, "dot", "xcc")
    with pytest.raises(UsageError, match="cannot be written here"):
        form_of("a.dot", ["xcc", "json"], default="xcc")


def test_output_is_utf_8_whatever_the_locale(tmp_path: Path) -> None:
    Path("heart.toml").write_text(
        'format = 1\n[puzzle.heart]\ntitle = "Hérz ♥"\nlattice = "square"\n'
        'pieces = { set = "tetrominoes" }\nregion = { box = [5, 4] }\n',
        "utf-8",
    )
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "LANG"))}
    ran = subprocess.run(
        [sys.executable, "-m", "exactile", "show", "heart.toml"],
        capture_output=True,
        check=True,
        env=environment | {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    )
    assert ran.stdout.decode("utf-8").startswith("Hérz ♥\n")


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="there is no such device")
def test_devices_are_written_to() -> None:
    words = [sys.executable, "-m", "exactile", "solve", "pentominoes-3x20", "-q", "-o"]
    ran = subprocess.run([*words, "/dev/stdout"], capture_output=True, text=True, check=True)
    assert len(ran.stdout.splitlines()) == 3
    assert subprocess.run([*words, "/dev/null"], check=True, capture_output=True).stdout == b""


@pytest.mark.parametrize("words", SHEETS[:4], ids=_name)
def test_a_picture_is_not_mixed_with_json(words: tuple[str, ...], cli: Cli) -> None:
    code, out, err = cli(*words, "-", "--json")
    assert (code, out) == (2, "")
    assert "prints one document" in " ".join(err.split())


def test_two_names_of_one_picture_are_too_many(cli: Cli) -> None:
    assert cli("coloring", "tetrominoes-5x4", "-o", "a.svg", "--svg", "b.svg")[0] == 2
    assert not Path("a.svg").exists()
