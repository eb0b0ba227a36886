"""Types of the native module; what the classes do stands in src/native."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int32]
Longs = npt.NDArray[np.int64]

class Engine:
    def __init__(
        self,
        lower: Ints,
        upper: Ints,
        first: Longs,
        members: Ints,
        colors: Ints,
        method: str,
        endgame: bool = True,
        isa: str = "",
    ) -> None: ...
    def run(
        self,
        limit: int,
        seconds: float,
        nodes: int,
        workers: int = 1,
        ordered: bool = False,
        keep: bool = True,
    ) -> None: ...
    def take(self, limit: int) -> Ints: ...
    def prefixes(self) -> tuple[list[list[int]], list[float]]: ...
    def set_prefixes(self, paths: list[list[int]], weights: list[float]) -> None: ...
    @property
    def exhausted(self) -> bool: ...
    @property
    def remaining(self) -> float: ...
    @property
    def nodes(self) -> int: ...
    @property
    def updates(self) -> int: ...
    @property
    def count(self) -> int: ...

def instruction_sets() -> list[str]: ...

class Grower:
    def __init__(
        self, period: int, types: list[int], steps: list[list[int]], matrices: Longs
    ) -> None: ...
    def extend(self, forms: Longs) -> None: ...
    def forms(self, order: int, dimension: int) -> Longs: ...
    @property
    def size(self) -> int: ...
