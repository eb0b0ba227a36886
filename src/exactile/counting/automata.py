"""Automata of fronts by several orders, built side by side."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from exactile import _native
from exactile.backends.base import HEARTBEAT
from exactile.clock import CLOCK
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
        Begins one by the ranks of an order, in any thread.
    at_once
        Threads. A few more are begun, so that no thread waits for the end of another's slice.
    """
    waiting = deque(orders)
    building: deque[tuple[Order, Future[tuple[_native.FrontCounter, int]]]] = deque()
    threads = ThreadPoolExecutor(at_once)

    def begin(order: Order) -> tuple[_native.FrontCounter, int]:
        return go_on(make(order.rank))

    def go_on(counter: _native.FrontCounter) -> tuple[_native.FrontCounter, int]:
        return counter, counter.build(SLICE)

    try:
        while waiting or building:
            while waiting and len(building) < 2 * at_once - 1:
                order = waiting.popleft()
                building.append((order, threads.submit(begin, order)))
            futures = [future for _, future in building if not future.done()]
            wait(futures, CLOCK.lasting(HEARTBEAT), FIRST_COMPLETED)
            for k, (order, future) in enumerate(building):
                if future.done() and future.result()[1] == BUILDING:
                    building[k] = order, threads.submit(go_on, future.result()[0])
            yield None
            while building and building[0][1].done() and building[0][1].result()[1] != BUILDING:
                order, future = building.popleft()
                counter, status = future.result()
                if status in (COUNTING, DONE):
                    yield counter, order
    finally:
        threads.shutdown(cancel_futures=True)
