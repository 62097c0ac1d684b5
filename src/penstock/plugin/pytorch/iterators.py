"""Iterators that hand out torch tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from penstock.interop.extras import framework
from penstock.interop.frameworks import to_torch
from penstock.pipeline.pipeline import Pipeline
from penstock.pipeline.values.tensors import Output
from penstock.plugin.arguments import checked_names
from penstock.plugin.base_iterator import BaseIterator, Outputs
from penstock.plugin.dense import array_of, dense, on_accelerator, whole
from penstock.plugin.epochs import LastBatchPolicy

torch: Any = framework("torch", "penstock.plugin.pytorch", "torch")


class DALIGenericIterator(BaseIterator):
    """Hands out a dict of tensors for each pipeline, in a list.

        batches = DALIGenericIterator(pipeline, ["image", "box"], reader_name="train", auto_reset=True)
        for [batch] in batches:
            train_step(batch["image"], batch["box"])

    The tensors lie over the memory of the outputs and are the program's own. The pipelines work on the next batches
    meanwhile. Each output must have samples of one shape; for others there is `DALIRaggedIterator`.

    Args:
        pipelines: A pipeline, or several with the same batch size, a batch of each of which makes a step.
        output_map: Names of the outputs.
        size: Samples in an epoch, of all pipelines together; -1 where the epoch ends when the source does, whatever
            the policy.
        reader_name: Name of the reader that tells the size of an epoch and whether it is padded, instead of `size`.
        auto_reset: Begin the next epoch where one ends, without `reset`; `iter` does so too.
        fill_last_batch: Older way to say FILL (True) or PARTIAL (False).
        dynamic_shape: Without effect: shapes may always change from batch to batch.
        last_batch_padded: With `size`: the source fills the last batch of an epoch itself.
        last_batch_policy: What becomes of the batch in which an epoch ends.
        prepare_first_batch: Make the first batch at once, so that mistakes in the pipelines show here.
    """

    def __init__(
        self,
        pipelines: Pipeline | Sequence[Pipeline],
        output_map: Sequence[str],
        size: int = -1,
        reader_name: str | None = None,
        auto_reset: str | bool | None = False,
        fill_last_batch: bool | None = None,
        dynamic_shape: bool | None = False,
        last_batch_padded: bool = False,
        last_batch_policy: LastBatchPolicy = LastBatchPolicy.FILL,
        prepare_first_batch: bool = True,
    ) -> None:
        self.output_map = output_map
        self._names = checked_names(output_map)
        super().__init__(
            pipelines, size, reader_name, auto_reset, fill_last_batch, last_batch_padded, last_batch_policy,
            prepare_first_batch,
        )  # fmt: skip

    def _converted(self, outputs: Outputs, samples: Sequence[int]) -> list[dict[str, Any]]:
        return [self._batch(batch, count) for batch, count in zip(outputs, samples, strict=False)]

    def _batch(self, outputs: Sequence[Output], samples: int) -> dict[str, Any]:
        _check_count(self._names, outputs)
        others: list[Any] = []
        return {name: self._tensor(k, outputs[k], samples, others) for k, name in enumerate(self._names)}

    def _tensor(self, place: int, output: Output, samples: int, others: list[Any]) -> Any:
        if on_accelerator(output):
            return torch.from_dlpack(whole(output, self._names[place], "use DALIRaggedIterator"))[:samples]
        return _own(dense(output, self._names[place], "use DALIRaggedIterator")[:samples], others)


class DALIClassificationIterator(DALIGenericIterator):
    """A `DALIGenericIterator` of pipelines with the two outputs "data" and "label"."""

    def __init__(
        self,
        pipelines: Pipeline | Sequence[Pipeline],
        size: int = -1,
        reader_name: str | None = None,
        auto_reset: str | bool | None = False,
        fill_last_batch: bool | None = None,
        dynamic_shape: bool | None = False,
        last_batch_padded: bool = False,
        last_batch_policy: LastBatchPolicy = LastBatchPolicy.FILL,
        prepare_first_batch: bool = True,
    ) -> None:
        super().__init__(
            pipelines, ["data", "label"], size, reader_name, auto_reset, fill_last_batch, dynamic_shape,
            last_batch_padded, last_batch_policy, prepare_first_batch,
        )  # fmt: skip


class DALIRaggedIterator(DALIGenericIterator):
    """A `DALIGenericIterator` whose outputs may have samples of different shapes.

        boxes = DALIRaggedIterator(pipeline, ["image", "box"], output_types=["dense", "sparse_list"])

    Args:
        output_types: For each output DENSE_TAG (one tensor), SPARSE_LIST_TAG (a list with a tensor for each sample) or
            SPARSE_COO_TAG (a sparse tensor that every sample fits in). All are dense by default.
    """

    DENSE_TAG = "dense"
    SPARSE_LIST_TAG = "sparse_list"
    SPARSE_COO_TAG = "sparse_coo"

    def __init__(
        self,
        pipelines: Pipeline | Sequence[Pipeline],
        output_map: Sequence[str],
        size: int = -1,
        reader_name: str | None = None,
        output_types: Sequence[str] | None = None,
        auto_reset: str | bool | None = False,
        fill_last_batch: bool | None = None,
        dynamic_shape: bool | None = False,
        last_batch_padded: bool = False,
        last_batch_policy: LastBatchPolicy = LastBatchPolicy.FILL,
        prepare_first_batch: bool = True,
    ) -> None:
        self._types = [self.DENSE_TAG] * len(output_map) if output_types is None else [*output_types]
        if not {*self._types} <= {self.DENSE_TAG, self.SPARSE_LIST_TAG, self.SPARSE_COO_TAG}:
            raise AssertionError(
                f"Only DENSE_TAG, SPARSE_LIST_TAG and SPARSE_COO_TAG are allowed in output_types, got {self._types}"
            )
        if len(self._types) < len(output_map):
            raise IndexError(f"{len(output_map)} outputs are named, output_types tells of {len(self._types)}")
        super().__init__(
            pipelines, output_map, size, reader_name, auto_reset, fill_last_batch, dynamic_shape, last_batch_padded,
            last_batch_policy, prepare_first_batch,
        )  # fmt: skip

    def _tensor(self, place: int, output: Output, samples: int, others: list[Any]) -> Any:
        if self._types[place] == self.DENSE_TAG and on_accelerator(output):
            return super()._tensor(place, output, samples, others)
        if on_accelerator(output):
            if self._types[place] == self.SPARSE_LIST_TAG:
                return [torch.from_dlpack(sample) for sample in output][:samples]
            output = output.as_cpu()  # sparse tensors are put together by the CPU
        if self._types[place] == self.DENSE_TAG:
            return _own(dense(output, self._names[place], "say SPARSE_LIST_TAG in output_types")[:samples], others)
        arrays = [array_of(sample) for sample in output]
        if self._types[place] == self.SPARSE_LIST_TAG:
            return [_as_tensor(array) for array in arrays[:samples]]
        return _sparse(arrays[:samples], arrays[0])


def _check_count(names: list[str], outputs: Sequence[Output]) -> None:
    if len(names) < len(outputs):
        raise IndexError(f"the pipeline has {len(outputs)} outputs, output_map names {len(names)} of them: {names}")
    if len(names) > len(outputs):
        raise KeyError(names[len(outputs)])


def _own(array: Any, others: list[Any]) -> Any:
    """A tensor over the array; over a copy of it where it lies over one of the others, and may be written to."""
    if any(np.may_share_memory(array, other) for other in others):
        array = array.copy()
    others.append(array)
    return _as_tensor(array)


def _as_tensor(array: Any) -> Any:
    return to_torch(array, copy=False, what="penstock.plugin.pytorch")


def _sparse(arrays: list[Any], like: Any) -> Any:
    """All elements, zeros too, at their places in a tensor that the largest sample fits in; there may be no sample."""
    ndim = like.ndim
    places = [np.zeros((1 + ndim, 0), np.int64)]
    for k, array in enumerate(arrays):
        places.append(np.stack([np.full(array.size, k), *np.indices(array.shape).reshape(ndim, array.size)]))
    most = np.max([array.shape for array in arrays] or [(0,) * ndim], axis=0).astype(int)
    values = _as_tensor(np.concatenate([array.ravel() for array in arrays] or [np.zeros(0, like.dtype)]))
    size = (len(arrays), *most.tolist())
    return torch.sparse_coo_tensor(np.concatenate(places, axis=1), values, size, check_invariants=False)
