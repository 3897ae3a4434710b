"""Cards as data: values in TOML files that say where they come from, an edition's values over them, clear errors.

A game says what its files may hold as models: a :class:`Record` for each kind of card or table row, and one model of
the whole box, whose fields are the sections of the files. What may stand where, which sections hold cards by id and
which cards come in several kinds is read off the models.
"""

from __future__ import annotations

import difflib
import hashlib
import json
import re
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, ClassVar, Generic, TypeVar, Union, get_args, get_origin

import numpy as np
from pydantic import AfterValidator, BaseModel, ConfigDict, ValidationError, model_validator
from pydantic.fields import FieldInfo

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Box = TypeVar("Box", bound=BaseModel)


class EditionError(ValueError):
    """The box cannot be built. ``problems`` has one line for each: file, card, field, what was found and expected."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


# --- what models are made of -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OneOf:
    """A validator whose message names the choices and the nearest one."""

    choices: tuple[str, ...]

    def __call__(self, value: str) -> str:
        if value in self.choices:
            return value
        raise ValueError(f"expected one of {', '.join(self.choices)}{_near(value, self.choices)}")


def one_of(choices: tuple[str, ...]) -> AfterValidator:
    """For a name: ``Annotated[str, one_of(("red", "blue"))]``."""
    return AfterValidator(OneOf(choices))


class Strict(BaseModel):
    """A model that refuses fields that it does not name, and values of another type."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Record(Strict):
    """A card, a place or a table row: values, and for each of them where it comes from.

    ``provenance`` names a field, or ``rest`` for all that it does not name. A game may know other sources: then it has
    a record of its own, with ``SOURCE``, which they match, and ``SOURCES``, which says them; and ``BESIDES``, what
    else its provenance may name, as the name under which the record stands.
    """

    SOURCE: ClassVar[re.Pattern[str]] = re.compile(r"(rulebook p\.\d+|public|reconstructed|edition)\b")
    SOURCES: ClassVar[str] = "'rulebook p.N', 'public' or 'reconstructed'"
    BESIDES: ClassVar[tuple[str, ...]] = ()

    provenance: dict[str, str]

    @model_validator(mode="after")
    def _every_value_has_a_source(self) -> Record:
        fields = [name for name, _ in self._own()]
        for name, source in self.provenance.items():
            if name not in (*type(self).model_fields, *self.BESIDES, "rest"):
                raise ValueError(f"provenance names {name!r}, expected one of "
                                 f"{', '.join(('rest', *fields, *self.BESIDES))}")  # fmt: skip
            if not self.SOURCE.match(source):
                raise ValueError(f"provenance {source!r}, expected {self.SOURCES}")
        bare = [name for name in fields if name not in self.provenance and "rest" not in self.provenance]
        if bare:
            raise ValueError(f"provenance is missing for {', '.join(bare)}")
        return self

    def _own(self) -> Iterator[tuple[str, Any]]:
        """The values of this record itself, without the records in it."""
        for name in type(self).model_fields:
            value = getattr(self, name)
            if name != "provenance" and value is not None and not _holds_records(value):
                yield name, value

    def sourced(self) -> Iterator[tuple[str, Any, str]]:
        """(field, value, provenance) of this record and of the records in it, dotted."""
        for name, value in self._own():
            yield name, value, self.provenance.get(name, self.provenance.get("rest", ""))
        for name in type(self).model_fields:
            value = getattr(self, name)
            if isinstance(value, Record):
                yield from ((f"{name}.{field}", *rest) for field, *rest in value.sourced())
            elif isinstance(value, dict) and _holds_records(value):
                for key, record in value.items():
                    yield from ((f"{name}.{key}.{field}", *rest) for field, *rest in record.sourced())


def _holds_records(value: Any) -> bool:
    if isinstance(value, dict):
        return bool(value) and all(isinstance(item, Record) for item in value.values())
    return isinstance(value, Record)


# --- reading, overlaying, checking -----------------------------------------------------------------------------------


def read_toml(path: Path) -> dict[str, Any]:
    """The values of a TOML file.

    Raises:
        EditionError: it cannot be read, or is no TOML.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise EditionError([f"{path}: cannot be read: {error.strerror}"]) from error
    except RecursionError as error:
        raise EditionError([f"{path}: not a TOML file: brackets within brackets, too many"]) from error
    except ValueError as error:  # TOML, UTF-8, or a number of thousands of digits
        raise EditionError([f"{path}: not a TOML file: {error}"]) from error


def nothing_more(box: Any) -> list[str]:
    """No problems between values."""
    return []


def validated(
    model: type[Box], tree: Mapping[str, Any], source: str, checks: Callable[[Box], list[str]] = nothing_more
) -> Box:
    """The values of all sections as a box.

    Args:
        model: that of the box.
        source: what to call the values in messages.
        checks: what else is wrong with a box whose every value is possible, one line each.

    Raises:
        EditionError: every problem has its line: ``source: card: field: found, expected``.
    """
    try:
        box = model.model_validate(tree)
    except ValidationError as error:
        lines = _together(_line(model, item) for item in error.errors(include_url=False))
        raise EditionError([f"{source}: {line}" for line in lines]) from error
    if found := checks(box):
        raise EditionError([f"{source}: {line}" for line in found])
    return box


def overlaid(
    model: type[Box],
    printed: dict[str, Any],
    values: Mapping[str, Any],
    source: str,
    mark: str = "edition",
    checks: Callable[[Box], list[str]] = nothing_more,
) -> Box:
    """The box with an edition's values in place of the printed ones.

    Cards are found by their ids, and each field is replaced as a whole. A card that becomes one of another kind keeps
    nothing of the old one.

    Args:
        printed: all sections as they are read from the shipped files, changed in place: hand over a copy.
        values: sections, cards and fields of the edition; where they come from is not said there.
        mark: the provenance of the new values.
        model, source, checks: as of :func:`validated`.

    Raises:
        EditionError: as of :func:`validated`; also where the edition names what there is not.
    """
    problems = list[str]()
    _overlay(model, model, printed, dict(values), [], problems, mark)
    problems = [f"{source}: {line}" for line in problems]
    try:
        box = validated(model, printed, source, checks)
    except EditionError as error:
        raise EditionError(problems + error.problems) from error
    if problems:
        raise EditionError(problems)
    return box


def _overlay(
    model: type[BaseModel],
    kind: Any,
    node: dict[str, Any],
    over: Any,
    path: list[str],
    problems: list[str],
    mark: str,
) -> None:
    """Puts values over those of a node, which is a ``kind`` of the box's ``model``."""
    if not isinstance(over, dict):
        problems.append(f"{_where(model, path) or 'file'}: found {_shown(over)}, expected a table of values")
        return
    kind, rules = opened(kind)
    if tag := tag_of(rules):
        if over.get(tag, node[tag]) != node[tag]:  # another kind of card has other fields: nothing of the old one stays
            node.clear()
            node["provenance"] = {}
        kind = tagged(kind, tag).get(str(node.get(tag)))
    for key, value in over.items():
        inner = node.get(key)
        if key == "provenance":
            problems.append(
                f"{_where(model, path)}: found 'provenance', expected values only: they are marked {mark!r}"
            )
        elif isinstance(inner, dict) and ("provenance" in inner or _all_records(inner)):
            _overlay(model, inside(kind, key), inner, value, [*path, key], problems, mark)
        elif inner is None and "provenance" in node and _holds_a_record(inside(kind, key)):
            names = [name for name, item in node.items() if isinstance(item, dict) and "provenance" in item]
            problems.append(
                f"{_where(model, path)}: found {key!r}, expected no such table; there are {', '.join(names) or 'none'}"
            )
        elif "provenance" not in node:  # a table of records by id
            problems.append(f"{_where(model, path) or 'sections'}: found {key!r}, {_expected(key, list(node))}")
        else:
            node[key] = value
            node["provenance"][key] = mark


def _holds_a_record(kind: Any) -> bool:
    """Whether what may stand there is a record of its own: an edition changes those that there are, and makes none."""
    kind = opened(kind)[0]
    return isinstance(kind, type) and issubclass(kind, Record)


def _all_records(node: dict[str, Any]) -> bool:
    return bool(node) and all(isinstance(item, dict) and "provenance" in item for item in node.values())


def plain(value: Any, without: Collection[str] = ()) -> Any:
    """Models as plain data, without provenance and the fields named."""
    if isinstance(value, BaseModel):
        names = [name for name in type(value).model_fields if name != "provenance" and name not in without]
        return {name: plain(getattr(value, name), without) for name in names if getattr(value, name) is not None}
    if isinstance(value, dict):
        return {key: plain(item, without) for key, item in value.items()}
    return [plain(item, without) for item in value] if isinstance(value, list) else value


def content_hash(box: BaseModel, without: Collection[str] = ()) -> str:
    """A game's ``edition``: sha256, in hex, of what is played with.

    Provenance does not count, nor the fields named: words may be corrected without touching old logs.
    """
    text = json.dumps(plain(box, without), sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


@dataclass(frozen=True, eq=False)
class Components(Generic[Box]):
    """One edition of a box: what its files say, the record that rules read, and the name of both in logs."""

    content: Box
    box: np.ndarray  #: shape (1,), read-only
    hash: str

    @classmethod
    def of(cls, content: Box, box: np.ndarray) -> Components[Box]:
        """Of what files say, and the record (1,) that it was compiled to."""
        box.flags.writeable = False
        return cls(content, box, content_hash(content))

    def table(self) -> Iterator[tuple[str, str, Any, str]]:
        """Every value with where it comes from: row, field, value, provenance; a name that has one is a value too."""
        for section in type(self.content).model_fields:
            rows = getattr(self.content, section)
            for name, row in rows.items() if isinstance(rows, dict) else [("", rows)]:
                where = f"{section}.{name}".rstrip(".")
                if "name" in row.provenance:
                    yield where, "name", name, row.provenance["name"]
                for field, value, provenance in row.sourced():
                    yield where, field, value, provenance


# --- what is wrong, and where ----------------------------------------------------------------------------------------


def _together(lines: Iterable[str]) -> list[str]:
    """One line for what may be a number or a word and is neither; pydantic has an error for each."""
    found: dict[str, str] = {}
    for line in lines:
        what, _, expected = line.partition(", expected ")
        found[what] = f"{found[what]} or {expected}" if expected and what in found else line
    return list(found.values())


def _line(model: type[BaseModel], item: Any) -> str:
    """One of pydantic's errors as ``card: field: found, expected``."""
    path, holder, kind = _place(model, item["loc"])
    where = _where(model, path)
    found, message = item["input"], item["msg"].removeprefix("Value error, ")
    if item["type"] == "missing":
        return f"{where}: missing, expected a value"
    if item["type"] == "extra_forbidden":
        names = tuple(name for name in holder.model_fields if name != "provenance") if holder else ()
        hint = f"; there are {', '.join(names)}{_near(path[-1], names)}" if names else ""
        return f"{_where(model, path[:-1])}: found {path[-1]!r}, expected no such field{hint}"
    if item["type"].startswith("union_tag"):
        tag = item["ctx"]["discriminator"].strip("'")
        tags = ", ".join(repr(name) for name in tagged(opened(kind)[0], tag))
        given = "missing" if item["type"] == "union_tag_not_found" else f"found {_shown(found[tag])}"
        return f"{where}.{tag}: {given}, expected one of {tags}"
    if item["type"] in ("too_long", "too_short"):
        n, most = item["ctx"]["actual_length"], item["ctx"].get("max_length")
        bound = f"at least {item['ctx']['min_length']}" if most is None else f"at most {most}"
        return f"{where}: found {n} item{'' if n == 1 else 's'}, expected {bound}"
    if isinstance(found, dict) and item["type"] == "value_error":  # it names what of the table is wrong
        return f"{where}: {message}"
    return f"{where}: found {_shown(found)}, {message.replace('Input should be', 'expected')}"


def _place(model: type[BaseModel], loc: tuple[int | str, ...]) -> tuple[list[str], type[BaseModel] | None, Any]:
    """Where in the file an error is, the model in which its last name stands, and the type of what stands there."""
    path: list[str] = []
    kind: Any = model
    holder: type[BaseModel] | None = None
    for part in loc:
        kind, rules = opened(kind)
        if tag := tag_of(rules):  # the kind of card is no part of the path
            kind = tagged(kind, tag).get(str(part))
        elif get_origin(kind) in (Union, UnionType):  # nor is which of several types was tried
            kind = None
        elif part == "[key]":  # a name on the left of "=": the found value says it
            path.pop()
        else:
            path.append(f"[{part}]" if isinstance(part, int) else part)
            holder = kind if isinstance(kind, type) and issubclass(kind, BaseModel) else None
            kind = inside(kind, part)
    return path, holder, kind


def _where(model: type[BaseModel], path: list[str]) -> str:
    """``event.12: banner[0].kind`` of a path; of a section that has no ids, ``map: roads[0]``."""
    section = opened(inside(model, path[0]))[0] if path else None
    n = 2 if get_origin(section) is dict else 1
    text = ".".join(path[n:]).replace(".[", "[")
    return ".".join(path[:n]) + (f": {text}" if text else "")


def opened(kind: Any) -> tuple[Any, list[Any]]:
    """A type without what stands around it, and the rules that stand there, the outermost first."""
    rules: list[Any] = []
    while True:
        if get_origin(kind) is Annotated:
            kind, *more = get_args(kind)
            rules += more
        elif get_origin(kind) in (Union, UnionType) and len(others := set(get_args(kind)) - {NoneType}) == 1:
            (kind,) = others
        else:
            return kind, rules


def tag_of(rules: Collection[Any]) -> str:
    """The field that tells the members of a union apart, among the rules that stand around it."""
    return next((rule.discriminator for rule in rules if getattr(rule, "discriminator", None)), "")


def tagged(kind: Any, tag: str) -> dict[str, type[BaseModel]]:
    """The members of a union by what their tag says."""
    return {str(name): one for one in get_args(kind) for name in get_args(one.model_fields[tag].annotation)}


def inside(kind: Any, part: int | str) -> Any:
    """The type of what lies under a name or number, None where that is not known."""
    kind = opened(kind)[0]
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        field: FieldInfo | None = kind.model_fields.get(str(part))
        return Annotated[field.annotation, field] if field else None
    return get_args(kind)[-1] if get_origin(kind) in (dict, list) else None


def _shown(value: Any) -> str:
    """A value that was found, as short as a line can bear."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # digits or brackets by the thousand
        text = f"something of type {type(value).__name__}"
    return text if len(text) <= 200 else f"{text[:200]}..."


def _expected(found: str, choices: list[str]) -> str:
    named = ", ".join(choices) if len(choices) <= 30 else f"{choices[0]} to {choices[-1]}"
    return f"expected one of {named}{_near(found, choices, 0.5)}"


def _near(found: str, choices: Collection[str], least: float = 0.6) -> str:
    near = difflib.get_close_matches(found, choices, 1, least)
    return f" (did you mean {near[0]!r}?)" if near else ""
