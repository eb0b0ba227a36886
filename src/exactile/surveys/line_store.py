r"""A store of records: a file of JSON lines, one for each finished piece of work.

Several processes may work on one store. To claim a piece of work, a process locks one byte far
beyond the end of the file, at an offset computed from the key of the work. The system releases the
lock when the process ends, even if it is killed. Lines are only appended, so the stores of several
machines can be concatenated. If a process is killed while it writes a line, the incomplete line is
ignored.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, Protocol, TypeVar

import msgspec

from exactile.atomic import naming_disk
from exactile.closing import Closing
from exactile.errors import FileError

try:
    import fcntl
except ImportError:  # no such locks on this system: one process at a time
    fcntl = None  # type: ignore[assignment]

BEHIND = 1 << 48
"""Offset of the first byte whose lock claims a piece of work; it is beyond the end of any file."""


class Keyed(Protocol):
    """A record of a store: the result of a piece of work, with the key of the work."""

    @property
    def key(self) -> str:
        """The key that identifies the piece of work, in hexadecimal digits."""
        ...


Kept = TypeVar("Kept", bound=Keyed)


class LineStore(Closing, Generic[Kept]):
    """A store of records, opened for reading and appending by one thread.

    The file `path` is created if it does not exist. Raise OSError if it cannot be opened for
    writing. The attribute `damaged` is the number of lines read so far that are not records.

    `kind`: the type of the records. `what`: the contents of the store in words, such as ``"a
    comparison"``, for error messages.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from exactile.answers import ComparedRun
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "runs.jsonl")
    ...     with LineStore(path, ComparedRun, "a comparison") as store:
    ...         store.add(ComparedRun(puzzle="p", backend="dlx", end="finished", key="0a"))
    ...     with LineStore(path, ComparedRun, "a comparison") as store:
    ...         [run.backend for run in store.news()], store.claim("0b"), list(store.news())
    (['dlx'], True, [])
    """

    def __init__(self, path: Path, kind: type[Kept], what: str) -> None:
        self.path, self._kind, self._what = path, kind, what
        self.damaged = 0  # number of lines that are not records, such as truncated ones
        self._place = 0
        self._known: set[str] = set()
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)

    def close(self) -> None:
        """Close the file; all claims of this process in this store end."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def news(self) -> Iterator[Kept]:
        """Yield the records that other processes have added since the last call.

        The first call yields all records of the file except those that `add` wrote. Of records with
        equal keys, only the first is yielded. Lines that are not records are counted in `damaged`.
        Raise FileError if the first line of the file is not a record, unless that line may be a
        record that was truncated.
        """
        size = os.fstat(self._file).st_size
        data = os.pread(self._file, size - self._place, self._place) if size > self._place else b""
        whole = data.rfind(b"\n") + 1
        begin = data.partition(b"\n")[0]
        if data and not (self._place or self._decoded(begin) or _is_cut(begin)):
            raise FileError(f"{self.path} is not a store of {self._what}: name another file.")
        self._place += whole
        for line in data[:whole].splitlines():
            record = self._decoded(line)
            if record is None:
                self.damaged += 1
                continue
            if record.key not in self._known:
                self._known.add(record.key)
                yield record

    def _decoded(self, line: bytes) -> Kept | None:
        try:
            return msgspec.json.decode(line, type=self._kind)
        except msgspec.MsgspecError:
            return None

    def claim(self, key: str) -> bool:
        """Claim the piece of work that `key` identifies; return whether the claim succeeded.

        It fails if another process has claimed this work. On systems without file locks, every
        claim succeeds. `key`: hexadecimal digits.
        """
        if fcntl is None:
            return True
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _place(key))
        except OSError:
            return False
        return True

    def release(self, key: str) -> None:
        """Give up the claim to a piece of work, so that other processes can claim it."""
        if fcntl is not None:
            fcntl.lockf(self._file, fcntl.LOCK_UN, 1, _place(key))

    def add(self, record: Kept) -> None:
        """Append a record, and give up the claim to its piece of work.

        Raise OSError if the record cannot be written; if the disk is full, the error names the
        file.
        """
        line = msgspec.json.encode(record) + b"\n"
        with naming_disk(self.path), self._appending():
            size = os.fstat(self._file).st_size
            cut = size and os.pread(self._file, 1, size - 1) != b"\n"
            left = b"\n" * bool(cut) + line
            while left:  # only the first part is written if a disk becomes full
                left = left[os.write(self._file, left) :]
            os.fsync(self._file)
        self._known.add(record.key)
        self.release(record.key)

    @contextmanager
    def _appending(self) -> Iterator[None]:
        """Keep other processes from appending in the ``with`` block, if there are file locks."""
        if fcntl is None:
            yield
            return
        fcntl.lockf(self._file, fcntl.LOCK_EX, 1, BEHIND - 1)
        try:
            yield
        finally:
            fcntl.lockf(self._file, fcntl.LOCK_UN, 1, BEHIND - 1)


def _is_cut(line: bytes) -> bool:
    """Return whether a line may be a record that was truncated."""
    try:
        msgspec.json.decode(line)
    except msgspec.MsgspecError:
        return line != b"" and b'{"'.startswith(line[:2])
    return False


def _place(key: str) -> int:
    """Return the offset of the byte whose lock claims the piece of work that `key` identifies."""
    return BEHIND + int(key[:10] or "0", 16)
