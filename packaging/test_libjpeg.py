"""Builds libjpeg-turbo out of source archives, with the APIs of libjpeg 6b, 7 and 8, and runs the JPEG tests with each.

`make test-libjpeg` takes the releases that Debian's source packages have; ARCHIVES="3.0.3.tar.gz ..." other ones, which
are local files: from https://github.com/libjpeg-turbo/libjpeg-turbo/releases, or any source archive that has
libjpeg-turbo in a folder, as that of simplejpeg 1.7.6 on PyPI has 3.0.3.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
from pathlib import Path

from debian_sources import JPEG_TURBO, fetched

ROOT = Path(__file__).resolve().parents[1]
APIS = {"6b": [], "7": ["-DWITH_JPEG7=ON"], "8": ["-DWITH_JPEG8=ON"]}
TESTS = ["tests/ops/decode", "tests/ops/color/test_jpeg_compression_distortion.py"]
CHECK = """
import sys
from penstock import _native
version, folder = sys.argv[1:]
assert not _native.is_jpeg_bundled()
assert _native.jpeg_turbo_version() == version, _native.jpeg_turbo_version()
assert any(folder in line for line in open("/proc/self/maps")), "another libjpeg is loaded"
assert _native.can_replace_entropy_coding()
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("archives", type=Path, nargs="*", help="source archives (default: those of Debian)")
    parser.add_argument("--api", choices=APIS, action="append", help="of which libjpeg (default: all)")
    given = parser.parse_args()
    for archive in given.archives or map(fetched, JPEG_TURBO):
        source, version = _unpacked(archive)
        for api in given.api or APIS:
            work = ROOT / f"build/libjpeg-{version}-{api}"
            library = _libjpeg(source, work, APIS[api])
            _test(work, library, version)
            print(f"libjpeg-turbo {version} with the API of libjpeg {api}: passed", flush=True)


def _unpacked(archive: Path) -> tuple[Path, str]:
    """The folder of libjpeg-turbo in an archive, and its version."""
    with tarfile.open(archive) as files:
        found = (re.fullmatch(r"((?:.*/)?libjpeg-turbo-([\d.]+))/CMakeLists\.txt", name) for name in files.getnames())
        folder, version = next(match.groups() for match in found if match)
        target = ROOT / "build/libjpeg-sources"
        members = [member for member in files if member.name.startswith(f"{folder}/")]
        files.extractall(target, members, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    return target / folder, version


def _libjpeg(source: Path, work: Path, options: list[str]) -> Path:
    prefix = work / "libjpeg"
    if not prefix.exists():
        common = [
            "-DCMAKE_BUILD_TYPE=Release",
            "-DENABLE_STATIC=OFF",
            "-DWITH_TURBOJPEG=OFF",
            "-DCMAKE_INSTALL_LIBDIR:STRING=lib",  # release 2.1 makes it a path, which would begin where this runs
        ]
        common += ["-DCMAKE_POLICY_VERSION_MINIMUM=3.5"]  # which releases before 3.1 are older than
        build = str(work / "libjpeg-build")
        cmake = sysconfig.get_path("scripts") + "/cmake"
        _run([cmake, "-G", "Ninja", "-S", source, "-B", build, f"-DCMAKE_INSTALL_PREFIX={prefix}", *common, *options])
        _run([cmake, "--build", build])
        _run([cmake, "--install", build])
    return prefix


def _test(work: Path, library: Path, version: str) -> None:
    """In an environment that borrows this one's packages, with an editable install of its own."""
    python = work / "venv/bin/python"
    _run([sys.executable, "-m", "venv", "--without-pip", work / "venv"])
    (packages,) = (work / "venv/lib").glob("python3*/site-packages")
    borrowed = [sysconfig.get_path("purelib"), *(path for path in sys.path if path.endswith("site-packages"))]
    (packages / "borrowed.pth").write_text("\n".join(dict.fromkeys(borrowed)))
    settings = {
        "build-dir": f"{work}",
        "cmake.define.PENSTOCK_JPEG": "system",
        "cmake.define.CMAKE_PREFIX_PATH": library,
        "cmake.define.JPEG_INCLUDE_DIR": library / "include",
        "cmake.define.JPEG_LIBRARY": library / "lib/libjpeg.so",
    }
    options = [f"--config-settings={name}={value}" for name, value in settings.items()]
    pip = [sys.executable, "-m", "pip", "--python", python, "--quiet", "--disable-pip-version-check"]
    _run([*pip, "install", "--no-compile", "--no-build-isolation", "--no-deps", *options, "--editable", ROOT])
    # The last two are for a test that compiles against the library.
    folders = {"LD_LIBRARY_PATH": "lib", "LIBRARY_PATH": "lib", "CPATH": "include"}
    environment = os.environ | {name: str(library / folder) for name, folder in folders.items()}
    _run([python, "-c", CHECK, version, str(library)], env=environment)
    _run([python, "-m", "pytest", *TESTS], env=environment, cwd=ROOT)


def _run(command: list[str | Path], env: dict[str, str] | None = None, cwd: Path | None = None) -> None:
    if subprocess.run(list(map(str, command)), env=env, cwd=cwd).returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed")


if __name__ == "__main__":
    main()
