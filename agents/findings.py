"""What a search found: plans with their chances, in the words of any language and as plain data."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from tabletop.agents.plans import Turn
from tabletop.coach.parts import Parts, headed
from tabletop.coach.telling import deeds
from tabletop.game import CHANCE, NOBODY, Game, Record
from tabletop.games import extra
from tabletop.stats import Interval

#: Plans whose difference is surely smaller than this, in chance of winning, are called equal; of rewards, this share of
#: their span.
SMALL = 0.02
WORDS: dict[str, dict[str, str]] = {
    "en": {
        "win": "{0:.0%} ({1:.0%} to {2:.0%})", "reward": "{0:+.2f} ({1:+.2f} to {2:+.2f})",
        "guess": "somewhere from {1:.0%} to {2:.0%}, nothing is played out yet",
        "unknown": "nothing is played out yet", "equal": "equal to the first",
        "less_win": "{0:.0f} points less ({1:.0f} to {2:.0f})", "less_reward": "{0:.2f} less ({1:.2f} to {2:.2f})",
        "more_win": "{0:.0f} points more ({1:.0f} to {2:.0f})", "more_reward": "{0:.2f} more ({1:.2f} to {2:.2f})",
        "perhaps": "perhaps as good: {0}",
        "end": "Ending the turn now: {0}", "this": "this is the best plan", "why": "{0}: {1:.0%} instead of {2:.0%}",
        "why_number": "{0}: {1:.2f} instead of {2:.2f}",
        "games": "{0} games played on, {1:.1f} s; it holds if the team plays on as {2} does",
        "games_rivals": "{0} games played on, {1:.1f} s; it holds if all play on as {2} does",
        "chance": "chance is to act: there is nothing to choose",
        "nobody": "nobody is to act: there is nothing to choose",
    },
    "ja": {
        "win": "{0:.0%}（{1:.0%}〜{2:.0%}）", "reward": "{0:+.2f}（{1:+.2f}〜{2:+.2f}）",
        "guess": "{1:.0%}〜{2:.0%}のどこか（まだ先を試していない）",
        "unknown": "まだ先を試していない", "equal": "最初の案と同じ",
        "less_win": "{0:.0f}ポイント低い（{1:.0f}〜{2:.0f}）", "less_reward": "{0:.2f}低い（{1:.2f}〜{2:.2f}）",
        "more_win": "{0:.0f}ポイント高い（{1:.0f}〜{2:.0f}）", "more_reward": "{0:.2f}高い（{1:.2f}〜{2:.2f}）",
        "perhaps": "同じかもしれない：{0}",
        "end": "今ターンを終えると：{0}", "this": "これが最善", "why": "{0}：{2:.0%}ではなく{1:.0%}",
        "why_number": "{0}：{2:.2f}ではなく{1:.2f}",
        "games": "{0}回先まで試した、{1:.1f}秒。この後{2}のように進めた場合",
        "games_rivals": "{0}回先まで試した、{1:.1f}秒。この後全員が{2}のように進めた場合",
        "chance": "運の番なので、選ぶことはない", "nobody": "誰の番でもないので、選ぶことはない",
    },
}  # fmt: skip


NOT_ASKED = {CHANCE: "chance", NOBODY: "nobody"}


@dataclass(frozen=True)
class Reason:
    """Something that comes more or less often after a plan than after another, in the same worlds."""

    name: str  #: a cause of defeat (``Game.causes``), or a fact of the table (``facts``) where the clock next moves on
    here: float  #: a share of the games, or a mean
    there: float  #: the same after the other plan: the best one, or, of the best one itself, the second
    share: bool  #: whether it is a share


@dataclass(frozen=True)
class Found:
    """A plan and what came of it."""

    actions: tuple[int, ...]  #: of the catalogue
    worlds: int  #: in how many it was played on
    chance: Interval | None  #: that the seat wins, or the mean of its rewards, with its 95% interval
    less: Interval | None = None  #: than the best plan, in the same worlds; None for that itself
    why: tuple[Reason, ...] = ()
    span: float = 1.0  #: from the worst to the best that a plan may bring

    @property
    def equal(self) -> bool:
        """Whether it is known to be as good as the best plan, or nearly."""
        return self.less is not None and max(-self.less.low, self.less.high) < SMALL * self.span

    @property
    def worse(self) -> bool:
        """Whether it is known to be worse than the best plan."""
        return self.less is not None and self.less.low > 0


class Teller:
    """Words for what is found where a seat is asked, or where none is.

    Args:
        state: shape (1,): what the seat takes it to be.
    """

    def __init__(self, game: Game, state: Record) -> None:
        self.game, self.state, self.asked = game, state, int(state["to_act"][0])
        self.parts = Parts(game)
        self.seat = self.asked if self.asked >= 0 else None
        self.to_act = NOT_ASKED.get(self.asked, f"{game.seat_name}_{self.asked}")
        self.words = cache(self._words)

    def who(self, lang: str) -> str:
        return self.parts.who(self.asked, lang)

    def question(self, lang: str) -> str:
        return self.game.question(self.state, lang, self.seat)

    def _words(self, actions: tuple[int, ...], lang: str) -> tuple[str, ...]:
        """Of a plan: what people do, a line each."""
        steps = Turn(self.game, self.state).steps(actions)
        return tuple(deeds(self.parts, [(step.state, step.action) for step in steps], lang, self.seat))

    def named(self, name: str, lang: str) -> str:
        """A cause of defeat or a fact."""
        if name in self.game.causes:
            return str(extra(self.game, "endings").get(lang, {}).get(name, name))
        return self.parts.fact(name, lang)


@dataclass(frozen=True)
class Findings:
    """What is known so far of a position. Where no seat is asked there are no plans."""

    teller: Teller = field(repr=False, compare=False)
    plans: list[Found] = field(default_factory=list)  #: best first, as the search ranked them; the figures are fresh
    end: Found | None = None  #: to end the turn at once, where that is a choice
    unit: str = "win"  #: of the figures: "win", chances of winning, or "reward"
    rollouts: int = 0  #: games played on
    seconds: float = 0.0
    team: str = ""  #: the agent that plays on
    fresh: bool = False  #: whether the figures come from worlds that had no part in the choice of the plans
    sure: bool = False  #: whether more games would hardly change which plan is best

    def to_dict(self, lang: str = "en") -> dict[str, Any]:
        """For JSON, with words: ``text`` of a plan are its figures, of a reason all of it."""
        return {
            "to_act": self.teller.to_act, "who": self.teller.who(lang), "question": self.teller.question(lang),
            "plans": [self._plain(plan, lang) for plan in self.plans], "end": self.end and self._plain(self.end, lang),
            "ending": self._ending(lang), "unit": self.unit, "rollouts": self.rollouts,
            "seconds": round(self.seconds, 3), "team": self.team, "fresh": self.fresh, "sure": self.sure,
            "basis": self._basis(lang),
        }  # fmt: skip

    def _plain(self, plan: Found, lang: str) -> dict[str, Any]:
        why = [{**vars(reason), "text": self._reason(reason, lang)} for reason in plan.why]
        return {"actions": list(plan.actions), "words": list(self.teller.words(plan.actions, lang)),
                "worlds": plan.worlds, "chance": _plain(plan.chance), "less": _plain(plan.less), "equal": plan.equal,
                "worse": plan.worse, "text": self._figure(plan, lang), "why": why}  # fmt: skip

    def text(self, lang: str = "en") -> str:
        """For people."""
        question = self.teller.question(lang)
        if not self.plans:
            return f"{question}\n{WORDS[lang][self.teller.to_act]}"
        lines = [headed(self.teller.who(lang), question)]
        for number, plan in enumerate(self.plans, 1):
            lines.append(f"{number}. {self._figure(plan, lang)}")
            lines += [f"     {step}" for step in self.teller.words(plan.actions, lang)]
            lines += [f"   · {self._reason(reason, lang)}" for reason in plan.why]
        if self.end is not None:
            lines.append(self._ending(lang))
        return "\n".join([*lines, self._basis(lang)])

    def line(self, lang: str = "en") -> str:
        """The best plan alone, in a line."""
        if not self.plans:
            return self.text(lang)
        best = self.plans[0]
        return f"{self._figure(best, lang)}: {'; '.join(self.teller.words(best.actions, lang))}"

    def _ending(self, lang: str) -> str:
        """What it costs to end the turn now; nothing where that is no choice."""
        words = WORDS[lang]
        if self.end is None:
            return ""
        best = self.end.actions == self.plans[0].actions
        return words["end"].format(words["this"] if best else self._figure(self.end, lang))

    def _basis(self, lang: str) -> str:
        """What the figures rest on; nothing where nobody plays on."""
        if not self.team:
            return ""
        key = "games" if self.teller.game.team else "games_rivals"
        return WORDS[lang][key].format(self.rollouts, self.seconds, self.team)

    def _figure(self, plan: Found, lang: str) -> str:
        words = WORDS[lang]
        if plan.chance is None:
            return words["unknown"]
        if not plan.worlds:
            return words["guess"].format(*plan.chance)
        told = words[self.unit].format(*plan.chance)
        if plan.less is None:
            return told
        if plan.equal:
            return f"{told}, {words['equal']}"
        scale, digits = (100, 0) if self.unit == "win" else (1, 2)
        apart, better = plan.less, plan.less.rate < 0
        if better:
            apart = Interval(-apart.rate, -apart.high, -apart.low)
        said = words[f"{'more' if better else 'less'}_{self.unit}"]
        said = said.format(*(round(scale * x, digits) + 0.0 for x in apart))  # -0 is 0
        return f"{told}, {said if apart.low > 0 else words['perhaps'].format(said)}"

    def _reason(self, reason: Reason, lang: str) -> str:
        words = WORDS[lang]["why" if reason.share else "why_number"]
        return words.format(self.teller.named(reason.name, lang), reason.here, reason.there)


def _plain(interval: Interval | None) -> list[float | None] | None:
    return None if interval is None else [round(x, 4) if math.isfinite(x) else None for x in interval]
