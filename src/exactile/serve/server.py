"""The server's connections: a stalled one is closed to make room for others."""

from __future__ import annotations

import asyncio
import socket
from typing import ClassVar

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.http.h11_impl import H11Protocol

from exactile.clock import CLOCK

PATIENCE = 10.0
"""Seconds that the client has to send a request, or to read."""

MOST_WAITING = 200
"""Limit of the connections that wait for their client; beyond it, the oldest one is closed."""


class Connection(H11Protocol):
    """A connection that is closed if its client stalls.

    Neither half a request nor an unread answer holds a place for long, with or without the token.
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
        """Wait for the next request; also while the rest of a refused one comes."""
        super().on_response_complete()
        self._take_turns()

    def pause_writing(self) -> None:
        """Wait until the sent data is read."""
        super().pause_writing()
        self._take_turns()

    def resume_writing(self) -> None:
        """Continue after it was."""
        super().resume_writing()
        self._take_turns()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_waiting()
        super().connection_lost(exc)

    def _take_turns(self) -> None:
        """Start the clock if it is the client's turn, stop it if it is the server's."""
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
    """A server that ends its tasks in order, instead of breaking them off."""

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
