"""dancing-links: Algorithm X in plain Python."""

# requires: dancing-links==0.0.3

from dancing_links.algorithm_x import AlgorithmX, Header, Node
from instance import Instance, main


def prepare(given: Instance) -> AlgorithmX:
    """Link headers and nodes."""
    root = Header(name="root")
    headers = [Header(name=str(i)) for i in range(given.items)]
    for header in headers[: given.primary]:
        root.insert_left(header)
    for option in given.options:
        nodes = [Node(header=headers[i], name=str(i)) for i in option]
        for item, node in zip(option, nodes, strict=True):
            headers[item].insert_up(node)
            if node is not nodes[0]:
                nodes[0].insert_left(node)
    return AlgorithmX(root)


def count(solver: AlgorithmX) -> int:
    """Count all solutions."""
    return sum(1 for _ in solver.solutions())


main(prepare, count)
