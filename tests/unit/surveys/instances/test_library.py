"""The library of instances: its table is what its families say, and what it knows is true."""

from __future__ import annotations

from collections import Counter
from itertools import product
from pathlib import Path

import msgspec
import pytest

import exactile
from exactile.errors import ExactileError, FileError, NotFoundError
from exactile.puzzle.puzzle import Puzzle
from exactile.reasons.colorings import find_linear
from exactile.reasons.packing import pack
from exactile.search.limits import Limits
from exactile.surveys.instances import library
from exactile.surveys.instances.generators import (
    GENERATORS,
    aztec,
    bricks,
    disc,
    dominoes,
    lozenges,
    mutilated,
    planted,
    pockets,
    trihexes,
    two_holes,
)
from exactile.surveys.instances.library import (
    described,
    digest,
    entries,
    make_instances,
    named,
    searched,
    stated,
)

SMALL = ("pockets-4", "mutilated-boards-8", "disc-heptomino-1", "soma-steps", "bars-4-6x6")


def puzzle_of(name: str) -> Puzzle:
    problem = named([name])[0].made.problem
    assert isinstance(problem, Puzzle)
    return problem


def test_the_table_has_what_is_stated() -> None:
    names = [each.name for each in stated()]
    assert len(names) >= 300
    assert max(Counter(names).values()) == 1
    assert list(entries()) == names
    families = {each.family.name for each in stated()}
    assert len(families) >= 40
    kinds = Counter(entry.answer for entry in entries().values())
    assert set(kinds) == {"counted", "satisfiable", "unsatisfiable", "open"}
    assert min(kinds.values()) >= 1
    assert min(kinds[kind] for kind in kinds if kind != "open") >= 5  # open ones are settled
    for each in stated():
        entry = entries()[each.name]
        assert entry.family == each.family.name
        assert bool(entry.source) == (entry.answer != "open")
        assert each.family.about
        assert (entry.number == 0) == (entry.answer == "unsatisfiable")
        assert (entry.number or 0) > 0 or entry.answer != "counted"


@pytest.mark.parametrize("name", [*SMALL, "planted-square-5-1", "lozenge-hexagons-3"])
def test_a_row_is_made_from_its_instance(name: str) -> None:
    """All features again; the answer too, unless only a search knew it."""
    made, row = described(named([name])[0]), entries()[name]
    if made.answer == "open":
        made = msgspec.structs.replace(
            made, answer=row.answer, number=row.number, source=row.source
        )
    assert made == row


def test_formulas_count_what_a_search_counts() -> None:
    made = [dominoes("d", width=w, height=h) for w, h in product((1, 2, 3, 4), (2, 3, 4))]
    made += [aztec("a", order=3), lozenges("l", side=2), lozenges("t", side=3, shape="triangle")]
    made += [mutilated("m", side=4), mutilated("c", side=3, dimension=3), pockets("p", holes=3)]
    made += [two_holes("t", side=4, seed=seed) for seed in (1, 2)]
    for problem, number in made:
        assert isinstance(problem, Puzzle)
        assert exactile.count(problem).raw == number


@pytest.mark.parametrize("box", ["4x4", "4x6", "6x6", "2x8", "3x8", "5x8", "8x10"])
def test_bricks_fit_as_the_theorem_says(box: str) -> None:
    made = bricks("b", brick="1x4", box=box)
    assert isinstance(made.problem, Puzzle)
    assert (exactile.solve_one(made.problem) is None) == (made.number == 0)


@pytest.mark.parametrize(
    "name", ["t-tetracubes-3x4x5", "tripod-tetracubes-3x4x5", "s-tetracubes-2x6x7"]
)
def test_parity_refutes_tetracubes_in_a_box(name: str) -> None:
    found = find_linear(puzzle_of(name), inequalities=False).certificate
    assert found is not None
    assert found.modulus == 2


@pytest.mark.parametrize("piece", ["A3", "I3"])
def test_trihexes_fill_triangles_as_the_theorem_says(piece: str) -> None:
    for side in range(2, 16):
        made = trihexes("t", piece=piece, side=side)
        assert isinstance(made.problem, Puzzle)
        assert (exactile.solve_one(made.problem) is None) == (made.number == 0)


def test_the_numbers_of_triangular_trihexes_are_those_of_the_encyclopedia() -> None:
    """Sequence A334875 of the OEIS."""
    known = {2: 1, 9: 2, 11: 8, 12: 12, 14: 72, 21: 185328, 23: 4736520, 24: 21617456}
    for side, number in known.items():
        problem = trihexes("t", piece="A3", side=side).problem
        assert isinstance(problem, Puzzle)
        assert exactile.count(problem, method="memo").raw == number


def test_no_weights_refute_triangles_of_trihexes() -> None:
    refuted = [each for each in named(["conway-lagarias"]) if each.answer == "unsatisfiable"]
    assert len(refuted) == 29
    for each in refuted:
        assert each.made.number == 0
        assert find_linear(puzzle_of(each.name)).certificate is None


@pytest.mark.parametrize("name", ["narrow-octomino-15x16", "narrow-hexahex-14x15"])
def test_a_frontier_and_a_memo_refute_narrow_boxes(name: str) -> None:
    for method in ("frontier", "memo"):
        assert exactile.count(puzzle_of(name), method=method).raw == 0


def test_what_is_planted_is_there() -> None:
    for lattice in ("square", "kites", "cube-faces", "hexagon-edges"):
        problem = planted("p", lattice=lattice, order=3, most=6, seed=3).problem
        assert isinstance(problem, Puzzle)
        assert exactile.solve_one(problem) is not None
        moved = planted("p", lattice=lattice, order=3, most=6, seed=3, moved=2).problem
        assert isinstance(moved, Puzzle)
        assert len(moved.region) == len(problem.region)
        assert moved.digest != problem.digest
        again = planted("p", lattice=lattice, order=3, most=6, seed=3).problem
        assert digest(again) == problem.digest


@pytest.mark.parametrize(
    "name", ["planted-square-edges-4-1", "planted-triangle-edges-3-1", "planted-kites-4-1"]
)
def test_planted_instances_have_solutions(name: str) -> None:
    """Sticks that are planted must not cross, either."""
    assert exactile.solve_one(puzzle_of(name)) is not None


def test_a_disc_is_covered_up_to_its_distance() -> None:
    """The heptomino with Heesch number 1: its first corona is there, all within 2 are not."""
    cells = "0,0 0,1 0,2 0,3 0,4 1,0 1,4"
    for distance, covered in ((1, True), (2, False)):
        problem = disc("d", lattice="square", cells=cells, distance=distance).problem
        assert not isinstance(problem, Puzzle)
        search = exactile.CoverSearch(problem.model, backend="dlx", limits=Limits(None, 1))
        assert (next(search, None) is not None) == covered


def test_what_pockets_lack_is_one_bar() -> None:
    packing = pack(puzzle_of("pockets-4"), backend="rc2")
    assert (packing.value, packing.total) == (20, 24)


def test_a_search_settles_what_is_open() -> None:
    for name, answer in (
        ("pockets-4", "unsatisfiable"),
        ("disc-heptomino-2", "unsatisfiable"),
        ("disc-heptomino-1", "satisfiable"),
        ("soma-steps", "satisfiable"),
    ):
        row = msgspec.structs.replace(entries()[name], answer="open", number=None, source="")
        found = searched(row, named([name])[0].made.problem, 1e6)
        assert found.answer == answer
        assert found.source.startswith("search: ")


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_files_are_the_same_twice(tmp_path: Path) -> None:
    made = make_instances(tmp_path / "one", SMALL)
    make_instances(tmp_path / "two", SMALL)
    one = contents(tmp_path / "one")
    assert one == contents(tmp_path / "two")
    assert sorted(one) == sorted(
        [
            "bricks/bars-4-6x6.toml",
            "discs/disc-heptomino-1.xcc",
            "instances.tsv",
            "mutilated-boards/mutilated-boards-8.toml",
            "pockets/pockets-4.toml",
            "polycubes-small/soma-steps.toml",
        ]
    )
    assert {i.name for family in made.families for i in family.instances} == set(SMALL)
    for name in ("pockets/pockets-4.toml", "bricks/bars-4-6x6.toml"):
        puzzle = exactile.load(str(tmp_path / "one" / name))
        assert puzzle.digest == entries()[puzzle.name].digest
    read = exactile.read_model(tmp_path / "one" / "discs" / "disc-heptomino-1.xcc")
    assert read.model.digest == entries()["disc-heptomino-1"].digest


def test_the_table_keeps_rows_of_files_that_stay(tmp_path: Path) -> None:
    make_instances(tmp_path, ["disc-heptomino-1", "soma-steps", "pockets-4"])
    both = (tmp_path / "instances.tsv").read_text()
    make_instances(tmp_path, ["pockets-4"])
    assert (tmp_path / "instances.tsv").read_text() == both
    (tmp_path / "polycubes-small" / "soma-steps.toml").unlink()
    made = make_instances(tmp_path, ["pockets-4"])
    assert [i.name for family in made.families for i in family.instances] == ["pockets-4"]
    rows = (tmp_path / "instances.tsv").read_text().splitlines()
    assert rows == [line for line in both.splitlines() if "soma-steps" not in line]
    (tmp_path / "instances.tsv").write_text("a table of somebody else\nx\n")
    make_instances(tmp_path, ["pockets-4"])
    assert len((tmp_path / "instances.tsv").read_text().splitlines()) == 2


def test_any_format_will_do(tmp_path: Path) -> None:
    make_instances(tmp_path, ["pockets-4"], form="cnf.xz")
    assert [path.name for path in (tmp_path / "pockets").iterdir()] == ["pockets-4.cnf.xz"]
    with pytest.raises(FileError, match="There is no format"):
        make_instances(tmp_path, ["pockets-4"], form="cnf.zip")
    with pytest.raises(NotFoundError, match="called 'banana'"):
        make_instances(tmp_path, ["pockets-4", "banana"])


def test_another_instance_than_in_the_table_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(
        entries(), "pockets-4", msgspec.structs.replace(entries()["pockets-4"], digest="other")
    )
    with pytest.raises(ExactileError, match="pockets-4 differs from the table"):
        make_instances(tmp_path, ["pockets-4"])


@pytest.mark.slow
def test_every_instance_is_the_one_in_the_table(tmp_path: Path) -> None:
    made = make_instances(tmp_path)
    assert sum(len(family.instances) for family in made.families) == len(entries())


def test_every_generator_is_used() -> None:
    assert {each.family.generator for each in stated()} - {""} == set(GENERATORS)
    assert library.TABLE.read_text("utf-8").count("\n") == len(entries()) + 1
