"""Records as classes: one declaration gives the dtype, and tells mypy what rules may read and write.

    class State:
        month: i2
        token: Array[i2] = shape(4, 25)  # by kind and location

    STATE = dtype_of(State)

A rule takes ``s: State``. So mypy knows that ``s.month`` is an int and ``s.token`` an array, and reports misspelt
fields. The class is only a description: at run time rules get records of the dtype. A class can extend another one; the
fields of that one come first.
"""

from __future__ import annotations

from typing import Annotated, Any, Protocol, TypeVar, cast, get_args, get_origin, get_type_hints, overload

import numpy as np

T = TypeVar("T")
T_contra = TypeVar("T_contra", contravariant=True)

i2 = Annotated[int, "i2"]
i4 = Annotated[int, "i4"]
i8 = Annotated[int, "i8"]
f8 = Annotated[float, "f8"]


class Array(Protocol[T_contra]):
    """An array of numbers inside a rule. An index may give a number or a row: mypy does not know which."""

    def __getitem__(self, at: int | slice | tuple[int | slice, ...], /) -> Any: ...

    def __setitem__(self, at: int | slice | tuple[int | slice, ...], value: T_contra, /) -> None: ...

    def __len__(self) -> int: ...

    @property
    def shape(self) -> tuple[int, ...]: ...

    def reshape(self, size: int, /) -> Array[Any]: ...


class Records(Protocol[T]):
    """An array of records, shape (n,): a structured array of NumPy. Entry points take these."""

    @overload
    def __getitem__(self, at: int, /) -> T: ...

    @overload
    def __getitem__(self, at: slice, /) -> Records[T]: ...

    def __setitem__(self, at: int, value: T, /) -> None: ...

    def __len__(self) -> int: ...


class _Shape(tuple[int, ...]):
    """What :func:`shape` leaves in a class for :func:`dtype_of`."""


def shape(*sizes: int) -> Array[Any]:
    """The size of an array in a record: ``shape(4, 25)`` is 4 rows of 25."""
    return cast("Array[Any]", _Shape(sizes))


def dtype_of(record: type) -> np.dtype[Any]:
    """The dtype of a class: its fields in their order, aligned as C does it.

    Raises:
        TypeError: a field is neither a number nor an array with a shape; it is named.
    """
    hints = get_type_hints(record, include_extras=True)
    return np.dtype([_field(name, hint, getattr(record, name, None)) for name, hint in hints.items()], align=True)


def _field(name: str, hint: Any, size: _Shape | None) -> tuple[str, str, tuple[int, ...]]:
    is_array = get_origin(hint) is Array
    number = get_args(hint)[0] if is_array else hint
    if get_origin(number) is not Annotated or is_array != isinstance(size, _Shape):
        raise TypeError(f"field {name} is neither a number ({name}: i2) nor an array ({name}: Array[i2] = shape(3))")
    return name, number.__metadata__[0], tuple(size or ())
