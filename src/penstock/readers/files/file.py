"""`readers.File`: whole files with a label each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from penstock._native import Samples
from penstock.readers.core.class_names import ClassNames
from penstock.readers.core.order import Indices
from penstock.readers.core.paths import Path, path_text, several
from penstock.readers.core.reader import Reader
from penstock.readers.core.sample_source import Outputs, SampleSource
from penstock.readers.files.listing import Listing, list_folders, list_from_file, list_given
from penstock.storage import Names, Storage

KNOWN_FILES = (
    "*.jpg", "*.jpeg", "*.png", "*.bmp", "*.tif", "*.tiff", "*.pnm", "*.ppm", "*.pgm", "*.pbm", "*.jp2", "*.webp",
    "*.flac", "*.ogg", "*.wav",
)  # fmt: skip


class File(ClassNames, Reader):
    """Reads whole files, and for each the number of the class it belongs to.

    Files come from one of three places: the sub-folders of `file_root`, one for each class in alphabetical order; the
    lines of `file_list`, each a path and a label; or `files` and `labels` themselves.

    Outputs: the bytes of the file, `uint8` of shape `(n,)`, and its label, `int32` of shape `(1,)`.

    Example:
        >>> reader = ndd.readers.File(file_root="train", random_shuffle=True)
        >>> for jpegs, labels in reader.next_epoch(batch_size=64):
        ...     images = ndd.decoders.image(jpegs)

    Args:
        file_root: The folder of class folders, or what the paths of `files` and `file_list` are relative to.
        files: Paths. The label is the place in the list unless `labels` gives it.
        file_list: A text file of paths and labels; its paths are relative to the file itself without a `file_root`.
        labels: The labels of `files`.
        file_filters: Which files of a class folder count, as shell patterns.
        dir_filters: Which sub-folders count, as shell patterns; all of them by default.
        case_sensitive_filter: Whether patterns tell JPG from jpg.
        allow_outside: Names in `file_list` may lead outside of `file_root`. Without a `file_root` those of a list at a
            URL may not leave its folder, and those of any other may be all files of this machine, but no URLs.
    """

    def __init__(
        self,
        *by_position: Any,
        file_root: Path | None = None,
        files: Sequence[Path] | Path | None = None,
        file_list: Path | None = None,
        labels: Sequence[int] | int | None = None,
        file_filters: Sequence[str] | str | None = KNOWN_FILES,
        dir_filters: Sequence[str] | str | None = None,
        case_sensitive_filter: bool | None = False,
        allow_outside: bool | None = False,
        **common: Any,
    ) -> None:
        super().__init__(*by_position, **common)
        self._classes: list[str] | None = None
        self._root = None if file_root is None else path_text(file_root)
        self._files: list[str] | Names | None = None if files is None else several(files)
        self._file_list = None if file_list is None else path_text(file_list)
        self._labels = None if labels is None else [labels] if isinstance(labels, int) else [*labels]
        self._file_filters = several(KNOWN_FILES if file_filters is None else file_filters)
        self._dir_filters = None if dir_filters is None else several(dir_filters)
        self._case_sensitive = bool(case_sensitive_filter)
        self._allow_outside = bool(allow_outside)

    @property
    def _class_names(self) -> list[str] | None:
        if self._files is not None or self._file_list is not None:
            return None
        self._opened()
        return self._classes

    def _open_source(self) -> SampleSource:
        listing = self._listing()
        if listing.classes is not None:
            self._classes = [listing.classes[label] for label in range(len(listing.classes))]
        return _FileSource(listing, self.storage)

    def _listing(self) -> Listing:
        if self._files is not None and self._file_list is not None:
            raise RuntimeError("File paths can be provided through ``files`` or ``file_list`` but not both.")
        if self._labels is not None and self._files is None:
            raise RuntimeError(
                "The argument ``labels`` is valid only when file paths are provided as `files` argument."
            )
        if self._files is not None:
            if isinstance(self._files, list):
                self._files = Names.of(self._files)  # packed: millions of strings take twice the memory
            return list_given(self._files, self._labels, self._root or "")
        if self._file_list is not None:
            return list_from_file(self.storage, self._file_list, self._root, self._allow_outside)
        if self._root is None:
            raise RuntimeError("``file_root`` argument is required when not using ``files`` or ``file_list``.")
        return list_folders(self.storage, self._root, self._file_filters, self._dir_filters, self._case_sensitive)


class _FileSource:
    """Files and labels of a listing."""

    def __init__(self, listing: Listing, storage: Storage) -> None:
        self._listing = listing
        self._labels = np.ascontiguousarray(listing.labels)[:, None]
        self._storage = storage
        self.files = storage.listed_files(listing.root, listing.names, self._labels)  # see `BatchReader`

    def __len__(self) -> int:
        return len(self._listing.names)

    def expect(self, indices: Indices) -> None:
        self._storage.expect(self._listing.root, self._listing.names, indices)

    def read(self, indices: Indices) -> Outputs:
        listing = self._listing
        return self._storage.read(listing.root, listing.names, indices), Samples.copy_rows(self._labels, indices)
