"""A player of rules of thumb: hires what is worth its charisma, attacks where armour is thin, gives up what is lost."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pergamemnon_env import constants as c
from pergamemnon_env import steps
from pergamemnon_env.game import Pergamemnon
from pergamemnon_env.odds import face_down, unseen
from pergamemnon_env.rules import battle, hiring, nations, piles
from pergamemnon_env.rules.aftermath import next_spoil
from pergamemnon_env.state import Box, State
from tabletop.agents.base import OBSERVATION
from tabletop.fields import Records
from tabletop.game import NOBODY, Record, check_boxes
from tabletop.jit import entry, kernel
from tabletop.steps import top

#: What a charisma is worth in points, and a leader besides its own points.
CHARISMA, LEADER = 0.6, 5.0
#: What a creature must be worth above the charisma that it costs, for a turn to be spent on it.
HIRE = 3.0
#: What a battle that is held out or failed is worth besides the cards: a charisma card, and the next turn.
TURN = 1.0
HALF_AGAIN = 1.5  #: P-N5


class Scripted:
    """Looks at open cards and its own hand alone, and draws nothing."""

    name = "scripted"
    sees = OBSERVATION

    def __init__(self, game: Pergamemnon) -> None:
        self.game = game

    def reset(self, seed: int) -> None:
        """Nothing is drawn."""

    def act(self, states: Record, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """One choice for each game, int64 (n,); 0 where a game has ended."""
        check_boxes(self.game, states)
        chosen = np.zeros(len(states), np.int64)
        for i in np.flatnonzero(states["to_act"] != NOBODY):
            chosen[i] = choose(self.game.box, states[i : i + 1], masks[i])
        return chosen


@entry
def choose(box: Records[Box], s: Records[State], mask: Any) -> int:
    """The best of the legal choices (``mask``, int8[N_ACTIONS]); of equal ones the first."""
    best, most = -1, 0.0
    for action in range(c.N_ACTIONS):
        if mask[action] != 0:
            value = judge(box[s[0].box], s[0], action)
            if best < 0 or value > most:
                best, most = action, value
    return best


@kernel
def judge(box: Box, s: State, action: int) -> float:
    """What a choice is worth; to be compared with the others of the same question alone."""
    op, seat, side = s.op[s.sp - 1], s.to_act, top(s, 0)
    if op == steps.VERB:
        return HIRE if action == c.ATTACK else best_hire(box, s, seat)
    if op == steps.HIRE:
        return hire(box, s, seat, action - c.CARD)
    if op == steps.PAY:
        return pay(box, s, action)
    if op == steps.FOE:
        return best_blow(box, s, seat, -1, (seat + action - c.SEAT) % s.players)
    if op == steps.NAME_WEAPON:
        return best_blow(box, s, seat, action - c.WEAPON, s.defender)
    if op == steps.LAY:
        if side == c.ATTACKER:
            return strike(box, s, seat, action - c.CARD, s.defender)
        return defend(box, s, seat, action - c.CARD)
    if op == steps.REINFORCE:
        return reinforce(box, s, seat, action)
    if op == steps.SPOIL:
        return spoil(box, s, seat, action)
    return discard(box, s, seat, action)


# What cards are worth


@kernel
def worth(box: Box, kind: int) -> float:
    """Of a card in a deck: its points, and a little for what it does in battle."""
    return float(box.points[kind]) + 0.1 * (box.attack[kind] + mean_defence(box, kind) - 12.0)


@kernel
def mean_defence(box: Box, kind: int) -> float:
    return (box.defence[kind, 0] + box.defence[kind, 1] + box.defence[kind, 2]) / 3.0


@kernel
def stake(box: Box, s: State, seat: int, kind: int) -> float:
    """What a seat loses with a card, seen by a rival who wins it or by itself."""
    if box.secure[kind] > 0:
        return 0.5
    own = box.leader[kind] > 0 and kind // c.KINDS_OF_A_NATION == s.nation[seat]
    return worth(box, kind) + (LEADER if own else 0.5)


@kernel
def stakes(box: Box, s: State, seat: int, side: int) -> float:
    """The same of all that a seat has laid in a battle."""
    total = 0.0
    for i in range(s.laid[side]):
        if s.row[side, i] > 0:
            total += stake(box, s, seat, s.row[side, i] - 1)
    return total


@kernel
def gain(box: Box, s: State, seat: int, foe: int, side: int) -> float:
    """What is won with the cards that a rival has laid: what the winner gets, and the loser loses."""
    total = 0.0
    for i in range(s.laid[side]):
        kind = int(s.row[side, i]) - 1
        if kind >= 0:
            if box.secure[kind] == 0 and (box.flee[kind] == 0 or nations.catches(s, seat)):
                total += max(worth(box, kind), CHARISMA * box.charisma[kind])
            total += stake(box, s, foe, kind) / (s.players - 1.0)
    return total


# Turns and hiring


@kernel
def cost(box: Box, s: State, seat: int, kind: int) -> int:
    """The charisma that is to be paid from under the city, at least one card of it."""
    return max(1, nations.cost(box, s, seat, kind) - hiring.highest_charisma(box, s, seat))


@kernel
def hire(box: Box, s: State, seat: int, kind: int) -> float:
    more = HALF_AGAIN if nations.leads(s, seat, c.HELLENES, 0) else 1.0
    return worth(box, kind) * more - CHARISMA * cost(box, s, seat, kind)


@kernel
def best_hire(box: Box, s: State, seat: int) -> float:
    """Of the creatures that can be paid."""
    saved, best = hiring.under_city(box, s, seat), -1000.0
    for creature in range(c.CREATURES):
        kind = c.ARMY + creature
        if s.display[creature] > 0 and cost(box, s, seat, kind) <= saved:
            best = max(best, hire(box, s, seat, kind))
    return best


@kernel
def pay(box: Box, s: State, action: int) -> float:
    """The largest that is not too much, or else the least that is enough."""
    value = 1.0 if action == c.CHARISMA else float(box.charisma[action - c.CARD])
    return value if value <= max(1, s.owed) else -value


# Battle


@kernel
def strike(box: Box, s: State, seat: int, kind: int, foe: int) -> float:
    """An attack with a card: by how much it goes through the armour of a rival, less what is at stake."""
    weapon, down = int(box.weapon[kind]), face_down(s, foe)
    n, total, squares = 0, 0.0, 0.0
    for other in range(c.KINDS):
        cards = unseen(s, foe, down, other)
        if cards > 0:
            armour = float(nations.defence(box, s, foe, other, weapon))
            n += cards
            total += cards * armour
            squares += cards * armour * armour
    mean = total / n if n > 0 else 0.0
    deviation = max(0.0, squares / n - mean * mean) ** 0.5 if n > 0 else 0.0
    return nations.attack(box, s, seat, kind) - mean - 0.5 * deviation - 0.3 * stake(box, s, seat, kind)


@kernel
def best_blow(box: Box, s: State, seat: int, weapon: int, foe: int) -> float:
    """Of the hand cards that show a weapon, or any (-1)."""
    best = -1000.0
    for kind in range(c.KINDS):
        if s.hand[seat, kind] > 0 and (weapon < 0 or box.weapon[kind] == weapon):
            best = max(best, strike(box, s, seat, kind, foe))
    return best


@kernel
def defend(box: Box, s: State, seat: int, kind: int) -> float:
    """The first card of the defender: whether it holds, alone or with the best other one, less what is at stake."""
    weapon, foe, down = s.weapon - 1, s.attacker, face_down(s, s.attacker)
    own, best = nations.defence(box, s, seat, kind, weapon), 0
    for other in range(c.KINDS):
        if s.hand[seat, other] > (1 if other == kind else 0):
            best = max(best, nations.defence(box, s, seat, other, weapon))
    n, held = 0, 0.0
    for other in range(c.KINDS):
        cards = unseen(s, foe, down, other)
        if cards > 0 and box.weapon[other] == weapon:
            blow = nations.attack(box, s, foe, other)
            n += cards
            held += cards * (1.0 if own >= blow else 0.6 if own + best >= blow else 0.0)
    return 6.0 * held / n - stake(box, s, seat, kind)


@kernel
def reinforce(box: Box, s: State, seat: int, action: int) -> float:
    """What the battle is likely to bring with this card, or if it is given up."""
    side = top(s, 0)
    foe = battle.fighter(s, 1 - side)
    lost = stakes(box, s, seat, side) + (TURN if side == c.ATTACKER else 0.0)
    if action == c.DONE:
        return -lost
    kind = action - c.CARD
    lost += stake(box, s, seat, kind)
    weapon = int(box.weapon[battle.last(s, 1 - side)])
    guard = battle.guard(box, s, side) + nations.defence(box, s, seat, kind, weapon)
    if guard < battle.blow(box, s, 1 - side):
        return -lost
    won = gain(box, s, seat, foe, 1 - side) + (TURN if side == c.DEFENDER else 0.0)
    drawn = TURN if side == c.DEFENDER else -TURN
    return after(box, s, seat, kind, foe, battle.last(s, 1 - side), won, drawn, lost)


@kernel
def after(
    box: Box, s: State, seat: int, kind: int, foe: int, last: int, won: float, drawn: float, lost: float
) -> float:
    """What follows the blow of a card against the one that the rival laid last."""
    weapon, value = int(box.weapon[kind]), nations.attack(box, s, seat, kind)
    guard = nations.defence(box, s, foe, last, weapon)
    if guard >= value:
        return drawn  # a card that has been parried has struck: nobody is left to strike
    held, n, enough, down = piles.count(s.hand, foe), 0, 0, face_down(s, foe)
    for other in range(c.KINDS):
        cards = unseen(s, foe, down, other)
        n += cards
        if guard + nations.defence(box, s, foe, other, weapon) >= value:
            enough += cards
    if held == 0 or n == 0:
        return won
    holds = 1.0 - (1.0 - enough / n) ** held
    return (1.0 - holds) * won + holds * (0.3 * drawn - 0.4 * lost)


# After the battle


@kernel
def spoil(box: Box, s: State, seat: int, action: int) -> float:
    side = top(s, 0)
    kind = int(s.row[side, next_spoil(s, side)]) - 1
    if action == c.CITY:
        return CHARISMA * 1.3 * box.charisma[kind]
    return worth(box, kind) * (HALF_AGAIN if nations.leads(s, seat, c.HELLENES, 0) else 1.0)


@kernel
def strength(box: Box, kind: int) -> float:
    return float(box.attack[kind] + mean_defence(box, kind) + box.charisma[kind])


@kernel
def discard(box: Box, s: State, seat: int, action: int) -> float:
    """Cards that are weaker than what the draw pile has make room."""
    if action == c.DONE:
        return 0.0
    n, total = 0, 0.0
    for kind in range(c.KINDS):
        n += s.draw[seat, kind]
        total += s.draw[seat, kind] * strength(box, kind)
    return total / n - strength(box, action - c.CARD) - 1.5 if n > 0 else -1.0
