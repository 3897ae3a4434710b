"""Pergamemnon and Xerxes in a browser: two phones with hidden hands and the box; where chromium is installed."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("segno")
pytest.importorskip("playwright", reason="pages are tried with playwright, which is not installed")

from pergamemnon_env import constants as p
from pergamemnon_env import steps as p_steps
from tabletop import agents, games
from tabletop.agents.random import Random
from tabletop.agents.search import Search
from tabletop.coach.words import texts
from tabletop.game import CHANCE, Record
from tests.tabletop.coach.conftest import start  # noqa: F401
from tests.tabletop.coach.test_pages import accessible, browser, expect, fits, opened, press, readable, shows, table  # noqa: F401
from xerxes_env import constants as x

pytestmark = pytest.mark.slow

GAMES: dict[str, Any] = {name: games.load(name) for name in ("pergamemnon", "xerxes")}
SCREENS = ("table", "cards", "history", "check")


class Sitting:
    """A table of two with the box, at which the scripted player plays, and chance is drawn, behind the pages' back."""

    def __init__(self, coach: Any, name: str) -> None:
        self.coach, self.game = coach, GAMES[name]
        self.path = coach.begin(options={"players": 2}, title=name)
        self.scripted = agents.make("scripted", self.game)

    @property
    def table(self) -> Any:
        return self.coach.coach.rooms[self.path.rpartition("/")[2]].table

    @property
    def state(self) -> Record:
        return self.table.state()

    @property
    def asked(self) -> int:
        """The prompt."""
        s = self.state
        return int(s["op"][0, s["sp"][0] - 1])

    def next(self) -> int:
        """What is answered now."""
        s, mask = self.state, np.zeros((1, self.game.n_actions), np.int8)
        if s["to_act"][0] == CHANCE:
            return int(self.game.sample(self.game.box, s))
        self.game.legal(self.game.box, s, mask[0])
        return int(self.scripted.act(s, mask)[0])

    def play(self, clock: int) -> None:
        """Up to a player's first choice in a turn, or a round."""
        while self.state[self.game.clock][0] < clock or self.state["to_act"][0] < 0:
            self.table.do([self.next()])

    def until(self, op: int) -> None:
        """Up to a prompt."""
        while self.asked != op:
            self.table.do([self.next()])

    def hands(self) -> list[set[str]]:
        """Of each player the cards in hand, in words."""
        found = []
        for seat in range(2):
            facts = self.game.facts(self.state, seat)
            cards = [name.partition("@")[0] for name in facts if name.endswith(f"@hand {seat}")]
            found.append({self.game.named(card) for card in cards})
        return found

    def phones(self, opened: Any) -> list[Any]:  # noqa: F811
        """The phone of each player."""
        pages = [opened(self.coach, table(self.path)) for _ in range(2)]
        for seat, page in enumerate(pages):
            page.get_by_label("Whose phone is this?").select_option(
                str(self.game.named(f"{self.game.seat_name} {seat}"))
            )
        return pages


def text_of(page: Any) -> str:
    """All that a page holds, folded or not, and its picture."""
    return str(page.evaluate("document.body.textContent"))


@pytest.mark.parametrize("size", ["small", "desk"])
@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("name", GAMES)
def test_every_screen_fits_and_is_accessible(start: Any, opened: Any, name: str, lang: str, size: str) -> None:  # noqa: F811
    sitting = Sitting(start(GAMES[name]), name)
    sitting.play(2)
    page = opened(sitting.coach, table(sitting.path), size=size, lang=lang)
    for screen in SCREENS:
        press(page, texts()[lang][screen])
        page.wait_for_timeout(300)
        fits(page)
        if size == "small":
            accessible(page)
    press(page, texts()[lang]["table"])
    page.wait_for_timeout(300)
    readable(page)


@pytest.mark.parametrize("name", GAMES)
def test_a_phone_shows_its_own_hand_alone(start: Any, opened: Any, name: str) -> None:  # noqa: F811
    sitting = Sitting(start(GAMES[name]), name)
    sitting.play(1)
    hands = sitting.hands()
    own = [hands[0] - hands[1], hands[1] - hands[0]]
    assert all(own)
    pages = sitting.phones(opened)
    for screen in ("check", "history", "table"):
        for seat, page in enumerate(pages):
            press(page, texts()["en"][screen])
            page.wait_for_timeout(300)
            told = text_of(page)
            said = [re.sub(r" \(.*", "", card) if name == "pergamemnon" else card for card in own[1 - seat]]
            if screen == "check":
                assert all(card in told for card in own[seat])
            if name == "xerxes" or screen != "table":  # what hand and draw pile hold together lies open in Pergamemnon
                assert not [card for card in said if card in told]


def test_cards_of_a_battle_are_secret_until_both_lie(start: Any, opened: Any) -> None:  # noqa: F811
    sitting = Sitting(start(GAMES["pergamemnon"]), "pergamemnon")
    sitting.play(1)
    sitting.until(p_steps.LAY)
    s = sitting.state
    attacker, defender = int(s["attacker"][0]), int(s["defender"][0])
    assert s["laid"][0, p.ATTACKER] == 0
    action = sitting.next()
    card = sitting.game.words(s, action).partition(" (")[0]
    pages = sitting.phones(opened)
    expect(pages[defender].get_by_text(re.compile("is asked on the phone of"))).to_be_visible()
    expect(pages[defender].locator(".options")).to_have_count(0)
    pages[attacker].locator(f"[data-key='o{action}']").click()
    expect(pages[defender].locator(".options button").first).to_be_visible()
    press(pages[defender], "History")
    expect(pages[defender].locator(".things > li").first).not_to_contain_text(card)
    sitting.table.do([sitting.next()])
    press(pages[defender], "Table")
    pages[defender].reload()
    expect(pages[defender].locator(".todo")).to_contain_text(card)


def test_a_creature_is_hired_by_touch(start: Any, opened: Any) -> None:  # noqa: F811
    sitting = Sitting(start(GAMES["pergamemnon"]), "pergamemnon")
    sitting.play(1)
    while sitting.asked != p_steps.HIRE:  # the scripted player seldom hires
        sitting.table.do([p.HIRE if sitting.asked == p_steps.VERB else sitting.next()])
    page = opened(sitting.coach, table(sitting.path), size="desk")
    option = sitting.coach.phone().get(sitting.path)["options"][0]
    box = page.locator(f".scene rect[data-id='{option['place']}']").bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".todo")).to_contain_text(f"the middle: 1 × {option['words'].partition(' (')[0]}")


@pytest.mark.parametrize("name", GAMES)
def test_a_round_with_the_box_is_undone_and_advised(start: Any, opened: Any, name: str) -> None:  # noqa: F811
    """From the set-up on: everything that is asked is tapped on one page."""
    coach = start(GAMES[name], advisor=lambda game: Search(game, Random(game)))
    sitting = Sitting(coach, name)
    page = opened(coach, table(sitting.path))
    taps = 0
    while sitting.state[sitting.game.clock][0] < 2 or sitting.state["to_act"][0] < 0:
        rev, action = sitting.table.rev, sitting.next()
        question = sitting.game.question(sitting.state)
        expect(page.locator(".question")).to_contain_text(question[:30])
        answer(page, sitting, action)
        shows(page, rev + 1)
        taps += 1
    print(f"{name}: {taps} answers")
    question = sitting.game.question(sitting.state)
    expect(page.locator(".question")).to_contain_text(question[:30])
    press(page, "What should we do?")
    expect(page.get_by_role("button", name="Do plan A")).to_be_visible()
    rev = sitting.table.rev
    press(page, "Undo")
    shows(page, rev + 1)
    press(page, "Redo")
    expect(page.locator(".question")).to_contain_text(question[:30])
    press(page, "History")
    expect(page.locator(".things > li").first).to_be_visible()


def answer(page: Any, sitting: Sitting, action: int) -> None:
    """Taps what is answered; where many things may be drawn, it is looked for by its name."""
    field = page.get_by_label("Number or text")
    if field.count():
        field.fill(sitting.game.words(sitting.state, action))
    button = page.locator(f"[data-key='o{action}']")
    (button if button.count() else page.locator(".options button").first).first.click()


def test_seats_of_xerxes_are_told_apart(start: Any, opened: Any) -> None:  # noqa: F811
    sitting = Sitting(start(GAMES["xerxes"]), "xerxes")
    sitting.play(1)
    page = opened(sitting.coach, table(sitting.path), size="desk")
    expect(page.locator(".goal")).to_contain_text("VP")
    seen = {one.get_attribute("data-id") for one in page.locator(".scene rect[data-id]").all()}
    assert {*x.AREAS, *x.BUILDINGS, "satrap 0", "satrap 1"} <= seen


#: A card, in what zone of the screen Check it is, and where it is said to lie.
TOLD = {
    "pergamemnon": ("creatures", "Titan", "hand of Rome"),
    "xerxes": ("tax cards", "tax card 7 (2 grain, 2 wool: 3 VP)", "hand of satrap 1"),
}


@pytest.mark.parametrize("name", GAMES)
def test_who_only_wants_advice_puts_right_where_a_card_lies(start: Any, opened: Any, name: str) -> None:  # noqa: F811
    game = GAMES[name]
    coach = start(game, advisor=lambda game: Search(game, Random(game)))
    page = opened(coach)
    press(page, "Only advice: tell how the table lies")
    zone, card, place = TOLD[name]
    page.locator("summary", has_text=re.compile(rf"^{zone}")).click()
    page.locator("label", has_text=card).locator("select").select_option(label=place)
    fits(page)
    accessible(page)
    press(page, texts()["en"]["save_laid"])
    expect(page.get_by_role("button", name="Do plan A")).to_be_visible()
    press(page, texts()["en"]["check"])
    page.locator("summary", has_text=re.compile(rf"^{zone}")).click()
    expect(page.locator("label", has_text=card).locator("option:checked")).to_have_text(place)
