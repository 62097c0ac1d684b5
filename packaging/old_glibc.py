"""Libraries to link with, so that what GCC compiles here runs with the glibc and the libstdc++ of manylinux_2_28.

A symbol gets its version from the library that it is linked with. These are stubs, which have symbols and no code: Zig
makes glibc's, and libstdc++'s is made of the one that is here, without what came later. Later symbols of libstdc++ are
linked statically, as Red Hat's compilers in the images of manylinux do it, and two of glibc come from old_glibc.c. The
object files are those of any other build.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
GLIBC = "2.28"
STUBS = ("libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "libld.so.2")  # the last one is the loader's
# The newest versions of libstdc++'s symbols that manylinux_2_28 allows: those of GCC 8.
NEWEST = {"GLIBCXX_3.4": 24, "CXXABI_1.3": 11}


def linker_flags(folder: Path, machine: str, prefix: str = "") -> str:
    """Makes the libraries in `folder`, where they stay, for the GCC whose commands begin with `prefix`."""
    if not (folder / "libc.so").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        _make_glibc(folder, machine)
        _make_libstdcxx(folder, prefix)
        _run(f"{prefix}gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-c", HERE / "old_glibc.c",
             "-o", folder / "old_glibc.o")  # fmt: skip
        # Scripts for the linker, which looks for these names where it looks for libraries.
        parts = f"{' '.join(STUBS[:1])} AS_NEEDED({' '.join(STUBS[1:])}) libc_nonshared.a old_glibc.o"
        (folder / "libc.so").write_text(f"INPUT({parts})\n")
    # What is linked statically is not exported. With `now` a missing symbol shows on import, and not when it is called.
    return f"-L{folder} -Wl,--exclude-libs,libstdc++.a -Wl,-z,now"


def zig() -> Path:
    """Zig's program, which pip installs as a package."""
    import ziglang

    return Path(ziglang.__file__).parent / "zig"


def _make_glibc(folder: Path, machine: str) -> None:
    """Zig makes the stubs for whatever it links, and leaves them in its cache."""
    with tempfile.TemporaryDirectory() as cache:
        source = Path(cache, "empty.c")
        source.touch()
        environment = os.environ | {"ZIG_GLOBAL_CACHE_DIR": cache, "ZIG_LOCAL_CACHE_DIR": cache}
        options = ["-dynamic", "-lc", "-fno-compiler-rt", "-fno-ubsan-rt", f"-femit-bin={source.with_suffix('.so')}"]
        _run(zig(), "build-lib", "-target", f"{machine}-linux-gnu.{GLIBC}", *options, source, env=environment)
        for name in (*STUBS, "libc_nonshared.a"):
            (made,) = Path(cache, "o").glob(f"*/{name}")
            shutil.copy(made, folder)
    for name in STUBS[1:]:
        (folder / name.rsplit(".", 1)[0]).symlink_to(name)


@dataclass(frozen=True)
class _Symbol:
    name: str
    version: str
    kind: str
    binding: str
    size: int

    @property
    def age(self) -> tuple[str, int] | None:
        """Its version as family and number, or None where GCC 8 had no such version."""
        for family, newest in NEWEST.items():
            number = re.fullmatch(rf"{re.escape(family)}(?:\.(\d+))?(?:\.\d+)?", self.version)
            if number and int(number[1] or 0) <= newest:
                return family, int(number[1] or 0)
        return None

    def assembly(self) -> str:
        places = {"FUNC": ".text", "OBJECT": ".data", "TLS": '.section .tbss,"awT",%nobits'}
        types = {"FUNC": "%function", "OBJECT": "%object", "TLS": "%tls_object"}
        lines = [
            places[self.kind],
            f"{'.weak' if self.binding == 'WEAK' else '.globl'} {self.name}",
            f".type {self.name}, {types[self.kind]}",
            f".size {self.name}, {self.size}",
            f"{self.name}: .zero 8",
        ]
        return "\n".join(lines) + "\n"


def _make_libstdcxx(folder: Path, prefix: str) -> None:
    library = _run(f"{prefix}g++", "-print-file-name=libstdc++.so.6").strip()
    # Of a name with several versions the newest one is taken: what GCC 8's library had as its default.
    old = sorted((symbol for symbol in _symbols(library, prefix) if symbol.age), key=lambda symbol: symbol.age or ())
    kept = {symbol.name: symbol for symbol in old}.values()
    names: dict[str, list[str]] = {}
    for symbol in kept:
        names.setdefault(symbol.version, []).append(symbol.name)
    source, versions = folder / "libstdc++.s", folder / "libstdc++.map"
    source.write_text("".join(symbol.assembly() for symbol in kept))
    versions.write_text("".join(f"{version} {{ global: {'; '.join(names[version])}; }};\n" for version in names))
    stub = folder / "libstdc++.so.6"
    options = ["-shared", "-nostdlib", f"-Wl,-soname,{stub.name}", f"-Wl,--version-script={versions}"]
    _run(f"{prefix}gcc", *options, source, "-o", stub)
    static = _run(f"{prefix}g++", "-print-file-name=libstdc++.a").strip()
    (folder / "libstdc++.so").write_text(f"INPUT({stub.name} {static})\n")


def _symbols(library: str, prefix: str) -> Iterator[_Symbol]:
    listing = _run(f"{prefix}readelf", "--dyn-syms", "--wide", library)
    line = r"^ *\d+: [0-9a-f]+ +(\S+) (FUNC|OBJECT|TLS) +(\S+) +DEFAULT +\d+ (\S+?)@@?(\S+)$"
    for size, kind, binding, name, version in re.findall(line, listing, re.MULTILINE):
        yield _Symbol(name, version, kind, binding, int(size, 0))


def _run(*command: str | Path, env: dict[str, str] | None = None) -> str:
    done = subprocess.run(list(map(str, command)), env=env, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))} failed\n{done.stdout}{done.stderr}")
    return done.stdout
