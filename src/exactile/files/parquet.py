"""Solutions as a Parquet file, for programs that analyze tables: one row for each solution."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from io import RawIOBase
from itertools import islice
from typing import Any, Protocol

from exactile.errors import FileError
from exactile.puzzle import Puzzle, Solution
from exactile.puzzle.coordinates import in_coordinates

AT_ONCE = 10_000
"""Number of rows in a group: the solutions that are in memory at a time."""


class ByteStream(Protocol):
    """A binary stream to write to."""

    def write(self, data: bytes, /) -> int:
        """Write some bytes."""


def write_parquet(puzzle: Puzzle, solutions: Iterable[Solution], stream: ByteStream) -> int:
    """Write solutions as a table; return their number.

    Its columns are ``number``, from 1, and ``placements``, each with ``piece`` and ``units``, in
    customary coordinates. Raise FileError if the package that writes such files is not installed.
    """
    try:
        import pyarrow as pa
        from pyarrow import parquet
    except ImportError:
        raise FileError(
            "Parquet files need the package pyarrow: pip install 'exactile[parquet]'."
        ) from None
    units = pa.list_(pa.list_(pa.int32()))
    placements = pa.list_(pa.struct([("piece", pa.string()), ("units", units)]))
    schema = pa.schema(
        [("number", pa.int64()), ("placements", placements)], metadata={"puzzle": puzzle.name}
    )
    written = 0
    with parquet.ParquetWriter(pa.output_stream(_Sink(stream)), schema) as writer:
        for some in _groups(iter(solutions)):
            rows = [
                [{"piece": p.piece, "units": p.units} for p in in_coordinates(puzzle, solution)]
                for solution in some
            ]
            numbers = range(written + 1, written + len(rows) + 1)
            writer.write_table(pa.table([list(numbers), rows], schema=schema))
            written += len(rows)
    return written


class _Sink(RawIOBase):
    """A stream for pyarrow that does not close the underlying one."""

    def __init__(self, stream: ByteStream) -> None:
        self._stream = stream
        self._place = 0

    def write(self, data: Any) -> int:
        self._stream.write(bytes(data))
        self._place += len(data)
        return len(data)

    def tell(self) -> int:
        return self._place

    def writable(self) -> bool:
        return True


def _groups(solutions: Iterator[Solution]) -> Iterator[list[Solution]]:
    while some := list(islice(solutions, AT_ONCE)):
        yield some
