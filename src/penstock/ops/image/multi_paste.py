"""Images made of regions of others."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock._native import Samples
from penstock.gpu.casting import cast_tensor
from penstock.ops.image.regions import Regions, counted
from penstock.ops.names import type_name
from penstock.schema import Example, PerSample, examples, operator
from penstock.values.casting import cast_array
from penstock.values.dtypes import DType, float32, int16, int32, uint8
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]
LAYOUTS = ("HWC", "FHWC")
TYPES = (uint8, int16, int32, float32)
MOST_INPUTS = 64


def _foretell(*images: Spec, in_ids: Any, output_size: Any, dtype: DType | None, regions: Regions) -> Spec:
    if len(images) > MOST_INPUTS:
        raise TypeError(f"multi_paste() takes up to {MOST_INPUTS} inputs but {len(images)} were given")
    first = images[0]
    for position, image in enumerate(images):
        _check_image(image, position, first)
    if in_ids is not None and len(images) > 1:
        raise RuntimeError(
            "If the `in_ids` is specified, the operator accepts exactly one positional input batch. "
            f"Got: {len(images)} inputs."
        )
    if isinstance(output_size, list) and len(output_size) < 2:
        raise RuntimeError(
            f"The `output_size` should be a tuple (H, W), got {len(output_size)} elements for each sample"
        )
    if dtype not in (None, *TYPES):
        raise RuntimeError(f"Unsupported output type: {type_name(dtype)}; uint8, int16, int32 and float are supported")
    regions.check()
    ndim = max(image.ndim or 0 for image in images)
    return Spec(dtype or first.dtype, ndim, LAYOUTS[ndim - 3])


def _check_image(image: Spec, position: int, first: Spec) -> None:
    if image.layout not in ("", *LAYOUTS) or image.ndim not in (3, 4):
        raise ValueError(
            f'The layout "{image.layout}" does not match any of the allowed layouts for input {position}. Valid '
            "layouts are: HWC, FHWC"
        )
    if image.dtype not in TYPES:
        raise RuntimeError(f"Unsupported input type: {type_name(image.dtype)}; uint8, int16, int32 and float are")
    if image.dtype != first.dtype:
        raise RuntimeError(
            f"All input batches must have the same data type. Got {type_name(first.dtype)} and "
            f"{type_name(image.dtype)} at indicies 0 and {position}."
        )


@operator(layouts=LAYOUTS, infer=_foretell, batchwise=True)
def multi_paste(
    input_0: list[Array],
    *inputs: list[Array],
    in_ids: PerSample[list[int]] | None = None,
    output_size: PerSample[list[int]] | None = None,
    regions: Regions,
    dtype: DType | None = None,
) -> list[Array]:
    """Makes every image of regions of others, pasted one over the other on a black canvas.

        ndd.multi_paste(images, in_ids=[3, 0], output_size=[200, 400], out_anchors=[[0, 0], [0, 200]])
        ndd.multi_paste(images, logos, out_anchors=[[0, 0], [8, 8]])

    Args:
        in_ids: Which images of the batch regions are taken from. Without, the first region is of the first input, the
            second of the second, and so on.
        output_size: Height and width of the canvas; those of the inputs without, which must then be alike.
        in_anchors: Top and left of each region in its image; [0, 0] without.
        in_anchors_rel: The same in fractions of the image's height and width, rounded down.
        shapes: Height and width of each region; all from its anchor on without.
        shapes_rel: The same in fractions of the image's height and width, rounded up.
        out_anchors: Top and left of each region on the canvas; [0, 0] without.
        out_anchors_rel: The same in fractions of the canvas's height and width, rounded down.
        dtype: uint8, int16, int32 or float32 instead of the input's type.
    """

    def blank(shape: tuple[int, ...]) -> Array:
        return np.zeros(shape, input_0[0].dtype)

    made = _pasted((input_0, *inputs), blank, in_ids, output_size, regions)
    return [cast_array(canvas, dtype) if dtype else canvas for canvas in made]


def _pasted(
    columns: tuple[list[Any], ...], blank: Callable[[tuple[int, ...]], Any], in_ids: Any, output_size: Any, regions: Any
) -> list[Any]:
    """The canvases of all samples: arrays or tensors, as `blank` makes them."""
    batch = len(columns[0])
    alike = {tuple(image.shape[-3:-1]) for column in columns for image in column}
    result = []
    for sample in range(batch):
        ids = None if in_ids is None else _at(in_ids, sample)
        sources = _sources(columns, sample, batch, ids)
        size: Any = None if output_size is None else _at(output_size, sample)[:2]
        if size is None:
            if len(alike) > 1:
                raise RuntimeError(
                    "If the `output_size` is not specified, all the input samples must have the same shape: height and "
                    "width differ"
                )
            size = next(iter(alike))
        canvas = blank(_canvas_shape(columns[0][sample], sources, size, sample))
        for frame, picture in enumerate(canvas if canvas.ndim == 4 else canvas[None]):
            for region, source in enumerate(sources):
                still = source[min(frame, len(source) - 1)] if source.ndim == 4 else source
                _put(picture, still, regions, (sample, frame, region))
        result.append(canvas)
    return result


def _at(rows: Any, sample: int) -> Any:
    return rows[sample if len(rows) > 1 else 0]


def _sources(columns: tuple[list[Any], ...], sample: int, batch: int, ids: Any) -> list[Any]:
    if ids is None:
        return [column[sample] for column in columns]
    for index in ids:
        if not 0 <= index < batch:
            raise RuntimeError(
                f"The `in_idx` must be in range [0, .., batch_size - 1]. Got in_idx: {index}. Input batch size is: "
                f"{batch}."
            )
    return [columns[0][int(index)] for index in ids]


def _canvas_shape(image: Any, sources: list[Any], size: Any, sample: int) -> tuple[int, ...]:
    if min(size) < 0:
        raise RuntimeError(
            f"The `output_size` must be non-negative, got a shape with negative extent: {size[0]} x {size[1]} for a "
            f"sample at index {sample}."
        )
    channels = {source.shape[-1] for source in sources} or {image.shape[-1]}
    frames = {source.shape[0] for source in (image, *sources) if source.ndim == 4}
    if len(channels) > 1:
        raise RuntimeError(
            f"All regions pasted into one sample must have the same number of channels, got {sorted(channels)}"
        )
    if len(frames) > 1:
        raise RuntimeError(f"sequences pasted together must have the same number of frames, got {sorted(frames)}")
    return (*frames, *map(int, size), *channels)


def _put(canvas: Any, source: Any, regions: Regions, place: tuple[int, int, int]) -> None:
    """Pastes one region of `source`."""
    room, whole = np.array(canvas.shape[:2]), np.array(source.shape[:2])
    start = regions.pixels("in_anchors", *place, whole, up=False)
    start = np.zeros(2, np.int64) if start is None else start
    extent = regions.pixels("shapes", *place, whole, up=True)
    extent = whole - start if extent is None else extent
    target = regions.pixels("out_anchors", *place, room, up=False)
    target = np.zeros(2, np.int64) if target is None else target
    where = f"for the region at index {place[2]}, pasted into output sample at index {place[0]}."
    if (start < 0).any() or (extent < 0).any() or (start + extent > whole).any():
        raise RuntimeError(
            f"The pasted region must be within input sample. Got input anchor: {_text(start)}, pasted region shape: "
            f"{_text(extent)}, input shape: {_text(whole)}, {where}"
        )
    if (target < 0).any() or (target + extent > room).any():
        raise RuntimeError(
            f"The pasted region must be within output bounds. Got output anchor: {_text(target)}, pasted region shape: "
            f"{_text(extent)}, output shape: {_text(room)}, {where}"
        )
    (y, x), (top, left), (height, width) = target.tolist(), start.tolist(), extent.tolist()
    canvas[y : y + height, x : x + width] = source[top : top + height, left : left + width]


def _text(pair: Any) -> str:
    return f"{pair[0]} x {pair[1]}"


@multi_paste.sources
def pasted_files(n: int, *images: Samples, in_ids: Any, **rest: Any) -> list[str]:
    """The files of all regions of every sample, in the order they are pasted."""
    files = [samples.sources for samples in images]

    def file_of(place: int, sample: int) -> str:
        known = files[place]
        return "" if known is None else known[sample if len(known) > 1 else 0]

    joined = []
    for sample in range(n):
        if in_ids is None:
            names = [file_of(place, sample) for place in range(len(images))]
        else:
            names = [file_of(0, int(index)) for index in _at(in_ids, sample)]
        joined.append(";".join(filter(None, names)))
    return joined


@multi_paste.native(needs_data=True, reads_others=True, reads_batch_size=True)
def native(
    image: Spec,
    *images: Spec,
    in_ids: Any,
    output_size: Any,
    regions: Regions,
    dtype: DType | None,
    samples: Samples,
    others: list[Samples],
    batch_size: int,
) -> _native.Step | None:
    assert image.dtype is not None
    if image.ndim != samples.ndim or isinstance(output_size, list):
        return None  # regions that move from frame to frame
    return _native.MultiPaste(
        [samples, *others],
        None if in_ids is None else counted(in_ids, np.int32),
        None if output_size is None else np.ascontiguousarray(output_size, np.int32),
        regions.native("in_anchors"),
        regions.native("shapes"),
        regions.native("out_anchors"),
        batch_size,
        (dtype or image.dtype).code,
    )


@multi_paste.gpu
def gpu(
    input_0: list[torch.Tensor],
    *inputs: list[torch.Tensor],
    in_ids: Any,
    output_size: Any,
    regions: Regions,
    dtype: DType | None,
) -> list[torch.Tensor]:
    def blank(shape: tuple[int, ...]) -> torch.Tensor:
        return input_0[0].new_zeros(shape)

    made = _pasted((input_0, *inputs), blank, in_ids, output_size, regions)
    return [cast_tensor(canvas, dtype) if dtype else canvas for canvas in made]


multi_paste.examples = examples(
    Example(
        "ndd.multi_paste(image, other, shapes=[[180, 120], [180, 120]], out_anchors=[[0, 0], [0, 120]])", drawn=True
    ),
)
