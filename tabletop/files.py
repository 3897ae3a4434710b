"""Files that one process at a time may use."""

from __future__ import annotations

try:
    import fcntl
except ImportError:  # Windows: nobody keeps a second process out
    fcntl = None  # type: ignore[assignment]


def held(file: int) -> bool:
    """Whether an open file, by its number, is this process's alone from now on, until it is closed."""
    if fcntl is not None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
    return True
