"""Grades: how hard a puzzle is for a person.

The program solves the puzzle as a person would, and takes each step for the simplest reason that
applies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from exactile.answers import INTERRUPTED, Grade, GradeStep, Placements, Stats, StepKind
from exactile.clock import CLOCK
from exactile.doors import Positive, door
from exactile.errors import CheckFailedError, Interrupted, PuzzleError
from exactile.files.puzzles.units import write_units
from exactile.puzzle.coordinates import in_coordinates, units_in_coordinates
from exactile.puzzle.puzzle import Puzzle, Solution
from exactile.search.case import Case
from exactile.search.limits import Limits
from exactile.search.search import Search
from exactile.surveys.design.board import PersonBoard, State, StepCause, plain
from exactile.surveys.design.rivals import bits

LEVELS = {"cell": 1, "piece": 1, "hole": 2, "claim": 3, "ahead": 4, "choice": 5}
"""The level of difficulty of each kind of reason for a step; 1 is the easiest."""

WORDS = ("", "easy", "moderate", "tricky", "difficult", "very difficult", "fiendish")
"""The levels of difficulty in words, by number; there is no level 0."""

FEW_CHOICES = 5
"""Largest number of choices (placements tried) of a puzzle that is not yet fiendish."""

MOST_CHOICES = 300
"""Number of choices (placements tried) after which solving ends: the puzzle counts as fiendish."""

CHOICES = "choices"


@door
def grade(
    puzzle: Puzzle | Case,
    *,
    most_choices: Positive = MOST_CHOICES,
    time_limit: float | None = None,
    limits: Limits | None = None,
    watch: Callable[[str], None] | None = None,
) -> Grade:
    """Return how hard a puzzle with one solution is for a person, and the steps to solve it.

    Each step is taken for the simplest reason that applies. If none applies, a placement is tried,
    and ruled out once it fails: this is a choice. Steps that the solution does not need are left
    out.

    Parameters
    ----------
    puzzle
        The puzzle, or a `Case` of it, whose model is reused.
    most_choices
        Number of choices after which solving ends; the puzzle then counts as ``"fiendish"``.
    time_limit, limits, watch
        See `exactile.design_challenges`.

    Raises
    ------
    PuzzleError
        If the puzzle has no solution or several, or all its units may stay uncovered; if it has
        rules about colors or the use of pieces, or rules that leave open which cells stay uncovered
        or how many pieces are omitted.
    Interrupted
        After Ctrl-C; it has the answer so far.
    CheckFailedError
        If the steps contradict the solution: a bug.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("tetrahexes-4x7")
    >>> challenge = exactile.design_challenges(puzzle, open_pieces=4).challenges[0]
    >>> found = exactile.grade(exactile.challenge_puzzle(puzzle, challenge))
    >>> found.word, len(found.steps), found.choices
    ('tricky', 16, 0)
    """
    limits = Limits.chosen(limits, time_limit)
    case = Case.of(puzzle)
    limits.begin()
    begun = CLOCK.now()
    nodes: int | None = None
    solution: Solution = ()
    given: dict[str, Any] = {}
    try:
        left = plain(case.puzzle)
        solution, nodes = _only_solution(case, limits)
        solving = _Solving(case.puzzle, left, solution, most_choices, limits, watch)
        solving.run()
        given = _graded(solving)
        stopped = None
    except TimeoutError as reached:
        stopped = str(reached)
        if stopped == CHOICES:
            given = {"level": 6, "word": WORDS[6]}
    except KeyboardInterrupt:
        stopped = INTERRUPTED
    answer = Grade(
        puzzle=case.name,
        solution=in_coordinates(case.puzzle, solution),
        stopped=stopped,
        nodes=nodes,
        stats=Stats(seconds=round(CLOCK.now() - begun, 6)),
        **given,
    ).of(case.puzzle)
    if stopped == INTERRUPTED:
        raise Interrupted(answer)
    return answer


def _graded(solving: _Solving) -> dict[str, Any]:
    """Return the fields of the answer about a solved puzzle: its level and the steps needed."""
    steps = solving.needed()
    kinds = [step.kind for step in steps]
    choices = kinds.count("assume")
    level = max((LEVELS[step.reason.kind] for step in steps), default=1)
    level += choices > FEW_CHOICES
    return {
        "level": level,
        "word": WORDS[level],
        "steps": tuple(map(solving.stated, steps)),
        "placed": sum(step.kind == "place" and step.depth == 0 for step in steps),
        "excluded": kinds.count("exclude"),
        "choices": choices,
    }


def _only_solution(case: Case, limits: Limits) -> tuple[Solution, int]:
    """Return the only solution of a puzzle, and the number of nodes of the search.

    Raise PuzzleError if there is no solution or more than one, and TimeoutError if a limit is
    reached.
    """
    with Search(case, limits=limits.rest(2), use_symmetry=False) as search:
        found = list(search)
    if search.found > 1 or (search.status.final and not search.found):
        many = "several solutions" if search.found else "no solution"
        raise PuzzleError(
            f"{case.name} has {many}: grades are for puzzles with one. `exactile design "
            "challenges` makes such puzzles."
        )
    if not search.status.final:
        raise TimeoutError(search.stopped or "")
    return found[0], int(search.counters.get("nodes") or 0)


@dataclass
class _Step:
    """A step in solving a puzzle, with the placements that it rules out, as bits.

    `place`: the number of the placement; None if the puzzle itself is refuted. `depth`: number of
    placements that are being tried; -1 for a fixed placement of the puzzle.
    """

    kind: StepKind
    reason: StepCause
    place: int | None
    depth: int
    removes: int  # the places that it removes
    survivors: int = 0  # places that are still possible when the reason applies


class _Solving:
    """Solves a puzzle as a person would, and records the steps.

    `left`: the puzzle as `plain` returns it. `solution`: the only solution. `most_choices`: number
    of choices after which `run` raises TimeoutError.
    """

    def __init__(
        self,
        puzzle: Puzzle,
        left: Puzzle,
        solution: Solution,
        most_choices: int,
        limits: Limits,
        watch: Callable[[str], None] | None,
    ) -> None:
        self.subject = puzzle
        self.board = PersonBoard(left)
        self.most_choices, self.limits = most_choices, limits
        self.watch = watch or (lambda words: None)
        self.steps: list[_Step] = []
        self.choices = 0
        right = set(solution)
        self.right = sum(
            1 << k for k in range(len(self.board.options)) if self.board.placement(k) in right
        )

    def run(self) -> None:
        """Solve the puzzle and record the steps.

        Raise TimeoutError if a limit is reached or more than `most_choices` choices are needed, and
        CheckFailedError if the steps contradict the solution: a bug.
        """
        state = self.board.start()
        for place in state.placed:
            reason = StepCause("piece", piece=self.board.piece[place])
            self.steps.append(_Step("place", reason, place, -1, self.board.conflicts[place]))
        if not self._solve(state, 0):
            raise CheckFailedError(
                f"{self.subject.name} was refuted, though it has a solution. This is a bug in "
                "Exactile: please report it."
            )

    def _solve(self, state: State, depth: int) -> bool:
        """Solve the puzzle from a state; return False if the state leads to a contradiction.

        `depth`: number of placements that are being tried in this state.
        """
        board = self.board
        while True:
            self.limits.require()
            if (reason := board.contradiction(state)) is not None:
                left = self._left(state, reason)
                self.steps.append(_Step("refute", reason, None, depth - 1, 0, left))
                return False
            if board.solved(state):
                return depth == 0 or self._second()
            if (found := board.forced(state)) is not None:
                place, reason = found
                left = self._left(state, reason)
                step = _Step("place", reason, place, depth, board.removed(state, place), left)
                self.steps.append(step)
                board.place(state, place)
                continue
            for look in (board.holes, board.claims, board.ahead):
                if wrong := self._fewest(state, look(state)):
                    for place, reason in wrong:  # all in the state before these exclusions
                        left = self._left(state, reason)
                        if reason.kind == "ahead":
                            left |= board.removed(state, place)
                        step = _Step("exclude", reason, place, depth, 1 << place, left)
                        self.steps.append(step)
                    for place, _ in wrong:
                        state.live &= ~(1 << place)
                    break
            else:
                self._choose(state, depth)

    def _fewest(
        self, state: State, wrong: list[tuple[int, StepCause]]
    ) -> list[tuple[int, StepCause]]:
        """Return the fewest exclusions after which a unit or piece has no placement to spare.

        `wrong`: the exclusions to choose from: placements to rule out, with reasons. If, even after
        all of them, each unit or piece has more placements than it requires, the result is `wrong`.
        """
        board, best = self.board, 0
        mask = sum(1 << place for place, _ in wrong)
        for need in board.needs(state) if wrong else ():
            live = state.live & board.places(need)
            own = live & mask
            enough = (live & ~mask).bit_count() <= board.missing(state, need)
            if enough and (not best or own.bit_count() < best.bit_count()):
                best = own
        return [each for each in wrong if best >> each[0] & 1] if best else wrong

    def _second(self) -> bool:
        raise CheckFailedError(
            f"{self.subject.name} has a second solution, contrary to a full search. This is a bug "
            "in Exactile: please report it."
        )

    def _left(self, state: State, reason: StepCause) -> int:
        """Return, as bits, the possible placements that cover the reason's unit or use its piece.

        The result is 0 if the reason is a hole.
        """
        return 0 if reason.kind == "hole" else state.live & self.board.places(reason)

    def _choose(self, state: State, depth: int) -> None:
        """Try a placement until it fails, and rule it out.

        The placement belongs to the required unit or piece that has the fewest placements left. If
        possible, it is one that the solution does not contain. Raise TimeoutError if there were
        already `most_choices` choices.
        """
        board = self.board
        self.choices += 1
        if self.choices > self.most_choices:
            raise TimeoutError(CHOICES)
        self.watch(f"{self.choices:,} choices")
        need = min(board.needs(state), key=lambda n: (state.live & board.places(n)).bit_count())
        left = state.live & board.places(need)
        place = next(bits(left & ~self.right or left)).bit_length() - 1
        trial = state.copy()
        removed = board.removed(state, place)
        self.steps.append(_Step("assume", StepCause("choice"), place, depth, removed))
        board.place(trial, place)
        self._solve(trial, depth + 1)
        self.steps[-1].place = place
        state.live &= ~(1 << place)

    def needed(self) -> list[_Step]:
        """Return the steps on which the solution depends."""
        opened: dict[int, int] = {}  # by the index of a refutation, that of its assumption
        begun: list[int] = []
        for index, step in enumerate(self.steps):
            if step.kind == "assume":
                begun.append(index)
            elif step.kind == "refute":
                opened[index] = begun.pop()
        kept = {k for k, s in enumerate(self.steps) if s.kind == "place" and s.depth <= 0}
        for index in range(len(self.steps) - 1, -1, -1):
            if index in kept:
                self.limits.require()
                kept |= self._depends(index, opened)
                if index in opened:
                    kept.add(opened[index])
        return [s for k, s in enumerate(self.steps) if k in kept and s.depth >= 0]

    def _visible(self, index: int, opened: dict[int, int]) -> list[tuple[int, _Step, int]]:
        """Return the steps before step `index` that still hold.

        Each is a tuple: the index of the step, the step, and the placements that it rules out.
        Steps that follow from a tried placement hold until the placement fails; then only its
        exclusion holds. `opened`: maps each step that refutes a placement to the step that tried
        it, by index.
        """
        found: list[tuple[int, _Step, int]] = []
        for k, step in enumerate(self.steps[:index]):
            if k in opened:
                while found and found[-1][0] >= opened[k]:
                    found.pop()
                assert step.place is not None
                found.append((k, step, 1 << step.place))
            else:
                found.append((k, step, step.removes))
        return found

    def _depends(self, index: int, opened: dict[int, int]) -> set[int]:
        """Return the indices of the earlier steps on which the reason of step `index` depends.

        `opened`: maps each step that refutes a placement to the step that tried it, by index.
        """
        step, board = self.steps[index], self.board
        if step.kind == "assume" or step.depth < 0:
            return set()
        visible = self._visible(index, opened)
        placing = [(k, m) for k, s, m in visible if s.kind in ("place", "assume")]
        if step.reason.kind == "hole":
            return {k for k, _ in placing}
        want = board.places(step.reason) & ~step.survivors
        found: set[int] = set()
        others = [(k, m) for k, s, m in visible if s.kind in ("exclude", "refute")]
        counted = {step.reason.piece}  # pieces of which it matters how many are placed
        if step.place is not None and step.reason.kind in ("claim", "ahead"):
            counted.add(board.piece[step.place])
        for k, mask in (*placing, *others):
            if want & mask:
                found.add(k)
                place = self.steps[k].place
                if place is not None and want & mask & ~board.conflicts[place]:
                    counted.add(board.piece[place])  # it was the last use of its piece
                want &= ~mask
        places = ((k, self.steps[k].place) for k, _ in placing)
        return found | {k for k, p in places if p is not None and board.piece[p] in counted}

    def stated(self, step: _Step) -> GradeStep:
        """Return a step in the form of the answer: with names of pieces and coordinates."""
        board, reason = self.board, step.reason
        placed: Placements = ()
        if step.place is not None:
            placed = in_coordinates(board.puzzle, (board.placement(step.place),))
        points = board.puzzle.region.units
        hole = [tuple(points[bit.bit_length() - 1].tolist()) for bit in bits(reason.hole)]
        cell = [] if reason.unit is None else [tuple(points[reason.unit].tolist())]
        return GradeStep(
            kind=step.kind,
            reason=reason.kind,
            placement=placed[0] if placed else None,
            cell=next(iter(units_in_coordinates(board.puzzle, cell)), None),
            piece=None if reason.piece is None else board.puzzle.pieces[reason.piece].name,
            units=units_in_coordinates(board.puzzle, hole),
            depth=step.depth,
        )


KINDS = ("exclude", "refute", "place")
"""Kinds of steps except ``"assume"``: the first two rule out a placement, the last makes one."""


def hints(grade: Grade) -> Iterator[str]:
    r"""Yield each step in words, with its number: see `hint`.

    After the number, there are two more blanks for each placement that is being tried.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("tetrahexes-4x7")
    >>> challenge = exactile.design_challenges(puzzle, open_pieces=2).challenges[0]
    >>> found = exactile.grade(exactile.challenge_puzzle(puzzle, challenge))
    >>> print(*hints(found), sep="\n")
    1. I4 on 0..3,3: no other placement reaches cell 0,3.
    2. Y4 on 5,1 3..4,2 4,3: no other placement reaches cell 3,2.
    """
    for number, step in enumerate(grade.steps, 1):
        yield f"{number}. {'  ' * step.depth}{hint(step)}"


def brief_hints(grade: Grade) -> Iterator[str]:
    """Yield a numbered sentence for each piece that is placed, except while a placement is tried.

    If placements were excluded since the previous sentence, the sentence ends with their number,
    which includes those that were excluded while a placement was tried.

    Examples
    --------
    >>> from exactile.answers import GradeStep
    >>> piece = ("I3", ((0, 0), (1, 0), (2, 0)))
    >>> steps = [GradeStep(kind=k, reason="cell", placement=piece, cell=(0, 0)) for k in KINDS]
    >>> list(brief_hints(Grade(puzzle="a", steps=tuple(steps))))
    ['1. I3 on 0..2,0: no other placement reaches cell 0,0 (after 2 exclusions).']
    """
    excluded = number = 0
    for step in grade.steps:
        if step.kind == "place" and not step.depth:
            number += 1
            after = f" (after {excluded} exclusion{'s' * (excluded > 1)})" if excluded else ""
            yield f"{number}. {hint(step).removesuffix('.')}{after}."
            excluded = 0
        elif step.kind in KINDS[:2]:
            excluded += 1


def hint(step: GradeStep) -> str:
    """Return a step and its reason in one or two sentences."""
    assert step.placement is not None
    piece, units = step.placement
    where = f"{piece} on {write_units(list(units))}"
    need = f"cell {','.join(map(str, step.cell))}" if step.cell else f"piece {step.piece}"
    if step.kind == "place":
        why = f"no other placement reaches {need}" if step.cell else "it has no place to spare"
        return f"{where}: {why}."
    if step.kind == "assume":
        return f"Try {where}."
    cells = "cell" if len(step.units) == 1 else "cells"
    hole = f"{len(step.units)} {cells}, {write_units(list(step.units))}"
    dead = f"no placement reaches {need}" if step.cell else f"{need} has too few places"
    if step.kind == "refute":
        why = f"{hole}, cut off: no pieces left have that size" if step.units else dead
        return f"That fails: {why}. Not {where}."
    why = {
        "hole": f"it cuts off {hole}: no pieces left have that size",
        "claim": f"it takes what each placement on {need} needs"
        if step.cell
        else f"it takes what each place of {step.piece} needs",
        "ahead": f"then {dead}",
    }[step.reason]
    return f"Not {where}: {why}."
