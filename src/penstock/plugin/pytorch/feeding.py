"""What a pipeline made as torch tensors: feed_ndarray into those of the program, to_torch_tensor as new ones."""

from __future__ import annotations

from typing import Any

from penstock.interop.extras import framework
from penstock.interop.frameworks import to_torch
from penstock.pipeline.values.tensor import TensorCPU, TensorGPU
from penstock.pipeline.values.tensors import Output, TensorListCPU, TensorListGPU
from penstock.plugin.dense import array_of, on_accelerator
from penstock.values.enums import DataType

torch: Any = framework("torch", "penstock.plugin.pytorch", "torch")

to_torch_type: dict[DataType, Any] = {
    DataType.FLOAT: torch.float32, DataType.FLOAT64: torch.float64, DataType.FLOAT16: torch.float16,
    DataType.UINT8: torch.uint8, DataType.INT8: torch.int8, DataType.BOOL: torch.bool,
    DataType.INT16: torch.int16, DataType.INT32: torch.int32, DataType.INT64: torch.int64,
    DataType.UINT16: torch.uint16, DataType.UINT32: torch.uint32, DataType.UINT64: torch.uint64,
}  # fmt: skip


def feed_ndarray(dali_tensor: TensorCPU | TensorGPU | Output, arr: Any, cuda_stream: Any = None) -> Any:
    """Copies a sample, or a batch of samples of one shape, into a torch tensor, which is returned.

        image = torch.empty(480, 640, 3, dtype=torch.uint8)
        feed_ndarray(outputs[0][0], image)

    Args:
        dali_tensor: What is copied.
        arr: Where to, of the same shape and element type.
        cuda_stream: Asks for nothing on a CPU.
    """
    whole = dali_tensor.as_tensor() if isinstance(dali_tensor, (TensorListCPU, TensorListGPU)) else dali_tensor
    dtype, shape = to_torch_type[whole.dtype], [*whole.shape()]
    if dtype != arr.dtype:
        raise AssertionError(
            "The element type of DALI Tensor/TensorList doesn't match the element type of the target PyTorch Tensor: "
            f"{dtype} vs {arr.dtype}"
        )
    if shape != [*arr.size()]:
        raise AssertionError(
            f"Shapes do not match: DALI tensor has size {shape}, but PyTorch Tensor has size {[*arr.size()]}"
        )
    return arr.copy_(_tensor_of(whole))


def to_torch_tensor(dali_tensor: TensorCPU | TensorGPU | Output, copy: bool) -> Any:
    """A sample, or a batch of samples of one shape, as a torch tensor.

    Args:
        dali_tensor: What becomes a tensor.
        copy: The tensor has memory of its own; else it lies over that of the sample.
    """
    whole = dali_tensor.as_tensor() if isinstance(dali_tensor, (TensorListCPU, TensorListGPU)) else dali_tensor
    return _tensor_of(whole).clone() if copy else _tensor_of(whole)


def _tensor_of(whole: TensorCPU | TensorGPU) -> Any:
    if on_accelerator(whole):
        return torch.from_dlpack(whole)
    return to_torch(array_of(whole), copy=False, what="penstock.plugin.pytorch")
