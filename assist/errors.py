"""Errors in words for who typed the command."""

from __future__ import annotations

#: What the system says of a file in other words.
SAID = {FileNotFoundError: "no such file", IsADirectoryError: "it is a folder", NotADirectoryError: "it is no folder",
        FileExistsError: "it is there already, and is no folder",
        PermissionError: "it may not be read or written"}  # fmt: skip


def plain(error: Exception) -> str:
    """What went wrong, without the names and numbers that only programs need."""
    if isinstance(error, KeyError) and error.args:
        return str(error.args[0])
    if isinstance(error, OSError) and error.strerror:
        said = SAID.get(type(error), error.strerror)
        return f"{error.filename}: {said}" if error.filename is not None else said
    if isinstance(error, MemoryError):
        return f"there is not enough memory: {error}" if error.args else "there is not enough memory"
    return str(error)
