"""What may be said on a card, read off the models of :mod:`tabletop.editions`: a form is made of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from types import NoneType, UnionType
from typing import Any, Literal, TypedDict, Union, cast, get_args, get_origin

from pydantic import BaseModel

from tabletop.editions import OneOf, inside, opened, plain, tag_of, tagged

#: The words for a name by what it is of: ``("field", its name)``, ``(the tag, a kind of record)`` or
#: ``(the field, what may be chosen there)``.
Words = Callable[[str, str], str]


class Choice(TypedDict):
    """One of what may be chosen."""

    value: str
    words: str


class Shape(TypedDict, total=False):
    """What a value may be. Bounds that are missing are none."""

    kind: str  #: "number", "flag", "choice", "text", "list", "table", "record", "kinds" (records of several), "any"
    #: (whatever JSON can say), or "sort": a choice on which it depends what fields there are besides
    low: int
    high: int
    choices: Sequence[Choice]  #: of a choice; of a number: what may stand in its place
    of: Shape  #: an item of a list, a value of a table
    keys: Shape  #: of a table
    least: int  #: items
    most: int
    fields: Sequence[Part]  #: of a record
    tag: str  #: the field that says of which kind a record is
    kinds: Sequence[Sort]


class Part(TypedDict):
    """A field of a record."""

    name: str
    label: str
    shape: Shape
    needed: bool
    default: Any


class Sort(Choice):
    """One kind of record."""

    fields: Sequence[Part]


def shape(kind: Any, words: Words, under: str = "") -> Shape:
    """What a value of a type may be; ``under``: the field where it stands."""
    kind, rules = _opened(kind)
    if tag := tag_of(rules):
        return {"kind": "kinds", "tag": tag, "kinds": sorts(kind, tag, words)}
    if names := _names(kind, rules):
        return {"kind": "choice", "choices": _choices(names, words, under)}
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        return {"kind": "record", "fields": parts(kind, words)}
    bounds = _bounds(rules)
    if get_origin(kind) is list:
        return {"kind": "list", "of": shape(inside(kind, 0), words, under), **bounds}
    if get_origin(kind) is dict:
        keys, values = (shape(one, words, under) for one in get_args(kind))
        return {"kind": "table", "keys": keys, "of": values, **bounds}
    if get_origin(kind) in (Union, UnionType):
        return _either(kind, words, under)
    if kind is int:
        return {"kind": "number", **bounds}
    return {"kind": {bool: "flag", str: "text"}.get(kind, "any")}


def sorts(kind: Any, tag: str, words: Words) -> list[Sort]:
    """The kinds of record of a union."""
    return [{"value": name, "words": words(tag, name), "fields": parts(model, words, (tag,))}
            for name, model in tagged(kind, tag).items()]  # fmt: skip


def parts(model: type[BaseModel], words: Words, without: Collection[str] = ()) -> list[Part]:
    """The fields of a model; one may be left out where it is not needed."""
    found: list[Part] = []
    for name, field in model.model_fields.items():
        if name not in ("provenance", *without):
            default = None if field.is_required() else field.get_default(call_default_factory=True)
            found.append({"name": name, "label": words("field", name), "shape": shape(inside(model, name), words, name),
                          "needed": field.is_required(), "default": plain(default)})  # fmt: skip
    return found


def within(kind: Any, name: str, words: Words) -> tuple[str, Shape]:
    """The label and the shape of a field in a record's type, dotted where it is within another."""
    labels = []
    for part in name.split("."):
        kind = inside(kind, part)
        labels.append(words("field", part))
    return " · ".join(labels), shape(kind, words, name.rpartition(".")[2])


def _opened(kind: Any) -> tuple[Any, list[Any]]:
    """A type, and all rules around it one by one."""
    kind, rules = opened(kind)
    return kind, [one for rule in rules for one in (rule, *getattr(rule, "metadata", ()))]


def _choices(names: Collection[str], words: Words, under: str) -> list[Choice]:
    return [{"value": name, "words": words(under, name)} for name in names]


def _names(kind: Any, rules: Collection[Any]) -> tuple[str, ...]:
    """What may be chosen, where that is closed."""
    if get_origin(kind) is Literal:
        return tuple(map(str, get_args(kind)))
    return next((rule.func.choices for rule in rules if isinstance(getattr(rule, "func", None), OneOf)), ())


def _either(kind: Any, words: Words, under: str) -> Shape:
    """A number, or a word in its place; whatever else may be one thing or another is any."""
    members = [one for one in get_args(kind) if one is not NoneType]
    names = [name for one in members for name in _names(*_opened(one))]
    numbers = [one for one in members if opened(one)[0] is int]
    if len(numbers) != 1 or len(members) != 1 + sum(get_origin(one) is Literal for one in members):
        return {"kind": "any"}
    number = shape(numbers[0], words, under)
    return {**number, "choices": _choices(names, words, under)}


#: What rules call the bounds of numbers and of lengths, and shapes do.
BOUNDS = {"ge": "low", "le": "high", "min_length": "least", "max_length": "most"}


def _bounds(rules: Collection[Any]) -> Shape:
    """The bounds among a type's rules."""
    found = {ours: getattr(one, theirs) for theirs, ours in BOUNDS.items() for one in rules if hasattr(one, theirs)}
    return cast(Shape, found)
