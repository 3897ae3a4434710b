"""Cards that turn out to be otherwise: the owner's file says so, and the table goes on."""

import numpy as np
import pytest

import sammu_env
from tabletop.coach.table import Table
from tests.tabletop.coach.conftest import start as start

EVENT = "SAM-016"


@pytest.fixture
def game(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text("", encoding="utf-8")
    return sammu_env.load_game(path)


def field(game, card, name):
    return next(one for one in game.card(card)["fields"] if one["name"] == name)


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
    ("SAM-079", {"prise": 1}, "prise"),
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
    assert {"name": "cost", "value": {"gold": 2}, "provenance": "edition"} in phone.get("/api/cards/SAM-079")["fields"]
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
    assert {"name": "cost", "value": {"gold": 2}, "provenance": "edition"} in phone.get("/api/cards/SAM-079")["fields"]
    action = told["options"][0]["action"]
    assert phone.post(f"{one}/do", {"rev": rev + 1, "answers": [action]})[0] == 200
