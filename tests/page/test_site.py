"""The page without a server: models, counts and views by its worker and the engine in WebAssembly.

The worker runs in Node and in a real browser; without Emscripten these tests are left out.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, zip_longest
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import numpy as np
import pytest

import exactile
from exactile.geometry import get_lattice, lattice_names
from exactile.geometry.isometry import as_tuples
from exactile.puzzle import Puzzle, Region
from exactile.puzzle.paint import Paint
from exactile.puzzle.pieces.generate import generate
from exactile.puzzle.pieces.piece import Freedom, Piece
from exactile.puzzle.pieces.sets import piece_set
from exactile.render.board import in_numbers, pieces_data
from exactile.runs.ledger.export import LedgerLine
from exactile.search.case import Case
from exactile.serve.site import ledger_lines, statement, write_site
from exactile.serve.tasks import playing, searching, surveys
from exactile.serve.tasks.puzzles import without
from exactile.serve.tasks.searching import Searched
from support.random_puzzles import random_puzzle
from support.site import copy_engine, hosted
from support.waiting import PATIENCE

pytestmark = pytest.mark.slow

WORKER = Path(__file__).with_name("worker.mjs")
OPTIONS = 4000
"""Options of the puzzles that are compared at most."""

NODES = 100_000
"""Nodes of the puzzles that are counted at most."""

LONG = "one-sided-pentominoes-9x10"
"""A puzzle whose count takes long on any machine."""

SIMILAR = ("tetrahexes-4x7", "pentominoes-3x20", "pentominoes-4x15")
"""Puzzles whose solutions are compared."""

UNLISTED = ("pentominoes-3x20", "dominoes-8x8")
"""Puzzles that are counted without listing."""

MEMORY = b"\x05\x07\x01\x01\x80\x02\x80\x80\x04"
"""How the engine's module says that it has 16 MB, and 4 GB at most."""

CRAMPED = b"\x05\x04\x01\x01\x60\x60"
"""The same of 6 MB, of which its stack takes five."""

FAILING = """
const { instantiate } = WebAssembly;
WebAssembly.instantiate = async (...given) => {
  const { exports } = await instantiate(...given);
  const counter_new = () => 0;
  const error_words = () => {
    const text = new TextEncoder().encode(%s + "\\0");
    const at = exports.arrays_sized(exports.arrays_new(), 0, text.length);
    new Uint8Array(exports.memory.buffer).set(text, at >>> 0);
    return at;
  };
  return { exports: { ...exports, counter_new, error_words } };
};
await import("./unchanged.js");
"""
"""A worker whose engine cannot make a memo, and says why."""

LATTICES = ("square", "hexagon", "triangle", "cube", "square-edges")

TWO = """[puzzle.a]
lattice = "square"
pieces = [{ cells = { A = [[0, 0]], B = [[0, 0], [1, 0]] }, freedom = "free" }]
region.units = [[0, 0], [1, 0], [2, 0]]
"""
"""A puzzle with two solutions, each the image of the other."""

FIXED = "one-sided-hexiamonds-obeirnes-hexagon-a"
"""A puzzle with a piece, O6, in a given place."""

LARGE = "dominoes-16x16"
"""A puzzle with more solutions than a double can count."""

Events = list[dict[str, Any]]


def compared() -> list[LedgerLine]:
    """Return 200 puzzles, of each lattice as many as of any other as far as there are."""
    return by_turns(line for line in ledger_lines() if line.options <= OPTIONS)


def countable() -> list[LedgerLine]:
    """Return 200 puzzles in the same way, with known counts and few nodes."""
    known = (line for line in ledger_lines() if line.numbers and line.nodes)
    return by_turns(x for x in known if x.options <= OPTIONS and (x.nodes or 0) <= NODES)


def by_turns(lines: Iterable[LedgerLine]) -> list[LedgerLine]:
    """Return 200 lines drawn at random, of the lattices in turn.

    Puzzles with rules about colors are left out: the page refuses them.
    """
    by_lattice: dict[str, list[LedgerLine]] = defaultdict(list)
    for line in lines:
        by_lattice[line.lattice].append(line)
    dice = Random(1)
    for own in by_lattice.values():
        dice.shuffle(own)
    rounds = zip_longest(*by_lattice.values())
    turns = (line for own in rounds for line in own if line is not None)
    return [*islice((x for x in turns if not exactile.load(x.id).color_rules), 200)]


def counted() -> list[LedgerLine]:
    """Return puzzles of as many lattices as possible with few nodes, and one with many copies."""
    few = [line for line in compared() if line.numbers and line.nodes and line.nodes < 20_000]
    return [*few[:20], *(line for line in ledger_lines() if line.id == "dominoes-8x8")]


def small(name: str) -> Puzzle:
    """Return a puzzle on a lattice: 14 units around the first one, and pieces of up to 3 cells."""
    lattice = get_lattice(name)
    first = lattice.origins[0]
    region = [first]
    for unit in region:
        for step in lattice.neighbors[int(lattice.types(np.array(unit)))]:
            there = tuple(np.add(unit, step).tolist())
            if len(region) < 14 and there not in region:
                region.append(there)
    shapes = [shape for order in (1, 2, 3) for shape in generate(lattice, order)][:12]
    turns = list(Freedom)
    pieces = tuple(
        Piece(f"p{k}", lattice, as_tuples(shape), turns[k % 3], 0, 2)
        for k, shape in enumerate(shapes)
    )
    return Puzzle(f"small-{name}", Region(lattice, region), pieces)


def made() -> list[Puzzle]:
    """Return a puzzle on every lattice, and 60 with all rules but those about colors."""
    return [*map(small, lattice_names()), *map(random_puzzle, range(60))]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site with the puzzles of these tests."""
    folder = tmp_path_factory.mktemp("site")
    copy_engine(folder)
    more = {"soma-cube", "pentominoes-6x10", LONG, FIXED, LARGE, *SIMILAR, *UNLISTED}
    more |= {line.id for line in (*compared(), *countable())}
    write_site(folder, more, ["square"])
    for puzzle in made():
        text = msgspec.json.encode(statement(puzzle))
        (folder / "puzzles" / f"{puzzle.name}.json").write_bytes(text)
    return folder


def done(site: Path, requests: Sequence[dict[str, Any]]) -> list[Events]:
    """Return the events of tasks done by the worker in Node, without progress."""
    if shutil.which("node") is None:
        pytest.skip("needs Node")
    words = ["node", "--experimental-default-type=module", str(WORKER), str(site)]
    text = "".join(json.dumps(request) + "\n" for request in requests)
    answers = subprocess.run(words, input=text, check=True, capture_output=True, text=True).stdout
    return [json.loads(line)["events"] for line in answers.splitlines()]


def test_models_and_symmetries_are_those_of_python(site: Path) -> None:
    lines = compared()
    assert {line.lattice for line in lines} <= set(lattice_names())
    for line, events in zip(
        lines, done(site, [{"task": "model", "puzzle": x.id} for x in lines]), strict=True
    ):
        model = events[0]["content"]
        expected = {name: getattr(line, name) for name in ("items", "options", "symmetries")}
        assert {**expected, "proper": line.proper, "digest": line.digest} == model, line.id


def test_models_and_counts_on_every_lattice_are_those_of_python(site: Path) -> None:
    cases = list(map(Case, made()))
    asked = [{"task": t, "puzzle": c.name} for c in cases for t in ("model", "count")]
    events = [e[0]["content"] for e in done(site, asked)]
    for case, model, answer in zip(cases, events[::2], events[1::2], strict=True):
        group = case.symmetries
        numbers = case.model.items, case.model.options, len(group), sum(s.proper for s in group)
        names = ("items", "options", "symmetries", "proper", "digest")
        assert tuple(model[name] for name in names) == (*numbers, case.digest), case.name
        counted = exactile.count(case)
        for name in ("raw", "rotation", "symmetry"):
            assert answer[name] == getattr(counted, name), case.name


def test_drawings_are_written_as_files_that_python_reads(site: Path) -> None:
    """The worker reads them, too, and makes the same models of them."""
    puzzles = [small(name) for name in lattice_names()]
    drawn = [
        {
            "task": "build",
            "name": "mine",
            "title": 'of "mine"',
            "lattice": p.lattice.name,
            "units": p.region.units.tolist()[1:],
            "optional": p.region.units.tolist()[:1],
            "pieces": msgspec.to_builtins(pieces_data(p)),
            "wrap": [],
            "crossing": False,
            "paint": {"units": [], "pieces": {}, "fits": {}},
        }
        for p in puzzles
    ]
    texts = [events[0]["content"]["text"] for events in done(site, drawn)]
    models = done(site, [{"task": "model", "puzzle": text} for text in texts])
    for text, events in zip(texts, models, strict=True):
        (site / "mine.toml").write_text(text, "utf-8")
        case = Case(exactile.load(site / "mine.toml"))
        assert case.puzzle.title == 'of "mine"'
        assert events[0]["content"]["digest"] == case.digest, text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("format = 1\n", "This is not a puzzle file."),
        ('[puzzle.a]\nlattice = "square"\nfixed = []\n', "For a puzzle file with 'fixed'"),
        ('[puzzle.a]\nlattice = """\nsquare"""\n', "This puzzle file is read by exactile serve"),
        ('[puzzle.a]\nlattice = "square"\nregion.units = [[0]]\n', "[0] is not a unit"),
        ('[puzzle.a]\nlattice = "square"\nregion.units = []\n', "The region is empty"),
        (f'{TWO}[puzzle.b]\nlattice = "square"\n', "For a file of several puzzles"),
        (TWO + 'title = "\\U0001F600"\n', "This puzzle file is read by exactile serve"),
        (TWO.replace('"free"', '"free", ranges = "0.."'), "For pieces that are used '0..' times"),
        (
            '[puzzle.a]\nlattice = "square"\npieces = "pentominoes"\nregion.units = [[0, 0]]\n',
            "For a puzzle file with 'pentominoes'",
        ),
    ],
)
def test_other_files_are_refused_in_words(site: Path, text: str, words: str) -> None:
    [events] = done(site, [{"task": "board", "puzzle": text}])
    assert events[0]["kind"] == "error"
    assert events[0]["content"]["message"].startswith(words)


def test_a_limit_is_told_where_all_was_searched(site: Path) -> None:
    asked = [{"task": "solve", "puzzle": TWO, "limit": limit} for limit in (1, 2)]
    (_, cut, _), (_, whole, _) = done(site, asked)
    found = [[a["content"][k] for k in ("found", "status", "stopped")] for a in (cut, whole)]
    assert found == [[1, "solvable", "solution limit"], [2, "complete", None]]


def test_what_has_a_given_place_is_neither_left_out_nor_left_open(site: Path) -> None:
    given = ["A", [0]]
    asked: list[dict[str, Any]] = [
        *({"task": "challenge", "puzzle": TWO, "placed": [given], "seed": k} for k in range(4)),
        {"task": "board", "puzzle": FIXED, "omit": ["O6"]},
    ]
    *challenges, [refused] = done(site, asked)
    assert [events[0]["content"]["placed"] for events in challenges] == [[]] * 4
    assert refused["content"]["message"].startswith("O6 has a given place")


def test_boards_are_judged_as_on_the_server(site: Path) -> None:
    """Units that may stay empty are open in a windmill; a corner that is left cannot be covered."""
    puzzle = exactile.load("windmill")
    (site / "puzzles" / "windmill.json").write_bytes(msgspec.json.encode(statement(puzzle)))
    solution = in_numbers(puzzle, exactile.solve_one(puzzle) or ())
    asked: list[dict[str, Any]] = [
        {"puzzle": "windmill", "placed": solution},
        {"puzzle": "windmill", "placed": solution[1:]},
        {"puzzle": "pentominoes-6x10", "placed": [("X", [1, 6, 7, 8, 13])]},
    ]
    for task, names in ((playing.finish, ("possible", "solved")), (playing.hint, ("possible",))):
        answers = done(site, [{"task": task.__name__, **own} for own in asked])
        for own, [here, *_] in zip(asked, answers, strict=True):
            [there, *_] = told(task, msgspec.convert(own, playing.Played))
            assert [here["content"][name] for name in names] == [there[name] for name in names]
            assert here["content"].get("moves") == there.get("moves")


def test_without_its_painted_piece_a_puzzle_has_no_paint(site: Path) -> None:
    square = get_lattice("square")
    shapes = {"A": ((0, 0),), "B": ((0, 0), (1, 0))}
    pieces = tuple(Piece(name, square, units, Freedom.FREE) for name, units in shapes.items())
    paint = Paint({(0, 0): "red"}, {"A": {(0, 0): "red"}})
    puzzle = Puzzle("painted", Region(square, [(0, 0), (1, 0)]), pieces, paint=paint)
    (site / "puzzles" / "painted.json").write_bytes(msgspec.json.encode(statement(puzzle)))
    asked = [{"task": "model", "puzzle": "painted", "omit": omit} for omit in ([], ["A"])]
    found = [events[0]["content"]["symmetries"] for events in done(site, asked)]
    assert found == [len(Case(p).symmetries) for p in (puzzle, without(puzzle, ["A"]))] == [1, 2]


def test_large_numbers_stay_exact(site: Path) -> None:
    [known] = exactile.load(LARGE).known
    [board, _] = done(site, [{"task": "board", "puzzle": LARGE}])[0]
    assert [k["count"] for k in board["content"]["facts"]["known"]] == [str(known.count)]


def test_counts_are_those_of_the_ledger(site: Path) -> None:
    lines = counted()
    assert len(lines) == 21
    for line, events in zip(
        lines, done(site, [{"task": "count", "puzzle": x.id} for x in lines]), strict=True
    ):
        answer = events[0]["content"]
        numbers = tuple(answer[name] for name in ("raw", "rotation", "symmetry"))
        assert line.numbers is not None
        assert numbers == (line.numbers.raw, line.numbers.rotation, line.numbers.symmetry), line.id


@pytest.mark.parametrize("method", ["memo", "frontier"])
def test_counts_without_listing_are_the_same(site: Path, method: str) -> None:
    asked = [{"task": "count", "backend": method, "puzzle": name} for name in UNLISTED]
    asked += [{"task": "count", "backend": method, "puzzle": f"small-{x}"} for x in LATTICES]
    for request, events in zip(asked, done(site, asked), strict=True):
        name = request["puzzle"]
        lattice = name.removeprefix("small-")
        counted = exactile.count(exactile.load(name) if lattice == name else small(lattice))
        answer = events[0]["content"]
        assert answer.get("method") == (None if answer["reason"] else method)
        for number in ("raw", "rotation", "symmetry"):
            assert answer[number] == getattr(counted, number), name


def test_where_the_memory_does_not_suffice_a_search_counts(site: Path, tmp_path: Path) -> None:
    """The module's memory is cut down to less than the memo of this puzzle takes."""
    shapes = piece_set("pentominoes", "square").pieces
    lattice = get_lattice("square")
    pieces = tuple(Piece(k, lattice, as_tuples(u), Freedom.FREE, 0, 2) for k, u in shapes.items())
    region = Region(lattice, [(x, y) for x in range(5) for y in range(7)])
    puzzle = Puzzle("cramped", region, pieces)
    (tmp_path / "puzzles").mkdir()
    (tmp_path / "puzzles/cramped.json").write_bytes(msgspec.json.encode(statement(puzzle)))
    shutil.copytree(site / "lattices", tmp_path / "lattices")
    shutil.copy(site / "worker.js", tmp_path)
    engine = (site / "engine.wasm").read_bytes()
    assert engine.count(MEMORY) == 1
    numbers = []
    for memory, method in ((MEMORY, "memo"), (CRAMPED, None)):
        (tmp_path / "engine.wasm").write_bytes(engine.replace(MEMORY, memory))
        [events] = done(tmp_path, [{"task": "count", "puzzle": "cramped"}])
        answer = events[0]["content"]
        assert answer.get("method") == method, answer
        numbers.append([answer[name] for name in ("raw", "rotation", "symmetry")])
    assert numbers[0] == numbers[1]
    [events] = done(tmp_path, [{"task": "count", "puzzle": "cramped", "backend": "frontier"}])
    assert "more memory than a page has" in events[0]["content"]["message"]


@pytest.mark.parametrize("words", ["std::bad_alloc", "something else"])
def test_only_lacking_memory_makes_a_search_count(site: Path, tmp_path: Path, words: str) -> None:
    """The engine fails with these words where it is to make a memo."""
    for folder in ("lattices", "puzzles"):
        (tmp_path / folder).symlink_to(site / folder)
    shutil.copy(site / "engine.wasm", tmp_path)
    shutil.copy(site / "worker.js", tmp_path / "unchanged.js")
    (tmp_path / "worker.js").write_text(FAILING % json.dumps(words))
    [events] = done(tmp_path, [{"task": "count", "puzzle": "small-square"}])
    kind, content = events[0]["kind"], events[0]["content"]
    if words == "std::bad_alloc":
        assert kind == "answer"
        assert content["raw"] == exactile.count(small("square")).raw
        assert "method" not in content
    else:
        assert (kind, content.get("message")) == ("error", words)


def test_a_search_is_watched_as_on_the_server(site: Path) -> None:
    ways: list[dict[str, Any]] = [{"after": n} for n in (0, 1, 5, 40, 1000)]
    ways += [{"after": n, "until": "solution"} for n in (0, 7)]
    ways += [{"after": 3, "until": "depth", "depth": 4}]
    for name in ("tetrahexes-4x7", "dominoes-8x8"):
        got = done(site, [{"task": "watch", "puzzle": name, **way} for way in ways])
        for way, events in zip(ways, got, strict=True):
            expected = told(searching.watch, searching.Watched(puzzle=name, **way))
            assert events[0]["content"] == expected[0], (name, way)


def told(task: Any, asked: Any) -> list[Any]:
    """Return what a task of the server reports, except its progress, as JSON."""
    found: list[Any] = []
    task(
        asked,
        lambda kind, x: (
            found.append(json.loads(msgspec.json.encode(x))) if kind != "progress" else 0
        ),
    )
    return found


def test_classes_are_those_of_python(site: Path) -> None:
    for name in SIMILAR:
        [events] = done(site, [{"task": "classes", "puzzle": name}])
        here = events[0]["content"]
        [there] = told(surveys.classes, Searched(puzzle=name))
        assert [len(own) for own in here["classes"]] == [len(own) for own in there["classes"]]
        kinds = [
            Counter((way["kind"], len(way["moved"])) for way in x["ways"]) for x in (here, there)
        ]
        assert kinds[0] == kinds[1], name


def test_placements_that_move_are_numbered_where_pieces_have_copies(site: Path) -> None:
    lattice = get_lattice("square")
    region = [(x, y) for y in range(3) for x in range(8)]
    shapes = [*generate(lattice, 3)]
    pieces = tuple(
        Piece(f"p{k}", lattice, as_tuples(shape), Freedom.FREE, 0, 8)
        for k, shape in enumerate(shapes)
    )
    puzzle = Puzzle("trominoes", Region(lattice, region), pieces)
    (site / "puzzles" / "trominoes.json").write_bytes(msgspec.json.encode(statement(puzzle)))
    [events] = done(site, [{"task": "classes", "puzzle": "trominoes"}])
    found = events[0]["content"]
    assert found["ways"]
    for way in found["ways"]:
        first, second = (found["solutions"][way[which]] for which in ("first", "second"))
        kept = [own for k, (_, own) in enumerate(first) if k not in way["moved"]]
        units = found["units"][way["symmetry"]]
        there = {frozenset(units[unit] for unit in own) for _, own in second}
        assert {frozenset(own) for own in kept} <= there


def test_pegs_are_judged_as_on_the_server(site: Path) -> None:
    dice = Random(3)
    long = {"time_limit": 1000.0}
    for name, holes, times in (("triangle-4", 10, 40), ("english", 33, 6), ("european", 37, 3)):
        asked: list[dict[str, Any]] = [
            {"board": name, "pegs": sorted(dice.sample(range(holes), dice.randint(1, 9))), **long}
            for _ in range(times)
        ]
        [board] = done(site, [{"task": "peg", "board": name}])
        assert board[0]["content"] == told(playing.peg, playing.Pegs(name))[0]
        asked.append({"board": name, "pegs": board[0]["content"]["pegs"], **long})
        for own, events in zip(
            asked, done(site, [{"task": "reachable", **x} for x in asked]), strict=True
        ):
            here = events[0]["content"]
            [there] = told(playing.reachable, playing.Pegs(**own))
            assert here["possible"] == there["possible"], own
            if here["jump"]:
                rest = played(board[0]["content"]["jumps"], own["pegs"], here["jump"])
                [after] = told(playing.reachable, playing.Pegs(name, tuple(rest), **long))
                assert after["possible"]


def played(jumps: list[list[int]], pegs: list[int], jump: list[int]) -> list[int]:
    """Return the holes with pegs after a jump."""
    [over] = [over for start, over, end in jumps if [start, end] == jump]
    assert {jump[0], over} <= set(pegs)
    assert jump[1] not in pegs
    return sorted({*pegs, jump[1]} - {jump[0], over})


def test_sudokus_are_judged_as_on_the_server(site: Path) -> None:
    one = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    texts = [
        one,
        "." * 81,
        "55" + one[2:],
        one.replace("53..7", "53..8", 1),
        "1234567.." + "." * 70 + "89",
    ]
    texts += ["..9.7...5..21..9..1...28....7...5..1..851......5....3.......3..68........21.....7"]
    for text, events in zip(
        texts, done(site, [{"task": "sudoku", "text": x} for x in texts]), strict=True
    ):
        here = events[0]["content"]
        [there] = told(playing.sudoku, playing.Cells(text))
        assert (here["kind"], here["reason"]) == (there["kind"], there["reason"]), text
        if here["kind"] == "unique":
            assert here["solutions"] == there["solutions"]


def test_a_copy_keeps_its_labels(site: Path) -> None:
    name = "mine"
    text = (
        'format = 1\n[puzzle.mine]\nlattice = "square"\n'
        "pieces = [{ cells = { P = [[0,0],[1,0]] }, quasi = true, "
        'freedom = "free", ranges = "1..2" }]\n'
        "region.units = [[0,0],[1,0],[0,1],[1,1]]\nregion.optional = [[1,1]]\n"
        'labels = { "a b" = [[0,0],[1,1]], "é" = [[0,1]] }\n'
    )
    [[copy, _]] = done(site, [{"task": "text", "form": "drawing", "puzzle": text}])
    drawn = {
        "task": "build", "name": name, "title": "", "lattice": "square", "optional": [],
        "pieces": [{"name": "P", "units": [[0, 0], [1, 0]], "freedom": "free",
                    "lower": 1, "upper": 2}],
        "wrap": [], "crossing": True, "paint": {"units": [], "pieces": {}, "fits": {}},
    }  # fmt: skip
    units = [[0, 0], [1, 0], [0, 1], [1, 1]]
    own = {**drawn, "like": text}
    [[kept, _], [less, _]] = done(site, [{**own, "units": units}, {**own, "units": units[1:]}])
    for event in (copy, kept):
        (site / "mine.toml").write_text(event["content"]["text"], "utf-8")
        labels = exactile.load(site / "mine.toml").labels
        assert labels == {(0, 0): "a b", (1, 1): "a b", (0, 1): "é"}
    assert less["content"]["lost"] == ["labels of units"]


def test_solutions_come_once_up_to_symmetry(site: Path) -> None:
    every, ways, first, none = done(
        site,
        [
            {"task": "solve", "puzzle": "soma-cube", "up_to": "symmetry"},
            {"task": "solve", "puzzle": "soma-cube", "limit": 50},
            {"task": "solve", "puzzle": "pentominoes-6x10", "backend": "auto", "limit": 1},
            {"task": "board", "puzzle": "no-such-puzzle"},
        ],
    )
    found = [s for event in every if event["kind"] == "solutions" for s in event["content"]]
    assert len({json.dumps(s) for s in found}) == 240
    assert [e["content"]["stopped"] for e in ways if e["kind"] == "answer"] == ["solution limit"]
    assert [len(e["content"][0]) for e in first if e["kind"] == "solutions"] == [12]
    assert none[0]["content"]["message"] == (
        "There is no puzzle 'no-such-puzzle' in the catalogue."
    )


@pytest.fixture(scope="module")
def host(site: Path) -> Iterator[str]:
    """The address of a static host of the site."""
    with hosted(site) as address:
        yield address


@pytest.fixture
def alone(browser: Any, host: str) -> Iterator[Any]:
    """A page of a static host, without pictures; what goes wrong in it is an error."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda m: wrong.append(m.text) if m.type == "error" else None)
    page.route("**/pictures/*", lambda route: route.fulfill(body="", status=204))
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(host)
    page.wait_for_selector("h1")
    yield page
    context.close()
    assert wrong == []


def visit(page: Any, address: str) -> None:
    """Go to an address within the page."""
    page.evaluate("address => { location.hash = address }", address)


def test_a_static_host_finds_solves_and_counts(alone: Any) -> None:
    alone.get_by_label("Find").fill("soma-cube")
    alone.get_by_label("Find").press("Enter")
    alone.get_by_role("button", name="Solve").click()
    alone.wait_for_selector("text=All 240 solutions found.")
    alone.keyboard.press("ArrowRight")
    assert alone.inner_text(".at") == "2 of 240"
    alone.get_by_role("button", name="Count", exact=True).click()
    alone.wait_for_selector("text=240 solutions up to symmetry, 480 up to rotation, 11,520 in all")


def test_a_search_is_stopped_and_a_game_is_judged(alone: Any) -> None:
    visit(alone, "/p/" + LONG)
    alone.get_by_role("button", name="Count", exact=True).click()
    alone.wait_for_selector("text=nodes")
    alone.get_by_role("button", name="Cancel").click()
    alone.wait_for_selector("text=Cancelled.")
    visit(alone, "/p/pentominoes-6x10/play")
    alone.wait_for_selector("text=This can still be finished")


def test_the_front_page_begins_with_a_game_and_has_a_calendar(alone: Any) -> None:
    alone.clock.set_fixed_time("2026-12-25T12:00:00")
    alone.reload()
    alone.wait_for_selector("text=Three pieces are missing")
    alone.wait_for_selector(".begun >> text=This can still be finished")
    alone.get_by_role("link", name="Today: December 25").click()
    alone.wait_for_selector("h1:has-text('Calendar, December 25')")
    alone.wait_for_selector("text=This can still be finished")
    written = {*alone.locator(".board .note").all_text_contents()}
    assert len(written) == 41
    assert not {"Dec", "25"} & written
    alone.get_by_role("link", name="Count", exact=True).click()
    alone.get_by_role("button", name="Count", exact=True).click()
    alone.wait_for_selector("text=in all.")
    assert alone.locator(".numbers dt").all_inner_texts() == ["92", "92", "92"]


def test_a_known_solution_is_shown_and_its_link_is_read(alone: Any) -> None:
    alone.context.grant_permissions(["clipboard-read", "clipboard-write"])
    visit(alone, "/p/soma-cube")
    alone.get_by_role("button", name="Show a known solution").click()
    alone.wait_for_selector("text=This is the solution that the ledger knows.")
    alone.get_by_role("button", name="Copy link").click()
    alone.get_by_role("button", name="Copied").wait_for()
    alone.goto(alone.evaluate("() => navigator.clipboard.readText()"))
    alone.reload()
    alone.wait_for_selector("text=This solution came with the address.")


def test_a_piece_that_is_left_out_changes_the_model(alone: Any) -> None:
    visit(alone, "/p/pentominoes-6x10?omit=F")
    alone.wait_for_selector("p[role=status]:has-text('pieces have at most 55 units')")
    assert "71 items" in alone.inner_text("aside")  # 60 units and 11 pieces
    alone.get_by_text("More", exact=True).click()
    alone.get_by_role("button", name="TOML").click()
    alone.wait_for_selector("text=Puzzles with pieces left out are written by exactile serve only.")


def test_what_needs_a_server_says_so(alone: Any) -> None:
    visit(alone, "/runs")
    alone.wait_for_selector("text=This needs exactile serve")
    visit(alone, "/p/soma-cube/compare")
    alone.wait_for_selector("text=SAT solvers, CP-SAT and others race with exactile serve only.")


def test_a_puzzle_is_drawn_and_solved(alone: Any) -> None:
    visit(alone, "/edit")
    for name, size in (("Width", "5"), ("Height", "4")):
        alone.get_by_label(name, exact=True).fill(size)
        alone.get_by_label(name, exact=True).press("Enter")
    alone.get_by_role("button", name="Fill").click()
    alone.get_by_label("Set of pieces").select_option("pentominoes")
    alone.get_by_role("button", name="Add set").click()
    alone.wait_for_selector("text=It cannot be solved: the pieces have at least 60 units")
    for name in "FNTUWXYZ":
        alone.get_by_label(f"Copies of {name}", exact=True).fill("0")
        alone.get_by_label(f"Copies of {name}", exact=True).press("Enter")
    alone.wait_for_selector("text=20 units to be covered, pieces of 20")
    alone.get_by_role("link", name="Solve it").click()
    alone.get_by_role("button", name="Count", exact=True).click()
    alone.wait_for_selector("p[role=status]:has-text('in all')")
    expected = exactile.count(exactile.make_puzzle(pieces="I,L,P,V", box=(5, 4)))
    assert f"{expected.raw} in all" in alone.inner_text("p[role=status]")


def test_it_works_without_a_network_after_the_first_visit(browser: Any, host: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(f"{host}#/p/soma-cube")
    page.evaluate("() => navigator.serviceWorker.ready.then(() => null)")
    context.set_offline(True)
    page.goto(f"{host}#/p/pentominoes-6x10")
    page.reload()
    page.get_by_role("button", name="Count", exact=True).click()
    page.wait_for_selector("text=2,339 solutions up to symmetry")
    context.close()


WORK = """async tasks => {
  const found = [];
  for (const [task, asked] of tasks) {
    const worker = new Worker("worker.js", { type: "module" });
    const events = [];
    await new Promise((done) => {
      worker.onerror = (event) => done(events.push({ kind: "error", content: event.message }));
      worker.onmessage = ({ data }) => {
        if (data.kind === "end" || data.kind === "error") done(events.push(data));
        else if (data.kind !== "progress") events.push(data);
      };
      worker.postMessage({ task, base: document.baseURI, asked });
    });
    worker.terminate();
    found.push(events[0].content);
  }
  return found;
}"""
"""Does tasks in the browser, each in a worker of its own as the page does."""


@pytest.mark.long
def test_200_puzzles_are_counted_in_a_browser_and_again_offline(browser: Any, host: str) -> None:
    lines = countable()
    assert len(lines) == 200
    assert len({line.lattice for line in lines}) == 12
    asked = [["count", {"puzzle": line.id}] for line in lines]
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE)
    page.goto(host)
    page.evaluate("() => navigator.serviceWorker.ready.then(() => null)")
    for offline in (False, True):
        context.set_offline(offline)
        page.reload()
        for k in range(0, len(asked), 10):
            answers = page.evaluate(WORK, asked[k : k + 10])
            for line, answer in zip(lines[k : k + 10], answers, strict=True):
                assert line.numbers is not None
                numbers = [answer.get(name) for name in ("raw", "rotation", "symmetry")]
                known = [line.numbers.raw, line.numbers.rotation, line.numbers.symmetry]
                assert numbers == known, (line.id, answer)
    context.close()


def test_models_of_all_lattices_in_a_browser_are_those_of_python(browser: Any, host: str) -> None:
    cases = [Case(small(name)) for name in lattice_names()]
    page = browser.new_page(service_workers="block")
    page.goto(host)
    tasks = [[task, {"puzzle": case.name}] for case in cases for task in ("model", "count")]
    found = page.evaluate(WORK, tasks)
    page.close()
    for case, model, count in zip(cases, found[::2], found[1::2], strict=True):
        assert model["digest"] == case.digest, case.name
        assert model["symmetries"] == len(case.symmetries), case.name
        counted = exactile.count(case)
        assert (count["raw"], count["symmetry"]) == (counted.raw, counted.symmetry), case.name
