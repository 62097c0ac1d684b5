"""Lets Clang look at all of the native code, bindings included, with libstdc++ and with libc++; warnings are errors.

Nothing is compiled to the end, so it takes a few minutes. libc++ stands for macOS, whose standard library it is. With
--run the extension is built with each of them as well, in an environment of its own, and tests of the suite run there.
"""

from __future__ import annotations

import argparse
import json
import os
import runpy
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build/clang"
DEBIAN = ["clang", "libc++-dev", "libc++abi-dev"]
LIBRARIES = ("libstdc++", "libc++")
TESTS: list[str] = runpy.run_path(str(ROOT / "packaging/chosen_tests.py"))["TESTS"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", action="store_true", help="build the extension and run tests with it, too")
    given = parser.parse_args()
    subprocess.run([ROOT / "tools/apt_install.sh", *DEBIAN], check=True)
    compiler = os.environ.get("CXX") or shutil.which("clang++") or shutil.which("clang++-14") or "clang++"
    commands = configure(compiler)
    for library in LIBRARIES:
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            problems = [said for said in threads.map(lambda each, used=library: look(each, used), commands) if said]
        print(f"{library}: {len(commands)} files, {len(problems)} with problems", flush=True)
        if problems:
            sys.exit("\n".join(problems))
    for library in LIBRARIES if given.run else ():
        test(build(compiler, library), library)


def configure(compiler: str) -> list[dict[str, Any]]:
    """The commands that would compile the files."""
    # With a launcher CMake precompiles no headers, which nothing would make here.
    subprocess.run(
        [
            "cmake", "-S", str(ROOT), "-B", str(BUILD), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
            f"-DCMAKE_CXX_COMPILER={compiler}", "-DCMAKE_CXX_COMPILER_LAUNCHER=env", "-DPENSTOCK_WERROR=ON",
            f"-DPython_EXECUTABLE={sys.executable}", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
        ],
        check=True, env=tools(), stdout=subprocess.DEVNULL,
    )  # fmt: skip
    commands: list[dict[str, Any]] = json.loads((BUILD / "compile_commands.json").read_text())
    return [each for each in commands if "/nanobind/" not in each["file"]]


def tools() -> dict[str, str]:
    """With the commands of this Python, such as cmake and ninja, first."""
    return {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


def look(command: dict[str, Any], library: str) -> str:
    arguments = shlex.split(command["command"])
    target = arguments.index("-o")
    arguments[target : target + 2] = ["-fsyntax-only", f"-stdlib={library}"]
    done = subprocess.run(arguments, cwd=command["directory"], capture_output=True, text=True)
    return done.stderr if done.returncode or done.stderr else ""


def build(compiler: str, library: str) -> Path:
    """The Python of an environment that borrows the packages of this one, but for the extension."""
    work = BUILD.with_name(f"clang-{library}")
    python = work / "venv/bin/python"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(work / "venv")], check=True)
    packages = next((work / "venv/lib").glob("python3*/site-packages"))
    # A .pth file in a folder that is on the path through another one is not read: the editable install is not borrowed.
    (packages / "borrowed.pth").write_text("\n".join(path for path in sys.path if path.endswith("site-packages")))
    pip = ["pip", "--python", str(python), "--quiet", "--disable-pip-version-check", "install", "--no-compile"]
    options = ["--no-build-isolation", "--no-deps", f"--config-settings=build-dir={work}/cmake"]
    options += ["--config-settings=cmake.define.PENSTOCK_WERROR=ON", "--editable", str(ROOT)]
    flags = {"CXX": compiler, "CXXFLAGS": f"-stdlib={library}", "LDFLAGS": f"-stdlib={library}"}
    subprocess.run([sys.executable, "-m", *pip, *options], check=True, env=tools() | flags)
    return python


def test(python: Path, library: str) -> None:
    program = "import penstock._native; print(*{line.split()[-1] for line in open('/proc/self/maps')}, sep='\\n')"
    loaded = subprocess.run([python, "-c", program], check=True, capture_output=True, text=True).stdout
    extension = next(line for line in loaded.splitlines() if "/_native." in line)
    if str(python.parents[1]) not in extension or ("/libc++.so" in loaded) != (library == "libc++"):
        sys.exit(f"{extension} is not the one that was built with {library}")
    print(f"{library}: {TESTS}", flush=True)
    if subprocess.run([python, "-m", "pytest", "-n", "auto", *TESTS], cwd=ROOT).returncode:
        sys.exit(f"tests fail with {library}")


if __name__ == "__main__":
    main()
