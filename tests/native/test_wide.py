"""Sums of products of words are right, with integers of 128 bits and without."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest

NATIVE = Path(__file__).parents[2] / "src" / "native"

PROGRAM = """
#include <cstdio>
#include "wide.hpp"
int main() {
    exactile::ProductSum sum;
    unsigned long long a, b;
    while (std::scanf("%llu %llu", &a, &b) == 2) {
        sum.add(a, b);
        for (int k = 0; k < 4; ++k) std::printf("%u ", sum.part(k));
    }
}
"""


@pytest.mark.parametrize("flags", [[], ["-DEXACTILE_NO_INT128"]], ids=["wide", "narrow"])
def test_sums_of_products(flags: list[str], tmp_path: Path) -> None:
    compiler = shutil.which(os.environ.get("CXX", "c++"))
    if compiler is None:
        pytest.skip("there is no compiler here")
    (tmp_path / "sums.cpp").write_text(PROGRAM)
    words = [compiler, "-std=c++20", f"-I{NATIVE}", *flags, "sums.cpp", "-o", "sums"]
    subprocess.run(words, check=True, cwd=tmp_path)
    dice = random.Random(1)
    pairs = [[dice.getrandbits(dice.randint(0, 64)) for _ in range(2)] for _ in range(500)]
    pairs += [[2**64 - 1, 2**64 - 1]] * 3
    told = subprocess.run(
        [tmp_path / "sums"],
        input="\n".join(f"{a} {b}" for a, b in pairs),
        capture_output=True,
        text=True,
        check=True,
    )
    parts = [int(word) for word in told.stdout.split()]
    total = 0
    for k, (a, b) in enumerate(pairs):
        total += a * b
        assert sum(p << 32 * i for i, p in enumerate(parts[4 * k : 4 * k + 4])) == total % 2**128
