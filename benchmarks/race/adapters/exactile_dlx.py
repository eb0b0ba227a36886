"""This package: counting by search or memo, as it chooses; reading the file is not measured."""

from instance import main

from exactile.files.models.exact_cover import read_exact_cover
from exactile.model import Model
from exactile.solve.cover_count import count_cover


def read(path: str) -> Model:
    """Read the file."""
    return read_exact_cover(path).model


main(lambda model: model, count_cover, reader=read)
