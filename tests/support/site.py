"""The page without a server: its engine, and a host of its files."""

from __future__ import annotations

import fcntl
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def copy_engine(folder: Path) -> None:
    """Copy the engine in WebAssembly to a folder; skip the test where it cannot be made."""
    if shutil.which("emcc") is None or shutil.which("make") is None:
        pytest.skip("needs make and Emscripten, which `make site-tools` installs")
    engine = "build/site/engine.wasm"
    (ROOT / "build").mkdir(exist_ok=True)
    with (ROOT / "build" / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests may run in several processes
        subprocess.run(["make", engine], cwd=ROOT, check=True, capture_output=True)
    shutil.copy(ROOT / engine, folder)


@contextmanager
def hosted(folder: Path) -> Iterator[str]:
    """Serve the files of a folder, and nothing else; yield the address."""
    words = ["-u", "-m", "http.server", "0", "--bind", "127.0.0.1", "--directory", str(folder)]
    with subprocess.Popen(
        [sys.executable, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        yield process.stdout.readline().rpartition("(")[2].partition(")")[0]
        process.terminate()
