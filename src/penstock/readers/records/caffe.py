"""`readers.Caffe` and `readers.Caffe2`: images, labels and other tensors from LMDBs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from penstock import _native
from penstock.readers.core.order import Indices
from penstock.readers.core.paths import Path, several
from penstock.readers.core.reader import Reader
from penstock.readers.core.sample_source import Outputs, SampleSource
from penstock.readers.records.files import refuse
from penstock.readers.records.lmdb import LmdbValues

_LABELS = ("label", "sparse_label", "dense_label", "weighted_label", None)
_PER_CLASS = (1, 3)


class Caffe(Reader):
    """Reads images and labels from LMDBs, as Caffe's `convert_imageset` makes them.

    Samples come in the order of the keys. The databases may be at URLs; LMDB itself is not needed. They must not be
    written to while they are read.

    Outputs: the bytes of the image file, `uint8` of shape `(n,)`, and its label, `int32` of shape `(1,)`. An image that
    is marked as not encoded has shape `(height, width, channels)`, its bytes in the order in which they are stored:
    Caffe itself stores one channel after the other.

    Example:
        >>> reader = ndd.readers.Caffe(path="ilsvrc12_train_lmdb", random_shuffle=True)
        >>> for jpegs, labels in reader.next_epoch(batch_size=64):
        ...     images = ndd.decoders.image(jpegs)

    Args:
        path: The folders of the databases, or their files `data.mdb`.
        image_available: Whether to hand out the images.
        label_available: Whether to hand out the labels.
    """

    _shuffles_listing = False

    def __init__(
        self,
        *by_position: Any,
        path: Sequence[Path] | Path,
        image_available: bool | None = True,
        label_available: bool | None = True,
        **common: Any,
    ) -> None:
        super().__init__(*by_position, **common)
        self._paths = several(path)
        self._wanted = (image_available is not False, label_available is not False)
        if not any(self._wanted):
            raise RuntimeError("image_available and label_available are both False: nothing would be read")

    @property
    def _output_count(self) -> int:
        return sum(self._wanted)

    def _open_source(self) -> SampleSource:
        return _CaffeSource(LmdbValues(self.storage, self._paths, "Error while parsing Caffe file"), *self._wanted)


class Caffe2(Reader):
    """Reads images, labels and other tensors from LMDBs of Caffe2's `TensorProtos`.

    The tensors of an entry stand in the order of the outputs; those that follow are not read. Samples come in the order
    of the keys. The databases may be at URLs; LMDB itself is not needed. They must not be written to while they are
    read.

    Outputs: the bytes of the image file, `uint8` of shape `(n,)`, or its pixels, `uint8` of shape
    `(height, width, channels)`, whichever is stored; the label, by `label_type`; each additional input, `float32`,
    `int32` or `int64` of shape `(n,)`; the bounding box, `int32` of shape `(4,)`.

    Example:
        >>> reader = ndd.readers.Caffe2(path="train_lmdb", label_type=1, num_labels=80)
        >>> for jpegs, labels in reader.next_epoch(batch_size=64):
        ...     images = ndd.decoders.image(jpegs)

    Args:
        path: The folders of the databases, or their files `data.mdb`.
        image_available: Whether the first tensor of an entry is an image.
        label_type: What the label is. 0: one number, `int32` or `float32` of shape `(1,)`. 1: the classes that apply,
            made into `int32` of shape `(num_labels,)` with a 1 for each. 2: a vector, `int32` or `float32` of shape
            `(n,)`. 3: classes and in the next tensor their weights, made into `float32` of shape `(num_labels,)`. 4:
            there is none.
        num_labels: How many classes there are, for label types 1 and 3.
        additional_inputs: How many more tensors to read.
        bbox: Whether a bounding box follows.
    """

    _shuffles_listing = False

    def __init__(
        self,
        *by_position: Any,
        path: Sequence[Path] | Path,
        image_available: bool | None = True,
        label_type: Literal[0, 1, 2, 3, 4] | None = 0,
        num_labels: int | None = 1,
        additional_inputs: int | None = 0,
        bbox: bool | None = False,
        **common: Any,
    ) -> None:
        super().__init__(*by_position, **common)
        self._paths = several(path)
        kind, self._num_labels, more = label_type or 0, 1 if num_labels is None else num_labels, additional_inputs or 0
        if not 0 <= kind < len(_LABELS):
            raise RuntimeError(f"Unsupported label type: label_type is from 0 to 4, got {kind}")
        if kind in _PER_CLASS and self._num_labels < 1:
            raise RuntimeError(f"label_type={kind} needs the number of classes: num_labels={self._num_labels}")
        if more < 0:
            raise RuntimeError(f"additional_inputs is a number of tensors, got {more}")
        parts = ["image" if image_available is not False else None, _LABELS[kind], *["numbers"] * more]
        self._parts = [part for part in [*parts, "box" if bbox else None] if part is not None]
        if not self._parts:
            raise RuntimeError("there is no image, label, additional input or bounding box: nothing would be read")

    @property
    def _output_count(self) -> int:
        return len(self._parts)

    def _open_source(self) -> SampleSource:
        values = LmdbValues(self.storage, self._paths, "Error while parsing Caffe2 file")
        return _Caffe2Source(values, self._parts, self._num_labels)


class _CaffeSource:
    """Caffe's `Datum` messages."""

    def __init__(self, values: LmdbValues, image: bool, label: bool) -> None:
        self._values, self._wanted = values, (image, label)

    def __len__(self) -> int:
        return len(self._values)

    def expect(self, indices: Indices) -> None:
        self._values.expect(indices)

    def read(self, indices: Indices) -> Outputs:
        messages = self._values.read(indices)
        outputs, failures = _native.caffe_datums(messages, *self._wanted)
        refuse(messages, failures, "Error while parsing Caffe file")
        return tuple(outputs)


class _Caffe2Source:
    """Caffe2's `TensorProtos` messages."""

    def __init__(self, values: LmdbValues, parts: list[str], num_labels: int) -> None:
        self._values, self._parts, self._num_labels = values, parts, num_labels

    def __len__(self) -> int:
        return len(self._values)

    def expect(self, indices: Indices) -> None:
        self._values.expect(indices)

    def read(self, indices: Indices) -> Outputs:
        messages = self._values.read(indices)
        outputs, failures = _native.caffe2_tensors(messages, self._parts, max(self._num_labels, 0))
        refuse(messages, failures, "Error while parsing Caffe2 file")
        return tuple(outputs)
