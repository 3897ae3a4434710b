"""Records as plain data: a save is a record's named fields."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from tabletop.game import Record


def copy(records: Record) -> Record:
    """A copy by bytes, padding included: NumPy's own goes field by field, which takes 50 times as long."""
    return np.ndarray(records.shape, records.dtype, bytearray(records.tobytes()))


def take(records: Record, index: Any) -> Record:
    """The records that an index array or a boolean mask chooses, copied by bytes."""
    whole = np.dtype((np.void, records.dtype.itemsize))
    chosen: Record = records.view(whole)[index].view(records.dtype)
    return chosen


def put(records: Record, index: Any, values: Record) -> None:
    """Writes records where an index array or a boolean mask says, by bytes."""
    whole = np.dtype((np.void, records.dtype.itemsize))
    records.view(whole)[index] = values.view(whole)


def to_dict(record: Record) -> dict[str, Any]:
    """The named fields of the only record of an array of shape (1,), as numbers and lists (for JSON)."""
    (one,) = record
    return {name: np.asarray(one[name]).tolist() for name in _fields(record.dtype)}


def from_dict(data: dict[str, Any], dtype: np.dtype[Any]) -> Record:
    """The record, shape (1,), that :func:`to_dict` took apart.

    Raises:
        ValueError: a field is missing, unknown, of another shape or out of its type's range; the field is named.
    """
    fields = _fields(dtype)
    if missing := [name for name in fields if name not in data]:
        raise ValueError(f"saved record lacks the fields {', '.join(missing)}")
    if unknown := [name for name in data if name not in fields]:
        raise ValueError(f"saved record has unknown fields {', '.join(unknown)}")
    record = np.zeros(1, dtype=dtype)
    for name in fields:
        _fill(record, name, data[name])
    return record


def differing(a: Record, b: Record) -> list[str]:
    """Names of the fields in which the bytes of two records of one dtype differ."""
    return [name for name in _fields(a.dtype) if a[name].tobytes() != b[name].tobytes()]


def same_but(a: Record, b: Record, names: Iterable[str]) -> bool:
    """Whether two records of one dtype are the same by bytes, padding included, but for the named fields."""
    other = copy(b)
    for name in names:
        other[name] = a[name]
    return other.tobytes() == a.tobytes()


def _fields(dtype: np.dtype[Any]) -> tuple[str, ...]:
    if dtype.names is None:
        raise TypeError(f"{dtype} is not a record dtype")
    return dtype.names


def _fill(record: Record, name: str, value: Any) -> None:
    target = record[name]
    kinds, what = ("iu", "whole numbers") if target.dtype.kind == "i" else ("iuf", "numbers")
    try:
        plain = np.asarray(value)
        if plain.size and plain.dtype.kind not in kinds + "O":  # numbers of more than 64 bits are objects
            raise TypeError(f"they are {plain.dtype}")
        given = np.asarray(value, dtype=np.int64 if target.dtype.kind == "i" else target.dtype)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"saved field {name} is not {what}: {error}") from None
    if given.shape != target.shape[1:]:
        raise ValueError(f"saved field {name} has shape {given.shape}, expected {target.shape[1:]}")
    if target.dtype.kind == "i":
        info = np.iinfo(target.dtype)
        if given.size and not (info.min <= given.min() and given.max() <= info.max):
            raise ValueError(f"saved field {name} holds a number outside {info.min}..{info.max}")
    target[0] = given
