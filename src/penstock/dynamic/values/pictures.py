"""Tensors and Batches as pictures, which notebooks ask for.

The drawing is done by `penstock.viz`, which is built on this folder and so is loaded when it is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock.values.samples import arrays_of

if TYPE_CHECKING:
    from penstock.dynamic.values.value import Value
    from penstock.viz.sheet import Sheet

SHOWN_SAMPLES = 24


def html_of(value: Value) -> str:
    """What a notebook shows; a value that waits to be asked for is told, not made."""
    if value._is_deferred():
        told: str = _viz().pending_html(value._explain())
        return told
    return sheet_of(value)._repr_html_()


def png_of(value: Value) -> bytes | None:
    """The same for those who cannot show HTML; None where there is no picture of it."""
    return None if value._is_deferred() else sheet_of(value)._repr_png_()


def sheet_of(value: Value, count: int = SHOWN_SAMPLES, **beside: Any) -> Sheet:
    """The first `count` samples as a contact sheet, with what is drawn beside them."""
    sheet: Sheet = _viz().sheet(_shown(value, count), **beside)
    return sheet


def _viz() -> Any:
    return import_module("penstock.viz.show")


def _shown(value: Value, count: int) -> Any:
    samples = value._resolve().host()
    arrays = arrays_of(samples.select(list(range(min(count, len(samples))))))
    return _viz().Shown(
        "Batch" if value._is_batch else "Tensor",
        arrays,
        len(samples),
        str(value.dtype),
        samples.layout,
        repr(value),
        value._is_batch,
        samples.uniform,
        samples.sources,
        _viz().normalization(**normalization_of(value._normalized_by())),
    )


def normalization_of(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Mean, deviation, scale and shift among the arguments of a call that normalises, as far as they are constants."""
    found: dict[str, Any] = {}
    for name, known in (("mean", "mean"), ("std", "deviation"), ("stddev", "deviation")):
        given = arguments.get(name)
        if isinstance(given, (int, float, list, tuple, np.ndarray)):
            found[known] = np.asarray(given, np.float64).ravel().tolist()
    for name in ("scale", "shift"):
        if name in arguments:
            found[name] = float(arguments[name])
    return found
