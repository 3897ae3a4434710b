"""The kernel decorator: rules are compiled into entry points, which are kept on disk (:mod:`tabletop.cache`)."""

from __future__ import annotations

import functools
import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn, TypeVar, cast

import numba
import numpy as np
from numba import types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.sigutils import normalize_signature
from numba.extending import intrinsic

from tabletop import cache
from tabletop.linking import EntryCompiler, RuleCompiler

F = TypeVar("F", bound=Callable[..., Any])

_config: Any = numba.config
DISABLED = bool(_config.DISABLE_JIT)
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}
_KERNEL: dict[str, Any] = {**_OPTIONS, "no_cpython_wrapper": True, "pipeline_class": RuleCompiler}
_ENTRY: dict[str, Any] = {**_OPTIONS, "pipeline_class": EntryCompiler}


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
    cache.know(function)
    compiled: Any = numba.njit(**_KERNEL)(function)
    compiled.get_call_template = _normalised(compiled.get_call_template)
    compiled.add_overload = lambda result: compiled.overloads.update({tuple(result.signature.args): result})
    compiled._compile_for_args = functools.partial(_refuse, function.__qualname__)
    return cast(F, compiled)


def _refuse(name: str, *_: Any) -> NoReturn:
    """A kernel has no machine code of its own."""
    raise TypeError(f"{name} is a kernel, which only compiled functions can call: call an entry point")


def entry(function: F) -> F:
    """Compiles a function that programs call, and keeps it on disk with all that it calls."""
    if DISABLED:
        return _with_named_fields(function)
    cache.know(function)
    compiled: Any = numba.njit(**_ENTRY)(function)
    compiled.compile = _kept(compiled)
    return cast(F, compiled)


def _kept(compiled: Any) -> Callable[[Any], Any]:
    """Before an entry point is first compiled, all that it calls is known: only then its folder is chosen."""
    compile_or_load, compile_ = compiled.compile, compiled._compiler.compile
    function = compiled.py_func
    folder = functools.cache(lambda: cache.keep(compiled))

    def announce(args: Any, return_type: Any) -> Any:
        with cache.announced(f"{function.__module__}.{function.__name__}"), nothing_collected():
            return compile_(args, return_type)

    def one_at_a_time(signature: Any) -> Any:
        if normalize_signature(signature)[0] in compiled.overloads:
            return compile_or_load(signature)
        name = f"{function.__module__}.{function.__qualname__}"
        with global_compiler_lock, cache.one_at_a_time(folder(), name), ctrl_c_waits():
            return compile_or_load(signature)

    compiled._compiler.compile = announce
    return one_at_a_time


@contextmanager
def nothing_collected() -> Iterator[None]:
    """Without Python's search for garbage, which takes a sixth of the time that rules compile; for 300 MB at most."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@contextmanager
def ctrl_c_waits() -> Iterator[None]:
    """Ctrl-C takes effect at the end; pressed again, it ends the process at once.

    A KeyboardInterrupt is lost in the callbacks of the compiler, or crashes it.
    """
    before = signal.getsignal(signal.SIGINT)
    if before in (None, signal.SIG_IGN) or threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed = False

    def note(number: int, frame: object) -> None:
        nonlocal pressed
        pressed = True
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        print("Stops when the rules are compiled; Ctrl-C again: at once", file=sys.stderr, flush=True)

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        signal.raise_signal(signal.SIGINT)


if DISABLED:

    def fetch_add(numbers: Any, i: int, value: int) -> int:
        """What int64[n] ``numbers`` has at ``i``, to which ``value`` is then added."""
        before = int(numbers[i])
        numbers[i] += value
        return before

    def lowest(bits: int) -> int:
        """The place of the lowest bit that is set; there must be one."""
        return (int(bits) & -int(bits)).bit_length() - 1

else:

    @intrinsic
    def fetch_add(typing: Any, numbers: Any, i: Any, value: Any) -> Any:
        """What int64[n] ``numbers`` has at ``i``, to which ``value`` is then added, whatever other threads do."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            data = context.make_array(signature.args[0])(context, builder, args[0]).data
            return builder.atomic_rmw("add", builder.gep(data, [args[1]]), args[2], "seq_cst")

        return types.int64(numbers, types.int64, types.int64), generate

    @intrinsic
    def lowest(typing: Any, bits: Any) -> Any:
        """The place of the lowest bit that is set, in an integer of 64 bits; there must be one."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], context.get_constant(types.boolean, True))

        return types.int64(types.int64), generate


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
