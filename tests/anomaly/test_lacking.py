"""What a machine lacks is said in one sentence before anything is built."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

WITHOUT = {
    "python3-venv": "import sys\nsys.modules['ensurepip'] = None\n",
    "python3-dev": "import sysconfig\nsysconfig.get_path = lambda name: '/nowhere'\n",
    "python3-venv python3-dev": "import sys\nsys.version_info = (3, 10, 9)\n",
}
"""What makes Python believe that packages are not installed."""


def made(folder: Path, target: str = "setup", **environment: str) -> tuple[int, str, str]:
    """Run make in a folder that has its file and no more than it needs to begin."""
    (folder / ".ci").mkdir()
    for name in ("Makefile", ".ci/lacking", "pyproject.toml", "CMakeLists.txt"):
        shutil.copy(ROOT / name, folder / name)
    ended = subprocess.run(
        ["make", "--no-print-directory", target, f"PYTHON={sys.executable}"],
        cwd=folder,
        env={**os.environ, "MAKEFLAGS": "", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return ended.returncode, ended.stdout, ended.stderr


def assert_said(folder: Path, ended: tuple[int, str, str], lacking: str, packages: str) -> None:
    code, out, err = ended
    said, *of_make = err.splitlines()
    assert (code, out) == (2, "")
    assert said.startswith("To build Exactile, this machine also needs ")
    assert lacking in said
    assert said.endswith(f" (on Debian: apt install {packages}).")
    assert all(line.startswith("make") for line in of_make)
    assert {path.name for path in folder.iterdir()} == {
        *(".ci", "CMakeLists.txt", "Makefile", "lies", "pyproject.toml")
    }


@pytest.mark.parametrize("target", ["setup", "run", "test", "wheel"])
@pytest.mark.parametrize("packages", WITHOUT)
def test_python_lacks_something(packages: str, target: str, tmp_path: Path) -> None:
    lies = tmp_path / "lies"
    lies.mkdir()
    (lies / "sitecustomize.py").write_text(WITHOUT[packages])
    words = {
        "python3-venv": "Python's module venv",
        "python3-dev": "Python's headers",
        "python3-venv python3-dev": f"Python 3.11 or later as {sys.executable}",
    }
    ended = made(tmp_path, target, PYTHONPATH=str(lies))
    assert_said(tmp_path, ended, words[packages], packages)


@pytest.mark.parametrize("compiler", ["no-such-compiler", "false"])
def test_a_compiler_that_is_none(compiler: str, tmp_path: Path) -> None:
    (tmp_path / "lies").mkdir()
    assert_said(tmp_path, made(tmp_path, CXX=compiler), "a C++20 compiler", "g++")


def test_all_that_is_lacking_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "lies").mkdir()
    (tmp_path / "lies" / "sitecustomize.py").write_text(WITHOUT["python3-dev"])
    ended = made(tmp_path, CXX="false", PYTHONPATH=str(tmp_path / "lies"))
    lacking = "Python's headers and a C++20 compiler"
    assert_said(tmp_path, ended, lacking, "python3-dev g++")


def test_nothing_is_said_where_nothing_is_lacking() -> None:
    ended = subprocess.run(
        [ROOT / ".ci" / "lacking", sys.executable], capture_output=True, check=True
    )
    assert ended.stdout + ended.stderr == b""


def test_a_wheel_needs_no_environment_of_developers(tmp_path: Path) -> None:
    ended = subprocess.run(
        ["make", "--no-print-directory", "--dry-run", "--always-make", "wheel"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "MAKEFLAGS": ""},
    )
    assert "pip wheel" in ended.stdout
    assert ".venv" not in ended.stdout


@pytest.mark.parametrize(
    ("fails", "reason"),
    [
        ("id", "only root can make one"),
        ("unshare", "this machine allows no mounts"),
        ("apt-get", "there is no debootstrap, and it could not be installed"),
    ],
)
def test_no_bare_machine_is_made_where_none_can_be(fails: str, reason: str, tmp_path: Path) -> None:
    for name in ("id", "unshare", "apt-get"):
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\necho {int(name == fails)}\nexit {int(name == fails)}\n")
        program.chmod(0o755)
    bash = shutil.which("bash")
    assert bash is not None
    ended = subprocess.run(
        [bash, ROOT / ".ci" / "bare"],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stdout.splitlines()[-1] == f"Not tried on a bare machine: {reason}."
