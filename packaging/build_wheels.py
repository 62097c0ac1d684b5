"""Builds the source archive and a wheel for each Python that needs one of its own: `make wheels`.

libjpeg-turbo is built in. On Linux they are linked with the symbols of an old glibc (old_glibc.py), whatever this
machine's is. Wheels for other platforms: cross_wheels.py.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
from dataclasses import dataclass, field
from pathlib import Path

from debian_sources import bundled_jpeg
from interpreters import STABLE_ABI, interpreters
from old_glibc import GLIBC, linker_flags

ROOT = Path(__file__).resolve().parents[1]
WORK = ROOT / "build/wheels"
MAX_BYTES = 5_000_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    parser.add_argument("--from-archive", action="store_true", help="build what the archive has, not the checkout")
    parser.add_argument("--python", type=int, action="append", metavar="MINOR", help="only for these versions")
    given = parser.parse_args()
    os.environ.setdefault("SOURCE_DATE_EPOCH", commit_time())
    out = given.out.resolve()

    archive = _source_archive(out)
    source = _unpacked(archive) if given.from_archive else ROOT
    pythons = interpreters()
    needed = [minor for minor in pythons if minor < STABLE_ABI]
    needed += [min(minor for minor in pythons if minor >= STABLE_ABI)] if max(pythons, default=0) >= STABLE_ABI else []
    for minor in given.python or needed:
        finish_wheel(build_wheel(pythons[minor], source, WORK / f"cp3{minor}"), out)


def commit_time() -> str:
    """What files in archives are dated by, so that a commit always comes to the same bytes."""
    said = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True)
    return said.stdout.strip() or "315532800"  # the first day a zip file can tell, outside of a checkout


def _source_archive(out: Path) -> Path:
    _run([sys.executable, "-m", "build", "--no-isolation", "--sdist", "--outdir", out, ROOT])
    return max(out.glob("penstock-*.tar.gz"), key=lambda path: path.stat().st_mtime)


def _unpacked(archive: Path) -> Path:
    """The archive's files, in a folder that has nothing else."""
    work = WORK / "source"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    with tarfile.open(archive) as files:
        (folder,) = {member.name.split("/")[0] for member in files}
        files.extractall(work, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    return work / folder


@dataclass(frozen=True)
class Target:
    """What a wheel is built for."""

    definitions: dict[str, str | Path]  # CMake's
    environment: dict[str, str] = field(default_factory=dict)  # in which Python takes its names of the platform from


def build_wheel(python: str, source: Path, work: Path, target: Target | None = None) -> Path:
    """A wheel with libjpeg-turbo in it, built by this interpreter in an environment that stays for the next time."""
    target = target or _this_machine()
    venv_python = work / "venv/bin/python"
    if not venv_python.exists():
        _run([ROOT / "tools/make_venv.sh", python, work / "venv"])
    pip = [venv_python, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    _run([*pip, "install", "--no-compile", "--group", f"{ROOT / 'pyproject.toml'}:build"])
    for old in (work / "raw").glob("*.whl"):
        old.unlink()
    definitions = {
        "PENSTOCK_JPEG": "bundled",
        "PENSTOCK_JPEG_ARCHIVE": bundled_jpeg(),
        "PENSTOCK_JPEG_REQUIRE_SIMD": "ON",
        **target.definitions,
    }
    settings = [f"--config-settings=cmake.define.{name}={value}" for name, value in definitions.items()]
    # Not deeper than other builds: with the same relative paths they share a compiler cache.
    settings.append(
        f"--config-settings=build-dir={source / 'build' / '-'.join(work.relative_to(ROOT / 'build').parts)}"
    )
    path = f"{venv_python.parent}{os.pathsep}{os.environ['PATH']}"
    arguments = ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", work / "raw", *settings, source]
    _run([*pip, *arguments], env=os.environ | {"PATH": path} | target.environment)
    (wheel,) = (work / "raw").glob("*.whl")
    return wheel


def _this_machine() -> Target:
    if platform.libc_ver()[0] != "glibc":
        return Target({})
    flags = linker_flags(WORK / "old_glibc", platform.machine())
    return Target({"CMAKE_MODULE_LINKER_FLAGS": flags, "PENSTOCK_STATIC_CXX": "libstdc++"})


def finish_wheel(wheel: Path, out: Path) -> Path:
    """The wheel in `out`, on Linux under the tag of the glibc that it runs with, and not too large."""
    out.mkdir(parents=True, exist_ok=True)
    made = _tagged(wheel, out) if "-linux_" in wheel.name else Path(shutil.copy(wheel, out))
    print(f"{made.name}: {made.stat().st_size / 1e6:.2f} MB", flush=True)
    if made.stat().st_size > MAX_BYTES:
        sys.exit(f"{made.name} is larger than {MAX_BYTES / 1e6:.0f} MB")
    return made


def _tagged(wheel: Path, out: Path) -> Path:
    """Fails where the wheel needs a newer glibc than old_glibc.py's, or a library beside it."""
    said = _run([sys.executable, "-m", "auditwheel", "show", wheel], capture=True)
    line = r'consistent with the following platform tag: "((?:many|musl)linux)_(\d+)_(\d+)_(\w+)"'
    found = re.search(line, " ".join(said.split()))
    if found is None:
        sys.exit(f"{wheel.name} needs libraries of this system:\n{said}")
    libc, version, machine = found[1], (int(found[2]), int(found[3])), found[4]
    if libc == "manylinux":
        oldest = tuple(map(int, GLIBC.split(".")))
        if version > oldest:
            sys.exit(f"{wheel.name} needs glibc {version[0]}.{version[1]}:\n{said}")
        version = oldest
    tag = f"{libc}_{version[0]}_{version[1]}_{machine}"
    _run(
        [sys.executable, "-m", "wheel", "tags", "--remove", f"--platform-tag={tag}", shutil.copy(wheel, out)],
        capture=True,
    )
    return out / f"{wheel.stem.split('-linux_')[0]}-{tag}.whl"


def _run(command: list[str | Path], env: dict[str, str] | None = None, capture: bool = False) -> str:
    done = subprocess.run(list(map(str, command)), env=env, capture_output=capture, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed\n{done.stdout or ''}{done.stderr or ''}")
    return done.stdout or ""


if __name__ == "__main__":
    main()
