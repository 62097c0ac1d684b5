"""What decoders, readers and resampling of sound refuse alike."""

from __future__ import annotations

from penstock.ops.names import type_name
from penstock.values.dtypes import DType, float32, int16, int32


def check_sound(dtype: DType, quality: float) -> None:
    """Refuses types that sound is not decoded to and qualities there are not."""
    if dtype not in (int16, int32, float32):
        raise RuntimeError(f"Unsupported output type: {type_name(dtype)}. Sound becomes int16, int32 or float")
    check_quality(quality)


def check_quality(quality: float) -> None:
    if not 0 <= quality <= 100:
        raise RuntimeError(f"`quality` out of range: {quality:g}. Valid range is [0..100].")
