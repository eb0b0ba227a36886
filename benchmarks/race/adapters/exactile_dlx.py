"""This package: counting by search or memo, as it chooses; reading the file is not measured."""

from instance import main

from exactile.counting.listing import Alternating
from exactile.counting.memo import Memo
from exactile.files.models.formats import read_model
from exactile.model import Model

Prepared = tuple[Alternating, Model]


def read(path: str) -> Model:
    """Read the file."""
    return read_model(path).model


def warm_up() -> None:
    """Load what the first call loads."""
    tiny = Model.of_options([[0, 1], [1], [0]], lower=[1, 1], upper=[1, 1])
    assert count(prepare(tiny)) == Memo().count(tiny) == 2


def prepare(model: Model) -> Prepared:
    """Build the native engine."""
    method = Alternating(workers=1)
    method.prepare(model)
    return method, model


def count(prepared: Prepared) -> int:
    """Count all solutions."""
    method, model = prepared
    return int(method.count(model) or 0)


main(prepare, count, reader=read, warm_up=warm_up)
