"""Subsets of the pieces: what the handle promises, symmetries, blocks, families."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec import structs

import exactile
import exactile.surveys.subsets.families
import exactile.surveys.subsets.search
from exactile.answers import Count, SubsetTally
from exactile.backends import Backend, Batch, Request
from exactile.errors import CheckFailedError, PieceError, PuzzleError
from exactile.files import Document
from exactile.model.model import Model
from exactile.puzzle import Puzzle
from exactile.search import Status
from exactile.search.case import areas
from exactile.search.limits import Limits
from exactile.surveys.subsets import Selections, SubsetSearch, Uses, count_by_subset, only
from exactile.surveys.subsets.families import on_regions, regions_of_cells, regions_of_units
from exactile.surveys.subsets.survey import difficulty, survey
from exactile.surveys.subsets.tally import sizes
from exactile.tuning import TUNING
from support.clock import late


def puzzle(text: str, lattice: str = "square") -> Puzzle:
    head = f'format = 1\n[puzzle.test]\nlattice = "{lattice}"\n'
    return Document("test.toml", head + text).puzzle("test")


STICKS = 'pieces = { set = "one-sided-tetrominoes", ranges = "0..1" }\nregion.box = [4, 2]'


def test_divide_finds_the_subsets_of_abundant_solutions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TUNING, "subset_listed", 5)
    subject = exactile.load("shader-triangle-3")
    search = SubsetSearch(subject)
    assert len({uses for uses, _ in search}) == 50
    listing = SubsetSearch(subject, method="list")
    assert len(list(listing)) == 50
    assert listing.stats["searches"] == 1 < search.stats["searches"]


def test_limits_and_closing() -> None:
    subject = exactile.load("shader-triangle-3")
    search = SubsetSearch(subject, limit=3)
    assert len(list(search)) == 3
    assert (search.status.value, search.stopped) == ("solvable", "solution limit")
    search = SubsetSearch(subject)
    next(iter(search))
    search.close()
    assert (search.status.value, search.stopped, list(search)) == ("solvable", "closed", [])
    search = SubsetSearch(exactile.load("shader-ring"), time_limit=1e-9)
    assert list(search) == []
    assert (search.status.value, search.stopped) == ("unknown", "time limit")


def test_a_count_that_begins_when_time_is_over_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time ends between the search for a subset and the count of its solutions."""
    late(monkeypatch, 1, exactile.surveys.subsets.search.SubsetSearch, "__next__")
    found = count_by_subset(exactile.load("shader-hexagon"), method="each", time_limit=60)
    assert (found.status, found.stopped) == (Status.SOLVABLE, "time limit")


def test_each_subset_is_counted_within_the_memory(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    given: list[tuple[Any, Any]] = []

    def counted(puzzle: Puzzle, **options: Any) -> Count:
        given.append((options["memory"], options["scratch"]))
        return exactile.count(puzzle, **options)

    monkeypatch.setattr("exactile.surveys.subsets.tally.count", counted)
    found = count_by_subset(
        exactile.load("shader-hexagon"), method="each", memory=1 << 30, scratch=tmp_path
    )
    assert found.subsets == 8
    assert given == [(1 << 30, tmp_path)] * 8


def test_a_keyboard_interrupt_is_told_of_and_passed_on() -> None:
    def interrupt(_: SubsetSearch) -> None:
        raise KeyboardInterrupt

    search = SubsetSearch(exactile.load("shader-ring"), watch=interrupt)
    with pytest.raises(KeyboardInterrupt):
        list(search)
    assert search.stopped == "interrupted"


def test_bad_requests_get_one_error() -> None:
    subject = exactile.load("shader-hexagon")
    with pytest.raises(PuzzleError, match="no method 'fast'"):
        SubsetSearch(subject, method="fast")
    with pytest.raises(PuzzleError, match="dlx cannot forbid subsets"):
        SubsetSearch(subject, method="block")
    with pytest.raises(PuzzleError, match="limit of 0"):
        SubsetSearch(subject, limit=0)
    with pytest.raises(PuzzleError, match="Shared limits replace"):
        SubsetSearch(subject, limits=Limits(), limit=1)
    with pytest.raises(PuzzleError, match="no method 'fast'"):
        count_by_subset(subject, method="fast")
    with pytest.raises(PuzzleError, match="12 pieces"):
        only(subject, (1, 1))


class Liar(Backend):
    """Says that no option at all is a solution."""

    name = "liar"
    takes_colors = True

    def search(self, model: Model, request: Request) -> Generator[Batch]:
        yield Batch(np.array([[0, 1]], dtype=np.int32))

    def version(self) -> str:
        return "0"


def test_a_wrong_solution_is_caught() -> None:
    with pytest.raises(CheckFailedError):
        list(SubsetSearch(exactile.load("shader-hexagon"), backend=Liar()))


def uses_of(puzzle: Puzzle, tally: SubsetTally) -> Uses:
    """Return how often each piece of a puzzle is used."""
    return tuple(tally.pieces.get(piece.name, 0) for piece in puzzle.pieces)


def test_reflections_count_where_no_piece_forbids_them() -> None:
    subject = puzzle(STICKS)
    answer = count_by_subset(subject)
    by_name = {" ".join(sorted(t.pieces)): t for t in answer.by_pieces}
    assert all(t.found for t in answer.by_pieces)
    for text, tally in by_name.items():
        twins = {"L4", "l4"} & set(text.split()), {"Z4", "z4"} & set(text.split())
        group = Selections(subject).action(uses_of(subject, tally)).order
        assert group == (2 if any(len(t) == 1 for t in twins) else 4), text


def test_a_subset_of_one_hand_may_have_more_symmetries_than_the_puzzle() -> None:
    subject = puzzle(
        'pieces = [{ set = "one-sided-tetrominoes", only = ["L4", "I4"], ranges = "0..2" }]\n'
        "region.box = [4, 2]"
    )
    assert len(exactile.symmetries(subject)) == 2
    answer = count_by_subset(subject)
    assert [(uses_of(subject, t), t.found, t.symmetry) for t in answer.by_pieces] == [
        ((2, 0), 1, 1),
        ((0, 2), 1, 1),
    ]
    selections = Selections(subject)
    assert [selections.action(uses_of(subject, t)).order for t in answer.by_pieces] == [4, 2]


def test_symmetries_of_a_subset_need_not_carry_pieces_that_it_lacks() -> None:
    """There are more solutions here than options: those of all pieces used to be moved then."""
    subject = puzzle(
        'pieces = { cells = { A = "0,1 0,0 1,0", B = "0,0", C = "0,0 0,1 0,2", D = "0,0 0,1" },'
        ' freedom = "fixed", ranges = { A = "0..2", B = "0..3", C = "0..2", D = "0..3" } }\n'
        "region = { box = [4, 3], wrap = [[4, 1], [0, 3]] }"
    )
    answer = count_by_subset(subject)
    each = count_by_subset(subject, method="each")
    assert [t.pieces for t in answer.by_pieces] == [t.pieces for t in each.by_pieces]
    assert [t.symmetry for t in answer.by_pieces] == [t.symmetry for t in each.by_pieces]


@pytest.mark.parametrize("method", ["list", "each", "frontier"])
def test_pieces_that_are_all_too_large_have_no_subset(method: str) -> None:
    subject = puzzle('pieces = { set = "tetrominoes", ranges = "0..1" }\nregion.box = [2, 1]')
    answer = count_by_subset(subject, method=method, use_reasons=False)
    assert (answer.raw, answer.subsets, answer.by_pieces) == (0, 0, ())


def test_the_empty_subset_counts() -> None:
    subject = puzzle(
        'pieces = { set = "domino", ranges = "0..1" }\n'
        'region = { box = [2, 1], optional = "0..1,0" }'
    )
    for method in ("list", "each", "frontier"):
        answer = count_by_subset(subject, method=method)
        assert [(uses_of(subject, t), t.found, t.symmetry) for t in answer.by_pieces] == [
            ((0,), 1, 1),
            ((1,), 1, 1),
        ]
    assert len(list(SubsetSearch(subject, backend="sat"))) == 2


def test_statistics_of_pieces() -> None:
    answer = count_by_subset(exactile.load("shader-hexagon"))
    assert answer.unused == ("I3", "L3", "S3", "Y3")
    assert answer.needed == ()
    assert sizes(answer) == (4, 4)
    assert count_by_subset(exactile.load("shader-three-mountains")).needed


def test_areas_are_all_sums() -> None:
    every = {3 * a + 5 * b + 7 for a in range(2, 5) for b in range(3)}
    assert areas([3, 5, 7], [2, 0, 1], [4, 2, 1], 20) == sum(1 << n for n in every if n <= 20)
    assert areas([2], [0], [10**6], 9) == 0b101010101


def test_no_choice_of_the_pieces_fits() -> None:
    verdict = exactile.prove(exactile.load("shader-trapezoid-4x2"))
    assert verdict.reason == "no choice of the pieces has 23 units"
    omitting = exactile.load("tetrasticks-5x5")
    assert exactile.prove(omitting).status.value == "solvable"


def test_families_are_free_polyforms() -> None:
    trigs = exactile.get_lattice("triangle-edges")
    assert len(list(regions_of_units(trigs, 3))) == 12
    for lattice in (trigs, exactile.get_lattice("quarter-squares")):
        for units in (0, 2000):
            with pytest.raises(PieceError, match="out of range"):
                next(regions_of_units(lattice, units))
    assert len(list(regions_of_cells(trigs, 6))) == 12  # hexiamonds
    assert len(list(regions_of_cells(exactile.get_lattice("cube-faces"), 4))) == 7  # tetracubes


def test_equal_edges_around_different_cells_are_one_region(monkeypatch: pytest.MonkeyPatch) -> None:
    block = {(x, y) for x in range(4) for y in range(3)} | {(4, 0)}
    forms = [np.array(sorted(block - {(hole, 1)})) for hole in (1, 2)]
    monkeypatch.setattr(exactile.surveys.subsets.families, "generate", lambda *_: forms)
    sticks = exactile.get_lattice("square-edges")
    assert [len(r) for r in regions_of_cells(sticks, 12)] == [34]


def test_families_keep_the_pieces_and_leave_out_what_cannot_fit() -> None:
    base = replace(exactile.load("shader-hexagon"), crossing=False)
    found = list(on_regions(base, regions_of_cells(base.lattice, 4)))
    assert [len(p.region) for p in found] == [9, 9, 9]
    assert all(p.pieces == base.pieces and not p.crossing for p in found)
    assert list(on_regions(base, regions_of_cells(base.lattice, 5))) == []  # 11 edges
    assert [p.name for p in on_regions(base, regions_of_cells(base.lattice, 6), 12)] == [
        "shader-hexagon-11"
    ]


def test_difficulty_by_pieces_and_effort_by_nodes() -> None:
    assert [difficulty(n) for n in (2, 6, 7, 9, 10, 12)] == [
        *["easy"] * 2,
        *["moderate"] * 2,
        *["difficult"] * 2,
    ]
    names = ("shader-hexagon", "shader-star", "shader-triskelion", "shader-trapezoid-4x2")
    found = list(survey(exactile.load(f) for f in names))
    assert [f.difficulty for f in found] == ["easy", "moderate", "impossible", "impossible"]
    assert found[0].effort == found[0].count.stats["nodes"] / 109
    assert found[2].proof == f"all was searched: {found[2].count.stats['nodes']:,} nodes"
    assert found[3].proof == "no choice of the pieces has 23 units"
    unknown = next(survey([exactile.load("shader-ring")], time_limit=1e-9))
    assert (unknown.difficulty, unknown.effort, unknown.proof) == (None, None, None)
    partly = replace(found[1], count=structs.replace(found[1].count, status=Status.SOLVABLE))
    assert found[1].difficulty == "moderate"
    assert partly.difficulty is None  # fewer pieces may do


def test_a_coloring_is_named_where_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "exactile.surveys.subsets.survey.SURVEY_COLORING_SECONDS", 3600.0
    )  # it ends by its own answer
    finding = next(survey([exactile.load("shader-four-mountains")]))
    assert finding.proof == "a coloring forbids it (inequality)"
    without = next(survey([finding.puzzle], coloring=False))
    assert without.proof is not None
    assert without.proof.startswith("all was searched")
