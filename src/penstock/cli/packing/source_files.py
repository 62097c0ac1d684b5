"""The images of a folder in the order and with the labels that `readers.File` gives them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from penstock.cli.checking.image_report import SUFFIXES
from penstock.cli.checking.media_report import SOUNDS
from penstock.readers.files.listing import list_folders
from penstock.storage import Storage


class SourceFiles(NamedTuple):
    """Names relative to `root`, the label of each, and the names of the classes; a flat folder has no labels."""

    root: Path
    names: list[str]
    labels: list[int] | None
    classes: list[str]

    def path(self, number: int) -> str:
        """Where a file is."""
        return os.path.join(self.root, self.names[number])

    def digest(self) -> str:
        """A digest of all names and labels: a run goes on only with the list it began with."""
        listed = hashlib.sha256()
        for number, name in enumerate(self.names):
            label = -1 if self.labels is None else self.labels[number]
            listed.update(f"{name}\0{label}\0".encode("utf-8", "surrogateescape"))
        return listed.hexdigest()

    def states(self, numbers: Iterable[int]) -> str:
        """A digest of the sizes and times of files: it changes when one of them does."""
        seen = hashlib.sha256()
        for number in numbers:
            try:
                status = os.stat(self.path(number))
                seen.update(f"{status.st_size} {status.st_mtime_ns}\0".encode())
            except OSError:
                seen.update(b"gone\0")
        return seen.hexdigest()


def source_files(root: Path) -> SourceFiles:
    """The images in the sub-folders of `root`, which are classes, or else in `root` itself.

    Raises RuntimeError where there are none.
    """
    if not root.is_dir():
        raise NotADirectoryError(f"{root} is no folder; penstock pack takes a folder of images")
    if any(path.is_dir() and not path.name.startswith(".") for path in root.iterdir()):
        try:
            listing = list_folders(Storage(), str(root), [f"*{suffix}" for suffix in SUFFIXES], None, False)
        except RuntimeError:
            raise RuntimeError(_nothing_in(root)) from None
        assert listing.classes is not None
        names = [listing.names[number] for number in range(len(listing.names))]
        classes = [listing.classes[label] for label in range(len(listing.classes))]
        return SourceFiles(root, names, listing.labels.tolist(), classes)
    images = [path.name for path in root.iterdir() if path.suffix.lower() in SUFFIXES and path.name[0] != "."]
    if not images:
        raise RuntimeError(_nothing_in(root))
    return SourceFiles(root, sorted(images), None, [])


def _nothing_in(root: Path) -> str:
    sound = next((path for path in root.rglob("*") if path.suffix.lower() in SOUNDS), None)
    if sound is None:
        return f"no images in {root}"
    return f"no images in {root}; {sound.relative_to(root)} is sound, and penstock pack packs images only"
