"""The images in an LMDB of Caffe or Caffe2."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

import numpy as np

from penstock import _native
from penstock._native import Samples
from penstock.cli.checking.member import NO_DATA, Array, Member
from penstock.readers.core.order import Indices
from penstock.readers.core.sample_source import UnreadableError
from penstock.readers.records.lmdb import LmdbValues
from penstock.storage import Storage

_Parser: TypeAlias = Callable[[Samples], tuple[list[Samples], dict[int, str]]]

_AT_ONCE = 64
_PARSERS: tuple[_Parser, ...] = (
    lambda messages: _native.caffe_datums(messages, True, True),
    lambda messages: _native.caffe_datums(messages, True, False),
    lambda messages: _native.caffe2_tensors(messages, ["image", "label"], 0),
    lambda messages: _native.caffe2_tensors(messages, ["image"], 0),
)


def lmdb_members(path: str) -> Iterator[Member]:
    """The image files in a database, named by their keys; the offset of a member is the number of its entry.

    Images that are stored as pixels have nothing to decode: only their messages are checked.
    """
    values = _values(path)
    usual = _PARSERS[0]
    for first in range(0, len(values), _AT_ONCE):
        messages, numbers, unreadable = _read(values, np.arange(first, min(first + _AT_ONCE, len(values))))
        yield from (Member(f"{number}", NO_DATA, reason, number) for number, reason in unreadable.items())
        for at, number in enumerate(numbers.tolist()):
            assert messages is not None
            assert messages.sources is not None
            key = messages.sources[at].removeprefix(f"{path} at key ")
            message = Samples.wrap_one(messages.sample(at))
            usual = _parser(message, usual)
            outputs, failures = usual(message)
            if failures:
                yield Member(key, NO_DATA, failures[0], number)
            elif outputs[0].sample(0).ndim == 1:
                label = f"{outputs[1].sample(0).ravel()[0]:g}" if len(outputs) > 1 else ""
                yield Member(key, np.array(outputs[0].sample(0)), "", number, label)


def read_lmdb_member(path: str, number: int) -> Array | None:
    """Reads one image file again, by the number of its entry."""
    message = _values(path).read(np.array([number]))
    outputs, failures = _parser(message, _PARSERS[0])(message)
    return None if failures else np.array(outputs[0].sample(0))


def _values(path: str) -> LmdbValues:
    return LmdbValues(Storage(), [path], "the entry cannot be read")


def _parser(message: Samples, usual: _Parser) -> _Parser:
    """The first that parses a message, `usual` if none does: databases do not say if they are Caffe's or Caffe2's."""
    return next((parse for parse in _PARSERS if not parse(message)[1]), usual)


def _read(values: LmdbValues, numbers: Indices) -> tuple[Samples | None, Indices, dict[int, str]]:
    """The entries that can be read, their numbers, and why others cannot be."""
    unreadable: dict[int, str] = {}
    while len(numbers):
        try:
            return values.read(numbers), numbers, unreadable
        except UnreadableError as error:
            unreadable |= {int(numbers[at]): str(why) for at, why in error.failures.items()}
            numbers = np.delete(numbers, [*error.failures])
    return None, numbers, unreadable
