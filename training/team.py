"""The page docs/results.md: how a team plays beside the baselines, from results files and its checkpoint's card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop.stats import Interval
from tabletop.training import plots
from tabletop.training.evaluate import Cell, total
from tabletop.training.markdown import table
from tabletop.training.report import baselines, check_together, interval, setting, shown, signed
from tabletop.training.results import Results

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
        ValueError: the game's main task is missing, or a baseline of a task that the agent has played; they have not
            played games of the same split, or not all; or the agent is a baseline.
    """

    def __init__(self, found: Sequence[Results], agent: str, card: Mapping[str, Any], pictures: str = "") -> None:
        self.agent, self.card, self.pictures = agent, card, pictures
        if agent in (others := baselines(found[0].game)):
            raise ValueError(f"{agent} is what others are compared with, choose another agent")
        self.names, self.reference = [agent, *others], others[0]
        given = {(results.task.name, results.agent): results for results in found}
        self.tasks: dict[str, dict[str, Results]] = {}  #: task -> name -> its games
        main, *_ = names = shown(found)
        for task in names:
            if task == main or (task, agent) in given:
                if missing := [name for name in self.names if (task, name) not in given]:
                    agents = " ".join(f"--agent {name}" for name in missing)
                    raise ValueError(f"there are no games of {task} by {', '.join(missing)}: play them first "
                                     f"(sammu evaluate {agents} --task {task} --games N --results FOLDER)")  # fmt: skip
                self.tasks[task] = {name: given[task, name] for name in self.names}
        self.main = self.tasks[main]
        self.task, self.clock = self.main[agent].task, found[0].game.clock
        played = {own[self.agent].samples for own in self.tasks.values()}
        if "decisions" in card and played != {card["decisions"]}:
            after = " and ".join(f"{n:,}" for n in sorted(played))
            raise ValueError(f"the card is of {self.agent} after {card['decisions']:,} decisions, but the games were "
                             f"played after {after}: play them again")  # fmt: skip
        check_together([results for own in self.tasks.values() for results in own.values()])

    # The page

    def page(self) -> str:
        """Markdown."""
        parts = (self._setting(), self._by_task(), self._by_cell(), self._when(), self._causes(), self._forecasts(),
                 *self._scores(), self._learning())  # fmt: skip
        return "\n\n".join(part for part in parts if part) + "\n"

    def _setting(self) -> str:
        text = setting(self.main[self.agent])
        if "decisions" in self.card:
            text += f"\n`{self.agent}` has learnt from {self.card['decisions']:,} decisions"
            if "seconds" in self.card:
                text += f", in {self.card['seconds'] / 3600:.1f} hours on {self.card['hardware']}"
            text += "."
        return text

    def _by_task(self) -> str:
        rows = [["task", "agent", "games a cell", "won, %", f"minus {self.reference}, points", f"{self.clock}s",
                 "decisions"]]  # fmt: skip
        for task, own in self.tasks.items():
            for name, results in own.items():
                both = total(results.cells)
                means = (both.sums[field] / both.games for field in (results.game.clock, "decisions"))
                difference = "-" if name == self.reference else signed(results.less(own[self.reference]))
                rows.append([task, name, f"{results.games:,}", interval(both.interval), difference,
                             *(f"{mean:.1f}" for mean in means)])  # fmt: skip
        note = (f"{self.clock.capitalize()}s and decisions are those of a game on average, won or lost; differences "
                "are of the games that both have played.")  # fmt: skip
        return f"{table(rows)}\n\n{note}"

    def _by_cell(self) -> str:
        labels = self.task.names
        rows = [[*labels, *(f"{name}, %" for name in self.names), f"minus {self.reference}, points"]]
        told: list[Interval] = []  # the differences of contested cells
        for cells, difference in self._differences():
            rates = [_half(cell.interval) for cell in cells.values()]
            contested = CONTESTED[0] <= cells[self.reference].interval.rate <= CONTESTED[1]
            told += [difference] * contested
            named = (str(cells[self.agent].labels.get(label, "-")) for label in labels)
            rows.append([*named, *rates, signed(difference) + " *" * contested])
        low, high = (f"{100 * end:.0f}%" for end in CONTESTED)
        return self._section(
            f"Games won by {' and '.join(labels)}",
            self._picture("won.svg", f"Heat map of the win rates: {' and '.join(self.heat)}") if self.heat else "",
            f"A win rate is given with half the width of its interval. In {len(told)} of {len(rows) - 1} cells (*) "
            f"`{self.reference}` wins between {low} and {high} of the games. There `{self.agent}` wins more often in "
            f"{sum(x.rate > 0 for x in told)}; the interval of the difference lies above 0 in "
            f"{sum(x.low > 0 for x in told)} and below 0 in {sum(x.high < 0 for x in told)}.",
            table(rows),
        )

    def _differences(self) -> Iterator[tuple[dict[str, Cell], Interval]]:
        """Each cell of the main task by name of the agent, and the paired difference to the reference."""
        every = zip(*(results.cells for results in self.main.values()), strict=True)
        differences = self.main[self.agent].differences(self.main[self.reference])
        for cells, difference in zip(every, differences, strict=True):
            yield dict(zip(self.names, cells, strict=True)), difference

    def _when(self) -> str:
        """When games of the main task are won; nothing where the file does not say it."""
        cells, label = self.main[self.agent].cells, self.task.columns
        values = {cell.labels[label]: None for cell in cells if label in cell.labels}
        parts = {str(value): total([cell for cell in cells if cell.labels.get(label) == value]) for value in values}
        parts["all"] = total(cells)
        if sum(parts["all"].won_at.values()) != parts["all"].wins or not parts["all"].wins:
            return ""
        last = max(parts["all"].won_at)
        rows = [[label, "games won", *(f"{self.clock} {at}" for at in range(1, last + 1)), "median"]]
        for name, part in parts.items():
            shares = (f"{100 * part.won_at[at] / max(1, part.wins):.1f}" for at in range(1, last + 1))
            median = f"{np.median([*part.won_at.elements()]):g}" if part.wins else "-"
            rows.append([name, f"{part.wins:,}", *shares, median])
        return self._section(
            "When games are won",
            f"Of the games of `{self.task.name}` that `{self.agent}` wins, % by the {self.clock} in which they end:",
            table(rows),
        )  # fmt: skip

    def _causes(self) -> str:
        lost = {name: total(results.cells).causes for name, results in self.main.items()}
        rows = [["cause", *self.names]]
        for cause, _ in sum(lost.values(), Counter()).most_common():
            rows.append([cause, *(f"{100 * own[cause] / max(own.total(), 1):.1f}" for own in lost.values())])
        return self._section("Causes of defeat", f"Of the games of `{self.task.name}` that are lost, %:", table(rows))

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

    def _scores(self) -> Iterator[str]:
        for own in self.tasks.values():
            if score := own[self.agent].task.score:
                rows = [["agent", f"mean {score.field}", *_grades(score.grades)]]
                for name, results in own.items():
                    both = total(results.cells)
                    each = both.each(score.field)
                    earned = np.bincount(np.maximum(np.searchsorted(score.grades, each, "right") - 1, 0),
                                         minlength=len(score.grades))  # fmt: skip
                    shares = (f"{100 * n / len(each):.1f}" if len(each) else "-" for n in earned if score.grades)
                    rows.append([name, f"{both.sums[score.field] / both.games:.1f}", *shares])
                yield self._section(score.title, score.text, table(rows))

    def _learning(self) -> str:
        if not self.card.get("curve"):
            return ""
        return self._section(
            "Learning",
            f"Validation games that `{self.agent}` won as it learnt, and what `{self.reference}` wins of the test "
            "games.",
            self._picture("learning.svg", "Learning curves"),
        )  # fmt: skip

    def _section(self, title: str, *parts: str) -> str:
        return "\n\n".join([f"## {title}", *(part for part in parts if part)])

    def _picture(self, name: str, words: str) -> str:
        return f"![{words}]({self.pictures}/{name})" if self.pictures else ""

    # Its plots

    @property
    def heat(self) -> dict[str, NDArray[np.float64]]:
        """Win rates of the agent and the reference, (rows, columns) of the main task; none where not all cells are
        there."""
        rows, columns = self.task.values(self.task.rows), self.task.values(self.task.columns)
        every = [{self.task.rows: row, self.task.columns: column} for row in rows for column in columns]
        if [cell.labels for cell in self.main[self.agent].cells] != every:
            return {}
        return {name: np.array([cell.interval.rate for cell in self.main[name].cells]).reshape(len(rows), -1)
                for name in (self.agent, self.reference)}  # fmt: skip

    def plots(self) -> dict[str, str]:
        """File name -> SVG, of those that there are figures for."""
        made, label = {}, self.task.columns
        if self.heat:
            rows, columns = ([str(value) for value in self.task.values(name)] for name in (self.task.rows, label))
            made["won.svg"] = plots.heat_maps(self.heat, rows, columns, label)
        if told := self.card.get("calibration"):
            lines = {"as trained": told["before"]["table"], "calibrated": told["after"]["table"]}
            made["calibration.svg"] = plots.reliability(lines)
        if curve := self.card.get("curve"):
            levels = {task: total(own[self.reference].cells).interval.rate for task, own in self.tasks.items()}
            made["learning.svg"] = plots.learning_curve(curve, levels, self.reference)
        return made


def _errors(told: Mapping[str, Any]) -> str:
    """Of the forecasts as trained and calibrated, and of always saying how many are won."""
    rows = [["", "calibration error, %", "Brier score"]]
    for name, own in (("as trained", told["before"]), ("calibrated", told["after"])):
        rows.append([name, f"{100 * own['error']:.1f}", f"{own['brier']:.4f}"])
    won = told["after"]["won"]
    return table([*rows, [f"always {100 * won:.1f}%", "0.0", f"{won * (1 - won):.4f}"]])


def _half(of: Interval) -> str:
    """A rate with half the width of its interval, in percent."""
    return f"{100 * of.rate:.1f} ± {50 * (of.high - of.low):.1f}"


def _grades(begin: Sequence[int]) -> list[str]:
    """The scores of each grade."""
    if len(begin) < 2:
        return ["all"] * len(begin)
    between = [f"{low} to {high - 1}" for low, high in pairwise(begin[1:])]
    return [f"up to {begin[1] - 1}", *between, f"{begin[-1]} and more"]
