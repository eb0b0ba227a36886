"""`exactile backends` and `compare`: list the solvers, and compare them on puzzles."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from textwrap import wrap
from typing import Any

import rich_click as click

from exactile.answers import BackendEntry, BackendList, ComparedRun
from exactile.backends import backend_names, get_backend
from exactile.cli import options
from exactile.cli.inline import changed
from exactile.cli.main import undisturbed
from exactile.cli.output import print_json
from exactile.cli.table import options_of
from exactile.cli.words import plural
from exactile.errors import BackendMissingError, FileError
from exactile.files.reading import expanded, is_model_file, is_puzzle_file
from exactile.render.comparison_text import comparison_text, in_seconds
from exactile.surveys.compare.comparison import Comparison, require_store, variants
from exactile.surveys.compare.trial import TASKS, Instance
from exactile.surveys.compare.writing import require_output, write_comparison


@click.command("backends")
@options.as_json
def backends_command(as_json: bool) -> None:
    """List the solvers for --backend, with their versions and variants, such as sat:cadical195.

    The line of a solver that is not installed says how to install it.
    """
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
        solvers = " ".join(f"{entry.name}:{solver}" for solver in entry.solvers)
        about = (entry.version or entry.missing or "").replace("pip install ", "pip install\xa0")
        for words, name in ((about, entry.name), (solvers, "")):
            for line in wrap(words, 79 - 11, break_long_words=False, break_on_hyphens=False):
                click.echo(f"{name:10} {line}".replace("\xa0", " "))
                name = ""


@options_of("compare")
@options.puzzles
@options.option(
    "--backends",
    default="dlx,cpsat,sat",
    metavar="A,B,C",
    help="Solvers to compare, with settings if needed, as in cpsat+linearization_level=2+seed=3.",
)
@click.option(
    "--encodings",
    metavar="A,B",
    help="Encodings of 'at most one' to try, such as pairwise, for solvers that have a choice of "
    "them, such as sat.",
)
@click.option(
    "--seeds", metavar="N,M", help="Seeds of random choices to try, such as 1,2,3; by default, 0."
)
@click.option(
    "--param",
    "params",
    multiple=True,
    metavar="NAME=A,B",
    help="Values to try for a parameter, for solvers that have it; may be repeated.",
)
@options.option(
    "--task",
    type=click.Choice(TASKS),
    default="first",
    help="What each run does. first: find a solution; all: find all; count: count them; prove: "
    "decide whether there is one; pack: cover as many units as possible; tile: cover ever larger "
    "surroundings of a piece by copies of it.",
)
@options.number("--repeats", default=1, help="Number of runs of each solver on each puzzle.")
@options.time_limit("Time limit of each search.", default=60)
@options.memory("Memory limit of each process", "; by default, there is none.", least=64 << 20)
@options.option(
    "--threads",
    type=click.IntRange(1, 1024),
    default=1,
    metavar="N",
    help="Number of threads of each run, with solvers that can use several.",
)
@options.workers("Number of runs at the same time.", default=1)
@options.option(
    "--on",
    metavar="WHERE",
    help="Where the runs are made: in processes here (the default), dask (a cluster on this "
    "machine), or dask:ADDRESS (the cluster of the scheduler at this address).",
)
@options.seed
@options.use_symmetry
@click.option(
    "--shuffle", is_flag=True, help="Make the runs in a random order, which depends on the seed."
)
@click.option(
    "--certificates",
    is_flag=True,
    help="With --task prove, let solvers that can prove unsolvability write proofs, and check "
    "these.",
)
@click.option(
    "--store",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Keep finished runs in this file, and skip those already in it.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="Also write the result as .csv, .parquet, .jsonl, .json, .md or .html; or all of these "
    "into a directory.",
)
@options.quiet("Do not report finished runs.")
def compare_command(
    puzzles: tuple[str, ...],
    backends: str,
    encodings: str | None,
    seeds: str | None,
    params: tuple[str, ...],
    memory: int | None,
    store: Path | None,
    output: Path | None,
    quiet: bool,
    as_json: bool,
    **asked: Any,
) -> int:
    """Run solvers (backends) on puzzles, and compare their times and answers.

    PUZZLE may also be a model file (.dlx, .xcc, .json), FILE.toml (all of its puzzles), a pattern
    such as 'polyhexes-*', or a directory that `exactile instances make` wrote.

    Every run is a process of its own. Crashes and exceeded limits are entries of the table.
    Contradictory answers are an error (exit code 1). Finished runs are kept after Ctrl-C and, with
    --store, even if the process is killed.
    """
    comparison = Comparison(
        _instances(puzzles),
        variants(_split(backends), _split(encodings), _seeds(seeds), _parameters(params)),
        memory_limit=memory and memory >> 20,
        store=store,
        **asked,
    )
    if output is not None:
        if store is not None and output.resolve() == store.resolve():
            raise FileError(f"{output} is the store, which the result would replace: name another.")
        require_output(output)
    if store is not None:
        require_store(store)
    total = len(comparison.trials())
    try:
        for outcome in comparison.run():
            if not quiet:
                done = len(comparison.outcomes)
                click.echo(f"[{done}/{total}] {_line(outcome)}", err=True)
        if comparison.damaged:
            click.echo(f"{store}: ignored {plural(comparison.damaged, 'damaged line')}.", err=True)
    finally:  # after Ctrl-C too
        with undisturbed():
            answer = comparison.answer
            for fault in answer.disagreements:
                click.echo(click.style("Disagreement: ", fg="red", bold=True) + fault, err=True)
            if output is not None:
                write_comparison(answer, output)
            if as_json:
                print_json(answer)
            else:
                click.echo(comparison_text(answer), nl=False)
    return 1 if answer.disagreements else 0


def _instances(references: tuple[str, ...]) -> list[Instance]:
    """Return the puzzles and models that the values of PUZZLE name, each once.

    If several have the same name, their references, such as ``FILE.toml#id``, become their names. A
    directory stands for all puzzle and model files in it and in its folders; the `Instance.family`
    of each is the name of its folder.
    """
    found: dict[str, Instance] = {}
    for reference in references:
        if Path(reference).is_dir():
            found |= _of_directory(Path(reference))
            continue
        for name, instance in _instances_of(reference).items():
            found.setdefault(name, instance)
    uses = Counter(each.name for each in found.values())
    return [
        replace(each, name=reference) if uses[each.name] > 1 else each
        for reference, each in found.items()
    ]


def _of_directory(root: Path) -> dict[str, Instance]:
    """Return the puzzles and models in a directory and its folders, by reference.

    A reference is the path of a model file, or ``FILE.toml#id``. Raise FileError if there are none,
    or if one cannot be read; other errors are those of `NamedPuzzle.load`.
    """
    files = sorted(path for path in root.rglob("*") if is_puzzle_file(path) or is_model_file(path))
    if not files:
        raise FileError(f"{root}: there is no puzzle or model file in this directory.")
    return {
        name: replace(each, family=path.absolute().parent.name)
        for path in files
        for name, each in _instances_of(str(path)).items()
    }


def _instances_of(reference: str) -> dict[str, Instance]:
    """Return the puzzles, or the model, that a value of PUZZLE names, by reference."""
    if is_model_file(reference):
        return {reference: Instance.read(reference)}
    return {named.reference: Instance.of(changed(named.load())) for named in expanded([reference])}


def _split(words: str | None) -> list[str]:
    return [word.strip() for word in (words or "").split(",") if word.strip()]


def _seeds(words: str | None) -> list[int]:
    """Return the seeds in a text such as ``1,2,3``; raise click.BadParameter for any other text."""
    if wrong := [
        s for s in _split(words) if not (s.isdecimal() and len(s) < 11 and int(s) < 2**31)
    ]:
        raise click.BadParameter(f"'{wrong[0]}' is not a seed: write --seeds 1,2,3.")
    return list(map(int, _split(words)))


def _parameters(words: tuple[str, ...]) -> dict[str, list[str]]:
    """Return the values of each parameter, given texts such as ``symmetry_level=0,2``.

    If a parameter occurs in several texts, their values are joined. Raise click.BadParameter for
    texts of any other form.
    """
    found: dict[str, list[str]] = {}
    for word in words:
        name, _, values = word.partition("=")
        if not re.fullmatch(r"[a-z]\w*=[^+=,\s]+(,[^+=,\s]+)*", word):
            raise click.BadParameter(
                f"'{word}' is not NAME=VALUES: write --param symmetry_level=0,2."
            )
        found[name] = list(dict.fromkeys(found.get(name, []) + _split(values)))
    return found


def _line(outcome: ComparedRun) -> str:
    seconds = "" if outcome.seconds is None else f", {in_seconds(outcome.seconds)} s"
    answer = f" {outcome.answer}" if outcome.end == "finished" else ""
    again = f" (run {outcome.repeat})" if outcome.repeat > 1 else ""
    return f"{outcome.puzzle}, {outcome.backend}{again}: {outcome.end}{answer}{seconds}"
