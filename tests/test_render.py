"""Pictures and descriptions show what is in the state, in both languages, and nothing lies on anything else."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import ImageFont

from sammu_env import components, render, steps, words
from sammu_env import constants as c
from sammu_env.render import places
from sammu_env.render import scene as table
from sammu_env.state import HAND, STATE
from tabletop import drawing
from tabletop.languages import LANGUAGES

BOTH = pytest.mark.parametrize("lang", LANGUAGES)
KALHU, TUSHPA, BASTAM, TYRE, OPIS, GORDIUM = (c.LOCATIONS.index(name) for name in
                                              ("Kalhu", "Tushpa", "Bastam", "Tyre", "Opis", "Gordium"))  # fmt: skip


@pytest.fixture(scope="module")
def box() -> components.Components:
    return components.load()


def empty() -> np.ndarray:
    """A table with nothing on it: shape ()."""
    s = np.zeros((), STATE)
    for field in ("technology", "slot", "event", "event_area", "active", "location", "owner", "consulted", "user"):
        s[field] = -1
    s["challenge"], s["players"], s["months"], s["month"] = 6, 3, 6, 1
    s["board"], s["enemy_pool"] = [20, 15, 15, 15], 25
    s["deck_n"] = c.N_ASHUR
    return s


def midgame() -> np.ndarray:
    """Month 3 of SAM-185 with three players, written down by hand: shape ()."""
    s = empty()
    s["month"], s["stage"], s["event"], s["event_area"] = 3, c.ST_ACTIONS, 10, c.PHRYGIA
    s["slot"][:3], s["slot_religion"][4] = (40, 57, 10), 1
    for name, military, diviners, enemies in (
        ("Kalhu", 2, 2, 0), ("Nineveh", 1, 0, 0), ("Arbela", 2, 0, 0), ("Ecbatana", 2, 1, 0), ("Jerusalem", 3, 1, 0),
        ("Tyre", 1, 1, 0), ("Gordium", 0, 0, 3), ("Bastam", 0, 0, 2), ("Anshan", 0, 0, 2), ("Kition", 0, 0, 1),
        ("Meroe", 0, 0, 2), ("Heliopolis", 2, 0, 0),
    ):  # fmt: skip
        i = c.LOCATIONS.index(name)
        s["token"][c.MILITARY, i], s["token"][c.DIVINER, i], s["enemy"][i] = military, diviners, enemies
    for area, supply, medicine in ((c.ASSYRIA, 3, 2), (c.MEDES, 1, 2), (c.CANAAN, 3, 1), (c.EGYPT, 1, 0)):
        s["token"][c.SUPPLY, area], s["token"][c.MEDICINE, area], s["gate"][area] = supply, medicine, area != c.EGYPT
    on_map = [int(s["token"][k, : len(c.LOCATIONS if k < c.SUPPLY else c.AREAS)].sum()) for k in range(4)]
    s["board"] = np.array([20, 15, 15, 15]) - on_map
    s["enemy_pool"] = 25 - int(s["enemy"].sum())
    s["unrest"][GORDIUM] = s["unrest"][c.LOCATIONS.index("Men-nefer")] = s["plague"][c.LOCATIONS.index("Babylon")] = 1
    s["diplomacy"][c.LOCATIONS.index("Jerusalem")] = s["area_karu"][c.ASSYRIA] = s["area_health"][c.CANAAN] = 1
    s["road_karu"][0], s["bag"][c.RAID], s["bag"][c.HEALTH] = 1, 2, 1
    lying = (("Sardes", c.MULE), ("Tushpa", c.SUN), ("Susa", c.SWORD), ("Napata", c.VIAL), ("Salamis", c.WHEEL))
    for place, kind in lying:
        s["technology"][c.LOCATIONS.index(place)] = kind
    for who, place, owner in (
        (0, "Kalhu", -1), (1, "Arbela", 0), (2, "Kalhu", -1), (3, "Kalhu", 1), (4, "Heliopolis", -1),
        (6, "Jerusalem", -1), (8, "Ecbatana", 2),
    ):  # fmt: skip
        s["location"][who], s["owner"][who], s["status"][who] = c.LOCATIONS.index(place), owner, c.IN_PLAY
        s["side"][who] = c.PERSONAL if owner >= 0 else c.PUBLIC
        s["good"][who, who % 5], s["good"][who, (who + 2) % 5] = 2, 1
    s["status"][7], s["has"][1, c.SHIELD], s["has"][6, c.AMPHORA] = c.AWAY, 1, 1
    s["assassination"] = s["religion"] = 1
    s["active"], s["consulted"][1], s["actions"][1], s["consulted"][0] = 1, 0, 2, 1
    s["free_actions"], s["hand_n"], s["deck_n"], s["discard_n"] = 5, [2, 4, 3, 0, 0], 87, 4
    s["ashur"][[0, 40]], s["ashur"][[60, 61, 62, 63]], s["ashur"][[70, 71, 72]] = HAND, HAND + 1, HAND + 2
    s["sp"], s["op"][0], s["to_act"] = 1, steps.TURN, 0
    return s


def crowded() -> np.ndarray:
    """Everybody and everything at once, five players: shape ()."""
    s = midgame()
    s["players"], s["months"] = 5, 8
    s["status"], s["good"], s["bag"] = c.IN_PLAY, 9, 5
    s["location"][:] = np.arange(len(c.CHARACTERS))
    s["location"][:5] = KALHU
    s["technology"], s["gate"], s["area_karu"], s["area_health"] = c.SUN, 1, 1, 1
    s["token"][:2], s["enemy"] = 4, 0
    s["enemy"][BASTAM] = 12
    return s


def texts(scene: list[object]) -> list[drawing.Text]:
    return [item for item in scene if isinstance(item, drawing.Text)]


def near(scene: list[object], at: tuple[float, float]) -> list[str]:
    """Texts around a point of the map."""
    return [t.text for t in texts(scene) if abs(t.at[0] - at[0]) < 66 and -40 < t.at[1] - at[1] < 90]


@BOTH
@pytest.mark.parametrize("make", [empty, midgame, crowded])
def test_svg_is_a_valid_picture(box: components.Components, make: Callable[[], np.ndarray], lang: str) -> None:
    root = ElementTree.fromstring(render.svg(box, make(), lang))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert (root.get("width"), root.get("height")) == (str(table.WIDTH), str(table.HEIGHT))
    assert {child.tag.split("}")[1] for child in root} == {"rect", "circle", "polygon", "polyline", "text"}
    shown = {child.text for child in root if child.tag.endswith("text")}
    for area in range(len(c.AREAS)):
        assert words.name("area", area, lang).upper() in shown
    for i in range(len(c.LOCATIONS)):
        printed, read = (words.word("location", c.LOCATIONS[i], one) for one in ("en", lang))
        assert {printed, read} <= shown and printed.isupper() == bool(box.box[0]["is_capital"][i])


@BOTH
def test_all_in_play_stand_on_their_location_and_in_the_table(box: components.Components, lang: str) -> None:
    s = midgame()
    scene = table.build(box, s, lang)
    shown = [t.text for t in texts(scene)]
    for who in range(len(c.CHARACTERS)):
        in_table = int(s["status"][who]) != c.OUT
        assert (words.name("character", who, lang) in shown) == in_table
        if s["location"][who] >= 0:
            assert words.name("short_character", who, lang) in near(scene, places.AT[int(s["location"][who])])


@pytest.mark.parametrize("kind", range(len(c.KINDS)))
@BOTH
def test_counts_of_tokens_are_those_of_the_state(box: components.Components, kind: int, lang: str) -> None:
    zones = range(len(c.LOCATIONS)) if kind < c.SUPPLY else range(len(c.AREAS))
    for place in zones:
        s = midgame()
        s["token"][kind, place] = 17
        scene = table.build(box, s, lang)
        assert "17" in near(scene, places.AT[place] if kind < c.SUPPLY else places.PLAQUE[place])
        assert words.count(17, "token", kind, lang) in render.describe(box, s, lang)


def test_enemies_markers_and_technologies_lie_where_they_are(box: components.Components) -> None:
    s = empty()
    s["enemy"][BASTAM], s["unrest"][TYRE], s["plague"][OPIS], s["technology"][TUSHPA] = 23, 1, 1, c.MULE
    s["diplomacy"][KALHU], s["karu"][KALHU], s["health"][KALHU] = 1, 1, 1
    scene = table.build(box, s, "en")
    here = (("Di", KALHU), ("Ka", KALHU), ("He", KALHU))
    for text, i in (("23", BASTAM), ("Un", TYRE), ("Pl", OPIS), ("Mu", TUSHPA), *here):
        assert text in near(scene, places.AT[i])
    told = render.describe(box, s, "en")
    for line in ("Bastam: 23 enemies", "Tyre: 1 public unrest", "Opis: 1 plague", "TUSHPA: [Mule]",
                 "KALHU: 1 diplomacy, 1 karu, 1 health"):  # fmt: skip
        assert line in told


def test_supply_left_at_damascus_is_shown(box: components.Components) -> None:
    s = empty()
    s["token"][c.SUPPLY, c.DAMASCUS_ZONE] = 13
    assert "13" in near(table.build(box, s, "en"), places.AT[c.DAMASCUS])
    assert "Damascus: 13 supply" in render.describe(box, s, "en")


def test_empire_board_bag_and_hands(box: components.Components) -> None:
    s = midgame()
    shown = [t.text for t in texts(table.build(box, s, "en"))]
    for kind, total in enumerate((20, 15, 15, 15)):
        assert f"{total - int(s['board'][kind])}/{total}" in shown
    assert {"Enemies 10/25", "Deck 87 · Discard 4", "Player 1", "Player 3"} <= set(shown)
    assert "Player 4" not in shown
    told = render.describe(box, s, "en")
    for line in ("Bag: 2 raid, 1 health", "Gates: Assyria, Medes, Canaan", "military 13/20", "Karu roads: ",
                 "Player 1 (free 5): SAM-079, SAM-119", "Deck 87, Discard 4", "Marsyas: public, away"):  # fmt: skip
        assert line in told


def test_hidden_hands_stay_hidden(box: components.Components) -> None:
    s = midgame()
    s["hidden_hands"] = 1
    told = render.describe(box, s, "en")
    assert "Player 1 (free 5): SAM-079, SAM-119" in told
    assert "Player 2 (free 5): 4 cards" in told
    assert "SAM-139" not in told


def test_gates_are_drawn_where_they_stand(box: components.Components) -> None:
    def towers(s: np.ndarray) -> int:
        lines = [item for item in table.build(box, s, "en") if isinstance(item, drawing.Line)]
        return sum(line.color == table.GATE_GOLD and line.width == 2 for line in lines)

    assert towers(midgame()) - towers(empty()) == 3


@BOTH
def test_text_asks_the_question(box: components.Components, lang: str) -> None:
    s = midgame()
    assert render.text(box, s, lang).endswith("> " + words.question(box, s, lang))
    assert words.title(box, "SAM-185", lang) in render.text(box, s.reshape(1), lang)


def test_events_known_and_unknown(box: components.Components) -> None:
    told = render.describe(box, midgame(), "en")
    assert "Events: 1 SAM-056, 2 SAM-073, 3 SAM-026, 4 face down, 5 face down +1 religion, 6 face down" in told
    assert "event: SAM-026 Phrygian Smugglers: [Phrygia]" in told


def test_the_end_is_said(box: components.Components) -> None:
    s = midgame()
    s["result"], s["cause"] = c.WON, c.MET
    assert "the challenge is met" in render.text(box, s, "en")
    banner = " ".join(t.text for t in texts(table.build(box, s, "en")) if t.at[1] < 50 and t.at[0] > 1044)
    assert banner == "The game is over: Victory: the challenge is met"


def boxes(scene: list[object]) -> list[tuple[str, tuple[float, float, float, float]]]:
    """Every text with its corners, measured with the font of the pixels."""
    found = []
    for t in texts(scene):
        anchor = {"start": "ls", "middle": "ms", "end": "rs"}[t.anchor]
        left, top, right, bottom = ImageFont.load_default(t.size).getbbox(t.text, anchor=anchor)
        found.append((t.text, (t.at[0] + left, t.at[1] + top, t.at[0] + right, t.at[1] + bottom)))
    return found


@pytest.mark.parametrize("make", [empty, midgame, crowded])
def test_no_text_lies_on_another(box: components.Components, make: Callable[[], np.ndarray]) -> None:
    placed = boxes(table.build(box, make(), "en"))
    for k, (text, (left, top, right, bottom)) in enumerate(placed):
        assert min(left, top) >= 0, text
        assert right <= table.WIDTH, text
        assert bottom <= table.HEIGHT, text
        for other, (l2, t2, r2, b2) in placed[k + 1 :]:
            assert min(right, r2) - max(left, l2) <= 1 or min(bottom, b2) - max(top, t2) <= 1, (text, other)


# Colours and letters

#: What people see who lack red, green or blue cones: Machado, Oliveira and Fernandes (2009), on linear RGB.
SIGHTS = {
    "all": np.eye(3),
    "protan": np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                        [-0.003882, -0.048116, 1.051998]]),
    "deutan": np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                        [-0.011820, 0.042940, 0.968881]]),
    "tritan": np.array([[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
                        [0.004733, 0.691367, 0.303900]]),
}  # fmt: skip
TO_XYZ = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
                   [0.0193339, 0.1191920, 0.9503041]])  # fmt: skip


def lab(color: str, sight: np.ndarray) -> np.ndarray:
    """CIELAB (D65) of a colour as somebody sees it."""
    rgb = np.array([int(color[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    xyz = TO_XYZ @ np.clip(sight @ linear, 0, 1) / np.array([0.95047, 1.0, 1.08883])
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def test_a_white_is_white_to_everybody() -> None:
    for sight in SIGHTS.values():
        assert np.allclose(lab("#ffffff", sight), [100, 0, 0], atol=0.1)
    assert np.allclose(lab("#ff0000", SIGHTS["all"]), [53.2, 80.1, 67.2], atol=0.1)


@pytest.mark.parametrize("sight", SIGHTS)
@pytest.mark.parametrize("group", ["KIND_COLOR", "SEAT_COLOR", "GOOD_COLOR"])
def test_colours_are_told_apart_by_everybody(group: str, sight: str) -> None:
    for one, other in combinations(getattr(table, group), 2):
        assert np.linalg.norm(lab(one, SIGHTS[sight]) - lab(other, SIGHTS[sight])) > 20, (one, other)


@BOTH
def test_letters_of_small_pieces_are_of_one_thing_each(lang: str) -> None:
    blocks = ("short_marker", "short_technology", "short_character")
    letters = [words.name(block, i, lang).lower() for block in blocks for i in range(len(words.KEYS[block]))]
    assert len(set(letters)) == len(letters)


def under(scene: list[object], text: drawing.Text) -> str:
    """The colour that a text stands on: of the last shape before it that covers its middle."""
    x, y = text.at[0], text.at[1] - text.size * 0.36
    x += {"start": 0.5, "middle": 0, "end": -0.5}[text.anchor] * drawing.width_of(text.text, text.size) * 0.9
    found = ""
    for item in scene[: next(k for k, one in enumerate(scene) if one is text)]:
        if isinstance(item, drawing.Line):
            ends = [np.array(point) for point in item.points]
            for a, b in pairwise(ends):
                at = np.clip(np.dot((x, y) - a, b - a) / max(np.dot(b - a, b - a), 1e-9), 0, 1)
                if not item.dash[1] and np.hypot(*(a + at * (b - a) - (x, y))) <= item.width / 2:
                    found = item.color
        elif isinstance(item, drawing.Shape) and item.fill and covers(item, x, y):
            found = item.fill
    return found


def covers(shape: drawing.Shape, x: float, y: float) -> bool:
    if shape.form == "circle":
        return np.hypot(x - shape.points[0][0], y - shape.points[0][1]) <= shape.radius
    if shape.form == "rect":
        (left, top), (right, bottom) = shape.points
        return left <= x <= right and top <= y <= bottom
    inside = False
    for (x0, y0), (x1, y1) in pairwise([*shape.points, shape.points[0]]):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
            inside = not inside
    return inside


@BOTH
@pytest.mark.parametrize("make", [empty, midgame, crowded])
def test_every_text_stands_out(box: components.Components, make: Callable[[], np.ndarray], lang: str) -> None:
    scene = table.build(box, make(), lang)
    for text in texts(scene):
        ground = under(scene, text)
        assert drawing.contrast(text.color, ground) >= 4.5, (text.text, text.color, ground)


def test_pixels(box: components.Components) -> None:
    s = midgame()
    first, second = render.rgb_array(box, s), render.rgb_array(box, s.copy())
    assert first.shape == (table.HEIGHT, table.WIDTH, 3)
    assert first.dtype == np.uint8
    assert np.array_equal(first, second)
    assert not np.array_equal(first, render.rgb_array(box, empty()))
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 100


def test_looking_changes_nothing(box: components.Components) -> None:
    s = midgame()
    before = s.tobytes()
    for lang in LANGUAGES:
        render.svg(box, s, lang)
        render.text(box, s, lang)
    render.rgb_array(box, s)
    assert s.tobytes() == before


@pytest.mark.parametrize("show", [render.describe, render.text, render.svg])
def test_unknown_language_names_the_choices(box: components.Components, show: Callable[..., str]) -> None:
    with pytest.raises(ValueError, match="'de', choose one of en, ja"):
        show(box, empty(), "de")


def test_a_bare_box_record_will_do(box: components.Components) -> None:
    s = midgame()
    assert "SAM-185" in render.describe(box.box, s, "en")
    assert "<svg" in render.svg(box.box[0], s, "ja")
