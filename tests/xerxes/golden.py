"""Golden games of Xerxes, with the box as shipped (:mod:`tabletop.golden`). Write them anew, and say why:

python -m tests.xerxes.golden --write
"""

from __future__ import annotations

from pathlib import Path

from tabletop import golden
from xerxes_env import load_game

PATH = Path(__file__).with_name("golden.json")
GAME = load_game()
BEGINS = {
    **{f"{players} satraps": (GAME.configure(players), 20 + players) for players in (1, 2, 3, 4)},
    "powers of building and tax": (GAME.configure(3, "India,Sogdia,Aegyptus"), 30),
    "powers of order and placement": (GAME.configure(4, "Lydia,Bactria,Parthia,Babylonia"), 31),
}

if __name__ == "__main__":
    golden.main(PATH, GAME, BEGINS, "tests.xerxes.golden")
