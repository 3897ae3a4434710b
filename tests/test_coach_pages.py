"""Sammu-Ramat in a browser: a month with the box by touch, what is told, a correction; where chromium is installed."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("segno")
pytest.importorskip("playwright", reason="pages are tried with playwright, which is not installed")

import sammu_env
from sammu_env import actions, steps, words
from sammu_env import constants as c
from sammu_env.game import load
from sammu_env.state import HAND
from tabletop import record
from tabletop.agents import make
from tabletop.coach.words import texts
from tabletop.game import CHANCE, NOBODY, Record
from tabletop.log import Match
from tabletop.plays import mask_of
from tests.tabletop.coach.conftest import start  # noqa: F401
from tests.tabletop.coach.serving import LONGEST, Patient
from tests.tabletop.coach.test_pages import (
    SIZES,
    accessible,
    browser,  # noqa: F401
    expect,
    fits,
    opened,  # noqa: F401
    press,
    readable,
    shows,
    table,
)

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

pytestmark = pytest.mark.slow

GAME = load()
MOST_TAPS = 45  #: of a month with the box for two
SCREENS = ("table", "history", "check")


@cache
def script() -> list[int]:
    """What two players (the scripted team) and the box (by chance) do until the consultations of the third month."""
    match = Match(GAME, GAME.configure("SAM-185", players=2), 0, manual_chance=True)
    team, rng = make("scripted", GAME), np.random.default_rng(0)
    while not consulting(3)(match.s):
        mask = match.legal()
        drawn = match.to_act == CHANCE
        match.act(int(rng.choice(np.flatnonzero(mask)) if drawn else team.act(match.s, mask[None])[0]))
    return [action for _, action in match.log.entries]


class Sitting:
    """A coach with a game of two, and somebody who knows what to do next."""

    def __init__(self, coach: Any) -> None:
        self.coach, self.path = coach, coach.begin(options={"players": 2}, title="SAM-185")

    @property
    def table(self) -> Any:
        return self.coach.coach.rooms[self.path.rpartition("/")[2]].table

    @property
    def ahead(self) -> list[int]:
        """What is still to do."""
        return script()[len(self.table.way()) - 1 :]

    def play(self, until: Callable[[Record], bool]) -> Record:
        """Plays on to a state, behind the pages' back."""
        while not until(s := self.table.state()):
            self.table.do([self.ahead[0]])
        return s


def consulting(month: int) -> Callable[[Record], bool]:
    """Whether the first player of a month is asked whom to consult."""
    return lambda s: bool(s["month"][0] == month and s["op"][0, s["sp"][0] - 1] == steps.CONSULT)


def asked(op: int) -> Callable[[Record], bool]:
    return lambda s: bool(s["op"][0, s["sp"][0] - 1] == op)


def tap(page: Any, place: str) -> None:
    """Touches the middle of a place on the map."""
    box = page.locator(f".scene circle[data-id='{place}']").first.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


@pytest.mark.parametrize("size", ["small", "phone", "desk"])
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_every_screen_fits_and_is_accessible(start: Any, opened: Any, size: str, lang: str) -> None:  # noqa: F811
    sitting = Sitting(start(GAME))
    sitting.play(lambda s: asked(steps.TURN)(s) and s["month"][0] == 2)
    sitting.table.do([actions.VERB + actions.V_MOVE])
    page = opened(sitting.coach, table(sitting.path), size=size, lang=lang)
    for screen in SCREENS:
        press(page, texts()[lang][screen])
        page.wait_for_timeout(300)
        fits(page)
        if size == "phone":
            accessible(page)
    press(page, texts()[lang]["table"])
    page.wait_for_timeout(300)
    readable(page)


def test_names_lie_within_the_whole_map(start: Any, opened: Any) -> None:  # noqa: F811
    sitting = Sitting(start(GAME))
    page = opened(sitting.coach, table(sitting.path), size="small")
    page.get_by_role("button", name="All", exact=True).click()
    outside = """(picture) => [...picture.querySelectorAll("text:not([visibility=hidden])")].filter((text) => {
        const [name, map] = [text, picture].map((one) => one.getBoundingClientRect());
        return name.left < map.left - 1 || name.right > map.right + 1;
    }).map((text) => text.textContent)"""
    assert page.locator(".scene text:not([visibility=hidden])").count() > 20
    assert page.locator(".scene").evaluate(outside) == []


def test_a_turn_by_touch_of_the_map(start: Any, opened: Any) -> None:  # noqa: F811
    sitting = Sitting(start(GAME))
    s = sitting.play(lambda s: asked(steps.TURN)(s) and s["month"][0] == 2)
    who = c.CHARACTERS[int(s["active"][0])]
    page = opened(sitting.coach, table(sitting.path))
    press(page, "Move")
    expect(page.locator(".question")).to_contain_text(f"Where does {who} go?")
    place = next(one["place"] for one in sitting.coach.phone().get(sitting.path)["options"])
    tap(page, place)
    expect(page.locator(".question")).not_to_contain_text(f"Where does {who} go?")
    while "carry" in GAME.question(sitting.table.state()):
        rev = sitting.table.rev
        press(page, "Go with these")
        shows(page, rev + 1)
    expect(page.locator(".todo")).to_contain_text(re.compile(f": 1 × {who}.* → {GAME.named(place)}"))
    assert GAME.facts(sitting.table.state())[f"{who}@{place}"] == 1


def test_a_months_end_is_a_checklist(start: Any, opened: Any) -> None:  # noqa: F811
    sitting = Sitting(start(GAME))
    s = sitting.play(lambda s: s["month"][0] == 2 and s["stage"][0] == c.ST_ACTIONS and s["to_act"][0] >= 0)
    last = record.copy(s)
    while s["month"][0] == 2 and s["stage"][0] == c.ST_ACTIONS:  # the answer that ends the month's actions
        last = s
        sitting.table.do([sitting.ahead[0]])
        s = sitting.table.state()
    assert last["stage"][0] == c.ST_ACTIONS
    page = opened(sitting.coach, table(sitting.path))
    expect(page.locator(".todo .stage").first).to_be_visible()
    stages = page.locator(".todo .stage").all_inner_texts()
    names = [GAME.stage(_at(stage)) for stage in range(len(c.STAGES))]
    assert stages and set(stages) <= set(names)
    expect(page.locator(".todo")).to_contain_text("by itself")
    n = page.locator(".todo input").count()
    page.locator(".todo input").first.check()
    expect(page.get_by_role("heading", name=f"Do this on the board (1 of {n})")).to_have_count(1 if n > 1 else 0)
    press(page, "All done") if n > 1 else None
    expect(page.locator(".todo")).to_have_count(0)


def _at(stage: int) -> Record:
    s = GAME.load({"challenge": "SAM-185", "players": 2, "month": 2, "manual_chance": True})
    s["stage"], s["result"] = stage, c.RUNNING
    return s


def test_a_correction_five_steps_back(start: Any, opened: Any) -> None:  # noqa: F811
    sitting = Sitting(start(GAME))
    sitting.play(asked(steps.CHOOSE_ADVISOR))
    assert len(sitting.table.way()) > 6
    node = sitting.table.way()[-5]
    page = opened(sitting.coach, table(sitting.path, "history"))
    expect(page.locator(".things > li").first).to_be_visible()
    page.locator(".things > li").nth(4).get_by_role("button").click()
    press(page, f"Correct: {node.said}")
    told = sitting.coach.phone().get(f"{sitting.path}/choices?at={node.n}")
    other = next(one for one in told["options"] if one["action"] != node.action)
    page.get_by_role("dialog").get_by_role("button", name=other["words"], exact=True).click()
    expect(page.locator(".todo")).to_contain_text("→")
    fixed = [one.action for one in sitting.table.way()]
    assert other["action"] in fixed and sitting.table.lines[-1]["kind"] != "begin"


def test_enemies_are_put_right(start: Any, opened: Any) -> None:  # noqa: F811
    sitting = Sitting(start(GAME))
    sitting.play(consulting(2))
    before = GAME.facts(sitting.table.state()).get("enemy@Tushpa", 0)
    page = opened(sitting.coach, table(sitting.path, "check"))
    page.locator("[data-key='place TUSHPA'] > summary").click()
    page.locator("[data-key='place TUSHPA']").get_by_role("button", name="enemy: one more").click()
    expect(page.get_by_text(re.compile(r"enemy: \d+ left"))).to_be_visible()
    press(page, "Save what was put right")
    expect(page.locator(".todo")).to_contain_text("pool: 1 × enemy → TUSHPA")
    assert GAME.facts(sitting.table.state())["enemy@Tushpa"] == before + 1


def test_set_up_and_tax_on_one_sheet(start: Any, opened: Any) -> None:  # noqa: F811
    sitting = Sitting(start(GAME))
    page = opened(sitting.coach, table(sitting.path))
    press(page, "Several at once")
    for capital in ("KALHU", "JERUSALEM"):
        page.get_by_role("button", name=f"{capital}: all here").click()
    expect(page.get_by_role("dialog")).to_contain_text("All are placed.")
    fits(page)
    accessible(page)
    press(page, "Enter all of this")
    expect(page.locator(".question")).to_contain_text("who is your personal advisor?")
    facts = GAME.facts(sitting.table.state())
    tokens = GAME.read[None].cards["SAM-185"].setup.tokens
    for capital, area in (("Kalhu", "Assyria"), ("Jerusalem", "Canaan")):
        assert all(facts[f"{kind}@{capital}"] == tokens[area][kind] for kind in ("military", "diviner"))
    assert len(sitting.table.things()) == 1
    press(page, "Undo")
    expect(page.locator(".question")).to_contain_text(re.compile(r"\(\d to place\)"))
    sitting.play(asked(steps.TAX))
    page.reload()
    expect(page.locator(".question")).to_contain_text("Which good is taken as tax?")
    press(page, "Several at once")
    page.get_by_role("button", name="Besime textile: one more").click()
    page.get_by_role("button", name="Sammu-ramat: all here").click()
    press(page, "Enter all of this")
    expect(page.locator(".question")).to_contain_text("whom do you consult?")
    expect(page.locator(".todo")).to_contain_text("1 × textile → Besime")
    press(page, "History")
    expect(page.locator(".things > li").first).to_contain_text("→ Sammu-ramat")


def test_a_sheet_is_of_what_was_asked_when_it_was_opened(start: Any, opened: Any) -> None:  # noqa: F811
    sitting = Sitting(start(GAME))
    page = opened(sitting.coach, table(sitting.path), fails=True)
    phone, rev = sitting.coach.phone(), sitting.table.rev
    press(page, "Several at once")
    page.get_by_role("button", name="KALHU: all here").click()
    phone.post(f"{sitting.path}/do", {"rev": rev, "answers": [sitting.ahead[0]]})
    shows(page, rev + 1)
    press(page, "Enter all of this")
    expect(page.locator("#notice")).to_contain_text("has just entered")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert sitting.table.rev == rev + 1


def test_one_printed_number_after_the_other(start: Any, opened: Any) -> None:  # noqa: F811
    sitting = Sitting(start(GAME))
    s = sitting.play(asked(steps.DRAW_CARD))
    page = opened(sitting.coach, table(sitting.path))
    found = page.locator("[data-key=find]")
    found.focus()
    rev, numbers = sitting.table.rev, []
    while asked(steps.DRAW_CARD)(s) and len(numbers) < 2:
        said = GAME.words(s, int(mask_of(GAME, s).argmax()))
        numbers.append(said.partition("SAM-")[2][:3])
        expect(found).to_have_value("")
        page.keyboard.type(numbers[-1])
        shows(page, rev + len(numbers))
        s = sitting.table.state()
    assert len(numbers) == 2


def test_what_wins_is_in_sight_wherever_one_looks(start: Any, opened: Any) -> None:  # noqa: F811
    sitting = Sitting(start(GAME))
    page = opened(sitting.coach, table(sitting.path), size="small")
    expect(page.locator(".goal summary")).to_contain_text("an Ishtar gate in Egypt")
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    expect(page.locator(".goal summary")).to_be_in_viewport()
    expect(page.locator(".question")).to_be_in_viewport()


def test_a_month_with_the_box_in_few_taps(start: Any, opened: Any) -> None:  # noqa: F811
    """What people tap and type in a month of two; a number counts by its digits, a checklist goes by itself."""
    sitting = Sitting(start(GAME))
    sitting.play(consulting(2))
    page = opened(sitting.coach, table(sitting.path))
    taps = 0
    while not consulting(3)(s := sitting.table.state()):
        assert s["to_act"][0] != NOBODY
        expect(page.locator(".question")).to_contain_text(GAME.question(s)[:20])
        taps += enter(page, sitting, s)
    print(f"a month of two: {taps} taps")
    assert taps <= MOST_TAPS


def enter(page: Any, sitting: Sitting, s: Record) -> int:
    """Enters the next thing on the page: how many taps it took."""
    rev, (action, *later) = sitting.table.rev, sitting.ahead
    shown = sitting.coach.phone().get(sitting.path)["options"]
    most = next(one["times"] for one in shown if one["action"] == action)
    times = 1 + next((i for i, one in enumerate(later) if one != action), 0)
    times = min(times, most)
    if page.get_by_label("Number or text").count():
        number = GAME.words(s, action)[4:7]
        page.get_by_label("Number or text").fill(number)
        taps = len(number)
    else:
        several = page.locator(f"[data-key='o{action}x{times}']")
        (several if times > 1 and several.count() else page.locator(f"[data-key='o{action}']")).first.click()
        taps = 1
    shows(page, rev + 1)
    expect(page.locator(".question")).to_contain_text(GAME.question(sitting.table.state())[:20])
    return taps


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_only_advice_in_few_taps(start: Any, opened: Any, lang: str) -> None:  # noqa: F811
    """From the first page to advice on a turn in the third month: a choice from a list is two taps."""
    say, coach = texts()[lang], start(GAME, advisor=Patient(GAME, rounds=5))
    page = opened(coach, size="small", lang=lang)
    taps = 0

    def choose(where: Any, label: str) -> None:
        nonlocal taps
        where.select_option(label=label)
        taps += 2

    def touch(where: Any) -> None:
        nonlocal taps
        where.click()
        taps += 1

    choose(page.locator("[data-key=players]"), "2")
    touch(page.get_by_role("button", name=say["begin_laid"]))
    now = page.locator("details.place").first
    expect(now).to_have_attribute("open", "")  # what is compiled once is compiled now
    fits(page)
    accessible(page)
    choose(now.locator("select").first, GAME.form(GAME.laid(GAME.configure(players=2)), lang)[0].choices[4].label)
    for _ in range(2):
        touch(now.get_by_role("button", name=say["more"].replace("{label}", GAME.named("month", lang)), exact=True))
    besime = page.locator(f"[data-key='place {GAME.named('Besime', lang)}']")
    touch(besime.locator("summary"))
    for i, who in ((0, "Opis"), (1, "advisor 1"), (2, "advisor 1")):
        choose(besime.locator("select").nth(i), GAME.named(who, lang))
    actions = say["more"].replace("{label}", {"en": "actions left", "ja": "残りアクション"}[lang])
    for _ in range(2):
        touch(besime.get_by_role("button", name=actions, exact=True))
    touch(page.get_by_role("button", name=say["save_laid"]))
    expect(page.locator(".question")).to_contain_text(GAME.named("Besime", lang))
    expect(page.locator(".plans > li").first).to_be_visible()
    print(f"advice on a position: {taps} taps")
    assert taps <= 20


# Cards


@pytest.fixture
def owned(start: Any, tmp_path: Path) -> Any:  # noqa: F811
    """A coach whose box is the owner's own, with a table, and what the owner's file says."""
    path = tmp_path / "mine.toml"
    path.write_text("", encoding="utf-8")
    coach = start(sammu_env.load_game(path))
    coach.table = table(coach.begin(options={"players": 2}), "cards")
    coach.written = lambda: tomllib.loads(path.read_text(encoding="utf-8"))
    return coach


def look_up(page: Any, card: str, unfolded: str = "") -> None:
    """Opens a card of the screen Cards, and folds of its form that begin with some words."""
    page.locator("input[type=search]").fill(card)
    page.get_by_role("button", name=re.compile(f"^SAM-{card} ")).click()
    expect(page.get_by_role("heading", name=f"SAM-{card}")).to_be_visible()
    if unfolded:
        page.locator("details > summary", has_text=unfolded).first.click()


def box(page: Any, label: str) -> Any:
    """What is typed into or chosen from, by its whole label."""
    return page.get_by_label(label, exact=True).and_(page.locator("input, select"))


def save(page: Any, owned: Any, lang: str = "en") -> None:
    before = owned.written()
    press(page, texts()[lang]["save"])
    for _ in range(20 * LONGEST):
        if owned.written() != before:
            break
        page.wait_for_timeout(50)
    expect(page.locator("#notice")).to_contain_text(texts()[lang]["card_saved"])


def pick(page: Any, name: str) -> None:
    """Touches a chip."""
    page.get_by_role("radio", name=name, exact=True).check()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_forms_of_every_kind_of_card_fit_and_are_accessible(owned: Any, opened: Any, size: str, lang: str) -> None:  # noqa: F811
    page = opened(owned, owned.table, size=size, lang=lang)
    for card in ("002", "016", "079", "141", "185"):
        look_up(page, card)
        page.evaluate("document.querySelectorAll('#main details').forEach((one) => { one.open = true; })")
        fits(page)
        if size == "small":
            accessible(page)
        press(page, texts()[lang]["all_cards"])


def test_an_events_form(owned: Any, opened: Any) -> None:  # noqa: F811
    """Rows that change, move, come and go; what nobody touched is not written."""
    page = opened(owned, owned.table)
    look_up(page, "016", "banner")
    press(page, "Save what was put right")
    expect(page.locator("#notice")).to_have_text("Nothing was changed.")
    page.get_by_role("button", name="banner 1 · number: one less").click()
    save(page, owned)
    tokens, marker = {"effect": "tokens", "kind": "medicine", "n": -2}, {"effect": "place_marker", "marker": "plague"}
    assert owned.written() == {"event": {"SAM-016": {"banner": [tokens, marker]}}}
    press(page, "banner: add")
    box(page, "banner 3").select_option("add enemies")
    box(page, "banner 3 · where").select_option("TUSHPA")
    box(page, "banner 3 · number").fill("4")
    press(page, "banner 3: up")
    press(page, "banner 1: remove")
    box(page, "banner 2 · marker").select_option("raid")
    save(page, owned)
    enemies = {"effect": "add_enemies", "at": "Tushpa", "n": 4}
    assert owned.written()["event"]["SAM-016"]["banner"] == [enemies, {**marker, "marker": "raid"}]
    expect(page.locator("pre").first).to_contain_text("4 enemies at TUSHPA")


def test_an_ashur_cards_form(owned: Any, opened: Any) -> None:  # noqa: F811
    """Chips, numbers, goods; and a card of another kind has other fields."""
    page = opened(owned, owned.table, size="small", lang="ja")
    look_up(page, "079", "コスト")
    page.get_by_role("button", name="コスト · 金：1増やす").click()
    pick(page, "補給")
    page.get_by_role("button", name="その地域での数：1増やす").click()
    before = {one["name"]: one["value"] for one in GAME.card("SAM-079")["fields"]}
    save(page, owned, "ja")
    cost = {**before["cost"], "gold": before["cost"].get("gold", 0) + 1}
    written = {"cost": cost, "token": "supply", "favoured": before["favoured"] + 1}
    assert owned.written() == {"ashur": {"SAM-079": written}}
    pick(page, "商品カード")
    page.locator("summary", has_text="獲得").click()
    page.get_by_role("button", name="獲得 · 鉄：1増やす").click()
    save(page, owned, "ja")
    goods = {"kind": "goods", "marker": "raid", "gain": {"iron": 1}}
    assert owned.written() == {"ashur": {"SAM-079": goods}}


def test_a_characters_form(owned: Any, opened: Any) -> None:  # noqa: F811
    page = opened(owned, owned.table)
    look_up(page, "002", "personal · abilities")
    pick(page, "copper")
    page.get_by_role("button", name="personal · abilities · defence …: one more").click()
    press(page, "personal · abilities: add")
    page.locator("summary", has_text="personal · special actions").click()
    box(page, "personal · special actions 1").select_option("draw cards")
    save(page, owned)
    one = owned.written()["character"]["SAM-002"]
    assert one["start_good"] == "copper" and one["personal"]["abilities"] == {"defence": 3, "medicine": 1}
    assert one["personal"]["actions"] == [{"special": "draw", "goods": 1, "cards": 1, "n": 1, "anyone": False}]


def test_a_challenges_form(owned: Any, opened: Any) -> None:  # noqa: F811
    """Its setup side: zones and tokens within them, enemies; its months."""
    before = {one["name"]: one["value"] for one in GAME.card("SAM-185")["fields"]}
    page = opened(owned, owned.table)
    look_up(page, "185", "setup · empire tokens")
    page.get_by_role("button", name="setup · empire tokens · Medes · supply: one less").click()
    page.locator("summary", has_text="setup · enemies").click()
    press(page, "setup · enemies · GORDIUM: remove")
    page.locator("summary", has_text="monthly").click()
    box(page, "monthly effects · Month 2 1 · where").select_option("SUSA")
    save(page, owned)
    written = owned.written()["challenge"]["SAM-185"]
    medes = {**before["setup.tokens"]["Medes"], "supply": before["setup.tokens"]["Medes"]["supply"] - 1}
    assert written["setup"]["tokens"] == {**before["setup.tokens"], "Medes": medes}
    assert written["setup"]["enemies"] == {k: n for k, n in before["setup.enemies"].items() if k != "Gordium"}
    assert written["monthly"] == {**before["monthly"], "2": [{**before["monthly"]["2"][0], "at": "Susa"}]}


def test_what_is_marked_stays_marked_when_the_page_is_drawn_anew(owned: Any, opened: Any) -> None:  # noqa: F811
    page = opened(owned, owned.table)
    search = page.locator("input[type=search]")
    expect(search).to_be_visible()
    page.evaluate("""() => {
        const search = document.querySelector("input[type=search]");
        search.focus();
        search.value = "016";
        search.setSelectionRange(1, 2);
        search.id = "old";
        search.dispatchEvent(new Event("input"));
    }""")
    expect(page.locator("#old")).to_have_count(0)
    expect(search).to_be_focused()
    assert search.evaluate("(one) => [one.value, one.selectionStart, one.selectionEnd]") == ["016", 1, 2]


def test_a_wrong_value_is_named_and_stays(owned: Any, opened: Any) -> None:  # noqa: F811
    page = opened(owned, owned.table, fails=True)
    look_up(page, "016", "banner")
    box(page, "banner 1 · number").fill("many")
    page.get_by_role("button", name="banner: add").click()
    box(page, "area").select_option("Elam")
    press(page, "Save what was put right")
    expect(page.locator("[data-key=problems]")).to_contain_text("banner: found 'many'")
    expect(page.locator("[data-key=problems]")).to_be_focused()
    wrong = box(page, "banner 1 · number")
    expect(wrong).to_have_value("many")
    expect(wrong).to_have_attribute("aria-invalid", "true")
    expect(box(page, "area")).to_have_value("Elam")
    accessible(page)
    assert owned.written() == {}
    wrong.fill("-3")
    press(page, "banner 3: remove")
    save(page, owned)
    assert owned.written()["event"]["SAM-016"]["banner"][0]["n"] == -3


def test_a_form_with_the_keyboard_alone(owned: Any, opened: Any) -> None:  # noqa: F811
    page = opened(owned, owned.table, size="desk")
    look_up(page, "079")
    page.get_by_role("radio", name="military").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("input[type=radio][value=diviner]")).to_be_focused()
    expect(page.locator("input[type=radio][value=diviner]")).to_be_checked()
    for _ in range(9):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.ariaLabel") == "tokens in its area: one more":
            break
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="tokens in its area: one more")).to_be_focused()
    for _ in range(9):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Save what was put right":
            break
    page.keyboard.press("Enter")
    expect(page.locator("#notice")).to_contain_text("Kept")
    before = {one["name"]: one["value"] for one in GAME.card("SAM-079")["fields"]}
    assert owned.written() == {"ashur": {"SAM-079": {"token": "diviner", "favoured": before["favoured"] + 1}}}


def test_hands_and_who_could_play_them(start: Any, opened: Any) -> None:  # noqa: F811
    """Open hands are on every phone; hidden ones on their own alone, whatever is asked of the coach."""
    coach = start(GAME)
    for hidden in (False, True):
        path = coach.begin(options={"players": 2, "hidden_hands": hidden}, box=False)
        one = coach.coach.rooms[path.rpartition("/")[2]].table
        while not asked(steps.TURN)(s := one.state()):
            mask = np.zeros(GAME.n_actions, np.int8)
            GAME.legal(GAME.box, s, mask)
            one.do([int(mask.argmax())])
        held = [{words.name("ashur", int(i), "en") for i in np.flatnonzero(s["ashur"][0] == HAND + seat)}
                for seat in (0, 1)]  # fmt: skip
        assert all(held)
        if hidden:
            for seat in (0, 1):
                told = "".join(
                    json.dumps(coach.phone().get(f"{path}{what}{'&' if '?' in what else '?'}seat={seat}"))
                    for what in ("", "/history", "/check", "/hands", "/sheet", f"?at={one.head()}")
                )
                assert not [card for card in held[1 - seat] if card in told]
        page = opened(coach, table(path, "cards"), lang="ja" if hidden else "en")
        hands = page.get_by_role("region", name="手札" if hidden else "Hands")
        expect(hands.locator("details")).to_have_count(2)
        folded = hands.locator("details:not([open]) > summary")
        for _ in range(folded.count()):
            folded.first.click()
        if hidden:
            expect(hands).to_contain_text("本人の端末だけ")
            expect(hands.locator(".held")).to_have_count(0)
        else:
            expect(hands.locator(".held")).to_have_count(len(held[0]) + len(held[1]))
            for card in GAME.hands(s)[0]["cards"] or ():
                by = f"Could be played now by: {', '.join(card['by'])}" if card["by"] else "Nobody could play it now."
                expect(hands.locator(".held", has_text=card["id"])).to_contain_text(by)
            hands.get_by_role("button", name=re.compile("Look it up")).first.click()
            expect(page.get_by_role("heading", name=re.compile("SAM-"))).to_be_visible()
            press(page, "All cards")
        fits(page)
        accessible(page)
