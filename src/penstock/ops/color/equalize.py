"""Histogram equalisation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.ops.names import type_name
from penstock.schema import Example, examples, operator
from penstock.schema.params import Layout
from penstock.values.dtypes import uint8
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]
LAYOUTS = ("HW", "HWC", "CHW", "FHW", "FHWC", "FCHW")


def _foretell(image: Spec) -> Spec:
    if image.dtype != uint8:
        raise RuntimeError(
            f"Unsupported input type for equalize operator: {type_name(image.dtype)}. Expected input type: uint8"
        )
    return image


@operator(layouts=LAYOUTS, frames=True, infer=_foretell)
def equalize(image: Array, *, layout: Layout) -> Array:
    """Spreads the values of every channel evenly over 0 to 255.

        ndd.equalize(images)

    The lowest value of a channel becomes 0 and the highest 255; a channel of one value stays as it is.
    """
    axis = layout.find("C")
    if axis < 0 or image.size == 0:
        return _equalized(image)
    return np.stack([_equalized(channel) for channel in np.moveaxis(image, axis, 0)], axis=axis)


def _equalized(channel: Array) -> Array:
    if channel.size == 0:
        return channel
    counts = np.bincount(channel.ravel(), minlength=256)
    lowest = int(np.flatnonzero(counts)[0])
    rest = channel.size - counts[lowest]
    if rest == 0:
        return channel
    counts[lowest] = 0
    table = np.rint(np.cumsum(counts).astype(np.float32) * (np.float32(255) / np.float32(rest)))
    return np.asarray(table.astype(np.uint8)[channel])


@equalize.native
def native(image: Spec) -> _native.Step:
    assert image.layout is not None
    return _native.Equalize(image.layout.find("C"))


@equalize.gpu
def gpu(image: torch.Tensor, *, layout: Layout) -> torch.Tensor:
    import torch

    if not image.numel():
        return image
    axis = layout.find("C")
    planes = image[:, None] if axis < 0 else image.movedim(1 + axis, 1)
    values = planes.flatten(2).to(torch.int64)
    counts = values.new_zeros((*values.shape[:2], 256)).scatter_add_(2, values, torch.ones_like(values))
    lowest = (counts > 0).to(torch.uint8).argmax(dim=2, keepdim=True)
    rest = values.shape[2] - counts.gather(2, lowest)
    scale = torch.full_like(lowest, 255, dtype=torch.float32) / rest.to(torch.float32)
    shares = counts.scatter(2, lowest, 0).cumsum(dim=2).to(torch.float32) * scale
    identity = torch.arange(256, dtype=torch.float32, device=image.device)
    table = torch.where(rest == 0, identity, shares.round()).to(torch.uint8)
    made = table.gather(2, values).reshape(planes.shape)
    return made[:, 0] if axis < 0 else made.movedim(1, 1 + axis)


equalize.examples = examples(
    Example(
        "ndd.equalize(image)",
        compared=True,
        drawn=True,
        plain="cv2.merge([cv2.equalizeHist(plane) for plane in cv2.split(image)])",
    ),
)
