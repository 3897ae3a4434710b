"""The box record: everything that is printed, compiled from ``data/*.toml`` and an edition file. Read-only."""

from __future__ import annotations

import numpy as np

from sammu_env import constants as c

L, A, Z = len(c.LOCATIONS), len(c.AREAS), len(c.ZONES)
CH, G, K, M, T = len(c.CHARACTERS), len(c.GOODS), len(c.KINDS), len(c.MARKERS), len(c.TECHNOLOGIES)
EFFECT_COLUMNS = 4
BANNER_ROWS, TEXT_ROWS, MONTHLY_ROWS, CONDITION_ROWS = 6, 4, 6, 12

BOX = np.dtype(
    [
        # map
        ("zone", "i2", L),  # zone of a location: area 0-9, Damascus 10, Sardes 11
        ("capital", "i2", A),
        ("is_capital", "i2", L),
        ("area_good", "i2", A),
        ("market", "i2", L),
        ("degree", "i2", L),
        ("neighbour", "i2", (L, 8)),  # by road, in location order
        ("neighbour_road", "i2", (L, 8)),
        ("roads", "i2"),
        ("road_end", "i2", (c.MAX_ROADS, 2)),
        ("steps", "i2", (L, L)),  # by road
        ("queens_road_n", "i2"),
        ("queens_road", "i2", L),  # locations in order, Sardes to Susa
        ("queens_road_at", "i2", L),  # position on it, or -1
        ("sea", "i2", L),  # 1 where Apollonios goes by sea
        ("enemy_order", "i2", Z),  # zones as the enemies are resolved
        ("zone_n", "i2", Z),
        ("zone_location", "i2", (Z, 5)),  # nearer Kalhu first, capital first on a tie
        ("overflow", "i2", A),  # the next adjacent area in enemy order
        # components
        ("token_total", "i2", K),
        ("enemy_total", "i2"),
        ("gate_total", "i2"),  # gates that may stand at once
        ("start_goods", "i2"),  # of each advisor, where the setup names none
        ("oracles", "i2"),  # oracle events, likewise
        ("good_total", "i2", G),
        ("technology_total", "i2", T),
        ("marker_total", "i2", M),
        ("technology_location", "i2", 6),
        # by number of players (row 0 unused)
        ("months", "i2", c.MAX_PLAYERS + 1),
        ("actions", "i2", (c.MAX_PLAYERS + 1, 3)),  # columns: public, personal (solo side too), Sammu-ramat
        ("hand_start", "i2", c.MAX_PLAYERS + 1),
        ("hand_limit", "i2", c.MAX_PLAYERS + 1),
        ("cards_a_month", "i2", c.MAX_PLAYERS + 1),
        # characters
        ("home", "i2", CH),  # area, -1 for Baileet
        ("start_good", "i2", CH),  # -1 for none
        ("ability", "i2", (CH, 3, len(c.ABILITIES))),
        ("special", "i2", (CH, 3, c.MAX_SPECIALS, len(c.SPECIAL_COLUMNS))),
        # Ashur cards
        ("card_goods", "i2", (c.N_ASHUR, G)),
        ("card_marker", "i2", (c.N_ASHUR, M)),
        ("card_area", "i2", c.N_ASHUR),  # favoured area or -1
        ("card_token", "i2", (c.N_ASHUR, K)),
        ("card_favoured", "i2", (c.N_ASHUR, K)),
        ("card_gain", "i2", (c.N_ASHUR, G)),
        ("card_technology", "i2", c.N_ASHUR),  # or -1
        # events
        ("event_area", "i2", c.N_EVENTS),
        ("event_banner", "i2", (c.N_EVENTS, BANNER_ROWS, EFFECT_COLUMNS)),
        ("event_text", "i2", (c.N_EVENTS, TEXT_ROWS, EFFECT_COLUMNS)),
        # challenges
        ("challenge_letter", "i2", c.N_CHALLENGES),  # 0-4 for A-E
        ("condition", "i2", (c.N_CHALLENGES, CONDITION_ROWS, EFFECT_COLUMNS)),
        ("monthly", "i2", (c.N_CHALLENGES, c.MAX_MONTHS + 1, MONTHLY_ROWS, EFFECT_COLUMNS)),  # by month; 1: campaign
        ("setup_gate", "i2", (c.N_CHALLENGES, A)),
        ("setup_token", "i2", (c.N_CHALLENGES, A, K)),
        ("setup_enemy", "i2", (c.N_CHALLENGES, L)),
        ("setup_enemy_area", "i2", (c.N_CHALLENGES, A)),  # in areas with several locations farthest from Kalhu
        ("setup_bag", "i2", (c.N_CHALLENGES, M)),
        ("setup_unrest", "i2", (c.N_CHALLENGES, L)),
        ("setup_plague", "i2", (c.N_CHALLENGES, L)),
        ("setup_character", "i2", (c.N_CHALLENGES, CH)),  # location, or L + area, or -1: the area of home
        ("setup_oracle", "i2", c.N_CHALLENGES),
    ],
    align=True,
)
