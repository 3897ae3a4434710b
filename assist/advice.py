"""Advice on one position: what is asked, the likeliest choices, and how likely that wins, in words."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast, runtime_checkable

from tabletop import agents
from tabletop.agents.base import Agent
from tabletop.agents.findings import NOT_ASKED, WORDS
from tabletop.batch import processors
from tabletop.coach.parts import Parts, headed
from tabletop.coach.table import Table
from tabletop.game import Game, Record, identity
from tabletop.games import Positions
from tabletop.log import Log, replay
from tabletop.needs import needed
from tabletop.positions import once

if TYPE_CHECKING:
    from tabletop.agents.light import Opinion
    from tabletop.agents.search import Search

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

WIN = {"en": "chance of winning: {win:.1%}", "ja": "勝利の確率：{win:.1%}"}


@runtime_checkable
class Opinionated(Protocol):
    """An agent that can also say what it thinks of a position."""

    def opinion(self, state: Record) -> Opinion:
        """Of a state, shape (1,), in which a seat is asked: the legal choices, best first, and the chance to win."""


class Suggestion(NamedTuple):
    """A legal choice."""

    number: int  #: from 1, as the menu of ``sammu play`` counts the legal ones
    action: int  #: of the catalogue
    words: str
    probability: float  #: that the advisor would choose it


class Advice(NamedTuple):
    """What an advisor says of a position. Where no seat is asked there are no choices and ``win`` is None."""

    to_act: str  #: the seat that is asked, "advisor_0", or "chance" or "nobody"
    who: str  #: the same in words
    question: str
    choices: list[Suggestion]  #: best first
    win: float | None  #: chance that the team wins

    def text(self, lang: str = "en", numbered: bool = False) -> str:
        """For people; with the numbers of the menu if they see one."""
        if self.win is None:
            return f"{self.question}\n{WORDS[lang][self.to_act]}"
        lines = [f"{x.probability:8.1%}  {f'{x.number:4} ' if numbered else ''}{x.words}" for x in self.choices]
        return "\n".join([headed(self.who, self.question), *lines, WIN[lang].format(win=self.win)])

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {**self._asdict(), "choices": [choice._asdict() for choice in self.choices]}


def make(name: str, game: Game) -> Opinionated:
    """An advisor by the name of an agent.

    Raises:
        ValueError: no such agent, it gives no advice, what it needs is not installed, or its weights are refused.
        OSError: its weights cannot be read.
    """
    try:
        agent = _light(name, game)
    except ImportError as error:
        raise ValueError(f"{name}: {error}") from None
    if not isinstance(agent, Opinionated):
        raise ValueError(f"{name} gives no advice, choose ppo, or ppo:PATH of a checkpoint")
    return agent


def check_name(name: str, game: Game) -> None:
    """ValueError if there is surely no such agent; nothing is loaded for that. What else is wrong is found later."""
    kind, _, rest = name.partition(":")
    known = agents.names(game)
    if kind not in known and not rest:
        raise ValueError(f"the advisor is {name!r}, choose one of {', '.join(known)}, ppo:PATH of a checkpoint, or "
                         "module:Class of your own")  # fmt: skip
    if kind in agents.OF_A_PATH and rest:
        with suppress(ImportError):
            from tabletop.agents.checkpoint import path_of

            path_of(rest)


def _light(name: str, game: Game) -> Agent:
    """An agent that is asked about one position: a network without PyTorch, which takes seconds to import."""
    kind, _, path = name.partition(":")
    if kind not in agents.OF_A_PATH:
        return agents.make(name, game)
    with needed():
        from tabletop.agents.light import Light
    return Light.load(game, path or None)


def advise(game: Game, advisor: Opinionated, state: Record, top: int = 3, lang: str = "en") -> Advice:
    """Advice for the seat that is asked, from what that seat may know.

    Args:
        state: shape (1,); it is not written to.
        top: how many choices to name.
        lang: of the words.
    """
    seat = int(state["to_act"][0])
    who, question = Parts(game).who(seat, lang), game.question(state, lang, seat if seat >= 0 else None)
    if seat < 0:
        return Advice(NOT_ASKED[seat], who, question, [], None)
    opinion = advisor.opinion(state)
    numbers = {action: number for number, action in enumerate(sorted(opinion.choices.tolist()), 1)}
    best = zip(opinion.choices[:top].tolist(), opinion.probabilities[:top].tolist(), strict=True)
    choices = [Suggestion(numbers[action], action, game.words(state, action, lang, seat), p) for action, p in best]
    return Advice(f"{game.seat_name}_{seat}", who, question, choices, opinion.win)


def searcher(game: Game, name: str | None = None, ready: bool = False) -> Search:
    """Who plays plans on, on all processors, each with one thread: this process waits for people meanwhile.

    Args:
        name: of the agent that makes the plans and plays on; None: the trained team, or where the game has none, the
            agent that others are compared with.
        ready: whether all that it needs is loaded now, not when it is asked.

    Raises:
        ValueError: no such agent, what it needs is not installed, or its weights are refused.
        OSError: its weights cannot be read.
    """
    from tabletop.agents.search import Search

    several, player = max(2, processors()), agents.usual(game) if name is None else name
    try:
        search = Search(game, _light(player, game), player, processes=several)
        search.teams[0] = search.policy.name  # they are one
        if ready:
            search.ready()
    except (ImportError, ValueError, OSError) as error:
        if name is None:
            return Search(game, agents.reference(game), processes=several)
        if isinstance(error, ImportError):
            raise ValueError(f"{name}: {error}") from None
        raise
    if torch := sys.modules.get("torch"):
        torch.set_num_threads(1)  # more would wait for the processes that play
    return search


def read(game: Game, path: Path) -> Record:
    """The state, shape (1,), in which a position, a game log or a table's file stands: at its next decision or draw,
    not drawn here. The file is only read, also while somebody plays on in it.

    Args:
        path: of a file; "-" for standard input. A .toml file holds a position in TOML, all others are told apart by
            what is in them.

    Raises:
        ValueError: it is none of these, or not of this game and edition, or the game reads no positions; the message
            names the file.
        OSError: it cannot be read.
    """
    data = sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes()
    try:
        if path.suffix == ".jsonl" or begin_of(data):
            return _of_table(game, data)
        told = _told(data, path.suffix == ".toml")
        if "entries" in told:
            try:
                return replay(game, Log.from_dict(told))
            except ValueError as error:
                raise ValueError(f"{error}{other_edition(game, told)}") from None
        if not hasattr(game, "position"):
            raise ValueError(f"it is no game log, and {game.name} reads no positions")
        return cast(Positions, game).position(told)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
    except RecursionError:
        raise ValueError(f"{path}: nested too deeply") from None


def begin_of(data: bytes) -> dict[str, Any]:
    """The first line of a table's file; {}: it is none."""
    with suppress(ValueError, RecursionError):
        line = json.loads(data.partition(b"\n")[0])
        if isinstance(line, dict) and line.get("kind") == "begin":
            return line
    return {}


def other_edition(game: Game, begin: Mapping[str, Any]) -> str:
    """What to do where a log is of another edition, to end the message with; else nothing."""
    ours = identity(game)
    same = all(begin.get(name) == ours[name] for name in ("game", "version"))
    if not same or begin.get("edition") == ours["edition"]:
        return ""
    return "; it was played with another edition: give that one, --edition NAME or FILE"


def _of_table(game: Game, data: bytes) -> Record:
    """Where a table's file stands. A copy is opened: to open it drops what is half written, and keeps others out."""
    if not data:
        raise ValueError("no position and no game log: it is empty")
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "game.jsonl"
        copy.write_bytes(data)
        try:
            with closing(Table.open(game, copy)) as table:
                if table.rev >= data.count(b"\n"):  # a line more says that it goes on from an earlier position
                    raise ValueError("its last entries are of another version or edition")
                return table.state()
        except ValueError as error:
            said = str(error).removeprefix(f"{copy}: ")
            raise ValueError(f"{said}{other_edition(game, begin_of(data))}") from None


def _told(data: bytes, toml: bool) -> dict[str, Any]:
    """The table of names that a text holds. ValueError: it holds none."""
    no = "no position and no game log: "
    try:
        text = data.decode("utf-8-sig")
        if not toml and not text.strip():
            raise ValueError(f"{no}it is empty")
        found = tomllib.loads(text) if toml else json.loads(text, object_pairs_hook=once)
    except UnicodeDecodeError:
        raise ValueError(f"{no}it is no text in UTF-8") from None
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise ValueError(f"{no}it is no JSON ({where}: {error.msg[:1].lower()}{error.msg[1:]})") from None
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{no}it is no TOML ({str(error)[:1].lower()}{str(error)[1:]})") from None
    if not isinstance(found, dict):
        raise ValueError(f"{no}it holds no table of names")
    return found
