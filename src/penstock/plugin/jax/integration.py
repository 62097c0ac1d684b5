"""What a pipeline made as JAX arrays."""

from __future__ import annotations

from typing import Any

from penstock.interop.extras import framework
from penstock.pipeline.values.tensor import TensorCPU, TensorGPU
from penstock.pipeline.values.tensors import Output, TensorListCPU, TensorListGPU
from penstock.plugin.dense import array_of, on_accelerator

jax: Any = framework("jax", "penstock.plugin.jax", "jax")


def to_jax_array(dali_tensor: TensorCPU | TensorGPU | Output, copy: bool) -> Any:
    """A sample, or a batch of samples of one shape, as a JAX array.

    Args:
        dali_tensor: What becomes an array.
        copy: The array has memory of its own; else it may lie over that of the sample.
    """
    whole = dali_tensor.as_tensor() if isinstance(dali_tensor, (TensorListCPU, TensorListGPU)) else dali_tensor
    array = jax.dlpack.from_dlpack(whole) if on_accelerator(whole) else array_of(whole)
    return jax.numpy.array(array, copy=True) if copy else jax.device_put(array)


def jax_device(dali_tensor: TensorCPU | TensorGPU | Output) -> Any:
    """The device of the array that a sample becomes."""
    return jax.local_devices(backend="cpu")[0]
