"""Finding the files of a data set: a folder for each class, a list file, or a list in the program."""

from __future__ import annotations

import os
import re
from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from penstock.readers.files.containment import check_names
from penstock.storage import Names, Storage


class Listing(NamedTuple):
    """Files and their labels. Names are relative to `root` unless they start with a slash or are URLs.

    `classes` are the names of the labels, where folders are classes.
    """

    root: str
    names: Names
    labels: npt.NDArray[np.int32]
    classes: Names | None = None


def list_folders(
    storage: Storage,
    root: str,
    file_filters: Sequence[str],
    dir_filters: Sequence[str] | None,
    case_sensitive: bool,
) -> Listing:
    """Lists the files in the sub-folders of `root`; the label is the place of the folder in the sorted list of them."""
    for name, filters in (("file_filters", file_filters), ("dir_filters", dir_filters)):
        if filters is not None and not filters:
            raise RuntimeError(f"``{name}`` list cannot be empty.")
    packed, counts, folders = storage.find_in_folders(root, dir_filters or ["*"], file_filters, case_sensitive)
    if not sum(counts):
        _refuse_flat(root)
    labels = np.repeat(np.arange(len(counts), dtype=np.int32), counts)
    return _found(Listing(root, Names(packed), labels, Names(folders)))


def _refuse_flat(root: str) -> None:
    """Raises for a folder that has files and no sub-folders."""
    if not os.path.isdir(root):
        return
    with os.scandir(root) as entries:
        kinds = {entry.is_dir() for entry in entries}
    if kinds == {False}:
        raise RuntimeError(
            f"No files found. Looked in {root!r}, which has no sub-folders: a sub-folder is a class; for a flat folder "
            "use files=, as in readers.File(files=sorted(glob.glob(...)))"
        )


def list_given(names: Names, labels: Sequence[int] | None, root: str) -> Listing:
    """The files in a program's own list; the label is the place in the list unless labels are given."""
    if not len(names):
        raise RuntimeError("``files`` specified an empty list.")
    if labels is not None and len(labels) != len(names):
        raise RuntimeError(f"Provided {len(labels)} labels for {len(names)} files.")
    return Listing(
        root, names, np.arange(len(names), dtype=np.int32) if labels is None else np.asarray(labels, np.int32)
    )


_LINE = re.compile(r"(?P<name>.*\S)\s+(?P<label>[0-9]+)\s*", re.ASCII)


def list_from_file(storage: Storage, file_list: str, root: str | None, allow_outside: bool) -> Listing:
    """Reads a text file with a name and a label on each line; names are relative to `root`, or to that file."""
    labels = array("i")

    def read_names() -> Iterator[str]:
        for number, line in enumerate(storage.lines(file_list), 1):
            parts = _LINE.fullmatch(line)
            if parts is not None:
                labels.append(label_of(parts["label"], file_list, number))
                yield parts["name"]
            elif line and not line.isspace():
                raise RuntimeError(
                    f'Incorrect format of the list file "{file_list}":{number} expected file name followed by a '
                    f"label; got: {line.rstrip()}"
                )

    names = check_names(Names.of(read_names()), file_list, root, allow_outside=allow_outside)
    folder = os.path.dirname(file_list) if root is None else root
    return _found(Listing(folder, names, np.array(labels, np.int32)))


def label_of(digits: str, file_list: str, number: int) -> int:
    """Converts the label on line `number` of a list file."""
    label = int(digits)
    if label > np.iinfo(np.int32).max:
        raise RuntimeError(f'the label {label} in the list file "{file_list}":{number} does not fit in 32 bits')
    return label


def _found(listing: Listing) -> Listing:
    if not len(listing.names):
        raise RuntimeError(f"No files found. Looked in {listing.root!r}; ``file_filters`` says which files count.")
    return listing
