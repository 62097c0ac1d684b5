"""Reports of files of all kinds: images, sounds, videos, arrays, archives of them, and annotations."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from penstock.cli.checking import image_report, media_report
from penstock.cli.checking.archives import archive_format, members
from penstock.cli.checking.coco_report import is_coco, report_coco
from penstock.cli.checking.file_report import FileReport, problem_of
from penstock.cli.checking.member import Member
from penstock.ops.decode.headers import format_of

Array = np.ndarray[Any, Any]
Each = Callable[[Callable[[Any], FileReport], Iterable[Any]], Iterable[FileReport]]

KNOWN = {*image_report.SUFFIXES, *media_report.SOUNDS, *media_report.VIDEOS, *media_report.ARRAYS}
_AT_ONCE = 64  # members in memory
_READ_BYTES = 1 << 20


def is_known(path: str) -> bool:
    """Whether a file in a folder is one to check, by its name; JSON files by their content."""
    return Path(path).suffix.lower() in KNOWN or bool(archive_format(path)) or is_coco(path)


def report_file(path: str, each: Each = map) -> FileReport:
    """Reads and decodes a file. Whatever is wrong with it is in the report.

    Raises RuntimeError where a package is missing that decodes this kind of file.
    `each` runs a function on some members of an archive, as `map` does.
    """
    try:
        stat = os.stat(path)
        blank = FileReport(path, stat.st_size, stat.st_mtime_ns)
        if archive_format(path) and stat.st_size:
            return _report_archive(blank, each)
        if is_coco(path):
            return report_coco(blank)
        if Path(path).suffix.lower() in media_report.VIDEOS and stat.st_size:
            return _report_video(blank)
        data: Array = np.fromfile(path, np.uint8)
    except OSError as error:
        return FileReport(path, 0, 0, problem="unreadable", reason=error.strerror or str(error))
    return report_data(blank, data)


def report_data(blank: FileReport, data: Array) -> FileReport:
    """The same of bytes that were read already."""
    if not data.size:
        return blank._replace(problem="empty", reason="the file is empty")
    report = blank._replace(digest=hashlib.blake2b(data.data, digest_size=16).hexdigest())
    suffix = Path(blank.path).suffix.lower()
    try:
        if suffix in media_report.SOUNDS:
            return media_report.report_sound(report, data, suffix)
        if suffix in media_report.VIDEOS:
            return media_report.report_video(report, data, suffix)
        if suffix in media_report.ARRAYS:
            return media_report.report_array(report, data)
        return image_report.report_image(report, data)
    except (RuntimeError, MemoryError) as error:
        return _bad(report, error)


def _report_video(blank: FileReport) -> FileReport:
    """A video is decoded from its file, which may be larger than memory."""
    digest = hashlib.blake2b(digest_size=16)
    with open(blank.path, "rb") as file:
        while part := file.read(_READ_BYTES):
            digest.update(part)
    report = blank._replace(digest=digest.hexdigest())
    try:
        return media_report.report_video(report, blank.path, Path(blank.path).suffix.lower())
    except (RuntimeError, MemoryError) as error:
        return _bad(report, error)


def _bad(report: FileReport, error: Exception) -> FileReport:
    """A report of what a decoder raised. A decoder that is not installed is no fault of the file, and is raised."""
    reason = str(error)
    if "pip install" in reason:
        raise error
    return report._replace(format=_format(report), problem=problem_of(reason), reason=reason)


def _format(report: FileReport) -> str:
    suffix = Path(report.path).suffix.lower()
    kinds = image_report.SUFFIXES | media_report.SOUNDS | media_report.VIDEOS | media_report.ARRAYS
    return report.format or kinds.get(suffix, "")


def _report_archive(blank: FileReport, each: Each) -> FileReport:
    """An archive with the reports of its members. One that is damaged has those in front of the damage."""
    report = blank._replace(format=archive_format(blank.path))
    found: list[FileReport] = []
    try:
        for some in _groups(_checkable(members(blank.path))):
            found += each(lambda member: _report_member(blank, member), some)
    except ImportError as error:  # a folder of images may have a table beside them, which is no reason to stop
        report = report._replace(problem="unreadable", reason=str(error))
    except (RuntimeError, OSError, MemoryError) as error:
        if "pip install" in str(error):
            raise
        report = report._replace(problem=problem_of(str(error)), reason=str(error))
    return report._replace(members=tuple(found))


def _groups(found: Iterator[Member]) -> Iterator[list[Member]]:
    """Some members at a time; those in front of an error come before it."""
    some: list[Member] = []
    try:
        for member in found:
            some.append(member)
            if len(some) == _AT_ONCE:
                yield some
                some = []
    except (RuntimeError, OSError, MemoryError):
        yield some
        raise
    yield some


def _checkable(found: Iterator[Member]) -> Iterator[Member]:
    """Those that are of a known kind, by name or by content, and those that cannot be read."""
    for member in found:
        suffix = Path(member.name).suffix.lower()
        if member.problem or suffix in KNOWN or format_of(member.data) is not None:
            yield member


def _report_member(archive: FileReport, member: Member) -> FileReport:
    blank = FileReport(member.name, len(member.data), 0, label=member.label, archive=archive.path, offset=member.offset)
    if member.problem:
        return blank._replace(problem="corrupt", reason=member.problem)
    return report_data(blank, member.data)
