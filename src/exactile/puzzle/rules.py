"""Rules about the colors of whole pieces: pieces of one color keep apart, or form one group.

Two pieces touch if a unit of one is a neighbor of a unit of the other: cells that share a side,
edges that share an end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from exactile.errors import PieceError
from exactile.puzzle.number_rules import UseRule, require_names
from exactile.puzzle.pieces.piece import Piece

RuleKind = Literal["separated", "joined"]

MOST_JOINED = 10
"""Limit on joined pieces of one color: each one more doubles the number of two-part divisions."""


@dataclass(frozen=True)
class ColorRule:
    """A rule for the pieces of one color.

    Examples
    --------
    >>> ColorRule("joined", "red", ("C6", "F6")).text
    'red: C6 F6'
    """

    # "separated": no two of them touch. "joined": they are connected through pieces of the color
    # that touch.
    kind: RuleKind
    color: str  # its name, for people
    pieces: tuple[str, ...]  # their names

    def __post_init__(self) -> None:
        if isinstance(self.pieces, str):
            raise PieceError(f"The pieces of a color are a list of names, not {self.pieces!r}.")
        object.__setattr__(self, "pieces", tuple(self.pieces))

    @property
    def text(self) -> str:
        """The color and its pieces."""
        return f"{self.color}: {' '.join(self.pieces)}"


PieceRule = TypeVar("PieceRule", "ColorRule", UseRule)


def rules_of(piece: str, rules: Iterable[ColorRule | UseRule]) -> frozenset[int]:
    """Return the numbers of the rules that apply to a piece."""
    return frozenset(k for k, rule in enumerate(rules) if piece in rule.pieces)


def renamed(rules: Iterable[PieceRule], new_name: Mapping[str, str]) -> tuple[PieceRule, ...]:
    """Return rules in which pieces have new names, each once."""
    return tuple(
        replace(rule, pieces=tuple(dict.fromkeys(new_name.get(p, p) for p in rule.pieces)))
        for rule in rules
    )


def check_names(rules: Iterable[ColorRule], names: Sequence[str]) -> None:
    """Raise unless rules name pieces of the puzzle, each once."""
    for rule in rules:
        if rule.kind not in ("separated", "joined"):
            raise PieceError(f"There is no rule '{rule.kind}': write separated or joined.")
        require_names(f"{rule.kind}.{rule.color}", rule.pieces, names)


def check_joined(
    rules: Iterable[ColorRule], pieces: Mapping[str, Piece], may_be_omitted: Iterable[str]
) -> None:
    """Raise unless joined pieces are few, and each is used exactly once."""
    choice = set(may_be_omitted)
    for rule in (r for r in rules if r.kind == "joined"):
        if len(rule.pieces) > MOST_JOINED:
            raise PieceError(
                f"joined.{rule.color} has {len(rule.pieces)} pieces, which is too many: the limit "
                f"is {MOST_JOINED}."
            )
        for name in rule.pieces:
            uses = pieces[name].lower, pieces[name].upper
            if uses != (1, 1) or name in choice:
                why = (
                    "may be omitted"
                    if name in choice
                    else f"is used {uses[0]} to {uses[1]} times, congruent ones taken together"
                )
                raise PieceError(
                    f"Piece '{name}' cannot be in joined.{rule.color}: it {why}. Pieces that are "
                    "joined must each be used exactly once."
                )
