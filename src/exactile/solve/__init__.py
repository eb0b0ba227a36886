"""The verbs: search, solve, count, prove; and the handle they work with."""

from typing import TYPE_CHECKING

from exactile.answers import Count, Status, Verdict
from exactile.lazy import loader

if TYPE_CHECKING:
    from exactile.solve.search import Search
    from exactile.solve.verbs import count, find_solutions, solve_one
    from exactile.solve.verdict import prove

__all__ = ["Count", "Search", "Status", "Verdict", "count", "find_solutions", "prove", "solve_one"]

__getattr__ = loader(
    __name__,
    {
        "Search": "search",
        "count": "verbs",
        "prove": "verdict",
        "find_solutions": "verbs",
        "solve_one": "verbs",
    },
)
