"""Work in other processes: a typed task goes in, typed messages come out, death is a value.

A *task* is any object that can be pickled and has a method ``run(tell)``; a process of its own
calls it, and what it tells comes out of a `Job`. A *service* has a method ``start()`` that returns
what is called with one part after the other; a `Pool` deals parts out to several processes.
Programs of other makers are started in a `Group`. Whatever happens, no process outlives the one
that started it.
"""

from typing import TYPE_CHECKING

from exactile.lazy import loader
from exactile.work.wire import HEARTBEAT, Service, Task, Tell

if TYPE_CHECKING:
    from exactile.work.group import Group
    from exactile.work.job import Job
    from exactile.work.pool import TRIES, Event, Pool
    from exactile.work.worker import Death, ended, last_lines, speaks_of_memory

__all__ = [
    "HEARTBEAT",
    "TRIES",
    "Death",
    "Event",
    "Group",
    "Job",
    "Pool",
    "Service",
    "Task",
    "Tell",
    "ended",
    "last_lines",
    "speaks_of_memory",
]

_HOMES = {
    "Group": "group",
    "Job": "job",
    **dict.fromkeys(("TRIES", "Event", "Pool"), "pool"),
    **dict.fromkeys(("Death", "ended", "last_lines", "speaks_of_memory"), "worker"),
}

__getattr__ = loader(__name__, _HOMES)
