"""Who writes the proof of what a backend has settled: backends are asked, not their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from exactile.backends.base import NATIVE, refuter
from exactile.solve import Search
from exactile.solve.verdict import _writer
from support.small import mutilated


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
        assert refuter(search.backend) == expected
        assert _writer(search).name == (search.backend.name if expected else "sat:cadical195")


def test_a_program_in_a_folder_named_after_a_backend_is_not_that_backend(tmp_path: Path) -> None:
    program = tmp_path / "dlx" / "sat:cadical195"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\n", "ascii")
    program.chmod(0o755)
    with Search(mutilated(4), backend=f"external:{program}", use_reasons=False) as search:
        assert _writer(search).name == "sat:cadical195"


def test_a_race_hands_on_what_its_winner_says() -> None:
    with Search(mutilated(4), backend="auto", limit=1, use_reasons=False) as search:
        assert refuter(search.backend) is None
        assert next(search, None) is None
        assert search.backend.name == "auto (dlx)"
        assert _writer(search) is search.backend
        assert refuter(search.backend) == NATIVE


def test_what_is_seen_at_sight_is_refuted_by_the_native_search() -> None:
    with Search(mutilated(4), backend="cpsat") as search:
        assert next(search, None) is None
        assert _writer(search).name == "dlx"
