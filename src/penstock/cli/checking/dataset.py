"""The files of a data set, and the classes that their folders are."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from penstock.cli.checking.file_report import SUFFIXES


class Dataset(NamedTuple):
    """Files by name, relative to `root` where all are in one folder, and the class of each, -1 without."""

    root: Path | None
    names: list[str]
    labels: list[int]
    classes: list[str]
    ignored: int  # files that are no images by their suffix

    def path(self, number: int) -> str:
        """Where a file is."""
        return self.names[number] if self.root is None else str(self.root / self.names[number])


def find(given: Sequence[Path]) -> Dataset:
    """The images under folders, and files that are named. One folder with sub-folders is a folder of classes.

    Raises FileNotFoundError for what is not there.
    """
    for path in given:
        if not path.exists():
            raise FileNotFoundError(f"{path} does not exist")
    root = given[0] if len(given) == 1 and given[0].is_dir() else None
    if root is None:
        names, ignored = [], 0
        for path in given:
            found, others = _images(path) if path.is_dir() else ([str(path)], 0)
            names += [str(path / name) for name in found] if path.is_dir() else found
            ignored += others
        return Dataset(None, names, [-1] * len(names), [], ignored)
    names, ignored = _images(root)
    classes = sorted(entry.name for entry in os.scandir(root) if entry.is_dir() and not entry.name.startswith("."))
    numbers = {name: number for number, name in enumerate(classes)}
    labels = [numbers.get(name.split(os.sep, 1)[0], -1) if os.sep in name else -1 for name in names]
    return Dataset(root, names, labels, classes if any(label >= 0 for label in labels) else [], ignored)


def _images(folder: Path) -> tuple[list[str], int]:
    """The images below a folder, sorted, relative to it, and how many other files there are."""
    found = list(_files(folder))
    images = sorted(name for name in found if Path(name).suffix.lower() in SUFFIXES)
    return images, len(found) - len(images)


def _files(folder: Path) -> Iterator[str]:
    """All files below a folder, relative to it. Links to folders are followed, to each folder once."""
    entered = {os.path.realpath(folder)}
    for inner, folders, files in os.walk(folder, followlinks=True):
        real = {name: os.path.realpath(os.path.join(inner, name)) for name in folders}
        folders[:] = [name for name in folders if not name.startswith(".") and real[name] not in entered]
        entered |= {real[name] for name in folders}
        for name in files:
            if not name.startswith("."):
                yield os.path.relpath(os.path.join(inner, name), folder)
