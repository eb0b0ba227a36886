"""Who may talk to the server: whoever has the token, from a page of this very server."""

from __future__ import annotations

import hmac
from collections.abc import Collection
from http.cookies import CookieError, SimpleCookie
from ipaddress import ip_address
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
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
"""What every answer forbids the browser to do with it."""

YEAR = 31_536_000


class Guard:
    """Refuses requests without the token, for other hosts, or from other pages.

    The token comes in the address once, and is then kept in a cookie that no script can read.

    Parameters
    ----------
    app
        What is guarded.
    token
        The secret.
    hosts
        Names by which the server may be called; None takes any address in numbers as well as
        ``localhost``, which no stranger's name can be made to stand for.
    """

    def __init__(self, app: ASGIApp, token: str, hosts: Collection[str] | None) -> None:
        self._app = app
        self._token = token
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

        await (self._answer(scope) or self._app)(scope, receive, sealed)

    def _answer(self, scope: Scope) -> Response | None:
        """Return what a request is told that is not passed on."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._known(host):
            return PlainTextResponse("This server does not go by that name.\n", 421)
        if headers.get("origin", f"http://{host}") != f"http://{host}":
            return PlainTextResponse("Requests of other pages are not answered.\n", 403)
        cookie = f"exactile-{host.rpartition(':')[2]}"  # cookies do not tell ports apart
        given = parse_qs(scope["query_string"].decode("latin-1")).get("token", [""])[0]
        if given and self._right(given):
            answer = RedirectResponse(scope["path"].replace("//", "/"), 303)
            answer.set_cookie(cookie, given, YEAR, httponly=True, samesite="strict")
            return answer
        if self._right(_cookies(headers).get(cookie, "")):
            return None
        return PlainTextResponse(
            "Open the address that `exactile serve` has printed: it ends in ?token=...\n", 403
        )

    def _known(self, host: str) -> bool:
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
        if self._hosts is not None:
            return name in self._hosts
        try:
            return name == "localhost" or bool(ip_address(name.strip("[]")))
        except ValueError:
            return False

    def _right(self, token: str) -> bool:
        return hmac.compare_digest(token.encode(), self._token.encode())


def _cookies(headers: Headers) -> dict[str, str]:
    try:
        return {name: m.value for name, m in SimpleCookie(headers.get("cookie", "")).items()}
    except CookieError:
        return {}
