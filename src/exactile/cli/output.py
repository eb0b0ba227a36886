"""Files that commands write, in formats that the extensions choose; printing of answers."""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, Literal, Self

import rich_click as click
from click.shell_completion import CompletionItem

from exactile.answers import TIME_LIMIT
from exactile.atomic import drafted, try_writing, written
from exactile.cli.main import undisturbed
from exactile.errors import ExactileError
from exactile.files.sources import PACKED

if TYPE_CHECKING:
    from exactile.answers import Answer
    from exactile.puzzle import Puzzle, Solution
    from exactile.search.limits import Limits


KEPT = (KeyboardInterrupt, SystemExit, ExactileError)
"""Exceptions after which an output file keeps the results so far."""


class Output:
    """An output file, or standard output, that is opened when something is first written.

    `name`: the file; ``"-"`` is standard output. `keep`: types of exceptions after which the file
    keeps the text written so far. After any other exception, the file is as it was before.

    >>> import tempfile
    >>> name = tempfile.mkdtemp() + "/a.txt"
    >>> with Output(name) as output:
    ...     _ = output.write("all of it")
    >>> Path(name).read_text()
    'all of it'
    """

    def __init__(self, name: str, keep: tuple[type[BaseException], ...] = ()) -> None:
        self.name = name
        self._keep = keep
        self._open = ExitStack()
        self._stream: IO[Any] | None = None

    def write(self, text: str | bytes) -> int:
        """Write text, or bytes (not both to one output); return how many characters or bytes."""
        if self._stream is None:
            mode: Literal["w", "wb"] = "wb" if isinstance(text, bytes) else "w"
            self._stream = self._open.enter_context(written(self.name, mode, self._keep))
        return self._stream.write(text)

    def flush(self) -> None:
        """Flush the text written so far."""
        if self._stream is not None:
            self._stream.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None:  # older versions of click do not pass it
            kind, error, trace = sys.exc_info()
        self._open.__exit__(kind, error, trace)


def print_json(answer: Answer) -> None:
    """Print an answer as JSON; the first Ctrl-C or SIGTERM takes effect only afterwards."""
    with undisturbed():
        click.echo(answer.to_json())


def print_answer(answer: Answer, lines: Iterable[str], *, as_json: bool) -> None:
    """Print an answer as JSON if `as_json` is set, or else the given lines."""
    if as_json:
        print_json(answer)
    else:
        click.echo("\n".join(lines))


def paints(output: Output) -> bool:
    """Return whether an output is a terminal on which colors may be used."""
    dull = os.environ.get("TERM") == "dumb" or os.environ.get("NO_COLOR")
    return output.name == "-" and sys.stdout.isatty() and not dull


class OutputPath(click.ParamType[Any]):
    """The type of options that name a file to be written.

    `form`: the format of the file if only one is possible; None for several.
    """

    name = "filename"

    def __init__(self, form: str | None = None) -> None:
        self._form = form

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the name of the file.

        Raise click.UsageError if it is a directory or its extension does not fit, OSError if it
        cannot be written.
        """
        if ctx is not None and ctx.resilient_parsing:  # a shell asks what may follow
            return value
        if Path(value).is_dir():
            self.fail(f"'{value}' is a directory.", param, ctx)
        if self._form is not None:
            form_of(value, [self._form], default=self._form)
        try_writing(value)
        return value

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the completion that lets the shell complete names of files."""
        return [CompletionItem(incomplete, type="file")]


class OutputFile(OutputPath):
    """The type of options that name a file to be written, with an `Output` as the value.

    `form`: as for `OutputPath`. `keep`: whether the file keeps the results so far if Ctrl-C,
    SIGTERM or an ExactileError ends the command.
    """

    def __init__(self, form: str | None = None, *, keep: bool = False) -> None:
        super().__init__(form)
        self._keep = KEPT if keep else ()

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the output, which is closed at the end of the command."""
        if isinstance(value, Output):
            return value
        output = Output(super().convert(value, param, ctx), self._keep)
        return output if ctx is None else ctx.with_resource(output)


class NewDirectory(click.ParamType[Path]):
    """The type of options that name a directory to be made."""

    name = "directory"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the path of the directory; raise OSError if it cannot be made.

        A path that exists is accepted here; the command refuses it later.
        """
        path = Path(value)
        if not os.path.lexists(path):
            with drafted(path.resolve(), directory=True):
                pass
        return path


TEXTS = (
    *("text", "line", "lines", "boards", "puzzler", "letters", "jsonl", "json", "toml", "csv"),
    *("xcc", "cnf", "icnf", "wcnf", "opb", "lp", "mps", "mzn", "cpsat", "xcsp3", "asp"),
)

LOOSE = (".sol", ".out", ".log")
"""Extensions, besides ``.txt``, that go with every text format."""

FITTING: dict[str, tuple[str, ...]] = {
    **dict.fromkeys((".txt", *LOOSE), TEXTS),
    ".svg": ("svg",),
    ".dlx": ("xcc",),
    **dict.fromkeys((".pbtxt", ".cpsat"), ("cpsat",)),
    **{f".{form}": (form,) for form in ("xcc", "cnf", "icnf", "wcnf", "opb", "mps", "mzn", "asp")},
    ".lp": ("lp", "asp"),
    ".xml": ("xcsp3",),
    **{f".{form}": (form,) for form in ("json", "jsonl", "toml", "csv", "xmpuzzle")},
    **{f".{form}": (form,) for form in ("png", "pdf", "html", "parquet")},
    **dict.fromkeys((".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".eps", ".ps"), ()),
}
"""The formats that go with each extension; empty for formats that are never written.

An extension that is not listed is an error, unless it is a number, as in a date, or the name of a
format that another package has added, or unless --format or the command leaves no choice.
"""

LISTED = frozenset(itertools.chain(*FITTING.values()))
"""The formats that have extensions in `FITTING`; the name of any other format is its extension."""

MADE = (".stl", ".3mf", ".glb", ".gltf", ".dxf")
"""Extensions of files that only `exactile make` writes: meshes, and outlines for laser cutters."""


def form_of(
    name: str, choices: Sequence[str], given: str | None = None, default: str | None = None
) -> str | None:
    """Return the format of an output file: as requested, as its extension says, or the default.

    - `name`: the file; ``"-"`` is standard output.
    - `choices`: the formats that the command can write.
    - `given`: the format that --format requests, or None.
    - `default`: the format if neither --format nor the extension decides; None if the command
      chooses it.

    Raise click.UsageError if the extension contradicts the requested format or is that of a
    compressed file, or if no choice has this extension; for unknown extensions see `FITTING`.

    >>> form_of("a.svg", ["text", "svg"], default="text"), form_of("-", ["svg"], default="svg")
    ('svg', 'svg')
    """
    ending = Path(name).suffix.lower()
    if ending in PACKED:
        program = "gzip" if ending == ".gz" else "xz"
        raise click.UsageError(
            f"{name}: this command does not compress: leave out {ending}, or write to standard "
            f"output and send it through {program}: '... | {program} > {name}'."
        )
    free = name == "-" or not ending[1:] or ending[1:].isdigit()
    if free or (ending not in FITTING and (given or len(choices) == 1)):
        return given or default
    if given and (ending in LOOSE or (given not in LISTED and FITTING[ending] == TEXTS)):
        return given
    added = [form for form in choices if form not in LISTED]
    fitting = [form for form in choices if form in FITTING.get(ending, ())]
    fitting += [form for form in added if f".{form.lower()}" == ending]
    if given is not None and given not in fitting:
        raise click.UsageError(
            f"{name}: the ending {ending} does not go with the format {given}: change the "
            "ending, or leave out --format."
        )
    if not fitting:
        if ending in MADE:
            raise click.UsageError(
                f"{name}: to write files ending in {ending}, use 'exactile make'."
            )
        own = [(e, f[0]) for e, f in FITTING.items() if f and f != TEXTS and f[0] in choices]
        own += [(f".{form}", form) for form in added]
        known = [e if e[1:] == form else f"{e} ({form})" for e, form in own]
        known += [f".txt ({form})" for form in ("text", "lines") if form in choices]
        raise click.UsageError(
            f"{name}: files ending in {ending} cannot be written here; use one of "
            f"{', '.join(known)}."
        )
    if given or default in fitting or (default is None and len(fitting) > 1):
        return given or default
    return fitting[0]


PICTURES = ("svg", "png", "pdf", "html")
"""The formats in which solutions are drawn as pictures."""

SHEETS = ("svg", "png", "pdf")
"""The formats of pages and other single pictures."""

BINARY = ("png", "pdf", "parquet")


class Picture:
    """A file for one picture, and its format."""

    def __init__(self, output: Output, form: str) -> None:
        self.output, self.form = output, form

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.output.name

    def write(self, document: str) -> None:
        """Write a picture, given as SVG, in the format of the file."""
        if self.form == "svg":
            self.output.write(document)
            return
        from exactile.render.pictures import write_svg

        write_svg(document, self.output, self.form)

    def write_pages(self, pages: Sequence[str]) -> None:
        """Write several pages, each given as SVG, as one PDF."""
        from exactile.render.pictures import write_pages

        write_pages(pages, self.output, "pdf")


class PictureFile(OutputFile):
    """The type of options that name a file for a picture, with a `Picture` as the value.

    `forms`: the formats; the extension of the file chooses one, by default ``svg``. `keep`: as for
    `OutputFile`.
    """

    def __init__(self, forms: Sequence[str] = SHEETS, *, keep: bool = False) -> None:
        super().__init__(keep=keep)
        self._forms = forms

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the picture; its file is closed at the end of the command."""
        if isinstance(value, Picture) or (ctx is not None and ctx.resilient_parsing):
            return value
        form = form_of(value, self._forms, default="svg") or "svg"
        output = super().convert(value, param, ctx)
        require_file(form, output)
        return Picture(output, form)


def write_found_pictures(
    puzzle: Puzzle,
    found: Iterable[Solution],
    form: str,
    output: Output,
    columns: int | None,
    *,
    exploded: bool = False,
    limits: Limits | None = None,
    paper: str = "a4",
) -> str | None:
    """Write solutions as pictures; if a limit kept some from being drawn, report and return it.

    Return None if all are drawn. After Ctrl-C, the solutions found so far are written, and
    KeyboardInterrupt is raised again. Without solutions, no file is written. Raise click.UsageError
    if a binary format would go to a terminal. The parameters are those of
    `exactile.render.pictures.write_pictures`.
    """
    from exactile.render.pictures import write_pictures

    require_file(form, output)
    interrupted = False
    wanted = 0

    def until_ctrl_c() -> Iterator[Solution]:
        nonlocal interrupted, wanted
        try:
            for wanted, solution in enumerate(found, 1):  # noqa: B007
                yield solution
        except KeyboardInterrupt:
            interrupted = True

    drawn = 0
    solutions = until_ctrl_c()
    if (first := next(solutions, None)) is not None:
        all_of_them = itertools.chain([first], solutions)
        drawn = write_pictures(
            *(puzzle, all_of_them, output, form, columns),
            exploded=exploded,
            limits=limits,
            paper=paper,
        )
    if interrupted:
        raise KeyboardInterrupt
    if drawn < wanted:
        click.echo(f"Only the first {drawn:,} are drawn: the time limit was reached.", err=True)
    return TIME_LIMIT if drawn < wanted else None


def require_file(form: str, output: Output) -> None:
    """Raise click.UsageError if binary output would go to a terminal."""
    if form in BINARY and output.name == "-" and sys.stdout.isatty():
        raise click.UsageError(
            f"--format {form} cannot be shown on a terminal: name a file with -o."
        )
