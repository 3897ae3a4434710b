"""Advice on one position: what is asked, the likeliest choices, and how likely the team is to win, in words."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast, runtime_checkable

from tabletop import agents
from tabletop.batch import processors
from tabletop.game import CHANCE, NOBODY, Game, Record
from tabletop.games import Positions
from tabletop.log import Log, replay

if TYPE_CHECKING:
    from tabletop.agents.findings import Findings
    from tabletop.agents.policy import Opinion

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

NOT_ASKED = {CHANCE: "chance", NOBODY: "nobody"}
NOTHING = {
    "chance": {"en": "chance is to act: there is nothing to choose", "ja": "運の番なので、選ぶことはない"},
    "nobody": {"en": "nobody is to act: there is nothing to choose", "ja": "誰の番でもないので、選ぶことはない"},
}
WIN = {"en": "chance of winning: {win:.1%}", "ja": "勝利の確率：{win:.1%}"}


@runtime_checkable
class Advisor(Protocol):
    """An agent that can also say what it thinks of a position."""

    def opinion(self, state: Record) -> Opinion:
        """Of a state, shape (1,), in which a seat is asked: the legal choices, best first, and the chance to win."""


class Choice(NamedTuple):
    """A legal choice."""

    number: int  #: from 1, as the menu of ``sammu play`` counts the legal ones
    action: int  #: of the catalogue
    words: str
    probability: float  #: that the advisor would choose it


class Advice(NamedTuple):
    """What an advisor says of a position. Where no seat is asked there are no choices and ``win`` is None."""

    to_act: str  #: the seat that is asked, "advisor_0", or "chance" or "nobody"
    question: str
    choices: list[Choice]  #: best first
    win: float | None  #: chance that the team wins

    def text(self, lang: str = "en", numbered: bool = False) -> str:
        """For people; with the numbers of the menu if they see one."""
        if self.win is None:
            return f"{self.question}\n{NOTHING[self.to_act][lang]}"
        lines = [f"{x.probability:8.1%}  {f'{x.number:4} ' if numbered else ''}{x.words}" for x in self.choices]
        return "\n".join([f"[{self.to_act}] {self.question}", *lines, WIN[lang].format(win=self.win)])

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {**self._asdict(), "choices": [choice._asdict() for choice in self.choices]}


def make(name: str, game: Game) -> Advisor:
    """An advisor by the name of an agent.

    Raises:
        ValueError: no such agent, it gives no advice, what it needs is not installed, or its weights are refused.
        OSError: its weights cannot be read.
    """
    try:
        agent = agents.make(name, game)
    except ImportError as error:
        raise ValueError(f"{name} needs {error.name}, which is not installed: install the extra 'train'") from None
    if not isinstance(agent, Advisor):
        raise ValueError(f"{name} gives no advice, choose ppo, or ppo:PATH of a checkpoint")
    return agent


def advise(game: Game, advisor: Advisor, state: Record, top: int = 3, lang: str = "en") -> Advice:
    """Advice for the seat that is asked, from what that seat may know.

    Args:
        state: shape (1,); it is not written to.
        top: how many choices to name.
        lang: of the words.
    """
    seat, question = int(state["to_act"][0]), game.question(state, lang)
    if seat < 0:
        return Advice(NOT_ASKED[seat], question, [], None)
    opinion = advisor.opinion(state)
    numbers = {action: number for number, action in enumerate(sorted(opinion.choices.tolist()), 1)}
    best = zip(opinion.choices[:top].tolist(), opinion.probabilities[:top].tolist(), strict=True)
    choices = [Choice(numbers[action], action, game.words(state, action, lang), p) for action, p in best]
    return Advice(f"{game.seat_name}_{seat}", question, choices, opinion.win)


def play_out(game: Game, agent: str, state: Record, seconds: float, lang: str = "en") -> Iterator[Findings]:
    """Advice that gets better for so many seconds: plans of an agent that are played on, on all processors.

    Raises:
        ValueError: no such agent, or its weights are refused.
    """
    from tabletop.agents.search import Search

    search = Search(game, agent, processes=processors())
    try:
        yield from search.advise(state, seconds=seconds, lang=lang)
    finally:
        search.close()


def read(game: Game, path: Path) -> Record:
    """The state, shape (1,), in which a position or a game log stands: at its next decision or draw, not drawn here.

    Args:
        path: of a .json or .toml file; "-" for JSON on standard input.

    Raises:
        ValueError: it is neither, or not of this game and edition, or the game reads no positions; the message names
            the file.
        OSError: it cannot be read.
    """
    try:
        text = sys.stdin.read() if str(path) == "-" else path.read_text(encoding="utf-8")
        data = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
        if not isinstance(data, dict):
            raise ValueError(f"expected a position or a game log, found {type(data).__name__}")
        if "entries" in data:
            return replay(game, Log.from_dict(data))
        if not hasattr(game, "position"):
            raise ValueError(f"it is no game log, and {game.name} reads no positions")
        return cast(Positions, game).position(data)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None
