"""Zip archives and tar archives, and the indices of the latter."""

from __future__ import annotations

import io
import tarfile
import tempfile
import zipfile
from pathlib import Path

from fuzz.target import LIMIT, Target, of_file, read_some
from penstock.readers import Webdataset, Zip
from penstock.readers.archives.webdataset import write_tar_index
from readers.tars import write_tar

MEMBERS = [("a/0.jpg", b"first"), ("a/0.cls", b"1"), ("b/" * 60 + "2.jpg", bytes(600)), ("b/1.jpg", b"")]


def zips() -> list[bytes]:
    made = []
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        for large in (False, True):
            file = io.BytesIO()
            with zipfile.ZipFile(file, "w", method) as archive:
                for name, contents in MEMBERS:
                    with archive.open(name, "w", force_zip64=large) as member:
                        member.write(contents)
            made.append(file.getvalue())
    return made


def tars() -> list[bytes]:
    made = []
    for form in (tarfile.USTAR_FORMAT, tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        with tempfile.TemporaryDirectory() as folder:
            made.append(Path(write_tar(Path(folder) / "made.tar", MEMBERS, form)).read_bytes())
    return made


def indices() -> list[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        archive, index = Path(folder) / "good.tar", Path(folder) / "good.idx"
        write_tar_index(write_tar(archive, MEMBERS), index)
        return [index.read_bytes()]


def read_index(data: bytes, folder: Path) -> None:
    """A damaged index of a good archive."""
    archive = folder / "good.tar"
    if not archive.exists():
        write_tar(archive, MEMBERS)
    (folder / "good.idx").write_bytes(data)
    read_some(Webdataset(paths=archive, index_paths=folder / "good.idx", ext=["jpg", "cls"], max_bytes=LIMIT))


TARGETS = {
    "zip": Target(zips, of_file("a.zip", lambda path: Zip(paths=path, max_bytes=LIMIT))),
    "tar": Target(tars, of_file("a.tar", lambda path: Webdataset(paths=path, ext=["jpg", "cls"], max_bytes=LIMIT))),
    "tar_index": Target(indices, read_index),
}
