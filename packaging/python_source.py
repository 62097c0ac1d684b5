"""The sources of a newer Python than this machine's, out of Debian's source package."""

from __future__ import annotations

import hashlib
import shutil
import sys
import tarfile
import urllib.request
from pathlib import Path

WORK = Path(__file__).resolve().parents[1] / "build/python-source"
VERSION = "3.14"
# As Debian's maintainer signed it: python3.14_3.14.7-1.dsc.
ARCHIVE = "http://deb.debian.org/debian/pool/main/p/python3.14/python3.14_3.14.7.orig.tar.xz"
SHA256 = "3b48dac8fb59f62eaa67ac83c1eb12bda1b7a08406dd286e252c11a66be27f81"


def python_source() -> Path:
    """The folder that has Python's configure script. It stays for the next time."""
    folder = WORK / "source"
    if not folder.exists():
        WORK.mkdir(parents=True, exist_ok=True)
        archive = WORK / ARCHIVE.rsplit("/", 1)[1]
        if not archive.exists():
            urllib.request.urlretrieve(ARCHIVE, archive)
        if hashlib.sha256(archive.read_bytes()).hexdigest() != SHA256:
            sys.exit(f"{archive} is not the archive it should be")
        partly = folder.with_suffix(".partly")
        shutil.rmtree(partly, ignore_errors=True)
        with tarfile.open(archive) as files:
            files.extractall(partly, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
        partly.rename(folder)
    (configure,) = folder.glob("*/configure")
    return configure.parent
