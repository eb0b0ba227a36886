"""`estimate` as a user meets it."""

from __future__ import annotations

import json

import pytest

from exactile.counting.sampled import SampledFrontier
from support.clock import ticking
from support.command_line import Cli


def test_estimate_in_words(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactile.counting.sampled.GUIDE_ENDINGS", 0)
    code, out, err = cli("estimate", "soma-cube", "--dives", "2000", "--measure", "0.05")
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[0].startswith("soma-cube, 2,000 dives, up to ")
    assert lines[1].startswith("  nodes      about ")
    assert " +- " in lines[1]
    assert lines[2].startswith("  solutions  about ")
    assert lines[3].startswith("  by 16 runs of 1,000 states; symmetric solutions count separately")
    assert lines[4].startswith("  a second or less by one thread, at ")
    assert lines[5] == "  checking solutions takes extra time"
    assert len(lines) == 6
    assert max(map(len, lines)) <= 80


def test_estimate_as_json(cli: Cli) -> None:
    words = [
        "estimate",
        "pentominoes-6x10",
        "--dives",
        "100",
        "--states",
        "100",
        "--json",
        "--measure",
        "0",
    ]
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
    words = ("estimate", "pentominoes-6x10", "--measure", "0", "--states", "1", "--runs", "4")
    code, out, _ = cli(*words, "--dives", "4")
    assert code == 3
    assert "The error of the nodes is large" in out
    assert "  solutions  no estimate: 0 of 4 runs came to the end, the best one " in out
    assert "+-" not in cli(*words, "--dives", "1")[1]


def test_all_states_fit(cli: Cli) -> None:
    words = ("--pieces", "32xdomino", "--box", "8x8", "--dives", "10", "--measure", "0")
    assert "  solutions  12,988,816, exactly\n" in cli("estimate", *words)[1]


def test_ctrl_c_leaves_with_130(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(self: SampledFrontier, *_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(SampledFrontier, "estimate", interrupt)
    words = ("estimate", "soma-cube", "--dives", "5", "--measure", "0")
    code, out, _ = cli(*words, "--json")
    assert (code, json.loads(out)["dives"]) == (130, 5)
    assert "  solutions  no estimate: there was no time for a whole run\n" in cli(*words)[1]


def test_no_time_for_the_solutions_leaves_with_3(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SampledFrontier, "estimate", lambda *_, **__: None)
    code, out, _ = cli("estimate", "soma-cube", "--dives", "5", "--measure", "0")
    assert (code, "no estimate: there was no time" in out) == (3, True)


def test_a_wanted_interval(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("exactile.counting.sampled.FIRST_STATES", 200)
    monkeypatch.setattr("exactile.counting.sampled.GUIDE_ENDINGS", 0)
    words = ("estimate", "soma-cube", "--dives", "10", "--measure", "0", "--json", "--to")
    rough, fine = (json.loads(cli(*words, to)[1])["solutions"] for to in ("30%", "0.06"))
    assert 0 < fine["high"] - fine["low"] < rough["high"] - rough["low"]
    assert (fine["high"] - fine["low"]) / fine["number"] <= 0.12
    assert fine["seed"] == 0
    assert fine["version"]


def test_wrong_intervals_are_refused(cli: Cli) -> None:
    for wrong in ("0", "-5%", "much"):
        assert cli("estimate", "soma-cube", "--to", wrong)[0] == 2


def test_a_time_limit_ends_the_dives(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    ticking(monkeypatch)
    out = cli("estimate", "soma-cube", "--time-limit", "10000", "--dives", "100000000")[1]
    assert 0 < int(out.split(" dives")[0].split(", ")[1].replace(",", "")) < 100_000


def test_a_limit_that_no_dive_keeps_is_told(cli: Cli) -> None:
    words = ("--pieces", "1200xdomino", "--box", "1200x2", "--time-limit", "1e-9")
    code, out, err = cli("estimate", *words)
    assert (code, out) == (3, "")
    assert err.startswith("No dive came to an end within the time limit")


@pytest.mark.parametrize("words", ["5x", "%", ""])
def test_a_part_that_is_not_one_is_refused_with_examples(cli: Cli, words: str) -> None:
    code, _, err = cli("estimate", "soma-cube", "--to", words)
    assert code == 2
    assert f"'{words}' is not a fraction: write 5% or 0.05." in err
