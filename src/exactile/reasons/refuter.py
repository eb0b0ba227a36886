"""Finds all solutions of a model by the native search, and proves that there are no others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from exactile import _native
from exactile.atomic import drafted
from exactile.errors import BackendError, ModelError
from exactile.model.model import Ints, Model
from exactile.search.handle import drive
from exactile.search.limits import Limits

PROOF_SLICE = 0.05
"""Seconds between two checks for Ctrl-C."""


BYTES_AT_ONCE = 1 << 22
"""Number of bytes of the proof that are collected before they are written to the file."""


class Refutation(NamedTuple):
    """The result of a search that writes a proof.

    `finished`: whether everything was searched; otherwise there is no file. `solutions`: the
    options of each solution, in increasing order. `bytes`: the size of the proof.
    """

    finished: bool
    solutions: list[tuple[int, ...]]
    nodes: int
    lemmas: int
    bytes: int


def refute(
    model: Model,
    proof: Path,
    *,
    variables: Ints,
    excluded: Sequence[int] | Ints = (),
    chosen: Sequence[int] | Ints = (),
    limits: Limits | None = None,
    limit_bytes: int | None = None,
    heartbeat: Callable[[int], None] | None = None,
) -> Refutation:
    r"""Find all solutions and write a DRUP proof that there are no others.

    The proof derives the empty clause from a formula that the caller writes. The file `proof`
    appears when the proof is complete. The formula must have:

    - a variable for each option, given by `variables`;
    - clauses by which unit propagation derives all that the bounds of a single item imply. For an
      item with the bounds 1..1: its options are not all excluded, and no two are chosen;
    - a unit clause for each `excluded` and each `chosen` option;
    - a clause for each solution: one of its options is not chosen or, in a model that is not
      `Model.pinned`, an option outside of the solution is chosen.

    The search stops if one of `limits` is reached, or if the proof is longer than `limit_bytes`
    (None: no limit). `heartbeat` is called about every 0.05 s with the number of nodes so far; an
    exception that it raises stops the search. Raise ModelError if the model has colors, or the
    options or variables are invalid; BackendError if there is not enough memory; OSError if the
    file cannot be written.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> model = Model.of_options([[0, 1], [1, 2], [2, 0]], lower=[1] * 3, upper=[1] * 3)
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder, "proof.drup")
    ...     refutation = refute(model, file, variables=np.array([1, 2, 3]))
    ...     file.read_text()
    '-1 0\n0\n'
    >>> refutation
    Refutation(finished=True, solutions=[], nodes=3, lemmas=2, bytes=7)
    """
    try:
        search = _native.Refuter(
            *(model.lower, model.upper, model.first, model.members, model.colors),
            *(np.asarray(given, dtype=np.int32) for given in (variables, excluded, chosen)),
        )
    except ValueError as error:
        raise ModelError(f"The search for a proof cannot take this: {error}.") from None
    most = float("inf") if limit_bytes is None else limit_bytes
    solutions: list[tuple[int, ...]] = []
    size = 0
    with drafted(proof) as draft:
        with draft.open("wb") as file:

            def work(seconds: float) -> bool:
                nonlocal size
                if not search.finished:
                    _run(search, seconds)
                size += file.write(search.take_text())
                rows = search.take_solutions().tolist()
                solutions.extend(tuple(o for o in row if o >= 0) for row in rows)
                if heartbeat is not None:
                    heartbeat(search.nodes)
                return search.finished or size > most

            drive(work, limits, lambda: PROOF_SLICE)
        if search.finished:
            draft.replace(proof)
    return Refutation(search.finished, solutions, search.nodes, search.lemmas, size)


def _run(search: _native.Refuter, seconds: float) -> None:
    try:
        search.run(seconds, BYTES_AT_ONCE)
    except MemoryError:
        raise BackendError("There is not enough memory for the search for a proof.") from None
