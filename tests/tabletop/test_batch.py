"""Batches: the same games as played alone, whatever the threads; Gymnasium's three ways to begin anew; bad input."""

from __future__ import annotations

import copy
import os
import pickle
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from tabletop import record
from tabletop.batch import Batch, Buffers, play_random
from tabletop.game import CHANCE, NOBODY, RUNNING, SEEDS, WON
from tabletop.log import Match
from tests.tabletop.toy import DIE, KEEP, MAX_SEATS, PASS, SIZE, Toy

GAME = Toy()
N = 520  # enough for four threads
SETUPS = np.concatenate([GAME.configure(2 + i % 3) for i in range(N)])


def make(**options: Any) -> Batch:
    batch = Batch(GAME, SETUPS, **options)
    batch.reset(1000)
    return batch


def choices(steps: int) -> np.ndarray:
    return np.random.default_rng(0).integers(KEEP, PASS + 1, (steps, N))


def play_alone(game: int, seed: int, actions: Any) -> tuple[Match, Any]:
    """One of the games by itself, with as many of the choices as it takes."""
    match, total = Match(GAME, SETUPS[game : game + 1], seed), np.zeros(GAME.max_seats)
    for action in actions:
        total += match.act(int(action)) or 0.0
        if match.over:
            break
    return match, total


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_games_are_those_played_alone(threads: int, mode: AutoresetMode) -> None:
    batch, made = make(threads=threads, autoreset_mode=mode), choices(60)
    begun = np.zeros(N, np.int64)  # the choice at which each running game began
    ended = 0
    for t, actions in enumerate(made):
        was_over = batch.states["to_act"] == NOBODY
        out = batch.step(actions)
        assert (out.terminated[batch.finished.games]).all()
        for game, seed, returns, state in zip(*batch.finished, strict=True):
            match, total = play_alone(game, seed, made[begun[game] :, game])
            assert match.over and total.tolist() == returns.tolist() == out.rewards[game].tolist()
            assert set(record.differing(match.s, state.reshape(1))) <= {"manual_chance"}  # a match steps through draws
            ended += 1
        if mode is AutoresetMode.SAME_STEP:
            begun[batch.finished.games] = t + 1
        elif mode is AutoresetMode.NEXT_STEP:
            begun[was_over] = t + 1
    assert ended == N if mode is AutoresetMode.DISABLED else ended > 2 * N


def test_threads_change_nothing() -> None:
    results = []
    for threads in (1, 2, 5):
        batch, seen = make(threads=threads), []
        for actions in choices(40):
            out = batch.step(actions)
            seen += [part.tobytes() for part in (*out, *batch.finished, batch.states, batch.seeds)]
        results.append(seen)
    assert results[0] == results[1] == results[2]


def test_masks_and_observations_are_those_of_the_seat_asked() -> None:
    batch = make()
    for actions in choices(20):
        out = batch.step(actions)
        for i in range(N):
            one, mask, seen = batch.states[i : i + 1], np.zeros(GAME.n_actions, np.int8), np.zeros(SIZE, np.float32)
            GAME.legal(GAME.box, one, mask)
            GAME.observe(GAME.box, one, int(one["to_act"][0]), seen)
            assert (out.masks[i] == mask).all() and (out.observations[i] == seen).all()


# Beginning anew

#: What a finished game may be told without heeding it.
NONSENSE = (-1, 99, -2, np.iinfo(np.int64).min, DIE)


def test_same_step_shows_the_next_game() -> None:
    batch = make(autoreset_mode="SameStep")
    for actions in choices(30):
        out = batch.step(actions)
        assert (batch.states["result"] == RUNNING).all() and out.masks.any(axis=1).all()
        over = batch.finished.games
        assert sorted(over) == over.tolist() == np.flatnonzero(out.terminated).tolist()
        assert (batch.seeds[over] == batch.finished.seeds + N).all()
        assert (batch.states["decisions"][over] == 0).all()
        assert (batch.finished.states["to_act"] == NOBODY).all()


def test_next_step_ignores_the_choice_after_the_end() -> None:
    batch = make(autoreset_mode="NextStep")
    for t, actions in enumerate(choices(30)):
        was_over = batch.states["to_act"] == NOBODY
        out = batch.step(np.where(was_over, NONSENSE[t % len(NONSENSE)], actions))
        assert not out.terminated[was_over].any() and not out.rewards[was_over].any()
        assert (batch.states["decisions"][was_over] == 0).all()
        over = batch.states["to_act"] == NOBODY
        assert (out.terminated == over).all() and not out.masks[over].any() and out.masks[~over].any(axis=1).all()


def test_disabled_stays_until_it_is_reset() -> None:
    batch = make(autoreset_mode="Disabled")
    for t, actions in enumerate(choices(60)):
        over = batch.states["to_act"] == NOBODY
        out = batch.step(np.where(over, NONSENSE[t % len(NONSENSE)], actions))
    assert (batch.seeds == 1000 + np.arange(N)).all()
    assert out.terminated.all() and not out.rewards.any() and not out.masks.any()
    stood = batch.states.copy()
    which = np.arange(N) % 3 == 0
    out = batch.reset(which=which)
    assert (batch.states[~which] == stood[~which]).all() and out.terminated.tolist() == (~which).tolist()
    assert (batch.seeds == 1000 + np.arange(N) + N * which).all()
    assert (batch.states["result"][which] == RUNNING).all()


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_games_that_have_begun_in_each_place_are_counted(mode: AutoresetMode) -> None:
    batch = make(autoreset_mode=mode)
    for t, actions in enumerate(choices(40)):
        over = batch.states["to_act"] == NOBODY
        batch.step(np.where(over, 0, actions))
        if t % 10 == 5:
            batch.reset(which=np.arange(N) % 7 == t % 7)
        assert (batch.began == 1 + (batch.seeds - 1000) // N).all()
    assert (batch.began > 1).any()
    before = batch.began.copy()
    batch.place(np.array([4]), batch.states[batch.states["to_act"] >= 0][:1], np.array([3]))
    assert np.flatnonzero(batch.began - before).tolist() == [4]


def test_setups_and_seeds_of_the_next_games_may_be_changed() -> None:
    batch = make()
    batch.setups[:] = GAME.configure(4)
    batch.next_seeds[:] = np.arange(N) + 7
    while not len(batch.finished.games):
        batch.step(np.full(N, KEEP))
    over = batch.finished.games
    assert (batch.states["players"][over] == 4).all() and (batch.seeds[over] == over + 7).all()
    others = np.setdiff1d(np.arange(N), over)
    assert (batch.seeds[others] == 1000 + others).all()


def test_seeds() -> None:
    batch = make()
    assert batch.seeds.tolist() == list(range(1000, 1000 + N))
    batch.reset()
    assert batch.seeds.tolist() == list(range(1000 + N, 1000 + 2 * N))
    batch.reset(np.arange(N)[::-1])
    assert batch.seeds.tolist() == list(range(N))[::-1]
    for seed in (SEEDS - 1, np.int64(5), np.uint8(7)):
        batch.reset(seed)
        assert batch.seeds[:2].tolist() == [seed, (int(seed) + 1) % SEEDS]
        batch.reset()
        assert batch.seeds[:2].tolist() == [(int(seed) + more) % SEEDS for more in (N, N + 1)]
    assert len({int(Batch(GAME, SETUPS).next_seeds[0]) for _ in range(5)}) == 5
    assert Batch(GAME, SETUPS, seed=3).next_seeds[0] == 3


@pytest.mark.parametrize("seed", [
    1.5, True, -1, SEEDS, 2**70, "7", [3.0] * N, [True] * N, [-1] * N, [*range(N - 1), 2**70],
    np.full(N, 2**63 + 5, np.uint64), np.full(N, -1),
])  # fmt: skip
def test_what_is_no_seed_is_refused(seed: Any) -> None:
    batch = make()
    before = batch.states.tobytes()
    with pytest.raises(ValueError, match=f"seed is .*, choose one of 0 to {SEEDS - 1}"):
        batch.reset(seed)
    assert batch.states.tobytes() == before


# The caller's buffers


def test_writes_into_the_buffers_it_is_given() -> None:
    ours, theirs, made = make(), make(), choices(5)
    steps = [theirs.new_buffers() for _ in made]
    for actions, into in zip(made, steps, strict=True):
        expected = ours.step(actions)
        assert theirs.step(actions, into) is into
        assert [a.tobytes() for a in into] == [b.tobytes() for b in expected]
    boolean = steps[0]._replace(masks=np.zeros((N, GAME.n_actions), np.bool_))
    out = theirs.step(made[0], boolean)
    assert (out.masks == ours.step(made[0]).masks).all()


def test_without_observations() -> None:
    batch = make(observe=False)
    assert batch.step(choices(1)[0]).observations.shape == (N, 0)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("observations", np.zeros((N, SIZE))),
        ("observations", np.zeros((SIZE, N), np.float32).T),
        ("masks", np.zeros((N, GAME.n_actions + 1), np.int8)),
        ("masks", np.zeros((N, GAME.n_actions), np.uint8)),
        ("rewards", np.zeros(N, np.float32)),
        ("terminated", np.zeros(N, np.int8)),
        ("terminated", [False] * N),
    ],
)
def test_wrong_buffer_is_named_and_nothing_moves(name: str, wrong: Any) -> None:
    batch = make()
    stood, into = batch.states.tobytes(), batch.new_buffers()._replace(**{name: wrong})
    with pytest.raises(ValueError, match=f"buffer {name} is .*expected a writable"):
        batch.step(choices(1)[0], into)
    with pytest.raises(ValueError, match=f"buffer {name}"):
        batch.reset(into=into)
    assert batch.states.tobytes() == stood


def test_read_only_buffer() -> None:
    batch = make()
    into = batch.new_buffers()
    into.rewards.setflags(write=False)
    with pytest.raises(ValueError, match="rewards"):
        batch.step(choices(1)[0], into)


def test_torch_tensors_share_their_memory() -> None:
    torch = pytest.importorskip("torch")
    batch = make()
    tensors = [torch.from_numpy(part.copy()) for part in batch.new_buffers()]
    out = batch.step(choices(1)[0], Buffers(*(tensor.numpy() for tensor in tensors)))
    assert out.masks.any() and (tensors[1].numpy() == out.masks).all() and tensors[0].data_ptr() == out[0].ctypes.data


# Bad input


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("wrong", [DIE, -1, -2, 99])
def test_illegal_choice_names_the_game_and_moves_none(wrong: int, threads: int) -> None:
    batch = make(threads=threads)
    batch.step(choices(1)[0])
    stood, last = batch.states.tobytes(), [part.tobytes() for part in batch.buffers]
    actions = np.zeros(N, np.int64)
    actions[[17, 40]] = wrong
    with pytest.raises(ValueError, match=rf"game 17: illegal action {wrong}.*keep the \d\?.* No game has moved"):
        batch.step(actions)
    assert batch.states.tobytes() == stood and [part.tobytes() for part in batch.buffers] == last


@pytest.mark.parametrize(
    "actions", [np.zeros(3, np.int64), np.zeros(N), np.zeros((N, 1), np.int64), [0] * (N - 1), np.zeros(N, np.bool_)]
)
def test_actions_of_wrong_shape_or_type(actions: Any) -> None:
    batch = make()
    stood = batch.states.tobytes()
    with pytest.raises(ValueError, match=f"expected one whole number for each of {N} games"):
        batch.step(actions)
    assert batch.states.tobytes() == stood


def test_other_bad_arguments() -> None:
    manual = SETUPS.copy()
    manual["manual_chance"][3] = 1
    with pytest.raises(ValueError, match="game 3: manual_chance"):
        Batch(GAME, manual)
    for setups in (SETUPS[:0], SETUPS.reshape(2, -1), np.zeros(3)):
        with pytest.raises(ValueError, match="setups are no array"):
            Batch(GAME, setups)
    with pytest.raises(ValueError, match="'SameStep'"):
        make(autoreset_mode="sometimes")
    with pytest.raises(ValueError, match="threads is 0"):
        make(threads=0)
    batch = make()
    stood = batch.states.tobytes()
    with pytest.raises(ValueError, match="expected a whole number or one for each"):
        batch.reset([1, 2, 3])
    with pytest.raises(ValueError, match="mask of games is int64"):
        batch.reset(which=np.zeros(N, np.int64))
    for threads in ("2", 1.5, True):
        with pytest.raises(ValueError, match="threads is"):
            make(threads=threads)
    with pytest.raises(ValueError, match="observe is 'no', choose True or False"):
        make(observe="no")
    with pytest.raises(ValueError, match="expected one for each"):
        batch.setups = SETUPS[1:]
    with pytest.raises(ValueError, match="expected a whole number"):
        batch.next_seeds = [1, 2]
    with pytest.raises(ValueError, match="expected Buffers: observations, masks"):
        batch.step(choices(1)[0], batch.new_buffers()[:3])
    assert batch.states.tobytes() == stood


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_a_step_before_the_first_reset_is_refused(mode: AutoresetMode) -> None:
    batch = Batch(GAME, SETUPS, seed=5, autoreset_mode=mode)
    with pytest.raises(ValueError, match="no game has begun: call reset"):
        batch.step(np.zeros(N, np.int64))
    with pytest.raises(ValueError, match="game 1 has not begun: reset all games first"):
        batch.reset(which=np.arange(N) != 1)
    batch.place(np.array([0]), record.take(make().states, np.array([0])), np.array([1]))
    with pytest.raises(ValueError, match="game 1 has not begun: call reset"):
        batch.step(np.zeros(N, np.int64))
    twin = Batch(GAME, SETUPS, seed=5)
    twin.reset()
    batch.load_state_dict(twin.state_dict())
    batch.step(batch.buffers.masks.argmax(axis=1))
    assert batch.seeds[0] == 5


# And more


def test_random_play_ends_every_game_and_repeats() -> None:
    seeds = np.arange(N, dtype=np.int64)
    states = play_random(GAME, SETUPS, seeds)
    assert (states["to_act"] == NOBODY).all() and (states["result"] == WON).any()
    assert play_random(GAME, SETUPS[7:], seeds[7:]).tobytes() == states[7:].tobytes()
    with pytest.raises(ValueError, match="expected a whole number or one for each"):
        play_random(GAME, SETUPS, seeds[1:])


def test_editions_share_the_compiled_loops() -> None:
    loaded = Toy((0, 0, 0, 0, 0, 1))
    batch = Batch(loaded, np.repeat(loaded.configure(), 9))
    batch.reset(0)
    assert (batch.states["die"] == 6).all()
    assert make().states["die"].min() < 6


def test_each_game_has_a_box_of_its_own() -> None:
    """A game is the same in a batch of several boxes as in one that knows its box alone."""
    weights = [(1, 1, 1, 1, 1, 2), (0, 0, 0, 0, 0, 1), (1, 0, 0, 0, 0, 0)]
    together, which = Toy(*weights), np.arange(40) % 3
    batch = Batch(together, np.concatenate([together.configure(box=int(box)) for box in which]), threads=2)
    alone = [Batch(Toy(one), np.repeat(Toy(one).configure(), 40), threads=1) for one in weights]
    for one in (batch, *alone):
        one.reset(5)
    rng = np.random.default_rng(3)
    for _ in range(60):
        actions = rng.integers(0, 2, 40)
        seen = batch.step(actions)
        own = [one.step(actions) for one in alone]
        for i, box in enumerate(which):
            assert batch.states["trace"][i].tolist() == alone[box].states["trace"][i].tolist()
            assert seen.observations[i].tobytes() == own[box].observations[i].tobytes()
            assert seen.rewards[i].tolist() == own[box].rewards[i].tolist()
    assert (batch.states["box"] == which).all()
    assert (batch.states["die"][which == 1] == 6).all() and (batch.states["die"][which == 2] == 1).all()


def test_a_box_that_is_not_there_is_refused() -> None:
    two = Toy((1,) * 6, (2,) * 6)
    batch = Batch(two, np.repeat(two.configure(box=1), 3))
    batch.reset(0)
    for wrong in (-1, 2):
        setups = batch.setups.copy()
        setups["box"][2] = wrong
        with pytest.raises(ValueError, match=f"game 2 is played with box {wrong}, expected 0 to 1"):
            Batch(two, setups)
        with pytest.raises(ValueError, match="expected 0 to 1"):
            play_random(two, setups, np.arange(3))
        batch.setups["box"][2] = wrong
        for begins in (lambda: batch.reset(0), lambda: batch.step(batch.buffers.masks.argmax(1))):
            with pytest.raises(ValueError, match="expected 0 to 1"):
                begins()
        batch.setups["box"][2] = 1
        states = batch.states.copy()
        states["box"][0] = wrong
        with pytest.raises(ValueError, match="expected 0 to 1"):
            batch.place(np.arange(3), states, np.arange(3))


@pytest.mark.parametrize(
    "way", [copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))], ids=["copy", "pickle"]
)
def test_copies_go_on_by_themselves(way: Any) -> None:
    batch = make()
    twin, made = way(batch), choices(30)
    for actions in made:
        batch.step(actions)
    stood = batch.states.tobytes()
    for actions in made:
        twin.step(actions)
    assert twin.states.tobytes() == batch.states.tobytes() == stood
    twin.reset(77)
    assert twin.seeds[0] == 77 and batch.seeds[0] != 77


def test_threads_that_cannot_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full:
        def submit(self, *_: Any) -> None:
            raise RuntimeError("can't start new thread")

    batch, expected = make(threads=4), make(threads=1)
    monkeypatch.setattr("tabletop.batch.pool", lambda _: Full())
    for actions in choices(10):
        assert batch.step(actions).rewards.tobytes() == expected.step(actions).rewards.tobytes()


def test_more_threads_than_processors() -> None:
    batch, expected = make(threads=16), make(threads=1)
    for actions in choices(50):
        batch.step(actions)
        expected.step(actions)
    assert batch.states.tobytes() == expected.states.tobytes()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_child_steps_too() -> None:
    batch, actions = make(threads=2), choices(1)[0]
    batch.step(actions)
    child = os.fork()
    if child == 0:
        batch.step(np.zeros(N, np.int64))
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0


def test_a_placed_position_goes_on_as_by_itself() -> None:
    batch, other = make(), make()
    for actions in choices(4):
        other.step(actions)
    games, seeds = np.array([3, 500, 17]), np.array([7, 8, 9])
    open_ = np.flatnonzero(other.states["to_act"] >= 0)[:3]
    positions = record.take(other.states, open_)
    untouched = batch.states[[0, 4, 519]].tobytes()
    out = batch.place(games, positions, seeds)
    assert batch.states[[0, 4, 519]].tobytes() == untouched
    assert (batch.seeds[games] == seeds).all()
    fields = ["pot", "round", "seat", "die", "players"]
    assert (batch.states[games][fields] == positions[fields]).all()
    assert (out.observations[games, 0] == (positions["pot"] / 24).astype(np.float32)).all()
    again = make(threads=1)
    again.place(games, positions, seeds)
    for actions in choices(10):
        batch.step(actions)
        again.step(actions)
    assert batch.states.tobytes() == again.states.tobytes()


def test_placed_positions_draw_from_their_own_seeds() -> None:
    batch = make()
    position = record.take(batch.states, np.array([0, 0, 0]))
    batch.place(np.array([0, 1, 2]), position, np.array([5, 5, 6]))
    words = batch.states["rng"][:3]
    assert (words[0] == words[1]).all() and (words[0] != words[2]).any()


def test_chance_answers_by_itself_in_placed_positions() -> None:
    batch = make()
    positions = record.take(batch.states, np.array([0, 1]))
    positions["manual_chance"] = 1
    batch.place(np.array([0, 1]), positions, np.array([1, 2]))
    for actions in choices(10):
        batch.step(actions)
        assert (batch.states["to_act"] != CHANCE).all()


@pytest.mark.parametrize(
    ("games", "told"),
    [
        ([1, 1], "expected different ones"),
        ([0, N], "expected different ones of 0 to 519"),
        ([0.0, 1.0], "expected different ones"),
        ([False, True], "expected different ones"),
        ([[0, 1]], "expected different ones"),
    ],
)
def test_place_refuses_wrong_games(games: list[Any], told: str) -> None:
    batch = make()
    before = batch.states.tobytes()
    with pytest.raises(ValueError, match=told):
        batch.place(np.array(games), record.take(batch.states, np.array([0, 1])), np.array([1, 2]))
    assert batch.states.tobytes() == before


def test_none_may_be_placed() -> None:
    batch = make()
    before = batch.states.tobytes()
    for none in (np.zeros(0, np.int64), []):
        batch.place(none, batch.states[:0], none)
    assert batch.states.tobytes() == before


def test_place_refuses_a_finished_position() -> None:
    batch = make()
    positions = record.take(batch.states, np.array([0, 1]))
    positions["to_act"][1] = NOBODY
    with pytest.raises(ValueError, match="position 1 asks no seat"):
        batch.place(np.array([0, 1]), positions, np.array([1, 2]))


def test_a_batch_goes_on_where_it_was_taken() -> None:
    batch, made = make(), choices(40)
    for actions in made[:20]:
        batch.step(actions)
    kept, other = batch.state_dict(), make(threads=2)
    out = other.load_state_dict(kept)
    assert (out.masks == batch.buffers.masks).all() and (out.observations == batch.buffers.observations).all()
    for actions in made[20:]:
        batch.step(actions)
        other.step(actions)
    assert batch.states.tobytes() == other.states.tobytes() and (batch.seeds == other.seeds).all()


def test_a_batch_of_another_size_is_refused() -> None:
    batch = Batch(GAME, SETUPS[:3])
    with pytest.raises(ValueError, match="states are"):
        batch.load_state_dict(make().state_dict())
    with pytest.raises(ValueError, match=rf"states are \(3,\), expected \(3,\) in the dtype of {GAME.name}'s own"):
        batch.load_state_dict({**batch.state_dict(), "states": batch.setups})
    with pytest.raises(ValueError, match=r"slots are \(\), expected \(3,\)"):
        batch.load_state_dict({name: kept for name, kept in batch.state_dict().items() if name != "slots"})


def test_what_no_game_holds_is_refused() -> None:
    batch = make()
    stood, positions = batch.states.tobytes(), batch.states.copy()
    positions["die"][1] = 7
    for begins in (
        lambda: batch.place(np.arange(N), positions, np.arange(N)),
        lambda: batch.load_state_dict({**batch.state_dict(), "states": positions}),
    ):
        with pytest.raises(ValueError, match="game 1: die is 7, expected 0 to 6"):
            begins()
    assert batch.states.tobytes() == stood


def test_setups_that_were_written_are_looked_at_before_a_game_begins() -> None:
    batch = make()
    stood = batch.states.tobytes()
    for wrong in (1, MAX_SEATS + 1):
        batch.setups["players"][1] = wrong
        for begins in (
            batch.reset,
            lambda: batch.step(choices(1)[0]),
            lambda: play_random(GAME, batch.setups, [5] * N),
        ):
            with pytest.raises(ValueError, match=f"game 1: players is {wrong}, expected 2 to {MAX_SEATS}"):
                begins()
    assert batch.states.tobytes() == stood
    batch.setups["players"] = MAX_SEATS
    batch.reset()
    assert (batch.states["players"] == MAX_SEATS).all()
