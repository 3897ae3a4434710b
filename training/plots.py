"""The plots of docs/results.md, as SVG: the same text for the same figures, for light pages and dark ones."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from itertools import cycle, product
from typing import Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

PAPER, INK, FAINT = "#fbf8f1", "#2b2b2b", "#9a958a"
COLOURS = ("#1b6ca8", "#c2571a", "#3c7d3c", "#7a4b94")  # for the colour-blind too
MARKERS = "os^D"
STYLE: Any = {
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "sammu",  # names within the file are no chance
    "font.sans-serif": ["DejaVu Sans", "Helvetica"],
    "font.size": 9,
    "figure.facecolor": PAPER,
    "axes.facecolor": PAPER,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "legend.frameon": False,
}


@matplotlib.rc_context(STYLE)
def heat_maps(rates: Mapping[str, NDArray[np.float64]], rows: Sequence[str], columns: Sequence[str], label: str) -> str:
    """Win rates side by side: of each name, in 0..1, shape (rows, columns); ``label`` says what the columns are."""
    figure = Figure(figsize=(1.2 + 2.8 * len(rates), 0.9 + 0.26 * len(rows)), layout="constrained")
    figures = figure.subplots(1, len(rates), sharey=True, squeeze=False)[0]
    for axes, (name, own) in zip(figures, rates.items(), strict=True):
        axes.pcolormesh(own, vmin=0, vmax=1, cmap="YlGnBu", edgecolors=PAPER, linewidth=1)
        for (i, j), rate in np.ndenumerate(own):
            colour = PAPER if rate > 0.55 else INK
            axes.text(j + 0.5, i + 0.5, f"{100 * rate:.0f}", ha="center", va="center", color=colour)
        axes.set(title=f"{name}: games won, %", xlabel=label, xticks=np.arange(len(columns)) + 0.5, xticklabels=columns,
                 yticks=np.arange(len(rows)) + 0.5, yticklabels=rows)  # fmt: skip
        axes.spines[:].set_visible(False)
        axes.tick_params(length=0)
    figures[0].invert_yaxis()
    return _svg(figure)


@matplotlib.rc_context(STYLE)
def learning_curve(curve: Sequence[Mapping[str, float]], references: Mapping[str, float], name: str) -> str:
    """Win rates of validation games by decisions trained on, a line for each task.

    Args:
        curve: of a run: ``decisions``, and the win rate of each task of that stage by its name.
        references: win rate of each task that ``name`` has, drawn as a level.
    """
    figure = Figure(figsize=(8.0, 4.4), layout="constrained")
    axes: Axes = figure.subplots()
    tasks = [*dict.fromkeys(key for point in curve for key in point if key not in ("decisions", "minutes", "won"))]
    for task, (marker, colour) in zip(tasks, cycle(product(MARKERS, COLOURS))):
        own = [point for point in curve if task in point]  # another stage may have other tasks
        axes.plot([point["decisions"] / 1e6 for point in own], [100 * point[task] for point in own], color=colour,
                  marker=marker, markersize=4, label=task)  # fmt: skip
        if task in references:
            axes.axhline(100 * references[task], color=colour, linestyle="--", linewidth=1, label=f"{task}, {name}")
    axes.set(xlabel="decisions trained on, millions", ylabel="games won, %", ylim=(0, None))
    axes.set_xlim(left=0)
    figure.legend(loc="outside right upper")
    return _svg(figure)


@matplotlib.rc_context(STYLE)
def reliability(tables: Mapping[str, Sequence[Sequence[Any]]]) -> str:
    """Chances said and games won; of each name rows of what was said, what came, and of how many forecasts."""
    figure = Figure(figsize=(4.2, 4.2), layout="constrained")
    axes: Axes = figure.subplots()
    axes.plot([0, 100], [0, 100], color=FAINT, linewidth=1)
    for (name, rows), colour in zip(tables.items(), COLOURS, strict=False):
        said, came, n = np.array(rows, float).T
        axes.plot(100 * said, 100 * came, linewidth=1, color=colour)
        axes.scatter(100 * said, 100 * came, s=8 + 150 * n / n.sum(), color=colour, label=name, clip_on=False)
    axes.set(xlabel="chance of winning said, %", ylabel="games won, %", xlim=(0, 100), ylim=(0, 100), aspect="equal")
    axes.legend()
    return _svg(figure)


def _svg(figure: Figure) -> str:
    file = io.StringIO()
    figure.savefig(file, format="svg", metadata={"Creator": None, "Date": None})
    return file.getvalue()
