"""Colours from the raw image of a sensor with a colour filter in front."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock import _native
from penstock.ops.names import type_name
from penstock.schema import Example, PerSample, examples, operator
from penstock.values.dtypes import uint8, uint16
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]
LAYOUTS = ("HW", "HWC", "FHW", "FHWC")
ALGORITHMS = {"bilinear_ocv": "", "edgeaware_ocv": "_EA", "vng_ocv": "_VNG", "gray_ocv": ""}
# OpenCV names a pattern by the tile that begins in the second row and column.
PATTERNS = {(0, 0): "BG", (0, 1): "GB", (1, 0): "GR", (1, 1): "RG"}


def _foretell(image: Spec, *, blue_position: Any, algorithm: str | None) -> Spec:
    if algorithm == "default_npp":
        raise RuntimeError("default_npp algorithm is not supported on CPU; choose from " + ", ".join(ALGORITHMS))
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


def _check_image(image: Array) -> Array:
    """The image without channels."""
    if image.ndim == 3 and image.shape[-1] != 1:
        raise RuntimeError(
            f"debayer takes images of one channel, got {image.shape[-1]}; sequences of images need the layout 'FHW'"
        )
    height, width = image.shape[:2]
    if height % 2 or width % 2:
        raise RuntimeError(f"The height and width of the image to debayer must be even, got {height} x {width}")
    return image.reshape(height, width)


@operator(layouts=LAYOUTS, frames=True, infer=_foretell)
def debayer(image: Array, *, blue_position: PerSample[list[int]], algorithm: str | None = None) -> Array:
    """Makes an RGB image of what a sensor sees through a Bayer filter.

        ndd.debayer(raw, blue_position=[0, 0])

    Args:
        blue_position: Row and column of blue in the 2 x 2 tile that begins in the second row and column of the sensor:
            [0, 0] for BGGR, [0, 1] for GBRG, [1, 0] for GRBG and [1, 1] for RGGB.
        algorithm: How missing colours are found: "bilinear_ocv", which is the default; "edgeaware_ocv", along edges;
            "vng_ocv", by variable number of gradients, uint8 only; or "gray_ocv", which makes a grey image.
    """
    import cv2

    y, x = _check_position(blue_position)
    plane = _check_image(image)
    grey = algorithm == "gray_ocv"
    if image.size == 0:
        return np.zeros((*plane.shape, 1 if grey else 3), image.dtype)
    suffix = ALGORITHMS[algorithm or "bilinear_ocv"]
    code = getattr(cv2, f"COLOR_Bayer{PATTERNS[y, x]}2{'GRAY' if grey else 'RGB'}{suffix}")
    return np.atleast_3d(cv2.cvtColor(plane, code))


@debayer.native
def native(image: Spec, *, blue_position: Any, algorithm: str | None) -> _native.Step | None:
    bilinear = algorithm in (None, "bilinear_ocv")
    return _native.Debayer(blue_position) if bilinear and _are_pairs(blue_position) else None


def _are_pairs(rows: Any) -> bool:
    return isinstance(rows, np.ndarray) and rows.shape[1:] == (2,)


debayer.examples = examples(
    Example(
        "ndd.debayer(mosaic, blue_position=[0, 0])", drawn=True, plain="cv2.cvtColor(mosaic, cv2.COLOR_BayerBG2RGB)"
    ),
)
