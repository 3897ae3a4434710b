"""The kernel decorator: compiled rules with a cache that notices every change.

Numba's own on-disk cache looks only at the file of the function it loads and not at the functions that one calls.
So each entry point is kept in a folder named after a hash of all sources that it may have been compiled from: those of
``tabletop``, of its own package, and of the packages with kernels that these import. A package here is a top-level
one; a folder that is linked into another package (``tabletop/agents``) is one of its own. The folder lies in
``TABLETOP_CACHE``, or else ``NUMBA_CACHE_DIR``, or else the user's cache folder. Where it cannot be written nothing is
kept: Numba would go on to ``__pycache__``, which knows no hash.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic

F = TypeVar("F", bound=Callable[..., Any])

_config: Any = numba.config
DISABLED = bool(_config.DISABLE_JIT)
_OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}
_IMPORT = re.compile(rb"^\s*(?:from|import)\s+([\w.]+)(?:\s+import\s+(\([^)]*|.*))?", re.MULTILINE)


class _Package(NamedTuple):
    """A package (or a module that is in none) with kernels, as it was when the first of them was made."""

    digest: bytes
    imports: frozenset[str]  # dotted names, and those of the packages that they are in


_packages: dict[str, _Package] = {}
_lock = threading.Lock()
_said: set[str] = set()


def _package_of(function: Callable[..., Any]) -> str:
    """The package of a function. Its sources are read when the first function of it is decorated."""
    module = function.__module__
    if module == "__main__":  # python -m package.module
        module = getattr(getattr(sys.modules[module], "__spec__", None), "name", None) or module
    file = Path(function.__code__.co_filename)
    name = _home(module, file.parent)
    if name not in _packages:
        _packages[name] = _read(_folders(name) or [file])
    return name


@functools.cache
def _home(module: str, folder: Path) -> str:
    """The outermost package that a module's folder lies in, once links are followed."""
    names = list(accumulate(module.split("."), "{}.{}".format))
    real = folder.resolve()
    return next((name for name in names if any(map(real.is_relative_to, _folders(name)))), names[0])


def _folders(name: str) -> list[Path]:
    """Of a package: its folders. Of a module: its file. Of what is in no file: nothing."""
    module = sys.modules.get(name)
    file = getattr(module, "__file__", None)
    return [Path(path).resolve() for path in getattr(module, "__path__", None) or ([file] if file else [])]


def _read(places: list[Path]) -> _Package:
    digest, imports = hashlib.sha256(), set[str]()
    for place in places:
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place] * place.is_file():
            source = path.read_bytes()
            name = path.relative_to(place).as_posix()
            digest.update(f"{name} {len(source)} ".encode() + source)
            for module, names in _IMPORT.findall(source):
                imports.update(accumulate(module.decode().split("."), "{}.{}".format))
                imports.update(f"{module.decode()}.{found.decode()}" for found in re.findall(rb"\w+", names))
    return _Package(digest.digest(), frozenset(imports))


def cache_folder(*functions: Callable[..., Any]) -> Path:
    """Where compiled code of some functions' packages is kept, as their sources and those that they import are."""
    reached, found = set[str](), {"tabletop", *map(_package_of, functions)}
    while found:
        reached |= found
        found = {name for package in found for name in _packages[package].imports & _packages.keys()} - reached
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    for name in sorted(reached):
        digest.update(name.encode() + _packages[name].digest)
    user = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    base = os.environ.get("TABLETOP_CACHE") or _config.CACHE_DIR or user
    return Path(base).absolute() / "tabletop" / digest.hexdigest()[:16]


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
    _package_of(function)
    compiled: Any = numba.njit(**_OPTIONS)(function)
    compiled.get_call_template = _normalised(compiled.get_call_template)
    return cast(F, compiled)


def entry(function: F, *rules: Callable[..., Any]) -> F:
    """Compiles a function that programs call, and keeps it on disk with all that it calls.

    Args:
        rules: functions that it calls and that its own package does not import.
    """
    if DISABLED:
        return _with_named_fields(function)
    sources = (function, *(getattr(rule, "py_func", rule) for rule in rules))
    for source in sources:
        _package_of(source)
    compiled: Any = numba.njit(**_OPTIONS)(function)
    compiled.compile = _kept(compiled, sources)
    return cast(F, compiled)


def _kept(compiled: Any, sources: tuple[Callable[..., Any], ...]) -> Callable[[Any], Any]:
    """Before an entry point is first compiled, all that it calls is known: only then its folder is chosen."""
    compile_: Callable[[Any], Any] = compiled.compile

    @functools.cache
    def choose_folder() -> None:
        folder = cache_folder(*sources)
        if not any(folder.rglob("*.nbi")):
            _say("Compiling the rules (once, a few minutes) ...")
        if Path(compiled.py_func.__code__.co_filename).is_file() and not _keep(compiled, folder):
            _say(f"{folder.parent} cannot be written: every process compiles anew. TABLETOP_CACHE names another place.")

    def compile_or_load(signature: Any) -> Any:
        with _lock:
            choose_folder()
        with ctrl_c_waits():
            return compile_(signature)

    return compile_or_load


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


def _keep(compiled: Any, folder: Path) -> bool:
    """Has Numba keep a function in a folder and nowhere else; False where it cannot."""
    chosen = {"CACHE_DIR": str(folder), "CACHE_LOCATOR_CLASSES": ""}
    before = {name: getattr(_config, name, "") for name in chosen}
    try:
        vars(_config).update(chosen)
        compiled.enable_caching()
    except RuntimeError:  # no place at all
        return False
    finally:
        vars(_config).update(before)
    if Path(compiled.stats.cache_path).is_relative_to(folder):
        return True
    compiled._cache.disable()
    return False


def _say(line: str) -> None:
    """On stderr and once, so that a first start does not look like a hang."""
    if line not in _said:
        _said.add(line)
        print(line, file=sys.stderr, flush=True)


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
