"""`readers.Sequence`: sequences of frames that are stored as image files."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock import _native
from penstock._native import Samples
from penstock.engine.threads import get_num_threads, shared_pool
from penstock.ops.decode.image import Decoding, decode_step
from penstock.readers.core.order import Indices
from penstock.readers.core.paths import Path, path_text
from penstock.readers.core.reader import Reader
from penstock.readers.core.sample_source import Outputs, SampleSource, UnreadableError
from penstock.readers.files.listing import list_folders
from penstock.readers.video.frame_windows import Sequences, Windows
from penstock.storage import Storage
from penstock.values.enums import ImageType

FRAME_FILES = (
    "*.jpg", "*.jpeg", "*.png", "*.bmp", "*.tif", "*.tiff", "*.pnm", "*.ppm", "*.pgm", "*.pbm", "*.jp2", "*.webp",
)  # fmt: skip


class Sequence(Reader):
    """Reads sequences of frames that were extracted to image files, a sub-folder of `file_root` for each video.

    The frames of a folder are in the order of their names. Sequences do not reach over into the next folder.

    Outputs: frames, `uint8`, layout `FHWC`.

    Example:
        >>> reader = ndd.readers.Sequence(file_root="frames", sequence_length=8, step=8)
        >>> for (frames,) in reader.next_epoch(batch_size=4):
        ...     frames = ndd.resize(frames, size=[112, 112])

    Args:
        file_root: The folder of folders of frames.
        sequence_length: Frames in a sequence.
        step: Frames from the start of one sequence to that of the next.
        stride: Every how many-th frame is taken.
        image_type: Colours of the frames: RGB, BGR, GRAY or YCbCr.
    """

    _fixed_outputs = 1

    def __init__(
        self,
        *by_position: Any,
        file_root: Path,
        sequence_length: int,
        step: int | None = 1,
        stride: int | None = 1,
        image_type: ImageType | None = ImageType.RGB,
        **common: Any,
    ) -> None:
        super().__init__(*by_position, **common)
        step, stride = 1 if step is None else step, 1 if stride is None else stride
        for name, value in {"sequence_length": sequence_length, "step": step, "stride": stride}.items():
            if value < 1:
                raise RuntimeError(f"`{name}` must be at least 1, got {value}")
        self._root = path_text(file_root)
        self._windows = Windows(sequence_length, stride, step, span=(sequence_length - 1) * stride + 1)
        share = max(1, self.storage.sample_bytes // sequence_length)
        self._decoding = Decoding(ImageType.RGB if image_type is None else ImageType(image_type), max_bytes=share)

    def _open_source(self) -> SampleSource:
        return _SequenceSource(self.storage, self._root, self._windows, self._decoding)


class _SequenceSource:
    """Sequences of images, decoded from the files of one folder each."""

    def __init__(self, storage: Storage, root: str, windows: Windows, decoding: Decoding) -> None:
        self._storage, self._length, self._decoding = storage, windows.length, decoding
        self._listing = list_folders(storage, root, FRAME_FILES, None, case_sensitive=False)
        stops = np.append(np.flatnonzero(np.diff(self._listing.labels)) + 1, len(self._listing.names))
        self._sequences = Sequences(windows, np.append(0, stops[:-1]), stops)
        if not len(self._sequences):
            raise RuntimeError(
                f"the number of input samples is 0: no folder in {root} has the {windows.span} frames of a sequence"
            )

    def __len__(self) -> int:
        return len(self._sequences)

    def read(self, indices: Indices) -> Outputs:
        _, frames = self._sequences.locate(indices)
        wanted, places = np.unique(frames, return_inverse=True)
        places = places.reshape(frames.shape)
        try:
            images = self._decoded(wanted)
        except UnreadableError as error:
            rows = {int(row): why for at, why in error.failures.items() for row in np.nonzero(places == at)[0]}
            raise UnreadableError(rows, {row: self._listing.names[frames[row, 0]] for row in rows}) from None
        if images.dense and np.array_equal(places.ravel(), np.arange(len(wanted))):
            pixels = images.array()
            made = Samples.wrap(pixels.reshape(*frames.shape, *pixels.shape[1:]))
        else:
            made = self._gathered(images, wanted, places)
        made.layout = "FHWC"
        made.sources = [self._listing.names[row[0]] for row in frames]
        return (made,)

    def _decoded(self, frames: Indices) -> Samples:
        threads = get_num_threads()
        files = self._storage.read(self._listing.root, self._listing.names, frames)
        step = decode_step(files, self._decoding, threads=threads)
        images = _native.run(shared_pool(threads), files, len(files), [step])
        if isinstance(images, _native.Failures):
            told = {each.sample: self._of_whole_limit(each.message) for each in images.list}
            raise UnreadableError({at: f"{self._path(frames[at])}: {why}" for at, why in told.items()})
        assert images is not None
        return images

    def _of_whole_limit(self, message: str) -> str:
        """The error of a frame, which may take a share of the memory limit, restated for the limit of a sequence."""
        if self._length == 1:
            return message
        share, whole = self._decoding.max_bytes, self._storage.sample_bytes
        return message.replace(f"the limit of {share};", f"1/{self._length} of the limit of {whole};")

    def _gathered(self, images: Samples, frames: Indices, rows: Indices) -> Samples:
        """Copies frames into sequences, where sequences share frames or have different sizes."""
        shapes = images.shapes()
        for sample, row in enumerate(rows):
            odd = next((k for k in row if shapes[k] != shapes[row[0]]), None)
            if odd is not None:
                path, sizes = self._path(frames[odd]), [_size(shapes[k]) for k in (odd, row[0])]
                raise UnreadableError({sample: f"{path} is {sizes[0]}, the sequence began with {sizes[1]}"})
        made = Samples.empty_ragged(images.code, 4, [(self._length, *shapes[row[0]]) for row in rows])
        for sample, row in enumerate(rows):
            np.stack([images.sample(k) for k in row], out=made.sample(sample))
        return made

    def _path(self, frame: int) -> str:
        return self._listing.names.path(self._listing.root, int(frame))


def _size(shape: tuple[int, ...]) -> str:
    return f"{shape[1]}x{shape[0]}"
