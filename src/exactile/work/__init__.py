"""Work in other processes: a task is sent to a process, and its messages come back.

A *task* is any object that can be pickled and has a method ``run(tell)``. A `Job` calls this
method in another process, and yields each message that the task passes to ``tell``. A *service*
has a method ``start()`` that returns a function, which processes one part of some work. A `Pool`
distributes parts to several processes with the same service. A `Group` starts other programs.

If one of these processes crashes, this is reported. All of them end when this process ends, even if
it is killed; for Windows, see `Group`.
"""

from exactile.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
