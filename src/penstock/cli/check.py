"""penstock check DIR|FILE...: decodes everything and tells which files are bad, odd or there twice."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from penstock.cli.checking.archives import archive_format
from penstock.cli.checking.check_page import check_page
from penstock.cli.checking.coco_report import COCO
from penstock.cli.checking.dataset import Dataset, find, opened
from penstock.cli.checking.file_report import FileReport
from penstock.cli.checking.findings import Findings, findings_of, write_lists
from penstock.cli.checking.journal import Journal
from penstock.cli.checking.reports import report_file
from penstock.cli.options import add_threads
from penstock.cli.terminal import table
from penstock.engine import threads
from penstock.viz.progress import Progress, duration

HELP = "decode every image, sound, video and archive of a folder; report what is bad, odd or there twice"

_SAID = 10  # bad files on the terminal
_READERS = {
    "tar": 'reader = ndd.readers.Webdataset(paths={}, ext=["jpg", "cls"], on_error="skip")',
    "zip": 'reader = ndd.readers.Zip(paths={}, on_error="skip")',
    "TFRecord": 'reader = ndd.readers.TFRecord(path={}, features=..., on_error="skip")',
    "RecordIO": 'reader = ndd.readers.MXNet(path={}, on_error="skip")',
    "Parquet": 'reader = ndd.readers.Parquet(path={}, on_error="skip")',
    "LMDB": 'reader = ndd.readers.Caffe(path={}, on_error="skip")  # or Caffe2',
    COCO: 'reader = ndd.readers.COCO(file_root=..., annotations_file={}, on_error="skip")',
}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", type=Path, metavar="DIR|FILE", help="folders, files or archives")
    parser.add_argument(
        "--out",
        type=Path,
        default=Path("check"),
        metavar="DIR",
        help="where the report and the lists go (default: check)",
    )
    parser.add_argument(
        "--drop-duplicates", action="store_true", help="list only the first of several equal files as good"
    )
    parser.add_argument("--afresh", action="store_true", help="also check again what an earlier run has checked")
    add_threads(parser)


def run(given: argparse.Namespace) -> int:
    """Writes report.html, report.json, good.txt and bad.txt into `out`; 1 where there are bad files.

    What was checked is noted in checked.jsonl as it goes: a run that was stopped goes on there, and a later run looks
    only at files that are new or have changed.
    """
    out: Path = given.out
    dataset = find(given.paths)
    if not dataset.names:
        where = ", ".join(map(str, given.paths))
        print(
            f"penstock check: no images in {where}, nor sounds, videos, arrays, archives or annotations",
            file=sys.stderr,
        )
        return 1
    out.mkdir(parents=True, exist_ok=True)
    if given.afresh:
        (out / "checked.jsonl").unlink(missing_ok=True)
    started = time.perf_counter()
    try:
        reports = _reports(dataset, out / "checked.jsonl", given.threads or threads.get_num_threads())
    except KeyboardInterrupt:
        print("\npenstock check: stopped; the same command goes on from here", file=sys.stderr)
        return 130
    except RuntimeError as error:  # what decodes videos is not installed
        print(f"penstock check: {error}", file=sys.stderr)
        return 1
    how_to_read = _how_to_read(dataset, reports, out)
    findings = findings_of(*opened(dataset, reports), time.perf_counter() - started)
    write_lists(findings, out, given.drop_duplicates)
    (out / "report.json").write_text(json.dumps(findings.as_json(), indent=2) + "\n", encoding="utf-8")
    title = ", ".join(map(str, given.paths[:3])) + (" …" if len(given.paths) > 3 else "")
    page = check_page(findings, title, how_to_read)
    (out / "report.html").write_text(page, encoding="utf-8")
    _tell(findings, out, how_to_read)
    return 1 if findings.bad else 0


def _reports(dataset: Dataset, journal_file: Path, workers: int) -> list[FileReport]:
    """A report of each file, in the order of the data set."""
    paths = [os.path.abspath(dataset.path(number)) for number in range(len(dataset.names))]
    with Journal(journal_file) as journal, Progress(len(paths), "files", "check") as progress:
        left = [path for path in paths if not _is_known(journal, path)]
        if len(left) < len(paths):
            print(f"{len(paths) - len(left):,} of {len(paths):,} files are known from an earlier run", file=sys.stderr)
        bad = 0
        for done, report in enumerate(_checked(left, workers), start=len(paths) - len(left) + 1):
            journal.note(report)
            bad += bool(report.problem) + sum(bool(member.problem) for member in report.members)
            progress.show(done, f"{bad} bad" if bad else "")
        return [journal.known[path] for path in paths]


def _is_known(journal: Journal, path: str) -> bool:
    try:
        stat = os.stat(path)
    except OSError:
        return False
    return journal.is_fresh(path, stat.st_size, stat.st_mtime_ns)


def _checked(paths: list[str], workers: int) -> Iterator[FileReport]:
    """Reports of files in order. Reading, decoding and hashing release the GIL.

    Members of archives have threads of their own, so that one large archive keeps all of them busy.
    """
    pool = ThreadPoolExecutor(workers, "penstock-check")
    for_members = ThreadPoolExecutor(workers, "penstock-members")
    try:
        yield from pool.map(partial(report_file, each=for_members.map), paths)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        for_members.shutdown(wait=True, cancel_futures=True)


def _how_to_read(dataset: Dataset, reports: list[FileReport], out: Path) -> str:
    """The lines that read what is good: by the list of files, from archives past what is bad, or by annotations."""
    paths: defaultdict[str, list[str]] = defaultdict(list)
    for number, report in enumerate(reports):
        path = dataset.path(number)
        paths[COCO if report.format == COCO else archive_format(path)].append(path)
    lines = [_READERS[COCO].format(repr(path)) for path in paths.pop(COCO, [])]
    if "" not in paths:
        for kind, some in sorted(paths.items()):
            lines.append(_READERS[kind].format(f"[{some[0]!r}, ...]" if len(some) > 1 else repr(some[0])))
        return "\n".join(lines)
    root = "" if dataset.root is None else f"file_root={str(dataset.root)!r}, "
    outside = "" if dataset.root is not None else ", allow_outside=True"
    return "\n".join([*lines, f"reader = ndd.readers.File({root}file_list={str(out / 'good.txt')!r}{outside})"])


def _tell(findings: Findings, out: Path, how_to_read: str) -> None:
    rows = [(f"bad: {problem}", f"{len(numbers):,}") for problem, numbers in findings.bad.items()]
    rows += [(f"odd: {kind}", f"{len(numbers):,}") for kind, numbers in findings.odd.items()]
    if findings.duplicates:
        rows.append(("duplicates by content", f"{len(findings.spare):,}"))
    if findings.conflicts:
        rows.append(("  of these in different classes", f"{len(findings.conflicts):,}"))
    print(f"{len(findings.reports):,} files in {duration(findings.seconds)}, {findings.bad_count:,} bad")
    if rows:
        print(table(("found", "files"), rows))
    named = [k for numbers in findings.bad.values() for k in numbers]
    for number in named[:_SAID]:
        print(f"  {findings.dataset.names[number]}: {findings.reports[number].reason}")
    if len(named) > _SAID:
        print(f"  ... and {len(named) - _SAID:,} more")
    balance = findings.balance()
    if balance:
        counts = sorted(balance.values())
        print(f"{len(counts):,} classes of {counts[0]:,} to {counts[-1]:,} good files")
    print(f"{out / 'report.html'}\n{how_to_read}")
