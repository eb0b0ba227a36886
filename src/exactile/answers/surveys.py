"""The answers of surveys: tilings, comparisons of backends, and the instances for comparisons."""

from __future__ import annotations

from typing import Any

from msgspec import field

from exactile.answers.base import Answer, Coordinates, Placements, Stats, Status


class Prototile(Answer, frozen=True, kw_only=True):
    """A prototile: its name and its units."""

    name: str
    units: tuple[Coordinates, ...]


class PeriodicTiling(Answer, frozen=True, kw_only=True):
    """A tiling that repeats.

    Attributes
    ----------
    vectors
        The translations by which the tiling repeats: a vector (a, b) moves the unit (x, y) to
        (x + a, y + b). In vector i, coordinate i is positive, and later coordinates are 0.
    copies
        One copy of each class of tiles that are equal up to these translations.
    orbits
        Number of orbits of tiles under those symmetries of the tiling that the freedom of the tiles
        permits; 1 if the tiling is isohedral.
    classes
        For each copy, the number of its orbit, from 0.
    """

    vectors: tuple[Coordinates, ...]
    copies: Placements
    orbits: int
    classes: tuple[int, ...] = ()


class TilingPatch(Answer, frozen=True, kw_only=True):
    """A patch: a tile, the first of `tiles`, with complete coronas (rings of tiles) around it.

    Attributes
    ----------
    coronas
        Number of coronas.
    tiles
        The tiles of the patch.
    levels
        For each tile, the number of its corona, from 1; 0 for the first tile.
    """

    coronas: int
    tiles: Placements
    levels: tuple[int, ...]


class HeeschNumbers(Answer, frozen=True, kw_only=True):
    """The Heesch numbers of a prototile that does not tile: its largest numbers of coronas.

    Attributes
    ----------
    solid
        Largest number of coronas (rings of tiles) without holes, usually written Hc; None if only a
        bound is known.
    holed
        Largest number of coronas if the last one may have holes, usually written Hh; None if only a
        bound is known.
    solid_at_least, holed_at_least
        Lower bounds on `solid` and `holed`: the numbers of coronas found.
    solid_patch, holed_patch
        Patches with `solid_at_least` and `holed_at_least` coronas.
    """

    solid: int | None
    holed: int | None
    solid_at_least: int
    holed_at_least: int
    solid_patch: TilingPatch | None = None
    holed_patch: TilingPatch | None = None


class UncoverableUnits(Answer, frozen=True, kw_only=True):
    """Units that disjoint copies of the prototiles cannot all cover, whatever else they cover.

    Attributes
    ----------
    distance
        The units within this distance of `tiles` (or, without tiles, of one unit) cannot all be
        covered; within a smaller distance, they can. Units that share a corner have distance 1.
    tiles
        The tile that is already placed; none if there are several prototiles, or if the only one
        can lie on the lattice in several ways.
    units
        Units within `distance` that cannot all be covered, as few as were found in time.
    minimal
        Whether leaving out any one of `units` makes it possible to cover the others; False also if
        this is not known.
    attempt
        Copies that cover all but a few of `units`.
    missed
        The units that the attempt does not cover.
    """

    distance: int
    tiles: Placements
    units: tuple[Coordinates, ...]
    minimal: bool
    attempt: Placements
    missed: tuple[Coordinates, ...]


class TilingAnswer(Answer, frozen=True, kw_only=True):
    """Whether copies of some prototiles tile the plane or space.

    Attributes
    ----------
    lattice, freedom, crossing
        The lattice, how prototiles may be turned, and whether they must not cross at vertices.
    prototiles
        The prototiles.
    each
        Whether each prototile must be used.
    verdict
        ``"tiles"``, ``"does not tile"`` or ``"open"``.
    method
        The method that decided: ``"translation"``, ``"half-turn"``, ``"isohedral"``, ``"period"``,
        ``"refutation"`` or ``"balance"``; None if the verdict is ``"open"``.
    tiling
        A periodic tiling; None if none was found.
    isohedral
        Whether there is a tiling whose symmetries, of those that the freedom permits, map any tile
        to any other; None if that is not known.
    least_copies
        The least number of copies in a period; None if that is not known.
    copies_at_least
        A lower bound on the number of copies in a period.
    periods_excluded
        Number of sublattices that a search has shown not to be the period of a tiling: all with
        fewer copies than `copies_at_least`, and perhaps others.
    coronas
        Number of complete coronas of the largest patch found, if the verdict is ``"open"``.
    patch
        The largest patch found, if the verdict is ``"open"``.
    heesch
        The Heesch numbers, if requested.
    refutation_steps
        Number of steps of the refutations that were verified.
    uncoverable
        Units that cannot all be covered, if requested, found in time, and `method` is
        ``"refutation"``.
    proofs
        Files with formulas and proofs for other checkers, if any were written.
    certificate
        The directory of the certificate, if one was written.
    stopped
        Why the search ended early, such as ``"time limit"``; None if it did not.
    stats
        Nodes of the searches.
    """

    lattice: str
    freedom: str
    crossing: bool
    prototiles: tuple[Prototile, ...]
    each: bool
    verdict: str
    method: str | None = None
    tiling: PeriodicTiling | None = None
    isohedral: bool | None = None
    least_copies: int | None = None
    copies_at_least: int = 1
    periods_excluded: int = 0
    coronas: int = 0
    patch: TilingPatch | None = None
    heesch: HeeschNumbers | None = None
    refutation_steps: int = 0
    uncoverable: UncoverableUnits | None = None
    proofs: tuple[str, ...] = ()
    certificate: str | None = None
    stopped: str | None = None
    stats: Stats = Stats()


class VerifiedTilingClaim(Answer, frozen=True, kw_only=True):
    """The claim of a verified certificate about tilings.

    Attributes
    ----------
    verified
        Always True: a certificate that does not hold is an error.
    lattice, crossing
        The lattice, and whether prototiles must not cross at vertices.
    prototiles, motions, each
        The prototiles, the number of motions (turns and reflections) by which copies may be placed,
        and whether each prototile must be used.
    verdict
        ``"tiles"``, ``"does not tile"``, or None if the certificate proves neither.
    copies
        Number of copies in one period of the tiling in the certificate, if there is one.
    coronas
        Number of complete coronas of the patch in the certificate, if there is one.
    solid, holed
        The Heesch numbers that the certificate proves, without holes and with holes in the last
        corona.
    argument
        The kind of proof, in words.
    """

    verified: bool
    lattice: str
    crossing: bool
    prototiles: tuple[Prototile, ...]
    motions: int
    each: bool
    verdict: str | None
    copies: int | None = None
    coronas: int | None = None
    solid: int | None = None
    holed: int | None = None
    argument: str = ""


class CensusEntry(Answer, frozen=True, kw_only=True):
    """The results for one polyform of an order.

    Attributes
    ----------
    rank
        The number of the polyform, from 1, in the list that `exactile pieces` prints.
    units
        The units of the polyform.
    holes
        Whether the polyform encloses other units; then it has no Heesch numbers here.
    verdict, method
        ``"tiles"``, ``"does not tile"`` or ``"open"``, and the method that decided; the method is
        empty if the verdict is ``"open"``.
    half_turn
        Whether the polyform tiles by half turns; None in space, or if that was not decided.
    isohedral
        Whether the polyform tiles isohedrally; None if that was not decided.
    orbits
        Number of orbits of tiles in the tiling that was found; 0 without a tiling.
    copies, exact
        The least number of copies in a period, or a lower bound; whether it is exact. 0 copies if
        the polyform does not tile.
    solid, solid_exact, holed, holed_exact
        The Heesch number without holes, and whether it is exact or only a lower bound; the same
        for the Heesch number with holes in the last corona.
    coronas
        Number of complete coronas of the largest patch, if the verdict is ``"open"``.
    """

    rank: int
    units: tuple[Coordinates, ...]
    holes: bool
    verdict: str
    method: str
    half_turn: bool | None = None
    isohedral: bool | None = None
    orbits: int = 0
    copies: int = 0
    exact: bool = False
    solid: int | None = None
    solid_exact: bool = False
    holed: int | None = None
    holed_exact: bool = False
    coronas: int = 0


class TilingCensus(Answer, frozen=True, kw_only=True):
    """Which polyforms of an order tile.

    Attributes
    ----------
    lattice, order, freedom, crossing
        The lattice, order and freedom of the polyforms, and whether they must not cross at
        vertices.
    forms, done, holes
        Number of polyforms, of those examined so far, and of those that enclose units.
    tiles, translation, half_turn, both, isohedral, anisohedral
        Number of polyforms that tile at all, by translation, by half turns, by both, isohedrally,
        and only in other ways. Half turns are tried only in the plane.
    least_copies
        Number of polyforms that tile, by the least number of copies in a period. A plus after a
        number means that it is only a lower bound.
    does_not_tile, holed_non_tilers
        Number of polyforms that do not tile, and number of these that enclose units.
    solid, holed
        Number of polyforms that do not tile and enclose no units, by Heesch number: without holes,
        and with holes in the last corona. A plus after a number means that it is a lower bound.
    open
        Number of polyforms that were examined, but not decided.
    entries
        The results for each polyform, if requested.
    stopped
        Why the search ended early, such as ``"time limit"``; None if it did not.
    stats
        Nodes of the searches.
    """

    lattice: str
    order: int
    freedom: str
    crossing: bool
    forms: int
    done: int
    holes: int
    tiles: int
    translation: int
    half_turn: int
    both: int
    isohedral: int
    anisohedral: int
    least_copies: dict[str, int]
    does_not_tile: int
    holed_non_tilers: int
    solid: dict[str, int]
    holed: dict[str, int]
    open: int
    entries: tuple[CensusEntry, ...] = ()
    stopped: str | None = None
    stats: Stats = Stats()


class ComparedRun(Answer, frozen=True, kw_only=True):
    """A run of one backend on one puzzle or model file.

    Attributes
    ----------
    puzzle, family
        The puzzle or model file, and its family, such as the polyforms of its lattice.
    backend, version
        The backend with its settings, and the version of its solver.
    repeat
        Number of the run among those with the same settings, from 1.
    end
        ``"finished"``, ``"time limit"``, ``"out of memory"``, ``"crash"``, ``"missing"`` (the
        backend is not installed), ``"gave up"`` or ``"wrong"`` (the answer is wrong, the solutions
        of another run refute it, or its proof is refused).
    answer
        ``"solvable"``, ``"complete"``, ``"unsolvable"`` or ``"unknown"``: see `Status`.
    settled_by
        The backend that answered, such as the one that ``auto`` chose. For a count without a list
        of solutions, the method.
    found, distinct
        Number of solutions returned, and number of distinct ones.
    number
        The number of all solutions, if it is known.
    value, bound
        For the task ``"pack"``: number of units that the best packing covers, and an upper bound.
        For ``"tile"``: radius of the largest disc that is covered, and an upper bound.
    digest, model
        SHA-256 of the sorted keys of all solutions, or None if not all were found; digest of the
        model.
    seconds, build_seconds, cpu_seconds
        Time of the search, including preparations of the backend, such as writing clauses or
        starting a process; time of building the model; processor time in total.
    megabytes
        Largest memory of a process of the run, in megabytes.
    proof
        ``"checked"`` if a proof that there is no solution was made and verified, ``"refused"`` if
        it was wrong, ``"time limit"``, ``"none"`` if none was made, or empty if none was requested.
    proof_bytes, proof_seconds
        Size of the proof, and seconds of making and verifying it.
    task, time_limit, memory_limit, seed, threads, use_symmetry
        The settings; limits are in seconds and megabytes. The seed is None if the solver has none.
    parameters
        The parameters of the solver, as far as the backend reports them.
    stats
        Sizes of the model, counters of the backend, and seconds.
    message
        The error, in words.
    machine, exactile, begun
        The machine, the version of Exactile, and the time in seconds since 1970.
    key
        A digest of the settings; a store recognizes the run by it.
    """

    puzzle: str
    backend: str
    end: str
    family: str = ""
    repeat: int = 1
    answer: str = Status.UNKNOWN.value
    settled_by: str = ""
    version: str = ""
    found: int = 0
    distinct: int = 0
    number: int | None = None
    value: int | None = None
    bound: int | None = None
    digest: str | None = None
    model: str = ""
    seconds: float | None = None
    build_seconds: float | None = None
    cpu_seconds: float | None = None
    megabytes: int | None = None
    proof: str = ""
    proof_bytes: int | None = None
    proof_seconds: float | None = None
    task: str = "first"
    time_limit: float = 60.0
    memory_limit: int | None = None
    seed: int | None = None
    threads: int = 1
    use_symmetry: bool = True
    parameters: dict[str, Any] = field(default_factory=dict)
    stats: Stats = Stats()
    message: str = ""
    machine: str = ""
    exactile: str = ""
    begun: float = 0.0
    key: str = ""


class ComparisonAnswer(Answer, frozen=True, kw_only=True):
    """The runs of backends on the same puzzles under the same conditions.

    Attributes
    ----------
    format
        Version of the form of this answer: 2.
    task, time_limit, memory_limit, seed, threads, use_symmetry, repeats
        The settings of every run; limits are in seconds and megabytes.
    puzzles, backends
        The puzzles and backends compared.
    finished
        Whether all runs are done.
    disagreements
        Contradictions between answers, in words.
    runs
        The runs, ordered by puzzle, then by backend, then by repeat.
    """

    format: int
    task: str
    time_limit: float
    memory_limit: int | None
    seed: int
    threads: int
    use_symmetry: bool
    repeats: int
    puzzles: tuple[str, ...]
    backends: tuple[str, ...]
    finished: bool
    disagreements: tuple[str, ...]
    runs: tuple[ComparedRun, ...]


class InstanceEntry(Answer, frozen=True, kw_only=True):
    """An instance of the library: a puzzle or a model for comparing backends.

    Attributes
    ----------
    name, family
        Name of the instance, and of its family.
    answer
        ``"counted"`` (solvable, and the number of solutions is known), ``"satisfiable"``,
        ``"unsatisfiable"`` or ``"open"``.
    number
        The number of all solutions, if it is known.
    source
        The source of the answer; empty if the answer is ``"open"``.
    units, pieces
        Number of units of the region, and of different pieces; None for a model.
    items, options
        Number of items and of options of the model.
    symmetries
        Number of symmetries of the puzzle, with the identity; None for a model.
    density
        Of all pairs of an item and an option, the fraction in which the option contains the item.
    digest
        A digest that identifies the puzzle or the model.
    """

    name: str
    family: str
    answer: str
    number: int | None = None
    source: str = ""
    units: int | None = None
    pieces: int | None = None
    items: int = 0
    options: int = 0
    symmetries: int | None = None
    density: float = 0.0
    digest: str = ""


class InstanceFamily(Answer, frozen=True, kw_only=True):
    """A family of instances.

    Attributes
    ----------
    name, about
        Name of the family; its contents and purpose, in words.
    instances
        The instances of the family.
    """

    name: str
    about: str
    instances: tuple[InstanceEntry, ...]


class InstanceList(Answer, frozen=True, kw_only=True):
    """The library of instances, or a part of it.

    Attributes
    ----------
    families
        The families, each with those of its instances that were requested.
    """

    families: tuple[InstanceFamily, ...]
