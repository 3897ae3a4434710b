"""Compiled code on disk, with a place that notices every change.

Numba's own on-disk cache looks only at the file of the function it loads and not at the functions that one calls.
So each entry point is kept in a folder named after a hash of all that it is compiled from: the sources of ``tabletop``,
of its own package and of the packages of all kernels that it calls; and of each of these kernels the code, which may be
generated, the kernels that its names stand for, and the values of the constants that it names. A package here is a
top-level one; a folder of it that the rest does not name (``tabletop/coach``), or that is linked into it
(``tabletop/agents``), is one of its own: what changes there compiles no rule anew. What else a process has imported
makes no difference. The folder lies in ``TABLETOP_CACHE``, or else ``NUMBA_CACHE_DIR``, or else the user's cache
folder. Where it cannot be written nothing is kept: Numba would go on to ``__pycache__``, which knows no hash.

One process compiles an entry point; others that need it wait. What takes long is said on stderr, with how long it took
on this machine the last time.
"""

from __future__ import annotations

import functools
import hashlib
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from itertools import accumulate
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numba
import numpy as np
from filelock import FileLock, Timeout

_config: Any = numba.config
#: Seconds of which nothing is said.
SHORT = 1.0
#: Seconds of waiting for another process of which nothing is said: that long it may take it to read what is kept.
LOADING = 10.0


#: Of each package (or module that is in none) with kernels, a hash of its sources as they were when the first was made.
_packages: dict[str, bytes] = {}
_said: set[str] = set()
_compiling: list[str] = []


def know(function: Callable[..., Any]) -> str:
    """Reads the sources of a function's package, when the first function of it is decorated; returns its name.

    What ``python -m package.module`` runs gets the name under which it is imported: so both keep the same code.
    """
    if function.__module__ == "__main__":
        spec = function.__globals__.get("__spec__")
        function.__module__ = getattr(spec, "name", None) or "__main__"
    name = package_of(function)
    if name not in _packages:
        file = Path(function.__code__.co_filename)
        _packages[name] = _read(_folders(name) or [file], _apart(name))
    return name


def package_of(function: Callable[..., Any]) -> str:
    """The package of a function."""
    return _home(function.__module__, Path(function.__code__.co_filename).parent)


@functools.cache
def _home(module: str, folder: Path) -> str:
    """The outermost package that a module's folder is a part of, once links are followed."""
    names = list(accumulate(module.split("."), "{}.{}".format))
    real = folder.resolve()
    return next((name for name in names if any(map(real.is_relative_to, _folders(name)))
                 and not any(map(real.is_relative_to, _apart(name)))), names[0])  # fmt: skip


@functools.cache
def _apart(name: str) -> frozenset[Path]:
    """The folders of a package that the rest of it does not name, neither to import them nor in any other way.

    But as ``package.folder.module:Thing``, an entry point: whoever loads that later, rules do not.
    """
    found = set[Path]()
    for place in filter(Path.is_dir, _folders(name)):
        sources = {path.relative_to(place): path.read_bytes() for path in place.rglob("*.py")}
        for folder in {path.parts[0] for path in sources if len(path.parts) > 1}:
            package = re.escape(name)
            named = re.compile(
                rf"{package}\.{folder}\b(?![\w.]*:\w)|^\s*from\s+\.[\w.]*\b{folder}\b"
                rf"|^\s*from\s+({package}|\.+)[\w.]*\s+import\s+(\([^)]*|.*)\b{folder}\b".encode(), re.MULTILINE,
            )  # fmt: skip
            others = (source for path, source in sources.items() if path.parts[0] != folder)
            if not any(folder.encode() in source and named.search(source) for source in others):
                found.add(place / folder)
    return frozenset(found)


def _folders(name: str) -> list[Path]:
    """Of a package: its folders. Of a module: its file. Of what is in no file: nothing."""
    module = sys.modules.get(name)
    file = getattr(module, "__file__", None)
    return [Path(path).resolve() for path in getattr(module, "__path__", None) or ([file] if file else [])]


def _read(places: list[Path], apart: frozenset[Path]) -> bytes:
    digest = hashlib.sha256()
    for place in places:
        for path in sorted(place.rglob("*.py")) if place.is_dir() else [place] * place.is_file():
            if not any(map(path.is_relative_to, apart)):
                source = path.read_bytes()
                digest.update(f"{path.relative_to(place).as_posix()} {len(source)} ".encode() + source)
    return digest.digest()


def cache_folder(function: FunctionType) -> Path:
    """Where compiled code of a function is kept, as all is that it comes from."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version}".encode())
    called = _called(function)
    for name in sorted({"tabletop", *map(know, called)}):  # one may be of a library that has compiled it in its own way
        digest.update(name.encode() + _packages[name])
    for told in sorted(_told(one) for one in called):
        digest.update(told)
    return _base() / digest.hexdigest()[:16]


def _called(function: FunctionType) -> set[FunctionType]:
    """A function with all kernels that it calls, also by way of others."""
    called, found = set[FunctionType](), {function}
    while found := found - called:
        called |= found
        found = set[FunctionType]().union(*map(_calls, found))
    return called


@functools.cache
def _calls(function: FunctionType) -> set[FunctionType]:
    """The kernels that a function names."""
    return {rule for value in _named(function).values() for rule in _rules(value)}


@functools.cache
def _named(function: FunctionType) -> dict[str, Any]:
    """What a function names, in order: its module's, and of modules that it names; and its default arguments."""
    names, cells = set(_names(function.__code__)), function.__closure__ or ()
    found: dict[str, Any] = {"defaults": function.__defaults__}
    found |= {name: cell.cell_contents for name, cell in zip(function.__code__.co_freevars, cells, strict=True)}
    todo = [("", function.__globals__)]
    for within, values in todo:
        for name in sorted(names & values.keys()):
            value = found[f"{within}{name}"] = values[name]
            if isinstance(value, ModuleType) and not any(vars(value) is known for _, known in todo):
                todo.append((f"{within}{name}.", vars(value)))
    return found


def _names(code: CodeType) -> Iterator[str]:
    """All names that some code looks up, and what is defined in it."""
    yield from code.co_names
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from _names(inner)


def _rules(value: Any) -> Iterator[FunctionType]:
    """A kernel, or those that a tuple holds."""
    if isinstance(value, tuple):
        for one in value:
            yield from _rules(one)
    elif isinstance(rule := getattr(value, "py_func", None), FunctionType):
        yield rule


@functools.cache
def _told(function: FunctionType) -> bytes:
    """All that a function is compiled from but what it calls: its code, and by which values and kernels it goes."""
    named = (name.encode() + b" " + _value(value) for name, value in _named(function).items())
    return _own(function) + b"".join(named)


def _value(value: Any) -> bytes:
    """What Numba may compile in; of anything else, nothing."""
    if isinstance(value, tuple | frozenset):
        parts = [_value(one) for one in value]
        return b"(" + b",".join(parts if isinstance(value, tuple) else sorted(parts)) + b")"
    if isinstance(value, CodeType):
        return value.co_code + _value(value.co_names) + _value(value.co_consts)
    if isinstance(value, np.ndarray | np.generic):
        return f"{value.dtype} {value.shape} ".encode() + value.tobytes()
    if isinstance(value, int | float | complex | str | bytes | Enum | np.dtype):
        return repr(value).encode()
    if isinstance(value, type):
        return repr(list(value) if issubclass(value, Enum) else value).encode()
    return b"".join(map(_own, _rules(value)))


@functools.cache
def _own(function: FunctionType) -> bytes:
    """A function by its name and its code."""
    at = f"{function.__module__}.{function.__qualname__} ".encode()
    return hashlib.sha256(at + _value(function.__code__)).digest()


def _base() -> Path:
    user = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get("TABLETOP_CACHE") or _config.CACHE_DIR or user).absolute() / "tabletop"


def keep(compiled: Any) -> Path | None:
    """Has Numba keep an entry point; in which folder, or None where that cannot be."""
    if not Path(compiled.py_func.__code__.co_filename).is_file():
        return None
    folder = cache_folder(compiled.py_func)
    if _has_kept(compiled, folder):
        return folder
    _say(f"{folder.parent} cannot be written: every process compiles anew. TABLETOP_CACHE names another place.")
    return None


def _has_kept(compiled: Any, folder: Path) -> bool:
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


@contextmanager
def one_at_a_time(folder: Path | None, name: str) -> Iterator[None]:
    """Other processes wait before they compile the same thing; a lock of a process that dies is gone with it."""
    file = re.sub(r"[^\w.]", "_", name) + ".lock"
    lock = FileLock(folder / file) if folder else None
    if lock:
        try:
            lock.acquire(timeout=LOADING)
        except Timeout:
            _say(f"Another process compiles {name}: waiting for it ...")
            lock.acquire()
        except (OSError, NotImplementedError):  # a disk without locks: two may compile the same
            lock = None
    try:
        yield
    finally:
        if lock:
            lock.release()


@contextmanager
def announced(name: str) -> Iterator[None]:
    """Says that something compiles and how long it takes, and remembers how long it took; within another, nothing."""
    if _compiling:
        yield
        return
    last = _seconds().get(name)
    if last is None or last >= SHORT:
        _say(f"Compiling {name}, once: {f'about {last:.0f} seconds' if last else 'a minute or so'} ...")
    _compiling.append(name)
    begin = time.perf_counter()
    try:
        yield
    finally:
        _compiling.clear()
    _remember(name, time.perf_counter() - begin)


def _seconds() -> dict[str, float]:
    """What each thing took on this machine."""
    with suppress(OSError, ValueError):
        return dict(json.loads((_base() / "seconds.json").read_text()))
    return {}


def _remember(name: str, seconds: float) -> None:
    """Files are put in place whole: two processes that write at once lose one figure and no more."""
    place = _base() / "seconds.json"
    with suppress(OSError):
        draft = place.with_suffix(f".{os.getpid()}")
        draft.write_text(json.dumps({**_seconds(), name: round(seconds, 2)}))
        draft.replace(place)


def _say(line: str) -> None:
    """On stderr and once, so that a first start does not look like a hang."""
    if line not in _said:
        _said.add(line)
        print(line, file=sys.stderr, flush=True)
