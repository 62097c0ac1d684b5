"""The readers of ndd.experimental.readers, as type checkers see them. Written by tools/gen.py; not there at run time."""
# mypy: disable-error-code="overload-overlap"

from collections.abc import Iterable, Mapping
from collections.abc import Sequence as Several
from typing import Any, Literal, overload

from penstock.dynamic._signatures import Array, DTypeLike
from penstock.dynamic.values.batch import Batch
from penstock.dynamic.values.tensor import Tensor
from penstock.readers.core.epoch import Epoch
from penstock.readers.core.on_error import OnError
from penstock.readers.core.order import LastBatch
from penstock.readers.core.paths import Path
from penstock.readers.core.sample_checks import Check
from penstock.readers.records.tfrecord_features import Feature
from penstock.readers.tables.hugging_face import Dataset
from penstock.storage import Storage
from penstock.values.device import Device
from penstock.values.dtypes import DType, uint8
from penstock.values.enums import ImageType, InterpType

from penstock.dynamic.experimental import video as _penstock_dynamic_experimental_video
from penstock.dynamic import readers as _penstock_dynamic_readers
from penstock.readers.arrays import fits as _penstock_readers_arrays_fits

class Fits(_penstock_readers_arrays_fits.Fits, _penstock_dynamic_readers.Reader):
    """Reads images from FITS files, one output for each of the HDUs (headers with their data) asked for."""

    def __init__(
        self,
        max_batch_size: int | None = None,
        name: str | None = None,
        device: str | Device | None = "cpu",
        num_inputs: int | None = None,
        *,
        file_filter: str | None = "*.fits",
        hdu_indices: Several[int] | int | None = ...,
        dtypes: Several[Any] | Any = None,
        file_root: Path | None = None,
        files: Several[Path] | Path | None = None,
        file_list: Path | None = None,
        allow_outside: bool | None = False,
        enable_checkpointing: bool = False,
        on_error: OnError | None = "raise",
        check: Check | Several[Check | None] | None = None,
        sampler: Iterable[int] | None = None,
        storage: Storage | None = None,
        max_bytes: int | None = None,
        shard_id: int | None = 0,
        num_shards: int | None = 1,
        stick_to_shard: bool | None = False,
        pad_last_batch: bool | None = False,
        random_shuffle: bool | None = False,
        initial_fill: int | None = 1024,
        seed: int | None = -1,
        shuffle_after_epoch: bool | None = False,
        shuffle_after_epoch_seed: int | None = None,
        prefetch_queue_depth: int | None = 1,
        read_ahead: bool | None = False,
        lazy_init: bool | None = False,
        dont_use_mmap: bool | None = False,
        skip_cached_images: bool | None = False,
        tensor_init_bytes: int | None = 1048576,
    ) -> None: ...
    @overload
    def next_epoch(
        self, batch_size: int, ctx: Any = None, compile: bool = False, capture: bool = False, strict: bool = False,
        *, last_batch: LastBatch = "fill",
    ) -> Epoch[tuple[Batch, ...]]: ...
    @overload
    def next_epoch(
        self, batch_size: int | None = None, ctx: Any = None, compile: bool = False, capture: bool = False,
        strict: bool = False, *, last_batch: LastBatch = "fill",
    ) -> Epoch[Any]: ...

class Video(_penstock_dynamic_experimental_video.Video):
    """Reads sequences of frames from videos, with more ways to pad them and to choose the frames."""

    def __init__(
        self,
        max_batch_size: int | None = None,
        name: str | None = None,
        device: str | Device | None = "cpu",
        num_inputs: int | None = None,
        *,
        enable_checkpointing: bool = False,
        on_error: OnError | None = "raise",
        check: Check | Several[Check | None] | None = None,
        sampler: Iterable[int] | None = None,
        storage: Storage | None = None,
        max_bytes: int | None = None,
        filenames: Path | Several[Path] | Array | None = None,
        file_root: Path | None = "",
        file_list: Path | None = "",
        labels: int | Several[int] | Array | None = None,
        allow_outside: bool | None = False,
        sequence_length: int,
        step: int | None = -1,
        stride: int | None = 1,
        enable_frame_num: Literal["none", "scalar", "sequence"] | None = "none",
        enable_timestamps: bool | None = False,
        image_type: ImageType | str | None = ImageType.RGB,
        file_list_format: Literal["timestamps", "frames"] | None = "timestamps",
        file_list_rounding: Literal["start_down_end_up", "start_up_end_down", "all_up", "all_down"] | None = "start_down_end_up",
        file_list_include_end: bool | None = True,
        pad_mode: Literal["constant", "edge", "repeat", "reflect_1001", "symmetric", "reflect_101", "reflect", "none"] | None = "none",
        fill_value: int | Several[int] | Array | None = [0],
        uniform_sample: bool | None = False,
        shard_id: int | None = 0,
        num_shards: int | None = 1,
        stick_to_shard: bool | None = False,
        pad_last_batch: bool | None = False,
        random_shuffle: bool | None = False,
        initial_fill: int | None = 1024,
        seed: int | None = -1,
        shuffle_after_epoch: bool | None = False,
        shuffle_after_epoch_seed: int | None = None,
        prefetch_queue_depth: int | None = 1,
        read_ahead: bool | None = False,
        lazy_init: bool | None = False,
        dont_use_mmap: bool | None = False,
        skip_cached_images: bool | None = False,
        tensor_init_bytes: int | None = 1048576,
    ) -> None: ...
    @overload
    def next_epoch(
        self, batch_size: int, ctx: Any = None, compile: bool = False, capture: bool = False, strict: bool = False,
        *, last_batch: LastBatch = "fill",
    ) -> Epoch[tuple[Batch, ...]]: ...
    @overload
    def next_epoch(
        self, batch_size: int | None = None, ctx: Any = None, compile: bool = False, capture: bool = False,
        strict: bool = False, *, last_batch: LastBatch = "fill",
    ) -> Epoch[Any]: ...
