"""Saved states of readers: JSON of the position and the options of the order, also combined from several shards."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from itertools import groupby
from typing import Any, NamedTuple

from penstock.readers.core.order import LastBatch, Order, OrderOptions, OrderPosition, UnfinishedVisit, Visits
from penstock.readers.core.sampler import Sampled
from penstock.readers.core.shards import EpochRemainder, Resharded, Shards

_VERSION = 1
# Options that must be equal for a position to mean the same sample, and those that are restored with it.
_FIXED_OF_ALL = ("stick_to_shard", "random_shuffle", "shuffle_after_epoch")
_RESTORED = ("initial_fill", "shuffle_after_epoch_seed")
# Bounds for damaged states: no run reaches them, and beyond them restoring would take too long.
_MOST_SAMPLES = 1 << 40
_MOST_EPOCHS = 1 << 31
_LARGEST_BATCH = 1 << 31
_MOST_SHUFFLED = 1 << 37  # samples times the epochs that `shuffle_after_epoch` has to replay
_NUMBERS = range(-(1 << 63), 1 << 63)


class ReaderState:
    """The position of a reader, to be given to `set_state` of a new one. `str()` is its text, for a file.

    Example:
        >>> text = str(reader.get_state())
        >>> new_reader.set_state(text)
    """

    __module__ = "penstock.readers"  # where pickles find it, wherever this file is

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
    """Decodes a state's text; raises binascii.Error if it is not base64."""
    if not isinstance(state, (ReaderState, str, bytes)):
        raise TypeError(f"state must be a ReaderState, str or bytes, got {type(state).__name__}.")
    return base64.b64decode(str(state) if isinstance(state, ReaderState) else state, validate=True)


def save(order: Order, epoch: int, position: OrderPosition, left: int) -> bytes:
    """Serializes the position of a reader after `epoch` finished epochs, with `left` samples left of one that began."""
    options = {field.name: getattr(order.options, field.name) for field in fields(OrderOptions)}
    saved = {"version": _VERSION, "size": order.size, "epoch": epoch, "position": position, "options": options}
    unfinished = {"left": left, "batch_size": order.batch_size} if left else {}
    return json.dumps({**saved, **unfinished, **order.visits.saved(position)}, separators=(",", ":")).encode()


class Restored(NamedTuple):
    """What `load` restores: the order, the number of finished epochs, and the samples left of one that began."""

    order: Order
    epoch: int
    left: int


def load(
    payload: bytes,
    size: int,
    options: OrderOptions,
    sampler: Iterable[int] | None,
    last_batch: LastBatch = "fill",
    batch_size: int = 1,
) -> Restored:
    """Restores what `save` wrote, for a reader of `size` samples.

    States of versions that did not save how much of an epoch is left begin a whole one, as they did there.
    """
    saved = _parsed(payload)
    shared = _validated_history(saved["rest"]) if "rest" in saved else []
    for shards in shared:  # before memory is allocated for so many samples
        _check_same(shards[0], size, options, _FIXED_OF_ALL)
    if shared and "position" not in saved:
        resharded = Resharded(Shards(size, _restored(shared[0][0], options)), _epoch_remainder(saved["rest"]))
        return Restored(Order(resharded, None, last_batch, batch_size), resharded.first.visit, 0)
    before = _Saved.read(saved)
    _check_same(before, size, options, (*_FIXED_OF_ALL, "num_shards", "pad_last_batch"))
    if ("sampler" in saved) != (sampler is not None):
        raise RuntimeError("the reader's state and the reader must both have a sampler, or neither")
    rest = _epoch_remainder(saved["rest"]) if shared else None
    options = _restored(before, options)
    visits = _visits(Shards(size, options), rest) if sampler is None else Sampled(size, options, sampler)
    order = Order(visits, before.position, last_batch, batch_size)
    if options.pad_last_batch and before.left and before.batch_size != batch_size:
        return Restored(order, before.epoch, order.left_in_visit(before.position))  # in whole batches of this size
    return Restored(order, before.epoch, before.left)


def is_padded(payload: bytes) -> bool:
    """Whether a state was saved with padding; those that were resharded fit either way."""
    saved = _parsed(payload)
    return "position" in saved and _Saved.read(saved).options.pad_last_batch


def reshard(states: Sequence[ReaderState | str | bytes]) -> ReaderState:
    """One state out of those of all shards: readers with any number of shards share what is left of the epoch.

    Every sample that the old readers had not handed out in this epoch comes exactly once, whatever the new batch size;
    the epochs after it are whole. Give the same state to all the new readers.

    Example:
        >>> state = ndd.readers.reshard([state_of_shard_0, state_of_shard_1])
        >>> reader = ndd.readers.File(file_root="train", num_shards=3, shard_id=rank)
        >>> reader.set_state(state)
    """
    parsed = [_parsed(payload_of(state)) for state in states]
    rest = _combined(parsed)
    _validated_history(rest)
    return ReaderState(None, json.dumps({"version": _VERSION, "rest": rest}, separators=(",", ":")).encode())


class _Saved(NamedTuple):
    """The state of one reader, validated."""

    size: int
    epoch: int
    position: OrderPosition
    options: OrderOptions
    left: int
    batch_size: int

    @classmethod
    def read(cls, saved: dict[str, Any]) -> _Saved:
        try:
            size, epoch = _count(saved["size"], _MOST_SAMPLES), _count(saved["epoch"], _MOST_EPOCHS)
            visit, offset, generator = saved["position"]
            options = _options(saved["options"])
            options.check(size)
            position = OrderPosition(_count(visit, _MOST_EPOCHS), _count(offset, _LARGEST_BATCH + size), generator)
            if not 0 < _count(generator) < 2147483647:
                raise ValueError(f"{generator} is no state of the shuffling generator")
            if options.shuffle_after_epoch and size * visit > _MOST_SHUFFLED:
                raise ValueError(f"{size} samples were not shuffled {visit} times")
            left = _count(saved.get("left", 0), _LARGEST_BATCH + size)
            return cls(size, epoch, position, options, left, _count(saved.get("batch_size", 0), _LARGEST_BATCH))
        except (ValueError, TypeError, KeyError, RuntimeError) as error:
            raise _not_ours(saved, error) from None


def _combined(states: list[dict[str, Any]]) -> dict[str, Any]:
    """Combines the states of all shards into one that stores their common part once, as `EpochRemainder.saved`."""
    read = [_Saved.read(state) for state in states]
    if not read:
        raise ValueError("the states of all shards are needed, got none")
    first = read[0]
    for each in read[1:]:
        _check_same(each, first.size, first.options, (*_FIXED_OF_ALL, *_RESTORED, "num_shards"))
    by_shard = {each.options.shard_id: each.position for each in read}
    if len(read) != len(by_shard) or len(by_shard) != first.options.num_shards:
        shards = ", ".join(str(each.options.shard_id) for each in read)
        raise RuntimeError(f"the states of all {first.options.num_shards} shards are needed, got those of {shards}")
    if any("sampler" in state for state in states):
        raise RuntimeError("the order of a sampler is its own: it cannot be shared out among other shards")
    before = [state["rest"] for state in states if "rest" in state]
    if any(each != before[0] for each in before):
        raise RuntimeError("the shards went on from different states; give the result of `reshard` to all of them")
    positions = _in_runs([by_shard[shard] for shard in range(len(by_shard))])
    saved = {"size": first.size, "options": states[0]["options"], "positions": positions}
    return {**saved, "rest": before[0]} if before else saved


def _in_runs(positions: list[OrderPosition]) -> list[tuple[int, ...]]:
    """The positions of shards, one after the other, with the number of shards in a row that have it as a fourth number.

    Shards that take their steps together are at few different positions, however many they are.
    """
    return [(*position, len([*shards])) for position, shards in groupby(positions)]


def _from_runs(runs: list[list[int]], shards: int) -> list[list[int]]:
    """The positions of all shards; in states of older versions there is one for each shard, without a number."""
    counts = [_count(run[3], shards) if len(run) == 4 else 1 for run in runs]
    if sum(counts) > shards:
        raise ValueError(f"{sum(counts)} positions for {shards} shards")
    return [run[:3] for run, count in zip(runs, counts, strict=True) for _ in range(count)]


def _split_by_shard(rest: dict[str, Any]) -> list[_Saved]:
    """Splits a combined state into those of the shards, validated."""
    try:
        options, size = rest["options"], rest["size"]
        positions = _from_runs(rest["positions"], options["num_shards"])
        if not positions or len(positions) != options["num_shards"]:
            raise ValueError(f"{len(positions)} positions for {options['num_shards']} shards")
        states = [
            {"size": size, "epoch": 0, "position": position, "options": {**options, "shard_id": shard}}
            for shard, position in enumerate(positions)
        ]
    except (ValueError, TypeError, KeyError) as error:
        raise _not_ours(rest, error) from None
    return [_Saved.read(state) for state in states]


def _validated_history(rest: Any) -> list[list[_Saved]]:
    """The states of all shards, validated, followed by those of the earlier reshardings that they continued from."""
    shared = []
    while rest is not None:
        shards = _split_by_shard(rest)
        visits = [each.position.visit for each in shards]
        if max(visits) > min(visits) + 1:
            raise RuntimeError("the shards' states are more than an epoch apart; save them at the same step")
        shared.append(shards)
        rest = rest.get("rest")
    return shared


def _epoch_remainder(saved: dict[str, Any]) -> EpochRemainder:
    """What all shards have left of their epoch; `_validated_history` has validated the state."""
    shards = _split_by_shard(saved)
    before = _epoch_remainder(saved["rest"]) if "rest" in saved else None
    whole = Shards(shards[0].size, shards[0].options)
    visits = [
        UnfinishedVisit(_visits(whole.of_shard(shard), before), each.position) for shard, each in enumerate(shards)
    ]
    epoch = min(visit.position.visit for visit in visits)
    here = [visit for visit in visits if visit.position.visit == epoch]
    return EpochRemainder(epoch, here, [visit for visit in visits if visit.position.visit > epoch], saved)


def _visits(shards: Shards, rest: EpochRemainder | None) -> Visits:
    return shards if rest is None else Resharded(shards, rest)


def _parsed(payload: bytes) -> dict[str, Any]:
    try:
        saved = json.loads(payload)
        if saved["version"] != _VERSION:
            raise ValueError(f"version {saved['version']} instead of {_VERSION}")
        if "position" not in saved and not saved["rest"]:
            raise ValueError("no position")
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise RuntimeError(f"the reader's state {payload[:60]!r} {_NOT_OURS}: {error}") from None
    state: dict[str, Any] = saved
    return state


_NOT_OURS = "was not saved by this release"


def _not_ours(saved: Any, error: Exception) -> RuntimeError:
    return RuntimeError(f"the reader's state {json.dumps(saved)[:60]!r} {_NOT_OURS}: {error}")


def _check_same(before: _Saved, size: int, options: OrderOptions, names: tuple[str, ...]) -> None:
    fixed = [(name, getattr(before.options, name), getattr(options, name)) for name in names]
    for name, then, now in [("number of samples", before.size, size), *fixed]:
        if then != now:
            divides = name in ("num_shards", "pad_last_batch")
            way = "`reshard` the states of all shards" if divides else "build it as it was then"
            raise RuntimeError(f"the reader's state was saved with {name}={then}, this reader has {now}; {way}")


def _restored(before: _Saved, options: OrderOptions) -> OrderOptions:
    return replace(options, **{name: getattr(before.options, name) for name in _RESTORED})


def _options(saved: dict[str, Any]) -> OrderOptions:
    """The saved options, checked for their types and ranges."""
    options = OrderOptions(**saved)
    for field in fields(OrderOptions):
        value = getattr(options, field.name)
        if isinstance(field.default, bool) != isinstance(value, bool):
            raise ValueError(f"{field.name} is {value!r}")
    if _count(options.shard_id) >= _count(options.num_shards, _MOST_SAMPLES):
        raise ValueError(f"there is no shard {options.shard_id} of {options.num_shards}")
    for number in (options.seed, options.shuffle_after_epoch_seed or 0, options.initial_fill):
        if not isinstance(number, int) or number not in _NUMBERS:
            raise ValueError(f"{number!r} is no seed, nor a number of samples")
    return options


def _count(value: Any, most: int = (1 << 63) - 1) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise ValueError(f"{value!r} is not a count up to {most}")
    return value
