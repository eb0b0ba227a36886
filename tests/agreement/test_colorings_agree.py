"""No coloring refutes what has a solution, and each kind refutes something."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from exactile.certificate.linear import LinearCertificate, verify
from exactile.errors import CertificateError
from exactile.model.lower import lower, unbalanced
from exactile.reasons.colorings import find_linear
from exactile.render.coloring import argument, draw_coloring_svg, draw_coloring_text
from exactile.search import Search
from support.few import examples, few
from support.random_puzzles import random_puzzle

PUZZLES = 450
BLOCK = 45


@cache
def solvable(seed: int) -> bool:
    """Return whether Algorithm X in plain Python finds a solution."""
    options = {"backend": "reference", "use_reasons": False}
    with Search(random_puzzle(seed), limit=1, **options) as search:  # type: ignore[arg-type]
        return any(True for _ in search)


def refutations(block: int) -> Counter[str]:
    """Look for colorings of some puzzles, check them, and return how many there are of a kind."""
    kinds: Counter[str] = Counter()
    for seed in range(block * BLOCK, (block + 1) * BLOCK):
        puzzle = random_puzzle(seed)
        inequalities = seed % 12 == 0  # each takes a process
        found = find_linear(puzzle, inequalities=inequalities)
        assert found.finished is inequalities
        certificate = found.certificate
        if certificate is None:
            assert unbalanced(lower(puzzle)) is None, seed
            continue
        assert not solvable(seed), seed
        kinds[certificate.kind] += 1
        assert argument(puzzle, certificate).endswith(".")
        assert draw_coloring_text(puzzle, certificate).endswith("\n")
        assert draw_coloring_svg(puzzle, certificate).endswith("</svg>\n")
    return kinds


@pytest.mark.parametrize("block", few(range(PUZZLES // BLOCK), 5))
def test_random_puzzles(block: int) -> None:
    kinds = refutations(block)
    assert sum(kinds.values()) > 5
    assert kinds["inequality"]
    assert len(kinds) > 1


def test_certificates_of_other_puzzles_are_refused_where_there_is_a_solution() -> None:
    """What refutes a puzzle does not pass for the same puzzle with a solution."""
    tried = 0
    for seed in range(examples(200)):
        puzzle = random_puzzle(seed)
        if not solvable(seed):
            continue
        tried += 1
        units = {tuple(p): 1 for p in puzzle.region.units.tolist()}
        pieces = {p.name: -p.order for p in puzzle.pieces}
        for kind, modulus in (("inequality", 0), ("congruence", 2), ("congruence", 3)):
            claim = LinearCertificate(kind, modulus, units, pieces)  # type: ignore[arg-type]
            with pytest.raises(CertificateError):
                verify(puzzle, claim)
    assert tried > examples(200) // 4
