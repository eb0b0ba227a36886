"""Solvers behind one protocol: each is a module with an entry point, here or in another package."""

from exactile.backends.base import Backend, Batch, Request, no_solutions
from exactile.backends.registry import backend_names, get_backend

__all__ = ["Backend", "Batch", "Request", "backend_names", "get_backend", "no_solutions"]
