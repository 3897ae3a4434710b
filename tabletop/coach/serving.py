"""Runs a coach: its address, its certificate, and how it ends."""

from __future__ import annotations

import asyncio
import contextlib
import io
import ipaddress
import re
import secrets
import socket
import ssl
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import segno
import uvicorn

from tabletop.coach.advice import Advisor
from tabletop.coach.guard import MOST_BYTES
from tabletop.coach.parts import Parts
from tabletop.coach.server import Coach
from tabletop.game import Game

NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?")


class Serving(uvicorn.Server):
    """Uvicorn for a coach: when it ends, phones are told so before their connections are waited for.

    It sleeps until something is asked of it or it is to end; uvicorn's own wakes ten times a second.

    Args:
        tls: the files of a certificate and of its key; None: it speaks plain http.
    """

    def __init__(self, coach: Coach, tls: tuple[Path, Path] | None = None) -> None:
        cert, key = tls or (None, None)
        super().__init__(uvicorn.Config(
            coach.app(), log_level="warning", access_log=False, ws="none", proxy_headers=False, server_header=False,
            date_header=False, timeout_graceful_shutdown=1, h11_max_incomplete_event_size=MOST_BYTES,
            http="h11", ssl_certfile=cert, ssl_keyfile=key,
        ))  # fmt: skip
        self.coach = coach
        self._ends: asyncio.Event | None = None

    async def main_loop(self) -> None:
        self._loop, self._ends = asyncio.get_running_loop(), asyncio.Event()
        if not self.should_exit:
            await self._ends.wait()
        self._ends = None

    def stop(self) -> None:
        """Ends it, from any thread."""
        self.should_exit = True
        if self._ends is not None:
            self._loop.call_soon_threadsafe(self._ends.set)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        super().handle_exit(sig, frame)
        self.stop()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self.coach.close()
        await super().shutdown(sockets)


def address() -> str:
    """This machine's own address on the local network. OSError: it has none that is private."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("10.255.255.255", 9))  # sends nothing: the system only says which address it would use
        found = str(probe.getsockname()[0])
    if not ipaddress.ip_address(found).is_private or ipaddress.ip_address(found).is_loopback:
        raise OSError(f"this machine's address is {found}, which is not one of a local network")
    return found


def listening(host: str, port: int) -> tuple[socket.socket, list[str]]:
    """A socket that listens, and the names with port under which it is reached.

    Raises:
        ValueError: the host is no address of one interface.
        OSError: the port is taken.
    """
    try:
        where = ipaddress.ip_address("127.0.0.1" if host == "localhost" else host)
    except ValueError:
        raise ValueError(f"host is {host!r}, expected an IP address of this machine, or localhost") from None
    if where.is_unspecified:
        raise ValueError(f"host is {host!r}: name one address, so that the coach is not open to every network")
    listener = socket.socket(socket.AF_INET6 if where.version == 6 else socket.AF_INET)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((str(where), port))
        listener.listen(128)  # who asks before the server runs waits for it
    except OSError as error:
        listener.close()
        error.filename = f"{where}, port {port}"  # the system does not say which
        raise
    bound = listener.getsockname()[1]
    names = [f"[{where}]:{bound}" if where.version == 6 else f"{where}:{bound}"]
    return listener, names + ([f"localhost:{bound}"] if where.is_loopback else [])


def serve(
    game: Game,
    folder: str | Path,
    host: str = "127.0.0.1",
    port: int = 8420,
    *,
    lan: bool = False,
    tls: tuple[Path, Path] | None = None,
    name: str | None = None,
    advisor: Callable[[Game], Advisor] | None = None,
    say: Callable[[str], None] = print,
) -> None:
    """Runs the coach until Ctrl-C.

    Args:
        folder: where tables are kept.
        host: an address of this machine; other than loopback, phones need the token that is shown.
        port: 0 for any that is free.
        lan: takes this machine's address on the local network as host.
        tls: the files of a certificate and of its key, PEM: it speaks https.
        name: another name of this machine that it is reached by, such as that of the certificate.
        advisor: makes who gives advice on the game, once the coach runs; None: nobody does.
        say: is told the address, and the QR code where phones may come.

    Raises:
        ValueError: the host is no address of one interface, the name is none, or the files are no certificate and key.
        OSError: the port is taken, there is no local network, or the folder cannot be made.
    """
    if tls is not None:
        check_certificate(*tls)
    if name is not None and not NAME.fullmatch(name):
        raise ValueError(f"name is {name!r}, expected one of letters, digits, dots and hyphens")
    listener, names = listening(address() if lan else host, port)
    token = None if ipaddress.ip_address(listener.getsockname()[0]).is_loopback else secrets.token_hex(16)
    if name is not None:
        names.insert(0, f"{name.lower()}:{listener.getsockname()[1]}")
    url = f"{'https' if tls else 'http'}://{names[0]}/" + (f"#token={token}" if token else "")
    with contextlib.suppress(KeyboardInterrupt), listener:
        Parts(game).ready()
        coach = Coach(game, folder, names, advisor, token, secure=tls is not None)
        say(url)
        if token:
            say(code(url))
        Serving(coach, tls).run(sockets=[listener])


def check_certificate(cert: Path, key: Path) -> None:
    """ValueError: the files are no certificate and its key."""
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key)
    except OSError as error:
        raise ValueError(f"{cert} and {key} are no certificate and its key (PEM): {error}") from None


def code(url: str) -> str:
    """A QR code for a terminal."""
    out = io.StringIO()
    segno.make(url, error="m").terminal(out=out, compact=True)
    return out.getvalue()
