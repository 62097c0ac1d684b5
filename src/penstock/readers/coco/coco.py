"""`readers.COCO`: images with boxes, labels and masks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from penstock._native import CocoTable, Samples
from penstock.readers.coco import preprocessed
from penstock.readers.coco.annotations import Annotations, read_annotations
from penstock.readers.coco.options import RENAMED, CocoOptions, up_to_date
from penstock.readers.core.arguments import params_of, read_options
from penstock.readers.core.order import Indices
from penstock.readers.core.reader import Reader
from penstock.readers.core.sample_memory import bytes_of, require_together
from penstock.readers.core.sample_source import Outputs, SampleSource
from penstock.readers.files.containment import check_names
from penstock.schema.params import Param
from penstock.storage import Storage
from penstock.storage.storage import reading_pool

_MASK_BYTES = 4  # per pixel


class COCO(Reader):
    """Reads images with the boxes, labels and masks of the objects on them, from a data set in the COCO format.

    Images come in the order of their ids. Annotations are parsed once, at the first step, into lists of numbers.

    Outputs: the bytes of the image file; boxes, `float32` of shape `(n, 4)`; labels, `int32` of shape `(n,)`; then what
    is asked for. With `polygon_masks`: a row for each polygon, `int32` of shape `(p, 3)`, with the number of its box,
    its first vertex and the one after its last; and the vertices, x and y, `float32` of shape `(v, 2)`. With
    `pixelwise_masks`: the label of every pixel, `int32` of shape `(height, width, 1)`, layout `HWC`. With `image_ids`:
    the id of the image, `int32` of shape `(1,)`.

    Example:
        >>> reader = ndd.readers.COCO(file_root="train2017", annotations_file="instances_train2017.json", ltrb=True)
        >>> for jpegs, boxes, labels in reader.next_epoch(batch_size=64):
        ...     images = ndd.decoders.image(jpegs)

    Args:
        annotations_file: The JSON file with the lists `images`, `categories` and `annotations`.
        file_root: The folder that the names of the images are relative to.
        images: Names of the images to read, as they stand in the annotations, in this order. One that stands here twice
            is read twice.
        ltrb: Boxes are left, top, right and bottom instead of left, top, width and height.
        ratio: Boxes and vertices are shares of the width and the height of the image instead of pixels.
        size_threshold: Annotations with boxes narrower or lower than this, in pixels, are left out.
        skip_empty: Leave out images without annotations.
        include_iscrowd: Whether annotations of crowds count.
        avoid_class_remapping: Labels are the ids of the categories instead of their places in the list, from 1 on.
        image_ids: Hand out the id of the image.
        polygon_masks: Hand out the polygons around the objects. Masks given as run lengths have none.
        pixelwise_masks: Hand out an image of labels. Where objects overlap, the largest label counts.
        preprocessed_annotations: A folder with annotations that were saved, to be read instead of `annotations_file`.
            Everything that changes boxes or chooses images was decided then.
        save_preprocessed_annotations: Save the annotations once they are parsed.
        save_preprocessed_annotations_dir: The folder to save them in.
        allow_outside: Names in the annotations may be URLs, absolute paths, or go up by "..", and so leave `file_root`.
            Names in `images` may anyway.
        masks: Outdated: `polygon_masks`, with coordinates counted instead of vertices.
        dump_meta_files: Outdated name of `save_preprocessed_annotations`.
        dump_meta_files_path: Outdated name of `save_preprocessed_annotations_dir`.
        meta_files_path: Outdated name of `preprocessed_annotations`.
        save_img_ids: Outdated name of `image_ids`.
    """

    def __init__(
        self,
        *by_position: Any,
        dump_meta_files: bool | None = None,
        dump_meta_files_path: str | None = None,
        meta_files_path: str | None = None,
        save_img_ids: bool | None = None,
        **arguments: Any,
    ) -> None:
        outdated = zip(RENAMED, (dump_meta_files, dump_meta_files_path, meta_files_path, save_img_ids), strict=True)
        own = {name: arguments.pop(name) for name in params_of(CocoOptions) if name in arguments}
        super().__init__(*by_position, **arguments)
        self._given = up_to_date({**own, **dict(outdated)})
        self._coco = read_options(type(self), CocoOptions, self._given)

    @classmethod
    def _own_params(cls) -> Mapping[str, Param]:
        return params_of(CocoOptions)

    @property
    def _output_count(self) -> int:
        return 3 + 2 * self._coco.polygons + self._coco.pixelwise_masks + self._coco.image_ids

    def _open_source(self) -> SampleSource:
        options = self._coco
        options.check(self._given)
        if options.preprocessed_annotations:
            annotations = preprocessed.load(self.storage, options)
        else:
            annotations = read_annotations(self.storage, options)
        if not len(annotations.chosen):
            origin = options.preprocessed_annotations or options.annotations_file
            raise RuntimeError(f"No files found. Looked in {origin!r}; ``images`` and ``skip_empty`` say which count.")
        if options.images is None:
            origin = options.preprocessed_annotations or options.annotations_file
            check_names(annotations.names, origin, options.file_root, allow_outside=options.allow_outside)
        if options.save_preprocessed_annotations:
            preprocessed.save(annotations, options)
        return _CocoSource(annotations, options, self.storage)


class _CocoSource:
    """Images of a COCO data set with the outputs that the options ask for."""

    def __init__(self, annotations: Annotations, options: CocoOptions, storage: Storage) -> None:
        self._annotations = annotations
        self._table = CocoTable(annotations)
        self._options = options
        self._storage = storage

    def __len__(self) -> int:
        return len(self._annotations.chosen)

    def expect(self, indices: Indices) -> None:
        annotations = self._annotations
        self._storage.expect(self._options.file_root or "", annotations.names, annotations.chosen[indices])

    def read(self, indices: Indices) -> Outputs:
        options, annotations = self._options, self._annotations
        chosen = annotations.chosen[indices]
        outputs = [self._storage.read(options.file_root or "", annotations.names, chosen)]
        if options.pixelwise_masks:
            self._require_affordable_masks(chosen, bytes_of(outputs))
        outputs += self._table.boxes(chosen, options.ltrb, options.ratio)
        if options.polygons:
            outputs += self._table.polygons(chosen, options.ratio, options.masks)
        if options.pixelwise_masks:
            outputs.append(self._table.pixels(reading_pool(), chosen))
        if options.image_ids:
            outputs.append(Samples.wrap(np.ascontiguousarray(annotations.image_ids[chosen][:, None])))
        return tuple(outputs)

    def _require_affordable_masks(self, chosen: Indices, files: Indices) -> None:
        """Checks the memory limit by the image sizes in the annotations, before anything is allocated."""
        heights, widths = (
            each[chosen].astype(np.int64) for each in (self._annotations.heights, self._annotations.widths)
        )
        taken = _MASK_BYTES * heights * widths + files
        names = self._annotations.names
        require_together(taken, self._storage.sample_bytes, "the image and its mask", lambda at: names[int(chosen[at])])
