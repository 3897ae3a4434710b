"""Cards that turn out to be otherwise: the owner's file says so, and the table goes on."""

import numpy as np
import pytest

import sammu_env
from sammu_env import constants as c
from tabletop.coach.table import Table
from tests.tabletop.coach.conftest import start as start

EVENT = "SAM-016"


@pytest.fixture
def game(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("", encoding="utf-8")
    return sammu_env.load_game(path)


def told_field(card, name):
    return next(one for one in card["fields"] if one["name"] == name)


def field(game, card, name):
    return told_field(game.card(card), name)


def test_nothing_reconstructed_is_called_printed(game):
    cards = {one["id"]: one for one in game.cards()}
    assert len(cards) == 198
    for card, told in cards.items():
        guessed = [one for one in game.card(card)["fields"] if one["provenance"].startswith("reconstructed")]
        assert not (told["printed"] and guessed)
    assert any(not told["printed"] for told in cards.values())


def test_what_differs_is_written_and_played(game, tmp_path):
    asked = game.card("SAM-079", "ja")
    cost = field(game, "SAM-079", "cost")
    assert asked["text"] and "provenance" in cost
    new = game.differs("SAM-079", {"cost": {"gold": 2}})
    assert field(new, "SAM-079", "cost")["provenance"] == "edition"
    assert new.edition != game.edition and new is sammu_env.load_game(tmp_path / "mine.toml")
    assert "[ashur.SAM-079" in (tmp_path / "mine.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize(("card", "values", "said"), [
    ("SAM-999", {}, "SAM-001 to SAM-198"), ("SAM-079", {"cost": {"gold": -1}}, "SAM-079"),
    ("SAM-079", {"prise": 1}, "prise"), ("SAM-002", {"": 1}, "character.SAM-002: found ''"),
    ("SAM-002", {".": 1}, "character.SAM-002: found ''"),
])  # fmt: skip
def test_what_cannot_be_is_refused_and_nothing_is_written(game, tmp_path, card, values, said):
    with pytest.raises(ValueError, match=said):
        game.differs(card, values)
    assert (tmp_path / "mine.toml").read_text(encoding="utf-8") == ""


def test_the_box_as_shipped_is_not_written_to():
    with pytest.raises(ValueError, match="--edition"):
        sammu_env.load_game().differs("SAM-079", {"cost": {"gold": 2}})


def test_the_table_goes_on_with_the_new_edition(game, tmp_path):
    table = Table.create(game, tmp_path / "game.jsonl", game.configure(players=2), 3, box=False)
    for _ in range(5):
        mask = np.zeros(game.n_actions, np.int8)
        game.legal(game.box, table.state(), mask)
        table.do([int(mask.argmax())])
    stood = table.state()
    new = game.differs("SAM-079", {"cost": {"gold": 2}})
    table.play_with(new, "Mika")
    assert table.state().tobytes() == stood.tobytes() and table.log().edition == new.edition
    mask = np.zeros(game.n_actions, np.int8)
    new.legal(new.box, table.state(), mask)
    table.do([int(mask.argmax())])
    after, rev = table.state().tobytes(), table.rev
    table.close()
    again = Table.open(new, tmp_path / "game.jsonl")
    assert again.rev == rev and again.state().tobytes() == after
    again.close()


@pytest.fixture
def five(game, tmp_path):
    """A table after five choices."""
    table = Table.create(game, tmp_path / "game.jsonl", game.configure(players=2), 3, box=False)
    for _ in range(5):
        table.do([first(game, table)])
    yield table
    table.close()


def first(game, table):
    mask = np.zeros(game.n_actions, np.int8)
    game.legal(game.box, table.state(), mask)
    return int(mask.argmax())


def test_what_was_done_before_a_card_differed_can_be_taken_back(game, five):
    states = [five.state(node.n).tobytes() for node in five.way()]
    done = [(node.actor, node.action) for node in five.way()[1:]]
    five.play_with(game.differs("SAM-079", {"cost": {"gold": 2}}), "Mika")
    assert [(node.actor, node.action) for node in five.way() if node.kind == "act"] == done
    for state in reversed(states[:-1]):
        five.undo()
        assert five.state().tobytes() == state
    assert not five.undoes()
    with pytest.raises(ValueError, match="nothing to take back"):
        five.undo()
    for _ in range(5):
        five.redo()
    assert five.state().tobytes() == states[-1]
    node = next(node for node in five.way() if node.kind == "act")
    branch = five.branch("what if", node.n)
    assert five.state(branch=branch).tobytes() == states[1]


def test_where_the_new_card_leads_elsewhere_the_table_stands_as_it_lies(game, five):
    stood = five.state().tobytes()
    new = game.differs("SAM-185", {"setup.enemies": {"Gordium": 1}})
    five.play_with(new)
    assert five.state().tobytes() == stood and five.way()[-1].kind == "correct" and not five.undoes()
    five.do([first(new, five)])
    five.undo()
    assert five.state().tobytes() == stood


def test_a_box_with_more_pieces_has_more_left(game, five):
    before = game.facts(five.state())
    new = game.take_edition("[components]\nenemies = 26\n")
    five.play_with(new)
    assert five.way()[-1].kind == "correct"
    assert new.facts(five.state()) == {**before, "enemy@pool": before["enemy@pool"] + 1}


def test_an_edition_file_is_taken_and_given(game, start, tmp_path):
    pytest.importorskip("starlette"), pytest.importorskip("uvicorn"), pytest.importorskip("segno")
    coach = start(game)
    phone, one = coach.phone(), coach.begin(options={"players": 2})
    assert phone.get("/api/games")["editions"] and phone.get("/api/edition") == b""
    rev = phone.get(one)["rev"]
    for text, said in (("cost = ", "edition file"), ('[ashur.SAM-079]\nprise = 1\n', "prise"),
                       ('[ashur.SAM-079.cost]\ngold = -1\n', "SAM-079")):  # fmt: skip
        status, told = phone.post(f"{one}/edition", {"rev": rev, "text": text})
        assert status == 400 and said in told["error"] and phone.get("/api/edition") == b""
    mine = "# of our box\n[ashur.SAM-079.cost]\ngold = 2\n"
    status, told = phone.post(f"{one}/edition", {"rev": rev, "text": mine})
    assert status == 200 and (tmp_path / "mine.toml").read_text(encoding="utf-8") == mine
    assert phone.get("/api/edition") == mine.encode()
    cost = told_field(phone.get("/api/cards/SAM-079"), "cost")
    assert (cost["value"], cost["provenance"]) == ({"gold": 2}, "edition")
    big = {"rev": told["rev"], "text": "#" * 600_000}
    assert phone.post(f"{one}/edition", big)[0] == 413


def test_phones_look_cards_up_and_say_what_differs(game, start):
    pytest.importorskip("starlette"), pytest.importorskip("uvicorn"), pytest.importorskip("segno")
    coach = start(game)
    phone, one = coach.phone(), coach.begin(options={"players": 2})
    assert [card["id"] for card in phone.get("/api/cards?find=079")] == ["SAM-079"]
    assert "SAM-019" in [card["id"] for card in phone.get("/api/cards?find=drought&lang=ja")]
    assert phone.get("/api/cards/SAM-079?lang=ja")["fields"]
    assert phone.get("/api/cards/SAM-999") == 400 and phone.get("/api/cards?lang=fr") == 400
    rev = phone.get(one)["rev"]
    status, told = phone.post(f"{one}/differs", {"rev": rev, "card": "SAM-079", "values": {"prise": 1}})
    assert status == 400 and "prise" in told["error"] and phone.get(one)["rev"] == rev
    question = phone.get(one)["question"]
    status, told = phone.post(f"{one}/differs", {"rev": rev, "card": "SAM-079", "values": {"cost": {"gold": 2}}})
    assert status == 200 and told["rev"] == rev + 1 and told["question"] == question
    cost = told_field(phone.get("/api/cards/SAM-079"), "cost")
    assert (cost["value"], cost["provenance"]) == ({"gold": 2}, "edition")
    action = told["options"][0]["action"]
    assert phone.post(f"{one}/do", {"rev": rev + 1, "answers": [action]})[0] == 200


# Forms


#: A card of each kind.
KINDS = ("SAM-001", "SAM-002", "SAM-015", "SAM-016", "SAM-078", "SAM-079", "SAM-119", "SAM-141", "SAM-165", "SAM-185")


def misfit(shape, value, at):
    """Where a value is none of its shape; nothing: it is one."""
    kind = shape["kind"]
    names = [one["value"] for one in shape.get("choices", ())]
    if kind in ("choice", "sort") or value in names:
        return [] if value in names else [f"{at}: {value!r}"]
    if kind == "number":
        low, high = shape.get("low", -(10**9)), shape.get("high", 10**9)
        return [] if type(value) is int and low <= value <= high else [f"{at}: {value!r}"]
    if kind == "list":
        return [found for i, one in enumerate(value) for found in misfit(shape["of"], one, f"{at}[{i}]")]
    if kind == "table":
        keys = [found for key in value for found in misfit(shape["keys"], key, f"{at}.{key}")]
        return keys + [found for key, one in value.items() for found in misfit(shape["of"], one, f"{at}.{key}")]
    if kind == "kinds":
        sort = next(one for one in shape["kinds"] if one["value"] == value[shape["tag"]])
        inner = {name: one for name, one in value.items() if name != shape["tag"]}
        parts = {one["name"]: one for one in sort["fields"]}
        lacking = [f"{at}.{name}" for name, one in parts.items() if one["needed"] and name not in inner]
        return lacking + [
            found for name, one in inner.items() for found in misfit(parts[name]["shape"], one, f"{at}.{name}")
        ]
    return [] if kind == "flag" and type(value) is bool else [f"{at}: {kind}"]


def named(shape):
    """All words of a shape."""
    for one in (*shape.get("choices", ()), *shape.get("kinds", ())):
        yield one["words"]
        yield from (word for part in one.get("fields", ()) for word in (part["label"], *named(part["shape"])))
    for inner in ("of", "keys"):
        yield from named(shape[inner]) if inner in shape else ()


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_value_of_every_card_has_a_form_that_it_fits(lang):
    game = sammu_env.load_game()
    for card in game.cards():
        for one in game.card(card["id"], lang)["fields"]:
            assert misfit(one["shape"], one["value"], f"{card['id']} {one['name']}") == []
            words = [one["label"], *named(one["shape"])]
            assert all(words) and not any("_" in word for word in words)
            if lang == "ja":
                assert not [word for word in words if word.isascii() and word.islower()]


@pytest.mark.parametrize("card", KINDS)
def test_a_form_that_is_saved_as_it_is_says_what_was_believed(game, tmp_path, card):
    before = {one["name"]: one["value"] for one in game.card(card)["fields"]}
    new = game.differs(card, before)
    assert {one["name"]: one["value"] for one in new.card(card)["fields"]} == before
    assert {one["provenance"] for one in new.card(card)["fields"]} == {"edition"} and new.card(card)["printed"]
    assert new.edition == game.edition and new.box.tobytes() == game.box.tobytes()


@pytest.mark.parametrize(("card", "name", "change", "said"), [
    ("SAM-002", "public.abilities", {"defence": 3}, "defence 3"),
    ("SAM-002", "start_good", "gold", "(gold)"),
    ("SAM-003", "personal.actions",
     [{"goods": 1, "cards": 0, "special": "draw", "n": 3, "anyone": False}], "1 good: draw 3 cards"),
    ("SAM-016", "banner", [{"effect": "tokens", "kind": "supply", "n": -3}], "Babylonia -3 supply"),
    ("SAM-016", "area", "Elam", "Elam"),
    ("SAM-019", "effects", [{"effect": "queen_actions", "n": 2}], "Sammu-ramat +2 actions"),
    ("SAM-079", "cost", {"iron": 3}, "Cost 3 iron"), ("SAM-079", "favoured", 5, "5"),
    ("SAM-141", "gain", {"medicine": 2}, "2 medicine"), ("SAM-141", "marker", "plague", "1 plague into the bag"),
    ("SAM-185", "setup.enemies", {"Tushpa": 7}, "Enemies: TUSHPA 7"),
    ("SAM-185", "setup.tokens",
     dict.fromkeys(("Assyria", "Medes", "Canaan"), dict.fromkeys(c.KINDS, 2)), "Medes: gate, 2 military"),
    ("SAM-185", "monthly", {"2-8": [{"effect": "draw", "n": 2}]}, "Months 2-8: draw 2"),
    ("SAM-185", "win", [{"condition": "gates", "n": 4}], "at least 4 Ishtar gates"),
])  # fmt: skip
def test_a_changed_value_is_what_the_card_says(game, card, name, change, said):
    new = game.differs(card, {name: change})
    assert field(new, card, name)["value"] == change and said in new.card(card)["text"]
    others = [(one["name"], one["value"]) for one in game.card(card)["fields"] if one["name"] != name]
    assert [(one["name"], one["value"]) for one in new.card(card)["fields"] if one["name"] != name] == others


def test_a_card_becomes_one_of_another_kind_and_back(game, tmp_path):
    before = {one["name"]: one["value"] for one in game.card("SAM-079")["fields"]}
    game = game.differs("SAM-079", {"cost": {"gold": 2}})
    game = game.differs("SAM-079", {"kind": "goods", "marker": "karu", "gain": {"lapis": 2}})
    assert [one["name"] for one in game.card("SAM-079")["fields"]] == ["kind", "marker", "gain"]
    assert "cost" not in (tmp_path / "mine.toml").read_text(encoding="utf-8")
    game = game.differs("SAM-079", before)
    assert {one["name"]: one["value"] for one in game.card("SAM-079")["fields"]} == before


@pytest.mark.parametrize(("card", "values", "said"), [
    ("SAM-016", {"banner": [{"effect": "tokens", "kind": "medicine", "n": 0}]}, "event.SAM-016: banner[0].n: found 0"),
    ("SAM-016", {"banner": [{"effect": "tokens", "kind": "wine", "n": 1}]}, "event.SAM-016: banner[0].kind: found"),
    ("SAM-016", {"effects": [{"effect": "draw", "n": "two"}]}, "event.SAM-016: effects[0].n: found 'two'"),
    ("SAM-185", {"setup.tokens": {"Egypt": {"military": 51}}}, "challenge.SAM-185: setup.tokens.Egypt.military: found"),
    ("SAM-185", {"monthly": {"4-3": []}}, "challenge.SAM-185: monthly: found '4-3'"),
    ("SAM-002", {"public.abilities": {"bodyguard": 2}}, "character.SAM-002: public.abilities"),
    ("SAM-079", {"cost": {"gold": None}}, "ashur.SAM-079: "), ("SAM-079", {"favoured": None}, "ashur.SAM-079: "),
])  # fmt: skip
def test_what_is_wrong_is_named_by_its_field(game, tmp_path, card, values, said):
    with pytest.raises(ValueError) as wrong:
        game.differs(card, values)
    assert said in str(wrong.value) and "/" not in str(wrong.value).partition(":")[0]
    assert (tmp_path / "mine.toml").read_text(encoding="utf-8") == ""
