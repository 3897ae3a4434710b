"""P-A: setup."""

from __future__ import annotations

from pergamemnon_env import constants as c
from pergamemnon_env import steps
from pergamemnon_env.state import Box, Setup, State
from tabletop.game import CHANCE
from tabletop.jit import kernel
from tabletop.rng import seed_generator
from tabletop.steps import option, pop, push, set_top, top


@kernel
def begin(box: Box, s: State, how: Setup, seed: int) -> None:
    """P-A1 to P-A8. An empty table, and on the stack what is done before the first turn."""
    s.box, s.players, s.manual_chance = how.box, how.players, how.manual_chance
    s.to_act = CHANCE
    seed_generator(s, seed)
    s.cause = s.decisions = s.turn = s.player = s.owed = s.open = s.weapon = s.sp = s.n_options = 0
    s.trace[:] = 0
    s.attacker = s.defender = -1
    s.op[:] = 0
    s.arg[:, :] = 0
    s.option[:] = 0
    s.paid[:] = 0.0
    s.points[:] = s.strongest[:] = s.place[:] = 0
    s.nation[:] = -1
    s.active[:] = s.charisma[:] = s.weakened[:] = s.fallen[:] = 0
    s.hand[:, :] = s.draw[:, :] = s.discard[:, :] = s.city[:, :] = s.secured[:, :] = s.known[:, :] = 0
    s.display[:] = 0
    s.unseen[:] = 1
    s.row[:, :] = 0
    s.laid[:] = s.struck[:] = 0
    s.stock = box.charisma_cards
    s.stack = box.stack * s.players
    push(s, steps.HALT)
    push(s, steps.TURN)
    push(s, steps.FIRST)
    for seat in range(s.players - 1, -1, -1):
        push(s, steps.REFILL, seat)
    push(s, steps.SHOW, box.display * s.players)
    push(s, steps.SHOW_NATION, 0)


@kernel
def ask_nation(s: State) -> None:
    """P-A1. A nation card that nobody has."""
    for nation in range(len(c.NATIONS)):
        free = True
        for seat in range(s.players):
            free = free and s.nation[seat] != nation
        if free:
            option(s, c.NATION + nation)


@kernel
def answer_nation(box: Box, s: State, nation: int) -> None:
    """P-A1 to P-A5, P-N1. A seat is dealt a nation, its army and city, and charisma under that."""
    seat = top(s, 0)
    s.nation[seat] = nation
    s.active[seat] = 1
    for kind in range(nation * c.KINDS_OF_A_NATION, (nation + 1) * c.KINDS_OF_A_NATION):
        s.draw[seat, kind] = box.copies[kind]
    s.charisma[seat] = box.charisma_start[nation]
    s.stock -= box.charisma_start[nation]
    if seat + 1 < s.players:
        set_top(s, 0, seat + 1)
    else:
        pop(s)


@kernel
def ask_show(s: State) -> None:
    """P-A6. Any creature that nobody has seen yet."""
    for creature in range(c.CREATURES):
        if s.unseen[creature] > 0:
            option(s, c.CARD + c.ARMY + creature)


@kernel
def answer_show(s: State, card: int) -> None:
    """P-A6, P-A7, P-H6. A creature of the stack joins the display."""
    s.unseen[card - c.ARMY] = 0
    s.display[card - c.ARMY] = 1
    s.stack -= 1
    if top(s, 0) > 1:
        set_top(s, 0, top(s, 0) - 1)
    else:
        pop(s)


@kernel
def ask_first(s: State) -> None:
    """P-A8. Those who have most charisma under the city."""
    most = 0
    for seat in range(s.players):
        most = max(most, int(s.charisma[seat]))
    for seat in range(s.players):
        if s.charisma[seat] == most:
            option(s, c.SEAT + seat)


@kernel
def answer_first(s: State, seat: int) -> None:
    """P-A8. Whoever is drawn among those with most charisma begins."""
    s.player = seat
    pop(s)
