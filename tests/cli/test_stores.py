"""Searches that a store keeps: begun, stopped, gone on with, shared, joined, looked at."""

from __future__ import annotations

import json
import os
import shlex
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

import exactile
from exactile.answers import Status, StoreStatus
from exactile.files import read_solutions
from exactile.puzzle.check import faults
from exactile.puzzle.coordinates import units_in_coordinates
from exactile.runs.ledger.record import Record
from exactile.runs.ledger.store import Ledger
from exactile.runs.run import StoredRun
from exactile.runs.store import Store
from exactile.runs.store.join import take_share
from support.command_line import Cli, started
from support.ctrl_c import interrupted
from support.events import in_slices
from support.waiting import PATIENCE, wait_until

BRIEFLY = """
import os
from exactile.runs.drive import Driver
from exactile.tuning import TUNING
from support.clock import ticking
from support.events import ForGood, in_slices, whenever
TUNING.run_seconds = TUNING.run_short_seconds = 0.05
ticking(ForGood(), 0.02)
in_slices(ForGood(), 1000)
once = iter([True])
def end(driver, seconds):
    if driver.totals.found >= 10 and next(once, False):
        os.kill(os.getpid(), NUMBER)
whenever(ForGood(), end, Driver, "_take")
"""
"""Parts are short on every machine; what has found ten solutions gets a signal."""


def signalled(number: signal.Signals, *words: str) -> subprocess.Popen[str]:
    """Begin a command in a process of its own that gets a signal when it has found something."""
    return started(*words, first=BRIEFLY.replace("NUMBER", str(int(number))))


def test_a_search_is_kept_and_told_again(tmp_path: Path, cli: Cli) -> None:
    store = str(tmp_path / "a.store")
    for _ in range(2):
        code, out, _ = cli("count", "soma-cube", "--store", store)
        assert code == 0
        assert "11,520   (counted by us)" in out
    _, out, _ = cli("status", store)
    assert out.splitlines()[:2] == [
        "1. count soma-cube, dlx: complete",
        "   11,520 all, 480 up to rotation, 240 up to symmetry",
    ]
    code, out, _ = cli("resume", store)
    assert code == 0
    assert "11,520   (counted by us)" in out
    cli("count", "tetrominoes-5x4", "--store", store)
    code, _, err = cli("resume", store)
    assert code == 1
    assert "there are several runs to print again: name one of 1 (soma-cube), 2" in err
    code, _, err = cli("solutions", store)
    assert "there is no run with kept solutions" in err


def test_processes_search_without_a_store_too(cli: Cli) -> None:
    code, out, err = cli("count", "soma-cube", "--set", "on=processes", "--workers", "2")
    assert (code, "11,520   (counted by us)" in out) == (0, True)
    assert "resume" not in err


def test_what_was_found_is_written_for_tables(tmp_path: Path, cli: Cli) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra parquet is not installed")
    store, file = str(tmp_path / "a.store"), str(tmp_path / "a.parquet")
    assert cli("solve", "tetrahexes-4x7", "--all", "--store", store)[0] == 0
    assert cli("solutions", store, "-o", file)[0] == 0
    rows = parquet.read_table(file).to_pylist()
    assert [row["number"] for row in rows] == list(range(1, 19))
    placed = {piece["piece"] for piece in rows[0]["placements"]}
    assert placed == {piece.name for piece in exactile.load("tetrahexes-4x7").pieces}


def test_what_was_found_is_shown(tmp_path: Path, cli: Cli) -> None:
    store, file = str(tmp_path / "a.store"), str(tmp_path / "a.jsonl")
    assert cli("solve", "tetrahexes-4x7", "--all", "--store", store)[0] == 0
    puzzle = exactile.load("tetrahexes-4x7")
    cli("solutions", store, "-o", file)
    found = read_solutions(file, puzzle)
    everything = set(found)
    assert len(everything) == 18
    assert not any(faults(puzzle, solution) for solution in everything)
    assert found.end == "complete"
    cli("solutions", store, "-o", file, "--up-to", "symmetry", "--offset", "2", "--limit", "5")
    cut = read_solutions(file, puzzle)
    assert len(set(cut) & everything) == 5
    assert cut.end == "stopped: only a selection"
    for limit, end in ((18, "complete"), (17, "stopped: solution limit")):
        cli("solutions", store, "-o", file, "--limit", str(limit))
        cut = read_solutions(file, puzzle)
        assert (len(list(cut)), cut.end) == (limit, end)
    told = [
        json.loads(cli("solutions", store, "--json", "--limit", str(limit))[1])
        for limit in (18, 17)
    ]
    assert [(each["status"], each["stopped"]) for each in told] == [
        ("complete", None),
        ("solvable", "solution limit"),
    ]
    [placement, *_] = next(iter(everything))
    corners = units_in_coordinates(puzzle, placement.units[:2])
    units = " ".join(",".join(map(str, unit)) for unit in corners)
    cli("solutions", store, "-o", file, "--with", f"{placement.piece}@{units}")
    wanted = {
        solution
        for solution in everything
        if any(
            p.piece == placement.piece and set(placement.units[:2]) <= set(p.units)
            for p in solution
        )
    }
    assert set(read_solutions(file, puzzle)) == wanted
    code, _, err = cli("solutions", store, "--with", "Q@0,0")
    assert (code, "no piece 'Q'" in err) == (1, True)


def test_shares_are_joined_whatever_was_done_twice(tmp_path: Path, cli: Cli) -> None:
    store = str(tmp_path / "a.store")
    code, _, err = cli("solve", "soma-cube", "--all", "--store", store, "--set", "parts=20")
    assert (code, f"exactile resume {store} 1" in err) == (3, True)
    other = str(tmp_path / "b.store")
    code, out, _ = cli("solve", "soma-cube", "--store", other, "--set", "parts=4", "--json")
    assert (code, json.loads(out)["solutions"], json.loads(out)["status"]) == (3, [], "unknown")
    code, out, err = cli("solve", "mutilated-chessboard-6x6", "--store", other, "--json")
    assert (code, "nodes" in json.loads(out)["stats"]) == (0, False)
    _, _, err = cli("solve", "mutilated-chessboard-6x6", "--store", other)
    assert "See them" not in err
    shares = [str(tmp_path / f"{name}.store") for name in "pqrs"]
    for share, number in zip(shares, (1, 2, 3, 2), strict=True):
        code, out, _ = cli("work", store, "--shard", f"{number}/3", "-o", share)
        assert code == 0
        assert "a share of it" in out
    code, _, err = cli("merge", str(tmp_path / "new.store"), *shares)
    assert (code, "begin with the store that the shares were made of" in err) == (1, True)
    cli("merge", store, shares[1])
    code, out, _ = cli("merge", store, *shares)
    assert "parts known already" in out
    assert "11,520 all, 480 up to rotation, 240 up to symmetry" in out
    _, out, _ = cli("solutions", store, "--up-to", "symmetry", "--json")
    assert len(json.loads(out)["solutions"]) == 240


def test_shares_of_a_share_are_joined_in_any_order(tmp_path: Path, cli: Cli) -> None:
    """Parts that a share has cut are at home in it, and in the whole once it has been joined."""
    store, share, one, two = (str(tmp_path / f"{name}.store") for name in "wspq")
    cli("count", "pentominoes-5x12", "--store", store, "--set", "parts=2", "-q")
    with Store(store) as whole, Store(share, write=True) as mine:
        taken = take_share(whole, 1, mine, 1, 1)
        assert taken is not None
        cut = StoredRun(mine, taken)
        cut.cut(30)
        assert len(mine.parts(1)) > len(whole.parts(1))
    for number, part in ((1, one), (2, two)):
        assert cli("work", share, "--shard", f"{number}/2", "-o", part)[0] == 0
    _, out, _ = cli("merge", store, one, two, share, "--json")
    [run] = json.loads(out)["runs"]
    assert (run["raw"], run["done"], json.loads(out)["known"]) == (4040, 1.0, 0)


def test_what_is_finished_is_printed_again(tmp_path: Path, cli: Cli) -> None:
    one, store, share = (str(tmp_path / f"{name}.store") for name in "oas")
    assert cli("solve", "soma-cube", "--store", one, "-q")[0] == 0
    cli("count", "tetrahexes-4x7", "--store", store, "--set", "parts=12", "-q")
    assert cli("work", store, "--shard", "1/2", "-o", share)[0] == 0
    for finished in (one, share):
        code, out, _ = cli("resume", finished)
        assert (code, out) == (0, cli("status", finished)[1])


def test_a_share_that_has_nothing_left_is_no_error(tmp_path: Path, cli: Cli) -> None:
    store, share, again = (str(tmp_path / f"{name}.store") for name in "asr")
    cli("count", "tetrahexes-4x7", "--store", store, "--set", "parts=12", "-q")
    assert cli("work", store, "--shard", "1/2", "-o", share)[0] == 0
    cli("merge", store, share)
    code, out, err = cli("work", store, "--shard", "1/2", "-o", again)
    assert (code, out) == (0, "")
    assert err == f"Nothing is left of share 1/2 in {store}; 6 parts of other shares wait.\n"
    assert not Path(again).exists()
    code, out, _ = cli("work", store, "--shard", "1/2", "-o", again, "--json")
    assert (code, StoreStatus.from_json(out).runs) == (0, ())


def test_a_share_is_written_into_no_other_search(tmp_path: Path, cli: Cli) -> None:
    """Otherwise it would never be searched, and nobody would notice."""
    store, other, share = (str(tmp_path / f"{name}.store") for name in "abs")
    cli("count", "tetrahexes-4x7", "--store", store, "--set", "parts=12", "-q")
    cli("count", "soma-cube", "--store", other, "--set", "parts=2", "-q")
    for output in (store, other):
        code, _, err = cli("work", store, "--shard", "1/2", "-o", output)
        assert (code, "another search" in err) == (1, True)
    assert cli("work", store, "--shard", "1/2", "-o", share)[0] == 0
    assert cli("work", store, "1", "--shard", "1/2", "-o", share)[0] == 0
    few = tmp_path / "few.store"
    code, _, err = cli("work", store, "--shard", "1/99999", "-o", str(few))
    assert (code, "too few" in err, few.exists()) == (1, True, False)
    code, _, err = cli("work", store, "--shard", "2/2", "-o", share)
    assert (code, "this is share 1/2, not 2/2" in err) == (1, True)
    rest = str(tmp_path / "t.store")
    assert cli("work", store, "--shard", "2/2", "-o", rest)[0] == 0
    for taken in (store, rest):
        code, _, err = cli("merge", share, taken)
        assert (code, "only a share" in err) == (1, True)
    assert "18 all" in cli("merge", store, share, rest)[1]
    assert cli("work", store, "--shard", "1/2", "-o", share)[0] == 0
    assert "no run still unfinished" in cli("work", store, "--shard", "1/2", "-o", f"{rest}.new")[2]
    assert cli("resume", store, "9" * 30)[0] == 2


def test_the_hint_is_a_command_for_a_shell(tmp_path: Path, cli: Cli) -> None:
    store = str(tmp_path / "two words.store")
    cut = ("count", "tetrahexes-4x7", "--store", store, "--set", "parts=2")
    assert cli(*cut, "-q")[0] == 3
    _, _, err = cli("resume", store, "--time-limit", "1e-9")
    assert shlex.split(err.splitlines()[0])[2:] == ["exactile", "resume", store, "1"]


def test_a_frontier_is_not_resumed_on_processes(tmp_path: Path, cli: Cli) -> None:
    store = str(tmp_path / "a.store")
    with Store(store, write=True) as opened:
        puzzle = exactile.load("tetrahexes-4x7")
        StoredRun.begin(opened, puzzle, "count", method="frontier", use_reasons=False)
    code, _, err = cli("resume", store, "--on", "processes")
    assert (code, "a frontier, which is not cut into parts: leave out --on" in err) == (2, True)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_search_that_is_ended_goes_on(number: signal.Signals, tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "a.store"
    words = ("solve", "tetrasticks-5x5", "--all", "--store", str(path), "--workers", "1")
    out, err = (process := signalled(number, *words)).communicate(timeout=PATIENCE)
    if number is signal.SIGKILL:
        assert process.returncode == -number
    else:
        assert process.returncode == {signal.SIGTERM: 143, signal.SIGINT: 130}[number]
        assert "solutions found before the search stopped: interrupted" in out
        assert "% searched" in out
        assert f"exactile resume {path} 1" in err
    [run] = exactile.store_status(str(path)).runs
    assert 10 <= run.found < 14360
    assert not run.working
    with exactile.Store(path) as store:
        assert sum(len(rows) for rows in store.solutions(1)) == store.run(1).totals.found


@pytest.mark.slow
def test_a_lost_dask_scheduler_costs_what_it_had_not_given_back(tmp_path: Path, cli: Cli) -> None:
    pytest.importorskip("distributed", reason="Dask is not installed")
    path, port = tmp_path / "a.store", free_port()
    address = f"tcp://127.0.0.1:{port}"
    scheduler, worker = (
        subprocess.Popen([sys.executable, "-m", f"distributed.cli.{words[0]}", *words[1:]])
        for words in (
            ("dask_scheduler", "--host", address, "--no-dashboard", "--no-show"),
            ("dask_worker", address, "--no-nanny", "--no-dashboard", "--nthreads", "1"),
        )
    )
    try:
        wait_until(lambda: answers(port), scheduler)
        words = ("solve", "tetrasticks-5x5", "--all", "--store", str(path))
        process = started(*words, "--set", f"on=dask:{address}", first=HELD, stdin=subprocess.PIPE)
        assert process.stdout is not None
        assert process.stdout.readline() == "found\n"
        scheduler.kill()
        _, err = process.communicate("go on\n", timeout=PATIENCE)
    finally:
        for each in (scheduler, worker):
            each.kill()
            each.wait()
    assert process.returncode == 1
    assert f"The Dask scheduler at {address} is gone" in " ".join(err.split())
    assert "Traceback" not in err
    [run] = exactile.store_status(str(path)).runs
    assert 10 <= run.found < 14360
    assert cli("resume", str(path))[0] == 0
    [run] = exactile.store_status(str(path)).runs
    assert (run.found, run.raw, run.symmetry) == (14360, 14360, 1795)


HELD = """
from exactile.runs.drive import Driver
from exactile.tuning import TUNING
from support.events import ForGood, whenever
TUNING.run_seconds = TUNING.run_short_seconds = 0.05
once = iter([True])
def wait(driver, seconds):
    if driver.totals.found >= 10 and next(once, False):
        print("found", flush=True)
        input()
whenever(ForGood(), wait, Driver, "_take")
"""
"""What has found ten solutions says so, and goes on when it is told to."""


def answers(port: int) -> bool:
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", port)) == 0


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


TERMINATED = """
import os, signal
from support.events import ForGood, at
at(ForGood(), 3, lambda: os.kill(os.getpid(), signal.SIGTERM))
"""


def test_a_polite_request_to_end_is_heard_without_a_store_too() -> None:
    process = started("count", "hexominoes-14x15", "--set", "use_reasons=no", first=TERMINATED)
    out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 143
    assert "before the search stopped: interrupted" in out
    assert "% searched" in out


def test_one_solution_is_kept_and_ends_the_search(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    in_slices(monkeypatch, 1000)
    store, puzzle = str(tmp_path / "a.store"), exactile.load("pentominoes-6x10")
    words = ("solve", puzzle.name, "--store", store, "--json")
    code, out, _ = cli(*words)
    answer = json.loads(out)
    assert (code, answer["status"], answer["stopped"]) == (0, "solvable", "solution limit")
    [solution] = answer["solutions"]
    assert json.loads(cli(*words)[1])["solutions"] == [solution]
    [run] = exactile.store_status(store).runs
    assert (run.status, run.stopped) == (Status.SOLVABLE, "solution limit")
    assert run.parts
    assert cli("resume", store)[0] == 0
    code, out, _ = cli(
        "solve", "tetrominoes-5x4", "--set", "use_reasons=no", "--store", store, "--json"
    )
    assert (code, json.loads(out)["status"]) == (0, "unsolvable")


@pytest.mark.parametrize("on", ["threads", "processes"])
def test_solutions_go_to_standard_output_without_a_store(on: str, cli: Cli) -> None:
    words = ("solve", "tetrahexes-4x7", "--set", f"on={on}", "--format", "jsonl")
    for more, number in ((["--all"], 18), (["--limit", "4"], 4), ([], 1)):
        code, out, _ = cli(*words, *more)
        assert (code, out.count("placements")) == (0, number)


def test_classes_and_subsets_are_told_from_a_store(tmp_path: Path, cli: Cli) -> None:
    store = str(tmp_path / "a.store")
    for words in (
        ("classes", "tetrahexes-4x7", "--json"),
        ("subsets", "shader-hexagon", "shader-zigzag", "--json"),
        ("count", "shader-hexagon", "--by-pieces", "--json"),
    ):
        plain = without_counters(json.loads(cli(*words)[1]))
        others = [
            without_counters(json.loads(cli(*words, *more)[1]))
            for more in (["--store", store], ["--store", store], ["--set", "on=processes"])
        ]
        assert others[0] == others[1] == others[2]
        for answer in (plain, others[0]):  # solutions may have other numbers
            answer["classes"] = [len(members) for members in answer.get("classes", ())]
        assert others[0] == plain
    assert [run.puzzle for run in exactile.store_status(store).runs] == [
        *("tetrahexes-4x7", "shader-hexagon", "shader-zigzag")
    ]


def without_counters(answer: Any) -> Any:
    """Return an answer without what the way of searching changes."""
    if isinstance(answer, dict):
        return {key: without_counters(value) for key, value in answer.items() if key != "stats"}
    return [without_counters(value) for value in answer] if isinstance(answer, list) else answer


def test_ctrl_c_ends_classes_of_a_store(tmp_path: Path, cli: Cli) -> None:
    words = ("classes", "pentominoes-6x10", "--store", str(tmp_path / "a.store"))
    with pytest.MonkeyPatch.context() as patch:
        in_slices(patch, 1000)  # or all is found by then
        code, out, err = interrupted(lambda: cli(*words, "--workers", "1"))
    assert (code, out) == (130, "")
    assert "Continue with: exactile resume" in err


def test_classes_go_on_with_what_a_killed_search_has_found(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "a.store"
    words = ("classes", "tetrasticks-5x5", "--store", str(path))
    process = signalled(signal.SIGKILL, *words, "--workers", "1")
    process.communicate(timeout=PATIENCE)
    assert process.returncode == -signal.SIGKILL
    [before] = exactile.store_status(str(path)).runs
    code, out, _ = cli("classes", "tetrasticks-5x5", "--store", str(path), "--json")
    [after] = exactile.store_status(str(path)).runs
    assert (code, json.loads(out)["solutions"]) == (0, 1795)
    assert after.raw == 14360
    assert 0 < before.found < 14360


def test_mistakes_with_stores_are_told(tmp_path: Path, cli: Cli) -> None:
    store = str(tmp_path / "a.store")
    for words, told in {
        ("count", "soma-cube", "--set", "parts=9"): "--set parts goes with --store",
        (
            "solve",
            "soma-cube",
            "--all",
            "--store",
            store,
            "--set",
            "columns=2",
        ): "exactile solutions",
        (
            "count",
            "soma-cube",
            "--set",
            "on=threads",
            "--set",
            "seed=3",
        ): "--set on and --set seed exclude",
        ("count", "soma-cube", "--store", store, "--certificate", "c"): "and --certificate exclude",
        ("subsets", "soma-cube", "--store", store, "--set", "parts=3"): "has no use for parts",
        ("classes", "soma-cube", "--store", store, "--set", "parts=3"): "has no use for parts",
        ("classes", "soma-cube", "--store", store, "--solutions", "-"): "and --solutions exclude",
        ("count", "soma-cube", "--store", store, "--backend", "reference"): "take dlx, sat or",
        ("work", store, "--shard", "4/3", "-o", store): "is not a share",
        ("status", store): "there is no such store",
    }.items():
        code, _, err = cli(*words)
        assert code in (1, 2)
        assert told in " ".join(err.replace("│", " ").split())
        assert not Path(store).exists()
    os.mkfifo(store)
    code, _, err = cli("status", store)
    assert code == 1


def test_kept_solutions_are_drawn_as_the_puzzle_is_stated(tmp_path: Path, cli: Cli) -> None:
    """A twisted torus is a box of 5 by 4 in its file, however its units are numbered."""
    store = str(tmp_path / "a.store")
    cli("solve", "tetrominoes-twisted-torus", "--store", store, "-q")
    kept = cli("solutions", store, "--limit", "1", "--format", "svg")[1]
    found = cli("solve", "tetrominoes-twisted-torus", "--format", "svg")[1]
    sizes = [ET.fromstring(text).get("viewBox") for text in (kept, found)]
    assert sizes[0] == sizes[1]


def test_a_share_that_cannot_begin_leaves_no_store(cli: Cli, tmp_path: Path) -> None:
    store, share = str(tmp_path / "all.store"), tmp_path / "share.store"
    assert cli("count", "soma-cube", "--store", store, "--set", "parts=8", "-q")[0] == 3
    work = ("work", store, "--shard", "1/2", "-o", str(share))
    assert cli(*work, "--on", "nowhere")[0] == 1
    assert [path.name for path in tmp_path.iterdir()] == ["all.store"]
    assert cli(*work, "--time-limit", "1e-9")[0] == 3
    assert cli(*work, "--on", "nowhere")[0] == 1
    assert share.exists()


def test_stores_that_cannot_be_joined_leave_none(cli: Cli, tmp_path: Path) -> None:
    store, share = str(tmp_path / "all.store"), str(tmp_path / "share.store")
    assert cli("count", "tetrahexes-4x7", "--store", store, "--set", "parts=8", "-q")[0] == 3
    assert cli("work", store, "--shard", "1/2", "-o", share)[0] == 0
    fresh = tmp_path / "fresh.store"
    code, _, err = cli("merge", str(fresh), share)
    assert (code, "that the shares were made of" in err, fresh.exists()) == (1, True, False)
    with Ledger(tmp_path / "a.ledger", write=True) as ledger:
        ledger.write(Record("soma-cube", "x", "m", 1, 1, 1, 1))
    code, _, err = cli("merge", str(fresh), ledger.path)
    assert (code, "a.ledger: this is a ledger" in err, fresh.exists()) == (1, True, False)
    assert cli("merge", str(fresh), store, share)[0] == 0
    assert fresh.exists()


def test_a_share_that_another_process_has_begun_stays(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may come into being between a look whether it is there and its opening."""
    store, share = str(tmp_path / "all.store"), tmp_path / "share.store"
    assert cli("count", "soma-cube", "--store", store, "--set", "parts=8", "-q")[0] == 3
    exists = Path.exists
    with Store(share, write=True):
        monkeypatch.setattr(Path, "exists", lambda self: self != share and exists(self))
        code, _, err = cli("work", store, "--shard", "1/2", "-o", str(share))
        monkeypatch.undo()
        assert code == 1
        assert "another run is at work" in err
        assert share.exists()


def test_solutions_of_any_number_are_told(cli: Cli, tmp_path: Path) -> None:
    store = str(tmp_path / "a.store")
    assert cli("solve", "soma-cube", "--all", "--store", store, "-q")[0] == 0
    most = str(2**63 - 1)
    code, out, _ = cli("solutions", store, "--offset", "11519", "-n", most, "--json")
    assert (code, len(json.loads(out)["solutions"])) == (0, 1)
    code, out, _ = cli("solutions", store, "--offset", most, "-n", "1", "--json")
    assert (code, len(json.loads(out)["solutions"])) == (0, 0)
