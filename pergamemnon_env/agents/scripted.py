"""A player of rules of thumb: hires what is worth its charisma, attacks where armour is thin, gives up what is lost."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pergamemnon_env import constants as c
from pergamemnon_env import steps
from pergamemnon_env.game import Pergamemnon
from tabletop.agents.base import OBSERVATION
from tabletop.game import NOBODY, Record

#: What a charisma is worth in points, and a leader besides its own points.
CHARISMA, LEADER = 0.6, 5.0
#: What a creature must be worth above the charisma that it costs, for a turn to be spent on it.
HIRE = 3.0
#: What a battle that is held out or failed is worth besides the cards: a charisma card, and the next turn.
TURN = 1.0


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
        chosen = np.zeros(len(states), np.int64)
        for i, one in enumerate(states):
            if one["to_act"] != NOBODY:
                options = [int(action) for action in np.flatnonzero(masks[i])]
                chosen[i] = View(self.game.box[one["box"]], one).choose(options)
        return chosen


class View:
    """What the seat that is asked makes of a state."""

    def __init__(self, box: Any, one: Any) -> None:
        self.box, self.one = box, one
        self.me, self.players = int(one["to_act"]), int(one["players"])
        self.op = int(one["op"][one["sp"] - 1])
        self.arg = int(one["arg"][one["sp"] - 1, 0])

    def choose(self, options: list[int]) -> int:
        """The best of the options; of equal ones the first."""
        judge = {
            steps.VERB: self.verb, steps.HIRE: self.hire, steps.PAY: self.pay, steps.FOE: self.foe,
            steps.NAME_WEAPON: self.weapon, steps.LAY: self.lay, steps.REINFORCE: self.reinforce,
            steps.SPOIL: self.spoil, steps.DISCARD: self.discard,
        }[self.op]  # fmt: skip
        return max(options, key=judge)

    # What cards can do and what they are worth

    def attack(self, seat: int, kind: int) -> int:
        return max(0, int(self.box["attack"][kind]) - self._weak(seat, c.CARTHAGE))

    def defence(self, seat: int, kind: int, weapon: int) -> int:
        return max(0, int(self.box["defence"][kind, weapon]) - self._weak(seat, c.ROME))

    def _weak(self, seat: int, nation: int) -> int:
        return int(self.one["nation"][seat] == nation and self.one["weakened"][seat])

    def leads(self, seat: int, nation: int) -> bool:
        return bool(self.one["nation"][seat] == nation and not self.one["weakened"][seat])

    def hand(self, seat: int) -> list[int]:
        """The kinds of a hand, equal ones once."""
        return [int(kind) for kind in np.flatnonzero(self.one["hand"][seat])]

    def unseen(self, seat: int) -> NDArray[np.int64]:
        """Every card that may be in another's hand, as kinds."""
        counts = self.one["hand"][seat].astype(np.int64) + self.one["draw"][seat]
        if not self.one["open"] and self.one["attacker"] == seat and self.one["laid"][c.ATTACKER]:
            counts[self.one["row"][c.ATTACKER, 0] - 1] += 1
        return np.repeat(np.arange(c.KINDS), counts)

    def worth(self, kind: int) -> float:
        """Of a card in a deck: its points, and a little for what it does in battle."""
        box = self.box
        return float(box["points"][kind] + 0.1 * (box["attack"][kind] + box["defence"][kind].mean() - 12))

    def stake(self, seat: int, kind: int) -> float:
        """What a seat loses with a card, seen by a rival who wins it or by itself."""
        if self.box["secure"][kind]:
            return 0.5
        if self.box["leader"][kind] and kind // c.KINDS_OF_A_NATION == self.one["nation"][seat]:
            return self.worth(kind) + LEADER
        return self.worth(kind) + 0.5

    def gain(self, seat: int, kinds: list[int]) -> float:
        """What is won with the cards of a rival: what the winner gets, and the loser loses."""
        total = 0.0
        for kind in kinds:
            caught = not self.box["secure"][kind] and (not self.box["flee"][kind] or self.leads(self.me, c.EGYPT))
            total += caught * max(self.worth(kind), CHARISMA * self.box["charisma"][kind])
            total += self.stake(seat, kind) / (self.players - 1)
        return total

    # Turns and hiring

    def verb(self, action: int) -> float:
        if action == c.ATTACK:
            return HIRE
        found = [int(i) for i in np.flatnonzero(self.one["display"])]
        return max(self.hire(c.CARD + c.ARMY + i) for i in found if self.affordable(i))

    def cost(self, kind: int) -> int:
        """The charisma that is to be paid from under the city, at least one card of it."""
        price = int(self.box["cost"][kind]) - self.leads(self.me, c.CARTHAGE) + self._weak(self.me, c.HELLENES)
        return max(1, price - max(int(self.box["charisma"][kind]) for kind in self.hand(self.me)))

    def affordable(self, creature: int) -> bool:
        saved = self.one["charisma"][self.me] + (self.one["city"][self.me] * self.box["charisma"]).sum()
        return self.cost(c.ARMY + creature) <= int(saved)

    def hire(self, action: int) -> float:
        kind = action - c.CARD
        more = 1.5 if self.leads(self.me, c.HELLENES) else 1.0
        return self.worth(kind) * more - CHARISMA * self.cost(kind)

    def pay(self, action: int) -> float:
        """The largest that is not too much, or else the least that is enough."""
        value = 1 if action == c.CHARISMA else int(self.box["charisma"][action - c.CARD])
        owed = max(1, int(self.one["owed"]))
        return value if value <= owed else -value

    # Battle

    def foe(self, action: int) -> float:
        seat = (self.me + action - c.SEAT) % self.players
        return max(self.blow(kind, seat) for kind in self.hand(self.me))

    def weapon(self, action: int) -> float:
        kinds = [kind for kind in self.hand(self.me) if self.box["weapon"][kind] == action - c.WEAPON]
        return max(self.blow(kind, int(self.one["defender"])) for kind in kinds)

    def blow(self, kind: int, foe: int) -> float:
        """An attack with a card: by how much it goes through the armour of a rival, less what is at stake."""
        weapon = int(self.box["weapon"][kind])
        armour = np.array([self.defence(foe, other, weapon) for other in self.unseen(foe)])
        return float(self.attack(self.me, kind) - armour.mean() - 0.5 * armour.std() - 0.3 * self.stake(self.me, kind))

    def lay(self, action: int) -> float:
        kind = action - c.CARD
        if self.arg == c.ATTACKER:
            return self.blow(kind, int(self.one["defender"]))
        weapon, foe = int(self.one["weapon"]) - 1, int(self.one["attacker"])
        blows = [self.attack(foe, other) for other in self.unseen(foe) if self.box["weapon"][other] == weapon]
        own = self.defence(self.me, kind, weapon)
        rest = [other for other in self.hand(self.me) if other != kind or self.one["hand"][self.me, kind] > 1]
        best = max([self.defence(self.me, other, weapon) for other in rest], default=0)
        holds = np.mean([(own >= blow) + 0.6 * (own < blow <= own + best) for blow in blows])
        return float(6 * holds - self.stake(self.me, kind))

    def row(self, side: int) -> list[int]:
        return [int(kind) - 1 for kind in self.one["row"][side] if kind > 0]

    def reinforce(self, action: int) -> float:
        """What the battle is likely to bring with this card, or if it is given up."""
        side = self.arg
        own, theirs = self.row(side), self.row(1 - side)
        foe = int(self.one["attacker" if side == c.DEFENDER else "defender"])
        lost = sum(self.stake(self.me, kind) for kind in own) + TURN * (side == c.ATTACKER)
        if action == c.DONE:
            return -lost
        kind = action - c.CARD
        lost += self.stake(self.me, kind)
        weapon = int(self.box["weapon"][theirs[-1]])
        guard = self.defence(self.me, own[-1], weapon) + self.defence(self.me, kind, weapon)
        if guard < self.attack(foe, theirs[-1]):
            return -lost
        won = self.gain(foe, theirs) + TURN * (side == c.DEFENDER)
        drawn = TURN if side == c.DEFENDER else -TURN
        return self.after(kind, theirs[-1], foe, side, won, drawn, lost)

    def after(self, kind: int, last: int, foe: int, side: int, won: float, drawn: float, lost: float) -> float:
        """What follows the blow of a card against the one that the rival laid last."""
        weapon, value = int(self.box["weapon"][kind]), self.attack(self.me, kind)
        guard = self.defence(foe, last, weapon)
        if guard >= value:
            return drawn  # a card that has been parried has struck: nobody is left to strike
        cards = self.unseen(foe)
        held = int(self.one["hand"][foe].sum())
        if not held or not len(cards):
            return won
        enough = np.mean([guard + self.defence(foe, other, weapon) >= value for other in cards])
        holds = 1 - (1 - enough) ** held
        return float((1 - holds) * won + holds * (0.3 * drawn - 0.4 * lost))

    # After the battle

    def spoil(self, action: int) -> float:
        kind = next(kind for kind in self.row(self.arg))
        if action == c.CITY:
            return CHARISMA * 1.3 * float(self.box["charisma"][kind])
        return self.worth(kind) * (1.5 if self.leads(self.me, c.HELLENES) else 1.0)

    def discard(self, action: int) -> float:
        """Cards that are weaker than what the draw pile has make room."""
        draw = self.one["draw"][self.me]
        if action == c.DONE or not draw.sum():
            return 0.0 if action == c.DONE else -1.0
        strength = self.box["attack"] + self.box["defence"].mean(1) + self.box["charisma"]
        return float((strength * draw).sum() / draw.sum() - strength[action - c.CARD] - 1.5)
