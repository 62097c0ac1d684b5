"""`readers.NemoAsr`: speech with its transcripts, as listed in manifests."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any

from penstock._native import Samples
from penstock.ops.audio.checks import check_sound
from penstock.readers.core.order import Indices
from penstock.readers.core.paths import Path, several
from penstock.readers.core.reader import Reader
from penstock.readers.core.sample_source import BadSample, Outputs, SampleSource, UnreadableError
from penstock.readers.sound.decoding import SoundOptions, read_sounds
from penstock.readers.sound.manifest import Manifest, read_manifests
from penstock.schema.params import Param
from penstock.storage import Storage
from penstock.values.dtypes import DType, float32
from penstock.values.samples import from_arrays


class NemoAsr(Reader):
    """Reads and decodes speech, with transcripts, as listed in manifests of NVIDIA NeMo.

    A manifest has a JSON object on each line: `audio_filepath`, relative to the current folder, and perhaps `text`,
    `duration` and `offset`, in seconds. Of a file only the part from `offset` on, of that `duration`, is read.

    Outputs: the sound, then those asked for of sample rate, transcript and index: `float32` of shape `()`, the
    `uint8` bytes of the text in UTF-8, and `int64` of shape `(1,)`.

    Example:
        >>> reader = ndd.readers.NemoAsr(manifest_filepaths=["train.json"], sample_rate=16000, max_duration=20)
        >>> for audio, rates, texts in reader.next_epoch(batch_size=32):
        ...     batch = audio.torch(pad=True)

    Args:
        manifest_filepaths: The manifests, read one after the other.
        sample_rate: Sample rate to bring all sounds to, in Hz; the file's own by default.
        quality: Quality of a change of the sample rate, 0 to 100.
        downmix: Take the mean of all channels, for a result without an axis of channels.
        dtype: float32, from -1 to 1, or int16 and int32 of full scale.
        min_duration: Entries that last shorter are left out, and those without a duration.
        max_duration: Entries that last longer are left out, if it is positive.
        read_sample_rate: Hand out the sample rate of the file, before any change.
        read_text: Hand out the transcript.
        read_idxs: Hand out the place of the entry among those kept of its manifest.
        normalize_text: No effect any more.
        allow_outside: `audio_filepath` may be a URL; in a manifest at a URL it may leave the manifest's folder.
    """

    def __init__(
        self,
        *by_position: Any,
        manifest_filepaths: Sequence[Path] | Path,
        sample_rate: float | None = -1.0,
        quality: float | None = 50.0,
        downmix: bool | None = True,
        dtype: DType | Any = float32,
        min_duration: float | None = 0.0,
        max_duration: float | None = 0.0,
        read_sample_rate: bool | None = True,
        read_text: bool | None = True,
        read_idxs: bool | None = False,
        normalize_text: bool | None = None,
        allow_outside: bool | None = False,
        **common: Any,
    ) -> None:
        super().__init__(*by_position, **common)
        if normalize_text is not None:
            warnings.warn("NemoAsr(): normalize_text has no effect any more", DeprecationWarning, stacklevel=2)
        self._files = several(manifest_filepaths)
        self._sound = SoundOptions(
            float32 if dtype is None else Param("dtype", DType, float32).convert(dtype),
            downmix is None or bool(downmix),
            _rate(-1.0 if sample_rate is None else float(sample_rate)),
            50.0 if quality is None else float(quality),
        )
        check_sound(self._sound.dtype, self._sound.quality)
        self._durations = float(min_duration or 0), float(max_duration or 0)
        self._rates = read_sample_rate is None or bool(read_sample_rate)
        self._texts = read_text is None or bool(read_text)
        self._indices = bool(read_idxs)
        self._allow_outside = bool(allow_outside)

    @property
    def _output_count(self) -> int:
        return 1 + self._rates + self._texts + self._indices

    def _open_source(self) -> SampleSource:
        manifest = read_manifests(self.storage, self._files, *self._durations, self._allow_outside)
        return _NemoSource(self.storage, manifest, self._sound, (self._rates, self._texts, self._indices))


class _NemoSource:
    """Audio, and what else is asked for, of the entries of manifests."""

    def __init__(
        self, storage: Storage, manifest: Manifest, sound: SoundOptions, handed_out: tuple[bool, bool, bool]
    ) -> None:
        self._storage = storage
        self._manifest = manifest
        self._sound = sound
        self._handed_out = handed_out
        self.doubtful: dict[int, BadSample] = {}

    def __len__(self) -> int:
        return len(self._manifest.paths)

    def read(self, indices: Indices) -> Outputs:
        manifest = self._manifest
        parts = (manifest.offsets[indices], manifest.durations[indices])
        audio, rates, failures, unknown_length = read_sounds(
            self._storage, manifest.paths, indices, *parts, self._sound
        )
        if failures:
            paths = {at: manifest.paths[indices[at]] for at in failures}
            told = {at: f"{paths[at]}: {why} ({manifest.place(indices[at])})" for at, why in failures.items()}
            raise UnreadableError(told, paths)
        for index in indices[unknown_length].tolist():
            self.doubtful[index] = BadSample.of_unknown_length(index, manifest.paths[index])
        with_rates, with_texts, with_indices = self._handed_out
        outputs = [audio, *([rates] if with_rates else [])]
        if with_texts:
            outputs.append(from_arrays([manifest.text(i) for i in indices]))
        if with_indices:
            outputs.append(Samples.wrap(manifest.numbers[indices][:, None]))
        return tuple(outputs)


def _rate(rate: float) -> float:
    """Checks a sample rate; -1 and 0 both mean that of the file."""
    if not math.isfinite(rate) or (rate < 0 and rate != -1):
        raise RuntimeError(f"`sample_rate` must be positive, or -1 for the file's own, got {rate:g} Hz")
    return rate
