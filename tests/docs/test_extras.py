"""What readers are told to install exists."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
ENDINGS = {".py", ".md", ".ipynb", ".toml", ".js", ".ts", ".html"}


def test_every_extra_that_is_named_is_one_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = set(project["optional-dependencies"])
    files = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*"), *(ROOT / "src").rglob("*")]
    named = {
        (str(file.relative_to(ROOT)), extra.strip())
        for file in files
        if file.suffix in ENDINGS and file.is_file() and "node_modules" not in file.parts
        for listed in re.findall(r"exactile\[([\w, -]+)\]", file.read_text("utf-8"))
        for extra in listed.split(",")
    }
    assert {extra for _, extra in named} >= {"dask", "parquet", "web"}
    assert {(file, extra) for file, extra in named if extra not in extras} == set()
