"""The table of the options of each command, and the combinations of options that are refused.

An option that several commands share is declared once, by `click.option`. Rare options are not
shown by ``--help``. They are set by ``--set NAME=VALUE``, like the numbers of `exactile.tuning`, or
by ``--name VALUE``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import rich_click as click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from exactile.cli import common, inline, options, stored
from exactile.clock import CLOCK
from exactile.errors import SettingError
from exactile.tuning import (
    ARGUMENTS,
    TUNING,
    Tuning,
    environment_pairs,
    numbers_of,
    pairs_of,
    shown,
    table,
)

if TYPE_CHECKING:
    from exactile.answers import OptionEntry

Declared = Callable[[Callable[..., Any]], Callable[..., Any]]


class Bundle(NamedTuple):
    """A group of options that some commands share, such as those of all searches."""

    options: tuple[Declared, ...]  # their declarations, in the order of the help
    rare: str = ""  # the names of the rare ones, which --help does not show
    # Replaces their values by one argument of the command
    gather: Callable[[dict[str, Any]], dict[str, Any]] | None = None


BUNDLES = {
    "puzzle": Bundle((*inline.OPTIONS, options.crossing), "lattice allow_crossing"),
    "puzzles": Bundle((*inline.SEVERAL, options.crossing), "lattice allow_crossing"),
    "puzzle_or_boxes": Bundle((*inline.BOXES, options.crossing), "lattice allow_crossing"),
    "crossing": Bundle((options.crossing,), "allow_crossing"),
    "stated": Bundle((*inline.STATED, options.crossing), "lattice allow_crossing"),
    "find": Bundle((options.find_all(), options.limit())),
    "search": Bundle(
        (
            *(options.search_backend, options.time_limit()),
            *(options.workers(), options.quiet(), options.seed),
            *(options.ordered, options.encoding, options.use_symmetry),
            *(options.use_reasons, options.exit_code, options.counters),
        ),
        "seed ordered encoding use_symmetry use_reasons exit_code verbose",
        common.gathered,
    ),
    "model": Bundle(
        (
            *(options.model_backend, options.time_limit(), options.workers(options.LISTED)),
            *(options.quiet(), options.seed, options.exit_code),
        ),
        "seed exit_code",
    ),
    "store": Bundle((options.store, options.on), "on", stored.gathered),
    "parts": Bundle((options.parts,), "parts"),
    "resume": Bundle((*(options.on, options.many_workers, options.time_limit()), options.quiet())),
    "json": Bundle((options.as_json,)),
}
"""The bundles of shared options by name; `Offer` says which command has which."""


class Offer(NamedTuple):
    """The shared options of a command, the rare ones of its own options, and what PUZZLE may be."""

    groups: str  # names of `BUNDLES`
    rare: str = ""  # the names of its own options that are rare
    read: str = "puzzle"  # PUZZLE names a puzzle; or "model": a model file, too; "name": its word


TABLE = {
    "serve": Offer(""),
    "show": Offer("puzzles json"),
    "render": Offer("puzzle_or_boxes"),
    "sheet": Offer("puzzles", "columns backend paper"),
    "make": Offer("puzzle json", "bevel radius", read="name"),
    "solve": Offer(
        "puzzles find store parts search json",
        "columns exploded hint paper rotations sort workers",
        read="model",
    ),
    "count": Offer(
        "puzzles store parts search json",
        "memory proof_format rotations scratch workers",
        read="model",
    ),
    "takeapart": Offer("puzzle find store parts search json"),
    "sample": Offer("puzzle json", "columns scratch"),
    "estimate": Offer("puzzle json", "use_symmetry"),
    "subsets": Offer("crossing store json"),
    "classes": Offer("puzzle store search json", "backend pairs most shared"),
    "check": Offer("stated json"),
    "prove": Offer("puzzles store parts search json"),
    "coloring": Offer("puzzle json", "exit_code"),
    "explain": Offer("puzzle json", "exit_code"),
    "pack": Offer("puzzle json", "seed"),
    "verify-certificate": Offer("crossing json"),
    "resume": Offer("resume json", "exit_code"),
    "work": Offer("resume json"),
    "challenges": Offer("puzzle json", "seed symmetric workers"),
    "grade": Offer("puzzles json"),
    "boards": Offer("puzzles json"),
    "compare": Offer("crossing json", "use_symmetry seed shuffle on"),
    "export": Offer("puzzles", read="model"),
    "verify": Offer("json"),
    "tile": Offer("crossing json", "copies coronas effort color proofs shard exit_code"),
    "peg": Offer("find json", "memory pagoda use_reasons seed exit_code"),
    "sudoku": Offer("find model json", "backend workers"),
    "queens": Offer("model json"),
}
"""The shared options of each command.

A command that is not listed has only its own options, and no --set.
"""


class Rule(NamedTuple):
    """Options that exclude each other in some commands, or that need another option there.

    Each field except `why` is a string of words with blanks in between. A word is the name of a
    command or option, ``name=value|value`` for an option with one of these values, or ``word&word``
    if both must hold. ``model`` stands for a model file in place of a puzzle, ``several`` for
    several puzzles.
    """

    commands: str  # where this holds
    given: str  # if one of these is given,
    without: str = ""  # ... none of these may be given ...
    needs: str = ""  # ... and one of these must be given.
    only: str = ""  # if not empty, no other options may be given
    why: str = ""  # the reason, or what to do


RUNS = "solve count prove takeapart classes"

ALONE = "give a single puzzle, or leave the option out"
ONE_DOCUMENT = "--json prints one document"
PLAIN = "a store keeps plain searches"

RULES = (
    Rule(
        "solve count",
        "model",
        only="find_all limit backend time_limit workers quiet seed exit_code verbose as_json",
    ),
    Rule("solve", "several", "assemblable hint store on parts exit_code", why=ALONE),
    Rule("solve", "up_to=pieces", "several", why=ALONE),
    Rule(
        "count", "several", "by_pieces assemblable certificate store on parts exit_code", why=ALONE
    ),
    Rule("prove", "several", "certificate store on parts exit_code", why=ALONE),
    Rule("render", "several", "file number", why=ALONE),
    Rule("solve count prove show", "sort", needs="several"),
    Rule("export", "model", only="form encoding cubes output"),
    Rule("solve", "assemblable", "up_to hint", why="taking apart has a search of its own"),
    Rule(
        "count",
        "assemblable",
        "method memory scratch by_pieces certificate",
        why="taking apart has a search of its own",
    ),
    Rule("solve count", "rotations", needs="assemblable"),
    Rule("count prove", "proof_format", needs="certificate"),
    Rule("takeapart", "find_all", "limit number"),
    Rule("takeapart", "number", "limit"),
    Rule("takeapart", "picture", "find_all limit", why="-o draws one sequence"),
    Rule("takeapart", "store on", "file number picture", why="a store keeps searches"),
    Rule("solve sudoku peg", "find_all", "limit"),
    Rule("sudoku peg", "counted", "find_all limit"),
    Rule("queens", "counted", "find_all"),
    Rule(
        "solve sample solutions pieces queens sudoku peg challenges grade boards",
        "as_json",
        "form output",
        why=ONE_DOCUMENT,
    ),
    Rule("count prove show", "as_json", "table", why=ONE_DOCUMENT),
    Rule("solve count prove takeapart", "parts", needs="store"),
    Rule(RUNS, "store on", "seed ordered encoding", why=PLAIN),
    Rule("solve", "store on", "up_to hint", why=PLAIN),
    Rule("count", "store on", "memory scratch certificate", why=PLAIN),
    Rule("count", "store on", "method=memo", why=PLAIN),
    Rule("prove", "store on", "certificate memory", why=PLAIN),
    Rule("classes", "store on", "source", why=PLAIN),
    Rule("count", "method=frontier", "parts on", why="a frontier is not cut into parts"),
    Rule("count", "store&by_pieces on&by_pieces", "method", why=PLAIN),
    Rule("count", "method=memo|frontier", "backend", why="the method needs no backend"),
    Rule("prove", "proof_format=pbp", "backend", why="pbp is for proofs by a coloring"),
    Rule(
        "count",
        "certificate",
        "by_pieces method backend workers seed ordered encoding use_reasons memory scratch",
        why="a certificate has a search of its own",
    ),
    Rule(
        "solve",
        "store&find_all",
        "form columns output",
        why="show the solutions in the store by `exactile solutions`, which has these options",
    ),
    Rule("solve", "up_to=pieces", "hint form=svg|png|pdf|html"),
    Rule("solve", "up_to=pieces", "ordered use_symmetry", why="subsets have a search of their own"),
    Rule("classes", "number", needs="picture"),
    Rule("sudoku", "boxes windows", "jigsaw", why="the regions replace the boxes"),
    Rule("sudoku", "minimal proof_directory form=svg|png|pdf|xcc", "find_all limit counted"),
    Rule("sudoku", "minimal", "proof_directory form=svg|png|pdf|xcc"),
    Rule("sudoku", "proof_directory", "form=svg|png|pdf|xcc"),
    Rule("sudoku", "counted", "backend", why="a count has a search of its own"),
    Rule("peg", "by_moves", "shortest", needs="counted"),
    Rule(
        "peg",
        "holes",
        "as_json counted shortest find_all limit",
        why="--holes only shows the numbers of the holes",
    ),
    Rule(
        "peg",
        "form=boards|svg|png|pdf",
        "counted find_all limit",
        why="the format is for one solution",
    ),
    Rule("queens", "up_to", needs="find_all"),
    Rule(
        "queens", "form=svg|png|pdf|xcc", "counted find_all", why="the format is for one solution"
    ),
    Rule("queens", "counted", "output", why="--count prints numbers"),
    Rule("challenges", "fewest", "symmetric open_pieces", why="the fewest clues leave no choice"),
    Rule("challenges", "given=open|colors", "open_pieces", why="all pieces are open then"),
    Rule(
        "challenges",
        "given=colors",
        "graded level symmetric",
        why="challenges by colors have no grade and no symmetric layout",
    ),
    Rule("grade", "hinted", "form=svg|png|pdf", why="pictures show the steps anyway"),
    Rule("boards", "size", needs="sets"),
    Rule("boards", "symmetric", needs="cells"),
    Rule("subsets", "cells", "units"),
    Rule("subsets", "symmetric", needs="cells units"),
    Rule("pieces", "one_sided", "fixed"),
    Rule("pieces", "counted", "form=svg|png|pdf", why="--count prints a number"),
    Rule("pieces sheet", "cell", "columns", why="with --cell, a row holds as many as fit"),
    Rule("pieces", "cell", "as_json", why="--cell draws pages"),
    Rule("pieces", "paper colors", needs="cell"),
    Rule("render", "file", "empty"),
    Rule("render takeapart make", "number", needs="file"),
    Rule("make", "kerf radius", needs="sheet"),
    Rule(
        "tile",
        "order",
        "pieces units each least heesch",
        why="a census answers these questions for all polyforms",
    ),
    Rule("tile", "order", "disc proofs certificate", why="a census has many prototiles"),
    Rule("tile", "order", "color", why="the colors of a census say how each polyform tiles"),
    Rule("tile", "order", "exit_code", why="a census has many answers"),
    Rule("tile", "store shard workers", needs="order"),
    Rule("tile", "color", needs="output"),
    Rule("tile", "as_json", "output", why=ONE_DOCUMENT),
    Rule("tile", "units", "pieces"),
)
"""Combinations of options that commands refuse."""


class Command(click.RichCommand):
    """A subcommand with its own options and those that `TABLE` adds.

    `params`: its own options. `given`: further arguments of `click.Command`.
    """

    def __init__(self, name: str, params: list[click.Parameter], **given: Any) -> None:
        super().__init__(name, params=options.worded(name, params), **given)
        offer = TABLE.get(name)
        if offer is None:
            return
        groups = [BUNDLES[word] for word in offer.groups.split()]
        self.takes_several = not {"puzzles", "puzzle_or_boxes"}.isdisjoint(offer.groups.split())
        self.read = offer.read if "puzzle" in offer.groups else "name"
        self.gather = [group.gather for group in groups if group.gather]
        shared = {word: _declared(BUNDLES[word].options) for word in offer.groups.split()}
        last = shared.pop("json", [])
        rare = {*offer.rare.split(), *(word for group in groups for word in group.rare.split())}
        named = [each for word in [*shared] if "puzzle" in word for each in shared.pop(word)]
        first = [*named, *shared.pop("find", [])]
        others = (option for own in shared.values() for option in own)
        every = options.worded(name, first, self.params, others, last, _declared((set_option,)))
        self.params = [
            Setting(p) if isinstance(p, click.Option) and p.name in rare else p for p in every
        ]

    gather: list[Callable[[dict[str, Any]], dict[str, Any]]] = []  # noqa: RUF012  # none

    @property
    def settings(self) -> dict[str, Setting]:
        """The rare options of the command, which --set changes, by their names."""
        return {p.name: p for p in self.params if isinstance(p, Setting) and p.name}

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments, apply --set, and refuse combinations that `RULES` forbid."""
        try:
            rest = super().parse_args(ctx, args)
        except click.UsageError:
            self._require(ctx, expanded=False)  # its error may be clearer
            raise
        inline.move_file(ctx)
        if self.takes_several and not ctx.resilient_parsing:
            self._expand(ctx)
        self._require(ctx)
        return rest

    takes_several = False

    read = "name"
    """How a single PUZZLE is passed to the command: as a puzzle or as its name; see `Offer`."""

    def _expand(self, ctx: click.Context) -> None:
        """Replace PUZZLE by a list of `NamedPuzzle` if it means several puzzles.

        A single puzzle also becomes a list if a table was requested, or if the name of the output
        file contains ``{name}``.
        """
        from exactile.cli.several import NAME, meant

        given = ctx.params
        file = getattr(given.get("output"), "name", given.get("output") or "")
        table = given.get("table") is not None or given.get("form") == "csv" or NAME in file
        words = given["puzzle"]
        more = None if ctx.meta.get(inline.MOVED) else given.get("file")
        if isinstance(more, tuple):  # further puzzles of `render`
            words, given["file"] = (words, *more), None
            ctx.set_parameter_source("file", ParameterSource.DEFAULT)
        given["puzzle"] = meant(words, table=table)

    def _require(self, ctx: click.Context, *, expanded: bool = True) -> None:
        """Raise click.UsageError if a rule of this command is broken.

        `expanded`: whether PUZZLE, if it means several puzzles, is already a list of them. If not,
        rules that need several puzzles are skipped.
        """
        if not ctx.resilient_parsing:
            for rule in RULES:
                known = expanded or rule.needs != "several"
                if known and self.name in rule.commands.split():
                    _require(ctx, rule)

    def invoke(self, ctx: click.Context) -> Any:
        """Read the puzzle, and run the command; reading counts toward the time limit."""
        begun, given = CLOCK.now(), ctx.params
        given.pop("settings", None)
        for gather in self.gather:
            given = gather(given)
        if self.read != "name" and isinstance(word := given["puzzle"], str):
            given["puzzle"] = inline.subject(word, models=self.read == "model")
            if "time_limit" in given:  # otherwise in `Settings`, which have a clock
                given["time_limit"] = common.rest_of(given["time_limit"], begun)
        ctx.params = given
        return super().invoke(ctx)


def options_of(name: str) -> Callable[[Callable[..., Any]], Command]:
    """Return a decorator that turns a function into the command `name`, with options of `TABLE`."""
    return click.command(name, cls=Command)


def _declared(declarations: tuple[Declared, ...]) -> list[click.Parameter]:
    """Return the options that declarations such as `options.seed` make."""

    def function() -> None:
        """Do nothing; click attaches the options to this function."""

    for declare in reversed(declarations):
        declare(function)
    params: list[click.Parameter] = getattr(function, "__click_params__", [])
    return params[::-1]


class Setting(click.Option):
    """A rare option: set by --set NAME=VALUE, by the environment, or directly by --name VALUE.

    `option`: the option as it was declared.
    """

    def __init__(self, option: click.Option) -> None:
        vars(self).update(vars(option))
        self.option = option
        self.opts, self.hidden = [f"--set {self.name}"], True
        if option.is_flag:
            self.is_flag, self.default = False, False

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Add the declared option to a parser, so that ``--name VALUE`` works."""
        self.option.add_to_parser(parser, ctx)

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]
    ) -> tuple[Any, list[str]]:
        """Take the value from the command line or the environment.

        An error names the option as the user wrote it: ``--name`` or ``--set name``.
        """
        if opts.get(self.name or "") is not None:
            return self.option.handle_parse_result(ctx, opts, args)
        return super().handle_parse_result(ctx, opts, args)

    def consume_value(
        self, ctx: click.Context, opts: Mapping[str, Any]
    ) -> tuple[Any, ParameterSource]:
        """Return the value of the option and its source: --set, or else the environment.

        If neither sets the option, the value is its default.
        """
        words = opts.get("settings") or ()
        for word in reversed([*words] if isinstance(words, (list, tuple)) else []):
            name, _, value = word.partition("=")
            if name.strip() == self.name:
                return value.strip(), ParameterSource.COMMANDLINE
        if (value := environment_pairs().get(self.name or "")) is not None:
            return value, ParameterSource.ENVIRONMENT
        return super().consume_value(ctx, {})

    @property
    def otherwise(self) -> str:
        """The default as text, such as ``no``, ``4`` or ``none``."""
        value = self.to_info_dict()["default"]
        if isinstance(self.type, type(click.BOOL)):
            return "yes" if value else "no"
        return "none" if value is None else str(value)

    @property
    def values(self) -> str:
        """The possible values as text, such as ``yes|no`` or ``1 to 14``."""
        kind = self.type
        if isinstance(kind, click.Choice):
            return "|".join(map(str, kind.choices))
        if isinstance(kind, type(click.BOOL)):
            return "yes|no"
        if isinstance(kind, click.IntRange) and kind.max is not None:
            return f"{kind.min:,} to {kind.max:,}"
        if isinstance(kind, click.IntRange):
            return f"{kind.min:,} or more"
        return self.metavar or kind.name


def _set(ctx: click.Context, _: click.Parameter, words: tuple[str, ...]) -> tuple[str, ...]:
    """Check the values of --set, and change numbers of `exactile.tuning` until the command ends.

    Return the values unchanged, because rare options of the command also read them.
    """
    if ctx.resilient_parsing:
        return words
    assert isinstance(ctx.command, Command)
    try:
        pairs = pairs_of(words)
        changes = numbers_of(environment_pairs() | pairs)
    except SettingError as error:
        raise click.BadParameter(str(error)) from None
    for name in pairs:
        if name in ARGUMENTS and name not in ctx.command.settings:
            shown = next((p.opts[-1] for p in ctx.command.params if p.name == name), None)
            raise click.BadParameter(
                f"Write {shown}, which is an option of this command."
                if shown
                else f"`exactile {ctx.command.name}` has no use for {name}."
            )
    if changes:
        ctx.with_resource(TUNING.changed(**changes))
    return words


def _names(ctx: click.Context, _: click.Parameter, begun: str) -> list[CompletionItem]:
    """Return completions of --set: names of settings that begin with the letters `begun`."""
    own = ctx.command.settings if isinstance(ctx.command, Command) else {}
    names = sorted([*own, *Tuning.__dataclass_fields__])
    return [CompletionItem(f"{name}=") for name in names if name.startswith(begun)]


set_option = click.option(
    "--set",
    "settings",
    multiple=True,
    is_eager=True,
    callback=_set,
    metavar="NAME=VALUE",
    shell_complete=_names,
    help="Set a rarely needed option; `exactile help options` lists them, with their defaults.",
)


def _require(ctx: click.Context, rule: Rule) -> None:
    """Raise click.UsageError if the options of a command break a rule."""
    for word in rule.given.split():
        if not (spelled := _given(ctx, word)):
            continue
        why = f": {rule.why or 'leave one of them out'}"
        used = {*rule.only.split(), "puzzle", "settings"}
        for name in (p.name for p in ctx.command.params if rule.only and p.name not in used):
            if other := _given(ctx, name or ""):
                file = ctx.params["puzzle"]
                raise click.UsageError(f"{other} is for puzzles: {file} is a model.")
        for other in filter(None, (_given(ctx, w) for w in rule.without.split())):
            raise click.UsageError(f"{spelled} and {other} exclude each other{why}.")
        needed = rule.needs.split()
        if needed and not any(_may_be_given(ctx, w) for w in needed):
            names = " or ".join(_spelled(ctx, w) for w in needed)
            more = "more than one" if rule.needs == "several" else "that too"
            raise click.UsageError(f"{spelled} goes with {names}: give {more}.")


def _given(ctx: click.Context, word: str) -> str:
    """Return how a word of a `Rule` is written, such as ``--store``, if it was given; else ``""``.

    Words joined by ``&`` must all be given.
    """
    if "&" in word:
        both = [_given(ctx, each) for each in word.split("&")]
        return " and ".join(both) if all(both) else ""
    name, _, values = word.partition("=")
    if name == "model":
        from exactile.files.reading import is_model_file

        puzzle = ctx.params.get("puzzle")
        return "a model file" if isinstance(puzzle, str) and is_model_file(puzzle) else ""
    if name == "several":
        puzzles = ctx.params.get("puzzle")
        words = "a table" if isinstance(puzzles, list) else ""
        return _spelled(ctx, name) if words and len(puzzles or ()) > 1 else words
    if values:  # a format may also come from a file's extension
        value = ctx.params.get(name)
        return f"{_spelled(ctx, name)} {value}" if value in values.split("|") else ""
    given = ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
    return _spelled(ctx, name) if given else ""


def _may_be_given(ctx: click.Context, word: str) -> bool:
    """Return whether a word of a rule was given, or may have been given.

    The latter holds if an error ended the parsing before this option was parsed.
    """
    name = word.partition("=")[0]
    is_option = name not in {"model", "several"}
    return bool(_given(ctx, word)) or (is_option and ctx.get_parameter_source(name) is None)


def _spelled(ctx: click.Context, name: str) -> str:
    """Return how an option or argument is written: ``--store``, ``PUZZLE``."""
    if name == "several":
        return "several puzzles"
    parameter = next(p for p in ctx.command.params if p.name == name)
    return parameter.opts[-1] if isinstance(parameter, click.Option) else name.upper()


def listed(commands: Iterable[click.Command]) -> list[OptionEntry]:
    """Return the entries of `exactile help options`, sorted by name.

    These are the rare options of the given commands, and all numbers of `exactile.tuning`.
    """
    from exactile.answers import OptionEntry

    rows = [
        OptionEntry(
            name=row.name,
            default=shown(row.default),
            values=f"{shown(row.lowest)} to {shown(row.highest)}",
            words=row.what,
        )
        for row in table()
    ]
    rare = {
        name: setting
        for each in commands
        if isinstance(each, Command)
        for name, setting in each.settings.items()
    }
    rows += [
        OptionEntry(
            name=name, default=setting.otherwise, values=setting.values, words=ARGUMENTS[name]
        )
        for name, setting in rare.items()
    ]
    return sorted(rows, key=lambda row: row.name)
