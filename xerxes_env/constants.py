"""Names and numbers that every box of Xerxes has in common; values that a box may change are in ``data/box.toml``."""

from __future__ import annotations

MAX_PLAYERS = 4
RESOURCES = ("grain", "wool", "wood", "stone", "copper", "gold")
UNITS = ("infantry", "archers", "cavalry", "ships")
SATRAPS = ("Aegyptus", "Babylonia", "India", "Parthia", "Lydia", "Sogdia", "Bactria", "Assyria")
AEGYPTUS, BABYLONIA, INDIA, PARTHIA, LYDIA, SOGDIA, BACTRIA, ASSYRIA = range(8)
#: The first eight are the homes of the satraps, in their order.
AREAS = (*SATRAPS, "Persis", "Media", "Phrygia", "Cappadocia", "Phoenicia", "Cyprus", "Ionia", "Elam")
BUILDINGS = ("temple", "road", "bridge", "granary", "palace", "fortress")
N_RESOURCES, N_UNITS, N_SATRAPS, N_AREAS, N_BUILDINGS = map(len, (RESOURCES, UNITS, SATRAPS, AREAS, BUILDINGS))
N_EVENTS, N_MARCH, N_TAX, N_MATS = 8, 16, 24, 4
#: Where a worker may stand besides the areas.
ORDER_SPACE = N_AREAS
PLACES = N_AREAS + 1

WORKERS, TOKENS, ROUNDS = 2, 3, 7  #: workers and building tokens of a player; years
MARCHES, REPLACED = 2, 2  #: march cards a round; resources that Parthia replaces
TAX_DEALT, MARCH_DEALT = 6, 4

PHASES = ("setup", "placement", "event", "march", "resources", "building", "tax", "turn_order", "end")
SETUP, PLACEMENT, EVENT, MARCH, RESOURCE, BUILDING, TAX, TURN_ORDER, END = range(9)
CAUSES = ("25 VP", "seven rounds")

#: Where a card is: in the deck, or in the hand of a seat, played by it, or discarded by it.
DECK, HAND, PLAYED, OUT = 0, 1, 1 + MAX_PLAYERS, 1 + 2 * MAX_PLAYERS
NONE = -1
