"""Printing of counts and verdicts, with published numbers beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import rich_click as click

from exactile.answers import INTERRUPTED, Count, QueensAnswer, Status, SubsetCounts, Verdict
from exactile.cli.common import counters, exit_code, plural, searched
from exactile.cli.output import print_json

if TYPE_CHECKING:
    from exactile.puzzle import Known, Puzzle

UNLISTED = ("memo", "frontier")
"""Methods that meet no solutions before the number is known."""


def tell(answer: Count | Verdict, puzzle: Puzzle, *, as_json: bool, quiet: bool) -> int:
    """Print an answer as `count` and `prove` do; return the exit code."""
    code = exit_code(answer.status, answer.stopped)
    if as_json:
        print_json(answer)
        return code
    lines = count_lines(answer, puzzle) if isinstance(answer, Count) else verdict_lines(answer)
    click.echo("\n".join(lines))
    if not quiet:
        click.echo(counters(answer.stats), err=True)
    return code


def count_lines(answer: Count, puzzle: Puzzle) -> Iterator[str]:
    """Yield the counts, line by line, beside published ones."""
    why = f" ({answer.reason})" if answer.reason else ""
    yield f"{answer.puzzle}, {answer.by}: {answer.status.value}{why}"
    if answer.raw is None:
        seen = (
            f"{plural(answer.found, 'solution')} found"
            if answer.method not in UNLISTED or answer.found
            else "nothing known"
        )
        yield f"  {seen} before the search stopped: {answer.stopped}{searched(answer.done)}"
        return
    yield from number_lines(answer, puzzle.known)
    if answer.proof:
        yield f"  formula and proof are in {answer.proof}"


def number_lines(
    answer: Count | SubsetCounts | QueensAnswer, published: Iterable[Known] = ()
) -> Iterator[str]:
    """Yield the known numbers, each beside the published one."""
    names = {"raw": "all", "rotation": "up to rotation", "symmetry": "up to symmetry"}
    width = max(12, len(f"{answer.raw or 0:,}"))
    for key, name in names.items():
        number = getattr(answer, key)
        if number is not None:
            remarks = "".join(_remark(known, number) for known in published if known.up_to == key)
            yield f"  {name:15} {number:>{width},}{remarks}"


def _remark(known: Known, number: int) -> str:
    """Return the published number beside ours."""
    from exactile.puzzle.puzzle import OURS

    if known.count == number:
        return f"   {'' if known.source == OURS else 'as published '}({known.source})"
    why = f", wrong: {known.refuted}" if known.refuted else ""
    return f"   published: {known.count:,} ({known.source}){why}"


def verdict_lines(verdict: Verdict, *, asked: bool = False) -> Iterator[str]:
    """Yield the verdict, and a line about the certificate if one was requested."""
    part = searched(verdict.done) if verdict.stopped == INTERRUPTED else ""
    why = verdict.reason or (verdict.stopped and verdict.stopped + part)
    remark = f" ({why})" if why else ""
    yield f"{verdict.puzzle}, {verdict.by}: {verdict.status.value}{remark}"
    if verdict.proof:
        yield f"  formula and proof are in {verdict.proof}"
    if verdict.certificate:
        yield f"  certificate, verified: {verdict.certificate} ({verdict.argument})"
    elif asked:
        if verdict.status is Status.UNSOLVABLE:
            yield "  no certificate: there was not enough time to write a proof"
        else:
            yield "  no certificate: there is nothing to certify"
