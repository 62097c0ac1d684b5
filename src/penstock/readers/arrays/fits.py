"""`experimental.readers.Fits`: images from FITS files, natively or, if they are compressed, by astropy."""

from __future__ import annotations

import io
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from penstock._native import ArrayOptions, FitsFormat, Samples, require_memory
from penstock.readers.arrays.files import ArrayFiles, ArrayFilesReader, ArrayRequest
from penstock.readers.core.order import Indices
from penstock.readers.core.sample_memory import bytes_of, require_together
from penstock.readers.core.sample_source import Outputs, SampleSource, UnreadableError
from penstock.values.casting import cast_array
from penstock.values.dtypes import NUMERIC, DType
from penstock.values.dtypes import dtype as to_dtype
from penstock.values.samples import from_arrays

Array = np.ndarray[Any, Any]

_COMPRESSED = "the image is compressed"


class Fits(ArrayFilesReader):
    """Reads images from FITS files, one output for each of the HDUs (headers with their data) asked for.

    Values are what the header says they are: BSCALE and BZERO are applied, which makes floats of whole numbers, except
    for the BZERO by which unsigned numbers and signed bytes are written; those keep their type. BLANK becomes NaN where
    there are floats. Compressed images are read by astropy: `pip install penstock[fits]`.

    Outputs: an array for each of `hdu_indices`, the axes in the order of NumPy: NAXIS1 is the last.

    Example:
        >>> reader = ndd.experimental.readers.Fits(file_root="plates", hdu_indices=[1, 2])
        >>> for images, weights in reader.next_epoch(batch_size=8):
        ...     images = ndd.normalize(images)

    Args:
        file_root: The folder to look for files in, or what the paths of `files` and `file_list` are relative to.
        files: Paths.
        file_list: A text file with a path on each line; relative to the file itself without a `file_root`.
        file_filter: Which files of `file_root` count, as a shell pattern.
        allow_outside: Names in `file_list` may lead outside of `file_root`. Without a `file_root` those of a list at a
            URL may not leave its folder, and those of any other may be all files of this machine, but no URLs.
        hdu_indices: The numbers of the HDUs, the first of which, the primary one, is 1.
        dtypes: Element types to convert the outputs to, as `cast` does; those of the files by default.
    """

    def __init__(
        self,
        *by_position: Any,
        file_filter: str | None = "*.fits",
        hdu_indices: Sequence[int] | int | None = (2,),
        dtypes: Sequence[Any] | Any = None,
        **common: Any,
    ) -> None:
        super().__init__(*by_position, **common)
        self._file_filter = "*.fits" if file_filter is None else file_filter
        self._hdus = [int(hdu) for hdu in np.atleast_1d((2,) if hdu_indices is None else hdu_indices)]
        if not self._hdus or min(self._hdus) < 1 or max(self._hdus) > np.iinfo(np.int32).max:
            raise RuntimeError(f"``hdu_indices`` are numbers from 1 on, at least one; got {self._hdus}")
        listed = dtypes if isinstance(dtypes, (list, tuple)) else [dtypes] * len(self._hdus)
        self._dtypes = [None if each is None else to_dtype(each) for each in listed]
        if len(self._dtypes) != len(self._hdus):
            raise RuntimeError(f"{len(self._dtypes)} ``dtypes`` were given for {len(self._hdus)} outputs")
        for dtype in self._dtypes:
            if dtype is not None and dtype not in NUMERIC:
                raise RuntimeError(f"Unsupported output dtype {dtype}; all numbers and bool are")

    @property
    def _output_count(self) -> int:
        return len(self._hdus)

    def _open_source(self) -> SampleSource:
        return _FitsSource(self._find_files(self._file_filter), self._hdus, self._dtypes)


class _FitsSource:
    """The images of some HDUs of FITS files."""

    def __init__(self, files: ArrayFiles, hdus: list[int], dtypes: list[DType | None]) -> None:
        self._files = files
        self._hdus = hdus
        self._dtypes = dtypes
        self._wanted = [
            ArrayRequest(FitsFormat(hdu), ArrayOptions(files.sample_bytes, dtype=None if dtype is None else dtype.code))
            for hdu, dtype in zip(hdus, dtypes, strict=True)
        ]

    def __len__(self) -> int:
        return len(self._files.names)

    def read(self, indices: Indices) -> Outputs:
        outputs = self._outputs(indices)
        names, limit = self._files.names, self._files.sample_bytes
        require_together(bytes_of(outputs), limit, "its images", lambda at: names[int(indices[at])])
        return outputs

    def _outputs(self, indices: Indices) -> Outputs:
        try:
            return self._files.read(indices, self._wanted)
        except UnreadableError as error:
            if not any(str(why).endswith(_COMPRESSED) for why in error.failures.values()):
                raise
        return tuple(self._unpacked(indices, output) for output in range(len(self._hdus)))

    def _unpacked(self, indices: Indices, output: int) -> Samples:
        """Reads one output whose images may be compressed, file by file."""
        failures: dict[int, str] = {}
        arrays: list[Array] = []
        for at, index in enumerate(indices):
            try:
                arrays.append(self._unpack(index, output))
            except RuntimeError as error:
                failures[at] = str(error)
        failures = failures or _unlike(arrays)
        if failures:
            raise UnreadableError(failures, {at: self._files.names[int(indices[at])] for at in failures})
        samples = from_arrays(arrays)
        samples.sources = [self._files.names[int(index)] for index in indices]
        return samples

    def _unpack(self, index: int, output: int) -> Array:
        one = np.array([index], np.int64)
        try:
            return self._files.read(one, [self._wanted[output]])[0].sample(0)
        except UnreadableError as error:
            if not str(error).endswith(_COMPRESSED):
                raise
            told = str(error)
        contents = self._files.contents(one).sample(0).tobytes()
        try:
            from astropy.io import fits
        except ImportError:
            raise RuntimeError(f"{told}; pip install penstock[fits] to read it") from None
        try:
            with fits.open(io.BytesIO(contents)) as hdus:
                hdu = hdus[self._hdus[output] - 1]
                # Twice: once as astropy unpacks it, once in this machine's byte order.
                needed = 2 * math.prod(hdu.shape) * np.dtype(fits.BITPIX2DTYPE[hdu.header["BITPIX"]]).itemsize
                require_memory("unpacking the image", needed, self._files.sample_bytes)
                data = np.asarray(hdu.data)
        except Exception as error:  # astropy raises many types for damaged data
            raise RuntimeError(f"{told}, and astropy cannot read it: {error}") from None
        array = np.ascontiguousarray(data.astype(data.dtype.newbyteorder("=")))
        dtype = self._dtypes[output]
        return array if dtype is None else cast_array(array, dtype)


def _unlike(arrays: list[Array]) -> dict[int, str]:
    """Why arrays cannot be in one batch: those whose element type or rank is not that of the majority."""
    kinds = [(array.dtype.name, array.ndim) for array in arrays]
    usual = max(kinds, key=kinds.count)
    return {
        at: "Inconsistent data: All samples in the batch must have the same data type and number of dimensions. "
        f"Sample {kinds.index(usual)} has {usual[0]} and {usual[1]}, sample {at} {kind[0]} and {kind[1]}"
        for at, kind in enumerate(kinds)
        if kind != usual
    }
