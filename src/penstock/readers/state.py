"""Where a reader stands, as text that can be kept in a checkpoint."""

from __future__ import annotations

import base64
import json
from dataclasses import fields, replace
from typing import Any

from penstock.readers.order import Order, OrderOptions, Position

_VERSION = 1
# What must be the same for a position to mean the same sample; the rest of the options is restored with it.
_FIXED = ("num_shards", "stick_to_shard", "pad_last_batch", "random_shuffle", "shuffle_after_epoch")
_RESTORED = ("initial_fill", "shuffle_after_epoch_seed")


class ReaderState:
    """The position of a reader, to be given to `set_state` of a new one. `str()` is its text, for a file.

    Example:
        >>> text = str(reader.get_state())
        >>> new_reader.set_state(text)
    """

    def __init__(self, op: Any, serialized: bytes) -> None:
        self._text = base64.b64encode(serialized).decode("ascii")

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"ReaderState({self._text!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (ReaderState, str)):
            return NotImplemented
        return self._text == str(other)

    def __hash__(self) -> int:
        return hash(self._text)


def payload_of(state: ReaderState | str | bytes) -> bytes:
    """What is inside a state's text; binascii.Error when it is not base64."""
    if not isinstance(state, (ReaderState, str, bytes)):
        raise TypeError(f"state must be a ReaderState, str or bytes, got {type(state).__name__}.")
    return base64.b64decode(str(state) if isinstance(state, ReaderState) else state, validate=True)


def save(order: Order, epoch: int, position: Position) -> bytes:
    """The position of a reader that has `epoch` epochs behind it."""
    options = {field.name: getattr(order.options, field.name) for field in fields(OrderOptions)}
    saved = {"version": _VERSION, "size": order.size, "epoch": epoch, "position": position, "options": options}
    return json.dumps(saved, separators=(",", ":")).encode()


def load(payload: bytes, size: int, options: OrderOptions) -> tuple[Order, int]:
    """The order and the number of finished epochs that `save` wrote, for a reader of `size` samples."""
    try:
        saved = json.loads(payload)
        if saved["version"] != _VERSION:
            raise ValueError(f"version {saved['version']} instead of {_VERSION}")
        epoch, visit, offset, generator = map(_count, (saved["epoch"], *saved["position"]))
        if not 0 < generator < 2147483647:
            raise ValueError(f"{generator} is no state of the shuffling generator")
        before = OrderOptions(**saved["options"])
        before.check(_count(saved["size"]))
    except (ValueError, TypeError, KeyError, RuntimeError) as error:
        raise RuntimeError(f"the reader's state {payload[:60]!r} was not saved by this release: {error}") from None
    fixed = [(name, getattr(before, name), getattr(options, name)) for name in _FIXED]
    for name, then, now in [("number of samples", saved["size"], size), *fixed]:
        if then != now:
            raise RuntimeError(
                f"the reader's state was saved with {name}={then}, this reader has {now}; build it as it was then"
            )
    restored = {name: getattr(before, name) for name in _RESTORED}
    return Order(size, replace(options, **restored), Position(visit, offset, generator)), epoch


def _count(value: Any) -> int:
    if not isinstance(value, int) or value < 0:
        raise ValueError(f"{value!r} is not a count")
    return value
