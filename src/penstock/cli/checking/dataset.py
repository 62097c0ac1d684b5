"""The files of a data set, and the classes that their folders are."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from penstock.cli.checking.file_report import FileReport
from penstock.cli.checking.reports import is_known


class Dataset(NamedTuple):
    """Files by name, relative to `root` where all are in one folder, and the class of each, -1 without."""

    root: Path | None
    names: list[str]
    labels: list[int]
    classes: list[str]
    ignored: int  # files that are of no known kind by their name

    def path(self, number: int) -> str:
        """Where a file is."""
        return self.names[number] if self.root is None else str(self.root / self.names[number])


def find(given: Sequence[Path]) -> Dataset:
    """The files to check under folders, and files that are named. One folder with sub-folders is a folder of classes.

    Raises FileNotFoundError for what is not there.
    """
    for path in given:
        if not path.exists():
            raise FileNotFoundError(f"{path} does not exist")
    root = given[0] if len(given) == 1 and given[0].is_dir() else None
    if root is None:
        names, ignored = [], 0
        for path in given:
            found, others = _files_of_known_kinds(path) if path.is_dir() else ([str(path)], 0)
            names += [str(path / name) for name in found] if path.is_dir() else found
            ignored += others
        return Dataset(None, names, [-1] * len(names), [], ignored)
    names, ignored = _files_of_known_kinds(root)
    classes = sorted(entry.name for entry in os.scandir(root) if entry.is_dir() and not entry.name.startswith("."))
    numbers = {name: number for number, name in enumerate(classes)}
    labels = [numbers.get(name.split(os.sep, 1)[0], -1) if os.sep in name else -1 for name in names]
    return Dataset(root, names, labels, classes if any(label >= 0 for label in labels) else [], ignored)


def opened(dataset: Dataset, reports: Sequence[FileReport]) -> tuple[Dataset, list[FileReport]]:
    """The data set with the members of archives in place of the archives, and the report of each.

    An archive that is damaged is there as well. Classes are those that archives tell, where folders tell none.
    """
    flat: list[tuple[str, int, FileReport]] = []
    for name, label, report in zip(dataset.names, dataset.labels, reports, strict=True):
        if not report.members or report.problem:
            flat.append((name, label, report))
        flat += [(f"{name}/{member.path}", label, member) for member in report.members]
    told = {report.label for *_, report in flat if report.label}
    names, labels = [name for name, *_ in flat], [label for _, label, _ in flat]
    classes = dataset.classes
    if told and len({label for label in labels if label >= 0}) < 2:
        classes = sorted(told, key=lambda label: (not label.isdigit(), int(label) if label.isdigit() else 0, label))
        numbers = {label: number for number, label in enumerate(classes)}
        labels = [numbers.get(report.label, -1) for *_, report in flat]
    return dataset._replace(names=names, labels=labels, classes=classes), [report for *_, report in flat]


def _files_of_known_kinds(folder: Path) -> tuple[list[str], int]:
    """The files to check below a folder, sorted, relative to it, and how many other files there are."""
    found = list(_files(folder))
    known = sorted(name for name in found if is_known(os.path.join(folder, name)))
    return known, len(found) - len(known)


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
