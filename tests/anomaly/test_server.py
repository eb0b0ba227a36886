"""The server when those who asked go away, or when it is killed itself."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from exactile.serve.office import Folder
from support.waiting import PATIENCE, children, wait_until

LONG = {"puzzle": "pentominoes-6x10", "backend": "reference"}

pytestmark = pytest.mark.skipif(
    not Path(f"/proc/self/task/{os.getpid()}/children").exists(), reason="needs /proc of Linux"
)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    words = [sys.executable, "-m", "exactile", "serve"]
    words += ["--no-browser", "--port", "0", "--token", "secret"]
    own = os.environ | {"TMPDIR": str(tmp_path)}  # a server that is killed removes nothing
    errors = tmp_path / "errors"
    with (
        errors.open("w") as stream,
        subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=stream, text=True, env=own
        ) as process,
    ):
        assert process.stdout is not None
        address = process.stdout.readline()
        yield process, int(address.split(":")[2].split("/")[0])
        process.kill()


def searching(port: int) -> http.client.HTTPConnection:
    """Return a connection on which a long search has begun to tell."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    headers = {"Authorization": "Bearer secret"}
    connection.request("POST", "/api/count", json.dumps(LONG), headers)
    assert connection.getresponse().readline() == b"event: progress\n"
    return connection


def test_a_search_ends_with_its_reader(server: tuple[subprocess.Popen[str], int]) -> None:
    process, port = server
    connections = [searching(port) for _ in range(2)]
    assert len(children(process.pid)) == 2
    for connection in connections:
        connection.close()
    wait_until(lambda: not children(process.pid))


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_nothing_outlives_the_server(
    server: tuple[subprocess.Popen[str], int], number: signal.Signals, tmp_path: Path
) -> None:
    process, port = server
    with closing(searching(port)):
        left = children(process.pid, guards=True)
        process.send_signal(number)
        process.wait(PATIENCE)
        assert (tmp_path / "errors").read_text() == ""  # no traceback, although it was in mid-task
        wait_until(lambda: not any(Path(f"/proc/{child}/cmdline").exists() for child in left))


def test_the_folder_of_a_killed_server_is_removed_by_the_next(
    server: tuple[subprocess.Popen[str], int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    process, port = server
    connection = searching(port)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with Folder() as folder:  # nobody removes what belongs to a server that lives
        assert len(list(tmp_path.glob("exactile-serve-*"))) == 2
    process.kill()
    process.wait(PATIENCE)
    assert len(list(tmp_path.glob("exactile-serve-*"))) == 1
    with Folder() as folder:
        assert list(tmp_path.glob("exactile-serve-*")) == [folder.path]
    assert not list(tmp_path.glob("exactile-serve-*"))
    connection.close()
