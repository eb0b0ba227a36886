"""Reading the puzzle that a command line states: by its name, or by --pieces with a region.

The region is given by --box or --drawing. The options --fix and --allow-crossing change the puzzle.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from io import StringIO
from itertools import product
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click
from click import get_current_context
from click.core import ParameterSource

from exactile.cli import words
from exactile.errors import PieceError, suggestion

if TYPE_CHECKING:
    from exactile.cli.model_file import ModelFile
    from exactile.files.reading import NamedPuzzle
    from exactile.puzzle import Puzzle

INLINE = "exactile.inline"
"""Key, in ``meta`` of click's context, of the values of --pieces, --box, --drawing, --lattice."""

FIXED = "exactile.fixed"
"""Key, in ``meta`` of click's context, of the values of --fix."""

MOVED = "exactile.moved"
"""Key, in ``meta`` of click's context, of the value of FILE if it was parsed as PUZZLE."""

CROSSING = "exactile.crossing"
"""Key, in ``meta`` of click's context, of the value of --allow-crossing."""

SIDE = r"[1-9]\d{0,17}(?:\.\.[1-9]\d{0,17})?"
SIDES = re.compile(rf"{SIDE}([xX×]{SIDE})+")
"""Pattern of a value of --box: a box such as ``10x6``, or several, such as ``5x1..20``."""

MOST_BOXES = 2_500
"""Largest number of boxes that one option may state."""


def _record(context: click.Context, parameter: click.Parameter, value: Any) -> None:
    if value is not None:
        context.meta.setdefault(INLINE, {})[parameter.name] = value


def _sides(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    """Record the sides of --box in the context: integers for one box, ranges for several.

    Raise click.BadParameter if the value is not a box.
    """
    if value is None:
        return
    how = f"{value!r}: write 10x6, or 3x4x5 in space; 5x1..20 are several boxes."
    if not SIDES.fullmatch(value):
        raise click.BadParameter(how, context, parameter)
    ends = [[int(end) for end in side.split("..")] for side in re.split("[xX×]", value)]
    sides = [range(end[0], end[-1] + 1) for end in ends]
    if not all(sides):
        raise click.BadParameter(how, context, parameter)
    several = any(end[1:] for end in ends)
    _record(context, parameter, sides if several else [end[0] for end in ends])


def _option(*names: str, callback: Callable[..., None] = _record, **how: Any) -> Callable[..., Any]:
    return click.option(*names, callback=callback, expose_value=False, is_eager=True, **how)


def _stated_by(box: str) -> list[Callable[..., Any]]:
    """Return the options --pieces, --box, --drawing, --lattice, --fix; `box`: help about --box."""
    return [
        _option(
            "--pieces",
            metavar="PIECES",
            help="State a puzzle in place of PUZZLE, with --box or --drawing. PIECES is a set such "
            "as pentominoes, or a list such as 2xtetrominoes,X (two of each tetromino, and an X).",
        ),
        _option(
            "--box",
            metavar="AxB",
            callback=_sides,
            help=f"Region for --pieces: {box}.",
        ),
        _option(
            "--drawing",
            type=click.Path(exists=True, dir_okay=False, allow_dash=True),
            metavar="FILE",
            help="Region for --pieces: a text file with # for each cell to cover, and letters "
            "where pieces are already placed.",
        ),
        _option(
            "--lattice",
            metavar="NAME",
            shell_complete=words.lattices,
            help="Lattice of --pieces, needed only if their names do not determine it.",
        ),
        _option(
            "--fix",
            multiple=True,
            callback=lambda context, _, value: context.meta.update({FIXED: value}),
            metavar="PIECE@UNITS|FILE",
            help="Require a placement: 'X@2,1 1..3,2 2,3' puts piece X on 2,1 1,2 2,2 3,2 2,3. "
            "With the word `or` between several places, as in 'X@UNITS or UNITS', at least one of "
            "them is required. FILE is a drawing; all placements in it are required. May be "
            "repeated.",
        ),
    ]


def _argument(metavar: str, callback: Callable[..., Any], **how: Any) -> Callable[..., Any]:
    return click.argument(
        "puzzle",
        metavar=metavar,
        required=False,
        callback=callback,
        shell_complete=words.puzzles,
        **how,
    )


OPTIONS = [
    _argument("PUZZLE", lambda *given: reference(*given)),
    *_stated_by("a box such as 10x6 or 3x4x5"),
]
"""The argument PUZZLE, and the options that may replace it, for commands that take one puzzle."""

STATED = OPTIONS[1:]
"""The options of `OPTIONS` without the argument PUZZLE."""

BOXES = [
    OPTIONS[0],
    *_stated_by("a box such as 10x6 or 3x4x5; or several: 5x1..20 means 5x1 to 5x20"),
]
"""As `OPTIONS`, but --box may state several boxes."""

SEVERAL = [_argument("PUZZLE...", lambda *given: references(*given), nargs=-1), *BOXES[1:]]
"""As `BOXES`, but PUZZLE may also be repeated."""


def reference(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Return the value of PUZZLE, or ``"--pieces"`` if options state the puzzle.

    If options state the puzzle, and the command has an argument FILE, the first word is FILE, not
    PUZZLE: see `move_file`. Raise click.UsageError if PUZZLE and options both state a puzzle, if
    neither does, or if the options state only a part of one; while a shell completes a command
    line, return None if neither does.
    """
    given = context.meta.get(INLINE, {})
    if "pieces" in given and any(each.name == "file" for each in context.command.params):
        context.meta[MOVED], value = value, None
    if value is not None and given:
        if "pieces" not in given:
            raise click.UsageError(
                f"--{next(iter(given))} goes with --pieces, not with PUZZLE: if '{value}' are "
                f"pieces, write --pieces {value}."
            )
        raise click.UsageError("PUZZLE and --pieces exclude each other: leave one of them out.")
    if value is not None or context.resilient_parsing:
        return value
    if not given:
        raise click.MissingParameter(ctx=context, param=parameter)
    if "pieces" not in given or ("box" in given) == ("drawing" in given):
        raise click.UsageError("Without PUZZLE, give --pieces and either --box or --drawing.")
    return "--pieces"


def move_file(context: click.Context) -> None:
    """Set the argument FILE to the value that was parsed as PUZZLE, if options state the puzzle.

    Raise click.UsageError if FILE has a value of its own.
    """
    if (value := context.meta.get(MOVED)) is None:
        return
    if context.params["file"] is not None:
        raise click.UsageError("PUZZLE and --pieces exclude each other: leave one of them out.")
    file = next(each for each in context.command.params if each.name == "file")
    context.set_parameter_source("file", ParameterSource.COMMANDLINE)
    context.params["file"] = file.process_value(context, (value,) if file.nargs < 0 else value)


def by_options() -> bool:
    """Return whether options state a puzzle; raise click.UsageError if they state only a part."""
    context = get_current_context()
    return bool(_given(INLINE)) and bool(reference(context, context.command.params[0], None))


def references(
    context: click.Context, parameter: click.Parameter, value: tuple[str, ...]
) -> str | tuple[str, ...] | None:
    """Return the values of PUZZLE: several as a tuple, one or none as `reference` does.

    Raise click.UsageError as `reference` does, and if a value after the first is the size of a box,
    such as ``10x6``.
    """
    for word in value[1:]:
        if SIDES.fullmatch(word) and not Path(word).exists():
            raise click.UsageError(
                f"Got unexpected extra argument ({word}): if it is a box, write --pieces "
                f"{value[0]} --box {word}."
            )
    first = reference(context, parameter, value[0] if value else None)
    return value if value[1:] else first


def subject(word: str, *, models: bool = False) -> Puzzle | ModelFile:
    """Return the puzzle or the model file that the argument PUZZLE of a command names.

    --fix and --allow-crossing are applied to a puzzle. `word`: the argument, or ``"--pieces"`` if
    options state the puzzle. `models`: whether the command accepts model files.
    """
    from exactile.files.reading import is_model_file

    if models and is_model_file(word):
        from exactile.cli.model_file import ModelFile

        return ModelFile.read(word)
    return read_puzzle(word)


def read_puzzle(word: str) -> Puzzle:
    """Return the puzzle that options state, or else the one that `word` names, as in `load`.

    --fix and --allow-crossing are applied to it. Errors are those of `load`, `stated` and `fixed`.
    """
    from exactile.files.reading import load

    given = _given(INLINE)
    return changed(stated(**given) if given else load(word))


def changed(puzzle: Puzzle) -> Puzzle:
    """Return a puzzle with --fix and --allow-crossing of the running command applied to it.

    If one of these options is given, the puzzle loses its published numbers. Errors are those of
    `fixed`.
    """
    puzzle = fixed(puzzle, _given(FIXED) or ())
    if may_cross():  # published numbers assume the crossing rule
        return replace(puzzle, crossing=False, known=())
    return puzzle


def may_cross() -> bool:
    """Return whether --allow-crossing lets pieces cross at vertices."""
    return bool(_given(CROSSING))


def _given(option: str) -> Any:
    """Return the value under a key, such as `FIXED`, in ``meta`` of click's context, or None."""
    context = get_current_context(silent=True)
    return context.meta.get(option) if context else None


def fixed(puzzle: Puzzle, placements: tuple[str, ...]) -> Puzzle:
    """Return a puzzle with further placements that are required, as --fix states them.

    Each text in `placements` has one of three forms: a placement, which every solution must
    contain; several places of a piece, joined by ``or``, of which at least one must be used; or the
    name of a file with a drawing. If `placements` is not empty, the puzzle loses its published
    numbers. Raise click.BadParameter if a text has no ``@`` and is not the name of a file,
    PuzzleError if units cannot be read, if the puzzle has no such piece, or if a place or a drawing
    does not fit it.

    >>> import exactile
    >>> puzzle = exactile.load("pentominoes-3x20")
    >>> fixed(puzzle, ("X@2,0 1..3,1 2,2",)).fixed[0].piece
    'X'
    >>> fixed(puzzle, ("X@2,0 1..3,1 2,2 or 3,0 2..4,1 3,2",)).use_rules[0].bounds
    'at least 1'
    """
    if not placements:
        return puzzle  # with its published numbers
    from exactile.files.letters import read_drawing
    from exactile.files.puzzles.piece_groups import listed
    from exactile.files.puzzles.units import internal
    from exactile.files.reading import exists
    from exactile.puzzle import Placement, UseRule

    more: list[Placement] = []
    rules: list[UseRule] = []
    for text in placements:
        piece, at, units = text.partition("@")
        if text == "-" or (exists(text) and Path(text).is_file()):
            more += (p for p in read_drawing(text, puzzle) if p not in puzzle.fixed)
            continue
        if not at:
            raise click.BadParameter(
                f"there is no file {text!r}: write PIECE@UNITS, such as 'X@2,1 1..3,2 2,3', or the "
                "name of a drawing."
            )
        if piece not in (names := [p.name for p in puzzle.pieces]):
            raise PieceError(
                f"The puzzle has no piece '{piece}'.{suggestion(piece, names)} Its pieces: "
                f"{listed(names)}."
            )
        places = [tuple(internal(place, puzzle.lattice)) for place in units.split(" or ")]
        if places[1:]:
            rules.append(UseRule((piece,), 1, None, tuple(places)))
        else:
            more.append(Placement(piece, places[0]))
    fixed_now = (*puzzle.fixed, *more)
    return replace(puzzle, fixed=fixed_now, use_rules=(*puzzle.use_rules, *rules), known=())


def puzzles() -> list[NamedPuzzle]:
    """Return the puzzles that --pieces states with --drawing or --box: one for each box.

    If there are several boxes, a box is left out if no choice of the pieces has its area, or if it
    equals an earlier box up to a motion that every piece permits. Raise PieceError if no box is
    left, click.UsageError if there are more than `MOST_BOXES`.
    """
    from exactile.files.reading import NamedPuzzle

    given = get_current_context().meta[INLINE]
    sides = given.get("box", ())
    if not _is_several(sides):
        return [NamedPuzzle("--pieces", "--pieces", partial(stated, **given))]
    from exactile.geometry.isometry import aspects
    from exactile.puzzle.pieces.piece import Freedom, motions
    from exactile.surveys.subsets.selection import area_fits, whole

    if (number := prod(map(len, sides))) > MOST_BOXES:
        raise click.UsageError(f"--box states {number:,} boxes: the limit is {MOST_BOXES:,}.")
    found: dict[bytes, NamedPuzzle] = {}
    for box in product(*sides):
        own = partial(stated, **{**given, "box": [*box]})
        puzzle = own()
        if area_fits(puzzle, whole(puzzle)):
            least = max((p.freedom for p in puzzle.pieces), key=list(Freedom).index)
            group = motions(puzzle.lattice, least)
            key = aspects(puzzle.region.units, group, puzzle.lattice.period)[0].tobytes()
            found.setdefault(key, NamedPuzzle(puzzle.name, puzzle.name, own))
    if not found:
        raise PieceError(
            f"No choice of the pieces {given['pieces']} has the size of one of these "
            f"{number:,} boxes."
        )
    return [*found.values()]


def _is_several(box: Sequence[int | range] | None) -> bool:
    """Return whether --box states several boxes, that is, whether a side is a range."""
    return any(isinstance(side, range) for side in box or ())


def stated(
    pieces: str,
    box: list[int] | None = None,
    drawing: str = "",
    lattice: str | None = None,
) -> Puzzle:
    """Return the puzzle that --pieces and --lattice state with either --box or --drawing.

    `box`: the sides. `drawing`: the file, or ``"-"`` for standard input; its letters are fixed
    placements. `lattice`: its name; None if the pieces determine it. Raise click.UsageError if a
    side is a range, PuzzleError if the pieces, the box or the drawing are wrong.

    >>> import exactile
    >>> stated("pentominoes", [10, 6]) == exactile.load("pentominoes-6x10")
    True
    """
    from exactile.files.letters import read_drawing, region_drawing
    from exactile.files.puzzles.document import make_puzzle
    from exactile.files.puzzles.piece_groups import lattice_of
    from exactile.files.sources import contents

    if _is_several(box):
        raise click.UsageError("--box states several boxes, but this command takes a single one.")
    source, drawn = ("", "") if box else contents(drawing)
    plain = region_drawing(drawn)
    region = {"box": box} if box else {"drawing": plain}
    size = "x".join(map(str, box)) if box else Path(source).stem
    name = re.sub(r"[^A-Za-z0-9._-]+", "-", f"{pieces}-{size}")
    grid = lattice or lattice_of(pieces, len(box or ()))
    if box:
        _require_sides(pieces, grid, len(box))
    puzzle = make_puzzle(pieces, lattice=grid, name=name, **region)
    if plain.split() == drawn.split():
        return puzzle
    return replace(puzzle, fixed=read_drawing(StringIO(drawn), puzzle, source), known=())


def _require_sides(pieces: str, grid: str, sides: int) -> None:
    """Raise PieceError if flat pieces come with a box of three sides, or solid ones with two.

    `grid`: the lattice of the pieces. `sides`: number of sides of the box.
    """
    from exactile.geometry import get_lattice

    right = get_lattice(grid).dimension
    if (right, sides) == (2, 3):
        raise PieceError(
            f"--box is in space, but --pieces {pieces} are flat, on the {grid} lattice: write "
            "--box AxB, or take pieces in space, such as solid-pentominoes or 30xdicube."
        )
    if (right, sides) == (3, 2):
        raise PieceError(
            f"--box has {sides} sides, but --pieces {pieces} are in space, on the {grid} lattice: "
            "write --box AxBxC."
        )
