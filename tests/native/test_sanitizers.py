"""The fuzz drivers, built with sanitizers, find nothing; `make fuzz` lets them run longer."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SECONDS = "10"


def cmake() -> str:
    """Return the program, of the environment of these tests if it has one."""
    paths = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    found = shutil.which("cmake", path=paths)
    if found is None:
        pytest.skip("there is no cmake here")
    return found


@pytest.mark.slow
@pytest.mark.parametrize("sanitizer", ["address,undefined", "thread"])
def test_random_input_trips_no_sanitizer(sanitizer: str, tmp_path: Path) -> None:
    configured = subprocess.run(
        [
            *(cmake(), "-S", ROOT, "-B", tmp_path),
            *("-DEXACTILE_FUZZ=ON", f"-DEXACTILE_SANITIZE={sanitizer}"),
        ],
        capture_output=True,
        text=True,
    )
    if "This compiler cannot build with" in configured.stderr:
        pytest.skip(f"this compiler cannot build with -fsanitize={sanitizer}")
    assert configured.returncode == 0, configured.stderr
    subprocess.run([cmake(), "--build", tmp_path], check=True, capture_output=True)
    for driver in ("fuzz", "fuzz_count", "fuzz_peg", "fuzz_proofs"):
        result = subprocess.run([tmp_path / driver, SECONDS], capture_output=True, text=True)
        assert result.returncode == 0, result.stdout + result.stderr
        assert result.stdout.startswith("seeds 0 to ")
