"""Plots: every time is drawn where it belongs; tables fit."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

import pytest

from exactile.render.comparison_page import (
    BOTTOM,
    LEFT,
    LETTER,
    PLOT_HEIGHT,
    PLOT_WIDTH,
    RIGHT,
    TOP,
    cactus_plot,
    scatter_plot,
)
from exactile.render.comparison_text import table

TIMES: dict[str, list[float | None]] = {
    "dlx": [0.01, 1.0, None, None],
    "a<b": [0.5, 0.7, 3.0, None],
    "sat": [0.0, 20.0, 1.0, 99.0],
    "none": [None] * 4,
}
NAMES = {"p": "http://www.w3.org/2000/svg"}


def points(text: str) -> list[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in (pair.split(",") for pair in text.split())]


def test_a_cactus_plot_has_a_sorted_line_for_each_backend() -> None:
    root = ET.fromstring(cactus_plot(TIMES, 100, "a & b"))
    lines = [points(e.get("points", "")) for e in root.findall(".//p:polyline", NAMES)]
    assert [len(line) for line in lines] == [2, 3, 4, 0]
    for line in lines:
        assert [x for x, _ in line] == sorted(x for x, _ in line)
        assert [y for _, y in line] == sorted((y for _, y in line), reverse=True)
        for x, y in line:
            assert LEFT < x <= PLOT_WIDTH - RIGHT
            assert TOP <= y <= PLOT_HEIGHT - BOTTOM
    assert {x for x, _ in lines[1]} < {x for x, _ in lines[2]}
    texts = [e.text for e in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"dlx", "a<b", "sat", "none", "100", "puzzles solved", "seconds"} <= set(texts)
    assert root.findtext("p:title", "", NAMES) == "a & b"


def test_logarithmic_distances_are_equal() -> None:
    svg = cactus_plot({"x": [0.1, 1.0, 10.0]}, 100)
    [line] = re.findall(r'<polyline points="([^"]*)"', svg)
    ys = [y for _, y in points(line)]
    assert ys[0] - ys[1] == pytest.approx(ys[1] - ys[2], abs=0.02)


def test_a_scatter_plot_has_a_mark_for_each_pair() -> None:
    """Four puzzles, three other backends; and one mark for each family in the legend."""
    families = ["one", "one", "two & more", "one"]
    for against, legend in ((None, 0), ("sat", 2)):
        kinds = families if legend else []
        root = ET.fromstring(scatter_plot(TIMES, 100, against=against, families=kinds))
        marks = len(root.findall(".//p:polygon", NAMES)) + len(root.findall(".//p:circle", NAMES))
        assert marks == 3 * 4 + legend
        texts = [e.text for e in root.iter("{http://www.w3.org/2000/svg}text")]
        first = against or "dlx"
        assert texts.count(f"seconds of {first}") == 3
        assert {"dlx", "a<b", "sat", "none"} - {first} <= set(texts)
        assert first not in texts
        assert ("two & more" in texts) == bool(legend)


@pytest.mark.parametrize("times", [{}, {"dlx": []}, {"dlx": [None]}, {"a": [0.0], "b": [0.0]}])
def test_little_can_be_drawn_too(times: dict[str, list[float | None]]) -> None:
    for draw in (cactus_plot, scatter_plot):
        assert ET.fromstring(draw(times, 0.5)).get("viewBox")


def test_every_name_stands_whole_within_the_picture() -> None:
    times = {f"cpsat+linearization_level={k}+seed=1": [0.1 * k] for k in range(1, 9)}
    times["external:" + "kissat --with-a-very-long-option " * 5] = [1.0]
    for draw in (cactus_plot, scatter_plot):
        root = ET.fromstring(draw(times, 10))
        texts = [e for e in root.iter("{http://www.w3.org/2000/svg}text") if e.get("y")]
        written = "".join(str(e.text) for e in texts).replace(" ", "")
        for name in times:
            assert name.replace(" ", "") in written
        for e in texts:
            wide = LETTER * len(str(e.text)) / (2 if e.get("text-anchor") == "middle" else 1)
            if e.get("text-anchor") != "end":
                assert float(e.get("x", "")) + wide <= PLOT_WIDTH
        assert float(root.get("height", "")) > PLOT_HEIGHT


@pytest.mark.parametrize("option", ["", " --with-a-very-long-option" * 6])
def test_a_long_name_below_a_scatter_plot_is_within_the_picture(option: str) -> None:
    times: dict[str, list[float | None]] = {f"solver{option}": [1.0], "b": [2.0], "c": [0.1]}
    root = ET.fromstring(scatter_plot(times, 10))
    texts = root.findall(".//p:g[@transform]/p:text", NAMES)
    bottom = float(root.get("height", "")) - float(
        root.findall("p:g[@transform]", NAMES)[0].get("transform", "").split()[1].rstrip(")")
    )
    assert max(float(e.get("y", "")) for e in texts) < bottom


def test_bars_in_names_end_no_cell() -> None:
    assert r"| a \| b |" in table(["puzzle", "a | b"], [["p", "1"]])


def test_tables_in_files_have_all_names() -> None:
    head = ["puzzle", *(f"backend-number-{k}" for k in range(7))]
    name = "a-very-long-name-of-a-puzzle-indeed-it-is-one-that-is-not-cut"
    text = table(head, [[name, *("1.23",) * 7]], width=None)
    assert name in text
    assert text.count("\n") == 2


def test_wide_tables_are_cut_into_several() -> None:
    head = ["puzzle", *(f"backend-number-{k}" for k in range(7))]
    name = "a-very-long-name-of-a-puzzle-indeed-it-is-one"
    rows = [[name, *("1.23",) * 7], ["b", *("> 60",) * 7]]
    text = table(head, rows)
    assert max(len(line) for line in text.splitlines()) <= 80
    blocks = text.split("\n\n")
    assert len(blocks) > 1
    assert all(name in block.splitlines()[2] for block in blocks)
    told = [cell.strip() for b in blocks for cell in b.splitlines()[0].split("|")[2:-1]]
    assert told == head[1:]
    for block in blocks:
        assert len({len(line) for line in block.splitlines()}) == 1


def test_names_that_cannot_be_printed_are_blanks() -> None:
    times: dict[str, list[float | None]] = {"a\x01": [0.1], "b": [0.2]}
    for picture in (
        cactus_plot(times, 1.0, "c\x01"),
        scatter_plot(times, 1.0, puzzles=["d\x01"], families=["e\x01"]),
    ):
        ET.fromstring(picture)
        assert "\x01" not in picture
