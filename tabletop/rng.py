"""The record's own generator: Marsaglia's xorshift128 (Xorshift RNGs, 2003) on four 32-bit words.

Words are kept in int64 fields and every product stays below 2**63, so compiled and uncompiled code agree bit for bit.
"""

from __future__ import annotations

from typing import Protocol

from tabletop.fields import Array, i8, shape
from tabletop.jit import kernel

MASK = 0xFFFFFFFF


class Generator(Protocol):
    """A record with a generator: any state, and whatever else draws."""

    rng: Array[i8] = shape(4)


@kernel
def _times(a: int, b: int) -> int:
    """The low 32 bits of a product of two 32-bit numbers, without overflowing 64 bits."""
    return ((a & 0xFFFF) * b + ((((a >> 16) * b) & 0xFFFF) << 16)) & MASK


@kernel
def _mix(x: int) -> int:
    """MurmurHash3's 32-bit finaliser."""
    x = _times(x ^ (x >> 16), 0x85EBCA6B)
    x = _times(x ^ (x >> 13), 0xC2B2AE35)
    return x ^ (x >> 16)


@kernel
def seed_generator(s: Generator, seed: int) -> None:
    """Sets ``s.rng`` (int64[4]) from a seed (any int64, 0 included)."""
    low = int(seed) & MASK
    high = (int(seed) >> 32) & MASK
    for i in range(4):
        low = (low + 0x9E3779B9) & MASK
        s.rng[i] = _mix(low ^ _mix((high + i) & MASK))
    s.rng[3] |= 1


@kernel
def next_word(s: Generator) -> int:
    """The next 32 random bits."""
    t = int(s.rng[0])
    t ^= (t << 11) & MASK
    w = int(s.rng[3])
    s.rng[0] = s.rng[1]
    s.rng[1] = s.rng[2]
    s.rng[2] = w
    w = (w ^ (w >> 19)) ^ (t ^ (t >> 8))
    s.rng[3] = w
    return w


@kernel
def below(s: Generator, n: int) -> int:
    """A random number 0..n-1 (n below 2**31), by Lemire's multiply-and-shift; the bias is below n / 2**32."""
    return (next_word(s) * int(n)) >> 32
