"""Certificates hold, and damaged or forged ones are refused."""

import json
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import exactile
from exactile.answers import Status
from exactile.backends import sat_proof
from exactile.backends.sat import PROOFS
from exactile.certificate import reading as files
from exactile.certificate.verify import verify
from exactile.cli.main import run
from exactile.errors import BackendCrashedError, BackendNotFoundError, CertificateError
from exactile.reasons.certify import PROOF, certify
from exactile.search.limits import Limits
from support import full_disk
from support.few import few
from support.random_puzzles import random_puzzle
from support.waiting import PATIENCE, wait_until
from support.work_tasks import Killed, importable

OF_CLAUSES = [name for name in files.FILES if name != files.CONSTRAINTS]

SMALL = [
    "tetrominoes-5x4-tube",  # wrapped around
    "mutilated-chessboard-6x6",  # no solution
    "tetrahexes-4x7",
    "dominoids-two-cubes",  # in space
    "tritrigs-heart-2",  # with the crossing rule
]


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("use_symmetry", few([True, False], 2))
def test_counts_are_those_of_the_search(name: str, use_symmetry: bool, tmp_path: Path) -> None:
    puzzle = exactile.load(name)
    expected = exactile.count(puzzle)
    found = certify(puzzle, tmp_path / "c", use_symmetry=use_symmetry)
    verified = verify(tmp_path / "c")
    for answer in (found, verified):
        assert (answer.raw, answer.rotation, answer.symmetry) == (
            expected.raw,
            expected.rotation,
            expected.symmetry,
        )
    assert found.status is (Status.COMPLETE if expected.raw else Status.UNSOLVABLE)


@pytest.mark.parametrize("seed", few(range(60), 4))
def test_of_random_puzzles(seed: int, tmp_path: Path) -> None:
    puzzle = random_puzzle(seed)
    expected = exactile.count(puzzle, backend="reference")
    certify(puzzle, tmp_path / "c")
    verified = verify(tmp_path / "c")
    assert (verified.raw, verified.rotation, verified.symmetry) == (
        expected.raw,
        expected.rotation,
        expected.symmetry,
    )


@pytest.fixture(scope="module")
def tube(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small certificate with symmetries, a branch, and solutions."""
    directory = tmp_path_factory.mktemp("tube") / "c"
    certify(exactile.load("tetrominoes-5x4-tube"), directory)
    return directory


@pytest.mark.parametrize("name", few(OF_CLAUSES, 2))
def test_a_changed_file_is_refused(name: str, tube: Path, tmp_path: Path) -> None:
    """Each of many changes of a byte, a line, or the length."""
    rng = random.Random(name)
    text = (tube / name).read_bytes()
    lines = text.splitlines(keepends=True)
    for round_ in range(60):
        kind = round_ % 6
        k = rng.randrange(len(lines))
        at = rng.randrange(len(text))
        damaged = [
            lambda: text[:at] + bytes([text[at] ^ 1 << rng.randrange(7)]) + text[at + 1 :],  # noqa: B023
            lambda: b"".join(lines[:k] + lines[k + 1 :]),  # noqa: B023
            lambda: b"".join([*lines[:k], lines[k], *lines[k:]]),  # noqa: B023
            lambda: text[:at],  # noqa: B023
            lambda: text + lines[k],  # noqa: B023
            lambda: text[:at] + b"\xff" + text[at:],  # noqa: B023
        ][kind]()
        if name == files.MANIFEST and _same_json(damaged, text):
            continue
        copy = tmp_path / str(round_)
        shutil.copytree(tube, copy)
        (copy / name).write_bytes(damaged)
        with pytest.raises(CertificateError):
            verify(copy)


def _same_json(a: bytes, b: bytes) -> bool:
    """Return whether a change touches only what a certificate does not claim."""
    try:
        one, two = json.loads(a), json.loads(b)
    except ValueError:
        return False
    for document in (one, two):
        if isinstance(document, dict):
            document.pop("made_by", None)
            if isinstance(document.get("proof"), dict):
                document["proof"].pop("by", None)
            document.pop("name", None)
    return bool(one == two)


def test_a_solution_left_out_is_noticed(tube: Path, tmp_path: Path) -> None:
    """A forger who leaves out a solution everywhere has no proof."""
    copy = tmp_path / "c"
    shutil.copytree(tube, copy)
    manifest = json.loads((copy / files.MANIFEST).read_text())
    listed = (copy / files.SOLUTIONS).read_text().splitlines(keepends=True)
    orbit = len(manifest["symmetries"])
    (copy / files.SOLUTIONS).write_text("".join(listed[1:]))
    with pytest.raises(CertificateError, match="claimed"):
        verify(copy)
    manifest["symmetry"] -= 1
    manifest["raw"] -= orbit
    manifest["rotation"] = manifest["symmetry"] * (
        manifest["rotation"] // (manifest["symmetry"] + 1)
    )
    (copy / files.MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(CertificateError, match=r"formula\.cnf, line"):
        verify(copy)
    lines = (copy / files.FORMULA).read_text().splitlines(keepends=True)
    kept = _without_the_orbit(tube, lines)
    (copy / files.FORMULA).write_text("".join(kept))
    with pytest.raises(CertificateError, match=r"proof\.drup"):
        verify(copy)


def _without_the_orbit(directory: Path, lines: list[str]) -> list[str]:
    """Return the formula without the clauses that forbid the first solution and its images."""
    from exactile.certificate.formula import Clauses
    from exactile.certificate.placements import Symmetries
    from exactile.certificate.reading import read_manifest
    from exactile.puzzle.statement import puzzle_of

    puzzle = puzzle_of(read_manifest(directory).puzzle, "tube")
    formula, group = Clauses(puzzle), Symmetries(puzzle)
    number = {p: v for v, p in enumerate(formula.placements, 1)}
    first = (directory / files.SOLUTIONS).read_text().splitlines()[0]
    placements = [formula.placements[int(v) - 1] for v in first.split()]
    gone = {
        " ".join(str(-v) for v in sorted(number[group.image(g, p)] for p in placements)) + " 0\n"
        for g in range(len(group.motions))
    }
    kept = [line for line in lines if line not in gone]
    assert len(lines) - len(kept) == len(gone)
    words = lines[0].split()
    return [f"p cnf {words[2]} {int(words[3]) - len(gone)}\n", *kept[1:]]


def test_a_branch_that_leaves_out_too_much_is_refused(tube: Path, tmp_path: Path) -> None:
    copy = tmp_path / "c"
    shutil.copytree(tube, copy)
    manifest = json.loads((copy / files.MANIFEST).read_text())
    manifest["branch"]["kept"] = manifest["branch"]["kept"][1:]
    (copy / files.MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(CertificateError, match="No symmetry carries placement"):
        verify(copy)


@pytest.mark.parametrize("name", [*OF_CLAUSES, PROOF])
def test_a_missing_file_is_named(name: str, tube: Path, tmp_path: Path) -> None:
    copy = tmp_path / "c"
    shutil.copytree(tube, copy)
    (copy / name).unlink()
    with pytest.raises(CertificateError, match=name):
        verify(copy)


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "c").mkdir()
    with pytest.raises(CertificateError, match="exists already"):
        certify(exactile.load("mutilated-chessboard-6x6"), tmp_path / "c")
    assert list((tmp_path / "c").iterdir()) == []


def test_time_up_leaves_nothing(tmp_path: Path) -> None:
    answer = certify(exactile.load("hexominoes-14x15"), tmp_path / "c", time_limit=0.1)
    assert (answer.status, answer.raw, answer.stopped) == (Status.UNKNOWN, None, "time limit")
    assert list(tmp_path.iterdir()) == []


FULL = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), int(sys.argv[2])))
from exactile.cli.main import main
main(["count", "pentominoes-8x8-center-hole", "--certificate", sys.argv[1]])
"""


@pytest.mark.parametrize("size", few([100_000, 1_000, 2_000_000], 3))
def test_a_full_disk_is_one_error_and_leaves_nothing(size: int, tmp_path: Path) -> None:
    """A limit on the size of files stands for a disk that is full."""
    finished = subprocess.run(
        [sys.executable, "-c", FULL, str(tmp_path / "c"), str(size)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env=full_disk.ENVIRONMENT,
        check=False,
    )
    assert finished.returncode == 1, finished.stderr
    assert f"Cannot read or write {tmp_path / 'c'}: File too large" in finished.stderr
    assert "Traceback" not in finished.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "solver",
    few(["cadical195", "glucose4", "gluecard4", "lingeling"], 4),
)
def test_proofs_of_other_solvers(solver: str, tmp_path: Path) -> None:
    answer = certify(exactile.load("tetrahexes-4x7"), tmp_path / "c", backend=f"sat:{solver}")
    assert answer.raw == 18
    assert exactile.count(exactile.load("tetrahexes-4x7")).raw == 18
    assert json.loads((tmp_path / "c" / files.MANIFEST).read_text())["proof"]["by"] == solver


@pytest.mark.parametrize("backend", ["cpsat", "sat:maplesat", "sat:kissat404", "reference"])
def test_solvers_without_good_proofs_are_refused(backend: str, tmp_path: Path) -> None:
    with pytest.raises(BackendNotFoundError, match="no proofs that can be checked"):
        certify(exactile.load("tetrahexes-4x7"), tmp_path / "c", backend=backend)
    assert list(tmp_path.iterdir()) == []


def test_a_writer_of_proofs_that_is_killed_is_one_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sat_proof, "WriteRefutation", Killed)
    with importable(), pytest.raises(BackendCrashedError, match="SIGKILL"):
        certify(exactile.load("tetrahexes-4x7"), tmp_path / "c", backend="sat")
    assert list(tmp_path.iterdir()) == []


KILLED = """
import sys
from pathlib import Path
import exactile
from exactile.reasons.certify import certify
certify(exactile.load("tetrasticks-5x5-without-h"), Path(sys.argv[1]))
"""


def test_a_run_that_is_killed_leaves_no_certificate(tmp_path: Path) -> None:
    """What it leaves is hidden and in nobody's way."""
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path / "c")])
    wait_until(lambda: list(tmp_path.glob(".c.*.part/.proof.drup.*.part")), process)
    process.kill()
    process.wait()
    assert not (tmp_path / "c").exists()
    certify(exactile.load("tetrahexes-4x7"), tmp_path / "c")
    assert verify(tmp_path / "c").raw == 18


def test_colorings(tmp_path: Path) -> None:
    verdict = exactile.prove(exactile.load("mutilated-chessboard"), certificate=tmp_path / "c")
    assert (verdict.method, verdict.coloring is not None) == ("coloring", True)
    verified = verify(tmp_path / "c")
    assert (verified.raw, verified.argument) == (0, "a coloring")
    manifest = json.loads((tmp_path / "c" / files.MANIFEST).read_text())
    manifest["coloring"]["units"][0][1] += 1
    (tmp_path / "c" / files.MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(CertificateError):
        verify(tmp_path / "c")


def test_a_puzzle_of_another_size_is_noticed(
    tube: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["verify-certificate", str(tube)]) == 0
    assert "exactly 140 solutions" in capsys.readouterr().out
    assert run(["verify-certificate", str(tube), "--puzzle", "tetrominoes-torus-5x4"]) == 1
    assert "not for tetrominoes-torus-5x4" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.parametrize("block", few(range(20), 5))
def test_of_a_thousand_random_puzzles(block: int, tmp_path: Path) -> None:
    """Proofs of the native search, and of one solver each of the others in turn."""
    for seed in range(1000 + 50 * block, 1050 + 50 * block):
        puzzle = random_puzzle(seed)
        expected = exactile.count(puzzle, backend="reference")
        solver = PROOFS[seed % len(PROOFS)]
        for backend in ("dlx", f"sat:{solver}"):
            directory = tmp_path / f"{seed}-{backend}"
            answer = certify(puzzle, directory, backend=backend)
            verified = verify(directory)
            numbers = (verified.raw, verified.rotation, verified.symmetry)
            assert numbers == (expected.raw, expected.rotation, expected.symmetry), (seed, backend)
            assert answer.raw == expected.raw


LIAR = "#!/bin/sh\necho 's UNSATISFIABLE'\nexit 20\n"


def test_a_solver_that_lies_is_found_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    liar = tmp_path / "liar.sh"
    liar.write_text(LIAR)
    liar.chmod(0o755)
    words = ["prove", "tetrominoes-5x4-tube", "--backend", f"external:{liar}"]
    assert run([*words, "--certificate", str(tmp_path / "c")]) == 1
    assert "says that tetrominoes-5x4-tube has no solution" in capsys.readouterr().err
    assert verify(tmp_path / "c").raw == 140


@pytest.mark.parametrize(
    "change",
    [
        {"units": [[2**70, 0]]},
        {"wrap": [[2**62, 0]]},
        {"lattice": "squares"},
        {"pieces": []},
    ],
)
def test_statements_that_deceive_or_overflow_are_refused(
    change: dict[str, object], tube: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "c"
    shutil.copytree(tube, copy)
    manifest = json.loads((copy / files.MANIFEST).read_text())
    manifest["puzzle"] |= change
    (copy / files.MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(CertificateError):
        verify(copy)


@pytest.mark.parametrize("name", ["pentominoes-6x10 has no solution.\n\x1b[8m", ""])
def test_names_that_deceive_are_refused(name: str, tube: Path, tmp_path: Path) -> None:
    copy = tmp_path / "c"
    shutil.copytree(tube, copy)
    manifest = json.loads((copy / files.MANIFEST).read_text())
    (copy / files.MANIFEST).write_text(json.dumps(manifest | {"name": name}))
    with pytest.raises(CertificateError, match="no plain name"):
        verify(copy)


@pytest.mark.parametrize(
    "option", ["--workers=2", "--seed=1", "--backend=sat", "--method=list", "--memory=1G"]
)
def test_options_that_would_do_nothing_are_refused(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["count", "tetrahexes-4x7", "--certificate", str(tmp_path / "c"), option]
    assert run(words) == 2
    refusal = f"--certificate and --(set )?{option[2:].partition('=')[0]} exclude each other"
    assert re.search(refusal, capsys.readouterr().err)


def test_a_certificate_that_was_canceled_says_so(tmp_path: Path) -> None:
    limits = Limits()
    limits.cancel()
    answer = certify(exactile.load("soma-square-wall"), tmp_path / "c", limits=limits)
    assert (answer.raw, answer.stopped) == (None, "cancelled")
    assert not (tmp_path / "c").exists()
