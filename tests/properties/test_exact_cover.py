"""Files of exact-cover problems: what is written is read again."""

from __future__ import annotations

import re
from dataclasses import replace
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactile.errors import FileError
from exactile.files.models.exact_cover import ExactCover, write_exact_cover
from exactile.files.models.formats import read_model
from exactile.model import Meaning, Model
from exactile.model.lower import lower
from support.few import examples, few
from support.random_models import brute_force, random_model
from support.random_puzzles import random_puzzle

names = st.text(st.sampled_from("abcXYZ019#+-,._é"), min_size=1, max_size=8).filter(
    lambda name: len(name.encode()) <= 8
)


def written(model: Model, colors: tuple[str, ...] = ()) -> str:
    stream = StringIO()
    write_exact_cover(model, stream, colors=colors)
    return stream.getvalue()


def read(text: str) -> ExactCover:
    return read_model(StringIO(text))


@st.composite
def texts(draw: st.DrawFn) -> str:
    """Texts as `write_exact_cover` writes them."""
    items = draw(st.lists(names, min_size=1, max_size=8, unique=True))
    cut = draw(st.integers(1, len(items)))
    bounds = st.sampled_from(["", "2|", "0:2|", "1:3|", "2:2000000|"])
    head = [draw(bounds) + name for name in items[:cut]]
    tail = ["|", *items[cut:]] if items[cut:] else []
    painted = {name: draw(st.booleans()) for name in items[cut:]}
    rows = [" ".join([*head, *tail])]
    for _ in range(draw(st.integers(0, 6))):
        first = draw(st.integers(0, cut - 1))
        others = [n for n in items[first + 1 :] if draw(st.booleans())]
        colors = [":" + draw(names) if painted.get(n) else "" for n in others]
        rows.append(" ".join([items[first], *(n + c for n, c in zip(others, colors, strict=True))]))
    return "\n".join(rows) + "\n"


@given(texts())
def test_text_to_model_to_text(text: str) -> None:
    problem = read(text)
    assert written(problem.model, problem.colors) == text
    assert [problem.text(o) for o in range(problem.model.options)] == text.splitlines()[1:]


@pytest.mark.parametrize("block", few(range(10), 3))
def test_models_keep_their_solutions(block: int) -> None:
    """All but options with items that must not be covered stand in the file, in their order."""
    for seed in range(block * 30, block * 30 + 30):
        model = random_model(seed)
        again = read(written(model)).model
        kept = [o for o in range(model.options) if model.upper[model.option(o)].all()]
        assert again.options == len(kept)
        assert {frozenset(kept[o] for o in s) for s in brute_force(again)} == brute_force(model)


def test_models_of_puzzles_are_read_as_they_were() -> None:
    """The same options over the same items, which stand in another order."""
    for seed in range(examples(60)):
        model = lower(random_puzzle(seed))
        model = replace(model, meaning=Meaning(tuple(f"i{i}" for i in range(model.items))))
        again = read(written(model)).model
        to_old = [-1 if name == "+" else int(name[1:]) for name in again.meaning.labels]
        assert sorted(to_old)[-model.items :] == list(range(model.items))
        for new, old in enumerate(to_old):
            if old >= 0:
                assert (again.lower[new], again.upper[new]) == (model.lower[old], model.upper[old])
        for o in range(model.options):
            items = {to_old[i] for i in again.option(o).tolist()} - {-1}
            assert items == set(model.option(o).tolist())


@given(st.text(st.sampled_from("ab x|:0123\n \t\r#"), max_size=40))
def test_any_text_is_read_or_refused_with_its_place(text: str) -> None:
    try:
        problem = read(text)
    except FileError as error:
        message = str(error)
    else:
        message = ""
        assert problem.model.items > 0
        assert len(problem.lines) == problem.model.options
    assert not message or re.match(r"the stream: (line \d+: .|there are no items)", message)
