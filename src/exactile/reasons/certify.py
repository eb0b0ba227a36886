"""Makes certificates that a puzzle has no solution, or none but those listed.

Fast code makes a certificate. Before its directory appears, separate code verifies it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

import numpy as np
from msgspec import structs

from exactile import __version__
from exactile.answers import Count, Stats, Status
from exactile.atomic import drafted, naming_disk
from exactile.backends import Backend, get_backend
from exactile.backends.base import NATIVE
from exactile.backends.sat import PROOFS
from exactile.backends.sat_proof import write_refutation
from exactile.certificate import reading as files
from exactile.certificate.checker import check_proof
from exactile.certificate.formula import CHOICE, BoundedSum, Clauses, LinearFormula
from exactile.certificate.linear import LinearCertificate
from exactile.certificate.placements import Symmetries, remainder
from exactile.certificate.reading import Branch, Manifest, ProofFile, paced, variable_lines
from exactile.certificate.verify import Verified, formula_text, require_certifiable, verify
from exactile.clock import CLOCK
from exactile.doors import door
from exactile.errors import BackendNotFoundError, CertificateError, CheckFailedError
from exactile.model.decoder import Decoder
from exactile.model.model import Ints, Longs
from exactile.model.orbits import Branches
from exactile.plugins import DEFAULT_BACKEND
from exactile.puzzle.puzzle import Placement, Puzzle
from exactile.puzzle.statement import stated
from exactile.reasons.refuter import refute
from exactile.search.case import Case
from exactile.search.limits import Limits
from exactile.search.search import Search

ProofFormat = Literal["drup", "lrat", "pbp"]
"""Formats of proofs: clauses without hints, clauses with hints, cutting planes for a coloring."""

PROOF = "proof.drup"
LRAT = "proof.lrat"
CUTTING_PLANES = "proof.pbp"

_Orbit = list[tuple[tuple[int, ...], bool]]
"""For each symmetry, the image of one solution, as variables of the formula, and whether the
symmetry is proper."""

Heartbeat = Callable[[str, int], None]
"""A function that is called many times a second with a number and its meaning, such as with
``"lemmas checked", 1200``."""


def require_new(directory: Path) -> None:
    """Raise CertificateError if a directory exists already."""
    if directory.exists():
        raise CertificateError(f"{directory} exists already: name a directory that does not.")


@contextmanager
def fresh_directory(directory: Path) -> Iterator[Path]:
    """Make a temporary directory for a certificate, and yield its path.

    At the end of the ``with`` statement, the temporary directory is renamed to `directory` if it
    has a manifest. It is removed if it has none, and after an error. Raise CertificateError if
    `directory` exists already.
    """
    require_new(directory)
    with naming_disk(directory), drafted(directory, directory=True) as workshop:
        yield workshop
        if (workshop / files.MANIFEST).exists():
            workshop.rename(directory)


def certify_coloring(
    puzzle: Puzzle, coloring: LinearCertificate, directory: Path, *, planes: bool = False
) -> Verified:
    """Write and verify a certificate: a coloring that shows a puzzle to be unsolvable.

    `planes`: whether a proof by cutting planes is also written. Raise CertificateError if the
    directory exists already, the coloring is wrong, no proof by cutting planes is known for its
    kind (see `cutting_planes`), or the puzzle is too large or has pieces that must be joined.
    """
    with fresh_directory(directory) as workshop:
        manifest = Manifest(
            *(files.FORMAT, f"exactile {__version__}", puzzle.name, stated(puzzle), 0, 0, 0),
            coloring=coloring.to_json(),
            proof=ProofFile(CUTTING_PLANES, "pbp", "coloring") if planes else None,
        )
        if planes:
            formula = LinearFormula(remainder(puzzle))
            meanings = (f"{line}\n" for line in variable_lines(formula.placements))
            for name, text in (
                (files.VARIABLES, meanings),
                (files.CONSTRAINTS, formula.lines()),
                (CUTTING_PLANES, cutting_planes(formula, coloring)),
            ):
                with (workshop / name).open("w", encoding="utf-8", newline="\n") as stream:
                    stream.writelines(text)
        files.write_manifest(workshop, manifest)
        return verify(workshop)


def cutting_planes(formula: LinearFormula, coloring: LinearCertificate) -> Iterator[str]:
    r"""Yield the argument of a coloring as a proof by cutting planes, line by line.

    The format is that of VeriPB, version 2.0. Each row of the formula is multiplied by the weight
    of its unit or piece, and the rows are added up. In the sum, the coefficient of each placement
    is its weight. If the argument is an inequality, no placement weighs more than 0, but the sum
    must be greater than 0. If it is a congruence, all coefficients are multiples of the modulus.
    They stay integers after a division by the modulus, so that the upper bound of the sum can be
    rounded down and the lower bound up. Then the bounds contradict each other.

    Raise CertificateError if the coloring is a balance, whose argument is not a sum of constraints.

    >>> import exactile
    >>> from exactile.reasons.colorings import find_linear
    >>> puzzle = exactile.load("t-tetrominoes-6x6")
    >>> formula = LinearFormula(remainder(puzzle))
    >>> *_, pol, output, conclusion, end = cutting_planes(formula, find_linear(puzzle).certificate)
    >>> pol, conclusion
    ('pol 75 76 +\n', 'conclusion UNSAT : 77\n')
    """
    if coloring.kind == "balance":
        raise CertificateError(
            "The coloring found is a balance, for which no proof by cutting planes is known: "
            "choose a proof by clauses, drup or lrat."
        )
    number = 2 * len(formula.rows)
    yield f"pseudo-Boolean proof version 2.0\nf {number}\n"
    weights = [_weight(row, coloring) for row in formula.rows]
    m = coloring.modulus
    if m == 0:
        yield _pol([(2 * r + 1 + (w < 0), abs(w)) for r, w in enumerate(weights)])
    else:
        for bound in (1, 2):
            yield _pol([(2 * r + bound, w % m) for r, w in enumerate(weights)], f" {m} d")
        yield f"pol {number + 1} {number + 2} +\n"
        number += 2
    yield "output NONE\n"
    yield f"conclusion UNSAT : {number + 1}\n"
    yield "end pseudo-Boolean proof\n"


def _weight(row: BoundedSum, coloring: LinearCertificate) -> int:
    if isinstance(row.item, tuple):
        return coloring.units.get(row.item, 0)
    return coloring.omitted if row.item == CHOICE else coloring.pieces.get(row.item, 0)


def _pol(sum_of: list[tuple[int, int]], then: str = "") -> str:
    """Return a line of a proof that adds up constraints, each times a factor.

    `sum_of`: number and factor of each constraint; not all factors are 0. `then`: appended text.
    """
    first, *others = (f"{number} {factor} *" for number, factor in sum_of if factor)
    return " ".join(("pol", first, *(f"{other} +" for other in others))) + then + "\n"


@door
def certify(
    puzzle: Puzzle | Case,
    directory: Path | str,
    *,
    backend: str | Backend = DEFAULT_BACKEND,
    time_limit: float | None = None,
    use_symmetry: bool = True,
    proof_format: Literal["drup", "lrat"] = "drup",
    heartbeat: Heartbeat | None = None,
    limits: Limits | None = None,
) -> Count:
    """Find all solutions of a puzzle and write a certificate that there are no others.

    Parameters
    ----------
    puzzle
        The puzzle, or a case of it.
    directory
        Where to write; it must not exist.
    backend
        The writer of the proof: ``"dlx"``, the native search itself; or ``"sat:NAME"``, a CDCL
        solver that refutes the formula once the solutions are listed; see `Backend.refuter`.
    time_limit
        Time limit in seconds, including the verification.
    use_symmetry
        Whether only one branch of each orbit is searched; the claim is the same.
    proof_format
        ``"drup"``, or ``"lrat"`` for a proof with hints, which is larger but can be checked without
        searching.
    heartbeat
        See `Heartbeat`.
    limits
        Limits shared with earlier steps, in place of the time limit.

    Returns
    -------
    Count
        The counts that the certificate proves. At a limit they are None, and nothing is written.

    Raises
    ------
    CertificateError
        If the directory exists already, or the puzzle has pieces that must be joined or is too
        large for a certificate.
    CheckFailedError
        If the certificate does not hold, or two searches contradict each other, which is a bug.
    BackendError
        If there is no such backend, it writes no proofs, or it fails.
    ModelError
        If the model would be too large.
    PuzzleError
        If the time limit is not positive, or is given together with `limits`.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> import exactile
    >>> with TemporaryDirectory() as folder:
    ...     answer = certify(exactile.load("soma-square-wall"), Path(folder, "certificate"))
    >>> answer.raw, answer.symmetry
    (0, 0)
    """
    directory = Path(directory)
    limits = Limits.chosen(limits, time_limit).rest()
    case = Case.of(puzzle)
    require_certifiable(case.puzzle)
    writer = _writer(get_backend(backend) if isinstance(backend, str) else backend)
    solver = None if writer == NATIVE else writer
    with fresh_directory(directory) as workshop:
        work = _Work(case, workshop, solver, use_symmetry, heartbeat, limits, proof_format)
        claim = None
        try:
            if work.run():
                claim = work.finish()
        except TimeoutError:
            (workshop / files.MANIFEST).unlink(missing_ok=True)
        answer = work.count(claim)
    return answer if answer.raw is None else structs.replace(answer, certificate=str(directory))


def _writer(backend: Backend) -> str:
    writer = backend.refuter
    if writer is None:
        raise BackendNotFoundError(
            f"The backend '{backend.name}' writes no proofs that can be checked. Use dlx, or sat "
            f"with one of: {', '.join(PROOFS)}."
        )
    return writer


@dataclass
class _Work:
    """The state of making a certificate, from the search to the verification."""

    case: Case
    directory: Path
    solver: str | None
    use_symmetry: bool
    heartbeat: Heartbeat | None
    limits: Limits
    proof_format: Literal["drup", "lrat"]

    def __post_init__(self) -> None:
        self._started = self._built = CLOCK.now()
        self.puzzle = self.case.puzzle
        self.found: list[tuple[int, ...]] = []
        self._orbits: list[_Orbit] = []
        self._counters: dict[str, int] = {}

    @cached_property
    def formula(self) -> Clauses:
        return Clauses(self.puzzle, self.limits.require)

    @cached_property
    def variable(self) -> Ints:
        """The variable of the formula for each option of the model.

        Raise CheckFailedError if the formula does not have a placement of the model.
        """
        number = {placement: v for v, placement in enumerate(self.formula.placements, 1)}
        model, decoder = self.case.model, Decoder(self.puzzle, self.case.model)
        left_out = [Placement(piece.name, ()) for piece in self.puzzle.pieces]
        options = paced(range(model.options), self.limits.require)
        points = [tuple(p) for p in self.puzzle.region.units.tolist()]

        def meaning(option: int) -> Placement:
            if model.piece_of[option] < 0:  # a unit stays open
                return Placement("", (points[model.units_of(option)[0]],))
            return decoder.placement(option) or left_out[int(model.piece_of[option])]

        meant = map(meaning, options)
        try:
            return np.array([number[placement] for placement in meant], dtype=np.int32)
        except KeyError as error:
            raise CheckFailedError(
                f"The model of {self.puzzle.name} has a placement that the puzzle does not have: "
                f"{error}. This is a bug: please report it."
            ) from None

    @property
    def branches(self) -> Branches | None:
        """The branches that are searched: one of each orbit. None if all are searched."""
        return self.case.branches if self.use_symmetry else None

    def count(self, claim: Verified | None) -> Count:
        """Return a verified claim as an answer; `claim` is None if a limit was reached."""
        stats = Stats.of(
            {
                **self.case.sizes,
                **self._counters,
                "lemmas": 0 if claim is None else claim.lemmas,
                "build_seconds": round(self._built - self._started, 6),
                "seconds": round(CLOCK.now() - self._built, 6),
            }
        )
        status = Status.UNKNOWN
        if claim is not None:
            status = Status.COMPLETE if claim.raw else Status.UNSOLVABLE
        return Count(
            puzzle=self.puzzle.name,
            backend="certificate",
            status=status,
            raw=None if claim is None else claim.raw,
            rotation=None if claim is None else claim.rotation,
            symmetry=None if claim is None else claim.symmetry,
            found=len(self.found) if claim is None else claim.raw,
            stopped=self.limits.reached() if claim is None else None,
            reason=None,
            crossing=self.puzzle.crossing,
            stats=stats,
            done=None if claim is None else 1.0,
        )

    @property
    def excluded(self) -> Longs:
        """The options with which the unsearched branches begin."""
        if self.branches is None:
            return np.empty(0, dtype=np.int64)
        return np.setdiff1d(self.case.model.options_with(self.branches.item), self.branches.options)

    def run(self) -> bool:
        """Find the solutions and write formula and proof.

        Return False, or raise TimeoutError, if a limit is reached first. Raise CheckFailedError if
        the solver finds further solutions.
        """
        self.case.prepare(self.limits, "symmetries", "action", "branches")
        self.limits.require()
        _ = self.formula.size, self.variable
        self._built = CLOCK.now()
        done = self._search() if self.solver is None else self._list()
        if done:
            self._orbits = self._found_orbits()
            text = formula_text(
                self.formula, self._manifest, Symmetries(self.puzzle), set(self._images())
            )
            self._write(files.FORMULA, text)
        if done and self.solver is not None:
            self._tell("lemmas learned", 0)
            refuted = write_refutation(
                self.directory / files.FORMULA,
                self.directory / PROOF,
                self.solver,
                self.limits.reached,
            )
            if refuted is False:
                raise CheckFailedError(
                    f"{self.solver} found a solution of {self.puzzle.name} that the search before "
                    "it did not. This is a bug: please report it."
                )
            done = bool(refuted)
        if done and self.proof_format == "lrat":
            self._add_hints()
        return done

    def _add_hints(self) -> None:
        """Replace the proof by one with hints, which is written while the proof is checked.

        The new proof is verified later, so this check need not be trusted. Raise TimeoutError if a
        limit is reached first.
        """
        drup = self.directory / PROOF
        check_proof(
            self.directory / files.FORMULA,
            drup,
            lrat=self.directory / LRAT,
            heartbeat=lambda n: self._tell("lemmas given hints", n),
        )
        drup.unlink()

    def _search(self) -> bool:
        result = refute(
            self.case.model,
            self.directory / PROOF,
            variables=self.variable,
            excluded=self.excluded.astype(np.int32),
            limits=self.limits,
            heartbeat=lambda nodes: self._tell("nodes searched", nodes),
        )
        self.found = result.solutions
        self._counters = {"nodes": result.nodes}
        return result.finished

    def _list(self) -> bool:
        """List all solutions by the SAT solver; return whether it found all in time.

        The proof that there are no others is written afterwards.
        """
        with Search(self.case, backend=f"sat:{self.solver}", limits=self.limits) as search:
            for rows in search.batches():
                self.found += [tuple(o for o in row if o >= 0) for row in rows.tolist()]
                self._tell("solutions found", search.found)
        self._counters = dict(search.counters)
        return search.status in (Status.COMPLETE, Status.UNSOLVABLE)

    def _tell(self, what: str, number: int) -> None:
        self.limits.require()
        if self.heartbeat is not None:
            self.heartbeat(what, number)

    def finish(self) -> Verified:
        """Write the remaining files of the certificate, and verify it.

        Raise TimeoutError if a limit is reached first, CheckFailedError if the certificate does
        not hold.
        """
        lines = variable_lines(self.formula.placements)
        self._write(files.VARIABLES, (f"{line}\n" for line in lines))
        listed = [orbit[0][0] for orbit in self._orbits]  # the identity comes first
        self._write(files.SOLUTIONS, (" ".join(map(str, row)) + "\n" for row in listed))
        files.write_manifest(self.directory, self._manifest)
        try:
            return verify(self.directory, lambda n: self._tell("lemmas checked", n))
        except CertificateError as error:
            raise CheckFailedError(
                f"The certificate of {self.puzzle.name} does not hold: {error} This is a bug: "
                "please report it."
            ) from error

    @cached_property
    def _manifest(self) -> Manifest:
        """The manifest of the certificate; to be used once all solutions are found."""
        orbits = self._orbits
        return Manifest(
            files.FORMAT,
            f"exactile {__version__}",
            self.puzzle.name,
            stated(self.puzzle),
            raw=len(self._images()),
            rotation=sum(_classes(orbit) for orbit in orbits),
            symmetry=len(orbits),
            symmetries=tuple(Symmetries(self.puzzle).motions),
            branch=self._branch(),
            proof=ProofFile(
                f"proof.{self.proof_format}", self.proof_format, self.solver or "native search"
            ),
        )

    def _write(self, name: str, parts: Iterator[str]) -> None:
        with (self.directory / name).open("w", encoding="utf-8", newline="\n") as stream:
            stream.writelines(paced(parts, self.limits.require))

    def _images(self) -> list[tuple[int, ...]]:
        """Return all solutions, images included, each as a sorted tuple of variables."""
        return sorted({image for orbit in self._orbits for image, _ in orbit})

    def _found_orbits(self) -> list[_Orbit]:
        model = self.case.model
        everything = np.arange(model.options)
        action = self.case.action
        symmetries = paced(range(action.order), self.limits.require, 1)
        moves = [action.images(g, everything) for g in symmetries]
        seen: set[tuple[int, ...]] = set()
        orbits = []
        for solution in paced(self.found, self.limits.require):
            options = np.array(solution, dtype=np.int64)
            options = options[model.places[options]]
            orbit = [
                (tuple(np.sort(self.variable[move[options]]).tolist()), bool(proper))
                for move, proper in zip(moves, action.proper, strict=True)
            ]
            if orbit[0][0] not in seen:
                seen.update(image for image, _ in orbit)
                orbits.append(orbit)
        return orbits

    def _branch(self) -> Branch | None:
        """Return the restriction to the branches that are searched; None if all are searched."""
        if self.branches is None:
            return None
        item = self.branches.item
        if self.case.model.meaning.is_piece[item]:
            name = self.puzzle.pieces[item].name
            return Branch(self._kept(lambda p: p.piece == name), piece=name)
        unit = tuple(self.puzzle.region.units[item - self.case.model.meaning.item_of(0)].tolist())
        return Branch(self._kept(lambda p: unit in p.units), unit=unit)

    def _kept(self, here: Callable[[Placement], bool]) -> tuple[int, ...]:
        """Return the variables of the placements with which the searched branches begin.

        `here`: whether a placement covers the unit, or is of the piece, at which the search
        branches. Placements that are not in the model, because a rule forbids them, are included.
        """
        assert self.branches is not None
        known = set(self.variable.tolist())
        kept = set(self.variable[self.branches.options].tolist())
        kept |= {v for v, p in enumerate(self.formula.placements, 1) if here(p) and v not in known}
        return tuple(sorted(kept))


def _classes(orbit: _Orbit) -> int:
    """Return the number of classes of an orbit under the proper symmetries: one or two."""
    return 1 if {i for i, proper in orbit if proper} == {i for i, _ in orbit} else 2
