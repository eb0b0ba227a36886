"""The gallery and the page of a puzzle, in a real browser."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import Any

import pytest

import exactile
from exactile.certificate.verify import verify
from support.hands import own

pytestmark = pytest.mark.slow


def visit(page: Any, address: str) -> None:
    """Go to an address within the page."""
    page.evaluate("address => { location.hash = address }", address)


def test_the_gallery_finds_puzzles_and_keeps_what_was_chosen(page: Any) -> None:
    visit(page, "/")
    page.get_by_label("Find").fill("soma-cube")
    page.wait_for_selector("text=240 solutions")
    assert page.url.endswith("#/?q=soma-cube")
    page.reload()
    assert page.get_by_label("Find").input_value() == "soma-cube"


def test_large_numbers_are_shown_as_they_are(page: Any) -> None:
    visit(page, "/p/dominoes-16x16")
    page.wait_for_selector("text=305,611,096,281,378,760,240,051,639,364 up to symmetry")
    page.wait_for_selector("text=2,444,888,770,250,892,795,802,079,170,816 in all")
    visit(page, "/?order=most")
    page.wait_for_selector("li:first-child:has-text('305,611,096,281,378,760,240,051,639,364')")


@pytest.mark.parametrize(
    ("piece", "solutions"),
    [
        ("H", 72),
        ("Y", 204),
        *(pytest.param(*p, marks=pytest.mark.long) for p in (("J", 382), ("L", 607), ("N", 530))),
    ],
)
def test_the_piece_that_is_left_out_is_clicked(page: Any, piece: str, solutions: int) -> None:
    visit(page, "/p/tetrasticks-5x5")
    page.locator(f"[data-piece={piece}]").click()
    page.wait_for_selector(f"[data-piece={piece}].out")
    page.get_by_role("button", name="Solve").click()
    page.wait_for_selector(f"text=All {solutions} solutions found.")
    page.get_by_role("button", name="Next").click()
    assert page.inner_text(".at") == f"2 of {solutions}"
    page.keyboard.press("ArrowRight")
    assert page.inner_text(".at") == f"3 of {solutions}"
    assert page.locator(".part").count() == 15 + 16  # of the board, and in the pictures of pieces


def test_a_piece_is_left_out_whatever_its_name(page: Any) -> None:
    cells = '"A,1" = "0..2,0", "100%" = "0,0 0..1,1", "%2C" = "0,0 1,0"'
    board = "region.box = [3, 3]\nregion.optional = '0..2,0..2'"
    lines = ("format = 1", "[puzzle.named]", 'lattice = "square"', f"pieces.cells = {{ {cells} }}")
    visit(page, own("\n".join((*lines, board))))
    for name in ("A,1", "100%"):
        page.locator(f"[data-piece='{name}']").click()
        page.wait_for_selector(f"[data-piece='{name}'].out")
    page.locator("[data-piece='%2C']:not(.out)").wait_for()
    page.wait_for_selector("text=1 piece on the square lattice")


def test_paint_is_seen_on_the_board_and_on_pieces(page: Any) -> None:
    for view in ("", "/play"):
        visit(page, f"/p/checkered-pentominoes-8x8{view}")
        page.wait_for_selector(".board .sketch .spot", state="attached")
        assert page.locator(".board .sketch .spot").count() == 60
        assert page.locator("[data-piece=X] .spot").count() == 5


def test_a_solution_is_chosen_by_its_number_and_by_keys(page: Any) -> None:
    page.set_viewport_size({"width": 900, "height": 400})
    visit(page, "/p/soma-cube")
    page.get_by_role("button", name="Solve").click()
    page.wait_for_selector("text=All 240 solutions found.")
    field = page.get_by_label("Number of the solution")
    field.fill("17")  # not entered yet: what is found meanwhile does not replace it
    page.get_by_label("Solution", exact=True).evaluate(
        "range => { range.value = 3; range.dispatchEvent(new Event('input')) }"
    )
    assert (page.inner_text(".at"), field.input_value()) == ("3 of 240", "17")
    for typed, shown in (("17", 17), ("999", 240), ("2.5", 2), ("-1", 1)):
        field.fill(typed)
        field.press("Enter")
        assert (page.inner_text(".at"), field.input_value()) == (f"{shown} of 240", f"{shown}")
    field.blur()
    page.evaluate("scrollTo(0, 50)")
    for key, shown in (("End", 240), ("Home", 1), ("ArrowRight", 2)):
        page.keyboard.press(key)
        assert page.inner_text(".at") == f"{shown} of 240"
    two_frames = "new Promise(then => requestAnimationFrame(() => requestAnimationFrame(then)))"
    page.evaluate(two_frames)
    assert page.evaluate("scrollY") == 50


@pytest.mark.parametrize(("most", "end"), [(20_000, "complete"), (30, "unknown")])
def test_all_solutions_are_saved_and_whether_more_are_known(
    page: Any, most: int, end: str, tmp_path: Path
) -> None:
    """Those of six by ten pentominoes are more than the largest request."""
    visit(page, "/p/pentominoes-6x10")
    page.get_by_text("More", exact=True).click()
    page.get_by_label("Count as different").select_option("all")
    page.get_by_label("at most").fill(str(most))
    page.get_by_role("button", name="Solve").click()
    page.wait_for_selector("text=/All 9,356|These are 30/")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Solutions", exact=True).click()
    saved.value.save_as(tmp_path / "all.jsonl")
    puzzle = exactile.load("pentominoes-6x10")
    found = [*exactile.read_solutions(tmp_path / "all.jsonl", puzzle)]
    assert len({*found}) == len(found) == min(most, 9356)
    assert (tmp_path / "all.jsonl").read_text("utf-8").endswith(f'{{"end":"{end}"}}\n')


NO_ESTIMATE = """() => {
    const own = window.fetch;
    window.fetch = (to, asked) => to === "api/estimate" ? new Promise(() => {}) : own(to, asked);
}"""
"""What is asked for is not answered."""


def test_other_questions_leave_the_solutions_as_they_are(page: Any) -> None:
    visit(page, "/p/soma-cube")
    page.get_by_text("More", exact=True).click()
    page.get_by_label("at most").fill("2")
    page.get_by_role("button", name="Solve").click()
    page.wait_for_selector("text=These are 2 solutions")
    shown = page.inner_text(".at")
    assert shown == "1 of 2 so far, 240 known"
    for name, words in (("Prove", "There is a solution."), ("Count", "240 solutions up to")):
        page.get_by_role("button", name=name, exact=True).click()
        page.wait_for_selector(f"text={words}")
        assert page.inner_text(".at") == shown  # none is counted twice, and others may be left
    page.evaluate(NO_ESTIMATE)
    page.get_by_role("button", name="Estimate").click()
    page.wait_for_selector("text=Estimating…")
    visit(page, "/p/soma-cube/play")
    page.get_by_role("application").wait_for()
    visit(page, "/p/soma-cube")
    page.wait_for_selector("text=240 solutions up to")  # what was said last
    assert page.inner_text(".at") == shown


def streamed(page: Any, task: str, *events: tuple[str, object]) -> None:
    """Let the page get these events as the answer to a task."""
    parts = [f"event: {kind}\ndata: {json.dumps(content)}\n\n" for kind, content in events]
    page.route(f"**/api/{task}", lambda route: route.fulfill(body="".join(parts)))


SOLUTIONS = ("solutions", [[["F", [0, 1, 2, 3, 4]]], [["F", [5, 6, 7, 8, 9]]]])


def test_the_status_says_how_many_solutions_are_there(page: Any) -> None:
    """The search has found others, which have not arrived yet."""
    visit(page, "/p/pentominoes-6x10")
    news = {"found": 3024, "left": 3300, "nodes": 9}
    streamed(page, "solve", SOLUTIONS, ("progress", news), ("end", {}))
    page.get_by_role("button", name="Solve").click()
    page.wait_for_selector("p[role=status] >> text=/^2 solutions · 9 nodes/")


def test_an_error_is_not_kept_with_the_solutions(page: Any) -> None:
    visit(page, "/p/pentominoes-6x10")
    streamed(page, "solve", SOLUTIONS)  # it breaks off
    page.get_by_role("button", name="Solve").click()
    page.wait_for_selector("text=start `exactile serve` again, and open the address that it prints")
    visit(page, "/p/pentominoes-6x10/play")
    page.get_by_role("application").wait_for()
    visit(page, "/p/pentominoes-6x10")
    page.wait_for_selector("text=The search was interrupted: Solve begins it again.")
    assert page.inner_text(".at").startswith("1 of 2 so far")


def test_reasons_are_whole_sentences(page: Any) -> None:
    visit(page, "/p/pentominoes-6x10")
    answer = {"backend": "dlx", "status": "unsolvable", "stopped": None}
    for argument, words in (("a coloring forbids it", "A coloring forbids it."), ("No.", "No.")):
        streamed(page, "prove", ("answer", {**answer, "argument": argument}), ("end", {}))
        page.locator("details.more").evaluate("more => { more.open = true }")
        page.get_by_role("button", name="Prove").click()
        page.wait_for_selector(f"p[role=status] >> text=/^There is no solution. {words}$/")
        page.unroute("**/api/prove")


def test_one_class_is_not_classes(page: Any) -> None:
    visit(page, "/p/pentominoes-6x10/classes")
    same = {"units": [[*range(60)]], "pieces": [[0]], "names": ["F"], "remarks": []}
    similar = {"solutions": SOLUTIONS[1], "classes": [[0, 1]], "ways": [], **same}
    streamed(page, "classes", ("classes", similar), ("end", {}))
    page.get_by_role("button", name="Sort").click()
    page.wait_for_selector("text=2 solutions in 1 class, 0 transformations between them.")


def test_a_copied_piece_needs_more_options_than_one(page: Any) -> None:
    """The table shows the options beyond those that an item needs."""
    visit(page, "/p/pentominoes-6x10/watch")
    page.wait_for_selector("text=Node 0 ·")
    rivals = [{"item": "piece I2", "spare": -1}, {"item": "unit 0,0", "spare": 3}]
    where = {"nodes": 1, "done": 0, "found": 0, "solution": False, "ended": False}
    position = {**where, "placed": [], "levels": [], "rivals": rivals}
    streamed(page, "watch", ("position", position), ("end", {}))
    page.get_by_role("button", name="Step").click()
    page.wait_for_selector("text=piece I2 has too few options left: backtrack.")
    assert page.get_by_role("columnheader", name="options to spare").is_visible()
    cells = page.get_by_role("cell").all_inner_texts()
    assert cells == ["piece I2", "too few", "unit 0,0", "3"]


def test_escape_closes_the_tools_only(page: Any) -> None:
    visit(page, "/p/soma-cube")
    page.locator(".menu summary").click()
    page.get_by_role("link", name="Watch").focus()
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Watch").wait_for(state="hidden")
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"


def test_a_search_is_cancelled(page: Any) -> None:
    visit(page, "/p/pentominoes-6x10")
    page.get_by_text("More", exact=True).click()
    page.get_by_label("Solver").select_option("reference")
    page.get_by_role("button", name="Count", exact=True).click()
    page.wait_for_selector("text=nodes")
    page.get_by_role("button", name="Cancel").click()
    page.wait_for_selector("text=Cancelled.")
    assert page.get_by_role("button", name="Count", exact=True).is_enabled()


@pytest.mark.parametrize("puzzle", ["tetrominoes-5x4", "hexiamonds-3x12"])
def test_an_unsolvable_puzzle_shows_why(page: Any, puzzle: str) -> None:
    """One has a coloring, the other an explanation: drawn unasked."""
    visit(page, f"/p/{puzzle}")
    page.locator("img[alt]:not([alt=''])").first.wait_for()
    words = page.locator("img").first.get_attribute("alt")
    assert words == page.locator("p[role=status]").inner_text()
    page.get_by_text("More", exact=True).click()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Certificate").click()
    with tarfile.open(saved.value.path()) as archive:
        archive.extractall(folder := saved.value.path().parent / puzzle, filter="data")
    assert verify(folder / f"{puzzle}-certificate").raw == 0


def test_the_page_of_searches_goes_on_after_a_look_that_failed(page: Any) -> None:
    looks = 0

    def answer(route: Any) -> None:
        nonlocal looks
        looks += 1
        if looks == 1:
            now = route.fetch().text()
            route.fulfill(body=now.replace('"working":false', '"working":true').replace("480", "7"))
        elif looks == 2:
            route.fulfill(body='event: error\ndata: {"message": "busy"}\n\n')
        else:
            route.continue_()

    page.route("**/api/runs", answer)
    visit(page, "/runs")
    page.wait_for_selector("text=11,520 in all, 7 up to rotation")
    page.wait_for_selector("text=11,520 in all, 480 up to rotation")
    assert looks == 3


def test_the_searches_of_a_store_are_leafed_through(page: Any) -> None:
    visit(page, "/runs")
    page.wait_for_selector("text=11,520 in all, 480 up to rotation, 240 up to symmetry")
    page.get_by_role("link", name="solve soma-cube").click()
    page.wait_for_selector("text=240 solutions of this run.")
    page.get_by_role("button", name="Next").click()
    assert page.inner_text(".at") == "2 of 240"


def test_a_search_is_kept_in_the_store_and_gone_on_with(page: Any) -> None:
    """It goes on where it was, however the page is left."""
    visit(page, "/p/tetrahexes-4x7")
    page.get_by_role("button", name="Keep a count").click()
    page.wait_for_selector("text=count tetrahexes-4x7")
    page.get_by_label("Go on with run 3").click()
    page.wait_for_selector("text=18 in all, 9 up to rotation, 9 up to symmetry")
    page.get_by_label("Go on with run 2").click()
    page.get_by_label("Pause run 2").wait_for()
    visit(page, "/sudoku")
    visit(page, "/runs")
    page.get_by_label("Go on with run 2").wait_for()


def test_solvers_tell_conflicts_and_restarts(page: Any) -> None:
    visit(page, "/p/pentominoes-3x20")
    page.get_by_text("More", exact=True).click()
    for solver in ("sat", "cpsat"):
        page.get_by_label("Solver").select_option(solver)
        page.get_by_role("button", name="Solve").click()
        page.wait_for_selector("text=All 2 solutions found.")
        for counter in ("conflicts, each a learned clause", "restarts"):
            assert "a second" in page.get_by_role("row", name=counter).inner_text()


def test_the_classes_are_walked_through(page: Any) -> None:
    visit(page, "/p/pentominoes-5x12/classes")
    page.get_by_role("button", name="Sort").click()
    page.wait_for_selector("text=1,010 solutions in 291 classes")
    before = labels(page)
    way = page.locator(".ways button").first
    moving = way.inner_text().split(" turn ")[0].split()
    way.click()
    page.wait_for_selector("text=→")
    after = labels(page)
    assert {name for name in before if before[name] != after[name]} <= {*moving}


def labels(page: Any) -> dict[str, tuple[str, str]]:
    """Return where the names of the pieces stand."""
    found = page.locator(".board text").all()
    return {t.text_content(): (t.get_attribute("x"), t.get_attribute("y")) for t in found}
