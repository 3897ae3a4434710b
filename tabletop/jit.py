"""The kernel decorator: compiled rules with a cache that notices every change.

Numba's own on-disk cache looks only at the file of the function it loads and not at the functions that one calls.
So the cache folder is named after a hash of all engine sources and of Numba's version, before anything is decorated.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic

F = TypeVar("F", bound=Callable[..., Any])

_config: Any = numba.config
DISABLED = bool(_config.DISABLE_JIT)
_ROOT = Path(__file__).resolve().parent.parent
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}
_SOURCES = ("tabletop", "sammu_env", "agents")


def _cache_folder() -> Path:
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for package in _SOURCES:
        for path in sorted((_ROOT / package).rglob("*.py")):
            digest.update(path.relative_to(_ROOT).as_posix().encode())
            digest.update(path.read_bytes())
    base = os.environ.get("TABLETOP_CACHE") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "tabletop" / digest.hexdigest()[:16]


CACHE = _cache_folder()
if not os.environ.get("NUMBA_CACHE_DIR"):
    _config.CACHE_DIR = str(CACHE)


def _normalised(template: Callable[..., Any]) -> Callable[..., Any]:
    """Passes every integer as int64, so that a kernel is compiled once and not once per integer width."""

    def get_call_template(args: tuple[Any, ...], kws: Any) -> Any:
        wide = tuple(types.int64 if isinstance(a, types.Integer) else a for a in args)
        return template(wide, kws)

    return get_call_template


def kernel(function: F) -> F:
    """Compiles a rule. Kernels call kernels; programs call entry points (:func:`entry`).

    Without Numba's runtime: a kernel that would allocate does not compile, and no reference is counted.
    """
    if DISABLED:
        return function
    compiled: Any = numba.njit(**_OPTIONS)(function)
    compiled.get_call_template = _normalised(compiled.get_call_template)
    return cast(F, compiled)


def entry(function: F) -> F:
    """Compiles a function that programs call, and keeps it on disk with all that it calls."""
    if DISABLED:
        return _with_named_fields(function)
    compiled: Any = numba.njit(cache=True, **_OPTIONS)(function)
    compiled.compile = _announced(compiled.compile)
    return cast(F, compiled)


if DISABLED:

    def fetch_add(numbers: Any, i: int, value: int) -> int:
        """What int64[n] ``numbers`` has at ``i``, to which ``value`` is then added."""
        before = int(numbers[i])
        numbers[i] += value
        return before

else:

    @intrinsic
    def fetch_add(typing: Any, numbers: Any, i: Any, value: Any) -> Any:
        """What int64[n] ``numbers`` has at ``i``, to which ``value`` is then added, whatever other threads do."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data = context.make_array(signature.args[0])(context, builder, args[0]).data
            return builder.atomic_rmw("add", builder.gep(data, [args[1]]), args[2], "seq_cst")

        return types.int64(numbers, types.int64, types.int64), generate


#: Lets another thread run, where the system has a call for it: ``give_way()``.
give_way: Any = kernel(lambda: 0)
if os.name == "posix" and not DISABLED:
    give_way = types.ExternalFunction("sched_yield", types.int32())


def _with_named_fields(function: F) -> F:
    """Uncompiled, NumPy's records know no ``s[0].field``: shows them to a rule as ones that do."""

    @functools.wraps(function)
    def call(*args: Any) -> Any:
        return function(*(_named(a) if isinstance(a, np.ndarray) and a.dtype.names else a for a in args))

    return cast(F, call)


def _named(records: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    if hasattr(records.dtype.type, "named"):
        return records
    return records.view(_named_dtype(records.dtype))


@functools.lru_cache(maxsize=64)
def _named_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """A dtype of the same bytes whose scalars have the fields as attributes; ``np.record`` hides some (``trace``)."""
    fields: dict[str, Any] = {name: _field(name) for name in dtype.names or ()}
    return np.dtype((type("Named", (np.void,), {"named": True, **fields}), dtype))


def _field(name: str) -> property:
    def get(record: Any) -> Any:
        value = record[name]
        return value if value.shape else value.item()

    def put(record: Any, value: Any) -> None:
        record[name] = value

    return property(get, put)


def _announced(compile_: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Says on stderr when the first compilation of all begins, so that a first start does not look like a hang."""

    def announce(signature: Any) -> Any:
        if not _said and not any(CACHE.rglob("*.nbi")):
            _said.append("Compiling the rules (once, about a minute) ...")
            print(_said[0], file=sys.stderr, flush=True)
        return compile_(signature)

    return announce


_said: list[str] = []
