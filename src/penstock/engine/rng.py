"""Random generators: counter-based streams of words (Philox4x32-10).

An operator takes its words when it is called, not when it runs, so the order in which calls run does not change draws.
Any position of a stream can be computed directly, so steps that run ahead draw from positions that are forecast.
"""

from __future__ import annotations

import operator
import os
import re
import sys
import threading
from typing import Any, NamedTuple, final

from penstock._native import philox_words
from penstock.values.new_tuple import new_tuple

_MASK64 = (1 << 64) - 1
_MASK128 = (1 << 128) - 1
_MASK130 = (1 << 130) - 1
_STATE = re.compile(r"Philox_([0-9A-Fa-f]{16})_([0-9A-Fa-f]{16}):([0-9A-Fa-f]{16})_([0-3])")

# An operator call takes this many words, whatever the size of its result.
WORDS_PER_CALL = 7


class State:
    """The state of a generator; its text restores it."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"State({self.text!r})"

    def __eq__(self, other: object) -> bool:
        return str(other) == self.text if isinstance(other, (State, str)) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.text)


class StreamPosition(NamedTuple):
    """A position in a random stream: the key of the stream, and the number of its next word."""

    key: int
    word: int

    def words(self) -> tuple[int, ...]:
        """Returns the words that an operator call takes at this position."""
        counter = self.word >> 2 & _MASK128
        words: tuple[int, ...] = philox_words(self.key, counter >> 64, counter & _MASK64, self.word & 3, WORDS_PER_CALL)
        return words

    def after(self, words: int) -> StreamPosition:
        """Returns the position so many words further on."""
        return new_tuple(StreamPosition, (self.key, self.word + words))


@final
class RNG:
    """A sequence of random 32-bit words (Philox4x32-10), the same for the same seed everywhere.

    Random operators draw from the thread's default generator, or from the one they are given as `rng`. A call takes
    its words when it is made, so that threads, evaluation modes and fusion do not change what is drawn. The state is a
    short text, and a `Checkpoint` keeps it.

    Example:
        >>> rng = ndd.random.RNG(seed=42)
        >>> flips = ndd.random.coin_flip(batch_size=8, rng=rng)
        >>> state = rng.get_state()
        >>> angles = ndd.random.uniform(range=(-10, 10), batch_size=8, rng=rng)
        >>> rng.set_state(state)  # the same angles again, from here

    Args:
        seed: Chooses the sequence; a random one when left out.
        state: Continues where another generator stood, instead of a seed.
    """

    __slots__ = ("_forks", "_key", "_seeded", "_word")

    def __init__(self, seed: int | None = None, state: State | str | None = None) -> None:
        if seed is not None and state is not None:
            raise ValueError("give either a seed or a state, not both")
        if state is not None:
            self.set_state(state)
        else:
            self._restart(int.from_bytes(os.urandom(8), "little") if seed is None else seed, seed is not None)

    def _restart(self, seed: Any, seeded: bool) -> None:
        self._key = _integer("a seed", seed) & _MASK64
        self._word = 0  # the number of the next one: a counter of 128 bits, and which of the 4 words that it gives
        self._seeded = seeded  # whether somebody chose the sequence
        self._forks = 0  # of the process since then

    def __call__(self) -> int:
        """Takes the next word."""
        return self._take(1)[0]

    def take_words(self) -> tuple[int, ...]:
        """Takes the words of one operator call."""
        word = self._word  # as `_take`, without a call: every draw comes by here
        words: tuple[int, ...] = philox_words(self._key, word >> 66, word >> 2 & _MASK64, word & 3, WORDS_PER_CALL)
        self._word = (word + WORDS_PER_CALL) & _MASK130
        return words

    def skip_words(self) -> None:
        """Skips the words of one operator call."""
        self._skip(WORDS_PER_CALL)

    @property
    def position(self) -> StreamPosition:
        """The current position in the stream."""
        return new_tuple(StreamPosition, (self._key, self._word))

    def is_at(self, position: StreamPosition) -> bool:
        """Whether that is the current position."""
        return position == (self._key, self._word)

    def _take(self, n: int) -> tuple[int, ...]:
        word = self._word
        words: tuple[int, ...] = philox_words(self._key, word >> 66, word >> 2 & _MASK64, word & 3, n)
        self._word = (word + n) & _MASK130
        return words

    def advance(self, n: int) -> None:
        """Skips n words."""
        n = _integer("the number of words", n)
        if n < 0:
            raise ValueError(f"a generator cannot go back, got {n}")
        self._skip(n)

    def _skip(self, n: int) -> None:
        self._word = (self._word + n) & _MASK130

    def offspring(self) -> RNG:
        """Returns a new generator whose seed depends on the position of this one, which does not move."""
        low, high, *_ = self.position.words()
        return RNG(high << 32 | low)

    def branch(self, number: int) -> int:
        """Returns a seed for a position and a positive number, made from words far beyond any that are drawn."""
        low, high = philox_words(self._key, _MASK64 - number, self._word >> 2 & _MASK64, self._word & 3, 2)
        return int(high) << 32 | int(low)

    def clone(self) -> RNG:
        """Returns another generator that continues the same sequence from here."""
        return RNG(state=self.get_state())

    def get_state(self, *, cuda_stream: Any = None) -> State:
        """Returns the state of the generator."""
        high, low = self._word >> 66, self._word >> 2 & _MASK64
        return State(f"Philox_{self._key:016X}_{high:016X}:{low:016X}_{self._word & 3}")

    def set_state(self, value: State | str) -> None:
        """Continues from a state, or from its text."""
        if not isinstance(value, (State, str)):
            raise TypeError(f"a state is a State or its text, got {type(value).__name__}")
        found = _STATE.fullmatch(str(value))
        if found is None:
            raise ValueError(f"not the state of a generator: {str(value)!r}")
        self._key = int(found[1], 16)
        self._word = int(found[2], 16) << 66 | int(found[3], 16) << 2 | int(found[4])
        self._seeded = True
        self._forks = 0

    @property
    def state(self) -> State:
        """The state, as with get_state and set_state."""
        return self.get_state()

    @state.setter
    def state(self, value: State | str) -> None:
        self.set_state(value)

    @property
    def seed(self) -> int:
        """Assigning a seed starts its sequence; it cannot be read."""
        raise AttributeError("the seed of a generator cannot be read; use get_state()")

    @seed.setter
    def seed(self, seed: int) -> None:
        self._restart(seed, True)

    def part_from_parent(self) -> None:
        """In a forked child: goes on with numbers of its own, by where the parent stood and how often it had forked."""
        self._restart(self.branch(self._forks), self._seeded)

    def follow(self, seed: int) -> None:
        """Starts the sequence of a seed, unless somebody chose another."""
        if not self._seeded:
            self._restart(seed, False)

    def count_fork(self) -> None:
        """Before the process is forked: the next child is another one."""
        self._forks += 1

    def __repr__(self) -> str:
        return f"RNG(state='{self.get_state()}')"


def _integer(what: str, value: Any) -> int:
    """Converts a value with `__index__`, such as a NumPy integer, to an int; raises TypeError for others."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{what} is an int, got {type(value).__name__}") from None


class ThreadRng(threading.local):
    """The generator that the operators of a thread draw from. Whoever makes steps ahead replaces it meanwhile."""

    def __init__(self) -> None:
        self.rng = RNG()


thread_rng = ThreadRng()


def get_default_rng() -> RNG:
    """Returns the calling thread's generator, which operators without `rng=` draw from."""
    if _may_be_worker:
        _follow_data_loader()
    return thread_rng.rng


# Whether this may be a worker process of torch's DataLoader, which is not known yet when it begins.
_may_be_worker = True


def _follow_data_loader() -> None:
    """Starts a worker's generator from the seed that torch gives the worker in every epoch, if none was set."""
    global _may_be_worker
    if threading.current_thread() is not threading.main_thread():
        return
    _may_be_worker = False
    loading = sys.modules.get("torch.utils.data")
    worker = None if loading is None else loading.get_worker_info()
    if worker is not None:
        thread_rng.rng.follow(worker.seed)


def _reseed_child() -> None:
    global _may_be_worker
    _may_be_worker = True
    thread_rng.rng.part_from_parent()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=lambda: thread_rng.rng.count_fork(), after_in_child=_reseed_child)


def set_seed(seed: int) -> None:
    """Starts the calling thread's generator anew from a seed.

    Processes that are forked later, such as the workers of a DataLoader, draw other numbers than their parent and each
    other, also when those of the next epoch are forked; with the same seed they are the same in every run. Where no
    seed is set, the workers of a DataLoader follow `torch.manual_seed`. So do those that are spawned, which do
    not know of a seed that is set here.
    """
    thread_rng.rng.seed = seed
