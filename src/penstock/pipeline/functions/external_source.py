"""fn.external_source: batches from a callback, from an iterable, or from `feed_input`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from penstock.engine.site import here
from penstock.pipeline.definition.call_definition import Definition, register
from penstock.pipeline.definition.devices import checked_device
from penstock.pipeline.sources.batch_from_arrays import DeclaredInput
from penstock.pipeline.sources.callback import Callback
from penstock.pipeline.sources.callback_source import CallbackSource
from penstock.pipeline.sources.feed_source import (
    ExternalSource as ExternalSource,  # programs find it here: compat/aliases.py
)
from penstock.pipeline.sources.feed_source import FeedSource
from penstock.values.dtypes import declared_dtype


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
    background: bool = False,
    **unused: Any,
) -> Any:
    """Brings the user's own data into a pipeline.

    Example:
        >>> images = fn.external_source(lambda i: [load(k) for k in range(i * 8, i * 8 + 8)], layout="HWC")

    The source is called in the thread that calls `run()`, as many iterations ahead as the pipeline prefetches, while a
    background thread runs the operators of earlier iterations. So it may use what the rest of the program uses, such as
    NumPy's global generator. With `background` and `parallel` it is called elsewhere.

    Args:
        source: A callback, an iterable, or a generator function; None for data given to `feed_input`. A callback may
            take the number of the iteration, or instead of it what `batch` and `batch_info` say.
        num_outputs: How many batches the source gives at once, as a tuple or in the first axis of an array.
        cycle: What happens when an iterable ends: "quiet" (True) starts it over, "raise" ends the epoch with
            StopIteration and starts it over after `reset()`, "no" (None, False) leaves it at the end.
        layout: Layout of the samples; a list has one for every output. The same holds for `dtype` and `ndim`.
        dtype: Type that the data must have.
        ndim: Number of axes that the data must have.
        batch: The source gives whole batches; else single samples, and a callback may take a SampleInfo.
        blocking: If there is no data, wait until another thread feeds some; without it that is an error.
        repeat_last: If there is no new data, use the last batch again.
        parallel: Call the source in the pipeline's worker processes (`py_num_workers`, `py_start_method`), ahead of the
            program. A callback must take the number or info of its item. An iterable must give batches, and stays in
            one of the processes.
        prefetch_queue_depth: How many iterations ahead a parallel source is called; that of the pipeline if None.
        bytes_per_sample_hint: Initial size of a sample in the shared memory of worker processes, which grows as needed.
        batch_info: The callback takes a BatchInfo.
        background: Call the source in the run-ahead thread. It must not use data that the program changes meanwhile.
    """
    count = 1 if num_outputs is None else num_outputs
    declared = [
        DeclaredInput(one(layout) or None, declared_dtype(one(dtype)), _rank(one(ndim)))
        for one in (_nth(k, count) for k in range(count))
    ]
    of_workers = {"prefetch_queue_depth": prefetch_queue_depth, "bytes_per_sample_hint": bytes_per_sample_hint}
    for argument, value in of_workers.items():
        if value is not None and not parallel:
            raise ValueError(
                f"The argument `{argument}` is valid only for parallel external sources (when ``parallel`` is True)."
            )
    if source is None:
        if parallel:
            raise ValueError("a parallel external source needs a `source` that worker processes can call")
        names = [name] if count == 1 else [name and f"{name}[{k}]" for k in range(count)]
        fed = [FeedSource([each], repeat_last, bool(blocking)) for each in declared]
        nodes = [_defined(each, one, device)[0] for each, one in zip(fed, names, strict=True)]
        return nodes[0] if num_outputs is None else nodes
    callback = Callback(source, cycle, batch is not False, bool(batch_info))
    made: CallbackSource
    if parallel:
        from penstock.pipeline.workers.source import ParallelSource

        made = ParallelSource(callback, declared, num_outputs is not None, prefetch_queue_depth, bytes_per_sample_hint)
    else:
        made = CallbackSource(callback, declared, num_outputs is not None, background)
    nodes = _defined(made, name, device)
    return nodes[0] if num_outputs is None else nodes


def _rank(ndim: Any) -> int | None:
    try:
        return None if ndim is None else int(ndim)
    except (TypeError, ValueError) as error:
        raise type(error)(f"ndim must be a whole number, got {ndim!r}") from None


def _defined(source: FeedSource | CallbackSource, name: str | None, device: str) -> list[Any]:
    definition = Definition(source, name, here(), len(source.declared), checked_device(device))
    register(definition, None)
    return definition.outputs


def _nth(k: int, count: int) -> Callable[[Any], Any]:
    def one(value: Any) -> Any:
        if isinstance(value, (list, tuple)):
            if len(value) != count:
                raise ValueError(f"a value for each of {count} outputs was expected, got {len(value)}")
            return value[k]
        return value

    return one
