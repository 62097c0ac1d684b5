"""Damaged copies of files: bytes and numbers changed, parts cut out, repeated, moved or taken from another file."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from random import Random

_NEAR_START = 128
_NUMBERS = (
    0, 1, 7, 8, 16, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 1 << 24, (1 << 31) - 1, 1 << 31, (1 << 32) - 1,
    1 << 33, 1 << 53, (1 << 63) - 1, 1 << 63, (1 << 64) - 1,
)  # fmt: skip
_FORMS = ("<B", "<H", ">H", "<I", ">I", "<Q", ">Q")
_DIGITS = (
    b"0",
    b"-1",
    b"99999999999999999999",
    b"1e999",
    b"NaN",
    b"2147483648",
    b"null",
    b"[]",
    b"{}",
    b'"',
    b"\\u0000",
)


def mutated(random: Random, corpus: Sequence[bytes]) -> bytes:
    """One of the files, with one to eight things wrong with it."""
    data = bytearray(random.choice(corpus))
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 5, 8))):
        if not data:
            break
        random.choice(_WAYS)(random, data, corpus)
    return bytes(data)


def _place(random: Random, data: bytearray) -> int:
    """Anywhere, but half of the time in what is the header of most formats."""
    return random.randrange(min(len(data), _NEAR_START) if random.random() < 0.5 else len(data))


def _span(random: Random, data: bytearray) -> slice:
    at = _place(random, data)
    return slice(at, at + random.choice((1, 2, 4, 16, 64, 512, len(data))))


def _flip(random: Random, data: bytearray, corpus: Sequence[bytes]) -> None:
    data[_place(random, data)] ^= 1 << random.randrange(8)


def _set_byte(random: Random, data: bytearray, corpus: Sequence[bytes]) -> None:
    data[_place(random, data)] = random.randrange(256)


def _set_number(random: Random, data: bytearray, corpus: Sequence[bytes]) -> None:
    form = random.choice(_FORMS)
    size = struct.calcsize(form)
    at = _place(random, data)
    number = random.choice(_NUMBERS) + random.choice((0, 0, 0, -1, 1))
    data[at : at + size] = struct.pack(form, number % (1 << 8 * size))


def _set_digits(random: Random, data: bytearray, corpus: Sequence[bytes]) -> None:
    """In formats of text, a number or another value in place of a run of digits."""
    at = _place(random, data)
    start = next((i for i in range(at, min(at + 256, len(data))) if 48 <= data[i] < 58), at)
    end = next((i for i in range(start, len(data)) if not 48 <= data[i] < 58), len(data))
    data[start:end] = random.choice(_DIGITS)


def _cut(random: Random, data: bytearray, corpus: Sequence[bytes]) -> None:
    del data[_place(random, data) :]


def _remove(random: Random, data: bytearray, corpus: Sequence[bytes]) -> None:
    del data[_span(random, data)]


def _repeat(random: Random, data: bytearray, corpus: Sequence[bytes]) -> None:
    part = data[_span(random, data)]
    at = _place(random, data)
    data[at:at] = part * random.choice((1, 1, 2, 16) if len(part) < 1024 else (1,))


def _splice(random: Random, data: bytearray, corpus: Sequence[bytes]) -> None:
    other = bytearray(random.choice(corpus))
    if other:
        data[_place(random, data) :] = other[_place(random, other) :]


def _fill(random: Random, data: bytearray, corpus: Sequence[bytes]) -> None:
    part = _span(random, data)
    length = len(data[part])
    data[part] = random.randbytes(length) if random.random() < 0.5 else bytes([random.choice((0, 255))]) * length


_WAYS = (_flip, _flip, _set_byte, _set_byte, _set_number, _set_number, _set_number, _set_digits, _cut, _remove, _repeat,
         _splice, _fill)  # fmt: skip
