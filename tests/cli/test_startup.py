"""What commands load: counters, not clocks, for a machine may be busy."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

import exactile
from exactile.files import sources
from exactile.files.puzzles import catalogue, document
from exactile.files.sources import Place

HEAVY = {"ortools", "pysat", "networkx", "scipy", "highspy", "matplotlib"}

HELP_NEEDS_NOT = {"numpy", "msgspec", "exactile.files", "exactile.cli.solve_commands"}

LISTS_NEED_NOT = {"numpy", "importlib.metadata", "exactile._native", "exactile.search.search"}

COUNTS_NEED_NOT = {
    "csv",
    "difflib",
    "importlib.metadata",
    "importlib.resources",
    "tempfile",
    "numpy.ma",
    "numpy.random",
    "random",
    "subprocess",
    "exactile.cli.solve_commands",
    "exactile.cli.subsets_command",
    "exactile.render.svg",
    "exactile.certificate",
    "exactile.reasons.colorings",
    "exactile.files.solution_files",
    "exactile.backends.sat",
    "exactile.backends.cpsat",
}


def loaded(*words: str) -> set[str]:
    """Return the modules that are loaded when a command has run in a process of its own."""
    program = (
        "import sys; from exactile.cli.main import run; run(sys.argv[1:]); "
        "print('\\n', ' '.join(sys.modules))"
    )
    ran = subprocess.run(
        [sys.executable, "-P", "-c", program, *words], capture_output=True, text=True, check=True
    )
    return set(ran.stdout.splitlines()[-1].split())


@pytest.mark.parametrize(
    ("words", "absent"),
    [
        (["--version"], {"numpy", "msgspec", "exactile.files.puzzles.catalogue"}),
        (["--help"], HELP_NEEDS_NOT),
        (["help", "count"], {"exactile.cli.solve_commands"}),
        (["list"], LISTS_NEED_NOT),
        (["list", "--json", "soma"], LISTS_NEED_NOT),
        (["count", "soma-cube"], COUNTS_NEED_NOT),
    ],
    ids=["version", "help", "help-count", "list", "list-json", "count"],
)
def test_commands_load_what_they_need_only(words: list[str], absent: set[str]) -> None:
    assert loaded(*words) & (HEAVY | absent) == set()


def test_unused_objects_are_freed_from_when_a_command_is_loaded() -> None:
    program = (
        "import gc, sys, exactile.__main__ as entry, exactile.cli.main as commands; "
        "commands.leave = lambda code: print(code, gc.isenabled(), gc.get_freeze_count() > 0); "
        "sys.argv = ['exactile', 'list', '--json', 'soma-cube']; entry.main()"
    )
    ran = subprocess.run(
        [sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True
    )
    assert ran.stdout.splitlines()[-1] == "0 True True"


def test_the_index_is_that_of_the_files() -> None:
    path = catalogue.root() / catalogue.NAME
    assert path.read_text("utf-8") == catalogue.index_text(catalogue.root()), (
        "`make index` writes it"
    )


def test_one_file_is_parsed_to_find_a_puzzle(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[Place] = []
    whole = sources.parsed

    def counted(text: str, place: Place) -> dict[str, Any]:
        parsed.append(place)
        return whole(text, place)

    monkeypatch.setattr(document, "parsed", counted)
    for cached in (catalogue.entries, catalogue._index, catalogue._document):
        cached.cache_clear()
    assert exactile.load("SOMA-cube").name == "soma-cube"
    assert len(parsed) == 1
