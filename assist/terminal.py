"""A game at the terminal: people choose by number, agents take the other seats."""

from __future__ import annotations

import time
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

from tabletop import agents, record
from tabletop.assist import advice
from tabletop.game import CHANCE, Game, Record
from tabletop.games import extra
from tabletop.log import Log, Match

HUMAN = "human"
HELP = {
    "en": "a number chooses; a asks for advice, u takes the last choice of a person back, s shows the board, "
    "p the picture in text, h helps, q quits{log}",
    "ja": "番号で選ぶ。a 助言、u 直前の選択を取り消す、s 状況、p 盤面、h ヘルプ、q 終了{log}",
}
KEPT = {"en": " (the game is kept in {path})", "ja": "（ゲームは {path} に保存）"}
AGAIN = {"en": "choose 1 to {n}, or a, u, s, p, h, q", "ja": "1〜{n} か a, u, s, p, h, q"}
FIRST = {"en": "nothing to take back", "ja": "取り消せる選択がない"}


def open_match(game: Game, setup: Record, seed: int | None, log: Path | None) -> Match:
    """A new match, or the one that a log file holds.

    Raises:
        ValueError: the file is no log, or of another game or edition.
    """
    if log is not None and log.exists():
        return Match.resume(game, Log.load(log))
    return Match(game, setup, time.time_ns() % 2**31 if seed is None else seed)


def named(seats: str) -> list[str]:
    """Who sits where, by commas; commas may stand within an agent's options too: "human,planner:width=9,tries=3"."""
    names: list[str] = []
    for part in (part.strip() for part in seats.split(",")):
        if names and ":" in names[-1] and "=" in part and ":" not in part:
            names[-1] += f",{part}"
        else:
            names.append(part)
    return names


class Table:
    """One match, who sits where, a console, and whom people ask for advice: loaded when they first do."""

    def __init__(self, match: Match, seats: str, lang: str, log: Path | None, out: Console, advisor: str) -> None:
        self.match, self.game, self.lang, self.log, self.out = match, match.game, lang, log, out
        names = named(seats)
        n = self.game.seats(match.s)
        if len(names) > n:
            raise ValueError(f"{len(names)} players are named for {n} seats: {seats}")
        names += [names[-1]] * (n - len(names))
        choices = (HUMAN, *agents.names(self.game))
        if wrong := [name for name in names if ":" not in name and name not in choices]:
            raise ValueError(f"who plays is {wrong[0]!r}, choose from {', '.join(choices)}, ppo:PATH or module:Class")
        self.players = [None if name == HUMAN else agents.make(name, self.game, i) for i, name in enumerate(names)]
        self.advisor = cache(partial(advice.make, advisor, self.game))

    def run(self) -> None:
        """Plays to the end, or until somebody quits; the log is kept in any case."""
        self.say(self.game.describe(self.match.s, self.lang))
        if None in self.players:
            self.help()
        try:
            while not self.match.over:
                player = self.players[self.match.to_act]
                if player is not None:
                    self.agent(player)
                elif not self.person():
                    break
        except (KeyboardInterrupt, EOFError):
            self.say("")
        finally:
            if self.log is not None:
                self.match.stamped().save(self.log)
        if self.match.over:
            self.say(self.game.describe(self.match.s, self.lang))
        self.say(self.game.question(self.match.s, self.lang))
        if self.log is not None:
            self.say(str(self.log))

    def agent(self, player: Any) -> None:
        """An agent's choice, told."""
        mask = self.match.legal()
        action = int(player.act(record.copy(self.match.s), mask[None])[0])
        self.choose(action, player.name)

    def person(self) -> bool:
        """One answer of a person; False to quit."""
        self.say(f"\n[{self.seat()}] {self.game.question(self.match.s, self.lang)}")
        options = np.flatnonzero(self.match.legal()).tolist()
        self.menu(options)
        while True:
            answer = self.out.input("> ").strip().lower()
            if answer == "q":
                return False
            if answer == "u":
                self.undo()
                return True
            if answer in ("s", "p"):
                self.say(self.game.describe(self.match.s, self.lang) if answer == "s" else self.picture())
            elif answer == "a":
                self.say(self.advice())
            elif answer in ("h", "?"):
                self.help()
            elif answer.isdecimal() and 1 <= int(answer) <= len(options):
                self.choose(options[int(answer) - 1])
                return True
            else:
                self.say(AGAIN[self.lang].format(n=len(options)))

    def menu(self, options: list[int]) -> None:
        """Numbered choices, block by block."""
        block = ""
        for number, action in enumerate(options, 1):
            if (group := self.game.group(action)) != block:
                block = group
                self.say(f"  {extra(self.game, 'groups').get(self.lang, {}).get(block, block)}")
            self.say(f"  {number:4} {self.game.words(self.match.s, action, self.lang)}")

    def choose(self, action: int, who: str = "") -> None:
        """Makes a choice and tells what chance answered."""
        seat, said = self.seat(), self.game.words(self.match.s, action, self.lang)
        question = self.game.question(self.match.s, self.lang)
        before = record.copy(self.match.s)
        told = len(self.match.log.entries)
        self.match.act(action)
        if who:
            self.say(f"[{seat}, {who}] {question} {said}")
        drawn = [outcome for actor, outcome in self.match.log.entries[told + 1 :] if actor == CHANCE]
        for outcome in drawn:
            self.say(f"  * {self.game.words(before, outcome, self.lang)}")

    def undo(self) -> None:
        """Back to the last question that a person was asked."""
        if not self.match.undo():
            self.say(FIRST[self.lang])
            return
        while self.players[self.match.to_act] is not None and self.match.undo():
            pass

    def help(self) -> None:
        kept = KEPT[self.lang].format(path=self.log) if self.log else ""
        self.say(HELP[self.lang].format(log=kept))

    def advice(self) -> str:
        """What the advisor says here, or why there is none."""
        try:
            return advice.advise(self.game, self.advisor(), self.match.s, lang=self.lang).text(self.lang, numbered=True)
        except (ValueError, OSError) as error:
            return str(error)

    def picture(self) -> str:
        return str(self.game.render(self.match.s, "ansi", self.lang))

    def seat(self) -> str:
        return f"{self.game.seat_name}_{self.match.to_act}"

    def say(self, text: str) -> None:
        self.out.print(text, markup=False, highlight=False, soft_wrap=True)
