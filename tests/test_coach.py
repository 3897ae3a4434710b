"""Sammu-Ramat at a table with the real box: what it tells, shows, and lets people put right."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sammu_env import actions as act
from sammu_env import constants as c
from sammu_env import steps
from sammu_env.game import SammuRamat, load
from sammu_env.state import HAND
from tabletop import record
from tabletop.coach import laws
from tabletop.coach.laws import check
from tabletop.coach.parts import Parts
from tabletop.coach.sheet import Filler
from tabletop.coach.table import Table
from tabletop.coach.telling import between, deeds, told
from tabletop.coach.view import View
from tabletop.conformance import Position, check_position
from tabletop.game import CHANCE, NOBODY, Record, enter
from tabletop.log import Match
from tests.table import put

GAME = load()
PARTS = Parts(GAME)


def legal(s: Record) -> list[int]:
    mask = np.zeros(GAME.n_actions, np.int8)
    GAME.legal(GAME.box, s, mask)
    return [int(action) for action in np.flatnonzero(mask)]


def played(choices: int, seed: int = 3, **options: Any) -> Match:
    """A match with the box after so many choices and draws at random."""
    match, rng = Match(GAME, GAME.configure(**options), seed, manual_chance=True), np.random.default_rng(seed)
    for _ in range(choices):
        if match.to_act == NOBODY:
            break
        match.act(int(rng.choice(legal(match.s))))
    return match


@pytest.mark.parametrize("options", [
    {"players": 2}, {"players": 3, "hidden_hands": True}, {"players": 2, "campaign": True, "challenge": "random"},
], ids=["open", "hidden", "campaign"])  # fmt: skip
def test_every_part_keeps_what_it_promises(options: dict[str, Any]) -> None:
    check(GAME, GAME.configure(**options), seeds=range(1))


@pytest.mark.parametrize("seed", range(3))
def test_every_piece_is_somewhere(seed: int) -> None:
    """What is moved is neither lost nor found: the facts of one kind of piece always add up to what the box holds."""
    match, rng = Match(GAME, GAME.configure(players=3), seed, manual_chance=True), np.random.default_rng(seed)
    box = GAME.box[0]
    totals = {**dict(zip(c.KINDS, box["token_total"], strict=True)), "enemy": box["enemy_total"],
              "gate": box["gate_total"], **dict(zip(c.GOODS, box["good_total"], strict=True)),
              **dict(zip(c.MARKERS, box["marker_total"], strict=True)),
              **dict(zip(c.TECHNOLOGIES, box["technology_total"], strict=True))}  # fmt: skip
    while match.to_act != NOBODY:
        found = dict.fromkeys(totals, 0)
        for name, number in GAME.facts(match.s).items():
            piece = name.partition("@")[0]
            if piece in found:
                found[piece] += number
        assert found == totals
        match.act(int(rng.choice(legal(match.s))))


def test_what_others_hold_is_on_no_form() -> None:
    s = GAME.position({
        "challenge": "SAM-185", "players": 3, "hidden_hands": True, "month": 2, "stage": "actions",
        "characters": {"Sammu-ramat": {"location": "Kalhu", "consulted": 0, "actions": 2}},
        "seats": [{"hand": ["SAM-117"]}, {"hand": ["SAM-085", "SAM-092"]}, {"hand": ["SAM-100"]}],
    })  # fmt: skip
    assert s["to_act"][0] == 0
    position = GAME.dump(s)
    lies = {card: at for card, at in position["ashur"].items() if at != "deck"}
    assert lies == {"SAM-117": 0} and position["hidden"] == {"SAM-085": 1, "SAM-092": 1, "SAM-100": 2}
    assert GAME.load(position).tobytes() == s.tobytes()
    position["ashur"]["SAM-085"] = 0
    mended = GAME.load(position)
    assert mended["hand_n"][0, :3].tolist() == [2, 2, 1], "the others hold as many as before"
    again = GAME.dump(mended)
    assert again["ashur"]["SAM-085"] == again["ashur"]["SAM-117"] == 0
    assert {"SAM-092", "SAM-100"} < set(again["hidden"]) and "SAM-085" not in again["hidden"]


def test_where_all_lies_open_any_phone_puts_things_right(tmp_path: Path) -> None:
    for hidden in (False, True):
        with closing(Table.create(GAME, tmp_path / f"{hidden}.jsonl", GAME.configure(hidden_hands=hidden), 1)) as table:
            fields = [len(View(table, seat=seat).check()["fields"]) for seat in (None, 0)]
            assert fields[0] > 100 and fields[1] == (0 if hidden else fields[0])


def test_what_follows_by_itself_is_told_stage_by_stage() -> None:
    match, rng = Match(GAME, GAME.configure("SAM-185", 2), 3, manual_chance=True), np.random.default_rng(3)
    stages = list[str]()
    while match.to_act != NOBODY and match.s["month"][0] < 3:
        action = int(rng.choice(legal(match.s)))
        for one in told(PARTS, match.s, action):
            if not one.own and one.stage not in stages[-1:]:
                stages.append(one.stage)
        match.act(action)
    assert stages[0] == "Set-up" and {"Event", "Enemy attack"} <= set(stages)


def test_moves_are_told_in_words_of_the_board() -> None:
    match = Match(GAME, GAME.configure("SAM-185", 2), 3, manual_chance=True)
    nineveh = act.LOCATION + c.LOCATIONS.index("Nineveh")
    lines = told(PARTS, match.s, nineveh)
    assert [(one.text, one.stage, one.own) for one in lines] == [
        ("Empire board: 1 × military → Nineveh", "Set-up", True)
    ]
    kalhu = act.LOCATION + c.KALHU
    assert told(PARTS, match.s, kalhu, "ja")[0].text == "帝国ボード：軍隊×1 → KALHU（カルフ）"


def test_a_setup_is_told_as_pieces_to_put_down() -> None:
    match = played(40, players=2)
    texts = [one.text for one in between(PARTS, None, match.s)]
    assert any(text.startswith("pool: put ") for text in texts)
    assert all("@" not in text and "advisor" not in text for text in texts)


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_fact_has_words(lang: str) -> None:
    for seed in range(4):
        match = played(250, seed, players=3)
        for name in GAME.facts(match.s):
            piece, _, place = name.partition("@")
            for part in filter(None, (piece, place)):
                said = GAME.named(part, lang)
                assert said and (lang == "en" or said != part or part.startswith("SAM-")), part
    assert GAME.named("advisor 1", lang) == {"en": "Player 2", "ja": "プレイヤー2"}[lang]
    assert GAME.named("Kalhu", lang) == {"en": "KALHU", "ja": "KALHU（カルフ）"}[lang]
    assert GAME.named("road Tyre/Damascus", "en") == "Tyre–Damascus"


def test_hidden_hands_are_seen_by_their_seat_alone() -> None:
    match = played(60, players=2, hidden_hands=True)
    own, other, table = GAME.facts(match.s, 0), GAME.facts(match.s, 1), GAME.facts(match.s)
    hand = {name for name in own if name.startswith("SAM-") and name.endswith("@advisor 0")}
    assert hand and not hand & other.keys() and not hand & table.keys()
    assert other["card@advisor 0"] == table["card@advisor 0"] == len(hand)
    assert table["card@advisor 1"] == own["card@advisor 1"] and "card@advisor 0" not in own


@pytest.fixture
def trading() -> Any:
    """A position, by whether hands are hidden: player 2 has offered SAM-131 to player 3, who is asked for a card."""

    def trade(hidden: bool) -> Record:
        hands = [["SAM-117"], ["SAM-131", "SAM-085"], ["SAM-100", "SAM-092"], ["SAM-090"]]
        s = GAME.position({
            "challenge": "SAM-185", "players": 4, "hidden_hands": hidden, "month": 2, "stage": "actions",
            "seat": 1, "seats": [{"hand": hand} for hand in hands],
            "characters": {"Sammu-ramat": {"location": "Kalhu", "consulted": 1, "actions": 2},
                           "Wardiya": {"location": "Kalhu", "player": 2}},
        })  # fmt: skip
        offer = act.START["ashur"] + (131 - c.ASHUR_FIRST)
        for action in (act.VERB + act.V_TRADE_CARDS, act.START["player"] + 2, offer):
            if action in legal(s):  # what has but one answer is not asked
                enter(GAME, s, action)
        return s

    return trade


def test_a_card_that_is_traded_is_told_to_those_who_trade(trading: Any, tmp_path: Path) -> None:
    known = "Player 3: which card do you give Player 2 for SAM-131?"
    s = trading(True)
    assert (int(s["to_act"][0]), int(s["op"][0, s["sp"][0] - 1])) == (2, steps.CARDS_GET)
    asked = [GAME.question(s, seat=seat) for seat in (None, 0, 1, 2, 3)]
    unseen = "Player 3: which card do you give Player 2?"
    assert asked == [unseen, unseen, known, known, unseen]
    assert GAME.question(s, "ja", 2) == "プレイヤー3：SAM-131と引き換えにプレイヤー2にどのカードを渡しますか？"
    assert GAME.question(s, "ja", 0) == "プレイヤー3：プレイヤー2にどのカードを渡しますか？"
    assert {GAME.question(trading(False), seat=seat) for seat in (None, 0, 1, 2, 3)} == {known}
    for seat in (None, 0, 3):
        said = [GAME.describe(s, seat=seat), *(str(GAME.render(s, mode, seat=seat)) for mode in ("ansi", "svg"))]
        assert seat is None or not any("SAM-131" in text for text in said)
    check_position(GAME, s, laws=["secrets", "traces"])
    for seat, trades in ((0, False), (1, True), (2, True), (3, False)):
        worlds = [GAME.resample(s, seat, np.random.default_rng(i)) for i in range(20)]
        offered = {int(world["arg"][0, world["sp"][0] - 1, steps.OFFERED]) for world in worlds}
        assert (len(offered) == 1) == trades
        for world in worlds:
            card = int(world["arg"][0, world["sp"][0] - 1, steps.OFFERED])
            assert world["ashur"][0, card] == HAND + 1, "it is of the hand that it comes from"
    setup = GAME.configure(players=4, hidden_hands=True)
    with closing(Table.create(GAME, tmp_path / "trade.jsonl", setup, 1)) as table:
        table.correct(s, "here")
        table.do([legal(s)[0]], "here")
        for seat, told in ((None, False), (0, False), (1, True), (2, True)):
            view = View(table, seat=seat)
            assert ("SAM-131" in view.history()[-1]["entries"][0]["prompt"]) == told
            assert told or "SAM-131" not in str(view.state())


def test_a_challenge_may_be_drawn_at_the_table(tmp_path: Path) -> None:
    server = pytest.importorskip("tabletop.coach.server")
    options = {one["name"]: one for one in server.Coach(GAME, tmp_path, ["here"])._games("en")["options"]}
    assert options["challenge"]["choices"][-1] == ("random", "drawn from the pile")
    assert options["players"]["choices"] == [(n, str(n)) for n in range(1, 6)]
    match = Match(GAME, GAME.configure("random", 2), 3, manual_chance=True)
    assert GAME.question(match.s).startswith("Which challenge card was drawn?") and len(legal(match.s)) == 20


@pytest.mark.parametrize("hidden", [False, True])
def test_who_could_play_a_card_can_play_it(hidden: bool) -> None:
    """In the turn of a seat exactly the cards that it may choose have the character who acts."""
    found = set()
    for seed in range(6):
        match, rng = Match(GAME, GAME.configure(players=2, hidden_hands=hidden), seed), np.random.default_rng(seed)
        while match.to_act != NOBODY and match.s["month"][0] < 4:
            s, choices = match.s, legal(match.s)
            op = int(s["op"][0, s["sp"][0] - 1])
            if op in (steps.TURN, steps.PLAY_CARD) and s["active"][0] >= 0 and s["actions"][0, s["active"][0]] > 0:
                who = c.CHARACTERS[int(s["active"][0])]
                hand = GAME.hands(s, seat=match.to_act)[match.to_act]["cards"] or []
                mine = {card["id"] for card in hand if who in card["by"]}
                assert len(hand) == s["hand_n"][0, match.to_act]
                if op == steps.TURN:
                    assert bool(mine) == (act.VERB + act.V_PLAY_CARD in choices)
                elif s["arg"][0, s["sp"][0] - 1, 1] == 0:  # paid for
                    assert mine == {GAME.words(s, action)[:7] for action in choices if GAME.group(action) == "ashur"}
                found |= {op, bool(mine)}
            cards = [action for action in choices if action == act.VERB + act.V_PLAY_CARD]
            match.act(int(rng.choice(cards or choices)))
    assert found == {steps.TURN, steps.PLAY_CARD, False, True}


def test_others_are_not_shown_whether_a_card_could_be_played() -> None:
    """What they are shown is the same with any hand, and holds what may be chosen; who is asked is shown that alone."""
    rng, differed = np.random.default_rng(3), 0
    match = Match(GAME, GAME.configure(players=2, hidden_hands=True), 3, manual_chance=True)
    while match.to_act != NOBODY and differed < 3:
        choices, asked = legal(match.s), match.to_act
        if asked >= 0 and PARTS.sees(match.s, choices[0], 1 - asked):
            world = GAME.resample(match.s, 1 - asked, rng)
            differed += legal(world) != choices
            shown = PARTS.thinkable(match.s, 1 - asked)
            assert PARTS.thinkable(world, 1 - asked) == shown and set(choices) <= set(shown)
            assert PARTS.thinkable(match.s, asked) == PARTS.thinkable(match.s, None) == choices
        match.act(int(rng.choice(choices)))
    assert differed


def test_hands_are_shown_to_whoever_may_see_them() -> None:
    s = played(60, players=2).s
    for seat in (None, 0, 1):
        shown = GAME.hands(s, "ja", seat)
        assert all(hand["cards"] is not None and len(hand["cards"]) == hand["n"] for hand in shown)
        assert "コスト" in shown[0]["cards"][0]["text"]
    s = played(60, players=2, hidden_hands=True).s
    assert [hand["cards"] is None for hand in GAME.hands(s, seat=0)] == [False, True]
    assert [hand["cards"] is None for hand in GAME.hands(s, seat=1)] == [True, False]
    assert [hand["cards"] for hand in GAME.hands(s)] == [None, None], "the table's phone shows none"


def test_draws_of_hidden_hands_are_seen_by_who_draws() -> None:
    match, rng = (
        Match(GAME, GAME.configure(players=2, hidden_hands=True), 3, manual_chance=True),
        np.random.default_rng(3),
    )
    seen = set()
    while match.to_act != NOBODY:
        choices = legal(match.s)
        if match.to_act == CHANCE and "Ashur card" in GAME.question(match.s):
            drawer = 0 if "Player 1" in GAME.question(match.s) else 1
            assert [PARTS.sees(match.s, choices[0], seat) for seat in (drawer, 1 - drawer)] == [True, False]
            seen.add("card")
        elif match.to_act == CHANCE:
            assert PARTS.sees(match.s, choices[0], 0) and PARTS.sees(match.s, choices[0], 1)
            seen.add("other")
        match.act(int(rng.choice(choices)))
    assert seen == {"card", "other"}


def test_stages_have_the_rulebooks_names() -> None:
    match = Match(GAME, GAME.configure(players=2), 3, manual_chance=True)
    assert GAME.stage(match.s) == "Set-up" and GAME.stage(match.s, "ja") == "セットアップ"
    rng = np.random.default_rng(3)
    stages = set()
    while match.to_act != NOBODY:
        stages.add(GAME.stage(match.s))
        match.act(int(rng.choice(legal(match.s))))
    assert {"Event", "Actions"} <= stages and GAME.stage(match.s) in ("Victory", "Defeat")


# Positions


def test_what_is_put_right_lies_on_the_table() -> None:
    s = played(60, players=2).s
    position = GAME.dump(s)
    before = position["locations"]["Tushpa"]["enemy"]
    position["locations"]["Tushpa"]["enemy"] = before + 2
    after = GAME.load(position)
    assert [one.text for one in between(PARTS, s, after)] == ["pool: 2 × enemy → TUSHPA"]
    assert GAME.question(after) == GAME.question(s)


def test_a_position_without_what_is_pending_is_played_on() -> None:
    s = GAME.load({"challenge": "SAM-185", "players": 2, "month": 2, "stage": "event", "manual_chance": True})
    assert s["to_act"][0] == CHANCE and "Which event" in GAME.question(s)


@pytest.mark.parametrize(("path", "value", "problem"), [
    ("locations/Tushpa/enemy", 26, "26 .*enemies, the box holds 25|enemies"),
    ("locations/Tushpa/enemy", -1, "-1 is not a whole number 0 to 99"),
    ("locations/Tushpa/unrest", 2, "2 is not a whole number 0 to 1"),
    ("locations/Tuspa", {}, "did you mean Tushpa"),
    ("areas/Assyria/medicine", 16, "medicine tokens, the box holds 15"),
    ("characters/Baileet/goods", {"gold": 1}, "who is not in play has no goods"),
    ("month", 9, "month: 9 is not a whole number"),
    ("machine/switched", 10**9, "choose whole numbers 0 to 32767"),
    ("machine/moving", [10**6] * 26, "choose whole numbers 0 to 99"),
    ("machine/to_act", "me", "choose whole numbers -2 to 4"),
    ("machine", [], "machine: expected a table"),
])  # fmt: skip
def test_a_position_out_of_bounds_is_refused(path: str, value: Any, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        put(played(60, players=2).s, **{path: value})


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_the_form_has_every_number_with_its_pool(lang: str) -> None:
    s = played(60, players=2).s
    fields = GAME.form(s, lang)
    sums: dict[str, int] = {}
    for field, value in PARTS.filled(s, fields):
        if field.pool:
            sums[field.pool] = sums.get(field.pool, 0) + value
    assert len({(field.zone, field.label) for field in fields}) == len(fields) == len({field.path for field in fields})
    pools = {field.pool: field.total for field in fields if field.pool}
    left = {GAME.named(piece, lang): GAME.facts(s).get(f"{piece}@{place}", 0) for piece, place in (
        *((kind, "board") for kind in c.KINDS), ("enemy", "pool"), *((good, "pool") for good in c.GOODS))}  # fmt: skip
    assert {pool: pools[pool] - sums[pool] for pool in left} == left


@pytest.mark.parametrize("queen_actions", [-99, 40])
def test_the_form_holds_all_that_an_edition_may_bring(queen_actions: int) -> None:
    s = played(60, players=2).s
    s["queen_actions"], s["corruption"], s["actions"][0, c.SAMMU_RAMAT], s["bribes"][0, 0] = queen_actions, 25, 49, 10
    s["advisor_steps"], s["character_steps"], s["move_limit"], s["fewer_actions"][0] = 4, 4, 5, 4
    s["sun_used"][0, 0], s["diplomacy"][0, 0] = 5, 2
    assert list(laws.positions(Position(GAME, s), Parts(GAME))) == []
    outside = [
        name for name, (low, high) in GAME.state_bounds.items() if not (s[name] == s[name].clip(low, high)).all()
    ]
    assert outside == []


def made(choices: int, seed: int = 3, **options: Any) -> list[tuple[Record, int]]:
    """What a seat chose in a random game, each with its state."""
    match, rng = Match(GAME, GAME.configure(**options), seed, manual_chance=True), np.random.default_rng(seed)
    found = []
    while len(found) < choices and match.to_act != NOBODY:
        action = int(rng.choice(legal(match.s)))
        if match.to_act >= 0:
            found.append((record.copy(match.s), action))
        match.act(action)
    return found


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_deeds_are_few_and_cover_every_choice(lang: str) -> None:
    for seed in range(3):
        some = made(200, seed, players=2)
        found = GAME.deeds(some, lang)
        assert sum(one.n for one in found) == len(some) > len(found)
        assert all(deeds(PARTS, some, lang))


@pytest.mark.parametrize(("players", "seed", "said"), [
    (1, 118, "Player 1: Act with another character"), (3, 4169, "Player 2 is done"),
    (3, 7103, "Younan: Move"), (3, 1118, "Wardiya: Move"),
])  # fmt: skip
def test_who_is_lost_in_its_turn_is_told_too(players: int, seed: int, said: str) -> None:
    """In an attack, or as a move ends the game: nobody acts then, or the place is none."""
    some = made(150, seed, players=players)
    assert any(said in line for line in deeds(PARTS, some)), deeds(PARTS, some)
    assert all(deeds(PARTS, some, "ja"))


def test_a_move_is_one_sentence() -> None:
    move = act.VERB + act.V_MOVE
    for seed in range(20):
        some = made(120, seed, players=2)
        at = next((i for i, (_, action) in enumerate(some[:-6]) if action == move), None)
        if at is None:
            continue
        who = c.CHARACTERS[int(some[at][0]["active"][0])]
        said = deeds(PARTS, some[at:])[0]
        assert re.match(rf"{who} goes to [A-Z]", said), said
        tokens = [action for s, action in some[at : at + GAME.deeds(some[at:])[0].n] if GAME.group(action) == "token"]
        if tokens:
            assert re.search(r" with (\d × )?[a-z]", said)
            return
    raise AssertionError("nobody carried anything")


def test_an_attack_names_who_joins_it() -> None:
    for seed in range(60):
        some = made(150, seed, players=3)
        at = next((i for i, (_, action) in enumerate(some) if action == act.VERB + act.V_JOIN), None)
        if at is None:
            continue
        begun = max(i for i in range(at) if some[i][1] == act.VERB + act.V_ATTACK)
        s = some[at][0]
        who = c.CHARACTERS[int(s["arg"][0, int(s["sp"][0]) - 1, 0])]
        assert re.search(rf" attacks .* with .*{who}", deeds(PARTS, some[begun:])[0])
        return
    raise AssertionError("nobody joined an attack")


def test_a_set_up_is_one_sheet(tmp_path: Path) -> None:
    path = tmp_path / "box.toml"
    tokens = {"Assyria": (4, 3), "Medes": (2, 2), "Canaan": (2, 1)}
    rows = [f"{area} = {{ military = {military}, diviner = {diviner}, supply = 1, medicine = 1 }}\n"
            for area, (military, diviner) in tokens.items()]  # fmt: skip
    path.write_text(f"[challenge.SAM-185.setup.tokens]\n{''.join(rows)}")
    game = load(path)
    match = Match(game, game.configure("SAM-185", 2), 3, manual_chance=True)
    start, filler = match.s.copy(), Filler(Parts(game), match.s)
    assert filler.sheet().n == 8
    capitals = {"military@Kalhu": 3, "diviner@Kalhu": 2, "military@Ecbatana": 1, "diviner@Ecbatana": 1,
                "military@Jerusalem": 1}  # fmt: skip
    for answer in filler.answers(capitals):
        match.act(answer)
    facts = game.facts(match.s)
    assert "personal advisor" in game.question(match.s)
    assert (facts["military@Kalhu"], facts["diviner@Kalhu"]) == tokens["Assyria"]
    with pytest.raises(ValueError, match="cannot be put there"):
        Filler(Parts(game), start).answers({"military@Kalhu": 9})


def test_the_game_has_every_part() -> None:
    assert isinstance(GAME, SammuRamat)
    assert PARTS.has(
        "scene",
        "place",
        "scene",
        "place",
        "facts",
        "named",
        "stage",
        "answer",
        "step",
        "turn_key",
        "sees",
        "dump",
        "load",
        "form",
        "deeds",
        "sheet_key",
        "edition_text",
        "take_edition",
        "hands",
    )


# Without playing


def test_a_position_that_no_observation_has_room_for_is_refused() -> None:
    told = {"challenge": "SAM-185", "players": 2, "month": 2, "stage": "actions",
            "characters": {"Sammu-ramat": {"location": "Kalhu", "consulted": 0, "actions": 75}}}  # fmt: skip
    seen = np.empty(len(GAME.observation_high), np.float32)
    GAME.observe(GAME.box, GAME.position(told), 0, seen)
    assert (seen <= GAME.observation_high).all()
    told["characters"]["Sammu-ramat"]["leftover"] = 1  # together they are too many
    for read in (GAME.position, GAME.load):
        with pytest.raises(ValueError, match=r"actions .* out of the range of observations, 0 to 25"):
            read(told)


@pytest.mark.parametrize("campaign", [False, True])
def test_no_table_is_laid_for_a_challenge_that_is_drawn(campaign: bool) -> None:
    with pytest.raises(ValueError, match="challenge: it is to be drawn"):
        GAME.laid(GAME.configure(players=2, challenge="random", campaign=campaign))


@pytest.mark.parametrize("challenge", ["SAM-179", "SAM-185", "SAM-190"])
@pytest.mark.parametrize("players", [1, 2, 5])
def test_a_table_is_laid_out_as_its_card_says(challenge: str, players: int) -> None:
    s = GAME.laid(GAME.configure(challenge, players))
    box, number = GAME.box[0], c.CHALLENGES.index(challenge)
    assert (s["enemy"][0] == box["setup_enemy"][number]).sum() >= len(c.LOCATIONS) - 2
    assert (s["gate"][0] == box["setup_gate"][number]).all()
    assert s["deck_n"][0] == c.N_ASHUR and (s["technology"][0] == -1).all() and s["manual_chance"][0] == 1
    assert "whom do you consult?" in GAME.question(s)


def test_a_turn_in_the_middle_of_a_game_is_told() -> None:
    s = GAME.laid(GAME.configure("SAM-185", 2))
    there = put(s, **{
        "now": "seat 1", "month": 3, "first_player": 0, "row/1": "SAM-016", "row/2": "SAM-017", "row/3": "SAM-018",
        "row/4": "SAM-019", "characters/Besime/player": 1, "characters/Besime/consulted": 1,
        "characters/Besime/actions": 2, "characters/Besime/at": "Opis", "characters/Besime/technologies/Mule": 1,
        "ashur/SAM-079": 1, "ashur/SAM-080": "discard", "technologies/Susa": "Sun", "free_actions/1": 3,
        "month_effects/markets_closed": 1, "month_effects/token_ban/Elam": 1, "religion/5": 1,
    })  # fmt: skip
    one, besime = there[0], c.CHARACTERS.index("Besime")
    assert GAME.question(there).startswith("Player 2") and one["month"] == 3 and one["active"] == besime
    assert one["location"][besime] == c.LOCATIONS.index("Opis") and one["actions"][besime] == 2
    assert (one["hand_n"][1], one["discard_n"], one["free_actions"][1], one["markets_closed"]) == (1, 1, 3, 1)
    assert [GAME.facts(there).get(name) for name in ("SAM-018@month 3", "SAM-019@month 4", "religion@month 5")] == [
        1
    ] * 3
    assert one["event"] == 2 and GAME.dump(GAME.load(GAME.dump(there))) == GAME.dump(there)
    again = put(there, **{"characters/Besime/at": "dead", "characters/Besime/player": -1, "now": "month"})
    assert again["stage"][0] <= c.ST_EVENT and again["status"][0, besime] == c.DEAD and not again["markets_closed"][0]


@pytest.mark.parametrize(("path", "value", "problem"), [
    ("now", "seat 2", "choose one of asked, month, consult, seat 0, seat 1"),
    ("row/4", "SAM-019", "month 2 is face down"),
    ("ashur/SAM-079", 2, "choose deck, discard or 0 to 1"),
    ("characters/Besime/technologies/Sun", -1, "whole number 0 to 99"),
    ("characters/Besime/at", "Opiss", "did you mean Opis"),
    ("month", "x", "month: 'x' is not a whole number"),
    ("month_effects/double_steps", ["Assyria"], "month_effects.double_steps: expected a table of names"),
])  # fmt: skip
def test_what_cannot_lie_there_is_refused(path: str, value: Any, problem: str) -> None:
    s = GAME.laid(GAME.configure("SAM-185", 2))
    with pytest.raises(ValueError, match=problem):
        put(s, **{"row/1": "SAM-016", path: value})
