"""A server that is attacked: it refuses, it goes on, its memory stays, and no process is left."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from random import Random
from threading import Thread

import pytest

from exactile.serve.office import TASKS
from support.waiting import PATIENCE, wait_until

pytestmark = [pytest.mark.slow, pytest.mark.long]

SEARCHES = 4
MEGABYTES = 24
"""The server may grow by so much: less than any one of the attacks sends or asks for."""

KEY = {"Authorization": "Bearer secret"}

HARD = {"puzzle": "pentominoes-6x10", "backend": "reference", "time_limit": 600}


class Attacked:
    """A server in a process, and what attackers do to it."""

    def __init__(self, errors: Path) -> None:
        words = ["serve", "--no-browser", "--port", "0", "--token", "secret"]
        words += ["--searches", str(SEARCHES)]
        self.errors = errors
        with errors.open("w") as stream:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "exactile", *words],
                stdout=subprocess.PIPE,
                stderr=stream,
                text=True,
            )
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline().partition("?")[0].rpartition(":")[2][:-1])

    def connection(self) -> HTTPConnection:
        """Return a connection to it."""
        return HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)

    def ask(self, task: str, body: bytes) -> tuple[int, bytes]:
        """Ask for a task as the page does; return the status and the answer."""
        with closing(self.connection()) as line:
            line.request("POST", f"/api/{task}", body, KEY)
            answer = line.getresponse()
            return answer.status, answer.read()

    def raw(self, *parts: bytes) -> bytes:
        """Send bytes and return what comes back, if anything does."""
        with (
            suppress(OSError),  # it need not listen to the end
            socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as line,
        ):
            for part in parts:
                line.sendall(part)
            line.shutdown(socket.SHUT_WR)
            return line.recv(1 << 16)
        return b""

    def require_well(self) -> None:
        """Require that it still works, as soon as the searches of those who left have ended."""
        wait_until(lambda: b'"symmetry":240' in self.ask("count", b'{"puzzle": "soma-cube"}')[1])

    def require_no_growth(self, before: int) -> None:
        """Require that its memory is about what it was; print by how much it is not."""
        grown = self.memory - before
        print(f"{grown / 2**20:.1f} MB more")
        assert grown < MEGABYTES << 20

    @property
    def memory(self) -> int:
        """Its resident memory in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return 1024 * int(status.partition("VmRSS:")[2].split()[0])

    @property
    def children(self) -> list[int]:
        """The processes that it has, with theirs."""
        found = [self.process.pid]
        for pid in found:
            with suppress(OSError):
                for path in Path(f"/proc/{pid}/task").iterdir():
                    found += map(int, (path / "children").read_text().split())
        return found[1:]


@pytest.fixture
def attacked(tmp_path: Path) -> Iterator[Attacked]:
    server = Attacked(tmp_path / "errors")
    server.require_well()
    yield server
    before = server.children
    server.process.terminate()
    server.process.communicate(timeout=PATIENCE)
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in before))
    assert server.errors.read_text() == ""  # no traceback, no warning


def malformed(random: Random, port: int) -> bytes:
    """Return a request in which something is wrong."""
    task = random.choice([*TASKS, "nothing", "../api/board", "%00", "board?token=secret"])
    body = json.dumps({"puzzle": "soma-cube", "time_limit": 0.01, "limit": 1}).encode()
    lines = [
        b"POST /api/%b HTTP/1.1" % task.encode(),
        b"Host: 127.0.0.1:%d" % port,
        b"Authorization: Bearer secret",
        b"Content-Length: %d" % len(body),
        b"Connection: close",
    ]
    request = bytearray(b"\r\n".join(lines) + b"\r\n\r\n" + body)
    for _ in range(random.randrange(1, 6)):
        at = random.randrange(len(request))
        kind = random.randrange(4)
        if kind == 0:
            request[at] = random.randrange(256)
        elif kind == 1:
            del request[at : at + random.randrange(1, 30)]
        elif kind == 2:
            request[at:at] = random.randbytes(random.randrange(1, 30))
        else:
            request[at:at] = request[: random.randrange(1, 60)]
        if not request:
            break
    return bytes(request)


def test_ten_thousand_malformed_requests(attacked: Attacked) -> None:
    random = Random(0)
    for _ in range(500):
        attacked.raw(malformed(random, attacked.port))
    before = attacked.memory
    for _ in range(9500):
        attacked.raw(malformed(random, attacked.port))
    attacked.require_no_growth(before)
    attacked.require_well()


def test_strangers_at_full_length(attacked: Attacked) -> None:
    own = f"127.0.0.1:{attacked.port}"
    api = ("/api/gallery", "/api/opened")
    strange = [
        ({"Host": "example.org"} | KEY, ("/", "/index.js", "/pictures/soma-cube.svg", *api)),
        ({"Host": own, "Origin": "http://example.org"} | KEY, ("/", "/index.js", *api)),
        ({"Host": own, "Origin": "null"} | KEY, ("/", "/index.js", *api)),
        ({"Host": own}, api),
        ({"Host": own, "Authorization": "Bearer wrong"}, api),
    ]
    for headers, addresses in strange:
        for address in addresses:
            with closing(attacked.connection()) as line:
                line.putrequest("GET", address, skip_host=True)
                for name, value in headers.items():
                    line.putheader(name, value)
                line.endheaders()
                assert line.getresponse().status in (403, 421)


def test_a_hundred_megabytes(attacked: Attacked) -> None:
    before = attacked.memory
    head = (
        f"POST /api/board HTTP/1.1\r\nHost: 127.0.0.1:{attacked.port}\r\n"
        "Authorization: Bearer secret\r\n"
    ).encode()
    block = b"x" * (1 << 20)
    attacked.raw(head + b"Content-Length: 104857600\r\n\r\n", *[block] * 100)
    chunk = b"%x\r\n%b\r\n" % (len(block), block)
    attacked.raw(head + b"Transfer-Encoding: chunked\r\n\r\n", *[chunk] * 100, b"0\r\n\r\n")
    assert attacked.ask("board", block * 2)[0] == 413
    attacked.require_no_growth(before)
    attacked.require_well()


def test_hundreds_of_half_requests(attacked: Attacked) -> None:
    before = attacked.memory
    half = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{attacked.port}\r\nX".encode()
    lines = [socket.create_connection(("127.0.0.1", attacked.port)) for _ in range(400)]
    for line in lines:
        with suppress(OSError):  # some have made room for others by then
            line.sendall(half)
    attacked.require_well()
    for line in lines:  # all of them are closed, and sooner than a reader gives up
        line.settimeout(60)
        with suppress(ConnectionError):
            assert line.recv(1) == b""
        line.close()
    attacked.require_no_growth(before)
    attacked.require_well()


def test_two_hundred_searches_at_once(attacked: Attacked) -> None:
    before = attacked.memory
    lines = [attacked.connection() for _ in range(200)]
    statuses: list[int] = []

    def search(line: HTTPConnection) -> None:
        with suppress(OSError, HTTPException):
            body = json.dumps(HARD)
            line.request("POST", "/api/count", body, KEY)
            statuses.append(line.getresponse().status)

    threads = [Thread(target=search, args=[line]) for line in lines]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [200] * SEARCHES + [503] * (200 - SEARCHES)
    assert len(attacked.children) <= 2 * SEARCHES + 3  # each with what it starts, and the guard
    attacked.require_no_growth(before)  # with all 200 connections open
    for line in lines:
        if line.sock is not None:
            line.sock.shutdown(socket.SHUT_RDWR)
        line.close()
    wait_until(lambda: len(attacked.children) <= 3)  # the guard, and two that wait for work
    attacked.require_well()


def test_a_tab_that_is_closed_a_hundred_times(attacked: Attacked) -> None:
    before = 0
    for number in range(100):
        line = attacked.connection()
        body = json.dumps(HARD)
        line.request("POST", "/api/count", body, KEY)
        answer = line.getresponse()
        assert answer.status == 200
        assert answer.readline().startswith(b"event: progress")
        answer.close()
        line.close()
        wait_until(lambda: len(attacked.children) <= 3)
        if number == 9:
            before = attacked.memory
    attacked.require_no_growth(before)
    attacked.require_well()
