"""Builds a wheel twice, in folders of different names and without a compiler cache, and compares the bytes."""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from build_wheels import ROOT, build_wheel, commit_time
from interpreters import interpreters


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", type=int, metavar="MINOR", default=sys.version_info[1])
    given = parser.parse_args()
    os.environ.setdefault("SOURCE_DATE_EPOCH", commit_time())
    os.environ["CCACHE_DISABLE"] = "1"
    sums = []
    for folder in (ROOT / "build/twice/a", ROOT / "build/twice/another"):
        shutil.rmtree(folder, ignore_errors=True)
        _export(folder)
        wheel = build_wheel(interpreters()[given.python], folder, ROOT / f"build/wheels/cp3{given.python}")
        sums.append(hashlib.sha256(wheel.read_bytes()).hexdigest())
        print(f"{sums[-1]}  {wheel.name} built in {folder.name}", flush=True)
    if len({*sums}) > 1:
        sys.exit("the wheels differ")


def _export(folder: Path) -> None:
    """The files of the last commit."""
    folder.mkdir(parents=True)
    files = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True).stdout
    subprocess.run(["tar", "--extract", "--directory", folder], input=files, check=True)


if __name__ == "__main__":
    main()
