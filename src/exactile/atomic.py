"""Files and directories that appear as a whole or not at all.

Until it is complete, a file is a *draft* in the same directory, called ``.NAME.NUMBERS.part``. The
process that writes it holds a lock on it, which ends with the process. If the process is killed,
the draft stays without a lock, and the next process that writes the same file removes it.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape
from itertools import count
from pathlib import Path
from typing import IO, Any, Literal

try:
    import fcntl
except ImportError:  # no such locks on this system: drafts of killed writers stay
    fcntl = None  # type: ignore[assignment]

_numbers = count()

OF_DISKS = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}
"""Error codes of full or broken disks. The system does not name the file in such errors."""

LONGEST_NAME = 200
"""Number of bytes of a file's name that are repeated in the name of its draft; the rest is cut off,
because file systems allow only 255 bytes."""


@contextmanager
def written(
    path: str | os.PathLike[str],
    mode: Literal["w", "wb"] = "w",
    keep: tuple[type[BaseException], ...] = (),
) -> Iterator[IO[Any]]:
    """Open a stream to a draft of a file; the draft becomes the file `path` at the end of ``with``.

    After an error or Ctrl-C, the draft is removed, and an older file `path` stays. But if the
    exception has a type in `keep`, the draft replaces the file before the exception is passed on. A
    pipe or anything else that is not an ordinary file is written directly; ``"-"`` is standard
    output. `mode`: ``"w"`` for text (UTF-8), ``"wb"`` for bytes. Raise OSError if the file cannot
    be written; the error names the file, even if the disk is full.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp(), "a.txt")
    >>> with written(path) as stream:
    ...     _ = stream.write("all of it")
    >>> path.read_text(), [p.name for p in path.parent.iterdir()]
    ('all of it', ['a.txt'])
    """
    if os.fspath(path) == "-":
        with naming_disk("standard output"):
            yield sys.stdout.buffer if mode == "wb" else sys.stdout
        return
    target = Path(path).resolve()
    with naming_disk(target):
        if _is_no_file(path):
            with _opened(Path(path), mode) as stream:
                yield stream
            return
        with drafted(target) as draft:
            kept: BaseException | None = None
            with _opened(draft, mode) as stream:
                try:
                    yield stream
                except keep as error:
                    kept = error
                stream.flush()
                os.fsync(stream.fileno())
            draft.replace(target)
        if kept is not None:
            raise kept


def try_writing(path: str | os.PathLike[str]) -> None:
    """Check that `written` can create a draft of the file `path`; if not, raise its error.

    For ``"-"``, a pipe, or anything else that needs no draft, do nothing.
    """
    if os.fspath(path) == "-" or _is_no_file(path):
        return
    with drafted(Path(path).resolve()):
        pass


def _is_no_file(path: str | os.PathLike[str]) -> bool:
    """Return whether the path exists and is not an ordinary file, for example a pipe."""
    return Path(path).exists() and not Path(path).is_file()  # not resolved: pipes have no real path


def _opened(path: Path, mode: str) -> IO[Any]:
    if "b" in mode:
        return path.open(mode)
    return path.open(mode, encoding="utf-8", newline="\n")


@contextmanager
def naming_disk(name: str | os.PathLike[str]) -> Iterator[None]:
    """Add a file name to the errors in `OF_DISKS` that the ``with`` block raises without one."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno in OF_DISKS:
            error.filename = os.fspath(name)
        raise


@contextmanager
def drafted(target: Path, *, directory: bool = False) -> Iterator[Path]:
    """Create a draft of `target`, an empty file or directory beside it, and yield its path.

    At the end of the ``with`` statement, the draft is removed unless it was moved. Drafts of the
    same target left behind by killed processes are removed first. `directory`: whether the draft
    is a directory. If the draft causes an OSError, the error names `target` instead.

    >>> import tempfile
    >>> target = Path(tempfile.mkdtemp(), "a.txt")
    >>> with drafted(target) as draft:
    ...     pass
    >>> list(target.parent.iterdir())
    []
    """
    _sweep(target)
    draft, lock = _begun(target, directory=directory)
    try:
        yield draft
    except OSError as error:
        if str(error.filename).startswith(os.fspath(draft)):
            error.filename = os.fspath(target)  # the draft is an internal detail
        raise
    finally:
        _removed(draft)
        os.close(lock)


def _begun(target: Path, *, directory: bool) -> tuple[Path, int]:
    """Make and lock an empty draft of `target`; return its path and the locked descriptor."""
    while True:
        name = f"{_beginning(target)}{os.getpid()}-{next(_numbers)}.part"
        draft = target.with_name(name)
        try:
            if directory:
                draft.mkdir()
            how = os.O_RDONLY if directory else os.O_WRONLY | os.O_CREAT | os.O_EXCL
            lock = os.open(draft, how, 0o666)
        except OSError as error:
            error.filename = os.fspath(target)
            raise
        if locked(lock) is not False and draft.exists():  # not removed before the lock was taken
            return draft, lock
        os.close(lock)
        _removed(draft)


def _beginning(target: Path) -> str:
    name = os.fsencode(target.name)[:LONGEST_NAME].decode(errors="ignore")
    return f".{name}."


def locked(descriptor: int) -> bool | None:
    """Lock an open file without waiting; return whether this succeeded.

    Return None if the system or the file system has no locks for files. The lock ends when the
    descriptor is closed.
    """
    if fcntl is None:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # it is held by another process
        return False
    except OSError:
        return None
    return True


def _sweep(target: Path) -> None:
    """Remove the drafts of `target` left behind by killed processes."""
    for draft in target.parent.glob(f"{escape(_beginning(target))}*.part"):
        with suppress(OSError):
            descriptor = os.open(draft, os.O_RDONLY)
            try:
                if locked(descriptor):
                    _removed(draft)
            finally:
                os.close(descriptor)


def _removed(draft: Path) -> None:
    if draft.is_dir() and not draft.is_symlink():
        from shutil import rmtree  # here, because most commands do not need it

        rmtree(draft, ignore_errors=True)
    else:
        draft.unlink(missing_ok=True)
