import numpy as np
import pytest

from tabletop.jit import entry
from tabletop.loops import GENERATOR
from tabletop.rng import below, next_word, seed_generator

MASK = 0xFFFFFFFF


@entry
def draw(g, seed, words, numbers, n):
    seed_generator(g[0], seed)
    for i in range(len(words)):
        words[i] = next_word(g[0])
    for i in range(len(numbers)):
        numbers[i] = below(g[0], n)


def drawn(seed, n, count=1000):
    words, numbers = np.zeros(count, np.int64), np.zeros(count, np.int64)
    draw(np.zeros(1, GENERATOR), seed, words, numbers, n)
    return words.tolist(), numbers.tolist()


def finaliser(x):
    x = ((x ^ x >> 16) * 0x85EBCA6B) & MASK
    x = ((x ^ x >> 13) * 0xC2B2AE35) & MASK
    return x ^ x >> 16


def reference(seed, count):
    """The same generator as published, with Python's own integers."""
    low, high, state = seed & MASK, seed >> 32 & MASK, []
    for i in range(4):
        low = (low + 0x9E3779B9) & MASK
        state.append(finaliser(low ^ finaliser((high + i) & MASK)))
    x, y, z, w = state[0], state[1], state[2], state[3] | 1
    words = []
    for _ in range(count):
        t = (x ^ x << 11) & MASK
        x, y, z = y, z, w
        w = w ^ w >> 19 ^ t ^ t >> 8
        words.append(w)
    return words


@pytest.mark.parametrize("seed", [0, 1, 42, -1, 2**31, 2**32 + 5, 2**63 - 1, -(2**63)])
def test_words_are_xorshift128s(seed):
    assert drawn(seed, 6)[0] == reference(seed, 1000)


def test_known_vector_of_the_finaliser():
    # MurmurHash3's fmix32 of 1, as published implementations give it
    assert finaliser(1) == 0x514E28B7


@pytest.mark.parametrize("n", [1, 2, 6, 100, 2**31 - 1])
def test_below_stays_below_and_reaches_all(n):
    _, numbers = drawn(7, n)
    assert min(numbers) >= 0
    assert max(numbers) < n
    if n <= 6:
        counts = np.bincount(numbers, minlength=n)
        assert counts.min() > 1000 / n * 0.7


def test_neighbouring_seeds_differ_at_once():
    assert len({tuple(drawn(seed, 6, 4)[0]) for seed in range(1000)}) == 1000
