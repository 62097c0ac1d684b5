"""What is fuzzed: a parser, files it reads, and how it may refuse others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

# Enough for any of the files; more than this for one of a few kilobytes is a fault.
LIMIT = 64 << 20
MOST_SAMPLES = 8


@dataclass(frozen=True)
class Target:
    """`run` is given damaged data, and a folder it may write to: it may raise one of `refusals` and nothing else."""

    corpus: Callable[[], Iterable[bytes]]
    run: Callable[[bytes, Path], Any]
    refusals: tuple[type[Exception], ...] = (RuntimeError,)
    repair: Callable[[bytes], bytes] | None = None  # makes checksums right again, or nothing behind them is reached


def read_some(reader: Any) -> None:
    """The first samples of a reader."""
    count = reader.get_metadata()["epoch_size"]
    reader.read(range(min(count, MOST_SAMPLES)))


def of_file(name: str, read: Callable[[Path], Any]) -> Callable[[bytes, Path], None]:
    """What reads data from a file of that name."""

    def run(data: bytes, folder: Path) -> None:
        path = folder / name
        path.write_bytes(data)
        read_some(read(path))

    return run
