"""Advice on a position: ``sammu advise``, and ``a`` at the prompt of ``sammu play``."""

import json
import re
import shlex
import sys
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import sammu_env  # noqa: E402
from sammu_env import position  # noqa: E402
from tabletop import agents, conformance  # noqa: E402
from tabletop.agents import checkpoint  # noqa: E402
from tabletop.agents.findings import WORDS  # noqa: E402
from tabletop.agents.network import Network  # noqa: E402
from tabletop.agents.search import Search  # noqa: E402
from tabletop.assist import advice  # noqa: E402
from tabletop.coach.parts import Parts  # noqa: E402
from tabletop.coach.table import Table  # noqa: E402
from tabletop.game import CHANCE, legal_mask, new_state  # noqa: E402
from tabletop.log import Match  # noqa: E402
from tests.command import refused, sammu  # noqa: E402

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def game():
    return sammu_env.load_game()


@pytest.fixture(scope="module")
def weights(game, tmp_path_factory):
    """An agent's name: a tiny network that nobody trained, with opinions all the same."""
    torch.manual_seed(1)
    network = Network(game, width=16, blocks=0)
    torch.nn.init.normal_(network.policy.weight)
    path = tmp_path_factory.mktemp("weights") / "tiny.safetensors"
    checkpoint.save(path, network, game, {"name": "tiny"})
    return f"ppo:{path}"


@pytest.fixture(scope="module")
def advisor(game, weights):
    return advice.make(weights, game)


def test_advice_keeps_secrets(game, advisor):
    setup = game.configure(players=3, hidden_hands=True)
    conformance.check(
        game, setup, range(2), laws=["secrets"], every=25,
        advise=lambda s: advice.advise(game, advisor, s, top=game.n_actions).to_dict(),
    )  # fmt: skip


def test_advice_is_in_the_words_of_the_seat(game, advisor):
    """Who is offered a card for one of one's own is told which."""
    random, s = np.random.default_rng(2), new_state(game)
    game.reset(game.box, s, game.configure(players=3, hidden_hands=True), 2)
    while (question := game.question(s, "en", int(s["to_act"][0]))) == game.question(s, "en"):
        game.apply(game.box, s, int(random.choice(np.flatnonzero(legal_mask(game, s)))))
    assert advice.advise(game, advisor, s).question == question and " for SAM-" in question


@pytest.fixture
def match(game):
    """A game of two, some choices after its beginning."""
    match = Match(game, game.configure(players=2), seed=3)
    for _ in range(9):
        match.act(int(np.flatnonzero(match.legal())[-1]))
    return match


def test_advice_in_a_campaign_tells_the_chance_of_victory(game):
    """Though each of its challenges pays."""
    match = Match(game, game.configure(players=5, campaign=True, challenge="SAM-185"), seed=1)
    with closing(Search(game, "random", player="scripted", samples=4, plans=2, proposals=False)) as search:
        *_, last = search.advise(match.s, rollouts=32)
    assert last.unit == "win" and 0 <= last.plans[0].chance.low <= last.plans[0].chance.high < 1


@pytest.fixture
def over(game):
    """A game that has been played to its end."""
    return agents.make("random", game, 1).play(game.configure(players=2), [1])


def told(*args, stdin=""):
    done = sammu(*args, stdin=stdin)
    assert done.exit_code == 0, done.output
    return done.stdout


def saved(path, state):
    path.write_text(json.dumps(position.dump(state)))
    return path


# --- what an advisor says


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_advice_is_the_opinion_in_words(game, advisor, match, lang):
    before = match.s.tobytes()
    found, opinion = advice.advise(game, advisor, match.s, 3, lang), advisor.opinion(match.s)
    assert (found.to_act, found.question) == (f"advisor_{match.to_act}", game.question(match.s, lang))
    assert [choice.action for choice in found.choices] == opinion.choices[:3].tolist()
    for choice in found.choices:
        assert match.legal()[choice.action]
        assert np.flatnonzero(match.legal())[choice.number - 1] == choice.action
        assert choice.words == game.words(match.s, choice.action, lang)
    likely = [choice.probability for choice in found.choices]
    assert likely == sorted(likely, reverse=True) and 0 < likely[-1] <= likely[0] and sum(likely) < 1 + 1e-6
    assert found.win == opinion.win and 0 < found.win < 1
    assert match.s.tobytes() == before


def test_all_choices_add_up_to_one(game, advisor, match):
    found = advice.advise(game, advisor, match.s, game.n_actions)
    assert sorted(choice.action for choice in found.choices) == np.flatnonzero(match.legal()).tolist()
    assert sum(choice.probability for choice in found.choices) == pytest.approx(1)


@pytest.mark.parametrize("hidden", [True, False])
def test_advice_is_from_what_the_seat_may_know(game, advisor, hidden):
    here = {"challenge": "SAM-185", "players": 2, "stage": "actions", "hidden_hands": hidden}
    hands = [{"seats": [{"hand": ["SAM-080"]}, {"hand": [other]}]} for other in ("SAM-081", "SAM-082")]
    one, two = (advice.advise(game, advisor, position.play_on(position.load({**here, **hand}))) for hand in hands)
    assert one.to_act == two.to_act == "advisor_0"
    assert (one == two) is hidden


# --- the command


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_position_in_words(tmp_path, game, advisor, weights, match, lang):
    text = told("advise", saved(tmp_path / "here.json", match.s), "--agent", weights, "--lang", lang)
    found = advice.advise(game, advisor, match.s, 3, lang)
    first, *choices, last = text.splitlines()
    assert first == f"[{Parts(game).who(match.to_act, lang)}] {game.question(match.s, lang)}"
    assert [line.split(maxsplit=1) for line in choices] == [[f"{x.probability:.1%}", x.words] for x in found.choices]
    assert last == {"en": f"chance of winning: {found.win:.1%}", "ja": f"勝利の確率：{found.win:.1%}"}[lang]


def test_log_position_and_standard_input_are_advised_alike(tmp_path, game, advisor, weights, match):
    log = tmp_path / "game.json"
    match.stamped().save(log)
    here = saved(tmp_path / "here.json", match.s)
    printed = told("advise", log, "--agent", weights, "--json", "--top", 2)
    assert json.loads(printed) == advice.advise(game, advisor, match.s, 2).to_dict()
    assert printed == told("advise", here, "--agent", weights, "--json", "--top", 2)
    assert printed == told("advise", "-", "--agent", weights, "--json", "--top", 2, stdin=here.read_text())


def test_toml_position_stands_at_its_next_decision(tmp_path, game, advisor, weights):
    here = tmp_path / "here.toml"
    here.write_text('challenge = "SAM-190"\nplayers = 2\nstage = "actions"\n')
    state = position.load({"challenge": "SAM-190", "players": 2, "stage": "actions"})
    wanted = advice.advise(game, advisor, position.play_on(state))
    assert told("advise", here, "--agent", weights) == wanted.text() + "\n"


@pytest.mark.parametrize(("lang", "said"), [("en", "chance is to act"), ("ja", "運の番")])
def test_nothing_is_drawn_for_chance(game, weights, lang, said):
    ask = ("advise", "-", "--agent", weights, "--lang", lang)
    month = {"challenge": "SAM-185", "players": 2, "month": 2}
    question, text = told(*ask, stdin=json.dumps(month)).splitlines()
    assert question == game.question(position.play_on(position.load({**month, "manual_chance": True})), lang)
    assert said in text and "%" not in text
    found = json.loads(told(*ask, "--json", stdin=json.dumps(month)))
    own = {"who": Parts(game).who(CHANCE, lang), "question": question}
    assert found == {"to_act": "chance", **own, "choices": [], "win": None}


def test_log_that_ends_in_a_draw(tmp_path, game, weights):
    match = Match(game, game.configure(challenge="random"), seed=3, manual_chance=True)
    log = tmp_path / "game.json"
    match.stamped().save(log)
    assert "chance is to act" in told("advise", log, "--agent", weights)


@pytest.mark.parametrize(("lang", "said"), [("en", "nobody is to act"), ("ja", "誰の番でもない")])
def test_game_over(tmp_path, game, weights, over, lang, said):
    here = saved(tmp_path / "here.json", over)
    question, text = told("advise", here, "--agent", weights, "--lang", lang).splitlines()
    assert question == game.question(over, lang)
    assert said in text
    assert json.loads(told("advise", here, "--agent", weights, "--json"))["to_act"] == "nobody"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("no JSON", "here.json: no position and no game log: it is no JSON (line 1, column 1: expecting value)"),
        (" \n", "here.json: no position and no game log: it is empty"),
        ("[1]", "here.json: no position and no game log: it holds no table of names"),
        ("[" * 100_000, "here.json: nested too deeply"),
        ("{}", "'challenge' is missing"),
        ('{"players": 2, "players": 3}', "here.json: 'players' is there twice in one table: say it once"),
        ('{"challenge": "SAM-185", "players": 2, "locations": {"Nineve": {}}}', "did you mean Nineveh?"),
        ('{"entries": []}', "here.json: not a game log of format 1"),
    ],
)
def test_bad_file(tmp_path, weights, text, named):
    here = tmp_path / "here.json"
    here.write_text(text)
    assert named in refused("advise", here, "--agent", weights)


def test_file_that_cannot_be_read(tmp_path, weights):
    said = refused("advise", tmp_path / "nowhere.json", "--agent", weights)
    assert said.endswith("nowhere.json: no such file") and "Errno" not in said
    assert refused("advise", tmp_path, "--agent", weights).endswith(": it is a folder")
    (tmp_path / "here.json").write_bytes(b"\xff")
    assert "here.json: no position and no game log: it is no text" in refused("advise", tmp_path / "here.json")
    (tmp_path / "here.toml").write_text("month = \n")
    assert "it is no TOML (invalid value" in refused("advise", tmp_path / "here.toml")


def test_log_of_another_edition_or_changed(tmp_path, weights, match):
    log, said = tmp_path / "game.json", match.stamped().to_dict()
    log.write_text(json.dumps({**said, "edition": "another"}))
    told = refused("advise", log, "--agent", weights)
    assert "edition another" in told and told.endswith("give that one, --edition NAME or FILE")
    log.write_text(json.dumps({**said, "trace": [1, 2]}))
    told = refused("advise", log, "--agent", weights)
    assert "one of them was changed" in told and "--edition" not in told


@pytest.fixture
def table(tmp_path, game, match):
    """The same game as a table keeps it, with a line that is half written."""
    path = tmp_path / "table.jsonl"
    Table.from_log(game, path, match.stamped(), box=False).close()
    with path.open("ab") as file:
        file.write(b'{"n": 99, "kind": "a')
    return path


def test_a_table_is_only_read(tmp_path, game, weights, match, table):
    """By what is in the file, whatever it is called; also while somebody plays on in it."""
    before, ask = table.read_bytes(), ("--agent", weights, "--json", "--top", 2)
    printed = told("advise", saved(tmp_path / "here.json", match.s), *ask)
    other = tmp_path / "other.log"
    other.write_bytes(before)
    assert told("advise", table, *ask) == told("advise", other, *ask) == printed
    assert told("advise", "-", *ask, stdin=before) == printed
    assert table.read_bytes() == other.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["here.json", "other.log", "table.jsonl"]
    with closing(Table.open(game, table)):
        assert told("advise", table, *ask) == printed


def test_a_table_of_another_edition_is_refused_also_where_it_could_go_on(tmp_path, game, weights):
    path = tmp_path / "table.jsonl"
    with closing(Table.create(game, path, game.configure(players=2), seed=3, box=False)) as table:
        table.do([int(np.flatnonzero(legal_mask(game, table.state()))[0])])
        table.keep()
        table.do([int(np.flatnonzero(legal_mask(game, table.state()))[0])])
    said = refused("advise", path, "--agent", weights, "--edition", "novice")
    assert "another version or edition" in said and said.endswith("give that one, --edition NAME or FILE")
    assert "chance of winning" in told("advise", path, "--agent", weights)


def test_a_tables_file_that_is_none(tmp_path, weights, table):
    lines = table.read_text().splitlines(keepends=True)
    for text, said in (("", "no position and no game log: it is empty"), ("{}\n", "line 1 is damaged: it lacks 'n'"),
                       (lines[0] + "x\n" + lines[2], "line 2 is damaged"),
                       (lines[0].replace('"edition": "', '"edition": "x'), "--edition NAME or FILE")):  # fmt: skip
        table.write_text(text)
        told = refused("advise", table, "--agent", weights)
        assert said in told and f"{table}: " in told and told.count("jsonl") == 1
    assert "--edition NAME or FILE" in refused("play", "--log", table)


# --- who advises


def test_options_are_checked(tmp_path, weights, match):
    here = saved(tmp_path / "here.json", match.s)
    assert "en, ja" in refused("advise", here, "--agent", weights, "--lang", "fr")
    assert "1" in refused("advise", here, "--agent", weights, "--top", 0)
    assert "no checkpoint" in refused("advise", here, "--agent", "ppo:nowhere")
    assert "scripted gives no advice" in refused("advise", here, "--agent", "scripted")
    assert "random, scripted, planner, ppo" in refused("advise", here, "--agent", "genius")
    for seconds in ("inf", "1e300", "-inf", "nan"):
        assert "--seconds" in refused("advise", here, "--agent", weights, "--seconds", seconds)
        assert "--seconds" in refused("play", "--seconds", seconds)


@pytest.mark.parametrize("name", ["version", "layout"])
def test_weights_of_another_game_are_refused(tmp_path, game, match, name):
    path = tmp_path / "other.safetensors"
    checkpoint.save(path, Network(game, width=16, blocks=0), game, {name: "other"})
    here = saved(tmp_path / "here.json", match.s)
    assert checkpoint.SAME[name] in refused("advise", here, "--agent", f"ppo:{path}")


def test_weights_give_advice_on_any_edition_of_the_box(tmp_path, weights, match):
    edition = tmp_path / "mine.toml"
    edition.write_text("[map.location.Tyre]\nmarket = false\n")
    here = saved(tmp_path / "here.json", match.s)
    told = sammu("advise", here, "--agent", weights, "--edition", edition)
    assert told.exit_code == 0 and "chance of winning" in told.output


def test_what_it_needs_is_not_installed(tmp_path, monkeypatch, match):
    for name in ("light", "checkpoint"):
        monkeypatch.delitem(sys.modules, f"tabletop.agents.{name}", raising=False)
        monkeypatch.delattr(agents, name, raising=False)
    monkeypatch.setitem(sys.modules, "safetensors", None)
    said = refused("advise", saved(tmp_path / "here.json", match.s))
    assert "safetensors is not installed: pip install 'sammu-ramat-env[train]'" in said


# --- at the prompt


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_person_asks_and_chooses(tmp_path, lang):
    log = tmp_path / "game.jsonl"
    play = ("play", "--players", 2, "--seed", 3, "--log", log, "--advisor", "random", "--seconds", 0.5, "--lang", lang)
    text = told(*play, stdin="a\n1\nq\n")
    assert WORDS[lang]["unknown"] in text and WORDS[lang]["games"].split("{2}")[-1] in text
    assert "what" not in told("advise", log, "--agent", "random", "--seconds", 0.5, "--lang", "ja")


def test_play_goes_on_without_an_advisor(tmp_path):
    weights = tmp_path / "bare.safetensors"
    weights.write_bytes(b"no weights")
    text = told("play", "--players", 1, "--seed", 3, "--advisor", f"ppo:{weights}", stdin="a\na\n1\nq\n")
    assert text.count(f"{weights.with_suffix('.json')}: no such file") == 2
    assert "choose 1" not in text


@pytest.mark.parametrize(("name", "said"), [("genius", "the advisor is 'genius', choose one of random, scripted"),
                                            ("ppo:nowhere", "there is no checkpoint 'nowhere'")])  # fmt: skip
def test_an_advisor_that_is_none_is_refused_before_the_game_begins(tmp_path, name, said):
    assert said in refused("play", "--advisor", name, "--log", tmp_path / "game.jsonl")
    assert not list(tmp_path.iterdir())


def test_advisor_is_made_once_and_only_when_asked(monkeypatch):
    names = []
    make = advice.searcher
    monkeypatch.setattr(advice, "searcher", lambda game, name: names.append(name) or make(game, name))
    play = ("play", "--players", 1, "--seed", 3, "--advisor", "random", "--seconds", 0.1)
    told(*play, stdin="1\nq\n")
    assert names == []
    told(*play, stdin="a\n1\na\nq\n")
    assert names == ["random"]


# --- the page


def test_example_of_the_page(weights):
    page = (ROOT / "docs" / "advice.md").read_text(encoding="utf-8")
    said = re.search(r"echo ('.*?') > here.json", page, re.S)
    assert said
    text = told("advise", "-", "--agent", weights, stdin=shlex.split(said[1])[0])
    assert "what does Ithobaal do?" in text and len(text.splitlines()) == 5
