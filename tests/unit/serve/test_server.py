"""Connections that keep the server waiting: half a request, answers that are not read."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, closing, suppress
from http.client import HTTPConnection
from threading import Thread
from unittest.mock import Mock

import pytest
import uvicorn
from uvicorn.server import ServerState

from exactile.serve import app
from exactile.serve.app import MOST_WAITING, Connection, make_app, run
from support.waiting import PATIENCE, wait_until

AT_ONCE = 0.01
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
    monkeypatch.setattr(app, "PATIENCE", FOR_EVER)
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
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as line:
        line.request("GET", "/")
        assert line.getresponse().status == 200


def opened(port: int, sent: bytes = b"") -> socket.socket:
    """Return a connection over which something was sent, unless it was closed before."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)  # what is not read is noticed soon
    line.settimeout(60)
    line.connect(("127.0.0.1", port))
    with suppress(ConnectionError):
        line.sendall(sent)
    return line


def rest(line: socket.socket) -> bytes:
    """Return what comes until the other side closes the connection."""
    parts: list[bytes] = []
    with suppress(ConnectionError):
        while part := line.recv(1 << 16):
            parts.append(part)
    return b"".join(parts)


@pytest.mark.parametrize("sent", [b"", b"GET / HT", b"POST /api/count HTTP/1.1\r\nHost: 127"])
def test_half_a_request_is_closed(port: int, sent: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "PATIENCE", AT_ONCE)
    with opened(port, sent) as line:
        assert rest(line) == b""


def test_an_answer_that_is_not_read_is_broken_off(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = b"GET /solid.js HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with opened(port) as line:
        wait_until(lambda: open_connections() == 1)  # it waits for a request as long as it takes
        monkeypatch.setattr(app, "PATIENCE", AT_ONCE)
        line.sendall(one * 20)
        wait_until(lambda: not open_connections())
        assert len(rest(line)) < 10_000_000  # of 20 times half a megabyte


def test_those_who_wait_make_room_for_others(port: int) -> None:
    with ExitStack() as stack:
        lines = [stack.enter_context(opened(port, b"GET / HT")) for _ in range(MOST_WAITING + 5)]
        require_answer(port)
        assert rest(lines[0]) == b""
        assert len(Connection._waiting) <= MOST_WAITING
        lines[-1].sendall(b"TP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        assert rest(lines[-1]).startswith(b"HTTP/1.1 200 ")


def conversed(talk: Callable[[Connection], Awaitable[None]]) -> None:
    """Have a connection without a network, and talk over it."""

    async def converse() -> None:
        app = make_app("secret")
        line = Connection(uvicorn.Config(app, log_level="error"), ServerState(), {})
        transport = Mock()
        transport.get_extra_info.return_value = None
        transport.is_closing.return_value = False
        line.connection_made(transport)
        await talk(line)
        line.connection_lost(None)
        assert line not in Connection._waiting

    asyncio.run(converse())


HEAD = b"POST /api/count HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n"


def test_byte_by_byte_the_clock_goes_on() -> None:
    async def talk(line: Connection) -> None:
        timer = Connection._waiting[line]
        for letter in HEAD[:-1]:
            line.data_received(bytes([letter]))
            assert Connection._waiting[line] is timer
        line.data_received(HEAD[-1:])
        assert timer.cancelled()
        assert line not in Connection._waiting  # now it is our turn

    conversed(talk)


def test_the_rest_of_a_refused_request_is_waited_for_no_longer() -> None:
    async def talk(line: Connection) -> None:
        line.data_received(HEAD)
        while line not in Connection._waiting:
            await asyncio.sleep(0)
        assert line.cycle.response_complete
        timer = Connection._waiting[line]
        line.data_received(b"half")
        assert Connection._waiting[line] is timer

    conversed(talk)


def test_whoever_reads_has_time_anew() -> None:
    async def talk(line: Connection) -> None:
        line.data_received(HEAD)
        line.pause_writing()
        timer = Connection._waiting[line]
        line.resume_writing()
        assert timer.cancelled()
        assert line not in Connection._waiting

    conversed(talk)
