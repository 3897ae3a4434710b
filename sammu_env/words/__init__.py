"""Every word shown to people, in English and Japanese: names, choices, questions, card texts and challenge sheets.

The words themselves are ``data/words.toml``; these modules only put them together. Wherever a function takes ``box``, a
box record or the :class:`~sammu_env.components.Components` that holds it will do; titles of cards are known only
to the latter.
"""

from sammu_env.words.asked import action, question
from sammu_env.words.cards import abilities, ashur_text, card, card_number, event_text, goal, rules, special
from sammu_env.words.effects import condition, effect, program
from sammu_env.words.names import (
    KEYS,
    check_language,
    count,
    label,
    listing,
    name,
    record,
    road,
    state,
    table,
    title,
    word,
    zone,
)

__all__ = [
    "KEYS", "abilities", "action", "ashur_text", "card", "card_number", "check_language", "condition",
    "count", "effect", "event_text", "goal", "label", "listing", "name", "program", "question", "record", "road",
    "rules", "special", "state", "table", "title", "word", "zone",
]  # fmt: skip
