"""Files that commands write: begun when something is written first, and not lost half-way."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

import rich_click as click

from exactile.atomic import written
from exactile.errors import ExactileError

KEPT = (KeyboardInterrupt, SystemExit, ExactileError)
"""After these, what was found before is kept."""


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
        self._stream: IO[str] | None = None

    def write(self, text: str) -> int:
        """Write some text."""
        if self._stream is None:
            self._stream = self._open.enter_context(written(self.name, keep=self._keep))
        return self._stream.write(text)

    def flush(self) -> None:
        """Hand on what was written."""
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


class OutputFile(click.ParamType):  # type: ignore[type-arg]
    """The type of options that name a file to be written."""

    name = "filename"

    def __init__(self, *, keep: bool = False) -> None:
        self._keep = KEPT if keep else ()

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Output:
        """Return the stream; it is closed with the command."""
        if isinstance(value, Output):
            return value
        if Path(value).is_dir():
            self.fail(f"'{value}' is a directory.", param, ctx)
        output = Output(value, self._keep)
        return output if ctx is None else ctx.with_resource(output)
