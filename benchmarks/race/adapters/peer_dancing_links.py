"""dancing-links: Algorithms X and C in plain Python."""

# requires: dancing-links==0.0.3

import sys
from typing import Any

from dancing_links import algorithm_c, algorithm_x
from instance import Instance, main


def prepare(given: Instance) -> Any:
    """Link headers and nodes."""
    kind: Any = algorithm_x if given.colors is None else algorithm_c
    root = kind.Header(name="root")
    headers = [kind.Header(name=str(i)) for i in range(given.items)]
    for header in headers[: given.primary]:
        root.insert_left(header)
    for number, option in enumerate(given.options):
        nodes = [kind.Node(header=headers[i], name=str(i)) for i in option]
        for item, node in zip(option, nodes, strict=True):
            headers[item].insert_up(node)
            if node is not nodes[0]:
                nodes[0].insert_left(node)
        for node, color in zip(nodes, given.colors[number] if given.colors else [], strict=False):
            node.color = color
    return kind.AlgorithmX(root) if given.colors is None else kind.AlgorithmC(root)


def count(solver: Any) -> int:
    """Count all solutions."""
    return sum(1 for _ in solver.solutions())


sys.setrecursionlimit(100_000)  # it calls itself once for each option of a solution
main(prepare, count, colors=True)
