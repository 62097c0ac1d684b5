"""Builds and checks what a release uploads, and stops before uploading it: `make release`.

The wheels built here are manylinux_2_28 like those that .github/workflows/wheels.yml builds, which also has the other
platforms: upload its.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"


def main() -> None:
    version = version_of(ROOT / "src/penstock/__init__.py")
    _require_readiness(version)
    for old in DIST.glob("penstock-*"):  # wheels for other systems, in a folder there, are left alone
        old.unlink()
    _run("packaging/build_wheels.py", "--from-archive")
    wheels = sorted(map(str, DIST.glob("*.whl")))
    _run("-m", "twine", "check", "--strict", *(str(path) for path in DIST.iterdir() if path.is_file()))
    _run("-m", "check_wheel_contents", *wheels)
    _run("-m", "abi3audit", "--strict", *(wheel for wheel in wheels if "abi3" in wheel))
    _run("packaging/test_wheels.py")
    print(
        f"\n{version} is ready. Nothing was uploaded. To publish it: git tag v{version}, push the tag, and upload what"
    )
    print("the workflow `wheels` leaves as artifacts: twine upload dist/*")


def version_of(module: Path) -> str:
    """The one place where the version stands."""
    found = re.search(r'^__version__ = "([^"]+)"$', module.read_text(), re.MULTILINE)
    assert found, module
    return found[1]


def _require_readiness(version: str) -> None:
    """A clean checkout whose changelog has this version on top, and which is not tagged yet."""
    if _git("status", "--porcelain"):
        sys.exit("there are changes that are not committed")
    if _git("tag", "--list", f"v{version}"):
        sys.exit(f"v{version} is tagged already: raise __version__ in src/penstock/__init__.py")
    top = re.search(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    if top is None or version not in top[1]:
        sys.exit(f"the topmost heading of CHANGELOG.md does not name {version}")


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def _run(*arguments: str) -> None:
    if subprocess.run([sys.executable, *arguments], cwd=ROOT).returncode != 0:
        sys.exit(f"{' '.join(arguments)} failed")


if __name__ == "__main__":
    main()
