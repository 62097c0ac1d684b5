"""Annotations in binary files, in the format DALI saves them in, so that nothing is parsed again."""

from __future__ import annotations

import os

import numpy as np

from penstock._native import CocoTable
from penstock.readers.coco.annotations import Annotations, Floats, Starts, without_size
from penstock.readers.coco.options import CocoOptions
from penstock.readers.coco.saved_lists import SavedLists, as_file
from penstock.readers.coco.saved_masks import load_polygons, load_runs, polygon_files, run_files
from penstock.storage import Names, Storage
from penstock.values.partial_file import write_whole
from penstock.values.samples import arrays_of


def save(annotations: Annotations, options: CocoOptions) -> None:
    """Writes the annotations of the images that are read, the way they are handed out."""
    table, chosen = CocoTable(annotations), annotations.chosen
    boxes, labels = (arrays_of(samples) for samples in table.boxes(chosen, options.ltrb, options.ratio))
    counts = np.array([len(each) for each in boxes], np.int64)
    files = {
        "filenames": b"".join(os.fsencode(annotations.names[int(image)]) + b"\n" for image in chosen),
        "boxes": as_file(np.concatenate(boxes), "<f4"),
        "labels": as_file(np.concatenate(labels), "<i4"),
        "counts": as_file(counts, "<i4"),
        "offsets": as_file(np.cumsum(counts) - counts, "<i4"),
    }
    if options.image_ids:
        files["original_ids"] = as_file(annotations.image_ids[chosen], "<i4")
    if options.any_masks:
        ratio = options.ratio and options.polygons  # pixels are painted from vertices in pixels
        polygons, vertices = table.polygons(chosen, ratio, False)
        files |= polygon_files(arrays_of(polygons), arrays_of(vertices))
    if options.pixelwise_masks:
        files |= run_files(annotations)
    for name, contents in files.items():
        _write(f"{options.save_preprocessed_annotations_dir}/{name}.dat", contents)


def load(storage: Storage, options: CocoOptions) -> Annotations:
    """What `save`, or DALI, has written; RuntimeError where the files do not go together."""
    saved = SavedLists(storage, options.preprocessed_annotations)
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
        polygons = load_polygons(saved, box_starts)
    if options.pixelwise_masks:
        widths, heights = (saved.per_image(name, "<i4", images) for name in ("widths", "heights"))
        if len(wrong := without_size(widths, heights)):
            saved.refuse("heights", f"with widths.dat it gives image {wrong[0]} an impossible size")
        runs = load_runs(saved, box_starts, heights, widths)
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


def _write(path: str, contents: bytes) -> None:
    try:
        write_whole(path, contents)
    except OSError as error:
        raise RuntimeError(f"CocoReader meta file error while saving: {path}: {error.strerror}") from None
