"""Short labels that distinguish the placements of a solution, and the legend."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from string import ascii_lowercase, ascii_uppercase, digits

from exactile.render.cover import Cover

SYMBOLS = ascii_lowercase + ascii_uppercase + digits

Holder = tuple[str, int]
"""The holder of a label: a piece's name, and a number that distinguishes its copies."""


def label(cover: Cover, width: int, *, copies_apart: bool) -> tuple[list[str], list[str]]:
    """Return a label for each placement, and legend entries for labels other than piece names.

    Labels are unique as long as there are enough of them. After that, placements of one piece
    share labels where they do not touch; with too many pieces for that, all placements do.

    `cover`: the solution. `width`: the longest label that fits. `copies_apart`: whether placements
    of one piece need different labels, as they do where no border is drawn between them.

    >>> import exactile
    >>> puzzle = exactile.load("pentominoes-6x10")
    >>> labels, legend = label(Cover(puzzle, exactile.solve_one(puzzle)), 1, copies_apart=True)
    >>> "".join(labels), legend
    ('FILNPTUVWXYZ', [])
    """
    names = [placement.piece for placement in cover.solution]
    copies = _copy_numbers(names) if copies_apart else [0] * len(names)
    found = _assign(list(zip(names, copies, strict=True)), width)
    if found is not None:
        return found, _legend(names, found)
    found = _assign(list(zip(names, classes(cover, same_piece=True), strict=True)), width)
    if found is not None:
        return found, [*_legend(names, found), "(copies that touch differ)"]
    found = [SYMBOLS[c % len(SYMBOLS)] for c in classes(cover, same_piece=False)]
    return found, ["(pieces that touch differ)"]


def classes(cover: Cover, *, same_piece: bool) -> list[int]:
    """Return small numbers for the placements, different for placements that touch.

    `cover`: the solution. `same_piece`: whether only placements of the same piece need to differ.
    """
    names = [placement.piece for placement in cover.solution]
    result: list[int] = []
    for number, others in enumerate(cover.touching):
        near = {
            result[o]
            for o in others
            if o < number and (not same_piece or names[o] == names[number])
        }
        result.append(next(c for c in range(len(near) + 1) if c not in near))
    return result


def _copy_numbers(names: Sequence[str]) -> list[int]:
    seen: Counter[str] = Counter()
    result = []
    for name in names:
        result.append(seen[name])
        seen[name] += 1
    return result


def _assign(holders: Sequence[Holder], width: int) -> list[str] | None:
    """Return the label of each holder, different for different holders; None if they run out."""
    different = list(dict.fromkeys(holders))
    uses = Counter(name for name, _ in different)
    labels = {h: h[0] for h in different if uses[h[0]] == 1 and _is_label(h[0], width)}
    used = set(labels.values())
    sources = {name: _candidates(name, width, alone=n == 1) for name, n in uses.items()}
    for holder in different:
        if holder in labels:
            continue
        text = next((c for c in sources[holder[0]] if c not in used and _is_label(c, width)), None)
        if text is None:
            return None
        labels[holder] = text
        used.add(text)
    return [labels[h] for h in holders]


def _is_label(text: str, width: int) -> bool:
    """Return whether a text can be seen, fits, and is not the dot of uncovered units."""
    return text.isprintable() and text.strip() not in ("", ".") and len(text) <= width


def _candidates(name: str, width: int, *, alone: bool) -> Iterator[str]:
    """Yield labels for a piece whose name is too long or already used, the most similar first."""
    stem = name
    if len(name) > width:
        rank = re.search(r"[1-9]\d*$", name) if width > 1 else None
        stem = rank[0] if rank and len(rank[0]) <= width else name[:width]
        if alone:
            yield stem
            yield stem.swapcase()
    if width > 1:
        yield from (stem[: width - 1] + symbol for symbol in SYMBOLS)
    yield from SYMBOLS


def _legend(names: Sequence[str], labels: Sequence[str]) -> list[str]:
    """Return an entry such as ``a-j: Y`` for each piece that is not labelled with its name."""
    texts: dict[str, list[str]] = {}
    for name, text in zip(names, labels, strict=True):
        texts.setdefault(name, []).append(text)
    return [
        f"{' '.join(_runs(sorted(set(found), key=_rank)))}: {name}"
        for name, found in texts.items()
        if set(found) != {name}
    ]


def _rank(text: str) -> tuple[str, int]:
    return text[:-1], SYMBOLS.find(text[-1])


def _runs(texts: Sequence[str]) -> list[str]:
    """Return labels with runs of three or more shortened.

    >>> _runs(["a", "b", "c", "d", "x", "I3a", "I3b"])
    ['a-d', 'x', 'I3a', 'I3b']
    """
    runs: list[list[str]] = []
    for text in texts:
        follows = runs and _rank(text) == (_rank(runs[-1][-1])[0], _rank(runs[-1][-1])[1] + 1)
        if follows and _kind(text) == _kind(runs[-1][-1]):
            runs[-1].append(text)
        else:
            runs.append([text])
    return [word for run in runs for word in ([f"{run[0]}-{run[-1]}"] if len(run) > 2 else run)]


def _kind(text: str) -> int:
    """Return the alphabet of the last character, as a number from 0 to 2."""
    return SYMBOLS.find(text[-1]) // 26
