"""torch_python_function and TorchPythonFunction: a function of torch tensors as an operator of pipelines."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from penstock.interop.extras import framework
from penstock.pipeline.functions.op_classes import OperatorObject
from penstock.pipeline.functions.python_function import define_python_function

torch: Any = framework("torch", "penstock.plugin.pytorch", "torch")


def torch_python_function(
    *inputs: Any,
    function: Callable[..., Any],
    num_outputs: int = 1,
    batch_processing: bool = False,
    output_layouts: str | Sequence[str] | None = None,
    **keywords: Any,
) -> Any:
    """Calls a function with the samples as torch tensors; what it returns are the samples of the results.

    Example:
        >>> doubled = plugin.pytorch.fn.torch_python_function(images, function=lambda image: image * 2)

    The function is called in every iteration, whether its results are used or not, sample after sample. The tensors it
    is given are its own.

    Args:
        function: Takes a tensor of each input and returns one, or a tuple of them where there are several outputs.
        num_outputs: How many there are; 0 for a function that is called for what it does.
        batch_processing: The function takes lists of tensors, the whole batch at once, and returns such lists.
        output_layouts: Layout of the result, or of each.
    """

    def on_tensors(*given: Any) -> Any:
        if batch_processing:
            returned = function(*([*map(_tensor, column)] for column in given))
        else:
            returned = function(*map(_tensor, given))
        return tuple(map(_plain, returned)) if isinstance(returned, tuple) else _plain(returned)

    path = "plugin.pytorch.fn.torch_python_function"
    return define_python_function(path, inputs, on_tensors, num_outputs, batch_processing, output_layouts, keywords)


class TorchPythonFunction(OperatorObject):
    """`torch_python_function` as an operator that is made once: `TorchPythonFunction(function)(images)`."""

    function: ClassVar[Callable[..., Any]] = staticmethod(torch_python_function)
    path: ClassVar[str] = "TorchPythonFunction"

    def __init__(
        self,
        function: Callable[..., Any],
        num_outputs: int = 1,
        device: str = "cpu",
        batch_processing: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            function=function, num_outputs=num_outputs, device=device, batch_processing=batch_processing, **kwargs
        )


def _tensor(sample: Any) -> Any:
    """A tensor over an array; what is on a GPU is one already."""
    return sample if isinstance(sample, torch.Tensor) else torch.from_numpy(sample)


def _plain(value: Any) -> Any:
    """A tensor without gradient and strides, which batches have none of; lists of tensors too."""
    if isinstance(value, list):
        return [_plain(each) for each in value]
    return value.detach().contiguous() if isinstance(value, torch.Tensor) else value
