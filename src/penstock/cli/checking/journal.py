"""What has been checked, line by line, so that a check that was stopped goes on where it was."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from penstock.cli.checking.coco_report import COCO
from penstock.cli.checking.file_report import FileReport

_HEAD = {"penstock check": 2}
_FLUSH_SECONDS = 1.0


class Journal:
    """A file of reports, one to a line. Files that have changed since are not in `known`."""

    def __init__(self, path: Path) -> None:
        self.known: dict[str, FileReport] = {}
        self._path = path
        self._flushed = time.monotonic()
        if path.exists():
            self._read()

    def __enter__(self) -> Journal:
        self._file = self._path.open("a" if self.known else "w", encoding="utf-8")
        if not self.known:
            self._file.write(json.dumps(_HEAD) + "\n")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def is_fresh(self, path: str, size: int, changed: int) -> bool:
        """Whether a file is known, and as it was then.

        Annotations are never: their images may have come or gone. Nor is what a package was missing for.
        """
        known = self.known.get(path)
        if known is None or known.format == COCO or "pip install" in known.reason:
            return False
        return (known.size, known.changed) == (size, changed)

    def note(self, report: FileReport) -> None:
        self.known[report.path] = report
        self._file.write(json.dumps(report) + "\n")
        if time.monotonic() - self._flushed > _FLUSH_SECONDS:
            self._file.flush()
            self._flushed = time.monotonic()

    def _read(self) -> None:
        """Reads up to the first line that is not whole: the process may have been killed while it was written."""
        with self._path.open(encoding="utf-8") as file:
            try:
                if json.loads(next(file, "null")) != _HEAD:
                    return
                for line in file:
                    report = _report(json.loads(line))
                    self.known[report.path] = report
            except (ValueError, TypeError):
                pass
        whole = [json.dumps(_HEAD), *(json.dumps(report) for report in self.known.values())]
        self._path.write_text("\n".join(whole) + "\n", encoding="utf-8")


def _report(values: Sequence[Any]) -> FileReport:
    made = FileReport(*values)
    return made._replace(odd=tuple(made.odd), members=tuple(map(_report, made.members)))
