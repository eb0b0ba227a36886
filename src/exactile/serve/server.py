"""The server's connections: it refuses unauthorized requests and closes stalled connections."""

from __future__ import annotations

import asyncio
import hmac
import socket
from collections.abc import Collection
from ipaddress import ip_address
from typing import ClassVar
from urllib.parse import unquote

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from exactile.clock import CLOCK

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
"""Headers that restrict what the browser does with an answer."""


class Guard:
    """Refuses requests for other hosts, and those of other pages.

    `app`: the application to guard. `hosts`: names by which the server may be addressed; None
    accepts any numeric address as well as ``localhost``, which no other domain can claim.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str] | None) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
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
        """Return the answer to a request that is not passed on."""
        host = headers.get("host", "")
        if not self._known(host):
            return PlainTextResponse("This server does not go by that name.\n", 421)
        if headers.get("origin", f"http://{host}") != f"http://{host}":
            return PlainTextResponse("Requests of other pages are not answered.\n", 403)
        return None

    def _known(self, host: str) -> bool:
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
        if self._hosts is not None:
            return name in self._hosts
        try:
            return name == "localhost" or bool("%" not in name and ip_address(name.strip("[]")))
        except ValueError:
            return False


class Lock:
    """Refuses requests without the token.

    The address that is opened first contains the token, and the page sends it with each request.
    The page keeps the token in storage that belongs to one host and port, not in a cookie: browsers
    send cookies to every server of the host, on any port.

    `app`: the application to lock. `token`: the secret.
    """

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        kind, _, given = Headers(scope=scope).get("authorization", "").partition(" ")
        if kind == "Bearer" and hmac.compare_digest(unquote(given).encode(), self._token.encode()):
            await self._app(scope, receive, send)
            return
        refusal = PlainTextResponse(
            "Open the address that `exactile serve` has printed: it ends in ?token=...\n", 403
        )
        await refusal(scope, receive, send)


PATIENCE = 10.0
"""Seconds that the client has to send a request, or to read."""

MOST_WAITING = 200
"""Largest number of connections that wait for their client; with more, the oldest is closed."""


class Connection(H11Protocol):
    """A connection that is closed if its client stalls.

    Neither an incomplete request nor an unread answer blocks a connection for long, with or without
    the token.
    """

    _waiting: ClassVar[dict[Connection, asyncio.TimerHandle]] = {}

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for a request."""
        super().connection_made(transport)
        self._take_turns()

    def data_received(self, data: bytes) -> None:
        """Handle the request, if it is complete."""
        super().data_received(data)
        self._take_turns()

    def on_response_complete(self) -> None:
        """Wait for the next request, or for the rest of a refused one."""
        super().on_response_complete()
        self._take_turns()

    def pause_writing(self) -> None:
        """Wait until the sent data is read."""
        super().pause_writing()
        self._take_turns()

    def resume_writing(self) -> None:
        """Continue: the sent data was read."""
        super().resume_writing()
        self._take_turns()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _take_turns(self) -> None:
        """Start the timer if it is the client's turn, stop it if it is the server's."""
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
    """A server that ends its tasks before it closes connections."""

    def __init__(self, config: uvicorn.Config, app: Starlette) -> None:
        super().__init__(config)
        self._app = app

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End all tasks, then everything else."""
        self._app.state.office.end()
        await super().shutdown(sockets)


def run(app: Starlette, listening: socket.socket) -> None:
    """Serve until Ctrl-C or SIGTERM."""
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
