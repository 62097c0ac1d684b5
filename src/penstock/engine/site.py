"""The line of the user's program that made a call."""

from __future__ import annotations

import linecache
import os
import sys
from types import CodeType
from typing import NamedTuple

from penstock.values.new_tuple import new_tuple

_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


class Site(NamedTuple):
    """A place in a program. Looking up the line number is slow, so it is done only when somebody asks."""

    code: CodeType
    instruction: int

    @property
    def line(self) -> int:
        for start, end, line in self.code.co_lines():
            if start <= self.instruction < end and line is not None:
                return line
        return self.code.co_firstlineno

    def describe(self) -> str:
        """Returns "train.py:15 in augment", and the text of the line below it."""
        file, line, function = self.code.co_filename, self.line, self.code.co_name
        where = f"{file}:{line}" + (f" in {function}" if function != "<module>" else "")
        text = linecache.getline(file, line).strip()
        return f"{where}\n    {text}" if text else where


def here(skipped: int = 1) -> Site:
    """Returns the site of the innermost frame outside of this package, known to be behind so many frames of it."""
    frame = sys._getframe(skipped)
    while frame.f_code.co_filename.startswith(_PACKAGE) and frame.f_back is not None:
        frame = frame.f_back
    return new_tuple(Site, (frame.f_code, frame.f_lasti))
