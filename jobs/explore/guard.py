"""What a server on loopback refuses: requests that other pages, or names of other hosts, bring.

A page from anywhere can have a browser ask 127.0.0.1. It cannot read the answer, unless its own
host's name is made to mean 127.0.0.1 (DNS rebinding), which the header Host gives away; and what it
sends to change something carries its Origin.
"""

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_READING = ("GET", "HEAD")
_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
        "object-src 'none'"
    ),
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # with "no-referrer" our own forms would come from "null"
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Guard:
    """Lets through what is asked of this host and port, by nobody else's page.

    Parameters
    ----------
    app
        What answers.
    port
        The port that the server listens at.
    """

    def __init__(self, app: ASGIApp, port: int) -> None:
        self.app = app
        self._hosts = {f"{name}:{port}" for name in ("localhost", "127.0.0.1", "[::1]")}
        self._origins = {f"http://{host}" for host in self._hosts}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        app = self.app
        if problem := self._problem(scope):
            app = PlainTextResponse(problem, status_code=403)
        await app(scope, receive, send_with_headers)

    def _problem(self, scope: Scope) -> str | None:
        """Return why a request is refused; None where it is not."""
        if scope["type"] != "http":
            return "only HTTP is answered"
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            return "asked by another name than this machine's own"
        if scope["method"] not in _READING and headers.get("origin") not in self._origins:
            return "asked by a page of another origin"
        return None
