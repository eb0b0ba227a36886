"""The wheel works in an empty environment: native module, catalogue, types, command."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow  # it compiles everything again; continuous integration runs it

ROOT = Path(__file__).parents[2]


PORTABLE = """
import exactile
from exactile.backends.exploration import Exploration
model = exactile.lower(exactile.load("soma-cube"))
best, plain = (Exploration(model, instruction_set=name) for name in ("", "portable"))
assert len(best.run()) == len(plain.run()) == 11520 and best.nodes == plain.nodes
"""
"""On a machine without wide instructions it is the same search."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"),
            *("--config-settings", f"build-dir={folder / 'build'}"),
            *("--wheel-dir", str(folder), str(ROOT)),
        ],
        check=True,
    )
    (built,) = folder.glob("*.whl")
    return built


@pytest.mark.skipif(shutil.which("uvx") is None, reason="uv is not installed")
def test_the_first_line_of_the_readme(wheel: Path, tmp_path: Path) -> None:
    (tmp_path / "dist").mkdir()
    (tmp_path / "dist" / wheel.name).symlink_to(wheel)
    readme = (ROOT / "README.md").read_text("utf-8")
    line = next(line for line in readme.splitlines() if line.startswith("uvx "))
    ran = subprocess.run(line, shell=True, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "up to symmetry           240" in ran.stdout


def license_of(wheel: Path) -> str:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (n for n in archive.namelist() if n.endswith("/LICENSE"))
        return archive.read(name).decode()


def test_contents(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert any(name.startswith("exactile/_native.") for name in names)
    assert "exactile/py.typed" in names
    assert "exactile/models/polyomino/pentominoes.toml" in names
    assert {"exactile/models/index.json", "exactile/catalogue/ledger.json"} <= set(names)
    assert "exactile/puzzle/pieces/tables/square.toml" in names
    assert "exactile/render/fonts/DejaVuSans.ttf" in names
    assert "Permission is hereby granted" in license_of(wheel)
    assert not [name for name in names if "tools" in name or name.endswith((".cpp", ".hpp"))]


def test_counts_in_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "env", with_pip=True)
    scripts = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin")
    subprocess.run([scripts / "python", "-m", "pip", "install", "--quiet", wheel], check=True)
    clean = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    for backend in ("dlx", "cpsat", "sat:cadical195"):
        counted = subprocess.run(
            [scripts / "exactile", "count", "tetrahexes-4x7", "--backend", backend, "--json"],
            check=True,
            capture_output=True,
            cwd=tmp_path,
            env=clean,
        )
        answer = json.loads(counted.stdout)
        assert (answer["raw"], answer["symmetry"]) == (18, 9)
    subprocess.run([scripts / "python", "-c", PORTABLE], check=True, env=clean)


def test_the_source_distribution_has_what_builds_it_and_nothing_else(tmp_path: Path) -> None:
    script = "from scikit_build_core.build import build_sdist; import sys; build_sdist(sys.argv[1])"
    subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=True, cwd=ROOT)
    with tarfile.open(next(tmp_path.glob("*.tar.gz"))) as archive:
        names = ["/".join(name.split("/")[1:]) for name in archive.getnames()]
    assert {"pyproject.toml", "CMakeLists.txt", "LICENSE", "src/native/bind.cpp"} <= set(names)
    assert "models/polyomino/pentominoes.toml" in names
    assert not [name for name in names if name.startswith((".venv", "build", "docs/_build"))]
