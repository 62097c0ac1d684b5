"""Shards for `readers.Parquet` and Hugging Face."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, BinaryIO

from penstock.cli.packing.shard_writer import PackedSample


class ParquetWriter:
    """Rows of `image` and `label`, which `datasets.load_dataset` knows as Image and ClassLabel."""

    suffix = ".parquet"
    _ROWS = 100  # in a group, which readers read whole

    def __init__(self, file: BinaryIO, classes: Sequence[str]) -> None:
        try:
            import pyarrow as pa
            import pyarrow.parquet as pq
        except ImportError:
            raise RuntimeError('writing Parquet needs pyarrow: pip install "penstock[parquet]"') from None
        fields = [("image", pa.struct([("bytes", pa.binary()), ("path", pa.string())]))]
        features: dict[str, Any] = {"image": {"_type": "Image"}}
        if classes:
            fields.append(("label", pa.int64()))
            features["label"] = {"names": [*classes], "_type": "ClassLabel"}
        told = json.dumps({"info": {"features": features}})
        self._schema = pa.schema(fields, metadata={"huggingface": told})
        self._writer = pq.ParquetWriter(
            file, self._schema, compression="none", use_dictionary=False, write_statistics=False
        )
        self._labelled = bool(classes)
        self._rows: list[dict[str, Any]] = []

    def add(self, sample: PackedSample) -> None:
        row: dict[str, Any] = {"image": {"bytes": sample.image.jpeg, "path": sample.name}}
        if self._labelled:
            row["label"] = sample.label
        self._rows.append(row)
        if len(self._rows) == self._ROWS:
            self._write_group()

    def close(self) -> None:
        if self._rows:
            self._write_group()
        self._writer.close()

    def index(self) -> bytes | None:
        return None

    def _write_group(self) -> None:
        import pyarrow as pa

        self._writer.write_table(pa.Table.from_pylist(self._rows, self._schema))
        self._rows.clear()
