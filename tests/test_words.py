"""Words: everything has a name in both languages, and texts say what the data says."""

from __future__ import annotations

import string

import numpy as np
import pytest

from sammu_env import actions as act
from sammu_env import components, steps, words
from sammu_env import constants as c
from sammu_env.components.edition import DATA
from sammu_env.state import STATE
from tabletop.languages import LANGUAGES

BOTH = pytest.mark.parametrize("lang", LANGUAGES)


@pytest.fixture(scope="module")
def box() -> components.Components:
    return components.load()


@pytest.fixture
def s() -> np.ndarray:
    """A state of shape () in which nothing is on the stack."""
    s = np.zeros((), STATE)
    s["players"], s["active"], s["sp"] = 3, 1, 1
    return s


def places(template: str) -> set[str]:
    return {field for _, field, _, _ in string.Formatter().parse(template) if field}


def test_every_entry_has_both_languages() -> None:
    for block, entries in words.table().items():
        for key, forms in entries.items():
            assert len(forms) in (2, 3), (block, key)
            assert all(forms), (block, key)
            english_only = {"s", "kinds", "groups", "enemies", "diviners"}
            assert places(forms[0]) - english_only <= places(forms[1]) | {"kind", "group"}, (block, key)


@pytest.mark.parametrize("block", sorted(words.KEYS))
def test_numbered_blocks_are_complete(block: str) -> None:
    extra = set(words.table()[block]) - set(words.KEYS[block])
    assert not [key for key in words.KEYS[block] if key not in words.table()[block]]
    assert all(any(key.startswith(known) for known in words.KEYS[block]) for key in extra)


@BOTH
def test_names_within_a_block_differ(lang: str) -> None:
    for block in ("location", "area", "character", "good", "token", "marker", "technology", "verb", "short_marker",
                  "short_technology", "short_character"):  # fmt: skip
        names = [words.name(block, i, lang) for i in range(len(words.KEYS[block]))]
        assert len(set(names)) == len(names), block


@BOTH
def test_every_catalogue_number_has_a_meaning(box: components.Components, s: np.ndarray, lang: str) -> None:
    for number in range(act.N_ACTIONS):
        assert words.action(box, s, number, lang)


@BOTH
def test_choices_of_a_prompt_have_different_meanings(box: components.Components, s: np.ndarray, lang: str) -> None:
    roads = int(box.box[0]["roads"])
    for block, size in act.BLOCKS:
        n = roads if block == "road" else size
        texts = [words.action(box, s, act.START[block] + i, lang) for i in range(n)]
        assert len(set(texts)) == n, block


def test_every_prompt_names_its_arguments() -> None:
    for prompt in steps.TABLE[: len(steps.PROMPTS)]:
        for template in words.table()["prompt"][prompt.name]:
            names = {*prompt.arguments, *(name + "s" for name in prompt.arguments)}
            assert places(template) <= names | {"active", "left", "free", "s"}, prompt.name


@BOTH
@pytest.mark.parametrize("prompt", steps.PROMPTS)
def test_every_prompt_asks(box: components.Components, s: np.ndarray, prompt: str, lang: str) -> None:
    s["op"][0], s["arg"][0] = steps.NAMES.index(prompt), 1
    text = words.question(box, s, lang)
    assert text
    assert "{" not in text
    assert text == words.question(box.box, s.reshape(1), lang) or "SAM-" in text


def test_question_uses_the_frame(box: components.Components, s: np.ndarray) -> None:
    s["op"][0], s["arg"][0][:3] = steps.PLACE_TOKEN, (c.DIVINER, c.CANAAN, 2)
    assert words.question(box, s, "en") == "Where in Canaan is 1 diviner placed? (2 to place)"
    assert words.question(box, s, "ja") == "カナンのどの区域に巫術師を置きますか？（残り2個）"


def test_question_after_the_end(box: components.Components, s: np.ndarray) -> None:
    s["result"], s["cause"] = c.LOST, c.NO_SUPPLY
    assert words.question(box, s, "en") == "The game is over: Defeat: no supply on the map"


def test_a_special_action_says_what_it_does(box: components.Components, s: np.ndarray) -> None:
    s["active"], s["side"][1] = 1, c.PERSONAL
    assert words.action(box, s, act.VERB + act.V_SPECIAL, "en").endswith("1 card discarded, 1 good: gain 2 military")
    s["active"] = c.SAMMU_RAMAT
    assert "armies" in words.action(box, s, act.VERB + act.V_SPECIAL_COMMAND, "en")


def test_a_special_action_is_that_of_its_place_on_the_card(s: np.ndarray) -> None:
    actions = [{"special": "exchange", "get": "supply", "get_n": 1}, {"special": "draw", "n": 2}]
    box = components.overlaid({"character": {"SAM-002": {"public": {"actions": actions}}}}, "mine")
    s["active"], s["side"][1] = 1, c.PUBLIC
    said = [words.action(box, s, act.VERB + act.V_SPECIAL + which, "en") for which in range(2)]
    assert [text.rpartition(": ")[2] for text in said] == ["gain 1 supply", "draw 2 cards"]


@BOTH
@pytest.mark.parametrize("prompt", [step.name for step in steps.TABLE if step.answers == ("yes",)])
def test_no_is_not_just_done(box: components.Components, s: np.ndarray, prompt: str, lang: str) -> None:
    """Questions that yes or no answers say what no leads to."""
    s["op"][0] = steps.NAMES.index(prompt)
    assert words.action(box, s, act.DONE, lang) != words.word("done", "done", lang)


def test_done_means_what_the_prompt_makes_of_it(box: components.Components, s: np.ndarray) -> None:
    s["op"][0] = steps.TURN
    assert words.action(box, s, act.DONE, "en") == "This character is done"
    s["op"][0] = steps.TAX
    assert words.action(box, s, act.DONE, "en") == "Done"


@BOTH
def test_every_card_has_a_text(box: components.Components, lang: str) -> None:
    for number in range(1, 199):
        text = words.card(box, f"SAM-{number:03d}", lang)
        assert text.startswith(f"SAM-{number:03d}")
        assert "\n" in text
        assert "{" not in text


def test_texts_call_sardes_as_its_place_is_called(box: components.Components) -> None:
    said = [words.card(box, f"SAM-{number:03d}", "ja") for number in range(1, 199)]
    assert any("サルディス" in text for text in said) and not any("サルデス" in text for text in said)
    data = "".join(path.read_text(encoding="utf-8") for path in DATA.glob("*.toml"))
    assert "サルデス" not in data


def test_card_texts_say_what_the_data_says(box: components.Components) -> None:
    assert words.card(box, "SAM-026", "en").splitlines() == [
        "SAM-026 Phrygian Smugglers", "Phrygia", "Banner: Phrygia -2 supply", "Banner: draw 1 from the bag",
        "Text: no Queen's Road in or out of Phrygia",
    ]  # fmt: skip
    for i in range(c.N_ASHUR):
        text, area = words.ashur_text(box, i, "en"), int(box.box[0]["card_area"][i])
        assert area < 0 or c.AREAS[area] in text
        for good, n in enumerate(box.box[0]["card_goods"][i]):
            assert not n or words.count(int(n), "good", good, "en") in text


def test_sheet_of_the_rulebooks_example(box: components.Components) -> None:
    sheet = words.rules(box, "SAM-185", "en")
    for line in ("an Ishtar gate in Egypt", "Kush: at least 3 military", "Month 2: 1 public unrest marker at NAPATA",
                 "Bag: 2 raid, 1 diplomacy", "Wardiya starts at JERUSALEM"):  # fmt: skip
        assert line in sheet
    assert "反乱" in words.rules(box, "SAM-185", "ja")


@pytest.mark.parametrize("challenge", range(c.N_CHALLENGES))
@BOTH
def test_every_sheet_has_all_its_conditions(box: components.Components, challenge: int, lang: str) -> None:
    sheet = words.rules(box, words.name("challenge", challenge, lang), lang)
    rows = box.box[0]["condition"][challenge]
    assert sheet.count("\n  - ") == int((rows[:, 0] != c.W_NONE).sum()) > 0


@pytest.mark.parametrize(
    "call",
    [
        lambda _box, _s: words.name("location", 0, "fr"),
        lambda box, s: words.action(box, s, 0, "fr"),
        lambda box, s: words.question(box, s, "fr"),
        lambda box, _s: words.card(box, "SAM-080", "fr"),
        lambda box, _s: words.rules(box, "SAM-185", "fr"),
    ],
)
def test_unknown_language_names_the_choices(box: components.Components, s: np.ndarray, call: object) -> None:
    with pytest.raises(ValueError, match="lang is 'fr', choose one of en, ja"):
        call(box, s)  # type: ignore[operator]


def test_wrong_names_and_numbers_are_refused(box: components.Components, s: np.ndarray) -> None:
    with pytest.raises(ValueError, match="location 26"):
        words.name("location", len(c.LOCATIONS), "en")
    with pytest.raises(ValueError, match="block 'place'"):
        words.name("place", 0, "en")
    with pytest.raises(ValueError, match="action is 341, choose one of 0 to 340"):
        words.action(box, s, act.N_ACTIONS, "en")
    for card_id in ("SAM-000", "SAM-199", "185", "SAM-x"):
        with pytest.raises(ValueError, match="SAM-001 to SAM-198"):
            words.card(box, card_id, "en")
    with pytest.raises(ValueError, match="no challenge"):
        words.rules(box, "SAM-080", "en")
