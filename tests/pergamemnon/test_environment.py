"""What people and programs call: environments, boxes, words, pictures, the scripted player."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import api_test

import pergamemnon_env
from pergamemnon_env import components, content, observation, steps, words
from pergamemnon_env import constants as c
from tabletop import agents, games
from tabletop.editions import EditionError
from tabletop.game import winners
from tabletop.jit import DISABLED
from tabletop.languages import LANGUAGES
from tabletop.plays import play
from tabletop.training.evaluate import Cell, evaluate
from tabletop.training.match import standings
from tests.pergamemnon.table import Table

GAME = pergamemnon_env.load_game()


def test_it_is_found_by_name() -> None:
    assert games.load("pergamemnon") is pergamemnon_env.load_game()
    assert games.load("pergamemnon", box_seed=3).editions[0].seed == 3  # type: ignore[attr-defined]


def test_pettingzoo() -> None:
    api_test(pergamemnon_env.raw_env(players=3), num_cycles=200)
    env = pergamemnon_env.env(players=2)
    env.reset(seed=1)
    for _ in env.agent_iter():
        observation, _, terminated, _, _ = env.last()
        env.step(None if terminated else int(observation["action_mask"].argmax()))
    assert sum(env.rewards.values()) == 0


def test_gymnasium() -> None:
    env = gymnasium.make("Pergamemnon-v0", players=3, contents=True)
    observation, info = env.reset(seed=1)
    assert observation["contents"].shape == (c.N_ACTIONS, len(content.COLUMNS)) and info["action_mask"].any()
    envs = gymnasium.make_vec("Pergamemnon-v0", num_envs=6, players=2, box_seed=[1, 2, 3, 1, 2, 3])
    _, infos = envs.reset(seed=0)
    _, _, _, _, infos = envs.step(infos["action_mask"].argmax(1))
    assert infos["rewards"].shape == (6, c.MAX_SEATS)


@pytest.mark.parametrize(("options", "said"), [
    ({"players": 1}, "players is 1, choose one of 2, 3, 4, 5"), ({"lang": "fr"}, "lang is 'fr', choose one of en, ja"),
    ({"edition": "box.toml", "box_seed": 1}, "both name a box"),
    ({"box_seed": -1}, "box_seed is -1, choose one of 0 to"),
])  # fmt: skip
def test_bad_options_name_the_choices(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        pergamemnon_env.env(**options)
    with pytest.raises(TypeError, match="'hands': choose from edition, box_seed, players"):
        pergamemnon_env.raw_env(hands=3)


def test_every_value_says_where_it_comes_from() -> None:
    rows = list(components.load().table())
    assert {source.split(",")[0] for *_, source in rows} == {"rulebook", "public", "reconstructed"}
    named = {row.rpartition(".")[2]: source for row, field, _, source in rows if field == "name"}
    assert len(named) == c.KINDS and named["Caesar"] == named["Hercules"] == "rulebook"
    assert named["Titan"] == "reconstructed"
    assert ("Rome.Caesar", "skill", "leader", "rulebook") in rows
    assert ("hand", "weakened", 3, "rulebook, Persia without Xerxes") in rows


def test_what_the_rulebook_says_of_the_values() -> None:
    box = GAME.box[0]
    assert box["copies"].reshape(5, 6).sum(1).tolist() == [11] * 5 and box["leader"].sum() == 5
    leaders = box["leader"] > 0
    assert not box["flee"][leaders].any() and not box["secure"][leaders].any()
    assert 0 < (box["charisma"] == 0).sum() < c.KINDS  # only cards with a charisma value go under the city
    means = np.array(
        [np.average(box["defence"][i : i + 6], axis=0, weights=box["copies"][i : i + 6]) for i in range(0, 30, 6)]
    )
    assert means.argmin(1)[[c.EGYPT, c.HELLENES, c.CARTHAGE, c.PERSIA]].tolist() == [1, 1, 2, 0]  # the weak armour


def test_an_edition_replaces_values(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        "[Rome]\nCaesar = { attack = 9 }\n[creature]\nTitan = { cost = 10 }\n"
        "[charisma]\nstart = { Rome = 4, Egypt = 1, Hellenes = 1, Carthage = 1, Persia = 1 }\n"
    )
    game = pergamemnon_env.load_game(path)
    assert game.box["attack"][0, 0] == 9 and game.box["charisma_start"][0].tolist() == [4, 1, 1, 1, 1]
    assert game.edition != GAME.edition
    marked = [(row, field) for row, field, _, source in components.load(str(path)).table()
              if source == "edition"]  # fmt: skip
    assert marked == [("Rome.Caesar", "attack"), ("creature.Titan", "cost"), ("charisma", "start")]


@pytest.mark.rule("P-ruling-19")
@pytest.mark.parametrize(("text", "said"), [
    ("[Rome]\nCesar = { attack = 9 }", "Rome: found 'Cesar', expected one of Caesar, Centurio"),
    ("[Rome]\nCaesar = { atack = 9 }", "Rome.Caesar: found 'atack', expected no such field; there are weapon, attack"),
    ("[Rome]\nCaesar = { attack = 99 }", "Rome.Caesar: attack: found 99, expected less than or equal to 12"),
    ("[Rome]\nCaesar = { skill = 'flee' }", "Rome.Caesar: skill: found 'flee', expected 'leader' of the first card"),
    ("[Rome]\nEques = { copies = 2 }", "Rome: 12 cards, expected 11"),
    ("[Rome]\nEques = { weapon = 'axe' }", "Rome.Eques: weapon: found 'axe', expected one of sword, spear, bow"),
    ("[Rome]\nEques = { defence = [1, 2] }", "Rome.Eques: defence: found 2 items, expected at least 3"),
    ("[charisma]\ncards = 3", "charisma: cards: found 3, expected greater than or equal to 9"),
    ("[hand]\nsize = 3", "hand: size: found 3, expected a valid dictionary"),
    ("[charisma]\nstart = { Rome = 4 }", "charisma: start: found 1 item, expected at least 5"),
    ("nonsense", "not a TOML file"),
])  # fmt: skip
def test_a_wrong_edition_is_refused(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "wrong.toml").write_text(text)
    with pytest.raises(EditionError, match=re.escape(said)):
        pergamemnon_env.load_game(tmp_path / "wrong.toml")


def test_random_boxes_follow_their_seed_and_stay_in_range() -> None:
    game = pergamemnon_env.load_game(box_seed=list(range(20)))
    assert len(set(game.hashes)) == 20 and pergamemnon_env.load_game(box_seed=7).hashes[0] == game.hashes[7]
    assert (game.box["attack"] >= 1).all() and (game.box["attack"] <= 11).all()
    assert (game.box["copies"] == GAME.box["copies"]).all() and (game.box["cost"] == GAME.box["cost"]).all()
    for nation in range(5):
        at = slice(nation * 6, nation * 6 + 6)
        assert all(
            Counter(weapons) == Counter(GAME.box["weapon"][0, at].tolist())
            for weapons in game.box["weapon"][:, at].tolist()
        )
    assert np.abs(game.contents).max() < 10


def test_observations_say_what_they_hold() -> None:
    assert len(GAME.observation_low) == observation.SIZE
    assert all(part.stop - part.start == many and first >= c.CARD for part, first, many in GAME.content_sets)
    table = Table("Rome", "Egypt", "Persia", hand={0: "Caesar, 2 Legionary"}, secured={2: "Priest"})
    seen = np.zeros(observation.SIZE, np.float32)
    start = {part.name: part.slice.start for part in observation.PARTS}
    GAME.observe(table.box, table.s, 0, seen)
    assert seen[start["own hand"] : start["own hand"] + 3].tolist() == [0.25, 0, 0.5]
    assert seen[start["rival 2 secured"] + 11] == 0.25
    GAME.observe(table.box, table.s, 2, seen)
    assert seen[start["own secured"] + 11] == 0.25 and not seen[start["rival 1 known"] : start["rival 1 discard"]].any()


def test_every_prompt_and_choice_is_in_both_languages() -> None:
    asked = set()
    for seed, players in ((1, 3), (2, 4), (3, 2), (4, 5), (5, 3)):
        one = play(GAME, GAME.configure(players), seed)
        for step in [0, 1, 2, *one.asking]:
            s = one.states[step]
            asked.add(steps.PROMPTS[s["op"][0, s["sp"][0] - 1]])
            english, japanese = (GAME.question(s, lang) for lang in LANGUAGES)
            assert english != japanese and "{" not in english + japanese
        assert re.search("[ぁ-ん]", GAME.describe(one.states[-1], "ja")) and "Rome" not in GAME.describe(
            one.states[-1], "ja"
        )
    assert asked >= set(steps.PROMPTS[steps.VERB :])
    assert len({words.card(kind, lang) for kind in range(c.KINDS) for lang in LANGUAGES}) == 2 * c.KINDS
    assert [GAME.group(a) for a in (0, 2, 3, 6, 11, 12, 14, 72)] == [name for name, _ in c.BLOCKS]


def test_pictures_show_the_table() -> None:
    hand = {0: "Caesar, Centurio", 1: "Priest, Guard of Pharaoh"}
    table = Table("Rome", "Egypt", hand=hand, weakened=[1], charisma=(0, 1)).choose("Caesar")
    for seat, seen in ((0, "Caesar"), (1, "Priest")):
        svg = GAME.render(table.s, "svg", seat=seat)
        assert svg.startswith("<svg") and f">{seen}<" in svg and "Dryad" in svg
    hers = GAME.render(table.s, "svg", seat=1)
    assert ">Caesar<" not in hers and ">Centurio<" not in hers
    pixels = GAME.render(table.s, "rgb_array", seat=1)
    assert pixels.dtype == np.uint8 and pixels.shape[2] == 3 and len(np.unique(pixels.reshape(-1, 3), axis=0)) > 20


@pytest.mark.skipif(DISABLED, reason="whole matches are for compiled rules")
@pytest.mark.parametrize("players", [2, 4])
def test_the_scripted_player_beats_random_play(players: int) -> None:
    table = Cell({"players": players}, GAME.configure(players))
    evaluate(GAME, ["scripted", "random"], [table], games=60)
    scripted, rival = standings(["scripted", "random"], [table])
    assert scripted.won.rate > 0.7 * 2 / players and rival.won.rate < 0.15


def test_the_scripted_player_plays_by_what_it_may_know() -> None:
    """It says that it looks at nothing else: so other secrets do not change its choices."""
    agent, rng = agents.make("scripted", GAME), np.random.default_rng(2)
    one = play(GAME, GAME.configure(4), 6)
    for step in one.asking:
        s = one.states[step]
        mask = np.zeros((1, c.N_ACTIONS), np.int8)
        GAME.legal(GAME.box, s, mask[0])
        chosen = agent.act(s, mask)[0]
        assert mask[0, chosen]
        world = GAME.resample(s, int(s["to_act"][0]), rng)
        assert agent.act(world, mask)[0] == chosen
    assert winners(GAME.results(one.states[-1])).any()


def test_tasks() -> None:
    assert [cell.labels for cell in GAME.tasks["standard"].cells(GAME)] == [{"players": n} for n in range(2, 6)]
    boxes = GAME.tasks["any-box"].boxes(GAME, "test")
    assert len(boxes) == 50 and not {*boxes} & {*GAME.tasks["any-box"].boxes(GAME, "train")}
