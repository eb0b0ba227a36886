"""exact-multiset-cover: a fork of exact-cover for multisets."""

# requires: exact-multiset-cover==1.5.1

import exact_multiset_cover
from instance import Instance, main


def count(matrix: object) -> int:
    """Count all solutions."""
    return int(exact_multiset_cover.get_solution_count(matrix))


main(Instance.matrix, count)
