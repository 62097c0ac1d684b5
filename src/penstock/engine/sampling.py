"""Chooses which of many short events are measured, so that measuring costs little of the time that it measures.

Measuring an event takes tens of microseconds: clocks, the event itself, adding it up. Events that last milliseconds
are all measured. Of shorter ones with the same key, the name of an operator, every n-th is measured, at random
distances around n, and stands for those left out before it. Distances follow from the mean time of a key, so the bound
on the cost also holds where long and short events share one.
"""

from __future__ import annotations

from random import random

# What measuring an event takes, in seconds, and the part of the event's own time that it may take.
_COST = 60e-6
_SHARE = 0.005
# The first ones of a key are all measured, to know how long they last.
_FIRST = 8
_MOST = 2000
# Of so many the mean is taken, so that a change is noticed.
_MEMORY = 16


class _Key:
    """The events of one key: how many are left out before the next one, and how many that one stands for."""

    __slots__ = ("left", "mean", "measured", "weight")

    def __init__(self) -> None:
        self.left = 0
        self.weight = 1
        self.measured = 0
        self.mean = 0.0


class Sampling:
    """Decides for the events of a kind. `complete` counts the listeners that want all of them."""

    def __init__(self) -> None:
        self.complete = 0
        self._keys: dict[str, _Key] = {}

    def weight(self, key: str) -> int:
        """Returns how many events the one that happens now stands for, 0 where it is not to be measured."""
        try:
            known = self._keys[key]
        except KeyError:
            self._keys[key] = _Key()
            return 1
        if known.left > 0:
            known.left -= 1
            return 0
        return known.weight

    def measured(self, key: str, seconds: float) -> None:
        """Notes how long an event lasted, and decides how many like it are left out before the next one."""
        known = self._keys.get(key)
        if known is None:
            return
        known.measured += 1
        known.mean += (seconds - known.mean) / min(known.measured, _MEMORY)
        distance = min(_MOST, _COST / (_SHARE * max(known.mean, 1e-9)))
        if distance > 1 and known.measured >= _FIRST and not self.complete:
            known.left = int(2 * distance * random())
        known.weight = known.left + 1

    def forget(self) -> None:
        """Forgets all keys, for a listener that begins: what was left out before is not its own."""
        self._keys.clear()
