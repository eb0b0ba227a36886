"""This package: counting by search or memo, as it chooses; reading the file is not measured."""

from instance import main

from exactile.counting.listing import Alternating
from exactile.files.models.formats import read_model
from exactile.model import Model


def read(path: str) -> Model:
    """Read the file."""
    return read_model(path).model


main(lambda model: model, lambda model: Alternating(workers=1).count(model), reader=read)
