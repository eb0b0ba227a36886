"""Solvers with a common interface, each in a module of this or another package."""

from exactile.backends.base import Backend, Batch, Request, no_solutions
from exactile.backends.registry import backend_names, get_backend

__all__ = ["Backend", "Batch", "Request", "backend_names", "get_backend", "no_solutions"]
