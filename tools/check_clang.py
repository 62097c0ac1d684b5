"""Lets Clang look at all of the native code, bindings included, with libstdc++ and with libc++; warnings are errors.

Nothing is compiled to the end, so it takes a few minutes. libc++ stands for macOS, whose standard library it is.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build/clang"


def main() -> None:
    compiler = os.environ.get("CXX") or shutil.which("clang++") or shutil.which("clang++-14") or "clang++"
    commands = configure(compiler)
    for library in ("libstdc++", "libc++"):
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            problems = [said for said in threads.map(lambda each, used=library: look(each, used), commands) if said]
        print(f"{library}: {len(commands)} files, {len(problems)} with problems")
        if problems:
            sys.exit("\n".join(problems))


def configure(compiler: str) -> list[dict[str, Any]]:
    """The commands that would compile the files."""
    tools = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    # With a launcher CMake precompiles no headers, which nothing would make here.
    subprocess.run(
        [
            "cmake", "-S", str(ROOT), "-B", str(BUILD), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
            f"-DCMAKE_CXX_COMPILER={compiler}", "-DCMAKE_CXX_COMPILER_LAUNCHER=env", "-DPENSTOCK_WERROR=ON",
            f"-DPython_EXECUTABLE={sys.executable}", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON",
        ],
        check=True, env=tools, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    commands: list[dict[str, Any]] = json.loads((BUILD / "compile_commands.json").read_text())
    return [each for each in commands if "/nanobind/" not in each["file"]]


def look(command: dict[str, Any], library: str) -> str:
    arguments = shlex.split(command["command"])
    target = arguments.index("-o")
    arguments[target : target + 2] = ["-fsyntax-only", f"-stdlib={library}"]
    done = subprocess.run(arguments, cwd=command["directory"], capture_output=True, text=True)
    return done.stderr if done.returncode or done.stderr else ""


if __name__ == "__main__":
    main()
