"""`exactile count`: the number of solutions, raw, up to rotation, up to symmetry."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import rich_click as click

from exactile.answers import AssemblyCount, Count, CountTable, SubsetCounts
from exactile.cli import options
from exactile.cli.common import (
    Settings,
    answer_lines,
    counted,
)
from exactile.cli.several import FORMS, Told, answer_each
from exactile.cli.stored import KeptOptions, KeptSearch, apart_by
from exactile.cli.table import options_of
from exactile.cli.words import Line, Progress
from exactile.counting.plan import METHODS
from exactile.files.reading import NamedPuzzle
from exactile.puzzle import Puzzle

if TYPE_CHECKING:
    from exactile.cli.model_file import ModelFile
    from exactile.runs.run import Method, RunAnswer


@options_of("count")
@options.option(
    "--method",
    type=click.Choice(METHODS),
    default="auto",
    help="list: find each solution; memo: remember the number of completions of each state of the "
    "search; frontier: sweep across the region, and merge partial coverings that have the same "
    "completions (suits pieces that are used once each); auto: list, but use memo or "
    "frontier where they promise to be faster.",
)
@options.memory("Memory for --method memo and frontier")
@options.scratch
@click.option(
    "--by-pieces",
    is_flag=True,
    help="For each set of pieces, count the solutions that use just these pieces.",
)
@options.assemblable
@options.rotations
@options.certificate
@options.proof_format("drup", "lrat")
@options.table_form(*FORMS)
@options.sort("puzzle", "all", "rotation", "symmetry", "seconds", "outcome")
def command(
    puzzle: Puzzle | ModelFile | list[NamedPuzzle],
    method: str,
    memory: int | None,
    scratch: Path | None,
    by_pieces: bool,
    assemblable: bool,
    rotations: bool,
    certificate: Path | None,
    proof_format: Literal["drup", "lrat"] | None,
    table: str | None,
    sort: str | None,
    kept: KeptOptions | None,
    settings: Settings,
    as_json: bool,
) -> int:
    """Count all solutions, also up to rotation and up to symmetry.

    Several puzzles are treated one after the other, each with its own time limit, and shown in a
    table. FILE.toml stands for all puzzles of a file; a pattern in quotes, such as
    'FILE.toml#day-*' or 'soma-*', for all puzzles with matching ids.

    PUZZLE may also be a model file (.dlx, .xcc, .json), an exact-cover problem; then only the
    number of all its solutions is printed.
    """
    if isinstance(puzzle, list):

        def answer_of(named: NamedPuzzle, progress: Progress) -> Told:
            own = replace(settings)  # with a clock of its own
            answer = _counted(named.load(), method, own, memory, scratch, progress)
            return answer, answer.raw if answer.raw is not None else answer.found

        return answer_each(
            puzzle, answer_of, CountTable, settings, sort=sort, form=table, as_json=as_json
        )
    if not isinstance(puzzle, Puzzle):
        from exactile.cli.model_file import count_file

        return count_file(puzzle, settings, as_json=as_json)
    answer: RunAnswer | SubsetCounts
    progress = Progress(enabled=not settings.quiet)
    if by_pieces:
        from exactile.cli.subsets_command import count_subsets

        answer = count_subsets(puzzle, settings, method, memory, scratch, kept)
    elif kept is not None:
        how: Method = "frontier" if method == "frontier" else "list"
        apart = apart_by(rotations=rotations) if assemblable else None
        answer = KeptSearch(kept, "count", puzzle, settings, how, apart=apart).answer()
    elif assemblable:
        answer = _assembled(puzzle, settings, progress, rotations=rotations)
    elif certificate is not None:
        answer = _certified(puzzle, certificate, proof_format or "drup", settings)
    else:
        answer = _counted(puzzle, method, settings, memory, scratch, progress)
    return settings.tell(answer, answer_lines(answer, puzzle), as_json=as_json)


def _counted(
    puzzle: Puzzle,
    method: str,
    settings: Settings,
    memory: int | None,
    scratch: Path | None,
    progress: Progress,
) -> Count:
    from exactile.counting.verbs import count

    verb = partial(
        count,
        puzzle,
        method="list" if settings.encoding else method,  # its backend takes or refuses an encoding
        memory=memory,
        scratch=scratch,
        watch=progress,
        progress=progress.counted,
        **settings.options(),
    )
    return counted(verb, progress)


def _assembled(
    puzzle: Puzzle, settings: Settings, progress: Progress, *, rotations: bool
) -> AssemblyCount:
    """Count the solutions that come apart, by level.

    A level such as 5.3 has the number of moves of each separation. `rotations`: whether pieces may
    also be turned.
    """
    from exactile.assembly.search import count_assemblable

    verb = partial(
        count_assemblable, puzzle, rotations=rotations, watch=progress, **settings.options()
    )
    return counted(verb, progress)


def _certified(
    puzzle: Puzzle, directory: Path, proof_format: Literal["drup", "lrat"], settings: Settings
) -> Count:
    """Count the solutions, and write a certificate, which proves the numbers, into `directory`.

    If the time limit is reached first, the result has no numbers, and nothing is written.
    """
    from exactile.reasons.certify import certify

    with Line(enabled=not settings.quiet) as line:
        return certify(
            puzzle,
            directory,
            time_limit=settings.seconds_left,
            use_symmetry=settings.use_symmetry,
            proof_format=proof_format,
            heartbeat=lambda what, number: line.show(f"{number:,} {what}"),
        )
