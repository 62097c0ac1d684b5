"""Parses the JSON annotations of a COCO data set into flat arrays."""

from __future__ import annotations

import os
import warnings
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from penstock import _native
from penstock._native import CocoFile
from penstock.readers.coco.options import CocoOptions
from penstock.readers.core.order import Indices
from penstock.storage import Names, Storage
from penstock.storage.urls import is_remote

Starts: TypeAlias = npt.NDArray[np.int64]
Ints: TypeAlias = npt.NDArray[np.int32]
Floats: TypeAlias = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Annotations:
    """Images and their annotations as flat arrays. Range i of an array lies between `starts[i]` and `starts[i + 1]`.

    The annotations of image i are `order[image_starts[i]:image_starts[i + 1]]`. Sample s is image `chosen[s]`.
    """

    names: Names
    image_ids: Ints
    widths: Ints
    heights: Ints
    chosen: Indices
    image_starts: Starts
    order: Indices
    boxes: Floats
    labels: Ints
    polygon_starts: Starts  # of an annotation; empty where no masks are wanted
    vertex_starts: Starts  # of a polygon
    vertices: Floats
    run_starts: Starts  # of an annotation; empty where no masks are wanted
    runs: npt.NDArray[np.uint32]


def read_annotations(storage: Storage, options: CocoOptions) -> Annotations:
    """Reads the annotations from a JSON file; a RuntimeError says where in it something is wrong."""
    path = options.annotations_file
    file = _parsed(storage, options)
    try:
        by_id = np.argsort(file.image_ids, kind="stable")
        image_of = _image_of(file, by_id)
        counts = np.bincount(image_of, minlength=len(by_id))
        chosen = by_id if options.images is None else _named(file.names, options.images, path)
        if options.skip_empty:
            chosen = chosen[counts[chosen] > 0]
        if options.pixelwise_masks or options.ratio:
            _check_sizes(file, chosen)
        if options.pixelwise_masks:
            _check_run_extents(file, image_of)
        labels = file.category_of if options.avoid_class_remapping else _labels(file)
    except ValueError as error:
        raise RuntimeError(f"{path}: {error}") from None
    none = np.zeros(0, np.int64)
    return Annotations(
        names=Names(file.names),
        image_ids=file.image_ids,
        widths=file.widths,
        heights=file.heights,
        chosen=chosen,
        image_starts=np.concatenate([[0], np.cumsum(counts)]),
        order=np.argsort(image_of, kind="stable"),
        boxes=file.boxes,
        labels=labels,
        polygon_starts=file.polygon_starts if options.any_masks else none,
        vertex_starts=file.vertex_starts,
        vertices=file.vertices,
        run_starts=file.run_starts if options.any_masks else none,
        runs=file.runs,
    )


def _parsed(storage: Storage, options: CocoOptions) -> CocoFile:
    path = options.annotations_file
    try:
        size = storage.size(path)
    except RuntimeError as error:
        raise RuntimeError(f'Could not open JSON annotations file: "{path}": {error}') from None
    source = partial(storage.read_one, path) if is_remote(path) else os.fsencode(path)
    choice = (options.size_threshold, options.include_iscrowd, options.any_masks, options.pixelwise_masks)
    try:
        return _native.parse_coco(source, size, *choice)
    except (RuntimeError, ValueError) as error:
        raise type(error)(f"{path}: {error}") from None


def _image_of(file: CocoFile, by_id: Indices) -> Indices:
    """The image that each annotation belongs to."""
    ids = file.image_ids[by_id]
    twice = np.flatnonzero(ids[1:] == ids[:-1])
    if len(twice):
        first, second = by_id[twice[0] : twice[0] + 2]
        raise ValueError(f"images[{first}] and images[{second}] have the same id, {ids[twice[0]]}")
    at, missing = _look_up(ids, file.image_of)
    if missing is not None:
        place = f"annotations[{file.places[missing]}]"
        raise ValueError(f"{place}: its image_id is {file.image_of[missing]}, but no image has that id")
    return by_id[at]


def _labels(file: CocoFile) -> Ints:
    """The label of each annotation: the place of its category in the list, from 1 on."""
    ids, first = np.unique(file.category_ids, return_index=True)
    at, missing = _look_up(ids, file.category_of)
    if missing is not None:
        place = f"annotations[{file.places[missing]}]"
        raise ValueError(
            f"{place}: its category_id is {file.category_of[missing]}, but no category has that id; "
            "avoid_class_remapping=True takes ids as they are"
        )
    return (first[at] + 1).astype(np.int32)


def _look_up(sorted_ids: Ints, wanted: Ints) -> tuple[Indices, int | None]:
    """The positions of ids in a sorted list, and the index of the first id that is not there."""
    if not len(sorted_ids):
        return np.zeros(0, np.int64), 0 if len(wanted) else None
    at = np.searchsorted(sorted_ids, wanted)
    at[at == len(sorted_ids)] = 0
    missing = np.flatnonzero(sorted_ids[at] != wanted)
    return at, int(missing[0]) if len(missing) else None


def _named(packed: bytes, images: list[str], path: str) -> Indices:
    """The indices of the images with these names; of two with the same name, that of the last."""
    known = {name: number for number, name in enumerate(packed.split(b"\0")[:-1])}
    found = [known.get(os.fsencode(name)) for name in images]
    unknown = [name for name, number in zip(images, found, strict=True) if number is None]
    if unknown:
        warnings.warn(
            f"{len(unknown)} of the {len(images)} `images` are left out because {path} does not have them; "
            f"the first is {unknown[0]!r}",
            stacklevel=5,
        )
    return np.array([number for number in found if number is not None], np.int64)


def without_size(widths: Ints, heights: Ints) -> Indices:
    """The images without a size, or with an impossible one."""
    pixels = widths.astype(np.int64) * heights
    return np.flatnonzero((np.minimum(widths, heights) < 1) | (pixels > np.iinfo(np.int32).max))


def _check_sizes(file: CocoFile, chosen: Indices) -> None:
    wrong = chosen[without_size(file.widths[chosen], file.heights[chosen])]
    if len(wrong):
        size = f"{file.widths[wrong[0]]}x{file.heights[wrong[0]]}"
        raise ValueError(f"images[{wrong[0]}]: `ratio` and `pixelwise_masks` need its width and height, got {size}")


def _check_run_extents(file: CocoFile, image_of: Indices) -> None:
    extents = file.run_extents.reshape(-1, 2)
    real = np.stack([file.heights, file.widths], axis=1)[image_of]
    wrong = np.flatnonzero((extents[:, 0] >= 0) & (extents != real).any(axis=1))
    if len(wrong):
        (height, width), (rows, columns) = extents[wrong[0]], real[wrong[0]]
        raise ValueError(
            f"annotations[{file.places[wrong[0]]}]: its mask has a size of {height}x{width}, its image {rows}x{columns}"
        )
