"""`exactile status`: how far the searches of a store are."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import rich_click as click

from exactile.answers import RunStatus, StoreStatus
from exactile.cli.census_report import holds_census, tell_census
from exactile.cli.common import plural
from exactile.cli.options import json_option
from exactile.cli.output import print_json
from exactile.cli.stored import store_argument
from exactile.clock import CLOCK
from exactile.runs.status import store_status

SECONDS = 2.0
"""Seconds between two looks of --watch."""


@click.command("status")
@store_argument
@click.option("--watch", is_flag=True, help="Look again and again until no process works on it.")
@json_option
def command(store: str, watch: bool, as_json: bool) -> None:
    """Show how far the searches are that FILE keeps; they may be at work meanwhile."""
    if holds_census(store):
        tell_census(store, as_json=as_json)
        return
    answer = store_status(store)
    _tell(answer, as_json=as_json)
    while watch and any(run.working for run in answer.runs):
        CLOCK.pause(SECONDS)
        answer = store_status(store)
        if not as_json:
            click.clear()  # on a terminal
        _tell(answer, as_json=as_json)


def _tell(answer: StoreStatus, *, as_json: bool) -> None:
    if as_json:
        print_json(answer)
        return
    for run in answer.runs:
        click.echo("\n".join(run_lines(run)))
    if not answer.runs:
        click.echo(f"{answer.file} has no runs.")


def run_lines(run: RunStatus) -> Iterator[str]:
    """Yield how far a run is, line by line."""
    share = " (a share of it)" if run.share else ""
    yield f"{run.run}. {run.verb} {run.puzzle}, {run.backend}: {run.status.value}{share}"
    if run.raw is not None:
        numbers = f"{run.raw:,} all, {run.rotation:,} up to rotation, "
        yield f"   {numbers}{run.symmetry:,} up to symmetry"
    else:
        yield f"   {plural(run.found, 'solution')} found"
    spent = f"{plural(run.nodes, 'node')}, {_time(run.seconds)} of processor time"
    if run.parts:
        part = f"{int(run.done * 1000) / 10:.1f} % searched, {plural(run.parts, 'part')} left"
        died = f", {plural(run.lost, 'part')} of them lost once or more" if run.lost else ""
        yield f"   {part}{died}; {spent}"
    else:
        yield f"   {spent}"
    if run.working:
        speed = f", {run.nodes_per_second:,.0f} nodes a second" if run.nodes_per_second else ""
        left = _left(run)
        yield f"   {plural(run.alive or 0, 'worker')} at work ({run.on}){speed}{left}"


def _left(run: RunStatus) -> str:
    if run.seconds_left is None or run.seconds_left_error is None:
        return ""
    return f", {_time(run.seconds_left)} ± {_time(run.seconds_left_error)} left"


def _time(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))
