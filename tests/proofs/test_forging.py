"""Certificates with one field changed: each is refused, or what it claims then is true."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

import exactile
from exactile.certificate import reading as files
from exactile.certificate.reading import Manifest
from exactile.cli.main import run
from exactile.files.puzzles.writer import write_puzzles
from exactile.puzzle import Puzzle
from exactile.puzzle.statement import Statement, puzzle_of
from exactile.reasons.certify import certify, certify_coloring
from support.few import few
from support.small import mutilated, stick_puzzle

CROSSING = "polytrigs-23-three-congruent-x4"
"""A puzzle of the catalogue with the crossing rule."""

MAKERS: dict[str, Callable[[], Puzzle]] = {
    "sticks": lambda: stick_puzzle("I1", "U3"),  # none could cross
    "coloring": lambda: mutilated(4),
    "dominoids-two-cubes": lambda: exactile.load("dominoids-two-cubes"),
}

ABSENT: dict[str, list[Any]] = {
    "optional": [[[0, 0]], [[5, 5, 5]], 3],
    "wrap": [[[5, 0]], [[3, 0], [0, 3]], [[0, 0]], [[1, 2, 3]]],
    "fixed": [[["I2", [[0, 0], [1, 0]]]], [["", []]], [[]]],
    "may_be_omitted": [["I2"], [""], ["nothing"]],
    "omitted": [1, -1, 2**70],
    "crossing": [True, False, 1, None],
    "rules": [[{"kind": "separated", "pieces": ["I2"]}], [{"kind": "", "pieces": []}]],
    "paint": [[[[0, 0], "red"]], [[[0, 0], ""]]],
    "fits": [[["red", ["blue"]]], [["", []]]],
    "branch": [{"kept": []}, {"kept": [1], "piece": "I2"}, {"kept": [1], "unit": [0, 0]}],
    "coloring": [{}, {"kind": "balance"}],
    "proof": [{"file": "proof.drup", "kind": "drup", "by": ""}, None],
    "symmetries": [[], [[]]],
    "more": [0],
}
"""What stands in fields that a certificate does without; no certificate has the last one."""


def forged(value: Any) -> Iterator[Any]:
    """Yield values like a value of JSON, with something changed anywhere in it."""
    yield from (None, [], {}, "", -1) if value is not None else ()
    match value:
        case bool():
            yield not value
        case int():
            yield from (value + 1, value - 1, -value, 2**63, 0.5, str(value))
        case str():
            yield from (f"{value}x", value.upper(), "free", "one-sided", "fixed", "\ud800", 7)
        case list():
            yield from (value[1:], value[:-1], value[::-1], value + value[:1], [value])
            for k in {0, len(value) - 1} if value else ():
                yield from ([*value[:k], one, *value[k + 1 :]] for one in forged(value[k]))
        case dict():
            yield from ({k: v for k, v in value.items() if k != key} for key in value)
            for key in value:
                yield from (value | {key: one} for one in forged(value[key]))


def forgeries(manifest: dict[str, Any], field: str) -> Iterator[dict[str, Any]]:
    """Yield manifests in which a field is changed, of the statement or beside it."""
    stated = manifest["puzzle"]
    within = field in Statement.__struct_fields__ or field == "more"
    old = (stated if within else manifest).get(field)
    for new in [*ABSENT.get(field, []), *(() if old is None else forged(old))]:
        yield manifest | ({"puzzle": stated | {field: new}} if within else {field: new})


@cache
def numbers(puzzle: Puzzle) -> tuple[int | None, ...]:
    """Return the numbers of solutions as the oracle finds them."""
    answer = exactile.count(puzzle, backend="reference", method="list", use_reasons=False)
    return answer.raw, answer.rotation, answer.symmetry


def require_true(answer: dict[str, Any], manifest: dict[str, Any], *words: str) -> None:
    """Assert that what was verified holds of the puzzle that it names, and that it is this one."""
    puzzle = puzzle_of(msgspec.convert(manifest["puzzle"], Statement), "forged")
    assert answer["digest"] == puzzle.digest
    assert answer["crossing"] is (puzzle.crossing or puzzle.lattice.crossing is None)
    if answer["puzzle"] is not None:
        named = exactile.load(words[1] if words else answer["puzzle"])
        assert named.digest == answer["digest"]
    assert (answer["raw"], answer["rotation"], answer["symmetry"]) == numbers(puzzle)


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Path]]:
    """Return certificates of some puzzles, and files of these puzzles."""
    made = {}
    for name, maker in MAKERS.items():
        folder, puzzle = tmp_path_factory.mktemp(name), replace(maker(), name=name)
        if name == "coloring":
            coloring = exactile.find_coloring(puzzle).certificate
            assert coloring is not None
            certify_coloring(puzzle, coloring, folder / "c")
        else:
            certify(puzzle, folder / "c")
        write_puzzles(folder / "p.toml", [puzzle])
        made[name] = folder / "c", folder / "p.toml"
    return made


def told(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any] | None:
    """Return what is claimed, None if the certificate is refused, in one line."""
    code = run(["verify-certificate", *words, "--json"])
    out, err = capsys.readouterr()
    if code == 0:
        answer: dict[str, Any] = json.loads(out)
        return answer
    assert (code, out) == (1, "")
    assert err.startswith("Error: ")
    return None


MOST = 20
"""So many changes of a field are tried."""

FIELDS = dict.fromkeys([*Manifest.__struct_fields__, *Statement.__struct_fields__, "more"])


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("name", few(MAKERS, 3))
def test_a_changed_field_is_refused_or_claims_what_is_true(
    name: str,
    field: str,
    certificates: dict[str, tuple[Path, Path]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    certificate, file = certificates[name]
    copy = Path(shutil.copytree(certificate, tmp_path / "c"))
    path = copy / files.MANIFEST
    claimed = 0
    made = json.loads(path.read_text())
    every = list(forgeries(made, field))
    for manifest in [made, *every[:: len(every) // MOST + 1]]:
        path.write_text(json.dumps(manifest))
        for words in ([], ["--puzzle", str(file)]):
            if (answer := told(capsys, str(copy), *words)) is not None:
                require_true(answer, manifest, *words)
                claimed += 1
    assert claimed > 0  # the certificate as it was is among them


@pytest.mark.parametrize("way", [[], ["--puzzle", CROSSING]])
def test_a_puzzle_is_named_only_with_its_own_crossing_rule(
    way: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    without = str(tmp_path / "without")
    run(["prove", CROSSING, "--set", "allow_crossing=yes", "--certificate", without, "-q"])
    capsys.readouterr()
    assert run(["verify-certificate", without, *way]) == 1
    assert "pieces may cross: say --set allow_crossing=yes" in capsys.readouterr().err
    assert told(capsys, without, *way) is None
    assert run(["verify-certificate", without, *way, "--set", "allow_crossing=yes"]) == 0
    assert f"{CROSSING}, where pieces may cross, has no solution" in capsys.readouterr().out
    answer = told(capsys, without, *way, "--set", "allow_crossing=yes")
    assert answer is not None
    assert (answer["puzzle"], answer["crossing"]) == (CROSSING, False)
    assert answer["digest"] != exactile.load(CROSSING).digest


def test_a_puzzle_with_its_crossing_rule_is_not_the_one_without(
    certificates: dict[str, tuple[Path, Path]], capsys: pytest.CaptureFixture[str]
) -> None:
    certificate, file = map(str, certificates["sticks"])
    answer = told(capsys, certificate, "--puzzle", file)
    assert answer is not None
    assert (answer["puzzle"], answer["crossing"], answer["raw"]) == ("sticks", True, 4)
    assert (
        run(["verify-certificate", certificate, "--puzzle", file, "--set", "allow_crossing=yes"])
        == 1
    )
    assert "pieces must not cross: leave out --set allow_crossing=yes" in capsys.readouterr().err
