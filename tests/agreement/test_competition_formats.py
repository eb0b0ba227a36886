"""Formats for counters, answer sets and XCSP3, cubes and symmetry, read back by code of others."""

from __future__ import annotations

import gzip
import lzma
import re
from functools import cache
from importlib.util import find_spec
from itertools import product
from pathlib import Path

import pytest

import exactile
from exactile.backends import Request, get_backend
from exactile.files.models.cnf_writer import WRITABLE
from exactile.files.models.exact_cover import ExactCover
from exactile.files.models.formats import FORMATS, export_model, model_of, read_model
from exactile.model import Model
from support import foreign
from support.exchange_models import COLORED, PUZZLES, problem, puzzle
from support.few import examples, few
from support.random_models import Solutions, brute_force, random_model

NAMES = [*PUZZLES, *COLORED]
HAS_CLINGO = find_spec("clingo") is not None


def solved(model: Model) -> Solutions:
    """Return the solutions that our own engine finds."""
    found = set()
    for batch in get_backend("dlx").search(model, Request()):
        found |= {frozenset(o for o in row if o >= 0) for row in batch.assignments.tolist()}
    return found


@cache
def solutions(name: str) -> Solutions:
    """Return the solutions of one of `NAMES`."""
    return solved(problem(name).model)


def export(what: ExactCover, folder: Path, form: str, encoding: str | None = None) -> Path:
    path = folder / f"model.{form}"
    export_model(what, path, form, encoding=encoding)
    return path


@pytest.mark.skipif(not HAS_CLINGO, reason="the group `exchange` is not installed")
@pytest.mark.parametrize("name", few(NAMES, 3))
def test_clingo(name: str, tmp_path: Path) -> None:
    assert foreign.by_clingo(export(problem(name), tmp_path, "asp")) == solutions(name)


@pytest.mark.parametrize("name", few(NAMES, 3))
def test_xcsp_by_hand(name: str, tmp_path: Path) -> None:
    path = export(problem(name), tmp_path, "xcsp3")
    assert foreign.enumerated(*foreign.read_xcsp(path)) == solutions(name)


@pytest.mark.skipif(not foreign.ace(), reason="Java or the group `exchange` is not installed")
@pytest.mark.parametrize("name", few(NAMES, 7))
def test_xcsp_by_ace(name: str, tmp_path: Path) -> None:
    path = export(problem(name), tmp_path, "xcsp3")
    assert foreign.count_by_ace(path) == len(solutions(name))


@pytest.mark.skipif(not find_spec("pyganak"), reason="the group `exchange` is not installed")
@pytest.mark.parametrize("encoding", WRITABLE)
@pytest.mark.parametrize("name", ["dominoes-4x4", "loose", "colors", "bounds"])
def test_a_model_counter(name: str, encoding: str, tmp_path: Path) -> None:
    """Whether it projects or not, the number is that of the solutions."""
    path = export(problem(name), tmp_path, "cnf", encoding)
    kind, shown, every = foreign.count_by_ganak(path)
    assert shown == every == len(solutions(name))
    if encoding == "pairwise" and name == "dominoes-4x4":
        assert kind == "mc"


@pytest.mark.parametrize("name", few(NAMES, 3))
def test_cubes_together(name: str, tmp_path: Path) -> None:
    """Each solution is in exactly one cube: of the file with all, and of those with one each."""
    what = problem(name)
    path = tmp_path / "model.icnf"
    export_model(what, path, "icnf", cubes=7)
    parts = foreign.by_cubes(path, what.model.options)
    assert sum(map(len, parts)) == len(solutions(name))
    assert set().union(*parts) == solutions(name)
    export_model(what, tmp_path / "{cube}.cnf", "cnf", cubes=7)
    files = sorted(tmp_path.glob("*.cnf"))
    assert [foreign.by_pysat(file, what.model.options) for file in files] == parts
    export_model(what, tmp_path / "{cube}.json", "json", cubes=7)
    for file, part in zip(sorted(tmp_path.glob("*.json")), parts, strict=True):
        assert solved(read_model(file).model) == part


@pytest.mark.parametrize("name", PUZZLES)
def test_symmetric_images_are_left_out(name: str, tmp_path: Path) -> None:
    """What is left, with the sizes of the orbits, are all solutions."""
    what = model_of(puzzle(name), symmetry="piece")
    assert what.representatives is not None
    sizes = dict(zip(what.representatives.options, what.representatives.sizes, strict=True))
    kept = foreign.by_pysat(export(what, tmp_path, "cnf"), what.model.options)
    assert kept <= solutions(name)
    if not sizes:
        assert kept == solutions(name)
        return
    assert all(len(solution & set(sizes)) == 1 for solution in kept)
    assert sum(sizes[o] for s in kept for o in s if o in sizes) == len(solutions(name))
    assert solved(read_model(export(what, tmp_path, "json")).model) == kept


@pytest.mark.parametrize("name", PUZZLES)
@pytest.mark.parametrize("form", ["cnf", "opb", "xcc"])
def test_a_comment_numbers_the_options_of_its_file(name: str, form: str, tmp_path: Path) -> None:
    """`xcc` leaves options out, so that the others have other numbers."""
    what = model_of(puzzle(name), symmetry="piece")
    text = export(what, tmp_path, form).read_text("utf-8")
    sizes = {int(o) - 1: int(n) for o, n in re.findall(r"(\d+) \((\d+)\)", text)}
    assert what.representatives is not None
    assert [*sizes.values()] == [*what.representatives.sizes]
    if form != "xcc":
        assert [*sizes] == [*what.representatives.options]
    elif sizes:
        found = solved(read_model(tmp_path / "model.xcc").model)
        assert sum(sizes[o] for s in found for o in s if o in sizes) == len(solutions(name))


def test_comments_of_cubes_list_the_options_of_their_files(tmp_path: Path) -> None:
    """A cube may leave out a placement that symmetry kept."""
    square = exactile.get_lattice("square")
    cells = {"A": ((0, 0), (1, 0)), "B": ((0, 0), (0, 1), (1, 0))}
    pieces = [
        exactile.Piece(name, square, units, exactile.Freedom.FREE, lower, 1)
        for (name, units), lower in zip(cells.items(), (1, 0), strict=True)
    ]
    box = [*product(range(3), repeat=2)]
    board = exactile.Puzzle("opt", exactile.Region(square, box, optional=[True] * 9), tuple(pieces))
    export_model(board, tmp_path / "{cube}.xcc", symmetry="piece", cubes=30)
    total = 0
    for file in tmp_path.glob("*.xcc"):
        listed = re.findall(r"(\d+) \((\d+)\)", file.read_text("utf-8"))
        sizes = {int(o) - 1: int(n) for o, n in listed}
        assert len(sizes) == len(listed)
        total += sum(sizes[o] for s in solved(read_model(file).model) for o in s if o in sizes)
    with exactile.Search(board) as search:
        assert total == sum(1 for _ in search)


def test_symmetry_is_used_where_there_is_any() -> None:
    kept = {name: model_of(puzzle(name), symmetry="piece").representatives for name in PUZZLES}
    used = [name for name, own in kept.items() if own and own.item]
    assert len(used) >= 4


@pytest.mark.parametrize("form", [form for form in FORMATS if form != "icnf"])
def test_the_same_call_writes_the_same_bytes(form: str, tmp_path: Path) -> None:
    what = problem("dominoids-two-cubes")
    texts = set()
    for ending, opened in (("", Path.open), (".gz", gzip.open), (".xz", lzma.open)):
        twice = [tmp_path / f"{k}.{form}{ending}" for k in (1, 2)]
        for path in twice:
            export_model(what, path, form)
        assert len({path.read_bytes() for path in twice}) == 1
        with opened(twice[0], "rb") as stream:
            texts.add(stream.read())
    assert len(texts) == 1
    assert form == "json" or f"digest of the model: {what.model.digest}".encode() in texts.pop()


def test_random_models(tmp_path: Path) -> None:
    """Small models with any bounds and colors."""
    for seed in range(examples(80)):
        model = random_model(seed, most_options=8)
        what = ExactCover(model)
        expected = brute_force(model)
        xcsp = foreign.read_xcsp(export(what, tmp_path, "xcsp3"))
        assert foreign.enumerated(*xcsp) == expected, seed
        if HAS_CLINGO:
            assert foreign.by_clingo(export(what, tmp_path, "asp")) == expected, seed
        export_model(what, tmp_path / "model.icnf", "icnf", cubes=3)
        parts = foreign.by_cubes(tmp_path / "model.icnf", model.options)
        assert sum(map(len, parts)) == len(expected), seed
        assert set().union(*parts) == expected, seed
