"""`exactile classes` as people and machines use it."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import networkx as nx
import pytest

from support.clock import late
from support.command_line import Cli


def test_the_report_fits_a_terminal(cli: Cli) -> None:
    code, out, err = cli("classes", "pentominoes-4x15", "--set", "pairs=yes")
    assert code == 0
    assert "368 solutions up to 4 symmetries, 92 classes" in out
    assert "30,671 pairs with at least 2 placements in common" in out
    assert max(map(len, out.splitlines())) <= 80
    assert err == ""


def test_one_document(cli: Cli) -> None:
    code, out, _ = cli("classes", "tetrahexes-4x7", "--json")
    document = json.loads(out)
    assert code == 0
    assert sorted(s for members in document["classes"] for s in members) == list(range(9))
    assert document["pairs_sharing"] is None
    assert document["complete"]


def test_solutions_of_a_file(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "solutions.txt"
    cli("solve", "tetrahexes-4x7", "--all", "--format", "jsonl", "-o", str(file))
    _, given, _ = cli("classes", "tetrahexes-4x7", "--json", "--solutions", str(file))
    _, searched, _ = cli("classes", "tetrahexes-4x7", "--json")
    one, other = json.loads(given), json.loads(searched)
    assert (one["complete"], other["complete"]) == (None, True)
    assert one["sizes"] == other["sizes"]
    assert one["transformations"] == other["transformations"]


def test_graph_and_pictures_are_written(cli: Cli, tmp_path: Path) -> None:
    names = {k: tmp_path / f"{k}.svg" for k in ("output", "plot", "silhouettes")}
    names["graph"] = tmp_path / "graph.json"
    words = [w for k, file in names.items() for w in (f"--{k}", str(file))]
    code, out, _ = cli("classes", "tetrahexes-4x7", "--json", *words)
    assert code == 0
    document = json.loads(out)
    graph = nx.node_link_graph(json.loads(names["graph"].read_text()), edges="edges")
    components = sorted(sorted(c) for c in nx.connected_components(graph))
    assert components == sorted(document["classes"])
    assert graph.number_of_edges() == sum(document["transformations"].values())
    assert {len(graph.nodes[k]["placements"]) for k in graph} == {7}
    for kind in ("output", "plot", "silhouettes"):
        assert ET.parse(names[kind]).getroot().tag.endswith("svg")


def test_a_puzzle_without_solutions_has_no_classes(cli: Cli) -> None:
    code, out, _ = cli("classes", "soma-w", "--set", "pairs=yes")
    assert code == 0
    assert "0 solutions" in out
    assert "sizes of classes" not in out
    assert "0 classes" in out
    assert "0 pairs" in out


def test_a_class_that_is_none(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "x.svg"
    code, out, err = cli("classes", "tetrahexes-4x7", "-o", str(file), "--class", "10")
    assert code == 1
    assert "There is no class 10" in err
    assert "9 solutions" in out  # the work is not lost
    assert not file.exists()


def test_a_class_beside_the_only_one(cli: Cli, tmp_path: Path) -> None:
    one = ("classes", "--pieces", "2xdomino", "--box", "2x2", "-o", str(tmp_path / "x.svg"))
    assert "There is no class 9: there is only class 1." in cli(*one, "--class", "9")[2]


def test_options_that_make_no_sense_together(cli: Cli) -> None:
    code, out, err = cli("classes", "tetrahexes-4x7", "--json", "--graph", "-")
    assert (code, out) == (2, "")
    assert "--json prints one document" in err
    code, _, err = cli("classes", "tetrahexes-4x7", "--class", "2")
    assert code == 2
    assert "--class goes with --output" in err


def test_no_silhouettes_are_no_numbers(cli: Cli) -> None:
    _, out, _ = cli("classes", "tetrahexes-4x7", "--json", "--set", "most=0")
    assert json.loads(out)["silhouettes"] is None


def test_a_stopped_search_is_told(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    late(monkeypatch, lambda search, _: search.found > 0)
    code, _, err = cli("classes", "pentominoes-8x8-center-hole", "--time-limit", "9")
    assert code == 3
    assert "stopped" in err
