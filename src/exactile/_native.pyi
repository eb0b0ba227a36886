"""Types of the native module; what the classes do stands in src/native."""

from __future__ import annotations

from collections.abc import Callable

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
        endgame: bool,
        isa: str,
        components: bool,
        balance: bool,
        pieces: int,
        units: int,
        shades: Ints,
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
    @property
    def slowest_replay(self) -> float: ...

def instruction_sets() -> list[str]: ...

class Counter:
    def __init__(
        self,
        lower: Ints,
        upper: Ints,
        first: Longs,
        members: Ints,
        colors: Ints,
        rank: Ints,
        keep: bool,
        most_states: int,
        most_bytes: int,
    ) -> None: ...
    def run(self, seconds: float) -> int: ...
    def weigh(self, seconds: float) -> bool: ...
    def tally(self, seconds: float) -> bool: ...
    def total(self) -> npt.NDArray[np.uint32]: ...
    def tallies(self) -> npt.NDArray[np.uint32]: ...
    def unrank(self, numbers: npt.NDArray[np.uint32]) -> Ints: ...
    @property
    def limbs(self) -> int: ...
    @property
    def states(self) -> int: ...
    @property
    def edges(self) -> int: ...
    @property
    def layers(self) -> int: ...
    @property
    def width(self) -> int: ...

class Grower:
    def __init__(
        self, period: int, types: list[int], steps: list[list[int]], matrices: Longs
    ) -> None: ...
    def extend(self, forms: Longs) -> None: ...
    def forms(self, order: int, dimension: int) -> Longs: ...
    @property
    def size(self) -> int: ...

def find_moves(
    owners: Ints, pieces: Ints, images: Ints, wanted: npt.NDArray[np.uint8]
) -> tuple[Ints, Ints, Longs, Ints]: ...

class ProofRefusedError(ValueError): ...

def check_proof(
    formula: bytes,
    proof: bytes,
    hints: bool,
    assumed: list[int],
    heartbeat: Callable[[int], None] | None,
) -> tuple[int, int, int]: ...

class Refuter:
    def __init__(
        self,
        lower: Ints,
        upper: Ints,
        first: Longs,
        members: Ints,
        colors: Ints,
        variables: Ints,
        excluded: Ints,
        chosen: Ints,
    ) -> None: ...
    def run(self, seconds: float, most_text: int) -> None: ...
    def take_text(self) -> bytes: ...
    def take_solutions(self) -> Ints: ...
    @property
    def finished(self) -> bool: ...
    @property
    def nodes(self) -> int: ...
    @property
    def lemmas(self) -> int: ...
