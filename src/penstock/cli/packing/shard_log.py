"""Which shards are finished, line by line, so that a run that was stopped goes on behind the last of them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, NamedTuple

from penstock.cli.packing.source_files import SourceFiles

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_LOG = "pack.jsonl"
SUMMARY, CHECKSUMS = "dataset.json", "SHA256SUMS"


class WrittenFile(NamedTuple):
    """A file of the packed data set."""

    name: str
    size: int
    sha256: str


class Shard(NamedTuple):
    """A finished shard: the range of source files that went into it, and what they were then."""

    start: int
    stop: int
    states: str  # a digest of the sizes and times of those files
    files: list[WrittenFile]  # the shard itself, and its index where it has one
    skipped: list[tuple[str, str]]  # bad files, with what is wrong with each

    @property
    def samples(self) -> int:
        return self.stop - self.start - len(self.skipped)


class ShardLog:
    """The finished shards of an output folder. One process at a time has it open.

    A line is written only after its shard has its name, and a shard gets its name only when it is whole: what is
    between the last line and the kill is made again, and nothing twice.
    """

    def __init__(self, out: Path, settings: dict[str, Any]) -> None:
        """Raises RuntimeError where the folder has something else in it."""
        self.shards: list[Shard] = []
        self._out = out
        path = out / _LOG
        if not path.exists() and any(out.iterdir()):
            raise RuntimeError(f"{out} is not empty; choose a new folder")
        self._file: BinaryIO = open(path, "a+b")  # noqa: SIM115
        try:
            self._read(settings)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> ShardLog:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    @property
    def stop(self) -> int:
        """The first source file that is in no finished shard."""
        return self.shards[-1].stop if self.shards else 0

    def require_unchanged(self, sources: SourceFiles) -> None:
        """Raises RuntimeError if a finished shard, or a file that went into it, is not what it was."""
        for shard in self.shards:
            for file in shard.files:
                path = self._out / file.name
                if not path.exists() or path.stat().st_size != file.size:
                    raise RuntimeError(f"{path} is gone or has changed since it was written; --afresh packs again")
            if sources.states(range(shard.start, shard.stop)) != shard.states:
                raise RuntimeError(
                    f"files of {sources.root} have changed since they were packed into {shard.files[0].name}; "
                    "--afresh packs them again"
                )

    def note(self, shard: Shard) -> None:
        self.shards.append(shard)
        self._write(shard)

    def _read(self, settings: dict[str, Any]) -> None:
        """Reads up to the last whole line, and cuts off the rest: the process may have been killed writing it."""
        if fcntl is not None:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise RuntimeError(f"another process is packing into {self._out}") from None
        self._file.seek(0)
        lines = self._file.read().split(b"\n")[:-1]
        if not lines:
            self._file.truncate(0)
            self._write(settings)
            return
        _require_same(json.loads(lines[0]), settings, self._out)
        self.shards = [_shard(json.loads(line)) for line in lines[1:]]
        self._file.truncate(sum(len(line) + 1 for line in lines))

    def _write(self, value: Any) -> None:
        self._file.write(json.dumps(value).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())


def remove_packed(out: Path) -> None:
    """Removes what an earlier run wrote, and nothing else."""
    path = out / _LOG
    if not path.exists():
        return
    for line in path.read_bytes().split(b"\n")[1:-1]:
        for file in _shard(json.loads(line)).files:
            (out / os.path.basename(file.name)).unlink(missing_ok=True)
    for name in (SUMMARY, CHECKSUMS):
        (out / name).unlink(missing_ok=True)
    path.unlink()


def _shard(values: list[Any]) -> Shard:
    start, stop, states, files, skipped = values
    return Shard(start, stop, states, [WrittenFile(*each) for each in files], [(name, why) for name, why in skipped])


def _require_same(known: dict[str, Any], settings: dict[str, Any], out: Path) -> None:
    different = [name for name in settings if known.get(name) != settings[name]]
    if different:
        name = different[0]
        told = f"{name} was {known.get(name)!r}, and is {settings[name]!r}"
        if name == "listing":
            told = "the files of the folder, or their labels, are others now"
        raise RuntimeError(f"{out} has shards of another run: {told}; --afresh removes them, or choose another folder")
