"""The items of a user's own source as Tensors and Batches, and how a compiled loop reads them ahead."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from penstock._native import Samples
from penstock.dynamic.batch import Batch, TensorList
from penstock.dynamic.construct import as_batch, as_tensor
from penstock.dynamic.recorder import active
from penstock.dynamic.tensor import Tensor
from penstock.engine.hand_over import Handed
from penstock.engine.rng import RNG, get_default_rng, replace_default_rng
from penstock.engine.source_lease import LeasedSource, LeaseHolder
from penstock.values.device import Device
from penstock.values.dtypes import DType
from penstock.values.kept_samples import KeptSamples

Item: TypeAlias = "tuple[Tensor | Batch, ...]"


class Output(NamedTuple):
    """What is to become of one of the values of an item."""

    layout: str | None
    dtype: DType | None
    device: Device | None

    def made(self, value: Any) -> Tensor | Batch:
        if isinstance(value, TensorList):
            value = value.as_batch()
        if isinstance(value, (Batch, KeptSamples)):
            return (
                value
                if isinstance(value, Batch) and self._nothing_to_do
                else as_batch(value, self.dtype, self.device, self.layout)
            )
        if not isinstance(value, Tensor) or not self._nothing_to_do:
            value = as_tensor(value, self.dtype, self.device, self.layout)
        made: Tensor = value
        return made

    @property
    def _nothing_to_do(self) -> bool:
        """A value that is not computed yet can then go on to the operators without being waited for."""
        return self.layout is None and self.dtype is None and self.device in (None, Device.CPU)


class Items(LeasedSource):
    """The items of a source in their order. Each is kept until the program has got it."""

    def __init__(self, pull: Callable[[], Any], outputs: Sequence[Output], name: str, background: bool) -> None:
        """In the `background`, whichever thread fetches an item calls the source for it."""
        self.name = name
        self.background = background
        self.place = 0  # the number of the item that the program gets next
        self._outputs = outputs
        self._dropped = 0  # those below are
        # As the source gave them: it is called as an item is looked up, and no interrupt comes between call and dict.
        self._pulled: defaultdict[int, Any] = defaultdict(pull)
        self._kept: dict[int, Item | Exception] = {}
        self._lock = threading.RLock()
        self._rng: RNG | None = None  # what the source draws from ahead of the program, whose own draws come as ever

    def next(self) -> tuple[Item | Exception, int]:
        """The item that the program gets next, or what the source raised, and its number."""
        with self._lock:
            number = self.place
            self._drop(number)
            if number not in self._kept:
                try:
                    self._kept[number] = self._made(self._pulled[number])
                except Exception as error:  # which comes only once, as an item does
                    self._kept[number] = error
            return self._kept[number], number

    def fetch(self, number: int) -> Item | Exception:
        """The item with that number, in memory that the source will not fill with the one after it.

        One that was fetched before is there at once, whatever the source is busy with.
        """
        item = self._kept.get(number)
        if item is None:
            with self._lock:
                self._drop(self.place)
                item = self._kept.get(number)
                if item is None:
                    item = self._kept[number] = self._made_ahead(number)
        return item

    def _drop(self, before: int) -> None:
        while self._dropped < before:
            self._pulled.pop(self._dropped, None)
            self._kept.pop(self._dropped, None)
            self._dropped += 1

    def _made_ahead(self, number: int) -> Item | Exception:
        if self._rng is None:
            self._rng = get_default_rng().offspring()
        drawn_from, loops = get_default_rng(), active.loops
        try:
            replace_default_rng(self._rng)
            active.loops = [*loops, None]  # the calls of a source are not part of the loop's body
            item: Item | Exception = tuple([_owned(value) for value in self._made(self._pulled[number])])
        except Exception as error:  # whatever it is, it belongs to the step that this item is for
            item = error
        finally:
            active.loops = loops
            replace_default_rng(drawn_from)
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
    """An item for a loop, or why there is none, and which one it is; `single` where its values are Tensors."""

    number: int
    outputs: tuple[Samples, ...] = ()
    single: bool = False
    error: Exception | None = None


class Read(NamedTuple):
    """A source that is read with a batch size: a compiled loop fetches its items first and hands them out later."""

    items: Items
    size: int | None

    def now(self) -> Handed:
        """The next item, for the program itself."""
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

    def prepare(self, number: int) -> Exception | None:
        item = self.items.fetch(number)
        return item if isinstance(item, Exception) else None

    def fetch(self, number: int) -> FetchedItem:
        item = self.items.fetch(number)
        if isinstance(item, Exception):
            return FetchedItem(number, error=item)
        try:
            values = sized(item, self.size)
        except Exception as error:
            return FetchedItem(number, error=error)
        return FetchedItem(number, tuple([value._resolve() for value in values]), isinstance(values[0], Tensor))

    def values(self, fetched: FetchedItem) -> Item:
        """What was fetched, for the program."""
        kind = Tensor if fetched.single else Batch
        return tuple(kind._of_samples(samples) for samples in fetched.outputs)

    def handed(self, fetched: FetchedItem, left: int | None = None) -> Handed:
        return Handed(fetched.error or fetched, self.items, fetched.number, fetched.number + 1)


def sized(item: Item, batch_size: int | None) -> Item:
    """An item as Batches of that size: Tensors are repeated, without copying them."""
    values = item if batch_size is None else tuple([_batch(value, batch_size) for value in item])
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
