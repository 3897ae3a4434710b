"""The rulebook's worked examples, to be held against any box: each is a test of the shipped one too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import pytest

from sammu_env import components
from sammu_env.components import Components
from tests import test_components as facts
from tests.rules import (
    test_actions,
    test_cards_and_tax,
    test_enemies,
    test_markers,
    test_monthly_effects,
    test_new_month,
    test_resolve,
    test_setup,
)
from tests.table import Table

EXAMPLES: dict[str, Callable[[], None]] = {
    "enemies of SAM-185": test_setup.test_enemies_stand_as_in_the_example,
    "bag of SAM-185": test_setup.test_markers_go_into_the_bag_as_in_the_example,
    "Phrygian smugglers": test_new_month.test_phrygian_smugglers,
    "enemies, A": test_enemies.test_example_a,
    "enemies, B": test_enemies.test_example_b,
    "enemies, C and D": test_enemies.test_examples_c_and_d,
    "enemies, E": test_enemies.test_example_e,
    "enemies, F": test_enemies.test_example_f,
    "Babylon falls": partial(test_enemies.test_a_capital_is_lost, False),
    "Godin Tepe is held": test_monthly_effects.test_an_equal_force_keeps_enemies_off_godin_tepe,
    "taxes": test_cards_and_tax.test_taxation_example,
    "Besime carries": test_actions.test_worked_example_besime_carries,
    "the Queen's armies": test_actions.test_worked_example_the_queens_armies,
    "Dinah in Phrygia": test_actions.test_worked_example_dinah_plays_in_phrygia,
    "military without supply": test_resolve.test_worked_example_military_beyond_the_supply_is_removed,
    "the Queen abroad": partial(test_resolve.test_worked_example_the_queen_without_escort_abroad, "Damascus"),
    "a gate at Jerusalem": test_resolve.test_worked_example_a_gate_at_jerusalem_brings_ithobaal,
    "raid on Canaan": test_markers.test_worked_example_raid_on_canaan,
}


def wrong_facts(kit: Components) -> Iterator[str]:
    """What the examples say of the map and does not hold in a box."""
    box = kit.box[0]
    tests = [partial(facts.test_roads_of_the_worked_examples, road=road) for road in facts.ROADS.split()]
    tests += [partial(facts.test_distance_to_kalhu, name=name, steps=n) for name, n in facts.STEPS_TO_KALHU]
    tests += [
        facts.test_adjacency_of_the_worked_examples, facts.test_ashur_is_nearer_than_opis_and_babylon,
        facts.test_enemy_order, facts.test_map_is_whole, facts.test_unrest_overflows_from_canaan_to_cyprus_p16,
        facts.test_queens_road,
    ]  # fmt: skip
    for test in tests:
        try:
            test(box)
        except AssertionError as error:
            yield f"{getattr(test, 'func', test).__name__} {getattr(test, 'keywords', '')}: {error}"


def wrong_examples(kit: Components) -> Iterator[str]:
    """The examples that do not go as the rulebook tells when they are played with a box."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(components, "load", {None: kit}.__getitem__)
        patch.setattr(Table, "box", kit.box)
        for name, example in EXAMPLES.items():
            try:
                example()
            except AssertionError as error:
                yield f"the worked example {name!r}: {error}"
