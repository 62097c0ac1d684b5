"""Colours from the raw image of a sensor with a colour filter in front."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock.gpu.casting import by_bits
from penstock.gpu.types import beside
from penstock.ops.names import type_name
from penstock.schema import Example, PerSample, examples, operator
from penstock.values.dtypes import uint8, uint16
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]
LAYOUTS = ("HW", "HWC", "FHW", "FHWC")
# By what OpenCV adds to its name of the conversion.
ALGORITHMS = {"bilinear_ocv": "", "edgeaware_ocv": "_EA", "vng_ocv": "_VNG", "gray_ocv": "", "default_npp": ""}
_BILINEAR = (None, "bilinear_ocv", "default_npp")
# OpenCV names a pattern by the tile that begins in the second row and column.
PATTERNS = {(0, 0): "BG", (0, 1): "GB", (1, 0): "GR", (1, 1): "RG"}


def _foretell(image: Spec, *, blue_position: Any, algorithm: str | None) -> Spec:
    if algorithm is not None and algorithm not in ALGORITHMS:
        raise RuntimeError(
            f"Unsupported debayer algorithm was specified: `{algorithm}`; choose from {', '.join(ALGORITHMS)}"
        )
    if image.dtype not in (uint8, uint16):
        raise RuntimeError(
            f"OpenCV does not support DALI DataType: `{type_name(image.dtype)}`; images to debayer are uint8 or uint16"
        )
    if algorithm == "vng_ocv" and image.dtype != uint8:
        raise RuntimeError(f"VNG debayering only supported with UINT8, got {type_name(image.dtype)}")
    if isinstance(blue_position, list):
        _check_position(blue_position)
    return Spec(image.dtype, 3, "HWC")


def _check_position(position: Any) -> tuple[int, int]:
    if len(position) != 2:
        raise RuntimeError(f"The blue_position must be specified with exactly two values, got {len(position)}")
    y, x = (int(place) for place in position)
    if not (0 <= y <= 1 and 0 <= x <= 1):
        raise RuntimeError(f"The `blue_position` position must lie within 2x2 tile, got: {y} x {x}")
    return y, x


def _checked_size(shape: tuple[int, ...]) -> tuple[int, int]:
    """Height and width of an image of that shape."""
    if len(shape) == 3 and shape[-1] != 1:
        raise RuntimeError(
            f"debayer takes images of one channel, got {shape[-1]}; sequences of images need the layout 'FHW'"
        )
    height, width = shape[:2]
    if height % 2 or width % 2:
        raise RuntimeError(f"The height and width of the image to debayer must be even, got {height} x {width}")
    return height, width


@operator(layouts=LAYOUTS, frames=True, infer=_foretell)
def debayer(image: Array, *, blue_position: PerSample[list[int]], algorithm: str | None = None) -> Array:
    """Makes an RGB image of what a sensor sees through a Bayer filter.

        ndd.debayer(raw, blue_position=[0, 0])

    Args:
        blue_position: Row and column of blue in the 2 x 2 tile that begins in the second row and column of the sensor:
            [0, 0] for BGGR, [0, 1] for GBRG, [1, 0] for GRBG and [1, 1] for RGGB.
        algorithm: How missing colours are found: "bilinear_ocv", which is the default; "edgeaware_ocv", along edges;
            "vng_ocv", by variable number of gradients, uint8 only, which is the CPU's work also for images on a GPU;
            "gray_ocv", which makes a grey image; or "default_npp", which programs for GPUs say and is bilinear, too.
    """
    import cv2

    y, x = _check_position(blue_position)
    plane = image.reshape(_checked_size(image.shape))
    grey = algorithm == "gray_ocv"
    if image.size == 0:
        return np.zeros((*plane.shape, 1 if grey else 3), image.dtype)
    suffix = ALGORITHMS[algorithm or "bilinear_ocv"]
    code = getattr(cv2, f"COLOR_Bayer{PATTERNS[y, x]}2{'GRAY' if grey else 'RGB'}{suffix}")
    return np.atleast_3d(cv2.cvtColor(plane, code))


@debayer.native
def native(image: Spec, *, blue_position: Any, algorithm: str | None) -> _native.Step | None:
    return _native.Debayer(blue_position) if algorithm in _BILINEAR and _are_pairs(blue_position) else None


def _are_pairs(rows: Any) -> bool:
    return isinstance(rows, np.ndarray) and rows.shape[1:] == (2,)


@debayer.gpu
def gpu(image: torch.Tensor, *, blue_position: Any, algorithm: str | None) -> torch.Tensor:
    import torch

    if algorithm == "vng_ocv":
        one = partial(debayer.function, blue_position=blue_position, algorithm=algorithm)
        return beside(np.stack([one(each) for each in image.cpu().numpy()]), image)
    blue_row, blue_column = _check_position(blue_position)
    height, width = _checked_size(tuple(image.shape[1:]))
    grey = algorithm == "gray_ocv"
    if height < 4 or width < 4:  # nothing has all its neighbours
        return image.new_zeros((len(image), height, width, 1 if grey else 3))
    around = image.reshape(-1, height, width).to(torch.int64).unfold(1, 3, 1).unfold(2, 3, 1)
    row = torch.arange(height - 2, device=image.device)[:, None]
    column = torch.arange(1, width - 1, device=image.device)
    is_blue = row % 2 == blue_row
    is_own = (column + torch.where(is_blue, blue_column, 1 - blue_column)) % 2 == 1
    if grey:
        made = _grey(around, is_blue, is_own).to(image.dtype)
    else:
        made = _colours(around, is_blue, is_own, along_edges=algorithm == "edgeaware_ocv").to(image.dtype)
    edges = (torch.arange(extent, device=image.device).clamp(1, extent - 2) - 1 for extent in (height, width))
    return by_bits(lambda made: made[:, next(edges)][:, :, next(edges)], made)


def _colours(around: torch.Tensor, is_blue: torch.Tensor, is_own: torch.Tensor, along_edges: bool) -> torch.Tensor:
    """Red, green and blue, from windows of 3 x 3.

    Args:
        is_blue: Rows with blue.
        is_own: Pixels that are not green.
        along_edges: Green is the mean of the two neighbours that differ less.
    """
    import torch

    middle, across, down, corners = _neighbours(around)
    own = torch.where(is_own, middle, (across + 1) >> 1)
    green = (across + down + 2) >> 2
    if along_edges:
        steps = ((around[..., 1, 2] - around[..., 1, 0]).abs(), (around[..., 2, 1] - around[..., 0, 1]).abs())
        green = (torch.where(steps[0] > steps[1], down, across) + 1) >> 1
    green = torch.where(is_own, green, middle)
    third = torch.where(is_own, (corners + 2) >> 2, (down + 1) >> 1)
    return torch.stack([torch.where(is_blue, third, own), green, torch.where(is_blue, own, third)], dim=-1)


def _grey(around: torch.Tensor, is_blue: torch.Tensor, is_own: torch.Tensor) -> torch.Tensor:
    """The weighted sum of what `_colours` finds, rounded once; the weights are OpenCV's, of 2**14."""
    import torch

    red_share, green_share, blue_share = 4899, 9617, 1868
    middle, across, down, corners = _neighbours(around)
    own = torch.where(is_blue, blue_share, red_share)
    third = torch.where(is_blue, red_share, blue_share)
    as_own = corners * third + (across + down) * green_share + 4 * middle * own
    as_green = down * third + across * own + 2 * middle * green_share
    return torch.where(is_own, (as_own + (1 << 15)) >> 16, (as_green + (1 << 14)) >> 15)[..., None]


def _neighbours(around: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """The middle of every window, and the sums of those beside, above and below, and at the corners of it."""
    corners = around[..., ::2, ::2].sum(dim=(-1, -2))
    return around[..., 1, 1], around[..., 1, ::2].sum(dim=-1), around[..., ::2, 1].sum(dim=-1), corners


debayer.examples = examples(
    Example(
        "ndd.debayer(mosaic, blue_position=[0, 0])", drawn=True, plain="cv2.cvtColor(mosaic, cv2.COLOR_BayerBG2RGB)"
    ),
)
