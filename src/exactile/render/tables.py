"""Markdown tables that fit into a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

WIDTH = 80


def table(head: Sequence[str], rows: Sequence[Sequence[str]], width: int | None = WIDTH) -> str:
    """Return a table of Markdown, the first column to the left, all others to the right.

    If it is too wide, columns move to further tables below; without a width they do not.

    >>> print(table(["puzzle", "dlx", "sat"], [["pentominoes-6x10", "0.1", "2.5"]]))
    | puzzle           | dlx | sat |
    | ---------------- | --: | --: |
    | pentominoes-6x10 | 0.1 | 2.5 |
    """
    widths = [max(3, *(len(row[c]) for row in [head, *rows])) for c in range(len(head))]
    if width is None:
        return _block(head, rows, widths, range(1, len(widths)))
    return "\n\n".join(_block(head, rows, widths, each) for each in _blocks(widths, width))


def _blocks(widths: Sequence[int], width: int) -> Iterator[list[int]]:
    """Yield the columns of each table, besides the first one."""
    room = width - 4 - widths[0]
    columns: list[int] = []
    for c in range(1, len(widths)):
        if columns and sum(widths[k] + 3 for k in [*columns, c]) > room:
            yield columns
            columns = []
        columns.append(c)
    yield columns


def _block(
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    widths: Sequence[int],
    columns: Sequence[int],
) -> str:
    first = widths[0]
    lines = []
    for row in [head, *rows]:
        cells = [row[0].ljust(first), *(row[c].rjust(widths[c]) for c in columns)]
        lines.append("| " + " | ".join(cells) + " |")
    rule = ["-" * first, *("-" * (widths[c] - 1) + ":" for c in columns)]
    lines.insert(1, "| " + " | ".join(rule) + " |")
    return "\n".join(lines)
