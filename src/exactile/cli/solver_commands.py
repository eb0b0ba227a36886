"""`exactile backends` and `compare`: the solvers, alone and on equal terms."""

from __future__ import annotations

import re
from pathlib import Path

import rich_click as click

from exactile.answers import BackendEntry, BackendList, ComparedRun
from exactile.backends import backend_names, get_backend
from exactile.cli import options
from exactile.cli.common import read_puzzle
from exactile.cli.output import print_json
from exactile.cli.table import options_of
from exactile.errors import BackendMissingError
from exactile.files.several import expanded
from exactile.render.comparison import comparison_text, in_seconds, write_comparison
from exactile.search.compare import TASKS, Comparison, variants


@click.command("backends")
@options.as_json
def backends_command(as_json: bool) -> None:
    """List the solvers."""
    found: list[BackendEntry] = []
    for name in backend_names():
        try:
            backend = get_backend(name)
            choices = backend.choices()
            found.append(BackendEntry(name=name, version=backend.version(), solvers=tuple(choices)))
        except BackendMissingError as error:
            found.append(BackendEntry(name=name, missing=str(error)))
    if as_json:
        print_json(BackendList(backends=tuple(found)))
        return
    for entry in found:
        click.echo(f"{entry.name:10} {entry.version or entry.missing}")
        line = "          "
        for solver in entry.solvers:
            word = f" {entry.name}:{solver}"
            if len(line) + len(word) > 79:
                click.echo(line)
                line = "          "
            line += word
        if line.strip():
            click.echo(line)


FILES = (".csv", ".tsv", ".json", ".jsonl", ".md", ".html", ".txt", ".svg", ".png", ".pdf")
"""Endings that never belong to a directory."""


@options_of("compare")
@options.puzzles
@options.option("--backends", default="dlx,cpsat,sat", metavar="A,B,C", help="Which ones.")
@click.option("--encodings", metavar="A,B", help="Each of these, of backends that know them.")
@click.option("--seeds", metavar="N,M", help="Each of these seeds, in place of --seed.")
@click.option(
    "--param",
    "params",
    multiple=True,
    metavar="NAME=A,B",
    help="Each of these values of a parameter, of solvers that have it; may be repeated.",
)
@options.option("--task", type=click.Choice(TASKS), default="first")
@options.time_limit("For searching, each time.", default=60.0)
@options.memory("For what each process may write to", ".", least=64 << 20)
@options.workers(default=1)
@options.seed
@options.use_symmetry
@click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write compare.json, compare.md, cactus.svg and scatter.svg.",
)
@options.quiet("Do not report what is finished.")
def compare_command(
    puzzles: tuple[str, ...],
    backends: str,
    encodings: str | None,
    seeds: str | None,
    params: tuple[str, ...],
    task: str,
    time_limit: float,
    memory: int | None,
    workers: int,
    seed: int,
    use_symmetry: bool,
    output: Path | None,
    quiet: bool,
    as_json: bool,
) -> int:
    """Run backends on puzzles, each in a process of its own, and compare their answers.

    Crashes, time and memory limits stand in the table. Answers that contradict each other are an
    error (exit code 1). Ctrl-C keeps what is finished.
    """
    comparison = Comparison(
        [read_puzzle(named) for named in expanded(puzzles)],
        variants(_split(backends), _split(encodings), _seeds(seeds), _parameters(params)),
        task=task,
        time_limit=time_limit,
        memory_limit=memory and memory >> 20,
        seed=seed,
        workers=workers,
        use_symmetry=use_symmetry,
    )
    if output is not None:
        if output.suffix in FILES and not output.is_dir():
            raise click.UsageError(f"--output is a directory, and {output} looks like a file.")
        output.mkdir(parents=True, exist_ok=True)
    try:
        for outcome in comparison.run():
            if not quiet:
                click.echo(_told(outcome), err=True)
            if output is not None:
                write_comparison(comparison.answer, output)
    finally:  # after Ctrl-C too
        if as_json:
            print_json(comparison.answer)
        else:
            click.echo(comparison_text(comparison.answer), nl=False)
    faults = comparison.disagreements()
    for fault in faults:
        click.echo(click.style("Disagreement: ", fg="red", bold=True) + fault, err=True)
    return 1 if faults else 0


def _split(words: str | None) -> list[str]:
    return [word.strip() for word in (words or "").split(",") if word.strip()]


def _seeds(words: str | None) -> list[int]:
    """Return numbers."""
    if wrong := [
        s for s in _split(words) if not (s.isdecimal() and len(s) < 11 and int(s) < 2**31)
    ]:
        raise click.BadParameter(f"'{wrong[0]}' is no seed: write --seeds 1,2,3.")
    return list(map(int, _split(words)))


def _parameters(words: tuple[str, ...]) -> dict[str, list[str]]:
    """Return the values of each parameter; repeated parameters have all of theirs."""
    found: dict[str, list[str]] = {}
    for word in words:
        name, _, values = word.partition("=")
        if not re.fullmatch(r"[a-z]\w*=[^+=,\s]+(,[^+=,\s]+)*", word):
            raise click.BadParameter(f"'{word}' sets nothing: write --param symmetry_level=0,2.")
        found[name] = list(dict.fromkeys(found.get(name, []) + _split(values)))
    return found


def _told(outcome: ComparedRun) -> str:
    seconds = "" if outcome.seconds is None else f", {in_seconds(outcome.seconds)} s"
    answer = f" {outcome.answer}" if outcome.end == "finished" else ""
    return f"{outcome.puzzle}, {outcome.backend}: {outcome.end}{answer}{seconds}"
