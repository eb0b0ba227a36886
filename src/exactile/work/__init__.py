"""Work in other processes: a typed task goes in, typed messages come out, also about crashes.

A *task* is any object that can be pickled and has a method ``run(tell)``; another process calls it,
and its messages come out of a `Job`. A *service* has a method ``start()`` that returns a function
which processes a part; a `Pool` gives parts to several processes. Other programs are started in a
`Group`.
Whatever happens, no process outlives the one that started it.
"""

from exactile.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
