"""`exactile export` and `exactile import` as a user meets them."""

from __future__ import annotations

import gzip
import json
import lzma
from pathlib import Path

import pytest

from exactile.errors import FileError
from exactile.files.models.formats import FORMATS, export_model, read_model
from support import cover_files
from support.command_line import Cli


@pytest.fixture(autouse=True)
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Relative paths are below a folder of the test's own."""
    monkeypatch.chdir(tmp_path)


def cubes(form: str) -> list[str]:
    """Return the options that a format needs."""
    return ["--cubes", "3"] if form == "icnf" else []


@pytest.mark.parametrize("form", list(FORMATS))
def test_files_and_standard_output_are_the_same(cli: Cli, form: str) -> None:
    words = ["export", "dominoids-two-cubes", "--format", form, *cubes(form)]
    code, out, err = cli(*words)
    assert (code, err) == (0, "")
    assert cli(*words, "-o", "a.txt") == (0, "", "")
    assert Path("a.txt").read_text("utf-8") == out
    assert "dominoids-two-cubes" in out


@pytest.mark.parametrize("name", ["model.dlx", "model.json"])
@pytest.mark.parametrize("form", list(FORMATS))
def test_model_files_are_exported_too(cli: Cli, name: str, form: str) -> None:
    Path("model.dlx").write_text(cover_files.COLORS, "utf-8")
    assert cli("import", "model.dlx", "-o", "model.json", "-q") == (0, "", "")
    code, out, _ = cli("export", name, "--format", form, *cubes(form))
    assert code == 0
    if form in ("xcc", "json"):
        Path(f"again.{form}").write_text(out, "utf-8")
        assert cli("solve", f"again.{form}", "-q", "--all")[1] == "p r x:A y\nq x:A\n"


def test_there_and_back(cli: Cli) -> None:
    assert cli("export", "dominoids-two-cubes", "--format", "json", "-o", "a.json")[0] == 0
    assert cli("count", "a.json", "-q") == (0, "20\n", "")
    assert cli("export", "a.json", "-o", "b.xcc")[0] == 0
    assert cli("export", "dominoids-two-cubes", "-o", "c.xcc")[0] == 0
    assert Path("b.xcc").read_text() == Path("c.xcc").read_text()
    assert cli("import", "a.json", "-o", "d.json")[2].startswith("a.json: 12 items, 20 options")
    assert Path("d.json").read_text() == Path("a.json").read_text()


def test_import_says_what_it_passed_over(cli: Cli) -> None:
    Path("a.txt").write_text(cover_files.IGNORED, "utf-8")
    code, out, err = cli("import", "a.txt", "--format", "xcc")
    assert code == 0
    assert json.loads(out)["colors"] == ["0", "1"]
    assert "a.txt: 5 items, 4 options, 2 colors" in err
    assert "1 option without primary items ignored (line 4)" in err


def test_encodings(cli: Cli) -> None:
    sizes = {
        encoding: cli("export", "dominoes-4x4", "--format", "cnf", "--encoding", encoding)[1]
        for encoding in ("pairwise", "product", "seqcounter")
    }
    assert len(set(sizes.values())) == 3
    assert all(f"c encoding: {encoding};" in text for encoding, text in sizes.items())
    assert cli("export", "dominoes-4x4", "--format", "cnf", "--encoding", "native")[0] == 2
    code, _, err = cli("export", "dominoes-4x4", "--format", "lp", "--encoding", "product")
    assert (code, "--encoding is for cnf, icnf and wcnf" in err) == (2, True)


def test_mistakes_get_one_message(cli: Cli) -> None:
    Path("a.json").write_text('{"format": 1, "items": []', "utf-8")
    expected = "Error: a.json: bad JSON: Input data was truncated.\n"
    for command in ("count", "export", "import"):
        assert cli(command, "a.json") == (1, "", expected)
    for command in ("solve", "count"):
        assert cli(command, "a.dlx") == (1, "", "Error: a.dlx: there is no such file.\n")
    code, _, err = cli("prove", "a.dlx")
    assert (code, "`exactile count a.dlx` counts its solutions" in err) == (1, True)
    assert cli("export", "a.json", "--set", "allow_crossing=yes")[0] == 2
    code, out, err = cli("export", "soma-cube", "-o", "none/a.xcc")
    assert (code, out) == (1, "")
    assert err.startswith("Error: Cannot read or write")


@pytest.mark.parametrize("name", ["a.cnf", "a.cnf.gz", "a.mps", "a.svg"])
def test_files_that_are_only_written(cli: Cli, name: str) -> None:
    written = cli("export" if "svg" not in name else "solve", "dominoids-two-cubes", "-o", name)
    assert written[0] == 0
    for command in ("count", "show", "import"):
        code, out, err = cli(command, name)
        assert (code, out) == (1, "")
        assert f"{name}: .{name.split('.')[1]} files are written, not read" in err
        assert "Models are read from .xcc" in err


@pytest.mark.parametrize("name", ["a.xcc.gz", "a.json.xz"])
def test_compressed_models_are_read(cli: Cli, name: str) -> None:
    assert cli("export", "soma-cornerstone", "-o", name)[0] == 0
    assert cli("count", name, "-q")[:2] == (0, "10\n")
    assert cli("import", name, "-o", "b.json")[0] == 0
    assert cli("compare", name, "b.json", "--backends", "dlx", "-q")[0] == 0
    packed = Path(name).read_bytes()
    for damaged in (packed[:-9], b"a b\na b\n"):
        Path(name).write_bytes(damaged)
        expected = f"Error: {name}: this is not a compressed file, or it is damaged.\n"
        for command in ("count", "import"):
            assert cli(command, name) == (1, "", expected)


def test_a_failed_export_leaves_no_file(cli: Cli) -> None:
    Path("a.json").write_text("{", "utf-8")
    assert cli("export", "a.json", "-o", "a.cnf", "--format", "cnf")[0] == 1
    assert [p.name for p in Path.cwd().iterdir()] == ["a.json"]


def test_compressed_files(cli: Cli) -> None:
    _, out, _ = cli("export", "soma-cornerstone", "--format", "cnf")
    for file, opened in (("a.cnf.gz", gzip.open), ("a.cnf.xz", lzma.open)):
        assert cli("export", "soma-cornerstone", "-o", file) == (0, "", "")
        with opened(file, "rt", encoding="utf-8") as stream:
            assert stream.read() == out
    code, _, err = cli("export", "soma-cornerstone", "-o", "a.toml.gz")
    assert (code, "files of puzzles are not compressed" in err.replace("\n", " ")) == (2, True)


def test_cubes_and_symmetry(cli: Cli) -> None:
    words = ("export", "tetrahexes-4x7", "--symmetry", "piece", "--cubes", "15")
    assert cli(*words, "-o", "{cube}.json") == (0, "", "")
    names = sorted(p.name for p in Path.cwd().glob("*.json"))
    assert names[:2] == ["01.json", "02.json"]
    assert len(names) >= 15
    assert sum(int(cli("count", name, "-q")[1]) for name in names) == 9  # of 18, by pairs
    part = next(name for name in names if cli("count", name, "-q")[1] == "1\n")
    assert cli("export", part, "--cubes", "3", "-o", "of-{cube}.json") == (0, "", "")
    parts = sorted(p.name for p in Path.cwd().glob("of-*.json"))
    assert sum(int(cli("count", name, "-q")[1]) for name in parts) == 1
    assert cli(*words, "-o", "all.icnf") == (0, "", "")
    text = Path("all.icnf").read_text("utf-8")
    assert text.count("\na ") == len(names)
    assert "c symmetry: of each orbit of Y4" in text


@pytest.mark.parametrize(
    "words",
    [
        ("--cubes", "3", "-o", "a.cnf"),
        ("--format", "icnf"),
        ("-o", "{cube}.cnf"),
        ("--cubes", "3", "-o", "{cube}.toml"),
        ("--symmetry", "piece", "-o", "a.toml"),
        ("--cubes", "0", "-o", "{cube}.cnf"),
    ],
)
def test_what_does_not_go_together(cli: Cli, words: tuple[str, ...]) -> None:
    code, out, _ = cli("export", "tetrahexes-4x7", *words)
    assert (code, out) == (2, "")
    assert not list(Path.cwd().iterdir())


def test_cubes_of_what_has_no_solutions(cli: Cli) -> None:
    code, _, err = cli("export", "tetrahexes-4x7", "--cubes", "3", "-o", "{cube}.wcnf")
    assert (code, "wcnf has no solutions to divide" in err.replace("\n", " ")) == (1, True)


def test_the_symmetry_of_a_model_file_is_not_known(cli: Cli) -> None:
    Path("model.dlx").write_text(cover_files.COLORS, "utf-8")
    assert cli("export", "model.dlx", "--symmetry", "piece")[0] == 2
    with pytest.raises(FileError, match="export the puzzle itself"):
        export_model(read_model("model.dlx"), "a.cnf", "cnf", symmetry="piece")
