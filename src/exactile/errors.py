"""Every error that exactile raises on purpose.

The tree (some classes also derive from a builtin class, in parentheses)::

    ExactileError
    + PuzzleError (ValueError)         the statement of a puzzle is wrong
    |   + GeometryError                units off the lattice, lattices that do not match
    |   + PieceError                   unknown name, disconnected, impossible bounds
    |   + RegionError                  empty, overlapping, too large
    |   + FileError                    a file that cannot be read, or has wrong contents
    |       + NotFoundError (LookupError)  no such puzzle, set, lattice or file
    + ModelError (ValueError)          a model that is invalid, or too large for a solver or file
    + BackendError
    |   + BackendNotFoundError (LookupError)
    |   + BackendMissingError (ImportError)
    |   + BackendCrashedError
    + WorkError (TypeError)            work that another process cannot do
    + CountingError                    a count without listing ran out of its budget
    + UnfinishedError (TimeoutError)   a limit was reached before there was a result
    + CertificateError (ValueError)    a certificate that does not prove what it claims
    |   + ProofRefusedError            a proof with a wrong step
    + PictureError (ValueError)        a picture that cannot be drawn or written
    + SettingError (ValueError)        unknown setting, or a value out of its range
    + CheckFailedError                 an answer is wrong, or two contradict each other: a bug

That a puzzle has no solution is a status, not an error. That a limit was reached is also a status;
only a function that has no answer by then raises UnfinishedError. After Ctrl-C, a function such as
`count` raises `Interrupted`, a `KeyboardInterrupt` with the answer so far. A message says what
happened, where, and what to do instead. If a backend returns a wrong solution, a file is written
from which `exactile check --reproducer` repeats the search.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

LONGEST_LINE = 600
MOST_LINES = 40
"""Number of lines after which a message is cut off; each has at most `LONGEST_LINE` characters."""

CONTROLS = (*range(10), *range(11, 32), *range(127, 160), *range(0x202A, 0x202F))
VISIBLE = {c: chr(c).encode("unicode_escape").decode() for c in CONTROLS}
"""Escapes by which messages show control characters, such as ``\\x1b``; line ends are kept."""


def clipped(message: str) -> str:
    r"""Return a message, cut off after `MOST_LINES` lines and with long lines shortened.

    Control characters, such as those in a damaged file, become escapes.

    >>> len(clipped(f"my.toml: there is no piece '{'x' * 10**6}'. Its pieces: F I L."))
    600
    >>> print(clipped(f"There is no piece {chr(27)}[31m."))
    There is no piece \x1b[31m.
    """
    lines = message.translate(VISIBLE).split("\n", MOST_LINES)
    if len(lines) > MOST_LINES:
        lines[-1] = "..."
    if all(len(line) <= LONGEST_LINE for line in lines):
        return "\n".join(lines)
    half = LONGEST_LINE // 2
    return "\n".join(
        line if len(line) <= LONGEST_LINE else f"{line[: half - 5]} ... {line[-half:]}"
        for line in lines
    )


class ExactileError(Exception):
    """Base of all errors that exactile raises on purpose; long messages are clipped."""

    def __init__(self, message: str = "") -> None:
        super().__init__(clipped(str(message)))


class PuzzleError(ExactileError, ValueError):
    """The statement of a puzzle is wrong."""


class GeometryError(PuzzleError):
    """Units, a wrap, or a lattice are wrong: units off the lattice, for example."""


class PieceError(PuzzleError):
    """Pieces are wrong: for example, one is unknown, disconnected, or named twice."""


class RegionError(PuzzleError):
    """A region is empty, covers a unit twice, or is too large."""


class FileError(PuzzleError):
    """A file cannot be read, or has wrong contents; the message names the place."""


class NotFoundError(FileError, LookupError):
    """No puzzle, piece set, lattice or file, for example, has this name."""


class ModelError(ExactileError, ValueError):
    """A model is invalid, or too large for a solver or a file format."""


class BackendError(ExactileError):
    """A backend could not do its work."""


class BackendNotFoundError(BackendError, LookupError):
    """No installed backend has this name, or the backend has no such solver."""


class BackendMissingError(BackendError, ImportError):
    """A backend cannot be loaded, or needs a package or program that is not installed."""


class BackendCrashedError(BackendError):
    """A solver's process died, or returned a solution twice; solutions found before are kept."""


class WorkError(ExactileError, TypeError):
    """Another process could not be started, could not do its work, or died."""


class CountingError(ExactileError):
    """A count that does not list the solutions ran out of its budget, or was stopped."""


class UnfinishedError(ExactileError, TimeoutError):
    """A limit was reached before there was a result."""


class CertificateError(ExactileError, ValueError):
    """A certificate does not prove what it claims; the message names the first fault."""


class ProofRefusedError(CertificateError):
    """A step of a proof is wrong; `reason` is the message without the name of the file."""

    def __init__(self, message: str = "", reason: str = "") -> None:
        super().__init__(message)
        self.reason = reason


class PictureError(ExactileError, ValueError):
    """A picture cannot be drawn or written; the message says why."""


class SettingError(ExactileError, ValueError):
    """There is no such setting, or its value is not a number or out of range."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C stopped a function such as `exactile.count`; `answer` is the answer so far."""

    def __init__(self, answer: Any) -> None:
        super().__init__(answer)  # so that it can be pickled
        self.answer = answer  # the answer so far

    def __str__(self) -> str:
        return ""


class CheckFailedError(ExactileError):
    """An answer is wrong, or two answers contradict each other: a bug in exactile or a solver."""


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return `` Did you mean 'x'?`` for the nearest known name; an empty string if none is near.

    >>> suggestion("pentominos", ["pentominoes", "hexiamonds"])
    " Did you mean 'pentominoes'?"
    >>> suggestion("zzz", ["pentominoes"])
    ''
    """
    from difflib import get_close_matches  # here, because only mistakes need it

    nearest = get_close_matches(name[:100], list(known), n=1)
    return f" Did you mean '{nearest[0]}'?" if nearest else ""
