"""`estimate` as a user meets it."""

from __future__ import annotations

import json

import pytest

from support.clock import ticking
from support.command_line import Cli


def test_estimate_in_words(cli: Cli) -> None:
    code, out, err = cli("estimate", "soma-cube", "--dives", "2000", "--measure", "0.05")
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[0].startswith("soma-cube, 2,000 dives, up to ")
    assert lines[1].startswith("  nodes      about ")
    assert " +- " in lines[1]
    assert lines[3].startswith("  about a second or less by one thread, at ")
    assert len(lines) == 4


def test_estimate_as_json(cli: Cli) -> None:
    words = ("estimate", "pentominoes-6x10", "--dives", "100", "--json", "--measure", "0")
    document = json.loads(cli(*words)[1])
    assert document["puzzle"] == "pentominoes-6x10"
    assert document["dives"] == 100
    assert document["nodes"] > document["nodes_error"] > 0
    assert document["nodes_per_second"] is document["seconds"] is None
    assert document == json.loads(cli(*words)[1])
    assert document != json.loads(cli(*words, "--seed", "1")[1])
    measured = json.loads(cli(*words[:-1], "0.05")[1])
    assert measured["seconds"] == pytest.approx(measured["nodes"] / measured["nodes_per_second"])


def test_a_large_error_is_pointed_out(cli: Cli) -> None:
    words = ("estimate", "hexominoes-14x15", "--measure", "0")
    assert "The error is large" in cli(*words, "--dives", "300")[1]
    out = cli(*words, "--dives", "1")[1]
    assert "+-" not in out
    assert "none met" in out


def test_a_time_limit_ends_the_dives(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    ticking(monkeypatch)
    out = cli("estimate", "soma-cube", "--time-limit", "10000", "--dives", "100000000")[1]
    assert 0 < int(out.split(" dives")[0].split(", ")[1].replace(",", "")) < 100_000


def test_a_limit_that_no_dive_keeps_is_told(cli: Cli) -> None:
    words = ("--pieces", "1200xdomino", "--box", "1200x2", "--time-limit", "1e-9")
    code, out, err = cli("estimate", *words)
    assert (code, out) == (3, "")
    assert err.startswith("No dive came to an end within the time limit")
