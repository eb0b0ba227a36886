"""The native checker, on proofs that hold and on proofs damaged in every way."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Literal

import pytest

from exactile.certificate.checker import Checked, check_proof
from exactile.errors import CertificateError
from support.few import few
from support.naive_proofs import naive_drup, naive_lrat

Kind = Literal["drup", "lrat"]
Clauses = list[list[int]]

PIGEONS = [
    *([p * 3 + h + 1 for h in range(3)] for p in range(4)),
    *([-(p * 3 + h + 1), -(q * 3 + h + 1)] for h in range(3) for q in range(4) for p in range(q)),
]
"""Four pigeons in three holes."""

HOLDS = (
    b"-1 -5 0\n-1 -6 0\n-1 0\n-2 -4 0\nd -1 -5 0\n-2 -6 0\nd -1 -6 0\n-2 0\n-3 -4 0\n-3 -5 0\n0\n"
)
"""A proof for the pigeons: the first in hole h, the second in hole k, and no place for the rest."""

SQUARE = [[1, 2], [-1, 2], [1, -2], [-1, -2]]
HINTED = b"5 1 0 1 3 0\n5 d 1 3 0\n6 2 0 5 2 0\n7 0 5 6 4 0\n"


def write(path: Path, clauses: Clauses, variables: int) -> Path:
    lines = [" ".join(map(str, [*clause, 0])) for clause in clauses]
    path.write_text("\n".join([f"p cnf {variables} {len(lines)}", *lines, ""]))
    return path


class Desk:
    """Checks many proofs with both checkers, which must agree on the line."""

    def __init__(self, folder: Path) -> None:
        self.cnf = folder / "formula.cnf"
        self.proof = folder / "proof"
        self.verdicts: list[int] = []

    def check(self, clauses: Clauses, variables: int, proof: bytes, kind: Kind = "drup") -> int:
        write(self.cnf, clauses, variables)
        self.proof.write_bytes(proof)
        naive = naive_drup if kind == "drup" else naive_lrat
        expected = naive(clauses, variables, proof)
        assert self.native(kind) == expected, (clauses, proof)
        self.verdicts.append(expected)
        return expected

    def native(self, kind: Kind) -> int:
        try:
            check_proof(self.cnf, self.proof, kind=kind)
        except CertificateError as error:
            found = re.search(r"refused: line (\d+): ", str(error))
            if found is None:
                raise
            return int(found[1])
        return 0


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_proofs_that_hold(tmp_path: Path) -> None:
    proof = tmp_path / "proof"
    proof.write_bytes(HOLDS)
    lemmas = HOLDS.count(b"\n") - 2
    checked = check_proof(write(tmp_path / "cnf", PIGEONS, 12), proof)
    assert checked[:2] == (lemmas, 2)
    proof.write_bytes(HINTED)
    assert check_proof(write(tmp_path / "cnf", SQUARE, 2), proof, kind="lrat") == Checked(3, 2, 7)


DAMAGES: list[Callable[[list[bytes]], Iterator[list[bytes]]]] = []


def damage(function: Callable[[list[bytes]], Iterator[list[bytes]]]) -> None:
    DAMAGES.append(function)


@damage
def a_line_dropped(lines: list[bytes]) -> Iterator[list[bytes]]:
    yield from (lines[:k] + lines[k + 1 :] for k in range(len(lines)))


@damage
def a_line_twice(lines: list[bytes]) -> Iterator[list[bytes]]:
    yield from ([*lines[:k], lines[k], *lines[k:]] for k in range(len(lines)))


@damage
def two_lines_swapped(lines: list[bytes]) -> Iterator[list[bytes]]:
    for k in range(1, len(lines)):
        yield [*lines[: k - 1], lines[k], lines[k - 1], *lines[k + 1 :]]


@damage
def lines_reversed(lines: list[bytes]) -> Iterator[list[bytes]]:
    yield lines[::-1]


@damage
def a_number_changed(lines: list[bytes]) -> Iterator[list[bytes]]:
    """Flipped, dropped, doubled, one more, one less, huge, or no number at all."""
    for k, line in enumerate(lines):
        words = line.split()
        for j, word in enumerate(words):
            value = 0 if word == b"d" else int(word)
            for new in (-value, "", f"{value} {value}", value + 1, value - 1, 10**30, "x", "-0"):
                changed = [*words[:j], str(new).encode(), *words[j + 1 :]]
                yield [*lines[:k], b" ".join(changed), *lines[k + 1 :]]


@pytest.mark.parametrize("alter", DAMAGES, ids=lambda f: f.__name__)
def test_damaged_proofs_are_refused_unless_they_still_hold(
    desk: Desk, alter: Callable[[list[bytes]], Iterator[list[bytes]]]
) -> None:
    for lines in alter(HOLDS.splitlines()):
        desk.check(PIGEONS, 12, b"\n".join([*lines, b""]))
    for lines in alter(HINTED.splitlines()):
        desk.check(SQUARE, 2, b"\n".join([*lines, b""]), "lrat")
    assert any(desk.verdicts)


def test_truncated_at_every_byte(desk: Desk) -> None:
    for proof, clauses, variables, kind in [
        (HOLDS, PIGEONS, 12, "drup"),
        (HINTED, SQUARE, 2, "lrat"),
    ]:
        for end in range(len(proof) - 1):
            assert desk.check(clauses, variables, proof[:end], kind)  # type: ignore[arg-type]


def test_every_byte_replaced(desk: Desk) -> None:
    for byte, (proof, clauses, variables, kind) in product(
        b"\x00\n -0d9c\x0b\xff", [(HOLDS, PIGEONS, 12, "drup"), (HINTED, SQUARE, 2, "lrat")]
    ):
        for k in range(len(proof)):
            desk.check(
                clauses,
                variables,
                proof[:k] + bytes([byte]) + proof[k + 1 :],
                kind,  # type: ignore[arg-type]
            )
    assert len(set(desk.verdicts)) > 8


def test_every_clause_matters(desk: Desk) -> None:
    for k in range(len(PIGEONS)):
        assert desk.check(PIGEONS[:k] + PIGEONS[k + 1 :], 12, HOLDS)
    for k in range(len(SQUARE)):
        rest = [clause if j != k else [1, -1] for j, clause in enumerate(SQUARE)]
        assert desk.check(rest, 2, HINTED, "lrat")


def random_clause(rng: random.Random, variables: int, most: int) -> list[int]:
    return [rng.choice((1, -1)) * rng.randint(1, variables) for _ in range(rng.randint(1, most))]


def random_drup(rng: random.Random, clauses: Clauses, variables: int) -> bytes:
    """Return lemmas, many of which hold, share beginnings, and are deleted again."""
    alive = [list(clause) for clause in clauses]
    lines: list[list[int | str]] = []
    for _ in range(rng.randint(1, 25)):
        if rng.random() < 0.3:
            gone = rng.choice(alive)
            rng.shuffle(gone)
            lines.append(["d", *gone, 0])
            continue
        lemma = random_clause(rng, variables, 3)
        if alive and rng.random() < 0.6:
            lemma = (rng.choice(alive) + lemma)[: rng.randint(1, 5)]
        if (
            naive_drup([*clauses, *alive], variables, f"{' '.join(map(str, lemma))} 0\n".encode())
            > 1
        ):
            alive.append(lemma)
            lines.append([*lemma, 0])
        elif rng.random() < 0.03:
            lines.append([*lemma, 0])
    lines.append([0])
    return "".join(" ".join(map(str, line)) + "\n" for line in lines).encode()


@pytest.mark.parametrize("seed", few(range(20), 4))
def test_random_lemmas_get_the_same_verdict(desk: Desk, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(150):
        variables = rng.randint(2, 7)
        clauses = [
            random_clause(rng, variables, rng.choice((2, 3, 4)))
            for _ in range(rng.randint(1, 5 * variables))
        ]
        desk.check(clauses, variables, random_drup(rng, clauses, variables))
    assert desk.verdicts.count(0) > 10
    assert len(set(desk.verdicts)) > 8


def random_lrat(rng: random.Random, clauses: Clauses, variables: int) -> bytes:
    """Return lemmas with the hints of a plain propagation, now and then wrong ones."""
    known = dict(enumerate(clauses, start=1))
    identity = len(clauses)
    lines: list[list[int | str]] = []
    for turn in range(rng.randint(1, 12)):
        lemma = random_clause(rng, variables, 3) if turn < 11 and rng.random() < 0.9 else []
        false, hints, conflict = set(lemma), [], False
        for _ in range(len(known)):
            for name, clause in rng.sample(sorted(known.items()), len(known)):
                left = set(clause) - false
                if not conflict and len(left) < 2 and not {-x for x in left} & false - left:
                    hints.append(name)
                    false |= {-x for x in left}
                    conflict = not left
        if not conflict and rng.random() < 0.97:
            continue
        if hints and rng.random() < 0.1:
            hints[rng.randrange(len(hints))] = rng.choice([rng.randint(1, identity + 2), -1])
        identity += rng.choice((1, 1, 1, 2, 5)) if rng.random() < 0.98 else 0
        known[identity] = lemma
        lines.append([identity, *lemma, 0, *hints, 0])
        if rng.random() < 0.2:
            gone = rng.choice(sorted(known))
            lines.append([identity, "d", gone, 0])
            del known[gone]
    return "".join(" ".join(map(str, line)) + "\n" for line in lines).encode()


@pytest.mark.parametrize("seed", range(5))
def test_random_hints_get_the_same_verdict(desk: Desk, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(200):
        variables = rng.randint(2, 5)
        clauses = [random_clause(rng, variables, 3) for _ in range(rng.randint(1, 4 * variables))]
        desk.check(clauses, variables, random_lrat(rng, clauses, variables), "lrat")
    assert desk.verdicts.count(0) > 10
    assert len(set(desk.verdicts)) > 4


@pytest.mark.parametrize(
    ("proof", "kind", "message"),
    [
        ("0\n", "drup", r"line 1: the lemma does not follow by unit propagation \(RAT is not"),
        ("c nothing\n", "drup", "line 2: the proof ends without the empty clause"),
        ("1 0\n3 0\n", "drup", "line 2: there is no literal 3: the formula has 2 variables"),
        ("1 0\n2", "drup", "line 2: the line ends where there should be a literal or the closing"),
        ("1 0 0\n", "drup", "line 1: something follows where the line should end"),
        ("x 0\n", "drup", "line 1: something else than a literal or the closing 0"),
        ("é 0\n", "drup", "line 1: something else than a literal or the closing 0"),
        ("1x 0\n", "drup", "line 1: a sign that belongs to no number"),
        ("delete 1 0\n", "drup", "line 1: an unknown word"),
        ("-0\n", "drup", "line 1: -0 is not a number"),
        (f"{10**40} 0\n", "drup", "line 1: a huge number"),
        ("1 " * 100_000 + "0\n", "drup", "line 1: more literals than there are"),
        ("5 1 0 1 3 0\n5 0 5 2 4 0\n", "lrat", "line 2: the numbers of clauses must increase"),
        ("4 1 0 1 3 0\n", "lrat", "line 1: the numbers of clauses must increase"),
        ("5 1 0 1 -3 0\n", "lrat", r"line 1: a hint below 0 \(RAT is not supported\)"),
        ("5 1 0 1 9 0\n", "lrat", "line 1: the hint 9 is not a clause"),
        ("5 0 1 3 0\n", "lrat", "line 1: of clause 1 more than a literal is left"),
        ("5 1 0 0\n", "lrat", "line 1: the hints lead to no conflict"),
        ("5 d 7 0\n", "lrat", "line 1: no clause 7"),
        ("5 1 0 1 3 0\n", "lrat", "line 2: the proof ends without the empty clause"),
    ],
)
def test_messages(tmp_path: Path, proof: str, kind: Kind, message: str) -> None:
    (tmp_path / "proof").write_text(proof)
    cnf = write(tmp_path / "cnf", SQUARE, 2)
    with pytest.raises(CertificateError, match=f"/proof is refused: {message}"):
        check_proof(cnf, tmp_path / "proof", kind=kind)


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("", "line 1: there is no header"),
        ("p cnf- 1 1\n1 0\n", "line 1: an unknown word"),
        ("p cnf 1\n1 0\n", "line 1: the line ends where there should be the number of clauses"),
        ("p cnf -1 1\n1 0\n", "line 1: there can be 0 to 33554432 variables"),
        ("p cnf 99999999 1\n1 0\n", "line 1: there can be 0 to 33554432 variables"),
        ("c x\np cnf 1 2\n1 0\n", "line 4: the formula has 1 clauses, by its header 2"),
        ("p cnf 1 1\n1 0\n-1 0\n", "line 4: the formula has 2 clauses, by its header 1"),
        ("p cnf 1 1\n2 0\n", "line 2: there is no literal 2: the formula has 1 variables"),
        ("p cnf 1 1\n1\n", "line 2: the line ends where there should be a literal"),
        ("p cnf 1 1\np cnf 1 1\n", "line 2: something else than a literal"),
    ],
)
@pytest.mark.parametrize("kind", ["drup", "lrat"])
def test_formulas_are_refused_too(tmp_path: Path, formula: str, kind: Kind, message: str) -> None:
    (tmp_path / "cnf").write_text(formula)
    (tmp_path / "proof").write_text("0\n")
    with pytest.raises(CertificateError, match=f"/proof is refused: formula, {message}"):
        check_proof(tmp_path / "cnf", tmp_path / "proof", kind=kind)


def test_formulas_that_are_trivial(desk: Desk) -> None:
    assert desk.check([[]], 0, b"0\n") == 0
    assert desk.check([[1], [-1]], 1, b"0\n") == 0
    assert desk.check([], 3, b"0\n") == 1
    assert desk.check([[]], 0, b"2 0 1 0\n", "lrat") == 0
    assert desk.check([[1, 1], [-1, -1, -1]], 2, b"0\n") == 0
    assert desk.check([[1, -1, 2], [1, -1], [-2, 2]], 2, b"1 -1 0\n2 0\n") == 2
    assert desk.check([[1], [-1]], 1, b"") == 1  # obvious, but the empty clause is not there


@pytest.mark.parametrize("kind", ["drup", "lrat"])
def test_assumptions_are_clauses(tmp_path: Path, kind: Kind) -> None:
    cnf = write(tmp_path / "cnf", [[-1, -2, -3], [-1, -2, 3]], 3)
    proof = tmp_path / "proof"
    proof.write_text("0\n" if kind == "drup" else "5 0 3 4 1 2 0\n")
    assert check_proof(cnf, proof, assume=[1, 2], kind=kind).lemmas == 1
    for wrong in ([1], [1, -2], [], [2, 3]):
        with pytest.raises(CertificateError, match="is refused: line 1"):
            check_proof(cnf, proof, assume=wrong, kind=kind)
    for none in (0, 4, -(2**40)):
        with pytest.raises(CertificateError, match=f"there is no literal {none}:"):
            check_proof(cnf, proof, assume=[none], kind=kind)


def test_a_deleted_clause_is_gone_but_not_what_it_fixed(desk: Desk) -> None:
    assert desk.check([[1, 2], [-1, 2], [1, -2], [-1, -2]], 2, b"d 2 1 0\n2 0\n0\n") == 2
    assert desk.check([[1, 2, 3], [-3]], 3, b"d 3 1 2 0\n1 2 0\n") == 2
    # Clause 2 makes 2 true once and for all; it may be deleted.
    assert desk.check([[1], [-1, 2], [-2, 3], [-2, -3]], 3, b"d -1 2 0\n0\n") == 0
    assert desk.check([[1], [-1, 2, -4], [4], [-2, -1]], 4, b"d 2 -4 -1 0\nd 1 0\n0\n") == 0
    # Of two equal clauses one stays.
    assert desk.check([*SQUARE, [1, 2]], 2, b"d 2 1 0\n2 0\n0\n") == 0
    assert desk.check([*SQUARE, [1, 2]], 2, b"d 2 1 0\nd 1 2 0\n2 0\n0\n") == 3
    assert desk.check([[1, 2, 3]] * 2 + [[-1], [-2, 3]], 3, b"d 3 2 1 0\n3 0\n0\n") == 3


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    cnf = write(tmp_path / "cnf", SQUARE, 2)
    with pytest.raises(CertificateError, match="the proof cannot be opened: No such file"):
        check_proof(cnf, tmp_path / "none")
    with pytest.raises(CertificateError, match="the formula cannot be opened: No such file"):
        check_proof(tmp_path / "none", cnf)
    with pytest.raises(CertificateError, match="line 1: the file cannot be read"):
        check_proof(cnf, tmp_path)
    with pytest.raises(CertificateError, match="no proofs of the kind 'drat'"):
        check_proof(cnf, cnf, kind="drat")  # type: ignore[arg-type]


def test_a_heartbeat_can_stop_a_check(tmp_path: Path) -> None:
    proof = tmp_path / "proof"
    proof.write_text("1 0\n0\n")
    cnf = write(tmp_path / "cnf", SQUARE, 2)
    beats: list[int] = []
    assert check_proof(cnf, proof, heartbeat=beats.append).lemmas == 2
    assert beats == sorted(beats)
    assert beats

    def stop(lemmas: int) -> None:
        raise KeyError(lemmas)

    with pytest.raises(KeyError):
        check_proof(cnf, proof, heartbeat=stop)
