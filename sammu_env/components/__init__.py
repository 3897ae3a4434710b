"""The box as data: read ``data/*.toml`` and an edition file, validate, and compile to the BOX record.

Every value says where it comes from: ``rulebook`` (with page or card), ``public`` or ``reconstructed``; a value that an
edition file gives is ``edition``. The format of the files is :mod:`schema`, what must hold between values :mod:`checks`
and :mod:`wins`; reading and overlaying is :mod:`tabletop.editions`.
"""

from __future__ import annotations

import json
import pickle
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from os import PathLike
from os.path import isfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from sammu_env.components.checks import problems
from sammu_env.components.compile import compile_box
from sammu_env.components.edition import DATA, base, shipped
from sammu_env.components.random import random_box
from sammu_env.components.rungs import eased
from sammu_env.components.schema import IDS, Box, Character
from tabletop import boxes, editions
from tabletop.editions import EditionError, Record, content_hash, plain, read_toml

#: Fields that no game is played with: they do not count for the edition's hash.
WORDS = ("title", "title_ja", "text", "text_ja", "monthly_text", "monthly_text_ja", "note", "note_ja", "gives_way")


class Drawn(NamedTuple):
    """A random box (:func:`random.random_box`): the same for the same numbers; its values are ``edition, drawn``."""

    seed: int  #: 0 to 2**31 - 1
    difficulty: float = 0.5  #: 0, rich, to 1, bare


class Eased(NamedTuple):
    """The standard box with richer setup sides, win conditions that ask for less, and more start goods
    (:func:`rungs.eased`), as ``edition, eased``."""

    ease: float  #: 0, the standard box itself, to 1, the easiest


#: The editions that are shipped beside the standard one: ``data/editions/*.toml``.
BESIDE = ("novice", "expert")
STANDARD = "standard"
CHOICES = f"choose one of {', '.join((STANDARD, *BESIDE))}, or a TOML file"
#: What names a box: one that is shipped, an edition file, a random one, an eased one, or None for the standard one.
Edition = str | PathLike[str] | Drawn | Eased | None


@dataclass(frozen=True, eq=False)
class Components:
    """One edition of the box.

    Attributes:
        box: record array of shape (1,), dtype ``box.BOX``, read-only: what the engine plays with.
        hash: sha256 of the content that matters for play, in hex: the edition's name in a game log.
        content: the validated models, for words and listings.
        source: where the values came from: ``data`` or the edition file.
    """

    box: np.ndarray
    hash: str
    content: Box
    source: str

    def card(self, card_id: str) -> Record:
        """The card, marker or technology with this id (``SAM-026``, ``raid``, ``Shield``).

        Raises:
            KeyError: no such card.
        """
        if card_id not in self.cards:
            raise KeyError(f"no card {card_id!r}: expected SAM-001 to SAM-198, a marker or a technology")
        return self.cards[card_id]

    @cached_property
    def cards(self) -> dict[str, Record]:
        """Every card and table by its id."""
        return dict(self.content.records())

    def provenance(self) -> Iterator[tuple[str, str, Any, str]]:
        """(id, field, value, provenance) of every value in the box."""
        for card_id, record in self.content.records():
            for field, value, source in record.sourced():
                yield card_id, field, value, source

    def cards_table(self, unverified: bool = False) -> list[tuple[str, str, str, str]]:
        """Rows (id, field, value, provenance) to show; only what is ``reconstructed`` when ``unverified``."""
        return [
            (card_id, field, _plain(value), source)
            for card_id, field, value, source in self.provenance()
            if not unverified or source.startswith("reconstructed")
        ]

    def title(self, card_id: str, language: str = "en") -> str:
        """Name of an event, challenge, character, marker or technology; an Ashur card's is its id: its name is lost."""
        record = self.card(card_id)
        if isinstance(record, Character):
            return record.title_ja if language == "ja" else record.name
        return str(getattr(record, "title_ja" if language == "ja" else "title", card_id))

    def text(self, card_id: str, language: str = "en") -> str:
        """What the card says; of a character, each side in turn; of a challenge, its win condition."""
        record, field = self.card(card_id), "text_ja" if language == "ja" else "text"
        if isinstance(record, Character):
            sides = [getattr(record, side) for side in ("public", "personal", "solo", "side_a", "side_b")]
            return "\n".join(getattr(side, field) for side in sides if side)
        return str(getattr(record, field, ""))

    def summary(self) -> list[tuple[str, int, int, int, int]]:
        """Rows (section, rulebook, public, reconstructed, edition): how many values of each come from where."""
        count: dict[str, Counter[str]] = {}
        for card_id, field, _, source in self.provenance():
            section = next((name for name, ids in IDS.items() if card_id in ids), card_id)
            section += ".setup" if field.startswith("setup.") else ""
            count.setdefault(section, Counter())[source.split()[0].rstrip(",:")] += 1
        kinds = ("rulebook", "public", "reconstructed", "edition")
        return [(section, *(n[kind] for kind in kinds)) for section, n in count.items()]  # type: ignore[misc]

    def summary_table(self) -> str:
        """:meth:`summary` as the Markdown table of ``docs/data.md``."""
        rows = self.summary()
        total = ("all", *(sum(int(row[i]) for row in rows) for i in range(1, 5)))
        lines = ["| section | rulebook | public | reconstructed | edition |", "|---|---:|---:|---:|---:|"]
        return "\n".join(lines + [f"| {' | '.join(str(cell) for cell in row)} |" for row in (*rows, total)])


def _plain(value: Any) -> str:
    """A value as one line of text."""
    return value if isinstance(value, str) else json.dumps(plain(value, WORDS), ensure_ascii=False)


def _built(b: Box, source: str) -> Components:
    compiled = compile_box(b)
    compiled.flags.writeable = False
    return Components(compiled, content_hash(b, WORDS), b, source)


@lru_cache(maxsize=1)
def _default() -> Components:
    return _built(shipped(), "data")


@lru_cache(maxsize=1)
def _pickled() -> bytes:
    """The values as shipped: unpickling them is the fastest copy."""
    return pickle.dumps(base())


def named(edition: Edition) -> Edition:
    """The one name of each edition: None of the standard one, one of :data:`BESIDE`, a random or an eased box, or the
    whole path of a file.

    A file that is called like an edition which is shipped has a path that says so: ``./novice``, or a ``Path``.

    Raises:
        ValueError: it is none, or a seed, a difficulty or an ease is out of its range.
    """
    if isinstance(edition, Drawn):
        seed = boxes.whole("box_seed", edition.seed, boxes.SEEDS)
        return Drawn(seed, boxes.share("difficulty", edition.difficulty))
    if isinstance(edition, Eased):
        ease = boxes.share("ease", edition.ease)
        return Eased(ease) if ease else None
    if edition is None or (isinstance(edition, str) and edition in (STANDARD, *BESIDE)):
        return None if edition == STANDARD else edition
    if not isinstance(edition, (str, PathLike)) or not (Path(edition).suffix or isfile(edition)):
        raise EditionError([f"edition is {edition!r}, {CHOICES}"])
    try:
        return boxes.whole_path(edition)
    except ValueError as error:
        raise EditionError([str(error)]) from None


def load(edition: Edition | Components = None) -> Components:
    """The box; with an edition file, the box with that file's values in place of the printed ones.

    Args:
        edition: "standard", "novice" or "expert", a TOML file as described in ``docs/data.md``, a random or an eased
            box. None: the standard box. Of a box that is shipped, or a file that has not changed, the same object each
            time. What is loaded already is given back.

    Raises:
        EditionError: a wrong id, field, name or number; every problem has its line. Nothing is half-loaded.
    """
    if isinstance(edition, Components):
        return edition
    edition = named(edition)
    if edition is None:
        return _default()
    if isinstance(edition, Drawn):
        return _drawn(*edition)
    if isinstance(edition, Eased):
        return _eased(*edition)
    if edition in BESIDE:
        return _beside(str(edition))
    return _of_file(str(edition))


@boxes.kept(8)
def _of_file(name: str) -> Components:
    """Of a file: whoever plays with one asks for it at every word."""
    return overlaid(read_toml(Path(name)), name)


@lru_cache(maxsize=len(BESIDE))
def _beside(name: str) -> Components:
    return overlaid(read_toml(DATA / "editions" / f"{name}.toml"), name, f"edition, {name}")


@lru_cache(maxsize=64)
def _drawn(seed: int, difficulty: float) -> Components:
    values = random_box(seed, difficulty)
    return overlaid(values, f"random box {seed}, difficulty {difficulty:g}", "edition, drawn")


@lru_cache(maxsize=64)
def _eased(ease: float) -> Components:
    return overlaid(eased(_default().content, ease), f"the standard box, eased {ease:g}", "edition, eased")


def played_with(s: np.ndarray, edition: Edition | Components = None) -> Components:
    """The box of a state, shape (1,), that is played with an edition.

    Raises:
        ValueError: the state is of a game with several boxes, and not of the first.
        EditionError: as :func:`load`.
    """
    if which := int(s["box"][0]):
        raise ValueError(f"the state is played with box {which} of several: name its edition, and set its box to 0")
    return load(edition)


def overlaid(values: Mapping[str, Any], source: str, mark: str = "edition") -> Components:
    """The box with these values, as an edition file has them, in place of the printed ones.

    Args:
        values: sections, cards and fields as in ``docs/data.md``.
        source: what to call them in messages.
        mark: their provenance.

    Raises:
        EditionError: as :func:`load`.
    """
    return _built(editions.overlaid(Box, pickle.loads(_pickled()), values, source, mark, problems), source)


def check(path: str | Path) -> list[str]:
    """The problems of an edition file, one line each; none when it can be loaded."""
    try:
        _of_file(str(path))
    except EditionError as error:
        return error.problems
    return []
