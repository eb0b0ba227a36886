"""The answers about design: challenges, grades of difficulty, boards, and subsets of pieces."""

from __future__ import annotations

from typing import Literal

from exactile.answers.base import Answer, Coordinates, Drawable, Placed, Placements, Stats, Status
from exactile.answers.facts import FailedPuzzle


class Challenge(Answer, frozen=True, kw_only=True):
    """Clues that leave only one solution of a puzzle.

    Attributes
    ----------
    given
        The placements that are given as clues, without the fixed placements of the puzzle.
    open_units
        Units that must stay uncovered, as clues.
    colors
        Pieces, each with a unit that it must cover, as clues.
    solution
        The only solution with these clues.
    open_pieces
        Number of pieces that are left to be placed.
    minimal
        Whether every clue is needed: if any one of them is removed, there are several solutions.
        False also if this is not known.
    fewest
        Whether no smaller number of clues leaves only this solution.
    level, word
        How hard the challenge is for a person, as a number from 1 to 6 and in a word, if requested;
        see `Grade`. None and an empty word if not requested, or if the rules of the puzzle cannot
        be graded.
    """

    given: Placements
    open_units: tuple[Coordinates, ...] = ()
    colors: tuple[tuple[str, Coordinates], ...] = ()
    solution: Placements
    open_pieces: int
    minimal: bool
    fewest: bool = False
    level: int | None = None
    word: str = ""


class ClueTally(Answer, frozen=True, kw_only=True):
    """The number of solutions of a puzzle that need exactly a given number of clues.

    Attributes
    ----------
    clues
        A number of clues.
    solutions
        Number of solutions, up to symmetry, for which this is the least number of clues that
        excludes all other solutions.
    """

    clues: int
    solutions: int


class ChallengeList(Drawable, frozen=True, kw_only=True):
    """Challenges of a puzzle, no two of them equal up to symmetry.

    Attributes
    ----------
    puzzle
        Name of the puzzle.
    stopped
        Why there are fewer than requested: ``"time limit"``, ``"cancelled"``,
        ``"interrupted"``, ``"attempts"`` if many solutions in succession gave no new challenge, or
        ``"all"`` if there are no more.
    challenges
        The challenges.
    fewest
        Smallest number of clues that leave only one solution, if requested and proved.
    tallies
        For each number of clues, the number of solutions that need exactly that many, if proved.
    counted_by
        The method that counted the puzzle's solutions again, without listing them, to confirm
        `fewest`; None if there was no such count.
    checked_by
        The second backend that confirmed that each challenge has one solution; empty if there are
        no challenges.
    attempts
        Number of solutions that were tried.
    stats
        Seconds.
    """

    puzzle: str
    stopped: str | None = None
    challenges: tuple[Challenge, ...] = ()
    fewest: int | None = None
    tallies: tuple[ClueTally, ...] = ()
    counted_by: str | None = None
    checked_by: str = ""
    attempts: int = 0
    stats: Stats = Stats()


StepKind = Literal["place", "exclude", "assume", "refute"]
StepReason = Literal["cell", "piece", "hole", "claim", "ahead", "choice"]


class GradeStep(Answer, frozen=True, kw_only=True, omit_defaults=True):
    """A step in solving a puzzle as a person would, with its reason.

    Attributes
    ----------
    kind
        ``"place"``: the placement is right. ``"exclude"``: it is wrong. ``"assume"``: it is tried;
        all steps up to the step ``"refute"`` of the same placement depend on it. ``"refute"``: it
        has turned out to be wrong.
    reason
        ``"cell"``: no other placement can cover the cell (in a refutation: no placement can).
        ``"piece"``: the piece has no other place (in a refutation: no place, or too few).
        ``"hole"``: `units` would be cut off (in a refutation: are cut off), and no pieces that are
        left have that size together. ``"claim"``: every placement that can cover the cell, or every
        place of the piece, needs the same unit or the last copy of the same piece, which this
        placement would take. ``"ahead"``: after this placement, no placement could cover the cell,
        or the piece would have too few places. ``"choice"``: no reason; this is a trial.
    placement
        The placement; None only for a refutation of the puzzle itself.
    cell, piece
        The cell or the piece that the reason refers to.
    units
        The units of a hole.
    depth
        Number of placements that are assumed at this step.
    """

    kind: StepKind
    reason: StepReason
    placement: Placed | None = None
    cell: Coordinates | None = None
    piece: str | None = None
    units: tuple[Coordinates, ...] = ()
    depth: int = 0


class Grade(Drawable, frozen=True, kw_only=True):
    """How hard a puzzle with one solution is for a person.

    Attributes
    ----------
    puzzle
        Name of the puzzle.
    level
        The hardest kind of reason needed. 1: a cell or a piece has one placement left. 2: a
        placement would cut off a hole of a wrong size. 3: it would take what a cell or a piece
        needs. 4: it would leave a cell or a piece without a placement. 5: up to five placements
        must be tried. 6: more must be tried; if too many, there are no steps. None if grading was
        stopped for another reason.
    word
        The level in a word: ``"easy"`` to ``"fiendish"``.
    steps
        The steps needed to reach the solution, each with its reason.
    placed, excluded, choices
        Numbers of steps that place a piece (not during a trial), exclude a placement, or try one.
    solution
        The only solution; empty if it was not found in time.
    stopped
        Why there are no steps: ``"time limit"``, ``"cancelled"``, ``"interrupted"``, or
        ``"choices"`` if there were too many.
    nodes
        Number of nodes of a search for all solutions by the native engine.
    stats
        Seconds.
    """

    puzzle: str
    level: int | None = None
    word: str = ""
    steps: tuple[GradeStep, ...] = ()
    placed: int = 0
    excluded: int = 0
    choices: int = 0
    solution: Placements = ()
    stopped: str | None = None
    nodes: int | None = None
    stats: Stats = Stats()


class GradeList(Answer, frozen=True, kw_only=True):
    """The grades of several puzzles.

    Attributes
    ----------
    grades
        The grades, in the order of the puzzles.
    failed
        Puzzles that cannot be graded, and why.
    """

    grades: tuple[Grade, ...]
    failed: tuple[FailedPuzzle, ...] = ()


class BoardSet(Answer, frozen=True, kw_only=True):
    """A set of pieces that fills the boards of a survey.

    Attributes
    ----------
    pieces
        Number of uses of each piece.
    """

    pieces: dict[str, int]


class BoardFacts(Answer, frozen=True, kw_only=True):
    """The results for a board, that is, a region of which some given units stay uncovered.

    Attributes
    ----------
    board, puzzle
        Names of the board and of its puzzle.
    open_units
        The units that stay uncovered.
    alike
        Number of boards of the puzzle that are equal to this one up to symmetry, itself included.
    raw, symmetry
        Number of solutions of the board: all, and up to symmetry; None if they are not counted.
    refused
        Number of sets of pieces that were refused because they do not fill this board; each set
        counts for one board only. None if solutions are counted.
    """

    board: str
    puzzle: str
    open_units: tuple[Coordinates, ...] = ()
    alike: int = 1
    raw: int | None = None
    symmetry: int | None = None
    refused: int | None = None


class BoardSurvey(Answer, frozen=True, kw_only=True):
    """The sets of pieces that fill all boards, or the number of solutions of each board.

    Attributes
    ----------
    puzzles
        Names of the puzzles.
    boards, alike
        Number of boards up to symmetry, and in total.
    size
        Number of pieces in a set, if requested.
    sets, tried
        Number of sets with the area of the boards, and of those that were tried; None and 0 if
        solutions are counted.
    found
        The sets that fill all boards.
    each
        The boards, those with the fewest solutions first; or, in a survey of sets, the boards for
        which sets were refused, those with the most refused sets first.
    stopped
        Why the survey ended early: ``"time limit"``, ``"cancelled"`` or ``"interrupted"``; None if
        it did not.
    searches
        Number of searches.
    stats
        Seconds.
    """

    puzzles: tuple[str, ...]
    boards: int
    alike: int
    size: int | None = None
    sets: int | None = None
    tried: int = 0
    found: tuple[BoardSet, ...] = ()
    each: tuple[BoardFacts, ...] = ()
    stopped: str | None = None
    searches: int = 0
    stats: Stats = Stats()


class SubsetSolution(Answer, frozen=True, kw_only=True):
    """A subset of the pieces of a puzzle, with the number of uses of each, and one solution."""

    pieces: dict[str, int]
    solution: Placements


class SubsetSolutions(Answer, frozen=True, kw_only=True):
    """One solution of every subset of the pieces that has solutions.

    Attributes
    ----------
    method
        The method that found the subsets: ``"auto"``, ``"list"``, ``"divide"`` or ``"block"``; see
        `exactile.surveys.subsets.search.METHODS`.
    subsets
        The subsets found, in the order of the search.
    puzzle, backend, status
        Names of the puzzle and of the backend, and the status of the search.
    stopped
        Why the search ended early, such as ``"time limit"``; None if it did not.
    reason
        Why the puzzle is unsolvable, if a reason other than the search is known.
    crossing
        Whether pieces must not cross at vertices, on lattices where they could.
    stats
        Sizes of the model, counters of the backend, and seconds.
    """

    puzzle: str
    backend: str
    method: str
    status: Status
    stopped: str | None = None
    reason: str | None = None
    crossing: bool = True
    subsets: tuple[SubsetSolution, ...] = ()
    stats: Stats = Stats()


class SubsetTally(Answer, frozen=True, kw_only=True):
    """The number of solutions of one subset.

    Attributes
    ----------
    pieces
        Number of uses of each piece of the subset.
    raw
        Number of all solutions with these pieces; None if there may be more than were found.
    found
        Number of solutions found.
    rotation, symmetry
        Number of solutions of the puzzle with exactly these pieces, up to its proper symmetries and
        up to all of them; None if not determined.
    """

    pieces: dict[str, int]
    raw: int | None
    found: int
    rotation: int | None
    symmetry: int | None


class SubsetCounts(Answer, frozen=True, kw_only=True):
    """The number of solutions of each subset of the pieces.

    Attributes
    ----------
    subsets
        Number of subsets with solutions; None if unknown.
    needed, unused
        The pieces that every subset has, and the pieces that no subset has; None if unknown.
    by_pieces
        The subsets found, by increasing number of pieces, then by decreasing number of solutions.
    puzzle, backend
        Name of the puzzle; the backend that searched or, if none did, the method.
    status
        ``COMPLETE`` or ``UNSOLVABLE`` if the counts are final.
    raw, rotation, symmetry
        Number of solutions of all subsets together: all, up to rotation, up to symmetry; None if
        not determined.
    stopped
        Why the search ended early, such as ``"time limit"``; None if it did not.
    reason
        Why the puzzle is unsolvable, if a reason other than the search is known.
    crossing
        Whether pieces must not cross at vertices, on lattices where they could.
    stats
        Sizes of the model, counters of the backend, and seconds.
    """

    puzzle: str
    backend: str
    status: Status
    raw: int | None = None
    rotation: int | None = None
    symmetry: int | None = None
    stopped: str | None = None
    reason: str | None = None
    crossing: bool = True
    subsets: int | None = None
    needed: tuple[str, ...] | None = None
    unused: tuple[str, ...] | None = None
    by_pieces: tuple[SubsetTally, ...] = ()
    stats: Stats = Stats()


class SurveyedPuzzle(Answer, frozen=True, kw_only=True):
    """The results for one region: whether pieces cover it, and how hard that is.

    Attributes
    ----------
    units
        Number of units of the region.
    difficulty
        ``"easy"``, ``"moderate"``, ``"difficult"`` or ``"impossible"``; None if not known.
    pieces
        The least and the greatest number of pieces used; None if unknown, or if there is no
        solution.
    subsets
        Number of subsets with solutions; None if unknown.
    effort
        Nodes of the whole search, divided by the number of solutions plus 1; None if unknown.
    needed, unused
        The pieces that every subset has, and the pieces that no subset has; None if unknown, or if
        there is no solution.
    proof
        Why there is no solution, in words; None unless this is known.
    example
        A subset of few pieces that has solutions: number of uses of each piece. None if none was
        found.
    puzzle, status
        Name of the puzzle, and the status of the search.
    raw, rotation, symmetry
        Number of solutions: all, up to rotation, up to symmetry; None if not determined.
    stopped
        Why the search ended early, such as ``"time limit"``; None if it did not.
    stats
        Sizes of the model, counters of the backend, and seconds.
    """

    puzzle: str
    units: int
    status: Status
    difficulty: str | None = None
    pieces: tuple[int, int] | None = None
    subsets: int | None = None
    raw: int | None = None
    rotation: int | None = None
    symmetry: int | None = None
    effort: float | None = None
    needed: tuple[str, ...] | None = None
    unused: tuple[str, ...] | None = None
    proof: str | None = None
    example: dict[str, int] | None = None
    stopped: str | None = None
    stats: Stats = Stats()


class Survey(Answer, frozen=True, kw_only=True):
    """The results for several regions.

    Attributes
    ----------
    finished
        Whether all regions were searched.
    puzzles
        The results, in the order of the regions.
    failed
        Invalid puzzles, and why.
    """

    finished: bool
    puzzles: tuple[SurveyedPuzzle, ...]
    failed: tuple[FailedPuzzle, ...] = ()
