"""A worker process of the server: it reads requests, does the tasks, and reports events."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Any, get_type_hints

import msgspec

from exactile.errors import ExactileError
from exactile.work.wire import Tell

Event = tuple[str, bytes]
"""The kind of an event and a JSON document; ``"error"`` has a message for people."""

TASKS = {
    "board": "puzzles",
    "text": "puzzles",
    "solve": "searching",
    "count": "searching",
    "prove": "proving",
    "explain": "proving",
    "why": "proving",
    "certificate": "proving",
    "estimate": "searching",
    "watch": "watching",
    "finish": "playing",
    "hint": "playing",
    "challenge": "playing",
    "lattices": "editing",
    "pieces": "editing",
    "build": "editing",
    "read": "editing",
    "peg": "games",
    "reachable": "games",
    "sudoku": "games",
    "classes": "similar",
    "tile": "tiling",
    "runs": "stores",
    "kept": "stores",
    "begin": "stores",
    "go_on": "stores",
}
"""The module of the function with this name that does the task; its argument is the request."""


def event(kind: str, content: object) -> Event:
    """Yield events as they are reported.

    >>> event("found", {"number": 3})
    ('found', b'{"number":3}')
    """
    return kind, msgspec.json.encode(content)


def failed(words: str) -> Event:
    """Return the event of an error."""
    return event("error", {"message": words})


@dataclass(frozen=True)
class Desk:
    """The service of these processes: see `exactile.work.wire.Service`."""

    store: str = ""  # the file of long searches that is open, if any: no request can name another
    # Where temporary files are made, which stay behind if the process is killed
    folder: str | None = None

    def start(self) -> Callable[[tuple[str, bytes], Tell[Event]], None]:
        """Return the function that does a task."""
        tempfile.tempdir = self.folder
        return partial(perform, store=self.store)


def perform(part: tuple[str, bytes], tell: Tell[Event], store: str = "") -> None:
    """Do a task, given its name and a JSON document; errors become events."""
    task, body = part
    own = {"store": store} if TASKS[task] == "stores" else {}
    function = getattr(import_module(f"exactile.serve.tasks.{TASKS[task]}"), task)
    try:
        asked: Any = msgspec.json.decode(body, type=get_type_hints(function)["asked"])
        function(asked, lambda kind, content: tell(event(kind, content)), **own)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        tell(failed(f"The request is invalid: {str(error).rstrip('.')}."))
    except ExactileError as error:
        tell(failed(str(error)))
    except RecursionError:
        tell(failed("The request is nested too deeply."))
