"""Sizes, counters and seconds of an answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import msgspec


class Stats(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, repr_omit_defaults=True):
    """Sizes, counters and seconds of an answer; None if not counted, and then left out in JSON.

    Attributes
    ----------
    items, options
        Sizes of the model.
    symmetries
        Number of symmetries whose solutions were counted.
    clauses
        Clauses of the formula.
    nodes, updates
        Nodes visited by a search, and its updates. If nothing is listed, nodes are states.
    searches, attempts, solves
        Number of searches, attempts, and calls of a solver.
    conflicts, decisions, branches, propagations, restarts
        Counters of solvers; with each conflict they learn a clause.
    variables_left
        Number of variables that CP-SAT's bounds leave open.
    deterministic_ms
        Thousandths of CP-SAT's unit of work.
    lemmas
        Length of the proof.
    positions
        Positions of peg solitaire that were visited.
    levels_from_start, levels_from_goals
        Numbers of positions that are 0, 1, 2 ... moves from the start, or from a goal.
    states, edges, layers, levels
        Sizes of the memo, or of the lists of a frontier.
    bound
        An upper bound of the entries of these lists.
    bits, width
        Bits of a state.
    operations, bytes, bytes_written
        Sums computed by a frontier, its memory, and bytes written to disk.
    build_seconds, check_seconds, seconds
        Making the model; checking solutions; all else.
    other
        Counters of single backends.

    Examples
    --------
    >>> stats = Stats.of({"nodes": 7, "seconds": 0.5, "guesses": 3})
    >>> stats.nodes, stats["nodes"], stats.states, stats["guesses"]
    (7, 7, None, 3)
    >>> stats.by_name()
    {'nodes': 7, 'seconds': 0.5, 'guesses': 3}
    >>> Stats(nodes=7, seconds=0.5)
    Stats(nodes=7, seconds=0.5)
    """

    items: int | None = None
    options: int | None = None
    symmetries: int | None = None
    clauses: int | None = None
    nodes: int | None = None
    updates: int | None = None
    searches: int | None = None
    attempts: int | None = None
    solves: int | None = None
    conflicts: int | None = None
    decisions: int | None = None
    branches: int | None = None
    propagations: int | None = None
    restarts: int | None = None
    variables_left: int | None = None
    deterministic_ms: int | None = None
    lemmas: int | None = None
    positions: int | None = None
    levels_from_start: list[int] | None = None
    levels_from_goals: list[int] | None = None
    states: int | None = None
    edges: int | None = None
    layers: int | None = None
    levels: int | None = None
    bound: float | None = None
    bits: int | None = None
    width: int | None = None
    operations: int | None = None
    bytes: int | None = None
    bytes_written: int | None = None
    build_seconds: float | None = None
    check_seconds: float | None = None
    seconds: float | None = None
    other: dict[str, int | float | str | None] = {}

    @classmethod
    def of(cls, counters: Mapping[str, Any]) -> Self:
        """Return counters, given by name, as a structure."""
        known = {k: v for k, v in counters.items() if k in cls.__struct_fields__}
        return cls(**known, other={k: v for k, v in counters.items() if k not in known})

    def by_name(self) -> dict[str, Any]:
        """Return the counters that have a value, by name."""
        counted: dict[str, Any] = msgspec.to_builtins(self)
        other: dict[str, Any] = counted.pop("other", {})
        return counted | other

    def __getitem__(self, name: str) -> Any:
        return getattr(self, name) if name in self.__struct_fields__ else self.other[name]
