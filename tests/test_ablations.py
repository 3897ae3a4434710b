"""The runs that docs/findings.md compares can still be begun."""

from __future__ import annotations

import pytest

from benchmarks.ablations import SEEDS, SETTINGS, config


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_are_there(name: str) -> None:
    names = {config(name, seed).name for seed in SEEDS}
    assert len(names) == len(SEEDS)


def test_each_setting_is_another() -> None:
    settings = [config(name, 1).model_dump(exclude={"name"}) for name in SETTINGS]
    assert all(one != other for i, one in enumerate(settings) for other in settings[:i])
