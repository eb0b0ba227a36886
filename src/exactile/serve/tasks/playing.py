"""Tasks for playing: whether a board can be finished, hints, challenges, peg solitaire, sudokus."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from exactile.answers import Status
from exactile.classics.grids.verbs import solve_sudoku
from exactile.classics.peg.board import Board, holes_of, load_board, named_boards
from exactile.classics.peg.problem import PegProblem, single_pegs
from exactile.classics.peg.search import PegLimits
from exactile.classics.peg.verbs import Play
from exactile.errors import PuzzleError
from exactile.puzzle.check import faults
from exactile.puzzle.coordinates import from_coordinates
from exactile.render.board import Numbered, in_numbers
from exactile.search import Search
from exactile.search.case import Case
from exactile.serve.tasks.puzzles import SearchAsked, Tell
from exactile.surveys.design.challenges import design_challenges

WAYS_NODES = 1_000_000
"""Largest number of nodes of a search that counts the ways to finish a board."""

MOST_WAYS = 1000
"""Largest number of ways to finish a board that is reported."""

MOVE_NODES = 4_000_000
"""Largest number of nodes of each search for pieces that must move."""


class Played(SearchAsked, frozen=True, kw_only=True):
    """A request about a puzzle with some pieces placed by a player.

    `time_limit`: seconds. `seed`: seed of random choices.
    """

    time_limit: float = 60.0
    seed: int = 0


class Challenged(Played, frozen=True, kw_only=True):
    """A request for a challenge: placements that leave exactly one solution."""

    # The number of pieces left open, or all if there are fewer; None for a minimal challenge
    open: int | None = None


def finish(asked: Played, tell: Tell) -> None:
    """Report whether the placed pieces can be completed to a solution, and in how many ways.

    In the event ``finish``, `possible` is None if this is unknown, and `solved` is true if the
    placed pieces are a solution already. The event ``ways`` has the number of ways, up to
    `MOST_WAYS`. This event is missing if there are none or the count would take too long.
    """
    case = asked.case
    with _search(case, asked) as search:
        solution = next(search, None)
    solved = solution is not None and not faults(case.puzzle, case.puzzle.fixed)
    tell(
        "finish",
        {"possible": _verdict(search.status), "solved": solved, "reason": search.reason},
    )
    if solution is None:
        return
    ways, all_found = _few(case, MOST_WAYS + 1, WAYS_NODES)
    if all_found or ways > MOST_WAYS:
        tell("ways", {"ways": min(ways, MOST_WAYS), "more": ways > MOST_WAYS})


def hint(asked: Played, tell: Tell) -> None:
    """Report a next placement; if there is no solution, report placed pieces that must move.

    If it is enough to move one placed piece, only that piece is reported; otherwise all placed
    pieces, or none if the searches do not show that moving all of them helps. `possible` in the
    event says whether the board can be finished; None if unknown.
    """
    case = asked.case
    with _search(case, asked) as search:
        solution = next(search, None)
    fits: list[Any] = []
    moves: list[Any] = []
    if solution is not None:
        there = set(case.puzzle.fixed)
        fits = in_numbers(case.puzzle, tuple(p for p in solution if p not in there)[:1])
    elif search.status is Status.UNSOLVABLE:
        moves = _moves(asked)
    tell("hint", {"fits": fits, "moves": moves, "possible": _verdict(search.status)})


def _moves(asked: Played) -> list[Numbered]:
    """Return the placed pieces to move so that the puzzle can be finished.

    That is a single one if this is enough, otherwise all. The list is empty if the searches, whose
    nodes are limited, do not show that moving all of them is enough.
    """
    known = len(asked.placed) > 1
    for number in reversed(range(len(asked.placed))):
        rest = (*asked.placed[:number], *asked.placed[number + 1 :])
        found, all_found = _few(msgspec.structs.replace(asked, placed=rest).case, 1, MOVE_NODES)
        if found:
            return [asked.placed[number]]
        known &= all_found
    nothing = msgspec.structs.replace(asked, placed=())
    return list(asked.placed) if known and _few(nothing.case, 1, MOVE_NODES)[0] else []


def challenge(asked: Challenged, tell: Tell) -> None:
    """Report a random challenge, chosen by the seed: placements that leave exactly one solution.

    If none with the requested number of open pieces is found, a minimal challenge is reported, in
    which every placement is needed. Raise PuzzleError if no challenge is found.
    """
    case = asked.case
    most = sum(piece.upper for piece in case.puzzle.pieces) - len(case.puzzle.fixed)
    wanted = asked.open if asked.open is None else min(asked.open, most)
    for open_pieces in dict.fromkeys((wanted, None)):  # if none: a minimal challenge
        found = design_challenges(
            case, open_pieces=open_pieces, seed=asked.seed, time_limit=asked.time_limit
        )
        if found.challenges:
            given = from_coordinates(case.puzzle, found.challenges[0].given)
            tell("challenge", {"placed": in_numbers(case.puzzle, given)})
            return
    raise PuzzleError("No solution was found in time to make a challenge of.")


def _few(case: Case, limit: int, nodes: int) -> tuple[int, bool]:
    """Return the number of solutions, up to a limit, and whether there are no others.

    If the native search needs more than `nodes` nodes, the result is (0, False). This limit, unlike
    a time limit, has the same effect on every machine.
    """
    with Search(case, limit=limit, use_symmetry=False) as search:
        for _ in search.batches():
            if (search.counters.get("nodes") or 0) > nodes:
                return 0, False
    return search.found, search.status.final


def _search(case: Case, asked: Played) -> Search:
    return Search(
        case,
        backend=asked.backend,
        limit=1,
        time_limit=asked.time_limit,
        seed=asked.seed,
        use_symmetry=False,
    )


def _verdict(status: Status) -> bool | None:
    return None if status is Status.UNKNOWN else status is not Status.UNSOLVABLE


SIZED = ("triangle-4", "triangle-5", "diamond-5", "hexagon-3")
"""Boards of peg solitaire that are offered besides the named boards; each is made by its size."""


class Pegs(msgspec.Struct, frozen=True):
    """A request about peg solitaire: a board, and the pegs on it."""

    board: str  # its name
    pegs: tuple[int, ...] = ()  # the holes with pegs, from 0; `peg` needs none
    time_limit: float = 20.0  # seconds


def _board(name: str) -> Board:
    if name not in (*named_boards(), *SIZED):  # `load_board` would read files, too
        raise PuzzleError(f"There is no board '{name}' here.")
    return load_board(name)


def peg(asked: Pegs, tell: Tell) -> None:
    """Report a peg solitaire board (holes, jumps, pegs at the start), and the names of all boards.

    Raise PuzzleError if there is no such board.
    """
    view = board_view(_board(asked.board))
    tell("board", {"boards": [*named_boards(), *SIZED], **view})


def board_view(board: Board) -> dict[str, object]:
    """Return data of a board: the places of its holes in the plane, jumps, pegs at the start."""
    places = np.array(board.holes) @ np.array(board.grid.embedding)
    start = board.full ^ 1 << _vacant(places) if board.start is None else board.start
    return {
        "places": places.tolist(),
        "jumps": board.jumps.tolist(),
        "pegs": [*holes_of(start)],
    }


def _vacant(places: npt.NDArray[np.float64]) -> int:
    """Return the number of the hole that is empty at first, for a board that states no start.

    This is the hole about which a half turn maps the board to itself, or hole 0 if there is none.

    Examples
    --------
    >>> _vacant(np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]])), _vacant(np.eye(2))
    (1, 0)
    """
    own = {tuple(place) for place in np.round(places, 6).tolist()}
    for hole, middle in enumerate(places):
        if {tuple(place) for place in np.round(2 * middle - places, 6).tolist()} == own:
            return hole
    return 0


def reachable(asked: Pegs, tell: Tell) -> None:
    """Report whether jumps can leave a single peg, and the next jump: its first and last hole.

    In the event, `possible` is None if this is unknown. `jump` is None if no jump is known or
    needed. `reasons` has the kinds of the reasons why jumps cannot do this, if any are known. Raise
    PuzzleError if there is no such board or hole.
    """
    board = _board(asked.board)
    if any(not 0 <= hole < board.size for hole in asked.pegs):
        raise PuzzleError(f"The board has {board.size} holes.")
    position = sum(1 << hole for hole in set(asked.pegs))
    problem = PegProblem(board, position, single_pegs(board, None))
    outcome = Play(problem, None, PegLimits(asked.time_limit)).run(1)
    known = outcome.status is not Status.UNKNOWN
    jump: Any = None
    if outcome.solutions and outcome.solutions[0]:
        jump = outcome.solutions[0][0][:2]
    kinds = sorted({reason.kind for reason in outcome.reasons})
    possible = bool(outcome.solutions) if known else None
    tell("reachable", {"possible": possible, "jump": jump, "reasons": kinds})


class Cells(msgspec.Struct, frozen=True):
    """A request about a sudoku: the cells row by row, dots for empty ones."""

    text: str


def sudoku(asked: Cells, tell: Tell) -> None:
    """Report whether a sudoku is unique, ambiguous or contradictory.

    The report contains up to two solutions, or the reason why there is none. Raise FileError if the
    text is not a sudoku.
    """
    verdict = solve_sudoku(asked.text)
    tell(
        "sudoku",
        {
            "kind": verdict.kind,
            "solutions": [verdict.sudoku.text(solution) for solution in verdict.solutions],
            "differing": verdict.differing,
            "reason": verdict.reason,
        },
    )
