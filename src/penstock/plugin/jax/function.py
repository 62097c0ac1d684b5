"""jax_function: a function of JAX arrays as an operator of pipelines."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from penstock._native import Pool, Samples
from penstock.interop.extras import framework
from penstock.pipeline.definition.call_definition import define
from penstock.pipeline.functions.python_function import error_text
from penstock.schema.operator import Operator
from penstock.values.dtypes import DType
from penstock.values.samples import arrays_of, packed
from penstock.values.spec import UNKNOWN

jax: Any = framework("jax", "penstock.plugin.jax", "jax")

Array = np.ndarray[Any, Any]
_PATH = "plugin.jax.fn.jax_function"


def jax_function(
    function: Callable[..., Any] | None = None,
    num_outputs: int = 1,
    output_layouts: str | Sequence[str] | None = None,
    sharding: Any = None,
    device: str | None = None,
    preserve: bool = True,
) -> Any:
    """Makes a function of JAX arrays one of nodes, for use in pipelines.

        @jax_function
        @jax.jit
        @jax.vmap
        def mirrored(image):
            return image[:, ::-1, :]

    The function is called with whole batches: each array has a leading axis for the samples, which must all have one
    shape. The arrays are its own.

    Args:
        function: Takes an array of each input and returns one, or a tuple of them where there are several outputs.
        num_outputs: How many there are; 0 for a function that is called for what it does.
        output_layouts: Layout of all results, or a list with that of each. By default a result has the layout of the
            input in its place, if it has as many axes.
        sharding: The arrays become shards of arrays on several processes, with one local device.
        device: Where the inputs and outputs are; by default where the inputs are.
        preserve: Call the function in every iteration, also where nobody uses its results.
    """
    if sharding is not None and len(sharding.addressable_devices) != 1:
        raise NotImplementedError(
            f"jax_function() takes a sharding with one local device, got one with {len(sharding.addressable_devices)}"
        )
    if function is None:
        return functools.partial(
            jax_function, num_outputs=num_outputs, output_layouts=output_layouts, sharding=sharding, device=device,
            preserve=preserve,
        )  # fmt: skip
    if isinstance(output_layouts, str):
        output_layouts = [output_layouts] * num_outputs
    if output_layouts is not None and len(output_layouts) != num_outputs:
        raise RuntimeError(f"jax_function() has {num_outputs} outputs, `output_layouts` tells of {len(output_layouts)}")
    call = _Call(function, num_outputs, output_layouts, sharding)

    @functools.wraps(function)
    def defined(*inputs: Any) -> Any:
        op = Operator(
            lambda *arrays: None, name=_PATH, pure=not preserve, results=num_outputs,
            infer=lambda *specs: (UNKNOWN,) * num_outputs,
        )  # fmt: skip
        op.on_samples(anywhere=True)(call.run)
        return define(op, inputs, {"preserve": preserve, "device": device})

    return defined


class _Call:
    """A function of JAX arrays, called with batches."""

    def __init__(self, function: Callable[..., Any], count: int, layouts: Sequence[str] | None, sharding: Any) -> None:
        self._function = function
        self._count = count
        self._layouts = layouts
        self._sharding = sharding

    def run(self, pool: Pool, n: int, *batches: Samples) -> list[Samples]:
        device = next((batch.device for batch in batches if batch.elsewhere), None)
        made = self._on_cpu(n, batches) if device is None else self._on_gpu(device, n, batches)
        for k, each in enumerate(made):
            each.layout = self._layout(k, each, batches)
        return made

    def _on_cpu(self, n: int, batches: Sequence[Samples]) -> list[Samples]:
        for k, batch in enumerate(batches):
            _require_one_shape(k, batch)
        columns = [arrays_of(batch) for batch in batches]
        returned = self._called([np.stack(column * n if len(column) == 1 else column) for column in columns])
        return [_batch(k, np.asarray(array), n) for k, array in enumerate(returned)]

    def _on_gpu(self, device: int, n: int, batches: Sequence[Samples]) -> list[Samples]:
        """By DLPack, which orders the work of both sides."""
        import torch

        from penstock.gpu.queue import queue
        from penstock.gpu.samples import GpuSamples, upload

        read: Any = getattr(torch, "from_dlpack")  # noqa: B009 - torch does not export it by name
        with queue(device):
            given = []
            for k, batch in enumerate(batches):
                _require_one_shape(k, batch)
                stack = upload(batch, device).stack()
                own = stack.expand(n, *stack.shape[1:]).clone(memory_format=torch.contiguous_format)
                given.append(jax.dlpack.from_dlpack(own))
            made = self._called(given)
            for k, each in enumerate(made):
                _require_rows(k, each, n)
            return [GpuSamples.of_stack(read(each), device) for each in made]

    def _called(self, arrays: Sequence[Any]) -> list[Any]:
        try:
            returned = self._function(*map(self._given, arrays))
        except Exception as error:
            raise RuntimeError(error_text(error)) from error
        return self._results(returned)

    def _given(self, array: Any) -> Any:
        if self._sharding is None:
            return jax.device_put(array)
        [local] = self._sharding.addressable_devices
        shape = (len(self._sharding.device_set) * array.shape[0], *array.shape[1:])
        return jax.make_array_from_single_device_arrays(shape, self._sharding, [jax.device_put(array, local)])

    def _results(self, returned: Any) -> list[Any]:
        if self._count == 0:
            if returned is not None:
                raise RuntimeError(f"a function with num_outputs=0 returns None, got {type(returned).__name__}")
            return []
        several = returned if isinstance(returned, (tuple, list)) else (returned,)
        if len(several) != self._count:
            raise RuntimeError(f"the function should return {self._count} arrays, it returned {len(several)}")
        for each in several:
            if not isinstance(each, jax.Array):
                raise RuntimeError(f"the function returns arrays of JAX, got {type(each).__name__}")
        return [self._local(each) for each in several]

    def _local(self, array: Any) -> Any:
        return array if self._sharding is None else array.addressable_data(0)

    def _layout(self, k: int, made: Samples, batches: Sequence[Samples]) -> str:
        if self._layouts is not None:
            layout = self._layouts[k]
            if layout and len(layout) != made.ndim:
                raise RuntimeError(f"The layout '{layout}' is not valid for {made.ndim}-dimensional tensor")
            return layout
        return batches[k].layout if k < len(batches) and batches[k].ndim == made.ndim else ""


def _require_one_shape(k: int, batch: Samples) -> None:
    shapes = sorted({*batch.shapes()})
    if len(shapes) > 1:
        raise RuntimeError(
            f"jax_function() takes samples of one shape, those of input {k} differ: {shapes[0]}, {shapes[1]}; "
            "pad or resize them"
        )


def _require_rows(k: int, array: Any, n: int) -> None:
    if array.ndim == 0 or array.shape[0] != n:
        raise RuntimeError(f"result {k} has the shape {array.shape}; its first axis should be that of {n} samples")
    if np.dtype(array.dtype) not in DType.by_numpy:
        raise RuntimeError(f"there are no batches of {array.dtype}; cast result {k} to another type")


def _batch(k: int, array: Array, n: int) -> Samples:
    _require_rows(k, array, n)
    return packed([*array], DType.by_numpy[array.dtype].code)
