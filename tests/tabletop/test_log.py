import json

import numpy as np
import pytest

from tabletop import record
from tabletop.game import CHANCE, NOBODY, WON, new_state
from tabletop.log import Log, Match, replay, trace
from tests.tabletop.toy import DIE, KEEP, PASS, Toy

GAME = Toy()


def played(seed, game=GAME, players=3):
    match, rng = Match(game, game.configure(players), seed), np.random.default_rng(seed)
    while not match.over:
        match.act(int(rng.choice(np.flatnonzero(match.legal()))))
    return match


@pytest.mark.parametrize("seed", range(20))
def test_stepwise_chance_gives_the_simulators_game(seed):
    match = played(seed)
    s = new_state(GAME)
    GAME.reset(GAME.box, s, GAME.configure(3), seed)
    for actor, action in match.log.entries:
        if actor != CHANCE:
            assert GAME.apply(GAME.box, s, action)
    assert record.differing(s, match.s) == ["manual_chance"]


@pytest.mark.parametrize("seed", range(20))
def test_every_prefix_replays_and_goes_on_alike(seed):
    match = played(seed)
    log = match.stamped()
    for upto in range(len(log.entries) + 1):
        again = Match.resume(GAME, log, upto=upto)
        while len(again.log.entries) < len(log.entries):
            actor, action = log.entries[len(again.log.entries)]
            assert actor == again.to_act
            again.act(action)
        assert again.s.tobytes() == match.s.tobytes()
        assert again.stamped() == log


def test_saved_log_is_the_log(tmp_path):
    log = played(3).stamped()
    log.save(tmp_path / "game.json")
    assert Log.load(tmp_path / "game.json") == log
    assert trace(replay(GAME, Log.load(tmp_path / "game.json"))) == log.trace


def test_a_log_may_begin_with_a_state(tmp_path):
    match = played(3)
    whole = match.stamped()
    middle = Match.resume(GAME, whole, manual_chance=True, upto=4)
    log = Log(whole.game, whole.version, whole.edition, whole.setup, whole.seed, whole.entries[4:], whole.trace,
              record.to_dict(middle.s))  # fmt: skip
    log.save(tmp_path / "game.json")
    again = Log.load(tmp_path / "game.json")
    assert again == log and replay(GAME, again).tobytes() == match.s.tobytes()
    assert Match.resume(GAME, again).undo()
    assert "start" not in whole.to_dict()
    again.start["box"] = 5
    with pytest.raises(ValueError, match="box 5"):
        replay(GAME, again)
    again.start = {"pot": 1}
    with pytest.raises(ValueError, match="lacks the fields"):
        replay(GAME, again)


@pytest.mark.parametrize("seed", range(10))
def test_undo_restores_every_byte(seed):
    match, rng, stands = Match(GAME, GAME.configure(2), seed), np.random.default_rng(seed), []
    while not match.over:
        stands.append((match.s.tobytes(), list(match.log.entries)))
        match.act(int(rng.choice([KEEP, PASS])))
    end = match.stamped()
    for before, entries in reversed(stands):
        assert match.undo()
        assert match.s.tobytes() == before
        assert match.log.entries == entries
    assert not match.undo()
    for actor, action in end.entries:
        if actor != CHANCE:
            match.act(action)
    assert match.stamped() == end


def test_undo_leaves_other_copies_alone():
    match = Match(GAME, GAME.configure(2), 1)
    match.act(PASS)
    twin = match.copy()
    stood = twin.s.tobytes()
    match.undo()
    match.act(KEEP)
    assert twin.s.tobytes() == stood
    twin.undo()
    twin.act(KEEP)
    assert twin.s.tobytes() == match.s.tobytes()


def test_chance_can_be_told_at_the_table():
    match = Match(GAME, GAME.configure(2), 5, manual_chance=True)
    assert match.to_act == CHANCE
    for _ in range(2):
        match.act(DIE + 5)
        assert match.s["die"][0] == 6
        rewards = match.act(KEEP)
    assert match.s["result"][0] == WON
    assert match.to_act == NOBODY
    assert rewards == [1.0, 1.0, 0.0, 0.0]
    assert trace(replay(GAME, match.stamped())) == trace(match.s)


def test_undo_of_what_was_told_restores_the_generator():
    match = Match(GAME, GAME.configure(2), 5, manual_chance=True)
    stands = []
    for action in (DIE + 3, KEEP, DIE + 1, PASS):
        stands.append(match.s.tobytes())
        match.act(action)
    assert match.s.tobytes() == replay(GAME, match.stamped()).tobytes()
    for before in reversed(stands):
        assert match.undo() and match.s.tobytes() == before
    with pytest.raises(ValueError, match="illegal"):
        match.act(KEEP)
    assert match.s.tobytes() == stands[0]


def test_reward_arises_once():
    match = Match(GAME, GAME.configure(2), 1)
    paid = []
    while not match.over:
        paid.append(match.act(KEEP))
    assert [p for p in paid if p] == paid[-1:]


@pytest.mark.parametrize("action", [DIE, -1, 99, "keep", 0.5, None, True])
def test_illegal_choice_is_named_and_changes_nothing(action):
    match = Match(GAME, GAME.configure(2), 1)
    stood, entries = match.s.tobytes(), list(match.log.entries)
    with pytest.raises(ValueError, match="illegal action"):
        match.act(action)
    assert match.s.tobytes() == stood
    assert match.log.entries == entries


def test_choice_after_the_end():
    with pytest.raises(ValueError, match="over"):
        played(1).act(KEEP)


def test_wrong_edition_version_and_game():
    log = played(1).stamped()
    with pytest.raises(ValueError, match="edition toy-111112"):
        replay(Toy((1,) * 6), log)
    log.version = 7
    with pytest.raises(ValueError, match="version 7"):
        replay(GAME, log)
    log.game = "chess"
    with pytest.raises(ValueError, match="'chess'"):
        replay(GAME, log)


def test_wrong_entries_are_named():
    def changed(index, entry):
        log = played(1).stamped()
        log.entries[index] = entry
        return log

    with pytest.raises(ValueError, match=r"entry 1: illegal action 7 \(6\)"):
        replay(GAME, changed(1, (0, 7)))
    with pytest.raises(ValueError, match="entry 0 is of seat 0, asked is chance"):
        replay(GAME, changed(0, (0, KEEP)))
    log = played(1).stamped()
    log.entries.append((0, KEEP))
    with pytest.raises(ValueError, match=f"entry {len(log.entries) - 1} comes after the end"):
        replay(GAME, log)


def test_changed_trace_is_noticed():
    log = played(1).stamped()
    log.trace = (1, 2)
    with pytest.raises(ValueError, match="trace"):
        replay(GAME, log)
    replay(GAME, log, verify=False)


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 1}', '{"format": 2}'])
def test_damaged_files_are_named(tmp_path, text):
    path = tmp_path / "bad.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"bad\.json"):
        Log.load(path)


def test_damaged_entries(tmp_path):
    data = played(1).stamped().to_dict()
    wrong = [("entries", [[1]]), ("trace", 5), ("seed", "x"), ("entries", None), ("seed", 2**63),
             ("entries", [[0, 10**30]]), ("entries", [[0, float("inf")]]), ("version", float("inf")),
             ("seed", 1.9), ("entries", [[0, 1.0]]), ("version", "1"), ("seed", True)]  # fmt: skip
    for key, value in wrong:
        with pytest.raises(ValueError, match="damaged"):
            Log.from_dict({**data, key: value})


def test_record_survives_json():
    s = played(2).s
    again = record.from_dict(json.loads(json.dumps(record.to_dict(s))), GAME.state)
    assert again.tobytes() == s.tobytes()


def test_records_are_the_same_but_for_some_fields():
    s = played(2).s
    other = record.copy(s)
    assert record.same_but(s, other, ())
    other["rng"] += 1
    assert not record.same_but(s, other, ()) and record.same_but(s, other, ["rng"])
    other["pot"] += 1
    assert not record.same_but(s, other, ["rng"]) and record.same_but(other, s, {"pot", "rng"})
    assert set(record.differing(s, other)) == {"rng", "pot"}


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [("pot", None, "pot"), ("pot", "x", "pot"), ("rng", [1, 2], "rng has shape"), ("pot", 2**40, "outside"),
     ("pot", 1.5, "pot is not whole numbers"), ("pot", "2", "pot is not whole"), ("pot", True, "pot is not whole"),
     ("pot", 2**63, "pot is not whole"), ("pot", 2**70, "pot is not whole"), ("paid", "1.0", "paid is not numbers"),
     ("colour", 1, "unknown fields colour")],
)  # fmt: skip
def test_damaged_record_names_the_field(field, value, message):
    data = record.to_dict(new_state(GAME))
    data[field] = value
    with pytest.raises(ValueError, match=message):
        record.from_dict(data, GAME.state)
    del data[field]
    if field != "colour":
        with pytest.raises(ValueError, match=f"lacks the fields {field}"):
            record.from_dict(data, GAME.state)
