"""Solutions and prefixes as compressed bytes.

Consecutive solutions of a search have most options in common. So their differences, most of which
are 0, compress well.
"""

from __future__ import annotations

import struct
import zlib
from hashlib import sha256

import msgspec
import numpy as np

from exactile.backends.base import Prefix
from exactile.errors import FileError
from exactile.model.orbits import Assignments

HEAD = struct.Struct("<QHH")
"""Header of packed solutions.

It has the number of solutions, the number of options in each, and the number of bytes of an option.
"""

LEVEL = 1
"""Level of compression: higher ones take several times as long and save little."""

ORIGIN = 16
"""Number of bytes of an origin."""


def packed(rows: Assignments) -> bytes:
    """Return solutions, one in each row and padded with -1, as bytes.

    Column by column, each option becomes its difference from the option in the row above. The low
    bytes of all differences in a column come first, then the high bytes. The result is compressed
    by zlib.

    Examples
    --------
    >>> rows = np.array([[1, 500, -1], [1, 501, 70000]], dtype=np.int32)
    >>> unpacked(packed(rows)).tolist()
    [[1, 500, -1], [1, 501, 70000]]
    """
    number, width = rows.shape
    size = 2 if rows.max(initial=0) < 2**15 else 4
    columns = np.ascontiguousarray(rows.T).astype(f"<i{size}")
    columns[:, 1:] -= columns[:, :-1].copy()
    planes = columns.view(np.uint8).reshape(width, number, size).transpose(0, 2, 1)
    return HEAD.pack(number, width, size) + zlib.compress(planes.tobytes(), LEVEL)


def unpacked(data: bytes) -> Assignments:
    """Return solutions from the result of `packed`; raise FileError for other bytes."""
    try:
        number, width, size = HEAD.unpack_from(data)
        planes = np.frombuffer(zlib.decompress(data[HEAD.size :]), dtype=np.uint8)
        mixed = planes.reshape(width, size, number).transpose(0, 2, 1)
        columns = np.ascontiguousarray(mixed).view(f"<i{size}")[:, :, 0]
    except (struct.error, zlib.error, TypeError, ValueError) as error:
        raise FileError(f"These bytes are not solutions: {error}.") from None
    summed = np.cumsum(columns, axis=1, dtype=columns.dtype)  # overflows as the differences did
    return np.ascontiguousarray(summed.T, dtype=np.int32)


def encoded(prefixes: list[Prefix]) -> bytes:
    """Return prefixes as bytes; `decoded` is the inverse.

    Examples
    --------
    >>> decoded(encoded([Prefix((3, -1), 0.5)]))
    [Prefix(path=(3, -1), weight=0.5)]
    """
    return zlib.compress(msgspec.msgpack.encode(prefixes), 1)


def decoded(data: bytes) -> list[Prefix]:
    """Return prefixes from the result of `encoded`.

    Raise zlib.error or msgspec.MsgspecError for other bytes.
    """
    return msgspec.msgpack.decode(zlib.decompress(data), type=list[Prefix])


def origin_of(prefixes: list[Prefix]) -> bytes:
    """Return the origin of a part in a share: a digest of the paths of its prefixes."""
    paths = [prefix.path for prefix in prefixes]
    return sha256(msgspec.msgpack.encode(paths)).digest()[:ORIGIN]
