"""The page docs/results.md: how a team plays beside the baselines, from results files and its checkpoint's card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sammu_env.campaign import VERDICTS, verdict
from sammu_env.game import CHALLENGES
from tabletop.training import plots
from tabletop.training.evaluate import Cell, total
from tabletop.training.markdown import table
from tabletop.training.report import BASELINES, PLAYERS, REFERENCE, check_alike, interval, setting, signed
from tabletop.training.results import Results
from tabletop.training.stats import Interval, paired_difference

#: Where the reference wins as often as this, neither always nor hardly ever, a cell tells teams apart.
CONTESTED = (0.05, 0.95)


class Team:
    """An agent's games, and the baselines' on the same seeds.

    Args:
        found: results files, of anybody.
        agent: whose page it is.
        card: of its checkpoint; empty for one that has none.
        pictures: folder of the plots, as the page names it; without one it shows none.

    Raises:
        ValueError: the task ``standard`` is missing, or a baseline of a task that the agent has played; they have not
            played the same games, or not all; or the agent is a baseline.
    """

    def __init__(self, found: Sequence[Results], agent: str, card: Mapping[str, Any], pictures: str = "") -> None:
        self.agent, self.card, self.pictures = agent, card, pictures
        if agent in BASELINES:
            raise ValueError(f"{agent} is what others are compared with, choose another agent")
        self.names = [agent, *BASELINES]
        given = {(results.task.name, results.agent): results for results in found}
        self.tasks: dict[str, dict[str, Results]] = {}  #: task -> name -> its games
        for task in ("standard", "hidden-hands", "campaign"):
            if task == "standard" or (task, agent) in given:
                if missing := [name for name in self.names if (task, name) not in given]:
                    agents = " ".join(f"--agent {name}" for name in missing)
                    raise ValueError(f"there are no games of {task} by {', '.join(missing)}: play them first "
                                     f"(sammu evaluate {agents} --task {task} --games N --results FOLDER)")  # fmt: skip
                self.tasks[task] = {name: given[task, name] for name in self.names}
        played = {own[self.agent].samples for own in self.tasks.values()}
        if "decisions" in card and played != {card["decisions"]}:
            after = " and ".join(f"{n:,}" for n in sorted(played))
            raise ValueError(f"the card is of {self.agent} after {card['decisions']:,} decisions, but the games were "
                             f"played after {after}: play them again")  # fmt: skip
        check_alike([results for own in self.tasks.values() for results in own.values()])

    # The page

    def page(self) -> str:
        """Markdown."""
        parts = (self._setting(), self._by_task(), self._by_cell(), self._causes(), self._forecasts(),
                 self._campaigns(), self._learning())  # fmt: skip
        return "\n\n".join(part for part in parts if part) + "\n"

    def _setting(self) -> str:
        text = setting(self.tasks["standard"][self.agent])
        if "decisions" in self.card:
            text += f"\n`{self.agent}` has learnt from {self.card['decisions']:,} decisions"
            if "seconds" in self.card:
                text += f", in {self.card['seconds'] / 3600:.1f} hours on {self.card['hardware']}"
            text += "."
        return text

    def _by_task(self) -> str:
        rows = [["task", "agent", "won, %", f"less {REFERENCE}, points", "months", "decisions"]]
        for task, own in self.tasks.items():
            for name, results in own.items():
                both = total(results.cells)
                means = (both.sums[field] / both.games for field in (results.game.clock, "decisions"))
                difference = "-" if name == REFERENCE else signed(results.less(own[REFERENCE]))
                rows.append([task, name, interval(both.interval), difference, *(f"{mean:.1f}" for mean in means)])
        return table(rows) + "\n\nMonths and decisions are those of a game on average, won or lost."

    def _by_cell(self) -> str:
        rows = [["challenge", "players", *(f"{name}, %" for name in self.names), f"less {REFERENCE}, points"]]
        told: list[Interval] = []  # the differences of contested cells
        for cells, difference in self._differences():
            labels, rates = cells[self.agent].labels, [_half(cell.interval) for cell in cells.values()]
            contested = _contested(cells)
            told += [difference] * contested
            rows.append([labels["challenge"], str(labels["players"]), *rates, signed(difference) + " *" * contested])
        low, high = (f"{100 * end:.0f}%" for end in CONTESTED)
        return self._section(
            "Games won by challenge and number of players",
            self._picture("won.svg", f"Heat map of the win rates: {' and '.join(self.heat)}"),
            f"A win rate is given with half the width of its interval. In {len(told)} of {len(rows) - 1} cells (*) "
            f"`{REFERENCE}` wins between {low} and {high} of the games. There `{self.agent}` wins more often in "
            f"{sum(x.rate > 0 for x in told)}; the interval of the difference lies above 0 in "
            f"{sum(x.low > 0 for x in told)} and below 0 in {sum(x.high < 0 for x in told)}.",
            table(rows),
        )

    def _differences(self) -> Iterator[tuple[dict[str, Cell], Interval]]:
        """Each cell of ``standard`` by name of the agent, and the paired difference to the reference."""
        for cells in zip(*(results.cells for results in self.tasks["standard"].values()), strict=True):
            by_name = dict(zip(self.names, cells, strict=True))
            yield by_name, paired_difference(by_name[self.agent].outcomes, by_name[REFERENCE].outcomes)

    def _causes(self) -> str:
        lost = {name: total(results.cells).causes for name, results in self.tasks["standard"].items()}
        rows = [["cause", *self.names]]
        for cause, _ in sum(lost.values(), Counter()).most_common():
            rows.append([cause, *(f"{100 * own[cause] / max(own.total(), 1):.1f}" for own in lost.values())])
        return self._section("Causes of defeat", "Of the games of `standard` that are lost, %:", table(rows))

    def _forecasts(self) -> str:
        if "calibration" not in self.card:
            return ""
        told = self.card["calibration"]
        rows = [["said, %", "won, %", "decisions"]]
        rows += [[f"{100 * said:.1f}", f"{100 * came:.1f}", f"{n:,}"] for said, came, n in told["after"]["table"]]
        return self._section(
            "Chance of winning",
            f"What `{self.agent}` says of winning at {told['after']['forecasts']:,} decisions, drawn from "
            f"{told['games']} test games in each cell of {' and '.join(told['tasks'])}, and how many of those were "
            f"won. Its logits are scaled by {told['scale']:.3f} and shifted by {told['shift']:+.3f}, which fits "
            "validation games best.",
            _errors(told),
            self._picture("calibration.svg", "Chances said and games won, as trained and calibrated"),
            "By tenths of the range, calibrated:",
            table(rows),
        )

    def _campaigns(self) -> str:
        if "campaign" not in self.tasks:
            return ""
        rows = [["agent", "mean score", *_verdicts()]]
        for name, results in self.tasks["campaign"].items():
            both = total(results.cells)
            scores = both.each("score")
            earned = Counter(verdict(int(score)) for score in scores)
            shares = (f"{100 * earned[i] / len(scores):.1f}" if len(scores) else "-" for i in range(len(VERDICTS)))
            rows.append([name, f"{both.sums['score'] / both.games:.1f}", *shares])
        return self._section(
            "Campaigns",
            "How many earn each of the rulebook's five verdicts, %, by their scores. One that ends early has its score "
            "too, but is not won.",
            table(rows),
        )

    def _learning(self) -> str:
        if not self.card.get("curve"):
            return ""
        return self._section(
            "Learning",
            f"Validation games that `{self.agent}` won as it learnt, and what `{REFERENCE}` wins of the test games.",
            self._picture("learning.svg", "Learning curves"),
        )  # fmt: skip

    def _section(self, title: str, *parts: str) -> str:
        return "\n\n".join([f"## {title}", *(part for part in parts if part)])

    def _picture(self, name: str, words: str) -> str:
        return f"![{words}]({self.pictures}/{name})" if self.pictures else ""

    # Its plots

    @property
    def heat(self) -> dict[str, NDArray[np.float64]]:
        """Win rates of the agent and the reference, (challenges, numbers of players)."""
        shape = len(CHALLENGES), len(PLAYERS)
        return {name: np.array([cell.interval.rate for cell in self.tasks["standard"][name].cells]).reshape(shape)
                for name in (self.agent, REFERENCE)}  # fmt: skip

    def plots(self) -> dict[str, str]:
        """File name -> SVG, of those that there are figures for."""
        made = {"won.svg": plots.heat_maps(self.heat, CHALLENGES, [str(n) for n in PLAYERS], "players")}
        if told := self.card.get("calibration"):
            lines = {"as trained": told["before"]["table"], "calibrated": told["after"]["table"]}
            made["calibration.svg"] = plots.reliability(lines)
        if curve := self.card.get("curve"):
            levels = {task: total(own[REFERENCE].cells).interval.rate for task, own in self.tasks.items()}
            made["learning.svg"] = plots.learning_curve(curve, levels, REFERENCE)
        return made


def _errors(told: Mapping[str, Any]) -> str:
    """Of the forecasts as trained and calibrated, and of always saying how many are won."""
    rows = [["", "calibration error, %", "Brier score"]]
    for name, own in (("as trained", told["before"]), ("calibrated", told["after"])):
        rows.append([name, f"{100 * own['error']:.1f}", f"{own['brier']:.4f}"])
    won = told["after"]["won"]
    return table([*rows, [f"always {100 * won:.1f}%", "0.0", f"{won * (1 - won):.4f}"]])


def _contested(cells: Mapping[str, Cell]) -> bool:
    return CONTESTED[0] <= cells[REFERENCE].interval.rate <= CONTESTED[1]


def _half(of: Interval) -> str:
    """A rate with half the width of its interval, in percent."""
    return f"{100 * of.rate:.1f} ± {50 * (of.high - of.low):.1f}"


def _verdicts() -> list[str]:
    """The scores of each verdict."""
    between = [f"{low} to {high - 1}" for low, high in pairwise(VERDICTS[1:])]
    return [f"up to {VERDICTS[1] - 1}", *between, f"{VERDICTS[-1]} and more"]
