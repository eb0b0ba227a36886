"""A program beside the native code asks what tiles have their coronas from."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ("lattice", "prototiles", "lemmas", "window", "reasons")


@pytest.mark.slow
def test_coronas_are_explained_with_all_that_they_follow_from(tmp_path: Path) -> None:
    compiler = shutil.which("c++")
    if compiler is None:
        pytest.skip("there is no c++ here")
    native = ROOT / "src" / "native"
    program = tmp_path / "reasons"
    subprocess.run(
        [
            *(compiler, "-std=c++20", f"-I{native}", "-o", program),
            ROOT / "tests" / "native" / "tiling_reasons.cpp",
            *(native / f"tiling_{name}.cpp" for name in SOURCES),
        ],
        check=True,
    )
    ran = subprocess.run([program], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (0, "fine\n")
