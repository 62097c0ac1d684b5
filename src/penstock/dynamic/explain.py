"""ndd.explain: what will run to make Tensors and Batches, without running it."""

from __future__ import annotations

from typing import Any

from penstock.dynamic.values.value import Value
from penstock.engine.explanation import Explanation


def explain(value: Any) -> Explanation:
    """How a Tensor or a Batch is made: the stages in order, which calls are fused into one, how and where each runs.

    A value that is pending stays so: nothing is run. Of a value of a compiled loop it tells what the loop makes ahead
    in every step, how it was done the last time, and what took how much of the time.

    Example:
        >>> with ndd.EvalMode.deferred:
        ...     images = ndd.resize(ndd.decoders.image(jpegs), size=[224, 224])
        >>> print(ndd.explain(images))
        waiting to be run
        source   in memory: u8 1-d
        stage 1  6 samples on 2 threads
          one native pass
            decoders.image  train.py:8  u8 HWC
            resize          train.py:8  u8 HWC

    Args:
        value: A Tensor or a Batch. `Pipeline.explain` does the same for pipelines.
    """
    if not isinstance(value, Value):
        raise TypeError(f"explain() takes a Tensor or a Batch, got {type(value).__name__}")
    return value._explain()
