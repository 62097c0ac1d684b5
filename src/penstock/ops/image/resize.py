"""Resampling to another size."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from penstock import _native
from penstock.ops.image import resampling
from penstock.ops.names import type_name
from penstock.schema import Example, PerSample, examples, operator
from penstock.schema.params import Refusal
from penstock.values.dtypes import DType, float32, int16, int32, uint8, uint16
from penstock.values.enums import InterpType
from penstock.values.samples import from_array
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]
LAYOUTS = ("HWC", "FHWC", "CHW", "FCHW", "CFHW", "DHWC", "FDHWC", "CDHW", "FCDHW", "CFDHW")
TYPES = (uint8, int16, uint16, float32)
WAYS = "`size`, `resize_x`/`resize_y`/`resize_z`, `resize_shorter` or `resize_longer`"


@dataclass
class Filters:
    """How pixels between pixels are made up."""

    interp_type: PerSample[InterpType] = InterpType.INTERP_LINEAR
    mag_filter: PerSample[InterpType] | None = None
    min_filter: PerSample[InterpType] | None = None
    antialias: bool = True

    def for_shrinking(self) -> Any:
        return self.interp_type if self.min_filter is None else self.min_filter

    def for_growing(self) -> Any:
        return self.interp_type if self.mag_filter is None else self.mag_filter


@dataclass
class Target:
    """The ways to say how large the result is, and which part of the input it shows."""

    size: PerSample[list[float]] | None = None
    resize_x: PerSample[float] | None = None
    resize_y: PerSample[float] | None = None
    resize_z: PerSample[float] | None = None
    resize_shorter: PerSample[float] | None = None
    resize_longer: PerSample[float] | None = None
    mode: Annotated[Literal["default", "stretch", "not_larger", "not_smaller"], Refusal("Invalid resize mode: {}")] = (
        "default"
    )
    max_size: list[float] | None = None
    subpixel_scale: bool = True
    roi_start: PerSample[list[float]] | None = None
    roi_end: PerSample[list[float]] | None = None
    roi_relative: bool = False

    def check(self, axes: str) -> None:
        """Refuses what says nothing, too much, or the wrong number of things."""
        edges = any(edge is not None for edge in (self.resize_x, self.resize_y, self.resize_z))
        ways = edges + sum(way is not None for way in (self.size, self.resize_shorter, self.resize_longer))
        if ways != 1:
            raise RuntimeError(f"Exactly one method of specifying size must be used. The available methods: {WAYS}")
        if (self.roi_start is None) != (self.roi_end is None):
            raise RuntimeError("`roi_start` and `roi_end` must be given together")
        if self.resize_z is not None and "D" not in axes:
            raise RuntimeError("`resize_z` is for volumes; this input has no depth")
        for name in ("size", "max_size", "roi_start", "roi_end"):
            value = getattr(self, name)
            if isinstance(value, list) and len(value) not in (1, len(axes)):
                raise RuntimeError(
                    f'Argument "{name}" expects either a single value or a list of {len(axes)} elements. '
                    f"{len(value)} given."
                )

    def rule(self, axes: str) -> _native.ResizeRule:
        """The native rule, from per-sample rows."""
        rank, mode = len(axes), self.mode
        if self.size is not None:
            requested = _per_axis("size", self.size, rank)
        elif self.resize_shorter is not None:
            requested, mode = _per_axis("resize_shorter", self.resize_shorter, rank), "not_smaller"
        elif self.resize_longer is not None:
            requested, mode = _per_axis("resize_longer", self.resize_longer, rank), "not_larger"
        else:
            edges: dict[str, Any] = {"W": self.resize_x, "H": self.resize_y, "D": self.resize_z}
            unset = np.zeros(1, np.float32)
            sizes = (unset if edges[axis] is None else edges[axis] for axis in axes)
            requested = np.stack(np.broadcast_arrays(*sizes), axis=1)
        return _native.ResizeRule(
            rank,
            np.ascontiguousarray(requested, np.float32),
            getattr(_native.ResizeMode, "standard" if mode == "default" else mode),
            None if self.max_size is None else _per_axis("max_size", np.array([self.max_size], np.float32), rank),
            None if self.roi_start is None else _per_axis("roi_start", self.roi_start, rank),
            None if self.roi_end is None else _per_axis("roi_end", self.roi_end, rank),
            self.roi_relative,
            self.subpixel_scale,
        )

    def of_one_sample(self) -> Target:
        """The same with this sample's values as rows, as `rule` takes them."""
        rows: dict[str, Any] = {
            name: np.asarray(value, np.float32)[None]
            for name, value in vars(self).items()
            if name.startswith(("size", "resize_", "roi_s", "roi_e")) and value is not None
        }
        return replace(self, **rows)


def _per_axis(name: str, rows: Any, rank: int) -> Array:
    """Rows with one value per axis, from rows that may have one for all."""
    if isinstance(rows, list):
        raise RuntimeError(f"`{name}` needs the same number of values for every sample")
    rows = rows.reshape(len(rows), -1)
    if rows.shape[1] not in (1, rank):
        raise RuntimeError(
            f'Argument "{name}" expects either a single value or a list of {rank} elements. {rows.shape[1]} given.'
        )
    return np.ascontiguousarray(np.broadcast_to(rows, (len(rows), rank)), np.float32)


def spatial_axes(layout: str) -> str:
    """The axes that are resampled, as they lie in memory."""
    return "".join(name for name in layout if name in "DHW")


def result_type(image: Spec, dtype: DType | None) -> DType:
    """The element type of the result; refuses those the kernels do not have."""
    if image.dtype not in TYPES:
        raise RuntimeError(
            f"Unsupported type: {type_name(image.dtype)}. Supported types are: uint8, int16, uint16 and float"
        )
    if dtype not in (None, image.dtype, float32):
        raise RuntimeError(f"Resize must output original type or float. Got: {type_name(dtype)}")
    return dtype or image.dtype


def _foretell(image: Spec, *, target: Target, dtype: DType | None, save_attrs: bool, **rest: Any) -> Any:
    assert image.layout is not None
    target.check(spatial_axes(image.layout))
    resized = Spec(result_type(image, dtype), image.ndim, image.layout)
    return (resized, Spec(int32, 1, "")) if save_attrs else resized


def _count(inputs: int, arguments: dict[str, Any]) -> int:
    return 2 if arguments["save_attrs"] else 1


@operator(layouts=LAYOUTS, channels_last=True, infer=_foretell, results=_count, removed=("image_type",))
def resize(
    image: Array,
    *,
    target: Target,
    filters: Filters,
    dtype: DType | None = None,
    save_attrs: bool = False,
    minibatch_size: int = 32,
    temp_buffer_hint: int = 0,
) -> Array:
    """Resamples an image, a volume or every frame of a sequence to another size.

        ndd.resize(images, size=[224, 224])
        ndd.resize(images, resize_shorter=256, interp_type=types.INTERP_CUBIC)

    Args:
        size: Height and width (depth, height and width for volumes); 0 keeps the aspect ratio, negative mirrors.
        resize_x: Width of the result.
        resize_y: Height of the result.
        resize_z: Depth of the result.
        resize_shorter: Length of the shorter edge; the aspect ratio is kept.
        resize_longer: Length of the longer edge; the aspect ratio is kept.
        mode: "default" fills in missing extents by aspect ratio, "stretch" leaves them as they are, "not_larger" and
            "not_smaller" keep the aspect ratio and fit the result inside or around the size.
        max_size: Upper limit of the extents.
        subpixel_scale: Shift the sampled region by fractions of a pixel so that a rounded size keeps the exact scale.
        roi_start: First corner of the region to resample.
        roi_end: Opposite corner; beyond the first mirrors.
        roi_relative: The region is given in fractions of the input's size.
        interp_type: Filter for both shrinking and growing.
        mag_filter: Filter where the image grows, if not `interp_type`.
        min_filter: Filter where the image shrinks, if not `interp_type`.
        antialias: Widen the filter when shrinking.
        dtype: The input's type, or float32.
        save_attrs: Also return the input's height and width.
        minibatch_size: Has no effect on the CPU.
        temp_buffer_hint: Has no effect on the CPU.
    """
    axes = image.shape[:-1]
    targets = target.of_one_sample().rule("DHW"[-len(axes) :]).targets(list(axes))
    return resampling.resample(image, targets, filters, dtype)


@resize.native
def native(
    image: Spec, *, target: Target, filters: Filters, dtype: DType | None, save_attrs: bool, **unused: Any
) -> _native.Step:
    assert image.layout is not None
    return resize_step(image, target.rule(spatial_axes(image.layout)), filters, dtype)


def resize_step(image: Spec, rule: _native.ResizeRule, filters: Filters, dtype: DType | None) -> _native.Step:
    assert image.layout is not None
    axes = [image.layout.index(name) for name in spatial_axes(image.layout)]
    return _native.Resize(
        axes, rule, filters.for_shrinking(), filters.for_growing(), filters.antialias, result_type(image, dtype).code
    )


@resize.gpu
def gpu(
    image: torch.Tensor, *, target: Target, filters: Filters, dtype: DType | None, save_attrs: bool, **unused: Any
) -> Any:
    import torch

    axes = tuple(image.shape[1:-1])
    targets = target.of_one_sample().rule("DHW"[-len(axes) :]).targets(list(axes))
    made = resampling.resample_gpu(image, targets, filters, dtype)
    if not save_attrs:
        return made
    return made, image.new_tensor([axes] * len(image), dtype=torch.int32)


@resize.beside
def attributes(images: _native.Samples, **arguments: Any) -> list[_native.Samples]:
    layout = images.layout or next(name for name in LAYOUTS if len(name) == images.ndim)
    rows = [[shape[layout.index(axis)] for axis in spatial_axes(layout)] for shape in images.shapes()]
    return [from_array(np.array(rows, np.int32))]


# On a GPU this is another implementation of the same; here there is only one.
experimental_resize = operator(
    name="experimental.resize",
    layouts=LAYOUTS,
    channels_last=True,
    infer=_foretell,
    results=_count,
    removed=("image_type",),
)(resize.function)
experimental_resize.native(native)
experimental_resize.beside(attributes)
experimental_resize.gpu(gpu)

experimental_resize.examples = examples(
    Example("ndd.experimental.resize(image, resize_longer=120, interp_type=types.INTERP_NN)", drawn=True),
    Example(
        "ndd.experimental.resize(image, size=[224, 224])",
        plain="cv2.resize(image, (224, 224), interpolation=cv2.INTER_AREA)",
    ),
)

resize.examples = examples(
    Example("ndd.resize(image, size=[120, 160])", drawn=True),
    Example('ndd.resize(image, size=[120, 120], mode="not_smaller")', drawn=True),
    Example("ndd.resize(image, size=[224, 224])", plain="cv2.resize(image, (224, 224), interpolation=cv2.INTER_AREA)"),
    Example("ndd.resize(image, size=[224, 224], antialias=False)", plain="cv2.resize(image, (224, 224))"),
    Example(
        "ndd.resize(image, size=[720, 960], interp_type=types.INTERP_CUBIC)",
        plain="cv2.resize(image, (960, 720), interpolation=cv2.INTER_CUBIC)",
    ),
    within=1,
)
