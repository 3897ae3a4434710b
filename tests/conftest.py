"""Compiles once before parallel workers would each do so for themselves."""

from typing import Any


def pytest_configure(config: Any) -> None:
    if hasattr(config, "workerinput") or not getattr(config.option, "numprocesses", None):
        return
    import sammu_env

    env = sammu_env.raw_env(players=2)
    env.reset(seed=0)
    for _ in range(5):
        mask = env.last()[4]["action_mask"]
        env.step(int(mask.argmax()))
