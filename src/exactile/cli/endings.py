"""The format of a file, by the ending of its name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import rich_click as click

TEXTS = (
    *("text", "line", "lines", "boards", "puzzler", "jsonl", "json", "toml", "csv"),
    *("xcc", "cnf", "wcnf", "opb", "lp", "mps", "mzn", "cpsat"),
)

LOOSE = (".sol", ".out", ".log")
"""Endings of texts, with any text format."""

FITTING: dict[str, tuple[str, ...]] = {
    **dict.fromkeys((".txt", *LOOSE), TEXTS),
    ".svg": ("svg",),
    ".dlx": ("xcc",),
    **dict.fromkeys((".pbtxt", ".cpsat"), ("cpsat",)),
    **{f".{form}": (form,) for form in ("xcc", "cnf", "wcnf", "opb", "lp", "mps", "mzn")},
    **{f".{form}": (form,) for form in ("json", "jsonl", "toml", "csv", "xmpuzzle")},
    **{f".{form}": (form,) for form in ("png", "pdf", "html", "parquet")},
    **dict.fromkeys((".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff", ".eps", ".ps"), ()),
}
"""The formats of each ending. Other endings are errors, except numbers: those of a date, or of a
part, mean nothing."""


def form_of(
    name: str, choices: Sequence[str], given: str | None = None, default: str | None = None
) -> str | None:
    """Return the format of a file: the one given, the one of its ending, or the default.

    Parameters
    ----------
    name
        The file; ``"-"`` is standard output.
    choices
        The formats that can be written.
    given
        The one that was asked for.
    default
        The one to take where the ending leaves it open; None leaves it open too.

    Raises
    ------
    click.UsageError
        If the ending stands for another format, or for none.

    Examples
    --------
    >>> form_of("a.svg", ["text", "svg"], default="text"), form_of("-", ["svg"], default="svg")
    ('svg', 'svg')
    """
    ending = Path(name).suffix.lower()
    silent = name == "-" or not ending[1:] or ending[1:].isdigit()
    if silent or (ending not in FITTING and (given or len(choices) == 1)):
        return given or default
    if given and ending in LOOSE:
        return given
    fitting = [form for form in choices if form in FITTING.get(ending, ())]
    if given is not None and given not in fitting:
        raise click.UsageError(
            f"{name}: the ending {ending} does not go with the format {given}: name the file "
            "otherwise, or leave out --format."
        )
    if not fitting:
        own = [(e, f[0]) for e, f in FITTING.items() if f and f != TEXTS and f[0] in choices]
        known = [e if e[1:] == form else f"{e} ({form})" for e, form in own]
        known += [f".txt ({form})" for form in ("text", "lines") if form in choices]
        raise click.UsageError(
            f"{name}: files ending in {ending} cannot be written here; use one of "
            f"{', '.join(known)}."
        )
    if given or default in fitting or (default is None and len(fitting) > 1):
        return given or default
    return fitting[0]
