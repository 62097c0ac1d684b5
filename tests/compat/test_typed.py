"""Stubs of nvidia.dali, for type checkers: mypy reads this file, and would say which of these types is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import penstock.compat

if TYPE_CHECKING:
    import nvidia.dali.experimental.dynamic as ndd
    import nvidia.dali.ops as ops
    from nvidia.dali import Pipeline, fn, math, pipeline_def, types
    from nvidia.dali.auto_aug import rand_augment
    from nvidia.dali.auto_aug.core import augmentation
    from nvidia.dali.auto_aug.core._augmentation import Augmentation
    from nvidia.dali.experimental.dynamic._batch import Batch
    from nvidia.dali.fn import readers
    from nvidia.dali.pipeline import DataNode
    from nvidia.dali.plugin.base_iterator import LastBatchPolicy
    from nvidia.dali.plugin.pytorch import DALIClassificationIterator, DALIGenericIterator
    from nvidia.dali.plugin.pytorch.fn import torch_python_function
    from nvidia.dali.tensors import TensorListCPU
    from typing_extensions import assert_type

    @pipeline_def(batch_size=2, num_threads=1, device_id=None)
    def pipeline(root: str) -> tuple[DataNode, DataNode]:
        jpegs, labels = readers.file(file_root=root)
        images = fn.decoders.image(jpegs, output_type=types.RGB)
        assert_type(images, DataNode)
        assert_type(fn.rotate(images, angle=fn.random.uniform(range=[0, 10], seed=3), name="turned"), DataNode)
        assert_type(math.sqrt(images), DataNode)
        ops.decoders.Image(output_type=types.RGB)(jpegs)
        return fn.resize(images, size=[2, 2], interp_type=types.INTERP_LINEAR), labels

    assert_type(pipeline("root"), Pipeline)
    assert_type(pipeline("root").run(), tuple[TensorListCPU, ...])
    DALIGenericIterator(pipeline("root"), ["data", "label"], last_batch_policy=LastBatchPolicy.DROP)
    assert_type(len(DALIClassificationIterator(pipeline("root"), reader_name="train")), int)
    torch_python_function(function=print, num_outputs=2)
    rand_augment.rand_augment(fn.random.uniform(), n=2, m=9, excluded=["Invert"])

    @augmentation(mag_range=(0, 30), randomly_negate=True)
    def turned(images: DataNode, angle: float, fill_value: int | None = None) -> DataNode:
        return fn.rotate(images, angle=angle)

    assert_type(turned, Augmentation)
    assert_type(ndd.resize(ndd.batch([[1]]), size=[1, 1]), ndd.Batch)
    assert_type(ndd.decoders.image(ndd.tensor([1])), ndd.Tensor)
    given: Batch = ndd.batch([[1]])


def test_type_checkers_find_typed_stubs() -> None:
    folder = Path(penstock.compat.mypy_path()) / "nvidia"
    assert (folder / "py.typed").read_text() == "partial\n"
    assert (folder / "dali/fn/readers.pyi").read_text().endswith("from penstock.fn.readers import *\n")
