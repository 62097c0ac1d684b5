"""Sequences of numbered files, step_0000.json, step_0001.json, ..., each written atomically."""

from __future__ import annotations

import os
import re
import string
from contextlib import suppress
from typing import BinaryIO

from penstock.values.partial_file import finish, partial_file, remove_leftovers


class NumberedFiles:
    """The files of a path pattern with one `{seq}` in the place of the number."""

    def __init__(self, pattern: str | os.PathLike[str]) -> None:
        self._before, self._format, self._after = _parse(os.fspath(pattern))

    def path(self, number: int) -> str:
        return f"{self._before}{number:{self._format}}{self._after}"

    def newest(self) -> tuple[int, str] | None:
        """Returns the highest number and its file; None where there is none. Leading zeros do not matter."""
        folder, start = os.path.split(self._before)
        end = self._after.replace(os.altsep or os.sep, os.sep).partition(os.sep)[0]
        numbered = re.compile(f"{re.escape(start)}([0-9]+){re.escape(end)}")
        try:
            found = [match[1] for match in map(numbered.fullmatch, os.listdir(folder or os.curdir)) if match]
        except FileNotFoundError:
            return None
        except OSError:
            if os.path.isfile(folder):
                return None
            raise
        paths = [(int(digits), f"{self._before}{digits}{self._after}") for digits in found]
        # Of step_5 and step_0005 the one that this pattern would write counts as newer.
        files = [(number, path == self.path(number), path) for number, path in paths if os.path.isfile(path)]
        number, _, path = max(files, default=(-1, False, ""))
        return (number, path) if path else None

    def write(self, number: int, text: str) -> bool:
        """Writes the file of a number; returns False where another process has written it meanwhile.

        A crash at any moment leaves the whole file or none. Partial files of processes that were killed are removed.
        """
        folder, name = os.path.split(os.path.abspath(self.path(number)))
        os.makedirs(folder, exist_ok=True)
        remove_leftovers(folder, self._unnumbered())
        with partial_file(folder, name) as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
            if not _named(file, os.path.join(folder, name)):
                return False
        _sync_folder(folder)
        return True

    def _unnumbered(self) -> str:
        """Returns a regular expression for the base names of the files."""
        start, end = os.path.basename(self._before), os.path.basename(self._after)
        return re.escape(end) if os.sep in self._after else f"{re.escape(start)}[0-9]+{re.escape(end)}"


def _parse(pattern: str) -> tuple[str, str, str]:
    """Splits a pattern into the text before `{seq}`, its format, and the text after it."""
    literals, formats = [""], []
    for literal, field, spec, conversion in string.Formatter().parse(pattern):
        literals[-1] += literal
        if field is None:
            continue
        if field != "seq" or conversion:
            whole = f"{field}!{conversion}" if conversion else field
            raise ValueError(f"Unsupported field {{{whole}}} in checkpoint pattern; only `{{seq}}` is known.")
        formats.append(spec or "")
        literals.append("")
    if not formats:
        raise ValueError(f"Checkpoint pattern must include `{{seq}}`. Got {pattern!r}.")
    if len(formats) > 1:
        raise ValueError(f"`{{seq}}` may appear at most once in a checkpoint pattern. Got {pattern!r}.")
    if not _is_plain_decimal(formats[0]):
        raise ValueError(f"{{seq:{formats[0]}}} does not write plain digits; use `{{seq}}` or `{{seq:04d}}`.")
    return literals[0], formats[0], literals[1]


def _is_plain_decimal(spec: str) -> bool:
    """Whether a format writes decimal digits alone, so that files can be found again; `4d` and `x` do not."""
    try:
        written = {number: format(number, spec) for number in (7, 12345)}
    except ValueError:
        return False
    return all(text.isdecimal() and int(text) == number for number, text in written.items())


def _named(partial: BinaryIO, path: str) -> bool:
    """Gives a complete file its final name; returns False where another file has that name."""
    try:
        os.link(partial.name, path)
    except FileExistsError:
        return False
    except OSError:  # some file systems have no hard links
        finish(partial, path)
    return True


def _sync_folder(folder: str) -> None:
    # Windows and some network file systems cannot sync folders; the rename is atomic there too, but on disk only later.
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
