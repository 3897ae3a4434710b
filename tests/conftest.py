"""Compiles once before parallel workers would each do so for themselves; and fixtures of several files."""

import signal
from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Tests run side by side: torch's threads would wait for each other."""
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def pytest_configure(config: Any) -> None:
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a job in the background, whose programs could not be ended
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(config, "workerinput") or not getattr(config.option, "numprocesses", None):
        return
    import numpy as np

    import sammu_env
    from tabletop import agents
    from tabletop.training.evaluate import play_chunk

    env = sammu_env.raw_env(players=2)
    env.reset(seed=0)
    for _ in range(5):
        mask = env.last()[4]["action_mask"]
        env.step(int(mask.argmax()))
    game = sammu_env.load_game()
    touch_entries(game.box)
    for name in ("random", "scripted"):  # the others compile nothing of their own
        play_chunk(game, agents.make(name, game), game.configure(players=2), np.arange(1))


def touch_entries(box: Any) -> None:
    """Calls every other entry point of the engine once."""
    import numpy as np

    from sammu_env import actions, campaign, engine, position

    out = np.zeros(actions.N_ACTIONS)
    state = position.load({"challenge": "SAM-179", "players": 1, "manual_chance": True, "month": 2})
    position.run_stage(state, "draw")
    engine.weights(box, state, out)
    engine.sample(box, state)
    engine.rewards(box, state, out)
    engine.answer(box, state, actions.N_ACTIONS)
    engine.step(box, state)
    state["scored"], state["gate"] = 1, 1
    campaign.carry_over(state, "SAM-180")
