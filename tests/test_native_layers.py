"""Includes in native/ point one way, only files named for an instruction set or a system use what is theirs, and the
files of a folder can be compiled as one."""

from __future__ import annotations

import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

NATIVE = Path(__file__).resolve().parent.parent / "native"

# Each folder may include itself and those before it.
LAYERS = ["cpu", "os", "memory", "kernels", "codecs", "runtime", "datasets", "bind"]

INSTRUCTION_SETS = ("_x86", "_avx2", "_avx512", "_arm", "_neon")
# One of these is compiled, by the system it is for.
SYSTEMS = ("_posix", "_windows")
# Headers and names that not every compiler for Linux, macOS and Windows has.
OF_ONE_SYSTEM = re.compile(
    r"#\s*include\s*<(unistd|sys/\w+|fcntl|pthread|dlfcn|signal|csignal|dirent|fnmatch|strings|sched|windows|io|malloc)"
    r"(\.h)?>"
    r"|\b(_WIN32|__linux__|__APPLE__|__unix__)\b|\b(ssize_t|off_t|clock_gettime|sigsetjmp|aligned_alloc|strcasecmp)\b|/proc/"
)
INTRINSICS = re.compile(r"#\s*include\s*<(\w*mmintrin|x86intrin|arm_\w+)\.h>|\b_mm\d*_\w+\(|\b__m(128|256|512)")
# What stands at the beginning of a line: types, aliases, functions and constants of a namespace.
NAMED = re.compile(
    r"(?:struct|class|enum class|enum) (\w+)[^;]*$"
    r"|using (\w+) ="
    r"|(?!return\b|template\b|typedef\b|namespace\b|extern\b)[A-Za-z_\[][^=({]*?(\w+)\((?!\()"
    r"|(?:inline |static |thread_local )*(?:constexpr|const) [^=({]*?(\w+)(?:\[[^\]]*\])* ?[={;]"
)
CPU_QUESTION = re.compile(r"__builtin_cpu_(supports|is|init)|getauxval|__get_cpuid")


def native_files(root: Path) -> list[Path]:
    return sorted(file for file in root.rglob("*") if file.suffix in (".h", ".cc"))


def included(file: Path) -> list[str]:
    return re.findall(r'^\s*#\s*include\s*"([^"]+)"', file.read_text(), re.MULTILINE)


def wrong_includes(root: Path, file: Path) -> list[str]:
    allowed = LAYERS[: LAYERS.index(file.relative_to(root).parts[0]) + 1]
    return [name for name in included(file) if Path(name).parts[0] not in allowed or not (root / name).is_file()]


def families(root: Path) -> dict[str, set[str]]:
    """For every folder of files, the other folders it includes from."""
    graph: dict[str, set[str]] = {}
    for file in native_files(root):
        folder = file.parent.relative_to(root).as_posix()
        used = {Path(name).parent.as_posix() for name in included(file)}
        graph.setdefault(folder, set()).update(used - {folder})
    return graph


def misplaced_instructions(root: Path, file: Path) -> list[str]:
    text = file.read_text()
    found = []
    if INTRINSICS.search(text) and not (file.suffix == ".cc" and file.stem.endswith(INSTRUCTION_SETS)):
        found.append("intrinsics")
    if CPU_QUESTION.search(text) and file.relative_to(root).parts[0] != "cpu":
        found.append("asks the CPU")
    return found


def is_for_one_system(root: Path, file: Path) -> bool:
    """Whether a file uses what only some systems have, and is not one of those that are compiled for one."""
    folder = file.relative_to(root).parts[0]
    kept_apart = folder == "cpu" or (folder == "os" and file.stem.endswith((*SYSTEMS, "windows_api")))
    return not kept_apart and OF_ONE_SYSTEM.search(file.read_text()) is not None


def named(lines: list[str]) -> set[str]:
    found = (NAMED.match(line) for line in lines)
    return {name for match in found if match for name in match.groups() if name}


def unnamed_namespace(file: Path) -> list[str]:
    """The lines in the unnamed namespaces of a file."""
    return re.findall(r"^namespace \{$(.*?)^\}  // namespace$", file.read_text(), re.MULTILINE | re.DOTALL)


def headers_of(root: Path, file: Path) -> set[Path]:
    """What a file includes, and what that includes."""
    found: set[Path] = set()
    waiting = [file]
    while waiting:
        new = {root / name for name in included(waiting.pop())} - found
        found |= new
        waiting += new
    return found


def clashes(root: Path, folder: Path) -> list[str]:
    """Names in unnamed namespaces that would meet another one if the files of a folder were one.

    Two of a kind do not compile. One that hides a name of a header does: the function is then another than without.
    """
    return sorted(
        {clash for left_out in SYSTEMS for clash in clashes_among(root, folder, (*INSTRUCTION_SETS, left_out))}
    )


def clashes_among(root: Path, folder: Path, left_out: tuple[str, ...]) -> list[str]:
    files = [file for file in sorted(folder.glob("*.cc")) if not file.stem.endswith(left_out)]
    headers = sorted(set().union(*(headers_of(root, file) for file in files)))
    places: dict[str, list[str]] = {}
    for file in files:
        for name in named("".join(unnamed_namespace(file)).splitlines()):
            places.setdefault(name, []).append(file.name)
    for header in headers:
        for name in named(header.read_text().splitlines()) & set(places):
            places[name].append(header.name)
    return sorted(f"{name}: {', '.join(where)}" for name, where in places.items() if len(where) > 1)


FILES = native_files(NATIVE)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(NATIVE).as_posix())
def test_a_native_file_includes_only_what_its_layer_may(file: Path) -> None:
    assert wrong_includes(NATIVE, file) == []
    assert misplaced_instructions(NATIVE, file) == []
    assert not is_for_one_system(NATIVE, file)


def test_native_families_include_each_other_one_way() -> None:
    TopologicalSorter(families(NATIVE)).prepare()


@pytest.mark.parametrize("file", [file for file in FILES if file.suffix == ".h"], ids=lambda file: file.name)
def test_a_header_begins_with_a_line_on_its_purpose(file: Path) -> None:
    first, *_ = file.read_text().splitlines()
    assert re.match(r"// \S.{10,}", first)


def test_only_bind_includes_nanobind() -> None:
    others = [file for file in FILES if file.relative_to(NATIVE).parts[0] != "bind"]
    assert [str(file) for file in others if "nanobind" in file.read_text()] == []


@pytest.mark.parametrize(
    "folder", sorted({file.parent for file in FILES}), ids=lambda folder: folder.relative_to(NATIVE).as_posix()
)
def test_the_files_of_a_folder_can_be_compiled_as_one(folder: Path) -> None:
    assert clashes(NATIVE, folder) == []


def written(root: Path, name: str, text: str) -> Path:
    file = root / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def test_an_include_against_the_arrow_is_seen(tmp_path: Path) -> None:
    written(tmp_path, "memory/view.h", "// A view.\n")
    written(tmp_path, "runtime/pool.h", "// A pool.\n")
    file = written(
        tmp_path, "kernels/image/bad.cc", '#include "memory/view.h"\n  # include "runtime/pool.h"\n#include "gone.h"\n'
    )
    assert wrong_includes(tmp_path, file) == ["runtime/pool.h", "gone.h"]


def test_families_that_include_each_other_are_seen(tmp_path: Path) -> None:
    written(tmp_path, "kernels/color/a.h", '#include "kernels/image/b.h"\n')
    written(tmp_path, "kernels/image/b.h", '#include "kernels/color/a.h"\n')
    with pytest.raises(CycleError):
        TopologicalSorter(families(tmp_path)).prepare()


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("kernels/image/flip.cc", "#include <immintrin.h>\n", ["intrinsics"]),
        ("kernels/image/flip.cc", "x = _mm256_add_ps(x, y);\n", ["intrinsics"]),
        ("kernels/image/charm.cc", "#include <arm_neon.h>\n", ["intrinsics"]),
        ("kernels/image/flip_avx2.h", "#include <immintrin.h>\n", ["intrinsics"]),
        ("kernels/image/flip_avx2.cc", "#include <immintrin.h>\n", []),
        ("codecs/checksum/crc_arm.cc", "#include <arm_acle.h>\n", []),
        ("kernels/image/flip_neon.cc", "#include <arm_neon.h>\n", []),
        ("kernels/image/flip_avx2.cc", 'if (__builtin_cpu_supports("avx2")) return;\n', ["asks the CPU"]),
        ("cpu/instruction_sets.h", 'const bool has = __builtin_cpu_supports("avx2");\n', []),
    ],
)
def test_instructions_out_of_place_are_seen(tmp_path: Path, name: str, text: str, expected: list[str]) -> None:
    assert misplaced_instructions(tmp_path, written(tmp_path, name, text)) == expected


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("memory/arena.cc", "#include <sys/mman.h>\n", True),
        ("memory/arena.cc", "#ifdef _WIN32\n", True),
        ("os/file.h", "#include <windows.h>\n", True),
        ("os/file_posix.cc", "#include <unistd.h>\n", False),
        ("os/file_windows.cc", "#include <io.h>\n", False),
        ("datasets/files/file_posix.cc", "const ssize_t got = 0;\n", True),
    ],
)
def test_what_only_some_systems_have_is_seen(tmp_path: Path, name: str, text: str, expected: bool) -> None:
    assert is_for_one_system(tmp_path, written(tmp_path, name, text)) is expected


def test_an_interface_has_a_form_for_every_system() -> None:
    stems = {
        system: {file.stem.removesuffix(system) for file in FILES if file.stem.endswith(system)} for system in SYSTEMS
    }
    assert stems["_posix"] == stems["_windows"] - {"windows_api"}
    assert all((NATIVE / "os" / f"{stem}.h").is_file() for stem in stems["_windows"])


def test_names_that_would_meet_are_seen(tmp_path: Path) -> None:
    written(tmp_path, "memory/view.h", "// A view.\ntemplate <typename T>\nT rounded(float x) {\n  return f(1);\n}\n")
    first = written(
        tmp_path,
        "kernels/a.cc",
        '#include "memory/view.h"\nnamespace {\n\nconstexpr int64_t kBlock = 4;\nstruct Own {\n};\nint own() {\n'
        "  const int part = other(2);\n}\n\n}  // namespace\nvoid shared() {}\n",
    )
    written(
        tmp_path,
        "kernels/b.cc",
        "namespace {\n\nconstexpr int kBlock = 8;\nusing Other = int;\nfloat rounded(float x) {\n  return x;\n}\n\n"
        "}  // namespace\nvoid shared() {}\n",
    )
    written(tmp_path, "kernels/b_avx2.cc", "namespace {\n\nint own() {\n}\n\n}  // namespace\n")
    assert clashes(tmp_path, first.parent) == ["kBlock: a.cc, b.cc", "rounded: b.cc, view.h"]
