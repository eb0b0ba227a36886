"""This package: the native backend, as chosen by size."""

from instance import CannotError, main

from exactile.backends import Request, get_backend
from exactile.files.exact_cover import read_exact_cover
from exactile.model import Model


def count(model: Model) -> int:
    """Count all solutions; the native engine is built here."""
    batches = get_backend("dlx").search(model, Request(workers=1))
    return sum(len(batch.assignments) for batch in batches)


def read(path: str) -> Model:
    """Read the file."""
    model = read_exact_cover(path).model
    if model.colored and not getattr(get_backend("dlx"), "takes_colors", False):
        raise CannotError("colors")
    return model


main(lambda model: model, count, reader=read, warm_up=lambda: get_backend("dlx"))
