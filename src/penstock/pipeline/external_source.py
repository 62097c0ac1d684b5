"""fn.external_source: batches from a callback, from an iterable, or fed by the program."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from penstock.engine.site import here
from penstock.pipeline.definition import Definition, register
from penstock.pipeline.fed import ExternalSource, Fed
from penstock.pipeline.given import Declared
from penstock.pipeline.sources import Fetch
from penstock.values.dtypes import dtype as to_dtype
from penstock.values.sample_info import BatchInfo, SampleInfo

_CYCLES = {None: "no", False: "no", "no": "no", True: "quiet", "quiet": "quiet", "raise": "raise"}


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
        blocking: Where nothing was fed, wait until another thread does so; else that is an error.
        repeat_last: Where nothing new was fed, use the last batch again.
        batch_info: The callback takes a BatchInfo.
    """
    count = 1 if num_outputs is None else num_outputs
    declared = [
        Declared(one(layout), None if one(dtype) is None else to_dtype(one(dtype)), one(ndim))
        for one in (_nth(k, count) for k in range(count))
    ]
    if cycle not in _CYCLES:
        raise ValueError(f"cycle is True, False, 'quiet', 'raise' or 'no', got {cycle!r}")
    made: ExternalSource
    if source is None:
        made = Fed(declared, repeat_last, bool(blocking))
    else:
        made = _called(source, declared, num_outputs is not None, cycle, batch is not False, bool(batch_info))
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


def _called(source: Any, declared: list[Declared], several: bool, cycle: Any, batch: bool, batch_info: bool) -> Called:
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
