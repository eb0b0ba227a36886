"""`exactile work`: a share of a search, for arrays of batch systems."""

from __future__ import annotations

import re
from typing import Any

import rich_click as click

from exactile.answers import INTERRUPTED, StoreStatus
from exactile.cli.common import UNFINISHED
from exactile.cli.output import print_json
from exactile.cli.resume_command import OPEN
from exactile.cli.status_command import run_lines
from exactile.cli.stored import (
    chosen_run,
    go_on,
    require_there,
    run_argument,
    store_argument,
)
from exactile.cli.table import options_of

MOST_SHARES = 100_000
"""A tenth of the parts that a run can be cut into."""


class Shard(click.ParamType[tuple[int, int]]):
    """A share of a whole: which one, of how many."""

    name = "share"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, int]:
        """Return both numbers."""
        match = re.fullmatch(r"(\d{1,18})/(\d{1,18})", str(value))
        number, of = (int(match[1]), int(match[2])) if match else (0, 0)
        if not 1 <= number <= of:
            self.fail(f"{value} is no share: write 3/200 for the third of 200.", param, ctx)
        if of > MOST_SHARES:
            self.fail(f"{of:,} shares are too many: take at most {MOST_SHARES:,}.", param, ctx)
        return number, of


@options_of("work")
@store_argument
@run_argument
@click.option(
    "--shard",
    type=Shard(),
    required=True,
    metavar="I/N",
    help="Which share: 3/200 is the third of 200.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False),
    required=True,
    metavar="FILE",
    help="The store for what is found; if it is there, it is gone on with.",
)
def command(
    store: str,
    run: int | None,
    shard: tuple[int, int],
    output: str,
    on: str | None,
    workers: int | None,
    time_limit: float | None,
    quiet: bool,
    as_json: bool,
) -> int:
    """Search a share of a run that FILE keeps; `exactile merge` joins the shares.

    FILE itself stays as it is: any number of machines may read it at a time.
    """
    from exactile.runs.run import StoredRun
    from exactile.runs.status import statuses
    from exactile.runs.store import Store, store_to_fill
    from exactile.runs.store.join import require_share, take_share

    require_there(store)
    with store_to_fill(output) as own:
        with Store(store) as whole:
            if own.runs():
                require_share(whole, run, own, *shard)
            else:
                among = [each for each in whole.runs() if each.answer is None]
                take_share(whole, chosen_run(whole, run, among, OPEN), own, *shard)
        chosen = StoredRun(own, own.runs()[0].number)
        answer = go_on(chosen, on, workers, time_limit, quiet=quiet)
        told = StoreStatus(file=output, runs=statuses(own))
    if as_json:
        print_json(told)
    elif not quiet:
        click.echo("\n".join(run_lines(told.runs[0])))
    if answer.stopped == INTERRUPTED:
        return 130
    return 0 if chosen.finished else UNFINISHED
