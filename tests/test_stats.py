"""Intervals of paired differences: as published, and as the bootstrap gives them."""

import numpy as np
import pytest

from tabletop.stats import anytime, bounded_mean, clustered, effective, mean, paired_difference, wilson


def outcomes(both, ours, theirs, neither):
    """Of so many games won by both, by us alone, by them alone, by neither."""
    kinds = [(True, True)] * both + [(True, False)] * ours + [(False, True)] * theirs + [(False, False)] * neither
    first, second = np.array(kinds).T
    return first, second


# Altman et al. (2000), Statistics with Confidence, table 6.2; Fagerland et al. (2014), airway hyper-responsiveness
@pytest.mark.parametrize(("table", "low", "high"), [((14, 5, 0, 22), 0.0115, 0.2265), ((1, 1, 7, 12), -0.507, -0.026)])
def test_paired_difference_as_published(table, low, high):
    difference = paired_difference(*outcomes(*table))
    assert difference.rate == pytest.approx((table[1] - table[2]) / sum(table))
    assert difference.low == pytest.approx(low, abs=5e-4)
    assert difference.high == pytest.approx(high, abs=5e-4)


def test_paired_difference_turned_round():
    rate, low, high = paired_difference(*outcomes(30, 20, 5, 45))
    assert paired_difference(*outcomes(30, 5, 20, 45)) == pytest.approx((-rate, -high, -low))


def test_paired_difference_at_the_ends():
    same = np.ones(50, bool)
    rate, low, high = paired_difference(same, same)
    assert rate == 0 and low < 0 < high
    rate, low, high = paired_difference(same, ~same)
    assert rate == 1 and 0.8 < low < 1 and high == 1
    for theirs in (same[:3], same[:, None]):
        with pytest.raises(ValueError, match="same games"):
            paired_difference(same, theirs)
    with pytest.raises(ValueError, match="at least one"):
        paired_difference(same[:0], same[:0])


def test_an_interval_that_is_looked_at_all_the_time_is_seldom_wrong():
    """Looked at after each of 200 values, the usual 95% interval would miss the mean in a third of the runs."""
    rng, missed, always = np.random.default_rng(1), 0, 0
    for _ in range(150):
        values = (rng.random(200) < 0.3).astype(float) - (rng.random(200) < 0.3)
        looks = [anytime(values[:n], -1.0, 1.0) for n in range(5, 201, 5)]
        missed += any(not look.low <= 0 <= look.high for look in looks)
        always += any(
            abs(look.rate) > 1.96 * values[:n].std() / n**0.5 for n, look in zip(range(5, 201, 5), looks, strict=True)
        )
    assert missed <= 7 < 20 < always


def test_it_narrows_down_to_the_mean():
    values = np.tile([1.0, 0.0, 0.0, 0.0], 2000)
    look = anytime(values, 0.0, 1.0)
    assert look.low < 0.25 < look.high and look.high - look.low < 0.05
    assert anytime(values[:0], 0.0, 1.0)[1:] == (0.0, 1.0)


def test_groups_weigh_as_many_as_they_are():
    values, sizes = np.array([1.0, 0.0, 1.0]), np.array([2, 1, 1])
    off = 1.959963984540054 * np.sqrt(3 / 2 * ((2 / 4) ** 2 + (3 / 4) ** 2 + (1 / 4) ** 2) / 4**2)
    assert mean(values, sizes) == pytest.approx((3 / 4, 3 / 4 - off, 3 / 4 + off))
    assert mean(values, np.full(3, 7)) == mean(values)
    rates, alike = np.arange(40) % 7 / 6, np.full(40, 5)
    assert effective(rates, 200, alike) == effective(rates, 200) and clustered(rates, 200, alike) == clustered(
        rates, 200
    )
    assert clustered(np.repeat([1.0, 0.0], 20), 160, np.repeat([7, 1], 20)).rate == pytest.approx(7 / 8)
    assert clustered(np.ones(30), 45, np.repeat([1, 2], 15)) == pytest.approx(wilson(27, 27))  # 45**2 / (15 + 60)


def test_the_interval_of_groups_of_several_sizes_is_seldom_wrong():
    rng, sizes = np.random.default_rng(2), np.repeat([1, 2, 6], 20)
    chances = np.repeat([0.6, 0.4, 0.2], 20)  # the larger the group, the fewer of it are won
    true = (sizes * chances).sum() / sizes.sum()
    told = [clustered(rng.binomial(sizes, chances) / sizes, sizes.sum(), sizes) for _ in range(1000)]
    assert np.mean([not one.low <= true <= one.high for one in told]) < 0.07


def test_a_few_equal_values_do_not_say_that_all_are():
    assert mean(np.ones(10)) == (1, 1, 1)
    assert bounded_mean(np.ones(10), -1.0, 1.0) == pytest.approx((1, 2 * wilson(10, 10).low - 1, 1))
    none, some = bounded_mean(np.zeros(10), -1.0, 1.0), wilson(0, 10)
    assert none.high == -none.low == pytest.approx(some.high)
    assert bounded_mean(np.ones(1), 0.0, 1.0) == pytest.approx(wilson(1, 1))
    assert bounded_mean(np.ones(0), -1.0, 2.0)[1:] == (-1.0, 2.0)


@pytest.mark.parametrize("wins", [0, 1, 7, 20, 33, 40])
def test_the_mean_of_zeros_and_ones_is_a_rate(wins):
    values = np.repeat([0.0, 1.0], [40 - wins, wins])
    assert bounded_mean(values, 0.0, 1.0) == pytest.approx(wilson(wins, 40))
    assert bounded_mean(3 * values - 1, -1.0, 2.0) == pytest.approx([3 * x - 1 for x in wilson(wins, 40)])


@pytest.mark.parametrize(("better", "worse"), [(0.02, 0.0), (0.0, 0.03), (0.05, 0.01), (0.3, 0.1), (0.9, 0.05)])
@pytest.mark.parametrize("n", [20, 60, 200, 400])
def test_the_interval_of_a_difference_of_few_games_is_seldom_wrong(n, better, worse):
    rng = np.random.default_rng(n)
    games = rng.choice([1.0, -1.0, 0.0], (2000, n), p=[better, worse, 1 - better - worse])
    told = [bounded_mean(one, -1.0, 1.0) for one in games]
    wrong = np.mean([not one.low <= better - worse <= one.high for one in told])
    assert wrong < 0.07
