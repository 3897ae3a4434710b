"""Search on the toys: honest, legal, deterministic, and better than what it searches for."""

import json
import math
import multiprocessing
import threading
import time
from contextlib import closing
from dataclasses import replace
from functools import cache
from types import SimpleNamespace

import numpy as np
import pytest

import sammu_env
from sammu_env.constants import CHARACTERS
from tabletop import agents, conformance, record
from tabletop.agents.findings import Found, Teller
from tabletop.agents.futures import Crew, Futures, Worlds
from tabletop.agents.plans import LONGEST, Plan, Turn, choose
from tabletop.agents.random import Random
from tabletop.agents.search import LEAST, THOROUGH, Report, Search, _of_proposer
from tabletop.agents.trials import Budget, Trials
from tabletop.assist import advice
from tabletop.game import NOBODY, legal_mask, new_state, team_won
from tabletop.stats import Interval
from tabletop.training.evaluate import play_chunk
from tests.tabletop.bidding import Bidding
from tests.tabletop.errands import DONE, Errands
from tests.tabletop.toy import DIE, GOAL, KEEP, LIMIT, PASS, ROUNDS, Toy


def begun(game, seed=1, **options):
    s = new_state(game)
    game.reset(game.box, s, game.configure(**options), seed)
    return s


def told(search, s, **budget):
    return [{**found.to_dict(), "seconds": 0, "basis": ""} for found in search.advise(s, **budget)]


def compiled(search, game):
    """So that what is timed afterwards is not the compiling."""
    list(search.advise(begun(game), rollouts=64 * 4))


def random_search(game, **options):
    return Search(game, Random(game), **options)


# Only what the seat may know


class Marked(Errands):
    """The true card is one that no world has."""

    def resample(self, s, seat, rng):
        world = super().resample(s, seat, rng)
        assert world["card"][0] in (0, 1)
        return world


class Watchful(Random):
    """Fails where chance is to act, and on any copy of the true state."""

    def act(self, states, masks):
        assert (states["to_act"] >= 0).all()
        assert not (states["card"] == 2).any()
        return super().act(states, masks)


@pytest.mark.parametrize("manual", [0, 1])
def test_agents_are_asked_in_worlds_alone_and_never_for_chance(manual):
    game = Marked()
    s = begun(game)
    s["card"], s["manual_chance"] = 2, manual
    search = Search(game, Watchful(game), rollouts=200)
    assert search.act(s, np.ones((1, game.n_actions), np.int8) * (np.arange(game.n_actions) <= DONE))[0] <= DONE
    assert told(search, s)[-1]["fresh"]


def test_what_nobody_can_know_is_not_found_out():
    """A canary: whoever looks at the card or the generator wins every game, and nobody else more than a quarter."""
    game = Errands()
    search = random_search(game, rollouts=64)
    won = sum(team_won(game, play_chunk(game, search, game.configure(peek=1), np.array([seed])))[0]
              for seed in range(80))  # fmt: skip
    assert 0.25 - 4 * 0.05 < won / 80 < 0.25 + 4 * 0.05


class Peeping:
    """Looks at the card, and does not say that it needs no secrets."""

    name = "peeping"

    def reset(self, seed):
        self.rng = np.random.default_rng(seed)

    def act(self, states, masks):
        first = (self.rng.random(len(states)) < 0.5) & (masks[:, 0] > 0)
        return np.where((states["card"] == 1) & (masks[:, 1] > 0), 1, np.where(first, 0, DONE))


def test_who_plays_on_is_not_shown_the_secrets_of_a_world():
    """The card is drawn anew at each question, so its look at it is worth nothing."""
    game, n = Errands(), 2000
    states = begun(game, peek=1).repeat(n)
    states["card"] = np.arange(n) % 2
    (futures,) = Crew(game, [Peeping()]).play(Worlds(states, np.arange(n), 0), [()] * n, 0)
    won = futures.won
    assert abs(won.mean() - 0.25) < 0.06


def test_secrets_do_not_change_advice():
    game = Bidding()
    search = random_search(game)
    conformance.check(
        game, game.configure(players=3), range(2), laws=["secrets"],
        advise=lambda s: told(search, s, rollouts=30, seed=4),
    )  # fmt: skip


def test_sammu_advice_follows_from_what_the_seat_knows():
    """Byte-equal advice where the others' hands, the deck and all draws to come are others."""
    game = sammu_env.load_game()
    s, mask, random = begun(game, players=3, hidden_hands=True), np.zeros((1, game.n_actions), np.int8), Random(game)
    while s["month"][0] < 1 or s["hand_n"][0, :3].min() < 3 or not 1 < mask.sum() < 40:
        game.legal(game.box, s, mask[0])
        game.apply(game.box, s, int(random.act(s, mask)[0]))
        game.legal(game.box, s, mask[0])
    other = game.resample(s, int(s["to_act"][0]), np.random.default_rng(5))
    assert {"ashur", "rng"} <= set(record.differing(s, other))
    search = random_search(game, samples=4, plans=2)
    first, again = (json.dumps(told(search, x, rollouts=8, seed=4)) for x in (s, other))
    assert first == again and json.loads(first)[-1]["rollouts"] >= 8


def test_causes_and_facts_are_told_in_both_languages():
    game = sammu_env.load_game()
    teller = Teller(game, begun(game))
    assert teller.named("out of months", "ja") == "月を使い切った"
    assert teller.named("out of months", "en") == "the months ran out"
    toy = Teller(Errands(), begun(Errands()))
    assert toy.named("errands", "ja") == "用事" and toy.who("ja") == "errander 0"


@pytest.mark.parametrize(("game", "options"), [
    (Bidding(), {"players": 4}), (Toy(), {}), (sammu_env.load_game(), {"players": 3, "hidden_hands": True}),
])  # fmt: skip
def test_what_is_dealt_anew_bears_no_trace_of_what_was(game, options):
    s, random, mask = begun(game, **options), Random(game), np.zeros((1, game.n_actions), np.int8)
    for step in range(40):
        seat = int(s["to_act"][0])
        if seat == NOBODY:
            break
        other = game.resample(s, seat, np.random.default_rng(1000 + step))
        worlds = [game.resample(x, seat, np.random.default_rng(step)) for x in (s, other)]
        assert record.differing(*worlds) == []
        game.legal(game.box, s, mask[0])
        game.apply(game.box, s, int(random.act(s, mask)[0]))


# Plans


def test_a_plan_is_the_rest_of_a_turn_and_each_table_comes_once():
    game = Errands()
    turn = Turn(game, begun(game))
    plans = turn.sample(Random(game), np.ones(400), np.random.default_rng(0))
    assert len(plans) == 8  # any of three errands
    assert {frozenset(plan.actions[:-1]) for plan in plans} == {
        frozenset(i for i in range(3) if bits >> i & 1) for bits in range(8)
    }
    assert all(plan.actions[-1] == DONE for plan in plans)
    assert turn.end() == Plan((DONE,), 0.0, pytest.approx(np.nan, nan_ok=True))
    assert Turn(Toy(), begun(Toy())).end() is None  # both choices end the turn


def test_a_plan_makes_no_detours():
    game = sammu_env.load_game()
    s = game.position({
        "challenge": "SAM-185", "players": 2, "month": 2, "stage": "actions",
        "locations": {"Kalhu": {"military": 2, "diviner": 1}}, "areas": {"Assyria": {"supply": 1, "medicine": 1}},
        "characters": {"Besime": {"location": "Kalhu", "player": 0}, "Wardiya": {"location": "Kalhu", "player": 1},
                       "Sammu-ramat": {"location": "Kalhu", "consulted": 0, "actions": 2}},
        "seats": [{"hand": ["SAM-085"]}, {"hand": ["SAM-117"]}],
    })  # fmt: skip
    turn = Turn(game, game.resample(s, 0, np.random.default_rng(1)))
    (trade,) = [i for i in np.flatnonzero(legal_mask(game, s)) if game.words(s, i).startswith("Free: trade")]
    done = turn.end().actions[0]
    assert game.group(done) == "done"
    for times in range(1, 6):  # to and fro: a free action each, which nobody misses
        assert turn.direct((*[trade] * times, done)) == ((trade, done) if times % 2 else (done,))
    assert turn.left((trade, trade, done)) == turn.left((done,)) != turn.left((trade, done))
    assert turn.key(s) != turn.key([*turn.steps((trade, trade, done))][-1].state)


class Endless(Errands):
    """The first errands may be run and taken back for ever."""

    def legal(self, box, s, mask):
        mask[:] = np.arange(len(mask)) < 2

    def apply(self, box, s, action):
        s["run"][0, action] ^= 1
        return True


def test_a_plan_that_leads_back_to_where_it_began_is_not_empty():
    turn = Turn(Endless(), begun(Errands()))
    (plan,) = turn.sample(First(turn.game), np.zeros(1), np.random.default_rng(0))
    assert len(plan.actions) == LONGEST and turn.left(plan.actions) == turn.table(turn.start)
    assert len(turn.direct(plan.actions)) == 2


def test_a_plan_goes_to_who_acts_next_at_once():
    game = sammu_env.load_game()
    consulted = {"location": "Kalhu", "consulted": 0, "actions": 1}
    s = game.position({
        "challenge": "SAM-185", "players": 1, "month": 2, "stage": "actions", "locations": {"Kalhu": {"military": 2}},
        "characters": dict.fromkeys(("Besime", "Wardiya", "Sammu-ramat"), consulted),
    })  # fmt: skip
    turn, plan = Turn(game, game.resample(s, 0, np.random.default_rng(1))), []

    def do(words):
        (action,) = [int(i) for i in np.flatnonzero(legal_mask(game, s)) if game.words(s, i).startswith(words)]
        plan.append(action)
        assert game.apply(game.box, s, action)

    for words in ("Act with another", "Wardiya", "Act with another", "Move"):  # with Besime, the only one left
        do(words)
    while not turn.over(s):
        do(game.words(s, np.flatnonzero(legal_mask(game, s))[0]))
    direct = turn.direct(tuple(plan))
    done = [game.words(step.state, step.action) for step in turn.steps(direct)]
    assert done[:3] == ["Act with another character", "Besime", "Move"]
    assert len(direct) < len(plan) and turn.left(direct) == turn.left(tuple(plan))


def test_what_may_still_be_done_counts_until_the_turn_is_over():
    game = sammu_env.load_game()
    s = game.position({
        "challenge": "SAM-185", "players": 2, "month": 2, "stage": "actions", "locations": {"Kalhu": {"military": 2}},
        "characters": {"Besime": {"location": "Kalhu", "player": 0}, "Wardiya": {"location": "Kalhu", "player": 1},
                       "Sammu-ramat": {"location": "Kalhu", "consulted": 0, "actions": 2}},
    })  # fmt: skip
    turn, fewer = Turn(game, s), s.copy()
    fewer["actions"][0, CHARACTERS.index("Sammu-ramat")] = 1
    assert turn.table(fewer) != turn.table(s)
    tables = []
    for one in (s, fewer):
        game.apply(game.box, one, Turn(game, one).end().actions[0])
        assert turn.over(one)
        tables.append(turn.table(one))
    assert tables[0] == tables[1]


def test_only_what_ends_the_turn_is_called_so():
    game = Toy()
    assert Turn(game, begun(game)).end() is None  # to pass ends it, but is a move like any other


def test_plans_are_equal_only_where_that_is_known():
    def found(*less):
        return Found((1,), 100, Interval(0.5, 0.4, 0.6), Interval(*less))

    told = [(one.equal, one.worse) for one in (found(0.0, -0.01, 0.01), found(0.0, -0.4, 0.4), found(0.1, 0.05, 0.2))]
    assert told == [(True, False), (False, False), (False, True)]
    assert replace(found(0.0, -0.03, 0.03), span=2.0).equal


def test_the_agents_own_plan_is_always_tried():
    plans = [Plan((i,), p, 1 - p) for i, p in enumerate(np.linspace(0.01, 0.3, 40))]
    chosen = choose(plans, 8, np.random.default_rng(0))
    assert len(chosen) == 8 and chosen[0] is plans[0]
    assert plans[39] in chosen and plans[38] in chosen  # by how likely they are
    assert plans[1] in chosen  # by what the head says


class Third:
    """Runs the third errand alone, which changes nothing."""

    name = "third"

    def __init__(self, game, second: bool = False):
        self.own = [1 if second else 2, DONE]

    def reset(self, seed):
        self.seeds = [*getattr(self, "seeds", []), seed]

    def act(self, states, masks):
        assert not (states["card"] == 2).any()  # the true one
        return np.where(masks[:, self.own[0]], *self.own)


class Advised(Marked):
    proposers = (f"{__name__}:Third",)


class First(Watchful):
    """Runs the first errand, which costs a pip."""

    def act(self, states, masks):
        return np.where(masks[:, 0], 0, DONE)


def test_plans_of_proposers_come_first_and_are_taken_unless_the_team_makes_more_of_another():
    game = Advised()
    s = begun(game)
    s["card"] = 2
    search = Search(game, First(game), rollouts=6400, plans=1)
    assert search.choose(s, 3).plan.actions == (2, DONE)
    free = Search(game, Watchful(game), rollouts=4000)
    own = free.choose(s, 3)
    assert 1 in own.plan.actions and own.better
    tried = free._candidates(own.turn, Budget(None, 4000), 3)
    assert tried.plans[0] == Plan((2, DONE), 1.0, pytest.approx(np.nan, nan_ok=True))
    assert len({own.turn.left(plan.actions) for plan in tried.plans}) == len(tried.plans) == 8
    assert tried.proposer == 0 and tried.plans[tried.own].prior < 1
    alone = Search(game, Watchful(game), proposals=False)._candidates(own.turn, Budget(None, 4000), 3)
    assert alone.proposer == -1 and alone.own == 0 and {plan.prior < 1 for plan in alone.plans} == {True}


class Aimless(Advised):
    """The third errand says only how much may still be done."""

    spare = (slice(2, 3),)

    def turn_key(self, s):
        return int(s["to_act"][0])


def test_advice_leaves_out_the_detours_of_a_proposer():
    game = Aimless()
    s = begun(game)
    s["card"] = 2
    search = Search(game, First(game), rollouts=6400, plans=1)
    assert search.choose(s, 3).plan.actions == (2, DONE)  # it follows its plan from turn to turn
    assert [*search.advise(s, seed=3)][-1].plans[0].actions == (DONE,)


class Open(Advised):
    def secrets(self, states):
        return np.zeros(len(states), np.bool_)


@pytest.mark.parametrize(("game", "kept"), [(Open(), True), (Advised(), False)])
def test_proposers_keep_their_plans_where_there_are_no_secrets(game, kept):
    search = Search(game, Random(game), rollouts=8, plans=2)
    search.reset(5)
    for seed in range(3):
        s = begun(game, seed)
        search.act(s, legal_mask(game, s)[None])
    began = search.proposers[0].seeds[1:]  # the first is that of a new agent
    assert began == [5] if kept else len(set(began)) == 3


class Careful(Random):
    """Keeps what does no harm."""

    def act(self, states, masks):
        return np.where(states["pot"] + states["die"] <= LIMIT, KEEP, PASS)


class Passing(Random):
    """Loses every game of the toy."""

    def act(self, states, masks):
        return np.full(len(states), PASS)


class Counselled(Toy):
    proposers = (f"{__name__}:Careful",)


def test_a_plan_is_worth_what_its_proposer_makes_of_it():
    game = Counselled()
    s = begun(game)
    s["die"] = 1
    search = Search(game, Passing(game), rollouts=64 * 100)
    found = search.choose(s, 3)
    assert found.plan.actions == (KEEP,) and not found.better and found.won == 0
    won, played = search._fared[NOBODY]
    assert played > 10 and won / played > 0.3
    seen = list(search.advise(s, rollouts=64 * 200, seed=1))
    assert [seen[0].team, seen[-1].team] == search.teams and seen[-1].fresh
    assert seen[-1].plans[0].actions == (KEEP,) and seen[-1].plans[0].chance.low > 0.2
    search.reset(0)
    assert search._fared == {}
    assert Search(game, Passing(game), rollouts=64 * 100, proposals=False).choose(s, 3).plan.actions == (PASS,)


class Guarded(Counselled):
    def secrets(self, states):
        return np.ones(len(states), np.bool_)


def test_how_a_proposer_fares_with_what_one_seat_knows_is_kept_from_the_others():
    game = Guarded()
    s, search = begun(game, players=2), Search(game, Passing(game), rollouts=64 * 20, plans=1)
    for seat in (0, 1):
        s["to_act"] = s["seat"] = seat
        search.choose(s, 3)
    assert {seat: fared[1] for seat, fared in search._fared.items()} == {0: 4, 1: 4}


def test_a_slower_proposer_has_better_odds_than_the_first_that_plays_on_for_it():
    first, slower = (_of_proposer(proposer, 3, 8) for proposer in (0, 1))
    assert first == 0.38 and slower / (1 - slower) == pytest.approx(THOROUGH * first / (1 - first))


def test_a_proposer_plays_on_no_longer_than_its_share_of_the_time(monkeypatch):
    """Though its games are ten thousand times as long as those of the search before."""
    game = Counselled()
    search = Search(game, Passing(game))
    compiled(search, game)
    act = Careful.act
    monkeypatch.setattr(Careful, "act", lambda *own: (time.sleep(0.01), act(*own))[1])
    turn = search.turn(begun(game), 0)
    budget = Budget(4, None, [100, 1e6])
    fared = search._faring(turn, Plan((KEEP,), 0.0, 0.0), budget, 0)
    assert fared.n > 1 and 0.1 < budget.elapsed < 2


def test_of_few_rollouts_a_proposer_has_its_share_on_average():
    """Of 512 it may play 1.6 games: now one, now two."""
    game = Counselled()
    search = random_search(game)
    turn = search.turn(begun(game), 0)
    tried = [search._faring(turn, Plan((KEEP,), 0.0, 0.0), Budget(None, 512), seed).n for seed in range(60)]
    assert set(tried) == {1, 2} and 1.4 < np.mean(tried) < 1.8


def test_how_a_proposer_fares_is_tried_also_where_its_games_take_longer_than_a_search():
    """Now and then: so that all of them take their share of the time."""
    game = Counselled()
    search = random_search(game, seconds=1)
    turn, tried = search.turn(begun(game), 0), 0
    for seed in range(100):
        tried += search._faring(turn, Plan((KEEP,), 0.0, 0.0), Budget(1.0, None, [100.0, 0.5]), seed).n
    assert 4 <= tried <= 20


def test_few_games_of_a_proposer_are_all_for_its_own_plan():
    """They are too few to compare plans by. Those that showed how it fares are told at first and then count no more, as
    by them it was chosen who plays on."""
    game = Counselled()
    s = begun(game)
    s["die"] = 1
    search = Search(game, Passing(game))
    found = [one for one in search.advise(s, rollouts=64 * 10 + 8, seed=1) if one.team == search.teams[1]]
    (fared,), (plan,) = found[0].plans, found[-1].plans
    assert not found[0].fresh and found[-1].fresh and fared.actions == plan.actions == (KEEP,)
    assert fared.worlds > 0 and 2 < plan.worlds <= 10 - fared.worlds


class Twice(Marked):
    proposers = (f"{__name__}:Third", f"{__name__}:Third:second=true")


def test_quick_proposers_alone_are_asked_when_there_is_no_time():
    game = Twice()
    search = Search(game, Random(game))
    turn = search.turn(begun(game), 0)

    def proposed(budget):
        plans, proposer = search._proposed(turn, budget)
        return [plan.actions[0] for plan in plans], proposer

    assert proposed(Budget(1, None, planning=0)) == ([2], 0)
    assert proposed(Budget(None, 1)) == ([1], 1)  # the thorough one
    search._takes[1] = 60  # it took so long before
    assert [proposed(Budget(100, None, planning=50))[1] for _ in range(4)] == [0, 0, 1, 1]  # it is tried again
    search.cancel()
    assert proposed(Budget(None, 1)) == ([], -1)


def test_an_agent_saves_time_for_turns_in_which_there_is_more_to_plan(monkeypatch):
    now, asked = [0.0], []

    class Watch(Budget):
        """A clock that stands still but for what plans cost."""

        elapsed = property(lambda _: now[0])

        def left(self, player=0, until=0):
            return 0

    def plan(turn, agent):
        asked[-1].append(search.proposers.index(agent))
        now[0] += 0.6 if asked[-1][-1] else 0.1
        return Plan((2, DONE), 0.0, 0.0)

    search = Search(Twice(), Random(Twice()), seconds=1)
    monkeypatch.setattr("tabletop.agents.search.Budget", Watch)
    monkeypatch.setattr(Turn, "greedy", plan)

    def turns(n):
        asked.clear()
        for turn in range(n):
            asked.append([])
            now[0] = 0.0
            search._chosen(search.turn(begun(Twice()), turn), turn)
        return asked

    assert list(map(len, turns(8))) == [2, 1, 1, 2, 1, 1, 1, 2]  # 0.75 s are saved at first, in each turn a quarter
    search.proposers[1].follows = lambda _: True
    assert turns(2) == [[1], [1]]  # its plan is there, whatever the time
    search.reset(0)
    assert search._saved == 0.75


def test_the_planner_proposes_to_the_team():
    game = sammu_env.load_game()
    search = random_search(game, samples=1, plans=2, rollouts=8)
    search.ready()
    options = ("width48-tries48-threads1", "width96-tries48-plans4-threads1")
    assert [one.name for one in search.proposers] == [f"planner-{option}" for option in options]
    assert not search._takes.any()
    s = begun(game, challenge="SAM-184", players=2)
    search.proposers = [agents.make("planner:width=2,tries=4,futures=2", game)]
    first, again = (json.dumps(told(search, s, rollouts=8, seed=4)) for _ in range(2))
    assert first == again and json.loads(first)[-1]["rollouts"] >= 8
    assert json.loads(first)[-1]["team"] in ("random", "planner")


# Figures


@cache
def chance(round_, seat, pot, players=2):
    """Of winning the toy if every seat keeps or passes at random, before the die is rolled: exactly."""
    if pot > LIMIT or (pot < GOAL and round_ == ROUNDS):
        return 0.0
    if pot >= GOAL:
        return 1.0
    after = (round_, seat + 1) if seat + 1 < players else (round_ + 1, 0)
    total = sum((1, 1, 1, 1, 1, 2))
    return sum(weight * (chance(*after, pot + pips) + chance(*after, pot)) / 2
               for pips, weight in enumerate((1, 1, 1, 1, 1, 2), 1)) / total  # fmt: skip


def exact(s, action):
    one = s[0]
    after = (one["round"], one["seat"] + 1) if one["seat"] + 1 < one["players"] else (one["round"] + 1, 0)
    return chance(*map(int, after), int(one["pot"] + (one["die"] if action == KEEP else 0)))


def toy_positions(n):
    """Open positions of random play."""
    game, rng, found = Toy(), np.random.default_rng(5), []
    while len(found) < n:
        s = begun(game, int(rng.integers(1 << 30)))
        for _ in range(int(rng.integers(9))):
            if s["to_act"][0] >= 0:
                game.apply(game.box, s, int(rng.integers(2)))
        if s["to_act"][0] >= 0 and 0.05 < exact(s, KEEP) < 0.95:
            found.append(s)
    return found


def test_intervals_of_the_chosen_plan_cover_what_is_true():
    """The agent is random, so the truth is known; the figures are fresh, or they would be too high."""
    search = random_search(Toy())
    covered, over, n = 0, 0.0, 60
    for seed, s in enumerate(toy_positions(n)):
        best = list(search.advise(s, rollouts=80, seed=seed))[-1].plans[0]
        truth = exact(s, best.actions[0])
        covered += best.chance.low <= truth <= best.chance.high
        over += best.chance.rate - truth
    assert covered / n >= 0.88  # three standard errors below 0.95
    assert abs(over / n) < 0.03


def test_the_figures_that_chose_one_of_few_plans_are_not_told():
    """Three plans, as good as each other: the best of their figures would be five points too high."""
    search, n = random_search(Errands(), plans=3), 100
    said = [list(search.advise(begun(Errands(), seed, peek=1), rollouts=90, seed=seed))[-1].plans[0].chance.rate
            for seed in range(n)]  # fmt: skip
    assert abs(np.mean(said) - 0.25) < 3 * np.std(said) / n**0.5


def test_the_better_plan_comes_first_with_its_reasons():
    game = Errands()
    *_, last = random_search(game).advise(begun(game), rollouts=6000)
    assert set(last.plans[0].actions) >= {1} and 0 not in last.plans[0].actions
    low, high = last.plans[0].chance[1:]
    assert low < 5 / 6 < high  # a die of 2 or more
    assert last.plans[1].equal  # the third errand changes nothing
    assert last.end.less.low < 1 / 3 < last.end.less.high  # a die of 4 or more
    assert not last.end.equal
    assert {reason.name for reason in last.end.why} == {"too few pips", "errands"}
    assert {reason.name for reason in last.plans[0].why} <= {"errands"}  # the second best is as good
    assert "Ending the turn now" in last.text() and "equal to the first" in last.text()
    assert "今ターンを終えると" in last.text("ja")


@pytest.mark.parametrize("until_sure", [False, True])
def test_a_plan_that_is_surely_better_becomes_the_first(until_sure):
    """Also if that is to end the turn; and nothing is said to be sure before."""
    game = Errands()
    search = random_search(game)
    turn, budget = search.turn(begun(game), 0), Budget(None, 6000)
    worse, *good, end = [Plan((*run, DONE), 0.0, 0.0) for run in ((0,), (1,), (1, 2), ())]
    for plans, told, first in (([worse, *good, end], 3, good), ([worse, end], 1, [end])):
        trials = Trials(turn, plans, search.crew, replace(budget), (0, 3))
        *_, last = search._compared(trials, Report(turn, budget, search.teams), told, end, until_sure)
        assert last.plans[0].actions in [plan.actions for plan in first]
        assert all(plan.less.low > 0 or plan.equal for plan in last.plans[1:])
        assert last.sure >= until_sure and not trials.sure(0)
    assert last.text().count("this is the best plan") == 1


def test_what_is_surely_better_is_told_as_more():
    game = Errands()
    search = random_search(game)
    turn, budget = search.turn(begun(game), 0), Budget(None, 100)
    trials = Trials(turn, [Plan((0, DONE), 0.0, 0.0), Plan((1, DONE), 0.0, 0.0)], search.crew, budget, (0, 3))
    assert [*trials.run(range(2), 50)] == [None]
    last = Report(turn, budget, search.teams).findings(trials, [0, 1], 1, True)
    assert "points more" in last.text() and "ポイント高い" in last.text("ja") and "perhaps" not in last.text()


def test_plans_are_chosen_for_their_share_of_the_time_though_nothing_is_known_of_it(monkeypatch):
    game, now = Errands(), [0.0]
    search = random_search(game)
    turn, plans = search.turn(begun(game), 0), [Plan((1, DONE), 0.0, 0.0)] * 16

    def play(*args, played=search.crew.play):
        for futures in played(*args):
            now[0] += len(futures.won) / 1000
            yield futures

    monkeypatch.setattr(search.crew, "play", play)
    monkeypatch.setattr("tabletop.agents.trials.time", SimpleNamespace(perf_counter=lambda: now[0]))
    for taken in (1.0, 1e6):  # games a second, as was thought before
        budget = Budget(2.0, None, [taken, 1.0], begun=now[0])
        trials = Trials(turn, plans, search.crew, budget, (0, 2))
        rankings = list(search._halved(trials, 0.4, 1, 0, -1.0))
        assert 0.7 < budget.elapsed < 0.9 and {len(plans) for plans in rankings} >= {16, 8, 4}, taken


def test_the_best_plan_is_played_by_itself_when_the_others_are_compared():
    """Its figure is what people want to know, so it is from more worlds; differences are from those of both."""
    for rollouts, alone in ((4000, True), (400, False)):
        last = told(random_search(Errands()), begun(Errands()), rollouts=rollouts, seed=2)[-1]
        best, *others = (plan["worlds"] for plan in last["plans"])
        assert len(set(others)) == 1 and (best > 2 * others[0]) == alone, rollouts
        assert 0.8 * rollouts < last["rollouts"] <= rollouts
        for plan in last["plans"][1:]:
            assert plan["less"][1] <= plan["less"][2]


def test_rivals_are_judged_by_what_they_are_paid():
    game = Bidding()
    s = begun(game)
    *_, last = random_search(game).advise(s, rollouts=200)
    assert last.unit == "reward"
    assert last.plans[0].chance.low <= last.plans[0].chance.rate <= last.plans[0].chance.high
    s["round"], s["hand"][0, 0] = 1, [1, 0, 0, 0, 0, 1]  # the last two cards: a one, a six
    s["hand"][0, 1] = [0, 0, 2, 0, 0, 0]
    s["deck"][0] = [1, 2, 0, 2, 2, 1]
    *_, last = random_search(game).advise(s, rollouts=200)
    assert last.unit == "win"  # one coin goes to who wins, or none to anybody


def tried(game, *plans):
    """Trials in which plans had so much of the win, brought so much, and games ended for such a cause."""
    turn = Turn(game, begun(game))
    trials = Trials(turn, [Plan((i,), 0.5, 0.5) for i in range(len(plans))], Crew(game, [Random(game)]),
                    Budget(None, 1), (0,))  # fmt: skip
    for i, (won, paid, cause) in enumerate(plans):
        trials._parts[i].append(Futures(np.array(paid), np.array(won), np.array(cause), turn.start[:0]))
    return trials


def test_a_draw_is_a_share_of_the_win():
    game, n = Bidding(), 25
    won = [0.0, 0.5, 1.0, 0.0] * n
    trials = tried(game, (won, [2 * x - 1 for x in won], [0] * 4 * n))
    assert trials.unit == "win" and trials.ends("win") == (0, 1)
    assert trials.figure(0, "win", (0, 1), 1.96).rate == 0.375
    for paid in ([-1.0, 0.2, 1.0, -1.0], [-1.0, 0.0, 1.0, -0.5]):  # a draw is worth more; it matters how a game is lost
        trials = tried(game, (won, paid * n, [0] * n * 4))
        assert trials.unit == "reward" and trials.ends("reward") == (-1.16, 1.16)
    trials = tried(game, ([1.0] * 10, [1.0] * 9 + [0.9], [0] * 10))
    told = trials.figure(0, "reward", trials.ends("reward"), 1.96)
    assert 0.85 <= told.low <= told.rate == 0.99 <= told.high <= 1.05


@pytest.mark.parametrize("n", [3, 6, 12])
def test_a_few_rewards_do_not_say_what_all_are(n):
    """An interval of the mean holds in nine of ten draws at least, where some of the rewards are not seen yet."""
    rng, chances, rewards = np.random.default_rng(n), [0.25, 0.5, 0.25], np.array([-2.0, 0.0, 1.0])
    held = 0
    for _ in range(500):
        paid = rng.choice(rewards, n, p=chances)
        trials = tried(Bidding(), ([0.5] * n, paid.tolist(), [0] * n))
        told = trials.figure(0, "reward", trials.ends("reward"), 1.96)
        held += told.low <= rewards @ chances <= told.high
    assert held > 450, held


def test_plans_are_not_called_equal_after_a_few_worlds():
    for n, equal in ((150, False), (800, True)):
        won = [1.0, 0.0] * (n // 2)
        trials = tried(Errands(), *[(won, won, [0, 1] * (n // 2))] * 2)
        less = trials.less(1, 0, "win", 1.0, 1.96)
        assert Found((1,), n, None, less).equal == equal


def test_the_way_to_win_is_no_reason_for_a_defeat():
    """Though a campaign whose last challenge is met may be lost."""
    n = 100
    trials = tried(Errands(), ([1.0, 0.0] * n, [1.0, 0.0] * n, [0, 0] * n), ([0.0, 0.0] * n, [0.0] * 2 * n, [1, 2] * n))
    assert {reason.name for reason in trials.why(1, 0)} == {Errands.causes[1], Errands.causes[2]}


# As an agent


def test_search_beats_what_it_searches_for():
    game, seeds = Toy(), np.arange(20)
    search, setup = random_search(game, rollouts=40), game.configure(goal=LIMIT)  # fifteen pips, no more and no less
    alone = team_won(game, play_chunk(game, Random(game), setup, seeds)).sum()
    searched = team_won(game, np.concatenate([play_chunk(game, search, setup, seeds[i : i + 1]) for i in seeds])).sum()
    assert searched >= alone + 5


def test_a_plan_is_followed_to_the_end_of_the_turn():
    game = Errands()
    search, s, mask = random_search(game, rollouts=400), begun(game), np.zeros((1, game.n_actions), np.int8)
    made = []
    while s["to_act"][0] >= 0:
        game.legal(game.box, s, mask[0])
        made.append(int(search.act(s, mask)[0]))
        assert game.apply(game.box, s, made[-1])
    assert 1 in made and 0 not in made and made[-1] == DONE
    assert not search._planned


def test_by_name():
    game = Toy()
    search = agents.make("search:rollouts=40,policy=random", game)
    assert (search.rollouts, search.policy.name) == (40, "random")
    for wrong in ("search:rollouts", "search:rollouts=many", "search:depth=3", "search:seconds=1,rollouts=3"):
        with pytest.raises(ValueError, match="search"):
            agents.make(wrong, game)
    with pytest.raises(ValueError, match="choose one of them"):
        Search(game, Random(game), seconds=1, rollouts=4)
    with pytest.raises(ValueError, match="choose one of them"):
        next(Search(game, Random(game)).advise(begun(game)))
    with pytest.raises(ValueError, match="choose one of them"):
        Search(game, Random(game)).advise(begun(game), seconds=1, rollouts=4)


@pytest.mark.parametrize(("budget", "least"), [
    ({"seconds": math.nan}, 0), ({"seconds": math.inf}, 0), ({"seconds": -1}, 0), ({"rollouts": 0}, 1),
    ({"rollouts": -5}, 1),
])  # fmt: skip
def test_a_search_takes_a_number_of_something(budget, least):
    game = Toy()
    with pytest.raises(ValueError, match=f"choose {least} or more"):
        Search(game, Random(game), **budget)
    with pytest.raises(ValueError, match=f"choose {least} or more"):
        Search(game, Random(game)).advise(begun(game), **budget)


# The same again, and no longer than wanted


def test_the_same_seed_finds_the_same():
    game = Errands()
    s = begun(game)
    first, again = (told(random_search(game), s, rollouts=300, seed=3) for _ in range(2))
    assert first == again
    assert first != told(random_search(game), s, rollouts=300, seed=4)
    assert [found["rollouts"] for found in first][-1] <= 300 + 8 * 4
    acted = [play_chunk(game, random_search(game, rollouts=50), game.configure(), np.arange(3)) for _ in range(2)]
    assert acted[0].tobytes() == acted[1].tobytes()


class Certain(Random):
    """A head that says 80%."""

    def likelihoods(self, states, masks):
        return masks / masks.sum(axis=1, keepdims=True)

    def chances(self, observations, boxes):
        return np.full(len(observations), 0.8)


def test_what_a_head_says_of_a_part_of_a_game_is_no_answer():
    """In a campaign it speaks of the challenge, and the search of victory in the end."""
    game = sammu_env.load_game()
    search = Search(game, Certain(game), proposals=False)
    for campaign in (False, True):
        first = next(search.advise(begun(game, campaign=campaign), rollouts=1))
        assert (first.plans[0].chance is None) == campaign


def test_nobody_is_advised_where_nobody_is_asked():
    game = Toy()
    s = begun(game)
    s["to_act"] = NOBODY
    (found,) = random_search(game).advise(s, rollouts=10)
    plain = found.to_dict()
    assert plain["to_act"] == "nobody" and plain["plans"] == [] and plain["basis"] == ""
    assert "nothing to choose" in found.text()


class Cancelling(Random):
    """Cancels the search that it plays for."""

    def act(self, states, masks):
        self.asked += 1
        if self.asked == self.last:
            self.search.cancel()
        return super().act(states, masks)


def test_a_search_is_cancelled_within_a_step():
    game = Toy()
    agent = Cancelling(game)
    agent.search, agent.asked, agent.last = Search(game, agent), 0, 40
    found = list(agent.search.advise(begun(game), rollouts=10**6))
    assert agent.asked == 40
    assert len(found) == 1  # what the policy says by itself
    agent.last = -1
    assert list(agent.search.advise(begun(game), rollouts=40))[-1].fresh  # and the next one runs


class Dealing(Toy):
    """Counts the worlds that are drawn; the search is cancelled as the last of them is."""

    search, drawn, last = None, 0, 0

    def resample(self, s, seat, rng):
        self.drawn += 1
        if self.drawn == self.last:
            self.search.cancel()
        return super().resample(s, seat, rng)


@pytest.mark.parametrize("last", [10, 5000])
def test_a_search_that_is_cancelled_draws_no_more_worlds(last):
    """Neither of those that would be played together, nor of the hundreds of parts after them."""
    game = Dealing()
    game.search, game.last = random_search(game), last
    found = list(game.search.advise(begun(game), rollouts=10**6))
    assert game.drawn == last and (len(found) > 1) == (last > 2048)


def test_a_search_that_is_cancelled_at_once_loads_nothing():
    search = random_search(Laden())
    found = search.advise(begun(search.game), rollouts=100)
    next(found)
    search.cancel()
    assert list(found) == [] and search.proposers == []


@pytest.mark.parametrize("rollouts", [1, 2, 3, 5, 8])
def test_the_first_rollouts_are_for_the_best_plan(rollouts):
    game = Errands()
    *_, last = random_search(game).advise(begun(game), rollouts=rollouts)
    assert last.fresh and 1 <= last.plans[0].worlds <= last.rollouts <= rollouts


def test_a_plan_that_is_halted_ends_after_a_choice():
    game = Errands()
    turn, rng = Turn(game, begun(game)), np.random.default_rng(0)
    assert len(turn.sample(First(game), np.zeros(1), rng)[0].actions) == 2
    assert turn.sample(First(game), np.zeros(1), rng, lambda: True)[0].actions == (0,)


class Dreamer(Random):
    """Takes for ever, unless it is halted."""

    def __init__(self, game, tried=False):
        self.halt, self.tried = np.zeros(1, np.int8), tried

    def act(self, states, masks):
        while not self.halt[0] and not self.tried:
            time.sleep(0.001)
        self.tried = False  # a process lets it choose once before it plays
        return masks.argmax(axis=1)


class Awaited(Toy):
    proposers = (f"{__name__}:Dreamer",)


@pytest.mark.parametrize("processes", [1, 2])
def test_agents_that_take_long_are_halted_too(processes):
    game = Toy()
    worlds = Worlds(begun(game).repeat(2), np.arange(2), 0)
    with closing(Crew(game, ["random", f"{__name__}:Dreamer:tried=true"], processes)) as crew:
        assert [*crew.play(worlds, [(), ()], 0)]  # all processes have begun
        threading.Timer(0.1, crew.halt).start()
        assert not [*crew.play(worlds, [(), ()], 0, 1)]
        crew.go()
        assert [*crew.play(worlds, [(), ()], 0)]


def test_an_agent_of_somebody_else_is_not_halted():
    game = Toy()
    dreamer = Dreamer(game)
    Crew(game, [dreamer]).close()
    assert not dreamer.halt[0]


def test_a_proposer_that_takes_long_is_halted():
    game = Awaited()
    search = Search(game, Random(game))
    threading.Timer(0.1, search.cancel).start()
    assert len(list(search.advise(begun(game), rollouts=1000))) == 1
    assert search.proposers[0].halt is search.crew.flag


def test_a_policy_that_takes_long_is_halted():
    game = Toy()
    search = Search(game, f"{__name__}:Dreamer", "random")
    assert search.policy.halt is search.crew.flag
    threading.Timer(0.1, search.cancel).start()
    assert list(search.advise(begun(game), rollouts=1000)) == []  # it chose anything, which is no advice
    shared = Search(game, f"{__name__}:Dreamer")
    assert shared.policy is shared.crew.agents[0] and shared.policy.halt is shared.crew.flag


def test_seconds_are_kept():
    game = Toy()
    *_, last = random_search(game).advise(begun(game), seconds=0.5)
    assert 0 < last.seconds < 2 and last.rollouts > 0


class Sluggish(Careful):
    """Takes long to load."""

    def __init__(self, game):
        super().__init__(game)
        time.sleep(1.0)


class Laden(Toy):
    proposers = (f"{__name__}:Sluggish",)


def test_what_proposers_load_is_no_part_of_a_search():
    game = Laden()
    *_, last = random_search(game).advise(begun(game), seconds=0.5)
    assert last.seconds < 1 and last.plans[0].worlds > 0


class Thoughtful(Careful):
    """Takes longer for a plan than there is for all."""

    def act(self, states, masks):
        time.sleep(0.3)
        return super().act(states, masks)


class Pondered(Toy):
    proposers = (f"{__name__}:Thoughtful",)


def test_where_plans_took_all_the_time_a_few_games_are_played_all_the_same():
    *_, last = random_search(Pondered()).advise(begun(Pondered()), seconds=0.1)
    assert last.plans[0].worlds == last.rollouts == LEAST and last.team == "random"


def test_processes_play_the_same_and_are_cancelled():
    game = Toy()
    s = begun(game)
    two = Search(game, "random", processes=2)
    try:
        assert told(two, s, rollouts=100) == told(two, s, rollouts=100)
        timer = threading.Timer(0.3, two.cancel)
        timer.start()
        assert list(two.advise(s, rollouts=10**7))[-1].rollouts < 10**6
    finally:
        two.close()
    with closing(advice.searcher(game)) as search:  # the toy has no network
        *_, last = search.advise(s, 0.2)
    assert (
        search.teams[0] == "random"
        and last.fresh
        and json.loads(json.dumps(last.to_dict()))["plans"][0]["worlds"] == last.plans[0].worlds > 0
    )
    assert last.line().endswith((": keep", ": pass"))
    with pytest.raises(ValueError, match="need the name"):
        Crew(game, [Random(game)], 2)


def test_processes_that_have_ended_begin_again():
    game = Toy()
    s = begun(game)
    with closing(Search(game, "random", processes=2)) as search:
        first = told(search, s, rollouts=100)
        search.crew._others[1].kill()
        search.crew._others[1].join()
        with pytest.raises(ChildProcessError, match="a process that played games has ended"):
            told(search, s, rollouts=100)
        assert told(search, s, rollouts=100) == first


def test_a_search_that_cannot_be_made_ready_leaves_no_process(monkeypatch):
    def broken(turn, budget):
        assert not search.crew._loading  # so what had to be compiled was compiled in the processes
        raise ValueError("no plan")

    search, before = Search(Toy(), "random", processes=2), multiprocessing.active_children()
    monkeypatch.setattr(search, "_proposed", broken)
    with pytest.raises(ValueError, match="no plan"):
        search.ready()
    assert set(multiprocessing.active_children()) <= set(before)


def test_what_processes_answer_to_a_search_that_was_interrupted_is_not_taken_for_the_next(monkeypatch):
    game = Toy()
    worlds = Worlds(begun(game).repeat(8), np.arange(8), 0)

    def interrupted(pipes):
        raise KeyboardInterrupt

    with closing(Crew(game, ["random"], 2)) as crew:
        crew.wait()
        with monkeypatch.context() as patched:
            patched.setattr("tabletop.agents.futures.wait", interrupted)
            with pytest.raises(KeyboardInterrupt):
                next(crew.play(worlds, [()] * 8, 1))
        crew.go()
        few = Worlds(worlds.states[:2], worlds.seeds[:2], 0)
        assert [len(futures.won) for futures in crew.play(few, [()] * 2, 1)] == [2]


@pytest.mark.parametrize("processes", [1, 2, 3])
def test_worlds_are_told_in_parts_while_others_are_played(processes):
    """All together as at once; and whoever has heard enough of them may ask for others."""
    game, n = Toy(), 50
    worlds = Worlds(begun(game).repeat(n), np.arange(n), 0)
    with closing(Crew(game, [f"{__name__}:Careful"], processes)) as crew:
        (whole,) = crew.play(worlds, [()] * n, 1)
        parts = [*crew.play(worlds, [()] * n, 1, part=12)]
        assert [len(part.won) for part in parts] == [12, 12, 12, 12, 2]
        for name, told in zip(Futures._fields, zip(*parts, strict=True), strict=True):
            assert b"".join(part.tobytes() for part in told) == getattr(whole, name).tobytes(), name
        given_up = crew.play(worlds, [()] * n, 1, part=12)
        assert next(given_up).won.tolist() == whole.won[:12].tolist()
        few = Worlds(worlds.states[:2], worlds.seeds[:2], 0)
        assert [len(part.won) for part in crew.play(few, [()] * 2, 1)] == [2]
        assert not [*given_up]


def test_a_script_that_does_not_fit_is_given_up():
    game = Toy()
    s = begun(game)
    s["die"] = 6
    worlds = Worlds(s.repeat(2), np.array([1, 2]), 0)
    (futures,) = Crew(game, [Random(game)]).play(worlds, [(DIE,), (PASS, KEEP)], 0)
    assert ((futures.later["round"] == 1) | (futures.later["to_act"] == NOBODY)).all()
    assert futures.won.tolist() == (futures.cause == 0).tolist() == (futures.paid > 0).tolist()
