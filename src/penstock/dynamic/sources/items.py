"""The items of an `ndd.ExternalSource` as Tensors and Batches, read by the program or ahead by a compiled loop."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from penstock._native import Samples
from penstock.dynamic.calls.recorder import active
from penstock.dynamic.values.batch import Batch, TensorList
from penstock.dynamic.values.construct import as_batch, as_tensor
from penstock.dynamic.values.tensor import Tensor
from penstock.engine.hand_over import Handed
from penstock.engine.rng import RNG, get_default_rng, thread_rng
from penstock.engine.source_lease import LeasedSource, LeaseHolder
from penstock.values.device import Device
from penstock.values.dtypes import DType
from penstock.values.kept_samples import KeptSamples
from penstock.values.new_tuple import new_tuple

Item: TypeAlias = "tuple[Tensor | Batch, ...]"


class Output:
    """The layout, type and device that one of the values of an item is converted to."""

    def __init__(self, layout: str | None, dtype: DType | None, device: Device | None) -> None:
        self._layout = layout
        self._dtype = dtype
        self._device = device
        # Whether Tensors and Batches need no conversion: those not computed yet are then used without waiting for them.
        self.keeps = layout is None and dtype is None and device in (None, Device.CPU)

    def made(self, value: Any) -> Tensor | Batch:
        if isinstance(value, TensorList):
            value = value.as_batch()
        if self.keeps and isinstance(value, (Batch, Tensor)):
            return value
        if isinstance(value, (Batch, KeptSamples)):
            return as_batch(value, self._dtype, self._device, self._layout)
        return as_tensor(value, self._dtype, self._device, self._layout)


class Items(LeasedSource):
    """The items of a source, numbered in order. Each is kept until the program has got it.

    So a compiled loop can fetch items, be interrupted or left, and the program gets them all the same, each once.
    """

    def __init__(self, pull: Callable[[], Any], outputs: Sequence[Output], name: str, background: bool) -> None:
        """With `background`, the source is called in whichever thread fetches an item, else in the loop's own."""
        self.name = name
        self.background = background
        self.place = 0  # the cursor: the number of the item that the program gets next
        self._outputs = outputs
        self._keeps = len(outputs) == 1 and outputs[0].keeps  # a Batch is an item as it is
        self._dropped = 0  # items with lower numbers are dropped
        # The items as the source gave them, or None where it raised. The defaultdict itself calls the source when an
        # item is looked up, so that no interrupt can come between that call and storing the item. Of threads that get
        # the same item, the one that deletes it here keeps it.
        self.pulled: defaultdict[int, Any] = defaultdict(pull)
        self._kept: dict[int, Item | Exception] = {}  # the items as Tensors and Batches
        self._fetched: dict[int, FetchedItem] = {}  # the items as loops got them; most are in here alone
        self._lock = threading.RLock()
        self._rng: RNG | None = None  # for draws of a source called ahead, which must not change those of the program

    def next(self) -> tuple[Item | Exception, int]:
        """Returns the item that the program gets next, or what the source raised instead, and its number."""
        with self._lock:
            number = self.place
            self._drop(number)
            item = self._kept.get(number)
            if item is None:
                fetched = self._fetched.get(number)
                try:
                    item = self._made(self.pulled[number]) if fetched is None else plain_values(fetched)
                except Exception as error:  # takes the place of an item: it is raised once
                    item = self._kept[number] = error  # here: Python 3.12 looks for signals at the end of the clause
                    self.pulled[number] = None
                self._kept[number] = item
            return item, number

    def fetch(self, size: int | None, number: int) -> FetchedItem:
        """Returns the item with that number for a loop that reads batches of a size, or single samples if it is None.

        An item that was fetched before is returned without the lock, so not even a running source delays it.
        """
        fetched = self._fetched.get(number)
        if fetched is not None and fetched.size == size:
            return fetched
        made = self._kept.get(number) or fetched
        if made is None:
            with self._lock:
                if self._dropped < self.place:
                    self._drop(self.place)
                made = self._kept.get(number) or self._fetched.get(number)
                if made is None:
                    made = self._make_ahead(size, number)
        if isinstance(made, FetchedItem):
            if made.size == size:
                return made
            made = plain_values(made)
        fetched = self._fetched[number] = _fetched(number, made, size)
        return fetched

    def _drop(self, before: int) -> None:
        while self._dropped < before:
            self.pulled.pop(self._dropped, None)
            self._kept.pop(self._dropped, None)
            self._fetched.pop(self._dropped, None)
            self._dropped += 1

    def _make_ahead(self, size: int | None, number: int) -> Item | Exception | FetchedItem:
        """Calls the source for an item ahead of the program. Memory of the source, which it may reuse, is copied."""
        drawn_from, loops = get_default_rng(), active.loops
        if self._rng is None:
            self._rng = drawn_from.offspring()
        try:
            thread_rng.rng = self._rng
            active.loops = [*loops, None]  # the calls of a source are not part of the loop's body
            pulled = self.pulled[number]
            if self._keeps and type(pulled) is Batch and pulled._size == size:
                samples = pulled._samples
                if samples is not None:  # as for most
                    outputs = (samples.copied() if samples.external else samples,)
                    fetched = self._fetched[number] = new_tuple(FetchedItem, (number, outputs, False, None, size))
                    return fetched
            item: Item | Exception = tuple(map(_owned, self._made(pulled)))
        except Exception as error:  # raised when the program comes to the step of this item
            item = self._kept[number] = error
            self.pulled[number] = None
        finally:
            active.loops = loops
            thread_rng.rng = drawn_from
        self._kept[number] = item
        return item

    def _made(self, item: Any) -> Item:
        count = len(self._outputs)
        if count == 1:
            return (self._outputs[0].made(item),)
        if not isinstance(item, (tuple, list)) or len(item) != count:
            got = f"{len(item)}" if isinstance(item, (tuple, list)) else f"an object of type {type(item).__name__}"
            raise ValueError(f"Expected {count} outputs from the source in a tuple or list, got {got}")
        return tuple(output.made(value) for output, value in zip(self._outputs, item, strict=True))


class FetchedItem(NamedTuple):
    """An item for a loop, or the error it has instead, its number, and the batch size that the loop asked for.

    It is `single` if its values are Tensors.
    """

    number: int
    outputs: tuple[Samples, ...]
    single: bool
    error: Exception | None
    size: int | None


@dataclass(frozen=True, slots=True)  # whose attributes are found faster than those of a NamedTuple
class Read:
    """A source that is read with a batch size. A compiled loop fetches its items first and hands them over later."""

    items: Items
    size: int | None

    def now(self) -> Handed:
        """Fetches the next item for the program itself, outside of compiled loops; loops give up the source."""
        self.items.claim(None)
        item, number = self.items.next()
        if not isinstance(item, Exception):
            try:
                item = sized(item, self.size)
            except Exception as error:
                item = error
        return Handed(item, self.items, number, number + 1)

    def claim(self, by: LeaseHolder | None) -> None:
        self.items.claim(by)

    @property
    def background(self) -> bool:
        return self.items.background

    @property
    def following(self) -> int:
        """The number of the item that the program gets next."""
        return self.items.place

    @property
    def fetch(self) -> Callable[[int], FetchedItem]:
        """The function that returns the item with a number."""
        return partial(self.items.fetch, self.size)

    def handed(self, fetched: FetchedItem, left: int | None = None) -> Handed:
        return new_tuple(Handed, (fetched.error or fetched, self.items, fetched.number, fetched.number + 1))


def _fetched(number: int, item: Item | Exception, size: int | None) -> FetchedItem:
    if isinstance(item, Exception):
        return FetchedItem(number, (), False, item, size)
    try:
        values = sized(item, size)
        outputs = tuple([value._resolve() for value in values])
    except Exception as error:
        return FetchedItem(number, (), False, error, size)
    return FetchedItem(number, outputs, isinstance(values[0], Tensor), None, size)


def plain_values(fetched: FetchedItem) -> Item:
    """Returns a fetched item as plain Tensors or Batches, which no compiled loop knows."""
    kind = Tensor if fetched.single else Batch
    return tuple(kind._of_samples(samples) for samples in fetched.outputs)


def sized(item: Item, batch_size: int | None) -> Item:
    """Returns an item as Batches of that size, Tensors repeated without a copy; unchanged if the size is None."""
    values = item
    if batch_size is not None:
        for value in item:
            if type(value) is not Batch or value._size != batch_size:
                values = tuple([_batch(each, batch_size) for each in item])
                break
    if len(values) > 1 and len({isinstance(value, Batch) for value in values}) > 1:
        raise TypeError(
            "the outputs of one item are either all Tensors or all Batches, got "
            + ", ".join(type(value).__name__ for value in values)
            + "; with batch_size Tensors become Batches"
        )
    return values


def _batch(value: Tensor | Batch, size: int) -> Batch:
    if isinstance(value, Tensor):
        return Batch.broadcast(value, size)
    if value.batch_size != size:
        raise ValueError(f"Expected batch size {size}, got {value.batch_size}")
    return value


def _owned(value: Tensor | Batch) -> Tensor | Batch:
    samples = value._resolve()
    return type(value)._of_samples(samples.copied()) if samples.external else value
