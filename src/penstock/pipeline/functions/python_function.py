"""fn.python_function and fn.dl_tensor_python_function: a function of the program's own as an operator."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from penstock._native import Pool, SampleError, Samples
from penstock.interop.frameworks import is_array, to_numpy
from penstock.pipeline.definition.call_definition import define
from penstock.schema.operator import Operator
from penstock.values.dtypes import DType
from penstock.values.samples import arrays_of, packed
from penstock.values.spec import UNKNOWN

Array = np.ndarray[Any, Any]

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


def python_function(
    *inputs: Any,
    function: Callable[..., Any],
    num_outputs: int = 1,
    batch_processing: bool = False,
    output_layouts: str | Sequence[str] | None = None,
    **keywords: Any,
) -> Any:
    """Calls a function with the samples as NumPy arrays; what it returns are the samples of the results.

    Example:
        >>> inverted = fn.python_function(images, function=lambda image: 255 - image)

    The function is called in every iteration, whether its results are used or not, sample after sample. The arrays it
    is given are its own. Data of a GPU are arrays of CuPy, and of NumPy where torch's CPU device stands in for one.

    Args:
        function: Takes an array of each input and returns one, or a tuple of them where there are several outputs.
        num_outputs: How many there are; 0 for a function that is called for what it does.
        batch_processing: The function takes lists of arrays, the whole batch at once, and returns such lists.
        output_layouts: Layout of all results, or of each.
    """
    return define_python_function(
        "python_function", inputs, function, num_outputs, batch_processing, output_layouts, keywords, takes_arrays=True
    )


def dl_tensor_python_function(
    *inputs: Any,
    function: Callable[..., Any],
    num_outputs: int = 1,
    batch_processing: bool = True,
    output_layouts: str | Sequence[str] | None = None,
    synchronize_stream: bool = True,
    **keywords: Any,
) -> Any:
    """As `python_function`, with DLPack capsules in place of arrays.

    Example:
        >>> doubled = fn.dl_tensor_python_function(
        ...     images, function=lambda batch: [torch.from_dlpack(each).mul(2) for each in batch]
        ... )

    Args:
        function: Takes lists of capsules, one of each input, and returns lists of capsules or of anything with
            `__dlpack__`, as a tuple where there are several outputs.
        num_outputs: How many there are; 0 for a function that is called for what it does.
        batch_processing: Whether the function takes the whole batch at once; else single capsules.
        output_layouts: Layout of all results, or of each.
        synchronize_stream: Asks for nothing on a CPU.
    """

    def converting(*arrays: Any) -> Any:
        given = [[each.__dlpack__() for each in array] if batch_processing else array.__dlpack__() for array in arrays]
        return function(*given)

    path = "dl_tensor_python_function"
    return define_python_function(path, inputs, converting, num_outputs, batch_processing, output_layouts, keywords)


def define_python_function(
    path: str, inputs: Sequence[Any], function: Callable[..., Any], count: int, by_batch: bool, layouts: Any,
    keywords: dict[str, Any], takes_arrays: bool = False,
) -> Any:  # fmt: skip
    """Adds calls of a function of arrays to the pipeline that is being defined.

    Data of a GPU it is given as tensors of torch, unless it `takes_arrays` only.
    """
    listed = [layouts] * count if isinstance(layouts, str) else [*(layouts or ())]
    if not all(isinstance(layout, str) for layout in listed):
        raise RuntimeError(f"Unsupported argument type with name output_layouts: layouts are strings, got {layouts!r}")
    if len(listed) > count:
        raise RuntimeError(
            f"The length of the ``output_layouts`` (={len(listed)}) is greater than the number of outputs (={count})."
        )

    def plain(*arrays: Any) -> Any:
        return function(*arrays)

    op = Operator(plain, name=path, pure=False, results=count, infer=lambda *specs: (UNKNOWN,) * count)

    @op.on_samples(anywhere=True)
    def on_samples(pool: Pool, n: int, *batches: Samples) -> list[Samples]:
        def call(columns: Sequence[list[Any]], convert: Callable[[Any], Any]) -> list[list[Any]]:
            return (_at_once if by_batch else _in_turn)(function, columns, n, count, convert)

        if any(batch.elsewhere for batch in batches):
            from penstock.pipeline.functions.gpu_function import call_on_gpu

            made = call_on_gpu(call, batches, n, takes_arrays)
        else:
            columns = [[np.array(array) for array in arrays_of(batch)] for batch in batches]
            columns = [column * n if len(column) == 1 else column for column in columns]
            made = [packed(column, DType.by_numpy[column[0].dtype].code) for column in call(columns, _as_array)]
        return [_labelled(each, layout) for each, layout in zip(made, [*listed, *[""] * count], strict=False)]

    op.doc = str(function.__doc__ or "")
    return define(op, inputs, {**keywords, "preserve": True})


def _in_turn(
    function: Callable[..., Any], columns: Sequence[list[Any]], n: int, count: int, convert: Callable[[Any], Any]
) -> list[list[Any]]:
    made: list[list[Any]] = [[] for _ in range(count)]
    for i in range(n):
        try:
            each = _several(function(*(column[i] for column in columns)), count)
            for column, value in zip(made, each, strict=True):
                array = convert(value)
                if column and (array.dtype, array.ndim) != (column[0].dtype, column[0].ndim):
                    raise TypeError(
                        f"all samples of a result have one type and number of axes; sample 0 is {column[0].dtype} with "
                        f"{column[0].ndim} axes, this one {array.dtype} with {array.ndim}"
                    )
                column.append(array)
        except Exception as error:
            raise SampleError(i, error_text(error)) from error
    return made


def _at_once(
    function: Callable[..., Any], columns: Sequence[list[Any]], n: int, count: int, convert: Callable[[Any], Any]
) -> list[list[Any]]:
    try:
        made = [[*map(convert, batch)] for batch in _several(function(*columns), count)]
    except Exception as error:
        raise RuntimeError(error_text(error)) from error
    for batch in made:
        if len(batch) != n:
            raise RuntimeError(f"the function returned {len(batch)} samples and should return {n}")
        kinds = {(str(array.dtype), array.ndim) for array in batch}
        if len(kinds) > 1:
            raise RuntimeError(f"all samples of a result have one type and number of axes, got {sorted(kinds)}")
    return made


def _several(returned: Any, count: int) -> Sequence[Any]:
    if count == 0:
        return ()
    if count == 1:
        return returned[:1] if isinstance(returned, tuple) else (returned,)
    if not isinstance(returned, tuple):
        raise TypeError(f"a function with several outputs returns a tuple, got a {type(returned).__name__}")
    if len(returned) != count:
        raise ValueError(f"the function has {count} outputs, it returned {len(returned)}")
    return returned


class Capsule:
    """A DLPack capsule as something that NumPy takes one from."""

    def __init__(self, capsule: Any) -> None:
        self._capsule = capsule

    def __dlpack__(self, **options: Any) -> Any:
        return self._capsule

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0


def _as_array(value: Any) -> Array:
    if type(value).__name__ == "PyCapsule":
        return np.from_dlpack(Capsule(value))
    if isinstance(value, (bool, int, float, np.generic)):
        return np.asarray(value)
    if not is_array(value):
        raise TypeError(f"the function returns arrays, got a {type(value).__name__}")
    array = value if isinstance(value, np.ndarray) else to_numpy(value)
    if array.dtype not in DType.by_numpy:
        raise TypeError(f"there are no batches of {array.dtype}")
    return array


def _labelled(made: Samples, layout: str) -> Samples:
    if layout and len(layout) != made.ndim:
        raise ValueError(f"The layout '{layout}' is not valid for {made.ndim}-dimensional tensor")
    made.layout = layout
    return made


def error_text(error: Exception) -> str:
    """What went wrong, and on which line of the program."""
    where = ""
    for frame, line in traceback.walk_tb(error.__traceback__):
        if not frame.f_code.co_filename.startswith(_PACKAGE):
            where = f" ({frame.f_code.co_filename}:{line})"
    return f"{type(error).__name__}: {error}{where}"
