"""The table in words, for a terminal or a log."""

from __future__ import annotations

from typing import Any

from sammu_env import constants as c
from sammu_env import steps, words
from sammu_env.state import HAND

#: Markers that lie on locations: marker and field of the state.
ON_LOCATION = ((c.UNREST, "unrest"), (c.PLAGUE, "plague"), (c.DIPLOMACY, "diplomacy"), (c.KARU, "karu"),
               (c.HEALTH, "health"))  # fmt: skip


def _card(components: Any, block: str, index: int, lang: str) -> str:
    card_id = words.name(block, index, lang)
    return f"{card_id} {words.title(components, card_id, lang)}".rstrip()


def stage(s: Any, lang: str) -> str:
    """What the table is at: the set-up, a stage of the month, or how the game ended."""
    if s["result"] != c.RUNNING:
        return words.name("result", int(s["result"]), lang)
    if (s["op"][: int(s["sp"])] == steps.SETUP_END).any():
        return words.label("set_up", lang)
    return words.name("stage", int(s["stage"]), lang)


def _heading(components: Any, s: Any, lang: str) -> str:
    parts = [_card(components, "challenge", int(s["challenge"]), lang)] if s["challenge"] >= 0 else []
    if s["campaign"]:
        parts.append(words.label("campaign", lang, n=int(s["game"]) + 1))
    parts.append(words.label("month_of", lang, n=int(s["month"]), months=int(s["months"])))
    parts.append(stage(s, lang))
    return " · ".join(parts)


def _events(components: Any, s: Any, lang: str) -> list[str]:
    """This month's event in full, then the row: what is known of every month."""
    lines = []
    if s["event"] >= 0:
        event = int(s["event"])
        text = words.event_text(components, event, lang)
        lines.append(f"{words.label('event', lang)}: {_card(components, 'event', event, lang)}: {text}")
    row = []
    for month in range(int(s["months"])):
        event = int(s["slot"][month])
        shown = words.name("event", event, lang) if event >= 0 else words.label("unknown", lang)
        shields = int(s["slot_religion"][month])
        shown += f" +{words.count(shields, 'marker', c.RELIGION, lang)}" if shields else ""
        row.append(f"{month + 1} {shown}")
    return [*lines, f"{words.label('events', lang)}: {words.listing(row, lang)}"]


def _empire_board(box: Any, s: Any, lang: str) -> list[str]:
    tracks = []
    for kind in range(len(c.KINDS)):
        total = int(box["token_total"][kind])
        tracks.append(f"{words.name('token', kind, lang)} {total - int(s['board'][kind])}/{total}")
    total = int(box["enemy_total"])
    tracks.append(f"{words.label('enemy', lang)} {total - int(s['enemy_pool'])}/{total}")
    gates = [words.name("area", a, lang) for a in range(len(c.AREAS)) if s["gate"][a]]
    bag = [words.count(int(n), "marker", i, lang) for i, n in enumerate(s["bag"]) if n]
    return [
        f"{words.label('empire_board', lang)} ({words.label('on_map', lang)}): {words.listing(tracks, lang)}",
        f"{words.label('gates', lang)}: {words.listing(gates, lang)}",
        f"{words.label('bag', lang)}: {words.listing(bag, lang) if bag else words.label('empty', lang)}",
    ]


def location(s: Any, i: int, lang: str) -> list[str]:
    """Everything at a location: tokens, enemies, markers, technology, characters."""
    parts = [words.count(int(s["token"][k, i]), "token", k, lang) for k in (c.MILITARY, c.DIVINER) if s["token"][k, i]]
    if s["enemy"][i]:
        n = int(s["enemy"][i])
        parts.append(f"{n} {words.label('enemy' if n == 1 else 'enemies', lang).lower()}" if lang == "en"
                     else f"{words.label('enemy', lang)}{n}")  # fmt: skip
    parts += [words.count(int(s[field][i]), "marker", kind, lang) for kind, field in ON_LOCATION if s[field][i]]
    if s["technology"][i] >= 0:
        parts.append(f"[{words.name('technology', int(s['technology'][i]), lang)}]")
    people = range(len(c.CHARACTERS))
    return parts + [words.name("character", who, lang) for who in people if s["location"][who] == i]


def _zone(box: Any, s: Any, zone: int, lang: str) -> str:
    """One line of an area (or Sardes, Damascus): what is kept in it, then its locations that are not empty."""
    stores = [(k, int(s["token"][k, zone])) for k in (c.SUPPLY, c.MEDICINE)]
    kept = [words.count(n, "token", k, lang) for k, n in stores if n]
    name = words.zone(zone, lang)
    if zone < len(c.AREAS):
        name += f" ({words.name('good', int(box['area_good'][zone]), lang)})"
        if s["gate"][zone]:
            kept.insert(0, words.label("gate", lang).upper())
        for kind, field in ((c.KARU, "area_karu"), (c.HEALTH, "area_health")):
            if s[field][zone]:
                kept.append(words.count(int(s[field][zone]), "marker", kind, lang))
    parts = [f"{name}: {words.listing(kept, lang)}"]
    for i in range(len(c.LOCATIONS)):
        if int(box["zone"][i]) == zone:
            here = location(s, i, lang)
            if here:
                parts.append(f"{words.name('location', i, lang)}: {words.listing(here, lang)}")
    return "\n      ".join(parts)


def _character(s: Any, who: int, lang: str) -> str:
    owner, where, status = int(s["owner"][who]), int(s["location"][who]), int(s["status"][who])
    side = words.label("player", lang, n=owner + 1) if owner >= 0 else words.name("side", c.PUBLIC, lang)
    parts = [] if who in (c.SAMMU_RAMAT, c.BAILEET) and owner < 0 else [side]
    known = status == c.IN_PLAY and where >= 0
    parts.append(words.name("location", where, lang) if known else words.name("status", status, lang))
    parts += [words.count(int(n), "good", g, lang) for g, n in enumerate(s["good"][who]) if n]
    for kind, n in enumerate(s["has"][who]):
        parts += [f"[{words.name('technology', kind, lang)}]"] * int(n)
    if who == c.SAMMU_RAMAT:
        queen = ((c.ASSASSINATION, int(s["assassination"])), (c.RELIGION, int(s["religion"])))
        parts += [words.count(n, "marker", kind, lang) for kind, n in queen if n]
    if s["consulted"][who] >= 0:
        left = words.label("actions_left", lang, n=int(s["actions"][who] + s["leftover"][who]))
        parts.append(f"{words.label('consulted', lang)} ({left})")
    return f"{words.name('character', who, lang)}: {words.listing(parts, lang)}"


def _hands(components: Any, s: Any, lang: str, viewer: int | None) -> list[str]:
    """Cards of each seat; where hands are hidden only those of who looks, by default the seat that is asked."""
    lines, viewer = [], int(s["to_act"]) if viewer is None else viewer
    for seat in range(int(s["players"])):
        cards = [_card(components, "ashur", i, lang) for i in range(c.N_ASHUR) if s["ashur"][i] == HAND + seat]
        if s["hidden_hands"] and seat != viewer:
            cards = [words.label("hand", lang, n=int(s["hand_n"][seat]))]
        free = words.label("free_actions", lang, n=int(s["free_actions"][seat]))
        lines.append(f"  {words.label('player', lang, n=seat + 1)} ({free}): {words.listing(cards, lang)}")
    return lines


def describe(components: Any, s: Any, lang: str, seat: int | None = None) -> str:
    """The whole situation in words; see :func:`sammu_env.render.describe`."""
    words.check_language(lang)
    box, s = words.record(components), words.state(s)
    lines = [_heading(components, s, lang), *_events(components, s, lang), *_empire_board(box, s, lang)]
    lines.append(words.label("areas", lang) + ":")
    lines += ["  " + _zone(box, s, zone, lang) for zone in range(len(c.ZONES))]
    roads = [words.road(box, r, lang) for r in range(int(box["roads"])) if s["road_karu"][r]]
    if roads:
        lines.append(f"{words.label('karu_roads', lang)}: {words.listing(roads, lang)}")
    lines.append(words.label("characters", lang) + ":")
    lines += ["  " + _character(s, who, lang) for who in range(len(c.CHARACTERS)) if s["status"][who] != c.OUT]
    piles = (words.label("deck", lang, n=int(s["deck_n"])), words.label("discard_pile", lang, n=int(s["discard_n"])))
    lines += [f"{words.label('hands', lang)}: {words.listing(list(piles), lang)}", *_hands(components, s, lang, seat)]
    return "\n".join(lines)
