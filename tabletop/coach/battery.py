"""Whether this machine runs on a battery that is low: then the coach thinks only when it is asked."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

#: Of a hundred: below this a battery that is not charged is low.
LOW = 30
#: Where Linux tells; other systems have no such folder, and count as full.
SUPPLIES = Path("/sys/class/power_supply")


def low(supplies: Path = SUPPLIES) -> bool:
    """Whether a battery of this machine, and not of a mouse or the like, is being emptied and has less than LOW."""
    for supply in supplies.glob("*"):
        kind, scope, status, left = (_read(supply / name) for name in ("type", "scope", "status", "capacity"))
        own = kind == "Battery" and scope != "Device"
        if own and status == "Discharging" and left.isdecimal() and int(left) < LOW:
            return True
    return False


def _read(path: Path) -> str:
    with suppress(OSError, ValueError):
        return path.read_text(encoding="ascii").strip()
    return ""
