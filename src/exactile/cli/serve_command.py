"""`exactile serve`: serve Exactile's page to a browser."""

from __future__ import annotations

import secrets
import socket
import webbrowser
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

import rich_click as click

from exactile.cli import options, words
from exactile.cli.table import options_of
from exactile.errors import ExactileError

LOCAL = ("127.0.0.1", "localhost", "::1")
PORT = 8571


@options_of("serve")
@click.argument("puzzle", required=False, default="", shell_complete=words.puzzles)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help=f"Port to listen on; by default {PORT}, or if that is taken, any free port.",
    metavar="N",
)
@options.option(
    "--host",
    default="127.0.0.1",
    metavar="ADDRESS",
    help="Address to listen on. One that other machines can reach needs --token: everybody with "
    "the token can run searches here. Traffic is not encrypted.",
)
@click.option(
    "--token",
    metavar="SECRET",
    help="Secret that is part of the page's address. By default, it is random. With a --host that "
    "other machines can reach, it must be given.",
)
@click.option("--no-browser", is_flag=True, help="Print the address, but do not open a browser.")
@options.option(
    "--searches",
    type=click.IntRange(1, 256),
    default=4,
    metavar="N",
    help="Largest number of searches that run at the same time.",
)
@options.time_limit("Time limit of each search.", default=3600)
@options.memory("Memory limit of each search", ".", default="2G", least=64 << 20)
@options.option(
    "--request",
    type=options.Bytes(),
    default="1M",
    metavar="SIZE",
    help="Largest request or uploaded file that is accepted.",
)
def command(
    puzzle: str,
    port: int | None,
    host: str,
    token: str | None,
    no_browser: bool,
    searches: int,
    time_limit: float,
    memory: int,
    request: int,
) -> int:
    """Open a page in the browser to choose, solve, play and draw puzzles.

    The page first shows PUZZLE, by default the catalogue. If PUZZLE is a store, a file that other
    commands write with --store, the page shows the searches in it. Only this machine can open the
    page, unless --host is given. The page loads nothing from the internet. Ctrl-C stops the server.
    """
    if host not in LOCAL and token is None:
        raise click.UsageError(
            f"--host {host} lets other machines in: protect the page by a secret, with --token."
        )
    if missing := [name for name in ("starlette", "uvicorn") if find_spec(name) is None]:
        raise ExactileError(
            f"The page needs {' and '.join(missing)}: install them with "
            "`pip install 'exactile[web]'`."
        )
    from exactile.serve.app import (
        make_app,  # it loads packages that may be missing
        run,
    )

    store = puzzle if puzzle and _is_store(puzzle) else ""
    opened = _opened(puzzle) if puzzle and not store else ""
    token = token or secrets.token_urlsafe(16)
    listening = _listening(host, port)
    app = make_app(
        token,
        hosts=("localhost", host.lower()),
        opened=opened,
        store=store,
        most=searches,
        megabytes=memory >> 20,
        seconds=time_limit,
        request_bytes=request,
        warm=True,
    )
    shown = "127.0.0.1" if host in ("0.0.0.0", "::") else host  # noqa: S104
    name = f"[{shown}]" if ":" in shown else shown
    address = f"http://{name}:{listening.getsockname()[1]}/?token={quote(token)}"
    click.echo(address)
    if not no_browser:
        webbrowser.open(address)
    with suppress(KeyboardInterrupt):  # which ends the server
        run(app, listening)
    return 0


def _is_store(reference: str) -> bool:
    """Return whether a file is a store of searches.

    Raise FileError if it is a damaged store, or a database that is not a store.
    """
    from exactile.runs.store import Store
    from exactile.runs.store.opening import MAGIC

    path = Path(reference)
    with suppress(OSError):
        if not path.is_file():  # reading a pipe would consume it, or wait
            return False
        with path.open("rb") as stream:
            if stream.read(len(MAGIC)) == MAGIC:
                Store(reference).close()
                return True
    return False


def _opened(reference: str) -> str:
    """Return a puzzle as the page takes it: its id if the catalogue has it, else a puzzle file.

    The file is returned as text. Errors are those of `load`.
    """
    from exactile.files.puzzles import catalogue
    from exactile.files.puzzles.writer import document_text
    from exactile.files.reading import load

    puzzle = load(reference)
    return puzzle.name if catalogue.has(reference) else document_text([puzzle])


def _listening(host: str, port: int | None) -> socket.socket:
    """Return a socket that listens; raise ExactileError if the address cannot be used.

    If the port is None, `PORT` is tried first, then any free one.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    ports = [PORT, 0] if port is None else [port]
    for number in ports:
        try:
            return socket.create_server((host, number), family=family)
        except OSError as error:
            if number == ports[-1]:
                raise ExactileError(
                    f"Cannot listen on {host}, port {number}: {error.strerror or error}. "
                    "Choose another with --port."
                ) from None
    raise AssertionError
