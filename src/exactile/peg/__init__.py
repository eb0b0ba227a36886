"""Peg solitaire: boards, searches, a Boolean model, proofs that a position cannot be reached."""

from exactile.peg.board import Board
from exactile.peg.boards import load_board
from exactile.peg.check import Solution, fault
from exactile.peg.find import Finder
from exactile.peg.limits import PegLimits
from exactile.peg.problem import PegProblem
from exactile.peg.search import count, shortest

__all__ = [
    "Board",
    "Finder",
    "PegLimits",
    "PegProblem",
    "Solution",
    "count",
    "fault",
    "load_board",
    "shortest",
]
