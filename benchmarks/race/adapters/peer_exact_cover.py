"""exact-cover: dancing links in C on a dense matrix."""

# requires: exact-cover==1.5.0

import exact_cover
from instance import Instance, main


def count(matrix: object) -> int:
    """Count all solutions."""
    return int(exact_cover.get_solution_count(matrix))


main(Instance.matrix, count)
