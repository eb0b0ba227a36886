"""External solvers that fail in every way: one clear error each, and nothing left behind."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import sys
import tempfile
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from exactile.backends import get_backend
from exactile.backends.external import read_answer
from exactile.cli.main import run
from exactile.counting import count
from exactile.errors import (
    BackendCrashedError,
    BackendError,
    BackendMissingError,
    BackendNotFoundError,
)
from exactile.files import load
from exactile.files.models.formats import read_model
from exactile.model import Model
from exactile.reasons.verdict import prove
from exactile.search import Search, Status
from exactile.search.cover import CoverSearch
from support import cover_files
from support.clock import Stopped
from support.ctrl_c import interrupted_when
from support.events import whenever
from support.few import examples, few
from support.random_models import brute_force, random_model
from support.small import dominoes, mutilated

FAKE = Path(__file__).parents[1] / "support" / "fake_solver.py"


def fake(mode: str, *, proof: bool = False) -> str:
    """Return the name of a backend that runs the fake solver."""
    words = [sys.executable, str(FAKE), mode, "{cnf}"] + (["{proof}"] if proof else [])
    return "external:" + shlex.join(words).replace("'", "")


@pytest.fixture(autouse=True)
def no_rests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every test work in a folder of its own, temporary files included."""
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")


def left_behind() -> list[Path]:
    return list(Path("temporary").iterdir())


@pytest.mark.parametrize("mode", few(["plain", "chatty", "exit-0"], 3))
def test_a_solver_that_behaves(mode: str) -> None:
    answer = count(dominoes(4, 3), backend=fake(mode), method="list")
    own = count(dominoes(4, 3), method="list")
    assert (answer.raw, answer.rotation, answer.symmetry) == (11, own.rotation, own.symmetry)
    assert count(dominoes(4, 3), backend=fake(mode), use_symmetry=False).raw == 11
    assert prove(mutilated(4), backend=fake(mode), use_reasons=False).status is Status.UNSOLVABLE
    assert left_behind() == []


def test_symmetry_saves_runs() -> None:
    """The branches of a symmetric puzzle are one formula; other solutions are images."""
    puzzle = load("tetrahexes-holey-star-1")
    answer = count(puzzle, backend=fake("plain"))
    assert (answer.raw, answer.stats["solves"]) == (8, 3)
    answer = count(puzzle, backend=fake("plain"), use_symmetry=False)
    assert (answer.raw, answer.stats["solves"]) == (8, 9)


def test_the_seed_stands_in_the_command() -> None:
    """The mode of the fake solver is ``seed-{seed}``, which it writes down."""
    assert count(dominoes(2, 2), backend=fake("seed-{seed}"), seed=7, use_symmetry=False).raw == 2
    assert Path("seeds").read_text("utf-8").split() == ["seed-7"] * 3
    assert get_backend(fake("seed-{seed}")).takes_seed
    assert not get_backend(fake("plain")).takes_seed


def test_random_models_and_colors() -> None:
    for seed in range(examples(12)):
        model = random_model(seed, most_options=7)
        found = CoverSearch(model, backend=fake("plain"))
        rows = {frozenset(o for o in r if o >= 0) for b in found.batches() for r in b.tolist()}
        assert rows == brute_force(model), seed
        assert found.status in (Status.COMPLETE, Status.UNSOLVABLE)
    problem = read_model(StringIO(cover_files.COLORS))
    assert sum(len(b) for b in CoverSearch(problem.model, backend=fake("plain")).batches()) == 1


WRONG = [
    ("wrong-code", "it says SATISFIABLE, but its exit code is 20"),
    ("silent", "its exit code is 10, but it has no line that begins with 's '"),
    ("both", "it says both SATISFIABLE and UNSATISFIABLE"),
    ("nonsense", "'s MAYBE' has no meaning"),
    ("no-values", "its assignment is cut off"),
    ("cut", "its assignment is cut off"),
    ("words", "'two' in a line with 'v' is not a literal"),
    ("too-large", "999999 is not a literal: there are 24 variables"),
    ("contradiction", "its assignment has both -1 and 1|its assignment has both 1 and -1"),
    ("all-false", "no literal of the clause [0-9 ]+ is true in its assignment"),
]


@pytest.mark.parametrize(("mode", "text"), WRONG)
def test_wrong_answers(mode: str, text: str) -> None:
    with (
        pytest.raises(BackendError, match=text) as caught,
        Search(dominoes(4, 4), backend=fake(mode)) as search,
    ):
        list(search)
    assert "fake_solver.py" in str(caught.value)
    assert left_behind() == []


def test_a_wrong_no_is_no_answer() -> None:
    """Exit code 10 with "unsatisfiable" must not count as a proof."""
    with pytest.raises(BackendError, match="it says UNSATISFIABLE, but its exit code is 10"):
        prove(mutilated(4), backend=fake("wrong-code"), use_reasons=False)


def test_crashes_name_the_signal_and_the_last_words() -> None:
    with pytest.raises(BackendCrashedError, match=r"ended with SIGSEGV[\s\S]*out of luck"):
        prove(dominoes(4, 4), backend=fake("crash"))
    with pytest.raises(
        BackendCrashedError, match=r"ended with exit code 1, [\s\S]*I only read DNF"
    ):
        prove(dominoes(4, 4), backend=fake("fail"))
    assert left_behind() == []


def test_missing_programs() -> None:
    with pytest.raises(BackendMissingError, match="no program 'no-such-solver'"):
        get_backend("external:no-such-solver -q")
    with pytest.raises(BackendNotFoundError, match="cannot be read: No closing quotation"):
        get_backend("external:cat '")
    with pytest.raises(BackendNotFoundError, match="Which program"):
        prove(dominoes(2, 2), backend="external")
    Path("script").write_text("no header", "utf-8")
    Path("script").chmod(0o755)
    with pytest.raises(BackendMissingError, match="cannot be run: Exec format error"):
        prove(dominoes(2, 2), backend="external:./script")
    assert left_behind() == []


@pytest.mark.parametrize("mode", ["give-up", "unknown"])
def test_a_solver_that_gives_up_leaves_it_unknown(mode: str) -> None:
    verdict = prove(dominoes(4, 4), backend=fake(mode))
    assert (verdict.status, verdict.stopped) == (Status.UNKNOWN, "the solver gave up")
    answer = count(dominoes(4, 4), backend=fake(mode))
    assert (answer.raw, answer.stopped) == (None, "the solver gave up")
    search = CoverSearch(Model.of_options([[0]], [1], [1]), backend=fake(mode))
    assert sum(len(rows) for rows in search.batches()) == 0
    assert (search.status, search.stopped) == (Status.UNKNOWN, "the solver gave up")


def it_runs() -> bool:
    return Path("pid").exists() and bool(Path("pid").read_text())


def test_a_time_limit_kills_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Stopped(monkeypatch)
    whenever(monkeypatch, lambda *_: clock.move() if it_runs() else None)
    verdict = prove(dominoes(4, 4), backend=fake("hang"), time_limit=60)
    assert (verdict.status, verdict.stopped) == (Status.UNKNOWN, "time limit")
    assert_dead(int(Path("pid").read_text()))
    assert left_behind() == []


def assert_dead(pid: int) -> None:
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_ctrl_c_kills_the_program(capsys: pytest.CaptureFixture[str]) -> None:
    command = fake("hang").removeprefix("external:")
    words = ["prove", "pentominoes-6x10", "--backend", f"external:{command}", "--json"]

    assert interrupted_when(it_runs, lambda: run(words)) == 130
    out, err = capsys.readouterr()
    assert (json.loads(out)["stopped"], err) == ("interrupted", "")
    assert_dead(int(Path("pid").read_text()))
    assert left_behind() == []


def test_a_proof_is_kept_with_its_formula(capsys: pytest.CaptureFixture[str]) -> None:
    verdict = prove(mutilated(4), backend=fake("plain", proof=True), use_reasons=False)
    assert verdict.proof is not None
    kept = Path(verdict.proof)
    assert kept.parent == Path.cwd()
    assert sorted(p.name for p in kept.iterdir()) == ["formula.cnf", "proof"]
    assert (kept / "formula.cnf").read_text().startswith("p cnf ")
    assert (kept / "proof").read_text().split()[-1] == "0"
    shutil.rmtree(kept)
    command = fake("plain", proof=True).removeprefix("external:")
    code = run(
        [
            "prove",
            "mutilated-chessboard-6x6",
            "--set",
            "use_reasons=no",
            "--backend",
            f"external:{command}",
        ]
    )
    assert code == 0
    assert "formula and proof are in" in capsys.readouterr().out
    assert left_behind() == []


def test_every_command_says_where_a_proof_is(capsys: pytest.CaptureFixture[str]) -> None:
    Path("two.xcc").write_text("a b c\na b\nb c\n")
    command = fake("plain", proof=True).removeprefix("external:")
    board = "mutilated-chessboard-6x6"
    for words in (["count", "two.xcc", "-q"], ["solve", board, "--set", "use_reasons=no"]):
        assert run([*words, "--backend", f"external:{command}"]) == 0
        said = capsys.readouterr()
        name = re.search(r"ormula and proof are in (\S+)", said.out + said.err)
        assert name is not None
        assert (Path(name[1]) / "proof").exists()


def test_a_certificate_says_whose_proof_it_has(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["prove", "mutilated-chessboard-6x6", "--set", "use_reasons=no", "--certificate"]
    command = fake("plain").removeprefix("external:")
    assert run([*words, "one", "--backend", f"external:{command}"]) == 0
    assert re.search(r"a proof of [\d,]+ lemmas by sat:\w+\)", capsys.readouterr().out)
    assert run([*words, "two", "--backend", "dlx"]) == 0
    assert re.search(r"a proof of [\d,]+ lemmas\)", capsys.readouterr().out)


def test_no_proof_is_kept_of_a_solvable_puzzle() -> None:
    assert prove(dominoes(4, 4), backend=fake("plain", proof=True)).proof is None
    assert prove(mutilated(4), backend=fake("plain"), use_reasons=False).proof is None
    assert not list(Path.cwd().glob("exactile-proof-*"))


def test_a_counted_puzzle_leaves_a_proof_that_nothing_is_missing() -> None:
    answer = count(dominoes(2, 4), backend=fake("plain", proof=True), method="list")
    assert answer.proof is not None
    last = (Path(answer.proof) / "formula.cnf").read_text().splitlines()
    assert answer.raw == 5
    assert int(last[0].split()[3]) == len(last) - 1


def test_a_program_has_to_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    Path("a.xcc").write_text("a\na\n")
    for command in (["solve", "soma-cube"], ["count", "a.xcc"]):
        for name in ("external:", "external: "):
            assert run([*command, "--backend", name]) == 1
            assert "Which program? Write external:CMD" in capsys.readouterr().err
    assert run(["prove", "soma-cube", "--backend", "external:no-such-solver"]) == 1
    assert "no program 'no-such-solver'" in capsys.readouterr().err


@pytest.mark.parametrize("program", ["cadical -q", "kissat -q", "picosat"])
def test_real_programs(program: str) -> None:
    name = program.split()[0]
    path = shutil.which(name) or next(
        Path(sys.prefix).glob(f"lib/*/*/sage_wheels/bin/{name}"), None
    )
    if path is None:
        pytest.skip(f"the program {name} is not installed")
    backend = f"external:{path}{program.removeprefix(name)}"
    answer = count(load("tetrahexes-holey-star-1"), backend=backend)
    assert answer.raw == 8


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_names_the_formula(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = Path.open

    def full(self: Path, *given: Any, **how: Any) -> Any:
        return opened(Path("/dev/full") if self.name == "formula.cnf" else self, *given, **how)

    monkeypatch.setattr(Path, "open", full)
    assert run(["solve", "dominoes-4x4", "--backend", fake("plain")]) == 1
    assert re.search(r"write \S+formula.cnf: No space left on device", capsys.readouterr().err)
    assert left_behind() == []


@pytest.mark.parametrize("word", ["--5", "\u00b2", "9" * 5000])
def test_words_of_digits_need_not_be_literals(word: str) -> None:
    with pytest.raises(ValueError, match="is not a literal"):
        read_answer(10, f"s SATISFIABLE\nv {word} 0\n", 3)
