"""Who writes the proof of what a backend has settled: backends are asked, not their names."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import exactile
from exactile.answers import Status
from exactile.backends.base import NATIVE
from exactile.errors import CertificateError, Interrupted
from exactile.model.model import Model
from exactile.puzzle import Puzzle
from exactile.reasons.certify import ProofFormat
from exactile.reasons.colorings import Coloring, find_linear
from exactile.reasons.verdict import _writer, prove
from exactile.search import Search
from exactile.search.limits import Limits
from exactile.search.search import Options
from support.clock import Stopped
from support.small import dominoes, mutilated


@pytest.mark.parametrize(
    ("backend", "expected"),
    [
        ("dlx", NATIVE),
        ("dlx:bits", NATIVE),
        ("sat", "cadical195"),
        ("sat:glucose4", "glucose4"),
        ("sat:maplesat", None),
        ("cpsat", None),
        ("first", NATIVE),
        ("reference", None),
    ],
)
def test_backends_say_who_can_prove_what_they_found(backend: str, expected: str | None) -> None:
    with Search(mutilated(4), backend=backend, use_reasons=False) as search:
        assert search.backend.refuter == expected
        assert _writer(search).name == (search.backend.name if expected else "sat:cadical195")


def test_a_program_in_a_folder_named_after_a_backend_is_not_that_backend(tmp_path: Path) -> None:
    program = tmp_path / "dlx" / "sat:cadical195"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n", "ascii")
    program.chmod(0o755)
    with Search(mutilated(4), backend=f"external:{program}", use_reasons=False) as search:
        assert _writer(search).name == "sat:cadical195"


def test_looking_for_a_coloring_takes_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Stopped(monkeypatch)

    def slow(*given: Any, **options: Any) -> Coloring:
        clock.move(5)
        return find_linear(*given, **options)

    monkeypatch.setattr("exactile.reasons.verdict.find_linear", slow)
    verdict = prove(exactile.load("tetrominoes-5x4"))
    assert (verdict.method, verdict.stats.seconds) == ("coloring", 5)


def test_a_race_hands_on_what_its_winner_says() -> None:
    with Search(mutilated(4), backend="auto", limit=1, use_reasons=False) as search:
        assert search.backend.refuter is None
        assert next(search, None) is None
        assert search.backend.name == "auto (dlx)"
        assert _writer(search) is search.backend
        assert search.backend.refuter == NATIVE


def test_what_is_seen_at_sight_is_refuted_by_the_native_search() -> None:
    with Search(mutilated(4), backend="cpsat") as search:
        assert next(search, None) is None
        assert _writer(search).name == "dlx"


def test_areas_come_before_all_that_needs_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    def lower(puzzle: Puzzle, pulse: object) -> Model:
        raise MemoryError

    monkeypatch.setattr("exactile.search.case.lower", lower)
    board = dominoes(4, 4)
    domino = board.pieces[0]
    many = Puzzle("many", board.region, (replace(domino, lower=9, upper=9),))
    verdict = prove(many)
    assert (verdict.status, verdict.method) == (Status.UNSOLVABLE, "first look")
    assert verdict.reason == "the pieces have 18 units, the region has 16"
    with pytest.raises(MemoryError):
        prove(board)


@pytest.mark.parametrize("board", [dominoes(4, 4), mutilated(4)])
def test_colorings_that_were_not_tried_are_not_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, board: Puzzle
) -> None:
    """Ctrl-C and the time limit are reported, not that there is no coloring."""

    def interrupt(*given: object, **options: object) -> None:
        raise KeyboardInterrupt

    there = tmp_path / "certificate"
    verdict = prove(board, certificate=there, proof_format="pbp", time_limit=1e-9)
    assert (verdict.certificate, verdict.stopped) == (None, "time limit")
    with pytest.raises(CertificateError, match="none is looked for"):
        prove(board, certificate=there, proof_format="pbp", use_reasons=False)
    monkeypatch.setattr("exactile.reasons.verdict.find_linear", interrupt)
    forms: tuple[ProofFormat | None, ...] = ("pbp", None)
    for form in forms:
        try:
            verdict = prove(board, certificate=there, proof_format=form)
        except Interrupted as stop:
            verdict = stop.answer
        known = (verdict.status, verdict.certificate, verdict.stopped)
        seen = verdict.method == "first look"
        assert seen == (len(board.region) == 14)
        assert known == (
            (Status.UNSOLVABLE, None, None) if seen else (Status.UNKNOWN, None, "interrupted")
        )
    assert not there.exists()


def test_a_format_without_a_certificate_is_refused_before_any_reason() -> None:
    board = dominoes(4, 4)
    for puzzle in (board, replace(board, region=dominoes(3, 3).region)):
        with pytest.raises(CertificateError, match="name a directory"):
            prove(puzzle, proof_format="lrat")


def test_one_deadline_for_search_and_certificate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Time is up at some look at the clock, sooner or later; what is left is told."""
    puzzle = mutilated(4)
    options: Options = {"backend": "dlx", "use_reasons": False}
    looks = 0

    class Ticking(Limits):
        last: float = 0

        @property
        def left(self) -> float | None:
            nonlocal looks
            looks += 1
            return float(looks < self.last)

    monkeypatch.setattr("exactile.reasons.verdict.Limits", Ticking)
    Ticking.last = float("inf")
    whole = prove(puzzle, certificate=tmp_path / "whole", **options)
    assert whole.certificate is not None
    total, certificates = looks, set()
    for last in range(2, total, 3):
        looks, Ticking.last = 0, last
        verdict = prove(puzzle, certificate=tmp_path / str(last), **options)
        assert (tmp_path / str(last)).exists() == (verdict.certificate is not None)
        certificates.add(verdict.certificate is not None)
    assert False in certificates
    assert all(len(p.name) < 6 for p in tmp_path.iterdir())


@pytest.mark.parametrize("backend", ["dlx", None])
def test_ctrl_c_while_a_certificate_is_made_keeps_the_verdict(
    backend: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*given: object, **named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("exactile.reasons.verdict.certify", stopped)
    monkeypatch.setattr("exactile.reasons.verdict.certify_coloring", stopped)
    options: Options = {} if backend is None else {"backend": backend, "use_reasons": False}
    with pytest.raises(Interrupted) as caught:
        prove(mutilated(4), certificate=tmp_path / "c", **options)
    assert caught.value.answer.status is Status.UNSOLVABLE
    assert caught.value.answer.stopped == "interrupted"
