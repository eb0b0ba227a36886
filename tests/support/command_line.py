"""Commands: what the fixture `cli` gives to tests, and commands in processes of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

Cli = Callable[..., tuple[int, str, str]]
"""Calls a command; returns its exit code, standard output and standard error."""


def started(*words: str, first: str = "", **options: Any) -> subprocess.Popen[str]:
    """Begin a command in a process of its own, which runs a program first.

    That can import what tests share, such as `support.events`.
    """
    code = f"{first}\nfrom exactile.cli.main import main\nmain()\n"
    known = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
    given: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "env": known}
    return subprocess.Popen(
        [sys.executable, "-P", "-c", code, *words], text=True, **given | options
    )
