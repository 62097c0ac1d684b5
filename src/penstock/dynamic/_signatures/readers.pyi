"""The readers of ndd.readers, as type checkers see them. Written by tools/gen.py; not there at run time."""
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

from penstock.dynamic import readers as _penstock_dynamic_readers
from penstock.dynamic.sources import numpy_reader as _penstock_dynamic_sources_numpy_reader
from penstock.dynamic.sources import video_readers as _penstock_dynamic_sources_video_readers
from penstock.readers.archives import webdataset as _penstock_readers_archives_webdataset
from penstock.readers.archives import zip as _penstock_readers_archives_zip
from penstock.readers.coco import coco as _penstock_readers_coco_coco
from penstock.readers.files import file as _penstock_readers_files_file
from penstock.readers.records import caffe as _penstock_readers_records_caffe
from penstock.readers.records import mxnet as _penstock_readers_records_mxnet
from penstock.readers.records import tfrecord as _penstock_readers_records_tfrecord
from penstock.readers.sound import nemo_asr as _penstock_readers_sound_nemo_asr
from penstock.readers.tables import hugging_face as _penstock_readers_tables_hugging_face
from penstock.readers.tables import parquet as _penstock_readers_tables_parquet

class COCO(_penstock_readers_coco_coco.COCO, _penstock_dynamic_readers.Reader):
    """Reads images with the boxes, labels and masks of the objects on them, from a data set in the COCO format."""

    def __init__(
        self,
        max_batch_size: int | None = None,
        name: str | None = None,
        device: str | Device | None = "cpu",
        num_inputs: int | None = None,
        *,
        dump_meta_files: bool | None = None,
        dump_meta_files_path: str | None = None,
        meta_files_path: str | None = None,
        save_img_ids: bool | None = None,
        enable_checkpointing: bool = False,
        on_error: OnError | None = "raise",
        check: Check | Several[Check | None] | None = None,
        sampler: Iterable[int] | None = None,
        storage: Storage | None = None,
        max_bytes: int | None = None,
        annotations_file: Path | None = "",
        file_root: Path | None = None,
        images: str | Several[str] | Array | None = None,
        ltrb: bool | None = False,
        ratio: bool | None = False,
        size_threshold: float | None = 0.1,
        skip_empty: bool | None = False,
        include_iscrowd: bool | None = True,
        avoid_class_remapping: bool | None = False,
        image_ids: bool | None = False,
        polygon_masks: bool | None = False,
        pixelwise_masks: bool | None = False,
        preprocessed_annotations: Path | None = "",
        save_preprocessed_annotations: bool | None = False,
        save_preprocessed_annotations_dir: Path | None = "",
        masks: bool | None = False,
        allow_outside: bool | None = False,
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

class Caffe(_penstock_readers_records_caffe.Caffe, _penstock_dynamic_readers.Reader):
    """Reads images and labels from LMDBs, as Caffe's `convert_imageset` makes them."""

    def __init__(
        self,
        max_batch_size: int | None = None,
        name: str | None = None,
        device: str | Device | None = "cpu",
        num_inputs: int | None = None,
        *,
        path: Several[Path] | Path,
        image_available: bool | None = True,
        label_available: bool | None = True,
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

class Caffe2(_penstock_readers_records_caffe.Caffe2, _penstock_dynamic_readers.Reader):
    """Reads images, labels and other tensors from LMDBs of Caffe2's `TensorProtos`."""

    def __init__(
        self,
        max_batch_size: int | None = None,
        name: str | None = None,
        device: str | Device | None = "cpu",
        num_inputs: int | None = None,
        *,
        path: Several[Path] | Path,
        image_available: bool | None = True,
        label_type: Literal[0, 1, 2, 3, 4] | None = 0,
        num_labels: int | None = 1,
        additional_inputs: int | None = 0,
        bbox: bool | None = False,
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

class File(_penstock_readers_files_file.File, _penstock_dynamic_readers.Reader):
    """Reads whole files, and for each the number of the class it belongs to."""

    def __init__(
        self,
        max_batch_size: int | None = None,
        name: str | None = None,
        device: str | Device | None = "cpu",
        num_inputs: int | None = None,
        *,
        file_root: Path | None = None,
        files: Several[Path] | Path | None = None,
        file_list: Path | None = None,
        labels: Several[int] | int | None = None,
        file_filters: Several[str] | str | None = ...,
        dir_filters: Several[str] | str | None = None,
        case_sensitive_filter: bool | None = False,
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
    ) -> Epoch[tuple[Batch, Batch]]: ...
    @overload
    def next_epoch(
        self, batch_size: int | None = None, ctx: Any = None, compile: bool = False, capture: bool = False,
        strict: bool = False, *, last_batch: LastBatch = "fill",
    ) -> Epoch[Any]: ...

class HuggingFace(_penstock_readers_tables_hugging_face.HuggingFace, _penstock_dynamic_readers.Reader):
    """Reads rows of a `datasets.Dataset` of Hugging Face, a column to an output, over the memory that it lies in."""

    def __init__(
        self,
        max_batch_size: int | None = None,
        name: str | None = None,
        device: str | Device | None = "cpu",
        num_inputs: int | None = None,
        *,
        dataset: Dataset,
        columns: Several[str] | str | None = None,
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
    ) -> Epoch[dict[str, Batch]]: ...
    @overload
    def next_epoch(
        self, batch_size: int | None = None, ctx: Any = None, compile: bool = False, capture: bool = False,
        strict: bool = False, *, last_batch: LastBatch = "fill",
    ) -> Epoch[Any]: ...

class MXNet(_penstock_readers_records_mxnet.MXNet, _penstock_dynamic_readers.Reader):
    """Reads images and labels from RecordIO files, as MXNet's `im2rec` makes them."""

    def __init__(
        self,
        max_batch_size: int | None = None,
        name: str | None = None,
        device: str | Device | None = "cpu",
        num_inputs: int | None = None,
        *,
        path: Several[Path] | Path,
        index_path: Several[Path] | Path | None = None,
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
    ) -> Epoch[tuple[Batch, Batch]]: ...
    @overload
    def next_epoch(
        self, batch_size: int | None = None, ctx: Any = None, compile: bool = False, capture: bool = False,
        strict: bool = False, *, last_batch: LastBatch = "fill",
    ) -> Epoch[Any]: ...

class NemoAsr(_penstock_readers_sound_nemo_asr.NemoAsr, _penstock_dynamic_readers.Reader):
    """Reads and decodes speech, with transcripts, as listed in manifests of NVIDIA NeMo."""

    def __init__(
        self,
        max_batch_size: int | None = None,
        name: str | None = None,
        device: str | Device | None = "cpu",
        num_inputs: int | None = None,
        *,
        manifest_filepaths: Several[Path] | Path,
        sample_rate: float | None = -1.0,
        quality: float | None = 50.0,
        downmix: bool | None = True,
        dtype: DType | Any = ...,
        min_duration: float | None = 0.0,
        max_duration: float | None = 0.0,
        read_sample_rate: bool | None = True,
        read_text: bool | None = True,
        read_idxs: bool | None = False,
        normalize_text: bool | None = None,
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

class Numpy(_penstock_dynamic_sources_numpy_reader.Numpy):
    """Reads arrays from files written by `numpy.save`, or only a region of each."""

    def __init__(
        self,
        max_batch_size: int | None = None,
        name: str | None = None,
        device: str | Device | None = "cpu",
        num_inputs: int | None = None,
        *,
        file_filter: str | None = "*.npy",
        roi_start: Any = None,
        rel_roi_start: Any = None,
        roi_end: Any = None,
        rel_roi_end: Any = None,
        roi_shape: Any = None,
        rel_roi_shape: Any = None,
        roi_axes: Several[int] | int | None = None,
        out_of_bounds_policy: str | None = "error",
        fill_value: float | None = 0.0,
        register_buffers: bool | None = True,
        use_o_direct: bool | None = False,
        cache_header_information: bool | None = False,
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
    ) -> Epoch[tuple[Batch]]: ...
    @overload
    def next_epoch(
        self, batch_size: int | None = None, ctx: Any = None, compile: bool = False, capture: bool = False,
        strict: bool = False, *, last_batch: LastBatch = "fill",
    ) -> Epoch[Any]: ...

class Parquet(_penstock_readers_tables_parquet.Parquet, _penstock_dynamic_readers.Reader):
    """Reads rows of Parquet files, Arrow files and Hugging Face data sets, a column to an output."""

    def __init__(
        self,
        max_batch_size: int | None = None,
        name: str | None = None,
        device: str | Device | None = "cpu",
        num_inputs: int | None = None,
        *,
        path: Several[Path] | Path,
        columns: Several[str] | str | None = None,
        cache_bytes: int = 536870912,
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
    ) -> Epoch[dict[str, Batch]]: ...
    @overload
    def next_epoch(
        self, batch_size: int | None = None, ctx: Any = None, compile: bool = False, capture: bool = False,
        strict: bool = False, *, last_batch: LastBatch = "fill",
    ) -> Epoch[Any]: ...

class Sequence(_penstock_dynamic_sources_video_readers.Sequence):
    """Reads sequences of frames that were extracted to image files, a sub-folder of `file_root` for each video."""

    def __init__(
        self,
        max_batch_size: int | None = None,
        name: str | None = None,
        device: str | Device | None = "cpu",
        num_inputs: int | None = None,
        *,
        file_root: Path,
        sequence_length: int,
        step: int | None = 1,
        stride: int | None = 1,
        image_type: ImageType | None = ...,
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
    ) -> Epoch[tuple[Batch]]: ...
    @overload
    def next_epoch(
        self, batch_size: int | None = None, ctx: Any = None, compile: bool = False, capture: bool = False,
        strict: bool = False, *, last_batch: LastBatch = "fill",
    ) -> Epoch[Any]: ...

class TFRecord(_penstock_readers_records_tfrecord.TFRecord, _penstock_dynamic_readers.Reader):
    """Reads features of the `tf.train.Example` messages in TFRecord files."""

    def __init__(
        self,
        max_batch_size: int | None = None,
        name: str | None = None,
        device: str | Device | None = "cpu",
        num_inputs: int | None = None,
        *,
        path: Several[Path] | Path,
        features: Mapping[str, Feature],
        index_path: Several[Path] | Path | None = None,
        use_o_direct: bool | None = False,
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
    ) -> Epoch[dict[str, Batch]]: ...
    @overload
    def next_epoch(
        self, batch_size: int | None = None, ctx: Any = None, compile: bool = False, capture: bool = False,
        strict: bool = False, *, last_batch: LastBatch = "fill",
    ) -> Epoch[Any]: ...

class Video(_penstock_dynamic_sources_video_readers.Video):
    """Reads sequences of frames from videos: all formats and codecs of the FFmpeg that comes with PyAV."""

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
        file_list_frame_num: bool | None = False,
        file_list_include_preceding_frame: bool | None = False,
        pad_sequences: bool | None = False,
        skip_vfr_check: bool | None = False,
        dtype: DTypeLike | None = uint8,
        normalized: bool | None = False,
        channels: int | None = 3,
        additional_decode_surfaces: int | None = 2,
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

class VideoResize(_penstock_dynamic_sources_video_readers.VideoResize):
    """Reads sequences of frames from videos and resizes them: `readers.Video` followed by `resize`."""

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
        file_list_frame_num: bool | None = False,
        file_list_include_preceding_frame: bool | None = False,
        pad_sequences: bool | None = False,
        skip_vfr_check: bool | None = False,
        dtype: DTypeLike | None = uint8,
        normalized: bool | None = False,
        channels: int | None = 3,
        additional_decode_surfaces: int | None = 2,
        size: float | Several[float] | Array | Tensor | Batch | None = None,
        resize_x: float | Tensor | Batch | None = None,
        resize_y: float | Tensor | Batch | None = None,
        resize_z: float | Tensor | Batch | None = None,
        resize_shorter: float | Tensor | Batch | None = None,
        resize_longer: float | Tensor | Batch | None = None,
        mode: Literal["default", "stretch", "not_larger", "not_smaller"] | None = "default",
        max_size: float | Several[float] | Array | None = None,
        subpixel_scale: bool | None = True,
        roi_start: float | Several[float] | Array | Tensor | Batch | None = None,
        roi_end: float | Several[float] | Array | Tensor | Batch | None = None,
        roi_relative: bool | None = False,
        interp_type: InterpType | str | Tensor | Batch | None = InterpType.INTERP_LINEAR,
        mag_filter: InterpType | str | Tensor | Batch | None = None,
        min_filter: InterpType | str | Tensor | Batch | None = None,
        antialias: bool | None = True,
        minibatch_size: int | None = 32,
        temp_buffer_hint: int | None = 0,
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

class Webdataset(_penstock_readers_archives_webdataset.Webdataset, _penstock_dynamic_readers.Reader):
    """Reads samples from tar archives in the WebDataset format."""

    def __init__(
        self,
        max_batch_size: int | None = None,
        name: str | None = None,
        device: str | Device | None = "cpu",
        num_inputs: int | None = None,
        *,
        paths: Several[Path] | Path,
        ext: Several[str] | str,
        index_paths: Several[Path] | Path | None = None,
        missing_component_behavior: str | None = "",
        dtypes: Several[Any] | Any = None,
        case_sensitive_extensions: bool | None = True,
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

class Zip(_penstock_readers_archives_zip.Zip, _penstock_dynamic_readers.Reader):
    """Reads the files in zip archives, and for each the number of the class it belongs to."""

    def __init__(
        self,
        max_batch_size: int | None = None,
        name: str | None = None,
        device: str | Device | None = "cpu",
        num_inputs: int | None = None,
        *,
        paths: Several[Path] | Path,
        file_filters: Several[str] | str | None = ...,
        dir_filters: Several[str] | str | None = None,
        case_sensitive_filter: bool | None = False,
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
    ) -> Epoch[tuple[Batch, Batch]]: ...
    @overload
    def next_epoch(
        self, batch_size: int | None = None, ctx: Any = None, compile: bool = False, capture: bool = False,
        strict: bool = False, *, last_batch: LastBatch = "fill",
    ) -> Epoch[Any]: ...
