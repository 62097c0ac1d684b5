"""Installs the wheels of dist/ into a bare environment of each Python found and runs smoke.py there: `make wheel-test`.

No compiler is within reach, and pip takes nothing that would have to be compiled. On Linux, compilers, header files
and libjpeg are covered as well, where mounts are allowed: without_compiler.sh. With --tests, tests of the suite run
there as well, but for those that need torch.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

from interpreters import interpreters

ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wheels", type=Path, default=ROOT / "dist")
    parser.add_argument("--python", type=int, action="append", metavar="MINOR", help="only these versions")
    parser.add_argument("--constraints", type=Path, action="append", help="versions for pip to keep to; once per file")
    parser.add_argument("--tests", nargs="+", default=[], help="of the test suite, for the wheel to pass as well")
    given = parser.parse_args()
    pythons = interpreters()
    covered = _covered()
    print("compilers, headers and libjpeg are", "covered" if covered else "NOT covered: no mounts here", flush=True)
    for minor in given.python or pythons:
        for constraints in given.constraints or [None]:
            _test(pythons[minor], ROOT / f"build/wheel-test/3.{minor}", given.wheels, constraints, covered)
            if given.tests:
                _run_suite(ROOT / f"build/wheel-test/3.{minor}", given.tests, constraints)


def _covered() -> list[str | Path]:
    """What to write before a command that is to find no compiler, if this machine allows it."""
    cover = ROOT / "packaging/without_compiler.sh"
    may = sys.platform == "linux" and subprocess.run([cover, "true"], capture_output=True)
    if may and "still compiles" in may.stderr.decode():
        sys.exit(may.stderr.decode())
    return [cover] if may and may.returncode == 0 else []


def _test(python: str, venv: Path, wheels: Path, constraints: Path | None, covered: list[str | Path]) -> None:
    shutil.rmtree(venv, ignore_errors=True)
    subprocess.run([ROOT / "tools/make_venv.sh", python, venv], check=True)
    path = str(venv / "bin")
    compilers = [name for name in ("cc", "c++", "gcc", "g++", "clang", "cmake") if shutil.which(name, path=path)]
    assert not compilers, compilers
    kept = {name: value for name, value in os.environ.items() if name.startswith("PIP_") or name in ("HOME", "PATH")}
    bare = [*covered, "env", f"PATH={path}", venv / "bin/python"]
    pip = [*bare, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--no-compile"]
    limits = [f"--constraint={constraints.resolve()}"] if constraints else []
    subprocess.run([*pip, "--only-binary", ":all:", *limits, _matching(python, wheels)], check=True, env=kept)
    command = [*bare, "-W", "error", ROOT / "packaging/smoke.py"]
    done = subprocess.run(command, env=kept, cwd=venv)
    if done.returncode != 0:
        sys.exit(f"the wheel does not work with {python}")


def _run_suite(venv: Path, tests: list[str], constraints: Path | None) -> None:
    """With compilers in sight: some tests compile something themselves."""
    limits = [f"--constraint={constraints.resolve()}"] if constraints else []
    pip = [venv / "bin/python", "-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--no-compile"]
    subprocess.run([*pip, *limits, "--group", f"{ROOT / 'pyproject.toml'}:wheel-test"], check=True)
    environment = os.environ | {"PYTHONPATH": str(ROOT / "packaging"), "PATH": f"{venv / 'bin'}:{os.environ['PATH']}"}
    pytest = [venv / "bin/python", "-m", "pytest", "-p", "skip_missing_packages", "-n", "2", "--dist", "worksteal"]
    if subprocess.run([*pytest, *tests], cwd=ROOT, env=environment).returncode != 0:
        sys.exit(f"tests fail in {venv}")


def _matching(python: str, wheels: Path) -> Path:
    """The newest wheel that this interpreter takes."""
    said = subprocess.run([python, "-c", "import sys; print(sys.version_info[1])"], capture_output=True, text=True)
    minor = int(said.stdout)
    tag = "cp312-abi3" if minor >= 12 else f"cp3{minor}-cp3{minor}"
    found = sorted(wheels.glob(f"penstock-*-{tag}-*.whl"), key=lambda path: path.stat().st_mtime)
    if not found:
        sys.exit(f"{wheels} has no wheel for Python 3.{minor}; make wheels")
    return found[-1]


if __name__ == "__main__":
    main()
