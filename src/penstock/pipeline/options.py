"""The parameters of a pipeline. Those about streams, memory and devices are kept, and ask for nothing on a CPU."""

from __future__ import annotations

from dataclasses import dataclass, fields
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


@dataclass(frozen=True, kw_only=True)
class PipelineOptions:
    """The arguments that a pipeline was made with, by the names they have in `Pipeline`."""

    batch_size: int | None
    num_threads: int | None
    device_id: int | None
    seed: int | None
    exec_pipelined: bool
    prefetch_queue_depth: Any
    exec_async: bool
    bytes_per_sample: int
    set_affinity: bool
    default_cuda_stream_priority: int | None
    enable_memory_stats: bool
    enable_checkpointing: bool
    py_num_workers: int
    py_start_method: str
    py_callback_pickler: Any
    output_dtype: Any
    output_ndim: Any
    output_layout: Any
    exec_dynamic: bool | None
    stream_policy: Any
    concurrency: Any

    def __post_init__(self) -> None:
        _check_depth(self.prefetch_queue_depth)

    @property
    def cpu_queue_size(self) -> int:
        """How many iterations are made ahead."""
        depth = self.prefetch_queue_depth
        return int(depth["cpu_size"] if isinstance(depth, dict) else depth)

    @property
    def gpu_queue_size(self) -> int:
        depth = self.prefetch_queue_depth
        return int(depth["gpu_size"] if isinstance(depth, dict) else depth)

    def as_arguments(self) -> dict[str, Any]:
        """Keyword arguments for another pipeline of the same kind."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def _check_depth(depth: Any) -> None:
    """Refuses what is neither a positive number nor one for each kind of device."""
    numbers = [*depth.values()] if isinstance(depth, dict) else [depth]
    if isinstance(depth, dict) and set(depth) != {"cpu_size", "gpu_size"}:
        raise TypeError('prefetch_queue_depth is a number or {"cpu_size": a number, "gpu_size": a number}')
    if not all(isinstance(number, Integral) for number in numbers):
        raise TypeError(f"prefetch_queue_depth is a whole number, or one for each kind of device, got {depth!r}")
    if not all(number > 0 for number in numbers):
        raise ValueError(f"prefetch_queue_depth must be positive, got {depth!r}")
