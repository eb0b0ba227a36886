"""What verbs return and ``--json`` prints: plain structures that can be written and read back."""

from exactile.answers.base import Answer, Coordinates, Placed, Placements, Stats, Status
from exactile.answers.search import Count

__all__ = [
    "Answer",
    "Coordinates",
    "Count",
    "Placed",
    "Placements",
    "Stats",
    "Status",
]
