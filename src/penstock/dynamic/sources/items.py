"""The items of an `ndd.ExternalSource` as Tensors and Batches, read by the program or ahead by a compiled loop."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from penstock._native import Samples, ValueClass
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

_BATCH = ValueClass(Batch)

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
        # The items as the source gave them. The defaultdict itself calls the source when an item is looked up, so that
        # no interrupt can come between that call and storing the item.
        self._pulled: defaultdict[int, Any] = defaultdict(pull)
        self._kept: dict[int, Item | Exception] = {}  # the items as Tensors and Batches
        self.unclaimed: dict[int, None] = {}  # of threads that get the same item, the one that deletes it here keeps it
        self.fetched: dict[int, tuple[int | None, FetchedItem]] = {}  # as loops got them, with the size they asked for
        self._lock = threading.RLock()
        self._rng: RNG | None = None  # for draws of a source called ahead, which must not change those of the program

    def next(self) -> tuple[Item | Exception, int]:
        """Returns the item that the program gets next, or what the source raised instead, and its number."""
        with self._lock:
            number = self.place
            self._drop(number)
            if number not in self._kept:
                self.unclaimed[number] = None
                try:
                    self._kept[number] = self._made(self._pulled[number])
                except Exception as error:  # takes the place of an item: it is raised once
                    self._kept[number] = error
            return self._kept[number], number

    def fetch(self, number: int) -> Item | Exception:
        """Returns the item with that number, fetched ahead. Memory of the source, which it may reuse, is copied.

        An item that was fetched before is returned without the lock, so not even a running source delays it.
        """
        item = self._kept.get(number)
        if item is None:
            with self._lock:
                if self._dropped < self.place:
                    self._drop(self.place)
                item = self._kept.get(number)
                if item is None:
                    self.unclaimed[number] = None
                    item = self._kept[number] = self._made_ahead(number)
        return item

    def _drop(self, before: int) -> None:
        while self._dropped < before:
            self._pulled.pop(self._dropped, None)
            self._kept.pop(self._dropped, None)
            self.unclaimed.pop(self._dropped, None)
            self.fetched.pop(self._dropped, None)
            self._dropped += 1

    def _made_ahead(self, number: int) -> Item | Exception:
        drawn_from, loops = get_default_rng(), active.loops
        if self._rng is None:
            self._rng = drawn_from.offspring()
        try:
            thread_rng.rng = self._rng
            active.loops = [*loops, None]  # the calls of a source are not part of the loop's body
            pulled = self._pulled[number]
            item: Item | Exception
            if self._keeps and type(pulled) is Batch and pulled._samples is not None:  # as for most
                samples = pulled._samples
                item = _BATCH.of_outputs((samples.copied(),)) if samples.external else (pulled,)
            else:
                item = tuple(map(_owned, self._made(pulled)))
        except Exception as error:  # raised when the program comes to the step of this item
            item = error
        finally:
            active.loops = loops
            thread_rng.rng = drawn_from
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
    """An item for a loop, or the error it has instead, and its number; `single` if its values are Tensors."""

    number: int
    outputs: tuple[Samples, ...] = ()
    single: bool = False
    error: Exception | None = None


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

    def fetch(self, number: int) -> FetchedItem:
        items, size = self.items, self.size
        known = items.fetched.get(number)
        if known is not None and known[0] == size:
            return known[1]
        item = items.fetch(number)
        if isinstance(item, Exception):
            fetched = FetchedItem(number, error=item)
        else:
            first = item[0]
            if len(item) == 1 and type(first) is Batch and first._size == size and first._samples is not None:
                fetched = new_tuple(FetchedItem, (number, (first._samples,), False, None))  # as for most
            else:
                fetched = _fetched(number, item, size)
        items.fetched[number] = size, fetched
        return fetched

    def values(self, fetched: FetchedItem) -> Item:
        """Returns a fetched item as plain Tensors or Batches, which no compiled loop knows."""
        kind = Tensor if fetched.single else Batch
        return tuple(kind._of_samples(samples) for samples in fetched.outputs)

    def handed(self, fetched: FetchedItem, left: int | None = None) -> Handed:
        return new_tuple(Handed, (fetched.error or fetched, self.items, fetched.number, fetched.number + 1))


def _fetched(number: int, item: Item, size: int | None) -> FetchedItem:
    try:
        values = sized(item, size)
        outputs = tuple([value._resolve() for value in values])
    except Exception as error:
        return FetchedItem(number, error=error)
    return FetchedItem(number, outputs, isinstance(values[0], Tensor))


def items_of(read: Read, loop: Any) -> Iterator[Any]:
    """The items that a compiled loop iterates over, until the source ends."""
    while True:
        handed = loop.take(read)
        item, error, ended = None, None, False
        if isinstance(handed.batch, Exception):
            error, ended = handed.batch, isinstance(handed.batch, StopIteration)
        else:
            outputs: tuple[Any, ...] = loop.as_outputs(handed.batch.outputs)
            item = outputs[0] if len(outputs) == 1 else outputs
        read.items.place = handed.behind  # the hand-over; no call may follow before the yield, see `Handed`
        if ended:
            return
        if error is not None:
            raise error
        del handed
        yield item


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
