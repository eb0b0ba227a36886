"""The progress line: on terminals only, and wiped before anything else is written."""

from __future__ import annotations

import json
import os
import re
import sys
from contextlib import suppress
from threading import Event, Thread

import pytest

import exactile
from exactile.backends.members import Ways, members_of
from exactile.cli.main import run
from exactile.cli.words import Line, progress_text
from support.clock import late
from support.ctrl_c import interrupted_when
from support.events import in_slices

pty = pytest.importorskip("pty")

LONG = ("polysticks-1234-5x5-diamond-lattice-ring", "--set", "use_reasons=no")
LINE = re.compile(r"(\d+\.\d) % searched, (?:[\d,]+ solutions?, )?\d+ s")
CODE = re.compile(r"\x1b\[[?\d;]*[a-zA-Z]")
WIPED = "\x1b[2K"
ALWAYS = -1.0
"""Seconds that are over at each look at a clock."""


def on_a_terminal(words: tuple[str, ...], until: str, columns: int = 80, **environment: str) -> str:
    """Return what a command writes to stderr where that is a terminal.

    When it has written what is looked for twice, Ctrl-C ends it.
    """
    outside, inside = pty.openpty()
    parts: list[bytes] = []
    enough = Event()

    def read() -> None:
        with suppress(OSError):  # the other end is closed
            while part := os.read(outside, 4096):
                parts.append(part)
                if len(re.findall(until, b"".join(parts).decode(errors="replace"))) > 1:
                    enough.set()

    reader = Thread(target=read)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in ({"COLUMNS": str(columns), "TERM": "xterm"} | environment).items():
            patch.setenv(name, value)
        patch.setattr(Line, "INTERVAL", ALWAYS)
        with os.fdopen(inside, "w", encoding="utf-8") as stderr:
            patch.setattr(sys, "stderr", stderr)
            reader.start()
            interrupted_when(enough.is_set, lambda: run(list(words)))
    reader.join()
    os.close(outside)
    return b"".join(parts).decode()


@pytest.mark.parametrize(
    "words",
    [
        ("prove", *LONG),
        ("solve", *LONG),
        ("count", *LONG),
        ("count", "one-sided-pentominoes-6x15", "--workers", "2"),
    ],
)
def test_it_tells_how_much_is_searched(words: tuple[str, ...]) -> None:
    text = on_a_terminal(words, LINE.pattern)
    shares = [float(m[1]) for m in LINE.finditer(text)]
    assert shares
    assert shares == sorted(shares)
    assert all(0 <= share < 100 for share in shares)
    before, _, after = text.rpartition(WIPED)
    assert LINE.search(before)
    assert not LINE.search(after)
    assert text.count("\x1b[?25l") == text.count("\x1b[?25h")  # the cursor is there again


def test_a_memo_tells_how_far_it_is() -> None:
    counted = r"(\d+\.\d) % counted"
    text = on_a_terminal(("count", "y-pentominoes-15x24", "--method", "memo"), counted)
    parts = [float(part) for part in re.findall(counted, text)]
    assert 0 <= parts[0] <= parts[-1] < 100


def test_it_is_cut_to_the_width_of_the_terminal() -> None:
    text = on_a_terminal(("prove", *LONG), "% searched", columns=20)
    shown = [CODE.sub("", part) for part in re.split(r"[\r\n]", text)]
    cut = [part for part in shown if "% searched" in part and "interrupted" not in part]
    assert cut
    assert all(len(part) <= 20 and part.endswith("\N{HORIZONTAL ELLIPSIS}") for part in cut)


def test_without_color_there_are_no_colors() -> None:
    text = on_a_terminal(("prove", *LONG), LINE.pattern, NO_COLOR="1")
    assert "% searched" in text
    assert not re.search(r"\x1b\[[\d;]*m", text)


def test_quiet_is_quiet() -> None:
    assert on_a_terminal(("prove", *LONG, "-q", "--time-limit", "0.1"), LINE.pattern) == ""


def test_it_tells_who_tries_and_how_far_the_best_packing_got() -> None:
    words = ("solve", "tetrominoes-5x4", "--set", "use_reasons=no", "--backend", "first:repair")
    assert on_a_terminal(words, r"\d+ s; \d+ of 20 units; repair")


def test_that_fits_80_columns() -> None:
    ways = Ways(exactile.lower(exactile.load("heptiamonds-trefoil-6")), None)
    names = max((member.name for member in members_of(ways)), key=len)
    text = progress_text(0.9999, 0, 999, f"1,204 of 1,210 units; {names}, sat, cpsat")
    assert len(text) <= 80


def test_pegs_wipe_it_before_they_write() -> None:
    words = ("peg", "english", "--start", "17", "--end", "17", "--shortest")
    text = on_a_terminal(words, "positions")
    before, _, after = text.rpartition(WIPED)
    assert before.count("positions") >= 2
    assert "english, native: 1 start: 1 unknown" in after


def test_other_backends_cannot_tell() -> None:
    text = on_a_terminal(("prove", *LONG, "--backend", "reference"), "0 solutions, ")
    assert "0 solutions, " in text
    assert "searched" not in text


def test_there_is_none_in_a_pipe(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Line, "INTERVAL", ALWAYS)
    late(monkeypatch)
    run(["prove", *LONG, "--time-limit", "60"])
    assert "searched" not in capsys.readouterr().err


@pytest.mark.parametrize("name", ["soma-cube", "dominoes-6x6", "mutilated-chessboard-6x6"])
def test_json_tells_that_all_is_done(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    run(["count", name, "--json"])
    document = json.loads(capsys.readouterr().out)
    assert document["done"] == 1
    assert document["raw"] is not None


def test_json_tells_what_part_is_done(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    in_slices(monkeypatch, 1000)
    late(monkeypatch)
    run(["count", "solid-pentominoes-3x4x5", "--time-limit", "60", "--json"])
    document = json.loads(capsys.readouterr().out)
    assert 0 < document["done"] < 1
    assert document["raw"] is None


def test_json_does_not_guess(capsys: pytest.CaptureFixture[str]) -> None:
    run(
        [
            "count",
            "hexominoes-14x15",
            "--set",
            "use_reasons=no",
            "--backend",
            "reference",
            "--time-limit",
            "0.1",
            "--json",
        ]
    )
    assert json.loads(capsys.readouterr().out)["done"] is None
