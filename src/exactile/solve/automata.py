"""Automata of fronts by several orders, built side by side."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from exactile import _native
from exactile.backends.base import HEARTBEAT
from exactile.model.front_order import Order
from exactile.model.model import Ints

SLICE = HEARTBEAT / 5
"""Seconds after which the next automaton is worked on."""

BUILDING, COUNTING, DONE, TOO_LARGE, OUT_OF_MEMORY = range(5)

Built = tuple[_native.FrontCounter, Order]
"""An automaton and the order that it was built by."""


def side_by_side(
    orders: list[Order], make: Callable[[Ints], _native.FrontCounter], at_once: int
) -> Iterator[Built | None]:
    """Yield the automata that can be built, in the order of `orders`, and None now and then.

    Parameters
    ----------
    orders
        What they are built by.
    make
        Begins one by the ranks of an order.
    at_once
        Threads. A few more are begun, so that no thread waits for the end of another's slice.
    """
    waiting = deque(orders)
    building: deque[tuple[Built, Future[int]]] = deque()
    with ThreadPoolExecutor(at_once) as threads:

        def go_on(made: Built) -> tuple[Built, Future[int]]:
            return made, threads.submit(made[0].build, SLICE)

        while waiting or building:
            while waiting and len(building) < 2 * at_once - 1:
                order = waiting.popleft()
                building.append(go_on((make(order.rank), order)))
            wait([future for _, future in building if not future.done()], None, FIRST_COMPLETED)
            for k, (made, future) in enumerate(building):
                if future.done() and future.result() == BUILDING:
                    building[k] = go_on(made)
            yield None
            while building and building[0][1].done() and building[0][1].result() != BUILDING:
                made, future = building.popleft()
                if future.result() in (COUNTING, DONE):
                    yield made
