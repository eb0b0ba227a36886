"""The page without a server: models, counts and views by its worker and the engine in WebAssembly.

The worker runs in Node and in a real browser; without Emscripten these tests are left out.
"""

from __future__ import annotations

import fcntl
import json
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
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
from exactile.puzzle.pieces.generate import generate
from exactile.puzzle.pieces.piece import Freedom, Piece
from exactile.render.board import pieces_data
from exactile.runs.ledger.export import LedgerLine
from exactile.search.case import Case
from exactile.serve.site import ledger_lines, statement, write_site
from support.random_puzzles import random_puzzle
from support.waiting import PATIENCE

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
WORKER = Path(__file__).with_name("worker.mjs")
OPTIONS = 4000
"""Options of the puzzles that are compared at most."""

LONG = "one-sided-pentominoes-9x10"
"""A puzzle whose count takes long on any machine."""

Events = list[dict[str, Any]]


def compared() -> list[LedgerLine]:
    """Return 200 puzzles, of each lattice as many as of any other as far as there are."""
    by_lattice: dict[str, list[LedgerLine]] = defaultdict(list)
    for line in ledger_lines():
        if line.options <= OPTIONS:
            by_lattice[line.lattice].append(line)
    dice = Random(1)
    for lines in by_lattice.values():
        dice.shuffle(lines)
    turns = [line for k in range(200) for own in by_lattice.values() for line in own[k : k + 1]]
    return turns[:200]


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
    if shutil.which("emcc") is None or shutil.which("make") is None:
        pytest.skip("needs make and Emscripten, which `make site-tools` installs")
    engine = "build/site/engine.wasm"
    (ROOT / "build").mkdir(exist_ok=True)
    with (ROOT / "build" / "site.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests may run in several processes
        subprocess.run(["make", engine], cwd=ROOT, check=True, capture_output=True)
    folder = tmp_path_factory.mktemp("site")
    shutil.copy(ROOT / engine, folder)
    more = {"soma-cube", "pentominoes-6x10", "dominoes-8x8", LONG}
    write_site(folder, {line.id for line in compared()} | more, ["square"])
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
    ],
)
def test_other_files_are_refused_in_words(site: Path, text: str, words: str) -> None:
    [events] = done(site, [{"task": "board", "puzzle": text}])
    assert events[0]["kind"] == "error"
    assert events[0]["content"]["message"].startswith(words)


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
    words = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1"]
    with subprocess.Popen(
        [*words, "--directory", str(site)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        yield process.stdout.readline().rpartition("(")[2].partition(")")[0]
        process.terminate()


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
    assert alone.locator("header nav a").all_inner_texts() == ["Puzzles", "Editor"]
    visit(alone, "/sudoku")
    alone.wait_for_selector("text=This needs exactile serve")


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
