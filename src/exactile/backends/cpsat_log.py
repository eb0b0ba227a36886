"""CP-SAT's log while it searches."""

from __future__ import annotations

import re
from typing import Any

from exactile.backends.child import Found
from exactile.work import Tell

LEFT = re.compile(r"#Model\s.* var:(\d+)/")
"""What CP-SAT writes into its log when bounds are closer."""


def listen(solver: Any, stats: dict[str, int], tell: Tell[Found]) -> None:
    """Report, between solutions, how many variables CP-SAT's bounds leave open.

    Several workers log that; one alone says nothing until it has a solution.
    """

    def heard(line: str) -> None:
        if (left := variables_left(line)) is not None:
            stats["variables_left"] = left
            tell(Found(None, dict(stats)))

    solver.parameters.log_search_progress = True
    solver.parameters.log_to_stdout = False
    solver.log_callback = heard


def variables_left(line: str) -> int | None:
    """Return how many variables are open, from a line of CP-SAT's log; None if it is of other news.

    Examples
    --------
    >>> variables_left("#Model   1.20s var:1861/1862 constraints:131/131")
    1861
    """
    found = LEFT.match(line)
    return int(found[1]) if found else None
