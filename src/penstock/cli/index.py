"""penstock index: writes the index files of TFRecord and RecordIO files and tar archives.

The programs of DALI that do so for one format each are here too: tfrecord2idx, rec2idx and wds2idx.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from penstock.readers.archives.webdataset import write_tar_index
from penstock.readers.records.index import Format, index_text, scan
from penstock.storage import Storage
from penstock.storage.urls import is_remote
from penstock.viz.progress import Progress

HELP = "write the index files of TFRecord and RecordIO files and tar archives"

_RECORDIO_MAGIC = bytes.fromhex("0a23d7ce")
_KNOWN_SUFFIXES = (".tfrecord", ".tfrecords", ".rec", ".tar")
_TAR_MAGIC, _TAR_MAGIC_AT = b"ustar", 257
_HEAD_BYTES = _TAR_MAGIC_AT + len(_TAR_MAGIC)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("files", nargs="+", metavar="FILE", help="paths or URLs; the format is seen from the contents")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where to write (default: beside each file)")


def run(given: argparse.Namespace) -> int:
    """Writes an index beside each file, or into the folder `out`."""
    paths, out = given.files, given.out
    targets = [_index_path(path, out) for path in paths]
    try:
        _check(paths, targets, out)
        if out is not None:
            out.mkdir(parents=True, exist_ok=True)
        with Progress(len(paths), "files", "index") as progress:
            for done, (path, target) in enumerate(zip(paths, targets, strict=True)):
                progress.show(done)
                _write(Storage(), path, target)
                progress.clear()
                print(target)
    except (OSError, RuntimeError) as error:
        print(f"penstock index: {error}", file=sys.stderr)
        return 1
    return 0


def one_file() -> int:
    """tfrecord2idx FILE INDEX, rec2idx FILE INDEX, wds2idx FILE [INDEX]."""
    parser = argparse.ArgumentParser(description="Writes the index of a file.")
    parser.add_argument("file", help="path or URL; the format is seen from the contents")
    parser.add_argument("index", nargs="?", type=Path, help="where to write (default: beside the file)")
    given = parser.parse_args()
    if given.index is None and is_remote(given.file):
        parser.error(f"say where to write the index of {given.file}")
    try:
        _write(Storage(), given.file, given.index or _index_path(given.file, None))
    except (OSError, RuntimeError) as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 1
    return 0


def _index_path(path: str, out: Path | None) -> Path:
    """a.rec has its index in a.idx. What is no known suffix is part of the name: many end in -00001-of-00128."""
    target = Path(path) if out is None else out / Path(path).name
    return target.with_suffix(".idx") if target.suffix in _KNOWN_SUFFIXES else Path(f"{target}.idx")


def _check(paths: Sequence[str], targets: Sequence[Path], out: Path | None) -> None:
    for path, target in zip(paths, targets, strict=True):
        if targets.count(target) > 1:
            raise RuntimeError(f"{target} would be the index of more than one file")
        if is_remote(path) and out is None:
            raise RuntimeError(f"the index of {path} needs a folder to be written to: --out DIR")


def _write(storage: Storage, path: str, target: Path) -> None:
    size = storage.size(path)
    if not size:
        raise RuntimeError(f"{path} is empty")
    head = storage.read_one(path, 0, min(_HEAD_BYTES, size))
    if path.endswith(".tar") or head[_TAR_MAGIC_AT:] == _TAR_MAGIC:
        write_tar_index(path, target, storage)
        return
    form: Format = "recordio" if head.startswith(_RECORDIO_MAGIC) else "tfrecord"
    [rows] = scan(storage, [path], form)
    target.write_text(index_text(form, rows))
