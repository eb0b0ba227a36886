"""Searches a run to its end by any executor, without a store."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace

from exactile.backends.base import Prefix
from exactile.counting.shares import Shares, add, numbers
from exactile.runs.drive import budget, dealt
from exactile.runs.executor import Executor, PartLost, RunPart, RunWork, own_version
from exactile.runs.part import Searcher


def drive(
    executor: Executor,
    work: RunWork,
    lost: Callable[[PartLost], None] = lambda _: None,
    given: Callable[[int], None] = lambda _: None,
) -> dict[str, tuple[int, int, int]]:
    """Return the counts; what is lost is told and tried again, what is given is told after it."""
    searcher = Searcher(replace(work, version=own_version()))
    shares: Shares = {}
    first = searcher.cut(RunPart(0, searcher.case.starts, 1.0), 8)
    add(shares, first.shares)
    waiting: deque[list[Prefix]] = deque([prefix] for prefix in first.left)
    out: dict[int, list[Prefix]] = {}
    number = 0
    executor.start(work)
    try:
        while waiting or out:
            while waiting and len(out) < executor.ahead:
                number += 1
                out[number] = waiting.popleft()
                seconds = budget(len(waiting), executor.parallel)
                executor.give(RunPart(number, out[number], seconds))
                given(number)
            if (result := executor.take(1.0)) is None:
                continue
            prefixes = out.pop(result.number)
            if isinstance(result, PartLost):
                lost(result)
                waiting.append(prefixes)
            else:
                add(shares, result.shares)
                waiting += dealt(result.left, len(waiting), executor.parallel)
    finally:
        executor.close()
    return numbers(searcher.case, shares)
