"""Variants: settings behind a backend's name reach its solver from every command."""

from __future__ import annotations

import sys
from collections.abc import Generator
from pathlib import Path

import pytest

import exactile
from exactile.backends import Backend, Batch, Request, get_backend
from exactile.backends.base import no_solutions
from exactile.backends.registry import VariedBackend, parsed, seed_of, varied
from exactile.counting.listing import count_model
from exactile.errors import BackendError
from exactile.model import Model
from exactile.search import Search
from support.small import dominoes, mutilated


class Noting(Backend):
    """A backend that notes what is asked, and changes its name in the end."""

    name = "noting"
    takes_prefixes = takes_seed = takes_workers = True
    encodings = ("pairwise",)

    def __init__(self) -> None:
        self.asked: list[Request] = []

    def version(self) -> str:
        return "noting 1"

    def search(self, model: Model, request: Request) -> Generator[Batch]:
        self.asked.append(request)
        self.name = "noting (late)"
        yield Batch(no_solutions(), done=1.0)


def test_settings_come_before_those_of_a_request() -> None:
    inner = Noting()
    made = varied(inner, parsed("noting+encoding=pairwise+seed=3+threads=2+symmetry=no"))
    assert isinstance(made, VariedBackend)
    assert not made.takes_prefixes
    assert not made.takes_seed
    assert made.encodings == ("pairwise",)
    with Search(dominoes(4, 4), backend=made, seed=9, workers=7) as search:
        assert not list(search)
    [request] = inner.asked
    assert (request.seed, request.workers, request.encoding) == (3, 2, "pairwise")
    assert request.prefixes == ((),)
    assert search.backend.name == "noting (late)+encoding=pairwise+seed=3+threads=2+symmetry=no"


@pytest.mark.parametrize("name", ["reference", "external:true"])
def test_threads_that_reach_nobody_are_refused(name: str) -> None:
    backend = get_backend(name)
    with pytest.raises(BackendError, match="does not use threads: leave '\\+threads' out"):
        varied(backend, parsed(f"{name}+threads=2"))
    assert varied(backend, parsed(f"{name}+threads=1")).name == f"{name}+threads=1"


def test_symmetry_is_used_unless_it_is_switched_off() -> None:
    puzzle = exactile.load("tetrahexes-4x7")
    for words, used in (("+seed=1", True), ("+symmetry=yes", True), ("+symmetry=no", False)):
        inner = Noting()
        with Search(puzzle, backend=varied(inner, parsed(f"noting{words}"))) as search:
            list(search)
        assert (inner.asked[0].prefixes != ((),)) == used


def test_parameters_reach_the_solver() -> None:
    backend = get_backend("cpsat+linearization_level=2+seed=5")
    asked = backend.parameters(Request(seed=1, limit=1))
    assert (asked["linearization_level"], asked["random_seed"]) == ("2", 5)


def test_seeds_that_reach_nobody_are_none() -> None:
    told = {name: seed_of(name, 7) for name in ("dlx", "sat", "external:true", "external:gone-x")}
    assert told == {"dlx": None, "sat": 7, "external:true": None, "external:gone-x": None}
    assert seed_of("external:true {seed}", 7) == 7


@pytest.mark.parametrize("backend", ["dlx+method=list", "dlx+method=memo", "dlx+method=frontier"])
def test_a_count_takes_its_method_from_a_variant(backend: str) -> None:
    answer = exactile.count(dominoes(4, 4), backend=backend)
    assert (answer.raw, answer.method) == (36, backend.partition("=")[2])


@pytest.mark.parametrize("backend", ["sat+method=memo", "cpsat+method=frontier"])
def test_other_backends_only_list(backend: str) -> None:
    with pytest.raises(BackendError, match="lists solutions: leave"):
        exactile.count(dominoes(4, 4), backend=backend)
    with pytest.raises(BackendError, match="lists solutions: leave"):
        count_model(exactile.lower(dominoes(4, 4)), backend=backend)


SOLVER = """
import sys
from pathlib import Path
Path(sys.argv[1]).write_text(" ".join(sys.argv[3:]))
assert Path(sys.argv[2]).read_text().startswith("p cnf")
print("s UNSATISFIABLE")
sys.exit(20)
"""


def test_a_program_learns_seed_time_and_threads(tmp_path: Path) -> None:
    program, noted = tmp_path / "solver.py", tmp_path / "noted"
    program.write_text(SOLVER)
    words = "{cnf} -s {seed} {time} {threads}"
    command = f"external:{sys.executable} {program} {noted} {words}"

    def proved(time_limit: float | None) -> list[str]:
        verdict = exactile.prove(
            mutilated(4),
            backend=command,
            use_reasons=False,
            seed=7,
            workers=3,
            time_limit=time_limit,
        )
        assert verdict.status.value == "unsolvable"
        return noted.read_text().split()

    assert proved(None) == ["-s", "7", "10000000", "3"]
    assert 0 < int(proved(1e5)[2]) < 10_000_000
