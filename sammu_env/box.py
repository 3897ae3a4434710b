"""The box record: everything that is printed, compiled from ``data/*.toml`` and an edition file. Read-only."""

from __future__ import annotations

from sammu_env import constants as c
from tabletop.fields import Array, dtype_of, i2, shape

L, A, Z = len(c.LOCATIONS), len(c.AREAS), len(c.ZONES)
CH, G, K, M, T = len(c.CHARACTERS), len(c.GOODS), len(c.KINDS), len(c.MARKERS), len(c.TECHNOLOGIES)
EFFECT_COLUMNS = 4
BANNER_ROWS, TEXT_ROWS, MONTHLY_ROWS, CONDITION_ROWS = 6, 4, 6, 12


class Box:
    """What rules read of a box."""

    # map
    zone: Array[i2] = shape(L)  # zone of a location: area 0-9, Damascus 10, Sardes 11
    capital: Array[i2] = shape(A)
    is_capital: Array[i2] = shape(L)
    area_good: Array[i2] = shape(A)
    market: Array[i2] = shape(L)
    degree: Array[i2] = shape(L)
    neighbour: Array[i2] = shape(L, 8)  # by road, in location order
    neighbour_road: Array[i2] = shape(L, 8)
    roads: i2
    road_end: Array[i2] = shape(c.MAX_ROADS, 2)
    steps: Array[i2] = shape(L, L)  # by road
    nearest: Array[i2] = shape(L, L)  # all locations, from each the nearest first, in location order on a tie
    zone_steps: Array[i2] = shape(Z, L)  # by road from each location to the nearest one of a zone
    queens_road_n: i2
    queens_road: Array[i2] = shape(L)  # locations in order, Sardes to Susa
    queens_road_at: Array[i2] = shape(L)  # position on it, or -1
    sea: Array[i2] = shape(L)  # 1 where Apollonios goes by sea
    enemy_order: Array[i2] = shape(Z)  # zones as the enemies are resolved
    zone_n: Array[i2] = shape(Z)
    zone_location: Array[i2] = shape(Z, 5)  # nearer Kalhu first, capital first on a tie
    overflow: Array[i2] = shape(A)  # the next adjacent area in enemy order
    # components
    token_total: Array[i2] = shape(K)
    enemy_total: i2
    gate_total: i2  # gates that may stand at once
    start_goods: i2  # of each advisor, where the setup names none
    oracles: i2  # oracle events, likewise
    good_total: Array[i2] = shape(G)
    technology_total: Array[i2] = shape(T)
    marker_total: Array[i2] = shape(M)
    technology_location: Array[i2] = shape(6)
    # by number of players (row 0 unused)
    months: Array[i2] = shape(c.MAX_PLAYERS + 1)
    actions: Array[i2] = shape(c.MAX_PLAYERS + 1, 3)  # columns: public, personal (solo side too), Sammu-ramat
    hand_start: Array[i2] = shape(c.MAX_PLAYERS + 1)
    hand_limit: Array[i2] = shape(c.MAX_PLAYERS + 1)
    cards_a_month: Array[i2] = shape(c.MAX_PLAYERS + 1)
    # characters
    home: Array[i2] = shape(CH)  # area, -1 for Baileet
    start_good: Array[i2] = shape(CH)  # -1 for none
    ability: Array[i2] = shape(CH, 3, len(c.ABILITIES))
    special: Array[i2] = shape(CH, 3, c.MAX_SPECIALS, c.SPECIAL_COLUMNS)
    # Ashur cards
    card_goods: Array[i2] = shape(c.N_ASHUR, G)
    card_marker: Array[i2] = shape(c.N_ASHUR, M)
    card_area: Array[i2] = shape(c.N_ASHUR)  # favoured area or -1
    card_token: Array[i2] = shape(c.N_ASHUR, K)
    card_favoured: Array[i2] = shape(c.N_ASHUR, K)
    card_gain: Array[i2] = shape(c.N_ASHUR, G)
    card_technology: Array[i2] = shape(c.N_ASHUR)  # or -1
    # events
    event_area: Array[i2] = shape(c.N_EVENTS)
    event_banner: Array[i2] = shape(c.N_EVENTS, BANNER_ROWS, EFFECT_COLUMNS)
    event_text: Array[i2] = shape(c.N_EVENTS, TEXT_ROWS, EFFECT_COLUMNS)
    # challenges
    challenge_letter: Array[i2] = shape(c.N_CHALLENGES)  # 0-4 for A-E
    condition: Array[i2] = shape(c.N_CHALLENGES, CONDITION_ROWS, EFFECT_COLUMNS)
    monthly: Array[i2] = shape(c.N_CHALLENGES, c.MAX_MONTHS + 1, MONTHLY_ROWS, EFFECT_COLUMNS)  # by month; 1: campaign
    setup_gate: Array[i2] = shape(c.N_CHALLENGES, A)
    setup_token: Array[i2] = shape(c.N_CHALLENGES, A, K)
    setup_enemy: Array[i2] = shape(c.N_CHALLENGES, L)
    setup_enemy_area: Array[i2] = shape(c.N_CHALLENGES, A)  # in areas with several locations farthest from Kalhu
    setup_bag: Array[i2] = shape(c.N_CHALLENGES, M)
    setup_unrest: Array[i2] = shape(c.N_CHALLENGES, L)
    setup_plague: Array[i2] = shape(c.N_CHALLENGES, L)
    setup_character: Array[i2] = shape(c.N_CHALLENGES, CH)  # location, or L + area, or -1: the area of home
    setup_oracle: Array[i2] = shape(c.N_CHALLENGES)


BOX = dtype_of(Box)
