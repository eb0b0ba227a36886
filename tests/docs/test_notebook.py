"""The notebook of the documentation runs, cell by cell, and shows what it says."""

from __future__ import annotations

import ast
import doctest
import json
import re
from pathlib import Path
from typing import Any

import pytest

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


def test_the_page_about_tables_makes_tables_of_pandas() -> None:
    pytest.importorskip("pandas")
    names: dict[str, Any] = {}
    page = (NOTEBOOK.parent / "tables.md").read_text("utf-8")
    for block in re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        examples = doctest.DocTestParser().get_examples(block)
        text = "".join(example.source for example in examples) if examples else block
        exec(text, names)
    assert names["table"]["solution"].nunique() == 18
    assert names["covers"]["I4"].max() == 7
    assert names["widest"].max() == 3
    assert names["runs"]["distinct"].tolist() == [36, 36]
    assert names["runs"]["stats.nodes"].dtype.kind == "i"
