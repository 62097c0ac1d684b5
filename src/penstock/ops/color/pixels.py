"""What operators on colours share: their element types, and their channels."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from penstock.ops.names import type_name
from penstock.values.dtypes import DType
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def converted(image: Spec, dtype: DType | None, types: Collection[DType]) -> Spec:
    """The image as `dtype`, or as it is; `types` are those the operator reads and writes."""
    if image.dtype not in types:
        raise RuntimeError(f"Unsupported input type: {type_name(image.dtype)}; {_choice(types)}")
    if dtype is not None and dtype not in types:
        raise RuntimeError(f"Unsupported output type: {type_name(dtype)}; {_choice(types)}")
    return image._replace(dtype=dtype or image.dtype)


def _choice(types: Collection[DType]) -> str:
    return f"choose from {', '.join(map(type_name, types))}"


def check_channels(image: Any, channels: int) -> None:
    if image.shape[-1] != channels:
        raise RuntimeError(f"expected {channels} channels, got {image.shape[-1]}")
