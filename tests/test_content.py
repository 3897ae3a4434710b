"""What choices name, as features: what a card, a place, an event does in its own box."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import sammu_env
from benchmarks.editions import random_edition
from sammu_env import constants as c
from sammu_env import content
from sammu_env.actions import (
    AREA,
    ASHUR,
    BLOCKS,
    CHARACTER,
    EVENT,
    GOOD,
    LOCATION,
    MARKER,
    N_ACTIONS,
    ROAD,
    START,
    TOKEN,
)
from sammu_env.box import BANNER_ROWS, TEXT_ROWS
from sammu_env.components.edition import shipped
from sammu_env.observation import SIZE, layout
from sammu_env.situation import PLACE
from tabletop import agents
from tabletop.batch import Batch
from tabletop.game import CONTENTS_LIMIT

SHIPPED = sammu_env.load_game()
DRAWN = sammu_env.load_game(box_seed=[11, 12, 13])


def column(rows: np.ndarray, name: str) -> np.ndarray:
    return rows[..., content.COLUMNS[name].slice]


def test_a_row_for_each_choice_of_each_box() -> None:
    assert SHIPPED.contents.shape == (1, N_ACTIONS, content.WIDTH) and SHIPPED.contents.dtype == np.float32
    assert DRAWN.contents.shape[0] == 3
    assert np.abs(DRAWN.contents).max() <= 3
    named = {name for name, size in BLOCKS if SHIPPED.contents[0, START[name] : START[name] + size].any()}
    assert named == set(content.THINGS)


def test_ashur_cards_say_what_they_cost_and_give() -> None:
    for i, card in enumerate(shipped().ashur.values()):
        row = SHIPPED.contents[0, ASHUR + i]
        cost = {good: n for good, n in zip(c.GOODS, np.rint(3 * column(row, "cost")), strict=True) if n}
        assert cost == getattr(card, "cost", {})
        if card.kind == "area":
            kind = c.KINDS.index(card.token)
            assert np.rint(3 * column(row, "tokens")[kind]) == card.elsewhere
            assert np.rint(3 * column(row, "favoured")[kind]) == card.favoured
            assert np.flatnonzero(column(row, "zone")).tolist() == [c.AREAS.index(card.area)]
        elif card.kind == "technology":
            assert np.flatnonzero(column(row, "technology")).tolist() == [c.TECHNOLOGIES.index(card.technology)]
        else:
            assert np.flatnonzero(column(row, "markers")).tolist() == [c.MARKERS.index(card.marker)]


def test_events_say_what_banner_and_text_do() -> None:
    box = shipped()
    for i, event in enumerate(box.event.values()):
        row = SHIPPED.contents[0, EVENT + i]
        assert np.flatnonzero(column(row, "zone")).tolist() == [c.AREAS.index(event.area)]
        there = {c.EFFECTS[k] for k in np.flatnonzero(column(row, "effects"))}
        named = {one.effect for one in (*event.banner, *event.effects)}
        assert there <= named
        assert not {x for x in named - there if x != "tokens"}  # tokens that come and go may even out
    drought = list(box.event).index("SAM-019")
    supply = column(SHIPPED.contents[0, EVENT + drought], "tokens")[c.SUPPLY]
    assert np.isclose(3 * supply, sum(x.n for x in box.event["SAM-019"].banner if x.effect == "tokens"))


def test_places_say_what_they_bring() -> None:
    rows, box = SHIPPED.contents[0], SHIPPED.box[0]
    for location in range(len(c.LOCATIONS)):
        row = rows[LOCATION + location]
        assert np.flatnonzero(column(row, "zone")).tolist() == [box["zone"][location]]
        assert column(row, "market")[0] == (box["market"][location] > 0)
    for area in range(len(c.AREAS)):
        assert np.flatnonzero(column(rows[AREA + area], "goods")).tolist() == [box["area_good"][area]]
    for road in range(c.MAX_ROADS):
        ends = np.flatnonzero(column(rows[ROAD + road], "place")).tolist()
        assert ends == (sorted(box["road_end"][road]) if road < box["roads"] else [])
    for who in range(len(c.CHARACTERS)):
        good = np.flatnonzero(column(rows[CHARACTER + who], "goods")).tolist()
        assert good == ([box["start_good"][who]] if box["start_good"][who] >= 0 else [])


def test_boxes_differ_where_they_are_drawn() -> None:
    cards = DRAWN.contents[:, ASHUR : ASHUR + c.N_ASHUR]
    assert not np.array_equal(cards[0], cards[1])
    alone = sammu_env.load_game(box_seed=12)
    assert np.array_equal(alone.contents[0], DRAWN.contents[1])


def test_faces_hand_them_out() -> None:
    """Each game that of its own box, and all within one space."""
    options: dict[str, Any] = {"players": 2, "contents": True}
    one, own = gymnasium.make("SammuRamat-v0", box_seed=12, **options), sammu_env.env(box_seed=12, **options)
    many = gymnasium.make_vec("SammuRamat-v0", num_envs=4, box_seed=[13, 11, 12, 11], **options)
    drawn = DRAWN.contents[[2, 0, 1, 0]]
    seen, info = one.reset(seed=1)
    assert seen in one.observation_space and np.array_equal(seen["contents"], drawn[2]) and info["box"] == 0
    own.reset(seed=1)
    seen = own.observe("advisor_1")
    assert own.observation_space("advisor_1").contains(seen) and np.array_equal(seen["contents"], drawn[2])
    seen, infos = many.reset(seed=1)
    assert seen in many.observation_space and np.array_equal(seen["contents"], drawn)
    assert infos["box"].tolist() == [0, 1, 2, 1]
    assert np.array_equal(many.unwrapped.game.contents[infos["box"]], drawn)


@pytest.mark.parametrize("seed", range(4))
def test_any_edition_is_within_the_limit(seed: int) -> None:
    assert np.abs(content.table(random_edition(seed, extreme=True).box)).max() <= CONTENTS_LIMIT


def test_the_limit_can_be_reached(tmp_path: Path) -> None:
    """By an event all of whose lines put as many markers into the bag as a line may."""
    line = '{ effect = "bag_add", marker = "raid", n = 50 }'
    lines = {"banner": ", ".join([line] * BANNER_ROWS), "effects": ", ".join([line] * TEXT_ROWS)}
    text = "\n".join(f"{name} = [{all_of_them}]" for name, all_of_them in lines.items())
    path = tmp_path / "raids.toml"
    path.write_text(f"[event.SAM-031]\n{text}\n", encoding="utf-8")
    assert sammu_env.load_game(path).contents.max() == CONTENTS_LIMIT


def test_sets_are_what_lies_where() -> None:
    """Every set counts the choices that it says it does: cards in hand are those that the state has there."""
    assert all((part.stop - part.start) % many == 0 for part, _, many in SHIPPED.content_sets)
    batch = Batch(SHIPPED, SHIPPED.configure(players=3).repeat(4), threads=1, seed=5)
    buffers = batch.reset(5)
    for _ in range(40):
        buffers = batch.step(buffers.masks.argmax(axis=1))
    hand, first, many = SHIPPED.content_sets[0]
    assert (first, many) == (ASHUR, c.N_ASHUR)
    for state, seen in zip(batch.states, buffers.observations, strict=True):
        if state["to_act"] >= 0:
            own = np.flatnonzero(state["ashur"] == sammu_env.state.HAND + state["to_act"])
            assert np.flatnonzero(seen[hand]).tolist() == own.tolist()


def test_choices_are_spoken_of() -> None:
    """By the numbers of an observation that belong to the same place, area, character, good, token or card."""
    parts = {part.name: part for part in layout()}
    places, kinds, zones = len(c.LOCATIONS), len(c.KINDS), SHIPPED.box[0]["zone"]

    def said(choice: int, name: str) -> list[int]:
        numbers, part = SHIPPED.about[choice], parts[name].slice
        return sorted((numbers[(part.start <= numbers) & (numbers < part.stop)] - part.start).tolist())

    for i, zone in enumerate(zones.tolist()):
        assert said(LOCATION + i, "military") == said(LOCATION + i, "prompt_to") == [i]
        assert said(LOCATION + i, "near_wanted") == [kind * places + i for kind in range(kinds)]
        assert said(LOCATION + i, "wanted") == [zone * kinds + kind for kind in range(kinds)]
        assert said(LOCATION + i, "supply") == [zone]
        assert said(LOCATION + i, "gate_stands") == ([zone] if zone < len(c.AREAS) else [])
    for i in range(len(c.AREAS)):
        assert said(AREA + i, "wanted") == [i * kinds + kind for kind in range(kinds)]
        assert said(AREA + i, "gate") == said(AREA + i, "medicine") == [i] and said(AREA + i, "military") == []
    for who in (0, 3, len(c.CHARACTERS) - 1):
        assert said(CHARACTER + who, "places") == list(range(who * PLACE, (who + 1) * PLACE))
        assert said(CHARACTER + who, "payable") == [who]
    assert said(TOKEN + 2, "to_near") == said(TOKEN + 2, "load") == [2] and said(GOOD + 1, "wanted_goods") == [1]
    assert said(ASHUR + 5, "subject_payable") == [5]
    silent = np.delete(np.arange(N_ACTIONS), np.r_[LOCATION:ROAD, CHARACTER:MARKER, ASHUR:EVENT])
    assert (SHIPPED.about[silent] == SIZE).all() and (SHIPPED.about < SIZE).any(axis=0).all()


def test_boxes_whose_areas_differ_are_judged_by_themselves(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text('[map.location.Elmali]\nzone = "Cyprus"\n', encoding="utf-8")
    both = sammu_env.load_game([None, mine])
    with pytest.raises(ValueError, match="Elmali lies in Phrygia in box 0, in Cyprus in box 1"):
        agents.make("ppo", both)
    moved = LOCATION + c.LOCATIONS.index("Elmali")
    changed = both.with_editions([mine]).about != SHIPPED.about
    assert changed[moved].any() and not np.delete(changed, moved, axis=0).any()
    assert (DRAWN.about == SHIPPED.about).all()


@pytest.mark.parametrize("name", content.COLUMNS)
def test_columns_are_named_and_used(name: str) -> None:
    assert column(SHIPPED.contents, name).any() and content.COLUMNS[name].meaning
