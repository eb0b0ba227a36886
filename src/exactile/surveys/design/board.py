"""A puzzle as a person sees it: which placements are possible, and why others are ruled out.

A *place* is the number of a possible placement. Sets of places and sets of units are integers: bit
k is set if k belongs to the set. A *need* is a unit that must be covered, or a piece that must be
used.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import NamedTuple

import numpy as np

from exactile.answers import StepReason
from exactile.errors import PuzzleError
from exactile.files.puzzles.piece_groups import disconnected
from exactile.puzzle.puzzle import Placement, Puzzle
from exactile.puzzle.region import Region
from exactile.search.case import Case
from exactile.surveys.design.rivals import bits


class StepCause(NamedTuple):
    """A need, or the reason for a step in solving a puzzle.

    A need is of the kind ``"cell"`` or ``"piece"``. For the kinds of reasons, see
    `exactile.answers.GradeStep`. `unit`, `piece`: the number of the unit or piece that must be
    covered or used; None if the reason names none. `hole`: the units of a hole, as bits.
    `choices`: if the kind is ``"claim"``, the number of possible placements that can meet the need;
    otherwise 0.
    """

    kind: StepReason
    unit: int | None = None
    piece: int | None = None
    hole: int = 0  # units, as bits
    choices: int = 0  # number of places that can meet the need of a claim


class State:
    """A partly solved puzzle: the placements that were made, and those that are still possible.

    `live`: the places that are still possible, as bits. `uncovered`: the uncovered units, as bits;
    optional units are included. `used`: number of uses of each piece so far. `placed`: the places
    of the placements that were made, in this order.
    """

    __slots__ = ("live", "placed", "uncovered", "used")

    def __init__(self, live: int, uncovered: int, used: list[int], placed: list[int]) -> None:
        self.live, self.uncovered, self.used, self.placed = live, uncovered, used, placed

    def copy(self) -> State:
        """Return a copy; changes to the copy have no effect on this state."""
        return State(self.live, self.uncovered, [*self.used], [*self.placed])


class PersonBoard:
    """Finds the next steps in solving a puzzle as a person would.

    It knows the possible placements, the conflicts between them, and the neighbors of each unit.
    `puzzle`: a puzzle as `plain` returns it.

    Examples
    --------
    >>> import exactile
    >>> board = PersonBoard(plain(exactile.load("tetrahexes-4x7")))
    >>> state = board.start()
    >>> state.uncovered.bit_count(), board.contradiction(state), board.forced(state)
    (28, None, None)
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self.case = case = Case(puzzle)
        self.puzzle, model = puzzle, case.model
        choice = puzzle.omission.names if puzzle.omission else ()
        self.lower = [0 if p.name in choice else p.lower for p in puzzle.pieces]
        self.upper = [p.upper for p in puzzle.pieces]
        self.options = np.flatnonzero(model.places).tolist()
        number = {option: k for k, option in enumerate(self.options)}
        items: dict[int, int] = {}
        own: list[list[int]] = []
        for place, option in enumerate(self.options):
            own.append(model.option(option).tolist())
            for item in own[-1]:
                items[item] = items.get(item, 0) | 1 << place
        self.piece = model.piece_of[self.options].tolist()
        self.at_piece = [items.get(k, 0) for k in range(len(puzzle.pieces))]
        units = range(len(puzzle.region))
        self.at_unit = [items.get(model.meaning.item_of(u), 0) for u in units]
        self.units = [sum(1 << u for u in model.units_of(option)) for option in self.options]
        single = {item for item, upper in enumerate(model.upper.tolist()) if upper == 1}
        self.conflicts = []
        for each in own:
            mask = 0
            for item in single.intersection(each):
                mask |= items[item]
            self.conflicts.append(mask)
        self.required = sum(1 << u for u in units if not puzzle.region.optional[u])
        self.near = _neighbors(puzzle.region)
        self.sizes = [piece.order for piece in puzzle.pieces]
        self.whole = all(
            disconnected(piece.aspects[0], puzzle.lattice, quasi=False) is None
            for piece in puzzle.pieces
        )
        self.sums = cache(self._sums)
        self.given = [
            number[option]
            for option in np.flatnonzero(model.places).tolist()
            if case.decoder.placement(option) in set(puzzle.fixed)
        ]

    def placement(self, place: int) -> Placement:
        """Return the placement with the number `place`."""
        found = self.case.decoder.placement(self.options[place])
        assert found is not None
        return found

    def start(self) -> State:
        """Return the first state, in which only the fixed placements of the puzzle are made."""
        units = (1 << len(self.at_unit)) - 1
        state = State((1 << len(self.options)) - 1, units, [0] * len(self.sizes), [])
        for place in self.given:
            self.place(state, place)
        return state

    def removed(self, state: State, place: int) -> int:
        """Return, as bits, the placements that become impossible once placement `place` is made.

        Placement `place` itself is one of them.
        """
        piece = self.piece[place]
        full = state.used[piece] + 1 >= self.upper[piece]
        return self.conflicts[place] | 1 << place | (self.at_piece[piece] if full else 0)

    def place(self, state: State, place: int) -> None:
        """Make the placement with the number `place`, and change the state accordingly."""
        state.live &= ~self.removed(state, place)
        state.uncovered &= ~self.units[place]
        state.used[self.piece[place]] += 1
        state.placed.append(place)

    def solved(self, state: State) -> bool:
        """Return whether all required units are covered and all required pieces are used."""
        return not state.uncovered & self.required and not any(
            used < lower for used, lower in zip(state.used, self.lower, strict=True)
        )

    def needs(self, state: State) -> list[StepCause]:
        """Return the units that must still be covered, then the pieces that must still be used."""
        cells = [
            StepCause("cell", unit=bit.bit_length() - 1)
            for bit in bits(state.uncovered & self.required)
        ]
        pieces = [
            StepCause("piece", piece=piece)
            for piece, lower in enumerate(self.lower)
            if state.used[piece] < lower
        ]
        return [*cells, *pieces]

    def places(self, need: StepCause) -> int:
        """Return, as bits, all placements that cover the unit, or use the piece, named by `need`.

        Placements that are no longer possible are included.
        """
        if need.unit is not None:
            return self.at_unit[need.unit]
        assert need.piece is not None
        return self.at_piece[need.piece]

    def missing(self, state: State, need: StepCause) -> int:
        """Return the number of uses of a piece that are still required; 1 if the need is a unit."""
        return 1 if need.piece is None else self.lower[need.piece] - state.used[need.piece]

    def dead(self, state: State, live: int, beside: int | None = None) -> StepCause | None:
        """Return a required unit or piece with too few placements left; None if there is none.

        `live`: the placements that are possible, as bits. `beside`: a placement that counts as made
        in addition to those of the state.
        """
        for need in self.needs(state):
            mine = self.places(need)
            missing = self.missing(state, need)
            if beside is not None and mine >> beside & 1:
                missing -= 1
            if (live & mine).bit_count() < missing:
                return need
        return None

    def contradiction(self, state: State) -> StepCause | None:
        """Return an obvious reason why a state has no solution; None if there is none.

        Such a reason is a unit or piece with too few placements left, or a hole that no remaining
        pieces fill.
        """
        if (need := self.dead(state, state.live)) is not None:
            return need
        hole = self._hole(state.uncovered, state.uncovered, tuple(state.used))
        return StepCause("hole", hole=hole) if hole else None

    def forced(self, state: State) -> tuple[int, StepCause] | None:
        """Return a placement that must be made, with its reason; None if there is none.

        The reason is a unit that no other placement covers or, if there is no such unit, a piece
        that has only as many placements left as it has required uses.
        """
        for need in self.needs(state):
            left = state.live & self.places(need)
            if left.bit_count() == self.missing(state, need):
                return (left & -left).bit_length() - 1, need
        return None

    def holes(self, state: State) -> list[tuple[int, StepCause]]:
        """Return the placements that cut off a hole that no remaining pieces fill, with reasons.

        Only the sizes of holes and pieces are compared. The result is empty if a piece is
        disconnected.
        """
        found = []
        for place in map(int.bit_length, bits(state.live)):
            units, piece = self.units[place - 1], self.piece[place - 1]
            used = [*state.used]
            used[piece] += 1
            around = 0
            for bit in bits(units):
                around |= self.near[bit.bit_length() - 1]
            uncovered = state.uncovered & ~units
            if hole := self._hole(uncovered, uncovered & around, tuple(used)):
                found.append((place - 1, StepCause("hole", hole=hole)))
        return found

    def _hole(self, uncovered: int, begin: int, used: tuple[int, ...]) -> int:
        """Return a hole that no remaining pieces fill, as bits of its units; 0 if none is found.

        Only the size of a hole is compared with the sizes of the pieces; none is found if a piece
        is disconnected. `begin`: only holes with one of these units are tried. `used`: number of
        uses of each piece so far.
        """
        if not self.whole:
            return 0
        while begin:
            hole, front = 0, begin & -begin
            while front:
                hole |= front
                grown = 0
                for bit in bits(front):
                    grown |= self.near[bit.bit_length() - 1]
                front = grown & uncovered & ~hole
            least, most = (hole & self.required).bit_count(), hole.bit_count()
            if not self.sums(used) >> least & (1 << most - least + 1) - 1:
                return hole
            begin &= ~hole
        return 0

    def _sums(self, used: tuple[int, ...]) -> int:
        """Return the numbers of units that choices of the remaining pieces can cover, as bits."""
        most = (1 << len(self.at_unit) + 1) - 1
        sums = 1
        for size, upper, own in zip(self.sizes, self.upper, used, strict=True):
            for _ in range(min(upper - own, len(self.at_unit) // size)):
                more = (sums | sums << size) & most
                if more == sums:
                    break
                sums = more
        return sums

    def claims(self, state: State) -> list[tuple[int, StepCause]]:
        """Return placements to rule out, each with the need that it would leave unmet.

        A need is a unit still to be covered, or a piece still to be used. If all placements left
        for a need cover the same unit or take the last use of the same piece, no other placement
        may do so. Needs with the fewest placements left come first.
        """
        found: dict[int, StepCause] = {}
        for need in self.needs(state):
            mine = self.places(need)
            left = state.live & mine
            common, pieces = state.uncovered, set()
            for bit in bits(left):
                place = bit.bit_length() - 1
                common &= self.units[place]
                pieces.add(self.piece[place])
            taken = 0
            for bit in bits(common):
                taken |= self.at_unit[bit.bit_length() - 1]
            if len(pieces) == 1:
                (piece,) = pieces
                if state.used[piece] + 1 == self.upper[piece]:
                    taken |= self.at_piece[piece]
            number = left.bit_count()
            for bit in bits(taken & state.live & ~mine):
                found.setdefault(bit.bit_length() - 1, need._replace(kind="claim", choices=number))
        return sorted(found.items(), key=lambda pair: pair[1].choices)

    def ahead(self, state: State) -> list[tuple[int, StepCause]]:
        """Return placements after which too few are left for a unit or piece, with reasons."""
        found = []
        for bit in bits(state.live):
            place = bit.bit_length() - 1
            after = State(
                state.live & ~self.removed(state, place),
                state.uncovered & ~self.units[place],
                state.used,
                [],
            )
            if (need := self.dead(after, after.live, place)) is not None:
                found.append((place, need._replace(kind="ahead")))
        return found


def _neighbors(region: Region) -> list[int]:
    """Return the neighbors of each unit within the region, as bits."""
    lattice = region.lattice
    found = []
    for point, kind in zip(region.units, region.types.tolist(), strict=True):
        around = region.index(point + np.array(lattice.neighbors[kind]))
        found.append(sum(1 << int(u) for u in np.unique(around[around >= 0])))
    return found


def plain(puzzle: Puzzle, *, opened: bool = False) -> Puzzle:
    """Return a puzzle without the units that its open rules leave open, and without these rules.

    An open rule states how many of some units stay open. If the rules leave a choice of open units
    and `opened` is True, the undecided units stay optional. A puzzle without open rules is returned
    unchanged.

    Raise PuzzleError if the rules leave such a choice and `opened` is False, if all units stay
    open, or if the puzzle has rules about colors or about the use of pieces. Raise it also if
    pieces are omitted by choice, unless the number of units obviously determines how many: see
    `_counts_itself`.
    """
    region, rules = puzzle.region, puzzle.open_rules
    given = {unit for placement in puzzle.fixed for unit in placement.units}
    points = map(tuple, region.units.tolist())
    optional = {k for k, p in enumerate(points) if region.optional[k] and p not in given}
    left_open = set[int]()
    before = None
    while before != (len(optional), len(left_open)):
        before = len(optional), len(left_open)
        for rule in rules:
            units = set(region.index(np.array(rule.units)).tolist())
            known, free = len(units & left_open), units & optional
            if known == rule.most(region):
                optional -= free
            elif known + len(free) == rule.lower:
                left_open |= free
                optional -= free
    settled = not any(
        optional.intersection(region.index(np.array(rule.units)).tolist()) for rule in rules
    )
    what = (
        "rules about colors"
        if puzzle.color_rules
        else "rules about the use of pieces"
        if puzzle.use_rules
        else "a choice of open cells"
        if not (settled or opened)
        else "a choice of omitted pieces"
        if puzzle.omission is not None and (optional or not _counts_itself(puzzle))
        else ""
    )
    if what:
        raise PuzzleError(
            f"{puzzle.name} has {what}, which grades do not support: they are for puzzles in which "
            "any way to cover all cells with the pieces is a solution."
        )
    if not rules:
        return puzzle
    kept = [u for u in range(len(region)) if u not in left_open]
    if not kept:
        raise PuzzleError(f"All units of {puzzle.name} stay open: there is nothing to grade.")
    mask = np.array([u in optional for u in kept])
    left = Region(puzzle.lattice, region.places[kept], mask, region.wrap)
    return replace(puzzle, region=left, open_rules=(), known=())


def _counts_itself(puzzle: Puzzle) -> bool:
    """Return whether the number of omitted pieces obviously follows from the number of units.

    The puzzle has an omission, and no unit may be optional: the caller checks that. The number
    follows if the pieces to choose from have the same size, and every other piece is used a fixed
    number of times.
    """
    assert puzzle.omission is not None
    names = puzzle.omission.names
    orders = {puzzle.piece(name).order for name in names}
    fixed = all(piece.lower == piece.upper for piece in puzzle.pieces if piece.name not in names)
    return len(orders) == 1 and fixed
