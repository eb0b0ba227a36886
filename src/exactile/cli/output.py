"""Files that commands write: tried before any work is done, and never lost half-way."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any, Literal, Self

import rich_click as click
from click.shell_completion import CompletionItem

from exactile.atomic import drafted, try_writing, written
from exactile.cli.endings import form_of
from exactile.cli.signals import undisturbed
from exactile.errors import ExactileError

if TYPE_CHECKING:
    from exactile.answers import Answer

KEPT = (KeyboardInterrupt, SystemExit, ExactileError)
"""Exceptions after which the results so far are kept."""


class Output:
    """A stream to a file, or to standard output (``"-"``), that is opened when it is written to.

    Parameters
    ----------
    name
        The file.
    keep
        After which exceptions the file is kept; after others an older one stays.

    Examples
    --------
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
        """Write some text, or some bytes; one of the two."""
        if self._stream is None:
            mode: Literal["w", "wb"] = "wb" if isinstance(text, bytes) else "w"
            self._stream = self._open.enter_context(written(self.name, mode, self._keep))
        return self._stream.write(text)

    def flush(self) -> None:
        """Flush it."""
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
        if error is None:  # older versions of click do not hand it over
            kind, error, trace = sys.exc_info()
        self._open.__exit__(kind, error, trace)


def print_json(answer: Answer) -> None:
    """Print an answer whole: the first signal waits until it is printed."""
    with undisturbed():
        click.echo(answer.to_json())


def paints(output: Output) -> bool:
    """Return whether an output is a terminal that shows colors, and colors are not disabled."""
    dull = os.environ.get("TERM") == "dumb" or os.environ.get("NO_COLOR")
    return output.name == "-" and sys.stdout.isatty() and not dull


class OutputPath(click.ParamType[Any]):
    """The type of options that name a file to be written, of a format if one is given."""

    name = "filename"

    def __init__(self, form: str | None = None) -> None:
        self._form = form

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the name of a file that can be written."""
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
        """Let the shell complete files."""
        return [CompletionItem(incomplete, type="file")]


class OutputFile(OutputPath):
    """The same, which is written as a stream."""

    def __init__(self, form: str | None = None, *, keep: bool = False) -> None:
        super().__init__(form)
        self._keep = KEPT if keep else ()

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the stream; it is closed with the command."""
        if isinstance(value, Output):
            return value
        output = Output(super().convert(value, param, ctx), self._keep)
        return output if ctx is None else ctx.with_resource(output)


class NewDirectory(click.ParamType[Path]):
    """The type of options that name a directory to be made."""

    name = "directory"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Return the name of a directory that can be made; whether it exists is checked later."""
        path = Path(value)
        if not path.exists():
            with drafted(path.resolve(), directory=True):
                pass
        return path
