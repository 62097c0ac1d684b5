"""The imperative face of penstock, by convention imported as ndd.

import penstock.dynamic as ndd

reader = ndd.readers.File(file_root=root, random_shuffle=True)
for jpegs, labels in reader.next_epoch(batch_size=64):
    images = ndd.resize(ndd.decoders.image(jpegs), size=[224, 224])
    train_step(images.torch(), labels.torch())
"""

from typing import TYPE_CHECKING

from penstock.dynamic import (
    capture,
    checkpoint,
    decoders,
    experimental,
    io,
    math,
    noise,
    pytorch,
    random,
    readers,
    reductions,
    segmentation,
    transforms,
)
from penstock.dynamic.cache import cache
from penstock.dynamic.calls.namespace import attributes
from penstock.dynamic.explain import explain
from penstock.dynamic.imread import imread
from penstock.dynamic.maybe import maybe
from penstock.dynamic.own_operators.decorator import operator
from penstock.dynamic.profiling import profile, progress
from penstock.dynamic.show import save_sheet, show
from penstock.dynamic.sources.external_source import ExternalSource
from penstock.dynamic.values.batch import Batch
from penstock.dynamic.values.construct import as_batch, as_tensor, batch, tensor
from penstock.dynamic.values.tensor import Tensor
from penstock.engine.context import EvalContext
from penstock.engine.memory_budget import get_memory_limit, set_memory_limit
from penstock.engine.modes import EvalMode
from penstock.engine.threads import ThreadPool, get_num_threads, set_num_threads
from penstock.gpu.streams import (
    Stream,
    get_current_stream,
    get_default_stream,
    set_current_stream,
    set_default_stream,
    stream,
)
from penstock.interop.torch_collate import teach_default_collate
from penstock.schema.params import PerSample
from penstock.values.device import Device, DeviceLike, device
from penstock.values.dtypes import (
    DataType,
    DType,
    ImageType,
    InterpType,
    bfloat16,
    dtype,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    type_id,
    uint8,
    uint16,
    uint32,
    uint64,
)
from penstock.values.dtypes import bool_ as bool
from penstock.values.spec import Spec

DType.make_tensor = staticmethod(tensor)
teach_default_collate(Tensor)

__all__ = [
    "Batch",
    "DType",
    "DataType",
    "Device",
    "DeviceLike",
    "EvalContext",
    "EvalMode",
    "ExternalSource",
    "ImageType",
    "InterpType",
    "PerSample",
    "Spec",
    "Stream",
    "Tensor",
    "ThreadPool",
    "as_batch",
    "as_tensor",
    "batch",
    "bfloat16",
    "bool",
    "cache",
    "capture",
    "checkpoint",
    "decoders",
    "device",
    "dtype",
    "experimental",
    "explain",
    "float16",
    "float32",
    "float64",
    "get_current_stream",
    "get_default_stream",
    "get_memory_limit",
    "get_num_threads",
    "imread",
    "int8",
    "int16",
    "int32",
    "int64",
    "io",
    "math",
    "maybe",
    "noise",
    "operator",
    "profile",
    "progress",
    "pytorch",
    "random",
    "readers",
    "reductions",
    "save_sheet",
    "segmentation",
    "set_current_stream",
    "set_default_stream",
    "set_memory_limit",
    "set_num_threads",
    "show",
    "stream",
    "tensor",
    "transforms",
    "type_id",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
]  # fmt: skip

if TYPE_CHECKING:
    from penstock.dynamic._signatures.ndd import *
else:
    __getattr__, __dir__ = attributes("", also=__all__)
