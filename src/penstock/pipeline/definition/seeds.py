"""Seeds of random operators, drawn from that of the pipeline as DALI draws them."""

from __future__ import annotations

import secrets
from collections.abc import Iterator

_COUNT = 1024
_MASK = 0xFFFFFFFF


class Seeds:
    """Hands out seeds to operators without one of their own, in the order in which they are defined."""

    def __init__(self, seed: int | None) -> None:
        self.of_pipeline = secrets.randbits(31) if seed is None or seed < 0 else seed
        self._left = self._endless()

    def next(self) -> int:
        return next(self._left)

    def _endless(self) -> Iterator[int]:
        words = seed_sequence([self.of_pipeline & _MASK], _COUNT)
        while True:
            yield from words


def seed_sequence(given: list[int], count: int) -> list[int]:
    """The words that std::seed_seq of C++ generates from a seed, for a count of at least 623."""
    made = [0x8B8B8B8B] * count
    shift = (count - 11) // 2
    rounds = max(len(given) + 1, count)

    def mixed(k: int) -> int:
        return made[k % count] ^ made[(k + shift) % count] ^ made[(k - 1) % count]

    for k in range(rounds):
        word = _scrambled(mixed(k), 1664525)
        made[(k + shift) % count] = made[(k + shift) % count] + word & _MASK
        word += k % count + given[k - 1] if 0 < k <= len(given) else (k % count if k else len(given))
        made[(k + shift + 11) % count] = made[(k + shift + 11) % count] + word & _MASK
        made[k % count] = word & _MASK
    for k in range(rounds, rounds + count):
        total = made[k % count] + made[(k + shift) % count] + made[(k - 1) % count] & _MASK
        word = _scrambled(total, 1566083941)
        made[(k + shift) % count] ^= word
        word = word - k % count & _MASK
        made[(k + shift + 11) % count] ^= word
        made[k % count] = word
    return made


def _scrambled(word: int, factor: int) -> int:
    return factor * (word ^ word >> 27) & _MASK
