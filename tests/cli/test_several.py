"""Several puzzles in one command: files, patterns, tables, wrong ones among them, Ctrl-C."""

from __future__ import annotations

import calendar
import csv
import io
import json
from pathlib import Path

import pytest
from msgspec import structs

import exactile
from exactile.answers import (
    Count,
    CountTable,
    FactsTable,
    FailedPuzzle,
    SolutionTable,
    VerdictTable,
)
from exactile.cli.words import EachProgress, Line
from exactile.files.reading import expanded, means_several
from exactile.search import Search
from support.clock import late
from support.command_line import Cli
from support.ctrl_c import interrupted

SOME = """\
format = 1

[puzzle.two]
aliases = ["zwei"]
lattice = "square"
pieces = "2xdomino"
region.box = [2, 2]

[puzzle.wrong]
lattice = "square"
pieces = "2xdominoo"
region.box = [2, 2]

[puzzle.five]
lattice = "square"
pieces = "4xdomino"
region.box = [4, 2]

[puzzle.none]
lattice = "square"
pieces = "1xdomino"
region.box = [1, 1]
"""


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("some.toml").write_text(SOME, "utf-8")


def write_year(path: Path) -> list[str]:
    """Write the calendar of the catalogue for each day of a leap year; return the identifiers.

    Months stand in the two top lines, days in the others; two cells are left out.
    """
    lines = (6, 6, 7, 7, 7, 7, 3)
    text, ids = ["format = 1"], []
    for month in range(1, 13):
        for day in range(1, calendar.monthrange(2024, month)[1] + 1):
            out = {divmod(month - 1, 6), (2 + (day - 1) // 7, (day - 1) % 7)}
            ids.append(f"d-{month:02}-{day:02}")
            text += [f"[puzzle.{ids[-1]}]", 'lattice = "square"', f"pieces = {PIECES}"]
            text += ["region.drawing = '''"]
            text += [
                "".join(".#"[(y, x) not in out] for x in range(n)) for y, n in enumerate(lines)
            ]
            text += ["'''"]
    path.write_text("\n".join(text), "utf-8")
    return ids


PIECES = (
    '[{ set = "pentominoes", only = ["L", "N", "P", "U", "V", "Y", "Z"] }, '
    '{ cells = { Box = "0..1,0..2" } }]'
)


def table(out: str) -> list[list[str]]:
    """Return the words of each line of a table in CSV, below its head."""
    return [*csv.reader(io.StringIO(out))][1:]


def numbers(name: str, cli: Cli) -> list[int]:
    """Return the three numbers that the command prints of a puzzle alone."""
    answer = Count.from_json(cli("count", name, "--json")[1])
    assert answer.raw is not None
    return [answer.raw, answer.rotation or 0, answer.symmetry or 0]


def test_a_month_is_counted_as_its_days_are(cli: Cli) -> None:
    ids = [name for name in write_year(Path("year.toml")) if name.startswith("d-10-")]
    code, out, err = cli("count", "year.toml#d-10-*", "--format", "csv")
    assert (code, [row[0] for row in table(out)]) == (0, ids)
    assert err.startswith("31 puzzles: 31 complete; ")
    for row in table(out)[::6]:
        assert [int(number) for number in row[2:5]] == numbers(f"year.toml#{row[0]}", cli)


@pytest.mark.slow
def test_a_year_is_counted_at_once(cli: Cli) -> None:
    ids = write_year(Path("year.toml"))
    code, out, err = cli("count", "year.toml", "--sort", "all")
    rows = [line.split() for line in out.splitlines()[1:]]
    assert (code, sorted(row[0] for row in rows)) == (0, ids)
    assert err == "366 puzzles: 366 complete; 24,405 solutions, 7 to 216 each\n"
    counts = [int(row[1]) for row in rows]
    assert counts == sorted(counts)
    assert (rows[0][0], rows[-1][0]) == ("d-10-06", "d-01-25")
    assert sum(counts) == 24_405


def test_one_wrong_puzzle_does_not_lose_the_others(cli: Cli) -> None:
    code, out, err = cli("count", "some.toml")
    assert code == 1
    assert [(line.split()[0], line.split()[1], line.split()[-1]) for line in out.splitlines()] == [
        ("puzzle", "all", "outcome"),
        ("two", "2", "complete"),
        ("wrong", "?", "error"),
        ("five", "5", "complete"),
        ("none", "0", "unsolvable"),
    ]
    assert "wrong: some.toml: puzzle.wrong.pieces: " in err
    assert err.endswith("4 puzzles: 2 complete, 1 error, 1 unsolvable\n")
    assert max(map(len, out.splitlines())) <= 80


@pytest.mark.parametrize("order", [(), ("--sort", "puzzle")])
def test_large_numbers_and_long_names_stay_in_line(order: tuple[str, ...], cli: Cli) -> None:
    long = f"a-{'very-' * 12}long-name"
    big = SOME.replace("puzzle.two", f"puzzle.{long}").replace("puzzle.five", "puzzle.big")
    big = big.replace("4xdomino", "72xdomino").replace("[4, 2]", "[12, 12]")
    Path("long.toml").write_text(big, "utf-8")
    code, out, _ = cli("count", f"long.toml#{long}", "long.toml#big", "dominoes-8x8", *order)
    lines = out.splitlines()
    assert (code, len(lines), max(map(len, lines)) <= 80) == (0, 4, True)
    assert [line.split()[1] for line in lines if "…" in line] == ["2"]
    assert "53,060,477,521,960,000" in out  # twelve by twelve, of OEIS A004003
    assert len({line.rindex(line.split()[-1]) for line in lines}) == 1
    _, out, _ = cli("count", f"long.toml#{long}", "--format", "csv")
    assert table(out)[0][0] == long


def test_all_answers_are_one_document(cli: Cli) -> None:
    code, out, err = cli("count", "some.toml", "--json")
    document = CountTable.from_json(out)
    assert (code, err, document.finished) == (1, "", True)
    assert [(a.puzzle, a.raw) for a in document.answers] == [("two", 2), ("five", 5), ("none", 0)]
    assert [entry.puzzle for entry in document.failed] == ["wrong"]
    _, out, _ = cli("count", "some.toml", "--json", "--sort", "all")
    assert [answer.raw for answer in CountTable.from_json(out).answers] == [0, 2, 5]
    code, out, _ = cli("prove", "some.toml#[tn]*", "--json")
    verdicts = VerdictTable.from_json(out).answers
    assert (code, [v.status.value for v in verdicts]) == (0, ["solvable", "unsolvable"])
    code, out, _ = cli("solve", "some.toml#[tf]*", "--all", "--json")
    lists = SolutionTable.from_json(out).answers
    assert (code, [len(a.solutions) for a in lists]) == (0, [2, 5])


def test_json_lines_are_what_the_commands_print_of_each(cli: Cli) -> None:
    _, out, _ = cli("count", "some.toml", "--format", "jsonl")
    two, wrong, *_ = out.splitlines()
    alone = Count.from_json(cli("count", "some.toml#two", "--json")[1])
    listed = Count.from_json(two)
    assert listed == structs.replace(alone, stats=listed.stats)  # which has seconds
    assert FailedPuzzle.from_json(wrong).puzzle == "wrong"


def test_names_patterns_and_files(cli: Cli) -> None:
    def names(*words: str) -> list[str]:
        return [named.name for named in expanded(words)]

    assert names("some.toml") == ["two", "wrong", "five", "none"]
    assert names("some.toml#?W?", "SomaCube", "some.toml#zwei") == ["two", "soma-cube"]
    assert names("soma-cub?", "soma-cube") == ["soma-cube"]
    assert [means_several(w) for w in ("some.toml", "some.toml#two", "so*", "soma-cube")] == [
        *(True, False, True, False)
    ]
    assert expanded(["some.toml#five"])[0].load() == exactile.load("some.toml#five")
    code, out, _ = cli("count", "some.toml#tw*")  # a pattern makes a table in any case
    assert (code, out.splitlines()[1].split()) == (
        0,
        ["two", "2", "1", out.split()[-2], "complete"],
    )


@pytest.mark.parametrize("command", ["count", "solve", "prove", "show", "export -o {name}.xcc"])
@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("some.toml#x*", "some.toml: no puzzle in it has an id like 'x*'; an id there is two."),
        ("nothere-*", "No puzzle of the catalogue has an id like 'nothere-*'."),
        ("soma-cube soma-cub", "Did you mean 'soma-cube'?"),
        ("soma-cube nothere.toml", "nothere.toml: there is no such file."),
        ("soma-cube some.toml#three", "some.toml: there is no puzzle 'three' in it."),
    ],
)
def test_what_names_nothing_is_one_error(command: str, words: str, message: str, cli: Cli) -> None:
    code, out, err = cli(*command.split(), *words.split())
    said = " ".join(err.split())
    assert (code, out, said.count("Error:")) == (1, "", 1)
    assert message in said


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("count some.toml --store a.store", "several puzzles and --store exclude each other"),
        ("count some.toml --by-pieces", "several puzzles and --by-pieces exclude each other"),
        ("count some.toml#tw* --exit-code sat", "a table and --set exit_code exclude each other"),
        ("prove some.toml --certificate new", "several puzzles and --certificate exclude"),
        ("solve some.toml --up-to pieces", "--up-to pieces and several puzzles exclude"),
        ("count soma-cube --sort all", "--sort goes with several puzzles"),
        ("count some.toml --json --format csv", "--json and --format exclude each other"),
        ("solve some.toml --format jsonl", "write -o 'FOLDER/{name}.jsonl'"),
        ("solve some.toml -o a.svg", "write -o 'FOLDER/{name}.svg'"),
        ("solve --pieces 2xdomino --box 2x2 some.toml", "exclude each other"),
        ("count some.toml --backend dlxx", "Did you mean 'dlx'?"),
        ("show some.toml --json --format csv", "--json and --format exclude each other"),
        ("export some.toml -o a.cnf", "write -o 'FOLDER/{name}.cnf'"),
        ("export some.toml", "Models of several puzzles as xcc need a file for each"),
        ("export some.toml -o all.toml", "some.toml: puzzle.wrong.pieces: "),
        ("render some.toml", "Pictures of several puzzles as svg need a file for each"),
        ("render some.toml --format letters", "write -o 'FOLDER/{name}.txt'"),
        ("render soma-cube soma-cube soma-cube", "unexpected extra argument (soma-cube)"),
        ("render soma-cube yes", "'yes' does not exist. Several puzzles need a file for each"),
        ("render soma-cube yes --format text", "write -o 'FOLDER/{name}.txt'"),
        ("render soma-cube yes -o one.png", "write -o 'FOLDER/{name}.png'"),
        ("render soma-cube some.toml", "not a file of solutions. Several puzzles need a file"),
        ("render some.toml some.toml -o one.svg", "write -o 'FOLDER/{name}.svg'"),
        ("render soma-cube nothere.jsonl", "Invalid value for '[FILE]': File 'nothere.jsonl'"),
        ("render some.toml -o {name}.svg --number 2", "several puzzles and --number exclude"),
    ],
)
def test_what_does_not_go_with_several_puzzles(words: str, message: str, cli: Cli) -> None:
    code, out, err = cli(*words.split())
    said = " ".join(err.split())
    assert (code in (1, 2), out, said.count("Error:")) == (True, "", 1)
    assert message in said
    assert [*map(str, Path().iterdir())] == ["some.toml"]


def test_one_puzzle_is_as_ever(cli: Cli) -> None:
    Path("one.toml").write_text(SOME[: SOME.index("[puzzle.wrong]")], "utf-8")
    code, out, _ = cli("count", "one.toml")
    assert (code, out.splitlines()[0]) == (0, "two, memo: complete")
    assert cli("count", "one.toml#zwei")[1] == out
    _, out, _ = cli("count", "one.toml", "--format", "csv")
    assert table(out)[0][:5] == ["two", "complete", "2", "1", "1"]
    _, out, _ = cli("count", "--pieces", "2xdomino", "--box", "2x2", "--format", "csv")
    assert table(out)[0][:3] == ["2xdomino-2x2", "complete", "2"]
    code, out, _ = cli("solve", "one.toml", "--all", "--format", "jsonl")
    assert (code, json.loads(out.splitlines()[0])["puzzle"]) == (0, "two")


def test_solutions_are_drawn_below_their_names(cli: Cli) -> None:
    code, out, err = cli("solve", "some.toml#[ntf]*", "--sort", "puzzle")
    assert code == 0
    parts = out.split("\n\n")
    assert [part.splitlines()[0] for part in parts if part.strip()][::2] == ["two", "five"]
    assert [line.split()[:2] for line in err.splitlines()] == [
        ["puzzle", "solutions"],
        ["five", "1"],
        ["none", "0"],
        ["two", "1"],
        ["3", "puzzles:"],
    ]
    assert cli("solve", "some.toml#[ntf]*", "-q") == (0, out, "")


def test_each_puzzle_has_a_file_of_solutions(cli: Cli) -> None:
    code, out, _ = cli("solve", "some.toml", "--all", "-o", "{name}.jsonl")
    assert (code, out.splitlines()[1].split()[:2]) == (1, ["two", "2"])
    assert sorted(path.name for path in Path().glob("*.jsonl")) == [
        *("five.jsonl", "none.jsonl", "two.jsonl")
    ]
    for name, number in (("five", 5), ("two", 2)):
        code, out, _ = cli("check", f"some.toml#{name}", f"{name}.jsonl")
        assert (code, out.split()[0]) == (0, str(number))
    Path("other.toml").write_text(SOME, "utf-8")
    code, _, err = cli("solve", "some.toml#two", "other.toml#two", "-o", "{name}.svg")
    assert (code, "two puzzles are called two" in " ".join(err.split())) == (2, True)


def test_files_of_other_programs_do_not_overwrite_each_other(cli: Cli) -> None:
    for path in ("a/soma.xmpuzzle", "b/Soma.xmpuzzle", "b/other.xmpuzzle"):
        Path(path).parent.mkdir(exist_ok=True)
        assert cli("export", "soma-cube", "-o", path)[0] == 0
    for command, ending in (("solve", "txt"), ("export", "cnf"), ("render", "svg")):
        Path(command).mkdir()
        same = (command, "a/soma.xmpuzzle", "b/Soma.xmpuzzle", "-o", f"{command}/{{name}}.{ending}")
        code, out, err = cli(*same)
        assert (code, out) == (2, "")
        assert "two puzzles are called soma, and would be the same file" in " ".join(err.split())
        assert not [*Path(command).iterdir()]
        code, _, _ = cli(command, "a/soma.xmpuzzle", "b/other.xmpuzzle", *same[3:])
        assert code == 0
        assert sorted(path.name for path in Path(command).iterdir()) == [
            *(f"other.{ending}", f"soma.{ending}")
        ]


def test_names_that_differ_in_case_are_one_file(cli: Cli) -> None:
    Path("other.toml").write_text(SOME.replace("puzzle.two", "puzzle.TWO"), "utf-8")
    code, _, err = cli("solve", "some.toml#two", "other.toml#two", "-o", "{name}.svg")
    assert (code, "two puzzles are called TWO" in " ".join(err.split())) == (2, True)


@pytest.mark.parametrize("words", ["solve -o {name}.txt", "export -o {name}.txt --format cnf"])
def test_a_puzzle_stated_by_options_has_a_name(words: str, cli: Cli) -> None:
    assert cli(*words.split(), "--pieces", "2xdomino", "--box", "2x2")[0] == 0
    assert Path("2xdomino-2x2.txt").exists()


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("count", "one after the other, each with its own time limit"),
        ("solve", "Each has its own limits"),
        ("takeapart", "also allow quarter turns of groups of pieces"),
    ],
)
def test_help_is_plain(command: str, words: str, cli: Cli) -> None:
    assert words in " ".join(cli(command, "--help")[1].replace("│", " ").split())


def test_a_table_of_solutions_in_a_file(cli: Cli) -> None:
    code, out, _ = cli("solve", "some.toml#[tf]*", "--all", "-o", "table.csv")
    assert (code, out) == (0, "")
    rows = table(Path("table.csv").read_text("utf-8"))
    assert [row[:3] for row in rows] == [["two", "complete", "2"], ["five", "complete", "5"]]


def test_a_table_of_what_puzzles_are(cli: Cli) -> None:
    code, out, err = cli("show", "soma-cube", "tetrasticks-5x5", "some.toml#f*", "--sort", "units")
    assert (code, err) == (0, "3 puzzles\n")
    assert [line.split() for line in out.splitlines()] == [
        ["puzzle", "lattice", "units", "options", "symmetries"],
        ["five", "square", "8", "10", "4"],
        ["soma-cube", "cube", "27", "688", "48"],
        ["tetrasticks-5x5", "square-edges", "60", "1,534", "8"],
    ]
    code, out, err = cli("show", "some.toml", "--json")
    document = FactsTable.from_json(out)
    assert (code, [answer.units for answer in document.answers]) == (1, [4, 8, 1])
    assert cli("show", "some.toml#five", "--json")[1] == document.answers[1].to_json() + "\n"
    assert cli("show", "some.toml#five", "--format", "jsonl")[1] == (
        document.answers[1].to_json() + "\n"
    )


def test_numbers_agree_with_their_nouns(cli: Cli) -> None:
    Path("some.toml").write_text(SOME.replace('"1xdomino"', '"1xdominoo"'), "utf-8")
    assert cli("count", "some.toml")[2].endswith("4 puzzles: 2 complete, 2 errors\n")
    alike = cli("count", "calendar-01-01", "calendar-02-29")[2]
    assert alike == "2 puzzles: 2 complete; 128 solutions, 64 each\n"


def test_each_puzzle_has_a_model_file(cli: Cli) -> None:
    code, out, err = cli("export", "some.toml", "-o", "{name}.xcc")
    assert (code, out) == (1, "")
    assert err.endswith("4 puzzles: 3 written, 1 error\n")
    assert sorted(path.name for path in Path().glob("*.xcc")) == ["five.xcc", "none.xcc", "two.xcc"]
    assert json.loads(cli("count", "five.xcc", "--json")[1])["raw"] == 5
    cli("export", "some.toml#five", "-o", "alone.xcc")
    assert Path("five.xcc").read_bytes() == Path("alone.xcc").read_bytes()


def test_puzzles_go_into_one_puzzle_file(cli: Cli) -> None:
    assert cli("export", "some.toml#*e", "soma-cube", "-o", "all.toml") == (0, "", "")
    assert [named.name for named in expanded(["all.toml"])] == ["five", "none", "soma-cube"]
    assert exactile.load("all.toml#soma-cube") == exactile.load("soma-cube")


def test_each_puzzle_has_a_picture(cli: Cli) -> None:
    code, out, err = cli("render", "some.toml#two", "soma-cube", "some.toml#n*", "-o", "{name}.svg")
    assert (code, out) == (1, "")
    assert "none: There is no solution to draw" in err
    assert err.endswith("3 puzzles: 2 written, 1 error\n")
    cli("render", "soma-cube", "-o", "alone.svg")
    assert Path("soma-cube.svg").read_bytes() == Path("alone.svg").read_bytes()
    assert cli("render", "soma-cube", "--empty", "-o", "{name}.png")[0] == 0
    assert Path("soma-cube.png").read_bytes().startswith(b"\x89PNG")
    assert sorted(path.suffix for path in Path().iterdir()) == [
        ".png",
        ".svg",
        ".svg",
        ".svg",
        ".toml",
    ]


def test_the_time_limit_is_that_of_each_puzzle(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    late(monkeypatch, lambda search, _: search.found > 0)
    words = ("dominoes-8x8", "some.toml#five", "--backend", "reference", "--time-limit", "60")
    code, out, err = cli("count", *words)
    first, second = (line.split() for line in out.splitlines()[1:])
    assert (code, first[0], first[1][:2], first[-2:]) == (
        3,
        "dominoes-8x8",
        ">=",
        ["time", "limit"],
    )
    assert (second[0], second[1], second[-1]) == ("five", "5", "complete")
    assert err.endswith("2 puzzles: 1 time limit, 1 complete\n")


@pytest.mark.parametrize("command", ["count", "prove", "solve"])
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_ctrl_c_keeps_what_is_known(command: str, form: tuple[str, ...], cli: Cli) -> None:
    words = (command, "some.toml#two", OPEN, "some.toml#five", *STILL, *form)
    code, out, err = interrupted(
        lambda: cli(*words, *(["--method", "list"] * (command == "count"))),
        lambda search, *_: search.puzzle.name == OPEN,
        Search,
        "_take",
    )
    assert code == 130
    if form:
        document = json.loads(out)
        assert not document["finished"]
        assert [answer["puzzle"] for answer in document["answers"]] == ["two", OPEN]
    else:
        shown = err if command == "solve" else out
        assert [line.split()[0] for line in shown.splitlines()[:3]] == ["puzzle", "two", OPEN]
        assert "2 of 3 puzzles: " in err
        assert " 1 interrupted" in err


OPEN = "hexominoes-14x15"
STILL = ("--backend", "reference", "--set", "use_reasons=no")


def test_one_progress_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    line = EachProgress(3)
    monkeypatch.setattr(Line, "show", lambda _, text: shown.append(text))
    for name in ("a", "b"):
        line.begin(name)
        line.counted(0.5)
    assert shown == [
        "1 of 3, a: reading",
        "1 of 3, a: 50.0 % counted",
        "2 of 3, b: reading",
        "2 of 3, b: 50.0 % counted",
    ]
