"""The server as a browser sees it: who is let in, what is told, what is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from socket import socket
from typing import Any

import pytest
from starlette.testclient import TestClient

from exactile.answers import Count
from exactile.files.puzzles.catalogue import load
from exactile.puzzle.check import faults
from exactile.serve.app import MOST_BYTES, make_app
from exactile.serve.tasks.puzzles import from_numbers
from support.command_line import Cli

HOST = "http://127.0.0.1:8000"

KEY = {"authorization": "Bearer secret"}


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with TestClient(make_app("secret"), base_url=HOST, headers=KEY) as client:
        yield client


def events(client: TestClient, task: str, **asked: Any) -> list[tuple[str, Any]]:
    """Return what the server tells of a task, without the end that every stream has."""
    answer = client.post(f"/api/{task}", json=asked)
    assert answer.status_code == 200
    parts = [part.split("\ndata: ") for part in answer.text.split("\n\n") if part]
    told = [(kind.removeprefix("event: "), json.loads(data)) for kind, data in parts]
    return told[:-1] if told[-1] == ("end", {}) else told


STRANGE = [
    ("/api/gallery", {}, 403),
    ("/api/opened", {"authorization": "Bearer wrong"}, 403),
    ("/api/opened", {"authorization": "Bearer"}, 403),
    ("/api/opened", {"authorization": "Basic secret"}, 403),
    ("/api/opened", {"authorization": "Bearer %FF%00"}, 403),
    ("/api/opened?token=secret", {}, 403),
    ("/api/opened", {"cookie": "token=secret; exactile-8000=secret"}, 403),
    ("/api/opened/", {}, 403),
    ("/api//opened", {}, 403),
    ("//api/opened", KEY, 404),
    ("/", KEY | {"host": "example.org"}, 421),
    ("/", KEY | {"host": "127.0.0.1.example.org"}, 421),
    ("/", KEY | {"host": ""}, 421),
    ("/", KEY | {"origin": "http://example.org"}, 403),
    ("/", KEY | {"origin": "null"}, 403),
    ("/", KEY | {"origin": "http://127.0.0.1:8001"}, 403),
    ("/api/opened", KEY | {"origin": HOST}, 200),
    ("/", {}, 200),
]
"""Addresses, headers, and the status of the answer: pages are for all, work is not."""


@pytest.mark.parametrize(("address", "headers", "status"), STRANGE)
def test_strangers_are_refused(address: str, headers: dict[str, str], status: int) -> None:
    with TestClient(make_app("secret"), base_url=HOST) as client:
        answer = client.get(address, headers=headers)
    assert answer.status_code == status
    assert "script-src 'self'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "//",
        "/%2f%2fexample.org",
        "///example.org/",
        "//example.org/..",
        "/..%2f..%2f",
        "/api/",
    ],
)
def test_no_cookie_is_set_and_nothing_leads_elsewhere(client: TestClient, path: str) -> None:
    answer = client.get(f"{HOST}{path}?token=secret", follow_redirects=False)
    assert "set-cookie" not in answer.headers
    assert answer.headers.get("location", f"{HOST}/").startswith(f"{HOST}/")


def test_numbers_and_given_names_name_the_server() -> None:
    client = TestClient(make_app("secret", hosts=("den",)), base_url="http://192.168.1.2:80")
    for host in ("192.168.1.2:80", "[fe80::1]:80", "den", "DEN:80"):
        assert client.get("/", headers={"host": host}).status_code == 200
    for host in ("example.org", "den.example.org", "fe80::1%den"):
        assert client.get("/", headers={"host": host}).status_code == 421


def test_the_address_that_is_printed_is_answered(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    answers: list[int] = []

    def run(app: Any, _: socket) -> None:
        answers.append(TestClient(app, base_url="http://den:80").get("/").status_code)

    monkeypatch.setattr("exactile.serve.app.run", run)
    monkeypatch.setattr("exactile.cli.serve_command._listening", lambda *_: Listening())
    code, out, _ = cli("serve", "--host", "Den", "--token", "secret", "--no-browser")
    assert (code, out, answers) == (0, "http://Den:80/?token=secret\n", [200])


class Listening:
    """A socket of a host that this machine need not have."""

    def getsockname(self) -> tuple[str, int]:
        return "den", 80


def test_a_secret_may_have_any_letters() -> None:
    with TestClient(make_app("schl\u00fcssel &1"), base_url=HOST) as client:
        key = {"authorization": "Bearer schl%C3%BCssel%20%261"}
        assert client.get("/api/opened", headers=key).status_code == 200


@pytest.mark.parametrize(
    "backend", ["external:touch pwned", "external", "sat:cadical195", "EXTERNAL:ls", "first", "no"]
)
@pytest.mark.parametrize("task", ["solve", "count", "classes", "finish", "hint", "begin", "prove"])
def test_only_the_backends_that_are_offered_are_taken(
    client: TestClient, task: str, backend: str
) -> None:
    more = {"verb": "count"} if task == "begin" else {}
    [(kind, content)] = events(client, task, puzzle="soma-cube", backend=backend, **more)
    assert (kind, content["message"].partition(":")[0]) == ("error", "The request is invalid")
    assert f"The page has no backend '{backend}': it offers " in content["message"]


def test_the_gallery_has_every_puzzle(client: TestClient) -> None:
    told = {e["id"]: e for e in client.get("/api/gallery").json()}
    assert (told["soma-cube"]["count"], told["soma-cube"]["family"]) == (240, "polycube")
    assert client.get("/pictures/soma-cube.svg").text.startswith("<svg ")
    for name in ("no-such-puzzle.svg", "..%2Fledger.svg", "soma-cube.png"):
        assert client.get(f"/pictures/{name}").status_code == 404
    assert told["tetraboloes-29x1-1100"]["why"] == "piece P4x03 fits nowhere"
    assert told["hexominoes-plus-36x6"]["why"] == "a search for all takes about 10^19 steps"


def test_known_solutions_are_shown_when_asked_for(client: TestClient) -> None:
    puzzle = load("pentacubes-5x7x7-open-box")
    known = client.get("/examples/pentacubes-5x7x7-open-box.json").json()
    assert not faults(puzzle, from_numbers(puzzle, known))
    assert client.get("/examples/tetrominoes-5x4.json").status_code == 404  # it has none


def test_a_piece_that_is_left_out(client: TestClient) -> None:
    asked = {"puzzle": "tetrasticks-5x5", "omit": ["H"], "up_to": "symmetry", "limit": 5}
    told = events(client, "solve", **asked)
    found = [s for kind, content in told if kind == "solutions" for s in content]
    assert len(found) == 5
    assert all(len(solution) == 15 and "H" not in dict(solution) for solution in found)
    kind, answer = events(client, "count", puzzle="tetrasticks-5x5", omit=["H"])[-1]
    assert (kind, Count.from_json(json.dumps(answer)).symmetry) == ("answer", 72)


def test_an_unsolvable_puzzle_is_drawn(client: TestClient) -> None:
    for task in ("prove", "explain"):
        told = dict(events(client, task, puzzle="tetrominoes-5x4"))
        assert told["answer"]["status"] == "unsolvable"
        assert told["picture"]["svg"].startswith("<svg ")


def test_a_puzzle_can_be_saved_and_asked_for_as_text(client: TestClient) -> None:
    text = dict(events(client, "text", puzzle="soma-cube", form="toml"))["text"]["text"]
    (board,) = events(client, "board", puzzle=text)
    assert board[1]["facts"]["options"] == 688


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "Input data was truncated"),
        (b"[1]", "Expected `object`"),
        (b'{"puzzle": 3}', "Expected `str`"),
        (b'{"puzzle": "/etc/passwd"}', "There is no puzzle '/etc/passwd' in the catalogue."),
        (b'{"puzzle": "soma-cube", "omit": ["Q"]}', "The puzzle has no piece 'Q'"),
        (b'{"puzzle": "soma-cube", "placed": [["V", [99]]]}', "The region has 27 units"),
        (b'{"puzzle": "a\\nb"}', "the puzzle"),
    ],
)
def test_what_cannot_be_asked_is_told_in_words(client: TestClient, body: bytes, words: str) -> None:
    kind, data = client.post("/api/board", content=body).text.split("\n")[:2]
    assert kind == "event: error"
    assert words in json.loads(data.removeprefix("data: "))["message"]


def test_bodies_are_bounded_and_tasks_known(client: TestClient) -> None:
    assert client.post("/api/board", content=b" " * (MOST_BYTES + 1)).status_code == 413
    assert client.post("/api/format", json={}).status_code == 404


def test_a_search_ends_in_time() -> None:
    with TestClient(make_app("secret", seconds=0.1), base_url=HOST, headers=KEY) as client:
        told = events(client, "count", puzzle="pentominoes-6x10", backend="reference")
    assert told[-1][0] == "error"
    assert "It was stopped after" in told[-1][1]["message"]


def test_no_more_searches_than_may_run() -> None:
    with TestClient(make_app("secret", most=0), base_url=HOST, headers=KEY) as client:
        assert client.post("/api/count", json={"puzzle": "soma-cube"}).status_code == 503
        assert events(client, "board", puzzle="soma-cube")[0][0] == "board"  # it can be opened


def test_the_size_of_requests_can_be_set() -> None:
    with TestClient(make_app("secret", request_bytes=50), base_url=HOST, headers=KEY) as client:
        assert events(client, "board", puzzle="soma-cube")[0][0] == "board"
        assert client.post("/api/board", content=b" " * 51).status_code == 413
