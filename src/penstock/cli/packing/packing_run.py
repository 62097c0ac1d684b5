"""Files through the threads that encode them, in order, into shards."""

from __future__ import annotations

import hashlib
import os
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import BinaryIO, NamedTuple

from penstock.cli.packing.image_packer import ImagePacker, PackedImage
from penstock.cli.packing.sample_keys import sample_keys
from penstock.cli.packing.shard_log import Shard, ShardLog, WrittenFile
from penstock.cli.packing.shard_writer import PackedSample, WriterClass
from penstock.cli.packing.source_files import SourceFiles
from penstock.values.partial_file import finish, partial_file
from penstock.viz.progress import Progress

_AHEAD = 8  # images that are being made or wait for their turn, for each thread


class ShardExtent(NamedTuple):
    """Where shards end: after so many bytes of images, or after an equal share of the files."""

    byte_limit: int
    shards: int | None

    def stop(self, number: int, files: int) -> int:
        """The file that a shard cannot reach."""
        return files if self.shards is None else (number + 1) * files // self.shards

    def is_full(self, image_bytes: int) -> bool:
        return self.shards is None and image_bytes >= self.byte_limit


class PackingRun(NamedTuple):
    """What is packed how, and where to."""

    sources: SourceFiles
    out: Path
    packer: ImagePacker
    writer: WriterClass
    extent: ShardExtent
    skips_bad: bool

    def write_shards(self, log: ShardLog, threads: int) -> None:
        """Writes the shards that the log does not have, and notes each when it is whole.

        Raises RuntimeError for the first bad file unless those are skipped.
        """
        count = len(self.sources.names)
        keys = list(sample_keys(self.sources.names))
        pool = ThreadPoolExecutor(threads, "penstock-pack")
        try:
            with Progress(count, "images", "pack") as progress:
                images = _in_order(pool, self.packer, self.sources, log.stop, threads * _AHEAD)
                while log.stop < count:
                    log.note(self._write_shard(len(log.shards), log.stop, keys, images, progress))
        finally:
            pool.shutdown(wait=True, cancel_futures=True)

    def _write_shard(
        self,
        number: int,
        start: int,
        keys: Sequence[str],
        images: Iterator[PackedImage | Exception],
        progress: Progress,
    ) -> Shard:
        stop, end, image_bytes = start, self.extent.stop(number, len(keys)), 0
        labels = self.sources.labels
        skipped: list[tuple[str, str]] = []
        name = f"{os.path.basename(os.path.abspath(self.sources.root))}-{number:06}{self.writer.suffix}"
        with partial_file(str(self.out), name) as file:
            writer = self.writer(file, self.sources.classes)
            with closing(writer):
                while stop < end and not self.extent.is_full(image_bytes):
                    image, source = next(images), self.sources.names[stop]
                    if isinstance(image, Exception):
                        self._refuse(source, image)
                        skipped.append((source, _reason(image)))
                    else:
                        label = None if labels is None else labels[stop]
                        writer.add(PackedSample(source, keys[stop], label, image))
                        image_bytes += len(image.jpeg)
                    stop += 1
                    progress.show(stop)
            files = []
            if len(skipped) < stop - start:
                index = writer.index()
                files.append(self._finish(file, name))
                if index is not None:
                    files.append(self._write_index(index, f"{name.removesuffix(self.writer.suffix)}.idx"))
        return Shard(start, stop, self.sources.states(range(start, stop)), files, skipped)

    def _refuse(self, source: str, error: Exception) -> None:
        if not self.skips_bad:
            path = os.path.join(self.sources.root, source)
            raise RuntimeError(f"{path}: {_reason(error)}; --on-error skip leaves bad files out") from None

    def _write_index(self, index: bytes, name: str) -> WrittenFile:
        with partial_file(str(self.out), name) as file:
            file.write(index)
            return self._finish(file, name)

    def _finish(self, file: BinaryIO, name: str) -> WrittenFile:
        """Names a file once it is on the disk, so that even a power cut leaves no part of it under its name."""
        file.flush()
        os.fsync(file.fileno())
        path = self.out / name
        finish(file, str(path))
        digest = hashlib.sha256()
        with open(path, "rb") as written:
            while part := written.read(1 << 20):
                digest.update(part)
        return WrittenFile(name, path.stat().st_size, digest.hexdigest())


def _in_order(
    pool: ThreadPoolExecutor, packer: ImagePacker, sources: SourceFiles, start: int, ahead: int
) -> Iterator[PackedImage | Exception]:
    """The images of all files from `start` on, or why a file is bad; `ahead` of them are in work at a time."""
    waiting: deque[Future[PackedImage | Exception]] = deque()
    for number in range(start, len(sources.names)):
        waiting.append(pool.submit(_packed, packer, sources.path(number)))
        if len(waiting) == ahead:
            yield waiting.popleft().result()
    while waiting:
        yield waiting.popleft().result()


def _packed(packer: ImagePacker, path: str) -> PackedImage | Exception:
    try:
        return packer.pack(path)
    except (OSError, RuntimeError, MemoryError) as error:
        return error


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
