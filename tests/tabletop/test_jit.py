import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tabletop import jit

ROOT = Path(__file__).resolve().parents[2]
GAMES = """
import json, numpy as np
from tabletop import jit, record
from tabletop.batch import play_random
from tests.tabletop.toy import Toy
game = Toy()
states = play_random(game, np.repeat(game.configure(3), 40), np.arange(40))
print(json.dumps([jit.DISABLED, [record.to_dict(states[i:i + 1]) for i in range(40)]]))
"""


def run(code, **environment):
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120,
        env={**os.environ, **environment},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done


def test_uncompiled_plays_the_same_games(tmp_path):
    compiled = json.loads(run(GAMES, NUMBA_DISABLE_JIT="0").stdout)
    plain = json.loads(run(GAMES, NUMBA_DISABLE_JIT="1").stdout)
    assert (compiled[0], plain[0]) == (False, True)
    assert compiled[1] == plain[1]


def test_cache_folder_can_be_chosen_and_is_filled(tmp_path):
    first = run(GAMES, TABLETOP_CACHE=str(tmp_path))
    (folder,) = (tmp_path / "tabletop").iterdir()
    assert folder.name == jit.CACHE.name
    stored = {path: path.stat().st_mtime_ns for path in folder.rglob("*.nb?")}
    assert any(path.name.startswith("toy.apply") for path in stored)
    assert "Compiling" in first.stderr
    second = run(GAMES, TABLETOP_CACHE=str(tmp_path))
    assert "Compiling" not in second.stderr
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*.nb?")} == stored
    assert second.stdout == first.stdout


def test_cache_folder_follows_the_sources(monkeypatch, tmp_path):
    (tmp_path / "tabletop").mkdir()
    source = tmp_path / "tabletop" / "rule.py"
    monkeypatch.setattr(jit, "_ROOT", tmp_path)
    source.write_text("a = 1\n")
    before = jit._cache_folder()
    source.write_text("a = 2\n")
    assert jit._cache_folder() != before
    source.write_text("a = 1\n")
    assert jit._cache_folder() == before


@pytest.mark.skipif(jit.DISABLED, reason="nothing is compiled")
def test_kernels_are_compiled_once_for_all_integer_widths():
    import numpy as np

    from tests.tabletop.toy import Toy

    game = Toy()
    s = np.zeros(1, game.state)
    game.reset(game.box, s, game.configure(), 1)
    assert len(game.apply.signatures) <= 1
