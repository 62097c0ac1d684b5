"""Tries the wheel for Windows of cross_wheels.py under Wine: `make test-windows`, on Debian for x86-64.

There is no Python for Windows in Debian or on PyPI, but its libraries are in Panda3D's wheel, which packs programs with
them. The standard library is that of this machine's Python 3.12, and python.exe is made here (wine/python.c). Packages
are those for Windows, NumPy and OpenCV included. Wine 8 lacks the functions of complex numbers that NumPy needs: its
files are made to find those of wine/complex_numbers.c. All that stays under build/wine for the next time.
"""

from __future__ import annotations

import io
import os
import platform
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from chosen_tests import read_arguments
from cross_wheels import cross_wheel
from debian_sources import python_source
from interpreters import STABLE_ABI, interpreters

CHECKOUT = Path(__file__).resolve().parents[1]
HERE = CHECKOUT / "packaging/wine"
WORK = CHECKOUT / "build/wine"
PYTHON = WORK / "python"  # Python's folder, as its installer would make it
PACKAGES = PYTHON / "Lib/site-packages"
LIBRARY = f"python3{STABLE_ABI}.dll"
DEBIAN = ["gcc-mingw-w64-x86-64-posix", "wine64"]
TOOLS = "x86_64-w64-mingw32-"
PANDA = "panda3d==1.10.16"
# A name as long as the one in NumPy's files that it takes the place of.
MATH, OURS = "api-ms-win-crt-math-l1-1-0.dll", "complex-numbers-for-wine-8.dll"


def main() -> None:
    given = read_arguments(__doc__)
    if platform.machine() != "x86_64":
        sys.exit("Wine runs programs for the processor that it runs on, and these are for x86-64")
    run([CHECKOUT / "tools/apt_install.sh", *DEBIAN])
    if not (PYTHON / "python.exe").exists():
        make_python()
    if not (PACKAGES / "numpy").exists():
        install("numpy", "opencv-python-headless", "cloudpickle>=3")
        add_complex_numbers()
    install("--upgrade", "--no-deps", str(cross_wheel("win_amd64", STABLE_ABI, WORK / "wheel")))
    add_command()
    wine("-W", "error", "packaging/smoke.py")
    if not given.smoke:
        if not (PACKAGES / "pytest").exists():
            extras = ["soundfile", "av", "fsspec"]
            install("pytest>=8", "hypothesis>=6.100", "pillow>=10", "psutil>=5.9", "colorama", *extras)
        options = ["-p", "no:cacheprovider", "-p", "skip_missing_packages", "-m", "not memory"]
        wine("-m", "pytest", *options, *given.tests)


def make_python() -> None:
    shutil.rmtree(PYTHON, ignore_errors=True)
    pip("download", "--no-deps", "--dest", WORK, PANDA)
    (panda,) = WORK.glob("panda3d-*.whl")
    with zipfile.ZipFile(panda) as files:
        for name in files.namelist():
            if re.fullmatch(r"deploy_libs/(?!api-ms-|_wmi\.).*\.(dll|pyd)", name):  # Wine 8 has no WMI for Python
                beside = name.lower().endswith((LIBRARY, "vcruntime140.dll", "vcruntime140_1.dll"))
                folder = PYTHON if beside else PYTHON / "DLLs"
                folder.mkdir(parents=True, exist_ok=True)
                (folder / Path(name).name).write_bytes(files.read(name))
    probe = [interpreters()[STABLE_ABI], "-c", "import sysconfig; print(sysconfig.get_path('stdlib'))"]
    standard = subprocess.check_output(probe, text=True).strip()
    left_out = shutil.ignore_patterns("site-packages", "lib-dynload", "test", "config-*", "__pycache__")
    shutil.copytree(standard, PYTHON / "Lib", ignore=left_out)
    # The stable ABI, which extensions are linked with: every name is one of the library's.
    exported = set(exports(PYTHON / LIBRARY))
    entries = re.findall(r"^EXPORT_\w+\((\w+)\)", (python_source() / "PC/python3dll.c").read_text(), re.MULTILINE)
    forwarded = [f"{name}={Path(LIBRARY).stem}.{name}" for name in entries if name in exported]
    make_library("python3.dll", forwarded, ["-nostdlib", "-Wl,--entry=0"])
    # Wine 8 lacks it, and shutil does without it where it is not there.
    (PYTHON / "Lib/sitecustomize.py").write_text("import _winapi\n\ndel _winapi.CopyFile2\n")
    definition = f'-DPYTHON_DLL=L"{LIBRARY}"'
    run([f"{TOOLS}gcc", "-municode", definition, HERE / "python.c", "-o", PYTHON / "python.exe"])


def add_complex_numbers() -> None:
    """Where files of NumPy ask for a function of complex numbers; all others of the library stay Wine's."""
    compiled = WORK / "complex_numbers.o"
    run([f"{TOOLS}gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-c", HERE / "complex_numbers.c", "-o", compiled])
    ours = set(re.findall(r" T wine_(\w+)$", said([f"{TOOLS}nm", compiled]), re.MULTILINE))
    wanted: set[str] = set()
    for file in (PACKAGES / "numpy").rglob("*.pyd"):
        names = imports(file, MATH)
        if names & ours:
            file.write_bytes(file.read_bytes().replace(MATH.encode(), OURS.encode()))
            wanted |= names
    entries = [f"{name}=wine_{name}" if name in ours else f"{name}=ucrtbase.{name}" for name in sorted(wanted)]
    make_library(OURS, entries, ["-static", str(compiled)])


def make_library(name: str, entries: list[str], options: list[str]) -> None:
    definition = WORK / f"{name}.def"
    definition.write_text("\n".join([f"LIBRARY {name}", "EXPORTS", *entries, ""]))
    run([f"{TOOLS}gcc", "-shared", *options, definition, "-o", PYTHON / name])


def exports(library: Path) -> list[str]:
    table = said([f"{TOOLS}objdump", "-p", library]).partition("[Ordinal/Name Pointer] Table")[2]
    return re.findall(r"^\t\[ *\d+\].* (\w+)$", table, re.MULTILINE)


def imports(file: Path, library: str) -> set[str]:
    """The names that a file imports from a library."""
    table = said([f"{TOOLS}objdump", "-p", file]).partition(f"DLL Name: {library}")[2].partition("DLL Name: ")[0]
    return set(re.findall(r"^\t[0-9a-f]+\s+\d+\s+(\w+)$", table, re.MULTILINE))


def add_command() -> None:
    """As pip on Windows makes it: a program, its first line and an archive, one after the other."""
    from pip._vendor import distlib

    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as files:
        files.writestr("__main__.py", "import sys\nfrom penstock.cli import main\nsys.exit(main())\n")
    launcher = Path(distlib.__file__).with_name("t64.exe").read_bytes()
    program = PYTHON / "Scripts/penstock.exe"
    program.parent.mkdir(exist_ok=True)
    program.write_bytes(launcher + f"#!Z:{PYTHON}/python.exe\r\n".replace("/", "\\").encode() + archive.getvalue())


def install(*wanted: str) -> None:
    pip("install", "--no-compile", "--target", PACKAGES, *wanted)


def pip(command: str, *arguments: str | Path) -> None:
    """By this machine's pip, for Windows."""
    target = ["--only-binary=:all:", "--platform=win_amd64", f"--python-version=3.{STABLE_ABI}", "--implementation=cp"]
    run([sys.executable, "-m", "pip", command, "--quiet", "--disable-pip-version-check", *target, *arguments])


def wine(*arguments: str) -> None:
    """Python under Wine, which wants pipes and no terminal, and whose own messages are left out."""
    program = shutil.which("wine64") or shutil.which("wine") or "/usr/lib/wine/wine64"
    environment = {
        "WINEPREFIX": str(WORK / "prefix"),
        "WINEDEBUG": "-all",
        "WINEDLLOVERRIDES": "winedbg.exe=",  # what crashes ends at once
        "PYTHONPATH": f"Z:{CHECKOUT}/packaging",
    }
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(
        [program, PYTHON / "python.exe", "-u", *arguments], cwd=CHECKOUT, env=os.environ | environment, **pipes
    ) as started:
        for line in started.stdout or ():
            sys.stdout.write(line.decode(errors="replace"))
            sys.stdout.flush()
    if started.returncode != 0:
        sys.exit(f"{' '.join(arguments)} failed under Wine: {started.returncode}")


def said(command: list[str | Path]) -> str:
    return subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout


def run(command: list[str | Path]) -> None:
    if subprocess.run(list(map(str, command)), cwd=CHECKOUT).returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed")


if __name__ == "__main__":
    main()
