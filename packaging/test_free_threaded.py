"""Builds a Python without a GIL, the wheel for it, and tests that with the GIL off: `make test-free-threaded`.

Debian has no package of such a Python, so that it is made of the sources in Debian's source package; it stays under
build/free-threaded for the next time. OpenCV has no wheel for it: its calls are done by the Python that runs this, in
another process (opencv_elsewhere/cv2.py).
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from build_wheels import build_wheel
from debian_sources import VERSION, python_source

ROOT = Path(__file__).resolve().parents[1]
WORK = ROOT / "build/free-threaded"

TESTS = ["tests/engine", "tests/capture", "tests/pipeline", "tests/dynamic", "tests/readers", "tests/ops"]
SCENARIOS = ["threads.loops_in_threads", "threads.shared_by_threads"]
LEFT_OUT = ["tests/readers/records/test_caffe_readers.py"]  # lmdb has no wheel
PACKAGES = [
    "pytest>=8", "pytest-xdist>=3.6", "hypothesis>=6.100", "pillow>=10", "psutil>=5.9", "soundfile", "fsspec", "av",
    "aiohttp", "pyarrow", "datasets", "nbclient", "ipykernel",
]  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tests", nargs="*", default=TESTS, help="files and folders of tests (default: a chosen part)")
    parser.add_argument("--smoke", action="store_true", help="only the smoke suite")
    parser.add_argument("--minutes", type=float, default=4, help="of threads that do everything at once")
    given = parser.parse_args()
    python = interpreter()
    venv = bare_venv(python)
    wheel = build_wheel(str(python), ROOT, WORK / "wheel")
    pip(venv, "--force-reinstall", "--no-deps", str(wheel))
    # PYTHON_GIL=0: no other module turns it on.
    free = os.environ | {"OPENCV_PYTHON": sys.executable, "PYTHON_GIL": "0"}
    run([venv, "-W", "error", "packaging/smoke.py"], free)
    if given.smoke:
        return
    pip(venv, *PACKAGES)
    run([venv, "tests/soak/run.py", "--minutes", str(given.minutes), *SCENARIOS], free)
    options = ["-p", "no:cacheprovider", "-p", "skip_missing_packages", "-n", "2", "--dist", "worksteal"]
    options += [f"--ignore={path}" for path in LEFT_OUT]
    options += ["-m", "not memory"]  # such a Python frees what another thread made later, and its allocator keeps more
    run([venv, "-m", "pytest", *options, *given.tests], free | {"PYTHONPATH": str(ROOT / "packaging")})


def interpreter() -> Path:
    """Python without a GIL."""
    python = WORK / f"python/bin/python{VERSION}t"
    if not python.exists():
        build = WORK / "python-build"
        shutil.rmtree(build, ignore_errors=True)
        build.mkdir(parents=True)
        run([python_source() / "configure", "--disable-gil", f"--prefix={WORK / 'python'}"], cwd=build)
        run(["make", f"-j{os.cpu_count()}"], cwd=build)
        run(["make", "install"], cwd=build)
    return python


def bare_venv(python: Path) -> Path:
    """With what Penstock needs, and nothing else."""
    venv = WORK / "venv/bin/python"
    if not venv.exists():
        run([ROOT / "tools/make_venv.sh", python, WORK / "venv"])
    pip(venv, "numpy", "cloudpickle>=3")
    (site,) = (WORK / "venv/lib").glob("python*/site-packages")
    (site / "opencv_elsewhere.pth").write_text(f"{ROOT / 'packaging/opencv_elsewhere'}\n")
    return venv


def pip(python: Path, *wanted: str) -> None:
    options = ["--quiet", "--disable-pip-version-check", "install", "--no-compile", "--only-binary=:all:"]
    run([python, "-m", "pip", *options, *wanted])


def run(command: list[str | Path], environment: dict[str, str] | None = None, cwd: Path = ROOT) -> None:
    if subprocess.run(list(map(str, command)), env=environment, cwd=cwd).returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed")


if __name__ == "__main__":
    main()
