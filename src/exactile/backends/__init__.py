"""Solvers behind one protocol: each a module, here or in another package, with an entry point."""

from exactile.backends.base import Backend, Batch, Request, no_solutions
from exactile.backends.registry import backend_names, get_backend

__all__ = ["Backend", "Batch", "Request", "backend_names", "get_backend", "no_solutions"]
