"""Connections that keep the server waiting: half a request, answers that are not read."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from threading import Thread
from unittest.mock import Mock

import pytest
import uvicorn
from uvicorn.server import ServerState

from exactile.serve import server
from exactile.serve.app import make_app
from exactile.serve.server import MOST_WAITING, Connection, run
from support.waiting import wait_until

AT_ONCE = 0.05
FOR_EVER = 3600.0


RUNNING: list[uvicorn.Server] = []


@pytest.fixture
def port(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The port of a server in a thread, which ends when the test does."""
    begin = uvicorn.Server.startup

    async def startup(self: uvicorn.Server, sockets: list[socket.socket] | None = None) -> None:
        RUNNING[:] = [self]
        await begin(self, sockets)

    monkeypatch.setattr(uvicorn.Server, "startup", startup)
    listening = socket.create_server(("127.0.0.1", 0))
    thread = Thread(target=run, args=(make_app("secret"), listening))
    thread.start()
    number = listening.getsockname()[1]
    require_answer(number)
    yield number
    RUNNING[0].should_exit = True
    thread.join()
    assert not Connection._waiting


def open_connections() -> int:
    """Return how many connections the server has."""
    return len(RUNNING[0].server_state.connections)


def require_answer(port: int) -> None:
    """Require that somebody else is answered."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=60)) as line:
        line.request("GET", "/")
        assert line.getresponse().status == 200


def opened(port: int, *parts: bytes) -> socket.socket:
    """Return a connection over which something was sent."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)  # what is not read is noticed soon
    line.settimeout(60)
    line.connect(("127.0.0.1", port))
    for part in parts:
        line.sendall(part)
    return line


def rest(line: socket.socket) -> bytes:
    """Return what comes until the other side closes the connection."""
    parts: list[bytes] = []
    try:
        while part := line.recv(1 << 16):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)


HEAD = b"POST /api/board HTTP/1.1\r\nHost: 127.0.0.1\r\n"


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        (b"", b""),
        (b"GET / HT", b""),
        (HEAD + b"Authorization: Bearer sec", b""),
        (HEAD + b"Content-Length: 1000\r\n\r\nhalf", b"HTTP/1.1 403 "),
        (b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET / HT", b"HTTP/1.1 200 "),
    ],
    ids=["nothing", "half a line", "half a head", "refused, half a body", "half a second request"],
)
def test_half_a_request_is_closed(
    port: int, sent: bytes, answer: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "PATIENCE", AT_ONCE)
    with opened(port, sent) as line:
        got = rest(line)
    assert got.startswith(answer)
    assert bool(got) == bool(answer)


def test_byte_by_byte_the_clock_goes_on() -> None:
    async def send_slowly() -> None:
        config = uvicorn.Config(make_app("secret"), log_level="error")
        line = Connection(config, ServerState(), {})
        transport = Mock()
        transport.get_extra_info.return_value = None
        line.connection_made(transport)
        timer = Connection._waiting[line]
        for letter in b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n":
            line.data_received(bytes([letter]))
            assert Connection._waiting[line] is timer
        line.connection_lost(None)
        assert timer.cancelled()

    asyncio.run(send_slowly())


def test_an_answer_that_is_not_read_is_broken_off(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "PATIENCE", AT_ONCE)
    one = b"GET /solid.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with opened(port, one * 20) as line:
        assert line.recv(4) == b"HTTP"
        wait_until(lambda: not open_connections())
        assert len(rest(line)) < 10_000_000  # of 20 times half a megabyte


def test_those_who_wait_make_room_for_others(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "PATIENCE", FOR_EVER)
    with ExitStack() as stack:
        lines = [stack.enter_context(opened(port, b"GET / HT")) for _ in range(MOST_WAITING + 5)]
        require_answer(port)
        assert rest(lines[0]) == b""
        assert len(Connection._waiting) <= MOST_WAITING
        lines[-1].sendall(b"TP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        assert rest(lines[-1]).startswith(b"HTTP/1.1 200 ")
