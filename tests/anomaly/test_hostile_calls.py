"""Hostile calls of every public function: one error of ours each, in plain words, and soon.

Calls are made of what each function says of itself: every parameter in turn is given every value
that it should not get, and some that it should.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any, get_args, get_type_hints

import numpy as np
import pytest

import exactile
from exactile.classics.grids.reader import read_sudokus
from exactile.errors import LONGEST_LINE, BackendNotFoundError, ExactileError, PuzzleError
from exactile.search.handle import Handle

Words = dict[str, Any]

NO_DOORS = {
    *("Solution", "Placement", "ExactileError", "Freedom", "Status"),
    *("Count", "Explanation", "Packing", "Verdict"),  # what verbs return: nobody makes one
}
"""Public names that take what they are given; what they become a part of is looked at later."""

solve_one: Any = exactile.solve_one  # without its types, which refuse unknown keywords

METHODS = {
    "Search": ("answer", "multiples", "wait"),
    "QueensSearch": ("answer", "wait"),
    "CoverSearch": ("count", "wait"),
    "StoredRun": ("answer", "begin", "same"),
    "Model": ("covered", "of_options", "option", "options_with", "units_of"),
    "Puzzle": ("piece",),
    "Count": ("from_json", "to_json"),
}
"""Methods that users call with something."""


class Hall:
    """Values for calls: right ones by function, hostile ones for all."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.made = 0
        self.puzzle = puzzle = exactile.make_puzzle("2xdomino", box=(2, 2))
        self.solution = exactile.solve_one(puzzle)
        assert self.solution is not None
        self.model = exactile.lower(puzzle)
        stick = {"cells": {"I": ((0, 0, 0), (1, 0, 0))}, "copies": 2}
        self.other = exactile.make_puzzle(stick, lattice="cube", box=(2, 2, 1), name="solid")
        self.others = exactile.solve_one(self.other)
        with Path("s.jsonl").open("w") as stream:
            exactile.write_solutions(puzzle, [self.solution], stream)
        exactile.write_puzzles("p.toml", [puzzle])
        exactile.write_puzzle_as(self.other, "p.xmpuzzle", "xmpuzzle")
        exactile.export_model(puzzle, "m.xcc")
        self.cover = exactile.read_model("m.xcc")
        with exactile.Store("a.store", write=True) as store:
            exactile.StoredRun.begin(store, puzzle, "solve").go_on()
        self.store = exactile.Store("a.store")
        self.run = exactile.StoredRun(self.store, 1)
        exactile.certify(puzzle, "certificate")
        self.sudoku = next(read_sudokus(StringIO("1..4.4.223.1..2.")))
        self.hostile = self._hostile()

    def new(self, ending: str = "") -> str:
        """Return the name of no file."""
        self.made += 1
        return f"new-{self.made}{ending}"

    def right(self, name: str) -> Words:
        """Return what a function needs."""
        puzzle, solution, model = self.puzzle, self.solution, self.model
        rare: dict[str, Callable[[], Words]] = {
            "CoverSearch": lambda: {"model": model},
            "Piece": lambda: {
                "name": "a",
                "lattice": "square",
                "units": ((0, 0),),
                "freedom": "free",
            },
            "Region": lambda: {"lattice": "square", "units": [(0, 0), (1, 0)]},
            "Puzzle": lambda: {"name": "z", "region": puzzle.region, "pieces": puzzle.pieces},
            "Model": lambda: {
                "lower": model.lower,
                "upper": model.upper,
                "first": model.first,
                "members": model.members,
            },
            "Model.of_options": lambda: {"options": [[0]], "lower": [1], "upper": [1]},
            "Model.covered": lambda: {"options": [0]},
            "Model.option": lambda: {"o": 0},
            "Model.options_with": lambda: {"item": 0},
            "Model.units_of": lambda: {"option": 0},
            "Puzzle.piece": lambda: {"name": "I2"},
            "Count.from_json": lambda: {"text": exactile.count(puzzle).to_json()},
            "Count.to_json": dict,
            "Comparison": lambda: {"puzzles": [puzzle], "backends": ["dlx"]},
            "QueensSearch": lambda: {"size": 4},
            "Store": lambda: {"path": "a.store"},
            "StoredRun": lambda: {"store": self.store, "number": 1},
            "StoredRun.begin": lambda: {"store": self.store, "puzzle": puzzle, "verb": "count"},
            "StoredRun.same": lambda: {"store": self.store, "puzzle": puzzle, "verb": "count"},
            "Search.multiples": lambda: {"rows": np.array([[0]])},
            "Search.answer": lambda: {"found": [solution]},
            "CoverSearch.count": lambda: {"name": "a"},
            "certify": lambda: {"puzzle": puzzle, "directory": self.new()},
            "challenge_puzzle": lambda: {
                "puzzle": puzzle,
                "challenge": exactile.design_challenges(puzzle).challenges[0],
            },
            "survey_boards": lambda: {"puzzles": [puzzle]},
            "check": lambda: {"puzzle": puzzle, "solution": solution},
            "compare": lambda: {
                "puzzles": [puzzle],
                "backends": ["reference"],
                "task": "banana",  # or there would be hundreds of processes
            },
            "count_queens": lambda: {"size": 4},
            "count_sudoku": lambda: {"sudoku": self.sudoku},
            "draw_cutouts": lambda: {"pieces": puzzle.pieces},
            "draw_pages": lambda: {"boards": [(puzzle, solution, "Solved")]},
            "draw_svg": lambda: {"puzzle": puzzle, "solution": solution},
            "draw_text": lambda: {"puzzle": puzzle, "solution": solution},
            "draw_tiling": lambda: {"answer": exactile.tile("I2", lattice="square")},
            "estimate": lambda: {"subject": puzzle, "dives": 5},
            "export_model": lambda: {"puzzle": puzzle, "path": self.new(".xcc")},
            "found_solutions": lambda: {"run": self.run},
            "generate": lambda: {"lattice": "square", "order": 3},
            "get_lattice": lambda: {"name": "square"},
            "import_file": lambda: {"path": "p.xmpuzzle"},
            "import_puzzles": lambda: {"path": "p.xmpuzzle"},
            "join_stores": lambda: {"path": "a.store", "others": ["a.store"]},
            "load": lambda: {"reference": "p.toml"},
            "list_instances": dict,
            "make_instances": lambda: {
                "directory": self.new(),
                "words": ["pockets-4"],
                "form": "banana",  # or no words would be hundreds of files
            },
            "make": lambda: {"pieces": puzzle, "directory": self.new()},
            "make_puzzle": lambda: {"pieces": "2xdomino", "box": (2, 2)},
            "piece_set": lambda: {"name": "pentominoes", "lattice": "square"},
            "prove": lambda: {"puzzle": puzzle, "backend": "dlx"},  # or all would race
            "read_model": lambda: {"source": "m.xcc"},
            "read_solutions": lambda: {"source": "s.jsonl", "puzzle": puzzle},
            "solve_peg": lambda: {"board": "triangle-4", "start": 2},
            "solve_sudoku": lambda: {"text": "1..4.4.223.1..2."},
            "store_status": lambda: {"path": "a.store"},
            "take_apart": lambda: {"puzzle": self.other, "solution": self.others},
            "tile": lambda: {"pieces": "I2", "lattice": "square"},
            "take_share": lambda: {
                "store": self.store,
                "run": 1,
                "share": self.store,
                "number": 1,
                "of": 2,
            },
            "verify_certificate": lambda: {"directory": "certificate"},
            "write_pages": lambda: {
                "pages": exactile.draw_cutouts(puzzle.pieces),
                "stream": BytesIO(),
            },
            "write_disassembly": lambda: {
                "puzzle": self.other,
                "disassembly": exactile.take_apart(self.other, self.others or ()),
                "stream": BytesIO(),
                "form": "svg",
            },
            "write_pictures": lambda: {
                "puzzle": puzzle,
                "solutions": [solution],
                "stream": BytesIO(),
                "form": "svg",
            },
            "write_puzzle_as": lambda: {
                "puzzle": self.other,
                "path": self.new(".xmpuzzle"),
                "form": "xmpuzzle",
            },
            "write_puzzles": lambda: {"path": self.new(".toml"), "puzzles": [puzzle]},
            "write_solutions": lambda: {
                "puzzle": puzzle,
                "solutions": [solution],
                "stream": StringIO(),
            },
        }
        if name in rare:
            return rare[name]()
        return {} if "." in name else {"puzzle": puzzle}

    def _hostile(self) -> list[Any]:
        puzzle, solution = self.puzzle, self.solution
        numbers = [0, -1, 1, 2**63, 2**70, -(2**70), 0.5, 1e308, 1j, Fraction(1, 2), Decimal(1)]
        endless = [float("nan"), float("inf"), -float("inf")]
        texts = ["", "x", "\0", "a\nb", "x" * 3000, "dlx", "../x", b"x", bytearray(b"x")]
        of_numpy = [np.int64(3), np.float64(1.5), np.bool_(True), np.array([1, 2]), np.zeros((0,))]
        lists = [[], [None], ["x"], [1], (), {}, {"a": 1}, {1: 2}, set(), range(3), [[0, 0]]]
        lists += [range(10**9), range(10**20)]
        closed = Path("s.jsonl").open()  # noqa: SIM115
        closed.close()
        streams = [StringIO("x"), BytesIO(b"x"), iter([]), closed]
        ours = [puzzle, self.other, self.model, puzzle.region, puzzle.pieces[0], self.store]
        ours += [self.run, self.cover, exactile.Freedom.FREE]
        solutions = [solution, self.others, [puzzle], [solution], [self.others], (solution,)]
        places = [((0, 0),), [("I2", ((0, 0), (1, 0)))], (exactile.Placement("I2", ()),)]
        others = [None, True, Path("p.toml"), Path("nowhere"), object(), Ellipsis, sys]
        return [
            *(*numbers, *endless, *texts, *of_numpy, *lists),
            *(*streams, *ours, *solutions, *places, *others),
        ]


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hall]:
    folder = tmp_path_factory.mktemp("hall")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        made = Hall(folder)
        yield made
        made.store.close()


def doors() -> list[str]:
    """Return the public names that can be called with something."""
    names = [name for name in vars(exactile)["__all__"] if name not in NO_DOORS]
    names = [name for name in names if parameters(getattr(exactile, name))]
    return names + [f"{name}.{method}" for name, own in METHODS.items() for method in own]


def parameters(function: Any) -> list[str]:
    """Return the names of what a function can be given; all options of those that take some."""
    found = []
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind is not parameter.VAR_KEYWORD:
            found.append(parameter.name)
            continue
        options = get_args(get_type_hints(function).get(parameter.name))
        told = list(get_type_hints(options[0])) if options else []
        found += told or ["time_limit", "seed", "workers", "backend", "box", "fixed"]
    return found


def call(hall: Hall, name: str, words: Words) -> None:
    """Call a function, and go on with what it returns if that begins only then."""
    own, _, method = name.partition(".")
    subject = getattr(exactile, own)
    if method and not inspect.ismethod(getattr(subject, method)):  # of an object, not of the class
        subject = exactile.count(hall.puzzle) if own == "Count" else subject(**hall.right(own))
    found = getattr(subject, method)(**words) if method else subject(**words)
    if isinstance(found, Handle) or inspect.isgenerator(found):
        next(iter(found), None)


def require_plain(error: ExactileError) -> None:
    """Require that a message can be read."""
    assert 10 < len(str(error)) <= LONGEST_LINE
    assert "\n" not in str(error).replace("a\nb", "")  # a name that was given
    assert " at 0x" not in str(error)


def fits(function: Any, words: Words) -> bool:
    """Return whether a function has parameters of these names; options are for it to judge."""
    if any(p.kind is p.VAR_KEYWORD for p in inspect.signature(function).parameters.values()):
        return False
    bound = {"self": None} if "self" in inspect.signature(function).parameters else {}
    return bool(inspect.signature(function).bind(**bound, **words))


def attack(hall: Hall, name: str, every: int) -> int:
    """Give each parameter of a function each value in turn, or some; return the number of calls."""
    function: Any = exactile
    for part in name.split("."):
        function = getattr(function, part)
    names = [own for own in parameters(function) if own != "self"]
    calls = 0
    for number, parameter in enumerate(names):
        for value in hall.hostile[(number + len(name)) % every :: every]:
            words = hall.right(name) | {parameter: value}
            calls += 1
            try:
                call(hall, name, words)
            except ExactileError as error:
                require_plain(error)
            except TypeError:
                if fits(function, words):
                    raise
            except OSError as error:  # the system's word on a file, which it names
                if not error.filename:
                    raise
    return calls


@pytest.mark.parametrize("name", doors())
def test_hostile_calls(hall: Hall, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert attack(hall, name, 9) > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", doors())
def test_all_hostile_calls(hall: Hall, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    attack(hall, name, 1)


@pytest.mark.parametrize(
    "call",
    [
        lambda d: exactile.compare([d], ["dlx"], timelimit=1),
        lambda d: exactile.solve_sudoku("1..4.4.223.1..2.", timelimit=1),
        lambda d: solve_one(d, timelimit=1),
        lambda d: solve_one(d, limit=1),
        lambda d: solve_one(d, limits=None),
        lambda d: exactile.prove(d, limits=None),  # type: ignore[call-arg]
        lambda d: exactile.find_solutions(d, left=None),  # type: ignore[call-arg]
        lambda d: exactile.count_assemblable(d, images=False),  # type: ignore[call-arg]
        lambda d: exactile.similarity_classes(d, up_to="symmetry"),  # type: ignore[call-arg]
    ],
)
def test_an_unknown_keyword_is_named_with_those_that_there_are(call: Callable[[Any], Any]) -> None:
    with pytest.raises(PuzzleError, match=r"There is no option '\w+': use .*time_limit"):
        call(exactile.load("dominoes-4x4"))


@pytest.mark.parametrize("verb", [exactile.count, exactile.prove, exactile.similarity_classes])
def test_numbers_beyond_all_floats_are_refused(verb: Callable[..., Any]) -> None:
    with pytest.raises(PuzzleError, match=r"time.limit"):
        verb(exactile.load("dominoes-4x4"), time_limit=10**400)


def test_names_of_backends_are_whole() -> None:
    puzzle = exactile.load("dominoes-4x4")
    for backend, words in (("sat:", "write 'sat'"), ("external:true \x00", "null character")):
        with pytest.raises(BackendNotFoundError, match=words):
            exactile.find_solutions(puzzle, backend=backend)
