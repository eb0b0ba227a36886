"""The verbs: search, solve, count, prove; and the handle they work with."""

from exactile.solve.search import Search, Status
from exactile.solve.verbs import Count, Verdict, count, prove, solve_one

__all__ = ["Count", "Search", "Status", "Verdict", "count", "prove", "solve_one"]
