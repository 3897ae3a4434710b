"""Who may ask the coach at all, and how much."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from typing import Any, Protocol

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 64 * 1024  #: of a request's body
BODY_SECONDS = 10
HALF = re.compile("[\ud800-\udfff]")  #: of a character, which no file can keep
POLICY = "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; object-src 'none'"
HEADERS = {
    "content-security-policy": POLICY, "x-content-type-options": "nosniff", "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin", "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}  # fmt: skip

Kinds = Mapping[str, Any]  #: names, with the kinds of their values


class Guarded(Protocol):
    """What is guarded."""

    names: tuple[str, ...]  #: hosts with port under which it is reached
    token: str | None  #: what phones must know; None: whoever reaches it may in
    sessions: set[str]  #: of phones that have entered
    secure: bool  #: it is reached by https


class Refused(Exception):
    """A request is not done: its HTTP status, what was wrong, and what else to tell."""

    def __init__(self, status: int, problem: str, **more: Any) -> None:
        super().__init__(problem)
        self.status, self.told = status, {"error": problem, **more}


class Guard:
    """Who may ask at all: known hosts, own pages, and phones that have entered."""

    def __init__(self, app: ASGIApp, coach: Guarded) -> None:
        self.app, self.coach = app, coach
        scheme, usual = ("https", ":443") if coach.secure else ("http", ":80")
        self.names = {*coach.names, *(name.removesuffix(usual) for name in coach.names)}  # browsers leave it out
        self.origins = {f"{scheme}://{name}" for name in self.names}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        problem = self._refusal(scope)
        app: ASGIApp = self.app if problem is None else JSONResponse({"error": problem[1]}, problem[0])
        await app(scope, receive, sending)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        headers, path = Headers(scope=scope), scope["path"]
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        if len(hosts) != 1 or hosts[0].lower() not in self.names:
            return 403, f"this server is called {' or '.join(self.coach.names)}"
        changes = scope["method"] not in ("GET", "HEAD")
        if any(origin not in self.origins for origin in origins) or (changes and len(origins) != 1):
            return 403, "only the coach's own pages may ask"
        if path.startswith("/api/"):
            if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
                return 403, "only the coach's own pages may ask"
            if self.coach.token is not None and path != "/api/enter" and not self._entered(scope):
                return 401, "scan the code that the coach shows"
        return None

    def _entered(self, scope: Scope) -> bool:
        return Request(scope).cookies.get(cookie(scope), "") in self.coach.sessions


def cookie(scope: Scope) -> str:
    """Cookies are of a host, whatever its port: so the port is in the name."""
    return f"coach-{(scope.get('server') or ('', 0))[1]}"


async def read_body(
    request: Request, needed: Kinds, optional: Kinds | None = None, most: int = MOST_BYTES
) -> dict[str, Any]:
    """A request's JSON object with the keys that it must and may have.

    Raises:
        Refused: it is too long, too slow, no JSON, holds half of a character, or has other keys or kinds of values.
    """
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Refused(415, "expected content-type application/json")
    data = bytearray()

    async def read() -> None:
        async for part in request.stream():
            data.extend(part)
            if len(data) > most:
                raise Refused(413, f"at most {most} bytes")

    try:
        await asyncio.wait_for(read(), BODY_SECONDS)
        body = json.loads(data, parse_constant=_no_number)
        half = HALF.search(json.dumps(body, ensure_ascii=False))
    except asyncio.TimeoutError:
        raise Refused(408, f"the request did not arrive within {BODY_SECONDS} seconds") from None
    except ClientDisconnect:
        raise Refused(400, "the request broke off") from None
    except (ValueError, RecursionError):
        raise Refused(400, "the request is no JSON") from None
    if half:
        raise Refused(400, f"{half.group()!a} is half of a character: send whole ones")
    kinds = {**needed, **(optional or {})}
    if not isinstance(body, dict) or not needed.keys() <= body.keys() <= kinds.keys():
        wanted = [*needed, *(f"{name} (optional)" for name in optional or {})]
        raise Refused(400, f"expected a JSON object with {', '.join(wanted) or 'nothing'}")
    for name, value in body.items():
        if not isinstance(value, kinds[name]) or (isinstance(value, bool) and kinds[name] is not bool):
            raise Refused(400, f"{name} is of the wrong kind")
        if kinds[name] is int and not -(2**53) < value < 2**53:
            raise Refused(400, f"{name} is too large")
    return body


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no JSON")
