"""What a process of the server does: it reads what is asked, does it, and tells events."""

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
"""A kind of news and a JSON document; ``"error"`` has words for people."""

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
    "runs": "stores",
    "kept": "stores",
    "begin": "stores",
    "go_on": "stores",
}
"""The module in which a function of this name does it; the function's argument is what is asked."""


def event(kind: str, content: object) -> Event:
    """Return news as they are told.

    Examples
    --------
    >>> event("found", {"number": 3})
    ('found', b'{"number":3}')
    """
    return kind, msgspec.json.encode(content)


def failed(words: str) -> Event:
    """Return the news that something went wrong."""
    return event("error", {"message": words})


@dataclass(frozen=True)
class Desk:
    """The service of these processes: see `exactile.work.wire.Service`.

    Attributes
    ----------
    store
        The file of long searches that is open, if any: no request can name another.
    folder
        Where temporary files are made, which stay behind if the process is killed.
    """

    store: str = ""
    folder: str | None = None

    def start(self) -> Callable[[tuple[str, bytes], Tell[Event]], None]:
        """Return what does a task."""
        tempfile.tempdir = self.folder
        return partial(perform, store=self.store)


def perform(part: tuple[str, bytes], tell: Tell[Event], store: str = "") -> None:
    """Do a task, given its name and a JSON document; whatever is wrong with it is told."""
    task, body = part
    own = {"store": store} if TASKS[task] == "stores" else {}
    function = getattr(import_module(f"exactile.serve.tasks.{TASKS[task]}"), task)
    try:
        asked: Any = msgspec.json.decode(body, type=get_type_hints(function)["asked"])
        function(asked, lambda kind, content: tell(event(kind, content)), **own)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        tell(failed(f"This cannot be asked: {str(error).rstrip('.')}."))
    except ExactileError as error:
        tell(failed(str(error)))
    except RecursionError:
        tell(failed("This is nested too deep."))
