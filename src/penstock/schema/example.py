"""Example calls of an operator, written beside it: what gallery, parity, benchmarks and reference pages read.

    flip.examples = examples(
        Example("ndd.flip(image)", compared=True, drawn=True, plain="cv2.flip(image, 1)"),
        "ndd.flip(image, vertical=ndd.batch([0, 1, 1]))",
    )

An example is the text of one call. It names its inputs by kind, and every reader gives its own input of that kind:

    image        an RGB image, HWC and uint8: a picture in the gallery, photos of several sizes compared with DALI,
                 and 32 of 480x640 timed
    float_image  such images as float32 from 0 to 1
    grey         such images with one channel
    planar       such images as CHW
    frames       a short clip, FHWC
    jpeg         the bytes of a JPEG file
    clip         the bytes of a video file
    sound        a mono signal, float32
    power        a spectrogram, with frequencies along its rows
    mosaic       what a sensor behind a Bayer filter sees, HW
    boxes        bounding boxes from 0 to 1, with `labels` beside them
    line         a long float32 array
    scalars      single float32 numbers

`decibels` is `power` as decibels; `other`, `mapx` and `mapy`, a second picture and the coordinates of a warp, are only
in the gallery. A small array is written out, as in `ndd.tensor([1, 2])`, and so is an argument for every sample: three
of them where images are compared. `types` is the module of enumerations.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Mapping
from typing import Any, NamedTuple


class Example(NamedTuple):
    """A call and what it serves for; the reference page shows all of them.

    Attributes:
        call: A Python expression such as "ndd.flip(image, vertical=1)".
        compared: `make parity` compares its result with DALI's, if DALI has the operator.
        drawn: The gallery shows its result beside its first input.
        timed: `make bench-ops` times it, as it does all that have a `plain`.
        plain: What one would write for one sample with NumPy (`np`) or OpenCV (`cv2`) instead.
        within: Largest difference from DALI: in units of an integer result, relative to 1 or the value for floats.
        share: The share of elements that must be as close as that.
        snr: Instead of both: least ratio of a signal to the difference, in dB.
    """

    call: str
    compared: bool = False
    drawn: bool = False
    timed: bool = False
    plain: str = ""
    within: float = 0
    share: float = 1.0
    snr: float | None = None

    @property
    def names(self) -> list[str]:
        """The inputs it asks for, by kind, in the order in which they are first written."""
        return list(dict.fromkeys(node.id for node in _variables(self.call) if node.id not in ("ndd", "types")))


def examples(*calls: str | Example, **closeness: Any) -> tuple[Example, ...]:
    """The examples of an operator: a call on its own is compared; `within`, `share` and `snr` hold for all of them."""
    made = (Example(call, compared=True) if isinstance(call, str) else call for call in calls)
    return tuple(example._replace(**closeness) for example in made)


def renamed(expression: str, names: Mapping[str, str]) -> str:
    """The expression with its variables renamed, and otherwise letter for letter as it was."""
    for node in reversed(_variables(expression)):
        if node.id in names:
            expression = expression[: node.col_offset] + names[node.id] + expression[node.end_col_offset :]
    return expression


def _variables(expression: str) -> list[ast.Name]:
    """From left to right; those a comprehension binds and built-in functions are none."""
    nodes = list(ast.walk(ast.parse(expression, mode="eval")))
    found = [node for node in nodes if isinstance(node, ast.Name)]
    bound = {node.id for node in found if isinstance(node.ctx, ast.Store)} | set(dir(builtins))
    return sorted((node for node in found if node.id not in bound), key=lambda node: node.col_offset)
