"""What commands that search share: they report results at once, and a summary at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

import rich_click as click

from exactile.answers import INTERRUPTED, SOLUTION_LIMIT, Answer, Status
from exactile.cli.common import every, exit_code, plural, searched
from exactile.cli.lines import Line
from exactile.cli.signals import undisturbed
from exactile.errors import Interrupted

if TYPE_CHECKING:
    from exactile.search.handle import Handle

A = TypeVar("A")


class Named(Protocol):
    """An object with a name, such as a backend."""

    @property
    def name(self) -> str:
        """The name."""


def search_and_tell(
    search: Handle[A],
    progress: Line,
    *,
    write: Callable[[Iterator[A]], str | None],
    answer: Callable[[list[A]], Answer] | None = None,
    report: Callable[[], Any] | None = None,
) -> int:
    """Search, report what is found, and return the exit code.

    After Ctrl-C at any moment, results found before are still reported; a second one ends that too.

    Parameters
    ----------
    search
        The search.
    progress
        The progress line, which is updated automatically.
    write
        Writes what is found as it is found; returns why some of it is missing, if so.
    answer
        Makes the answer of all that was found; then it is printed instead, as JSON.
    report
        Called at the end in any case.
    """
    kept: list[A] = []
    missing = None
    try:
        found = _cleared(search, progress)
        if answer is not None:
            kept.extend(found)
        else:
            missing = write(found)
    except KeyboardInterrupt:  # perhaps while something was drawn or written
        search.close(INTERRUPTED)
        raise
    finally:
        progress.clear()
        with undisturbed():
            if answer is not None:
                click.echo(answer(kept).to_json())
            if report is not None:
                report()
    return exit_code(search.status, search.stopped or missing)


def counted(verb: Callable[[], A], progress: Line) -> A:
    """Return the count of a verb, after Ctrl-C the answer so far."""
    try:
        return verb()
    except Interrupted as stop:
        answer: A = stop.answer
        return answer
    finally:
        progress.clear()


def _cleared(search: Handle[A], progress: Line) -> Iterator[A]:
    for found in search:
        progress.clear()  # it may stand where this is to be written
        yield found


def outcome(
    search: Handle[Any], name: str, backend: Named, what: str = "solution", alike: str = ""
) -> str:
    """Return the result of a search, in words."""
    words = {
        Status.COMPLETE: every(search.found, what, alike),
        Status.SOLVABLE: plural(search.found, what) + alike,
        Status.UNSOLVABLE: "no solution",
        Status.UNKNOWN: "unknown",
    }
    remark = search.reason or search.stopped
    part = searched(search.done) if search.stopped == INTERRUPTED else ""
    why = f" ({remark}{part})" if remark and remark != SOLUTION_LIMIT else ""
    return f"{name}, {backend.name}: {words[search.status]}{why}"
