"""The PettingZoo face, on the toy and on Sammu-Ramat."""

import json
import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test, seed_test
from pettingzoo.test.render_test import render_test
from pettingzoo.utils.conversions import aec_to_parallel, turn_based_aec_to_parallel

import sammu_env
from sammu_env.constants import CHALLENGES
from tabletop import record
from tabletop.aec import AEC, ordered
from tabletop.game import CHANCE, SEEDS, new_state
from tabletop.log import Log, replay, trace
from tests.tabletop.bidding import Bidding
from tests.tabletop.toy import DIE, KEEP, Toy

TOY = Toy()


def toy(players=2, render_mode=None, illegal_reward=None, **options):
    return ordered(AEC(TOY, TOY.configure(players, **options), render_mode), illegal_reward)


def sammu(**options):
    return sammu_env.env(**options)


def play(env, rng, decisions=10**9):
    """Random legal play; gives what every step gave."""
    seen = []
    for agent in env.agent_iter(decisions):
        observation, reward, terminated, _, info = env.last()
        seen.append((agent, observation["observation"].tobytes(), info["action_mask"].tobytes(), reward, terminated))
        env.step(None if terminated else int(rng.choice(np.flatnonzero(info["action_mask"]))))
    return seen


BOTH = pytest.mark.parametrize("make", [toy, sammu], ids=["toy", "sammu"])


@BOTH
def test_api(make):
    api_test(make(), num_cycles=300)


@BOTH
def test_seeds(make):
    seed_test(make, num_cycles=300)


@pytest.mark.parametrize("players", range(1, 6))
def test_api_at_every_number_of_players(players):
    api_test(sammu(players=players), num_cycles=100)
    seed_test(lambda: sammu(players=players), num_cycles=100)


@pytest.mark.parametrize("challenge", CHALLENGES)
def test_api_in_every_challenge(challenge):
    api_test(sammu(challenge=challenge, players=1 + CHALLENGES.index(challenge) % 5), num_cycles=50)


@pytest.mark.slow
@pytest.mark.parametrize("players", range(1, 6))
@pytest.mark.parametrize("challenge", CHALLENGES)
def test_conformance_everywhere(challenge, players):
    def make(**options):
        return sammu(challenge=challenge, players=players, **options)

    api_test(make(), num_cycles=100)
    seed_test(make, num_cycles=100)
    render_test(make)


@pytest.mark.parametrize(
    "options", [{"campaign": True}, {"hidden_hands": True}, {"challenge": "random"}, {"box_seed": [1, 2, 3]}]
)
def test_api_of_the_variants(options):
    api_test(sammu(**options), num_cycles=100)
    seed_test(lambda: sammu(**options), num_cycles=100)


@BOTH
def test_render(make, capsys):
    render_test(make)
    assert capsys.readouterr().out


def test_svg_is_a_picture():
    env = sammu(render_mode="svg")
    env.reset(seed=1)
    assert env.render().lstrip().startswith("<")
    assert "svg" in env.render()[:200]


@BOTH
def test_same_seed_same_episodes(make):
    one, two = make(), make()
    one.reset(seed=11)
    two.reset(seed=11)
    for _ in range(3):
        first = play(one, np.random.default_rng(0))
        assert first == play(two, np.random.default_rng(0))
        assert first[-1][-1]
        one.reset()
        two.reset()
    assert one.unwrapped.record.tobytes() == two.unwrapped.record.tobytes()
    assert one.unwrapped.log.seed != 11


@BOTH
def test_other_seeds_other_games(make):
    env, traces = make(), set()
    for seed in range(5):
        env.reset(seed=seed)
        play(env, np.random.default_rng(0))
        traces.add(env.log.trace)
    assert len(traces) == 5


@BOTH
def test_trace_is_that_of_the_engine_alone(make):
    env = make()
    env.reset(seed=4)
    play(env, np.random.default_rng(4))
    game, log = env.unwrapped.game, env.log
    s, setup = new_state(game), np.zeros(1, game.setup)
    for name, value in log.setup.items():
        setup[name] = value
    game.reset(game.box, s, setup, log.seed)
    for actor, action in log.entries:
        if actor != CHANCE:
            assert game.apply(game.box, s, action)
    assert record.differing(s, env.unwrapped.record) == ["manual_chance"]
    assert trace(s) == log.trace == trace(replay(game, Log.from_dict(json.loads(json.dumps(log.to_dict())))))


@BOTH
def test_team_reward_is_paid_to_all_where_it_arises(make):
    env = make()
    env.reset(seed=2)
    rng, paid = np.random.default_rng(2), []
    while not any(env.terminations.values()):
        env.step(int(rng.choice(np.flatnonzero(env.infos[env.agent_selection]["action_mask"]))))
        paid.append(dict(env.rewards))
    assert all(type(value) is float for rewards in paid for value in rewards.values())
    assert all(value == 0 for rewards in paid[:-1] for value in rewards.values())
    assert set(paid[-1]) == set(env.possible_agents)
    assert set(paid[-1].values()) in ({1.0}, {-1.0})
    assert all(env.terminations.values())


@BOTH
def test_an_illegal_choice_may_end_the_game(make):
    """As in PettingZoo's classic games."""
    env = make(illegal_reward=-2)
    api_test(env, num_cycles=300)
    env.reset(seed=2)
    mask = env.last()[4]["action_mask"]
    env.step(int(np.flatnonzero(mask)[0]))
    chooses, twin = env.agent_selection, env.copy()
    wrong = int(np.flatnonzero(env.last()[4]["action_mask"] == 0)[0])
    env.step(wrong)
    assert all(env.terminations.values()) and not any(twin.terminations.values())
    assert env.rewards == {agent: -2.0 if agent == chooses else 0.0 for agent in env.possible_agents}
    assert not any(env.observe(agent)["action_mask"].any() for agent in env.possible_agents)
    for _ in env.possible_agents:
        env.step(None)
    assert env.agents == []
    twin.step(wrong)
    assert twin.rewards[chooses] == -2
    env.reset()
    stood = env.unwrapped.record.tobytes()
    for nonsense, message in ((10**6, "action is 1000000, choose one of 0"), (-1, "action is -1"), (True, "not True"),
                              ("move", "whole number"), (None, "whole number"), (1.5, "whole number")):  # fmt: skip
        with pytest.raises(ValueError, match=message):
            env.step(nonsense)
    assert env.unwrapped.record.tobytes() == stood and not any(env.terminations.values())
    for number in (np.float32(-1), np.int64(-1)):
        make(illegal_reward=number)
    for wrong in ("low", True, float("nan"), float("-inf")):
        with pytest.raises(ValueError, match=f"illegal_reward is {wrong!r}, choose None or a number"):
            make(illegal_reward=wrong)


@BOTH
def test_what_is_no_seed_or_no_choice_is_refused(make):
    env = make()
    for seed in (np.int64(3), np.uint8(3), 3):
        env.reset(seed=seed)
        assert env.unwrapped.log.seed == 3
    twin = env.copy()
    for seed in (1.5, True, -1, 2**64, "7", np.int64(-1)):
        with pytest.raises(ValueError, match=f"seed is .*, choose one of 0 to {SEEDS - 1}"):
            env.reset(seed=seed)
    with pytest.raises(ValueError, match="box is 9"):
        env.reset(seed=4, options={"box": 9})
    for wrong in (2.5, True, "1"):
        with pytest.raises(ValueError, match=f"choose a whole number from 0 to .*, not {wrong!r}"):
            env.unwrapped.words(wrong)
    assert env.unwrapped.record.tobytes() == twin.unwrapped.record.tobytes()
    for one in (env, twin):
        one.reset()
    assert env.unwrapped.log.seed == twin.unwrapped.log.seed


@BOTH
@pytest.mark.parametrize("illegal_reward", [None, -1])
def test_tensors_choose_and_a_seed_may_be_none(make, illegal_reward):
    torch = pytest.importorskip("torch")
    env = make(illegal_reward=illegal_reward)
    env.reset(seed=None)
    first = env.unwrapped.log.seed
    for _ in range(3):
        twin, choice = env.copy(), torch.from_numpy(env.last()[4]["action_mask"]).argmax()
        env.step(choice)
        twin.step(int(choice))
        assert env.unwrapped.record.tobytes() == twin.unwrapped.record.tobytes()
        if not env.agents or env.last()[2]:  # the toy's game may be short
            break
    env.reset()
    assert env.unwrapped.log.seed != first


def test_parallel_environments():
    """All seats at once, where only what is asked counts; with one seat it is the plain conversion."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        parallel_api_test(aec_to_parallel(sammu(players=1)), num_cycles=50)
    with pytest.raises(AssertionError, match="is_parallelizable"):
        aec_to_parallel(sammu(players=2))
    env = turn_based_aec_to_parallel(sammu(players=3))
    seen, _ = env.reset(seed=1)
    ended = 0
    while ended < 2:
        actions = {agent: int(seen[agent]["action_mask"].argmax()) for agent in env.agents}
        seen, rewards, terminations, _, _ = env.step(actions)
        assert set(seen) == set(rewards) == set(terminations)
        if not env.agents:
            assert set(rewards.values()) in ({1.0}, {-1.0}) and all(terminations.values())
            seen, _ = env.reset()
            ended += 1


@BOTH
def test_finished_agents_step_none_and_then_no_more(make):
    env = make()
    env.reset(seed=2)
    play(env, np.random.default_rng(2), decisions=0)
    rng = np.random.default_rng(2)
    while not any(env.terminations.values()):
        env.step(int(rng.choice(np.flatnonzero(env.infos[env.agent_selection]["action_mask"]))))
    with pytest.raises(ValueError, match="has finished"):
        env.step(0)
    for _ in env.possible_agents:
        env.last()
        env.step(None)
    assert env.agents == []
    with pytest.raises(ValueError, match="reset"):
        env.step(None)
    with pytest.raises(ValueError, match="reset"):
        env.unwrapped.step(0)


@BOTH
def test_illegal_action_is_named_and_changes_nothing(make):
    env = make()
    env.reset(seed=1)
    stood, agent = env.unwrapped.record.tobytes(), env.agent_selection
    mask = env.infos[agent]["action_mask"]
    wrong = int(np.flatnonzero(mask == 0)[0])
    with pytest.raises(ValueError, match=f"illegal action {wrong} "):
        env.step(wrong)
    for nonsense in (-1, 10**6, "move", None, 1.5, True):
        with pytest.raises(ValueError, match=r"illegal action|whole number"):
            env.step(nonsense)
    assert env.unwrapped.record.tobytes() == stood
    assert env.agent_selection == agent
    env.step(np.int64(np.flatnonzero(mask)[0]))


@BOTH
def test_arrays_handed_out_stay_as_they_were(make):
    env, kept = make(), []
    env.reset(seed=3)
    rng = np.random.default_rng(3)
    for agent in env.agent_iter(200):
        observation, _, terminated, _, info = env.last()
        if terminated:
            break
        assert info["action_mask"] is observation["action_mask"]
        assert observation["action_mask"].dtype == np.int8
        assert observation["observation"].dtype == np.float32
        assert env.observation_space(agent).contains(observation)
        kept.append((observation, {key: value.copy() for key, value in observation.items()}))
        env.step(int(rng.choice(np.flatnonzero(info["action_mask"]))))
    for now, then in kept:
        assert all(np.array_equal(now[key], then[key]) for key in then)


@BOTH
def test_only_the_asked_seat_has_a_mask(make):
    env = make()
    env.reset(seed=3)
    rng = np.random.default_rng(3)
    for agent in env.agent_iter(60):
        if env.terminations[agent]:
            break
        for other in env.agents:
            assert env.observe(other)["action_mask"].any() == (other == agent)
        env.step(int(rng.choice(np.flatnonzero(env.infos[agent]["action_mask"]))))


@BOTH
def test_copy_goes_its_own_way(make):
    env = make()
    env.reset(seed=6)
    play(env, np.random.default_rng(1), decisions=3)
    twin = env.copy()
    stood = twin.unwrapped.record.tobytes()
    first = play(env, np.random.default_rng(2))
    assert twin.unwrapped.record.tobytes() == stood
    assert play(twin, np.random.default_rng(2)) == first
    assert twin.log == env.log


@BOTH
@pytest.mark.parametrize("space", ["action_space", "observation_space"])
def test_a_copys_draws_are_its_own(make, space):
    def drawn(env):
        return [str(getattr(env, space)(agent).sample()) for agent in env.possible_agents]

    env = make()
    env.reset(seed=6)
    for agent in env.possible_agents:
        getattr(env, space)(agent).seed(5)
    twins = [env.copy() for _ in range(2)]
    assert drawn(env) == drawn(twins[0]) == drawn(twins[1])


@BOTH
def test_saved_game_goes_on_alike(make):
    env, other = make(), make()
    env.reset(seed=6)
    play(env, np.random.default_rng(1), decisions=3)
    other.load(json.loads(json.dumps(env.save())))
    assert other.unwrapped.record.tobytes() == env.unwrapped.record.tobytes()
    assert play(env, np.random.default_rng(2)) == play(other, np.random.default_rng(2))


def told(env):
    """What PettingZoo tells of each agent, without the observations."""
    asked = env.agent_selection if env.agents else None
    masks = [env.infos[agent]["action_mask"].tobytes() for agent in env.agents]
    paid = env.rewards, env._cumulative_rewards
    return json.dumps([env.agents, *paid, env.terminations, env.truncations, asked]), masks


@pytest.mark.parametrize("game", [TOY, Bidding()], ids=["team", "rivals"])
@pytest.mark.parametrize("illegal", [False, True])
def test_a_save_keeps_what_agents_were_paid_and_who_is_removed(game, illegal):
    env, other = (ordered(AEC(game, game.configure(players=3)), -2) for _ in range(2))
    env.reset(seed=6)
    rng, n = np.random.default_rng(1), 0
    while env.agents:
        mask = env.observe(env.agent_selection)["action_mask"]
        wrong = illegal and n == 2
        env.step(int(rng.choice(np.flatnonzero(mask != wrong))) if mask.any() else None)
        other.load(json.loads(json.dumps(env.save(), sort_keys=True)))
        assert told(other) == told(env)
        n += 1
    older = {name: part for name, part in env.save().items() if name in ("log", "state")}
    other.load(older)
    assert other.agents == other.possible_agents and set(other._cumulative_rewards.values()) == {0.0}


@BOTH
def test_right_after_a_load_the_mask_is_that_of_the_loaded_game(make):
    """An illegal choice would end the game."""
    env, saves = make(illegal_reward=-1), []
    env.reset(seed=1)
    while not any(env.terminations.values()):
        saves.append((env.save(), env.last()[4]["action_mask"]))
        env.step(int(np.flatnonzero(saves[-1][1])[-1]))
    for saved, mask in saves[::10]:
        for legal in (True, False):
            env.last()
            env.load(saved)
            env.step(int(np.flatnonzero(mask == legal)[0]))
            assert any(env.truncations.values()) != legal
            if not legal:
                assert -1.0 in env.rewards.values()


@BOTH
@pytest.mark.parametrize("bad", [{"box": 9}, {"box": 0.5}, 5, "box", 0, [("box", 0)]], ids=str)
def test_a_reset_that_fails_changes_nothing(make, bad):
    env, twin = make(), make()
    for one in (env, twin):
        one.reset(seed=3)
    with pytest.raises(ValueError, match=r"box is|options is .*, choose None or a dict"):
        env.reset(options=bad)
    assert env.unwrapped.record.tobytes() == twin.unwrapped.record.tobytes()
    for one in (env, twin):
        one.reset()
    assert env.unwrapped.log.seed == twin.unwrapped.log.seed
    never = make()
    with pytest.raises(ValueError, match=r"box is|options is"):
        never.reset(options=bad)
    with pytest.raises(AttributeError, match="before reset"):
        _ = never.agent_selection


def test_damaged_save_changes_nothing():
    env = toy()
    env.reset(seed=1)
    saved, stood = env.save(), env.unwrapped.record.tobytes()
    with pytest.raises(ValueError, match="pot"):
        env.load({**saved, "state": {**saved["state"], "pot": 9}})
    with pytest.raises(ValueError, match="log"):
        env.load({})
    two = {agent: {"reward": 0.0, "cumulative_reward": 0.0} for agent in env.possible_agents}
    for agent in (5, {"reward": 1.0}, {"reward": "a lot", "cumulative_reward": 0.0},
                  {"reward": 0.0, "cumulative_reward": float("nan")}):  # fmt: skip
        with pytest.raises(ValueError, match='"paid" holds reward and cumulative_reward of each agent'):
            env.load({**saved, "paid": {**two, "player_1": agent}})
    for paid, message in ((5, "not 5"), ({**two, "player_9": two["player_0"]}, "player_9"), ({}, "0 of its 2 agents")):
        with pytest.raises(ValueError, match=message):
            env.load({**saved, "paid": paid})
    with pytest.raises(ValueError, match="truncated is 'yes', choose True or False"):
        env.load({**saved, "truncated": "yes"})
    three = toy(players=3)
    three.reset()
    with pytest.raises(ValueError, match="3 seats"):
        env.load(three.save())
    assert env.unwrapped.record.tobytes() == stood


def test_reset_options():
    env = toy()
    env.reset(seed=1, options={"goal": 1, "colour": "red"})
    while env.unwrapped.record["result"][0] == 0:
        env.step(KEEP)
    assert env.unwrapped.record["decisions"][0] == 1
    env.reset(seed=1)
    assert env.unwrapped.record["goal"][0] == 12
    game = sammu()
    game.reset(seed=1, options={"challenge": "SAM-190"})
    assert game.unwrapped.record["challenge"][0] == CHALLENGES.index("SAM-190")
    with pytest.raises(ValueError, match="SAM-179"):
        game.reset(options={"challenge": "SAM-001"})


def test_before_reset():
    env = toy()
    with pytest.raises(AttributeError, match="reset"):
        _ = env.agent_selection
    with pytest.raises(AssertionError, match="reset"):
        env.step(0)
    with pytest.raises(ValueError, match="no game has begun: call reset"):
        env.unwrapped.step(0)


@pytest.mark.parametrize("use", ["copy", "save"])
def test_no_game_is_copied_or_saved_before_reset(use):
    with pytest.raises(ValueError, match="no game has begun: call reset"):
        getattr(toy().unwrapped, use)()


def test_render_without_mode_warns():
    env = toy()
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None


def test_state_is_what_all_see():
    env = toy(players=3)
    env.reset(seed=1)
    both = env.state()
    assert both.shape == (15,)
    assert np.array_equal(both[:5], env.observe("player_0")["observation"])


def test_words():
    env = sammu(players=2)
    env.reset(seed=1)
    choice = int(np.flatnonzero(env.infos[env.agent_selection]["action_mask"])[0])
    assert env.words(choice)
    assert env.words(choice, "ja") != env.words(choice)
    assert env.describe() != env.describe("ja")


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"challenge": "SAM-001"}, "SAM-179"),
        ({"challenge": 185}, "SAM-185"),
        ({"players": 0}, "1, 2, 3, 4, 5"),
        ({"players": 6}, "1, 2, 3, 4, 5"),
        ({"players": 2.0}, "1, 2, 3, 4, 5"),
        ({"players": True}, "1, 2, 3, 4, 5"),
        ({"oracles": 4}, "0, 1, 2, 3"),
        ({"start_goods": 2}, "3, 4, 5"),
        ({"hidden_hands": "no"}, "True or False"),
        ({"campaign": True, "challenge": "SAM-190"}, "SAM-179, SAM-185, SAM-188, SAM-196"),
        ({"advanced": True}, "campaign=True"),
        ({"advanced": True, "campaign": True, "players": 4}, "players 1, 2 or 3"),
        ({"render_mode": "3d"}, "human, ansi, rgb_array, svg"),
        ({"lang": "fr"}, "en, ja"),
        ({"edition": 3}, "standard, novice, expert, or a TOML file"),
    ],
)
def test_bad_option_names_the_choices(options, named):
    with pytest.raises(ValueError, match=named):
        sammu(**options)


def test_agents_are_named_by_the_game():
    assert sammu(players=4).possible_agents == [f"advisor_{i}" for i in range(4)]
    assert toy().possible_agents == ["player_0", "player_1"]


def test_die_is_no_choice_of_a_seat():
    env = toy()
    env.reset(seed=1)
    with pytest.raises(ValueError, match=r"illegal action 4 \(3\): keep"):
        env.step(DIE + 2)


def test_no_warnings_in_play():
    env = sammu()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env.reset(seed=1)
        play(env, np.random.default_rng(1), 200)
