"""What one may write where PUZZLE is wanted, and what is said where it is none."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest

import exactile
from exactile.answers import Count, CountTable
from exactile.errors import NotFoundError
from exactile.files import load
from exactile.files.reading import expanded, means_several
from support.command_line import Cli

DRAWING = "###\n#.#\n###\n"
PSV = "two dominoes\nSquare\nBoard ( (1,1) )\ntile 2 ( (0,0) (1,0) )\n"


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("show", "soma"), "these are pieces. Give them a region: --pieces soma --box AxBxC."),
        (("count", "SOMA"), "Puzzles with them: `exactile list SOMA`."),
        (("show", "pentominoes"), "Puzzles with them: `exactile list pentominoes`."),
        (("count", "Somacub"), "Did you mean 'SomaCube'?"),
        (("solv",), "There is no command 'solv'. Did you mean 'solve'?"),
        (("help", "cuont"), "There is no command 'cuont'. Did you mean 'count'?"),
        (("zzzz",), "There is no command 'zzzz'."),
    ],
)
def test_hints(words: tuple[str, ...], hint: str, cli: Cli) -> None:
    code, out, err = cli(*words)
    assert code in (1, 2)
    assert hint in err
    assert not out


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_files_of_other_programs_are_read(here: Path, cli: Cli) -> None:
    assert cli("export", "soma-cube", "-o", "soma.xmpuzzle")[0] == 0
    Path("renamed").write_bytes(Path("soma.xmpuzzle").read_bytes())
    Path("two.psv").write_text(PSV)
    for file in ("soma.xmpuzzle", "renamed"):
        assert exactile.load(here / file) == exactile.load("soma-cube")
        code, out, err = cli("count", file)
        assert (code, "11,520" in out) == (0, True), err
    assert exactile.count(exactile.load("two.psv")).raw == 2


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("heptominoes", "these are pieces. Give them a region: --pieces heptominoes --box AxB"),
        ("30xdomino", "these are pieces. Give them a region: --pieces 30xdomino --box AxB"),
        ("soma", "these are pieces. Give them a region: --pieces soma --box AxBxC."),
        ("hexomino,", "There is no puzzle 'hexomino,' in the catalogue."),
        ("6x10", "There is no puzzle '6x10' in the catalogue."),
        ("", "There is no puzzle '' in the catalogue. It has"),
    ],
)
def test_pieces_are_told_from_puzzles(name: str, said: str, cli: Cli) -> None:
    code, _, err = cli("count", name)
    assert (code, said in err) == (1, True), err


@pytest.mark.parametrize("name", ["Soma Cube", "soma_cube", "soma - cube"])
def test_blanks_and_hyphens_are_alike_in_names(name: str, cli: Cli) -> None:
    assert exactile.load(name) == exactile.load("soma-cube")
    assert "soma-cube" in cli("list", name)[1]


@pytest.mark.parametrize("words", [["A-Puzzle-A-Day"], ["a puzzle", "day"], ["puzzle-a-day"]])
def test_the_calendar_is_found_by_its_name(words: list[str], cli: Cli) -> None:
    assert cli("list", *words)[1].split()[0] == "calendar"


def test_a_puzzle_file_may_end_in_capitals(here: Path, cli: Cli) -> None:
    text = cli("export", "soma-cube", "bedlam-cube", "-o", str(here / "my.toml"))[1]
    assert text == ""
    (here / "my.toml").rename(here / "MY.TOML")
    assert load(here / "MY.TOML#soma-cube") == load("soma-cube")
    assert means_several(str(here / "MY.TOML"))
    names = [named.name for named in expanded([str(here / "MY.TOML#so*")])]
    assert names == ["soma-cube"]
    assert "2 puzzles" in cli("show", str(here / "MY.TOML"))[2]
    with pytest.raises(NotFoundError, match="no such file"):
        load("NONE.TOML")


def test_several_puzzles_of_such_a_file_have_names(here: Path, cli: Cli) -> None:
    text = "D:xDim=2:yDim=2\nL\nA A\nB B\n~L\n~D\n"
    Path("two.txt").write_text(text + text)
    code, _, err = cli("count", "two.txt")
    assert (code, "the file has 2 puzzles: name one of them, such as two.txt#" in err) == (1, True)
    name = err.split("two.txt#")[1].split(".")[0]
    assert cli("count", f"two.txt#{name}")[0] == 0
    code, _, err = cli("count", "two.txt#zzz")
    assert (code, "there is no puzzle 'zzz' in it" in err) == (1, True)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        (DRAWING, "write --pieces SET --drawing file.txt"),
        ("a b\na\nb\n", "exactile count xcc:- < file.txt"),
        ("Solving SomaCube:\n\nno solutions\n", "`exactile check file.txt` checks them"),
    ],
)
def test_other_texts_are_called_what_they_are(text: str, hint: str, here: Path, cli: Cli) -> None:
    (here / "file.txt").write_text(text)
    code, _, err = cli("count", "file.txt")
    assert (code, hint in err, "TOML" in err) == (1, True, False)


def test_a_model_on_standard_input_is_named_as_such(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a b\na\nb\n")))
    code, _, err = cli("count", "-")
    assert (code, "`exactile count xcc:-` counts its solutions" in err) == (1, True)


@pytest.mark.parametrize(
    ("words", "raw"),
    [
        (("--pieces", "tetrominoes", "--box", "5x4"), 0),
        (("--pieces", "soma-cubes", "--box", "3x3x3"), 11520),
        (("--pieces", "tetrahexes", "--box", "4x7", "--set", "lattice=hexagon"), 18),
        (("--pieces", "trominoes", "--drawing", "region.txt"), 2),
        (("--pieces", "tetrahexes", "--box", "4x7"), 18),
        (("--pieces", "30xdomino", "--box", "10x6"), 4213133),
        (("--pieces", "30*dominoes", "--box", "10x6"), 4213133),
        (("--pieces", "2xI4,2xO4,0..1xL4", "--box", "4x4"), 6),
        (("--pieces", "2xone-sided-tetrominoes:l4", "--box", "4x2"), 1),
    ],
)
def test_a_puzzle_on_the_command_line(
    words: tuple[str, ...], raw: int, here: Path, cli: Cli
) -> None:
    (here / "region.txt").write_text("###\n##.\n#..\n")
    code, out, err = cli("count", *words, "--json")
    assert (code, err) == (0, "")
    assert Count.from_json(out).raw == raw


@pytest.mark.parametrize(
    ("pieces", "box", "counts"),
    [
        ("10xY", "1..6x5..50", {"1x50": 0, "2x25": 0, "5x10": 10}),
        ("1..xone-sided-pentominoes:p", "1..4x4..5", {"1x5": 0, "2x5": 1, "3x5": 0, "4x5": 1}),
        ("0..2xI2,O4", "2..4x2..4", {"2x2": 1, "2x3": 2, "2x4": 5}),
        ("1..xtetrahexes:I4", "3x4..5", {"3x4": 1}),
        ("1..xdicube", "1x2..3x2", {"1x2x2": 2, "1x3x2": 3}),
    ],
)
def test_several_boxes_on_the_command_line(
    pieces: str, box: str, counts: dict[str, int], cli: Cli
) -> None:
    code, out, _ = cli("count", "--pieces", pieces, "--box", box, "--json")
    answers = CountTable.from_json(out).answers
    assert code == 0
    assert {a.puzzle.rsplit("-", 1)[1]: a.raw for a in answers} == counts


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("soma-cube", "--pieces", "pentominoes", "--box", "10x6"),
        ("--pieces", "pentominoes"),
        ("--box", "10x6"),
        ("--pieces", "pentominoes", "--box", "10"),
        ("--pieces", "pentominoes", "--box", "10x6", "--drawing", "region.txt"),
    ],
)
def test_half_a_puzzle_on_the_command_line(words: tuple[str, ...], here: Path, cli: Cli) -> None:
    (here / "region.txt").write_text("###\n###\n")
    assert cli("count", *words)[0] == 2


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--pieces pentominis --box 10x6", "Did you mean 'pentominoes'?"),
        ("--pieces 30xdomina --box 10x6", "Did you mean 'domino'?"),
        ("--pieces domino:30 --box 10x6", "the number of uses comes first: 30xdomino"),
        ("--pieces I4:5,O4 --box 6x4", "the number of uses comes first: 5xI4"),
        ("--pieces pentominoes:Q --box 10x6", "There is no piece 'Q' in the set."),
        ("--pieces L --box 3x3x3", "soma-cubes:L or solid-pentominoes:L"),
        ("--pieces tetrahexes,X --box 10x6", "'tetrahexes' is on hexagon"),
        ("--pieces L,N,P,O6 --box 10x6", "has L, N, P, but not O6"),
        ("--pieces L,N,P,O6 --box 10x6", "Did you mean 'O06'?"),
        ("--pieces P5 --set lattice=square --box 5x4", "Did you mean 'P'?"),
        ("--pieces Y --box 2..3x4", "No choice of the pieces Y has the size of one of these 2"),
        ("--pieces *xY --box 10x6", "'*xY' names no pieces"),
        ("--pieces pentominoes --box 3x4x5", "are flat, on the square lattice"),
        ("--pieces 4xI2 --box 2x2x2", "are flat, on the square lattice"),
        ("--pieces 30xdomino --box 3x4x5", "such as solid-pentominoes or 30xdicube"),
        ("--pieces soma --box 27x1", "are in space, on the cube lattice: write --box AxBxC"),
        ("--pieces tetrahexes --set lattice=square --box 4x7", "on the square lattice"),
        ("--pieces , --box 10x6", "names no pieces"),
        ("pentominoes --box 10x6", "write --pieces pentominoes"),
    ],
)
def test_pieces_that_are_none(words: str, told: str, cli: Cli) -> None:
    code, out, err = cli("count", *words.split())
    assert (code > 0, out) == (True, "")
    assert told in " ".join(err.split())


@pytest.mark.parametrize("form", ["toml", "xmpuzzle"])
def test_standard_input(form: str, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    _, text, _ = cli("export", "soma-cube", "--format", form)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    code, out, err = cli("count", "-")
    assert (code, "11,520" in out) == (0, True), err


def test_solutions_of_a_puzzle_on_the_command_line(here: Path, cli: Cli) -> None:
    stated = ("--pieces", "soma-cubes", "--box", "3x3x3")
    assert cli("solve", *stated, "-q", "-o", "found.jsonl")[0] == 0
    code, out, _ = cli("check", *stated, "found.jsonl")
    assert (code, out.splitlines()[0]) == (0, "1 solution of soma-cubes-3x3x3, right")
    assert cli("render", *stated, "found.jsonl", "--number", "1", "-o", "drawn.txt")[0] == 0
    assert cli("check", *stated, "drawn.txt")[1].startswith(out.splitlines()[0])
    assert cli("takeapart", "found.jsonl", *stated)[1].startswith("1. comes apart")
    assert cli("make", *stated, "found.jsonl", "-o", "made")[0] == 0
    assert (
        "a table and FILE exclude" in cli("render", *stated, "found.jsonl", "-o", "{name}.svg")[2]
    )
    for command in ("render", "takeapart", "make", "check"):
        code, _, err = cli(command, "soma-cube", "found.jsonl", *stated)
        assert (code, "PUZZLE and --pieces exclude each other" in err) == (2, True), err
        code, _, err = cli(command, "found.jsonl", "--pieces", "soma-cubes")
        assert (code, "give --pieces and either --box or --drawing" in err) == (2, True)


@pytest.mark.parametrize(("drawing", "raw"), [("####\n####\n", 5), ("aa##\n####\n", 2)])
def test_a_drawing_on_standard_input(
    drawing: str, raw: int, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    def count(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(drawing.encode())))
        return cli("count", *words)

    advice = re.search(r"write (--pieces) SET (--drawing) (-)\.", count("-")[2])
    assert advice
    pieces, *region = advice.groups()
    code, out, err = count(pieces, "4xdomino", *region, "--json")
    assert (code, Count.from_json(out).raw) == (0, raw), err


@pytest.mark.parametrize("form", ["toml", "xmpuzzle"])
def test_one_of_several_puzzles_on_standard_input(
    form: str, here: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, text, _ = cli("export", "soma-cube", "--format", form)
    if form == "toml":
        text += '[puzzle.b]\nlattice = "square"\npieces = "2xdomino"\nregion.box = [2, 2]\n'
    else:
        text = re.sub(r"<problem .*</problem>", r"\g<0>\g<0>", text, flags=re.DOTALL)

    def count(*words: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        return cli("count", *words)

    code, out, err = count("-")
    assert (code, out) == (1, "")
    advice = re.search(r"name one of them, such as (-#\S+) \(in a command at its end", err)
    assert advice, err
    code, out, err = count("--", advice[1])
    assert (code, "11,520" in out) == (0, True), err


def test_a_drawing_in_letters_is_checked_given_and_drawn(here: Path, cli: Cli) -> None:
    paper = "PPUUNNNZZI\nPPUNNWWZVI\nPXUUWWZZVI\nXXXFWTVVVI\nLXFFFTTTYI\nLLLLFTYYYY\n"
    Path("paper.txt").write_text(paper)
    code, out, _ = cli("check", "pentominoes-6x10", "paper.txt")
    assert (code, "1 solution of pentominoes-6x10, right" in out) == (0, True)
    Path("wrong.txt").write_text(paper.replace("PXUU", "XPUU"))
    code, _, err = cli("check", "pentominoes-6x10", "wrong.txt")
    assert (code, "(2, 2) are not a place of piece X" in err) == (1, True)
    part = paper.translate(str.maketrans("PUNZIVTY", "########"))
    Path("part.txt").write_text(part)
    for words in (
        ("pentominoes-6x10", "--fix", "part.txt"),
        ("--pieces", "pentominoes", "--drawing", "part.txt"),
    ):
        code, out, _ = cli("count", *words, "--json")
        assert (code, Count.from_json(out).raw) == (0, 1)
        assert cli("render", *words, "--empty", "--format", "letters")[1] == part
        assert cli("render", *words, "--format", "letters")[1] == paper
    Path("two.txt").write_text(f"{part}\n{part}")
    code, _, err = cli("count", "pentominoes-6x10", "--fix", "two.txt")
    assert (code, "two.txt: it has 2 drawings, not one" in err) == (1, True)


def test_solutions_are_written_in_letters_and_checked(here: Path, cli: Cli) -> None:
    words = ("--all", "--format", "letters", "-q", "-o", "soma.txt", "--up-to", "symmetry")
    assert cli("solve", "soma-cube", *words)[0] == 0
    code, out, _ = cli("check", "soma.txt")
    assert (code, out) == (0, "240 solutions of soma-cube, all right and all different\n")
