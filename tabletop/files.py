"""Files of text, those that one process at a time may use, and those that are never seen half written."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

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


def text_of(path: Path) -> str:
    """The text of a file; a byte order mark at its beginning is no part of it.

    Raises:
        ValueError: it is no text in UTF-8.
        OSError: it cannot be read.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"{path} is no text in UTF-8: {error}") from None


def write_whole(path: Path, text: str, like: Path | None = None) -> None:
    """Writes a file; what was there stays whole until all of it is on the disk.

    Args:
        like: the file whose permissions it gets, by default those of what was there.
    """
    draft = path.with_name(f"{path.name}.{os.getpid()}.part")
    with draft.open("w", encoding="utf-8") as file:
        with suppress(OSError):  # there is no such file, or the disk keeps no permissions
            shutil.copymode(like or path, draft)
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Waits until no other process is here with this folder, for ten seconds at most; it goes on at once where a disk
    lets nobody hold a folder."""
    if fcntl is None:
        yield
        return
    file, until = os.open(folder, os.O_RDONLY), time.monotonic() + 10
    try:
        while time.monotonic() < until:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(0.01)
            except OSError:
                break
            else:
                break
        yield
    finally:
        os.close(file)
