"""The parameters of a pipeline. Those about streams, memory and devices are kept, and ask for nothing on a CPU."""

from __future__ import annotations

from enum import Enum, auto
from numbers import Integral
from typing import Any


class StreamPolicy(Enum):
    """How a GPU's streams are shared among operators."""

    UNSPECIFIED = 0
    SINGLE = auto()
    PER_BACKEND = auto()
    PER_OPERATOR = auto()


class OperatorConcurrency(Enum):
    """Which operators may run at the same time."""

    UNSPECIFIED = 0
    NONE = auto()
    BACKEND = auto()
    FULL = auto()


class PipelineOptions:
    """What a pipeline was made with, to be read."""

    _batch_size: int | None
    _num_threads: int | None
    _device_id: int | None
    _given: dict[str, Any]

    @property
    def max_batch_size(self) -> int:
        """The largest batch that goes through the pipeline."""
        if self._batch_size is None:
            raise ValueError("The batch size must be set.")
        return self._batch_size

    batch_size = max_batch_size

    @property
    def num_threads(self) -> int | None:
        return self._num_threads

    @property
    def device_id(self) -> int | None:
        return self._device_id

    @property
    def seed(self) -> int | None:
        return self._given["seed"]  # type: ignore[no-any-return]

    @property
    def prefetch_queue_depth(self) -> Any:
        """How many iterations are made ahead."""
        return self._given["prefetch_queue_depth"]

    @property
    def cpu_queue_size(self) -> int:
        depth = self.prefetch_queue_depth
        return int(depth["cpu_size"] if isinstance(depth, dict) else depth)

    @property
    def gpu_queue_size(self) -> int:
        depth = self.prefetch_queue_depth
        return int(depth["gpu_size"] if isinstance(depth, dict) else depth)

    @property
    def exec_separated(self) -> bool:
        return isinstance(self.prefetch_queue_depth, dict)

    @property
    def exec_dynamic(self) -> bool:
        return self._given["exec_dynamic"] is not False

    @property
    def max_streams(self) -> int:
        return -1

    @property
    def default_cuda_stream_priority(self) -> int:
        return self._given["default_cuda_stream_priority"] or 0

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and name in self._given:
            return self._given[name]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


def checked_depth(depth: Any) -> Any:
    """How many iterations may be made ahead, as one number or by kind of device."""
    numbers = [*depth.values()] if isinstance(depth, dict) else [depth]
    if isinstance(depth, dict) and set(depth) != {"cpu_size", "gpu_size"}:
        raise TypeError('prefetch_queue_depth is a number or {"cpu_size": a number, "gpu_size": a number}')
    if not all(isinstance(number, Integral) for number in numbers):
        raise TypeError(f"prefetch_queue_depth is a whole number, or one for each kind of device, got {depth!r}")
    if not all(number > 0 for number in numbers):
        raise ValueError(f"prefetch_queue_depth must be positive, got {depth!r}")
    return depth
