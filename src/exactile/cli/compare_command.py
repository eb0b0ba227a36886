"""`exactile compare`: backends on the same puzzles, on equal terms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from textwrap import fill

import rich_click as click

from exactile.answers import ComparedRun
from exactile.atomic import written
from exactile.backends import Backend, get_backend
from exactile.cli.common import read_puzzle
from exactile.cli.options import (
    crossing_option,
    json_option,
    puzzles_argument,
    quiet_option,
    seed_option,
    symmetry_option,
    time_limit_option,
    workers_option,
)
from exactile.errors import BackendMissingError
from exactile.render.plots import cactus_plot, scatter_plot
from exactile.render.tables import WIDTH, table
from exactile.solve.compare import Comparison
from exactile.solve.trial import TASKS, variant

FILE_WIDTH = 140
"""Tables in files need not fit into a terminal."""

LONGEST_HEAD = 40
"""Where a column's name is longer, columns have numbers, and a legend."""

SHORT = {"out of memory": "memory", "missing": "missing", "wrong": "WRONG"}


@click.command("compare")
@puzzles_argument
@click.option(
    "--backends", default="dlx,cpsat,sat", show_default=True, metavar="A,B,C", help="Which ones."
)
@click.option("--encodings", metavar="A,B", help="Each of these, of backends that know them.")
@click.option("--seeds", metavar="N,M", help="Each of these seeds, in place of --seed.")
@click.option(
    "--param",
    "params",
    multiple=True,
    metavar="NAME=A,B",
    help="Each of these values of a parameter, of solvers that have it; may be repeated.",
)
@click.option("--task", type=click.Choice(TASKS), default="first", show_default=True)
@time_limit_option("For searching, each time.", default=60.0)
@click.option(
    "--memory-limit",
    type=click.IntRange(64),
    metavar="MB",
    help="For what each process may write to.",
)
@workers_option(default=1)
@seed_option
@crossing_option
@symmetry_option("Do not use the puzzles' symmetry.")
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write compare.json, compare.md, cactus.svg and scatter.svg.",
)
@quiet_option("Do not tell what is finished.")
@json_option
def command(
    puzzles: tuple[str, ...],
    backends: str,
    encodings: str | None,
    seeds: str | None,
    params: tuple[str, ...],
    task: str,
    time_limit: float,
    memory_limit: int | None,
    workers: int,
    seed: int,
    no_crossing: bool,
    no_symmetry: bool,
    output: Path | None,
    quiet: bool,
    as_json: bool,
) -> int:
    """Run backends on puzzles, each in a process of its own, and compare their answers.

    Crashes, time and memory limits stand in the table. Answers that contradict each other are an
    error (exit code 1). Ctrl-C keeps what is finished.
    """
    comparison = Comparison(
        [read_puzzle(name, no_crossing=no_crossing) for name in puzzles],
        list(_variants(_split(backends), _split(encodings), _split(seeds), params)),
        task=task,
        time_limit=time_limit,
        memory_limit=memory_limit,
        seed=seed,
        workers=workers,
        use_symmetry=not no_symmetry,
    )
    if output is not None:
        output.mkdir(parents=True, exist_ok=True)
    try:
        for outcome in comparison.run():
            if not quiet:
                click.echo(_told(outcome), err=True)
            if output is not None:
                _write(comparison, output)
    finally:  # after Ctrl-C too
        if as_json:
            click.echo(comparison.answer.to_json())
        else:
            click.echo(report(comparison), nl=False)
    faults = comparison.disagreements()
    for fault in faults:
        click.echo(click.style("Disagreement: ", fg="red", bold=True) + fault, err=True)
    return 1 if faults else 0


def _split(words: str | None) -> list[str]:
    return [word.strip() for word in (words or "").split(",") if word.strip()]


def _variants(
    backends: list[str], encodings: list[str], seeds: list[str], params: tuple[str, ...]
) -> Iterator[str]:
    """Yield each backend with each encoding and parameter that it knows and each seed."""
    if wrong := [seed for seed in seeds if not seed.isdecimal()]:
        raise click.BadParameter(f"'{wrong[0]}' is no seed: write --seeds 1,2,3.")
    made = {name: _backend(name) for name in backends}
    known = {name: getattr(backend, "encodings", ()) for name, backend in made.items()}
    for encoding in encodings:
        if not any(encoding in own for own in known.values()):
            raise click.BadParameter(f"None of these backends knows the encoding '{encoding}'.")
    values: dict[str, list[str]] = {}
    for param, told in map(_parameter, params):
        values[param] = list(dict.fromkeys(values.get(param, []) + told))
    for param in values:
        if not any(_knows(backend, param) for backend in made.values()):
            raise click.BadParameter(f"None of these backends has a parameter '{param}' to set.")
    for name, own in known.items():
        choices = [
            [f"+encoding={e}" for e in encodings if e in own],
            *([f"+{p}={v}" for v in vs] for p, vs in values.items() if _knows(made[name], p)),
            [f"+seed={s}" for s in seeds],
        ]
        yield from (name + "".join(told) for told in product(*(c or [""] for c in choices)))


def _parameter(words: str) -> tuple[str, list[str]]:
    """Return name and values of a parameter."""
    name, _, values = words.partition("=")
    if not re.fullmatch(r"[a-z]\w*", name) or not re.fullmatch(r"[^+=,\s]+(,[^+=,\s]+)*", values):
        raise click.BadParameter(f"'{words}' sets nothing: write --param symmetry_level=0,2.")
    return name, _split(values)


def _knows(backend: Backend | None, parameter: str) -> bool:
    knows = getattr(backend, "knows", None)
    return knows is not None and bool(knows(parameter))


def _backend(name: str) -> Backend | None:
    """Return a backend if it is installed; what is not stands in the table."""
    try:
        return get_backend(variant(name).backend)
    except BackendMissingError:
        return None


def _told(outcome: ComparedRun) -> str:
    seconds = "" if outcome.seconds is None else f", {outcome.seconds:.2f} s"
    answer = f" {outcome.answer}" if outcome.end == "finished" else ""
    return f"{outcome.puzzle}, {outcome.backend}: {outcome.end}{answer}{seconds}"


def report(comparison: Comparison, width: int = WIDTH) -> str:
    """Return the table with what one must know to read it."""
    given = {(o.puzzle, o.backend): o for o in comparison.outcomes}
    rows = []
    for puzzle in comparison.puzzles:
        mine = [given.get((puzzle.name, backend)) for backend in comparison.backends]
        rows.append([puzzle.name, _answer(mine), *(_cell(o, comparison) for o in mine)])
    limit = f"{comparison.time_limit:g} s"
    memory = f", {comparison.memory_limit} MB" if comparison.memory_limit else ""
    remarks = [
        *(f"{name}: {text}" for name, text in _versions(comparison.outcomes).items()),
        *(
            f"{o.puzzle}, {o.backend}: {o.end}: {' '.join(o.message.split())}"
            for o in comparison.outcomes
            if o.message and o.end != "time limit"
        ),
        *(f"DISAGREEMENT: {fault}" for fault in comparison.disagreements()),
    ]
    heads = comparison.backends
    legend = []
    if max(map(len, heads), default=0) > LONGEST_HEAD:
        heads = [str(number) for number in range(1, len(heads) + 1)]
        legend = [f"{n}: {name}" for n, name in zip(heads, comparison.backends, strict=True)]
    lines = [
        table(["puzzle", "answer", *heads], rows, width),
        "",
        *legend,
        *([""] if legend else []),
        f"Task: {comparison.task}. Seconds of searching, with starting the solver and writing",
        "the model for it, without building the model, which is the same for all.",
        f"Limits: {limit}{memory}; > was stopped by the time limit, ? is not run.",
        f"Workers: {comparison.workers}. Seed: {comparison.seed}.",
        "",
        *(fill(f"- {text}", WIDTH, subsequent_indent="  ") for text in remarks),
    ]
    return "\n".join(lines) + "\n"


def _versions(outcomes: list[ComparedRun]) -> dict[str, str]:
    """Return version and parameters of each backend that ran."""
    known: dict[str, str] = {}
    for o in outcomes:
        if o.version:
            told = ", ".join(f"{k}={v}" for k, v in o.parameters.items())
            known.setdefault(o.backend, o.version + (f" ({told})" if told else ""))
    return known


def _answer(mine: list[ComparedRun | None]) -> str:
    """Return what is known of a puzzle: a number of solutions, yes, no, disputed, or nothing."""
    done = [o for o in mine if o is not None]
    refuted = any(o.digest is not None and not o.distinct for o in done)
    sets = {o.digest for o in done if o.digest is not None}
    if len(sets) > 1 or (refuted and any(o.found for o in done)):
        return "disputed"
    for o in done:
        if o.digest is not None:
            return f"{o.distinct:,}" if o.distinct else "none"
    return "some" if any(o.found for o in done) else "?"


def _cell(outcome: ComparedRun | None, comparison: Comparison) -> str:
    if outcome is None:
        return "?"
    if outcome.end == "finished" and outcome.seconds is not None:
        if outcome.seconds < 0.001:
            return "<0.001"
        digits = 3 if outcome.seconds < 0.1 else 2 if outcome.seconds < 100 else 0
        return f"{outcome.seconds:.{digits}f}"
    if outcome.end == "time limit":
        return f"> {comparison.time_limit:g}"
    return SHORT.get(outcome.end, outcome.end)


def _write(comparison: Comparison, folder: Path) -> None:
    """Write everything that is known so far."""
    texts = {
        "compare.json": comparison.answer.to_json(indent=1) + "\n",
        "compare.md": report(comparison, FILE_WIDTH),
    }
    given = {(o.puzzle, o.backend): o for o in comparison.outcomes}
    times = {
        backend: [_time(given.get((p.name, backend))) for p in comparison.puzzles]
        for backend in comparison.backends
    }
    for name, draw in (("cactus", cactus_plot), ("scatter", scatter_plot)):
        texts[f"{name}.svg"] = draw(times, comparison.time_limit, f"{comparison.task}: {name} plot")
    for name, text in texts.items():  # a file is never half written, not even after Ctrl-C
        with written(folder / name) as stream:
            stream.write(text)


def _time(outcome: ComparedRun | None) -> float | None:
    return outcome.seconds if outcome is not None and outcome.end == "finished" else None
