"""Hostile files of BurrTools: one clear error each, in a process that has 1 GB."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from support.waiting import PATIENCE

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits the address space")


@pytest.mark.parametrize("given", [("60",), pytest.param(("--bombs", "0"), marks=pytest.mark.slow)])
def test_hostile_files_are_one_error(given: tuple[str, ...]) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "support.hostile_xmpuzzle", *given],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert result.returncode == 0, result.stderr
    assert "{'faults': 0, 'refused': " in result.stdout, result.stdout
