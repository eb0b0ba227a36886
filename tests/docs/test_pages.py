"""Every code block of the documentation runs and prints what the page says.

``console`` blocks: lines that begin with ``$`` are run, in order, in one temporary folder per page;
what follows a command is its output, where a line ``...`` stands for any lines. A command without
output below it is only run. ``toml`` blocks that begin with a comment naming a file are written to
that file, and so are ``text`` blocks that begin with ``| FILE.xcc:`` or ``# FILE.txt:``. ``python``
blocks with ``>>>`` run as doctests, sharing names per page.
"""

from __future__ import annotations

import doctest
import io
import re
import shlex
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest

from exactile.cli.main import run
from exactile.files.puzzles.catalogue import ledger
from exactile.tuning import TUNING
from support.clock import late

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
NAMED = {"toml": re.compile(r"# (\S+\.toml)\n"), "text": re.compile(r"[|#] (\S+\.(?:xcc|txt)):")}
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)


def matches(wanted: list[str], got: list[str]) -> bool:
    """Compare lines; ``...`` stands for any number of lines, or for a part of one."""
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line).replace(r"\.\.\.", ".*") + "\n"
        for line in wanted
    )
    return re.fullmatch(pattern, "".join(line + "\n" for line in got)) is not None


def run_console(block: str) -> None:
    """Run the commands of a block and compare their output."""
    parts = re.split(r"^\$ ", block, flags=re.M)[1:]
    for part in parts:
        command, *wanted = part.rstrip("\n").split("\n")
        words = shlex.split(re.sub(r"\s#.*", "", command))
        assert words[0] == "exactile", command
        target = None
        if ">" in words:
            target = Path(words[-1])
            words = words[:-2]
        out = io.StringIO()
        with (
            redirect_stdout(out),
            redirect_stderr(io.StringIO() if target else out),
            pytest.MonkeyPatch.context() as patch,
        ):
            if words[1] == "pack":
                patch.setattr(TUNING, "first_look", 3600.0)  # it ends by its own answer
            if "--time-limit" in words:
                late(patch, lambda search, _: search.found > 0)
            code = run(words[1:])
        assert code in (0, 3), f"{command} left with {code}:\n{out.getvalue()}"
        if target:
            target.write_text(out.getvalue(), "utf-8")
        got = [line.rstrip() for line in out.getvalue().splitlines()]
        if wanted:
            assert matches([w.rstrip() for w in wanted], got), f"{command}:\n{out.getvalue()}"


def run_python(block: str, names: dict[str, object], page: Path) -> None:
    """Run a block as a doctest."""
    test = doctest.DocTestParser().get_doctest(block, names, page.name, str(page), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    report = io.StringIO()
    runner.run(test, out=report.write, clear_globs=False)
    names.update(test.globs)
    assert runner.failures == 0, report.getvalue()


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_code_blocks(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if page.stem == "making":
        for package in ("manifold3d", "trimesh", "ezdxf"):
            pytest.importorskip(package, reason="the extra make is not installed")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    names: dict[str, object] = {}
    for kind, block in FENCE.findall(page.read_text("utf-8")):
        if kind == "console":
            run_console(block)
        elif kind == "python" and ">>>" in block:
            run_python(block, names, page)
        elif kind in NAMED and (named := NAMED[kind].match(block)):
            Path(named[1]).write_text(block, "utf-8")


def test_relative_links_lead_somewhere() -> None:
    for page in [*PAGES, ROOT / "CONTRIBUTING.md"]:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8")):
            path = page.parent / target
            door = (
                page.name == "index.md"
            )  # the first page of the site, which nobody reads elsewhere
            assert path.exists() or (door and made(path)), f"{page.name}: {target}"


def made(path: Path) -> bool:
    """Return whether `make docs` makes a file: a page of the catalogue, or a picture in it."""
    if path.parent.name == "pictures":
        return path.suffix == ".svg" and path.stem in ledger()
    return path.parent.name == "catalogue" and path.stem in ("index", "refuted")


def test_every_page_is_on_the_first_one() -> None:
    first = (ROOT / "docs" / "index.md").read_text("utf-8")
    fences = re.findall(r"^```\{toctree\}\n(.*?)^```$", first, re.M | re.S)
    listed = [line for fence in fences for line in fence.splitlines() if line and line[0] != ":"]
    pages = {page.stem for page in PAGES if page.parent == ROOT / "docs"} - {"index"}
    assert pages <= set(listed)
    assert pages <= set(re.findall(r"\]\(([\w-]+)\.md", first))
