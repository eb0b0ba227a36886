"""The built page: it is that of its source, small, and loads nothing from elsewhere."""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from exactile.render.paper import PALETTE
from exactile.serve.app import STATIC

LEAVES = STATIC.parents[1] / "render" / "built"
"""The scripts of pages that are one file."""

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "page"


def test_the_built_page_is_that_of_its_source(tmp_path: Path) -> None:
    if shutil.which("npm") is None or not (SOURCE / "node_modules").is_dir():
        pytest.skip("needs npm, and what `make page-build` installs")
    for mode, folder in (("production", STATIC), ("leaf", LEAVES), ("solid", LEAVES)):
        made = tmp_path / folder.name
        words = ["npx", "vite", "build", "--mode", mode, "--outDir", str(made)]
        subprocess.run(words, cwd=SOURCE, check=True, capture_output=True)
    for folder in (STATIC, LEAVES):
        built = {path.name: path.read_bytes() for path in (tmp_path / folder.name).iterdir()}
        assert built == {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_page_is_small() -> None:
    scripts = [path.read_bytes() for path in (*STATIC.glob("*.js"), LEAVES / "solid.js")]
    assert sum(len(gzip.compress(script)) for script in scripts) <= 350 << 10


def test_the_page_loads_nothing_from_elsewhere() -> None:
    text = (STATIC / "index.html").read_text("utf-8")
    loaded = re.findall(r'(?:src|href)="([^"]+)"', text)
    assert all(word.startswith(("./", "#", "data:")) for word in loaded)
    assert "<script>" not in text
    assert "style=" not in text


def test_the_lock_file_names_no_registry() -> None:
    assert '"resolved"' not in (SOURCE / "package-lock.json").read_text("utf-8")


def test_the_page_has_the_colors_of_the_pictures() -> None:
    text = (SOURCE / "code" / "palette.ts").read_text("utf-8")
    colors = re.search(r"PALETTE = \[(.*?)\]", text, re.DOTALL)
    assert colors is not None
    assert tuple(f"#{c}" for c in re.findall(r"\b[0-9a-f]{6}\b", colors[1])) == PALETTE
