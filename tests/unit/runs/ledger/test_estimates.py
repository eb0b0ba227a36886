"""Estimates of open puzzles: as good as wanted, nothing twice, nothing lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import exactile
from exactile.counting.estimate import estimate
from exactile.errors import CountingError, PuzzleError
from exactile.runs.ledger.estimates import Estimates, by_time
from exactile.runs.ledger.export import export
from exactile.runs.ledger.pages import estimates_page, pages
from exactile.runs.ledger.record import Numbers, Record
from exactile.runs.ledger.settle import Settler
from exactile.runs.ledger.store import Ledger
from exactile.search.limits import Limits
from support.command_line import Cli
from support.ctrl_c import interrupted

LONG = 1e6
SOMA, CRYSTAL = "soma-cube", "soma-crystal"


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """List no endings, so that small puzzles leave something to be estimated."""
    monkeypatch.setattr("exactile.counting.sampled.GUIDE_ENDINGS", 0)
    monkeypatch.setattr("exactile.counting.sampled.FIRST_STATES", 200)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """Return a ledger of two open puzzles, and one that is settled."""
    ledger = Ledger(tmp_path / "a.ledger", write=True)
    for name in (SOMA, CRYSTAL, "sheldons-cube-1"):
        ledger.write(Settler(exactile.load(name)).record)
    record = known(ledger, "sheldons-cube-1")
    record.status, record.numbers = "exact", Numbers(2, 1, 1)
    ledger.write(record)
    yield ledger
    ledger.close()


def known(ledger: Ledger, name: str) -> Record:
    record = ledger.read(name, exactile.load(name).digest)
    assert record is not None
    return record


def made(ledger: Ledger, to: float, seconds: float = LONG) -> list[str]:
    """Return the puzzles that were worked on, in order."""
    seen: list[str] = []
    work = Estimates(ledger, seconds, to, watch=lambda record: seen.append(record.id))
    work.make([SOMA, CRYSTAL, "sheldons-cube-1", "tetrahexes-4x7"])
    assert not work.errors
    return seen


def test_each_is_as_good_as_wanted_and_none_is_estimated_twice(ledger: Ledger) -> None:
    fewer, more = sorted((SOMA, CRYSTAL), key=lambda name: known(ledger, name).options)
    assert made(ledger, to=0.5) == [fewer, more]
    assert half_width(ledger, SOMA) <= 0.5
    assert made(ledger, to=0.5) == []
    wanted = half_width(ledger, SOMA) / 2
    assert SOMA in made(ledger, wanted)
    assert half_width(ledger, SOMA) <= wanted
    assert known(ledger, SOMA).tried == []


def half_width(ledger: Ledger, name: str) -> float:
    found = known(ledger, name).sampled
    assert found is not None
    assert found.half_width is not None
    return found.half_width


def test_the_same_seed_gives_the_same_estimate(ledger: Ledger) -> None:
    made(ledger, to=0.5)
    found = known(ledger, SOMA).sampled
    assert found is not None
    again = estimate(exactile.load(SOMA), dives=1, states=found.states, runs=found.runs)
    assert again.solutions == found


def test_a_settled_puzzle_has_none(ledger: Ledger) -> None:
    made(ledger, to=0.5)
    assert known(ledger, "sheldons-cube-1").sampled is None
    settler = Settler(exactile.load(SOMA), known(ledger, SOMA))
    settler.search(LONG)
    assert settler.record.numbers is not None
    assert (settler.record.sampled, settler.record.sampled_seconds) == (None, 0.0)


def test_what_was_cut_is_tried_again_only_with_more_time(ledger: Ledger) -> None:
    assert len(made(ledger, to=1e-9, seconds=1e-9)) == 2
    record = known(ledger, SOMA)
    assert record.tried == [by_time(1e-9)]
    assert record.sampled is not None
    assert (record.sampled.number, record.sampled.runs) == (None, 0)
    assert made(ledger, to=1e-9, seconds=1e-9) == []
    assert made(ledger, to=1e-9, seconds=5e-10) == []
    assert len(made(ledger, to=0.5)) == 2
    assert known(ledger, SOMA).sampled != record.sampled


def test_an_estimate_stays_if_a_later_one_fails(ledger: Ledger) -> None:
    made(ledger, to=0.5)
    before = known(ledger, SOMA)
    made(ledger, to=1e-9, seconds=1e-9)
    after = known(ledger, SOMA)
    assert after.tried == [by_time(1e-9)]
    assert (after.sampled, after.sampled_seconds) == (before.sampled, before.sampled_seconds)


def test_ctrl_c_keeps_what_is_written(ledger: Ledger) -> None:
    def stopped() -> bool:
        with pytest.raises(KeyboardInterrupt):
            made(ledger, to=0.5)
        return True

    assert interrupted(stopped, 2, Settler, "sample")
    numbers = [known(ledger, name).sampled for name in (SOMA, CRYSTAL)]
    assert numbers.count(None) == 1
    assert len(made(ledger, to=0.5)) == 1


def test_a_puzzle_that_needs_more_memory_is_named(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_memory(settler: Settler, limits: Limits, to: float) -> None:
        raise CountingError(f"200 states need more memory than {limits.memory} bytes.")

    monkeypatch.setattr(Settler, "sample", no_memory)
    work = Estimates(ledger, LONG, 1e9, memory=1000)
    work.make([SOMA])
    assert "more memory" in work.errors[SOMA]
    assert known(ledger, SOMA).tried == []
    for wrong in ((0, 1), (1, 0)):
        with pytest.raises(PuzzleError):
            Estimates(ledger, *wrong)


def test_pages_never_mix_estimates_with_numbers(ledger: Ledger) -> None:
    made(ledger, to=0.5)
    document = export(ledger)
    found = known(ledger, SOMA).sampled
    assert found is not None
    page = pages(document)["polycube"]
    row = next(line for line in page.splitlines() if line.startswith(f"| {SOMA} "))
    cells = [cell.strip() for cell in row.split("|")]
    assert cells[3:6] == ["", "", ""]
    assert cells[6] == f"{found.words} (estimate)"
    assert f"`{SOMA}` open; {found.words} (estimate)" in page
    table = estimates_page(document)
    assert "Of 2 open puzzles 2 have an estimate" in table
    assert f"| {SOMA} | " in table
    assert "| sheldons-cube-1 |" not in table


def test_the_command_says_how_many_have_an_estimate(
    ledger: Ledger, tmp_path: Path, cli: Cli
) -> None:
    ledger.close()
    words = ["catalogue", "estimate", "--puzzle", SOMA, "--puzzle", CRYSTAL]
    words += ["--ledger", str(tmp_path / "a.ledger"), "--to", "100%"]
    code, out, err = cli(*words)
    assert code == 0
    assert f"{SOMA}: about " in err
    assert out.startswith("2 open puzzles: 2 with an estimate, 2 with a half-width of at most 1")
    assert cli(*words)[1:] == (out, "")


def test_the_command_says_that_nothing_is_open(ledger: Ledger, tmp_path: Path, cli: Cli) -> None:
    ledger.close()
    words = ["--puzzle", "sheldons-cube-1", "--ledger", str(tmp_path / "a.ledger")]
    assert cli("catalogue", "estimate", *words)[:2] == (
        0,
        "None of these puzzles is open: their exact numbers are known.\n",
    )


def test_the_command_says_which_puzzles_the_ledger_lacks(
    ledger: Ledger, tmp_path: Path, cli: Cli
) -> None:
    ledger.close()
    words = ["--puzzle", "l3-pentacubes-10x6x5", "--ledger", str(tmp_path / "a.ledger")]
    code, out, err = cli("catalogue", "estimate", *words)
    assert (code, out) == (1, "")
    assert "1 puzzle not estimated, because " in err
    assert "`exactile catalogue verify` with a small --budget" in err


def test_a_missing_ledger_is_an_error_and_none_is_made(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "a.ledger"
    code, _, err = cli("catalogue", "estimate", "--puzzle", "soma-cube", "--ledger", str(path))
    assert (code, "there is no such ledger" in err, path.exists()) == (1, True, False)
