"""What the writers of shards have in common: the sample they are given, and what they are asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO, NamedTuple, Protocol

from penstock.cli.packing.image_packer import PackedImage


class PackedSample(NamedTuple):
    """An image, the name of the file it was, its key in an archive, and its label, if it has one."""

    name: str
    key: str
    label: int | None
    image: PackedImage


class ShardWriter(Protocol):
    """Writes samples into one file. The same samples always give the same bytes."""

    def add(self, sample: PackedSample) -> None:
        """Adds a sample."""

    def close(self) -> None:
        """Writes what is left, and what belongs at the end. The file itself stays open."""

    def index(self) -> bytes | None:
        """The index file of the shard, where readers use one; asked after `close`."""


class WriterClass(Protocol):
    """A kind of writer; `suffix` is that of its files."""

    suffix: str

    def __call__(self, file: BinaryIO, classes: Sequence[str]) -> ShardWriter:
        """Begins a shard; there are no classes where samples have no labels."""
