# Written by tools/gen.py from the bindings in native/bind.
"""
The C++ core of penstock: sample storage, thread pool, codecs and kernels.
"""

from collections.abc import Callable, Sequence
import enum
from typing import Annotated, Any

import numpy
import numpy.typing
from numpy.typing import NDArray

import penstock.values.spec


class Samples:
    """The storage of a batch: samples of one dtype and rank."""

    def __init__(self, code: int, ndim: int, shapes: Sequence[Sequence[int]], device: int) -> None:
        """Samples in the memory of an accelerator, which is kept by a subclass."""

    @staticmethod
    def wrap(array: object) -> Samples:
        """The samples along the first axis of an array, not copied."""

    @staticmethod
    def wrap_one(array: object) -> Samples:
        """A batch of one: the whole array, not copied."""

    @staticmethod
    def copy_rows(array: numpy.typing.NDArray[Any], indices: NDArray[numpy.int64]) -> Samples:
        """The rows of an array with these numbers, copied: a sample each."""

    @staticmethod
    def gather(arrays: list[numpy.typing.NDArray[Any]]) -> Samples:
        """One sample per array, not copied."""

    @staticmethod
    def empty(code: int, n: int, shape: Sequence[int]) -> Samples:
        """Pooled memory, not cleared."""

    @staticmethod
    def empty_ragged(code: int, ndim: int, shapes: Sequence[Sequence[int]]) -> Samples: ...

    def __len__(self) -> int: ...

    def array(self) -> numpy.typing.NDArray[Any]:
        """All samples as one array; only when `dense`."""

    def numbers(self, code: int) -> numpy.typing.NDArray[Any] | None:
        """
        Single numbers of this type as an array with one axis; None for other samples, and where one is NaN.
        """

    def span(self) -> tuple[numpy.typing.NDArray[Any], list[int]] | None:
        """
        Samples that lie in one piece, in order, as an array with one axis, and where in it each begins; else None.
        """

    def sample(self, i: int) -> numpy.typing.NDArray[Any]: ...

    def shapes(self) -> list[tuple[int, ...]]: ...

    def shape(self, i: int) -> tuple[int, ...]: ...

    def select(self, indices: Sequence[int]) -> Samples: ...

    def relabelled(self, layout: str) -> Samples: ...

    def coded(self, code: int) -> Samples:
        """The same memory as another element type that is kept alike."""

    def reshaped(self, shapes: Sequence[Sequence[int]], layout: str, code: int | None = None) -> Samples:
        """
        The same memory with other shapes and, if told, as another element type; copied only where misaligned.
        """

    def copied(self) -> Samples:
        """The same samples in memory of their own."""

    def on_device(self, device: int) -> Samples:
        """The same memory, said to be on another device."""

    def host(self) -> Samples:
        """
        The samples where the CPU can read them; a subclass whose memory is elsewhere copies them.
        """

    def part(self, index: int) -> Samples:
        """One part of every sample along its first axis, not copied."""

    def take_origin(self, of: Samples) -> None:
        """Where samples that do not know it came from is where `of` did."""

    @property
    def dense(self) -> bool: ...

    @property
    def uniform(self) -> bool: ...

    @property
    def code(self) -> int:
        """The element type's code in `types.DALIDataType`."""

    @property
    def ndim(self) -> int: ...

    @property
    def spec(self, /) -> penstock.values.spec.Spec:
        """
        Element type, rank and layout; the same object for all samples that agree in them.
        """

    @property
    def nbytes(self) -> int: ...

    @property
    def elsewhere(self) -> bool:
        """Whether they are where the CPU cannot read them."""

    @property
    def sources(self, /) -> list[str] | None: ...

    @sources.setter
    def sources(self, sources: list[str] | None, /) -> None: ...

    @property
    def indices(self, /) -> list[int] | None:
        """The numbers of the samples in their data set."""

    @property
    def batch_key(self) -> int:
        """
        A number that a batch of a reader and all that is made of its samples share while any of it lives; 0 for others.
        """

    def set_indices(self, indices: NDArray[numpy.int64]) -> None: ...

    @property
    def layout(self) -> str: ...

    @layout.setter
    def layout(self, arg: str, /) -> None: ...

    @property
    def device(self) -> int:
        """The number of the accelerator that they are on; -1 on the CPU."""

    @property
    def external(self) -> bool: ...

    @external.setter
    def external(self, arg: bool, /) -> None: ...

    @property
    def read_only(self) -> bool: ...

    @read_only.setter
    def read_only(self, arg: bool, /) -> None: ...

def number_all(outputs: Sequence[Samples], indices: NDArray[numpy.int64]) -> None:
    """Sets the numbers of the samples of all outputs of a reader."""

def kind_of(outputs: tuple[Samples, ...], single: bool) -> tuple[tuple[penstock.values.spec.Spec, int | None], ...]:
    """
    Spec and number of samples of each output of a source; None instead of the number for single samples.
    """

def shared_spec(code: int, ndim: int, layout: str) -> penstock.values.spec.Spec:
    """
    The spec of samples of this element type, rank and layout, the object that `Samples.spec` is.
    """

def make_specs_by(maker: Callable[[int, int, str], penstock.values.spec.Spec]) -> None:
    """
    Sets the function of code, rank and layout that makes the specs of samples.
    """

class Pool:
    """Threads that walk the samples of a batch; the caller is one of them."""

    def __init__(self, threads: int) -> None: ...

    @property
    def threads(self) -> int: ...

    @property
    def key(self) -> int:
        """A number that no other pool has while this one lives."""

class Doorbell:
    def __init__(self) -> None: ...

    def ring(self) -> None: ...

    def silence(self) -> None: ...

    def close(self) -> None: ...

    def wait(self, grace_us: int) -> bool: ...

class FailureKind(enum.Enum):
    runtime = 0

    value = 1

    memory = 2

class Failure:
    """What went wrong for one sample, and in which step of the chain."""

    @property
    def sample(self) -> int: ...

    @property
    def step(self) -> int: ...

    @property
    def kind(self) -> FailureKind: ...

    @property
    def message(self) -> str: ...

class Failures:
    @property
    def list(self) -> list[Failure]: ...

class Step:
    """One sample-wise native operation with its arguments for a whole batch."""

class EachFrame(Step):
    def __init__(self, step: Step, counts: Sequence[int], offsets: Sequence[int], given: str, still: bool) -> None: ...

class Choice(Step):
    def __init__(self, steps: Sequence[Step | None], chosen: NDArray[numpy.int32]) -> None: ...

class ChainTimes:
    """
    When the steps of a chain ran, on as many samples as cost next to nothing.
    """

    def __init__(self) -> None: ...

    @property
    def samples(self) -> int:
        """How many the chain carried through, timed or not."""

    @property
    def preparing(self) -> float:
        """
        Seconds before the first step, in which headers were read and memory was taken.
        """

    def steps(self) -> list[tuple[int, int, int, float, float]]:
        """
        First and last step of those that did their work together, samples timed, wall and CPU seconds of these.
        """

    def slowest(self, most: int) -> list[tuple[int, float]]:
        """Samples and their seconds."""

    def laps(self) -> list[tuple[int, int, int, int, float, float]]:
        """
        Sample, thread, first and last step, start and end on the clock of time.perf_counter().
        """

def start_worker_log() -> None:
    """Has all pools note when their threads work."""

def stop_worker_log() -> None:
    """Ends that, once it was called as often as `start_worker_log`."""

def worker_spans(position: int) -> tuple[list[tuple[int, int, int, float, float, float]], int]:
    """
    Key and threads of a pool, thread, start, end and CPU seconds of the work noted from a position on, and the position behind it.
    """

def help_received() -> tuple[float, float]:
    """
    Wall and CPU seconds that threads of pools have worked for this one while the log was on.
    """

def count_held_time(on: bool) -> None:
    """Whether `held_seconds` is added up."""

def held_seconds() -> float:
    """
    CPU seconds that threads held the interpreter lock between two native calls without it, while it was counted.
    """

def run(pool: Pool, samples: Samples, n: int, steps: Sequence[Step], times: ChainTimes | None = None) -> Samples | Failures | None:
    """
    Carries n samples through the steps; None when there are no samples to tell a shape from.
    """

def run_keeping(pool: Pool, samples: Samples, n: int, steps: Sequence[Step], kept: Sequence[int], times: ChainTimes | None = None) -> list[Samples] | None:
    """
    The same, with the results of the steps numbered in `kept` before the last one's; None where the steps must be run one by one: some would share memory, or failed.
    """

class NativeChain:
    """
    The steps of a stage for an input of one element type, rank and layout.
    """

    def __init__(self, code: int, ndim: int, layout: str, steps: Sequence[Step], made_layout: str) -> None: ...

    def run(self, samples: Samples, size: int | None, pool: Pool, times: ChainTimes | None = None) -> Samples | None:
        """
        The result of the stage; None where the executor must run it: for another spec, or after an error.
        """

def run_good(pool: Pool, samples: Samples, n: int, steps: Sequence[Step]) -> tuple[Samples | None, list[Failure]]:
    """
    The same, going on where samples fail: anything may be in their places, and None where all do.
    """

def arena_use() -> tuple:
    """Bytes in live batches and bytes kept for the next ones."""

def require_memory(what: str, bytes: float, max_bytes: int) -> None:
    """Raises RuntimeError where a sample would take more memory than it may."""

def environment(name: str) -> str | None:
    """
    A variable of the environment, as os.environ.get tells it, which takes a microsecond or two of every call.
    """

def trim_arena() -> None:
    """Gives kept memory back to the system, but for what is pinned."""

def pin_block(samples: Samples, pin: Callable[[int, int], None]) -> bool:
    """
    Has the block of the pool that samples lie in pinned: `pin` is given its address and size, unless it is pinned already. False where their memory is not the pool's.
    """

def unpin_surplus(unpin: Callable[[int], None], all: bool = False) -> None:
    """
    Gives pinned blocks that nobody asked for in a long time, or all that are not in use, back to the system; `unpin` is given the address of each.
    """

def simd() -> str:
    """
    The instruction sets of this CPU that the kernels use, the widest vectors first.
    """

def jpeg_turbo_version() -> str:
    """The libjpeg-turbo the core was built against."""

def is_jpeg_bundled() -> bool:
    """
    Whether libjpeg-turbo is part of the core; it is a library of the system otherwise.
    """

def can_replace_entropy_coding() -> bool:
    """
    Whether the core's Huffman decoder works within this libjpeg; libjpeg's own is used otherwise.
    """

def other_formats(samples: Samples) -> list[int]:
    """Indices of the samples that are not JPEGs."""

def peek_jpeg(data: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], color: int, adjust_orientation: bool) -> list[int]:
    """Height, width and channels a JPEG is decoded to."""

class JpegReport:
    """What a JPEG says of itself, and whether its data is damaged."""

    @property
    def width(self) -> int: ...

    @property
    def height(self) -> int: ...

    @property
    def components(self) -> int: ...

    @property
    def precision(self) -> int: ...

    @property
    def orientation(self) -> int:
        """By EXIF, 1 to 8."""

    @property
    def damage(self) -> str:
        """The decoder's first complaint about the data; empty without one."""

def report_jpeg(data: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], max_bytes: int) -> JpegReport:
    """
    Decodes all data of a JPEG at an eighth of its size, and tells what was found.
    """

class PeekJpeg(Step):
    def __init__(self, color: int, dtype: int, adjust_orientation: bool) -> None: ...

class Decode(Step):
    def __init__(self, color: int, dtype: int, adjust_orientation: bool, fancy_upsampling: bool, fast_idct: bool, max_bytes: int, max_scans: int, window: WindowRule | None, min_size: Sequence[int] | None) -> None: ...

    def set_decoded(self, sample: int, image: object) -> None:
        """Gives a sample as an image in place of its bytes."""

    def set_failed(self, sample: int, why: str) -> None:
        """Tells why a sample cannot be given as an image."""

    @property
    def is_for_any_jpegs(self) -> bool:
        """Whether no sample was given to it in either way."""

class ResizeMode(enum.Enum):
    standard = 0

    stretch = 1

    not_larger = 2

    not_smaller = 3

class SizeRounding(enum.Enum):
    nearest = 0

    down = 1

    up = 2

class ResizeRule:
    """What size a resized sample gets, and which part of the input it shows."""

    def __init__(self, axes: int, requested: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], mode: ResizeMode, max_size: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, region_start: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, region_end: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, region_is_relative: bool, keep_scale_exact: bool) -> None: ...

    def set_window(self, window: WindowRule) -> None:
        """Takes the region from a rule."""

    def set_scales(self) -> None:
        """Takes the requested sizes as multiples of the input's extents."""

    def set_rounding(self, rounding: SizeRounding, alignment: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None: ...

    def set_crop(self, crop: WindowRule, mirror: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Makes only a part of the result, mirrored along the axes in `mirror`."""

    def targets(self, extents: Sequence[int]) -> list:
        """For each axis of the first sample: size, lo, hi."""

class Resize(Step):
    def __init__(self, axes: Sequence[int], rule: ResizeRule, min_filter: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], mag_filter: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], antialias: bool, dtype: int) -> None: ...

def list_class_files(pool: Pool, root: bytes, folders: list[bytes], files: list[bytes], case_sensitive: bool) -> tuple[bytes, list[int], bytes]:
    """
    The files in the sub-folders of root whose names match the patterns, packed, how many each folder has, and the names of the folders, packed.
    """

def content_checksums(pool: Pool, samples: Samples) -> list[int]:
    """
    A number of 64 bits for the elements of each sample, by which contents are told apart.
    """

class PieceParser:
    """Takes the samples of a batch apart as they are read."""

    def take_all(self, pool: Pool, pieces: Samples) -> None:
        """Takes samples that were read already."""

class MappedFiles:
    """Keeps files mapped that are read again and again."""

    def __init__(self) -> None: ...

def read_files(pool: Pool, root: bytes, packed: bytes, ends: NDArray[numpy.int64], indices: NDArray[numpy.int64], max_bytes: int, offsets: NDArray[numpy.int64] | None = None, lengths: NDArray[numpy.int64] | None = None, parser: PieceParser | None = None, mapped: MappedFiles | None = None) -> tuple[Samples, dict[int, str], bool]:
    """
    The bytes of files, or of parts of them, one u8 vector each; why some could not be read, by position: also those of more than `max_bytes`; and whether some were not in memory. Name i stands in `packed` up to the zero byte at ends[i].
    """

def fetch_files(pool: Pool, root: bytes, packed: bytes, ends: NDArray[numpy.int64], indices: NDArray[numpy.int64], max_bytes: int, offsets: NDArray[numpy.int64] | None = None, lengths: NDArray[numpy.int64] | None = None) -> bool:
    """
    Has the system bring into memory what `read_files` is to read soon, up to `max_bytes` of all, without waiting for it. Returns whether something was not there.
    """

def shuffle(items: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], seed: int) -> None:
    """Shuffles in place with a 32-bit generator."""

def shuffle_wide(items: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], seed: int) -> None:
    """Shuffles in place with a 64-bit generator."""

def window_state(seed: int) -> int:
    """What `shuffle_window` starts from."""

def shuffle_window(items: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], window: int, state: int) -> int:
    """
    Puts items in the order in which they leave a random window over them; returns the generator's next state.
    """

def crc32c(data: bytes) -> int:
    """The CRC-32C of bytes, which TFRecord files have of their records."""

class ExampleParser(PieceParser):
    """Takes features out of framed tf.train.Example messages."""

    def finish(self, pool: Pool, records: Samples) -> tuple[list[Samples], dict[int, str]]:
        """
        The features, and what is wrong with records by position; the features are of use only without that.
        """

class Features:
    """The features to take out of records."""

    def __init__(self, features: list[tuple[bytes, int, list[int], bool, bytes | None]], max_bytes: int) -> None:
        """
        Of each feature: name, kind (1: string, 2: float32, 3: int64), shape, whether that is the whole shape, and the element to fill in where a record does not have it. The numbers of one take no more than `max_bytes`.
        """

    def parser(self, records: int) -> ExampleParser:
        """What takes them out of a batch of that many records."""

def record_images(records: Samples) -> tuple[Samples, Samples, dict[int, str]]:
    """
    The files and labels in records of RecordIO, and what is wrong with records by position.
    """

def tell_offsets(records: Samples, offsets: NDArray[numpy.int64]) -> None:
    """Adds to the source of every record where in the file it stands."""

def scan_record_files(pool: Pool, format: str, paths: list[bytes]) -> tuple[Samples, dict[int, str]]:
    """
    For each file rows of offset and length, one for every record, and why files cannot be gone through.
    """

class RecordWalk:
    """
    Goes from record to record through a file that is given to it in windows.
    """

    def __init__(self, format: str, file_bytes: int) -> None: ...

    def look(self, window: bytes) -> None:
        """Takes the bytes from `next` on, at least 12 or up to the end."""

    @property
    def next(self) -> int: ...

    @property
    def ended(self) -> bool: ...

    def found(self) -> Samples:
        """One sample: rows of offset and length."""

class Missing(enum.Enum):
    empty = 0

    skip = 1

    error = 2

class ReadPlan:
    """The parts of archives a batch is made of."""

    @property
    def archives(self, /) -> NDArray[numpy.int64]: ...

    @property
    def offsets(self, /) -> NDArray[numpy.int64]: ...

    @property
    def lengths(self, /) -> NDArray[numpy.int64]: ...

    @property
    def samples(self) -> list[int]:
        """Which sample of the batch each part belongs to."""

class ComponentTable:
    """Where the outputs of every sample of tar archives lie."""

    def __init__(self, archive: bytes, extensions: Sequence[Sequence[str]], codes: Sequence[int], case_sensitive: bool, missing: Missing, check_headers: bool) -> None: ...

    def add_scanned(self, source: bytes | Callable[[int, int], bytes], archive_bytes: int) -> None:
        """
        Finds the samples by walking the headers of a local archive, or through a function of offset and length.
        """

    def add_indexed(self, index: bytes, archive_bytes: int) -> None:
        """Finds the samples in an index."""

    def extend(self, other: ComponentTable) -> None:
        """Puts the samples of another archive behind these."""

    def __len__(self) -> int: ...

    @property
    def doubles(self) -> int:
        """Components passed over because one before them fits as well."""

    @property
    def first_double(self, /) -> str: ...

    def plan(self, indices: NDArray[numpy.int64]) -> ReadPlan: ...

    def take(self, plan: ReadPlan, pieces: Samples) -> tuple[tuple[Samples, ...], dict[int, str]]:
        """
        The outputs, from the parts that were read, and why there are none for some samples.
        """

    def sources(self, sample: int) -> list[str]:
        """Where each output of a sample lies."""

def index_tar(source: bytes | Callable[[int, int], bytes], archive_bytes: int) -> bytes:
    """
    The index of a tar archive: a local one, or one that is read through a function of offset and length.
    """

class CocoFile:
    """What stands in a file of COCO annotations, list by list."""

    @property
    def names(self) -> bytes: ...

    @property
    def image_ids(self, /) -> NDArray[numpy.int32]: ...

    @property
    def widths(self, /) -> NDArray[numpy.int32]: ...

    @property
    def heights(self, /) -> NDArray[numpy.int32]: ...

    @property
    def category_ids(self, /) -> NDArray[numpy.int32]: ...

    @property
    def places(self, /) -> NDArray[numpy.int64]: ...

    @property
    def image_of(self, /) -> NDArray[numpy.int32]: ...

    @property
    def category_of(self, /) -> NDArray[numpy.int32]: ...

    @property
    def boxes(self, /) -> NDArray[numpy.float32]: ...

    @property
    def polygon_starts(self, /) -> NDArray[numpy.int64]: ...

    @property
    def vertex_starts(self, /) -> NDArray[numpy.int64]: ...

    @property
    def vertices(self, /) -> NDArray[numpy.float32]: ...

    @property
    def run_starts(self, /) -> NDArray[numpy.int64]: ...

    @property
    def runs(self, /) -> NDArray[numpy.uint32]: ...

    @property
    def run_extents(self, /) -> NDArray[numpy.int32]: ...

def parse_coco(source: bytes | Callable[[int, int], bytes], file_bytes: int, size_threshold: float, include_crowds: bool, polygons: bool, runs: bool) -> CocoFile:
    """
    Reads COCO annotations from a local file, or through a function of offset and length.
    """

class CocoTable:
    """Boxes, labels and masks of images, out of lists."""

    def __init__(self, lists: object) -> None:
        """`lists` has an attribute for each list."""

    def __len__(self) -> int: ...

    def boxes(self, images: NDArray[numpy.int64], ltrb: bool, ratio: bool) -> tuple[Samples, Samples]:
        """The boxes and labels of some images."""

    def polygons(self, images: NDArray[numpy.int64], ratio: bool, by_coordinate: bool) -> tuple[Samples, Samples]:
        """
        For each polygon its box, first and last vertex, or first and last coordinate; and the vertices.
        """

    def pixels(self, pool: Pool, images: NDArray[numpy.int64]) -> Samples:
        """The labels of all pixels of some images."""

def lmdb_header(bytes: bytes) -> tuple[int, int, int, int, int]:
    """
    From the beginning of one of the first two pages: page size, depth, entries, root, transaction.
    """

class LmdbListing:
    """Where the values of an LMDB are, as far as its leaf pages were added."""

    def __init__(self, page_bytes: int, file_bytes: int) -> None: ...

    def __len__(self) -> int: ...

    def children(self, pieces: Samples, first_pages: NDArray[numpy.int64]) -> Samples:
        """
        One sample: the pages that branch pages lead to. A piece is some consecutive pages.
        """

    def add(self, pieces: Samples, first_pages: NDArray[numpy.int64]) -> None:
        """Notes the entries of leaf pages."""

    def places(self, indices: NDArray[numpy.int64]) -> Samples:
        """
        Two samples: offsets and lengths in the file, to be read and given to `lmdb_values`.
        """

    def tell_keys(self, samples: Samples, path: bytes, indices: NDArray[numpy.int64], positions: NDArray[numpy.int64] | None = None) -> None:
        """
        Sets what samples, or those at some positions, are called in errors: a path and the key of an entry.
        """

def lmdb_values(pieces: Samples, offsets: NDArray[numpy.int64], page_bytes: NDArray[numpy.int64]) -> tuple[Samples, dict[int, str]]:
    """
    The values in what was read where `LmdbListing.places` said, and what is wrong with some by position.
    """

def caffe_datums(messages: Samples, image: bool, label: bool) -> tuple[list[Samples], dict[int, str]]:
    """
    The images and labels in messages Datum, and what is wrong with messages by position.
    """

def caffe2_tensors(messages: Samples, parts: list[str], num_labels: int) -> tuple[list[Samples], dict[int, str]]:
    """
    The parts of messages TensorProtos, and what is wrong with messages by position.
    """

def take_slices(pool: Pool, arrays: list[NDArray[Any]], which: NDArray[numpy.int64], begins: NDArray[numpy.int64], counts: NDArray[numpy.int64], row: Sequence[int], varying: bool) -> Samples:
    """
    Copies rows of arrays, each row with the shape `row`: for every sample the array, its first row and their number, which is 1 unless it is `varying`.
    """

def zip_directory(directory: bytes, offset: int, shift: int, count: int, folders: list[bytes], files: list[bytes], case_sensitive: bool) -> tuple[bytes, list[bytes], list[int], NDArray[numpy.int64]]:
    """
    The files in the directory of a zip archive that match the patterns: their names, packed; their folders and how many files each has; and for each offset, extent, packed size, size, CRC, method and whether it is encrypted.
    """

class ZipParser(PieceParser):
    """Finds members in what was read of zip archives."""

    def __init__(self, rows: NDArray[numpy.int64]) -> None:
        """A row of what `zip_directory` tells for each member."""

    def members(self, pieces: Samples) -> tuple[Samples, dict[int, str]]:
        """
        The members as they are packed, and what is wrong with them by position.
        """

def tell_members(members: Samples, offsets: NDArray[numpy.int64], packed: bytes, ends: NDArray[numpy.int64], indices: NDArray[numpy.int64]) -> None:
    """
    Adds to the source of every member its place in the archive and its name.
    """

def philox_words(key: int, high: int, low: int, phase: int, n: int) -> tuple:
    """The first n words of a sequence."""

class NumberSource:
    """Numbers drawn with the same constants, one a sample."""

    @staticmethod
    def uniform(code: int, low: float, high: float) -> NumberSource: ...

    @staticmethod
    def coin_flip(code: int, probability: float) -> NumberSource: ...

    def draw(self, words: Sequence[int], n: int) -> Samples:
        """The numbers of n samples, from the words that a call took."""

def random_uniform(pool: Pool, out: Samples, draw: tuple[Sequence[int], int], range: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None: ...

def random_from_values(pool: Pool, out: Samples, draw: tuple[Sequence[int], int], values: Samples) -> None: ...

def random_coin_flip(pool: Pool, out: Samples, draw: tuple[Sequence[int], int], probability: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

def random_indices(pool: Pool, out: Samples, draw: tuple[Sequence[int], int], counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], probabilities: Samples | None, in_a_row: bool) -> None: ...

def random_permutation(out: Samples, draw: tuple[Sequence[int], int], repeats: bool, moves_all: bool) -> None: ...

def random_normal(pool: Pool, out: Samples, draw: tuple[Sequence[int], int], mean: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], stddev: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

def random_beta(pool: Pool, out: Samples, draw: tuple[Sequence[int], int], alpha: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], beta: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

class WindowRule:
    """Tells which part of a sample is taken."""

class CropRule(WindowRule):
    def __init__(self, axes: Sequence[int], sizes: Sequence[Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]], positions: Sequence[Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]], truncates: bool) -> None: ...

    @staticmethod
    def of_rows(axes: Sequence[int], sizes: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], columns: Sequence[int], positions: Sequence[Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]], truncates: bool) -> CropRule:
        """
        The size along an axis is a column of `sizes`, or all of it where that is -1.
        """

class Unit(enum.Enum):
    """How the bounds of a slice are given."""

    pixels = 0

    share = 1

    exact_share = 2

class SliceRule(WindowRule):
    def __init__(self, axes: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, start: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, start_unit: Unit, end: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, end_unit: Unit, end_is_extent: bool) -> None: ...

class PadRule(WindowRule):
    def __init__(self, axes: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], extent: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], align: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None: ...

class Border(enum.Enum):
    """What lies beyond the edges of a sample."""

    error = 0

    pad = 1

    trim = 2

    edge = 3

    reflect_1001 = 4

    reflect_101 = 5

    wrap = 6

class Flip(Step):
    def __init__(self, axes: Sequence[int], mirrored: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None: ...

    @staticmethod
    def of_columns(axes: Sequence[int], mirrored: Sequence[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]]) -> Flip:
        """
        The flags of each axis by themselves: one for all samples, or one for each.
        """

class Extract(Step):
    def __init__(self, rule: WindowRule, dtype: int, border: Border, fill: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], channel_axis: int) -> None: ...

class Cast(Step):
    def __init__(self, dtype: int) -> None: ...

class Transpose(Step):
    def __init__(self, order: Sequence[int]) -> None: ...

class Pass(Step):
    """Hands samples on as they are."""

    def __init__(self) -> None: ...

class Reshape(Step):
    def __init__(self, shapes: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None: ...

class Linear(Step):
    def __init__(self, dtype: int, factor: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], addend: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

class ColorMatrix(Step):
    def __init__(self, dtype: int, maps: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None: ...

class ColorSpace(Step):
    def __init__(self, image_type: int, output_type: int) -> None: ...

class LookupTable(Step):
    def __init__(self, table: Annotated[NDArray, dict(device='cpu', writable=False)]) -> None: ...

class Clahe(Step):
    def __init__(self, columns: int, rows: int, clip_limit: float, luma_only: bool) -> None: ...

class Debayer(Step):
    def __init__(self, blue: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None: ...

class ToneChange(Step):
    def __init__(self, tone: int, amount: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

class Histogram(Step):
    """Counts of the values of each channel."""

    def __init__(self) -> None: ...

class Equalize(Step):
    def __init__(self, channel_axis: int) -> None: ...

class CropMirrorNormalize(Step):
    def __init__(self, rule: WindowRule, dtype: int, border: Border, fill: Sequence[float], mirror: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], mean: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], std: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], scale: float, shift: float, pads_channels: bool, width_axis: int, channel_axis: int, order: Sequence[int]) -> None: ...

class PasteRule(WindowRule):
    def __init__(self, ratio: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], least: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], x: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

class Erase(Step):
    def __init__(self, axes: Sequence[int], anchor: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], anchors: Sequence[int], shape: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], shapes: Sequence[int], anchor_is_share: bool, shape_is_share: bool, centered: bool, fill: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], channel_axis: int) -> None: ...

class GridMask(Step):
    def __init__(self, row_axis: int, tile: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], ratio: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], angle: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], shift_x: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], shift_y: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

class MultiPaste(Step):
    def __init__(self, inputs: Sequence[Samples], ids: tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], Sequence[int]] | None, size: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, in_anchors: tuple[Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], Sequence[int], bool] | None, shapes: tuple[Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], Sequence[int], bool] | None, out_anchors: tuple[Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], Sequence[int], bool] | None, batch: int, dtype: int) -> None: ...

class Noise(Step):
    """Puts random noise into samples."""

    @staticmethod
    def gaussian(draw: tuple[Sequence[int], int], mean: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], stddev: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Noise: ...

    @staticmethod
    def salt_and_pepper(draw: tuple[Sequence[int], int], probability: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], salt_share: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], salt: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], pepper: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], channel_axis: int) -> Noise: ...

    @staticmethod
    def shot(draw: tuple[Sequence[int], int], factor: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Noise: ...

def random_windows(words: Sequence[int], first: int, sizes: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)], area: tuple[float, float], aspect_ratio: tuple[float, float], attempts: int) -> NDArray[numpy.int32]:
    """
    Top, left, height and width of the windows that `RandomRule` takes of pictures of these sizes.
    """

class RandomRule(WindowRule):
    def __init__(self, words: Sequence[int], area: tuple[float, float], aspect_ratio: tuple[float, float], attempts: int, height_axis: int, width_axis: int) -> None: ...

def join(pool: Pool, n: int, inputs: Sequence[Samples], axis: int, new_axis: bool) -> Samples:
    """Joins sample i of all inputs along an axis, or along a new one."""

def fill(pool: Pool, out: Samples, values: Samples) -> None:
    """Fills every sample with the elements of its value, over and over."""

def rearrange(pool: Pool, samples: Samples, n: int, orders: Sequence[Sequence[int]]) -> Samples:
    """The parts of each sample along its first axis in another order."""

def split(samples: Samples, chosen: Sequence[bool]) -> tuple[Samples, Samples]:
    """The samples that are chosen, and the others. Small ones are copied."""

def merge(yes: Samples, no: Samples, chosen: Sequence[bool]) -> Samples:
    """
    The next sample of `yes` wherever `chosen` is set, else the next of `no`. Small ones are copied.
    """

def one_hot(pool: Pool, out: Samples, samples: Samples, axis: int, on: Samples, off: Samples) -> None:
    """Marks the class of every element along `axis`."""

def decimals(out: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')], rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> int:
    """
    Writes rows of numbers as lines of text, a space after each number; returns the length.
    """

class Inflate(Step):
    def __init__(self, dtype: int, shapes: Sequence[Sequence[int]], offsets: Sequence[Sequence[int]] | None, sizes: Sequence[Sequence[int]] | None, max_bytes: int) -> None: ...

class Reduce(Step):
    """One number for all elements along chosen axes."""

    def __init__(self, kind: int, mask: int, keep_dims: bool, dtype: int, ddof: int = 0, means: Samples | None = None) -> None: ...

class Normalize(Step):
    def __init__(self, mask: int, dtype: int, mean: Sequence[Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)]], stddev: Sequence[Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)]], ddof: int, epsilon: float, scale: float, shift: float) -> None: ...

def batch_sums(samples: Samples, mask: int, mean: Sequence[float]) -> list[float]:
    """
    Sums over all samples and the axes in `mask`: of elements, or of squared distances from `mean` if it is given.
    """

class MapPoints(Step):
    def __init__(self, matrix: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], columns: int, moves: bool, shift: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], dtype: int) -> None: ...

class ScalePoints(Step):
    def __init__(self, factor: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], shift: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], spare: bool, dtype: int) -> None: ...

class WarpOptions:
    """How pixels are looked up."""

    def __init__(self, dtype: int, interp: int, border: Border, fill: Sequence[float], size: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, channel_axis: int) -> None: ...

class AffineWarp(Step):
    def __init__(self, options: WarpOptions, matrices: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None: ...

class AffineVolumeWarp(Step):
    def __init__(self, options: WarpOptions, matrices: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> None: ...

class PerspectiveWarp(Step):
    def __init__(self, options: WarpOptions, matrices: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], origin: float, grid: float) -> None: ...

class Remap(Step):
    def __init__(self, options: WarpOptions, map_x: Samples, map_y: Samples, shift: float, rounds: bool) -> None: ...

class Rotation:
    """The way from a turned image or volume back to the upright one."""

    def __init__(self, degrees: float, axis: Sequence[float]) -> None: ...

    def canvas(self, box: Sequence[int]) -> list[int]:
        """The smallest box around a turned box; widths along x, y, z."""

    def between(self, out: Sequence[int], in_: Sequence[int]) -> list[float]:
        """Rows of x, y and z: from places in `out` to places in `in_`."""

class Rotate(Step):
    def __init__(self, options: WarpOptions, angles: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], keeps_size: bool) -> None: ...

class RotateVolume(Step):
    def __init__(self, options: WarpOptions, angles: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], axes: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], keeps_size: bool) -> None: ...

class Wave:
    def __init__(self, amplitude: float, frequency: float, phase: float) -> None: ...

class Water(Step):
    def __init__(self, options: WarpOptions, mask: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], across: Wave, down: Wave) -> None: ...

class Sphere(Step):
    def __init__(self, options: WarpOptions, mask: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

class Jitter(Step):
    def __init__(self, options: WarpOptions, mask: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], words: Sequence[int], reach: int) -> None: ...

def jitter_shifts(words: Sequence[int], sample: int, pixels: int, reach: int) -> list[float]:
    """
    How far `Jitter` moves the pixels of a sample: all shifts across, then all shifts down.
    """

class GaussianBlur(Step):
    def __init__(self, first_axis: int, axes: int, sigma: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], size: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], dtype: int) -> None: ...

class Laplacian(Step):
    def __init__(self, first_axis: int, axes: int, window: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], smoothing: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)] | None, scale: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order='C', device='cpu', writable=False)], normalizes: bool, dtype: int) -> None: ...

class Filter(Step):
    def __init__(self, first_axis: int, axes: int, filters: Sequence[Annotated[NDArray[numpy.float32], dict(order='C', device='cpu', writable=False)]], anchor: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], fill: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], border: Border, whole_only: bool, dtype: int) -> None: ...

class Extreme(enum.Enum):
    """Which pixel of a surrounding is taken."""

    smallest = 0

    largest = 1

class Morphology(Step):
    def __init__(self, first_axis: int, extreme: Extreme, mask: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], anchor: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order='C', device='cpu', writable=False)], border: Border) -> None: ...

class MedianBlur(Step):
    def __init__(self, first_axis: int, size: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

class JpegDistortion(Step):
    def __init__(self, quality: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

class SampleError(RuntimeError):
    """Raised with the number of a sample and what went wrong there."""

class Sampling:
    """
    Decides which short events of a kind are measured, by the name of their operator.
    """

    def __init__(self) -> None: ...

    @property
    def complete(self) -> int:
        """How many listeners want all events."""

    @complete.setter
    def complete(self, arg: int, /) -> None: ...

    def weight(self, name: str) -> int:
        """
        How many events the one that happens now stands for, 0 where it is not to be measured.
        """

    def measured(self, name: str, seconds: float) -> None:
        """
        Notes how long an event lasted, and decides how many like it are left out before the next one.
        """

    def left_out(self, name: str) -> int:
        """
        How many events have been left out since the last one that was measured.
        """

    def forget(self) -> None:
        """
        Forgets all names, for a listener that begins: what was left out before is not its own.
        """

def captured_values(type: type, outputs: tuple[Samples, ...], ports: Sequence[Any], step: object) -> tuple[Any, ...]:
    """
    The outputs of one of a step's sources, as values of the class that is given.
    """

class CallPattern:
    """
    A call of a traced loop: what its inputs and arguments must be, and what its results are.
    """

    def __init__(self, node: object, op: object, inputs: list[Any], keywords: dict[str, Any], draws: bool, result_class: type, batch_size: int | None, specs: tuple[object, ...], ports: tuple[object, ...]) -> None: ...

    def matches(self, inputs: tuple[object, ...], keywords: dict[str, Any], step: object) -> bool:
        """
        Whether a call of the operator in a step has these inputs and arguments.
        """

    def results(self, step: object, call: object | None) -> tuple[Any, ...]:
        """
        The results of the call in a step. Where `call` is None it is not made before somebody asks.
        """

class StepCalls:
    """
    The calls that the body of a loop makes in a step, and those that it is expected to make.
    """

    def __init__(self) -> None: ...

    def begin(self, step: object, expected: list[CallPattern], made_so_far: list[Any], known: frozenset[Any], made_ahead: dict[Any, Any]) -> None:
        """
        Begins a step; the nodes of its calls are appended to `made_so_far`. Nodes that are not in `known` are not part of its plan.
        """

    def end(self) -> bool:
        """
        Ends the step: no call is expected any more. Returns whether its calls were those that were expected.
        """

    def next(self, op: object, inputs: tuple[object, ...], keywords: dict[str, Any]) -> Any:
        """
        The result of the call that is expected next, or a tuple of them; None for another call.
        """

class RecentCalls:
    """The last kinds of calls of an operator."""

    def __init__(self) -> None: ...

    def find(self, keywords: dict[str, Any], specs: list[Any]) -> Any:
        """
        The memo of calls with these constant arguments and input specs; None where there was none lately.
        """

    def keep(self, keywords: dict[str, Any], specs: list[Any], memo: object) -> None:
        """
        Keeps the memo of a call whose arguments are constants, or lists or tuples of them.
        """

class ValueClass:
    """The class Tensor or Batch, of which every call makes an object."""

    def __init__(self, type: type) -> None: ...

    def of_outputs(self, outputs: tuple[Samples, ...]) -> tuple[Any, ...]:
        """A value for each of the outputs of a reader."""

    def of_samples(self, samples: Samples) -> Any:
        """A value of samples that are there."""

    def of_call(self, call: object, index: int, spec: object, size: int | None, handles: list[Any]) -> Any:
        """
        A result of a call that may not have run yet; a weak reference to it is added to `handles`.
        """

class CallMaker:
    """Makes calls that are like earlier ones."""

    def __init__(self, call: type, memo: type, port: type, tensor: type, batch: type) -> None: ...

    def make(self, recent: RecentCalls, op: object, inputs: tuple[object, ...], keywords: dict[str, Any], context: object, site: object) -> tuple[Any, Any, bool] | None:
        """
        A call of an operator, its result, and whether it reads memory that the program may write to. None, with nothing done, where no call like it was made lately, or where it is on anything but Tensors and Batches of the CPU's.
        """

class ChainFinder:
    """Finds calls that are a chain, and runs them."""

    def __init__(self, call: type, memo: type, port: type) -> None: ...

    def memos(self, calls: list[Any]) -> tuple[Any, ...] | None:
        """
        The memos of calls each of which feeds the next, and nothing else; None for others, and where they wait for calls that are not among them.
        """

    def run(self, calls: list[Any], memos: tuple[Any, ...], pool: Pool) -> bool:
        """
        Runs a chain with these memos as one of native steps, if one like it was; returns whether that was done.
        """

def limit_memory_ahead(is_limited: bool) -> None:
    """Whether the threads of queues ask before they make results ahead."""

class QueueWorker:
    """The side of a queue on which results are made."""

    def work(self) -> bool:
        """
        Makes results until the queue is stopped, and returns False then; True where one is to be made while memory is limited.
        """

    def make_next(self) -> None:
        """Makes one result."""

    def sleep(self, seconds: float) -> None:
        """Waits so long, or until somebody asks for something."""

    @property
    def is_awaited(self) -> bool:
        """Whether somebody waits for the next result."""

    def stop(self) -> None:
        """Has `work` return."""

    def end(self) -> None:
        """Tells those who wait that nothing comes any more."""

class ResultQueue:
    """
    Numbered results of calling `make` again and again, kept until they are taken or dropped.
    """

    def __init__(self, make: Callable[[], Any], first: int, is_exiting: Callable[[], bool], name: str) -> None: ...

    @property
    def worker(self) -> QueueWorker: ...

    def ask_for(self, end: int) -> None:
        """Has all results with numbers below `end` made."""

    def look(self, number: int, depth: int) -> Any:
        """
        Waits for a result, which stays, and has the `depth` results after it made; None for one that is gone. Raises what `make` raised instead.
        """

    def look_or_make(self, number: int, depth: int) -> Any:
        """
        As `look`, but makes a result that nobody has begun in the calling thread, where what `make` raises is raised; the queue's own thread makes that result then.
        """

    def take_or_make(self, depth: int) -> Any:
        """
        As `look_or_make` for the first result that is not taken yet, which does not stay. So does not what `make` raised instead in the thread.
        """

    def drop(self, before: int) -> None:
        """Drops the results with lower numbers."""

    @property
    def first(self) -> int:
        """The number of the first result that is neither taken nor dropped."""

    def count_from(self, number: int) -> int:
        """How many results from that number on are made."""

    def made_at(self, number: int) -> float | None:
        """
        When a result was made, on the clock of time.perf_counter(); None for one that is not here.
        """

    @property
    def is_making(self) -> bool:
        """Whether the calling thread is inside of `make`."""

    def clear(self) -> None:
        """Drops all results."""

class GraphReplay:
    """The native chains of a graph's stages, and the calls that they finish."""

    def __init__(self) -> None: ...

    def add_stage(self, chain: NativeChain, source: Samples | int, size: int | None, spent: Sequence[int]) -> None:
        """
        Adds a stage that reads samples, or something that the graph is given, by its number, or the result of a stage, which is -1 for the first, -2 for the second and so on. Those in `spent` are not read later.
        """

    def add_result(self, node: object, stage: int, call: object) -> None:
        """
        Has every run make a finished call like this one, with the result of a stage.
        """

    def run(self, given: Sequence[Samples], pool: Pool) -> dict[Any, Any] | None:
        """
        The finished calls by their nodes; None where a stage does not take what it is given, or fails.
        """

    def seconds(self) -> list[float]:
        """What each stage took in all runs."""

class StepMaker:
    """Makes one step of a program after the other."""

    def __init__(self, program: object, make: Callable[[int, Any], Any], failed: Callable[[Any, BaseException], Any], listeners: Sequence[list[Any]], number: int, position: object) -> None:
        """
        `make` makes a step that is not like the one before. `failed` is told of an exception: it returns a step with that, or None to have it raised. Graphs are run by Python code while one of the `listeners` is not empty.
        """

    def __call__(self) -> Any:
        """Makes the next step; the same one again where this was interrupted."""

    def prepare(self, end: int) -> bool:
        """
        Calls the sources that only this thread may call, for all steps with numbers below `end`. Returns False once one of them has ended: then there is nothing to prepare any more.
        """

class UpcomingBatches:
    """The indices of the next batches of an order."""

    def __init__(self, indices: NDArray[numpy.int64], rows: list[NDArray[numpy.int64]], position: tuple[int, int, int]) -> None:
        """
        A row of `indices` for each batch, which `rows` has as arrays of their own; `position` is where they begin.
        """

    def take(self, position: tuple[int, int, int], count: int) -> tuple[NDArray[numpy.int64], Any] | None:
        """
        The indices of the batch of so many samples that begins at this position, and the position behind it; None where they are not known.
        """

class ListedFiles:
    """Files of this machine, with a label each."""

    def __init__(self, pool: Pool, root: bytes, packed: bytes, ends: NDArray[numpy.int64], labels: numpy.typing.NDArray[Any], max_bytes: int) -> None:
        """Names as for `read_files`; a row of `labels` for each."""

class BatchReader:
    """Reads one batch of an order after the other."""

    def __init__(self, read_anew: Callable[[int], Any], order: object, files: ListedFiles | None, storage: object, listeners: list[Any], number: int, batch_class: type, fetched_class: type) -> None:
        """
        `read_anew` is given the number of a batch, which counts from `number` on, that is not one of `files`, or does not lie inside of a visit, or is fetched from a disk, or cannot be read; and of all while one of the `listeners` wants to be told.
        """

    def __call__(self) -> Any: ...

class BatchQueue:
    """Batches that were read ahead, as they are handed over."""

    def __init__(self, look: Callable[[int, int], Any], drop: Callable[[int], None], thread: object, listeners: list[Any], depth: int, handed_class: type) -> None:
        """
        `look` and `drop` are those of a `ResultQueue`, whose `thread` has an attribute `running`.
        """

    def fetch(self, place: object, number: int) -> Any:
        """
        The batch with that number, for a program that has got those before `place`; None where Python code has to see to it: while somebody listens, in a forked child, or where a rest of a batch comes first.
        """

    def next(self, place: object, left: int, keeper: object) -> Any:
        """
        The batch behind `place`, as a `Handed`, with so many samples left in the epoch; None in the same cases, and for batches with bad samples or an error.
        """

class FlipBoxes(Step):
    def __init__(self, ltrb: bool, horizontal: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], vertical: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

class PasteBoxes(Step):
    def __init__(self, ltrb: bool, ratio: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], x: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], y: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

def rotate_boxes(pool: Pool, n: int, boxes: Samples, labels: Samples | None, geometry: Annotated[NDArray[numpy.float64], dict(shape=(None, None), order='C', device='cpu', writable=False)], corners: bool, normalized: bool, expansion: float, threshold: float) -> tuple[Samples, Samples]:
    """The turned boxes that remain, and which they are."""

def encode_boxes(pool: Pool, n: int, boxes: Samples, labels: Samples, anchors: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], criteria: float, normalization: tuple[Sequence[float], Sequence[float]] | None, scale: float) -> tuple[Samples, Samples]:
    """Four numbers and a label for every anchor."""

class BoxCropRule:
    def __init__(self, thresholds: Sequence[float], may_keep_all: bool, all_boxes: bool, by_box: bool, prune: float | None, scaling: tuple[float, float], aspect_ratio: Sequence[tuple[float, float]], attempts: int, total_attempts: int) -> None: ...

def crop_boxes(pool: Pool, n: int, draw: tuple[tuple[int, ...], int], boxes: Samples, labels: Samples | None, rule: BoxCropRule, start: Sequence[int], end: Sequence[int], ends_are_sizes: bool, picture: numpy.typing.NDArray[numpy.int32] | None, window: numpy.typing.NDArray[numpy.int32] | None) -> tuple[Samples, Samples, Samples, Samples, int]:
    """
    Anchors and extents of windows, the boxes in them, which these are, and how many windows are makeshift.
    """

def take_rows(pool: Pool, n: int, samples: Samples, indices: Samples) -> Samples: ...

def select_masks(pool: Pool, n: int, masks: Samples, polygons: Samples, vertices: Samples, renumber: bool) -> tuple[Samples, Samples]:
    """The polygons of chosen masks, and their vertices."""

def random_objects(pool: Pool, n: int, draw: tuple[Sequence[int], int], masks: Samples, probability: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], background: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, classes: Samples | None, weights: Samples | None, least_size: Samples | None, largest: int | None, any_class: bool) -> tuple:
    """Where drawn objects start and end, and their labels."""

def random_places(n: int, draw: tuple[Sequence[int], int], low: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)], high: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)], drawn: Annotated[NDArray[numpy.int64], dict(shape=(None, None), order='C', device='cpu', writable=False)]) -> Samples: ...

class MaskPixel(Step):
    def __init__(self, draw: tuple[Sequence[int], int], foreground: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)], threshold: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], value: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None) -> None: ...

class Combination(enum.Enum):
    add = 0

    sub = 1

    mul = 2

    div = 3

    quotient = 4

    remainder = 5

    pow = 6

    min = 7

    max = 8

    bit_and = 9

    bit_or = 10

    bit_xor = 11

    shift_left = 12

    shift_right = 13

class Root(enum.Enum):
    square = 0

    reciprocal_square = 1

class Elementwise(Step):
    pass

class Formula:
    """Terms applied one after the other, within one element type."""

    def __init__(self, within: int, terms: Sequence[tuple[Combination | Root | numpy.ufunc, bool]], is_laborious: bool) -> None:
        """
        A term is one of ours or a ufunc, whose operand may stand to the left of what has been made; TypeError where it does not take elements of this type.
        """

    def step(self, first: Samples | None, ndim: int, others: Sequence[Samples]) -> Step | None:
        """
        None where more than single elements would be broadcast; where `first` is not known, it has `ndim` axes.
        """

class YuvTarget(enum.Enum):
    rgb = 0

    ycbcr = 1

    gray = 2

def planes_to_pixels(out: Annotated[NDArray[numpy.uint8], dict(shape=(None, None, None), order='C', device='cpu')], y: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), device='cpu', writable=False)], u: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), device='cpu', writable=False)], v: Annotated[NDArray[numpy.uint8], dict(shape=(None, None), device='cpu', writable=False)], full_range: bool, target: YuvTarget) -> None:
    """
    Puts a picture of 8-bit planes, BT.601, into an array of height, width, channels.
    """

class Spectrogram(Step):
    def __init__(self, nfft: int, window: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], step: int, centered: bool, reflects: bool, root: bool, frequencies_last: bool) -> None: ...

class PowerSpectrum(Step):
    def __init__(self, axis: int, nfft: int, root: bool) -> None: ...

class MelFilterBank(Step):
    def __init__(self, axis: int, filters: int, sample_rate: float, low: float, high: float, htk: bool, normalizes: bool) -> None: ...

class Mfcc(Step):
    def __init__(self, axis: int, count: int, type: int, normalizes: bool, lifter: float) -> None: ...

class SignalBorder(enum.Enum):
    """What comes before the first sample of a signal."""

    clamp = 0

    zero = 1

    reflect = 2

class Preemphasis(Step):
    def __init__(self, coefficient: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], border: SignalBorder, dtype: int) -> None: ...

def nonsilent_regions(pool: Pool, n: int, signals: Samples, window: int, restart: int, ratio: float, reference: float) -> tuple[Samples, Samples]: ...

class ToDecibels(Step):
    def __init__(self, multiplier: float, reference: float, least: float) -> None: ...

def load_sndfile(path: str) -> None:
    """
    Loads libsndfile, which decodes what is not plain WAV or FLAC. Does nothing where it is loaded.
    """

def decode_audio(pool: Pool, n: int, files: Samples, dtype: int, downmix: bool, quality: float, max_bytes: int, sample_rate: NDArray[numpy.float64], offset: NDArray[numpy.float64], duration: NDArray[numpy.float64]) -> tuple[Samples, Samples, Samples, dict[int, str], list[int]]:
    """
    The sound in parts of files, given in seconds; its sample rates, those of the files, why some could not be decoded, and which of them do not say how long they are. A rate that is not positive keeps the file's, a negative duration ends with it.
    """

def read_audio(pool: Pool, paths: list[bytes], dtype: int, downmix: bool, quality: float, max_bytes: int, sample_rate: NDArray[numpy.float64], offset: NDArray[numpy.float64], duration: NDArray[numpy.float64]) -> tuple[Samples, Samples, Samples, dict[int, str], list[int]]:
    """
    The same for files that are not in memory, of which no more is read than needed.
    """

class AudioResample(Step):
    def __init__(self, in_rate: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], out_rate: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], length: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)] | None, quality: float, dtype: int) -> None: ...

class ArrayFormat:
    """Finds the array in a file."""

class NpyFormat(ArrayFormat):
    def __init__(self, to_the_end: bool) -> None:
        """Whether nothing may follow the array."""

class FitsFormat(ArrayFormat):
    def __init__(self, hdu: int) -> None: ...

class ArrayOptions:
    """Which part of arrays is read, and as what."""

    def __init__(self, max_bytes: int, rule: WindowRule | None = None, border: Border = Border.error, fill: float = 0.0, dtype: int | None = None) -> None: ...

def read_array_files(pool: Pool, mapped: MappedFiles | None, root: bytes, packed: bytes, ends: NDArray[numpy.int64], indices: NDArray[numpy.int64], format: ArrayFormat, options: ArrayOptions) -> tuple[Samples, dict[int, str]]:
    """
    The arrays in files, named as for read_files, and why some cannot be read, by position.
    """

def arrays_in_files(pool: Pool, files: Samples, format: ArrayFormat, options: ArrayOptions) -> tuple[Samples, dict[int, str]]:
    """
    The arrays in the contents of files, over the same memory where possible.
    """

def array_extents(heads: Samples, head_bytes: int, format: ArrayFormat, options: ArrayOptions) -> tuple[list[int], list[int], dict[int, str]]:
    """
    Offset and length of what is needed besides the first `head_bytes` of files, which are given.
    """

def arrays_in_parts(pool: Pool, heads: Samples, head_bytes: int, parts: Samples, offsets: NDArray[numpy.int64], format: ArrayFormat, options: ArrayOptions) -> tuple[Samples, dict[int, str]]:
    """
    The same from the first bytes of files and the parts that `array_extents` asks for.
    """
