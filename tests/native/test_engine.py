"""The native engine alone: every way to search gives the same tree, stopped and resumed at will."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import threading
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exactile
from exactile._native import Engine, instruction_sets
from exactile.backends.base import Prefix
from exactile.backends.exploration import KERNELS, Exploration
from exactile.clock import VARIABLE
from exactile.errors import BackendError, ModelError
from exactile.model import Model
from exactile.model.lower import lower
from exactile.model.model import Ints, Longs
from support.few import examples, few
from support.random_models import Solutions, brute_force, models, random_model
from support.small import dominoes

MODELS = 500
BLOCK = 50

WAYS: list[dict[str, Any]] = [
    {"kernel": kernel, "endgame": endgame, "instruction_set": isa}
    for kernel, endgame, isa in product(KERNELS, (True, False), instruction_sets())
]
"""Every way to search by one thread."""


def raw_engine(
    lower: Ints, upper: Ints, first: Longs, members: Ints, colors: Ints, kernel: str
) -> Engine:
    """Return the native object itself, which trusts nobody."""
    return Engine(
        lower,
        upper,
        first,
        members,
        colors,
        kernel,
        endgame=True,
        isa="",
        components=False,
        balance=False,
        pieces=0,
        units=0,
        shades=np.zeros((0, len(lower)), dtype=np.int32),
    )


def solutions_of(exploration: Exploration, limit: int | None = None) -> Solutions:
    """Return all solutions, fetched `limit` at a time; none may come twice."""
    found: list[frozenset[int]] = []
    while not exploration.exhausted:
        rows = exploration.run(limit=limit)
        assert limit is None or len(rows) <= limit
        found += [frozenset(o for o in row if o >= 0) for row in rows.tolist()]
    assert len(found) == len(set(found)) == exploration.count
    assert exploration.done == 1
    return set(found)


def widened(model: Model, extra: int = 600) -> Model:
    """Return a model with so many more options that the endgame cannot begin at the root.

    Option `model.options` rules the extra options out, the next one leaves a choice of at most one.
    """
    items = model.items
    rows = [model.option(o).tolist() for o in range(model.options)]
    spans = list(zip(model.first[:-1].tolist(), model.first[1:].tolist(), strict=True))
    colors: list[dict[int, int]] = [
        dict(zip(model.members[a:b].tolist(), model.colors[a:b].tolist(), strict=True))
        for a, b in spans
    ]
    rows += [[items, items + 1], [items], *([items + 1] for _ in range(extra))]
    colors += [{}] * (2 + extra)
    return Model.of_options(
        rows, [*model.lower.tolist(), 1, 0], [*model.upper.tolist(), 1, 1], colors
    )


def widened_solutions(model: Model, extra: int = 600) -> Solutions:
    first, second = model.options, model.options + 1
    dummies = [frozenset[int](), *(frozenset({second + 1 + k}) for k in range(extra))]
    base = brute_force(model)
    return {s | {first} for s in base} | {s | {second} | d for s in base for d in dummies}


@settings(max_examples=examples(MODELS))
@given(model=models(), limit=st.integers(1, 7))
def test_every_way_finds_what_trying_all_sets_finds(model: Model, limit: int) -> None:
    expected = brute_force(model)
    nodes = set()
    for way in WAYS:
        exploration = Exploration(model, **way)
        assert solutions_of(exploration, limit=limit) == expected, way
        nodes.add(exploration.nodes)
    assert len(nodes) == 1


@settings(max_examples=examples(MODELS))
@given(model=models(), limit=st.integers(1, 7), ordered=st.booleans())
def test_any_number_of_workers_finds_the_same(model: Model, limit: int, ordered: bool) -> None:
    expected = brute_force(model)
    nodes = set()
    for kernel, workers in product(KERNELS, (1, 2, 5)):
        exploration = Exploration(model, kernel=kernel, workers=workers, ordered=ordered)
        assert solutions_of(exploration, limit=limit) == expected, workers
        nodes.add(exploration.nodes)
    assert len(nodes) == 1


@pytest.mark.parametrize("seed", few(range(0, MODELS, 5), 5))
def test_the_endgame_is_entered_anywhere(seed: int) -> None:
    base = random_model(seed)
    if not 0 < len(brute_force(base)) <= 10:
        return
    model = widened(base)
    nodes = set()
    for way in WAYS:
        exploration = Exploration(model, **way)
        assert solutions_of(exploration) == widened_solutions(base), way
        nodes.add(exploration.nodes)
    assert len(nodes) == 1


def test_counters_do_not_depend_on_slices() -> None:
    model = Model.of_options([[a, b + 4] for a in range(4) for b in range(4)], [1] * 8, [1] * 8)
    for way in WAYS:
        whole, sliced = Exploration(model, **way), Exploration(model, **way)
        assert len(solutions_of(whole)) == len(solutions_of(sliced, limit=1)) == 24
        assert whole.nodes == sliced.nodes == 1 + 4 + 12 + 24 + 24


def test_a_node_costs_what_changes_and_a_stop_deep_in_the_tree_little() -> None:
    model = lower(dominoes(60, 60))
    one, sliced = Exploration(model, kernel="sparse"), Exploration(model, kernel="sparse")
    first = one.run(limit=1)
    while not len(found := sliced.run(limit=1, nodes=400)):
        assert len(sliced.prefixes[-1].path) <= sliced.nodes
    assert (found == first).all()
    assert one.nodes == sliced.nodes == 1801  # no node in vain
    assert len(one.prefixes) > 500
    assert all(Exploration(model, prefixes=[p]).prefixes == [p] for p in sliced.prefixes[::100])


PUZZLES = {"pentominoes-3x20": 8, "soma-cube": 11520, "tritrigs-heart-2": 104}


@pytest.mark.parametrize(
    "name",
    ["pentominoes-3x20", pytest.param("soma-cube", marks=pytest.mark.slow), "tritrigs-heart-2"],
)
def test_all_ways_visit_the_same_tree_in_the_same_order(name: str) -> None:
    model = lower(exactile.load(name))
    orders = set()
    nodes = set()
    for way in WAYS:
        exploration = Exploration(model, **way)
        orders.add(exploration.run().tobytes())
        nodes.add(exploration.nodes)
    for workers in (2, 5):
        exploration = Exploration(model, workers=workers, ordered=True)
        rows = []
        while not exploration.exhausted:
            rows.append(exploration.run(seconds=0.01, limit=700))
        orders.add(np.concatenate([r for r in rows if len(r)]).tobytes())
        nodes.add(exploration.nodes)
    assert len(orders) == len(nodes) == 1
    assert exploration.count == PUZZLES[name]


@pytest.mark.parametrize("seed", few(range(100), 4))
def test_stopped_and_resumed_searches_visit_exactly_the_rest(seed: int) -> None:
    """Stopped at random moments, written down, and gone on with by any kernel."""
    rng = random.Random(seed)
    name = rng.choice(list(PUZZLES))
    model = lower(exactile.load(name))
    whole = Exploration(model)
    whole.run(keep=False)
    prefixes = [Prefix((), 1.0)]
    found: list[bytes] = []
    nodes = 0
    while prefixes:
        exploration = Exploration(
            model, kernel=rng.choice(KERNELS), prefixes=prefixes, workers=rng.choice((1, 1, 2))
        )
        for _ in range(rng.randint(1, 3)):
            rows = exploration.run(
                nodes=rng.choice((None, 1, 10, 1000, 20_000)),
                limit=rng.choice((None, 1, 100)),
                seconds=rng.choice((None, 0.001)),
            )
            found += [row.tobytes() for row in rows[:, (rows >= 0).any(axis=0)]]
        found += [row.tobytes() for row in exploration.run(nodes=0)]
        nodes += exploration.nodes
        prefixes = [Prefix(tuple(p), w) for p, w in json.loads(json.dumps(exploration.prefixes))]
    assert len(found) == len(set(found)) == PUZZLES[name]
    assert nodes == whole.nodes


def test_random_models_resume_from_any_node() -> None:
    for seed in range(0, examples(MODELS), 3):
        model = random_model(seed)
        expected = brute_force(model)
        found: list[frozenset[int]] = []
        prefixes = [Prefix((), 1.0)]
        total = 0.0
        while prefixes:
            exploration = Exploration(model, kernel=KERNELS[seed % 2], prefixes=prefixes)
            before = sum(p.weight for p in prefixes)
            rows = exploration.run(nodes=1)
            found += [frozenset(o for o in row if o >= 0) for row in rows.tolist()]
            prefixes = exploration.prefixes
            total += before - sum(p.weight for p in prefixes)
        assert len(found) == len(set(found))
        assert set(found) == expected, seed
        assert total == pytest.approx(1)


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_run_of_one_node_opens_one_node(way: dict[str, Any]) -> None:
    for seed in range(0, examples(MODELS), 10):
        exploration = Exploration(random_model(seed), **way)
        while exploration.prefixes:
            before = exploration.nodes
            exploration.run(nodes=1)
            assert exploration.nodes == before + 1, seed


def test_parts_make_the_whole() -> None:
    model = lower(exactile.load("soma-cube"))
    exploration = Exploration(model)
    parts = exploration.split(50)
    assert len(parts) >= 50
    assert sum(p.weight for p in parts) == pytest.approx(1)
    separate = [Exploration(model, prefixes=[part]) for part in parts]
    for part in separate:
        part.run(keep=False)
    whole = Exploration(model)
    whole.run(keep=False)
    assert sum(p.count for p in separate) == whole.count == 11520
    assert exploration.nodes + sum(p.nodes for p in separate) == whole.nodes


def test_a_run_without_keeping_only_counts() -> None:
    exploration = Exploration(lower(exactile.load("soma-cube")))
    assert exploration.run(keep=False).shape == (0, 0)
    assert (exploration.count, exploration.exhausted) == (11520, True)


def test_done_grows() -> None:
    exploration = Exploration(lower(exactile.load("soma-cube")))
    seen = [exploration.done]
    while not exploration.exhausted:
        exploration.run(nodes=20_000, keep=False)
        seen.append(exploration.done)
    assert seen == sorted(seen)
    assert seen[0] == 0
    assert 0 < seen[len(seen) // 2] < 1
    assert seen[-1] == 1


def test_more_than_the_limit_is_kept_for_the_next_run() -> None:
    exploration = Exploration(lower(exactile.load("soma-cube")), workers=2)
    total = 0
    while not exploration.exhausted:
        total += len(exploration.run(limit=1000))
    assert total == 11520


def test_contradicting_prefixes_are_refused() -> None:
    model = Model.of_options([[0], [0, 1], [1]], [1, 1], [1, 1])
    for kernel in KERNELS:
        exploration = Exploration(model, kernel=kernel, prefixes=[Prefix((0, 1), 1.0)])
        with pytest.raises(ModelError, match="the prefix contradicts itself at option 1"):
            exploration.run()
    with pytest.raises(ModelError, match="names option 3, but the model has only 3"):
        Exploration(model, prefixes=[Prefix((~3,), 1.0)])


def test_contradicting_prefixes_are_not_split() -> None:
    model = Model.of_options([[0], [0, 1], [1]], [1, 1], [1, 1])
    exploration = Exploration(model, prefixes=[Prefix((0, 1), 1.0)])
    with pytest.raises(ModelError, match="the prefix contradicts itself at option 1"):
        exploration.split(2)
    with pytest.raises(BackendError, match="Make a new exploration"):
        exploration.run()


def test_a_failed_exploration_says_so_again() -> None:
    model = Model.of_options([[0], [0, 1], [1]], [1, 1], [1, 1])
    exploration = Exploration(model, prefixes=[Prefix((0, 1), 1.0)])
    with pytest.raises(ModelError):
        exploration.run()
    with pytest.raises(BackendError, match="Make a new exploration"):
        exploration.run()


@pytest.mark.parametrize("workers", [0, -1, -(2**31)])
def test_no_workers_are_refused(workers: int) -> None:
    model = random_model(2)
    with pytest.raises(BackendError, match="makes no sense: take 1 or more"):
        Exploration(model, workers=workers)
    engine = raw_engine(model.lower, model.upper, model.first, model.members, model.colors, "bits")
    with pytest.raises(ValueError, match="at least one worker"):
        engine.run(1, 1.0, 1, workers)


def test_far_too_many_workers_are_not_made() -> None:
    """A kernel for each of so many would not fit any memory."""
    exploration = Exploration(lower(exactile.load("soma-cube")), workers=2**31 - 1)
    assert len(exploration.run()) == 11520


@pytest.mark.parametrize("seconds", [float("nan"), float("-inf"), -1e300, 0.0])
def test_a_deadline_in_the_past_ends_a_run(seconds: float) -> None:
    exploration = Exploration(lower(exactile.load("solid-pentominoes-3x4x5")))
    exploration.run(seconds=seconds, keep=False)
    assert not exploration.exhausted
    assert exploration.nodes > 0


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_deadline_is_heard_where_no_item_is_open(kernel: str) -> None:
    """Any of the 24 options may be chosen: there are no items to count, only solutions."""
    model = Model.of_options([[o] for o in range(24)], [0] * 24, [1] * 24)
    exploration = Exploration(model, kernel=kernel)
    exploration.run(seconds=0, keep=False)
    assert not exploration.exhausted


def test_solutions_that_wait_are_told_and_stay() -> None:
    model = Model.of_options([[0, 1], [1], [0]], lower=[1, 1], upper=[1, 1])
    exploration = Exploration(model)
    assert exploration.split(3) == []
    assert exploration.untaken.tolist() == [[0, -1], [1, 2]]
    assert exploration.run().tolist() == [[0, -1], [1, 2]]
    assert exploration.untaken.tolist() == []


def test_a_view_of_a_running_search_waits_for_it() -> None:
    """No thread sees prefixes while they are taken and given by the workers."""
    exploration = Exploration(lower(exactile.load("soma-cube")), workers=2)
    thread = threading.Thread(target=exploration.run)
    thread.start()
    seen = set()
    while thread.is_alive():
        seen.add(len(exploration.prefixes))
    thread.join()
    assert exploration.exhausted
    assert seen <= {0, 1}


def test_unknown_kernels_and_instruction_sets_are_refused() -> None:
    model = random_model(2)
    with pytest.raises(BackendError, match="There is no kernel 'fast'"):
        Exploration(model, kernel="fast")
    with pytest.raises(ValueError, match="no kernel 'fast'"):
        raw_engine(model.lower, model.upper, model.first, model.members, model.colors, "fast")
    with pytest.raises(ModelError, match="no instruction set 'mmx'"):
        Exploration(model, instruction_set="mmx")


INTERRUPTED = """
import os, signal, sys, threading
import exactile
from exactile.backends.exploration import Exploration
model = exactile.lower(exactile.load("pentominoes-6x10"))
first = Exploration(model, kernel="sparse", endgame=False, workers=int(sys.argv[1]))
running = threading.Semaphore(0)
def press():
    running.acquire()
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=press).start()
sys.setswitchinterval(1000)  # no other thread has a turn before native code lets go
try:
    running.release()
    first.run(keep=False)
except KeyboardInterrupt:
    rest = Exploration(model, prefixes=first.prefixes)
    rest.run(keep=False)
    print(first.exhausted, first.count + rest.count, first.nodes + rest.nodes)
"""


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_ends_a_run_and_nothing_is_lost(workers: str) -> None:
    """In a process of its own, for Ctrl-C is the concern of its main thread."""
    command = [sys.executable, "-c", INTERRUPTED, workers]
    at_each_look = os.environ | {VARIABLE: "1e-9"}
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=at_each_look, check=True)
    assert done.stdout.split() == ["False", "9356", "3631923"]


def test_done_is_of_what_is_left_to_it() -> None:
    exploration = Exploration(lower(exactile.load("soma-cube")))
    parts = exploration.split(3)
    exploration.prefixes = parts[:1]
    assert exploration.done < 0.5
    exploration.run(keep=False)
    assert exploration.done == 1


def test_other_threads_run_meanwhile() -> None:
    """The interpreter is free while the engine works."""
    exploration = Exploration(lower(exactile.load("hexominoes-14x15")))  # it would never end
    running = threading.Semaphore(0)

    def cancel() -> None:
        running.acquire()
        exploration.cancel()

    thread = threading.Thread(target=cancel)
    thread.start()
    running.release()
    exploration.run(keep=False)
    thread.join()
    assert not exploration.exhausted


@pytest.mark.parametrize(
    ("bounds", "first", "members", "colors", "message"),
    [
        ([(1, 1)], [0, 1], [1], [0], "does not exist"),
        ([(1, 1)], [0, 2], [0, 0], [0, 0], "twice"),
        ([(2, 1)], [0, 1], [0], [0], "impossible bounds"),
        ([(1, 1)], [0, 2], [0], [0], "do not span"),
        ([(1, 1)], [], [], [], "do not span"),
        ([(1, 1)], [0, 2**40, 1], [0], [0], "decrease"),
        ([(1, 1)], [0, -(2**40), 1], [0], [0], "decrease"),
        ([(0, 2**31 - 1), (-(2**31), 1)], [0, 1], [0], [0], "impossible bounds"),
        ([(1, 1)], [0, 1], [-(2**31)], [0], "does not exist"),
        ([(1, 1)], [0, 0, 1], [0], [0], "is empty"),
        ([(1, 1), (1, 1)], [0, 2, 1, 2], [0, 1], [0, 0], "decrease"),
        ([(0, 1)], [0, 1], [0], [], "differ in length"),
        ([(0, 1)], [0, 1], [0], [-1], "negative"),
        ([(1, 1)], [0, 1], [0], [1], "colored, but its bounds"),
    ],
)
@pytest.mark.parametrize("kernel", KERNELS)
def test_bad_arrays_are_refused(
    kernel: str,
    bounds: list[tuple[int, int]],
    first: list[int],
    members: list[int],
    colors: list[int],
    message: str,
) -> None:
    with pytest.raises(ValueError, match=message):
        raw_engine(
            np.array([b[0] for b in bounds], dtype=np.int32),
            np.array([b[1] for b in bounds], dtype=np.int32),
            np.array(first, dtype=np.int64),
            np.array(members, dtype=np.int32),
            np.array(colors, dtype=np.int32),
            kernel,
        )


@pytest.mark.parametrize("size", [63, 64, 65, 255, 256, 257, 511, 512, 513, 700])
def test_counts_at_the_edges_of_words(size: int) -> None:
    """One item in all live options, one in a single one; more open items than the endgame takes."""
    wide = Model.of_options([[0, 1 + k] for k in range(size)], [1] + [0] * size, [1] + [1] * size)
    most = Model.of_options(
        [[0, 1 + k] for k in range(size)], [size] + [1] * size, [size] * (1 + size)
    )
    loose = Model.of_options([[0, 1], *([1] for _ in range(size - 1))], [0, 1], [1, 1])
    for way in WAYS:
        assert len(solutions_of(Exploration(wide, **way))) == size
        assert solutions_of(Exploration(most, **way)) == {frozenset(range(size))}
        assert len(solutions_of(Exploration(loose, **way))) == size


def test_a_deep_search_goes_on_from_where_it_was() -> None:
    model = lower(dominoes(1, 400))
    whole = Exploration(model, kernel="sparse", endgame=False)
    assert len(whole.run()) == 1
    sliced = Exploration(model, kernel="sparse", endgame=False)
    while not sliced.exhausted:
        sliced.run(nodes=1)
    assert (sliced.count, sliced.nodes) == (1, whole.nodes)
    assert sliced.updates < 3 * whole.updates  # from the root each time: a hundred times
