"""What there is to say about one file: can it be decoded, and is anything about it odd?"""

from __future__ import annotations

from typing import Literal, NamedTuple

Problem = Literal[
    "", "truncated", "corrupt", "empty", "not an image", "unreadable", "too large",
    "missing", "unknown id", "duplicate id", "bad box",
]  # fmt: skip

_CUT_OFF = ("ends early", "ends inside", "cut off", "Premature end", "end marker is missing", "too short", "truncated")


class FileReport(NamedTuple):
    """One file, or one member of an archive, which has the report of each of its members.

    `problem` says why it is bad, in a word, and `reason` in a sentence; both are empty for a good one. Of a member
    `path` is its name, `archive` the path of the archive and `offset` its place there.
    """

    path: str
    size: int
    changed: int  # the time, in nanoseconds
    format: str = ""
    height: int = 0
    width: int = 0
    channels: int = 0
    odd: tuple[str, ...] = ()
    digest: str = ""
    problem: Problem = ""
    reason: str = ""
    seconds: float = 0.0  # that a sound or a video lasts
    label: str = ""  # the class that an archive tells
    archive: str = ""
    offset: int = 0
    members: tuple[FileReport, ...] = ()


def problem_of(reason: str) -> Problem:
    """The word for what a decoder says."""
    if "memory" in reason:
        return "too large"
    return "truncated" if any(words in reason for words in _CUT_OFF) else "corrupt"
