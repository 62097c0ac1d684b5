"""One of several augmentations for every sample, all in one pass over the batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from penstock import _native
from penstock.ops.color.equalize import equalize
from penstock.ops.color.linear import brightness
from penstock.ops.color.tone import tone
from penstock.ops.color.twist import saturation
from penstock.ops.filter.filter import filter
from penstock.ops.transforms import shear, translation
from penstock.ops.warp.rotate import rotate
from penstock.ops.warp.warp_affine import warp_affine
from penstock.ops.warp.warping import Canvas
from penstock.schema import PerSample, operator
from penstock.schema.operator import Operator
from penstock.schema.params import Layout
from penstock.values.dtypes import float32
from penstock.values.enums import ImageType
from penstock.values.samples import from_array
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]
Kind = Literal[
    "shear", "translate", "translate_by_parts", "rotate", "brightness", "color", "sharpness", "equalize", "identity",
    "contrast", "posterize", "solarize", "solarize_add", "invert", "auto_contrast",
]  # fmt: skip

# Every augmentation is told as many numbers, of which it reads as many as it needs: at most a filter of 3 x 3.
WIDTH = 9
_NUMBERS = {"shear": 2, "translate": 2, "translate_by_parts": 2, "sharpness": WIDTH}


def numbers_of(kind: str) -> int:
    """How many numbers an augmentation takes, where it takes any."""
    return _NUMBERS.get(kind, 1)


class _Call(NamedTuple):
    """An operator and its arguments for a whole batch."""

    op: Operator
    arguments: dict[str, Any]
    beside: Array | None = None  # its second input

    def step(self, image: Spec) -> _native.Step | None:
        build = self.op.native_step
        assert build is not None
        others = {"others": [] if self.beside is None else [from_array(self.beside)]} if self.op.reads_others else {}
        return build(*self._specs(image), **self.arguments, **others)

    def of_one(self, image: Spec) -> dict[str, Any]:
        """The arguments of its only sample."""
        names = {name for name, _ in self.op.per_sample}
        own = {
            name: value[0] if name in names and value is not None else value for name, value in self.arguments.items()
        }
        return own if self.op.layout_name is None else {**own, self.op.layout_name: image.layout}

    def check(self, image: Spec) -> None:
        """Refuses images that the operator does."""
        own = self.of_one(image)
        own.pop(self.op.layout_name or "", None)
        self.op.infer(*self._specs(image), **own)

    def _specs(self, image: Spec) -> list[Spec]:
        return [image] if self.beside is None else [image, Spec(float32, self.beside.ndim - 1, "")]


class _Setting(NamedTuple):
    """What augmentations are told besides their numbers."""

    canvas: Canvas
    extents: Any  # rows of height and width, or None


def _warp(matrix: Array, setting: _Setting) -> _Call:
    return _Call(warp_affine, {"matrix": matrix, "inverse_map": False, "canvas": setting.canvas})


def _sheared(rows: Array, setting: _Setting) -> _Call:
    slanted = shear.stack(shear=rows, angles=None, center=None, reverse_order=False)
    return _warp(slanted, setting)


def _moved(rows: Array, setting: _Setting) -> _Call:
    return _warp(translation.stack(offset=rows, reverse_order=False), setting)


def _moved_by_parts(rows: Array, setting: _Setting) -> _Call:
    if setting.extents is None:
        raise RuntimeError("translations by parts of the image need its shape")
    extents = np.asarray(setting.extents, np.float32)
    return _moved(rows * extents[:, 1::-1], setting)


def _turned(rows: Array, setting: _Setting) -> _Call:
    return _Call(rotate, {"angle": rows[:, 0].copy(), "axis": None, "keep_size": True, "canvas": setting.canvas})


def _brightened(rows: Array, setting: _Setting) -> _Call:
    return _Call(brightness, {"brightness": rows[:, 0], "brightness_shift": np.zeros(1, np.float32), "dtype": None})


def _colored(rows: Array, setting: _Setting) -> _Call:
    return _Call(saturation, {"saturation": rows[:, 0], "dtype": None, "image_type": ImageType.RGB})


def _sharpened(rows: Array, setting: _Setting) -> _Call:
    options = {"anchor": np.array([[-1]], np.int32), "border": "reflect_101", "mode": "same", "dtype": None}
    return _Call(filter, options, rows.reshape(-1, 3, 3))


def _toned(kind: str) -> Callable[[Array, _Setting], _Call]:
    return lambda rows, setting: _Call(tone, {"kind": kind, "amount": rows[:, 0].copy()})


_CALLS: dict[str, Callable[[Array, _Setting], _Call]] = {
    "shear": _sheared,
    "translate": _moved,
    "translate_by_parts": _moved_by_parts,
    "rotate": _turned,
    "brightness": _brightened,
    "color": _colored,
    "sharpness": _sharpened,
    "equalize": lambda rows, setting: _Call(equalize, {}),
    **{kind: _toned(kind) for kind in ("contrast", "posterize", "solarize", "solarize_add", "invert", "auto_contrast")},
}


def _call(kind: str, parameters: Array, setting: _Setting) -> _Call | None:
    """The call of an operator that an augmentation is; None where nothing is done."""
    make = _CALLS.get(kind)
    return None if make is None else make(np.ascontiguousarray(parameters[:, : numbers_of(kind)]), setting)


def _foretell(image: Spec, *, kinds: list[str], parameters: Any, shape: Any, canvas: Canvas, **rest: Any) -> Spec:
    setting = _Setting(canvas, None if shape is None else np.ones((1, 2)))
    for kind in dict.fromkeys(kinds):
        call = _call(kind, np.zeros((1, WIDTH), np.float32), setting)
        if call is not None:
            call.check(image)
    return image


@operator(name="_augment", layouts=("HWC", "FHWC"), frames=True, infer=_foretell)
def augment(
    image: Array,
    *,
    kinds: list[Kind],
    applied: PerSample[int] = 1,
    chosen: PerSample[int] = 0,
    parameters: PerSample[list[float]],
    shape: PerSample[list[int]] | None = None,
    canvas: Canvas,
    layout: Layout,
) -> Array:
    """Changes every image in one of several ways.

    Args:
        kinds: The ways.
        applied: Whether anything is done at all.
        chosen: The number of the way.
        parameters: What it takes, at the beginning of 9 numbers.
        shape: Height and width of the image, where it is moved by parts of them.
    """
    call = _call_of_one(kinds, applied, chosen, parameters, shape, canvas)
    if call is None:
        return image
    beside = [] if call.beside is None else [call.beside[0]]
    return np.asarray(call.op.function(image, *beside, **call.of_one(Spec(None, 3, str(layout)))))


def _call_of_one(
    kinds: Sequence[str], applied: int, chosen: int, parameters: Any, shape: Any, canvas: Canvas
) -> _Call | None:
    """What is done to one sample; None for nothing."""
    extents = None if shape is None else np.asarray(shape)[None, :2]
    row = np.asarray(parameters, np.float32)[None]
    return _call(kinds[_within(np.array([chosen]), kinds)[0]], row, _Setting(canvas, extents)) if applied else None


@augment.native
def native(
    image: Spec, *, kinds: list[str], applied: Array, chosen: Array, parameters: Array, shape: Any, canvas: Canvas
) -> _native.Step | None:
    setting = _Setting(canvas, None if shape is None else np.asarray(shape)[:, :2])
    numbers = np.where(applied != 0, _within(chosen, kinds), len(kinds)).astype(np.int32)
    steps: list[_native.Step | None] = [None] * (len(kinds) + 1)
    for number in {*numbers.tolist()} - {len(kinds)}:
        call = _call(kinds[number], parameters, setting)
        if call is not None:
            steps[number] = call.step(image)
            if steps[number] is None:
                return None
    return _native.Choice(steps, numbers)


def _within(chosen: Array, kinds: Sequence[str]) -> Array:
    for wrong in chosen[(chosen < 0) | (chosen >= len(kinds))]:
        raise RuntimeError(f"augmentation {wrong} was chosen of {len(kinds)}")
    return chosen


@augment.gpu
def gpu(
    image: torch.Tensor,
    *,
    kinds: list[str],
    applied: int,
    chosen: int,
    parameters: Any,
    shape: Any,
    canvas: Canvas,
    layout: Layout,
) -> torch.Tensor:
    call = _call_of_one(kinds, applied, chosen, parameters, shape, canvas)
    if call is None:
        return image
    beside = [] if call.beside is None else [call.beside[0]]
    function: Any = call.op.gpu_function
    made: torch.Tensor = function(image, *beside, **call.of_one(Spec(None, 3, str(layout))))
    return made
