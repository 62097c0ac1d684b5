"""The functions of fn by their public names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from penstock.ops.declaration import OPERATORS
from penstock.pipeline.functions.constant import constant
from penstock.pipeline.functions.deprecated_functions import (
    DEPRECATED_NAMES,
    deprecated_function,
    fast_resize_crop_mirror,
    shapes,
    ssd_random_crop,
)
from penstock.pipeline.functions.external_source import external_source
from penstock.pipeline.functions.operator_functions import function
from penstock.pipeline.functions.python_function import dl_tensor_python_function, python_function
from penstock.pipeline.functions.reader_functions import READERS, reader_function
from penstock.pipeline.functions.video_input import video_input
from penstock.pipeline.functions.video_resize import video_resize

_OWN: dict[str, Callable[..., Any]] = {
    "constant": constant,
    "dl_tensor_python_function": dl_tensor_python_function,
    "experimental.inputs.video": video_input,
    "external_source": external_source,
    "fast_resize_crop_mirror": fast_resize_crop_mirror,
    "python_function": python_function,
    "readers.video_resize": video_resize,
    "shapes": shapes,
    "ssd_random_crop": ssd_random_crop,
}


def function_paths() -> list[str]:
    """What fn has, as "decoders.image". Functions on numbers are in `penstock.math`."""
    operators = [path for path in OPERATORS if not _is_hidden(path) and not path.startswith("math.")]
    return sorted({*operators, *READERS, *_OWN, *DEPRECATED_NAMES})


def make_function(path: str) -> Callable[..., Any]:
    """The function of that path."""
    if path in _OWN:
        return _OWN[path]
    if path in DEPRECATED_NAMES:
        return deprecated_function(path, make_function(DEPRECATED_NAMES[path]))
    return reader_function(path) if path in READERS else function(path)


def _is_hidden(path: str) -> bool:
    return any(part.startswith("_") for part in path.split("."))
