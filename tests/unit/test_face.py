"""What `import exactile` offers, and what it shows in notebooks."""

from __future__ import annotations

import ast
import pkgutil
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

import exactile
from exactile import notebook
from exactile.cli.main import COMMANDS, GROUPS
from exactile.puzzle import ColorRule

NAMES = vars(exactile)["__all__"]

COUNTERPARTS = {
    "list": "catalogue",
    "show": "draw_text",
    "new": "write_puzzles",
    "solve": "find_solutions",
    "count": "count",
    "subsets": "count_by_subset",
    "sample": "sample",
    "estimate": "estimate",
    "prove": "prove",
    "coloring": "find_coloring",
    "explain": "explain",
    "pack": "pack",
    "compare": "compare",
    "check": "check",
    "takeapart": "take_apart",
    "verify-certificate": "verify_certificate",
    "render": "draw_svg",
    "sheet": "draw_pages",
    "design": "design_challenges",
    "make": "make",
    "export": "export_model",
    "import": "import_file",
    "peg": "solve_peg",
    "sudoku": "solve_sudoku",
    "queens": "QueensSearch",
    "pieces": "piece_set",
    "classes": "similarity_classes",
    "resume": "StoredRun",
    "status": "store_status",
    "solutions": "found_solutions",
    "merge": "join_stores",
    "work": "take_share",
    "catalogue": "catalogue",
    "backends": "backend_names",
    "tile": "tile",
    "instances": "make_instances",
}


def test_every_command_has_a_counterpart() -> None:
    assert set(COUNTERPARTS) == set(COMMANDS) - set(GROUPS["Help"]) - {"serve"}
    assert set(COUNTERPARTS.values()) <= set(NAMES)


def test_all_has_the_names_of_the_stub_and_dir_little_more() -> None:
    stub = Path(exactile.__file__).with_suffix(".pyi").read_text("utf-8")
    names: dict[str, str] = {}
    for node in ast.parse(stub).body:
        if isinstance(node, ast.ImportFrom):
            names |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
        elif isinstance(node, ast.Assign):
            [target], value = node.targets, node.value
            assert isinstance(target, ast.Name)
            assert isinstance(value, ast.Name)
            names[target.id] = names.pop(value.id)
    assert list(NAMES) == sorted(names)
    for name, home in names.items():
        module, _, own = home.rpartition(".")
        assert getattr(exactile, name) is getattr(import_module(module), own)
    assert {n for n in dir(exactile) if not n.startswith("__")} == set(NAMES)


def test_names_hide_no_package() -> None:
    packages = {module.name for module in pkgutil.iter_modules(exactile.__path__)}
    assert {"search", "files", "errors"} <= packages
    assert not packages & set(NAMES)


def test_import_loads_neither_numpy_nor_solvers() -> None:
    program = "import sys, exactile; print(*sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True
    )
    heavy = {"numpy", "ortools", "pysat", "networkx", "msgspec", "exactile._native"}
    assert not heavy & set(ran.stdout.split())


class _Formatter:
    """Keeps what a formatter of IPython would be told."""

    def __init__(self) -> None:
        self.told: dict[tuple[str, str], Any] = {}

    def for_type_by_name(self, module: str, name: str, draw: Any) -> None:
        self.told[module, name] = draw


class _Shell:
    def __init__(self) -> None:
        self.display_formatter = self
        self.formatters = {"image/svg+xml": _Formatter(), "text/html": _Formatter()}


@pytest.mark.parametrize("name", ["pentominoes-6x10", "soma-cube", "tritrigs-heart-2"])
def test_puzzles_regions_and_pieces_are_drawn(name: str) -> None:
    shell = _Shell()
    notebook.load_ipython_extension(shell)
    told = shell.formatters["image/svg+xml"].told
    puzzle = exactile.load(name)
    for value in (puzzle, puzzle.region, puzzle.pieces[0]):
        draw = told[type(value).__module__, type(value).__qualname__]
        assert ET.fromstring(draw(value)).tag.endswith("svg")


def shown(answer: Any) -> str:
    shell = _Shell()
    notebook.load_ipython_extension(shell)
    told = shell.formatters["text/html"].told[type(answer).__module__, type(answer).__qualname__]
    return str(told(answer))


def test_solutions_and_packings_are_drawn() -> None:
    puzzle = exactile.load("tetrahexes-4x7")
    for answer, pictures in (
        (exactile.find_solutions(puzzle, limit=3), 4),
        (exactile.sample(puzzle, 2), 3),
        (exactile.prove(puzzle), 1),
        (exactile.pack(puzzle), 1),
    ):
        assert shown(answer).count("<svg ") == pictures
        assert answer._repr_html_() in shown(answer)


def test_solutions_of_puzzles_of_ones_own_are_drawn(tmp_path: Path) -> None:
    mine = exactile.make_puzzle("pentominoes", box=(10, 6))
    named = replace(exactile.load("dominoes-4x4"), name="tetrahexes-4x7")
    for puzzle in (mine, named):
        for answer, pictures in (
            (exactile.find_solutions(puzzle, limit=1), 1),
            (exactile.prove(puzzle), 1),
            (exactile.pack(puzzle), 1),
        ):
            assert shown(answer).count("<svg ") == pictures
    with exactile.Store(tmp_path / "a.store", write=True) as store:
        kept = exactile.StoredRun.begin(
            store, exactile.make_puzzle("2xdomino", box=(2, 2)), "prove"
        )
        assert shown(kept.go_on()).count("<svg ") == 1
    assert (
        shown(exactile.sample(exactile.make_puzzle("2xdomino", box=(2, 2)), 2)).count("<svg ") == 3
    )


def test_solutions_with_joined_pieces_are_drawn() -> None:
    puzzle = exactile.make_puzzle("polyominoes-123", box=(3, 3), name="three")
    joined = replace(puzzle, color_rules=(ColorRule("joined", "red", ("I2", "I3")),))
    answer = exactile.find_solutions(joined, limit=1)
    assert len(answer.solutions) == shown(answer).count("<svg ") == 1


def test_an_answer_does_not_contain_its_puzzle() -> None:
    puzzle = exactile.make_puzzle("2xdomino", box=(2, 2))
    answer = exactile.find_solutions(puzzle)
    again = type(answer).from_json(answer.to_json())
    assert again == answer
    assert "<svg " not in shown(again)
    assert "<th>solutions</th><td>2</td>" in shown(again)


def test_solutions_of_a_puzzle_that_only_has_a_known_name_are_a_table() -> None:
    puzzle = replace(exactile.load("dominoes-4x4"), name="tetrahexes-4x7")
    answer = exactile.find_solutions(puzzle)
    assert "<svg " not in shown(type(answer).from_json(answer.to_json()))


def test_counts_are_tables() -> None:
    count = exactile.Count(
        puzzle="a<b", backend="dlx", status=exactile.Status.UNKNOWN, stopped="time limit", raw=1234
    )
    table = count._repr_html_()
    verdict = exactile.prove(exactile.load("tetrominoes-5x4"))._repr_html_()
    assert "<th>status</th><td>unsolvable</td>" in verdict
    rows = [[cell.text for cell in row] for row in ET.fromstring(table).iter("tr")]
    assert rows[0] == ["status", "unknown (time limit)"]
    assert rows[1:3] == [["all", "1,234"], ["up to rotation", "?"]]
    assert "a&lt;b" in table
