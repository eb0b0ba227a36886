"""Whether prototiles tile: verdicts, evidence that is checked from the definition, bad input."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from exactile.answers import TilingAnswer
from exactile.certificate.tilings import read_certificate, verify_tiling
from exactile.errors import (
    CertificateError,
    CheckFailedError,
    ExactileError,
    Interrupted,
    PieceError,
    PuzzleError,
)
from exactile.geometry import get_lattice, lattice_names
from exactile.puzzle.pieces.generate import generate
from exactile.puzzle.pieces.piece import Freedom, Piece
from exactile.search.limits import Limits
from exactile.surveys.tiling import decide
from exactile.surveys.tiling.decide import Decision
from exactile.surveys.tiling.prototiles import Prototiles
from exactile.surveys.tiling.verbs import tile
from support.tilings import is_tiling, points_of

RING = [(x, y) for x in range(3) for y in range(3) if (x, y) != (1, 1)]
HEPTOMINO = [(0, 1), (1, 0), (1, 1), (1, 2), (1, 3), (2, 1), (3, 1)]

HEESCH_2 = [(0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (0, 1), (5, 1), (0, 2)]
HEESCH_3 = [
    *((2, 0), (3, 0), (1, 1), (2, 1), (3, 1), (4, 1), (0, 2), (1, 2), (2, 2), (3, 2), (4, 2)),
    *((2, 3), (3, 3), (4, 3), (5, 3), (3, 4), (4, 4)),
]
HEESCH_4 = [
    *((-3, 2), (-3, 4), (-2, 2), (-2, 4), (-1, 1), (-1, 3)),
    *((0, 0), (0, 1), (0, 2), (0, 3), (1, 0)),
]

HAT = [(0, 0, 0), (0, 0, 1), (0, 0, 2), (0, 0, 5), (0, 1, 4), (0, 1, 5), (1, 0, 2), (1, 0, 3)]

FIFTEEN = [
    *((2, 0), (0, 1), (1, 1), (2, 1), (3, 1), (4, 1), (1, 2), (2, 2), (3, 2), (4, 2)),
    *((0, 3), (1, 3), (2, 3), (3, 3), (0, 4)),
]


def test_any_number_of_copies_may_be_allowed() -> None:
    assert tile("X", lattice="square", copies=2**62).verdict == "tiles"


@pytest.mark.parametrize(
    ("piece", "method", "copies"),
    [("X", "translation", 1), ("L4", "translation", 1), ("F", "half-turn", 2)],
)
def test_tilers(piece: str, method: str, copies: int) -> None:
    answer = tile(piece, lattice="square", least=True)
    assert (answer.verdict, answer.method, answer.least_copies) == ("tiles", method, copies)
    assert answer.isohedral
    assert is_tiling(answer)


@pytest.mark.parametrize("lattice", lattice_names())
def test_small_polyforms_of_every_lattice(lattice: str) -> None:
    grid = get_lattice(lattice)
    for order in (1, 2, 3):
        for units in generate(grid, order)[:8]:
            answer = tile(grid.coordinates(units), lattice=lattice)
            assert answer.verdict != "open"
            assert answer.verdict != "tiles" or is_tiling(answer)


def test_an_anisohedral_prototile_of_six_hexagons() -> None:
    answers = [
        tile(get_lattice("hexagon").coordinates(units), lattice="hexagon", least=True)
        for units in generate(get_lattice("hexagon"), 6)
    ]
    [special] = [a for a in answers if a.verdict == "tiles" and not a.isohedral]
    assert special.tiling is not None
    assert special.tiling.orbits > 1
    assert special.least_copies == len(special.tiling.copies)
    assert special.periods_excluded > 0
    assert is_tiling(special)


@pytest.mark.parametrize(
    ("units", "lattice", "solid", "holed"),
    [
        (RING, "square", 0, 0),
        (HEPTOMINO, "square", 0, 1),
        (HEESCH_2, "square", 2, 2),
    ],
)
def test_heesch_numbers(units: list[tuple[int, ...]], lattice: str, solid: int, holed: int) -> None:
    answer = tile(units, lattice=lattice, heesch=True)
    assert answer.verdict == "does not tile"
    assert answer.heesch is not None
    assert (answer.heesch.solid, answer.heesch.holed) == (solid, holed)
    for patch, coronas in (
        (answer.heesch.solid_patch, solid),
        (answer.heesch.holed_patch, holed),
    ):
        assert (patch is None) == (coronas == 0)
        if patch is not None:
            assert patch.coronas == max(patch.levels) == coronas
            assert patch.levels[0] == 0
            covered = [p for _, each in patch.tiles for p in points_of(lattice, each)]
            assert len(covered) == len(set(covered)) == len(patch.tiles) * len(units)


@pytest.mark.parametrize(("units", "lattice"), [(HEESCH_3, "square"), (HEESCH_4, "hexagon")])
def test_shapes_with_many_coronas_are_refuted(units: list[tuple[int, ...]], lattice: str) -> None:
    answer = tile(units, lattice=lattice)
    assert (answer.verdict, answer.method) == ("does not tile", "refutation")
    assert answer.refutation_steps > 100


def test_a_period_of_eight_copies() -> None:
    answer = tile(FIFTEEN, lattice="hexagon")
    assert answer.tiling is not None
    assert len(answer.tiling.copies) == 8
    assert is_tiling(answer)


def test_effort_that_does_not_suffice_for_heesch_numbers_leaves_bounds() -> None:
    answer = tile(HEESCH_4, lattice="hexagon", heesch=True, effort=2000)
    assert (answer.verdict, answer.stopped) == ("does not tile", "effort")
    assert answer.stats.nodes is not None
    assert answer.stats.nodes <= 2001
    assert answer.heesch is not None
    assert answer.heesch.solid is None
    assert 0 < answer.heesch.solid_at_least < 4


@pytest.mark.parametrize("least", [False, True])
@pytest.mark.parametrize("units", [RING[:5] + RING[6:], HEPTOMINO, RING])
def test_an_answer_that_took_all_its_effort_is_whole(
    units: list[tuple[int, int]], least: bool
) -> None:
    answer = tile(units, lattice="square", least=least)
    again = tile(units, lattice="square", least=least, effort=max(1, answer.stats.nodes or 0))
    assert again == answer
    assert again.stopped is None


def test_effort_that_does_not_suffice_leaves_the_question_open() -> None:
    answer = tile(FIFTEEN, lattice="hexagon", effort=300)
    assert (answer.verdict, answer.stopped, answer.method) == ("open", "effort", None)
    assert answer.tiling is None
    assert answer.patch is not None
    assert answer.patch.coronas == answer.coronas > 0


def test_a_limit_is_no_proof() -> None:
    limits = Limits()
    answer = tile(FIFTEEN, lattice="hexagon", limits=limits, watch=limits.cancel)
    assert (answer.verdict, answer.stopped) in {("open", "cancelled"), ("tiles", None)}
    with pytest.raises(PuzzleError, match="Shared limits replace"):
        tile("X", limits=Limits(), time_limit=1.0)


def test_ctrl_c_keeps_what_is_known() -> None:
    def press() -> None:
        raise KeyboardInterrupt

    with pytest.raises(Interrupted) as caught:
        tile(HAT, lattice="kites", effort=2**40, watch=press)  # which has no period
    assert caught.value.answer.stopped == "interrupted"


# --- freedoms, several prototiles, crossings


def test_freedom_makes_a_difference() -> None:
    verdicts = {f: tile("U", lattice="square", freedom=f).verdict for f in ("free", "fixed")}
    assert verdicts == {"free": "tiles", "fixed": "does not tile"}
    chiral = [(0, 0), (1, 0), (1, 1), (2, 1), (2, 2), (3, 2), (3, 3), (3, 4), (2, 4)]
    free, one_sided = (
        tile(chiral, lattice="square", freedom=freedom) for freedom in ("free", "one-sided")
    )
    assert free.verdict == "tiles" or one_sided.verdict == "does not tile"


def test_any_of_several_prototiles_or_each() -> None:
    ring = Piece("ring", get_lattice("square"), tuple(RING), Freedom.FREE)
    unit = Piece("unit", get_lattice("square"), ((0, 0),), Freedom.FREE)
    any_of_them = tile([ring, unit])
    assert any_of_them.verdict == "tiles"
    assert is_tiling(any_of_them)
    each = tile([ring, unit], each=True)
    assert each.tiling is not None
    assert {name for name, _ in each.tiling.copies} == {"ring", "unit"}
    assert is_tiling(each)
    domino = Piece("domino", get_lattice("square"), ((0, 0), (1, 0)), Freedom.FREE)
    assert tile([ring, domino]).verdict == "tiles"
    assert tile([ring, domino], each=True).verdict == "does not tile"
    assert tile([ring]).verdict == "does not tile"


def test_no_period_has_fewer_copies_whatever_the_sizes_of_the_prototiles() -> None:
    lattice = get_lattice("square")
    small = Piece(
        "small",
        lattice,
        ((0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (0, 1), (4, 1)),
        Freedom.FREE,
    )
    long = Piece("long", lattice, tuple((x, y) for x in range(7) for y in range(2)), Freedom.FREE)
    answer = tile([small, long])
    assert answer.tiling is not None
    assert answer.copies_at_least <= len(answer.tiling.copies) == 1
    each = tile([small, long], each=True, effort=5000)
    assert each.verdict == "open"
    assert each.copies_at_least > 1


def test_sets_of_prototiles_by_name() -> None:
    answer = tile("tetrominoes", each=True)
    assert answer.tiling is not None
    assert {name for name, _ in answer.tiling.copies} == {"I4", "L4", "O4", "T4", "Z4"}
    assert is_tiling(answer)
    with pytest.raises(PieceError, match="a single prototile"):
        tile("tetrominoes", least=True)


def test_crossings_make_a_difference() -> None:
    grid = get_lattice("square-edges")
    forms = [grid.coordinates(units) for units in generate(grid, 4)]
    verdicts = [
        (tile(units, lattice=grid).verdict, tile(units, lattice=grid, crossing=False).verdict)
        for units in forms
    ]
    assert verdicts.count(("does not tile", "tiles")) == 3
    assert verdicts.count(("tiles", "tiles")) == 13


def test_types_of_unit_that_are_not_as_frequent_as_in_the_lattice() -> None:
    answer = tile([(0, 0, 0)], lattice="octasquares")
    assert (answer.verdict, answer.method) == ("does not tile", "balance")


# --- certificates


@pytest.mark.parametrize("units", [HEPTOMINO, HEESCH_2, [(0, 0), (1, 0), (1, 1)]])
def test_certificates_hold(units: list[tuple[int, ...]], tmp_path: object) -> None:
    folder = tmp_path / "c"  # type: ignore[operator]
    answer = tile(units, lattice="square", certificate=folder, heesch=True)
    verified = verify_tiling(read_certificate(folder))
    assert verified.verdict == answer.verdict
    assert verified.certificate.heesch is None or answer.heesch is not None


@pytest.mark.parametrize("what", ["certificate", "proofs"])
def test_what_is_in_a_directory_is_kept(what: str, tmp_path: Path) -> None:
    (tmp_path / "tiling.json").write_text("mine")
    with pytest.raises(CertificateError, match="exists already"):
        tile(HEPTOMINO, lattice="square", **{what: tmp_path})  # type: ignore[arg-type]
    assert [file.read_text() for file in tmp_path.iterdir()] == ["mine"]


def test_a_wrong_finding_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    real = decide.decide

    def wrong(*given: object, **named: object) -> Decision:
        decision = real(*given, **named)  # type: ignore[arg-type]
        decision.found["copies"] = decision.found["copies"][1:]
        return decision

    monkeypatch.setattr("exactile.surveys.tiling.verbs.decide", wrong)
    with pytest.raises(CheckFailedError, match="bug in Exactile"):
        tile("F", lattice="square")


# --- bad input


@pytest.mark.parametrize(
    ("units", "words"),
    [
        ([], "There are no prototiles"),
        ([(x, y) for x in range(400) for y in range(250)], "100,000 units: the limit is 256"),
        ([(0, 0), (500, 0)], "spans 501 places"),
        ([(0, 0), (0, 0)], "twice"),
    ],
)
def test_what_is_no_prototile(units: list[tuple[int, ...]], words: str) -> None:
    with pytest.raises(ExactileError, match=words):
        tile(units, lattice="square")


def test_prototiles_that_do_not_go_together() -> None:
    square, hexagon = get_lattice("square"), get_lattice("hexagon")
    one = Piece("one", square, ((0, 0), (1, 0)), Freedom.FREE)
    for others, words in {
        (Piece("two", square, ((0, 0), (0, 1)), Freedom.FREE),): "congruent",
        (Piece("two", hexagon, ((0, 0), (0, 1)), Freedom.FREE),): "of one lattice",
        (Piece("two", square, ((0, 0), (0, 1)), Freedom.FIXED),): "same freedom",
    }.items():
        with pytest.raises(PieceError, match=words):
            tile([one, *others])
    with pytest.raises(PieceError, match="single way has Heesch"):
        tile("tetrominoes", heesch=True)
    with pytest.raises(PieceError, match="lattice"):
        tile([(0, 0), (1, 0)])


def test_a_tile_in_two_parts_and_one_with_a_hole_are_answered() -> None:
    apart = tile([(0, 0), (2, 0)], lattice="square")
    assert apart.verdict == "tiles"
    assert is_tiling(apart)
    with pytest.raises(PieceError, match="connected prototile"):
        tile([(0, 0), (2, 0)], lattice="square", heesch=True)
    assert tile(RING, lattice="square").verdict == "does not tile"


def test_a_later_corona_may_fill_a_hole_of_an_earlier_one() -> None:
    answer = tile([(0, 1, 5), (2, 2, 8), (2, 2, 11)], lattice="sixth-triangles", effort=3000)
    assert (answer.verdict, answer.coronas) == ("open", 2)


def test_parts_that_are_as_far_apart_as_points_go_are_refused() -> None:
    with pytest.raises(PieceError, match="spans 2,000,000,000,000,001 places"):
        tile([(-(10**15), 0), (10**15, 0)], lattice="square")


def test_any_position_of_a_prototile_has_the_same_answer() -> None:
    def plain(answer: TilingAnswer) -> tuple[object, ...]:
        return answer.verdict, answer.method, answer.least_copies, answer.refutation_steps

    square = get_lattice("square")
    for units in (HEPTOMINO, [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2)]):
        first = plain(tile(units, lattice="square"))
        far = [(x - 700, y + 900) for x, y in units]
        assert plain(tile(far, lattice="square")) == first
        for matrix in square.group:
            image = (np.array(units) @ matrix.T).tolist()
            assert plain(tile(image, lattice="square"))[:3] == first[:3]


def test_a_shape_that_can_lie_on_the_lattice_in_several_ways() -> None:
    diamond = [
        *((0, 0, 1), (0, 1, 3), (0, 0, 0), (0, 1, 0)),
        *((1, 0, 2), (1, 1, 2), (1, 0, 1), (1, 1, 3)),
    ]
    grid = get_lattice("quarter-squares")
    piece = Piece("diamond", grid, tuple(map(tuple, grid.points(diamond).tolist())), Freedom.FREE)
    assert len(Prototiles((piece,)).units) == 2
    answer = tile([piece])
    assert (answer.verdict, answer.method) == ("tiles", "translation")
    assert is_tiling(answer)
    with pytest.raises(PieceError, match="several ways"):
        Prototiles((piece,), each=True)


FLAT = [(0, 0, 0), (0, 0, 1), (0, 0, 2), (0, 0, 3), (0, 1, 3), (0, 2, 3), (0, 3, 2)]
"""Balls in one plane, which no matrix of determinant 1 of their lattice reflects."""


@pytest.mark.parametrize("freedom", ["one-sided", "free"])
def test_balls_in_one_plane_may_be_turned_over(freedom: str) -> None:
    flat = Piece("flat", get_lattice("spheres"), tuple(FLAT), Freedom(freedom))
    answer = tile([flat], least=True)
    assert answer.tiling is not None
    assert (answer.verdict, len(answer.tiling.copies)) == ("tiles", 2)
    assert is_tiling(answer)


def test_balls_in_one_plane_beside_others_may_be_turned_over() -> None:
    grid = get_lattice("spheres")
    bent = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (1, 1, 1))
    flat = Piece("F", grid, tuple(FLAT), Freedom.ONE_SIDED)
    solid = Piece("S", grid, bent, Freedom.ONE_SIDED)
    both = Prototiles((flat, solid))
    assert [piece.name for piece in both.owners] == ["F", "F", "S"]
    assert (len(both.matrices), len(Prototiles((flat,)).matrices)) == (24, 48)
    assert is_tiling(tile([flat, solid]))


def test_a_long_tile_in_space_is_left_open_where_its_surroundings_are_too_large() -> None:
    bar = [(x, 0, 0) for x in range(12)]
    bumps = [(2, 1, 0), (3, 1, 0), (4, 1, 0), (5, 0, -1), (5, 0, -2), (10, 1, 0)]
    answer = tile(bar + bumps, lattice="cube", effort=20_000)
    assert (answer.verdict, answer.stopped) == ("open", "effort")
    answer = tile(bar + bumps, lattice="cube", effort=10**12, copies=1, time_limit=1)
    assert (answer.verdict, answer.stopped) == ("open", "time limit")
