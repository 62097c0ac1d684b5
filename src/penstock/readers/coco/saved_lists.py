"""Lists of numbers in binary files: an `int32` that counts the items, then the items."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from penstock.storage import Storage

Numbers = npt.NDArray[Any]
COUNT = np.dtype("<i4")


def as_file(numbers: Numbers, dtype: str, width: int = 1) -> bytes:
    """The contents of a file: items of `width` numbers each."""
    count = numbers.size // width
    if count > np.iinfo(np.int32).max:
        raise RuntimeError(f"a list of {count} items is too long for preprocessed annotations")
    return np.array(count, COUNT).tobytes() + np.ascontiguousarray(numbers, np.dtype(dtype)).tobytes()


@dataclass(frozen=True)
class SavedLists:
    """The files in a folder."""

    storage: Storage
    folder: str

    def path(self, name: str) -> str:
        return f"{self.folder.rstrip('/')}/{name}.dat"

    def contents(self, name: str) -> bytes:
        try:
            return self.storage.read_one(self.path(name))
        except RuntimeError as error:
            raise RuntimeError(
                f"the preprocessed annotations in {self.folder} are not complete: {error}; what is handed out now must "
                "have been asked for when they were saved"
            ) from None

    def numbers(self, name: str, dtype: str, width: int = 1) -> Numbers:
        """All numbers of a file with items of `width` numbers."""
        contents, kind = self.contents(name), np.dtype(dtype)
        if len(contents) < COUNT.itemsize:
            self.refuse(name, f"it has {len(contents)} bytes, fewer than the count at its start")
        count = int(np.frombuffer(contents, COUNT, 1)[0])
        expected = COUNT.itemsize + count * width * kind.itemsize
        if count < 0 or len(contents) != expected:
            self.refuse(name, f"it has {len(contents)} bytes, {count} items take {expected}")
        return np.frombuffer(contents, kind, offset=COUNT.itemsize).astype(kind.newbyteorder("="), copy=False)

    def per_image(self, name: str, dtype: str, images: int) -> Numbers:
        """The numbers of a file with one for each image."""
        found = self.numbers(name, dtype)
        if len(found) != images:
            self.refuse(name, f"it is for {len(found)} images, filenames.dat for {images}")
        return found

    def starts(self, offsets: str, counts: str, dtype: str, images: int, total: int, of: str) -> npt.NDArray[np.int64]:
        """Where the items of each image start, from two files that have to agree with each other and with `of`."""
        lengths = self.per_image(counts, dtype, images).astype(np.int64)
        starts = np.concatenate([[0], np.cumsum(lengths)])
        if lengths.min(initial=0) < 0 or not np.array_equal(starts[:-1], self.per_image(offsets, dtype, images)):
            self.refuse(offsets, f"it does not go with {counts}.dat")
        if starts[-1] != total:
            self.refuse(counts, f"its counts add up to {starts[-1]}, {of}.dat has {total}")
        return starts

    def refuse(self, name: str, why: str) -> NoReturn:
        raise RuntimeError(f"{self.path(name)}: {why}; it was not saved together with the rest, or not to its end")
