"""Output of `exactile peg`: lines, tables and boards."""

from __future__ import annotations

from collections.abc import Sequence

from exactile.answers import Status
from exactile.classics.peg.check import Solution
from exactile.classics.peg.picture import after
from exactile.classics.peg.play import PlayOutcome
from exactile.classics.peg.problem import PegProblem, written
from exactile.classics.peg.tally import PegTally
from exactile.render.tables import table


def name_of(problem: PegProblem) -> str:
    """Return the name of a start: the numbers of its empty holes.

    Examples
    --------
    >>> from exactile.classics.peg import load_board
    >>> name_of(PegProblem.vacancy(load_board("english"), 17))
    '17'
    """
    return ",".join(map(str, problem.empty_holes)) or "none"


def verdict(outcome: PlayOutcome) -> str:
    """Return why there is no solution to show, with the kinds of the reasons."""
    if outcome.status is Status.UNSOLVABLE:
        kinds = list(dict.fromkeys(reason.kind for reason in outcome.reasons))
        return f"no solution ({', '.join(kinds)})"
    return f"unknown ({outcome.stopped or 'nothing found'})"


def reasons_text(outcome: PlayOutcome) -> str:
    """Return the reasons for having no solution in full."""
    problem = outcome.problem
    texts = [reason.text(problem.board, problem.start) for reason in outcome.reasons]
    return "\n\n".join(["No solution.", *texts])


def boards_text(problem: PegProblem, solution: Solution) -> str:
    """Return the position before each move and at the end.

    Examples
    --------
    >>> from exactile.classics.peg import load_board
    >>> board = load_board("triangle-3")
    >>> print(boards_text(PegProblem(board, 0b011010, (0b010001,)), ((3, 0),)), end="")
    1.  4-1
      o
     # o
    # # o
    <BLANKLINE>
    end
      #
     o o
    o # o
    """
    position, parts = problem.start, []
    for number, move in enumerate(solution, start=1):
        parts.append(f"{number}.  {written((move,))}\n{problem.board.drawn(position)}\n")
        position = after(problem.board, position, move)
    return "\n".join([*parts, f"end\n{problem.board.drawn(position)}\n"])


def count_text(tallies: Sequence[PegTally]) -> str:
    """Return the numbers: a single one, or a table by starts."""
    if len(tallies) == 1 and tallies[0].by_moves is None:
        number = tallies[0].number
        return f"{number}\n" if number is not None else f"unknown ({tallies[0].stopped})\n"
    moves = sorted({k for t in tallies for k, n in enumerate(t.by_moves or ()) if n})
    fewest = any(t.moves is not None for t in tallies)
    head = ["empty hole", *(["fewest moves"] if fewest else []), *(f"{k} moves" for k in moves)]
    rows = [
        [
            name_of(t.problem),
            *([_shown(t.moves)] if fewest else []),
            *(_shown(t.by_moves[k] if t.by_moves else None) for k in moves),
            _shown(t.number),
        ]
        for t in tallies
    ]
    total = ["all", *([""] if fewest else [])]
    total += [_sum([t.by_moves[k] if t.by_moves else None for t in tallies]) for k in moves]
    rows.append([*total, _sum([t.number for t in tallies])])
    return table([*head, "solutions"], rows) + "\n"


def _shown(value: int | None) -> str:
    return "-" if value is None else f"{value:,}"


def _sum(numbers: Sequence[int | None]) -> str:
    known = [n for n in numbers if n is not None]
    return _shown(sum(known) if len(known) == len(numbers) else None)
