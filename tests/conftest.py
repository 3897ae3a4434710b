"""Compiles once before parallel workers would each do so for themselves."""

from typing import Any


def pytest_configure(config: Any) -> None:
    if hasattr(config, "workerinput") or not getattr(config.option, "numprocesses", None):
        return
    import numpy as np

    import agents
    import sammu_env
    from training.evaluate import play_chunk

    env = sammu_env.raw_env(players=2)
    env.reset(seed=0)
    for _ in range(5):
        mask = env.last()[4]["action_mask"]
        env.step(int(mask.argmax()))
    game = sammu_env.load_game()
    for name in agents.AGENTS:
        play_chunk(game, agents.make(name, game), game.configure(players=2), np.arange(1))
