"""Checkpoints of counts without listing: numbers that are known, and the file to go on from."""

from __future__ import annotations

from pathlib import Path

from exactile.runs.store.store import Store

CHUNK = 2**24
"""Bytes of one piece of a file: databases handle larger ones badly."""


def known_numbers(store: Store, run: int) -> dict[int, int]:
    """Return the numbers that steps of a count have given, by step."""
    rows = store.query("SELECT step, number FROM checkpoint WHERE run = ?", run)
    return {step: int(number) for step, number in rows}


def keep_number(store: Store, run: int, step: int, number: int) -> None:
    """Write down what a step of a count has given, in place of where it stood."""
    with store.transaction():
        store.clear("chunk", run)
        store.change("INSERT INTO checkpoint VALUES (?, ?, ?)", run, step, str(number))


def keep_file(store: Store, run: int, step: int, path: Path, done: float) -> None:
    """Write down where a step of a count stands: all of a file, or nothing.

    Parameters
    ----------
    store, run, step
        The step.
    path
        The file.
    done
        The part of the work that lies behind, about.
    """
    with store.transaction(), path.open("rb") as stream:
        store.clear("chunk", run)
        while data := stream.read(CHUNK):
            store.change("INSERT INTO chunk (run, step, data) VALUES (?, ?, ?)", run, step, data)
        store.change("UPDATE part SET weight = ? WHERE run = ?", 1 - done, run)


def fetch_file(store: Store, run: int, step: int, path: Path) -> bool:
    """Write the file of a step anew, if there is one; return whether there is."""
    numbers = store.query(
        "SELECT number FROM chunk WHERE run = ? AND step = ? ORDER BY number", run, step
    )
    with path.open("wb") as stream:
        for (number,) in numbers:
            [(data,)] = store.query("SELECT data FROM chunk WHERE number = ?", number)
            stream.write(data)
    return bool(numbers)
