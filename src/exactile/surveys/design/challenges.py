"""Challenges: sets of clues that each leave exactly one solution of a puzzle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from operator import itemgetter
from random import Random
from typing import Annotated, Literal, NamedTuple

from exactile.answers import INTERRUPTED, Challenge, ChallengeList, ClueTally, Grade, Stats
from exactile.clock import CLOCK
from exactile.doors import Positive, Seed, Within, Workers, door
from exactile.errors import CheckFailedError, Interrupted, PuzzleError, WorkError
from exactile.model.orbits import Representatives
from exactile.puzzle.coordinates import (
    from_coordinates,
    in_coordinates,
    units_from_coordinates,
    units_in_coordinates,
)
from exactile.puzzle.puzzle import Puzzle, sorted_solution
from exactile.search.case import Case
from exactile.search.limits import Limits
from exactile.search.search import Search
from exactile.surveys.design.board import plain
from exactile.surveys.design.clues import BY_NODES, Clues, GivenUpError, Language, with_clues
from exactile.surveys.design.grading import grade as graded_by
from exactile.surveys.design.recheck import all_shared, counted_apart, require_minimal, require_one
from exactile.surveys.design.rivals import (
    MOST_KNOWN,
    KnownSolutions,
    Rivals,
    bits,
    hitting_sets,
    minimal,
    symmetric_groups,
)
from exactile.work import Pool

LIST_NODES = 3_000_000
"""Largest number of nodes of a search for all solutions of a puzzle; no limit with `fewest`.

After this, challenges are designed from solutions that are found at random.
"""

MOST_FEWEST = 200_000
"""Largest number of solutions that are listed to prove the least number of clues of a puzzle."""

FRUITLESS = 200
"""Number of solutions in a row without a new challenge after which the search stops."""

ATTEMPTS = "attempts"

MOST_CHOICES = 50
"""Number of choices (placements tried) after which a challenge has the highest level."""

Level = Annotated[int, Within(1, 6)]

Given = Literal["pieces", "open", "both", "colors"]


@door
def design_challenges(
    puzzle: Puzzle | Case,
    number: Positive = 1,
    *,
    open_pieces: Positive | None = None,
    given: Given = "pieces",
    symmetric: bool = False,
    fewest: bool = False,
    graded: bool = False,
    level: Level | None = None,
    seed: Seed = 0,
    workers: Workers = 1,
    time_limit: float | None = None,
    limits: Limits | None = None,
    watch: Callable[[str], None] | None = None,
) -> ChallengeList:
    """Return challenges of a puzzle: sets of clues that each leave exactly one solution.

    No two are equal up to symmetry. For each challenge, a second method confirms that it has only
    one solution. For each clue of a minimal challenge (see `open_pieces`), the independent checker
    also confirms a different solution in which all other clues hold.

    Parameters
    ----------
    puzzle
        The puzzle, or a `Case` of it, whose model is reused.
    number
        Largest number of challenges.
    open_pieces
        Number of pieces that are left to be placed. By default, clues are dropped at random until
        the challenge is minimal: without any one of its clues, it has several solutions. A
        challenge is discarded if the proof of this takes long.
    given
        The kind of clues. ``"pieces"``: placements. ``"open"``: units that stay open. ``"both"``:
        either kind. ``"colors"``: units to be covered, each showing the piece that covers it.
    symmetric
        Whether the part of the region that is left to be filled is symmetric. Clues that lie
        opposite each other are then dropped together.
    fewest
        Whether to return challenges with the fewest clues that leave one solution, and to prove
        that no fewer do. If the puzzle has too many solutions to list, each challenge has the
        fewest clues that leave its own solution.
    graded
        Whether to grade the challenges and return the easiest first: see `exactile.grade`.
    level
        Return only graded challenges of this level, from 1 to 6; None for any level. With a level
        and with pieces as clues, a random number of pieces is left to be placed, unless
        `open_pieces`, `symmetric` or `fewest` is used.
    seed
        Seed of random choices: equal seeds give equal challenges, except with several workers.
    workers
        Number of processes, each with a seed of its own.
    time_limit, limits
        Seconds, or shared limits in their place; after that, the answer so far is returned.
    watch
        Called with the progress, in words.

    Raises
    ------
    PuzzleError
        If the puzzle has no solution, cannot have such challenges, or has rules that grades do not
        support, or if some of the arguments exclude each other.
    WorkError
        If one of several processes died or failed, for example because a challenge is wrong.
    Interrupted
        After Ctrl-C; it has the answer so far.
    CheckFailedError
        If a challenge that this process made turns out to be wrong: a bug.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("tetrahexes-4x7")
    >>> found = exactile.design_challenges(puzzle, 3, seed=1)
    >>> [len(challenge.given) for challenge in found.challenges]
    [1, 1, 1]
    >>> exactile.design_challenges(puzzle, fewest=True).fewest
    1
    """
    if fewest and (symmetric or open_pieces is not None):
        raise PuzzleError("`fewest` excludes `symmetric` and `open_pieces`: leave them out.")
    if open_pieces is not None and given in ("open", "colors"):
        raise PuzzleError(
            "Open units, or colors, as clues leave all pieces open: leave out `open_pieces`."
        )
    if given == "colors" and (symmetric or graded or level is not None):
        raise PuzzleError(
            "Challenges by colors have no grade and no symmetric layout: leave out `graded`, "
            "`level` and `symmetric`."
        )
    limits = Limits.chosen(limits, time_limit)
    case, random = Case.of(puzzle), Random(seed)  # noqa: S311
    graded = graded or level is not None
    if graded:
        plain(case.puzzle, opened=given != "pieces")
    most = sum(piece.upper for piece in case.puzzle.pieces) - len(case.puzzle.fixed)
    if open_pieces is not None and open_pieces > most:
        raise PuzzleError(f"{case.puzzle.name} has at most {most} open pieces, not {open_pieces}.")
    if given == "open" and not case.puzzle.region.optional.any():
        raise PuzzleError(f"No unit of {case.puzzle.name} may stay open: give pieces.")
    asked = ChallengeSettings(number, open_pieces, given, symmetric, fewest, graded, level, random)
    return _Designing(case, asked, limits, watch, workers).run()


@door
def challenge_puzzle(
    puzzle: Puzzle, challenge: Challenge, name: str = "", title: str = ""
) -> Puzzle:
    """Return a challenge as a puzzle, which can be written to a file, solved or drawn.

    `name`, `title`: those of the result; by default, the name of the puzzle, and no title. Raise
    PuzzleError if the challenge does not fit the puzzle.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("tetrahexes-4x7")
    >>> challenge = exactile.design_challenges(puzzle).challenges[0]
    >>> exactile.count(challenge_puzzle(puzzle, challenge)).raw
    1
    """
    shown = units_from_coordinates(puzzle, [unit for _, unit in challenge.colors])
    return with_clues(
        puzzle,
        from_coordinates(puzzle, challenge.given),
        units_from_coordinates(puzzle, challenge.open_units),
        zip([piece for piece, _ in challenge.colors], shown, strict=True),
        name,
        title,
    )


def challenge_puzzles(puzzle: Puzzle, answer: ChallengeList) -> list[Puzzle]:
    """Return each challenge as a puzzle.

    The name of each ends with the number of the challenge. Its title states the number of pieces to
    place and, if it was graded, the level of difficulty in words.
    """
    title = puzzle.title or puzzle.name
    return [
        challenge_puzzle(
            puzzle,
            challenge,
            f"{puzzle.name}-challenge-{number}",
            f"{title}: {challenge.open_pieces} open"
            + (f", {challenge.word}" if challenge.word else ""),
        )
        for number, challenge in enumerate(answer.challenges, 1)
    ]


@dataclass(frozen=True)
class ChallengeSettings:
    """The arguments of `design_challenges` that describe the challenges."""

    number: int
    open_pieces: int | None
    given: str
    symmetric: bool
    fewest: bool
    graded: bool
    level: int | None
    random: Random


class Tried(NamedTuple):
    """A message from a worker: solutions tried since its last message, and a challenge if found."""

    attempts: int  # the number of these solutions
    found: FoundChallenge | None = None


class FoundChallenge(NamedTuple):
    """A challenge, the method that checked it, and two keys, for comparing and for sorting."""

    least: Clues  # the same for challenges that are equal up to symmetry
    effort: tuple[int, ...]  # larger for harder challenges; empty without a grade
    challenge: Challenge
    checked_by: str


@dataclass(frozen=True)
class DesignWork:
    """The puzzle and the settings of a design, to be sent to workers of an `exactile.work.Pool`."""

    puzzle: Puzzle
    asked: ChallengeSettings

    def start(self) -> Callable[[int, Callable[[Tried | str], None]], None]:
        """Return a function that designs challenges with a given seed and reports each one."""

        def run(seed: int, tell: Callable[[Tried | str], None]) -> None:
            asked = replace(self.asked, random=Random(seed))  # noqa: S311
            own = _Designing(Case(self.puzzle), asked, Limits(), lambda words: hand_on(None))
            reported = 0

            def hand_on(found: FoundChallenge | None) -> None:
                nonlocal reported
                attempts, reported = own.attempts - reported, own.attempts
                if attempts or found is not None:
                    tell(Tried(attempts, found))

            own.hand_on = hand_on
            try:
                own.run()
                hand_on(None)
            except PuzzleError as error:
                tell(str(error))

        return run


class _Designing:
    """A search for challenges of a puzzle, with those found so far."""

    def __init__(
        self,
        case: Case,
        asked: ChallengeSettings,
        limits: Limits,
        watch: Callable[[str], None] | None,
        workers: int = 1,
    ) -> None:
        self.case, self.asked, self.limits, self.workers = case, asked, limits, workers
        self.watch = watch or (lambda words: None)
        self.hand_on: Callable[[FoundChallenge | None], None] = lambda found: None
        self.begun = CLOCK.now()
        self.found: list[tuple[tuple[int, ...], Challenge]] = []  # each with its effort
        self.seen: set[Clues] = set()
        self.attempts = 0
        self.fewest: int | None = None
        self.tallies: dict[int, int] = {}
        self.counted_by: str | None = None
        self.checked_by = ""
        self.limits.begin()

    def run(self) -> ChallengeList:
        """Find challenges until there are enough, no more are found, or time is up; return them."""
        stopped = None
        try:
            self.case.prepare(self.limits, "symmetries", "action")
            self.language = Language(self.case, colored=self.asked.given == "colors")
            if not (self.asked.fewest and self._all()):
                stopped = self._design() if self.workers == 1 else self._design_apart()
            elif len(self.found) < self.asked.number:
                stopped = "all"
        except TimeoutError as reached:
            stopped = str(reached)
        except KeyboardInterrupt:
            raise Interrupted(self._answer(INTERRUPTED)) from None
        return self._answer(stopped)

    def _answer(self, stopped: str | None) -> ChallengeList:
        return ChallengeList(
            puzzle=self.case.name,
            stopped=stopped,
            challenges=tuple(found for _, found in sorted(self.found, key=itemgetter(0))),
            fewest=self.fewest,
            tallies=tuple(
                ClueTally(clues=clues, solutions=number)
                for clues, number in sorted(self.tallies.items())
            ),
            counted_by=self.counted_by,
            checked_by=self.checked_by,
            attempts=self.attempts,
            stats=Stats(seconds=round(CLOCK.now() - self.begun, 6)),
        ).of(self.case.puzzle)

    def _pool(self, most: int) -> tuple[KnownSolutions, list[Clues]]:
        """Return known solutions, and a list of one solution of each orbit.

        The list is empty if there are more than `most` solutions, or if the search takes too long.
        Raise PuzzleError if there is no solution, and TimeoutError if a limit is reached.
        """
        pool = KnownSolutions(self.language, self.limits, most)
        first = Representatives(self.case.action, "symmetry")
        apart: list[Clues] = []
        # Without a limit on solutions: with one, symmetric branches would be searched, too.
        with Search(self.case, limits=self.limits.rest(), backend=BY_NODES) as search:
            for rows in search.batches():
                nodes = search.counters.get("nodes") or 0
                if search.found > most or (nodes > LIST_NODES and not self.asked.fewest):
                    break
                solutions = self.language.solutions(rows)
                pool.add(solutions)
                new = first.new(rows).tolist()
                apart += [s for s, kept in zip(solutions, new, strict=True) if kept]
                self.watch(f"{search.found:,} solutions")
        if search.reason or (search.status.final and not search.found):
            raise PuzzleError(
                f"{self.case.name} has no solution"
                + (f": {search.reason}" if search.reason else " to make a challenge from.")
            )
        pool.complete = search.status.final and search.found <= most
        self.limits.require()
        return pool, apart if pool.complete else []

    def _design(self) -> str | None:
        """Make challenges from random solutions.

        Return None if there are enough challenges, or ``"attempts"`` if many solutions in a row
        gave no new challenge. Raise TimeoutError if a limit is reached or a random search finds no
        solution, and PuzzleError as `_pool` does.
        """
        pool, apart = self._pool(MOST_KNOWN)
        fruitless = 0
        for solution in self._solutions(pool, apart):
            self.limits.require()
            self.attempts += 1
            before = len(self.found)
            with suppress(GivenUpError):
                self._try(Rivals(pool, solution, self.asked.given))
            fruitless = 0 if len(self.found) > before else fruitless + 1
            if len(self.found) >= self.asked.number:
                return None
            if fruitless >= FRUITLESS:
                return ATTEMPTS
            self._tell()
        return ATTEMPTS

    def _design_apart(self) -> str | None:
        """Let several processes make challenges, each with its own seed.

        Result and errors are those of `_design`; also raise WorkError if a process died or failed.
        """
        seeds = [self.asked.random.randrange(2**31) for _ in range(self.workers)]
        work = DesignWork(self.case.puzzle, self.asked)
        with Pool(work, self.workers, lambda k, _: seeds[k], self.workers) as pool:
            for event in pool:
                self.limits.require()
                if event is None or (event.message is None and event.death is None):
                    continue
                if event.death is not None:
                    raise WorkError(f"A worker died: {event.death.cause}{event.death.tail}")
                message = event.message
                if isinstance(message, str):
                    raise PuzzleError(message)
                if message is None:
                    continue
                self.attempts += message.attempts
                self._tell()
                found = message.found
                if found is not None and found.least not in self.seen:
                    self.seen.add(found.least)
                    self.found.append((found.effort, found.challenge))
                    self.checked_by = found.checked_by
                if len(self.found) >= self.asked.number:
                    return None
        return ATTEMPTS

    def _tell(self) -> None:
        self.watch(f"{len(self.found):,} challenges, {self.attempts:,} solutions tried")

    def _solutions(self, pool: KnownSolutions, apart: list[Clues]) -> Iterator[Clues]:
        """Yield solutions in random order, without end.

        `apart`: all solutions up to symmetry, which are yielded again and again. If it is empty,
        random searches find solutions and add them to `pool`; raise TimeoutError if one finds none.
        """
        random = self.asked.random
        while apart:
            random.shuffle(apart)
            yield from apart.copy()
        while True:
            seed = random.randrange(2**31)
            # The exhaustive member of `first` would find the same one again and again
            backend = "first:chance" if pool.solutions else "first"
            with Search(
                self.case,
                backend=backend,
                limits=self.limits.rest(1),
                seed=seed,
                workers=1,  # the seed alone decides
            ) as search:
                found = [s for rows in search.batches() for s in self.language.solutions(rows)]
            if not found:
                raise TimeoutError(search.stopped or ATTEMPTS)
            pool.add(found)
            yield found[0]

    def _try(self, rivals: Rivals) -> None:
        """Make a challenge from a solution, and add it if it is new and as requested."""
        asked, random = self.asked, self.asked.random
        if rivals.other(rivals.all) is not None:  # even all clues leave another solution
            return
        if asked.fewest:
            chosen = rivals.fewest()
            assert chosen is not None
            self._add(rivals, chosen, fewest=True)
        elif asked.symmetric:
            for groups in symmetric_groups(rivals, random):
                random.shuffle(groups)
                mask = rivals.without_needless(sum(groups), groups, asked.open_pieces)
                if 0 < mask < rivals.all and self._fits(rivals, mask) and self._add(rivals, mask):
                    return
        else:
            number = rivals.pieces.bit_count()
            most = asked.open_pieces
            if asked.level is not None and most is None and asked.given == "pieces":
                most = random.randint(1, number)
            groups = list(bits(rivals.pieces & rivals.all if most else rivals.all))
            random.shuffle(groups)
            mask = rivals.without_needless(rivals.all, groups, most)
            if self._fits(rivals, mask) or (mask := self._with_open(rivals, number)):
                self._add(rivals, mask, needed=most is None)

    def _with_open(self, rivals: Rivals, number: int) -> int:
        """Return clues, as bits, that leave the requested number of pieces to place; 0 if none do.

        `number`: number of pieces of the solution.
        """
        assert self.asked.open_pieces is not None
        units = rivals.all & ~rivals.pieces
        wanted = number - self.asked.open_pieces
        chosen = rivals.at_most(wanted, units, self.asked.random) if wanted >= 0 else None
        if chosen is None:
            return 0
        rest = list(bits(rivals.pieces & ~chosen))
        missing = wanted - (chosen & rivals.pieces).bit_count()
        return chosen | sum(self.asked.random.sample(rest, missing))

    def _fits(self, rivals: Rivals, mask: int) -> bool:
        """Return whether the clues `mask` leave the requested number of pieces to place."""
        return self.asked.open_pieces in (None, (rivals.pieces & ~mask).bit_count())

    def _add(
        self, rivals: Rivals, mask: int, *, needed: bool = False, fewest: bool = False
    ) -> bool:
        """Check a challenge, raising CheckFailedError; add it if it is new and of the right level.

        Return whether it was added. `mask`: its clues, as bits. `needed`: add it only if each of
        its clues is known to be needed. `fewest`: whether it has the fewest possible clues.
        """
        clues = rivals.clues(mask)
        least = self.language.least_image(clues)
        if least in self.seen:
            return False
        self.seen.add(least)
        puzzle = self.case.puzzle
        solution = (*puzzle.fixed, *self.language.placements(rivals.solution))
        stated = self.language.challenge(clues)
        grade = self._grade(stated) if self.asked.graded else None
        if self.asked.level not in (None, grade and grade.level):
            return False
        witnesses = rivals.witnesses(mask)
        if needed and witnesses is None:
            return False
        self.checked_by = require_one(stated, solution, self.limits)
        if witnesses is not None:
            require_minimal(self.language, clues, rivals.solution, witnesses)
        effort = (grade.level or 0, grade.choices, len(grade.steps)) if grade else ()
        units = puzzle.region.units[list(self.language.open_units(clues))].tolist()
        found = Challenge(
            given=in_coordinates(puzzle, self.language.placements(clues)),
            open_units=units_in_coordinates(puzzle, map(tuple, units)),
            colors=tuple(
                (piece, units_in_coordinates(puzzle, [unit])[0])
                for piece, unit in self.language.colors(clues)
            ),
            solution=in_coordinates(puzzle, sorted_solution(solution, puzzle.piece_index)),
            open_pieces=len(solution) - len(stated.fixed),
            minimal=witnesses is not None,
            fewest=fewest,
            level=grade.level if grade else None,
            word=grade.word if grade else "",
        )
        self.found.append((effort, found))
        self.hand_on(FoundChallenge(least, effort, found, self.checked_by))
        self._tell()
        return True

    def _grade(self, puzzle: Puzzle) -> Grade | None:
        """Return the grade of a challenge.

        Return None if the challenge cannot be graded, for example because its clues do not
        determine which units stay uncovered. Raise TimeoutError if a limit is reached.
        """
        try:
            grade = graded_by(puzzle, most_choices=MOST_CHOICES, limits=self.limits.rest())
        except PuzzleError:
            return None
        if grade.level is None:
            raise TimeoutError(grade.stopped or "")
        return grade

    def _all(self) -> bool:
        """Find how many clues each solution needs; make challenges from those that need the fewest.

        Return False, without challenges, if there are too many solutions to list.
        """
        pool, apart = self._pool(MOST_FEWEST)
        if not pool.complete:
            return False
        needed: dict[Clues, int] = {}
        for number, solution in enumerate(apart, 1):
            self.attempts = number
            self.watch(f"{number:,} of {len(apart):,} solutions up to symmetry")
            chosen = Rivals(pool, solution, self.asked.given).fewest()
            if chosen is not None:
                needed[solution] = chosen.bit_count()
        self.tallies = dict(sorted(Counter(needed.values()).items()))
        if not needed:
            return True
        fewest = min(self.tallies)
        self._require_fewest(pool, fewest)
        self.fewest = fewest
        least = [solution for solution, size in needed.items() if size == fewest]
        self.asked.random.shuffle(least)
        for solution in least:
            rivals = Rivals(pool, solution, self.asked.given)
            for mask in hitting_sets(minimal(rivals.differences), fewest):
                self._add(rivals, mask, fewest=True)
                if len(self.found) >= self.asked.number:
                    return True
        return True

    def _require_fewest(self, pool: KnownSolutions, fewest: int) -> None:
        """Check by separate code that fewer than `fewest` clues always leave several solutions.

        If memory allows, the number of known solutions is checked as well, and `counted_by` is set.
        Raise CheckFailedError if this number is wrong, or if fewer clues suffice.
        """
        rows = pool.rows(self.asked.given)
        if fewest and not all_shared(rows, fewest - 1, pulse=self.limits.require):
            raise CheckFailedError(
                f"Fewer than {fewest} clues leave one solution of {self.case.name}, contrary to "
                "what was found. This is a bug in Exactile: please report it."
            )
        counted, method = counted_apart(self.case.puzzle, self.limits)
        if counted not in (None, len(rows)):
            raise CheckFailedError(
                f"{self.case.name} has {counted:,} solutions when counted, and {len(rows):,} when "
                "listed. This is a bug in Exactile: please report it."
            )
        self.counted_by = method or None
