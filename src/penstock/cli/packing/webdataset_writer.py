"""Shards for `readers.Webdataset`: tar archives."""

from __future__ import annotations

import io
import os
import struct
import tarfile
from collections.abc import Sequence
from typing import BinaryIO

from penstock import _native
from penstock.cli.packing.shard_writer import PackedSample


class WebdatasetWriter:
    """A tar archive: `<key>.jpg`, and `<key>.cls` and `<key>.label` where there are labels.

    `cls` is the label in digits, which programs of WebDataset read; `label` is the same as a little-endian int32, which
    `readers.Webdataset` hands out as a number.
    """

    suffix = ".tar"

    def __init__(self, file: BinaryIO, classes: Sequence[str]) -> None:
        self._file = file
        self._archive = tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT)  # noqa: SIM115

    def add(self, sample: PackedSample) -> None:
        self._add(f"{sample.key}.jpg", sample.image.jpeg)
        if sample.label is not None:
            self._add(f"{sample.key}.cls", str(sample.label).encode())
            self._add(f"{sample.key}.label", struct.pack("<i", sample.label))

    def close(self) -> None:
        self._archive.close()

    def index(self) -> bytes | None:
        self._file.flush()
        return _native.index_tar(os.fsencode(self._file.name), self._file.tell())

    def _add(self, name: str, contents: bytes) -> None:
        entry = tarfile.TarInfo(name)  # no owner and no time: the same samples give the same bytes
        entry.size = len(contents)
        self._archive.addfile(entry, io.BytesIO(contents))
