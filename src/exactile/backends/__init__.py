"""Solvers behind one protocol: each is one file here, or elsewhere, and one entry point."""

from exactile.backends.base import Backend, Batch, Request, no_solutions
from exactile.backends.registry import backend_names, get_backend

__all__ = ["Backend", "Batch", "Request", "backend_names", "get_backend", "no_solutions"]
