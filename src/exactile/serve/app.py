"""The HTTP server: connections, refused requests, files of the page, gallery, streams of events."""

from __future__ import annotations

import asyncio
import hmac
import socket
import threading
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import aclosing, asynccontextmanager
from functools import cache
from ipaddress import ip_address
from pathlib import Path
from typing import ClassVar
from urllib.parse import unquote

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from exactile.clock import CLOCK
from exactile.errors import FileError
from exactile.files.puzzles import catalogue
from exactile.files.puzzles.catalogue import ledger_folder
from exactile.render.board import in_numbers, preview
from exactile.runs.ledger.export import LedgerLine, read_document
from exactile.runs.ledger.pages import example
from exactile.serve.office import TASKS, Desk, Office

POLICY = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""HTTP headers that each response has, to restrict what the browser does with it."""


class Guard:
    """Refuses requests that call the server by a strange name, or come from pages of other servers.

    `app`: the application to guard. `hosts`: names by which the server may be addressed, in lower
    case. Numeric addresses are accepted as well, since no other domain can claim them.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str]) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to the application, or refuse it; add the headers of `POLICY`.

        Connections other than HTTP, such as WebSockets, are ignored.
        """
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return

        async def sealed(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(POLICY)
            await send(message)

        await (self._refusal(Headers(scope=scope)) or self._app)(scope, receive, sealed)

    def _refusal(self, headers: Headers) -> Response | None:
        """Return the response that refuses a request; None if it is not refused."""
        host = headers.get("host", "")
        if not self._known(host):
            return PlainTextResponse("This server does not go by that name.\n", 421)
        if headers.get("origin", f"http://{host}") != f"http://{host}":
            return PlainTextResponse("Requests of other pages are not answered.\n", 403)
        return None

    def _known(self, host: str) -> bool:
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
        if name.lower() in self._hosts:
            return True
        try:
            return bool("%" not in name and ip_address(name.strip("[]")))
        except ValueError:
            return False


class Lock:
    """Refuses requests without the token.

    The address by which the page is opened contains the token, and the page sends the token with
    each request. The page keeps the token in storage that belongs to one host and port, not in a
    cookie: browsers send cookies to every server of the host, on any port.

    `app`: the application to lock. `token`: the secret.
    """

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request to the application, or refuse it."""
        kind, _, given = Headers(scope=scope).get("authorization", "").partition(" ")
        if kind == "Bearer" and hmac.compare_digest(unquote(given).encode(), self._token.encode()):
            await self._app(scope, receive, send)
            return
        refusal = PlainTextResponse(
            "Open the address that `exactile serve` has printed: it ends in ?token=...\n", 403
        )
        await refusal(scope, receive, send)


PATIENCE = 10.0
"""Seconds after which a client is cut off that sends no complete request, or reads no data."""

MOST_WAITING = 200
"""Largest number of connections that wait for their clients. With more, the longest waiting one is
closed."""


class Connection(H11Protocol):
    """A connection that is closed if its client stalls.

    Thus neither an incomplete request nor an unread response keeps a connection open for long,
    whether or not the client has the token.
    """

    _waiting: ClassVar[dict[Connection, asyncio.TimerHandle]] = {}

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start to wait for a request."""
        super().connection_made(transport)
        self._take_turns()

    def data_received(self, data: bytes) -> None:
        """Handle a request once it is complete; until then, wait for the rest of it."""
        super().data_received(data)
        self._take_turns()

    def on_response_complete(self) -> None:
        """Start to wait for the next request, or for the rest of a refused one."""
        super().on_response_complete()
        self._take_turns()

    def pause_writing(self) -> None:
        """Start to wait until the client reads the data that was sent."""
        super().pause_writing()
        self._take_turns()

    def resume_writing(self) -> None:
        """Stop waiting, because the client has read the data."""
        super().resume_writing()
        self._take_turns()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting for the client."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _take_turns(self) -> None:
        """Start the timer if the client has to act next; stop it if the server has to.

        If too many connections wait, abort the one that has waited longest.
        """
        busy = self.cycle is not None and not self.cycle.response_complete
        if busy and not self.flow.write_paused:
            self._stop_waiting()
        elif self not in self._waiting:
            self._waiting[self] = self.loop.call_later(
                CLOCK.lasting(PATIENCE), self.transport.abort
            )
            if len(self._waiting) > MOST_WAITING:
                oldest = next(iter(self._waiting))
                oldest._stop_waiting()
                oldest.transport.abort()

    def _stop_waiting(self) -> None:
        if (timer := self._waiting.pop(self, None)) is not None:
            timer.cancel()


class _Server(uvicorn.Server):
    """A server that stops the tasks of its workers before it shuts down."""

    def __init__(self, config: uvicorn.Config, app: Starlette) -> None:
        super().__init__(config)
        self._app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop all tasks, then shut the server down."""
        self._app.state.office.end()
        await super().shutdown(sockets)


def run(app: Starlette, listening: socket.socket) -> None:
    """Serve an application until Ctrl-C or SIGTERM; `listening` is the socket for connections."""
    config = uvicorn.Config(
        app,
        http=Connection,
        ws="none",
        proxy_headers=False,  # there is no proxy between the server and a browser
        log_level="error",
        access_log=False,
        limit_concurrency=256,
        timeout_graceful_shutdown=1,
    )
    _Server(config, app).run(sockets=[listening])


STATIC = Path(__file__).parent / "static"

MOST_BYTES = 1 << 20
"""Default of the largest size of a request, in bytes."""

SMALL = "soma-cube"
"""The puzzle by which a worker is prepared if the page is opened without a puzzle."""

READING = threading.Lock()
"""Lock that is held while files are read.

Without it, msgspec crashes if several threads use a type for the first time at the same moment.
"""

FULL = "The limit of simultaneous searches is reached: stop one, or try again in a moment."


def make_app(
    token: str,
    *,
    hosts: Collection[str] = ("localhost",),
    opened: str = "",
    store: str = "",
    most: int = 4,
    megabytes: int | None = 2048,
    seconds: float = 3600.0,
    request_bytes: int = MOST_BYTES,
    warm: bool = False,
) -> Starlette:
    """Return the web application that serves the page.

    - `token`, `hosts`: see `Lock` and `Guard`.
    - `opened`: the puzzle that the page shows first: its name in the catalogue, or the text of a
      puzzle file; empty for the gallery.
    - `store`: a file of long searches, whose runs the page then shows first, in place of `opened`;
      empty for none.
    - `most`, `megabytes`, `seconds`: see `Office`.
    - `request_bytes`: largest number of bytes of a request.
    - `warm`: whether a worker prepares the first view before it is requested.
    """

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        with Office(most, megabytes, seconds, Desk(store)) as office:
            app.state.office = office
            app.state.request_bytes = request_bytes
            if warm:
                office.warm("board", msgspec.json.encode({"puzzle": opened or SMALL}))
            yield

    def opening(_: Request) -> Response:
        return JSONResponse({"puzzle": opened, "store": Path(store).name})

    locked = [
        Route("/gallery", _gallery),
        Route("/opened", opening),
        Route("/{task}", _work, methods=["POST"]),
    ]
    return Starlette(
        routes=[
            Mount("/api", routes=locked, middleware=[Middleware(Lock, token=token)]),
            Route("/pictures/{name}.svg", _picture),
            Route("/examples/{name}.json", _example),
            Route("/solid.js", _solid),
            Mount("/", StaticFiles(directory=STATIC, html=True)),
        ],
        middleware=[Middleware(Guard, hosts=hosts)],
        lifespan=lifespan,
    )


def _gallery(_: Request) -> Response:
    with READING:
        return Response(gallery(), media_type="application/json")


def _picture(request: Request) -> Response:
    return _of_the_catalogue(picture, request, "image/svg+xml")


def _example(request: Request) -> Response:
    return _of_the_catalogue(known_solution, request, "application/json")


def _of_the_catalogue(made: Callable[[str], str], request: Request, kind: str) -> Response:
    """Return a response with the text that `made` returns for the puzzle named in a request.

    `kind`: the media type. Raise HTTPException with status 404 if `made` does not know the puzzle.
    """
    try:
        with READING:
            content = made(request.path_params["name"])
    except (KeyError, FileError):
        raise HTTPException(404, "There is no such puzzle.") from None
    return Response(content, media_type=kind, headers={"cache-control": "max-age=3600"})


def _solid(_: Request) -> Response:
    """Return the script that shows solids; single-file pages also contain it."""
    return FileResponse(STATIC.parents[1] / "render" / "built" / "solid.js")


async def _work(request: Request) -> Response:
    """Start a task, and return a stream of its events; if the client closes it, the task ends.

    If too many tasks are running, return a refusal with status 503. Raise HTTPException with status
    404 if there is no such task, and the errors of `_body`.
    """
    task = request.path_params["task"]
    if task not in TASKS:
        raise HTTPException(404, f"Nothing is called '{task}' here.")
    body = await _body(request, request.app.state.request_bytes)
    office: Office = request.app.state.office
    if office.full(task):
        return JSONResponse({"message": FULL}, 503)
    return EventStream(office, task, body)


async def _body(request: Request, most: int) -> bytes:
    """Return the body of a request.

    Raise HTTPException if it has more than `most` bytes, arrives too slowly, or breaks off.
    """
    parts: list[bytes] = []
    try:
        async with asyncio.timeout(CLOCK.lasting(PATIENCE)):
            async for part in request.stream():
                parts.append(part)
                if sum(map(len, parts)) > most:
                    raise HTTPException(
                        413,
                        f"A request has at most {most:,} bytes: begin with `exactile serve "
                        "--request SIZE` to allow more.",
                    )
    except TimeoutError:
        raise HTTPException(408, "The request did not arrive in time.") from None
    except ClientDisconnect:
        raise HTTPException(400, "The request broke off.") from None
    return b"".join(parts)


class EventStream(Response):
    """A response that sends the events of a task as they come.

    `office`: the `Office` whose workers do the task. `task`: its name. `body`: the request as JSON.
    """

    def __init__(self, office: Office, task: str, body: bytes) -> None:
        super().__init__(media_type="text/event-stream", headers={"cache-control": "no-store"})
        del self.headers["content-length"]
        self._events = office.work(task, body)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events until there are no more or the client closes the stream."""
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        gone = asyncio.ensure_future(_gone(receive))
        try:
            async with aclosing(self._events) as events:
                async for event in events:
                    if gone.done():
                        return
                    if event is not None:
                        text = b"event: %b\ndata: %b\n\n" % (event[0].encode(), event[1])
                        await send({"type": "http.response.body", "body": text, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        finally:
            gone.cancel()


async def _gone(receive: Receive) -> None:
    """Wait until the client has closed the connection."""
    while (await receive())["type"] != "http.disconnect":
        pass


class Exhibit(msgspec.Struct, frozen=True):
    """A puzzle in the gallery, with the known facts about its solutions, from the ledger."""

    # id, title, lattice, aliases: as in its file
    id: str
    title: str
    lattice: str
    aliases: tuple[str, ...]
    # family, set: the family and the set of its pieces, from the folder and the name of its file
    family: str
    set: str
    units: int | None = None  # numbers of units and pieces
    pieces: int | None = None  # None if only the file is known
    status: str = "open"  # "exact", "unsolvable", or "open"
    count: int | None = None  # number of solutions up to symmetry, if it is known
    at_least: int = 0  # raw number of solutions known to exist
    why: str = ""  # why it has no solution, or how large a search for all would be


@cache
def _lines() -> dict[str, LedgerLine]:
    return {line.id: line for line in read_document(ledger_folder() / "ledger.json").puzzles}


@cache
def picture(name: str) -> str:
    """Return a small SVG picture of a puzzle of the catalogue, without a solution.

    Raise KeyError if the ledger of known results does not have the puzzle.

    >>> picture("soma-cube").startswith("<svg ")
    True
    """
    return preview(catalogue.load(_lines()[name].id))


@cache
def known_solution(name: str) -> str:
    """Return a known solution of a puzzle of the catalogue, as JSON with units as indices.

    Raise KeyError if the ledger of known results lacks the puzzle, or a solution of it.

    >>> len(msgspec.json.decode(known_solution("soma-cube")))
    7
    """
    puzzle = catalogue.load(_lines()[name].id)
    solution = example(puzzle, _lines()[name])
    if not solution:
        raise KeyError(name)
    return msgspec.json.encode(in_numbers(puzzle, solution)).decode()


@cache
def gallery() -> bytes:
    """Return the gallery as JSON: a list of `Exhibit`, in the order of the catalogue.

    >>> exhibits = msgspec.json.decode(gallery(), type=list[Exhibit])
    >>> [e.count for e in exhibits if e.id == "soma-cube"]
    [240]
    """
    return msgspec.json.encode([_exhibit(e, _lines().get(e.id)) for e in catalogue.entries()])


def _exhibit(entry: catalogue.Entry, line: LedgerLine | None) -> Exhibit:
    shown = Exhibit(
        entry.id, entry.title, entry.lattice, entry.aliases, entry.path.parent.name, entry.path.stem
    )
    if line is None:
        return shown
    return msgspec.structs.replace(
        shown,
        units=line.units,
        pieces=line.pieces,
        status=line.status,
        count=line.numbers.symmetry if line.numbers else None,
        at_least=line.at_least,
        why=_why(line),
    )


def _why(line: LedgerLine) -> str:
    """Return in words why a puzzle has no solution, or how many steps a search for all takes.

    The text is empty if neither is known.
    """
    if line.status == "unsolvable":
        return "all ways were tried" if "visited everything" in line.reason else line.reason
    if line.status == "open" and line.guess is not None:
        return f"a search for all takes about 10^{len(str(line.guess.nodes)) - 1} steps"
    return ""
