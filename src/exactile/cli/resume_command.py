"""`exactile resume`: continues a search in a store."""

from __future__ import annotations

from exactile.cli.answered import tell
from exactile.cli.census_report import holds_census, resume_census
from exactile.cli.options import (
    exit_code_option,
)
from exactile.cli.stored import (
    chosen_search,
    go_on,
    require_there,
    run_argument,
    store_argument,
)
from exactile.cli.table import options_of
from exactile.errors import FileError

OPEN = "still unfinished"


@options_of("resume")
@store_argument
@run_argument
@exit_code_option
def command(
    store: str,
    run: int | None,
    on: str | None,
    workers: int | None,
    time_limit: float | None,
    quiet: bool,
    as_json: bool,
) -> int:
    """Go on with a search that FILE keeps, until it is finished or stopped again.

    RUN is its number; it may be left out where only one is not finished, or where there is only
    one. A finished run is reported again.
    """
    from exactile.runs.store import Store, may_be_written

    require_there(store)
    if holds_census(store):
        return resume_census(store, workers, time_limit, quiet=quiet, as_json=as_json)
    writes = may_be_written(store)
    with Store(store, write=writes) as opened:
        runs = opened.runs()
        left = [each for each in runs if each.answer is None]
        what = OPEN if left else "to go on with"
        chosen = chosen_search(opened, run, left or runs, what)
        if not (writes or chosen.answered):
            raise FileError(
                f"{store}: run {chosen.number} is not finished, and nothing can be written here: "
                "copy the store to where that is possible."
            )
        answer = go_on(chosen, on, workers, time_limit, quiet=quiet)
    return tell(answer, chosen.case.puzzle, as_json=as_json, quiet=quiet)
