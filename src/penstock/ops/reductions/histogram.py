"""How often each value occurs in an image: what the statistics of a data set are made from."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock import _native
from penstock.ops.names import type_name
from penstock.schema import operator
from penstock.values.dtypes import int64, uint8
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]
LEVELS = 256


def _foretell(image: Spec) -> Spec:
    if image.dtype != uint8:
        raise RuntimeError(f"histograms are of uint8, got {type_name(image.dtype)}")
    return Spec(int64, 2, "")


@operator(name="_histogram", layouts=("HWC",), infer=_foretell)
def histogram(image: Array) -> Array:
    """The counts of the values 0 to 255 in each channel, of shape (channels, 256)."""
    channels = image.reshape(-1, image.shape[2]).T
    return np.stack([np.bincount(channel, minlength=LEVELS) for channel in channels]).astype(np.int64)


@histogram.native
def native(image: Spec) -> _native.Step:
    return _native.Histogram()
