"""Colorings as proofs by cutting planes: accepted, and refused when damaged."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import pytest

import exactile
from exactile.certificate.checker import Constraint, check_cutting_planes
from exactile.certificate.formula import LinearFormula
from exactile.certificate.linear import LinearCertificate
from exactile.certificate.placements import remainder
from exactile.certificate.verify import verify
from exactile.errors import CertificateError
from exactile.puzzle import Puzzle
from exactile.reasons.certify import certify_coloring, cutting_planes
from exactile.reasons.colorings import find_linear
from exactile.reasons.verdict import prove
from support.few import few

PUZZLES = [
    *("mutilated-chessboard-6x6", "tetrominoes-5x4", "t-tetrominoes-6x6", "soma-w"),
    *("i-trominoes-8x8-without-corner", "l-tetrominoes-6x6", "i-tetrominoes-10x10"),
    *("hexiamonds-hexagon-3", "hexiamonds-v-9x9", "soma-square-wall", "hexiamonds-3-hexagons"),
]

PROOF = """pseudo-Boolean proof version 2.0
f 4
pol 1 3 + 2 d
pol 2 2 * 4 2 * + 4 d
pol 5 6 +
output NONE
conclusion UNSAT : 7
end pseudo-Boolean proof
"""
"""x1 + x2 + x3 = 2 and x1 + x2 - x3 = 1: twice x1 + x2 is 3."""

FORMULA = "* three variables\n+1 x1 +1 x2 +1 x3 = 2 ;\n+1 x1 +1 x2 -1 x3 = 1 ;\n"


def written(folder: Path, name: str) -> tuple[Puzzle, LinearCertificate, Path, Path]:
    puzzle = exactile.load(name)
    coloring = find_linear(puzzle).certificate
    assert coloring is not None
    formula = LinearFormula(remainder(puzzle))
    (folder / "opb").write_text("".join(formula.lines()))
    (folder / "pbp").write_text("".join(cutting_planes(formula, coloring)))
    return puzzle, coloring, folder / "opb", folder / "pbp"


@pytest.mark.parametrize("name", few(PUZZLES, 3))
def test_colorings(tmp_path: Path, name: str) -> None:
    puzzle, coloring, opb, pbp = written(tmp_path, name)
    assert check_cutting_planes(opb, pbp) == (3 if coloring.modulus else 1)
    made = certify_coloring(puzzle, coloring, tmp_path / "certificate", planes=True)
    assert "cutting planes" in made.argument
    assert verify(tmp_path / "certificate") == made
    proof = tmp_path / "certificate" / "proof.pbp"
    good = proof.read_text()
    proof.write_text(good.replace("UNSAT : ", "UNSAT : 1 "))
    with pytest.raises(CertificateError, match="it is not 'conclusion UNSAT :'"):
        verify(tmp_path / "certificate")
    proof.write_text(good)
    formula = tmp_path / "certificate" / "formula.opb"
    formula.write_text(formula.read_text().replace("= 1 ;", "= 0 ;", 1))
    with pytest.raises(CertificateError, match="differs from what the puzzle requires"):
        verify(tmp_path / "certificate")


def check(folder: Path, formula: str, proof: str) -> int:
    (folder / "opb").write_text(formula)
    (folder / "pbp").write_text(proof)
    return check_cutting_planes(folder / "opb", folder / "pbp")


def test_of_a_satisfiable_formula_none_is_accepted(tmp_path: Path) -> None:
    """One sign is another: then 1, 0, 1 is a solution, and no changed byte makes a proof."""
    assert check(tmp_path, FORMULA, PROOF) == 3
    possible = FORMULA.replace("-1 x3", "+1 x2").replace("+1 x2 +1 x2 = 1", "+1 x2 = 1")
    with pytest.raises(CertificateError, match=r"pbp, line 7: the constraint can be satisfied"):
        check(tmp_path, possible, PROOF)
    rng = random.Random(0)
    for _ in range(300):
        place = rng.randrange(len(PROOF))
        changed = PROOF[:place] + rng.choice("0123456789 +*d\n") + PROOF[place + 1 :]
        with pytest.raises(CertificateError):
            check(tmp_path, possible, changed)


def test_changed_bytes_are_refused(tmp_path: Path) -> None:
    """Unless the proof still holds: to double a constraint, it may be added to itself."""
    accepted = []
    for place, byte in product(range(len(PROOF)), "07 +d\n"):
        if PROOF[place] == byte:
            continue
        changed = PROOF[:place] + byte + PROOF[place + 1 :]
        try:
            check(tmp_path, FORMULA, changed)
        except CertificateError:
            continue
        accepted.append(changed)
    assert len(accepted) == 2


@pytest.mark.parametrize(
    ("line", "other", "why"),
    [
        ("pol 5 6 +", "pol 5 8 +", "line 5: there is no constraint 8 yet"),
        ("pol 5 6 +", "pol 5 6", "line 5: it does not compute one constraint"),
        ("pol 5 6 +", "pol 5 +", "line 5: '\\+' is not a number"),
        ("pol 5 6 +", "pol 5 -1 * 6 +", "line 5: '-1' is not a number that can stand there"),
        ("pol 5 6 +", "rup >= 1 ;", "line 5: it is not 'output NONE'"),
        ("pol 1 3 + 2 d", "pol 1 3 + 0 d", "line 3: '0' is not a number that can stand there"),
        ("f 4", "f 3", "line 2: it is not 'f 4'"),
        ("UNSAT : 7", "SAT : 7", "line 7: it is not 'conclusion UNSAT :'"),
        ("end pseudo-Boolean proof\n", "", "line 8: it is not 'end"),
        ("end pseudo-Boolean proof\n", "end pseudo-Boolean proof\nx\n", "line 9: something"),
        ("version 2.0", "version 1.0", "line 1: it is not 'pseudo-Boolean"),
    ],
)
def test_faults_are_named(tmp_path: Path, line: str, other: str, why: str) -> None:
    with pytest.raises(CertificateError, match=why):
        check(tmp_path, FORMULA, PROOF.replace(line, other, 1))


@pytest.mark.parametrize(
    "row", ["+1 x1 +1 x1 = 1 ;", "+1 y = 1 ;", "+1 x1 = 1", "+1 x1 < 1 ;", "1 ;"]
)
def test_malformed_constraints(tmp_path: Path, row: str) -> None:
    with pytest.raises(CertificateError, match="opb, line 4: "):
        check(tmp_path, f"{FORMULA}{row}\n", PROOF)


def test_the_rules_are_sound() -> None:
    """What 0 and 1 satisfy, they satisfy after each step."""
    rng = random.Random(1)
    rounded = 0
    for _ in range(400):
        a, b = (
            Constraint({f"x{v}": rng.randint(-5, 5) for v in range(1, 5)}, rng.randint(-8, 8))
            for _ in range(2)
        )
        divisor = rng.randint(1, 6)
        steps = [a.times(rng.randint(1, 4)), a.over(divisor), a.times(1).plus(b)]
        rounded += steps[1].most < steps[1].degree <= divisor
        for values in product((0, 1), repeat=4):

            def holds(c: Constraint, values: tuple[int, ...] = values) -> bool:
                return sum(c.terms[f"x{k}"] * x for k, x in enumerate(values, 1)) >= c.degree

            assert not holds(a) or (holds(steps[0]) and holds(steps[1]))
            assert not (holds(a) and holds(b)) or holds(steps[2])
    assert rounded


def test_verdicts(tmp_path: Path) -> None:
    puzzle = exactile.load("tetrominoes-5x4")
    verdict = prove(puzzle, certificate=tmp_path / "planes", proof_format="pbp")
    assert verdict.argument == "a coloring and 3 steps of cutting planes"
    verdict = prove(puzzle, certificate=tmp_path / "clauses", proof_format="lrat")
    assert "lemmas" in (verdict.argument or "")
    assert (tmp_path / "clauses" / "proof.lrat").exists()
    with pytest.raises(CertificateError, match="No coloring of tetrahexes-trefoil-x4 was found"):
        prove(
            exactile.load("tetrahexes-trefoil-x4"),
            certificate=tmp_path / "none",
            proof_format="pbp",
        )
    assert not (tmp_path / "none").exists()


def test_balances_have_no_such_proof() -> None:
    formula = LinearFormula(remainder(exactile.load("tetrominoes-5x4")))
    with pytest.raises(CertificateError, match="is a balance"):
        list(cutting_planes(formula, LinearCertificate("balance")))
