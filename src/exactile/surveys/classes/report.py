"""Statistics of the classes of similar solutions, as in W. J. Hansen's paper.

The classes are the connected components of a graph: its nodes are the solutions, its edges the
transformations between them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Unpack

import numpy as np

from exactile.answers import SilhouetteTable, SilhouetteUse, SimilarityClasses
from exactile.doors import door
from exactile.puzzle import Puzzle
from exactile.puzzle.coordinates import in_coordinates
from exactile.search import Search
from exactile.search.limits import Limits
from exactile.search.search import Options
from exactile.surveys.classes.isometries import Isometries
from exactile.surveys.classes.silhouettes import Forms, Silhouette, silhouette_table
from exactile.surveys.classes.solutions import Solutions
from exactile.surveys.classes.transformations import (
    Kind,
    Transformation,
    transformations,
    usable_isometries,
)

if TYPE_CHECKING:
    import networkx as nx


def similarity_graph(
    solutions: Solutions, found: Iterable[Transformation], moved_by: Isometries
) -> nx.MultiGraph[int]:
    """Return the graph of solutions, numbered from 0, and the transformations between them.

    Nodes have the attribute ``placements``, in the customary coordinates. Edges have ``kinds``
    (numbers, see `Kind`), ``kind`` (the first of them), ``pieces`` (a list of one word, the joined
    names of the pieces that move; for an exchange, a word for each set), ``silhouette`` (the
    canonical form of their units), ``element`` (the number of the symmetry of the puzzle that is
    applied to the second solution), and ``isometry`` (that of the pieces, or of the first set of an
    exchange, as a dict of its ``matrix`` and ``shift``; None if ``kind`` is `Kind.PAIR`).
    `moved_by`: the isometries with which `found` was computed. Raise PuzzleError if the region's
    ends are joined with a reflection.

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
    """Return the classes of solutions that transformations connect, the largest first.

    `count`: number of solutions. `found`: transformations between them. `kinds`: the kinds to use.

    A class is a list of numbers of solutions in increasing order. Classes of equal size come in the
    order of their first solutions.

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


COMPARING = 0.8
"""Fraction of the time limit that comparing solutions may take.

The rest is for silhouettes and pictures.
"""


@dataclass(frozen=True, eq=False)
class Report:
    """The classes of a puzzle's solutions, and their statistics.

    `found`: the transformations. `classes`: the classes under transformations of all kinds, the
    largest first. `isometries`: those that may move more than one piece. `shared`, `complete`: see
    `classify`. `compared`: whether all solutions were compared in time. `remarks`: sentences about
    transformations that were left out, and about limits that were reached. `limits`: limits of the
    whole work, which includes the properties that are computed on first use.
    """

    solutions: Solutions
    found: list[Transformation]
    classes: list[list[int]]
    isometries: Isometries
    shared: int
    complete: bool | None
    compared: bool
    remarks: tuple[str, ...]
    limits: Limits

    @cached_property
    def by_kind(self) -> dict[Kind, int]:
        """For each kind, the number of classes under transformations of this and earlier kinds."""
        count = len(self.solutions)
        return {k: len(classes(count, self.found, [o for o in Kind if o <= k])) for k in Kind}

    @property
    def graph(self) -> nx.MultiGraph[int]:
        """The graph of the solutions and their transformations; see `similarity_graph`."""
        return similarity_graph(self.solutions, self.found, self.isometries)

    @property
    def edges(self) -> dict[Kind, int]:
        """The number of transformations of each kind; one of several kinds counts for the first."""
        counter = Counter(change.kind for change in self.found)
        return {kind: counter[kind] for kind in Kind}

    @property
    def pairs(self) -> dict[Kind, int]:
        """For each kind, the number of pairs of solutions with a transformation of this kind.

        A pair with transformations of several kinds counts only for the first.
        """
        least: dict[tuple[int, int], Kind] = {}
        for change in self.found:
            pair = (change.first, change.second)
            least[pair] = min(change.kind, least.get(pair, change.kind))
        counter = Counter(least.values())
        return {kind: counter[kind] for kind in Kind}

    @property
    def sizes(self) -> dict[int, int]:
        """The number of classes of each size, the smallest size first."""
        return dict(sorted(Counter(len(members) for members in self.classes).items()))

    @property
    def bushiness(self) -> list[tuple[int, int]]:
        """The numbers of solutions and transformations of each class, the largest class first."""
        number = {s: k for k, members in enumerate(self.classes) for s in members}
        inside = Counter(number[change.first] for change in self.found)
        return [(len(members), inside[k]) for k, members in enumerate(self.classes)]

    @cached_property
    def silhouettes(self) -> list[Silhouette] | None:
        """The silhouettes that move, see `silhouette_table`; None if a limit was reached first."""
        try:
            return silhouette_table(self.solutions, self.found, self.limits)
        except TimeoutError:
            return None

    @property
    def left_out(self) -> str:
        """A sentence that states why `silhouettes` is None; meaningless if it is not None."""
        return f"The silhouettes are left out: the {self.limits.reached()} came first."

    @cached_property
    def pairs_sharing(self) -> int | None:
        """The number of pairs of solutions that share at least `shared` placements.

        None if a limit was reached first. See the function `pairs_sharing`.
        """
        try:
            return pairs_sharing(self.solutions, self.shared, self.limits.require)
        except TimeoutError:
            return None

    @property
    def pairs_left_out(self) -> str:
        """A sentence that states why `pairs_sharing` is None; meaningless if it is not None."""
        return f"Pairs with placements in common are not counted ({self.limits.reached()})."

    def answer(self, *, pairs: bool = False, most: int = 10) -> SimilarityClasses:
        """Return the classes and their statistics as an answer.

        `pairs`: whether to include the number of pairs of solutions with placements in common.
        `most`: largest number of silhouettes to include for each kind; 0 for none.
        """
        silhouettes = self.silhouettes if most else None
        sharing = self.pairs_sharing if pairs else None
        left_out = [self.left_out] if most and silhouettes is None else []
        left_out += [self.pairs_left_out] if pairs and sharing is None else []
        by_size: dict[int, list[int]] = {}
        for size, inside in self.bushiness:
            by_size.setdefault(size, []).append(inside)
        return SimilarityClasses(
            puzzle=self.solutions.puzzle.name,
            solutions=len(self.solutions),
            symmetries=self.solutions.action.order,
            transformations={k.name.lower(): n for k, n in self.edges.items()},
            pairs={k.name.lower(): n for k, n in self.pairs.items()},
            classes_up_to={k.name.lower(): n for k, n in self.by_kind.items()},
            sizes={str(size): n for size, n in self.sizes.items()},
            transformations_per_solution={
                str(size): round(sum(n) / (size * len(n)), 3) for size, n in sorted(by_size.items())
            },
            classes=tuple(map(tuple, self.classes)),
            shared=self.shared,
            pairs_sharing=sharing,
            silhouettes=None
            if silhouettes is None
            else {k.name.lower(): _most_frequent(silhouettes, k, most) for k in Kind},
            complete=self.complete,
            compared=self.compared,
            remarks=(*self.remarks, *left_out),
        )


def _most_frequent(silhouettes: list[Silhouette], kind: Kind, most: int) -> SilhouetteTable:
    """Return the `most` silhouettes that one kind of transformation moves most often.

    The result also has the number of all silhouettes that the kind moves.
    """
    moved = [silhouette for silhouette in silhouettes if silhouette.kind == kind]
    return SilhouetteTable(
        silhouettes=len(moved),
        with_pieces=sum(len(s.pieces) for s in moved),
        most_frequent=tuple(
            SilhouetteUse(count=s.count, pieces=dict(s.pieces.most_common())) for s in moved[:most]
        ),
    )


def pairs_sharing(
    solutions: Solutions, least: int, pulse: Callable[[], None] = lambda: None
) -> int:
    """Count the pairs of a solution and an image of a later solution that share placements.

    A solution has an image under each symmetry of the puzzle, and each image counts, even if two
    are equal. `least`: least number of placements that a pair must share. `pulse`: called for each
    solution; an exception that it raises ends the count.

    Examples
    --------
    >>> import exactile
    >>> solutions = Solutions.of_search(exactile.Search(exactile.load("pentominoes-4x15")))
    >>> pairs_sharing(solutions, 2)
    30671
    """
    if len(solutions) < 2:
        return 0
    images = solutions.images.reshape(-1, solutions.rows.shape[1])
    order = np.argsort(images, axis=None, kind="stable")
    begins = np.searchsorted(images.ravel()[order], np.arange(solutions.model.options + 1))
    holders = order // images.shape[1]
    numbers = np.arange(len(images)) % max(1, len(solutions))
    total = 0
    for number, row in enumerate(solutions.rows):
        pulse()
        near = [holders[begins[o] : begins[o + 1]] for o in row[row >= 0]]
        shared = np.bincount(np.concatenate([*near, holders[:0]]), minlength=len(images))
        total += int(((shared >= least) & (numbers > number)).sum())
    return total


def classify(
    solutions: Solutions,
    *,
    shared: int = 2,
    complete: bool | None = None,
    watch: Callable[[float], None] | None = None,
    limits: Limits | None = None,
) -> Report:
    """Return the classes of similar solutions, with the transformations between them.

    `shared`: solutions are compared only if they share at least this many placements. `complete`:
    whether `solutions` has all solutions of the puzzle; None if unknown. `watch`: called with the
    fraction of the work that is done. `limits`: when to stop; comparing solutions may take the
    fraction `COMPARING` of the time. Raise PuzzleError if the region's ends are joined with a
    reflection.

    Examples
    --------
    >>> import exactile
    >>> solutions = Solutions.of_search(exactile.Search(exactile.load("pentominoes-5x12")))
    >>> len(classify(solutions).classes)
    291
    """
    limits = limits or Limits()
    remarks: list[str] = []
    seconds = limits.left
    comparing = limits.within(seconds and COMPARING * seconds)
    known = usable_isometries(solutions, comparing)
    found = transformations(
        solutions, shared=shared, moved_by=known, watch=watch, remarks=remarks, limits=comparing
    )
    compared = comparing.reached() is None
    if complete is False:
        remarks.append("The search was stopped: classes of the solutions found so far.")
    every = classes(len(solutions), found)
    notes = tuple(remarks)
    return Report(solutions, found, every, known, shared, complete, compared, notes, limits)


@door
def similarity_classes(
    puzzle: Puzzle,
    *,
    shared: int = 2,
    pairs: bool = False,
    most: int = 10,
    **options: Unpack[Options],
) -> SimilarityClasses:
    """Find all solutions of a puzzle, and sort them into classes of similar ones.

    Two solutions belong to the same class if transformations lead from one to the other: see
    `exactile.surveys.classes.transformations.transformations`.

    Parameters
    ----------
    puzzle
        The puzzle.
    shared
        Solutions are compared only if they share at least this many placements.
    pairs
        Whether to count the pairs of solutions that share at least `shared` placements.
    most
        Largest number of silhouettes in the answer for each kind of transformation; 0 for none.
    options
        Options of the search for the solutions; see `exactile.Search`. A `time_limit` is for the
        whole work; the search gets half of it.

    Raises
    ------
    PuzzleError
        If the region's ends are joined with a reflection, a limit is not positive, or a keyword
        argument is unknown.
    BackendError
        If the backend is unknown or not installed.
    UnfinishedError
        If time is up before the puzzle's model is made.

    Examples
    --------
    >>> import exactile
    >>> found = similarity_classes(exactile.load("pentominoes-3x20"))
    >>> found.solutions, found.complete
    (2, True)
    """
    seconds = options.pop("time_limit", None)
    limits = Limits(seconds).rest()
    search = Search(puzzle, limits=limits.within(seconds and seconds / 2), **options)
    solutions = Solutions.of_search(search)
    report = classify(solutions, shared=shared, complete=search.stopped is None, limits=limits)
    return report.answer(pairs=pairs, most=most)
