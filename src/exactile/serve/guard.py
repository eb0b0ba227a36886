"""Access to the server: its own pages only, and everything but files needs the token."""

from __future__ import annotations

import hmac
from collections.abc import Collection
from ipaddress import ip_address
from urllib.parse import unquote

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

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

    The address that is opened first contains the token, and the page sends it with each request. It
    keeps it in storage that belongs to one host and port. It is not in a cookie: browsers send
    those to every server of the host, on any port.

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
