"""Masks among the files of preprocessed annotations."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np

from penstock.readers.coco.annotations import Annotations, Floats, Ints, Starts
from penstock.readers.coco.saved_lists import COUNT, Numbers, SavedLists, as_file

_RUN_HEAD = struct.Struct("<qqq")  # height, width and how many run lengths follow


def polygon_files(polygons: Sequence[Numbers], vertices: Sequence[Numbers]) -> dict[str, bytes]:
    """The files for the polygons of all images."""
    made = {
        "polygon_data": as_file(np.concatenate(polygons), "<i4", 3),
        "vertices": as_file(np.concatenate(vertices), "<f4", 2),
    }
    for offsets, counts, lists in (
        ("polygon_offset", "polygons_count", polygons),
        ("vertices_offset", "vertices_count", vertices),
    ):
        lengths = np.array([len(each) for each in lists], np.int64)
        made[counts] = as_file(lengths, "<i8")
        made[offsets] = as_file(np.cumsum(lengths) - lengths, "<i8")
    return made


def run_files(annotations: Annotations) -> dict[str, bytes]:
    """The files for the run lengths of all images, and for the sizes of these."""
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
        "masks_rles": np.array(len(records), COUNT).tobytes() + b"".join(records),
        "masks_rles_idx": as_file(np.array(boxes), "<i4"),
        "mask_count": as_file(lengths, "<i8"),
        "masks_offset": as_file(np.cumsum(lengths) - lengths, "<i8"),
        "heights": as_file(annotations.heights[annotations.chosen], "<i4"),
        "widths": as_file(annotations.widths[annotations.chosen], "<i4"),
    }


def load_polygons(saved: SavedLists, box_starts: Starts) -> tuple[Starts, Starts, Floats]:
    """polygon_starts, vertex_starts and vertices of annotations that stand in the order of their images."""
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


def load_runs(saved: SavedLists, box_starts: Starts, heights: Ints, widths: Ints) -> tuple[Starts, Numbers]:
    """run_starts and runs of annotations that stand in the order of their images."""
    images, boxes = len(box_starts) - 1, saved.numbers("masks_rles_idx", "<i4").astype(np.int64)
    starts = saved.starts("masks_offset", "mask_count", "<i8", images, len(boxes), "masks_rles_idx")
    image_of = np.repeat(np.arange(images), np.diff(starts))
    annotation_of = _owners(saved, "masks_rles_idx", boxes, image_of, box_starts, apart=1)
    contents, at = saved.contents("masks_rles"), COUNT.itemsize
    lists, lengths = [np.zeros(0, np.uint32)], np.zeros(int(box_starts[-1]), np.int64)
    if contents[:at] != np.array(len(boxes), COUNT).tobytes():
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
    saved: SavedLists, name: str, boxes: Starts, image_of: Starts, box_starts: Starts, apart: int = 0
) -> Starts:
    """The annotations that masks belong to, given the numbers of the boxes on their images."""
    owners = box_starts[image_of] + boxes
    beyond = (boxes < 0) | (owners >= box_starts[image_of + 1])
    if beyond.any() or (np.diff(owners) < apart).any():
        saved.refuse(name, "its masks are not those of the boxes in counts.dat")
    return owners
