"""`exactile tile`, and what other commands do with its certificates and censuses."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

from exactile.cli.words import Line
from exactile.errors import FileError
from exactile.runs.ledger.record import Record
from exactile.runs.ledger.store import Ledger
from exactile.runs.store import Store
from exactile.surveys.tiling.census import Judged
from exactile.surveys.tiling.survey import CensusStore
from support.command_line import Cli
from support.ctrl_c import interrupted
from support.read_only import read_only

WRAPPED = """\
format = 1

[puzzle.torus]
lattice = "square"
pieces = { set = "tetrominoes" }
region.box = [4, 5]
region.wrap = [[4, 0]]

[puzzle.plain]
lattice = "square"
pieces = { set = "tetrominoes" }
region.box = [4, 5]
"""

HEESCH_2 = "0..5,0 0,1 5,1 0,2"

FIFTEEN = "2,0 0..4,1 1..4,2 0..3,3 0,4"
"""Hexagons that tile, with eight copies in a period."""


def test_a_tiler_and_its_period(cli: Cli) -> None:
    code, out, _ = cli("tile", "X")
    assert (code, out) == (
        0,
        "X: tiles the plane (by translates alone)\n  period 5 0, 2 1: 1 copy, isohedral\n",
    )
    code, out, _ = cli("tile", "F", "--least")
    assert code == 0
    assert "F: tiles the plane (by half turns)" in out
    assert "no period has fewer than 2 copies" in out


def test_a_non_tiler_its_heesch_numbers_and_its_certificate(cli: Cli, tmp_path: Path) -> None:
    folder = str(tmp_path / "proof")
    asked = ("--units", HEESCH_2, "--lattice", "square", "--heesch")
    code, out, _ = cli("tile", *asked, "--certificate", folder)
    assert code == 0
    assert "tile: does not tile the plane (refuted in" in out
    assert "  Heesch number 2\n  with holes in the last corona 2\n" in out
    assert f"certificate, verified: {folder}" in out
    _, _, err = cli("verify-certificate", f"{folder}/tiling.json")
    assert "tiling.json: this is a file, and not a census that can be read: name" in err
    code, out, _ = cli("verify-certificate", folder)
    assert code == 0
    assert "does not tile\nand has the Heesch number 2, 2 with holes in the last corona." in out
    assert cli("verify-certificate", folder, "--puzzle", "soma-cube")[0] == 2
    file = tmp_path / "proof" / "tiling.json"
    file.write_text(file.read_text("utf-8").replace('"solid": 2', '"solid": 1'), "utf-8")
    code, _, err = cli("verify-certificate", folder)
    assert code == 1
    assert err.startswith("Error: ")


def test_a_disc_that_cannot_be_covered_is_drawn_and_proved(cli: Cli, tmp_path: Path) -> None:
    asked = ("tile", "--units", "0,0..4 1,0 1,4", "--lattice", "square")
    picture, proofs = tmp_path / "disc.svg", tmp_path / "proofs"
    code, out, _ = cli(*asked, "--disc", "-o", str(picture), "--proofs", str(proofs))
    assert code == 0
    assert "  within distance 2, 22 units cannot all be covered, none to spare\n" in out
    assert "  the best attempt covers all but" in out
    assert f"  proofs, verified: {proofs / 'disc.cnf'} {proofs / 'disc.drup'}\n" in out
    assert picture.read_text("utf-8").count("<title>missed</title>") == 1
    code, _, err = cli(*asked, "--proofs", str(proofs))
    assert code != 0
    assert err.startswith("Error: ")
    assert cli("tile", "--lattice", "square", "--order", "5", "--disc")[0] == 2


@pytest.mark.parametrize("words", ["X", "--units 0,0,0 --lattice octasquares"])
def test_proofs_that_are_not_written_are_noted(cli: Cli, tmp_path: Path, words: str) -> None:
    proofs = tmp_path / "proofs"
    code, _, err = cli("tile", *words.split(), "--proofs", str(proofs))
    why = "there is no refutation to prove, or it is too large"
    assert (code, err) == (0, f"{proofs} is not written: {why}.\n")
    assert not proofs.exists()
    assert cli("tile", *words.split(), "--proofs", str(proofs), "-q")[2] == ""


def test_exit_codes_tell_the_verdict(cli: Cli) -> None:
    assert cli("tile", "X", "--set", "exit_code=sat")[0] == 10
    assert cli("tile", "U", "--freedom", "fixed", "--set", "exit_code=sat")[0] == 20
    asked = ("--units", FIFTEEN, "--lattice", "hexagon", "--set", "effort=300")
    assert cli("tile", *asked, "--set", "exit_code=sat")[0] == 0
    code, out, _ = cli("tile", *asked)
    assert code == 3
    assert "tile: open" in out
    assert "the search stopped: effort" in out


def test_crossings_are_allowed_by_their_option(cli: Cli) -> None:
    assert "L: does not tile the plane" in cli("tile", "L", "--lattice", "square-edges")[1]
    allowed = cli("tile", "L", "--lattice", "square-edges", "--set", "allow_crossing=yes")[1]
    assert "L: tiles the plane" in allowed


@pytest.mark.parametrize(
    ("words", "claim"),
    [
        ("X", "this prototile tiles with a period of 1 copy."),
        ("U --freedom fixed", "this prototile, turned in 1 of 8 ways, does not tile."),
        ("U --freedom fixed --heesch", "this prototile, turned in 1 of 8 ways, does not tile"),
        ("O4,F --each", "these 2 prototiles, each of them used, tile with a period of 2 copies."),
    ],
)
def test_a_verified_claim_states_what_it_assumes(
    words: str, claim: str, cli: Cli, tmp_path: Path
) -> None:
    cli("tile", *words.split(), "--certificate", str(tmp_path / "proof"))
    lines = cli("verify-certificate", str(tmp_path / "proof"))[1].splitlines()
    assert lines[1] == claim
    assert "1 copies" not in lines[0]
    assert max(map(len, lines)) <= 80


def test_several_prototiles(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "two.toml"
    file.write_text(WRAPPED, "utf-8")
    code, out, _ = cli("tile", f"{file}#plain", "--each")
    assert code == 0
    assert "I4 L4 O4 T4 Z4: tiles the plane (with a period)" in out
    number, uses = re.findall(r"([0-9]+) copies \(([^)]*)\)", out)[0]
    used = dict(use.rpartition("×")[::-2] for use in uses.split())
    assert used.keys() == {"I4", "L4", "O4", "T4", "Z4"}
    assert sum(int(times or 1) for times in used.values()) == int(number)
    assert "1 copy (X), isohedral" in cli("tile", "F,X")[1]
    assert cli("tile", "hexominoes")[1].startswith("35 prototiles: tiles the plane")
    code, _, err = cli("tile", f"{file}#torus")
    assert code == 2
    assert "The region of this puzzle wraps around" in err
    code, out, err = cli("tile", f"{file}#plain", "--lattice", "hexagon")
    assert (code, out) == (2, "")
    assert "#plain states its lattice" in "".join(err.split("\n"))


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ("", 2, "Give either PIECE|SET|FILE or --units."),
        ("X --units 0,0", 2, "exclude each other"),
        ("--units 0,0", 2, "--units needs --lattice"),
        ("0..2,0", 2, "Units go with --units: --lattice square --units '0..2,0'."),
        ("0,0,0 --lattice spheres", 2, "--lattice spheres --units '0,0,0'."),
        ("0,-1,0", 2, "--lattice cube --units '0,-1,0'."),
        ("3,X", 1, "'3' names no pieces"),
        ("1" * 60 + "X", 1, "names no pieces"),  # no pattern takes exponential time
        ("--units , --lattice square", 1, "not a unit"),
        ("--units 0..400,0..250 --lattice square", 1, "the limit is 256"),
        ("--units 0,0,0 --lattice square", 1, "coordinates"),
        ("nosuch", 1, "neither a set nor a piece 'nosuch'"),
        ("X --lattice nowhere", 1, "no lattice 'nowhere'"),
        ("tetrominoes --heesch", 1, "single way has Heesch numbers"),
        ("X --order 3 --lattice square", 2, "--order and PIECES exclude each other"),
        (
            "--order 3 --lattice square --color copy",
            2,
            "say how each polyform tiles",
        ),
        ("--order 3 --lattice square --exit-code sat", 2, "a census has many answers"),
        ("X --store a.store", 2, "--store goes with --order"),
        ("--order 3", 2, "--order needs --lattice"),
        ("--order 0 --lattice square", 2, "write 9, or 1..9"),
        ("--order 3..1 --lattice square", 2, "write 9, or 1..9"),
        ("--order 1..3 --lattice square --json", 2, "for a single order"),
        ("--order 99 --lattice square", 1, "out of range"),
        ("X --set copies=0", 2, "copies"),
        ("X --set coronas=99", 2, "coronas"),
    ],
)
def test_bad_input_is_one_error(words: str, code: int, message: str, cli: Cli) -> None:
    found, out, err = cli("tile", *words.split())
    assert (found, out) == (code, "")
    assert message in " ".join(err.split())
    assert "Traceback" not in err


# --- censuses


def test_a_table_of_a_census(cli: Cli) -> None:
    code, out, _ = cli("tile", "--lattice", "square", "--order", "6..7")
    lines = out.splitlines()
    assert code == 0
    assert lines[0].split()[-2:] == ["do-not", "open"]
    assert len(lines[0]) <= 80
    assert [line.split() for line in lines[1:3]] == [
        ["6", "35", "0", "35", "24", "35", "35", "0", "0", "0"],
        ["7", "108", "1", "104", "41", "101", "104", "0", "4", "0"],
    ]
    assert "order 7, Heesch numbers, without holes: 0: 1, 1: 2" in lines


def test_a_census_in_space_says_nothing_about_half_turns(cli: Cli, tmp_path: Path) -> None:
    words = ("tile", "--lattice", "cube", "--order", "2")
    row = cli(*words)[1].splitlines()[1]
    assert row.split() == ["2", "1", "0", "1", "1", "-", "1", "0", "0", "0"]
    assert cli(*words, "-o", str(tmp_path / "a.csv"))[0] == 0
    with (tmp_path / "a.csv").open(newline="") as stream:
        assert [row["half_turn"] for row in csv.DictReader(stream)] == [""]


def test_a_census_as_csv(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "a.csv"
    assert cli("tile", "--lattice", "hexagon", "--order", "1..4", "-o", str(file))[0] == 0
    with file.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["order"] for row in rows].count("4") == 7
    assert {row["verdict"] for row in rows} == {"tiles"}
    assert rows[0]["units"] == "0,0"


def test_a_census_as_a_sheet(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "a.svg"
    assert cli("tile", "--lattice", "hexagon", "--order", "5..6", "-o", str(file))[0] == 0
    captions = re.findall(r">(\d+: [^<]+)<", file.read_text("utf-8"))
    known = Counter(caption.partition(": ")[2] for caption in captions)
    assert known == {
        "1 copy": 12 + 36,
        "2 copies": 10 + 40,
        "2 copies, anisohedral": 1,
        "Heesch 1": 3,
        "Heesch 2": 1,
        "does not tile": 1,
    }
    for ending, start in ((".png", b"\x89PNG"), (".pdf", b"%PDF")):
        other = file.with_suffix(ending)
        assert cli("tile", "--lattice", "square", "--order", "4", "-o", str(other))[0] == 0
        assert other.read_bytes().startswith(start)


def test_a_census_of_which_nothing_is_known_is_not_drawn(cli: Cli, tmp_path: Path) -> None:
    asked = ("tile", "--lattice", "square", "--order")
    for ending in (".svg", ".png", ".pdf"):
        file = tmp_path / f"a{ending}"
        code, out, err = cli(*asked, "1", "--shard", "2/2", "-o", str(file))
        assert (code, out, err) == (0, "", "order 1: 0 of 1 forms are known\n")
        assert not file.exists()
    code, out, err = cli(*asked, "5", "--time-limit", "1e-9", "-o", str(file))
    assert (code, out) == (3, "")
    assert "of 12 forms are known: time limit" in err


def test_a_store_has_a_census_or_searches(cli: Cli, tmp_path: Path) -> None:
    census, runs, new = (str(tmp_path / f"{name}.store") for name in ("census", "runs", "new"))
    asked = ("tile", "--lattice", "square", "--order", "3", "-q", "--store")
    counting = ("count", "dominoes-4x4", "-q", "--store")
    assert (cli(*asked, census)[0], cli(*counting, runs)[0]) == (0, 0)
    code, _, err = cli(*counting, census)
    assert (code, "has a census of tilings" in err) == (1, True)
    code, _, err = cli(*asked, runs)
    assert (code, "has searches of puzzles" in err) == (1, True)
    code, _, err = cli("merge", new, census, runs)
    assert (code, "this store has no census" in err, Path(new).exists()) == (1, True, False)
    for into, given in ((new, (runs, census)), (census, (runs,)), (runs, (census,))):
        code, _, err = cli("merge", into, *given)
        assert (code, "this store has " in err) == (1, True)
    with Ledger(tmp_path / "a.ledger", write=True) as ledger:
        ledger.write(Record("soma-cube", "", "", 1, 1, 1, 1))
    code, _, err = cli(*asked, ledger.path)
    assert (code, "has searches of puzzles" in err) == (1, True)
    code, _, err = cli("catalogue", "estimate", "--puzzle", "soma-cube", "--ledger", census)
    assert (code, "has a census of tilings" in err) == (1, True)
    assert "2 of 2 forms" in cli("status", census)[1]
    assert "1. count dominoes-4x4" in cli("status", runs)[1]


def test_a_finished_census_is_told_again_where_nothing_can_be_written(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "a.store"
    asked = ("tile", "--lattice", "square", "--order", "3", "-q", "--store", str(store))
    code, out, _ = cli(*asked)
    assert code == 0
    for module in ("store", "store.opening", "store.store"):
        monkeypatch.setattr(f"exactile.runs.{module}.may_be_written", lambda _: False)
    read_only(monkeypatch)
    before = store.read_bytes()
    assert cli(*asked) == (0, out, "")
    assert "2 of 2 forms" in cli("status", str(store))[1]
    assert cli("resume", str(store), "-q") == (0, out, "")
    assert store.read_bytes() == before


def test_a_census_in_a_store_is_gone_on_with_joined_and_verified(cli: Cli, tmp_path: Path) -> None:
    one, two = str(tmp_path / "1.store"), str(tmp_path / "2.store")
    asked = ("tile", "--lattice", "square", "--order", "7", "-q")
    code, out, _ = cli(*asked, "--shard", "1/2", "--time-limit", "1e-9")
    assert code == 3
    assert "of 108 forms are known: time limit" in out
    assert cli(*asked, "--store", one, "--shard", "1/2")[0] == 0
    code, out, _ = cli("status", one)
    assert code == 0
    assert "Census of order 7 on the square lattice (free): 54 of 108 forms are known" in out
    assert out.count("54 of 108") == 1
    assert cli(*asked, "--store", two, "--shard", "2/2")[0] == 0
    code, _, err = cli("tile", "--lattice", "square", "--order", "6", "-q", "--store", two)
    assert code == 1
    assert "another census, of order 7" in err
    assert cli("merge", one, two, "-q") == (0, "", "")
    code, out, _ = cli("verify-certificate", one)
    assert code == 0
    assert out.startswith("Verified, form by form: 108 entries.\nNot verified: how forms tile,")
    code, out, _ = cli("resume", two, "--workers", "1", "--json")
    assert (code, json.loads(out)["done"]) == (0, 108)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("UPDATE census SET forms=34", "34 forms of order 6 on the square lattice; there are 35."),
        ("UPDATE judged SET rank=500 WHERE rank=1", "form 1 with the number 500"),
        ("UPDATE judged SET rank=0 WHERE rank=35", "form 35 with the number 0"),
    ],
)
def test_a_census_of_other_forms_is_not_verified(
    change: str, words: str, cli: Cli, tmp_path: Path
) -> None:
    path = tmp_path / "a.store"
    asked = ("tile", "--lattice", "square", "--order", "6", "-q", "--store", str(path))
    assert cli(*asked)[0] == 0
    with Store(path, write=True) as store, store.transaction():
        store.change(change)
    code, out, err = cli("verify-certificate", str(path), "-q")
    assert (code, out) == (1, "")
    assert words in " ".join(err.split())


def test_options_that_a_census_does_not_have(cli: Cli, tmp_path: Path) -> None:
    store = str(tmp_path / "a.store")
    asked = ("tile", "--lattice", "square", "--order", "3", "--store", store, "-q")
    assert cli(*asked)[0] == 0
    for words in (("1",), ("--on", "processes"), ("--set", "exit_code=sat")):
        code, out, err = cli("resume", store, *words)
        assert (code, out) == (2, "")
        assert "are for searches of puzzles" in " ".join(err.split())
    code, out, err = cli("status", store, "--watch")
    assert (code, out) == (2, "")
    assert "--watch is for searches of puzzles" in err


def test_a_census_is_verified_without_progress(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[bool] = []

    class Noted(Line):
        def __init__(self, *, enabled: bool = True) -> None:
            shown.append(enabled)
            super().__init__(enabled=enabled)

    monkeypatch.setattr("exactile.cli.check_commands.Line", Noted)
    store = str(tmp_path / "a.store")
    assert cli("tile", "--lattice", "square", "--order", "3", "--store", store, "-q")[0] == 0
    for words in ((), ("-q",)):
        assert "2 entries" in cli("verify-certificate", store, *words)[1]
    assert shown == [True, False]


def test_ctrl_c_during_a_census_keeps_what_is_known(cli: Cli, tmp_path: Path) -> None:
    store = str(tmp_path / "a.store")
    asked = ("tile", "--lattice", "square", "--order", "7", "--store", store)
    code, out, _ = interrupted(lambda: cli(*asked), 1, CensusStore, "add")
    assert code == 130
    assert "order 7: 64 of 108 forms are known: interrupted" in out
    code, out, _ = cli("status", store)
    assert code == 0
    assert "64 of 108 forms are known" in out


def test_an_error_during_a_census_keeps_what_is_known(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, add, room = str(tmp_path / "a.store"), CensusStore.add, iter([True])

    def add_one(kept: CensusStore, found: Iterable[Judged]) -> None:
        if not next(room, False):
            raise FileError("The disk is full.")
        add(kept, found)

    monkeypatch.setattr(CensusStore, "add", add_one)
    code, _, err = cli("tile", "--lattice", "square", "--order", "7", "--store", store)
    assert (code, "The disk is full." in err) == (1, True)
    assert "of 108 forms are known" in cli("status", store)[1]


def test_a_picture_is_written_beside_the_answer(cli: Cli, tmp_path: Path) -> None:
    for form, begin in (("svg", b"<svg "), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
        file = tmp_path / f"x.{form}"
        assert "X: tiles the plane" in cli("tile", "X", "-o", str(file))[1]
        assert file.read_bytes().startswith(begin)
    colored = tmp_path / "f.svg"
    cli("tile", "--units", HEESCH_2, "--lattice", "square", "-o", str(colored), "--color", "corona")
    assert "does not tile" in colored.read_text("utf-8")
