"""Resampling of any axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from penstock import _native
from penstock.ops.image import resampling
from penstock.ops.image.resize import Filters, result_type
from penstock.ops.tensor.axes import chosen_axes
from penstock.schema import Example, PerSample, examples, operator
from penstock.schema.params import Layout, Refusal
from penstock.values.dtypes import DType
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]
Mode = Annotated[Literal["default", "stretch", "not_larger", "not_smaller"], Refusal("Invalid resize mode: {}")]
Rounding = Annotated[Literal["round", "truncate", "ceil"], Refusal("``rounding`` value {} is not supported")]
_ROUNDINGS = {
    "round": _native.SizeRounding.nearest,
    "truncate": _native.SizeRounding.down,
    "ceil": _native.SizeRounding.up,
}


def _foretell(
    input: Spec, *, sizes: Any, scales: Any, mode: Mode, axes: Any, axis_names: Any, dtype: DType | None, **rest: Any
) -> Spec:
    assert input.ndim is not None
    assert input.layout is not None
    if not input.ndim:
        raise RuntimeError("Input must be at least 1D")
    if (sizes is None) == (scales is None):
        raise RuntimeError("Need one of `scales` or `sizes`, but not both")
    if scales is not None and mode.startswith("not"):
        raise RuntimeError("Providing `scales` is incompatible with not-smaller or not-larger modes")
    if (rest["roi_start"] is None) != (rest["roi_end"] is None):
        raise RuntimeError("`roi_start` and `roi_end` must be specified together")
    count = len(_axes(axes, axis_names, input.layout, input.ndim))
    for name in ("roi_start", "roi_end", "max_size", "alignment"):
        _check_length(name, rest[name], count)
    _check_length("sizes", sizes, count)
    _check_length("scales", scales, count)
    return Spec(result_type(input, dtype), input.ndim, input.layout)


def _check_length(name: str, values: Any, count: int) -> None:
    if isinstance(values, list) and len(values) not in (1, count):
        raise RuntimeError(
            f'Argument "{name}" expects either a single value or a list of {count} elements. {len(values)} given.'
        )


def _axes(axes: list[int] | None, axis_names: str | None, layout: str, ndim: int) -> list[int]:
    """The axes in the order their sizes are given."""
    if axes is not None and axis_names is not None:
        raise RuntimeError("Arguments `axes` and `axis_names` are mutually exclusive")
    if axes is None:
        return chosen_axes(None, axis_names, layout, ndim)
    for axis in axes:
        if not -ndim <= axis < ndim:
            raise IndexError(f"Axis index out of range: {axis} not in range [{-ndim},{ndim - 1}]")
    found = [axis % ndim for axis in axes]
    for axis in found:
        if found.count(axis) > 1:
            raise ValueError(f"Duplicate axis index {axis}")
    return found


def _rows(name: str, rows: Any, order: list[int]) -> Array | None:
    """Rows with a value for every axis, the axes in ascending order."""
    if rows is None:
        return None
    if isinstance(rows, list):
        raise RuntimeError(f"`{name}` needs the same number of values for every sample")
    rows = rows.reshape(len(rows), -1)
    if rows.shape[1] not in (1, len(order)):
        raise RuntimeError(f'"{name}" has {rows.shape[1]} values for {len(order)} axes')
    return np.ascontiguousarray(np.broadcast_to(rows, (len(rows), len(order)))[:, order], np.float32)


def _rule(axes: list[int], **arguments: Any) -> _native.ResizeRule:
    """What sizes the axes, in ascending order, get, from per-sample rows."""
    order = sorted(range(len(axes)), key=axes.__getitem__)
    wanted = "sizes" if arguments["scales"] is None else "scales"
    limit = arguments["max_size"]
    arguments["max_size"] = None if limit is None else np.array([limit], np.float32)
    names = (wanted, "max_size", "roi_start", "roi_end", "alignment")
    rows = {name: _rows(name, arguments[name], order) for name in names}
    mode = "standard" if arguments["mode"] == "default" else arguments["mode"]
    requested = rows[wanted]
    assert requested is not None
    rule = _native.ResizeRule(
        len(axes),
        requested,
        getattr(_native.ResizeMode, mode),
        rows["max_size"],
        rows["roi_start"],
        rows["roi_end"],
        arguments["roi_relative"],
        arguments["subpixel_scale"],
    )
    if wanted == "scales":
        rule.set_scales()
    alignment = rows["alignment"]
    assert alignment is not None
    rule.set_rounding(_ROUNDINGS[arguments["size_rounding"]], alignment)
    return rule


@operator(infer=_foretell)
def tensor_resize(
    input: Array,
    *,
    sizes: PerSample[list[float]] | None = None,
    scales: PerSample[list[float]] | None = None,
    axes: list[int] | None = None,
    axis_names: str | None = None,
    mode: Mode = "default",
    max_size: list[float] | None = None,
    size_rounding: Rounding = "round",
    subpixel_scale: bool = True,
    alignment: PerSample[list[float]] = [0.5],  # noqa: B006
    roi_start: PerSample[list[float]] | None = None,
    roi_end: PerSample[list[float]] | None = None,
    roi_relative: bool = False,
    filters: Filters,
    dtype: DType | None = None,
    minibatch_size: int = 32,
    temp_buffer_hint: int = 0,
    layout: Layout,
) -> Array:
    """Resamples any axes of an array to other extents.

        ndd.tensor_resize(spectrograms, sizes=[128], axes=[1])
        ndd.tensor_resize(heatmaps, scales=[4.0, 4.0], axis_names="HW", interp_type=types.INTERP_CUBIC)

    Args:
        sizes: Extents of the result along the axes; 0 keeps the aspect ratio, negative mirrors.
        scales: The same as multiples of the input's extents.
        axes: The axes to resample; all without this and `axis_names`.
        axis_names: The same by name.
        mode: "default" fills in missing extents by aspect ratio, "stretch" leaves them as they are, "not_larger" and
            "not_smaller" keep the aspect ratio and fit the result inside or around the sizes.
        max_size: Upper limit of the extents.
        size_rounding: How fractions of an extent are rounded: "round", "truncate" or "ceil".
        subpixel_scale: Shift the sampled region by fractions of an element so that a rounded extent keeps the exact
            scale.
        alignment: The point that stays where it is in that shift, from 0, the start of the region, to 1, its end.
        roi_start: Start of the region to resample, along each of the axes.
        roi_end: End of the region; before its start mirrors.
        roi_relative: The region is given in fractions of the input's extents.
        interp_type: Filter for both shrinking and growing.
        mag_filter: Filter where an extent grows, if not `interp_type`.
        min_filter: Filter where an extent shrinks, if not `interp_type`.
        antialias: Widen the filter when shrinking.
        dtype: The input's type, or float32.
        minibatch_size: Has no effect on the CPU.
        temp_buffer_hint: Has no effect on the CPU.
    """
    chosen = _axes(axes, axis_names, layout, input.ndim)
    if not chosen:
        return resampling.resample(input, [], filters, dtype)
    rule = _rule_of_one(
        chosen,
        sizes=sizes,
        scales=scales,
        roi_start=roi_start,
        roi_end=roi_end,
        alignment=alignment,
        mode=mode,
        max_size=max_size,
        size_rounding=size_rounding,
        subpixel_scale=subpixel_scale,
        roi_relative=roi_relative,
    )
    front = list(range(len(chosen)))
    turned = np.moveaxis(input, sorted(chosen), front)
    made = resampling.resample(turned, rule.targets(list(turned.shape[: len(chosen)])), filters, dtype)
    return np.moveaxis(made, front, sorted(chosen))


def _rule_of_one(axes: list[int], **arguments: Any) -> _native.ResizeRule:
    """As `_rule`, from one sample's arguments."""
    rows = {
        name: np.asarray(arguments[name], np.float32)[None]
        for name in ("sizes", "scales", "roi_start", "roi_end", "alignment")
        if arguments[name] is not None
    }
    return _rule(axes, **{**arguments, **rows})


@tensor_resize.native
def native(
    input: Spec, *, axes: Any, axis_names: Any, filters: Filters, dtype: DType | None, **arguments: Any
) -> _native.Step:
    assert input.ndim is not None
    assert input.layout is not None
    chosen = _axes(axes, axis_names, input.layout, input.ndim)
    code = result_type(input, dtype).code
    if not chosen:
        return _native.Cast(code)
    return _native.Resize(
        sorted(chosen),
        _rule(chosen, **arguments),
        filters.for_shrinking(),
        filters.for_growing(),
        filters.antialias,
        code,
    )


@tensor_resize.gpu
def gpu(
    input: torch.Tensor,
    *,
    axes: Any,
    axis_names: Any,
    filters: Filters,
    dtype: DType | None,
    layout: Layout,
    minibatch_size: int,
    temp_buffer_hint: int,
    **arguments: Any,
) -> torch.Tensor:
    chosen = _axes(axes, axis_names, layout, input.ndim - 1)
    if not chosen:
        return resampling.resample_gpu(input, [], filters, dtype)
    front, own = list(range(1, 1 + len(chosen))), [1 + axis for axis in sorted(chosen)]
    turned = input.movedim(own, front)
    targets = _rule_of_one(chosen, **arguments).targets(list(turned.shape[1 : 1 + len(chosen)]))
    return resampling.resample_gpu(turned, targets, filters, dtype).movedim(front, own)


tensor_resize.examples = examples(
    Example(
        "ndd.tensor_resize(image, sizes=[200, 300], axes=[0, 1])",
        plain="cv2.resize(image, (300, 200), interpolation=cv2.INTER_AREA)",
    ),
    within=0.0001,
)
