"""Toys that each break a law, to show that it can be broken. Their names differ: they share no compiled loops."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from tabletop.game import CHANCE, DRAWN, WON, Record, Results
from tabletop.jit import entry
from tests.tabletop import bidding, toy
from tests.tabletop.bidding import Bidding
from tests.tabletop.toy import DIE, KEEP, PASS, Toy


class NeverEnds(Toy):
    name = "never_ends"

    @staticmethod
    def apply(box: Any, s: Record, action: int) -> bool:
        accepted = bool(toy.apply(box, s, action))
        s["round"] = s["pot"] = 0
        return accepted


class Stuck(Toy):
    name = "stuck"

    @staticmethod
    def legal(box: Any, s: Record, mask: Any) -> None:
        toy.legal(box, s, mask)
        mask[:] *= s["round"][0] < 1


class SaysItIsShort(Toy):
    name = "says_it_is_short"
    max_decisions = 3


class RefusesWhatItOffers(Toy):
    name = "refuses_what_it_offers"

    @staticmethod
    def apply(box: Any, s: Record, action: int) -> bool:
        return action != PASS and bool(toy.apply(box, s, action))


class KeepsThePot(Toy):
    name = "keeps_the_pot"

    @staticmethod
    def reset(box: Any, s: Record, setup: Record, seed: int) -> None:
        pot = s["pot"].copy()
        toy.reset(box, s, setup, seed)
        s["pot"] = pot


class IgnoresTheSeed(Toy):
    name = "ignores_the_seed"

    @staticmethod
    def reset(box: Any, s: Record, setup: Record, seed: int) -> None:
        toy.reset(box, s, setup, seed // 100)


class LeavesNoTrace(Toy):
    name = "leaves_no_trace"

    @staticmethod
    def apply(box: Any, s: Record, action: int) -> bool:
        accepted = bool(toy.apply(box, s, action))
        s["trace"] = 0
        return accepted


class CountsTwice(Toy):
    name = "counts_twice"

    @staticmethod
    def apply(box: Any, s: Record, action: int) -> bool:
        accepted = bool(toy.apply(box, s, action))
        s["decisions"] += accepted
        return accepted


class SmallPot(Toy):
    name = "small_pot"
    state_bounds = {"pot": (0, 3)}


class EndsForNoReason(Toy):
    name = "ends_for_no_reason"
    causes = ("goal met",)


class SamplesOtherwise(Toy):
    """The die that is told is not the one that the game would have rolled."""

    name = "samples_otherwise"

    @staticmethod
    def sample(box: Any, s: Record) -> int:
        return DIE + (int(toy.sample(box, s)) - DIE + 1) % 6


class RemembersGames(Toy):
    """Every game has another goal than the one before it."""

    name = "remembers_games"
    games = 0

    @staticmethod
    def reset(box: Any, s: Record, setup: Record, seed: int) -> None:
        toy.reset(box, s, setup, seed)
        RemembersGames.games += 1
        s["goal"] += RemembersGames.games


class OnePot(Toy):
    """The pot is not in the state."""

    name = "one_pot"
    pot = 0

    @staticmethod
    def reset(box: Any, s: Record, setup: Record, seed: int) -> None:
        toy.reset(box, s, setup, seed)
        OnePot.pot = 0

    @staticmethod
    def apply(box: Any, s: Record, action: int) -> bool:
        s["pot"] = OnePot.pot
        accepted = bool(toy.apply(box, s, action))
        OnePot.pot = int(s["pot"][0])
        return accepted


class PaysEmptySeats(Toy):
    name = "pays_empty_seats"

    @staticmethod
    def rewards(box: Any, s: Record, out: Any) -> None:
        toy.rewards(box, s, out)
        out[:] = out[0]


class PaysTheBeginning(Bidding):
    name = "pays_the_beginning"

    @staticmethod
    def rewards(box: Any, s: Record, out: Any) -> None:
        bidding.rewards(box, s, out)
        out[0] += int(s["to_act"][0]) == CHANCE


class SaysZeroSum(Toy):
    name = "says_zero_sum"
    zero_sum = True


class SaysItIsATeam(Bidding):
    name = "says_it_is_a_team"
    team = True


class EverybodyWins(Bidding):
    name = "everybody_wins"

    def results(self, states: Record) -> Results:
        _, place, score = super().results(states)
        return Results((WON * (place > 0)).astype(np.int8), place, score)


class FewestCoinsWin(Bidding):
    name = "fewest_coins_win"

    def results(self, states: Record) -> Results:
        turned = states.copy()
        there = np.arange(bidding.MAX_SEATS) < states["players"][:, None]
        turned["coins"] = (100 - turned["coins"]) * there
        return super().results(turned)


class NobodyIsFirst(Bidding):
    name = "nobody_is_first"

    def results(self, states: Record) -> Results:
        result, place, score = super().results(states)
        return Results(result, (place + (place > 0)).astype(np.int8), score)


class AllAreFirst(Bidding):
    name = "all_are_first"

    def results(self, states: Record) -> Results:
        _, place, score = super().results(states)
        there = (place > 0).astype(np.int8)
        return Results(DRAWN * there, there, score)


class NarrowView(Toy):
    name = "narrow_view"
    observation_high = np.full(toy.SIZE, 0.5, np.float32)


class ForgetsToWrite(Toy):
    name = "forgets_to_write"

    @staticmethod
    def observe(box: Any, s: Record, seat: int, out: Any) -> None:
        kept = out[0]
        toy.observe(box, s, seat, out)
        out[0] = kept


class HidesAChoice(Toy):
    name = "hides_a_choice"

    @staticmethod
    def legal(box: Any, s: Record, mask: Any) -> None:
        toy.legal(box, s, mask)
        mask[PASS] = 0


class OffersTooMuch(Toy):
    name = "offers_too_much"

    @staticmethod
    def legal(box: Any, s: Record, mask: Any) -> None:
        toy.legal(box, s, mask)
        mask[DIE] |= mask[KEEP]


class RefusesTooLate(Toy):
    name = "refuses_too_late"

    @staticmethod
    def apply(box: Any, s: Record, action: int) -> bool:
        s["paid"] = 7.0
        return bool(toy.apply(box, s, action))


class WrapsAround(Toy):
    name = "wraps_around"

    @staticmethod
    def apply(box: Any, s: Record, action: int) -> bool:
        return bool(toy.apply(box, s, action % toy.N_ACTIONS))


class LooksAndTakes(Toy):
    name = "looks_and_takes"

    def describe(self, s: Record, lang: str = "en", seat: int | None = None) -> str:
        s["rolls"] += 1
        return super().describe(s, lang, seat)


class LoadedDie(Toy):
    name = "loaded_die"

    @staticmethod
    def weights(box: Any, s: Record, out: Any) -> None:
        toy.weights(box, s, out)
        out[DIE] = 0.0


class SampleRolls(Toy):
    name = "sample_rolls"

    @staticmethod
    def sample(box: Any, s: Record) -> int:
        s["rolls"] += 1
        return int(toy.sample(box, s))


class SaysTheSame(Toy):
    name = "says_the_same"

    def words(self, s: Record, action: int, lang: str = "en", seat: int | None = None) -> str:
        return super().words(s, PASS, lang, seat)


class TellsStrangers(Toy):
    name = "tells_strangers"

    def question(self, s: Record, lang: str = "en", seat: int | None = None) -> str:
        return super().question(s, lang)


class DrawsForNobody(Bidding):
    """An onlooker gets a world, too."""

    name = "draws_for_nobody"

    def resample(self, s: Record, seat: int, rng: np.random.Generator) -> Record:
        return super().resample(s, 0 if seat is None else seat, rng)


class LooseCoin(Bidding):
    """A number that lies in no field, but between two."""

    name = "loose_coin"

    @staticmethod
    def apply(box: Any, s: Record, action: int) -> bool:
        s.view(np.uint8)[bidding.STATE.fields["paid"][1] - 1] += 1  # type: ignore[index]
        return bool(bidding.apply(box, s, action))


class OpenHands(Bidding):
    name = "open_hands"

    def describe(self, s: Record, lang: str = "en", seat: int | None = None) -> str:
        return super().describe(s, lang)


class SeesWhatIsLaid(Bidding):
    name = "sees_what_is_laid"

    @staticmethod
    def observe(box: Any, s: Record, seat: int, out: Any) -> None:
        bidding.observe(box, s, seat, out)
        out[-1] = s["laid"][0].sum() / 100


class KnowsTheFuture(Toy):
    name = "knows_the_future"

    def resample(self, s: Record, seat: int, rng: np.random.Generator) -> Record:
        return s.copy()


class ShiftsTheFuture(Toy):
    name = "shifts_the_future"

    def resample(self, s: Record, seat: int, rng: np.random.Generator) -> Record:
        world = s.copy()
        world["rng"] += rng.integers(1, 2**31)
        return world


class OneFuture(Toy):
    name = "one_future"

    def resample(self, s: Record, seat: int, rng: np.random.Generator) -> Record:
        return super().resample(s, seat, np.random.default_rng(1))


class SwapsHands(Bidding):
    name = "swaps_hands"

    def resample(self, s: Record, seat: int, rng: np.random.Generator) -> Record:
        world = s.copy()
        world["rng"] = super().resample(s, seat, rng)["rng"]
        others = [rival for rival in range(self.seats(s)) if rival != seat]
        world["hand"][0, others] = s["hand"][0, rng.permutation(others)]
        world["laid"][0, others] = 0
        return world


class SaysItHasNoSecrets(Bidding):
    name = "says_it_has_no_secrets"

    def secrets(self, setups: Record) -> Any:
        return np.zeros(len(setups), np.bool_)


class PaintsHands(Bidding):
    name = "paints_hands"

    def render(self, s: Record, mode: str, lang: str = "en", seat: int | None = None) -> str:
        return super().render(s, mode, lang)


class NoPicture(Toy):
    name = "no_picture"

    def _picture(self, s: Record, seat: int | None) -> Any:
        return np.zeros((4, 6), np.float32)


@entry
def _pays_twice(box: Any, s: Any, out: Any) -> None:
    for seat in range(len(out)):
        out[seat] = s[0].paid * (2 - s[0].manual_chance) if seat < s[0].players else 0.0


class PaysBatchesTwice(Toy):
    name = "pays_batches_twice"
    rewards = staticmethod(_pays_twice)


class ResultsOfTheFirst(Bidding):
    name = "results_of_the_first"

    def results(self, states: Record) -> Results:
        return Results(*(part[:1].repeat(len(states), 0) for part in super().results(states)))


class SaysItFavoursOnes(Toy):
    name = "says_it_favours_ones"

    @staticmethod
    def weights(box: Any, s: Record, out: Any) -> None:
        toy.weights(box, s, out)
        out[DIE] *= 9.0


class KeepsSixes(Bidding):
    """All but the sixes are dealt anew."""

    name = "keeps_sixes"

    def resample(self, s: Record, seat: int, rng: np.random.Generator) -> Record:
        world, kept = super().resample(s, seat, rng), s.copy()
        kept["rng"] = world["rng"]
        return world if (world["hand"][..., -1] == s["hand"][..., -1]).all() else kept


class DealsTheSame(Bidding):
    name = "deals_the_same"

    def resample(self, s: Record, seat: int, rng: np.random.Generator) -> Record:
        world = s.copy()
        world["rng"] = super().resample(s, seat, rng)["rng"]
        return world


class WrongSize(Bidding):
    name = "wrong_size"
    hidden_size = 3


class OfItsProcess(Toy):
    name = "of_its_process"

    @staticmethod
    def reset(box: Any, s: Record, setup: Record, seed: int) -> None:
        toy.reset(box, s, setup, seed)
        s["rolls"] = os.getpid()


class FailsInWords(Toy):
    name = "fails_in_words"

    def words(self, s: Record, action: int, lang: str = "en", seat: int | None = None) -> str:
        return {KEEP: "keep"}[action]


class OverridesMore(Toy):
    name = "overrides_more"

    def override(self, setup: Record, options: Any) -> Record:
        changed = super().override(setup, options)
        changed["goal"] += 1
        return changed


class RollsAtOnce(Toy):
    """Also where the die is told."""

    name = "rolls_at_once"

    @staticmethod
    def reset(box: Any, s: Record, setup: Record, seed: int) -> None:
        alone = setup.copy()
        alone["manual_chance"] = 0
        toy.reset(box, s, alone, seed)
        s["manual_chance"] = setup["manual_chance"]


class RollsInSecret(Toy):
    name = "rolls_in_secret"

    @staticmethod
    def apply(box: Any, s: Record, action: int) -> bool:
        accepted = bool(toy.apply(box, s, action))
        if accepted:
            toy.sample(box, s)
        return accepted


class OfTheFirstBox(Toy):
    name = "of_the_first_box"

    def __init__(self) -> None:
        super().__init__((1,) * 6, (2, 1, 1, 1, 1, 1))

    def configure(self, *args: Any, **options: Any) -> Record:
        return super().configure(*args, **options, box=1)

    @staticmethod
    def apply(box: Any, s: Record, action: int) -> bool:
        accepted = bool(toy.apply(box, s, action))
        s["pot"] += accepted * (box["weight"][0, 0] - 1)
        return accepted


class SeesTheFirstBox(OfTheFirstBox):
    name = "sees_the_first_box"
    apply = staticmethod(toy.apply)

    @staticmethod
    def observe(box: Any, s: Record, seat: int, out: Any) -> None:
        toy.observe(box, s, seat, out)
        out[4] = box["weight"][0, 0]


class PaysNobodyElse(Toy):
    """Who is not there is not written."""

    name = "pays_nobody_else"

    @staticmethod
    def rewards(box: Any, s: Record, out: Any) -> None:
        paid = np.zeros_like(out)
        toy.rewards(box, s, paid)
        out[: s["players"][0]] = paid[: s["players"][0]]


class WideResults(Toy):
    name = "wide_results"

    def results(self, states: Record) -> Results:
        result, place, score = super().results(states)
        return Results(result.astype(np.int64), place, score)


class MoreSeats(Toy):
    name = "more_seats"

    def results(self, states: Record) -> Results:
        return Results(*(part[:, :-1] for part in super().results(states)))


class FailsInJapanese(Toy):
    name = "fails_in_japanese"

    def question(self, s: Record, lang: str = "en", seat: int | None = None) -> str:
        return {"en": super().question(s, lang, seat)}[lang]


class OpenHandsInJapanese(Bidding):
    name = "open_hands_in_japanese"

    def describe(self, s: Record, lang: str = "en", seat: int | None = None) -> str:
        return super().describe(s, lang, seat if lang == "en" else None)


class PaintsHandsInJapanese(Bidding):
    name = "paints_hands_in_japanese"

    def render(self, s: Record, mode: str, lang: str = "en", seat: int | None = None) -> Any:
        return super().render(s, mode, lang, seat if lang == "en" else None)


class FewContents(Toy):
    name = "few_contents"

    def __init__(self) -> None:
        super().__init__()
        self.contents = np.zeros((1, toy.N_ACTIONS - 1, 0), np.float32)


class NoNumber(Toy):
    name = "no_number"

    def __init__(self) -> None:
        super().__init__()
        self.contents = np.full((1, toy.N_ACTIONS, 1), np.nan, np.float32)


class CountsBeyond(Toy):
    name = "counts_beyond"
    content_sets = ((slice(0, toy.SIZE + 1), 0, 1),)


class CountsMoreThanThereIs(Toy):
    name = "counts_more_than_there_is"
    content_sets = ((slice(0, 2), toy.N_ACTIONS - 1, 2),)


class CountsUnevenly(Toy):
    name = "counts_unevenly"
    content_sets = ((slice(0, 3), 0, 2),)


class SpeaksOfFewChoices(Toy):
    name = "speaks_of_few_choices"
    about = np.zeros((toy.N_ACTIONS - 1, 2), np.int64)


class SpeaksInFloats(Toy):
    name = "speaks_in_floats"
    about = np.zeros((toy.N_ACTIONS, 2))


class SpeaksFromBelow(Toy):
    name = "speaks_from_below"
    about = np.full((toy.N_ACTIONS, 2), -1)


class SpeaksFromBeyond(Toy):
    name = "speaks_from_beyond"
    about = np.full((toy.N_ACTIONS, 2), toy.SIZE + 1)


class NamesTwoBoxes(Toy):
    name = "names_two_boxes"

    def __init__(self) -> None:
        super().__init__()
        self.hashes *= 2


class NoLayout(Toy):
    name = "no_layout"
    layout = None


#: Each law with toys that break it, and with what they are told.
BROKEN: dict[str, dict[type[Any], str]] = {
    "ends": {
        NeverEnds: "choices, max_decisions is 24", Stuck: "does not end",
        SaysItIsShort: "choices, max_decisions is 3",
        RefusesWhatItOffers: r"apply refuses 1 \(pass\), which the mask offers",
    },
    "resets": {
        KeepsThePot: "differs in pot", IgnoresTheSeed: "begin with the same generator",
        OverridesMore: "override without",
    },
    "states": {
        CountsTwice: "decisions is 1", SmallPot: "pot is .*, not 0 to 3", EndsForNoReason: "cause is",
        LeavesNoTrace: "trace stays",
    },
    "draws": {RollsAtOnce: "reset draws die, .*which nobody is told", RollsInSecret: "apply draws something"},
    "boxes": {OfTheFirstBox: "box 1 by itself plays otherwise: pot", SeesTheFirstBox: "sees of box 1 is"},
    "replays": {RemembersGames: "the replay differs in goal", SamplesOtherwise: "where chance answers by itself"},
    "undo": {RemembersGames: "does not restore"},
    "apart": {OnePot: "beside it changes"},
    "rewards": {
        PaysEmptySeats: "not there is paid", PaysTheBeginning: "before the first choice",
        SaysItIsATeam: "by a team, and pays its seats differently", PaysNobodyElse: "no finite number",
    },
    "zero_sum": {SaysZeroSum: "do not sum to 0"},
    "results": {
        EverybodyWins: "has not lost and is in place", FewestCoinsWin: "they were paid", NobodyIsFirst: "no ranking",
        SaysItIsATeam: "by a team, the results of its seats are", AllAreFirst: "share a place, they were paid",
        WideResults: "result of the results is int64", MoreSeats: r"\(1, 3\), not",
    },
    "bounds": {NarrowView: "not 0.0 to 0.5", ForgetsToWrite: "is nan"},
    "mask": {HidesAChoice: r"returns True for 1 \(pass\)", OffersTooMuch: r"returns False for 2 \(1\)"},
    "refusals": {RefusesTooLate: "changes paid", WrapsAround: "accepts"},
    "looking": {LooksAndTakes: "describe changes"},
    "chance": {LoadedDie: "have weight", SampleRolls: "sample changes rolls"},
    "words": {
        SaysTheSame: "two choices are called 'pass'", FailsInWords: "KeyError: 2", FailsInJapanese: "KeyError: 'ja'",
    },
    "strangers": {TellsStrangers: "question takes seat -1", DrawsForNobody: "resample takes seat None"},
    "copies": {OnePot: "differs in .*pot"},
    "saves": {LooseCoin: "bytes of no field"},
    "secrets": {
        OpenHands: "is told", SeesWhatIsLaid: "sees gives away", KnowsTheFuture: "knows the future",
        SaysItHasNoSecrets: "says that it has no secrets, but draws .*hand", OpenHandsInJapanese: "is told",
    },
    "traces": {
        ShiftsTheFuture: "follows in rng", SwapsHands: "seat . follows in .*hand", OneFuture: "the same one",
    },
    "pictures": {
        PaintsHands: "ansi gives away", PaintsHandsInJapanese: "ansi gives away", NoPicture: "rgb_array is ndarray",
    },
    "contents": {
        FewContents: r"contents is float32 \(1, 7, 0\)", NoNumber: "not within 500", CountsBeyond: "no part of",
        CountsMoreThanThereIs: "2 choices from 7 on", CountsUnevenly: "does not count 2 things",
        SpeaksOfFewChoices: r"about is int64 \(7, 2\)", SpeaksFromBeyond: "about names a number",
        SpeaksInFloats: "about is float64", SpeaksFromBelow: "about names a number",
        NamesTwoBoxes: "2 hashes of 1 boxes", NoLayout: "is no str",
    },
    "batches": {PaysBatchesTwice: "the batch pays"},
    "together": {ResultsOfTheFirst: "result of many states differs"},
    "odds": {SaysItFavoursOnes: r"2 \(1\) came .* times, by its weights"},
    "hidden": {
        DealsTheSame: "nothing anew", WrongSize: "not float32", KeepsSixes: "never draws number 5 of what is hidden",
    },
    "uncompiled": {OfItsProcess: "is another"},
}  # fmt: skip
