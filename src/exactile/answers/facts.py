"""The answers about puzzles, pieces, solvers, the catalogue, and files for making pieces."""

from __future__ import annotations

from msgspec import field

from exactile.answers.base import Answer, Coordinates, Placements, Status
from exactile.answers.search import Count, Sampled, SolutionList, Verdict


class PuzzleEntry(Answer, frozen=True, kw_only=True):
    """A puzzle of the catalogue with its record in the ledger.

    Attributes
    ----------
    id, title, lattice, aliases
        As in the file of the puzzle.
    sources
        The source of the puzzle and of published numbers of solutions.
    pieces
        Sum of the upper bounds on the number of uses of each piece; None without a record.
    status
        ``exact``, ``unsolvable`` or ``open``; None if the ledger has no record of the puzzle.
    solutions
        Number of solutions up to symmetry; None if the puzzle is open or has no record.
    at_least
        Number of solutions known to exist, not reduced by symmetry.
    """

    id: str
    title: str
    lattice: str
    aliases: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    pieces: int | None = None
    status: str | None = None
    solutions: int | None = None
    at_least: int = 0


class LedgerFacts(Answer, frozen=True, kw_only=True):
    """The ledger's record of a puzzle; see `PuzzleEntry`.

    Attributes
    ----------
    id
        Name of the puzzle in the catalogue.
    status
        ``"exact"``, ``"unsolvable"`` or ``"open"``.
    at_least
        Number of solutions known to exist, not reduced by symmetry.
    raw, rotation, symmetry
        Number of solutions: all, up to rotation, up to symmetry; None while the puzzle is open.
    method, reason
        The method that found the numbers; the reason why there is no solution, in words.
    sampled
        While the puzzle is open, an estimate of `raw`, if there is one.
    """

    id: str
    status: str
    method: str
    reason: str
    raw: int | None
    rotation: int | None
    symmetry: int | None
    at_least: int
    sampled: Sampled | None = None


class PuzzleList(Answer, frozen=True, kw_only=True):
    """Puzzles of the catalogue, in its order unless another order was requested."""

    puzzles: tuple[PuzzleEntry, ...]


class PieceUse(Answer, frozen=True, kw_only=True):
    """A piece, its number of units, and its least and greatest number of uses."""

    name: str
    order: int
    min: int
    max: int


class PieceColors(Answer, frozen=True, kw_only=True):
    """A rule about the pieces of one color.

    `kind`: ``"separated"`` if no two of them may touch, ``"joined"`` if they must be connected.
    """

    kind: str
    color: str
    pieces: tuple[str, ...]


class SymmetryNumbers(Answer, frozen=True, kw_only=True):
    """The number of symmetries of a puzzle, and of those that are proper."""

    all: int
    proper: int


class PublishedNumber(Answer, frozen=True, kw_only=True):
    """A number of solutions that was published, or counted by Exactile: see `source`.

    `up_to`: ``"raw"``, ``"rotation"`` or ``"symmetry"``. `refuted`: why it is wrong, if it is.
    """

    count: int
    up_to: str
    source: str
    refuted: str = ""


class OpenNumber(Answer, frozen=True, kw_only=True):
    """A rule: at least `min` and at most `max` of some units stay uncovered."""

    units: tuple[Coordinates, ...]
    min: int
    max: int


class UseNumber(Answer, frozen=True, kw_only=True):
    """A rule: some pieces together are used at least `min` and at most `max` times.

    If there are `places`, only uses in these places count.
    """

    pieces: tuple[str, ...]
    min: int
    max: int
    places: tuple[tuple[Coordinates, ...], ...] = ()


class PuzzleFacts(Answer, frozen=True, kw_only=True):
    """The description of a puzzle.

    Attributes
    ----------
    puzzle, title, aliases, source
        As in the file of the puzzle.
    lattice
        Name of the lattice.
    pieces, color_rules
        The pieces, and the rules about their colors.
    paint
        The rule about the paint of pieces and of the region, in words; None if there is none.
    open_rules, use_rules
        Rules about numbers of uncovered units, and about numbers of pieces that are used.
    fixed
        The placements that every solution contains.
    crossing
        Whether pieces must not cross at vertices; None on lattices where they cannot.
    units, optional_units
        Number of units of the region, and of those that may stay uncovered.
    wrap
        Translations that identify units, in steps of the lattice.
    glide
        The image of each coordinate under a glide reflection that identifies units; empty if there
        is none.
    symmetries
        Number of symmetries of the puzzle.
    items, options
        Number of items and of options of the model.
    known
        The numbers of solutions in the file of the puzzle, published or counted by Exactile.
    unsolvable_because
        Why the puzzle is obviously unsolvable; None if it is not.
    ledger
        The ledger's record of the puzzle; None if there is none.
    """

    puzzle: str
    title: str
    aliases: tuple[str, ...]
    lattice: str
    pieces: tuple[PieceUse, ...]
    color_rules: tuple[PieceColors, ...]
    open_rules: tuple[OpenNumber, ...]
    use_rules: tuple[UseNumber, ...]
    paint: str | None
    fixed: Placements
    crossing: bool | None
    units: int
    optional_units: int
    wrap: tuple[Coordinates, ...]
    symmetries: SymmetryNumbers
    items: int
    options: int
    known: tuple[PublishedNumber, ...]
    unsolvable_because: str | None
    source: str
    ledger: LedgerFacts | None = None
    glide: tuple[str, ...] = ()


class Polyform(Answer, frozen=True, kw_only=True):
    """A polyform, its name if it has one, and its units."""

    name: str | None
    units: tuple[Coordinates, ...]


class PolyformList(Answer, frozen=True, kw_only=True):
    """The polyforms of an order on a lattice.

    Attributes
    ----------
    lattice, order, freedom
        The lattice, order and freedom of the polyforms.
    quasi
        Whether they are quasi-polyforms.
    holes
        True if only those with holes are listed, False if only those without; None for all.
    symmetric
        Only polyforms with at least this number of symmetries are listed.
    count
        Number of polyforms.
    pieces
        The polyforms; empty if only their number was requested.
    """

    lattice: str
    order: int
    freedom: str
    quasi: bool
    holes: bool | None = None
    symmetric: int = 1
    count: int
    pieces: tuple[Polyform, ...] = ()


class BackendEntry(Answer, frozen=True, kw_only=True):
    """A backend, its version and solvers, or why it is not available here."""

    name: str
    version: str | None = None
    solvers: tuple[str, ...] = ()
    missing: str | None = None


class BackendList(Answer, frozen=True, kw_only=True):
    """The backends, by name."""

    backends: tuple[BackendEntry, ...]


class OptionEntry(Answer, frozen=True, kw_only=True):
    """A setting: its default, its values, and its meaning."""

    name: str
    default: str
    values: str
    words: str


class OptionList(Answer, frozen=True, kw_only=True):
    """All settings, sorted by name."""

    options: tuple[OptionEntry, ...]


class Difference(Answer, frozen=True, kw_only=True):
    """A published number of solutions that differs from the one computed for the puzzle.

    `count` is the published number; `up_to` is ``"raw"``, ``"rotation"`` or ``"symmetry"``.
    """

    puzzle: str
    count: int
    up_to: str
    source: str


class LedgerSummary(Answer, frozen=True, kw_only=True):
    """A summary of the ledger for some puzzles of the catalogue.

    Attributes
    ----------
    puzzles
        Number of puzzles chosen.
    exact, unsolvable, open
        Numbers of these puzzles that are counted, unsolvable, and open.
    solutions_checked, nodes, seconds
        Number of solutions that were checked one by one, nodes of the searches, and seconds of
        processor time.
    differences
        Published numbers that differ from the computed ones without a remark in the puzzle's file.
    errors
        The errors in words, by puzzle.
    stopped
        ``"interrupted"`` after Ctrl-C, else None.
    """

    puzzles: int
    exact: int = 0
    unsolvable: int = 0
    open: int = 0
    solutions_checked: int = 0
    nodes: int = 0
    seconds: float = 0.0
    differences: tuple[Difference, ...] = ()
    errors: dict[str, str] = field(default_factory=dict)
    stopped: str | None = None


class SilhouetteUse(Answer, frozen=True, kw_only=True):
    """A silhouette: how often transformations move it.

    `count`: in total. `pieces`: for each set of pieces that forms the silhouette, the most frequent
    first. The set is given by the names of the pieces, such as ``I4J4``; for an exchange, by those
    of its two halves, with a space between them.
    """

    count: int
    pieces: dict[str, int]


class SilhouetteTable(Answer, frozen=True, kw_only=True):
    """The silhouettes that transformations of one kind move; see `SimilarityClasses`.

    A silhouette is the shape of the union of the pieces that a transformation moves.

    Attributes
    ----------
    silhouettes, with_pieces
        Number of silhouettes, and of pairs of a silhouette and a set of pieces that forms it.
    most_frequent
        The silhouettes that are moved most often, by decreasing number of transformations.
    """

    silhouettes: int
    with_pieces: int
    most_frequent: tuple[SilhouetteUse, ...]


class SimilarityClasses(Answer, frozen=True, kw_only=True):
    """Classes of similar solutions of a puzzle.

    Two solutions are similar if a transformation leads from one to the other: it moves a block of
    pieces, exchanges two sets of pieces, or rearranges two pieces.

    Attributes
    ----------
    puzzle
        Name of the puzzle.
    solutions, symmetries
        Number of solutions up to symmetry, and the number of symmetries.
    transformations, pairs
        By kind of transformation: number of transformations, and number of pairs of similar
        solutions. A transformation or pair of several kinds counts only for the first.
    classes_up_to
        By kind of transformation: number of classes if only this kind and the kinds before it
        count.
    sizes
        Number of classes, by the number of solutions in a class.
    transformations_per_solution
        By the number of solutions in a class: number of transformations in all such classes,
        divided by the number of solutions in them.
    classes
        The numbers of the solutions of each class, from 0; the largest class first.
    shared
        Solutions were compared only if they have at least this number of placements in common.
    pairs_sharing
        Number of pairs with at least `shared` placements in common: a solution, and an image of
        another one under a symmetry. None if not requested, or if there was no time.
    silhouettes
        Silhouettes that transformations move, by kind; None if not requested, or if there was no
        time.
    complete
        Whether the solutions are all solutions of the puzzle; None if unknown.
    compared
        Whether there was time to compare all solutions. If not, the numbers of transformations and
        pairs are lower bounds, and the number of classes is an upper bound.
    remarks
        Further remarks.
    """

    puzzle: str
    solutions: int
    symmetries: int
    transformations: dict[str, int]
    pairs: dict[str, int]
    classes_up_to: dict[str, int]
    sizes: dict[str, int]
    transformations_per_solution: dict[str, float]
    classes: tuple[tuple[int, ...], ...]
    shared: int
    pairs_sharing: int | None = None
    silhouettes: dict[str, SilhouetteTable] | None = None
    complete: bool | None = None
    compared: bool = True
    remarks: tuple[str, ...] = ()


class MadeFileEntry(Answer, frozen=True, kw_only=True):
    """A file that was written.

    Attributes
    ----------
    path
        Path of the file, including the directory.
    size
        Lengths of the contents along the three axes, in millimeters; for a sheet, the last is 0.
    """

    path: str
    size: tuple[float, float, float]


class MadeList(Answer, frozen=True, kw_only=True):
    """The files for making a puzzle, or a set of pieces.

    Attributes
    ----------
    puzzle
        The name of the puzzle or of the set.
    status
        Status of the search for the assembled solution; ``SOLVABLE`` if it came from a file,
        ``COMPLETE`` for a set, which has none.
    files
        The files in the order in which they were written.
    notes
        Files that were left out, and why, in words.
    """

    puzzle: str
    status: Status
    files: tuple[MadeFileEntry, ...]
    notes: tuple[str, ...] = ()


class FailedPuzzle(Answer, frozen=True, kw_only=True):
    """A puzzle without an answer, and the error, in words."""

    puzzle: str
    error: str


class CountTable(Answer, frozen=True, kw_only=True):
    """The counts of several puzzles.

    Attributes
    ----------
    finished
        False only if Ctrl-C ended the command early, not if single puzzles reached a limit or
        failed.
    answers
        The answers, in the order of the puzzles or as ``--sort`` says.
    failed
        The puzzles that gave an error in place of an answer.
    """

    finished: bool
    answers: tuple[Count, ...]
    failed: tuple[FailedPuzzle, ...] = ()


class SolutionTable(Answer, frozen=True, kw_only=True):
    """The solutions of several puzzles.

    Attributes
    ----------
    finished
        False only if Ctrl-C ended the command early, not if single puzzles reached a limit or
        failed.
    answers
        The answers, in the order of the puzzles or as ``--sort`` says.
    failed
        The puzzles that gave an error in place of an answer.
    """

    finished: bool
    answers: tuple[SolutionList, ...]
    failed: tuple[FailedPuzzle, ...] = ()


class VerdictTable(Answer, frozen=True, kw_only=True):
    """Whether several puzzles have solutions.

    Attributes
    ----------
    finished
        False only if Ctrl-C ended the command early, not if single puzzles reached a limit or
        failed.
    answers
        The answers, in the order of the puzzles or as ``--sort`` says.
    failed
        The puzzles that gave an error in place of an answer.
    """

    finished: bool
    answers: tuple[Verdict, ...]
    failed: tuple[FailedPuzzle, ...] = ()


class FactsTable(Answer, frozen=True, kw_only=True):
    """The descriptions of several puzzles.

    Attributes
    ----------
    finished
        False only if Ctrl-C ended the command early, not if single puzzles reached a limit or
        failed.
    answers
        The answers, in the order of the puzzles or as ``--sort`` says.
    failed
        The puzzles that gave an error in place of an answer.
    """

    finished: bool
    answers: tuple[PuzzleFacts, ...]
    failed: tuple[FailedPuzzle, ...] = ()
