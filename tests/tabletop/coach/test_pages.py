"""The pages in a real browser, where one is installed: Debian's chromium, driven by Playwright."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("segno")
pytest.importorskip("playwright", reason="pages are tried with playwright, which is not installed")

from playwright import sync_api

from tabletop.agents.random import Random
from tabletop.agents.search import Search
from tabletop.coach import server
from tabletop.coach.words import STATIC, texts
from tests.tabletop.bidding import Bidding
from tests.tabletop.coach.games import CoachedBidding, CoachedToy
from tests.tabletop.coach.serving import LONGEST, Patient, Running, Told
from tests.tabletop.toy import DIE, KEEP, PASS, Toy

pytestmark = pytest.mark.slow
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
expect = sync_api.expect
WAIT = 1000 * LONGEST  #: milliseconds
expect.set_options(timeout=WAIT)
SIZES = {"small": (360, 640), "phone": (390, 844), "desk": (1280, 800)}
TOY = CoachedToy()
WORKER = (STATIC / "worker.js").read_bytes()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("pages are tried with chromium, which is not installed")
    with sync_api.sync_playwright() as playwright:
        quiet = ["--no-sandbox", "--disable-background-networking", "--disable-component-update"]
        one = playwright.chromium.launch(executable_path=CHROMIUM, args=quiet)
        yield one
        one.close()


@pytest.fixture
def opened(browser: Any) -> Iterator[Callable[..., Any]]:
    """Opens pages, and in the end says what went wrong in any of them."""
    contexts, problems = [], list[str]()

    def one(coach: Running, path: str = "", size: str = "phone", lang: str = "en", fails: bool = False) -> Any:
        width, height = SIZES[size]
        context = browser.new_context(
            viewport={"width": width, "height": height}, locale=lang, has_touch=size != "desk"
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(WAIT)
        page.on("pageerror", lambda error: problems.append(str(error)))
        if not fails:
            page.on("console", lambda told: problems.append(told.text) if told.type == "error" else None)
        page.goto(f"http://127.0.0.1:{coach.port}/{path}")
        return page

    yield one
    for context in contexts:
        context.close()
    assert problems == []


def table(game: str, screen: str = "table") -> str:
    return f"#/{game.rpartition('/')[2]}/{screen}"


def press(page: Any, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).first.click()


def shows(page: Any, rev: int) -> None:
    """Waits until the page has a line of the table's log, or a later one."""
    page.wait_for_function("rev => document.getElementById('main').dataset.rev >= rev", arg=rev)


def unfold(page: Any) -> None:
    """Opens all of the history."""
    expect(page.locator(".things > li").first).to_be_visible()
    folded = page.locator("details:not([open]) > summary")
    for _ in range(folded.count()):
        folded.first.click()


def fits(page: Any) -> None:
    """Nothing is wider than the screen, and whatever is touched is large enough."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    small = page.evaluate(
        "[...document.querySelectorAll('button, select, summary, label.check, input:not([type=checkbox])')]"
        ".filter(one => one.offsetParent && one.getBoundingClientRect().height < 44).map(one => one.outerHTML)"
    )
    assert small == []


def readable(page: Any) -> None:
    """No text of the picture that is shown is smaller than 12 CSS pixels."""
    small = page.evaluate(
        "[...document.querySelectorAll('.scene text')].filter(one => one.getAttribute('visibility') !== 'hidden')"
        ".map(one => parseFloat(getComputedStyle(one).fontSize) * one.getScreenCTM().a).filter(size => size < 11.9)"
    )
    assert small == []


def accessible(page: Any) -> None:
    """axe finds nothing against WCAG 2.2 AA, where it is installed."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
    told = axe.Axe().run(page, options={"runOnly": {"type": "tag", "values": tags}})
    assert told.violations_count == 0, told.generate_report()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("lang", ["en", "ja"])
def test_a_game_with_the_box(start: Any, opened: Any, size: str, lang: str, tmp_path: Path) -> None:
    say = texts()[lang]
    page = opened(start(advisor=lambda game: Search(game, Random(game))), size=size, lang=lang)
    fits(page)
    page.get_by_label(say["title"], exact=True).fill("<b>Evening</b>")
    press(page, say["begin"])
    expect(page.get_by_role("heading", level=1)).to_have_text("<b>Evening</b>")
    expect(page.locator(".question")).to_contain_text("what did the die show?")
    expect(page.locator("html")).to_have_attribute("lang", lang)
    fits(page)
    press(page, say["all_done"])
    page.evaluate("""() => {
        const live = document.querySelector("#live");
        window.heard = [];
        new MutationObserver(() => window.heard.push(live.textContent)).observe(live, { childList: true });
    }""")
    press(page, "6")
    expect(page.locator(".question")).to_contain_text("keep the 6?")
    expect(page.locator(".todo")).to_contain_text("× pip" if lang == "en" else "サイコロ：目×6を置く")
    assert any("keep the 6?" in told for told in page.evaluate("window.heard"))
    page.locator("[data-key=seconds]").select_option(label=say["until_sure"])
    press(page, say["ask_advice"])
    keeps = "die: 6 × pip → pot" if lang == "en" else "サイコロ：目×6 → 壺"
    expect(page.locator(".plans > li").first).to_contain_text(keeps)
    expect(page.locator(".plans li").first).to_contain_text(re.compile(r"\d+% ?[(（]\d+%"))
    fits(page)
    press(page, say["do_plan"].replace("{letter}", "A"))
    expect(page.locator(".question")).to_contain_text("what did the die show?")
    press(page, say["undo"])
    expect(page.locator(".question")).to_contain_text("keep the 6?")
    press(page, say["undo"])
    expect(page.get_by_text(say["before_back"])).to_be_visible()
    press(page, say["redo"])
    press(page, say["redo"])
    expect(page.locator(".question")).to_contain_text("what did the die show?")
    for screen in ("history", "check", "table"):
        press(page, say[screen])
        expect(page.get_by_role("button", name=say[screen], exact=True).last).to_have_attribute("aria-current", "page")
        page.wait_for_timeout(100)
        fits(page)
    press(page, "6")
    press(page, "keep")
    expect(page.locator(".question")).to_contain_text("the game is over")


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_screen_is_accessible(start: Any, opened: Any, lang: str, scheme: str) -> None:
    coach = start(advisor=Patient(TOY, rounds=5))
    game = coach.begin()
    coach.phone().post(f"{game}/do", {"rev": 0, "answers": [DIE + 4, KEEP]})
    coach.phone().post(f"{game}/do", {"rev": 2, "answers": [DIE]})
    page = opened(coach, lang=lang)
    page.emulate_media(color_scheme=scheme)
    accessible(page)
    for screen in ("table", "history", "check"):
        page.goto(f"http://127.0.0.1:{coach.port}/{table(game, screen)}")
        page.wait_for_timeout(300)
        accessible(page)
    page.goto(f"http://127.0.0.1:{coach.port}/{table(game, 'history')}")
    page.get_by_role("button", name=texts()[lang]["open"]).first.click()
    accessible(page)


def test_the_map_is_touched(start: Any, opened: Any) -> None:
    coach = start()
    page = opened(coach, table(coach.begin()))
    face = page.locator(".scene rect[data-id=face6]")
    expect(face).to_be_visible()
    box = face.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] + 10)  # beside it, but near enough
    expect(page.locator(".question")).to_contain_text("keep the 6?")
    page.wait_for_function("() => document.querySelector('.scene text').getBoundingClientRect().height >= 12")
    page.get_by_role("button", name="Larger").click()
    assert page.locator(".scene").get_attribute("viewBox").split()[2] != "200"


def test_a_correction_five_steps_back(start: Any, opened: Any) -> None:
    coach = start()
    game, rev = coach.begin(), 0
    for answer in (DIE, KEEP, DIE + 1, KEEP, DIE, KEEP):
        assert coach.phone().post(f"{game}/do", {"rev": rev, "answers": [answer]})[0] == 200
        rev = coach.phone().get(game)["rev"]
    page = opened(coach, table(game, "history"))
    unfold(page)
    page.locator(".things > li").nth(4).get_by_role("button").click()
    press(page, "Correct: keep")
    page.get_by_role("dialog").get_by_role("button", name="pass").click()
    expect(page.locator(".question")).to_contain_text("what did the die show?")
    expect(page.locator(".todo")).to_contain_text("pot: take 1 × pip")
    assert coach.phone().get(game)["facts"]["pip@pot"] == 3
    press(page, "History")
    unfold(page)
    page.locator(".things > li").last.get_by_role("button").click()
    press(page, "Look at the table then")
    expect(page.get_by_role("dialog")).to_contain_text("keep the 1?")


def test_what_choices_lost_is_shown_by_round_and_after_a_restart(start: Any, opened: Any) -> None:
    coach = start()
    game = coach.begin()
    kept = next(iter(coach.coach.rooms.values())).table
    for answer, lost in ((PASS, (0.12, 0.05, 0.19)), (PASS, (0.02, -0.01, 0.05)), (KEEP, None)):
        kept.do([DIE])
        kept.do([answer], lost=lost)
    coach.close()
    page = opened(start(), table(game, "history"))
    unfold(page)
    expect(page.locator(".things .marked")).to_have_text("12 points lost (5 to 19)")
    expect(page.locator(".things p.small")).to_have_count(2)
    first = page.locator("summary", has_text="round 0")
    expect(first).to_contain_text("14 points lost (6 to 22) in 2 choices")
    expect(first.locator(".marked")).to_have_count(1)
    accessible(page)
    fits(page)


def test_what_if_and_back(start: Any, opened: Any) -> None:
    coach = start()
    game = coach.begin()
    coach.phone().post(f"{game}/do", {"rev": 0, "answers": [DIE + 4]})
    page = opened(coach, table(game, "history"))
    page.get_by_role("button", name="Open: 5").click()
    press(page, "What if … from here")
    expect(page.locator(".whatif")).to_contain_text("Only a what if: 5")
    press(page, "keep")
    expect(page.locator(".question")).to_contain_text("what did the die show?")
    assert coach.phone().get(game)["question"] == "keep the 5?"
    press(page, "Back to the game")
    expect(page.locator(".question")).to_contain_text("keep the 5?")
    press(page, "History")
    page.get_by_role("region", name="What ifs").get_by_role("button").click()
    press(page, "Play on like this")
    expect(page.locator(".whatif")).to_have_count(0)
    assert coach.phone().get(game)["facts"]["pip@pot"] == 5
    press(page, "Undo")
    expect(page.locator(".question")).to_contain_text("keep the 5?")
    press(page, "pass")
    press(page, "History")
    page.get_by_role("button", name="Open: pass").click()
    press(page, "Another way from here: keep")
    expect(page.locator(".question")).to_contain_text("what did the die show?")
    assert coach.phone().get(game)["facts"]["pip@pot"] == 5
    coach.phone().post(f"{game}/do", {"rev": coach.phone().get(game)["rev"], "answers": [DIE]})
    expect(page.locator(".question")).to_contain_text("keep the 1?")


def test_the_board_is_put_right(start: Any, opened: Any) -> None:
    coach = start()
    game = coach.begin()
    page = opened(coach, table(game, "check"))
    for _ in range(3):
        page.get_by_role("button", name="pot: one more").click()
    press(page, "Save what was put right")
    expect(page.locator(".todo")).to_contain_text("pot: put 3 × pip")
    assert coach.phone().get(game)["facts"]["pip@pot"] == 3


def test_two_phones_at_once(start: Any, opened: Any) -> None:
    coach = start()
    game = coach.begin()
    ann, mika = (opened(coach, table(game), fails=True) for _ in range(2))
    for page in (ann, mika):
        expect(page.get_by_role("button", name="Let the coach draw")).to_be_visible()
    held: list[Any] = []
    mika.route("**/do?*", lambda route: held.append(route))
    press(mika, "2")
    press(ann, "5")
    expect(ann.locator(".question")).to_contain_text("keep the 5?")
    held[0].continue_()
    expect(mika.locator("#notice")).to_contain_text("Somebody has just entered: 5")
    expect(mika.locator(".question")).to_contain_text("keep the 5?")
    mika.unroute("**/do?*")
    press(mika, "keep")
    expect(ann.locator(".question")).to_contain_text("what did the die show?")
    assert [node.action for node in next(iter(coach.coach.rooms.values())).table.way()[1:]] == [DIE + 4, KEEP]


def test_the_server_goes_and_comes_back_under_an_open_page(start: Any, opened: Any) -> None:
    coach = start()
    game = coach.begin()
    page = opened(coach, table(game), fails=True)
    press(page, "3")
    expect(page.locator(".question")).to_contain_text("keep the 3?")
    coach.close()
    expect(page.locator("#notice")).to_contain_text("The coach does not answer")
    assert page.evaluate("document.getElementById('main').inert")
    again = start(port=coach.port)
    expect(page.locator("body")).not_to_have_class("away")
    press(page, "keep")
    expect(page.locator(".question")).to_contain_text("what did the die show?")
    assert again.phone().get(game)["facts"]["pip@pot"] == 3


def test_a_change_refused_as_the_server_goes_does_not_hide_that_it_went(start: Any, opened: Any) -> None:
    coach = start()
    page = opened(coach, table(coach.begin()), fails=True)
    held = list[Any]()
    page.route("**/do?*", lambda route: held.append(route))
    with page.expect_request("**/do?*"):
        press(page, "3")
    coach.close()
    expect(page.locator("body")).to_have_class("away")
    page.evaluate("""() => {
        const notice = document.querySelector("#notice");
        window.told = [];
        new MutationObserver(() => window.told.push(notice.textContent)).observe(notice, { childList: true });
    }""")
    held[0].fulfill(status=503, json={"error": "the table was closed meanwhile"})
    page.wait_for_function("() => window.told.includes('the table was closed meanwhile')")
    expect(page.locator("#notice")).to_contain_text("The coach does not answer")


def test_an_answer_that_comes_late_is_not_shown_as_another_game(start: Any, opened: Any) -> None:
    coach = start()
    one, other = coach.begin(), coach.begin()
    page = opened(coach, table(one))
    press(page, "3")
    expect(page.locator(".question")).to_contain_text("keep the 3?")
    held = list[Any]()
    page.route("**/do?*", lambda route: held.append((route, route.fetch())))
    press(page, "keep")
    while not held:
        page.wait_for_timeout(20)
    page.evaluate(f"location.hash = '{table(other)}'")
    expect(page.locator("#main")).to_have_attribute("data-rev", "0")
    route, answer = held[0]
    with page.expect_response("**/do?*"):
        route.fulfill(response=answer)
    page.unroute("**/do?*")
    press(page, "5")
    expect(page.locator(".question")).to_contain_text("keep the 5?")
    assert [coach.phone().get(game)["rev"] for game in (one, other)] == [2, 1]


def test_a_page_whose_first_question_is_lost_asks_again(start: Any, opened: Any) -> None:
    coach = start(advisor=Patient(TOY, 3))
    page = opened(coach, table(coach.begin()), fails=True)
    press(page, "3")
    page.route("**/api/games?*", lambda route: route.abort(), times=1)
    page.reload()
    expect(page.locator(".question")).to_contain_text("keep the 3?")
    expect(page.get_by_role("button", name="What should we do?")).to_be_visible()


def test_a_page_learns_what_the_coach_offers_that_comes_later(start: Any, opened: Any) -> None:
    coach = start()
    page = opened(coach, table(coach.begin()), fails=True)
    press(page, "3")
    expect(page.locator(".question")).to_contain_text("keep the 3?")
    expect(page.get_by_role("button", name="What should we do?")).to_have_count(0)
    coach.close()
    expect(page.locator("#notice")).to_contain_text("The coach does not answer")
    page.route("**/api/games?*", lambda route: route.abort(), times=1)  # asked once, and lost: it asks again
    coach = start(port=coach.port, advisor=Patient(TOY, 3))
    expect(page.get_by_role("button", name="What should we do?")).to_be_visible()
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    coach.close()
    page.reload()  # the service worker has it
    expect(page.locator("#notice")).to_contain_text("The coach does not answer")
    start(port=coach.port, advisor=Patient(TOY, 3))
    expect(page.get_by_role("button", name="What should we do?")).to_be_visible()


def test_a_page_that_is_refused_says_why(start: Any, opened: Any, tmp_path: Path, monkeypatch: Any) -> None:
    coach = start()
    game = coach.begin()
    (tmp_path / "games/damaged.jsonl").write_text('{"n": 0}\n')
    page = opened(coach, table("damaged"), fails=True)
    expect(page.locator("#notice")).to_contain_text("line 1 is damaged")
    page = opened(start(port=0), table(game), fails=True)  # a second coach in the same folder
    expect(page.locator("#notice")).to_contain_text("is open elsewhere")
    monkeypatch.setattr(server, "MOST_STREAMS", 0)
    page = opened(coach, table(game), fails=True)
    expect(page.locator("#notice")).to_contain_text("0 pages listen already: close one")
    monkeypatch.undo()
    expect(page.get_by_role("button", name="Let the coach draw")).to_be_visible()
    expect(page.locator("#notice")).to_be_hidden()


def test_a_page_whose_coach_began_anew_asks_for_the_code(start: Any, opened: Any) -> None:
    coach = start(token="secret-of-the-table")
    page = opened(coach, "#token=secret-of-the-table", fails=True)
    press(page, "Begin")
    expect(page.get_by_role("button", name="Let the coach draw")).to_be_visible()
    coach.close()
    start(token="another-secret", port=coach.port)
    expect(page.locator("#notice")).to_contain_text("Scan the code")


def test_a_second_tap_begins_no_second_game(start: Any, opened: Any) -> None:
    coach = start()
    page = opened(coach)
    page.get_by_role("button", name="Begin", exact=True).dblclick()
    expect(page.get_by_role("button", name="Let the coach draw")).to_be_visible()
    assert len(coach.phone().get("/api/games")["games"]) == 1


class TwoOnOnePlace(CoachedToy):
    """Both choices are touched at the pot."""

    def place(self, s: Any, action: int) -> str | None:
        return "pot" if action == PASS else super().place(s, action)


def test_a_dialog_answers_only_what_was_asked(start: Any, opened: Any) -> None:
    coach = start(TwoOnOnePlace())
    game = coach.begin()
    coach.phone().post(f"{game}/do", {"rev": 0, "answers": [DIE]})
    page = opened(coach, table(game), fails=True)
    page.locator(".scene text[data-id=pot]").click(force=True)
    expect(page.get_by_role("dialog")).to_contain_text("pass")
    coach.phone().post(f"{game}/do", {"rev": 1, "answers": [KEEP, DIE + 1]})
    shows(page, 3)
    page.get_by_role("dialog").get_by_role("button", name="keep").click()
    expect(page.locator("#notice")).to_contain_text("Somebody has just entered")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert coach.phone().get(game)["rev"] == 3


def test_a_key_that_is_held_answers_once(start: Any, opened: Any) -> None:
    coach = start()
    game = coach.begin()
    page = opened(coach, table(game), size="desk")
    expect(page.get_by_role("button", name="Let the coach draw")).to_be_visible()
    for rev in (1, 1, 1):  # without the key coming up
        page.keyboard.down("1")
        shows(page, rev)
    page.keyboard.up("1")
    page.keyboard.press("1")
    shows(page, 2)
    assert coach.phone().get(game)["rev"] == 2


def test_what_is_put_right_stays_until_it_is_saved(start: Any, opened: Any) -> None:
    coach = start()
    game = coach.begin()
    page = opened(coach, table(game, "check"))
    for name in ("pot", "round"):
        page.get_by_role("button", name=f"{name}: one more").click()
    coach.phone().post(f"{game}/branch", {"rev": 0})
    shows(page, 1)
    expect(page.locator("output.changed")).to_have_text(["1", "1"])
    board = [{"path": ["pot"], "value": 5}]
    coach.phone().post(f"{game}/fix", {"rev": 1, "position": board})
    expect(page.locator("#notice")).to_contain_text("Somebody has just changed the game")
    expect(page.locator("output.changed")).to_have_text(["1"])
    press(page, "Save what was put right")
    expect(page.locator(".todo")).to_contain_text("round")
    facts = coach.phone().get(game)["facts"]
    assert facts["pip@pot"] == 5 and facts["round"] == 2


def test_with_the_keyboard_alone(start: Any, opened: Any) -> None:
    coach = start()
    game = coach.begin()
    page = opened(coach, table(game), size="desk")
    expect(page.get_by_role("button", name="Let the coach draw")).to_be_visible()
    page.keyboard.press("4")
    expect(page.locator(".question")).to_contain_text("keep the 4?")
    page.keyboard.press("u")
    expect(page.locator(".question")).to_contain_text("what did the die show?")
    page.keyboard.press("r")
    expect(page.locator(".question")).to_contain_text("keep the 4?")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".question")).to_contain_text("what did the die show?")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("1 to 9: choose")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "History":
            break
    page.keyboard.press("Enter")
    expect(page.locator(".things > li")).to_have_count(2)
    page.keyboard.press("Escape")
    expect(page.locator(".question")).to_be_visible()


def test_a_hand_is_seen_on_its_own_phone(start: Any, opened: Any) -> None:
    coach = start(CoachedBidding())
    game = coach.begin(box=False)
    mine, other = (opened(coach, table(game)) for _ in range(2))
    for page, seat in ((mine, "rival 0"), (other, "rival 1")):
        page.get_by_label("Whose phone is this?").select_option(seat)
    expect(other.get_by_text("This is asked on the phone of rival 0.")).to_be_visible()
    expect(other.locator(".options")).to_have_count(0)
    mine.locator(".options button").first.click()
    expect(mine.get_by_text("This is asked on the phone of rival 1.")).to_be_visible()
    expect(other.locator(".options button").first).to_be_visible()
    expect(other.locator("pre")).to_contain_text("rival 0: 2 coins, 3 cards, laid a card")


@pytest.mark.parametrize("game", [Toy(), Bidding()], ids=lambda game: game.name)
def test_games_without_parts_have_pages(start: Any, opened: Any, game: Any) -> None:
    coach = start(game)
    page = opened(coach, table(coach.begin(box=False)))
    page.locator(".options button").first.click()
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    for screen in ("Check", "History", "Table"):
        press(page, screen)
        page.wait_for_timeout(100)
        fits(page)


def test_a_phone_enters_by_its_address(start: Any, opened: Any) -> None:
    coach = start(token="secret-of-the-table")
    page = opened(coach, fails=True)
    expect(page.locator("main")).to_contain_text("Scan the code")
    page = opened(coach, "#token=secret-of-the-table")
    expect(page.get_by_role("button", name="Begin")).to_be_visible()
    assert "secret" not in page.url and page.evaluate("document.cookie") == ""


def test_pages_are_small_and_plain() -> None:
    files = [path for path in STATIC.iterdir() if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 200_000
    for path in files:
        text = path.read_text(encoding="utf-8")
        assert "innerHTML" not in text and "insertAdjacentHTML" not in text and "eval(" not in text
        assert not [url for url in re.findall(r"https?://[^\"' ]+", text) if "www.w3.org" not in url]


def test_every_text_of_the_pages_is_there() -> None:
    used = {key for path in STATIC.glob("*.js") for key in re.findall(r"\bsay\(\"(\w+)\"", path.read_text())}
    assert used <= texts()["en"].keys()


def test_a_card_is_looked_up_and_put_right(start: Any, opened: Any, tmp_path: Path) -> None:
    import sammu_env

    (tmp_path / "mine.toml").write_text("", encoding="utf-8")
    coach = start(sammu_env.load_game(tmp_path / "mine.toml"))
    game = coach.begin(options={"players": 2})
    page = opened(coach)
    page.goto(f"http://127.0.0.1:{coach.port}/{table(game, 'cards')}")
    page.get_by_label("Number or text").fill("079")
    card = page.get_by_role("button", name="SAM-079")
    expect(page.locator(".options li")).to_have_count(1)
    expect(card).to_contain_text("a guess")
    card.click()
    fits(page)
    accessible(page)
    page.locator("summary", has_text="cost").click()
    page.get_by_label("cost · gold", exact=True).and_(page.locator("input")).fill("2")
    press(page, "Save what was put right")
    expect(page.locator("#notice")).to_contain_text("Kept")
    assert "gold = 2" in (tmp_path / "mine.toml").read_text(encoding="utf-8")
    press(page, "It is printed like this")
    expect(page.get_by_text("some of it is a guess")).to_have_count(0)
    press(page, "All cards")
    with page.expect_download() as kept:
        page.get_by_role("link", name="Download it").click()
    assert kept.value.path().read_bytes() == (tmp_path / "mine.toml").read_bytes()
    fits(page)
    page.get_by_label("Play with another file").set_input_files(
        {"name": "friend.toml", "mimeType": "text/plain", "buffer": b"[ashur.SAM-079.cost]\ngold = 3\n"}
    )
    expect(page.locator("#notice")).to_contain_text("goes on with this file")
    assert (tmp_path / "mine.toml").read_text(encoding="utf-8") == "[ashur.SAM-079.cost]\ngold = 3\n"


def test_a_long_plan_is_folded(start: Any, opened: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    short = Told.to_dict

    def long(told: Told, lang: str = "en") -> dict[str, Any]:
        found = short(told, lang)
        return {**found, "plans": [{**plan, "words": [f"deed {n}" for n in range(1, 13)]} for plan in found["plans"]]}

    monkeypatch.setattr(Told, "to_dict", long)
    coach = start(advisor=Patient(TOY, rounds=5))
    game = coach.begin()
    coach.phone().post(f"{game}/do", {"rev": 0, "answers": [DIE + 4]})
    page = opened(coach, table(game), size="small")
    press(page, "What should we do?")
    expect(page.get_by_text("deed 8", exact=True)).to_be_visible()
    expect(page.get_by_text("deed 9", exact=True)).to_be_hidden()
    page.get_by_text("4 more steps").click()
    expect(page.get_by_text("deed 12", exact=True)).to_be_visible()
    fits(page)
    accessible(page)


def test_only_advice_on_a_table_as_it_lies(start: Any, opened: Any) -> None:
    page = opened(start(advisor=Patient(TOY, rounds=5)), size="small")
    press(page, "Only advice: tell how the table lies")
    die = page.get_by_role("combobox", name="die")
    expect(die).to_have_value("1")
    die.select_option("5")
    page.get_by_role("button", name="pot: one more").click()
    fits(page)
    accessible(page)
    press(page, "It lies like this: what should we do?")
    expect(page.locator(".question")).to_contain_text("keep the 5?")
    expect(page.locator(".plans > li").first).to_be_visible()
    expect(page.get_by_text("The board was put right")).to_be_visible()
    expect(page.get_by_text("Do this on the board")).to_have_count(0)


def test_pages_open_without_the_coach_and_are_never_old(start: Any, opened: Any) -> None:
    coach = start()
    page = opened(coach, fails=True)
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    coach.close()
    page.reload()
    expect(page.locator("main")).to_contain_text("The coach does not answer.")
    again = start(port=coach.port)
    text = again.coach.pages["words.json"].replace(b'"New game"', b'"Another game"')
    again.coach.pages |= {"words.json": text, "worker.js": b"const VERSION = 'new', PAGES = ['/'];" + WORKER}
    page.reload()
    expect(page.get_by_role("heading", name="Another game")).to_be_visible()
    page.wait_for_function("() => caches.keys().then((names) => names.join() === 'coach new')")
