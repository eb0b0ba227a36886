"""Programs beside the native code: what tiles have their coronas from, what holes refute."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ("lattice", "prototiles", "lemmas", "window", "reasons", "search")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tiling_reasons", "tiling_holes"])
def test_what_the_programs_expect_is_so(tmp_path: Path, name: str) -> None:
    compiler = shutil.which("c++")
    if compiler is None:
        pytest.skip("there is no c++ here")
    native = ROOT / "src" / "native"
    program = tmp_path / name
    subprocess.run(
        [
            *(compiler, "-std=c++20", f"-I{native}", "-o", program),
            ROOT / "tests" / "native" / f"{name}.cpp",
            *(native / f"tiling_{source}.cpp" for source in SOURCES),
        ],
        check=True,
    )
    ran = subprocess.run([program], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (0, "fine\n")
