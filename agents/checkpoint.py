"""Weights as ``NAME.safetensors`` with a card ``NAME.json``: what they are, how they were trained, how well they play.

Nothing but numbers and text is read, so a file from a stranger can do no harm.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib.resources import files
from math import inf
from pathlib import Path
from reprlib import repr as brief
from typing import TYPE_CHECKING, Any

import numpy as np
import safetensors
from numpy.typing import NDArray
from safetensors.numpy import load_file
from safetensors.numpy import save as packed

from tabletop.game import Game
from tabletop.game import identity as game_identity
from tabletop.games import extra

if TYPE_CHECKING:
    from tabletop.agents.network import Network

FORMAT = 1
#: What a checkpoint must have in common with the game it plays, and what is said if it has not.
SAME = {
    "game": "another game",
    "version": "another version of the rules",
    "edition": "another edition of the box",
    "layout": "another layout of observations or choices",
}


def path_of(name: str) -> Path:
    """The weights of a shipped checkpoint by its name, or of any other by its path, with or without its suffix.

    Raises:
        ValueError: there are none; the message names those that are shipped.
    """
    shipped = Path(str(files("tabletop.checkpoints")))
    for path in (shipped / f"{name}.safetensors", Path(name), Path(f"{name}.safetensors")):
        if path.suffix == ".safetensors" and path.is_file():
            return path
    names = ", ".join(sorted(path.stem for path in shipped.glob("*.safetensors"))) or "none"
    raise ValueError(
        f"there is no checkpoint {name!r}: give the path of a .safetensors file, or a shipped one: {names}"
    )


def of_game(game: Game, name: str | None = None) -> Path:
    """The weights that a game's network plays with, as :func:`path_of`; None: those that it ships.

    Raises:
        ValueError: there are none.
    """
    if not (name := name or extra(game, "checkpoint")):
        raise ValueError(f"{game.name} comes with no checkpoint of its own: name one, as ppo:PATH")
    return path_of(name)


def identity(game: Game) -> dict[str, Any]:
    """What must be the same when training goes on; a network that is ready plays any edition."""
    return {**game_identity(game), "layout": game.layout}


def check(theirs: Mapping[str, Any], game: Game, path: Path, advice: str, any_edition: bool = False) -> None:
    """Compares what a file says of its game with :func:`identity`.

    Raises:
        ValueError: it is of another game, version, layout or, unless any will do, edition; the message says which, and
            ends in the advice.
    """
    for name, ours in identity(game).items():
        if theirs.get(name) != ours and not (any_edition and name == "edition"):
            raise ValueError(f"{path} is of {SAME[name]}: its {name} is {_short(theirs.get(name))}, this one's is "
                             f"{_short(ours)}. {advice}")  # fmt: skip


def save(path: Path, network: Network, game: Game, card: dict[str, Any]) -> None:
    """Writes weights (float16) and card; what was there stays whole until both are written.

    Args:
        path: of the weights; the card lies beside them.
        card: what to tell, besides game and shape; plain data.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    head = {"format": FORMAT, **identity(game), "network": shape_of(network)}
    weights = {name: x.half().cpu().numpy() for name, x in network.state_dict().items()}
    drafts = path.with_suffix(".safetensors.part"), path.with_suffix(".json.part")
    drafts[0].write_bytes(packed(weights))  # its save_file gives a file that its owner alone may read
    drafts[1].write_text(json.dumps({**head, **card}, indent=1) + "\n", encoding="utf-8")
    drafts[0].replace(path)
    drafts[1].replace(path.with_suffix(".json"))


def shape_of(network: Network) -> dict[str, Any]:
    """What a network is made with, as the card says it."""
    return {"width": network.trunk.width, "blocks": len(network.trunk.blocks),
            "contents": network.contents is not None, "places": network.places is not None}  # fmt: skip


def read(path: Path, game: Game) -> tuple[dict[str, NDArray[np.float32]], dict[str, Any]]:
    """The weights by name, and the card, whose edition is that of all boxes that they were trained on.

    Raises:
        ValueError: it is of another game, version or layout, or damaged; the message says which.
        OSError: it cannot be read.
    """
    card = read_card(path.with_suffix(".json"))
    check(card, game, path, "Train one for this game (sammu train), or choose another.", any_edition=True)
    try:
        return {name: x.astype(np.float32) for name, x in load_file(path).items()}, card
    except safetensors.SafetensorError as error:
        raise ValueError(f"{path} is damaged: {type(error).__name__}: {error}") from None


def load(path: Path, game: Game) -> tuple[Network, dict[str, Any]]:
    """The network, ready to judge (float32, on the CPU), and its card; errors as of :func:`read`."""
    import torch

    from tabletop.agents.network import Network

    weights, card = read(path, game)
    try:
        network = Network(game, **card["network"], fresh=False)
        network.load_state_dict({name: torch.from_numpy(x) for name, x in weights.items()})
    except (KeyError, TypeError, RuntimeError) as error:
        raise ValueError(f"{path} is damaged: {type(error).__name__}: {error}") from None
    return network.eval().requires_grad_(False), card


def read_card(path: Path) -> dict[str, Any]:
    """A card, plain data.

    Raises:
        ValueError: it is none, or says something of its training that cannot be.
        OSError: it cannot be read.
    """
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is no card of a checkpoint: {error}") from None
    if not isinstance(card, dict) or card.get("format") != FORMAT:
        raise ValueError(f"{path} is no card of a checkpoint that this version can read (format {FORMAT})")
    for name, (possible, expected) in TOLD.items():
        if name in card and not possible(card[name]):
            raise ValueError(f"{path}: {name} is {brief(card[name])}, expected {expected}")
    return card


def _is_count(told: Any) -> bool:
    return type(told) is int and told >= 0


def _are_stages(told: Any) -> bool:
    return isinstance(told, list) and all(
        isinstance(stage, dict) and "with" in stage and _is_count(stage.get("until")) for stage in told
    )


#: What a card may say of training: whether it can be so, and what is expected.
TOLD: dict[str, tuple[Callable[[Any], bool], str]] = {
    "decisions": (_is_count, "a whole number from 0 on"),
    "seconds": (lambda told: type(told) in (int, float) and 0 <= told < inf, "a number from 0 on"),
    "stages": (_are_stages, "a list of objects with until, a whole number from 0 on, and with"),
}


def _short(value: Any) -> str:
    return f"{value[:12]}" if isinstance(value, str) else repr(value)


__all__ = ["identity", "load", "path_of", "read", "read_card", "save"]
