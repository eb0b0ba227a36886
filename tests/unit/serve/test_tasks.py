"""What the tasks tell: the steps of the native search, whether a board can be finished, files."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, get_type_hints

import msgspec
import numpy as np
import pytest

import exactile
from exactile.backends.exploration import Exploration
from exactile.render.board import in_numbers
from exactile.runs.run import StoredRun
from exactile.runs.store import Store
from exactile.search.case import Case
from exactile.serve.office import TASKS, Event, failed, perform
from exactile.serve.tasks import playing
from support.few import few


def told(task: str, **asked: Any) -> dict[str, Any]:
    """Return the last news of each kind that a task tells."""
    found: dict[str, Any] = {}
    perform(
        (task, msgspec.json.encode(asked)),
        lambda event: found.update({event[0]: msgspec.json.decode(event[1])}),
    )
    return found


@pytest.mark.parametrize("name", ["soma-cube", "tetrasticks-5x5-without-h", "dominoes-6x6"])
def test_the_steps_are_those_of_the_native_engine(name: str) -> None:
    case = Case(exactile.load(name))
    engine = Exploration(case.asked, endgame=False)
    for nodes in range(25):
        here = told("watch", puzzle=name, after=nodes)["position"]
        path = [o for o in engine.prefixes[0].path if o >= 0]
        placed = [case.decoder.placement(o) for o in path]
        shown = tuple(p for p in placed if p is not None)
        assert here["placed"] == [[p, [*units]] for p, units in in_numbers(case.puzzle, shown)]
        spare = [rival["spare"] for rival in here["rivals"]]
        last = here["levels"][-1]["candidates"] if here["levels"] else []
        if last and all(c["state"] == "to come" for c in last):
            assert here["levels"][-1]["item"] == here["rivals"][0]["item"]
            assert len(last) >= 1 + min(spare)
        elif not here["solution"]:
            assert min(spare) < 0
        rows = engine.run(nodes=1)
        assert here["solution"] == bool(len(rows))


def test_the_next_solution_and_the_end_are_found() -> None:
    engine = Exploration(Case(exactile.load("tetrahexes-4x7")).asked, endgame=False)
    rows = engine.run(limit=1)
    here = told("watch", puzzle="tetrahexes-4x7", until="solution")["position"]
    assert (here["solution"], here["nodes"], here["found"]) == (True, engine.nodes - 1, 0)
    assert len(here["placed"]) == np.count_nonzero(rows >= 0)
    after = told("watch", puzzle="tetrahexes-4x7", until="solution", after=here["nodes"])
    assert (after["position"]["solution"], after["position"]["found"]) == (True, 1)
    end = told("watch", puzzle="tetrahexes-4x7", after=10**7)["position"]
    assert (end["ended"], end["found"]) == (True, 18)


@pytest.mark.parametrize(
    "name",
    few(["soma-cube", "tetrasticks-5x5-without-h", "tetrahexes-4x7", "pentominoes-6x10"], 2),
)
def test_whether_a_board_can_be_finished_as_another_solver_says(name: str) -> None:
    case = Case(exactile.load(name))
    random = Random(name)
    for _ in range(3):
        placed: list[Any] = []
        covered: set[int] = set()
        for _ in range(3):
            option = random.choice(np.flatnonzero(case.model.places).tolist())
            placement = case.decoder.placement(option)
            assert placement is not None
            ((piece, units),) = in_numbers(case.puzzle, (placement,))
            if covered.isdisjoint(units) and piece not in [p for p, _ in placed]:
                placed.append((piece, units))
                covered |= {*units}
        answers = [
            told("finish", puzzle=name, placed=placed, backend=backend, time_limit=1e6)["finish"][
                "possible"
            ]
            for backend in ("dlx", "sat")
        ]
        assert answers[0] == answers[1] is not None


def test_a_hint_says_what_fits_and_what_must_move() -> None:
    solution = in_numbers(
        exactile.load("soma-cube"), exactile.solve_one(exactile.load("soma-cube")) or ()
    )
    fits = told("hint", puzzle="soma-cube", placed=solution[:5])["hint"]["fits"]
    assert told("finish", puzzle="soma-cube", placed=[*solution[:5], *fits])["finish"]["possible"]
    corner = ["X", [1, 6, 7, 8, 13]]  # it leaves a single cell in the corner
    moves = told("hint", puzzle="pentominoes-6x10", placed=[corner])["hint"]
    assert moves == {"fits": [], "moves": [corner], "possible": False}


def test_a_hint_does_not_say_what_was_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "MOVE_NODES", 0)
    corner = ["X", [1, 6, 7, 8, 13]]
    hint = told("hint", puzzle="pentominoes-6x10", placed=[corner])["hint"]
    assert hint == {"fits": [], "moves": [], "possible": False}


def test_no_piece_is_said_to_be_in_the_way_where_nothing_helps() -> None:
    board = told("board", puzzle="tetrominoes-5x4")["board"]
    [name, *_] = (piece["name"] for piece in board["pieces"])
    placed = [[name, [k for k, (x, _) in enumerate(board["units"]) if x == 0][:4]]]
    for count in (1, 0):
        hint = told("hint", puzzle="tetrominoes-5x4", placed=placed[:count])["hint"]
        assert hint == {"fits": [], "moves": [], "possible": False}


def test_a_board_is_solved_while_units_that_may_stay_empty_are_open() -> None:
    puzzle = exactile.load("windmill")
    solution = in_numbers(puzzle, exactile.solve_one(puzzle) or ())
    assert sum(len(units) for _, units in solution) < len(puzzle.region)
    for placed, solved in ((solution, True), (solution[1:], False)):
        finish = told("finish", puzzle="windmill", placed=placed)["finish"]
        assert finish == {"possible": True, "solved": solved, "reason": None}
    hint = told("hint", puzzle="windmill", placed=solution)["hint"]
    assert hint == {"fits": [], "moves": [], "possible": True}


@pytest.mark.parametrize("task", ["finish", "hint", "challenge"])
def test_a_seed_is_not_ignored(task: str) -> None:
    assert "seed" in told(task, puzzle="soma-cube", seed=-1)["error"]["message"]


def test_a_challenge_has_one_solution() -> None:
    placed = told("challenge", puzzle="soma-cube", seed=3)["challenge"]["placed"]
    ways = told("finish", puzzle="soma-cube", placed=placed)["ways"]
    assert (len(placed) < 7, ways) == (True, {"ways": 1, "more": False})
    easy = told("challenge", puzzle="soma-cube", seed=3, open=2)["challenge"]["placed"]
    assert len(easy) == 5


def test_a_challenge_leaves_no_more_pieces_open_than_there_are() -> None:
    text = 'format = 1\n[puzzle.p]\nlattice = "square"\npieces = "I2, I3"\nregion.box = [5, 1]\n'
    assert len(told("challenge", puzzle=text, open=3)["challenge"]["placed"]) == 1


@pytest.mark.parametrize(("length", "ways"), [(1001, (1000, False)), (1002, (1000, True))])
def test_a_number_of_ways_is_not_said_to_be_exceeded_when_it_is_met(
    length: int, ways: tuple[int, bool]
) -> None:
    row = f'lattice = "square"\npieces = "I2"\nregion.box = [{length}, 1]\n'
    text = f'format = 1\n[puzzle.row]\n{row}region.optional = "0..{length - 1},0"\n'
    found = told("finish", puzzle=text)["ways"]
    assert (found["ways"], found["more"]) == ways


def test_what_was_drawn_becomes_a_file_and_files_are_read() -> None:
    pieces = told("pieces", lattice="square-edges", set="tetrasticks")["pieces"]
    board = told("board", puzzle="tetrasticks-5x5-without-h")["board"]
    drawn = {
        "name": "mine",
        "title": "Mine",
        "lattice": "square-edges",
        "units": board["units"],
        "optional": [],
        "pieces": [p for p in pieces if p["name"] != "H"],
    }
    text = told("build", **drawn)["text"]["text"]
    assert 'pieces = { set = "tetrasticks", omit = ["H"] }' in text
    assert told("count", puzzle=text)["answer"]["symmetry"] == 72
    assert told("read", name="a.toml", content=text.encode())["text"]["text"] == text
    like = told("text", puzzle="tetrasticks-5x5", form="toml")["text"]["text"]
    lost = told("build", **drawn, like=like)["text"]["lost"]
    assert lost == ["a choice of pieces that are left out"]  # H is one of those
    kept = told("build", **{**drawn, "pieces": pieces}, like=like)["text"]
    assert kept["lost"] == []
    assert exactile.load(kept["text"]).digest == exactile.load("tetrasticks-5x5").digest
    assert "region is empty" in told("build", **{**drawn, "units": []})["error"]["message"]


@pytest.mark.parametrize(
    ("units", "verdict", "shown"),
    [
        ([(0, 0), (1, 0)], "tiles", ["orientation"]),
        ([(0, 1), (1, 0), (1, 1), (1, 2), (2, 2)], "tiles", ["orientation", "copy"]),
        ([(0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (1, 0), (1, 4)], "does not tile", ["corona"]),
        ([(0, 0), (2, 0), (4, 0), (1, 1)], "tiles", ["orientation"]),
    ],
)
def test_a_shape_is_drawn_with_its_tiling(
    units: list[tuple[int, int]], verdict: str, shown: list[str]
) -> None:
    news: list[Event] = []
    asked = msgspec.json.encode({"lattice": "square", "units": units})
    perform(("tile", asked), news.append)
    found = [(kind, msgspec.json.decode(content)) for kind, content in news if kind != "progress"]
    assert [c["shows"] for kind, c in found if kind == "picture"][: len(shown)] == shown
    assert all(c["svg"].startswith("<svg ") for kind, c in found if kind == "picture")
    assert found[-1][0] == "answer"
    assert found[-1][1]["verdict"] == verdict


def test_damaged_requests_are_answered_in_words() -> None:
    random = Random(0)
    whole = b'{"puzzle": "tetrominoes-5x4", "omit": ["I4"], "placed": [["L4", [0, 1]]], "set": "a"}'
    for _ in range(400):
        task = random.choice(sorted(TASKS))
        body = bytearray(whole)
        for _ in range(random.randrange(1, 8)):
            body[random.randrange(len(body))] = random.randrange(256)
        news: list[Event] = []
        perform((task, bytes(body[: random.randrange(len(body))])), news.append)
        assert news


PARTS: dict[str, dict[str, Any]] = {
    "build": {
        "name": "a",
        "title": "",
        "lattice": "square",
        "units": [[0, 0], [1, 0]],
        "optional": [],
        "pieces": [],
    },
    "kept": {"puzzle": "tetrominoes-5x4", "run": 1, "limit": 5},
    "go_on": {"run": 1},
    "pieces": {"lattice": "square", "set": "pentominoes"},
    "read": {"name": "a.toml", "content": "YQ=="},
    "text": {"puzzle": "tetrominoes-5x4", "form": "toml"},
    "begin": {"puzzle": "tetrominoes-5x4", "verb": "count"},
    "tile": {"lattice": "square", "units": [[0, 0], [1, 0]], "time_limit": 1},
    **{name: {} for name in ("sudoku", "peg", "reachable", "lattices", "runs")},
}
"""What is asked of a task, if not about a puzzle alone."""

HOSTILE: list[Any] = [
    *(None, True, -1, 2**63, 2**70, 1e308, -1e308, 0.5, "", "x", "\0", "x" * 5000, "1" * 400),
    *([], [[]], [None], {}, {"a": {}}, {"": ""}, [[0, 0]], ["a"], [["I4", [0]]]),
]


@pytest.mark.parametrize("task", TASKS)
def test_hostile_values_are_answered(task: str) -> None:
    function = getattr(import_module(f"exactile.serve.tasks.{TASKS[task]}"), task)
    fields = msgspec.structs.fields(get_type_hints(function)["asked"])
    whole: dict[str, Any] = PARTS.get(task, {"puzzle": "tetrominoes-5x4"})
    for number, field in enumerate(fields):
        for value in HOSTILE[number % 5 :: 5]:
            answers: list[Event] = []
            perform((task, msgspec.json.encode(whole | {field.name: value})), answers.append)
            assert answers, (field.name, value)


def test_no_name_of_a_file_is_in_the_way() -> None:
    for name in ("a.\0", "a.\n", "a./", ".", ""):
        answers: list[Event] = []
        perform(("read", msgspec.json.encode({"name": name, "content": b"a"})), answers.append)
        assert answers[0][0] == "error"


def test_a_run_that_needs_a_command_is_not_gone_on_with(tmp_path: Path) -> None:
    file = tmp_path / "s.store"
    with Store(file, write=True) as store:
        case = Case(exactile.load("soma-cube"))
        StoredRun.begin(store, case, "count", backend="external:touch pwned")
        StoredRun.begin(store, case, "count", backend="dlx:sparse")
    told: list[Event] = []
    perform(("go_on", b'{"run": 2}'), told.append, str(file))
    assert told[-1][0] == "answer"
    perform(("go_on", b'{"run": 1}'), told.append, str(file))
    assert told[-1][0] == "error"
    assert b"The page has no backend 'external'" in told[-1][1]


def test_solutions_of_a_run_are_not_shown_on_another_board(tmp_path: Path) -> None:
    file = tmp_path / "s.store"
    with Store(file, write=True) as store:
        StoredRun.begin(store, Case(exactile.load("tetrahexes-4x7")), "solve").go_on()
    told: dict[str, list[Event]] = {}
    for name in ("tetrahexes-4x7", "soma-cube"):
        asked = msgspec.json.encode({"puzzle": name, "run": 1, "limit": 5})
        perform(("kept", asked), told.setdefault(name, []).append, str(file))
    assert [kind for kind, _ in told["tetrahexes-4x7"]] == ["solutions", "answer"]
    assert told["soma-cube"] == [
        failed("Run 1 of s.store has another puzzle: see its list of runs.")
    ]


@pytest.mark.parametrize("name", ["tetrahexes-4x7", "soma-cube"])
def test_what_does_not_move_stays_where_it_is(name: str) -> None:
    """On the way to a similar solution, as its symmetry lays it on the board."""
    similar = told("classes", puzzle=name)["classes"]
    assert similar["ways"]
    place = {piece: k for k, piece in enumerate(similar["names"])}
    for way in similar["ways"]:
        units, pieces = similar["units"][way["symmetry"]], similar["pieces"][way["symmetry"]]
        laid = {
            (similar["names"][pieces[place[piece]]], frozenset(units[u] for u in own))
            for piece, own in similar["solutions"][way["second"]]
        }
        first = [(piece, frozenset(own)) for piece, own in similar["solutions"][way["first"]]]
        assert [k for k, p in enumerate(first) if p not in laid] == sorted(way["moved"])


def test_a_solvable_puzzle_has_no_certificate_that_it_is_unsolvable() -> None:
    news = told("certificate", puzzle="soma-cube")
    assert news["error"] == {"message": "There is a solution, so there is nothing to certify."}


def test_without_a_store_there_are_no_runs() -> None:
    assert "without a store" in told("runs")["error"]["message"]


@pytest.mark.parametrize("name", ["checkered-pentominoes-8x8", "tetrominoes-torus-5x4"])
def test_the_editor_keeps_paint_and_wraps(name: str) -> None:
    board = told("board", puzzle=name)["board"]
    same = {key: board[key] for key in ("pieces", "wrap", "crossing", "paint")}
    optional = {*board["optional"]}
    drawn = told(
        "build",
        name=name,
        title=name,
        lattice=board["lattice"]["name"],
        units=[u for k, u in enumerate(board["units"]) if k not in optional],
        optional=[u for k, u in enumerate(board["units"]) if k in optional],
        **same,
    )["text"]["text"]
    assert exactile.load(drawn).digest == exactile.load(name).digest
