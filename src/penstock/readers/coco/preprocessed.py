"""Preprocessed annotations: binary files, in the format of DALI, that are loaded without parsing JSON again.

A folder holds a file for each list: an `int32` with the number of items, then the items. Masks are stored as polygons
and as run lengths.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from penstock._native import CocoTable
from penstock.readers.coco.annotations import Annotations, Floats, Ints, Starts, without_size
from penstock.readers.coco.options import CocoOptions
from penstock.storage import Names, Storage
from penstock.values.partial_file import write_whole
from penstock.values.samples import arrays_of

Numbers = npt.NDArray[Any]

_COUNT = np.dtype("<i4")
_RUN_HEAD = struct.Struct("<qqq")  # height, width and how many run lengths follow


def save(annotations: Annotations, options: CocoOptions) -> None:
    """Writes the annotations of the chosen images, with boxes as they are handed out."""
    table, chosen = CocoTable(annotations), annotations.chosen
    boxes, labels = (arrays_of(samples) for samples in table.boxes(chosen, options.ltrb, options.ratio))
    counts = np.array([len(each) for each in boxes], np.int64)
    files = {
        "filenames": b"".join(os.fsencode(annotations.names[int(image)]) + b"\n" for image in chosen),
        "boxes": _as_file(np.concatenate(boxes), "<f4"),
        "labels": _as_file(np.concatenate(labels), "<i4"),
        "counts": _as_file(counts, "<i4"),
        "offsets": _as_file(np.cumsum(counts) - counts, "<i4"),
    }
    if options.image_ids:
        files["original_ids"] = _as_file(annotations.image_ids[chosen], "<i4")
    if options.any_masks:
        ratio = options.ratio and options.polygons  # pixelwise masks are drawn from vertices in pixels
        polygons, vertices = table.polygons(chosen, ratio, False)
        files |= _polygon_files(arrays_of(polygons), arrays_of(vertices))
    if options.pixelwise_masks:
        files |= _run_files(annotations)
    for name, contents in files.items():
        _write(f"{options.save_preprocessed_annotations_dir}/{name}.dat", contents)


def load(storage: Storage, options: CocoOptions) -> Annotations:
    """Reads what `save`, or DALI, has written; raises RuntimeError if the files contradict each other."""
    saved = _SavedLists(storage, options.preprocessed_annotations)
    *lines, rest = os.fsdecode(saved.contents("filenames")).split("\n")
    if rest:
        saved.refuse("filenames", f"its last line, {rest!r}, has no end")
    names = Names.of(lines)
    images = len(names)
    labels = saved.numbers("labels", "<i4")
    box_starts = saved.starts("offsets", "counts", "<i4", images, len(labels), "labels")
    boxes = saved.numbers("boxes", "<f4")
    if len(boxes) != len(labels) * 4:
        saved.refuse("boxes", f"it has {len(boxes)} numbers for the {len(labels)} labels of labels.dat")
    none = np.zeros(images, np.int32)
    widths, heights = none, none
    polygons: tuple[Starts, Starts, Floats] = (np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.float32))
    runs = np.zeros(len(labels) + 1, np.int64), np.zeros(0, np.uint32)
    if options.any_masks:
        polygons = _load_polygons(saved, box_starts)
    if options.pixelwise_masks:
        widths, heights = (saved.per_image(name, "<i4", images) for name in ("widths", "heights"))
        if len(wrong := without_size(widths, heights)):
            saved.refuse("heights", f"with widths.dat it gives image {wrong[0]} an impossible size")
        runs = _load_runs(saved, box_starts, heights, widths)
    return Annotations(
        names=names,
        image_ids=saved.per_image("original_ids", "<i4", images) if options.image_ids else none,
        widths=widths,
        heights=heights,
        chosen=np.arange(images),
        image_starts=box_starts,
        order=np.arange(len(labels)),
        boxes=boxes,
        labels=labels,
        polygon_starts=polygons[0],
        vertex_starts=polygons[1],
        vertices=polygons[2],
        run_starts=runs[0],
        runs=runs[1],
    )


def _polygon_files(polygons: Sequence[Numbers], vertices: Sequence[Numbers]) -> dict[str, bytes]:
    """The contents of the files with the polygons of all images, by name."""
    made = {
        "polygon_data": _as_file(np.concatenate(polygons), "<i4", 3),
        "vertices": _as_file(np.concatenate(vertices), "<f4", 2),
    }
    for offsets, counts, lists in (
        ("polygon_offset", "polygons_count", polygons),
        ("vertices_offset", "vertices_count", vertices),
    ):
        lengths = np.array([len(each) for each in lists], np.int64)
        made[counts] = _as_file(lengths, "<i8")
        made[offsets] = _as_file(np.cumsum(lengths) - lengths, "<i8")
    return made


def _run_files(annotations: Annotations) -> dict[str, bytes]:
    """The contents of the files with the run lengths of all masks and the sizes of the images, by name."""
    records, boxes, counts = [], [], []
    for image in annotations.chosen.tolist():
        size = int(annotations.heights[image]), int(annotations.widths[image])
        found = 0
        on_it = annotations.order[annotations.image_starts[image] : annotations.image_starts[image + 1]]
        for box, each in enumerate(on_it.tolist()):
            runs = annotations.runs[annotations.run_starts[each] : annotations.run_starts[each + 1]]
            if len(runs):
                records.append(_RUN_HEAD.pack(*size, len(runs)) + runs.astype("<u4").tobytes())
                boxes.append(box)
                found += 1
        counts.append(found)
    lengths = np.array(counts, np.int64)
    return {
        "masks_rles": np.array(len(records), _COUNT).tobytes() + b"".join(records),
        "masks_rles_idx": _as_file(np.array(boxes), "<i4"),
        "mask_count": _as_file(lengths, "<i8"),
        "masks_offset": _as_file(np.cumsum(lengths) - lengths, "<i8"),
        "heights": _as_file(annotations.heights[annotations.chosen], "<i4"),
        "widths": _as_file(annotations.widths[annotations.chosen], "<i4"),
    }


def _as_file(numbers: Numbers, dtype: str, width: int = 1) -> bytes:
    """The contents of a file of items of `width` numbers each."""
    count = numbers.size // width
    if count > np.iinfo(np.int32).max:
        raise RuntimeError(f"a list of {count} items is too long for preprocessed annotations")
    return np.array(count, _COUNT).tobytes() + np.ascontiguousarray(numbers, np.dtype(dtype)).tobytes()


def _write(path: str, contents: bytes) -> None:
    try:
        write_whole(path, contents)
    except OSError as error:
        raise RuntimeError(f"CocoReader meta file error while saving: {path}: {error.strerror}") from None


@dataclass(frozen=True)
class _SavedLists:
    """Reads and validates the files of a folder."""

    storage: Storage
    folder: str

    def path(self, name: str) -> str:
        return f"{self.folder.rstrip('/')}/{name}.dat"

    def contents(self, name: str) -> bytes:
        try:
            return self.storage.read_one(self.path(name))
        except RuntimeError as error:
            raise RuntimeError(
                f"the preprocessed annotations in {self.folder} are not complete: {error}; what is handed out now must "
                "have been asked for when they were saved"
            ) from None

    def numbers(self, name: str, dtype: str, width: int = 1) -> Numbers:
        """All numbers of a file of items of `width` numbers each."""
        contents, kind = self.contents(name), np.dtype(dtype)
        if len(contents) < _COUNT.itemsize:
            self.refuse(name, f"it has {len(contents)} bytes, fewer than the count at its start")
        count = int(np.frombuffer(contents, _COUNT, 1)[0])
        expected = _COUNT.itemsize + count * width * kind.itemsize
        if count < 0 or len(contents) != expected:
            self.refuse(name, f"it has {len(contents)} bytes, {count} items take {expected}")
        return np.frombuffer(contents, kind, offset=_COUNT.itemsize).astype(kind.newbyteorder("="), copy=False)

    def per_image(self, name: str, dtype: str, images: int) -> Numbers:
        """The numbers of a file that has one for each image."""
        found = self.numbers(name, dtype)
        if len(found) != images:
            self.refuse(name, f"it is for {len(found)} images, filenames.dat for {images}")
        return found

    def starts(self, offsets: str, counts: str, dtype: str, images: int, total: int, of: str) -> npt.NDArray[np.int64]:
        """Where the items of each image start in the file `of`, from two files, which must agree with each other."""
        lengths = self.per_image(counts, dtype, images).astype(np.int64)
        starts = np.concatenate([[0], np.cumsum(lengths)])
        if lengths.min(initial=0) < 0 or not np.array_equal(starts[:-1], self.per_image(offsets, dtype, images)):
            self.refuse(offsets, f"it does not go with {counts}.dat")
        if starts[-1] != total:
            self.refuse(counts, f"its counts add up to {starts[-1]}, {of}.dat has {total}")
        return starts

    def refuse(self, name: str, why: str) -> NoReturn:
        raise RuntimeError(f"{self.path(name)}: {why}; it was not saved together with the rest, or not to its end")


def _load_polygons(saved: _SavedLists, box_starts: Starts) -> tuple[Starts, Starts, Floats]:
    """polygon_starts, vertex_starts and vertices of `Annotations`, which are sorted by image here."""
    images = len(box_starts) - 1
    rows = saved.numbers("polygon_data", "<i4", 3).reshape(-1, 3).astype(np.int64)
    vertices = saved.numbers("vertices", "<f4", 2)
    starts = saved.starts("polygon_offset", "polygons_count", "<i8", images, len(rows), "polygon_data")
    corners = saved.starts("vertices_offset", "vertices_count", "<i8", images, len(vertices) // 2, "vertices")
    image_of = np.repeat(np.arange(images), np.diff(starts))
    annotation_of = _owners(saved, "polygon_data", rows[:, 0], image_of, box_starts)
    vertex_starts = np.concatenate([[0], np.cumsum(rows[:, 2] - rows[:, 1])])
    in_place = np.array_equal(vertex_starts[:-1], corners[image_of] + rows[:, 1])
    if not in_place or (rows[:, 2] < rows[:, 1]).any() or vertex_starts[-1] != len(vertices) // 2:
        saved.refuse("polygon_data", "its polygons are not those of vertices.dat")
    if not np.isfinite(vertices).all():
        saved.refuse("vertices", "it has coordinates that are no numbers")
    return np.searchsorted(annotation_of, np.arange(box_starts[-1] + 1)), vertex_starts, vertices


def _load_runs(saved: _SavedLists, box_starts: Starts, heights: Ints, widths: Ints) -> tuple[Starts, Numbers]:
    """run_starts and runs of `Annotations`, which are sorted by image here."""
    images, boxes = len(box_starts) - 1, saved.numbers("masks_rles_idx", "<i4").astype(np.int64)
    starts = saved.starts("masks_offset", "mask_count", "<i8", images, len(boxes), "masks_rles_idx")
    image_of = np.repeat(np.arange(images), np.diff(starts))
    annotation_of = _owners(saved, "masks_rles_idx", boxes, image_of, box_starts, apart=1)
    contents, at = saved.contents("masks_rles"), _COUNT.itemsize
    lists, lengths = [np.zeros(0, np.uint32)], np.zeros(int(box_starts[-1]), np.int64)
    if contents[:at] != np.array(len(boxes), _COUNT).tobytes():
        saved.refuse("masks_rles", f"its masks are not the {len(boxes)} of masks_rles_idx.dat")
    for image, annotation in zip(image_of.tolist(), annotation_of.tolist(), strict=True):
        if len(contents) < at + _RUN_HEAD.size:
            saved.refuse("masks_rles", f"it has {len(contents)} bytes, which is too few for its masks")
        height, width, count = _RUN_HEAD.unpack_from(contents, at)
        at += _RUN_HEAD.size
        if not 0 <= count <= (len(contents) - at) // 4:
            saved.refuse("masks_rles", f"it has {len(contents)} bytes, which is too few for its masks")
        runs = np.frombuffer(contents, "<u4", count, at).astype(np.uint32)
        if (height, width) != (heights[image], widths[image]) or int(runs.sum(dtype=np.uint64)) > height * width:
            saved.refuse("masks_rles", f"a mask does not fit image {image}, of {heights[image]}x{widths[image]}")
        at += count * 4
        lists.append(runs)
        lengths[annotation] = count
    if at != len(contents):
        saved.refuse("masks_rles", f"it has {len(contents)} bytes, its masks take {at}")
    return np.concatenate([[0], np.cumsum(lengths)]), np.concatenate(lists)


def _owners(
    saved: _SavedLists, name: str, boxes: Starts, image_of: Starts, box_starts: Starts, apart: int = 0
) -> Starts:
    """The annotations that masks belong to, from the numbers of their boxes within their images."""
    owners = box_starts[image_of] + boxes
    beyond = (boxes < 0) | (owners >= box_starts[image_of + 1])
    if beyond.any() or (np.diff(owners) < apart).any():
        saved.refuse(name, "its masks are not those of the boxes in counts.dat")
    return owners
