"""Outputs of a pipeline as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.pipeline.values.tensors import Output, TensorCPU, TensorGPU, TensorListGPU
from penstock.values.accelerator import accelerator


def dense(output: Output, name: str, way_out: str) -> np.ndarray[Any, Any]:
    """An output with a leading batch axis, over the same memory where the samples lie together."""
    return array_of(whole(output, name, way_out))


def on_accelerator(output: Output | TensorCPU | TensorGPU) -> bool:
    """Whether the data is where the CPU cannot read it."""
    return isinstance(output, (TensorGPU, TensorListGPU)) and not accelerator().runs_on_host


def whole(output: Output, name: str, way_out: str) -> TensorCPU | TensorGPU:
    """An output as one tensor with a leading batch axis."""
    shapes = sorted({*output.shape()})
    if len(shapes) > 1:
        raise RuntimeError(
            f'the samples of the output "{name}" make no tensor, for their shapes differ: {shapes[0]}, {shapes[1]}, '
            f"...; pad or resize them, or {way_out}"
        )
    return output.as_tensor()


def array_of(tensor: TensorCPU | TensorGPU) -> np.ndarray[Any, Any]:
    """A tensor as an array over its memory, which is the CPU's also where the CPU stands in for a GPU."""
    return np.from_dlpack(tensor) if isinstance(tensor, TensorGPU) else np.asarray(tensor)
