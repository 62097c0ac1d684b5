"""What was found in a whole data set: bad files, odd ones, duplicates, classes and sizes."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from penstock.cli.checking.archives import ARCHIVES
from penstock.cli.checking.coco_report import COCO
from penstock.cli.checking.dataset import Dataset
from penstock.cli.checking.file_report import FileReport

SIDES = (32, 64, 128, 256, 384, 512, 768, 1024, 1536, 2048, 4096)


class Findings(NamedTuple):
    """Reports of all files of a data set, in its order, and what they come to. Files are told by their numbers."""

    dataset: Dataset
    reports: list[FileReport]
    bad: dict[str, list[int]]  # by problem
    odd: dict[str, list[int]]  # by oddity, of files that are not bad
    duplicates: list[list[int]]  # files of the same bytes
    seconds: float

    @property
    def bad_count(self) -> int:
        return sum(map(len, self.bad.values()))

    @property
    def spare(self) -> list[int]:
        """All but the first of every group of duplicates."""
        return [number for group in self.duplicates for number in group[1:]]

    @property
    def conflicts(self) -> list[list[int]]:
        """Duplicates that are in different classes."""
        return [group for group in self.duplicates if len({self.dataset.labels[number] for number in group}) > 1]

    def good(self, without_duplicates: bool) -> list[int]:
        """Files that can be decoded."""
        left_out = {*self.spare} if without_duplicates else set()
        return [k for k, report in enumerate(self.reports) if not report.problem and k not in left_out]

    def balance(self) -> dict[str, int]:
        """How many good files each class has."""
        counts = Counter(self.dataset.labels[number] for number in self.good(False))
        return {name: counts[label] for label, name in enumerate(self.dataset.classes)}

    def sides(self) -> dict[str, int]:
        """How many good files have a shorter side of so many pixels."""
        counts = [0] * (len(SIDES) + 1)
        for number in self.good(False):
            report = self.reports[number]
            if not report.height:
                continue
            counts[sum(min(report.height, report.width) >= side for side in SIDES)] += 1
        names = [f"< {SIDES[0]}", *(f"{low}-{high - 1}" for low, high in pairwise(SIDES))]
        return dict(zip([*names, f"≥ {SIDES[-1]}"], counts, strict=True))

    def formats(self) -> dict[str, int]:
        """How many files are of each format."""
        return dict(Counter(report.format or "unknown" for report in self.reports).most_common())

    def as_json(self) -> dict[str, Any]:
        """All of it, with the files that are bad, odd or there twice by name."""
        names = self.dataset.names
        return {
            "files": len(self.reports),
            "bytes": sum(report.size for report in self.reports),
            "ignored": self.dataset.ignored,
            "bad": [
                {"file": names[k], "problem": problem, "reason": self.reports[k].reason}
                for problem, numbers in self.bad.items()
                for k in numbers
            ],
            "odd": {kind: [names[k] for k in numbers] for kind, numbers in self.odd.items()},
            "duplicates": [[names[k] for k in group] for group in self.duplicates],
            "duplicates_in_different_classes": [[names[k] for k in group] for group in self.conflicts],
            "classes": self.balance(),
            "shorter_side": self.sides(),
            "formats": self.formats(),
        }


def findings_of(dataset: Dataset, reports: list[FileReport], seconds: float) -> Findings:
    """Sorts reports, which are in the order of the data set, by what they say."""
    bad: defaultdict[str, list[int]] = defaultdict(list)
    odd: defaultdict[str, list[int]] = defaultdict(list)
    same: defaultdict[str, list[int]] = defaultdict(list)
    for number, report in enumerate(reports):
        if report.problem:
            bad[report.problem].append(number)
        else:
            for kind in report.odd:
                odd[kind].append(number)
        if report.digest:
            same[report.digest].append(number)
    duplicates = [group for group in same.values() if len(group) > 1]
    return Findings(dataset, reports, dict(bad), dict(odd), duplicates, seconds)


def write_lists(findings: Findings, out: Path, without_duplicates: bool) -> None:
    """Writes good.txt, a file and its label on each line as `readers.File(file_list=...)` takes them, and bad.txt.

    Archives and annotations are not in good.txt, as no files for a decoder; members are only in bad.txt, since readers
    of archives have no list of members.
    """
    dataset = findings.dataset
    no_file = {*ARCHIVES.values(), COCO}
    reports = findings.reports
    good = [k for k in findings.good(without_duplicates) if not reports[k].archive and reports[k].format not in no_file]
    lines = [f"{_listed(dataset, k)} {max(dataset.labels[k], 0)}" for k in good]
    _write(out / "good.txt", lines)
    _write(out / "bad.txt", [dataset.names[k] for numbers in findings.bad.values() for k in numbers])


def _listed(dataset: Dataset, number: int) -> str:
    """A name as a list has it: relative to the folder, or from the root of the disk where there is no one folder."""
    return dataset.names[number] if dataset.root is not None else os.path.abspath(dataset.names[number])


def _write(path: Path, lines: Sequence[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
