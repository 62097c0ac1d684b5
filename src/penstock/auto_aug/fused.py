"""Suites of known augmentations as one operator, which the engine carries samples through together with others.

The branches that `select` makes would do the same, but take the batch apart and let threads wait for each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from penstock.auto_aug import augmentations as a
from penstock.auto_aug.core.augmentation import Augmentation
from penstock.auto_aug.core.magnitudes import SignedBin
from penstock.auto_aug.core.node_or_value import PER_SAMPLE, given, operator_of, row_of
from penstock.ops.image.augment import WIDTH, numbers_of

Array = np.ndarray[Any, Any]

KINDS: dict[Any, str] = {
    a.shear_x.op: "shear",
    a.shear_y.op: "shear",
    a.translate_x.op: "translate_by_parts",
    a.translate_y.op: "translate_by_parts",
    a.translate_x_no_shape.op: "translate",
    a.translate_y_no_shape.op: "translate",
    a.rotate.op: "rotate",
    a.brightness.op: "brightness",
    a.contrast.op: "contrast",
    a.color.op: "color",
    a.sharpness.op: "sharpness",
    a.posterize.op: "posterize",
    a.solarize.op: "solarize",
    a.solarize_add.op: "solarize_add",
    a.invert.op: "invert",
    a.equalize.op: "equalize",
    a.auto_contrast.op: "auto_contrast",
    a.identity.op: "identity",
}


def fused(
    augmentations: Sequence[Augmentation],
    chosen: Any,
    data: Any,
    magnitude_bin: Any,
    bins: int,
    kwargs: dict[str, Any],
    applied: Any,
) -> Any:
    """The same as `select`, or None where an augmentation is not known, or is given what only branches can take."""
    kinds = [KINDS.get(each.op, "") for each in augmentations]
    kwargs = {name: value for name, value in kwargs.items() if any(name in each.accepted for each in augmentations)}
    if not all(kinds) or not all(type(each) is Augmentation and _takes(each, kwargs) for each in augmentations):
        return None
    tables = [_table(each, kind, magnitude_bin, bins) for each, kind in zip(augmentations, kinds, strict=True)]
    known = [table for table in tables if table is not None]
    if len(known) < len(tables):
        return None
    rows = max(map(len, known))
    whole = np.concatenate([np.repeat(table, rows // len(table), axis=0) for table in known])
    place = _place(magnitude_bin) if any(each.mag_range is not None for each in augmentations) else 0
    options = {} if applied is True else {"applied": applied}
    if len(kinds) > 1:
        options["chosen"] = chosen
        place = chosen * rows + place
    options["parameters"] = row_of(whole, place)
    options |= given(**{"fill_value": a.FILL_VALUE, **kwargs})
    return operator_of(data, "_augment")(data, kinds=kinds, **options)


def _place(magnitude_bin: Any) -> Any:
    if isinstance(magnitude_bin, SignedBin):
        return magnitude_bin.place
    return 0 if isinstance(magnitude_bin, int) else magnitude_bin


def _takes(augmentation: Augmentation, kwargs: dict[str, Any]) -> bool:
    """Whether nothing is missing, and what is given is one node of shapes and otherwise the same for all samples."""
    shape = kwargs.get("shape")
    parts = shape if isinstance(shape, (list, tuple)) else ()
    others = [value for name, value in kwargs.items() if name != "shape"]
    whole = all(kwargs.get(name) is not None for name in augmentation.required)
    return whole and not any(isinstance(each, PER_SAMPLE) for each in (*parts, *others))


def _table(augmentation: Augmentation, kind: str, magnitude_bin: Any, bins: int) -> Array | None:
    """What the operator is told for every place of a bin; None where it is not what the operator takes."""
    if augmentation.mag_range is None:
        return np.zeros((1, WIDTH), np.float32) if numbers_of(kind) == 1 else None
    augmentation.check_magnitudes(magnitude_bin, bins)
    signed = isinstance(magnitude_bin, SignedBin)
    own = magnitude_bin.bin if isinstance(magnitude_bin, SignedBin) else magnitude_bin
    if augmentation.randomly_negate and not signed:
        return None
    told = augmentation.table(bins, augmentation.randomly_negate, own if isinstance(own, int) else None)
    flat = told.reshape(len(told), -1)
    if flat.shape[1] != numbers_of(kind) or flat.dtype.kind not in "iuf":
        return None
    if signed and not augmentation.randomly_negate:
        flat = np.repeat(flat, 2, axis=0)
    return np.pad(flat.astype(np.float32), [(0, 0), (0, WIDTH - flat.shape[1])])
