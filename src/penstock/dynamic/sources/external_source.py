"""`ndd.ExternalSource`: Tensors and Batches from the user's own data."""

from __future__ import annotations

import importlib
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal

from penstock.dynamic.calls.recorder import active
from penstock.dynamic.sources.items import Items, Output, Read
from penstock.engine.context import EvalContext
from penstock.readers.core.reader import alone
from penstock.readers.core.user_source import pull_function
from penstock.values.device import Device
from penstock.values.device import device as to_device
from penstock.values.dtypes import declared_dtype

_DEPTH = 2  # how many steps a compiled loop over a source runs ahead


class ExternalSource:
    """The user's own data, one item for each call.

    The source is an iterable, a generator function, or a function without parameters. An item becomes a Tensor over its
    own memory, without a copy; a list of arrays is stacked to one. For a Batch, the source must give a Batch, or the
    call a `batch_size`.

    Example:
        >>> source = ndd.ExternalSource(lambda: (camera.frame(), camera.time()), num_outputs=2, layout=["HWC", None])
        >>> frame, time = source()

    When the source ends, calls raise StopIteration. Other exceptions of the source pass through. A KeyboardInterrupt
    can lose an item only if it comes while the source itself runs. In the body of a compiled loop the source is read
    ahead: it is called a few steps early, in the loop's own thread, and its items are copied.

    Args:
        source: An iterable, a generator function, or a function without parameters.
        num_outputs: How many values an item has. With more than one, items are tuples or lists, and results are tuples.
        cycle: What happens at the end of an iterable: None, False or "no": StopIteration from then on; True or "quiet":
            it starts over; "raise": StopIteration once, then it starts over.
        device: The device of the results.
        layout: Their layout, or a list with one for every output.
        dtype: Their element type, to which values are cast, or a list with one for every output.
        background: In compiled loops, call the source in the run-ahead thread. It must not use data that the program
            changes meanwhile.
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
        background: bool = False,
    ) -> None:
        count = operator.index(num_outputs)
        if count < 1:
            raise ValueError(f"num_outputs must be at least 1, got {num_outputs}")
        pull = pull_function(source, cycle)
        place = to_device(device)
        layouts = [_checked_layout(each) for each in _for_each(layout, count, "layout")]
        dtypes = [declared_dtype(each) for each in _for_each(dtype, count, "dtype")]
        outputs = [Output(*output, place) for output in zip(layouts, dtypes, strict=True)]
        self._items = Items(pull, outputs, getattr(source, "__qualname__", type(source).__name__), background)
        self._loop: Any = None

    def __call__(self, *, batch_size: int | None = None) -> Any:
        """Returns the next item: a Tensor or a Batch, or a tuple of them where there are several outputs.

        Args:
            batch_size: Makes every output a Batch of that many samples: a Tensor is repeated without a copy, and a
                Batch must have that size.
        """
        read = Read(self._items, None if batch_size is None else _checked_size(batch_size))
        loop = active.loops[-1] if active.loops else None
        while True:
            handed = read.now() if loop is None else loop.read(read)
            failed = isinstance(handed.batch, Exception)
            item = handed.batch if failed else alone(handed.batch)
            if handed.keeper.place == handed.before:  # else another thread has got it
                try:
                    del self._items.pulled[handed.before]
                except KeyError:  # it is just getting it
                    continue
                handed.keeper.place = handed.behind  # the hand-over; no call may follow, see `Handed`
                if failed:
                    raise item
                return item

    def captured(self, batch_size: int, ctx: Any = None, strict: bool = False) -> Iterator[Any]:
        """Iterates over the items until the source ends, as a compiled loop; see `ndd.capture`.

        The source is called ahead of the loop, in the loop's own thread, so it must not depend on what the loop does.
        Random calls in it draw from a generator of their own. Items that were read ahead when the program leaves the
        loop are the first of the next loop or call.

        Example:
            >>> for frames in camera.captured(batch_size=8):
            ...     show(ndd.resize(frames, size=[240, 320]))

        Args:
            batch_size: As in a call.
            ctx: The evaluation context that the loop runs in.
            strict: Raise NotCapturedError where a call in the loop cannot be made ahead.
        """
        if batch_size is None:
            raise ValueError("a compiled loop needs a batch_size, got None")
        read = Read(self._items, _checked_size(batch_size))
        if self._loop is None or self._loop.running or self._loop.batch_size != read.size:
            self._loop = importlib.import_module("penstock.capture.loop").Loop("ExternalSource", read.size, _DEPTH)
        running: Iterator[Any] = self._loop.run(self._loop.items(read), ctx or EvalContext.current(), strict)
        return running


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
