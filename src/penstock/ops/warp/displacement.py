"""What the operators that move pixels a little way off share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.gpu.types import dtype_of
from penstock.ops.names import type_name
from penstock.ops.warp import lookup
from penstock.schema import PerSample
from penstock.values.dtypes import DType, float32, uint8
from penstock.values.enums import InterpType
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]
LAYOUTS = ("HWC",)


@dataclass
class Displacement:
    """Whether pixels are moved, and what is seen where they come from."""

    mask: PerSample[int] = 1
    interp_type: InterpType = InterpType.INTERP_NN
    fill_value: float = 0.0

    def fill(self, dtype: DType | None) -> float:
        """The fill value as a pixel of that type, cut off after the point."""
        return float(np.clip(np.trunc(self.fill_value), 0, 255)) if dtype == uint8 else self.fill_value

    def options(self, image: Spec) -> _native.WarpOptions:
        assert image.dtype is not None
        fill = [self.fill(image.dtype)]
        return _native.WarpOptions(image.dtype.code, self.interp_type, _native.Border.pad, fill, None, 2)

    def look_up(self, image: Array, places: list[Array]) -> Array:
        """The image with every pixel taken from its place: rows, then columns."""
        if not self.mask:
            return image
        dtype = DType.by_numpy[image.dtype]
        return lookup.look_up(image, places, self.interp_type, "pad", self.fill(dtype), dtype)

    def look_up_gpu(self, image: torch.Tensor, places: list[torch.Tensor]) -> torch.Tensor:
        """As `look_up`, of images under a leading axis; the places are the same for all of them."""
        if not self.mask:
            return image
        dtype = dtype_of(image)
        each = [place.expand(1, *image.shape[1:3]) for place in places]
        return lookup.look_up_gpu(image, each, self.interp_type, "pad", self.fill(dtype), dtype)


def same_image(image: Spec, *, displacement: Displacement, **rest: Any) -> Spec:
    """The result is like the input; refuses what no kernel does."""
    if image.dtype not in (uint8, float32):
        raise RuntimeError(f"Unexpected input type {type_name(image.dtype)}; uint8 and float can be displaced")
    lookup.check_filter(displacement.interp_type)
    return image


def pixel_axes(images: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """The numbers of the rows and of the columns of images under a leading axis, in shapes that broadcast."""
    import torch

    rows, columns = (torch.arange(n, dtype=torch.float32, device=images.device) for n in images.shape[1:3])
    return rows[:, None], columns
