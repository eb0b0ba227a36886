"""The notebook of the documentation runs, cell by cell, and shows what it says."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

import exactile

NOTEBOOK = Path(__file__).parents[2] / "docs" / "begin.ipynb"


def test_every_cell_runs_and_shows_something(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    for cell in json.loads(NOTEBOOK.read_text("utf-8"))["cells"]:
        if cell["cell_type"] != "code":
            continue
        assert cell["outputs"] == []
        lines = "".join(line for line in cell["source"] if line[0] != "%")  # for IPython itself
        *rest, last = ast.parse(lines).body
        assert isinstance(last, ast.Expr)
        exec(compile(ast.Module(rest, []), NOTEBOOK.name, "exec"), names)
        shown = eval(compile(ast.Expression(last.value), NOTEBOOK.name, "eval"), names)
        assert shown is not None or capsys.readouterr().out
    assert shown == [("dlx", 36), ("reference", 36)]


def test_rows_of_answers_are_tables_of_pandas() -> None:
    pandas: Any = pytest.importorskip("pandas")
    answer = exactile.compare([exactile.load("dominoes-4x4")], ["dlx", "reference"], task="all")
    table = pandas.json_normalize(msgspec.to_builtins(answer.runs))
    assert table["distinct"].tolist() == [36, 36]
    assert table["stats.nodes"].dtype.kind == "i"
