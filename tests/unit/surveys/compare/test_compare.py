"""Comparing backends: contradictions are found; falls, limits and crashes are outcomes."""

from __future__ import annotations

import json
import sys
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace as replaced

import exactile
from exactile import plugins
from exactile.answers import ComparedRun, ComparisonAnswer
from exactile.backends import Backend, Batch, Request
from exactile.backends.base import no_solutions
from exactile.errors import (
    BackendCrashedError,
    BackendNotFoundError,
    CertificateError,
    CheckFailedError,
    ExactileError,
    PieceError,
    PuzzleError,
)
from exactile.model import Model
from exactile.puzzle import Puzzle
from exactile.puzzle.pieces.piece import Freedom
from exactile.render.comparison_text import Scores, comparison_text
from exactile.surveys.compare.comparison import Comparison, compare, variants
from exactile.surveys.compare.trial import (
    Instance,
    Trial,
    certified,
    distinct_of,
    keys_of,
    perform,
    used,
)
from exactile.surveys.compare.trial import run_trial as run_or_stop
from exactile.surveys.compare.writing import disagreements, judged
from exactile.tuning import TUNING
from support.clock import Stopped, late
from support.few import few
from support.small import box_puzzle, dominoes, mutilated


def trial(puzzle: Puzzle, *named: Any, **options: Any) -> Trial:
    return Trial(Instance.of(puzzle), *named, **options)


def run_trial(tried: Trial) -> ComparedRun:
    outcome = run_or_stop(tried)
    assert outcome is not None
    return outcome


YES = ComparedRun(puzzle="p", backend="a", end="finished", answer="solvable", found=1, distinct=1)
ALL = ComparedRun(
    puzzle="p",
    backend="b",
    end="finished",
    answer="complete",
    found=8,
    distinct=8,
    number=8,
    digest="x",
)
NO = ComparedRun(puzzle="p", backend="c", end="finished", answer="unsolvable", number=0, digest="0")
UNKNOWN = ComparedRun(puzzle="p", backend="d", end="time limit")
TILED = ComparedRun(puzzle="p", backend="e", end="finished", answer="unsolvable", bound=2)


@pytest.mark.parametrize(
    ("outcomes", "words"),
    [
        ([YES, ALL, UNKNOWN], []),
        ([NO, UNKNOWN, replaced(NO, backend="e")], []),
        ([YES, NO], ["p: a has a solution, but c says that there is none"]),
        ([NO, YES], ["p: a has a solution, but c says that there is none"]),
        ([ALL, NO], ["p: b has a solution, but c says that there is none"]),
        (
            [ALL, replaced(ALL, backend="e", digest="y")],
            ["p: b and e found 8 solutions each, not the same"],
        ),
        (
            [replaced(ALL, backend="e", digest="y", found=3, distinct=3, number=3), ALL],
            ["p: e found 3 solutions and b 8, and both say that these are all"],
        ),
        (
            [replaced(YES, end="time limit", found=9, distinct=9), ALL],
            ["p: b says that there are 8 solutions, but a found 9"],
        ),
        ([replaced(ALL, found=9)], ["p: b: it returned 9 solutions, but only 8 different"]),
        ([replaced(UNKNOWN, end="wrong", message="overlap")], ["p: d: overlap"]),
        ([replaced(UNKNOWN, end="crash", message="fell"), YES], []),
        (
            [replaced(UNKNOWN, value=17, bound=20), replaced(UNKNOWN, backend="e", bound=16)],
            ["p: d packs 17 units, but e says that 16 is the most"],
        ),
        (
            [replaced(UNKNOWN, task="tile", value=3), TILED],
            ["p: d covers a disc of radius 3, but e none beyond 2"],
        ),
    ],
)
def test_contradictions_are_found(outcomes: list[ComparedRun], words: list[str]) -> None:
    assert disagreements(outcomes) == words


COUNTED = replaced(ALL, task="count", settled_by="memo", digest=None)


@pytest.mark.parametrize(
    ("outcomes", "ends"),
    [
        ([YES, NO], ["finished", "wrong"]),
        ([NO, replaced(YES, end="time limit")], ["wrong", "time limit"]),
        ([replaced(ALL, backend="e", digest="y"), ALL], ["wrong", "wrong"]),
        ([ALL, replaced(ALL, found=9, distinct=9, number=9, digest="y")], ["wrong", "finished"]),
        ([replaced(ALL, found=9)], ["wrong"]),
        ([replaced(NO, proof="refused", message="step 1")], ["wrong"]),
        ([replaced(NO, proof="none", message="no proof")], ["finished"]),
        ([COUNTED, replaced(NO, task="count")], ["finished", "finished"]),
        (
            [replaced(COUNTED, settled_by="cpsat"), replaced(NO, task="count")],
            ["finished", "wrong"],
        ),
        ([replaced(UNKNOWN, value=17, bound=20), replaced(YES, bound=16)], ["time limit", "wrong"]),
    ],
)
def test_runs_that_are_known_to_be_wrong(outcomes: list[ComparedRun], ends: list[str]) -> None:
    assert [run.end for run in judged(outcomes)] == ends


def test_a_wrong_answer_wins_no_points() -> None:
    comparison = Comparison([replace(dominoes(2, 2), name="p")], ["dlx", "sat"], task="prove")
    late, early = (
        replaced(YES, backend="dlx", seconds=2.0),
        replaced(NO, backend="sat", seconds=1.0),
    )
    comparison.outcomes += [early, late]
    answer = comparison.answer
    assert answer.disagreements == ("p: dlx has a solution, but sat says that there is none",)
    assert [(s.backend, s.solved, s.par2) for s in Scores(answer).ranking] == [
        ("dlx", 1, 2.0),
        ("sat", 0, 120.0),
        ("virtual best", 1, 2.0),
    ]
    text = comparison_text(answer)
    assert "| p      |   some | 2.00 | WRONG |" in text
    assert "- p, sat: wrong: dlx has solutions that this answer excludes" in text


def test_keys_are_of_sets_of_options() -> None:
    """Not of their order, or of padding; other solutions have another one."""
    one = keys_of(np.array([[3, 1, -1], [2, 5, 4]], dtype=np.int32))
    assert one.tolist() == keys_of(np.array([[1, 3, -1, -1], [4, 2, -1, 5]])).tolist()
    others = [[1, 3, 2], [2, 4, -1], [2, 5, 3], [0, 1, 3], [-1, -1, -1]]
    assert len({*one.tolist(), *keys_of(np.array(others)).tolist()}) == 7
    assert keys_of(np.zeros((1, 0), dtype=np.int32)).tolist() == [0]  # without options


def test_what_batches_repeat_counts_once() -> None:
    one, two = (keys_of(np.array(rows)) for rows in ([[1, 2], [3, 4]], [[4, 3], [5, 6], [2, 1]]))
    batches = [one, two, one]
    assert distinct_of(batches).tolist() == sorted({*one.tolist(), *two.tolist()})
    assert batches == []  # not kept beside their copy
    assert distinct_of([]).tolist() == []


@pytest.mark.parametrize(
    "backend", few(["dlx", "dlx:sparse", "cpsat", "sat", "reference", "auto"], 2)
)
def test_every_backend_is_tried(backend: str) -> None:
    outcome = run_trial(trial(dominoes(4, 4), backend, "all", time_limit=1e6))
    assert (outcome.end, outcome.answer) == ("finished", "complete")
    assert (outcome.found, outcome.distinct) == (36, 36)
    assert outcome.version
    assert outcome.megabytes is not None
    assert outcome.megabytes > 10
    assert outcome.cpu_seconds is not None
    json.loads(outcome.to_json())


@pytest.mark.parametrize(
    ("task", "answers", "digests"),
    [
        ("all", ["complete", "unsolvable", "complete"], 3),
        pytest.param("first", ["solvable", "unsolvable", "solvable"], 2, marks=pytest.mark.slow),
        pytest.param("prove", ["solvable", "unsolvable", "solvable"], 2, marks=pytest.mark.slow),
    ],
)
def test_backends_agree_on_sets_and_tasks(task: str, answers: list[str], digests: int) -> None:
    puzzles = [exactile.load("tetrahexes-4x7"), mutilated(4), dominoes(4, 4)]
    puzzles[2] = replace(puzzles[2], name="dominoes-4x4")
    puzzles[1] = replace(puzzles[1], name="mutilated-4x4")
    comparison = Comparison(puzzles, ["dlx", "sat"], task=task, time_limit=1e6)
    outcomes = list(comparison.run())
    assert [o.answer for o in outcomes] == [a for a in answers for _ in range(2)]
    assert comparison.disagreements() == []
    assert list(comparison.run()) == []  # nothing is left to do
    answer = comparison.answer
    assert answer.finished
    assert ComparisonAnswer.from_json(answer.to_json()) == answer
    assert len({o.digest for o in outcomes}) == digests  # others than sets of solutions have none


def test_proofs_of_programs_are_checked(tmp_path: Path) -> None:
    formula, proof = tmp_path / "formula.cnf", tmp_path / "proof"
    formula.write_text("p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n")
    proof.write_text("1 0\n0\n")
    tried = trial(mutilated(4), "external:true", "prove", time_limit=1e6)
    told = certified(tried, str(tmp_path))
    assert (told["proof"], told["proof_bytes"]) == ("checked", 6)
    formula.write_text("p cnf 2 3\n1 2 0\n-1 2 0\n1 -2 0\n")
    told = certified(tried, str(tmp_path))
    assert (told["proof"], told["message"][:15]) == ("refused", "line 2: the lem")
    assert disagreements([tried.outcome(end="finished", answer="unsolvable", **told)])
    proof.write_bytes(b"a\x02\x00a\x00")  # the same in binary: no fault of the solver
    told = certified(tried, str(tmp_path))
    assert (told["proof"], told["message"][:19]) == ("none", "the proof is binary")
    assert not disagreements([tried.outcome(end="finished", answer="unsolvable", **told)])
    silent = trial(mutilated(4), "external:true {cnf} {proof}", "prove", time_limit=1e6)
    told = certified(silent, None)
    assert told == {"proof": "none", "message": "no proof was written to the file {proof}"}


def test_a_puzzle_may_have_the_name_of_a_backend() -> None:
    puzzles = [replace(dominoes(2, 2), name=name) for name in ("dlx", "a")]
    comparison = Comparison(puzzles, ["dlx", "reference"])
    comparison.outcomes = [each.outcome(end="finished") for each in comparison.trials()[::-1]]
    runs = [(run.puzzle, run.backend) for run in comparison.answer.runs]
    assert runs == [("dlx", "dlx"), ("dlx", "reference"), ("a", "dlx"), ("a", "reference")]


def test_packing_does_not_begin_with_the_model(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Stopped(monkeypatch)

    def slow(*given: Any) -> Model:
        clock.move(5)
        return exactile.lower(*given)

    monkeypatch.setattr("exactile.search.case.lower", slow)
    told = perform(trial(dominoes(3, 3), "rc2", "pack"))
    assert (told["end"], told["value"], told["build_seconds"]) == ("finished", 8, 5)
    assert told["seconds"] == 0


def test_symmetry_changes_no_digest() -> None:
    puzzle = exactile.load("tetrahexes-4x7")
    digests = {
        run_trial(trial(puzzle, "dlx", "all", use_symmetry=use)).digest for use in (True, False)
    }
    assert len(digests) == 1
    assert None not in digests


def test_limits_are_outcomes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TUNING, "trial_grace", 3600.0)
    hard = box_puzzle("hexominoes", 15, 14)
    late = run_trial(trial(hard, "dlx", "prove", time_limit=0.1))
    assert (late.end, late.answer, late.digest) == ("time limit", "unknown", None)
    for backend in ("dlx", "sat"):
        poor = run_trial(trial(hard, backend, "prove", time_limit=1e6, memory_limit=90))
        assert poor.end in ("out of memory", "crash")  # some code dies for want of memory
        assert poor.message


@pytest.mark.parametrize(
    ("code", "seconds", "end", "words"),
    [
        ("import os; os.abort()", 1e6, "crash", "SIGABRT"),
        ("raise ValueError(7)", 1e6, "crash", "exit code 1"),
        ("raise MemoryError", 1e6, "out of memory", "the process ran out of memory"),
        ("import signal; signal.pause()", 0.1, "time limit", "did not stop and was killed"),
    ],
)
def test_a_process_that_does_not_answer(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    code: str,
    seconds: float,
    end: str,
    words: str,
) -> None:
    program = tmp_path / "python"
    program.write_text(f"#!{sys.executable}\n{code}\n")
    program.chmod(0o755)
    monkeypatch.setattr(TUNING, "trial_grace", 0.0)
    monkeypatch.setattr(sys, "executable", str(program))
    outcome = run_trial(trial(dominoes(2, 2), "dlx", time_limit=seconds))
    assert outcome.end == end
    assert words in outcome.message


def test_a_system_that_does_not_tell_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    assert used().keys() == {"cpu_seconds", "megabytes"}
    monkeypatch.setitem(sys.modules, "resource", None)
    assert used().keys() == {"cpu_seconds"}


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OSError(28, "No space left"), {"proof": "none", "message": "OSError: [Errno 28] No spac"}),
        (MemoryError(), {"proof": "none", "message": "MemoryError: "}),
        (CertificateError("Too large."), {"proof": "none", "message": "Too large."}),
        (CheckFailedError("It is wrong."), {"end": "wrong", "message": "It is wrong."}),
    ],
)
def test_the_answer_remains_if_there_is_no_proof(
    error: Exception, told: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("exactile.surveys.compare.trial.certify", failing)
    got = certified(trial(mutilated(4), "dlx", "prove"), None)
    assert got == told | {"message": got["message"]}
    assert got["message"].startswith(told["message"])


class Liar(Backend):
    """A backend that errs in a way of one's choice."""

    takes_prefixes = takes_colors = True
    name = "liar"

    def __init__(self, way: str) -> None:
        self.way = way

    def version(self) -> str:
        return "liar 1"

    def search(self, model: Model, request: Request) -> Generator[Batch]:
        yield Batch(no_solutions())
        if self.way == "wrong":
            yield Batch(np.array([[0, 2]], dtype=np.int32))
        if self.way == "crash":
            raise BackendCrashedError("The process of liar died. Try more memory.")
        if self.way == "memory":
            raise MemoryError
        if self.way == "bad_alloc":
            raise BackendCrashedError("liar: std::bad_alloc")
        if self.way == "twice":
            yield Batch(np.array([[0, 3], [0, 3]], dtype=np.int32))


@pytest.mark.parametrize(
    ("way", "end"),
    [
        ("wrong", "wrong"),
        ("crash", "crash"),
        ("memory", "out of memory"),
        ("bad_alloc", "out of memory"),
        ("none", "finished"),
    ],
)
def test_liars_are_told_apart(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, way: str, end: str
) -> None:
    monkeypatch.chdir(tmp_path)  # a wrong solution leaves a file behind
    monkeypatch.setattr("exactile.surveys.compare.trial.get_backend", lambda name: Liar(way))
    result = perform(trial(dominoes(2, 2), "liar", "all"))
    assert result["end"] == end
    outcome = ComparedRun(puzzle="p", backend="liar", **result)
    assert bool(disagreements([outcome, replaced(ALL, distinct=2, found=2, number=2)])) == (
        way in ("wrong", "none")
    )


def test_what_is_not_installed_stands_in_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    class Missing:
        def load(self) -> Any:
            raise ImportError("No module named 'gone'")

    monkeypatch.setattr(plugins, "_loaders", lambda group: {"gone": Missing().load})
    result = perform(trial(dominoes(2, 2), "gone"))
    assert result["end"] == "missing"
    assert "gone" in result["message"]
    Comparison([dominoes(2, 2)], ["gone"])  # is not an error


def test_what_cannot_be_compared_is_said_at_once() -> None:
    puzzle = dominoes(2, 2)
    with pytest.raises(BackendNotFoundError, match="no backend 'dlz'"):
        Comparison([puzzle], ["dlx", "dlz"])
    with pytest.raises(PuzzleError, match="'dlx' is named twice"):
        Comparison([puzzle], ["dlx", "dlx"])
    with pytest.raises(PuzzleError, match="'dominoes' is named twice"):
        Comparison([puzzle, puzzle], ["dlx"])
    with pytest.raises(PuzzleError, match="name a backend"):
        Comparison([puzzle], [])
    with pytest.raises(PuzzleError, match="no task 'some'"):
        Comparison([puzzle], ["dlx"], task="some")
    with pytest.raises(BackendNotFoundError, match="'dlx' cannot maximize"):
        Comparison([puzzle], ["dlx"], task="pack")
    model = Instance("m", exactile.lower(puzzle))
    for task in ("pack", "tile"):
        with pytest.raises(PuzzleError, match=f"'m' is a model, .*'{task}' is for puzzles"):
            Comparison([model], ["cpsat"], task=task)
    domino = puzzle.pieces[0]
    fixed = replace(domino, name="one", units=((0, 0),), freedom=Freedom.FIXED)
    with pytest.raises(PieceError, match="must be turned in the same way"):
        Comparison([replace(puzzle, pieces=(domino, fixed))], ["dlx"], task="tile")


def test_larger_and_larger_discs_are_covered() -> None:
    square = dominoes(2, 2)
    ring = ((0, 0), (1, 0), (2, 0), (0, 1), (2, 1), (0, 2), (1, 2), (2, 2))
    bend = ((0, 0), (0, 1), (0, 2), (1, 2), (1, 3), (2, 2), (3, 2))
    rings, bends = (
        replace(square, name=name, pieces=(replace(square.pieces[0], name=name, units=units),))
        for name, units in (("rings", ring), ("bends", bend))
    )
    found = compare([rings, bends], ["dlx", "sat", "cpsat"], task="tile")
    assert not found.disagreements
    ends = {(run.puzzle, run.end, run.answer, run.value, run.bound) for run in found.runs}
    assert ends == {
        ("rings", "finished", "unsolvable", 0, 0),
        ("bends", "finished", "unsolvable", 1, 1),
    }


def test_discs_of_a_piece_that_tiles_are_covered_until_the_time_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    late(monkeypatch, 4, sys.modules[perform.__module__], "CoverSearch")
    outcome = perform(trial(dominoes(2, 2), "dlx", "tile"))
    assert outcome["end"] == "time limit"
    assert outcome["value"] >= 3
    assert "bound" not in outcome


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"encodings": "pairwise"}, "`encodings` must be a list .*, not 'pairwise'"),
        ({"seeds": 3}, "`seeds` must be a list .*, not 3"),
        ({"seeds": [-1]}, "`seeds` must be a list in which each is an integer from 0 to .*-1"),
        ({"parameters": {"symmetry_level": 0}}, "`parameters` must be a dict"),
        ({"parameters": {"symmetry_level": "02"}}, "`parameters` must be a dict"),
    ],
)
def test_variants_that_make_no_sense_are_refused(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(ExactileError, match=message):
        variants(["cpsat"], **asked)
