"""Pergamemnon as a game of ``tabletop``: the functions of the engine, and what people and agents need besides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pergamemnon_env import coach, components, content, deeds, engine, knowledge, laid_open, observation, render, words
from pergamemnon_env import constants as c
from pergamemnon_env.components import Edition, named
from pergamemnon_env.state import DEPTH, PILES, SETUP, STATE
from tabletop.boxes import check_reset, kept, pickled, several, together, whole
from tabletop.coach import owner
from tabletop.coach.parts import Deed, Field, Hand, Scene
from tabletop.files import text_of
from tabletop.game import DRAWN, LOST, WON, Record, Results, block_of, check_seat
from tabletop.positions import observable

if TYPE_CHECKING:
    from tabletop.training.tasks import Task


class Pergamemnon:
    """See :class:`tabletop.game.Game`. A box is an edition; several make a game whose setups say which."""

    name = "pergamemnon"
    version = 1
    seat_name = "player"
    n_actions, max_seats = c.N_ACTIONS, c.MAX_SEATS
    state, setup = STATE, SETUP
    causes: tuple[str, ...] = c.CAUSES
    clock = "turn"
    labels: Mapping[str, tuple[str, ...]] = {"players": ()}
    team, zero_sum = False, True
    #: Of a turn there are fewer than 40, and no game has more than 300.
    max_decisions = 40 * c.TURNS
    render_modes: tuple[str, ...] = ("ansi", "rgb_array", "svg")
    hidden_size = observation.HIDDEN
    content_sets = observation.SETS
    observation_low, observation_high = observation.LOW, observation.HIGH
    layout = observation.LAYOUT
    state_bounds: Mapping[str, tuple[float, float]] = {
        **dict.fromkeys(PILES, (0, 2 * c.MAX_COPIES)), "turn": (0, c.TURNS), "charisma": (0, 60), "stock": (0, 60),
        "stack": (0, 20), "active": (0, 1), "weakened": (0, 1), "display": (0, 1), "unseen": (0, 1),
        "row": (0, c.KINDS),
        "player": (0, c.MAX_SEATS - 1), "place": (0, c.MAX_SEATS), "players": (2, c.MAX_SEATS),
        "sp": (0, DEPTH), "n_options": (0, c.N_ACTIONS),
    }  # fmt: skip

    agents: Mapping[str, str] = {"scripted": "pergamemnon_env.agents.scripted:Scripted"}
    baselines: tuple[str, ...] = ("scripted", "random")
    checkpoint = "pergamemnon"
    shown: tuple[str, ...] = ("standard", "any-box")
    grid: Mapping[str, Sequence[Any]] = {"players": c.PLAYERS}
    options: Mapping[str, str] = {"players": "2 to 5 seats."}
    groups: Mapping[str, Mapping[str, str]] = {"en": {"done": "end", "verb": "action", "seat": "player"}, "ja": {
        "verb": "行動", "done": "終わり", "weapon": "武器", "seat": "プレイヤー", "charisma": "カリスマ",
        "place": "置き場所", "card": "カード", "nation": "国家",
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
        loaded = [components.load(edition) for edition in editions]
        self.box: Record = np.concatenate([one.box for one in loaded])
        self.box.flags.writeable = False
        self.hashes = tuple(one.hash for one in loaded)
        self.edition: str = together(self.hashes)

    @cached_property
    def contents(self) -> NDArray[np.float32]:
        """What each card does in each box, float32 (boxes, n_actions, features)."""
        return content.table(self.box)

    @property
    def tasks(self) -> Mapping[str, Task]:
        """Those of :mod:`pergamemnon_env.tasks`."""
        from pergamemnon_env.tasks import TASKS

        return TASKS

    def boxes_of(self, split: str, boxes: int) -> Sequence[Edition]:
        """So many random boxes, which the games of a cell are played on in turn."""
        from pergamemnon_env.tasks import boxes_of

        return boxes_of(split, boxes)

    def with_editions(self, editions: Sequence[Edition]) -> Pergamemnon:
        """The game with other boxes; errors as of :func:`load`."""
        return load(editions)

    def __copy__(self) -> Pergamemnon:
        return self  # nobody changes it

    def __deepcopy__(self, memo: Any) -> Pergamemnon:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return pickled, (load, self.editions, self.edition)

    def configure(self, players: int = 4, box: int = 0) -> Record:
        """A setup, shape (1,), dtype SETUP.

        Args:
            players: 2 to 5.
            box: which of the game's boxes.

        Raises:
            ValueError: a bad option; the message names the choices.
        """
        setup = np.zeros(1, SETUP)
        setup["players"] = whole("players", players, c.PLAYERS)
        setup["box"] = whole("box", box, range(len(self.box)))
        return setup

    def override(self, setup: Record, options: Mapping[str, Any]) -> Record:
        """A copy: no option differs from game to game."""
        check_reset(options)
        return setup.copy()

    def seats(self, setup: Record) -> int:
        """The number of players."""
        return int(setup["players"][0])

    def secrets(self, setups: Record) -> NDArray[np.bool_]:
        """In all games: hands, and a card that lies face down."""
        return np.ones(len(setups), np.bool_)

    def results(self, states: Record) -> Results:
        """Who is first has won, who share the first place have drawn; scores are points, also half ones."""
        place = states["place"].astype(np.int8)
        shared = (place == 1).sum(1, keepdims=True) > 1
        result = np.where(place == 1, np.where(shared, DRAWN, WON), LOST) * (place > 0)
        return Results(result.astype(np.int8), place, states["points"] / 2 * (place > 0))

    def resample(self, s: Record, seat: int, rng: np.random.Generator) -> Record:
        """As :func:`knowledge.resample`."""
        check_seat(self, s, seat, onlooker=False)
        return knowledge.resample(self.box, s, seat, rng)

    def turn_key(self, s: Record) -> tuple[int, ...]:
        """Changes where a plan of the seat that is asked ends (:mod:`tabletop.agents.plans`): its turn, or where cards
        that lie face down are revealed."""
        return int(s["turn"][0]), int(s["open"][0])

    def told(self, s: Record) -> Any:
        """Figures of a state, shape (1,), that lie open: a record, dtype ``engine.FIGURES``."""
        out = np.zeros(1, engine.FIGURES)
        engine.tell(self.box, s, out)
        return out[0]

    def question(self, s: Record, lang: str = "en", seat: int | None = None) -> str:
        check_seat(self, s, seat)
        return words.question(self._box(s)[0], s, self.told(s), lang)

    def words(self, s: Record, action: int, lang: str = "en", seat: int | None = None) -> str:
        check_seat(self, s, seat)
        block_of(c.BLOCKS, action)  # an error where there is no such choice
        return words.choice(self._box(s)[0], s, action, lang)

    def group(self, action: int) -> str:
        return block_of(c.BLOCKS, action)[0]

    def describe(self, s: Record, lang: str = "en", seat: int | None = None) -> str:
        check_seat(self, s, seat)
        return render.describe(self._box(s)[0], s, self.told(s), lang, seat)

    def render(self, s: Record, mode: str, lang: str = "en", seat: int | None = None) -> Any:
        """Text, SVG text or uint8[h, w, 3] of a state, shape (1,)."""
        check_seat(self, s, seat)
        box, told = self._box(s)[0], self.told(s)
        if mode == "ansi":
            return f"{render.describe(box, s, told, lang, seat)}\n> {words.question(box, s, told, lang)}\n"
        scene = render.scene(box, s, told, lang if mode == "svg" else "en", seat)
        return render.svg(scene) if mode == "svg" else render.pixels(scene)

    def position(self, data: Mapping[str, Any]) -> Record:
        """The state, shape (1,), of a position (:mod:`pergamemnon_env.laid_open`) at its next decision or draw, not
        drawn here. ValueError says what is wrong."""
        return self.load({**data, "manual_chance": True})

    # For people with the real box (tabletop.coach.parts)

    def dump(self, s: Record) -> dict[str, Any]:
        """As :func:`laid_open.dump`."""
        return laid_open.dump(self._box(s)[0], s, self.question(s))

    def load(self, position: Mapping[str, Any]) -> Record:
        """As :func:`laid_open.load`."""
        return observable(self, observation.PARTS, laid_open.load(self.box, position))

    def form(self, s: Record, lang: str = "en") -> Sequence[Field]:
        """As :func:`laid_open.form`: nothing that the seat that is asked may not know."""
        return list(laid_open.form(self._box(s)[0], s, self.question(s, lang), lang))

    def laid(self, setup: Record) -> Record:
        """As :func:`laid_open.laid`."""
        return laid_open.laid(self.box, setup)

    def scene(self, s: Record, lang: str = "en", seat: int | None = None) -> Scene:
        """The picture of :meth:`render`, in layers."""
        check_seat(self, s, seat)
        return coach.scene(self._box(s)[0], s, self.told(s), lang, seat)

    def place(self, s: Record, action: int) -> str | None:
        return coach.place(s, action)

    def facts(self, s: Record, seat: int | None = None) -> Mapping[str, int]:
        """As :func:`coach.facts`; None is the table's own phone, which is shown what all see."""
        check_seat(self, s, seat)
        return coach.facts(s, seat)

    def named(self, name: str, lang: str = "en") -> str:
        return coach.named(name, lang)

    def stage(self, s: Record, lang: str = "en") -> str:
        return coach.stage(s, lang)

    def goal(self, s: Record, lang: str = "en") -> str:
        """What wins, and when it ends."""
        return words.word("coach", "goal", lang)

    def deeds(self, made: Sequence[tuple[Record, int]], lang: str = "en", seat: int | None = None) -> Sequence[Deed]:
        """As :func:`deeds.deeds`."""
        return list(deeds.deeds(self, made, lang, seat))

    def sees(self, s: Record, action: int, seat: int) -> bool:
        """As :func:`coach.sees`."""
        return coach.sees(s, seat)

    def cards(self, lang: str = "en") -> Sequence[Mapping[str, Any]]:
        return coach.cards(self.editions[0], lang)

    def card(self, card: str, lang: str = "en") -> Mapping[str, Any]:
        return coach.card(self.editions[0], card, lang)

    def differs(self, card: str, values: Mapping[str, Any]) -> Pergamemnon:
        """The game with what is printed on a card, which the owner's edition file now says."""
        coach.put_right(self.editions[0], card, values)
        return load(self.editions)

    def hands(self, s: Record, lang: str = "en", seat: int | None = None) -> Sequence[Hand]:
        """As :func:`coach.hands`."""
        check_seat(self, s, seat)
        return coach.hands(self._box(s)[0], s, seat, lang)

    def edition_text(self) -> str:
        """The owner's edition file. ValueError: there is none, or it is no text."""
        return text_of(owner.file_of(self.editions[0]))

    def take_edition(self, text: str) -> Pergamemnon:
        """The game with another text of the owner's edition file."""
        coach.take(self.editions[0], text)
        return load(self.editions)

    def _box(self, s: Record) -> Record:
        """The box of a state, shape (1,)."""
        return self.box[int(s["box"][0])][None]


def load(editions: Edition | PathLike[str] | Sequence[Edition | PathLike[str]] = None) -> Pergamemnon:
    """The game with an edition, or with several, which setups name by their place; the same object while files hold
    the same.

    Raises:
        ValueError: there is none, or an edition is wrong or cannot be read; every problem has its line.
    """
    return _load(tuple(map(named, several(editions))))


@kept(8)
def _load(editions: tuple[Edition, ...]) -> Pergamemnon:
    return Pergamemnon(editions)
