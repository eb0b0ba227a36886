"""What `refute` promises beside its proofs: limits, files, errors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import exactile
from exactile import _native
from exactile.errors import BackendError, ModelError
from exactile.model import Model
from exactile.reasons.refuter import refute
from exactile.search.limits import Limits

ONE_TO_THREE = np.array([1, 2, 3], dtype=np.int32)


def triangle() -> Model:
    return Model.of_options([[0, 1], [1, 2], [2, 0]], lower=[1] * 3, upper=[1] * 3)


def test_a_limit_leaves_no_file(tmp_path: Path) -> None:
    model = exactile.lower(exactile.load("pentominoes-6x10"))
    numbers = np.arange(1, model.options + 1, dtype=np.int32)
    proof = tmp_path / "proof"
    for limit in (
        {"limits": Limits(0.01)},
        {"limits": Limits().within(0)},
        {"limit_bytes": 10_000},
    ):
        refutation = refute(model, proof, variables=numbers, **limit)
        assert not refutation.finished
        assert list(tmp_path.iterdir()) == []
    assert refutation.bytes > 10_000
    assert refutation.nodes > refutation.lemmas > 0


def test_the_file_appears_when_it_is_complete(tmp_path: Path) -> None:
    proof = tmp_path / "proof"
    proof.write_text("old")

    def stop(nodes: int) -> None:
        assert proof.read_text() == "old"
        assert nodes == 3
        raise KeyError

    with pytest.raises(KeyError):
        refute(triangle(), proof, variables=ONE_TO_THREE, heartbeat=stop)
    assert [(p, p.read_text()) for p in tmp_path.iterdir()] == [(proof, "old")]
    assert refute(triangle(), proof, variables=ONE_TO_THREE).finished
    assert [(p, p.read_text()) for p in tmp_path.iterdir()] == [(proof, "-1 0\n0\n")]


def test_options_given(tmp_path: Path) -> None:
    model = Model.of_options([[0], [0], [1], [1]], lower=[1, 1], upper=[1, 1])
    numbers = np.arange(1, 5, dtype=np.int32)
    proof = tmp_path / "proof"
    assert refute(model, proof, variables=numbers).solutions == [(0, 2), (0, 3), (1, 2), (1, 3)]
    given = refute(model, proof, variables=numbers, chosen=[0], excluded=[2, 2])
    assert given.solutions == [(0, 3)]
    assert proof.read_text() == "0\n"
    assert refute(model, proof, variables=numbers, chosen=[0, 1]).solutions == []
    assert refute(model, proof, variables=numbers, excluded=[0, 1]).solutions == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"variables": [1, 2]}, "there must be a variable for each option"),
        ({"variables": [1, 2, 0]}, "variables are numbers from 1 on"),
        ({"excluded": [3]}, "there is no option 3"),
        ({"chosen": [-1]}, "there is no option -1"),
        ({"chosen": [1], "excluded": [1]}, "option 1 is both chosen and excluded"),
    ],
)
def test_errors(tmp_path: Path, arguments: dict[str, list[int]], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        refute(triangle(), tmp_path / "proof", **({"variables": ONE_TO_THREE} | arguments))  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_colors_are_refused(tmp_path: Path) -> None:
    model = Model.of_options([[0, 1]], lower=[1, 0], upper=[1, 1], colors=[{1: 2}])
    with pytest.raises(ModelError, match="items with colors cannot be refuted"):
        refute(model, tmp_path / "proof", variables=ONE_TO_THREE[:1])


def test_files_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="none"):
        refute(triangle(), tmp_path / "none" / "proof", variables=ONE_TO_THREE)
    (tmp_path / "folder").mkdir()
    with pytest.raises(IsADirectoryError):
        refute(triangle(), tmp_path / "folder", variables=ONE_TO_THREE)
    assert [p.name for p in tmp_path.iterdir()] == ["folder"]


def test_no_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(_native.Refuter, "run", fail)
    with pytest.raises(BackendError, match="not enough memory"):
        refute(triangle(), tmp_path / "proof", variables=ONE_TO_THREE)
    assert list(tmp_path.iterdir()) == []
