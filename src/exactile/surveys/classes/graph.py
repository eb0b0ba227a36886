"""Solutions and transformations as a graph, and its classes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from exactile.puzzle.coordinates import in_coordinates
from exactile.surveys.classes.isometries import Isometries
from exactile.surveys.classes.silhouettes import Forms
from exactile.surveys.classes.solutions import Solutions
from exactile.surveys.classes.transformations import Kind, Transformation

if TYPE_CHECKING:
    import networkx as nx


def similarity_graph(
    solutions: Solutions, found: Iterable[Transformation], moved_by: Isometries
) -> nx.MultiGraph[int]:
    """Return the graph of solutions, numbered from 0, and the transformations between them.

    Nodes have the attribute ``placements``, in the customary coordinates. Edges have ``kind`` and
    ``kinds`` (numbers, see `Kind`), ``pieces`` (the names of those that move, or of both halves),
    ``silhouette`` (the canonical form of what they cover), ``element`` (the symmetry of the puzzle
    applied to the second solution), and ``isometry`` (the matrix and the translation, or None).

    Examples
    --------
    >>> import exactile
    >>> import networkx as nx
    >>> from exactile.surveys.classes.transformations import transformations
    >>> from exactile.surveys.classes.transformations import usable_isometries
    >>> solutions = Solutions.of_search(exactile.Search(exactile.load("pentominoes-5x12")))
    >>> isometries = usable_isometries(solutions)
    >>> found = transformations(solutions, moved_by=isometries)
    >>> graph = similarity_graph(solutions, found, isometries)
    >>> graph.number_of_nodes(), nx.number_connected_components(graph)
    (1010, 291)
    """
    import networkx as nx

    forms = Forms(solutions)
    graph: nx.MultiGraph[int] = nx.MultiGraph(puzzle=solutions.puzzle.name)
    for number in range(len(solutions)):
        graph.add_node(number, placements=in_coordinates(solutions.puzzle, solutions[number]))
    for change in found:
        parts = change.halves or (change.moved,)
        isometry = None
        if change.isometry is not None:
            matrix, shift = (
                a[change.isometry].tolist() for a in (moved_by.matrices, moved_by.shifts)
            )
            isometry = {"matrix": matrix, "shift": shift}
        graph.add_edge(
            change.first,
            change.second,
            kind=int(change.kind),
            kinds=sorted(int(kind) for kind in change.kinds),
            pieces=[forms.names(part) for part in parts],
            silhouette=[list(point) for point in forms.of(change.moved)],
            element=change.element,
            isometry=isometry,
        )
    return graph


def classes(
    count: int, found: Iterable[Transformation], kinds: Iterable[Kind] = tuple(Kind)
) -> list[list[int]]:
    """Return the classes of solutions under transformations of some kinds, the largest first.

    `count`: number of solutions. `found`: transformations between them. `kinds`: the kinds to use.

    The result: the solutions of each class in increasing order; classes of equal size in the order
    of their first solutions.

    Examples
    --------
    >>> change = Transformation(0, 2, 0, frozenset([Kind.PAIR]), (1, 2))
    >>> classes(3, [change]), classes(3, [change], [Kind.BLOCK])
    ([[0, 2], [1]], [[0], [1], [2]])
    """
    import networkx as nx

    wanted = frozenset(kinds)
    graph: nx.Graph[int] = nx.Graph()
    graph.add_nodes_from(range(count))
    graph.add_edges_from((c.first, c.second) for c in found if c.kinds & wanted)
    found_classes = [sorted(c) for c in nx.connected_components(graph)]
    return sorted(found_classes, key=lambda c: (-len(c), c[0]))
