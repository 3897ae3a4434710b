"""A toy game of two to four rivals with hidden hands: what a cooperative game does not ask of ``tabletop``.

Everybody has two coins and is dealt four cards of 1 to 6. Three times each seat lays a card face down, one after the
other; then all are revealed, and who laid the highest takes a coin from each of the others. Equal highest cards take
nothing. Who has no coin is out. Most coins win; who shares most, draws.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tabletop import record
from tabletop.boxes import check_reset
from tabletop.fields import Array, Records, dtype_of, f8, i4, i8, shape
from tabletop.game import CHANCE, DRAWN, LOST, NOBODY, WON, Record, Results, check_seat
from tabletop.jit import entry, kernel
from tabletop.observation import bounds, lay_out, layout_hash, relative, scaled
from tabletop.rng import below, seed_generator

VALUES, COPIES, CARDS, ROUNDS, COINS, MAX_SEATS = 6, 3, 4, 3, 2, 4


class Box:
    copies: Array[i4] = shape(VALUES)


class Setup:
    box: i8
    players: i4
    manual_chance: i4


class State(Setup):
    to_act: i4
    cause: i4
    decisions: i4
    round: i4
    dealt: i4
    deck: Array[i4] = shape(VALUES)
    hand: Array[i4] = shape(MAX_SEATS, VALUES)
    laid: Array[i4] = shape(MAX_SEATS)
    shown: Array[i4] = shape(MAX_SEATS)
    coins: Array[i4] = shape(MAX_SEATS)
    paid: Array[f8] = shape(MAX_SEATS)
    trace: Array[i8] = shape(2)
    rng: Array[i8] = shape(4)


BOX, SETUP, STATE = dtype_of(Box), dtype_of(Setup), dtype_of(State)


@kernel
def _draw(s: State) -> int:
    left = 0
    for card in range(VALUES):
        left += s.deck[card]
    left = below(s, left)
    for card in range(VALUES):
        if left < s.deck[card]:
            return card
        left -= s.deck[card]
    return -1


@kernel
def _deal(s: State, card: int) -> None:
    s.deck[card] -= 1
    s.hand[s.dealt % s.players, card] += 1
    s.dealt += 1
    if s.dealt == CARDS * s.players:
        s.to_act = 0


@kernel
def _next(s: State, seat: int) -> int:
    """The first seat from one on that is not out."""
    while seat < s.players and s.coins[seat] == 0:
        seat += 1
    return seat


@kernel
def _lay(s: State, card: int) -> None:
    s.hand[s.to_act, card] -= 1
    s.laid[s.to_act] = card + 1
    s.decisions += 1
    s.to_act = _next(s, s.to_act + 1)
    if s.to_act == s.players:
        _reveal(s)


@kernel
def _reveal(s: State) -> None:
    taker, highest = -1, 0
    for seat in range(s.players):
        if s.laid[seat] > highest:
            taker, highest = seat, s.laid[seat]
        elif s.laid[seat] == highest:
            taker = -1
    for seat in range(s.players):
        if taker >= 0 and seat != taker and s.laid[seat] > 0:
            s.paid[seat] -= 1.0
            s.paid[taker] += 1.0
            s.coins[seat] -= 1
            s.coins[taker] += 1
        s.shown[seat] = s.laid[seat]
        s.laid[seat] = 0
    s.round += 1
    s.to_act = _next(s, 0)
    if s.round == ROUNDS or _next(s, s.to_act + 1) == s.players:
        s.cause = 0 if s.round == ROUNDS else 1
        s.to_act = NOBODY


@kernel
def _act(s: State, card: int) -> None:
    s.trace[0] = (s.trace[0] * 31 + card + 1) % 1000003
    s.trace[1] = (s.trace[1] * 37 + s.to_act + 2) % 1000033
    if s.to_act == CHANCE:
        _deal(s, card)
    else:
        _lay(s, card)


@kernel
def _fits(s: State, card: int) -> bool:
    if s.to_act == CHANCE:
        return bool(s.deck[card] > 0)
    return bool(s.to_act >= 0 and s.hand[s.to_act, card] > 0)


@kernel
def _owe_nothing(s: State) -> None:
    for seat in range(MAX_SEATS):
        s.paid[seat] = 0.0


@entry
def reset(box: Records[Box], s: Records[State], setup: Records[Setup], seed: int) -> None:
    one = s[0]
    one.box = setup[0].box
    one.players = setup[0].players
    one.manual_chance = setup[0].manual_chance
    one.cause = one.decisions = one.round = one.dealt = 0
    one.trace[0] = one.trace[1] = 0
    for card in range(VALUES):
        one.deck[card] = box[one.box].copies[card]
    for seat in range(MAX_SEATS):
        for card in range(VALUES):
            one.hand[seat, card] = 0
        one.laid[seat] = one.shown[seat] = 0
        one.coins[seat] = COINS if seat < one.players else 0
    _owe_nothing(one)
    seed_generator(one, seed)
    one.to_act = CHANCE
    while one.to_act == CHANCE and one.manual_chance == 0:
        _act(one, _draw(one))


@entry
def apply(box: Records[Box], s: Records[State], action: int) -> bool:
    one = s[0]
    if action < 0 or action >= VALUES or not _fits(one, action):
        return False
    _owe_nothing(one)
    _act(one, action)
    return True


@entry
def legal(box: Records[Box], s: Records[State], mask: Array[int]) -> None:
    for card in range(VALUES):
        mask[card] = _fits(s[0], card)


@entry
def weights(box: Records[Box], s: Records[State], out: Array[float]) -> None:
    for card in range(VALUES):
        out[card] = s[0].deck[card] if s[0].to_act == CHANCE else 0


@entry
def sample(box: Records[Box], s: Records[State]) -> int:
    return _draw(s[0])


PARTS = lay_out(
    [
        ("hand", VALUES, "own cards of each value / 3", 0, 1),
        ("face_down", 1, "own card that lies face down / 6", 0, 1),
        ("round", 1, "rounds that are over / 3", 0, 1),
        ("coins", MAX_SEATS, "each seat, relative: coins / 8", 0, 1),
        ("shown", MAX_SEATS, "each seat, relative: its card of the last round / 6", 0, 1),
        ("laid", MAX_SEATS, "1 for each seat, relative, that has laid a card", 0, 1),
    ]
)


@entry
def observe(box: Records[Box], s: Records[State], seat: int, out: Array[float]) -> None:
    one = s[0]
    out[:] = 0.0
    k = scaled(out, 0, one.hand[seat], 1 / COPIES)
    out[k] = one.laid[seat] / VALUES
    out[k + 1] = one.round / ROUNDS
    for other in range(one.players):
        at = k + 2 + relative(seat, other, one.players)
        out[at] = one.coins[other] / (COINS * MAX_SEATS)
        out[at + MAX_SEATS] = one.shown[other] / VALUES
        out[at + 2 * MAX_SEATS] = 1.0 if one.laid[other] > 0 else 0.0


@entry
def rewards(box: Records[Box], s: Records[State], out: Array[float]) -> None:
    for seat in range(MAX_SEATS):
        out[seat] = s[0].paid[seat]


class Bidding:
    name = "bidding"
    version = 1
    edition = "bidding"
    hashes = (edition,)
    box = np.full(1, COPIES, BOX)
    setup, state = SETUP, STATE
    seat_name = "rival"
    max_seats = MAX_SEATS
    state_bounds = {
        "players": (2, MAX_SEATS), "round": (0, ROUNDS), "deck": (0, COPIES), "hand": (0, COPIES),
        "coins": (0, COINS * MAX_SEATS),
    }  # fmt: skip
    clock = "round"
    labels = {"players": ()}
    max_decisions = ROUNDS * MAX_SEATS

    def configure(self, players: int = 2) -> Record:
        if players not in range(2, MAX_SEATS + 1):
            raise ValueError(f"players is {players}, choose 2 to {MAX_SEATS}")
        setup = np.zeros(1, SETUP)
        setup["players"] = players
        return setup

    def override(self, setup: Record, options: Mapping[str, Any]) -> Record:
        check_reset(options)
        return setup.copy()

    def seats(self, setup: Record) -> int:
        return int(setup["players"][0])

    n_actions = VALUES
    contents = np.zeros((1, VALUES, 0), np.float32)
    content_sets = ()

    def group(self, action: int) -> str:
        return "card"

    causes = ("all rounds played", "one left")
    reset, apply, legal = staticmethod(reset), staticmethod(apply), staticmethod(legal)

    observe = staticmethod(observe)
    observation_low, observation_high = bounds(PARTS)
    layout = layout_hash(PARTS, ("card", VALUES))
    hidden_size = MAX_SEATS * (VALUES + 1)

    def secrets(self, setups: Record) -> Any:
        return np.ones(len(setups), np.bool_)

    def hidden(self, states: Record) -> Any:
        known = (states["hand"].reshape(len(states), -1) / COPIES, states["laid"] / VALUES)
        return np.concatenate(known, 1).astype(np.float32)

    def resample(self, s: Record, seat: int, rng: np.random.Generator) -> Record:
        check_seat(self, s, seat, onlooker=False)
        world = record.copy(s)
        world["rng"] = rng.integers(1, 2**32, (1, 4))
        _deal_anew(world[0], seat, rng)
        return world

    def question(self, s: Record, lang: str = "en", seat: int | None = None) -> str:
        check_seat(self, s, seat)
        asked = int(s["to_act"][0])
        if asked < 0:
            return "which card is dealt?" if asked == CHANCE else "the game is over"
        return f"rival {asked} lays one of {self._hand(s, asked, seat)}"

    def words(self, s: Record, action: int, lang: str = "en", seat: int | None = None) -> str:
        check_seat(self, s, seat)
        asked = int(s["to_act"][0])
        held = asked >= 0 and seat in (None, asked) and s["hand"][0, asked, action] > 0
        return f"card {action + 1} of the hand" if held else f"card {action + 1}"

    def describe(self, s: Record, lang: str = "en", seat: int | None = None) -> str:
        check_seat(self, s, seat)
        lines = [f"round {s['round'][0] + 1}"]
        for rival in range(self.seats(s)):
            laid = int(s["laid"][0, rival])
            said = laid if laid == 0 or seat in (None, rival) else "a card"
            lines.append(f"rival {rival}: {s['coins'][0, rival]} coins, {self._hand(s, rival, seat)}, laid {said}")
        return "\n".join(lines)

    def _hand(self, s: Record, rival: int, seat: int | None) -> str:
        hand = s["hand"][0, rival]
        return str(np.repeat(np.arange(VALUES) + 1, hand)) if seat in (None, rival) else f"{hand.sum()} cards"

    render_modes = ("ansi",)

    def render(self, s: Record, mode: str, lang: str = "en", seat: int | None = None) -> str:
        return f"{self.describe(s, lang, seat)}\n> {self.question(s, lang, seat)}"

    rewards = staticmethod(rewards)
    team, zero_sum = False, True

    def results(self, states: Record) -> Results:
        there = np.arange(MAX_SEATS) < states["players"][:, None]
        coins = states["coins"]
        place = (1 + (coins[:, None] > coins[..., None]).sum(2)) * there
        shared = (place == 1).sum(1, keepdims=True) > 1
        result = np.where(place == 1, np.where(shared, DRAWN, WON), LOST) * there
        return Results(result.astype(np.int8), place.astype(np.int8), coins.astype(np.float64))

    weights, sample = staticmethod(weights), staticmethod(sample)


def _deal_anew(one: Any, seat: int, rng: np.random.Generator) -> None:
    """What the others hold and have laid is dealt anew: as many cards to each as before."""
    others = [rival for rival in range(one["players"]) if rival != seat]
    laid = [card for card in one["laid"][others] - 1 if card >= 0]
    unseen = rng.permutation(
        sorted([*np.repeat(range(VALUES), one["hand"][others].sum(0) + one["deck"]), *laid])
    ).tolist()
    one["deck"] = 0
    for rival in others:
        held = int(one["hand"][rival].sum())
        one["hand"][rival] = 0
        for _ in range(held):
            one["hand"][rival, unseen.pop()] += 1
        if one["laid"][rival]:
            one["laid"][rival] = unseen.pop() + 1
    for card in unseen:
        one["deck"][card] += 1
