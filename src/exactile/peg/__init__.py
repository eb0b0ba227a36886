"""Peg solitaire: boards, searches, a Boolean model, proofs that a position cannot be reached."""

from exactile.peg.board import Board
from exactile.peg.boards import load_board
from exactile.peg.check import Solution, fault
from exactile.peg.problem import Problem
from exactile.peg.search import Limits, count, find, shortest

__all__ = [
    "Board",
    "Limits",
    "Problem",
    "Solution",
    "count",
    "fault",
    "find",
    "load_board",
    "shortest",
]
