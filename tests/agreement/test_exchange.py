"""Every exported format, read back by code of others, has the same solutions."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from importlib.util import find_spec
from io import StringIO
from pathlib import Path

import numpy as np
import pytest

from exactile.backends import Request, get_backend
from exactile.backends.cpsat import build
from exactile.files.models.cnf_writer import WRITABLE, relaxed, wanted_items
from exactile.files.models.exact_cover import ExactCover, option_texts
from exactile.files.models.formats import FORMATS, read_model, write_model
from exactile.model import Meaning, Model
from exactile.model.linear import linear_rows
from support import foreign
from support.exchange_models import COLORED, PUZZLES, problem
from support.few import examples, few
from support.random_models import Solutions, brute_force, random_model

NAMES = [*PUZZLES, *COLORED]
COUNTS = [36, 10, 8, 14, 6, 20, 34, 4, 9, 16, 1, 1, 16, 4]


@cache
def solutions(name: str) -> Solutions:
    """Return the solutions that our own engine finds."""
    return solved(problem(name).model)


def solved(model: Model) -> Solutions:
    found = set()
    for batch in get_backend("dlx").search(model, Request()):
        found |= {frozenset(o for o in row if o >= 0) for row in batch.assignments.tolist()}
    return found


def export(what: ExactCover, folder: Path, form: str, encoding: str | None = None) -> Path:
    path = folder / f"model.{form}"
    with path.open("w", encoding="utf-8") as stream:
        write_model(what, stream, form, encoding=encoding)
    return path


def test_the_numbers_of_solutions() -> None:
    assert [len(solutions(name)) for name in NAMES] == COUNTS


def test_every_kind_of_item_occurs() -> None:
    models = [problem(name).model for name in PUZZLES]
    assert len(models) == 10
    labels = {label.split()[0] for model in models for label in model.meaning.labels}
    assert labels == {"piece", "unit", "crossing", "omitted", "fixed"}
    assert any((m.lower < m.upper)[m.meaning.is_piece].any() for m in models)
    assert any((m.lower < m.upper)[m.meaning.is_unit].any() for m in models)


@pytest.mark.parametrize("encoding", WRITABLE)
@pytest.mark.parametrize("name", few(NAMES, 3))
def test_cnf(name: str, encoding: str, tmp_path: Path) -> None:
    path = export(problem(name), tmp_path, "cnf", encoding)
    assert foreign.by_pysat(path, problem(name).model.options) == solutions(name)


@pytest.mark.parametrize("name", few(NAMES, 3))
def test_cpsat(name: str, tmp_path: Path) -> None:
    path = export(problem(name), tmp_path, "cpsat")
    assert foreign.by_cpsat(path, problem(name).model.options) == solutions(name)


@pytest.mark.parametrize("name", few(NAMES, 3))
def test_what_is_exported_is_what_cpsat_solves(name: str, tmp_path: Path) -> None:
    from ortools.sat.python import cp_model

    read = cp_model.CpModel()
    assert read.proto.parse_text_format(export(problem(name), tmp_path, "cpsat").read_text("utf-8"))
    solved, _ = build(problem(name).model)
    for program in (read, solved):
        for part in (*program.proto.variables, *program.proto.constraints):
            part.name = ""
    assert str(read.proto) == str(solved.proto)


@pytest.mark.parametrize("name", NAMES)
def test_opb(name: str, tmp_path: Path) -> None:
    path = export(problem(name), tmp_path, "opb")
    program, options = foreign.read_opb(path, problem(name).model.options)
    assert foreign.enumerated(program, options) == solutions(name)


@pytest.mark.parametrize("name", few(NAMES, 3))
def test_minizinc_by_hand(name: str, tmp_path: Path) -> None:
    path = export(problem(name), tmp_path, "mzn")
    assert foreign.enumerated(*foreign.read_minizinc(path)) == solutions(name)


@pytest.mark.skipif(not foreign.has_minizinc(), reason="the program minizinc is not installed")
@pytest.mark.parametrize("name", NAMES)
def test_minizinc(name: str, tmp_path: Path) -> None:
    path = export(problem(name), tmp_path, "mzn")
    names = list(option_texts(problem(name).model, problem(name).colors))
    assert foreign.by_minizinc(path, names) == solutions(name)


def test_equal_options_have_different_names_in_minizinc(tmp_path: Path) -> None:
    equal = ExactCover(Model.of_options([[0], [0, 1], [0]], lower=[1, 0], upper=[1, 1]))
    path = export(equal, tmp_path, "mzn")
    names = ["item0", "item0 item1", "item0 (3)"]
    assert [line[3:-2] for line in path.read_text("utf-8").splitlines()[3:6]] == names
    if foreign.has_minizinc():
        assert foreign.by_minizinc(path, names) == brute_force(equal.model)


@pytest.mark.parametrize("name", few(NAMES, 3))
def test_mps_by_ortools(name: str, tmp_path: Path) -> None:
    path = export(problem(name), tmp_path, "mps")
    assert foreign.by_ortools(path, problem(name).model.options) == solutions(name)


@pytest.mark.parametrize("form", ["lp", "mps"])
@pytest.mark.parametrize("name", few(NAMES, 9))
def test_highs(name: str, form: str, tmp_path: Path) -> None:
    path = export(problem(name), tmp_path, form)
    assert foreign.by_highs([(path, problem(name).model.options)]) == [solutions(name)]


@pytest.mark.skipif(not find_spec("pyscipopt"), reason="the group `exchange` is not installed")
@pytest.mark.parametrize("form", ["opb", "lp", "mps"])
@pytest.mark.parametrize("name", few(NAMES, 3))
def test_scip(name: str, form: str, tmp_path: Path) -> None:
    path = export(problem(name), tmp_path, form)
    assert foreign.count_by_scip(path) == len(solutions(name))


@pytest.mark.parametrize("form", ["xcc", "json"])
@pytest.mark.parametrize("name", NAMES)
def test_items_and_options(name: str, form: str, tmp_path: Path) -> None:
    path = export(problem(name), tmp_path, form)
    listed = {"xcc": foreign.read_xcc, "json": foreign.read_json}[form](path)
    assert listed.solutions() == solutions(name)


@pytest.mark.parametrize("name", NAMES)
def test_xcc_by_miniexact(name: str, tmp_path: Path) -> None:
    listed = foreign.read_xcc(export(problem(name), tmp_path, "xcc"))
    if set(listed.bounds) <= {(0, 1), (1, 1)}:
        assert foreign.count_by_miniexact(listed) == len(solutions(name))
    else:
        assert name in {
            "dominoes-4x4",
            "dominoids-two-cubes",
            "iamonds",
            "loose",
            "omitted",
            "bounds",
        }


@pytest.mark.parametrize("form", ["xcc", "json"])
@pytest.mark.parametrize("name", NAMES)
def test_our_own_readers(name: str, form: str, tmp_path: Path) -> None:
    written = problem(name)
    read = read_model(export(written, tmp_path, form))
    assert solved(read.model) == solutions(name)
    if form == "json":
        for key in ("lower", "upper", "first", "members", "colors"):
            assert (getattr(read.model, key) == getattr(written.model, key)).all()
        for key in ("labels", "pieces", "units"):
            assert getattr(read.model.meaning, key) == getattr(written.model.meaning, key)
        assert (read.title, read.placements) == (written.title, written.placements)


@pytest.mark.parametrize("encoding", WRITABLE)
@pytest.mark.parametrize("name", few([*NAMES, "mutilated", "no-room"], 3))
def test_wcnf(name: str, encoding: str, tmp_path: Path) -> None:
    what = problem(name)
    model = what.model
    listed = foreign.read_json(export(what, tmp_path, "json"))
    wanted = [
        i
        for i, (label, (low, _)) in enumerate(zip(model.meaning.labels, listed.bounds, strict=True))
        if low and (label.startswith("unit ") or name in COLORED)
    ]
    rules = [
        i for i, label in enumerate(model.meaning.labels) if label.startswith(("omitted", "fixed"))
    ]
    assert wanted_items(model).tolist() == wanted
    most = listed.most_covered(wanted, rules)
    assert foreign.by_rc2(export(what, tmp_path, "wcnf", encoding)) == most
    assert (most == len(wanted)) == (name not in ("mutilated", "no-room"))


def test_random_models(tmp_path: Path) -> None:
    """A few hundred small models with any bounds and colors, in all formats."""
    seen = set()
    for seed in range(examples(80)):
        model = random_model(seed, most_options=8)
        what = ExactCover(model)
        expected = brute_force(model)
        assert solved(model) == expected
        for encoding in WRITABLE:
            path = export(what, tmp_path, "cnf", encoding)
            assert foreign.by_pysat(path, model.options) == expected, (seed, encoding)
        assert foreign.by_cpsat(export(what, tmp_path, "cpsat"), model.options) == expected
        opb = foreign.read_opb(export(what, tmp_path, "opb"), model.options)
        assert foreign.enumerated(*opb) == expected
        mzn = foreign.read_minizinc(export(what, tmp_path, "mzn"))
        assert foreign.enumerated(*mzn) == expected
        mps = export(what, tmp_path, "mps")
        assert foreign.by_ortools(mps, model.options) == expected
        assert foreign.read_json(export(what, tmp_path, "json")).solutions() == expected
        assert foreign.read_xcc(export(what, tmp_path, "xcc")).solutions() in (
            expected,
            without_shut(model, expected),
        )
        seen.add((bool(expected), model.colored))
    assert len(seen) == 4


def test_random_models_covered_as_much_as_possible(tmp_path: Path) -> None:
    gains = set()
    for seed in range(examples(60)):
        model = random_model(seed, most_options=8)
        free = replace(model, lower=np.zeros_like(model.lower))
        wanted = set(np.flatnonzero(model.lower).tolist())
        reached = wanted & set(model.members.tolist())
        most = max(
            len({i for o in s for i in model.option(o).tolist()} & wanted)
            for s in brute_force(free)
        )
        path = export(ExactCover(model), tmp_path, "wcnf", WRITABLE[seed % len(WRITABLE)])
        assert foreign.by_rc2(path) == most, seed
        assert wanted_items(model).tolist() == sorted(reached)
        gains.add(len(wanted) - most)
    assert len(gains) > 2


def test_kinds_of_items_are_only_hints() -> None:
    """Whatever items a file calls pieces and units, the solutions are the same."""
    for seed in range(examples(200)):
        rng = random.Random(seed)
        plain = random_model(seed, most_options=9)
        pieces = rng.randint(0, plain.items)
        units = rng.randint(0, plain.items - pieces)
        meaning = Meaning.of_labels(plain.meaning.labels, pieces, units)
        model = replace(plain, meaning=meaning)
        stream = StringIO()
        write_model(ExactCover(model), stream, "json")
        read = read_model(StringIO(stream.getvalue())).model
        assert (read.meaning.pieces, read.meaning.units) == (pieces, units)
        assert solved(read) == brute_force(plain), seed


def without_shut(model: Model, expected: Solutions) -> Solutions:
    """Return solutions in the numbers of Knuth's text, which lacks options that cannot be taken."""
    shut = np.unique(model.option_of[model.upper[model.members] == 0])
    kept = np.setdiff1d(np.arange(model.options), shut)
    number = {o: k for k, o in enumerate(kept.tolist())}
    return {frozenset(number[o] for o in s) for s in expected}


def test_random_linear_models_by_highs(tmp_path: Path) -> None:
    files, expected = [], []
    for seed in range(examples(40)):
        model = random_model(seed, most_options=8)
        for form in ("lp", "mps"):
            path = export(ExactCover(model), tmp_path, form)
            files.append((path.rename(tmp_path / f"{seed}.{form}"), model.options))
            expected.append(brute_force(model))
    assert foreign.by_highs(files) == expected


@pytest.mark.parametrize("name", ["omitted", "de-bruijn", "sticks"])
def test_names_are_legal(name: str, tmp_path: Path) -> None:
    what = problem(name)
    lp = export(what, tmp_path, "lp").read_text().splitlines()
    assert max(map(len, lp)) <= 255
    rows = linear_rows(what.model)
    assert all(len(row) <= 8 and row.isalnum() for row in rows.names)
    assert len(set(rows.names)) == len(rows.names)
    for form in FORMATS:
        assert export(what, tmp_path, form).read_text("utf-8").isascii()
    stream = StringIO()
    write_model(what, stream, "cnf")
    mapped = [line for line in stream.getvalue().splitlines() if line.startswith("c 7 ")]
    assert mapped == [f"c 7 {list(option_texts(what.model, what.colors))[6]}"]


def test_relaxed_models_keep_rules() -> None:
    model = problem("omitted").model
    kept = [model.meaning.labels[i] for i in np.flatnonzero(relaxed(model).lower)]
    assert kept == ["omitted pieces", "fixed placement 1"]
