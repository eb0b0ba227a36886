"""Certificates about tilings that were tampered with are refused, each with one error."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from copy import deepcopy
from random import Random
from typing import Any

import msgspec
import pytest

from exactile.certificate.tilings import TilingCertificate, certificate_of, verify_tiling
from exactile.errors import CertificateError
from exactile.geometry import get_lattice
from exactile.surveys.tiling.decide import TilingSettings, decide
from exactile.surveys.tiling.prototiles import Prototiles
from exactile.surveys.tiling.verbs import prototiles_of

Document = dict[str, Any]
Rows = list[list[int]]

EACH = 70
"""Forged certificates of each kind."""

HEPTOMINO = [(0, 1), (1, 0), (1, 1), (1, 2), (1, 3), (2, 1), (3, 1)]
HEESCH_1 = [(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (1, 0), (1, 4)]


def certified(units: Sequence[tuple[int, ...]], lattice: str = "square", **asked: Any) -> Document:
    prototiles = Prototiles(prototiles_of(units, lattice, None))
    certificate = decide(prototiles, TilingSettings(**asked)).certificate
    assert verify_tiling(certificate)
    document: Document = msgspec.json.decode(msgspec.json.encode(certificate))
    return document


TILING = certified([(0, 0), (1, 0), (1, 1), (1, 2), (2, 2), (0, 1), (3, 2)])
REFUTATION = certified(HEESCH_1)
HEESCH = certified(HEPTOMINO, heesch=True)


def accepted(document: Document) -> TilingCertificate | None:
    try:
        return verify_tiling(certificate_of(document)).certificate
    except CertificateError:
        return None


def forged_tiling(document: Document, random: Random) -> None:
    tiling = document["tiling"]
    copies: Rows = tiling["copies"]
    kind = random.randrange(5)
    if kind == 0:
        random.choice(copies)[2 + random.randrange(2)] += random.choice((-1, 1))
    elif kind == 1:
        copies.pop(random.randrange(len(copies)))
    elif kind == 2:
        copies.append(list(random.choice(copies)))
    elif kind == 3:
        tiling["vectors"][1][1] += 1
    else:
        units = document["prototiles"][0]
        units.append([max(x for x, _ in units) + 1 + random.randrange(3), 0])


def forged_refutation(document: Document, random: Random) -> None:
    lines = document["refutation"].splitlines()
    number = random.randrange(len(lines))
    head, _, steps = lines[number].partition(": ")
    words = steps.split()
    kind = random.randrange(4)
    place = random.randrange(len(words))
    if kind == 0:
        words.pop(place)
    elif kind == 1:
        words.append(words[place])
    elif kind == 2:
        words[place] = re.sub(r"-?\d+", lambda n: str(int(n[0]) + 40), words[place])
    else:
        words = words[:place]
    lines[number] = f"{head}: {' '.join(words)}"
    document["refutation"] = "\n".join(lines)


def forged_heesch(document: Document, random: Random) -> None:
    heesch = document["heesch"]
    kind = random.randrange(5)
    if kind == 0:
        heesch["holed"] += random.choice((-1, 1))
    elif kind == 1:
        heesch["solid"] += 1
    elif kind == 2:
        heesch["holed_patch"].pop(random.randrange(len(heesch["holed_patch"])))
    elif kind == 3:
        random.choice(heesch["holed_patch"])[2] += random.choice((-1, 1))
    else:
        heesch["solid_refutation"] = heesch["solid_refutation"].rsplit(" ", 1)[0]


def test_a_row_of_tiles_as_deep_as_allowed_is_no_recursion() -> None:
    document = deepcopy(HEESCH)
    document |= {"motions": [[[1, 0], [0, 1]]], "prototiles": [[[0, 0]]], "refutation": None}
    steps = " ".join(f"{x},0" for x in range(1, 599))
    lemma = f"0,0,599,0,2000 0,0,0,0,600: {steps}"  # the last step raises the numbers of all
    document["heesch"] = {"solid": 0, "holed": 0, "solid_patch": [], "holed_patch": []}
    document["heesch"]["holed_refutation"] = lemma
    with pytest.raises(CertificateError, match="line 1: it ends too early"):
        verify_tiling(certificate_of(document))


@pytest.mark.parametrize(
    ("document", "forge"),
    [(TILING, forged_tiling), (REFUTATION, forged_refutation), (HEESCH, forged_heesch)],
)
def test_forged_certificates_are_refused(
    document: Document, forge: Callable[[Document, Random], None]
) -> None:
    random = Random(1)
    forged = 0
    while forged < EACH:
        changed = deepcopy(document)
        forge(changed, random)
        if changed != document:
            forged += 1
            assert accepted(changed) is None, changed


def domino_with(solid_refutation: str, lattice: str = "square") -> Document:
    """Claim that a domino, which tiles, has one corona without holes and two with holes."""
    rest = [0] * (get_lattice(lattice).dimension - 2)

    def patch(coronas: int) -> Rows:
        around = range(-coronas, coronas + 1)
        layers = around if rest else [0]
        places = [[2 * x, y, *[z] * len(rest)] for x in around for y in around for z in layers]
        return [[0, 0, 0, 0, *rest], *([0, 0, *place] for place in places if any(place))]

    unit = [[int(i == j) for j in range(2 + len(rest))] for i in range(2 + len(rest))]
    return {
        "format": 1,
        "made_by": "hand",
        "lattice": lattice,
        "motions": [unit],
        "prototiles": [[[0, 0, *rest], [1, 0, *rest]]],
        "heesch": {
            "solid": 1,
            "holed": 2,
            "solid_patch": patch(1),
            "holed_patch": patch(2),
            "solid_refutation": solid_refutation,
        },
    }


def refusal(document: Document) -> str:
    with pytest.raises(CertificateError) as refused:
        verify_tiling(certificate_of(document))
    return str(refused.value)


def test_both_patches_are_checked_if_the_numbers_are_equal() -> None:
    document = certified(HEESCH_1, heesch=True)
    heesch = document["heesch"]
    assert (heesch["solid"], heesch["holed"]) == (1, 1)
    heesch["holed_patch"].append([0, 0, 99, 99])
    assert "tiles that are in none of its coronas" in refusal(document)


def test_coronas_of_a_neighbor_do_not_bound_the_patch() -> None:
    outside = "0,0,0,0,1 0,0,4,0,0: x"  # true of a single corona alone
    forged = domino_with(f"{outside}\n0,0,0,0,2: -1,0 2,0 #0,0,-2,0")
    assert "line 1: the first tile has 1 corona, that of the last line 2" in refusal(forged)


def test_no_tiles_enclose_nothing() -> None:
    assert "nothing says that unit o0,0 must be covered" in refusal(domino_with(": o0,0"))


def test_a_hole_between_tiles_far_apart_is_not_sought_for_ever() -> None:
    far = "0,0,0,0,0 0,0,900000,0,0 0,0,0,900000,0 0,0,900000,900000,0"
    assert "nothing says that unit o9,9" in refusal(domino_with(f"{far}: o9,9"))


def test_in_space_holes_do_not_count() -> None:
    assert "Only cells of the plane" in refusal(domino_with("", "cube"))


def test_a_refutation_of_one_prototile_is_none_of_another() -> None:
    square = get_lattice("square")
    other = square.points([(0, 0), (1, 0), (2, 0), (0, 1)]).tolist()
    assert accepted(REFUTATION | {"prototiles": [other]}) is None


def test_a_refutation_for_fewer_motions_is_none_for_all() -> None:
    u = [(0, 0), (2, 0), (0, 1), (1, 1), (2, 1)]
    prototiles = Prototiles(prototiles_of(u, "square", "fixed"))
    fixed = decide(prototiles, TilingSettings()).certificate
    assert verify_tiling(fixed).verdict == "does not tile"
    motions = tuple(tuple(map(tuple, m)) for m in get_lattice("square").group.tolist())
    with pytest.raises(CertificateError):
        verify_tiling(msgspec.structs.replace(fixed, motions=motions))


@pytest.mark.parametrize(
    "change",
    [
        {"lattice": "nowhere"},
        {"motions": []},
        {"motions": [[[2, 0], [0, 1]]]},
        {"motions": [[[1, 0], [0]]]},
        {"motions": [[[1, 0], [0, 1]], [[0, -1], [1, 0]]]},
        {"motions": [[[2**70, 0], [0, 1]]]},
        {"prototiles": []},
        {"prototiles": [[]]},
        {"prototiles": [[[0]]]},
        {"prototiles": [[[0, 0], [0, 0]]]},
        {"prototiles": [[[0, 0], [0]]]},
        {"prototiles": [[[2**70, 0]]]},
        {"tiling": None},
        {"tiling": {"vectors": [[0, 0], [0, 0]], "copies": []}},
        {"tiling": {"vectors": [[1, 0], [0, 1]], "copies": []}},
        {"tiling": {"vectors": [[10**9, 0], [0, 10**9]], "copies": [[0, 0, 0, 0]]}},
        {"tiling": {"vectors": [[7, 0]], "copies": [[0, 0, 0, 0]]}},
        {"tiling": {"vectors": [[7, 0], [2, 1]], "copies": [[5, 0, 0, 0]]}},
        {"tiling": {"vectors": [[7, 0], [2, 1]], "copies": [[0, 99, 0, 0]]}},
        {"tiling": {"vectors": [[7, 0], [2, 1]], "copies": [[0, 0, 0]]}},
        {"tiling": {"vectors": [[7, 0], [2, 1]], "copies": [[0, 0, 2**80, 0]]}},
        {"refutation": ""},
        {"refutation": "0,0,0,0,0: 1,1"},
        {"unbalanced": True},
        {"patch": [[0, 0, 0, 0]], "coronas": 1},
        {"patch": [], "coronas": 1},
        {"patch": [[0, 0, 0, 0]], "coronas": -1},
        {"heesch": {"solid": 0, "holed": 0, "solid_patch": [], "holed_patch": []}},
        {"crossing": 3},
        {"extra": 1},
    ],
)
def test_nonsense_is_refused(change: Document) -> None:
    assert accepted(TILING | change) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "0,0,0,0,0",
        ": 0,0",
        "0,0,0,0,0:",
        "0,0,0,0,0: x",
        "0,0,0,0,0: #0,0,0,0",
        "0,0,0,0,0: #-1,0,0,0",
        "0,0,0,0,0: o0,9",
        "0,0,0,0,1: 0,9",
        "0,0,0,0,-1: 0,9",
        "0,0,0,0,0 0,0,0,0,0: 0,9",
        "9,0,0,0,0: 0,9",
        "0,0,0,0,0: 99999999999,0",
        "0,0,0,0,0: 0,0,5",
        "0,0,0,0,0: ٣,٣",
        "a b c: d",
    ],
)
def test_refutations_that_are_none(text: str) -> None:
    assert accepted(REFUTATION | {"refutation": text}) is None
