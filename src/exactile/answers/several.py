"""The answers about several puzzles: one for each puzzle, or its error."""

from __future__ import annotations

from exactile.answers.base import Answer
from exactile.answers.facts import PuzzleFacts
from exactile.answers.search import Count, SolutionList, Verdict


class FailedPuzzle(Answer, frozen=True, kw_only=True):
    """A puzzle without an answer, and the error, in words."""

    puzzle: str
    error: str


class CountTable(Answer, frozen=True, kw_only=True):
    """The counts of several puzzles.

    Attributes
    ----------
    finished
        Whether every puzzle was searched or refused; False after Ctrl-C.
    answers
        The answers, in the order of the puzzles.
    failed
        The puzzles with errors.
    """

    finished: bool
    answers: tuple[Count, ...]
    failed: tuple[FailedPuzzle, ...] = ()


class SolutionTable(Answer, frozen=True, kw_only=True):
    """The solutions of several puzzles.

    Attributes
    ----------
    finished, answers, failed
        See `CountTable`.
    """

    finished: bool
    answers: tuple[SolutionList, ...]
    failed: tuple[FailedPuzzle, ...] = ()


class VerdictTable(Answer, frozen=True, kw_only=True):
    """Whether several puzzles have solutions.

    Attributes
    ----------
    finished, answers, failed
        See `CountTable`.
    """

    finished: bool
    answers: tuple[Verdict, ...]
    failed: tuple[FailedPuzzle, ...] = ()


class FactsTable(Answer, frozen=True, kw_only=True):
    """The descriptions of several puzzles.

    Attributes
    ----------
    finished, answers, failed
        See `CountTable`.
    """

    finished: bool
    answers: tuple[PuzzleFacts, ...]
    failed: tuple[FailedPuzzle, ...] = ()
