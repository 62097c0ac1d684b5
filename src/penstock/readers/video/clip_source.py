"""`ClipSource`: sequences of frames of clips, decoded in parallel straight into the memory of the batch."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from penstock._native import Samples
from penstock.engine.threads import get_num_threads
from penstock.readers.core.order import Indices
from penstock.readers.core.sample_source import BadSample, Outputs, UnreadableError
from penstock.readers.video.decoder_pool import DecoderPool
from penstock.readers.video.frame_windows import Sequences, Windows
from penstock.readers.video.probe import ProbedClips
from penstock.values import parallel
from penstock.values.dtypes import DType, float32, uint8
from penstock.values.enums import ImageType
from penstock.values.memory_limit import refusal
from penstock.values.samples import pooled
from penstock.video import VideoFile
from penstock.video.frame_selection import FILL

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class SequenceOutputs:
    """The format of the frames, and which outputs accompany them."""

    labels: bool = False
    frame_numbers: Literal["none", "scalar", "sequence"] = "none"
    timestamps: bool = False
    image_type: ImageType = ImageType.RGB
    dtype: DType = uint8
    scale: float = 1.0
    fill_value: tuple[int, ...] = (0,)


class ClipSource:
    """The sequences of some clips."""

    def __init__(self, clips: ProbedClips, windows: Windows, handed: SequenceOutputs) -> None:
        self._clips, self._windows, self._handed = clips, windows, handed
        self._sequences = Sequences(windows, clips.starts, clips.stops)
        if not len(self._sequences):
            raise RuntimeError(
                f"the number of input samples is 0: none of the {len(clips.files)} clips has the {windows.span} frames "
                "of a sequence; padding would make shorter ones do"
            )
        self.doubtful = self._found_doubtful()

    def __len__(self) -> int:
        return len(self._sequences)

    def _found_doubtful(self) -> dict[int, BadSample]:
        """Warnings for files that do not tell their length: more may have followed the last sequence of each clip."""
        found = {}
        for clip, file in enumerate(self._clips.files.tolist()):
            last = self._sequences.last_of(clip) if self._clips.unknown_length[file] else None
            if last is not None:
                found[last] = BadSample.of_unknown_length(last, self._clips.videos.names[file])
        return found

    def read(self, indices: Indices) -> Outputs:
        clips, frames = self._sequences.locate(indices)
        files = self._clips.files[clips]
        shapes = [(self._windows.length, *self._clips.sizes[file], 3) for file in files]
        self._require_affordable(files, shapes)
        batch = _DecodedBatch(self._clips.videos, files, frames, shapes, self._windows.stride, self._handed)
        batch.decode()
        return tuple(self._outputs(batch, clips))

    def _require_affordable(self, files: Indices, shapes: list[tuple[int, ...]]) -> None:
        videos, item = self._clips.videos, self._handed.dtype.storage.itemsize
        failures: dict[int, str] = {}
        for row, (file, shape) in enumerate(zip(files, shapes, strict=True)):
            what = f"{videos.names[file]}: a sequence of {shape[0]} frames"
            why = refusal(what, math.prod(shape) * item, videos.storage.sample_bytes)
            if why is not None:
                failures[row] = why
        if failures:
            raise UnreadableError(failures, {row: videos.names[files[row]] for row in failures})

    def _outputs(self, batch: _DecodedBatch, clips: Indices) -> list[Samples]:
        handed, outputs = self._handed, [batch.pixels]
        if handed.labels:
            outputs.append(Samples.wrap(self._clips.labels[clips][:, None]))
        if handed.frame_numbers != "none":
            numbers = batch.frames.astype(np.int32)
            outputs.append(Samples.wrap(numbers[:, :1].copy() if handed.frame_numbers == "scalar" else numbers))
        if handed.timestamps:
            outputs.append(Samples.wrap(batch.times))
        return outputs


class _DecodedBatch:
    """A batch being decoded: rows of frames, each row from one file."""

    def __init__(
        self,
        videos: DecoderPool,
        files: Indices,
        frames: Indices,
        shapes: list[tuple[int, ...]],
        stride: int,
        handed: SequenceOutputs,
    ) -> None:
        self.frames = frames
        self.times = np.full(frames.shape, float(FILL))
        self.pixels = Samples.empty_ragged(handed.dtype.code, 4, shapes)
        self.pixels.layout = "FHWC"
        self.pixels.sources = [videos.names[file] for file in files]
        self._videos, self._files, self._stride, self._handed = videos, files, stride, handed
        self._failures: dict[int, str | Exception] = {}

    def decode(self) -> None:
        runs, threads = self._runs(), get_num_threads()
        each = max(1, threads // max(1, len(runs)))
        parallel.map_samples(lambda run: self._decode(runs[run], each), len(runs), self.pixels.nbytes, threads)
        if self._failures:
            names = self._videos.names
            raise UnreadableError(self._failures, {row: names[self._files[row]] for row in self._failures})
        value = np.multiply(self._handed.fill_value, self._handed.scale)
        for row in np.flatnonzero((self.frames == FILL).any(axis=1)):
            self.pixels.sample(int(row))[self.frames[row] == FILL] = value

    def _runs(self) -> list[Indices]:
        """The flat positions of all frames, sorted by file and number, split where decoding can run in parallel."""
        flat = self.frames.ravel()
        places = np.flatnonzero(flat != FILL)
        files = self._files[places // self.frames.shape[1]]
        order = np.lexsort((flat[places], files))
        places, files = places[order], files[order]
        wanted = flat[places]
        ends_of_rows = np.flatnonzero(np.diff(places // self.frames.shape[1]))
        cuts = [
            k + 1
            for k in ends_of_rows
            if files[k] != files[k + 1] or self._starts_anew(int(files[k]), int(wanted[k]), int(wanted[k + 1]))
        ]
        return np.split(places, cuts) if len(places) else []

    def _starts_anew(self, file: int, last: int, wanted: int) -> bool:
        """Whether a frame is decoded from a key frame after the last one, so that another decoder can do it.

        Frames up to a stride apart stay with one decoder, which has threads of its own. Not where all frames are key
        frames, as in MJPEG: such decoders mostly have none.
        """
        index = self._videos.index(file)
        if index is None:
            return False
        every_frame = len(index.key_frames) == len(index.timestamps)
        return index.start_of(wanted) > last + (0 if every_frame else self._stride)

    def _decode(self, run: Indices, threads: int) -> None:
        """Decodes the frames at some positions, all of one file; failures are recorded for the rows they concern."""
        rows, numbers = run // self.frames.shape[1], self.frames.flat[run]
        try:
            with self._videos.borrow(int(self._files[rows[0]]), int(numbers[0]), threads) as video:
                if self._handed.timestamps:
                    self.times.flat[run] = video.timestamps[numbers]
                self._decode_from(video, run.tolist(), numbers.tolist())
        except RuntimeError as error:
            self._failures |= dict.fromkeys(rows.tolist(), error)

    def _decode_from(self, video: VideoFile, run: list[int], numbers: list[int]) -> None:
        """Decodes each frame once; further positions of the same frame get a copy."""
        before, made = FILL, None
        for place, number in zip(run, numbers, strict=True):
            row, at = divmod(place, self.frames.shape[1])
            if row in self._failures:
                continue
            out = self.pixels.sample(row)[at]
            if number == before:
                out[...] = made
            else:
                try:
                    self._read(video, number, out)
                except RuntimeError as error:
                    self._failures[row] = error
                    continue
            before, made = number, out

    def _read(self, video: VideoFile, number: int, out: Array) -> None:
        handed = self._handed
        video.prepare(number)
        if (video.height, video.width) != out.shape[:2]:
            said, found = (f"{width}x{height}" for height, width in (out.shape[:2], (video.height, video.width)))
            raise RuntimeError(f"{video.name}: frame {number} is {found}, the file says that frames are {said}")
        if handed.dtype is not float32:
            video.read([number], out[None], handed.image_type)
            return
        pixels = pooled((1, *out.shape), np.dtype(np.uint8))
        video.read([number], pixels, handed.image_type)
        np.multiply(pixels[0], np.float32(handed.scale), out=out)
