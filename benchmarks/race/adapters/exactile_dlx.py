"""This package: the native engine, its kernel chosen by size; solutions are counted, not kept."""

from instance import main

from exactile.backends.exploration import Exploration
from exactile.files.exact_cover import read_exact_cover
from exactile.model import Model


def count(exploration: Exploration) -> int:
    """Count all solutions."""
    exploration.run(keep=False)
    return exploration.count


def read(path: str) -> Model:
    """Read the file."""
    return read_exact_cover(path).model


main(Exploration, count, reader=read)
