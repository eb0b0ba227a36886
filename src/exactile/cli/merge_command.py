"""`exactile merge`: joins the stores of shares."""

from __future__ import annotations

import rich_click as click

from exactile.cli.census_report import holds_census, tell_census
from exactile.cli.common import plural
from exactile.cli.options import json_option, quiet_option
from exactile.cli.output import print_json
from exactile.cli.status_command import run_lines
from exactile.cli.stored import store_argument
from exactile.runs.joining import join_stores


@click.command("merge")
@store_argument
@click.argument("others", metavar="FILE...", nargs=-1, required=True)
@quiet_option()
@json_option
def command(store: str, others: tuple[str, ...], quiet: bool, as_json: bool) -> None:
    """Take what other stores have found into the first FILE, which is made if there is none.

    What was searched twice counts once.
    """
    if holds_census(others[0]):
        from exactile.tiling.survey import join_censuses

        join_censuses(store, others)
        tell_census(store, as_json=as_json)
        return
    answer = join_stores(store, others)
    if as_json:
        print_json(answer)
    elif not quiet:
        known = f", {plural(answer.known, 'part')} done already" if answer.known else ""
        click.echo(f"{plural(answer.taken, 'part')} taken over{known}.")
        for run in answer.runs:
            click.echo("\n".join(run_lines(run)))
