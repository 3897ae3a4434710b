"""Words, pictures, and the environments that others play in."""

from __future__ import annotations

from xml.etree import ElementTree

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import api_test

import xerxes_env
from tabletop.editions import read_toml
from tabletop.log import Match
from tests.xerxes.table import Table
from xerxes_env import actions, observation, words
from xerxes_env import constants as c
from xerxes_env.box import DATA
from xerxes_env.render import AT

GAME = xerxes_env.load_game()


def test_every_word_is_there_in_both_languages() -> None:
    for section in read_toml(DATA / "words.toml").values():
        for name, both in section.items():
            assert len(both) == 2 and all(both), name
    for names, section in ((c.RESOURCES, "resource"), (c.UNITS, "unit"), (c.AREAS, "area"), (c.BUILDINGS, "building"),
                           (c.PHASES, "phase"), (c.SATRAPS, "satrap"), (c.CAUSES, "cause")):  # fmt: skip
        assert all(words.word(section, name, "ja") for name in names)
    with pytest.raises(ValueError, match="en, ja"):
        words.word("unit", "ships", "la")


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_whole_games_have_words(lang: str) -> None:
    for players in (1, 4):
        match, rng = Match(GAME, GAME.configure(players), 5), np.random.default_rng(5)
        while not match.over:
            options = np.flatnonzero(match.legal())
            said = [GAME.words(match.s, int(action), lang) for action in options]
            assert GAME.question(match.s, lang) and len(set(said)) == len(said)
            match.act(int(rng.choice(options)))
        assert words.outcome(GAME.box[0], match.s, lang) in GAME.describe(match.s, lang)


def test_words_say_what_a_choice_does() -> None:
    table = Table(2, "Bactria,India").worker(1, "Persis").play("placement")
    said = [GAME.words(table.record, actions.AREA + area) for area in (8, 9)]
    assert said == ["Persis (grain, wool, stone, copper, gold; infantry), where the worker of satrap 2 stands",
                    "Media (wool, gold; cavalry)"]  # fmt: skip
    building = Table(2).put(resource=3, round=3).play("building")
    assert GAME.words(building.record, actions.BUILDING) == "temple (grain, wool, stone, 2 gold: 5 VP)"
    assert GAME.words(building.record, actions.BUILDING + 1, "ja") == "道路（木材、石2、銅：4VP、他者-2）"
    assert GAME.question(building.record, "ja") == "太守1は建造するか"


def test_more_vp_than_are_told_stay_in_range() -> None:
    """An edition may give 20 VP for a march, a building and a tax card, with a goal of 100."""
    table = Table(2).put(vp=[150, 260, 0, 0]).play("building")
    out = np.zeros(observation.SIZE, np.float32)
    GAME.observe(GAME.box, table.record, 0, out)
    part = next(part.slice for part in observation.PARTS if part.name == "vp")
    assert out[part].tolist() == [6, 8, 0, 0] and (out <= observation.HIGH).all()


def test_hands_are_told_to_their_owner_alone() -> None:
    table = Table(2).hand(0, march=(0,)).hand(1, march=(1,)).play("placement")
    mine, other = (words.march_card(GAME.box[0], card, "en") for card in (0, 1))
    assert mine in GAME.describe(table.record, seat=0) and other not in GAME.describe(table.record, seat=0)
    assert mine in GAME.render(table.record, "svg", seat=0) and other not in GAME.render(table.record, "svg", seat=0)


def test_the_picture_shows_areas_pieces_and_buildings() -> None:
    table = Table(3).worker(2, "Cyprus", "order").put(owner=[1, -1, -1, -1, -1, -1]).play("placement")
    svg = GAME.render(table.record, "svg", "ja")
    root = ElementTree.fromstring(svg)
    said = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    assert all(words.word("area", name, "ja") in said for name in c.AREAS)
    assert {"寺院", "道路", "橋", "麦貯蔵庫", "宮殿", "城塞"} <= set(said) and len(AT) == c.N_AREAS
    assert said.count("2") >= 3  # workers of seat 2, and its mat
    assert GAME.render(table.record, "rgb_array").shape == (860, 1200, 3)


def test_areas_do_not_lie_on_one_another() -> None:
    from xerxes_env.render import _on_map

    points = [_on_map(at) for at in AT]
    for i, one in enumerate(points):
        for other in points[:i]:
            assert abs(one[0] - other[0]) > 100 or abs(one[1] - other[1]) > 50, (c.AREAS[i], one, other)


def test_observation_is_relative_and_named() -> None:
    table = Table(3, "Aegyptus,India,Sogdia").put(vp=[5, 10, 0, 0]).hand(1, tax=(4,)).worker(2, "Elam")
    table.play("placement")
    parts = {part.name: part.slice for part in observation.PARTS}
    out = np.zeros(observation.SIZE, np.float32)
    GAME.observe(GAME.box, table.record, 1, out)
    assert out[parts["vp"]].tolist() == pytest.approx([0.4, 0, 0.2, 0])
    assert np.flatnonzero(out[parts["tax_hand"]]).tolist() == [4]
    assert out[parts["worker"]].reshape(4, -1)[1, c.AREAS.index("Elam")] == 1
    assert out[parts["to_act"]].tolist() == [0, 0, 1, 0]
    assert out[parts["satrap"]].reshape(4, -1).argmax(1)[:3].tolist() == [c.INDIA, c.SOGDIA, c.AEGYPTUS]
    GAME.observe(GAME.box, table.record, 0, out)
    assert not out[parts["tax_hand"]].any()


def test_hidden_is_what_the_others_hold() -> None:
    table = Table(2).hand(0, tax=(1,)).hand(1, tax=(4,), march=(2,)).play("placement")
    told = GAME.hidden(table.record).reshape(3, 2, c.N_TAX + c.N_MARCH)
    assert np.argwhere(told).tolist() == [[0, 0, 4], [0, 0, c.N_TAX + 2]]


def test_pettingzoo() -> None:
    api_test(xerxes_env.raw_env(players=3), num_cycles=40)
    env = xerxes_env.env(players=4, lang="ja", contents=True)
    env.reset(seed=2, options={"satraps": ["Assyria", "India", "Lydia", "Babylonia"]})
    assert env.unwrapped.record["satrap"].tolist() == [[c.ASSYRIA, c.INDIA, c.LYDIA, c.BABYLONIA]]
    total = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observed, reward, terminated, _, _ = env.last()
        total[agent] += reward
        env.step(None if terminated else int(observed["action_mask"].argmax()))
    assert sum(total.values()) == pytest.approx(0)


def test_gymnasium() -> None:
    env = gymnasium.make("Xerxes-v0", players=1, box_seed=4)
    _, info = env.reset(seed=1)
    over = False
    while not over:
        _, reward, over, _, info = env.step(int(info["action_mask"].argmax()))
    assert reward in (1, -1)
    envs = gymnasium.make_vec("Xerxes-v0", num_envs=6, players=3, box_seed=[1, 2, 1, 2, 1, 2])
    _, infos = envs.reset(seed=0)
    for _ in range(30):
        _, _, _, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
    assert infos["rewards"].shape == (6, 4)


@pytest.mark.parametrize(("options", "says"), [
    ({"players": 5}, "players is 5"), ({"players": True}, "players is True"), ({"lang": "la"}, "en, ja"),
    ({"satraps": ["India"]}, "expected 2"), ({"edition": 3}, "standard, short"),
    ({"satraps": 5}, r"satraps are \[5\], expected 2"), ({"satraps": 5, "players": 1}, "satrap is 5, choose from"),
])  # fmt: skip
def test_bad_options_are_named(options: dict[str, object], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        xerxes_env.raw_env(**options)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="'hands': choose from edition, box_seed, players"):
        xerxes_env.raw_env(hands=1)
