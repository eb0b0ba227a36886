"""`takeapart`, `solve --assemblable` and `count --assemblable` as a user meets them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import exactile
from exactile.cli import takeapart_command
from support.burr import burr
from support.clock import late
from support.command_line import Cli
from support.ctrl_c import interrupted
from support.latch import latch_file

TRAY = """
[puzzle.tray]
lattice = "square"
pieces = { cells = { C = "0..2,0 0..2,2 0,1", I = "1,1 2,1" } }
region.box = [3, 3]
"""


TURNED = ("--set", "rotations=yes")


def test_the_first_sequence(cli: Cli, tmp_path: Path) -> None:
    code, out, err = cli("takeapart", str(burr(tmp_path)))
    assert code == 0
    lines = out.splitlines()
    assert lines[0].startswith("burr: comes apart: level ")
    assert [line.split()[0] for line in lines if line.startswith("  ")][:2] == ["1.", "2."]
    assert " away" in out
    tried = re.match(r"burr: (\d+) of (\d+) solutions up to symmetry so far comes? apart", err)
    assert tried is not None, err
    assert 1 <= int(tried[1]) <= min(5, int(tried[2]))  # of the five that come apart


def test_all_sequences(cli: Cli, tmp_path: Path) -> None:
    code, out, _ = cli("takeapart", str(burr(tmp_path)), "--all", "--json")
    document = json.loads(out)
    assert (code, document["status"], document["assemblies"]) == (0, "complete", 30)
    levels = sorted(each["level"] for each in document["disassemblies"])
    assert levels == ["2", "3", "4.3.2", "7", "7"]
    for each in document["disassemblies"]:
        moves = [move for separation in each["separations"] for move in separation["moves"]]
        assert len(moves) == each["moves"]
        assert [move["steps"] for move in moves].count(None) == len(each["separations"])
        assert each["outcome"] == "apart"


def test_counts_by_level(cli: Cli, tmp_path: Path) -> None:
    path = str(burr(tmp_path))
    code, out, _ = cli("count", path, "--assemblable", "-q")
    assert code == 0
    assert [line.split() for line in out.splitlines()[2:]] == [
        ["level", "2", "12", "1", "1"],
        ["level", "3", "12", "1", "1"],
        ["level", "4.3.2", "12", "1", "1"],
        ["level", "7", "24", "2", "2"],
        ["come", "apart", "60", "5", "5"],
        ["solutions", "360", "30", "30"],
    ]
    _, out, _ = cli("count", path, "--assemblable", "--json")
    document = json.loads(out)
    assert (document["raw"], document["rotation"], document["symmetry"]) == (60, 5, 5)
    _, out, _ = cli("count", path, "--json")  # what is counted with --assemblable beside the others
    plain = json.loads(out)
    assert plain["raw"] == document["assemblies"]
    assert plain["rotation"] == document["assemblies_rotation"]
    assert plain["symmetry"] == document["assemblies_symmetry"]


def test_solutions_that_come_apart_are_taken_apart_from_a_file(cli: Cli, tmp_path: Path) -> None:
    path, found = str(burr(tmp_path)), str(tmp_path / "found.jsonl")
    code, _, err = cli("solve", path, "--assemblable", "--all", "-o", found)
    assert code == 0
    assert "all 5 solutions up to symmetry" in err
    code, out, _ = cli("takeapart", path, found)
    assert code == 0
    assert out.count("comes apart") == 5
    code, out, _ = cli("takeapart", path, found, "--number", "2", "--json")
    assert (code, len(json.loads(out)["disassemblies"])) == (0, 1)
    code, _, err = cli("takeapart", path, found, "--number", "6")
    assert code == 1
    assert "has no solution number 6" in err


def test_a_file_without_solutions(cli: Cli, tmp_path: Path) -> None:
    path, file = burr(tmp_path), tmp_path / "none.jsonl"
    with file.open("w") as stream:
        exactile.write_solutions(exactile.load(path), [], stream)
    code, out, err = cli("takeapart", str(path), str(file))
    assert (code, out, err) == (3, "", f"{file} has no solutions: nothing to take apart\n")


def test_no_time_is_left_after_reading(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(burr(tmp_path))
    file = tmp_path / "burr.txt"
    file.write_text(cli("solve", path, "--format", "jsonl")[1])
    late(monkeypatch, 1, takeapart_command, "check")
    code, out, _ = cli("takeapart", path, str(file), "--time-limit", "60", "--json")
    (found,) = json.loads(out)["disassemblies"]
    assert (code, found["outcome"], found["stopped"]) == (3, "unknown", "time limit")


def test_ctrl_c_keeps_what_is_taken_apart(cli: Cli, tmp_path: Path) -> None:
    path, file = str(burr(tmp_path)), tmp_path / "burr.txt"
    file.write_text(cli("solve", path, "-n", "3", "--format", "jsonl")[1])
    words = ("takeapart", path, str(file), "--json")
    code, out, _ = interrupted(lambda: cli(*words), 2, takeapart_command, "take_apart")
    document = json.loads(out)
    assert (code, document["status"], document["stopped"]) == (130, "unknown", "interrupted")
    assert len(document["disassemblies"]) == 1


@pytest.mark.parametrize("stored", [False, True])
def test_what_is_found_is_taken_apart_as_long_as_there_is_time(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stored: bool
) -> None:
    """The limit comes after the first of five sequences."""
    path = str(burr(tmp_path))
    words = ["--store", str(tmp_path / "a.store")] if stored else []
    late(monkeypatch, 1, takeapart_command, "take_apart")
    code, out, _ = cli("takeapart", path, "--all", "--time-limit", "60", "--json", *words)
    document = json.loads(out)
    outcomes = [each["outcome"] for each in document["disassemblies"]]
    assert (code, document["stopped"]) == (3, "time limit")
    assert outcomes == ["apart", "unknown"]


def test_locked_solutions(cli: Cli, tmp_path: Path) -> None:
    """Without lifting, nothing leaves a closed tray; in a file of solutions it is said of each."""
    path = tmp_path / "tray.toml"
    path.write_text("format = 1\n" + TRAY.replace('0,1"', '0,1 2,1"').replace('1,1 2,1"', '1,1"'))
    code, out, err = cli("takeapart", str(path))
    assert (code, out) == (0, "")
    assert "tray: none of 1 solution up to symmetry comes apart" in err
    code, out, _ = cli("count", str(path), "--assemblable")
    assert code == 0
    assert out.splitlines()[0] == "tray, dlx: unsolvable"
    found = str(tmp_path / "found.jsonl")
    cli("solve", str(path), "-o", found)
    code, out, _ = cli("takeapart", str(path), found)
    assert code == 0
    assert out == "1. locked\nC I: no sequence of moves separates them\n"


def test_a_puzzle_without_solutions_has_none_to_take_apart(cli: Cli) -> None:
    code, _, err = cli("takeapart", "--pieces", "soma-cubes:V", "--box", "3x1x1")
    assert (code, "soma-cubes-V-3x1x1: no solution" in err) == (0, True), err


def test_a_piece_slides_out_of_a_tray(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "tray.toml"
    path.write_text("format = 1\n" + TRAY)
    code, out, _ = cli("takeapart", str(path), "-q")
    assert code == 0
    assert out.splitlines()[0] == "tray: comes apart: level 1, 1 move"


def test_a_turn_is_found_and_told(cli: Cli, tmp_path: Path) -> None:
    path = str(latch_file(tmp_path))
    code, out, err = cli("takeapart", path)
    assert (code, out) == (0, "")
    assert "latch: none of 1 solution up to symmetry comes apart" in err
    code, out, _ = cli("takeapart", path, "--rotations")
    assert code == 0
    assert out.splitlines() == [
        "latch: comes apart: level 2, 2 moves",
        "latch from lock:",
        "    1. latch  quarter turn from +y to +x about the line x = 2.5, y = 1.5",
        "    2. latch  -y away",
    ]
    code, out, _ = cli("takeapart", path, "--rotations", "--all", "--json")
    (answer,) = json.loads(out)["disassemblies"]
    assert answer["separations"][0]["moves"] == [
        {"pieces": [0], "direction": [0, 0, -1], "steps": 1, "about": [2.5, 1.5, 0.0]},
        {"pieces": [0], "direction": [0, -1, 0], "steps": None},
    ]


def test_turns_in_solve_count_and_files(cli: Cli, tmp_path: Path) -> None:
    path, found = str(latch_file(tmp_path)), str(tmp_path / "found.jsonl")
    code, out, _ = cli("count", path, "--assemblable", *TURNED, "--json")
    assert (code, json.loads(out)["raw"]) == (0, 1)
    code, out, _ = cli("count", path, "--assemblable", "--json")
    assert (code, json.loads(out)["raw"]) == (0, 0)
    code, _, _ = cli("solve", path, "--assemblable", *TURNED, "-o", found)
    assert code == 0
    code, out, _ = cli("takeapart", path, found)
    assert (code, out.splitlines()[0]) == (0, "1. locked")
    code, out, _ = cli("takeapart", path, found, "--rotations")
    assert (code, out.splitlines()[0]) == (0, "1. comes apart: level 2, 2 moves")


def test_status_tells_runs_apart_and_says_what_was_tried(cli: Cli, tmp_path: Path) -> None:
    path, store = str(burr(tmp_path)), str(tmp_path / "a.store")
    for words in (("count",), ("count", *TURNED), ("solve", "-n", "2")):
        verb, *more = words
        assert cli(verb, path, "--assemblable", *more, "--store", store, "-q")[0] == 0
    out = cli("status", store)[1]
    assert "1. count burr --assemblable, dlx: complete" in out
    assert "2. count burr --assemblable --set rotations=yes, dlx: complete" in out
    assert "360 assemblies tried" in out
    runs = json.loads(cli("status", store, "--json")[1])["runs"]
    assert [run["rotations"] for run in runs] == [False, True, False]


def test_moves_are_drawn(cli: Cli, tmp_path: Path) -> None:
    path, found, strip = str(burr(tmp_path)), tmp_path / "found.jsonl", tmp_path / "strip.svg"
    cli("solve", path, "--assemblable", "--all", "-o", str(found))
    code, out, _ = cli("takeapart", path, str(found), "--number", "2", "-o", str(strip))
    assert (code, out.count("comes apart")) == (0, 1)
    assert f"<title>{out.splitlines()[0]}</title>" in strip.read_text("utf-8")
    code, printed, _ = cli("takeapart", path, str(found), "--number", "2", "--json", "-o", "-")
    assert (code, printed) == (2, "")
    code, first, _ = cli("takeapart", path, str(found), "-o", str(strip))
    assert (code, first.count("comes apart")) == (0, 1)
    code, out, err = cli("takeapart", str(latch_file(tmp_path)), "-o", str(tmp_path / "no.svg"))
    assert (code, out) == (0, "")
    assert "no.svg is not written: there are no moves to draw." in " ".join(err.split())
    assert not (tmp_path / "no.svg").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("takeapart", "tritrigs-heart-2"), "have no volume"),
        (("takeapart", "pentominoes-6x10", "--rotations"), "only those of the cube lattice"),
        (("count", "pentominoes-6x10", "--assemblable", *TURNED), "take them apart without"),
        (("solve", "soma-cube", *TURNED), "rotations goes with --assemblable"),
        (("takeapart", "tetrominoes-5x4-tube"), "is wrapped"),
        (("takeapart", "soma-cube", "--number", "2"), "--number goes with FILE"),
        (("takeapart", "soma-cube", "--all", "-o", "a.svg"), "-o draws one sequence"),
        (("takeapart", "soma-cube", "-o", "a.jsonl"), "cannot be written here"),
        (("count", "soma-cube", "--assemblable", "--method", "memo"), "exclude each other"),
        (("solve", "soma-cube", "--assemblable", "--up-to", "rotation"), "exclude each other"),
    ],
)
def test_mistakes(cli: Cli, words: tuple[str, ...], message: str) -> None:
    code, out, err = cli(*words)
    assert code in (1, 2)
    assert out == ""
    assert message in err


def test_searches_that_a_store_keeps(cli: Cli, tmp_path: Path) -> None:
    path, store = str(burr(tmp_path)), str(tmp_path / "a.store")
    plain = cli("count", path, "--assemblable", "-q")[1]
    kept = ("--assemblable", "-q", "--store", store)
    code, out, err = cli("count", path, *kept, "--set", "parts=5")
    assert (code, "come apart" in out) == (3, False), err
    code, out, _ = cli("resume", store, "-q", "--on", "processes", "--workers", "2")
    assert (code, out) == (0, plain)
    assert cli("count", path, *kept)[1] == plain  # told again
    code, out, err = cli("takeapart", path, "--all", "--store", store)
    assert code == 0
    assert out.count("comes apart: level") == 5
    assert "5 of 30 solutions" in err
    code, out, _ = cli("takeapart", path, "--all", "--store", store, "--json")
    assert (code, len(json.loads(out)["disassemblies"])) == (0, 5)
    code, out, _ = cli("status", store)
    assert out.count("60 all, 5 up to rotation, 5 up to symmetry") == 2
    cli("count", path, "-q", "--store", store)
    _, out, _ = cli("status", store)
    assert ("count burr --assemblable, dlx" in out, "count burr, dlx" in out) == (True, True)
    code, out, _ = cli("solve", path, "--assemblable", "-n", "2", "--json", "--set", "on=threads")
    document = json.loads(out)
    assert (code, len(document["solutions"]), document["up_to"]) == (0, 2, "symmetry")
    code, _, err = cli("takeapart", path, "--store", store, "--number", "1")
    assert (code, "a store keeps searches" in err) == (2, True)


def test_no_solution_of_a_file_is_taken_apart_after_the_time_limit(
    cli: Cli, tmp_path: Path
) -> None:
    puzzle, found = tmp_path / "tray.toml", tmp_path / "found.txt"
    puzzle.write_text(f"format = 1\n{TRAY}")
    found.write_text("CCC\nCII\nCCC\n")
    code, out, _ = cli("takeapart", str(puzzle), str(found), "--time-limit", "1e-9")
    assert (code, "comes apart" in out) == (3, False)
    assert "unknown" in out
