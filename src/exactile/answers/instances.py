"""The answers about the library of instances."""

from __future__ import annotations

from exactile.answers.base import Answer


class InstanceEntry(Answer, frozen=True, kw_only=True):
    """An instance of the library.

    Attributes
    ----------
    name, family
        Its name, and that of its family.
    answer
        ``"counted"`` (solvable, and the number of solutions is known), ``"satisfiable"``,
        ``"unsatisfiable"`` or ``"open"``.
    number
        The number of all solutions, if it is known.
    source
        The source of the answer; empty if it is open.
    units, pieces
        Number of units of the region, and of different pieces; None for a model.
    items, options
        Size of its model.
    symmetries
        Number of symmetries of the puzzle, with the identity; None for a model.
    density
        Fraction of all pairs of an item and an option in which the option contains the item.
    digest
        The identity of the puzzle or of the model.
    """

    name: str
    family: str
    answer: str
    number: int | None = None
    source: str = ""
    units: int | None = None
    pieces: int | None = None
    items: int = 0
    options: int = 0
    symmetries: int | None = None
    density: float = 0.0
    digest: str = ""


class InstanceFamily(Answer, frozen=True, kw_only=True):
    """A family of instances.

    Attributes
    ----------
    name, about
        Its name; what it consists of and why it is interesting.
    instances
        Its instances.
    """

    name: str
    about: str
    instances: tuple[InstanceEntry, ...]


class InstanceList(Answer, frozen=True, kw_only=True):
    """The library of instances, or a part of it.

    Attributes
    ----------
    families
        The families that have any of the instances.
    """

    families: tuple[InstanceFamily, ...]
