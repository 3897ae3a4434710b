"""Golden games of Pergamemnon, with the box as shipped (:mod:`tabletop.golden`). Write them anew, and say why:

python -m tests.pergamemnon.golden --write
"""

from __future__ import annotations

from pathlib import Path

from pergamemnon_env.constants import PLAYERS
from pergamemnon_env.game import load
from tabletop import golden

PATH = Path(__file__).with_name("golden.json")
GAME = load()
BEGINS = {f"{players} players, seed {seed}": (GAME.configure(players), seed) for players in PLAYERS for seed in (1, 2)}

if __name__ == "__main__":
    golden.main(PATH, GAME, BEGINS, "tests.pergamemnon.golden")
