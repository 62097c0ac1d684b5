"""`readers.TFRecord`: features of the records of TFRecord files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from penstock import _native
from penstock.readers.core.order import Indices
from penstock.readers.core.paths import Path, several
from penstock.readers.core.reader import Reader
from penstock.readers.core.sample_source import Outputs, SampleSource
from penstock.readers.records.files import Records, refuse
from penstock.readers.records.index import tfrecord_rows
from penstock.readers.records.tfrecord_features import Feature
from penstock.storage.storage import reading_pool


class TFRecord(Reader):
    """Reads features of the `tf.train.Example` messages in TFRecord files.

    Outputs: a dict with the features in the order of `features`. A string is `uint8` of shape `(n,)`, numbers are
    `int64` or `float32` of the shape the feature has.

    Example:
        >>> import penstock.tfrecord as tfrec
        >>> features = {
        ...     "image/encoded": tfrec.FixedLenFeature((), tfrec.string, ""),
        ...     "image/class/label": tfrec.FixedLenFeature([1], tfrec.int64, -1),
        ... }
        >>> reader = ndd.readers.TFRecord(path=["train-0", "train-1"], features=features, random_shuffle=True)
        >>> for record in reader.next_epoch(batch_size=64):
        ...     images = ndd.decoders.image(record["image/encoded"])

    Args:
        path: The TFRecord files.
        features: What to read, by the name it has in the records.
        index_path: The index file of each of them, as `penstock index` writes it. Without any the files are gone
            through once at the first step, from the head of one record to that of the next.
        use_o_direct: No effect, but only allowed with `dont_use_mmap`.
    """

    _shuffles_listing = False

    def __init__(
        self,
        *by_position: Any,
        path: Sequence[Path] | Path,
        features: Mapping[str, Feature],
        index_path: Sequence[Path] | Path | None = None,
        use_o_direct: bool | None = False,
        **common: Any,
    ) -> None:
        super().__init__(*by_position, **common)
        if use_o_direct and not self._options.dont_use_mmap:
            raise RuntimeError("Cannot use use_o_direct with ``dont_use_mmap=False``.")
        self._paths = several(path)
        self._index_paths = [] if index_path is None else several(index_path)
        self._names = list(features)
        _native_features(features, self.storage.sample_bytes)  # refuses what is wrong
        self._features = dict(features)

    def _open_source(self) -> SampleSource:
        return _TFRecordSource(
            Records(self.storage, self._paths, tfrecord_rows(self.storage, self._paths, self._index_paths)),
            _native_features(self._features, self.storage.sample_bytes),
        )

    @property
    def _output_count(self) -> int:
        return len(self._names)

    @property
    def _output_names(self) -> list[str]:
        return self._names

    def _as_outputs(self, outputs: Outputs, single: bool) -> dict[str, Any]:
        return dict(zip(self._names, super()._as_outputs(outputs, single), strict=True))


class _TFRecordSource:
    """Features of `tf.train.Example` records, parsed while further records are read."""

    def __init__(self, records: Records, features: _native.Features) -> None:
        self._records = records
        self._features = features

    def __len__(self) -> int:
        return len(self._records)

    def expect(self, indices: Indices) -> None:
        self._records.expect(indices)

    def bytes_of(self, indices: Indices) -> float:
        return self._records.bytes_of(indices)

    def read(self, indices: Indices) -> Outputs:
        parser = self._features.parser(len(indices))
        records = self._records.read(indices, parser)
        features, failures = parser.finish(reading_pool(), records)
        refuse(records, failures, "Error while parsing TFRecord file")
        return tuple(features)


def _native_features(features: Mapping[str, Feature], max_bytes: int) -> _native.Features:
    if not features:
        raise RuntimeError("features is empty; name at least one feature to read")
    for name, feature in features.items():
        if not isinstance(feature, Feature):
            raise TypeError(
                f"Expected `penstock.tfrecord.Feature` for the {name!r}, but got {type(feature)}. "
                "Use `penstock.tfrecord.FixedLenFeature` or `penstock.tfrecord.VarLenFeature`."
            )
    return _native.Features([feature.for_parser(name) for name, feature in features.items()], max_bytes)
