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
        ("zone", "i4", L),  # zone of a location: area 0-9, Damascus 10, Sardes 11
        ("capital", "i4", A),
        ("is_capital", "i4", L),
        ("farthest", "i4", A),  # the area's location with most steps to Kalhu
        ("area_good", "i4", A),
        ("market", "i4", L),
        ("degree", "i4", L),
        ("neighbour", "i4", (L, 8)),  # by road, in location order
        ("neighbour_road", "i4", (L, 8)),
        ("roads", "i4"),
        ("road_end", "i4", (c.MAX_ROADS, 2)),
        ("steps", "i4", (L, L)),  # by road
        ("queens_road_n", "i4"),
        ("queens_road", "i4", L),  # locations in order, Sardes to Susa
        ("queens_road_at", "i4", L),  # position on it, or -1
        ("sea", "i4", L),  # 1 where Apollonios goes by sea
        ("enemy_order", "i4", Z),  # zones as the enemies are resolved
        ("zone_n", "i4", Z),
        ("zone_location", "i4", (Z, 5)),  # nearer Kalhu first, capital first on a tie
        ("overflow", "i4", A),  # the next adjacent area in enemy order
        # components
        ("token_total", "i4", K),
        ("enemy_total", "i4"),
        ("gate_total", "i4"),
        ("good_total", "i4", G),
        ("technology_total", "i4", T),
        ("marker_total", "i4", M),
        ("technology_location", "i4", 6),
        # by number of players (row 0 unused)
        ("months", "i4", c.MAX_PLAYERS + 1),
        ("actions", "i4", (c.MAX_PLAYERS + 1, 3)),  # columns: public, personal (solo side too), Sammu-ramat
        ("hand_start", "i4", c.MAX_PLAYERS + 1),
        ("hand_limit", "i4", c.MAX_PLAYERS + 1),
        ("cards_a_month", "i4", c.MAX_PLAYERS + 1),
        # characters
        ("home", "i4", CH),  # area, -1 for Baileet
        ("start_good", "i4", CH),  # -1 for none
        ("ability", "i4", (CH, 3, len(c.ABILITIES))),
        ("special", "i4", (CH, 3, c.MAX_SPECIALS, len(c.SPECIAL_COLUMNS))),
        # Ashur cards
        ("card_goods", "i4", (c.N_ASHUR, G)),
        ("card_marker", "i4", (c.N_ASHUR, M)),
        ("card_area", "i4", c.N_ASHUR),  # favoured area or -1
        ("card_token", "i4", (c.N_ASHUR, K)),
        ("card_favoured", "i4", (c.N_ASHUR, K)),
        ("card_gain", "i4", (c.N_ASHUR, G)),
        ("card_technology", "i4", c.N_ASHUR),  # or -1
        # events
        ("event_area", "i4", c.N_EVENTS),
        ("event_banner", "i4", (c.N_EVENTS, BANNER_ROWS, EFFECT_COLUMNS)),
        ("event_text", "i4", (c.N_EVENTS, TEXT_ROWS, EFFECT_COLUMNS)),
        # challenges
        ("challenge_letter", "i4", c.N_CHALLENGES),  # 0-4 for A-E
        ("condition", "i4", (c.N_CHALLENGES, CONDITION_ROWS, EFFECT_COLUMNS)),
        ("monthly", "i4", (c.N_CHALLENGES, c.MAX_MONTHS + 1, MONTHLY_ROWS, EFFECT_COLUMNS)),  # by month; 1: campaign
        ("setup_gate", "i4", (c.N_CHALLENGES, A)),
        ("setup_token", "i4", (c.N_CHALLENGES, A, K)),
        ("setup_enemy", "i4", (c.N_CHALLENGES, L)),
        ("setup_bag", "i4", (c.N_CHALLENGES, M)),
        ("setup_unrest", "i4", (c.N_CHALLENGES, L)),
        ("setup_plague", "i4", (c.N_CHALLENGES, L)),
        ("setup_character", "i4", (c.N_CHALLENGES, CH)),  # location or -1 for the capital of home
        ("setup_oracle", "i4", c.N_CHALLENGES),
    ],
    align=True,
)
