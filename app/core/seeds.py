"""Randomness by hashing: a seed and a name give the same draw on every machine and in every order."""

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

from app.core.identity import canonical_json

T = TypeVar("T")
Seed = int | str
"""A number that may be public, or a text that is a secret: who does not know it cannot make a draw again."""


def draw(seed: Seed, *name: Any) -> int:
    """64 bits that depend on `seed` and `name` alone."""
    return int.from_bytes(hashlib.sha256(canonical_json([seed, *name]).encode()).digest()[:8])


def unit(seed: Seed, *name: Any) -> float:
    """A number in [0, 1) with 53 random bits."""
    return (draw(seed, *name) >> 11) / (1 << 53)


def below(limit: int, seed: Seed, *name: Any) -> int:
    """A whole number in [0, limit)."""
    return draw(seed, *name) % limit


def choose(items: Sequence[T], seed: Seed, *name: Any) -> T:
    """One of `items`."""
    return items[below(len(items), seed, *name)]


def shuffled(items: Sequence[T], seed: Seed, *name: Any) -> list[T]:
    """`items` in an order that depends on their positions, `seed` and `name`."""
    return [items[i] for i in sorted(range(len(items)), key=lambda i: (draw(seed, *name, i), i))]


def permutation(size: int, seed: int, *name: Any) -> Iterator[int]:
    """Every whole number of [0, size) once, in a seeded order, without holding them in memory.

    A Feistel network of six rounds over the smallest even number of bits that covers `size`;
    numbers that fall outside are walked on until they fall inside (cycle walking: Black and Rogaway, 2002).
    """
    half = max(1, ((size - 1).bit_length() + 1) // 2)
    mask = (1 << half) - 1
    key = hashlib.sha256(canonical_json([seed, *name]).encode()).digest()
    keyed = hashlib.blake2b(key=key, digest_size=8)

    def mix(round_number: int, value: int) -> int:
        mixed = keyed.copy()
        mixed.update(b"%d:%d" % (round_number, value))
        return int.from_bytes(mixed.digest()) & mask

    def encrypt(value: int) -> int:
        left, right = value >> half, value & mask
        for round_number in range(6):
            left, right = right, left ^ mix(round_number, right)
        return (left << half) | right

    for start in range(size):
        value = encrypt(start)
        while value >= size:
            value = encrypt(value)
        yield value
