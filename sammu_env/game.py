"""Sammu-Ramat as a :class:`tabletop.game.Game`: engine, box, words and pictures under one name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sammu_env import actions, components, content, engine, knowledge, observation, position, render, words
from sammu_env import constants as c
from sammu_env.coach import cards, deeds, facts, hands, picture, positions
from sammu_env.components import Components, Drawn, Edition, named
from sammu_env.constants import CHALLENGES, LETTERS, PLAYERS, RANDOM, START_GOODS
from sammu_env.state import BOUNDS, SETUP, STATE
from tabletop import record
from tabletop.boxes import check_reset, kept, pickled, several, together, whole
from tabletop.coach.parts import Deed, Field, Hand, Scene
from tabletop.game import WON, Record, Results, check_flag, check_seat, team_results
from tabletop.languages import LANGUAGES
from tabletop.observation import bounds, layout_hash
from tabletop.positions import observable

if TYPE_CHECKING:
    from tabletop.training.tasks import Task


class SammuRamat:
    """The game with one edition of its box, or several. Get it from :func:`sammu_env.load_game`."""

    name = "sammu_ramat"
    version = 1
    seat_name = "advisor"
    n_actions = actions.N_ACTIONS
    max_seats = c.MAX_PLAYERS
    state, setup = STATE, SETUP
    causes: tuple[str, ...] = c.CAUSES
    clock = "month"
    labels: Mapping[str, tuple[str, ...]] = {"challenge": CHALLENGES, "players": (), "box": ()}
    state_bounds: Mapping[str, tuple[float, float]] = BOUNDS
    team, zero_sum = True, False
    #: Five challenges of up to 8 months, and 500 choices of a seat in a month. No turn goes round for nothing: a verb
    #: costs an action (U12) or one of 5 free ones (A12), or may be used once a month (suns, Amenirdis, SAM-010), and a
    #: character that is left is not taken up again until something is done (A13). That 500 is enough is not proven, but
    #: generous: of 120,000 random games, 20,000 of them campaigns, the longest had 569 choices in all.
    max_decisions = 5 * c.MAX_MONTHS * c.MAX_PLAYERS * 500
    hidden_size = observation.HIDDEN_SIZE
    content_sets = content.sets()
    render_modes: tuple[str, ...] = ("ansi", "rgb_array", "svg")

    # What it has besides (tabletop.games.Extras)
    in_parts = "campaign"
    spare = tuple(part.slice for part in observation.layout() if part.name in observation.SPARE)
    agents: Mapping[str, str] = {
        "scripted": "sammu_env.agents.scripted:Scripted",
        "planner": "sammu_env.agents.planner:Planner",
    }
    baselines: tuple[str, ...] = ("scripted", "random")
    checkpoint = "ppo"
    proposers: tuple[str, ...] = ("planner:width=48,tries=48,threads=1", "planner:width=96,tries=48,plans=4,threads=1")
    shown: tuple[str, ...] = ("standard", "hidden-hands", "campaign")
    grid: Mapping[str, Sequence[Any]] = {"challenge": CHALLENGES, "players": PLAYERS}
    drawn: Mapping[str, Any] = {"challenge": RANDOM}
    options: Mapping[str, str] = {
        "challenge": f"{CHALLENGES[0]} to {CHALLENGES[-1]}, or {RANDOM}.",
        "players": "1 to 5 seats.",
        "campaign": "Five challenges, A to E.",
        "oracles": "Oracle events shuffled in, 0 to 3.",
        "start_goods": "Goods of each advisor, 3 to 5.",
    }
    groups: Mapping[str, Mapping[str, str]] = {"en": {"done": "end", "verb": "action", "ashur": "Ashur card"}, "ja": {
        "done": "終わり", "verb": "アクション", "location": "区域", "area": "地域", "road": "道路",
        "character": "キャラクター", "good": "商品", "token": "トークン", "marker": "マーカー",
        "technology": "技術", "player": "プレイヤー", "month": "月",
        "ashur": "アッシュル・カード", "event": "イベント", "challenge": "試練",
    }}  # fmt: skip

    endings: Mapping[str, Mapping[str, str]] = {
        lang: {cause: words.word("cause", cause, lang) for cause in c.CAUSES} for lang in LANGUAGES
    }

    reset = staticmethod(engine.reset)
    apply = staticmethod(engine.apply)
    legal = staticmethod(engine.legal)
    weights = staticmethod(engine.weights)
    answer = staticmethod(engine.answer)
    step = staticmethod(engine.step)
    sample = staticmethod(engine.sample)
    observe = staticmethod(engine.observe)
    rewards = staticmethod(engine.rewards)
    hidden = staticmethod(observation.hidden)

    def __init__(self, editions: tuple[Edition, ...] = (None,)) -> None:
        self.editions = editions
        self.read: dict[Edition, Components] = {}  #: but random boxes: they are many, and soon drawn again
        boxes, hashes = [], []
        for edition in editions:
            one = components.load(edition)
            boxes.append(one.box)
            hashes.append(one.hash)
            if not isinstance(edition, Drawn):
                self.read[edition] = one
        self.box: Record = np.concatenate(boxes)
        self.box.flags.writeable = False
        self.hashes = tuple(hashes)
        self.edition: str = together(self.hashes)
        self.observation_low, self.observation_high = bounds(observation.layout())
        self.layout: str = layout_hash(observation.layout(), (actions.BLOCKS, content.SPEAKING))

    @cached_property
    def contents(self) -> NDArray[np.float32]:
        """What each choice names does in each box, float32 (boxes, n_actions, content.WIDTH)."""
        return content.table(self.box)

    @cached_property
    def about(self) -> NDArray[np.int64]:
        """As :func:`content.about`. ValueError: a location does not lie in the same area in all boxes."""
        zones = self.box["zone"]
        for box, place in np.argwhere(zones != zones[0])[:1]:
            first, other = (c.ZONES[zone] for zone in zones[[0, box], place])
            raise ValueError(f"{c.LOCATIONS[place]} lies in {first} in box 0, in {other} in box {box}: a network that "
                             "judges places by what is there plays only boxes of the same areas together; play this "
                             "one alone, by its edition")  # fmt: skip
        return content.about(zones[0])

    @property
    def tasks(self) -> Mapping[str, Task]:
        """Those of the benchmark."""
        from sammu_env.tasks import TASKS

        return TASKS

    def boxes_of(self, split: str, difficulty: float | None = None, ease: float | None = None) -> Sequence[Edition]:
        """The boxes that the games of a cell are played on in turn: random ones of a difficulty, or the standard one,
        eased.

        Raises:
            ValueError: both are given, or neither, or one that is out of its range.
        """
        from sammu_env.tasks import boxes_of

        return boxes_of(split, difficulty, ease)

    def with_editions(self, editions: Sequence[Edition]) -> SammuRamat:
        """The game with other boxes; errors as of :func:`load`."""
        return load(editions)

    def position(self, data: Mapping[str, Any]) -> Record:
        """The state, shape (1,), of a position (``docs/advice.md``) at its next decision or draw, not drawn here.

        Raises:
            ValueError: it is wrong; the message says what is.
        """
        kit = self._kit()
        position.values.flag("manual_chance", data.get("manual_chance", True))
        s = position.play_on(position.load({**data, "manual_chance": True}, kit), kit)
        return observable(self, observation.layout(), s)

    def __copy__(self) -> SammuRamat:
        return self  # nobody changes it

    def __deepcopy__(self, memo: Any) -> SammuRamat:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return pickled, (load, self.editions, self.edition)

    def components(self, s: Record) -> Components:
        """The edition that a state or a setup, shape (1,), is played with."""
        return self._kit(int(s["box"][0]))

    def _kit(self, box: int = 0) -> Components:
        """One of its editions, as it was when the game was loaded."""
        edition = self.editions[box]
        return self.read[edition] if edition in self.read else components.load(edition)

    def letter(self, challenge: str, box: int = 0) -> str:
        """The letter A-E of a challenge card."""
        return LETTERS[int(self.box["challenge_letter"][box, CHALLENGES.index(challenge)])]

    def configure(
        self,
        challenge: str = "SAM-185",
        players: int = 3,
        hidden_hands: bool = False,
        campaign: bool = False,
        oracles: int | None = None,
        start_goods: int | None = None,
        advanced: bool = False,
        box: int = 0,
    ) -> Record:
        """A setup, shape (1,), dtype SETUP; options as in :func:`sammu_env.env`.

        Args:
            oracles, start_goods: None: as many as the box says.
            box: which of the game's boxes.

        Raises:
            ValueError: a bad option; the message names the choices.
        """
        setup = np.zeros(1, SETUP)
        setup["box"] = whole("box", box, range(len(self.box)))
        for name, wanted in (("campaign", campaign), ("hidden_hands", hidden_hands), ("advanced", advanced)):
            check_flag(name, wanted)
            setup[name] = wanted
        setup["challenge"] = self._challenge(challenge, bool(campaign), box)
        setup["players"] = whole("players", players, PLAYERS)
        plain = self.box[int(setup["box"][0])]
        setup["oracles"] = whole("oracles", plain["oracles"] if oracles is None else oracles, range(4))
        setup["start_goods"] = whole(
            "start_goods", plain["start_goods"] if start_goods is None else start_goods, START_GOODS
        )
        if advanced and (not campaign or players > c.ADVANCED_PLAYERS):
            raise ValueError("advanced is for campaigns of 1 to 3 players: choose campaign=True and players 1, 2 or 3")
        return setup

    def _challenge(self, challenge: str, campaign: bool, box: int) -> int:
        name = challenge if isinstance(challenge, str) else ""
        if name == RANDOM:
            return -1
        name = name.upper()
        if name not in CHALLENGES:
            raise ValueError(f"challenge is {challenge!r}, choose one of {', '.join(CHALLENGES)} or {RANDOM!r}")
        if campaign and self.letter(name, box) != LETTERS[0]:
            first = ", ".join(x for x in CHALLENGES if self.letter(x, box) == LETTERS[0])
            raise ValueError(f"a campaign begins with a challenge A, {name} is {self.letter(name, box)}: choose one of "
                             f"{first} or {RANDOM!r}")  # fmt: skip
        return CHALLENGES.index(name)

    def override(self, setup: Record, options: Mapping[str, Any]) -> Record:
        """A copy of a setup with the ``challenge``, ``oracles`` and ``start_goods`` of reset options."""
        check_reset(options, "challenge", "oracles", "start_goods")
        changed = setup.copy()
        if "challenge" in options:
            changed["challenge"] = self._challenge(
                options["challenge"], bool(setup["campaign"][0]), int(setup["box"][0])
            )
        if "oracles" in options:
            changed["oracles"] = whole("oracles", options["oracles"], range(4))
        if "start_goods" in options:
            changed["start_goods"] = whole("start_goods", options["start_goods"], START_GOODS)
        return changed

    def seats(self, setup: Record) -> int:
        """The number of players."""
        return int(setup["players"][0])

    def secrets(self, setups: Record) -> NDArray[np.bool_]:
        """With hidden hands."""
        return np.asarray(setups["hidden_hands"] > 0)

    def results(self, states: Record) -> Results:
        """Of the team; the score is that of a campaign."""
        score = states["score"].sum(axis=1)
        return team_results(states["result"] == WON, states["players"], self.max_seats, score)

    def resample(self, s: Record, seat: int, rng: np.random.Generator) -> Record:
        """As :func:`knowledge.resample`, which knows one box."""
        one = record.copy(s)
        one["box"] = 0
        world = knowledge.resample(one, seat, rng, self.components(s))
        world["box"] = s["box"]
        return world

    def turn_key(self, s: Record) -> tuple[int, ...]:
        """Changes where a plan of the seat that is asked ends (:mod:`tabletop.agents.plans`): its turn or stage."""
        return tuple(int(s[name][0]) for name in ("game", "month", "stage", "seat"))

    def question(self, s: Record, lang: str = "en", seat: int | None = None) -> str:
        return words.question(self._told(s, seat), s, lang, seat)

    def words(self, s: Record, action: int, lang: str = "en", seat: int | None = None) -> str:
        return words.action(self._told(s, seat), s, action, lang)

    def group(self, action: int) -> str:
        return actions.block_of(action)[0]

    def describe(self, s: Record, lang: str = "en", seat: int | None = None) -> str:
        return render.describe(self._told(s, seat), s, lang, seat)

    # For people with the real box (tabletop.coach.parts)

    def cards(self, lang: str = "en") -> list[dict[str, Any]]:
        """All numbered cards, as :func:`sammu_env.coach.cards.listed`."""
        return cards.listed(self._kit(), lang)

    def card(self, card: str, lang: str = "en") -> dict[str, Any]:
        """A card with its fields, as :func:`sammu_env.coach.cards.one`."""
        return cards.one(self._kit(), card, lang)

    def differs(self, card: str, values: Mapping[str, Any]) -> SammuRamat:
        """The game with what is printed on a card, which the owner's edition file now says (``cards.put_right``)."""
        cards.put_right(self.editions[0], card, values)
        return load(self.editions)

    def hands(self, s: Record, lang: str = "en", seat: int | None = None) -> list[Hand]:
        """As :func:`sammu_env.coach.hands.hands`."""
        return hands.hands(self.box, self._told(s, seat), s, seat, lang)

    def edition_text(self) -> str:
        """As :func:`sammu_env.coach.cards.text`."""
        return cards.text(self.editions[0])

    def take_edition(self, text: str) -> SammuRamat:
        """The game with another text of the owner's edition file (``cards.take``)."""
        cards.take(self.editions[0], text)
        return load(self.editions)

    def goal(self, s: Record, lang: str = "en") -> str:
        """What wins the challenge that is played."""
        return words.goal(self.components(s), int(s["challenge"][0]), lang)

    def scene(self, s: Record, lang: str = "en", seat: int | None = None) -> Scene:
        """The map: nothing on it is hidden."""
        return picture.picture(self._told(s, seat).box[0], s[0], lang)

    def place(self, s: Record, action: int) -> str | None:
        return picture.place(self.components(s).box[0], s[0], action)

    def facts(self, s: Record, seat: int | None = None) -> Mapping[str, int]:
        """As :func:`sammu_env.coach.facts.facts`."""
        return facts.facts(self._told(s, seat).box[0], s[0], seat)

    def named(self, name: str, lang: str = "en") -> str:
        return facts.named(self._kit(), name, lang)

    def stage(self, s: Record, lang: str = "en") -> str:
        """The stage of the month; before the first month the set-up, and in the end how it ended."""
        return render.stage(s[0], lang)

    def sheet_key(self, s: Record) -> str | None:
        """Set-up and goods: what is put where is told on one sheet."""
        return facts.sheet_key(s[0])

    def deeds(self, made: Sequence[tuple[Record, int]], lang: str = "en", seat: int | None = None) -> Sequence[Deed]:
        """A sentence for each action with all that it asks; as :func:`sammu_env.coach.deeds.deeds`."""
        return deeds.deeds(self, made, lang)

    def sees(self, s: Record, action: int, seat: int) -> bool:
        """All but cards of the others' hands."""
        return facts.sees(s[0], action, seat)

    def dump(self, s: Record) -> dict[str, Any]:
        """As :func:`sammu_env.coach.positions.dump`. ValueError: of a game with several boxes, not the first."""
        return positions.dump(self.components(s), s)

    def load(self, position: Mapping[str, Any]) -> Record:
        """As :func:`sammu_env.coach.positions.load`, with the first of the boxes."""
        return observable(self, observation.layout(), positions.load(self._kit(), position))

    def form(self, s: Record, lang: str = "en") -> Sequence[Field]:
        return positions.form(self.components(s), s, lang)

    def laid(self, setup: Record) -> Record:
        """As :func:`sammu_env.coach.positions.laid`, with the first of the boxes."""
        return positions.laid(self._kit(), setup)

    def render(self, s: Record, mode: str, lang: str = "en", seat: int | None = None) -> Any:
        """Text, SVG text or uint8[h, w, 3] of a state, shape (1,); in pictures hands are numbers of cards."""
        components = self._told(s, seat)
        if mode == "rgb_array":
            return render.rgb_array(components, s)
        return render.svg(components, s, lang) if mode == "svg" else render.text(components, s, lang, seat)

    def _told(self, s: Record, seat: int | None) -> Components:
        """The edition of a state; ValueError: there is no such seat to tell of it."""
        check_seat(self, s, seat)
        return self.components(s)


def load(editions: Edition | Sequence[Edition] = None) -> SammuRamat:
    """The game with an edition, or with several, which setups name by their place; the same object while files hold
    the same.

    Raises:
        ValueError: there is none, or an edition is wrong or cannot be read; every problem has its line.
    """
    return _load(tuple(map(named, several(editions))))


@kept(8)
def _load(editions: tuple[Edition, ...]) -> SammuRamat:
    return SammuRamat(editions)
