"""Objects that are closed at the end of a ``with`` statement."""

from __future__ import annotations

from typing import Self


class Closing:
    """An object that is closed at the end of a ``with`` statement."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop what the object does, and release what it holds."""
        raise NotImplementedError
