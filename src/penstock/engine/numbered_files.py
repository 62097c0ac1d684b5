"""Files of one sequence: step_0000.json, step_0001.json, ... Each is written whole or not at all."""

from __future__ import annotations

import os
import re
import string
from contextlib import suppress

from penstock.values.partial_file import partial_file, remove_leftovers


class NumberedFiles:
    """The files that a pattern with one `{seq}` stands for."""

    def __init__(self, pattern: str | os.PathLike[str]) -> None:
        self._before, self._format, self._after = _parse(os.fspath(pattern))

    def path(self, number: int) -> str:
        return f"{self._before}{number:{self._format}}{self._after}"

    def newest(self) -> tuple[int, str] | None:
        """The highest number there is, and its file. Numbers count however many zeros they start with."""
        folder, start = os.path.split(self._before)
        end = self._after.replace(os.altsep or os.sep, os.sep).partition(os.sep)[0]
        numbered = re.compile(f"{re.escape(start)}([0-9]+){re.escape(end)}")
        try:
            found = [match[1] for match in map(numbered.fullmatch, os.listdir(folder or os.curdir)) if match]
        except (FileNotFoundError, NotADirectoryError):
            return None
        paths = [(int(digits), f"{self._before}{digits}{self._after}") for digits in found]
        # Of step_5 and step_0005 the one this pattern writes counts as newer.
        files = [(number, path == self.path(number), path) for number, path in paths if os.path.isfile(path)]
        number, _, path = max(files, default=(-1, False, ""))
        return (number, path) if path else None

    def write(self, number: int, text: str) -> bool:
        """Writes the file of a number; False where there is one by now, since another process was faster.

        A crash at any moment leaves the whole file or none. What processes were killed over before is removed.
        """
        folder, name = os.path.split(os.path.abspath(self.path(number)))
        os.makedirs(folder, exist_ok=True)
        remove_leftovers(folder, self._unnumbered())
        with partial_file(folder, name) as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
            if not _named(file.name, os.path.join(folder, name)):
                return False
        _sync_folder(folder)
        return True

    def _unnumbered(self) -> str:
        """The pattern of the files' own names."""
        start, end = os.path.basename(self._before), os.path.basename(self._after)
        return re.escape(end) if os.sep in self._after else f"{re.escape(start)}[0-9]+{re.escape(end)}"


def _parse(pattern: str) -> tuple[str, str, str]:
    """What stands before `{seq}`, its format, and what stands after."""
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
    """Whether numbers written this way can be found and read again; `{seq:4d}` and `{seq:x}` cannot."""
    try:
        written = {number: format(number, spec) for number in (7, 12345)}
    except ValueError:
        return False
    return all(text.isdecimal() and int(text) == number for number, text in written.items())


def _named(partial: str, path: str) -> bool:
    """Gives a whole file its name, unless another has it."""
    try:
        os.link(partial, path)
    except FileExistsError:
        return False
    except OSError:  # some file systems have no second names
        os.replace(partial, path)
    return True


def _sync_folder(folder: str) -> None:
    # Windows and some network file systems cannot; the rename is whole there too, only later on disk.
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
