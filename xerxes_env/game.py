"""Xerxes as a :class:`tabletop.game.Game`: engine, box, words and pictures under one name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tabletop.boxes import check_reset, kept, listed, pickled, several, together, whole
from tabletop.coach import owner
from tabletop.coach.parts import Deed, Field, Hand, Scene
from tabletop.files import text_of
from tabletop.game import DRAWN, LOST, WON, Record, Results, check_seat
from tabletop.positions import observable
from xerxes_env import actions, coach, content, deeds, engine, knowledge, laid_open, observation, render, words
from xerxes_env import box as boxes
from xerxes_env import constants as c
from xerxes_env.box import Edition, named
from xerxes_env.state import BOUNDS, SETUP, STATE

if TYPE_CHECKING:
    from tabletop.training.tasks import Task

PLAYERS = range(1, c.MAX_PLAYERS + 1)


class Xerxes:
    """The game with one edition of its box, or several. Get it from :func:`xerxes_env.load_game`."""

    name = "xerxes"
    version = 1
    seat_name = "satrap"
    n_actions = actions.N_ACTIONS
    max_seats = c.MAX_PLAYERS
    state, setup = STATE, SETUP
    causes: tuple[str, ...] = c.CAUSES
    clock = "round"
    labels: Mapping[str, tuple[str, ...]] = {"players": (), "box": ()}
    state_bounds: Mapping[str, tuple[float, float]] = BOUNDS
    team, zero_sum = False, False  # among rivals it is, alone a player wins or loses
    #: Seven rounds, in which a player is asked about 40 times at most; random games of four have up to 191 choices.
    max_decisions = 2000
    hidden_size = observation.HIDDEN_SIZE
    observation_low, observation_high = observation.LOW, observation.HIGH
    layout = observation.LAYOUT
    content_sets = content.sets()
    render_modes: tuple[str, ...] = ("ansi", "rgb_array", "svg")

    # What it has besides (tabletop.games.Extras)
    agents: Mapping[str, str] = {"scripted": "xerxes_env.agents.scripted:Scripted"}
    baselines: tuple[str, ...] = ("scripted", "random")
    checkpoint = "xerxes"
    shown: tuple[str, ...] = ("standard",)
    grid: Mapping[str, Sequence[Any]] = {"players": PLAYERS}
    options: Mapping[str, str] = {
        "players": "1 to 4 seats.",
        "satraps": "The satrap of each seat, by commas; by default drawn.",
    }
    groups: Mapping[str, Mapping[str, str]] = {"en": {
        "done": "end", "seat": "player", "joker": "any unit", "march": "march card", "tax": "tax card",
        "event": "yearly event",
    }, "ja": {
        "done": "終わり", "power": "特殊能力", "joker": "任意の軍事ユニット", "area": "エリア", "resource": "資源",
        "unit": "軍事ユニット", "seat": "プレイヤー", "building": "建物", "march": "行軍カード",
        "tax": "徴税カード", "event": "年次イベント", "satrap": "太守",
    }}  # fmt: skip

    reset = staticmethod(engine.reset)
    apply = staticmethod(engine.apply)
    answer, step = staticmethod(engine.answer), staticmethod(engine.step)
    legal = staticmethod(engine.legal)
    weights = staticmethod(engine.weights)
    sample = staticmethod(engine.sample)
    observe = staticmethod(engine.observe)
    rewards = staticmethod(engine.rewards)
    hidden = staticmethod(observation.hidden)

    def __init__(self, editions: tuple[Edition, ...] = (None,)) -> None:
        self.editions = editions
        every = [boxes.load(edition) for edition in editions]
        self.box: Record = np.concatenate([one.box for one in every])
        self.box.flags.writeable = False
        self.hashes = tuple(one.hash for one in every)
        self.edition: str = together(self.hashes)

    def __copy__(self) -> Xerxes:
        return self  # nobody changes it

    def __deepcopy__(self, memo: Any) -> Xerxes:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return pickled, (load, self.editions, self.edition)

    @cached_property
    def contents(self) -> NDArray[np.float32]:
        """What each choice names does in each box, float32 (boxes, n_actions, content.WIDTH)."""
        return content.table(self.box)

    @property
    def tasks(self) -> Mapping[str, Task]:
        """What is trained on and tested on."""
        from xerxes_env.tasks import TASKS

        return TASKS

    def with_editions(self, editions: Sequence[Edition]) -> Xerxes:
        """The game with other boxes; errors as of :func:`load`."""
        return load(editions)

    def boxes_of(self, split: str, boxes: str) -> Sequence[Edition]:
        """The boxes that the games of a cell are played on in turn: ``boxes`` is "random"."""
        from xerxes_env.tasks import boxes_of

        return boxes_of(split, boxes)

    def configure(self, players: int = 2, satraps: str | Sequence[str] | None = None, box: int = 0) -> Record:
        """A setup, shape (1,), dtype SETUP.

        Args:
            players: 1 to 4; one is the solo game.
            satraps: X-A2: the name of each seat's satrap, in a list or by commas; None: drawn as the game begins.
            box: which of the game's boxes.

        Raises:
            ValueError: a bad option; the message names the choices.
        """
        setup = np.zeros(1, SETUP)
        setup["box"] = whole("box", box, range(len(self.box)))
        setup["players"] = whole("players", players, PLAYERS)
        setup["satrap"] = c.NONE
        if satraps is not None:
            setup["satrap"][0, :players] = self._satraps(satraps, players, box)
        return setup

    def _satraps(self, satraps: str | Sequence[str], players: int, box: int) -> list[int]:
        if isinstance(satraps, str):
            satraps = [name.strip() for name in satraps.split(",")]
        names: list[Any] = list(satraps) if listed(satraps) else [satraps]
        if len(names) != players:
            raise ValueError(f"satraps are {names!r}, expected {players}, one for each seat")
        known = {name.lower(): i for i, name in enumerate(c.SATRAPS)}
        for name in names:
            if not isinstance(name, str) or name.lower() not in known:
                raise ValueError(f"satrap is {name!r}, choose from {', '.join(c.SATRAPS)}")
        found = [known[name.lower()] for name in names]
        mats = self.box["mat"][box][found].tolist()
        if len(set(mats)) < len(mats):
            sides = [" or ".join(c.SATRAPS[i] for i in np.flatnonzero(self.box["mat"][box] == m)) for m in range(4)]
            raise ValueError(f"satraps are {names!r}, choose at most one of each mat: {'; '.join(sides)}")
        return found

    def override(self, setup: Record, options: Mapping[str, Any]) -> Record:
        """A copy of a setup with the ``satraps`` of reset options."""
        check_reset(options, "satraps")
        changed = setup.copy()
        if "satraps" in options:
            players, satraps = self.seats(setup), options["satraps"]
            changed["satrap"] = c.NONE
            if satraps is not None:
                changed["satrap"][0, :players] = self._satraps(satraps, players, int(setup["box"][0]))
        return changed

    def seats(self, setup: Record) -> int:
        """The number of players."""
        return int(setup["players"][0])

    def secrets(self, setups: Record) -> NDArray[np.bool_]:
        """Wherever a player is not alone; alone, the own discards are known, and the decks are never drawn from."""
        return np.asarray(setups["players"] > 1)

    def results(self, states: Record) -> Results:
        """X-Z3, X-Z4, X-Z5: by rank; the score is VP. Alone: won with the VP that end the game."""
        rank, alone = states["rank"], states["players"] == 1
        shared = (rank == 1).sum(1, keepdims=True) > 1
        result = np.where(rank == 1, np.where(shared, DRAWN, WON), LOST) * (rank > 0)
        result[alone, 0] = np.where(states["cause"][alone] == 0, WON, LOST)
        return Results(result.astype(np.int8), rank.astype(np.int8), states["vp"].astype(np.float64))

    def resample(self, s: Record, seat: int, rng: np.random.Generator) -> Record:
        """As :func:`knowledge.resample`."""
        check_seat(self, s, seat, onlooker=False)
        return knowledge.resample(self.box, s, seat, rng)

    def turn_key(self, s: Record) -> tuple[int, ...]:
        """Changes where a plan of the seat that is asked ends: its turn."""
        return tuple(int(s[name][0]) for name in ("round", "phase", "second", "to_act"))

    def question(self, s: Record, lang: str = "en", seat: int | None = None) -> str:
        check_seat(self, s, seat)
        return words.question(s, lang)

    def words(self, s: Record, action: int, lang: str = "en", seat: int | None = None) -> str:
        return words.action(self._told(s, seat), s, action, lang)

    def group(self, action: int) -> str:
        return actions.block_of(action)[0]

    def describe(self, s: Record, lang: str = "en", seat: int | None = None) -> str:
        return render.describe(self._told(s, seat), s, lang, seat)

    def render(self, s: Record, mode: str, lang: str = "en", seat: int | None = None) -> Any:
        """Text, SVG text or uint8[h, w, 3] of a state, shape (1,)."""
        box = self._told(s, seat)
        if mode == "rgb_array":
            return render.rgb_array(box, s, seat)
        return render.svg(box, s, lang, seat) if mode == "svg" else render.text(box, s, lang, seat)

    def position(self, data: Mapping[str, Any]) -> Record:
        """The state, shape (1,), of a position (:mod:`xerxes_env.laid_open`) at its next decision or draw, not drawn
        here. ValueError says what is wrong."""
        return self.load({**data, "manual_chance": True})

    # For people with the real box (tabletop.coach.parts)

    def dump(self, s: Record) -> dict[str, Any]:
        """As :func:`laid_open.dump`."""
        return laid_open.dump(self._told(s, None), s)

    def load(self, position: Mapping[str, Any]) -> Record:
        """As :func:`laid_open.load`."""
        return observable(self, observation.PARTS, laid_open.load(self.box, position))

    def form(self, s: Record, lang: str = "en") -> Sequence[Field]:
        """As :func:`laid_open.form`: nothing that the seat that is asked may not know."""
        return list(laid_open.form(self._told(s, None), s, lang))

    def laid(self, setup: Record) -> Record:
        """As :func:`laid_open.laid`."""
        return laid_open.laid(self.box, setup)

    def scene(self, s: Record, lang: str = "en", seat: int | None = None) -> Scene:
        """The board: nothing on it is hidden."""
        return coach.scene(self._told(s, seat), s, lang)

    def place(self, s: Record, action: int) -> str | None:
        return coach.place(s, action)

    def facts(self, s: Record, seat: int | None = None) -> Mapping[str, int]:
        """As :func:`coach.facts`; None is the table's own phone, which is shown what all see."""
        check_seat(self, s, seat)
        return coach.facts(s, seat)

    def named(self, name: str, lang: str = "en") -> str:
        return coach.named(self.box[0], name, lang)

    def stage(self, s: Record, lang: str = "en") -> str:
        """The phase of the round; in the end how it ended."""
        return coach.stage(self._told(s, None), s, lang)

    def goal(self, s: Record, lang: str = "en") -> str:
        """What wins."""
        return coach.goal(self._told(s, None), s, lang)

    def deeds(self, made: Sequence[tuple[Record, int]], lang: str = "en", seat: int | None = None) -> Sequence[Deed]:
        """As :func:`deeds.deeds`."""
        return list(deeds.deeds(self, made, lang))

    def sees(self, s: Record, action: int, seat: int) -> bool:
        """As :func:`coach.sees`."""
        return coach.sees(s, seat)

    def cards(self, lang: str = "en") -> Sequence[Mapping[str, Any]]:
        return coach.cards(self.editions[0], lang)

    def card(self, card: str, lang: str = "en") -> Mapping[str, Any]:
        return coach.card(self.editions[0], card, lang)

    def differs(self, card: str, values: Mapping[str, Any]) -> Xerxes:
        """The game with what is printed on a card, which the owner's edition file now says."""
        coach.put_right(self.editions[0], card, values)
        return load(self.editions)

    def hands(self, s: Record, lang: str = "en", seat: int | None = None) -> Sequence[Hand]:
        """As :func:`coach.hands`; alone nothing is kept from anybody."""
        return coach.hands(self._told(s, seat), s, seat, lang)

    def edition_text(self) -> str:
        """The owner's edition file. ValueError: there is none, or it is no text."""
        return text_of(owner.file_of(self.editions[0], boxes.NAMED))

    def take_edition(self, text: str) -> Xerxes:
        """The game with another text of the owner's edition file."""
        coach.take(self.editions[0], text)
        return load(self.editions)

    def _told(self, s: Record, seat: int | None) -> Any:
        """The box of a state."""
        check_seat(self, s, seat)
        return self.box[int(s["box"][0])]


def load(editions: Edition | Sequence[Edition] = None) -> Xerxes:
    """The game with an edition, or with several, which setups name by their place; the same object while files hold
    the same.

    Raises:
        ValueError: there is none, or an edition is wrong or cannot be read; every problem has its line.
    """
    return _load(tuple(map(named, several(editions))))


@kept(8)
def _load(editions: tuple[Edition, ...]) -> Xerxes:
    return Xerxes(editions)
