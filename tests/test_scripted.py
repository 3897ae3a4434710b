"""The scripted team and the planner: they play legally, alike for alike seeds, on what a seat knows, and far better
than chance."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sammu_env
from sammu_env import constants as c
from sammu_env import engine, knowledge
from sammu_env.actions import N_ACTIONS
from sammu_env.agents.planner import Planner
from sammu_env.agents.scripted import Scripted, value_many
from sammu_env.state import STATE
from tabletop import agents, record
from tabletop.batch import Batch
from tabletop.game import Record
from tabletop.plays import mask_of
from tests.table import BOX, Table, action_name

GAME = sammu_env.load_game()
TEAM = Scripted(GAME)
SEVERAL = "planner:width=4,tries=8,plans=2,ahead=2"
both = pytest.mark.parametrize("name", ["scripted", "planner", SEVERAL])


def positions(players: int, hidden: bool, n: int = 12) -> list[Record]:
    """Some decisions of a random game."""
    rng, found = np.random.default_rng(players), []
    for seed in range(n):
        s = np.zeros(1, STATE)
        engine.reset(BOX, s, GAME.configure(challenge="SAM-179", players=players, hidden_hands=hidden), seed)
        for _ in range(10 + 7 * seed):
            if s["to_act"][0] >= 0:
                engine.apply(BOX, s, int(s["option"][0, rng.integers(s["n_options"][0])]))
        if s["to_act"][0] >= 0:
            found.append(s)
    return found


def advice(s: Record, name: str = "scripted") -> int:
    mask = np.zeros((1, N_ACTIONS), np.int8)
    engine.legal(BOX, s, mask[0])
    choice = int(agents.make(name, GAME, seed=5).act(s, mask)[0])
    assert mask[0, choice] == 1
    return choice


@both
@pytest.mark.parametrize("hidden", [False, True])
def test_advice_rests_on_what_the_seat_knows(hidden: bool, name: str) -> None:
    rng, asked = np.random.default_rng(1), 0
    for s in positions(3, hidden):
        before = s.tobytes()
        world = knowledge.resample(s, int(s["to_act"][0]), rng)
        assert record.differing(s, world)
        assert advice(s, name) == advice(world, name)
        assert s.tobytes() == before
        asked += 1
    assert asked >= 5


@pytest.mark.parametrize("name", ["scripted", "planner:width=4,tries=8"])
def test_a_plan_tells_no_seat_what_another_knows(name: str) -> None:
    """Whoever is asked next chooses the same, whatever the seat before held that it saw nothing of."""
    team, rng, compared = agents.make(name, GAME), np.random.default_rng(1), 0
    for seed in range(6):
        s = np.zeros(1, STATE)
        engine.reset(BOX, s, GAME.configure(challenge="SAM-188", players=3, hidden_hands=True), seed)
        for step in range(150):
            asked = int(s["to_act"][0])
            for other in {0, 1, 2} - {asked} if asked >= 0 and step % 5 == 0 else ():
                worlds = s, knowledge.resample(s, other, rng)
                one, two = (answered(team, record.copy(world), other) for world in worlds)
                if one and two and one[:-1] == two[:-1]:
                    assert one == two
                    compared += 1
            if asked >= 0:
                engine.apply(BOX, s, int(team.act(s, mask_of(GAME, s)[None])[0]))
    assert compared > 40


def answered(team: Any, s: Record, seat: int) -> tuple[Any, ...]:
    """What happened until a seat is asked, and what it then sees, may choose and chooses; nothing if it is not."""
    team.reset(7)
    for _ in range(40):
        asked, mask = int(s["to_act"][0]), mask_of(GAME, s)
        if asked < 0:
            break
        action = int(team.act(s, mask[None])[0])
        if asked == seat:
            seen = np.zeros(len(GAME.observation_low), np.float32)
            GAME.observe(BOX, s, seat, seen)
            return *s["trace"][0], seen.tobytes(), mask.tobytes(), action
        engine.apply(BOX, s, action)
    return ()


@both
def test_a_batch_is_advised_as_its_games_are(name: str) -> None:
    states = positions(2, False)
    masks = np.zeros((len(states), N_ACTIONS), np.int8)
    for s, mask in zip(states, masks, strict=True):
        engine.legal(BOX, s, mask)
    team = agents.make(name, GAME, seed=5)
    choices = team.act(np.concatenate(states), masks)
    for i, s in enumerate(states):
        team.reset(5)
        padded = np.concatenate([states[0]] * i + [s])  # plans belong to places
        assert team.act(padded, masks[: i + 1])[i] == choices[i] and masks[i, choices[i]]


@both
def test_whole_games_depend_on_their_seed_alone(name: str) -> None:
    team = agents.make(name, GAME)
    setups = GAME.configure(challenge="SAM-188", players=2).repeat(3)
    together = team.play(setups, np.array([1, 2, 3]))
    alone = agents.make(name, GAME, seed=9).play(setups[:1], np.array([3]))
    assert (together["to_act"] == c.NOBODY).all()
    assert together["trace"][2].tolist() == alone["trace"][0].tolist()


def test_sammu_ramat_is_asked_in_a_month_that_gives_her_actions() -> None:
    """Each has two actions and Dinah the goods; then Sammu-ramat has three. One of three seats passes."""
    dinah = {"location": "Nineveh", "player": 0, "goods": {"gold": 6}}
    table = Table(players=3, stage="actions", characters={"Dinah": dinah}).stage("actions")
    assert table.prompt() == "consult" and set(table.options()) == {"Sammu-ramat", "Dinah", "done"}
    asked = []
    for more in (0, 1):
        table.state["queen_actions"] = more
        asked.append(action_name(advice(table.state)))
    assert asked == ["Dinah", "Sammu-ramat"]


def progress(kind: str, area: str) -> float:
    """What three tokens in an area are worth where the condition wants three at Elmali, beside all else."""
    batch, worth = Batch(GAME, GAME.configure(), seed=3, observe=False), []
    batch.reset()
    batch.states["token"][0, c.KINDS.index(kind)] = 0
    batch.states["token"][0, c.KINDS.index(kind), c.AREAS.index(area)] = 3
    wanted = c.W_PLACE_TOKENS, c.LOCATIONS.index("Elmali"), c.KINDS.index(kind), 3
    for condition in ((0, 0, 0, 0), wanted):
        box, out = BOX.copy(), np.zeros(1, np.float32)
        box["condition"][0, batch.states["challenge"][0]] = 0
        box["condition"][0, batch.states["challenge"][0], 0, :4] = condition
        value_many(box, batch.states, out)
        worth.append(150.0 * out[0])
    return float(worth[1] - worth[0])


@pytest.mark.parametrize("kind", ["supply", "medicine"])
def test_supply_and_medicine_for_a_location_are_looked_for_in_its_area(kind: str) -> None:
    """Elmali, location 6, lies in Phrygia, area 1; area 6 is Canaan."""
    assert progress(kind, "Phrygia") == pytest.approx(30.0, abs=1e-3)
    assert progress(kind, "Canaan") < 0.0


@pytest.mark.slow
def test_it_wins_what_chance_does_not() -> None:
    """On a rich box: an honest side is too much for it."""
    game = sammu_env.load_game(box_seed=1, difficulty=0)
    setups = game.configure(challenge="SAM-188", players=4).repeat(40)
    won = (agents.make("scripted", game).play(setups, np.arange(40))["result"] == c.WON).sum()
    assert 5 <= won < 40


def test_the_planner_wins_what_the_scripted_team_seldom_does() -> None:
    """SAM-198 on the novice box."""
    game = sammu_env.load_game("novice")
    setups = game.configure(challenge="SAM-198", players=3).repeat(20)
    planner, scripted = (agents.make(name, game).play(setups, np.arange(20)) for name in ("planner", "scripted"))
    assert (planner["result"] == c.WON).sum() >= 8 > 5 > (scripted["result"] == c.WON).sum()


@pytest.mark.parametrize("team", [Scripted(GAME, tries=10), Planner(GAME, width=2, tries=4, futures=2),
                                  Planner(GAME, width=2, tries=4, futures=2, plans=2, ahead=2)])  # fmt: skip
def test_hidden_hands_are_played_legally_step_by_step(team: Scripted | Planner) -> None:
    setups = np.concatenate(
        [GAME.configure(challenge="random", players=2 + i % 4, hidden_hands=True) for i in range(24)]
    )
    batch = Batch(GAME, setups, autoreset_mode="Disabled", observe=False)
    masks = batch.reset(0).masks
    for _ in range(60):
        batch.step(team.act(batch.states, masks))  # an illegal choice would be an error


@pytest.mark.parametrize(("kind", "how"), [(Scripted, {"tries": 5}), (Planner, {"width": 2, "tries": 4, "plans": 2})])
def test_threads_change_no_choice(kind: Any, how: dict[str, int]) -> None:
    setups = GAME.configure(challenge="random", players=3).repeat(40)
    batch = Batch(GAME, setups, autoreset_mode="Disabled", observe=False)
    masks, one, two = batch.reset(0).masks, kind(GAME, **how, threads=1), kind(GAME, **how, threads=2)
    for _ in range(30):
        choices = one.act(batch.states, masks)
        assert (choices == two.act(batch.states, masks)).all()
        batch.step(choices)


@pytest.mark.parametrize("kind", [Scripted, Planner])
def test_threads_change_no_worth(kind: Any) -> None:
    """Each thread has room of its own to judge in."""
    batch = Batch(GAME, GAME.configure(challenge="random", players=3).repeat(1000), observe=False)
    masks, rng = batch.reset(0).masks, np.random.default_rng(0)
    for _ in range(40):
        batch.step((masks * rng.random(masks.shape)).argmax(1))
    worth, three = kind(GAME, threads=1).potential(batch.states), kind(GAME, threads=3)
    assert len(np.unique(worth)) > 400
    for _ in range(20):
        assert (three.potential(batch.states) == worth).all()


@pytest.mark.parametrize("team", [TEAM, Planner(GAME)])
def test_worth_is_what_the_team_would_rather_have(team: Scripted | Planner) -> None:
    """Unrest is worth less, a technology more; and so it is when time is up, but not for who falls before that."""
    plain = np.zeros(1, STATE)
    engine.reset(BOX, plain, GAME.configure("SAM-187"), 3)
    while plain["stage"][0] != c.ST_ACTIONS:
        engine.apply(BOX, plain, int(plain["option"][0, 0]))
    worse, better, late, fallen, short = (record.copy(plain) for _ in range(5))
    worse["unrest"][0, c.LOCATIONS.index("Tushpa")] = 1
    better["has"][0, c.SAMMU_RAMAT, 0] = 1
    late["result"], late["cause"] = c.LOST, c.OUT_OF_MONTHS
    fallen["result"], fallen["cause"] = c.LOST, c.ASSYRIA_LOST
    short["result"], short["cause"] = c.LOST, c.MET  # a campaign whose last challenge was met, with too few points
    low, middle, high, over, nothing, met = team.potential(np.concatenate([worse, plain, better, late, fallen, short]))
    assert 0 < low < middle < high < 1 and over == met == middle and nothing == 0
