"""`ndd.ExternalSource`: Tensors and Batches from the program's own data."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, NamedTuple

from penstock.dynamic.batch import Batch, TensorList
from penstock.dynamic.construct import as_batch, as_tensor
from penstock.dynamic.tensor import Tensor
from penstock.readers.pulled import pulled
from penstock.values.device import Device
from penstock.values.device import device as to_device
from penstock.values.dtypes import DType
from penstock.values.dtypes import dtype as to_dtype


class ExternalSource:
    """Data that the program makes itself, pulled one item a call.

    The source is something to iterate over, a generator function, or a function without parameters. An item becomes a
    Tensor over its own memory, without a copy; a list of arrays is stacked to one. To have a Batch, the source gives a
    Batch, or the call a `batch_size`.

    Example:
        >>> source = ndd.ExternalSource(lambda: (camera.frame(), camera.time()), num_outputs=2, layout=["HWC", None])
        >>> frame, time = source()

    When the source ends, calls raise StopIteration. What else the source raises passes through.

    Args:
        source: Where items come from.
        num_outputs: How many values an item has. With more than one, items are tuples or lists, and so are the results.
        cycle: What happens at the end of something iterated over: None, False or "no": StopIteration from then on;
            True or "quiet": it starts over; "raise": StopIteration once, then it starts over.
        device: Where the results are.
        layout: Their layout, or a list with one for every output.
        dtype: Their element type, to which values are cast, or a list with one for every output.
    """

    def __init__(
        self,
        source: Callable[[], Any] | Iterable[Any],
        num_outputs: int = 1,
        *,
        cycle: Literal["no", "quiet", "raise"] | bool | None = None,
        device: Device | str | None = "cpu",
        layout: str | Sequence[str | None] | None = None,
        dtype: Any = None,
    ) -> None:
        count = operator.index(num_outputs)
        if count < 1:
            raise ValueError(f"num_outputs must be at least 1, got {num_outputs}")
        self._pull = pulled(source, cycle)
        place = to_device(device)
        layouts = [_checked_layout(each) for each in _for_each(layout, count, "layout")]
        dtypes = [None if each is None else to_dtype(each) for each in _for_each(dtype, count, "dtype")]
        self._outputs = [_Output(*output, place) for output in zip(layouts, dtypes, strict=True)]

    def __call__(self, *, batch_size: int | None = None) -> Any:
        """The next item: a Tensor or a Batch, or a tuple of them where there are several outputs.

        Args:
            batch_size: Makes every output a Batch of that many samples: a Tensor is repeated, without copying it, and a
                Batch must have that size.
        """
        size = None if batch_size is None else _checked_size(batch_size)
        item = self._pull()
        if len(self._outputs) == 1:
            return self._outputs[0].made(item, size)
        if not isinstance(item, (tuple, list)) or len(item) != len(self._outputs):
            got = f"{len(item)}" if isinstance(item, (tuple, list)) else f"an object of type {type(item).__name__}"
            raise ValueError(f"Expected {len(self._outputs)} outputs from the source in a tuple or list, got {got}")
        results = tuple(output.made(value, size) for output, value in zip(self._outputs, item, strict=True))
        if len({type(result) for result in results}) > 1:
            raise TypeError(
                "the outputs of one item are either all Tensors or all Batches, got "
                + ", ".join(type(result).__name__ for result in results)
                + "; with batch_size Tensors become Batches"
            )
        return results


class _Output(NamedTuple):
    """What is to become of one of the values of an item."""

    layout: str | None
    dtype: DType | None
    device: Device | None

    def made(self, value: Any, batch_size: int | None) -> Tensor | Batch:
        if isinstance(value, TensorList):
            value = value.as_batch()
        if isinstance(value, Batch):
            if batch_size not in (None, value.batch_size):
                raise ValueError(f"Expected batch size {batch_size}, got {value.batch_size}")
            return value if self._nothing_to_do else as_batch(value, self.dtype, self.device, self.layout)
        if not isinstance(value, Tensor) or not self._nothing_to_do:
            value = as_tensor(value, self.dtype, self.device, self.layout)
        return value if batch_size is None else Batch.broadcast(value, batch_size)

    @property
    def _nothing_to_do(self) -> bool:
        """A value that is not computed yet can then go on to the operators without being waited for."""
        return self.layout is None and self.dtype is None and self.device in (None, Device.CPU)


def _for_each(given: Any, count: int, name: str) -> list[Any]:
    if not isinstance(given, (list, tuple)):
        return [given] * count
    if len(given) != count:
        raise ValueError(f"{name} has {len(given)} entries, num_outputs is {count}")
    return list(given)


def _checked_layout(layout: Any) -> str | None:
    if layout is not None and not isinstance(layout, str):
        raise ValueError(f"Layout must be a string, got {type(layout)}")
    return layout


def _checked_size(batch_size: Any) -> int:
    size = operator.index(batch_size)
    if size < 0:
        raise ValueError(f"batch_size must not be negative, got {size}")
    return size
