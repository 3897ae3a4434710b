"""A battery that is low: read as Linux tells it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabletop.coach import battery

LAPTOP = {"type": "Battery", "status": "Discharging", "capacity": "12"}


def supplied(folder: Path, **supplies: dict[str, str]) -> Path:
    for name, told in supplies.items():
        (folder / name).mkdir()
        for key, value in told.items():
            (folder / name / key).write_text(f"{value}\n")
    return folder


@pytest.mark.parametrize(("change", "low"), [
    ({}, True), ({"capacity": "29"}, True), ({"capacity": "30"}, False), ({"capacity": "100"}, False),
    ({"status": "Charging"}, False), ({"status": "Full"}, False), ({"scope": "Device"}, False),
    ({"scope": "System"}, True), ({"type": "Mains"}, False), ({"capacity": ""}, False), ({"capacity": "?"}, False),
])  # fmt: skip
def test_only_an_own_battery_that_is_emptied_is_low(tmp_path: Path, change: dict[str, str], low: bool) -> None:
    mains = {"type": "Mains", "online": "0"}
    assert battery.low(supplied(tmp_path, AC=mains, BAT0={**LAPTOP, **change})) is low


def test_one_of_two_batteries_is_enough_and_none_is_none(tmp_path: Path) -> None:
    assert not battery.low(tmp_path / "no such folder") and not battery.low(tmp_path)
    assert battery.low(supplied(tmp_path, BAT0={**LAPTOP, "capacity": "80"}, BAT1=LAPTOP))
