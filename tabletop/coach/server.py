"""The coach's server: one game's tables for the phones around them.

All of the API is JSON. Whoever changes something says which ``rev`` it saw: a stale one is answered with 409 and the
state as it is now, so that no two taps ever overwrite each other. ``docs/coach.md`` lists the routes.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import inspect
import json
import mimetypes
import re
import secrets
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from tabletop import record
from tabletop.coach.advice import Advice, Advisor, Desk
from tabletop.coach.guard import MOST_BYTES, Guard, Kinds, Refused, cookie, read_body
from tabletop.coach.parts import Parts, within
from tabletop.coach.room import MOST_SECONDS, Listening, Room, Stream
from tabletop.coach.sheet import Filler
from tabletop.coach.table import COACH, GAME, Table, new_name, new_seed
from tabletop.coach.view import View
from tabletop.coach.words import STATIC, say
from tabletop.game import CHANCE, NOBODY, SEEDS, Game, enter, identity
from tabletop.games import extra
from tabletop.languages import LANGUAGES, check_language
from tabletop.log import Log, Match, whole

SMALL_BYTES = 2048  #: of an answer, which is sent as it is
COMPRESSION = 4  #: of larger ones, 1 to 9: quick
MOST_EDITION = 512 * 1024  #: bytes of an edition file that is sent
MOST_LAYERS = 32  #: of a picture, that a phone says it has
MOST_STREAMS = 16
MOST_ANSWERS = 64  #: of one thing
MOST_OPEN = 16  #: tables that are held open
MOST_SESSIONS = 64
ATTEMPTS = 10  #: at the token within a minute
ALIVE_SECONDS = 15
ID = re.compile(r"[a-z0-9-]{1,40}")
WORKER = "worker.js"  #: at the root, so that it may keep all pages
KINDS = {".js": "text/javascript", ".webmanifest": "application/manifest+json"}  #: that not every machine knows


class Coach:
    """The routes, over a folder of tables of one game.

    Args:
        folder: where tables are kept, ``ID.jsonl`` each; it is made.
        names: hosts with port under which the server is reached; others are refused (DNS rebinding).
        advisor: makes who gives advice on a game, in a thread; None: nobody does.
        token: what phones must know; None: whoever reaches the server may in.
        secure: it is reached by https.
    """

    def __init__(
        self,
        game: Game,
        folder: str | Path,
        names: Sequence[str],
        advisor: Callable[[Game], Advisor] | None = None,
        token: str | None = None,
        secure: bool = False,
    ) -> None:
        self.advisor, self.secure = advisor, secure
        self.game, self.folder, self.names = game, Path(folder), tuple(names)
        self.desk: Desk | None = None
        self.token = token
        self.folder.mkdir(parents=True, exist_ok=True)
        self.rooms: dict[str, Room] = {}
        self.opening = asyncio.Lock()
        self.changing = threading.Lock()  #: one edition after the other
        self.ending = False
        self.sessions: set[str] = set()
        self.attempts: list[float] = []
        self.pages = {path.name: path.read_bytes() for path in STATIC.iterdir() if path.is_file()}
        self.pages[WORKER] = self._worker()

    def app(self) -> ASGIApp:
        """For a server."""
        one = "/api/games/{id}"
        changes = {name: getattr(self, name) for name in ("do", "undo", "redo", "goto", "fix", "branch", "adopt",
                                                         "drop", "advice", "differs", "edition", "fill")}  # fmt: skip
        looks = {"": self.state, "/history": self.history, "/choices": self.choices, "/check": self.check,
                 "/sheet": self.sheet, "/log": self.log, "/hands": self.hands}  # fmt: skip
        routes = [
            Route("/", self.page),
            Route(f"/{WORKER}", self.page),
            Route("/static/{name}", self.page),
            Route("/api/enter", self.enter, methods=["POST"]),
            Route("/api/games", self.games),
            Route("/api/games", self.begin, methods=["POST"]),
            Route("/api/cards", self.cards),
            Route("/api/cards/{card}", self.card),
            Route("/api/edition", self.edition_text),
            Route(f"{one}/events", self.events),
            *(Route(one + path, self._looked(look)) for path, look in looks.items()),
            *(Route(f"{one}/{name}", self._changed(change), methods=["POST"]) for name, change in changes.items()),
        ]
        handlers: Any = {Refused: _refused, ValueError: _wrong, HTTPException: _http, OSError: _failed,
                         OverflowError: _wrong, Exception: _broken}  # fmt: skip
        app = Starlette(routes=routes, exception_handlers=handlers, lifespan=self._lifespan)
        return Guard(GZipMiddleware(app, minimum_size=SMALL_BYTES, compresslevel=COMPRESSION), self)

    @contextlib.asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        self.loop = asyncio.get_running_loop()
        if self.advisor is not None:
            self.desk = Desk(self.game, self.advisor)
        yield
        self.close()
        if self.desk is not None:
            await run_in_threadpool(self.desk.close)

    def close(self) -> None:
        """Closes all tables, for good: what their phones are sent ends."""
        self.ending = True
        for room in self.rooms.values():
            room.close()

    # Pages, entrance

    async def page(self, request: Request) -> Response:
        """A file of ``static``: by its name among those that are there, never by a path."""
        name = request.path_params.get("name", request.url.path.strip("/") or "index.html")
        if name not in self.pages:
            raise Refused(404, "there is no such page")
        kind = KINDS.get(Path(name).suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
        tag = f'"{hashlib.sha256(self.pages[name]).hexdigest()[:16]}"'
        kept = {"etag": tag, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=kept)
        return Response(self.pages[name], media_type=kind, headers=kept)

    def _worker(self) -> bytes:
        """The service worker, which is told what pages there are: with any other page it is another worker."""
        pages = {name: text for name, text in sorted(self.pages.items()) if name != WORKER}
        version = hashlib.sha256(b"".join(name.encode() + text for name, text in pages.items())).hexdigest()[:16]
        kept = ["/", *(f"/static/{name}" for name in pages if name != "index.html")]
        return f"const VERSION = {json.dumps(version)}, PAGES = {json.dumps(kept)};\n".encode() + self.pages[WORKER]

    async def enter(self, request: Request) -> Response:
        """The token is exchanged for a cookie, which scripts cannot read."""
        body = await read_body(request, {"token": str})
        now = time.monotonic()
        self.attempts = [when for when in self.attempts if now - when < 60]
        if len(self.attempts) >= ATTEMPTS:
            raise Refused(429, "too many attempts: wait a minute")
        response = JSONResponse({"entered": True})
        if self.token is None:
            return response
        if not hmac.compare_digest(body["token"].encode(), self.token.encode()):
            self.attempts.append(now)
            raise Refused(401, "this is not the token that the coach shows: scan its code again")
        if len(self.sessions) >= MOST_SESSIONS:
            raise Refused(429, f"{MOST_SESSIONS} phones have entered: start the coach again to let others in")
        session = secrets.token_urlsafe(16)
        self.sessions.add(session)
        response.set_cookie(cookie(request.scope), session, httponly=True, samesite="strict", path="/",
                            secure=self.secure)  # fmt: skip
        return response

    # Games

    async def games(self, request: Request) -> Response:
        """The tables of the folder, the latest first, and how a new one can be set up."""
        lang = _language(request.query_params.get("lang", "en"))
        return JSONResponse(await run_in_threadpool(self._games, lang))

    def _games(self, lang: str) -> dict[str, Any]:
        kept = list[dict[str, Any]]()
        for path in self.folder.glob("*.jsonl"):
            if ID.fullmatch(path.stem):
                with contextlib.suppress(ValueError, OSError, AttributeError, RecursionError), path.open("rb") as file:
                    first = json.loads(file.readline(MOST_BYTES * 4))
                    if first.get("game") == self.game.name:
                        when = path.stat().st_mtime
                        kept.append({"id": path.stem, "title": str(first.get("title", "")), "changed": when})
        options = [
            {"name": one.name, "default": one.default, "label": self._said(one.name, lang),
             "choices": self._choices(one.name, lang)}
            for one in inspect.signature(self.game.configure).parameters.values()
            if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL) and one.name != "box"
            and isinstance(one.default, (bool, int, str, type(None)))
        ]  # fmt: skip
        kept.sort(key=lambda one: one["changed"], reverse=True)
        return {"game": self.game.name, "options": options, "games": kept, "languages": LANGUAGES,
                "advises": self.desk is not None, "cards": hasattr(self.game, "differs"),
                "editions": self._edition_text() is not None, "lays": hasattr(self.game, "laid"),
                "hands": hasattr(self.game, "hands")}  # fmt: skip

    def _choices(self, name: str, lang: str) -> list[tuple[Any, str]]:
        """The values of an option with their words, that of a draw last."""
        listed = [(value, self._said(str(value), lang)) for value in extra(self.game, "grid").get(name, ())]
        drawn = extra(self.game, "drawn")
        return [*listed, (drawn[name], say("drawn_then", lang))] if name in drawn else listed

    def _said(self, name: str, lang: str) -> str:
        """An option or a value of it in words, where the game has some."""
        with contextlib.suppress(KeyError, ValueError):
            return Parts(self.game).named(name, lang).replace("_", " ")
        return name.replace("_", " ")

    def _edition_text(self) -> str | None:
        """The owner's edition file, if the game is played with one."""
        with contextlib.suppress(AttributeError, ValueError, OSError):
            return str(self.game.edition_text())  # type: ignore[attr-defined]
        return None

    async def begin(self, request: Request) -> Response:
        """A new table: from options, from a position, or from a log."""
        body = await read_body(
            request,
            {},
            {"options": dict, "seed": int, "box": bool, "title": str, "log": dict, "position": dict, "laid": bool},
        )
        by = _by(request)
        name = new_name()
        self._refuse_at_the_end()
        table = await run_in_threadpool(self._begin, name, body, by)
        async with self.opening:
            try:
                self._keep(name, table)
            except Refused:
                table.path.unlink()
                raise
            room = await self._open(name)
        return JSONResponse({"id": name, "rev": room.table.rev}, 201)

    def _begin(self, name: str, body: dict[str, Any], by: str) -> Table:
        path, box, title = self.folder / f"{name}.jsonl", body.get("box", True), body.get("title", "")[:80]
        setup = self._configured(body.get("options", {}))
        if "log" in body:
            return Table.from_log(self.game, path, _known(Log.from_dict(body["log"]), setup), box, title, by)
        seed = _seed(body.get("seed", new_seed()))
        if "position" not in body and not body.get("laid"):
            return Table.create(self.game, path, setup, seed, box, title, by)
        told, start = identity(self.game), self._loaded(body["position"]) if "position" in body else self._laid(setup)
        start["rng"] = Match(self.game, setup, seed, manual_chance=True).s["rng"]
        log = Log(
            told["game"], told["version"], told["edition"], record.to_dict(setup), seed, start=record.to_dict(start)
        )
        return Table.from_log(self.game, path, log, box, title, by)

    def _configured(self, options: Mapping[str, Any]) -> Any:
        """The setup of a new table. ValueError names the options where there is no such one."""
        takes = inspect.signature(self.game.configure).parameters
        any_other = any(one.kind == one.VAR_KEYWORD for one in takes.values())
        if not any_other and (unknown := [repr(name) for name in options if name not in takes]):
            raise ValueError(f"options: there is no {', '.join(unknown)}, choose from {', '.join(takes)}")
        try:
            return self.game.configure(**options)
        except (TypeError, OverflowError) as error:
            raise ValueError(f"options: {error}") from None

    def _laid(self, setup: Any) -> Any:
        if not hasattr(self.game, "laid"):
            raise ValueError(f"{self.game.name} does not say how its table is laid out")
        return self.game.laid(setup)

    def _loaded(self, position: Mapping[str, Any]) -> Any:
        if not hasattr(self.game, "load"):
            raise ValueError(f"{self.game.name} has no positions that can be entered")
        try:
            return self.game.load(position)
        except (KeyError, TypeError, IndexError, OverflowError) as error:
            raise ValueError(f"this is no position of {self.game.name}: {error!r}") from None

    async def room(self, request: Request) -> Room:
        """The table that a request names, opened if need be."""
        name = request.path_params["id"]
        if not ID.fullmatch(name):
            raise Refused(404, "there is no such game")
        async with self.opening:
            self._refuse_at_the_end()
            if name not in self.rooms and name not in {path.stem for path in self.folder.glob("*.jsonl")}:
                raise Refused(404, "there is no such game")
            return await self._open(name)

    async def _open(self, name: str) -> Room:
        """A table, opened if need be."""
        if name not in self.rooms:
            self._keep(name, await run_in_threadpool(self._opened, name))
        return self.rooms[name]

    def _opened(self, name: str) -> Table:
        table = Table.open(self.game, self.folder / f"{name}.jsonl")
        if self.ending:  # nobody may wait for it any more
            table.close()
        self._refuse_at_the_end()
        return table

    def _keep(self, name: str, table: Table) -> None:
        """Holds a table open; but closes it at the end."""
        if self.ending:
            table.close()
            self._refuse_at_the_end()
        self._make_way()
        self.rooms[name] = Room(table, lambda: self.desk)

    def _refuse_at_the_end(self) -> None:
        if self.ending:
            raise Refused(503, "the coach ends")

    @contextlib.asynccontextmanager
    async def held(self, request: Request) -> AsyncIterator[Room]:
        """The table that a request names, for this request alone."""
        while True:
            room = await self.room(request)
            async with room.lock:
                await self._catch_up(room)
                if not room.closed:  # as may be where many are open
                    yield room
                    return

    def _make_way(self) -> None:
        """Closes a table that nobody looks at, where many are open."""
        idle = [name for name, room in self.rooms.items() if not room.streams and not room.lock.locked()]
        if len(self.rooms) >= MOST_OPEN and idle:
            self.rooms.pop(idle[0]).close()

    # Looking

    def _looked(self, look: Callable[[View, Request], Any]) -> Callable[[Request], Awaitable[Response]]:
        async def route(request: Request) -> Response:
            asked = _view(request)
            async with self.held(request) as room:
                told = await run_in_threadpool(lambda: look(View(room.table, **asked), request))
            return JSONResponse(told)

        return route

    def state(self, view: View, request: Request) -> Any:
        """The table, as it stands or as it stood (``?at=``)."""
        return view.unseen(view.state(_number(request, "at")))

    def history(self, view: View, request: Request) -> Any:
        """All that was done, and what it lost, as far as that was known and this phone may know it."""
        things, lost = view.history(), view.table.lost
        seen = [one["thing"] for one in things if all(entry.get("said") for entry in one["entries"])]
        return {"rev": view.table.rev, "things": things, "lost": {n: lost[n] for n in seen if n in lost}}

    def choices(self, view: View, request: Request) -> Any:
        """What could have been answered (``?at=``)."""
        return view.choices(_needed(_number(request, "at")))

    def check(self, view: View, request: Request) -> Any:
        """The board as the coach believes it."""
        return view.check()

    def hands(self, view: View, request: Request) -> Any:
        """Who holds what, and who could play it now."""
        return view.hands()

    def sheet(self, view: View, request: Request) -> Any:
        """What can be told at once."""
        self._may(view)
        return view.sheet()

    def log(self, view: View, request: Request) -> Any:
        """The way to here (or ``?at=``) as a log. It tells everything, so it is for the table's own phone."""
        if view.seat is not None and self.game.secrets(view.table.state(branch=view.branch))[0]:
            raise Refused(403, "a log tells what others hold: only the table's own phone may have it")
        return view.table.log(_number(request, "at"), view.branch).to_dict()

    # Changing

    def _changed(self, change: Callable[..., Any]) -> Callable[[Request], Awaitable[Response]]:
        async def route(request: Request) -> Response:
            needed, optional = FIELDS[change.__name__]
            most = MOST_EDITION if change.__name__ == "edition" else MOST_BYTES
            body = await read_body(request, {"rev": int, **needed}, optional, most)
            asked, by = _view(request), _by(request)
            async with self.held(request) as room:
                told = await self._change(room, change, body, asked, by)
            return JSONResponse(told)

        return route

    async def _change(
        self, room: Room, change: Callable[..., Any], body: dict[str, Any], asked: dict[str, Any], by: str
    ) -> Any:
        table = room.table
        view = await run_in_threadpool(lambda: View(table, **asked))
        moves = {asked["branch"], GAME} if change == self.adopt else {asked["branch"]}
        if not max(table.moved.get(branch, 0) for branch in moves) <= body["rev"] <= table.rev:
            raise Refused(409, "something was entered meanwhile", state=await run_in_threadpool(room.state, asked))
        before = table.rev
        if room.ahead:
            room.stop()  # now, so that nobody waits for it after a tap
        try:
            more = await run_in_threadpool(change, view, body, by, room)
        except OSError:
            if room.closed:  # before anything was written
                raise Refused(503, "the table was closed meanwhile") from None
            self._let_go(room)
            raise
        if table.rev != before:
            if room.advice["branch"] not in table.heads or room.advice["rev"] < table.moved[room.advice["branch"]]:
                room.stop()
            room.ring()
        room.ponder()
        if view.branch not in table.heads:
            asked = {**asked, "branch": GAME}
        return {**await run_in_threadpool(room.state, asked), **(more or {})}

    def do(self, view: View, body: dict[str, Any], by: str, room: Room) -> None:
        """One thing: several answers at once, all or none."""
        answers = body["answers"]
        if not 0 < len(answers) <= MOST_ANSWERS or any(a is not None and whole(a) is None for a in answers):
            raise ValueError(f"answers: expected 1 to {MOST_ANSWERS} whole numbers, or null for the coach to draw")
        if None in answers[:-1]:
            raise ValueError("answers: null comes last, so that nobody is told a draw that is then refused")
        self._may_all(view, answers)
        view.table.do(answers, by, view.branch, room.lost(view.branch, answers))

    def fill(self, view: View, body: dict[str, Any], by: str, room: Room) -> None:
        """A sheet: all answers that put so many pieces there, as one thing."""
        numbers = body["numbers"]
        if not 0 < len(numbers) <= MOST_ANSWERS or not all(
            0 < (whole(n) or 0) <= MOST_ANSWERS for n in numbers.values()
        ):
            raise ValueError(f"numbers: expected pieces and places, each with a number 1 to {MOST_ANSWERS}")
        answers = Filler(view.parts, self._may(view)).answers(numbers)
        view.table.do(answers, by, view.branch, room.lost(view.branch, answers))

    def _may(self, view: View) -> Any:
        """The state that a phone may answer to."""
        s = view.table.state(branch=view.branch)
        self._check(view, s)
        return s

    def _may_all(self, view: View, answers: Sequence[int | None]) -> None:
        """Whether a phone may answer to all that is asked on the way, as far as that is not for the coach to draw. What
        is illegal the table refuses."""
        s = view.table.state(branch=view.branch)
        for answer in answers:
            self._check(view, s)
            view.check_draw(s, answer)
            if answer is None or not enter(view.game, s, answer):
                return

    def _check(self, view: View, s: Any) -> None:
        asked = int(s["to_act"][0])
        if asked != NOBODY and not view.may_answer(s):
            key = "draws_elsewhere" if asked == CHANCE else "asked_elsewhere"
            raise Refused(403, say(key, view.lang, who=view.who(asked)))

    def undo(self, view: View, body: dict[str, Any], by: str, room: Room) -> None:
        """Takes back what was done last."""
        view.table.undo(by, view.branch)

    def redo(self, view: View, body: dict[str, Any], by: str, room: Room) -> None:
        """Does it again."""
        view.table.redo(by, view.branch)

    def goto(self, view: View, body: dict[str, Any], by: str, room: Room) -> None:
        """Goes to any entry."""
        view.table.goto(body["at"], by, view.branch)

    def fix(self, view: View, body: dict[str, Any], by: str, room: Room) -> None:
        """Puts an entry right, or the board (``position``: a list of fields, each a path and a value)."""
        if {"at", "answer", "position"} & set(body) not in ({"at", "answer"}, {"position"}):
            raise ValueError("expected either at and answer, or position")
        if "answer" in body:
            _, s = view.asked(body["at"])
            view.check_draw(s, body["answer"])
            view.table.fix(body["at"], body["answer"], by, view.branch)
            return
        s = view.table.state(branch=view.branch)
        allowed = {field.path: field for field in view.form(s)}
        position = self.game.dump(s) if allowed else {}  # type: ignore[attr-defined]
        for change in body["position"]:
            if not isinstance(change, dict) or set(change) != {"path", "value"}:
                raise ValueError("position: expected a list of objects with path and value")
            path, value = change["path"], change["value"]
            named = isinstance(path, list) and all(isinstance(key, str) for key in path)
            field = allowed.get(tuple(path)) if named else None
            if field is None or not (field.allows(value) if field.choices else whole(value) is not None):
                raise ValueError(
                    f"position: {path!r} = {value!r} is no field of the form with a value that it may have"
                )
            within(position, path[:-1])[path[-1]] = value
        state = self._loaded(position)
        state["rng"] = s["rng"]
        view.table.correct(state, by, view.branch)

    def branch(self, view: View, body: dict[str, Any], by: str, room: Room) -> dict[str, Any]:
        """Begins a "what if"; its name, which all phones show, is none that tells what not all have seen."""
        node = view.table.node(body.get("at", view.table.head(view.branch)))
        seen = node.kind != "act" or view.parts.tells(view.table.state(node.parent), node.action, None)
        return {"new": view.table.branch(str(body.get("name", ""))[:40] if seen else "", node.n, by)}

    def adopt(self, view: View, body: dict[str, Any], by: str, room: Room) -> None:
        """The game goes on where a branch stands."""
        view.table.adopt(view.branch, by)

    def drop(self, view: View, body: dict[str, Any], by: str, room: Room) -> None:
        """A branch is no more."""
        view.table.drop(view.branch, by)

    def advice(self, view: View, body: dict[str, Any], by: str, room: Room) -> None:
        """Begins a search; what it finds comes with the events. The one before is stopped."""
        if self.desk is None:
            raise Refused(404, "nobody gives advice here")
        if not 0 < body["budget"] <= MOST_SECONDS:
            raise ValueError(f"budget is {body['budget']}, choose a number of seconds up to {MOST_SECONDS}")
        s = self._may(view)
        if not view.may_be_advised(s):
            raise Refused(403, f"advice for {view.who(int(s['to_act'][0]))} is told on another phone")
        room.think(s, view.branch, float(body["budget"]), body.get("until_sure", False))

    def differs(self, view: View, body: dict[str, Any], by: str, room: Room) -> None:
        """A card says something else than was believed: the owner's file says so, and the game goes on with it."""
        with self.changing:
            self._play_with(view, lambda: self._carded().differs(body["card"], body["values"]), by, room)

    def edition(self, view: View, body: dict[str, Any], by: str, room: Room) -> None:
        """Another text of the owner's edition file: as if every card in it had been said to differ."""
        if not hasattr(self.game, "take_edition"):
            raise Refused(404, f"{self.game.name} has no edition files")
        with self.changing:
            take = self.game.take_edition
            self._play_with(view, lambda: take(body["text"]), by, room)

    def _play_with(self, view: View, change: Callable[[], Any], by: str, room: Room) -> None:
        """The game goes on with another edition, and so do all other tables that are open. The owner's file is put back
        where the table cannot be one of that edition."""
        text = self._edition_text()
        game = change()
        if game is self.game is view.table.game:
            return
        room.end_search()
        try:
            view.table.play_with(game, by)
        except ValueError:
            if text is not None:
                self.game.take_edition(text)  # type: ignore[attr-defined]
            raise
        if self.desk is not None and self.advisor is not None:
            self.desk.close()
            if not self.ending:
                self.desk = Desk(game, self.advisor)
            if self.ending:  # meanwhile
                self.desk.close()
        view.game = self.game = game
        asyncio.run_coroutine_threadsafe(self._all_catch_up(), self.loop)

    async def _all_catch_up(self) -> None:
        for room in [*self.rooms.values()]:
            async with room.lock:
                with contextlib.suppress(OSError):  # it is closed then, and read again when it is asked for
                    await self._catch_up(room)

    async def _catch_up(self, room: Room) -> None:
        """A table that is held plays with the edition of now.

        Raises:
            OSError: its file could not be written; it is closed.
        """
        while room.table.game is not self.game and not room.closed:
            room.end_search()
            try:
                await run_in_threadpool(room.table.play_with, self.game, COACH)
            except OSError:
                if not room.closed:  # meanwhile
                    self._let_go(room)
                    raise
            except ValueError:  # with this edition there is no such table: who asks for it is told
                self._let_go(room)
            room.ring()

    def _let_go(self, room: Room) -> None:
        """Closes a table whose file could not be written, or that cannot go on: it is to be read again."""
        self.rooms = {name: one for name, one in self.rooms.items() if one is not room}
        room.close()

    # Cards

    async def cards(self, request: Request) -> Response:
        """The cards of the box; with ``?find=`` those whose number or words, in any language, have it."""
        find, lang = request.query_params.get("find", "")[:80].casefold(), request.query_params.get("lang", "en")
        return JSONResponse(await run_in_threadpool(self._found, find, lang))

    def _found(self, find: str, lang: str) -> list[Any]:
        game = self._carded()
        titles = {one["id"]: "" for one in game.cards(_language(lang))}
        for other in LANGUAGES if find else ():
            for one in game.cards(other):
                titles[one["id"]] += f"{one['id']} {one['title']} ".casefold()
        return [one for one in game.cards(lang) if find in titles[one["id"]]]

    async def card(self, request: Request) -> Response:
        """A card: its text, and its fields with where each comes from."""
        lang = _language(request.query_params.get("lang", "en"))
        game = self._carded()
        return JSONResponse(await run_in_threadpool(game.card, request.path_params["card"], lang))

    def _carded(self) -> Any:
        if not hasattr(self.game, "differs"):
            raise Refused(404, f"{self.game.name} shows no cards")
        return self.game

    async def edition_text(self, request: Request) -> Response:
        """The owner's edition file, to keep or to give to others."""
        if not hasattr(self.game, "edition_text"):
            raise Refused(404, f"{self.game.name} has no edition files")
        text = await run_in_threadpool(self.game.edition_text)
        headers = {"content-disposition": f'attachment; filename="{self.game.name}.toml"'}
        return Response(text, media_type="text/plain", headers=headers)

    # Events

    async def events(self, request: Request) -> Response:
        """Server-sent events: ``state``, ``advice`` and ``here``. The id is the ``rev``."""
        room, asked = await self.room(request), _view(request)
        if request.method == "HEAD":
            return Response()
        if sum(len(one.streams) for one in self.rooms.values()) >= MOST_STREAMS:
            raise Refused(503, f"{MOST_STREAMS} pages listen already: close one")
        stream = Stream({**asked, "have": frozenset()}, _by(request), request.query_params.get("ahead") == "1")
        last = request.headers.get("last-event-id") or request.query_params.get("rev") or ""
        room.streams.add(stream)
        try:
            async with room.lock:
                await run_in_threadpool(lambda: View(room.table, **asked))
        except BaseException:
            room.streams.discard(stream)
            raise
        room.ponder()
        return Listening(room, stream, self._told(room, stream, last))

    async def _told(self, room: Room, stream: Stream, last: str) -> AsyncIterator[bytes]:
        sent = int(last) if re.fullmatch(r"\d{1,9}", last) else -1
        here, seq = None, 0
        room.ring()
        yield b"retry: 1000\n\n"
        while not room.closed:
            stream.bell.clear()
            events = []
            async with room.lock:
                await self._catch_up(room)
                if stream.view["branch"] not in room.table.heads:
                    stream.view = {**stream.view, "branch": GAME}
                if sent != room.table.rev:
                    sent = room.table.rev
                    state = await run_in_threadpool(room.state, stream.view)
                    layers = (state["scene"] or {"layers": ()})["layers"]
                    stream.view = {**stream.view, "have": frozenset(layer["key"] for layer in layers)}
                    events.append(_event("state", state, sent))
                if seq != (advice := room.advice)["seq"]:
                    seq = advice["seq"]
                    if (told := await run_in_threadpool(self._advice, room, stream, advice)) is not None:
                        events.append(_event("advice", told))
            if here != room.here():
                here = room.here()
                events.append(_event("here", {"here": here}))
            for event in events:
                yield event
            try:
                await asyncio.wait_for(stream.bell.wait(), ALIVE_SECONDS)
            except asyncio.TimeoutError:
                yield b":\n\n"

    def _advice(self, room: Room, stream: Stream, advice: dict[str, Any]) -> dict[str, Any] | None:
        """Advice for one phone: only where it is of what this phone looks at, and may see."""
        branch = advice["branch"]
        if branch != stream.view["branch"] or advice["rev"] < room.table.moved[branch]:
            return None
        view = View(room.table, **stream.view)
        s = room.table.state(branch=branch)
        if not view.may_be_advised(s):
            return None
        found: Advice | None = advice["found"]
        told = {"plans": []} if found is None else found.to_dict(view.lang)
        return {"rev": advice["rev"], "done": advice["done"], "error": advice["error"], **told}


#: What the body of each change must have beside ``rev``, and may have.
FIELDS: dict[str, tuple[Kinds, Kinds]] = {
    "do": ({"answers": list}, {}), "undo": ({}, {}), "redo": ({}, {}), "goto": ({"at": int}, {}),
    "fix": ({}, {"at": int, "answer": int, "position": list}), "branch": ({}, {"at": int, "name": str}),
    "adopt": ({}, {}), "drop": ({}, {}), "advice": ({"budget": (int, float)}, {"until_sure": bool}),
    "differs": ({"card": str, "values": dict}, {}), "edition": ({"text": str}, {}), "fill": ({"numbers": dict}, {}),
}  # fmt: skip


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return JSONResponse(error.told, error.status)


async def _wrong(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": str(error)}, 400)


async def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code, headers=error.headers)


async def _failed(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": f"the game's file: {error}"}, 500)


async def _broken(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": "the coach has made a mistake; the game is as it was"}, 500)


def _event(kind: str, data: Any, rev: int | None = None) -> bytes:
    number = "" if rev is None else f"id: {rev}\n"
    return f"{number}event: {kind}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


def _number(request: Request, name: str) -> int | None:
    text = request.query_params.get(name)
    if text is None:
        return None
    if not re.fullmatch(r"\d{1,9}", text):
        raise ValueError(f"{name} is {text[:40]!r}, expected a whole number")
    return int(text)


def _needed(number: int | None) -> int:
    if number is None:
        raise ValueError("at is missing: the number of an entry")
    return number


def _known(log: Log, setup: Any) -> Log:
    """A log that begins with a setup: compiled code trusts what records say, so those of strangers are not taken."""
    mine, own = record.to_dict(setup), dict(log.setup)
    differ = sorted(name for name in {*mine, *own} - {"manual_chance"} if mine.get(name) != own.get(name))
    if differ or log.start is not None:
        what = f"{', '.join(differ)} differ" if differ else "it begins with a board that was put right"
        raise ValueError(f"the log does not begin with the setup of the options: {what}")
    _seed(log.seed)
    return log


def _seed(seed: int) -> int:
    if not 0 <= seed < SEEDS:
        raise ValueError(f"seed is {seed}, expected 0 to {SEEDS - 1}")
    return seed


def _view(request: Request) -> dict[str, Any]:
    query = request.query_params
    return {"branch": query.get("branch", GAME)[:40], "lang": query.get("lang", "en")[:8],
            "seat": _number(request, "seat"),
            "have": frozenset(query.get("have", "")[: 17 * MOST_LAYERS].split(","))}  # fmt: skip


def _language(lang: str) -> str:
    check_language(lang)
    return lang


def _by(request: Request) -> str:
    """Who asks, as they call themselves."""
    return "".join(c for c in request.query_params.get("by", "") if c.isprintable())[:40]
