"""`readers.Numpy`: arrays, or regions of them, from files that numpy.save wrote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from penstock._native import NpyFormat, Samples
from penstock.readers.arrays.files import ArrayFiles, ArrayFilesReader, ArrayRequest
from penstock.readers.arrays.region import Region
from penstock.readers.core.order import Indices
from penstock.readers.core.reader import alone
from penstock.readers.core.sample_source import Outputs, SampleSource, UnreadableError


class Numpy(ArrayFilesReader):
    """Reads arrays from files written by `numpy.save`, or only a region of each.

    Files come from one of three places: `file_root` and its sub-folders, the lines of `file_list`, or `files`. Arrays
    of numbers only: nothing is ever unpickled. Of a region, not much more is read than it needs.

    Outputs: the array. All arrays of a batch have one element type and one number of axes.

    Example:
        >>> reader = ndd.readers.Numpy(file_root="volumes", roi_start=[0, 64, 64], roi_shape=[16, 128, 128])
        >>> for (volumes,) in reader.next_epoch(batch_size=8):
        ...     volumes = ndd.cast(volumes, dtype=ndd.float32)

    Args:
        file_root: The folder to look for files in, or what the paths of `files` and `file_list` are relative to.
        files: Paths.
        file_list: A text file with a path on each line; relative to the file itself without a `file_root`.
        file_filter: Which files of `file_root` count, as a shell pattern.
        allow_outside: Names in `file_list` may lead outside of `file_root`. Without a `file_root` those of a list at a
            URL may not leave its folder, and those of any other may be all files of this machine, but no URLs.
        roi_start: First corner of the region: a number for each axis, or one for all.
        rel_roi_start: The same in fractions of the array.
        roi_end: Opposite corner, which does not belong to the region.
        rel_roi_end: The same in fractions of the array.
        roi_shape: Extents of the region, instead of its end.
        rel_roi_shape: The same in fractions of the array.
        roi_axes: The axes these are for; the others are read whole. All axes by default.
        out_of_bounds_policy: What to do about a region that reaches beyond the array: "error", "pad" it with
            `fill_value`, or "trim_to_shape".
        fill_value: What to pad with.
        register_buffers: No effect: there is no GPU to register memory with.
        use_o_direct: No effect: files are read through the page cache. Needs `dont_use_mmap`, as it does in DALI.
        cache_header_information: No effect: a header comes with the data.
    """

    _fixed_outputs = 1

    def __init__(
        self,
        *by_position: Any,
        file_filter: str | None = "*.npy",
        roi_start: Any = None,
        rel_roi_start: Any = None,
        roi_end: Any = None,
        rel_roi_end: Any = None,
        roi_shape: Any = None,
        rel_roi_shape: Any = None,
        roi_axes: Sequence[int] | int | None = None,
        out_of_bounds_policy: str | None = "error",
        fill_value: float | None = 0.0,
        register_buffers: bool | None = True,
        use_o_direct: bool | None = False,
        cache_header_information: bool | None = False,
        **common: Any,
    ) -> None:
        super().__init__(*by_position, **common)
        self._file_filter = "*.npy" if file_filter is None else file_filter
        if use_o_direct and not self._options.dont_use_mmap:
            raise RuntimeError("Cannot use use_o_direct with ``dont_use_mmap=False``.")
        bounds = {
            "roi_start": roi_start,
            "rel_roi_start": rel_roi_start,
            "roi_end": roi_end,
            "rel_roi_end": rel_roi_end,
            "roi_shape": roi_shape,
            "rel_roi_shape": rel_roi_shape,
        }
        axes = () if roi_axes is None else roi_axes
        self._deferred = False
        self._region = Region.of(bounds, axes, out_of_bounds_policy or "error", fill_value or 0.0)

    def _open_source(self) -> SampleSource:
        self._arrays = _NumpySource(self._find_files(self._file_filter), self._region)
        return self._arrays

    def __call__(self, *, batch_size: int | None = None, **bounds: Any) -> Any:
        """The next array, or batch of them; bounds of the region that the reader does not have may be given here.

        They may differ by sample. Calls with them read when they are made, not ahead, and so raise what goes wrong.
        """
        region = self._called_region(bounds)
        if self._prefetcher is None:
            self._deferred = region is not self._region

        def made(outputs: Outputs) -> Any:
            if self._deferred or region is not self._region:
                outputs = (self._read_now(outputs[0], region),)
            return alone(self._as_outputs(outputs, single=batch_size is None))

        return self._called(batch_size, made)

    def _read_ahead(self) -> SampleSource:
        return _NumberSource(len(self._opened())) if self._deferred else self._opened()

    def _read_now(self, numbered: Samples, region: Region) -> Samples:
        """Reads regions of the samples whose numbers were read ahead."""
        indices = np.array(numbered.indices, np.int64)
        try:
            samples = self._arrays.read_region(indices, region)
        except UnreadableError as error:
            raise error.first from None
        samples.set_indices(indices)
        return samples

    def _called_region(self, bounds: dict[str, Any]) -> Region:
        given = {name: value for name, value in bounds.items() if value is not None}
        for name in given:
            if name not in BOUNDS:
                raise TypeError(f"__call__() got an unexpected keyword argument {name!r}")
        both = sorted(given.keys() & self._region.bounds.keys())
        if both:
            raise ValueError(f"Keyword argument {both} cannot be passed both in the constructor and __call__.")
        return self._region.extended(given) if given else self._region


BOUNDS = ("roi_start", "rel_roi_start", "roi_end", "rel_roi_end", "roi_shape", "rel_roi_shape")


class NumpyNumbers(Numpy):
    """Hands out only sample numbers; `regions` reads the arrays once a pipeline has computed their regions."""

    def __init__(self, *by_position: Any, **arguments: Any) -> None:
        super().__init__(*by_position, **arguments)
        self._deferred = True

    def regions(self, indices: Indices, bounds: Mapping[str, Any]) -> Samples:
        """Reads regions of these samples; `bounds` complete those of the reader's arguments."""
        self._opened()
        samples = self._arrays.read_region(indices, self._region.extended(bounds))
        samples.set_indices(indices)
        return samples


class _NumpySource:
    """Arrays, or a region of each."""

    def __init__(self, files: ArrayFiles, region: Region) -> None:
        self._files = files
        self._region = region

    def __len__(self) -> int:
        return len(self._files.names)

    def read(self, indices: Indices) -> Outputs:
        return (self.read_region(indices, self._region),)

    def read_region(self, indices: Indices, region: Region) -> Samples:
        wanted = ArrayRequest(NpyFormat(to_the_end=False), region.options(len(indices), self._files.sample_bytes))
        return self._files.read(indices, [wanted])[0] if region.is_whole else self._files.read_parts(indices, wanted)


class _NumberSource:
    """Sample numbers without data, for calls that know the region only when they are made."""

    def __init__(self, size: int) -> None:
        self._size = size

    def __len__(self) -> int:
        return self._size

    def read(self, indices: Indices) -> Outputs:
        return (Samples.wrap(indices[:, None].copy()),)
