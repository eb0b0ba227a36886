"""The command line as the tests of commands call it."""

from __future__ import annotations

from collections.abc import Callable

Cli = Callable[..., tuple[int, str, str]]
"""Takes the words of a command; returns its exit code, standard output and standard error."""
