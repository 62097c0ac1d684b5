"""Iterators that hand out JAX arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from penstock.interop.extras import framework
from penstock.pipeline.pipeline import Pipeline
from penstock.plugin.arguments import checked_names
from penstock.plugin.base_iterator import BaseIterator, Outputs
from penstock.plugin.dense import dense
from penstock.plugin.epochs import LastBatchPolicy
from penstock.plugin.jax.definition import in_order, iterator_maker

jax: Any = framework("jax", "penstock.plugin.jax", "jax")


class DALIGenericIterator(BaseIterator):
    """Hands out a dict of JAX arrays.

        batches = DALIGenericIterator(pipeline, ["image", "label"], reader_name="train", auto_reset=True)
        for batch in batches:
            state = train_step(state, batch["image"], batch["label"])

    On a CPU the arrays lie over the memory of the outputs. The pipelines work on the next batches meanwhile.

    Args:
        pipelines: A pipeline, or several with the same batch size, a batch of each of which makes a step.
        output_map: Names of the outputs; those behind the last name are left out.
        size: Samples in an epoch, of all pipelines together; -1 where the epoch ends when the source does, whatever
            the policy.
        reader_name: Name of the reader that tells the size of an epoch and whether it is padded, instead of `size`.
        auto_reset: Begin the next epoch where one ends, without `reset`; `iter` does so too.
        last_batch_padded: With `size`: the source fills the last batch of an epoch itself.
        last_batch_policy: FILL or DROP: the shapes that JAX compiles for do not change.
        prepare_first_batch: Make the first batch at once, so that mistakes in the pipelines show here.
        sharding: The batches of all pipelines become one array, each pipeline's a shard of it, on the devices of the
            sharding in their order.
        pmap_compatible: The arrays get a leading axis with the batches of all pipelines, one on each local device if
            there are enough, also where there is one pipeline. Several without a sharding always have it.
    """

    def __init__(
        self,
        pipelines: Pipeline | Sequence[Pipeline],
        output_map: Sequence[str],
        size: int = -1,
        reader_name: str | None = None,
        auto_reset: str | bool | None = False,
        last_batch_padded: bool = False,
        last_batch_policy: LastBatchPolicy = LastBatchPolicy.FILL,
        prepare_first_batch: bool = True,
        sharding: Any = None,
        pmap_compatible: bool | None = None,
    ) -> None:
        if last_batch_policy is LastBatchPolicy.PARTIAL:
            raise AssertionError(
                "JAX iterator does not support partial last batch policy; FILL and DROP keep the shape"
            )
        count = len(pipelines) if isinstance(pipelines, (list, tuple)) else 1
        if sharding is not None and count != len(sharding.addressable_devices):
            devices = len(sharding.addressable_devices)
            raise ValueError(f"a pipeline for each of the {devices} devices of the sharding is needed, got {count}")
        self.output_map = output_map
        self._names = checked_names(output_map)
        self._sharding = sharding
        self._stacked = sharding is None and (count > 1 or bool(pmap_compatible))
        super().__init__(
            pipelines, size, reader_name, auto_reset, None, last_batch_padded, last_batch_policy, prepare_first_batch
        )

    def _converted(self, outputs: Outputs, samples: Sequence[int]) -> dict[str, Any]:
        if len(self._names) > len(outputs[0]):
            raise IndexError(f"the pipeline has {len(outputs[0])} outputs, output_map names {self._names}")
        return {
            name: self._array([dense(batch[k], name, "leave it out of output_map") for batch in outputs])
            for k, name in enumerate(self._names)
        }

    def _array(self, parts: list[np.ndarray[Any, Any]]) -> Any:
        shapes = [part.shape for part in parts]
        if len({*shapes}) > 1:
            raise AssertionError(f"Shards shapes have to be the same, got {shapes}")
        if self._stacked:
            return _one_on_each(parts)
        if self._sharding is None:
            return jax.device_put(parts[0])
        devices = in_order(self._sharding)
        shape = (len(devices) * shapes[0][0], *shapes[0][1:])
        local = [device for device in devices if device in self._sharding.addressable_devices]
        return _sharded(local, shape, self._sharding, parts)


def _one_on_each(parts: list[np.ndarray[Any, Any]]) -> Any:
    """The parts under a leading axis, each on a device of its own if there are so many."""
    devices = jax.local_devices()[: len(parts)]
    if len(devices) < len(parts):
        return jax.device_put(np.stack(parts))
    mesh = jax.sharding.Mesh(np.array(devices), ("device",))
    sharding = jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("device"))
    return _sharded(devices, (len(parts), *parts[0].shape), sharding, [part[None] for part in parts])


def _sharded(devices: Sequence[Any], shape: tuple[int, ...], sharding: Any, parts: list[np.ndarray[Any, Any]]) -> Any:
    placed = [jax.device_put(part, device) for part, device in zip(parts, devices, strict=True)]
    return jax.make_array_from_single_device_arrays(shape, sharding, placed)


def data_iterator(
    pipeline_fn: Callable[..., Any] | None = None,
    output_map: Sequence[str] = (),
    size: int = -1,
    reader_name: str | None = None,
    auto_reset: str | bool | None = False,
    last_batch_padded: bool = False,
    last_batch_policy: LastBatchPolicy = LastBatchPolicy.FILL,
    prepare_first_batch: bool = True,
    sharding: Any = None,
    devices: Sequence[Any] | None = None,
    pmap_compatible: bool | None = None,
) -> Any:
    """Makes a function that returns the outputs of a pipeline one that returns a `DALIGenericIterator` over it.

        @data_iterator(output_map=["image"], reader_name="train", sharding=sharding)
        def training(root, num_shards, shard_id):
            jpegs, _ = fn.readers.file(file_root=root, name="train", num_shards=num_shards, shard_id=shard_id)
            return fn.resize(fn.decoders.image(jpegs), size=[224, 224])

        batches = training("train", batch_size=64, num_threads=4)

    The function that it makes takes the parameters of `Pipeline` too. With `sharding` or `devices` there is a pipeline
    for each device, the function is told its shard by `num_shards` and `shard_id`, and the batch size is that of all
    of them together.

    Args:
        devices: Local devices that get a pipeline each; instead of `sharding`. The arrays have a leading axis for them,
            also if it is one, unless `pmap_compatible` is False.
    """
    options = {
        "output_map": output_map, "size": size, "reader_name": reader_name, "auto_reset": auto_reset,
        "last_batch_padded": last_batch_padded, "last_batch_policy": last_batch_policy,
        "prepare_first_batch": prepare_first_batch, "sharding": sharding, "pmap_compatible": pmap_compatible,
    }  # fmt: skip
    return iterator_maker(DALIGenericIterator, pipeline_fn, options, devices)
