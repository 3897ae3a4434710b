"""What a search found: plans with their chances, in words and as plain data."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from tabletop.stats import Interval

#: Plans whose difference is smaller than this, in chance of winning, are called equal.
SMALL = 0.02
WORDS: dict[str, dict[str, str]] = {
    "en": {
        "win": "{0:.0%} ({1:.0%} to {2:.0%})", "reward": "{0:+.2f} ({1:+.2f} to {2:+.2f})",
        "guess": "somewhere from {1:.0%} to {2:.0%}, nothing is played out yet",
        "unknown": "nothing is played out yet", "equal": "equal to the first",
        "less_win": "{0:.0f} points less ({1:.0f} to {2:.0f})", "less_reward": "{0:.2f} less ({1:.2f} to {2:.2f})",
        "end": "Ending the turn now: {0}", "this": "this is the best plan", "why": "{0}: {1:.0%} instead of {2:.0%}",
        "why_number": "{0}: {1:.2f} instead of {2:.2f}",
        "games": "{0} games played on, {1:.1f} s; it holds if the team plays on as {2} does",
        "nothing": "no seat is asked: there is nothing to choose", "better": "the first plan beats it by {0}",
    },
    "ja": {
        "win": "{0:.0%}（{1:.0%}〜{2:.0%}）", "reward": "{0:+.2f}（{1:+.2f}〜{2:+.2f}）",
        "guess": "{1:.0%}〜{2:.0%}のどこか（まだ先を試していない）",
        "unknown": "まだ先を試していない", "equal": "1と同じ",
        "less_win": "{0:.0f}ポイント低い（{1:.0f}〜{2:.0f}）", "less_reward": "{0:.2f}低い（{1:.2f}〜{2:.2f}）",
        "end": "今ターンを終えると：{0}", "this": "これが最善", "why": "{0}：{2:.0%}ではなく{1:.0%}",
        "why_number": "{0}：{2:.2f}ではなく{1:.2f}",
        "games": "{0}回先まで試した、{1:.1f}秒。この後{2}のように進めた場合",
        "nothing": "誰の番でもないので、選ぶことはない", "better": "最初の案の方が{0}高い",
    },
}  # fmt: skip


@dataclass(frozen=True)
class Reason:
    """Something that comes more or less often after a plan than after the best one, in the same worlds."""

    words: str
    here: float  #: a share of the games, or a mean
    there: float  #: the same after the best plan
    share: bool  #: whether it is a share


@dataclass(frozen=True)
class Found:
    """A plan and what came of it."""

    actions: tuple[int, ...]  #: of the catalogue
    words: tuple[str, ...]  #: of each choice
    worlds: int  #: in how many it was played on
    chance: Interval | None  #: that the seat wins, or the mean of its rewards, with its 95% interval
    less: Interval | None = None  #: than the best plan, in the same worlds; None for that itself
    why: tuple[Reason, ...] = ()

    @property
    def equal(self) -> bool:
        """Whether it is not known to be worse than the best plan, or hardly worse."""
        return self.less is not None and (self.less.low <= 0 <= self.less.high or abs(self.less.rate) < SMALL)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"actions": list(self.actions), "words": list(self.words), "worlds": self.worlds,
                "chance": _plain(self.chance), "less": _plain(self.less), "equal": self.equal,
                "why": [vars(reason) for reason in self.why]}  # fmt: skip


@dataclass(frozen=True)
class Findings:
    """What is known so far of a position. Where no seat is asked there are no plans."""

    to_act: str  #: the seat that is asked, or "chance" or "nobody"
    question: str
    plans: list[Found] = field(default_factory=list)  #: best first, as the search ranked them; the figures are fresh
    end: Found | None = None  #: to end the turn at once, where that is a choice
    unit: str = "win"  #: of the figures: "win", chances of winning, or "reward"
    rollouts: int = 0  #: games played on
    seconds: float = 0.0
    team: str = ""  #: the agent that plays on
    fresh: bool = False  #: whether the figures come from worlds that had no part in the choice of the plans

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {**vars(self), "plans": [plan.to_dict() for plan in self.plans],
                "end": self.end and self.end.to_dict(), "seconds": round(self.seconds, 3)}  # fmt: skip

    def text(self, lang: str = "en") -> str:
        """For people."""
        words = WORDS[lang]
        if not self.plans:
            return f"{self.question}\n{words['nothing']}"
        lines = [f"[{self.to_act}] {self.question}"]
        for number, plan in enumerate(self.plans, 1):
            lines.append(f"{number}. {self._figure(plan, words)}")
            lines += [f"     {step}" for step in plan.words]
            lines += [f"   · {_reason(reason, words)}" for reason in plan.why]
        if self.end is not None:
            best = self.end.actions == self.plans[0].actions
            lines.append(words["end"].format(words["this"] if best else self._figure(self.end, words)))
        return "\n".join([*lines, words["games"].format(self.rollouts, self.seconds, self.team)])

    def line(self, lang: str = "en") -> str:
        """The best plan alone, in a line."""
        if not self.plans:
            return self.text(lang)
        best = self.plans[0]
        return f"{self._figure(best, WORDS[lang])}: {'; '.join(best.words)}"

    def _figure(self, plan: Found, words: dict[str, str]) -> str:
        if plan.chance is None:
            return words["unknown"]
        if not plan.worlds:
            return words["guess"].format(*plan.chance)
        told = words[self.unit].format(*plan.chance)
        if plan.less is None:
            return told
        if plan.equal:
            return f"{told}, {words['equal']}"
        scale = 100 if self.unit == "win" else 1
        return f"{told}, {words[f'less_{self.unit}'].format(*(scale * x for x in plan.less))}"


def _reason(reason: Reason, words: dict[str, str]) -> str:
    return words["why" if reason.share else "why_number"].format(reason.words, reason.here, reason.there)


def _plain(interval: Interval | None) -> list[float | None] | None:
    return None if interval is None else [round(x, 4) if math.isfinite(x) else None for x in interval]
