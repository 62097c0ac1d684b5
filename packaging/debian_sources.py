"""Sources out of Debian's source packages: of a newer Python than this machine's, what it needs, and libjpeg-turbo."""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tarfile
import urllib.request
from dataclasses import dataclass
from pathlib import Path

WORK = Path(__file__).resolve().parents[1] / "build/python-source"
VERSION = "3.14"


@dataclass(frozen=True)
class Archive:
    """Of a project's release, with the checksum that Debian's maintainer signed in the package's .dsc file."""

    path: str
    sha256: str


PYTHON = Archive(
    "p/python3.14/python3.14_3.14.7.orig.tar.xz", "3b48dac8fb59f62eaa67ac83c1eb12bda1b7a08406dd286e252c11a66be27f81"
)
ZLIB = Archive(
    "z/zlib/zlib_1.2.13.dfsg.orig.tar.bz2", "71feb7947e3c00ef125f83b79a4e529bde31171e5babe48b391f06758d1ab0a1"
)
LIBFFI = Archive(
    "libf/libffi/libffi_3.4.4.orig.tar.gz", "d66c56ad259a82cf2a9dfc408b32bf5da52371500b84745f7fb8b645712df676"
)

MUSL = Archive("m/musl/musl_1.2.5.orig.tar.gz", "a9a118bbe84d8764da0ea0d28b3ab3fae8477fc7e4085d90102b8596fc7c75e4")
JPEG_TURBO = [  # the last one is in wheels
    Archive(
        "libj/libjpeg-turbo/libjpeg-turbo_2.0.6.orig.tar.gz",
        "d74b92ac33b0e3657123ddcf6728788c90dc84dcb6a52013d758af3c4af481bb",
    ),
    Archive(
        "libj/libjpeg-turbo/libjpeg-turbo_2.1.5.orig.tar.gz",
        "254f3642b04e309fee775123133c6464181addc150499561020312ec61c1bf7c",
    ),
    Archive(
        "libj/libjpeg-turbo/libjpeg-turbo_3.1.3.orig.tar.gz",
        "3a13a5ba767dc8264bc40b185e41368a80d5d5f945944d1dbaa4b2fb0099f4e5",
    ),
]


def python_source() -> Path:
    return source(PYTHON)


def is_debian() -> bool:
    """Whether this is Debian itself: others with apt have other versions on their mirrors."""
    try:
        return platform.freedesktop_os_release()["ID"] == "debian"
    except OSError:
        return False


def pool() -> str:
    """The folder of all packages on the mirror that apt uses here."""
    if not is_debian():
        sys.exit("sources are taken from the mirror that apt uses on Debian, and this is another system")
    asked = ["apt-get", "indextargets", "--format", "$(SITE)", "Created-By: Packages", "Component: main"]
    sites = subprocess.check_output(asked, text=True).split()
    return next(site for site in sites if not site.endswith("-security")) + "/pool/main"


def fetched(archive: Archive) -> Path:
    """The archive as a file. It stays for the next time."""
    file = WORK / archive.path.rsplit("/", 1)[1]
    if not file.exists():
        WORK.mkdir(parents=True, exist_ok=True)
        partly = file.with_name(f"{file.name}.partly")
        url = f"{pool()}/{archive.path}"
        urllib.request.urlretrieve(url, partly)
        if hashlib.sha256(partly.read_bytes()).hexdigest() != archive.sha256:
            sys.exit(f"{url} is not the archive it should be")
        partly.rename(file)
    return file


def bundled_jpeg() -> str:
    """What CMake gets as PENSTOCK_JPEG_ARCHIVE: nothing, for it to download the archive, where this is not Debian.

    A Debian machine may reach no more than its mirror.
    """
    return os.environ.get("PENSTOCK_JPEG_ARCHIVE") or (str(fetched(JPEG_TURBO[-1])) if is_debian() else "")


def source(archive: Archive) -> Path:
    """The folder that has the configure script. It stays for the next time."""
    file = fetched(archive)
    folder = WORK / file.name.split("_")[0]
    if not folder.exists():
        partly = folder.with_suffix(".partly")
        shutil.rmtree(partly, ignore_errors=True)
        with tarfile.open(file) as files:
            files.extractall(partly, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
        partly.rename(folder)
    (configure,) = folder.glob("*/configure")
    return configure.parent
