"""Labels are unique while they last; the legend explains every one that is not a name."""

from __future__ import annotations

from exactile.render.cover import Cover
from exactile.render.text import classes, label
from unit.render.examples import SQUARES, dominoes, solved


def test_names_that_fit_are_their_own_labels() -> None:
    assert label(Cover(*SQUARES), 1, copies_apart=True) == (["L", "P"], [])


def test_long_names_get_their_first_letter_then_the_other_case_then_any() -> None:
    cover = Cover(
        *solved(
            "square",
            [
                ("I1", [(0, 0)]),
                ("I2", [(0, 1), (1, 1)]),
                ("I", [(x, 2) for x in range(5)]),
                ("I3", [(0, 3), (1, 3), (2, 3)]),
            ],
        )
    )
    labels, legend = label(cover, 1, copies_apart=True)
    assert labels == ["i", "a", "I", "b"]
    assert legend == ["i: I1", "a: I2", "b: I3"]


def test_generated_names_are_shortened_to_their_rank() -> None:
    cover = Cover(
        *solved("square-edges", [("P5x008", [(0, 0, 0)]), ("P5x120", [(1, 0, 0), (2, 0, 0)])])
    )
    assert label(cover, 3, copies_apart=True)[0] == ["8", "120"]


def test_copies_are_numbered_by_letters_and_listed_as_runs() -> None:
    cover = Cover(*dominoes(6, 2))
    assert label(cover, 1, copies_apart=True) == (list("abcdef"), ["a-f: I2"])
    wide = label(cover, 3, copies_apart=True)
    assert wide == (["I2a", "I2b", "I2c", "I2d", "I2e", "I2f"], ["I2a-I2f: I2"])


def test_copies_with_borders_share_the_name() -> None:
    assert label(Cover(*dominoes(4, 2)), 2, copies_apart=False) == (["I2"] * 4, [])


def test_labels_of_fifty_placements_are_unique() -> None:
    labels, _ = label(Cover(*dominoes(10, 10)), 1, copies_apart=True)
    assert len(set(labels)) == 50


def test_when_labels_run_out_touching_copies_differ() -> None:
    cover = Cover(*dominoes(16, 10))
    labels, legend = label(cover, 1, copies_apart=True)
    assert legend == ["a b: I2", "(copies that touch differ)"]
    for mine, others in enumerate(cover.touching):
        assert labels[mine] not in {labels[other] for other in others}


def test_when_there_are_more_pieces_than_labels_touching_pieces_differ() -> None:
    bars = [(f"I{n}", [(x, n) for x in range(n)]) for n in range(1, 71)]
    labels, legend = label(Cover(*solved("square", bars)), 1, copies_apart=True)
    assert labels == ["a", "b"] * 35
    assert legend == ["(pieces that touch differ)"]


def test_classes_of_copies_may_be_told_apart_among_themselves_only() -> None:
    cover = Cover(*solved("square", [("I1", [(0, 0)]), ("I2", [(1, 0), (2, 0)])]))
    assert classes(cover, same_piece=True) == [0, 0]
    assert classes(cover, same_piece=False) == [0, 1]


def test_no_label_looks_like_an_uncovered_unit_or_like_nothing() -> None:
    rows = [(name, [(x, y) for x in range(2)]) for y, name in enumerate((".", " ", "\x01", "ß1"))]
    labels, legend = label(Cover(*solved("square", rows)), 1, copies_apart=True)
    assert sorted(labels) == ["a", "b", "c", "ß"]
    assert {line[3:] for line in legend} == {".", " ", "\x01", "ß1"}
