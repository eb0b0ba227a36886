"""The progress line: on terminals only, and wiped before anything else is written."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest

import exactile
from exactile.backends.members import Ways, members_of
from exactile.cli.lines import progress_text
from exactile.cli.main import run
from support.few import few

pty = pytest.importorskip("pty")

LONG = {
    "prove": ["prove", "hexominoes-14x15", "--no-reasons", "--time-limit", "1.5"],
    "solve": ["solve", "hexominoes-14x15", "--no-reasons", "--time-limit", "1.5"],
    "count": ["count", "hexominoes-14x15", "--no-reasons", "--time-limit", "1.5"],
    "workers": ["count", "one-sided-pentominoes-6x15", "--time-limit", "1.5", "--workers", "2"],
}
LINE = re.compile(r"(\d+\.\d) % searched, (?:[\d,]+ solutions?, )?\d+ s")
CODE = re.compile(r"\x1b\[[?\d;]*[a-zA-Z]")
WIPED = "\x1b[2K"


def on_a_terminal(words: list[str], columns: int = 80, **environment: str) -> str:
    """Return what a command writes to stderr where that is a terminal."""
    outside, inside = pty.openpty()
    code = "from exactile.cli.main import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=inside,
        env=os.environ | {"COLUMNS": str(columns), "TERM": "xterm"} | environment,
    )
    os.close(inside)
    parts = []
    try:
        while part := os.read(outside, 4096):
            parts.append(part)
    except OSError:  # the other end is closed
        pass
    process.wait(30)
    os.close(outside)
    return b"".join(parts).decode()


@pytest.mark.parametrize("command", few(LONG, 2))
def test_it_tells_how_much_is_searched(command: str) -> None:
    text = on_a_terminal(LONG[command])
    shares = [float(m[1]) for m in LINE.finditer(text)]
    assert shares
    assert shares == sorted(shares)
    assert all(0 <= share < 100 for share in shares)
    before, _, after = text.rpartition(WIPED)
    assert "searched" in before
    assert "searched" not in after
    assert text.count("\x1b[?25l") == text.count("\x1b[?25h")  # the cursor is there again


def test_it_is_cut_to_the_width_of_the_terminal() -> None:
    text = on_a_terminal(LONG["prove"], columns=20)
    shown = [CODE.sub("", part) for part in re.split(r"[\r\n]", text)]
    cut = [part for part in shown if "% searched" in part]
    assert cut
    assert all(len(part) <= 20 and part.endswith("\N{HORIZONTAL ELLIPSIS}") for part in cut)


def test_without_color_there_are_no_colors() -> None:
    text = on_a_terminal(LONG["prove"], NO_COLOR="1")
    assert "% searched" in text
    assert not re.search(r"\x1b\[[\d;]*m", text)


def test_quiet_is_quiet() -> None:
    assert on_a_terminal([*LONG["prove"], "-q"]) == ""


def test_it_tells_who_tries_and_how_far_the_best_packing_got() -> None:
    words = ["solve", "tetrominoes-5x4", "--no-reasons", "--backend", "first:repair"]
    text = on_a_terminal([*words, "--time-limit", "3"])
    assert re.search(r"\d+ s; \d+ of 20 units; repair", text)


def test_that_fits_80_columns() -> None:
    ways = Ways(exactile.lower(exactile.load("heptiamonds-trefoil-6")), None)
    names = max((member.name for member in members_of(ways)), key=len)
    text = progress_text(0.9999, 0, 999, f"1,204 of 1,210 units; {names}, sat, cpsat")
    assert len(text) <= 80


def test_other_backends_cannot_tell() -> None:
    text = on_a_terminal([*LONG["prove"], "--backend", "reference"])
    assert "0 solutions, " in text
    assert "searched" not in text


def test_there_is_none_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    run(["prove", "hexominoes-14x15", "--no-reasons", "--time-limit", "0.6"])
    assert "searched" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "least", "most"),
    [
        (["solid-pentominoes-3x4x5", "--time-limit", "0.5"], 0, 0.999),
        (["soma-cube"], 1, 1),
        (["dominoes-6x6"], 1, 1),
        (["mutilated-chessboard-6x6"], 1, 1),
    ],
)
def test_json_tells_what_part_is_done(
    words: list[str], least: float, most: float, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["count", *words, "--json"])
    document = json.loads(capsys.readouterr().out)
    assert least <= document["done"] <= most
    assert (document["raw"] is None) == (document["done"] < 1)


def test_json_does_not_guess(capsys: pytest.CaptureFixture[str]) -> None:
    run(
        [
            "count",
            "hexominoes-14x15",
            "--no-reasons",
            "--backend",
            "reference",
            "--time-limit",
            "0.3",
            "--json",
        ]
    )
    assert json.loads(capsys.readouterr().out)["done"] is None
