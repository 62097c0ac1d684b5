"""fn.external_source: batches from a callback, from an iterable, or fed by the program."""

from __future__ import annotations

import inspect
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from penstock._native import Samples
from penstock.engine.site import here
from penstock.pipeline.definition import Definition, register
from penstock.pipeline.given import Declared, as_samples
from penstock.pipeline.sources import Fetch
from penstock.values.dtypes import dtype as to_dtype
from penstock.values.sample_info import BatchInfo, SampleInfo

_CYCLES = {None: "no", False: "no", "no": "no", True: "quiet", "quiet": "quiet", "raise": "raise"}


class ExternalSource:
    """What both kinds have in common: a name, and outputs that were declared."""

    path = "external_source"

    def __init__(self, declared: list[Declared]) -> None:
        self.declared = declared
        self.batch_size = 0

    def start(self, batch_size: int) -> None:
        self.batch_size = batch_size

    def hand_out(self, receipt: Any) -> None: ...

    def take_back(self, receipt: Any) -> None: ...

    def reset(self, iteration: int) -> None: ...

    def state(self) -> Any:
        return None

    def restore(self, state: Any) -> None: ...

    def outputs(self, batches: Sequence[Any]) -> tuple[Samples, ...]:
        if len(batches) != len(self.declared):
            raise ValueError(f"Expected {len(self.declared)} outputs from the source, got {len(batches)}")
        made = tuple(each.labelled(as_samples(batch)) for each, batch in zip(self.declared, batches, strict=True))
        if len(made[0]) > self.batch_size:
            raise RuntimeError(
                "The external source callback returned an unexpected batch size. "
                f"Expected batch_size <= {self.batch_size}, actual: {len(made[0])}"
            )
        return made


class Fed(ExternalSource):
    """Batches that the program feeds."""

    def __init__(self, declared: list[Declared], repeat_last: bool) -> None:
        super().__init__(declared)
        self._repeat_last = repeat_last
        self._waiting: deque[tuple[Samples, ...]] = deque()
        self._last: tuple[Samples, ...] | None = None
        self.unscheduled = 0  # batches that wait for an iteration to be scheduled

    def feed(self, data: Any, layout: str | None) -> None:
        samples = as_samples(data)
        if layout is not None:
            samples.layout = layout
        self._waiting.append(tuple(each.labelled(samples) for each in self.declared))
        self.unscheduled += 1

    def fetch(self, iteration: int) -> Fetch:
        if self._waiting:
            self._last = self._waiting.popleft()
        elif self._last is None or not self._repeat_last:
            raise IndexError(
                "Critical error in pipeline:\nAttempted to peek the data batch that doesn't exist. "
                "Add more elements to the DALI input operator."
            )
        return Fetch(self._last, self._last)

    def take_back(self, receipt: Any) -> None:
        self._waiting.appendleft(receipt)
        self.unscheduled += 1


class Called(ExternalSource):
    """Batches, or single samples, from a callback or an iterable."""

    def __init__(
        self, source: Any, declared: list[Declared], several: bool, cycle: str, batch: bool, batch_info: bool
    ) -> None:
        super().__init__(declared)
        self._several = several
        self._cycle = cycle
        self._batch = batch
        self._batch_info = batch_info
        self._iterable: Iterable[Any] | None = None
        self._iterator: Iterator[Any] | None = None
        self._epoch = 0
        self._first = 0  # iteration of this epoch
        if callable(source):
            self._takes_info = bool(inspect.signature(source).parameters)
            self._callback: Callable[..., Any] | None = source
        else:
            self._callback = None
            self._iterable = source

    def fetch(self, iteration: int) -> Fetch:
        number = iteration - self._first
        if self._batch:
            return Fetch(self.outputs(self._each(self._given(BatchInfo(number, self._epoch), number))))
        rows = []
        for place in range(self.batch_size):
            info = SampleInfo(number * self.batch_size + place, place, number, self._epoch)
            rows.append(self._each(self._given(info, info)))
        return Fetch(self.outputs([*zip(*rows, strict=True)]))

    def _given(self, info: Any, plain: Any) -> Any:
        if self._callback is not None:
            if not self._takes_info:
                return self._callback()
            return self._callback(info if self._batch_info or not self._batch else plain)
        if self._iterator is None:
            assert self._iterable is not None
            self._iterator = iter(self._iterable)
        try:
            return next(self._iterator)
        except StopIteration:
            if self._cycle == "no":
                raise
            self._iterator = None
            if self._cycle == "raise":
                raise
            assert self._iterable is not None
            self._iterator = iter(self._iterable)
            return next(self._iterator)

    def _each(self, given: Any) -> Sequence[Any]:
        if not self._several:
            return (given,)
        if not isinstance(given, (list, tuple)):
            raise ValueError(f"Expected {len(self.declared)} outputs from the source, got a {type(given).__name__}")
        return given

    def reset(self, iteration: int) -> None:
        self._epoch += 1
        self._first = iteration


class _Calls:
    """A generator function as an iterable."""

    def __init__(self, function: Callable[[], Iterator[Any]]) -> None:
        self._function = function

    def __iter__(self) -> Iterator[Any]:
        return self._function()


def external_source(
    source: Any = None,
    num_outputs: int | None = None,
    *,
    cycle: Any = None,
    name: str | None = None,
    device: str = "cpu",
    layout: Any = None,
    dtype: Any = None,
    ndim: Any = None,
    cuda_stream: Any = None,
    use_copy_kernel: Any = None,
    blocking: bool | None = None,
    batch: bool | None = True,
    repeat_last: bool = False,
    parallel: bool | None = None,
    no_copy: bool | None = None,
    prefetch_queue_depth: int | None = None,
    bytes_per_sample_hint: Any = None,
    batch_info: bool | None = None,
    **unused: Any,
) -> Any:
    """Brings data of the program's own into a pipeline.

    Example:
        >>> images = fn.external_source(lambda i: [load(k) for k in range(i * 8, i * 8 + 8)], layout="HWC")

    Args:
        source: A callback, an iterable, or a function that makes a generator; None for data given to `feed_input`. A
            callback may take the number of the iteration, or what `batch` and `batch_info` say.
        num_outputs: How many batches the source gives at once, as a tuple.
        cycle: What becomes of an iterable that ends: "quiet" (True) starts it over, "raise" does so after
            StopIteration, which comes once, "no" (None, False) leaves it at the end.
        layout: Layout of the samples; of every output where it is a list, and so with `dtype` and `ndim`.
        dtype: Type that the data must have.
        ndim: Number of axes that it must have.
        batch: The source gives whole batches; else single samples, its callback being told which by a SampleInfo.
        repeat_last: Where nothing new was fed, use the last batch again.
        batch_info: The callback takes a BatchInfo.
    """
    count = 1 if num_outputs is None else num_outputs
    declared = [
        Declared(one(layout), None if one(dtype) is None else to_dtype(one(dtype)), one(ndim))
        for one in (_nth(k, count) for k in range(count))
    ]
    made = _source(source, declared, num_outputs is not None, cycle, batch is not False, bool(batch_info), repeat_last)
    definition = Definition(made, name, here(), count)
    register(definition, None)
    return definition.outputs[0] if num_outputs is None else definition.outputs


def _nth(k: int, count: int) -> Callable[[Any], Any]:
    def one(value: Any) -> Any:
        if isinstance(value, (list, tuple)):
            if len(value) != count:
                raise ValueError(f"a value for each of {count} outputs was expected, got {len(value)}")
            return value[k]
        return value

    return one


def _source(
    source: Any, declared: list[Declared], several: bool, cycle: Any, batch: bool, batch_info: bool, repeat_last: bool
) -> Fed | Called:
    if cycle not in _CYCLES:
        raise ValueError(f"cycle is True, False, 'quiet', 'raise' or 'no', got {cycle!r}")
    if source is None:
        return Fed(declared, repeat_last)
    if inspect.isgeneratorfunction(source):
        source = _Calls(source)
    elif callable(source):
        if cycle is not None:
            raise ValueError("The argument `cycle` can only be specified if `source` is iterable.")
    elif not isinstance(source, Iterable):
        raise TypeError("The `source` must be callable, iterable or a parameterless generator function.")
    elif inspect.isgenerator(source) and _CYCLES[cycle] != "no":
        raise TypeError(
            "Cannot cycle through a generator - if the generator is a result of calling a generator function, "
            "pass that function instead as `source`."
        )
    return Called(source, declared, several, _CYCLES[cycle], batch, batch_info)
