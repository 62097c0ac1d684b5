"""What is in a wheel and in the source archive, and that every version stands in one place."""

from __future__ import annotations

import hashlib
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

import penstock
from penstock import _native

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def project() -> Any:
    """pyproject.toml; Python 3.10 has nothing to read it with."""
    return pytest.importorskip("tomllib").loads((ROOT / "pyproject.toml").read_text())


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel without the native core, and the source archive."""
    pytest.importorskip("scikit_build_core")
    out = tmp_path_factory.mktemp("dist")
    program = (
        "import sys; from scikit_build_core import build\n"
        "build.build_sdist(sys.argv[1])\n"
        "build.build_wheel(sys.argv[1], {'wheel.cmake': 'false', 'wheel.py-api': 'py3'})"
    )
    done = subprocess.run([sys.executable, "-c", program, str(out)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


def names_of_wheel(folder: Path) -> set[str]:
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as files:
        return {*files.namelist()}


def test_every_module_stub_and_skill_file_is_in_the_wheel(built: Path) -> None:
    names = names_of_wheel(built)
    kinds = ("*.py", "*.pyi", "py.typed", "*.md", "*.jpg")
    package = ROOT / "src/penstock"
    left_out = package / "compat/typed"
    files = {path for kind in kinds for path in package.rglob(kind) if left_out not in path.parents}
    wanted = {path.relative_to(ROOT / "src").as_posix() for path in files}
    assert {"penstock/py.typed", "penstock/_native.pyi", "penstock/skill/SKILL.md"} <= wanted
    assert wanted - names == set()
    assert any(name.startswith("nvidia-stubs/") and name.endswith(".pyi") for name in names)


def test_nothing_else_is_in_the_wheel(built: Path) -> None:
    (info,) = {name.split("/")[0] for name in names_of_wheel(built) if ".dist-info/" in name}
    assert {name.split("/")[0] for name in names_of_wheel(built)} == {"penstock", "nvidia-stubs", info}
    assert not [name for name in names_of_wheel(built) if name.endswith((".pyc", ".cc", ".h", ".so"))]


def test_the_licences_of_what_is_linked_in_are_in_the_wheel(built: Path) -> None:
    licences = {name.split("/licenses/")[1] for name in names_of_wheel(built) if ".dist-info/licenses/" in name}
    texts = {f"licenses/{path.name}" for path in (ROOT / "licenses").iterdir()}
    assert licences == {"LICENSE", "NOTICE"} | texts
    assert {"licenses/libjpeg-turbo.md", "licenses/libjpeg-turbo-ijg.txt", "licenses/nanobind.txt"} <= texts


def test_the_source_archive_has_what_a_build_needs(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as files:
        names = {name.split("/", 1)[1] for name in files.getnames()}
    for folder in ("native", "cmake", "licenses", "src"):
        paths = (ROOT / folder).rglob("*")
        files_there = {p.relative_to(ROOT).as_posix() for p in paths if p.is_file() and "__pycache__" not in p.parts}
        assert {name for name in files_there if not name.endswith(".so")} - names == set()
    assert {name.split("/")[0] for name in names} & {"tests", "docs", "benchmarks", "build", ".github"} == set()


def test_the_version_stands_in_one_place(project: Any, built: Path) -> None:
    assert project["project"]["dynamic"] == ["version"]
    (wheel,) = built.glob("*.whl")
    assert wheel.name.split("-")[1] == penstock.__version__
    top = re.search(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert penstock.__version__ in top[1]
    recipe = (ROOT / "packaging/conda-forge/recipe.yaml").read_text()
    assert f'version: "{penstock.__version__}"' in recipe


def test_the_recipe_asks_for_what_the_project_needs(project: Any) -> None:
    recipe = (ROOT / "packaging/conda-forge/recipe.yaml").read_text()
    for requirement in project["project"]["dependencies"]:
        name, least = requirement.replace("opencv-python-headless", "py-opencv").split(">=")
        assert f"    - {name} >={least}\n" in recipe, requirement


def test_the_oldest_versions_are_those_that_the_project_allows(project: Any) -> None:
    lines = (ROOT / "packaging/oldest.txt").read_text().splitlines()
    oldest = dict(line.split("==") for line in lines if not line.startswith("#"))
    needed = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    for requirement in needed:
        name, least = requirement.split(">=")
        assert oldest[name] == least or oldest[name].startswith(f"{least}."), requirement
    assert {*oldest} == {requirement.split(">=")[0] for requirement in needed}


def test_every_precompiled_header_has_what_clang_wants_in_it() -> None:
    script = (ROOT / "CMakeLists.txt").read_text()
    calls = r"(?:target_precompile_headers|set\(PENSTOCK_STANDARD_HEADERS)([^)]*)\)"
    headers = re.findall(calls, script)
    assert len(headers) == 4
    assert [text for text in headers if "<cstdarg>" not in text and "${PENSTOCK_STANDARD_HEADERS}" not in text] == []


def test_the_conda_recipe_takes_clang_on_windows() -> None:
    """CMakeLists.txt refuses Visual C++, which is conda-forge's compiler there."""
    recipe = (ROOT / "packaging/conda-forge/recipe.yaml").read_text()
    assert "set CXX=clang++" in recipe
    assert "then: [clang, clangxx]" in recipe


@pytest.mark.parametrize(
    "script",
    [
        "packaging/chosen_tests.py",
        "packaging/test_arm.py",
        "packaging/test_arm_kernel.py",
        "packaging/test_free_threaded.py",
        "packaging/test_libjpeg.py",
        "tools/check_clang.py",
    ],
)
def test_the_tests_that_other_platforms_run_are_there(script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "packaging")
    names = runpy.run_path(str(ROOT / script))
    listed = [*names["TESTS"], *names.get("LEFT_OUT", ())]
    assert [path for path in listed if not (ROOT / path).exists()] == []


def test_what_wheels_are_tested_with_has_no_torch(project: Any) -> None:
    """Which many Pythons and architectures lack; packaging/skip_missing_packages.py stands in for it."""
    names = {re.split(r"[<>=]", requirement)[0] for requirement in project["dependency-groups"]["wheel-test"]}
    assert "pytest" in names
    assert "torch" not in names
    assert '"--group", "wheel-test"' in (ROOT / "packaging/test_arm.py").read_text()


def test_only_what_needs_a_missing_package_is_skipped(tmp_path: Path) -> None:
    files = {
        "conftest.py": "import skip_missing_packages\nskip_missing_packages.MISSING = {'absent': 'absent'}\n"
        "skip_missing_packages.TOLD = ['pip install penstock[absent]']",
        "helper.py": "import absent",
        "test_indirect.py": "import helper\ndef test(): pass",
        "test_broken.py": "import misspelt\ndef test(): pass",
        "test_called.py": "def test_import(): import absent\n"
        "def test_told(): raise RuntimeError('pip install penstock[absent]')\n"
        "def test_other(): raise RuntimeError('pip install something')",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    options = ["-p", "skip_missing_packages", "-p", "no:cacheprovider", "--continue-on-collection-errors", "-rs"]
    paths = {"PYTHONPATH": f"{ROOT / 'packaging'}{os.pathsep}{tmp_path}"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--rootdir", tmp_path, *options, tmp_path],
        env=os.environ | paths, cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert "1 failed, 3 skipped, 1 error in" in done.stdout, done.stdout
    assert "absent is not installed" in done.stdout


def test_the_bill_of_materials_names_what_pip_installs(project: Any) -> None:
    template = (ROOT / "cmake/sbom.cdx.json.in").read_text()
    bill = json.loads(re.sub(r"@PENSTOCK_(JPEG|STATIC_CXX)_\w+?@", "", template))
    names = {part["name"] for part in bill["components"]}
    assert {requirement.split(">=")[0] for requirement in project["project"]["dependencies"]} <= names
    references = {part["bom-ref"] for part in bill["components"]} | {"penstock"}
    assert {name for line in bill["dependencies"] for name in [line["ref"], *line["dependsOn"]]} == references


@pytest.mark.skipif(shutil.which("cmake") is None, reason="there is no CMake")
@pytest.mark.parametrize(
    ("archive", "told"),
    [
        ("", r"cannot be downloaded: .*3\.1\.3\.tar\.gz.*PENSTOCK_JPEG_ARCHIVE=.*apt-get install libjpeg62-turbo-dev"),
        ("missing.tar.gz", r"PENSTOCK_JPEG_ARCHIVE is \S+missing\.tar\.gz, and there is no such file"),
        (
            "other.tar.gz",
            r"other\.tar\.gz is not the source archive of libjpeg-turbo 3\.1\.3.*its SHA-256 is [0-9a-f]{64}",
        ),
    ],
    ids=["no network", "no file", "another file"],
)
def test_a_build_without_the_source_of_libjpeg_says_what_to_do(tmp_path: Path, archive: str, told: str) -> None:
    (tmp_path / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.18)\nproject(trial NONE)\ninclude({ROOT}/cmake/libjpeg_turbo.cmake)\n"
    )
    (tmp_path / "other.tar.gz").write_bytes(b"not what it should be")
    settings = ["-DPENSTOCK_JPEG=bundled", f"-DPENSTOCK_JPEG_ARCHIVE={archive and tmp_path / archive}"]
    nowhere = os.environ | {"https_proxy": "http://127.0.0.1:1"}
    command = ["cmake", "-S", tmp_path, "-B", tmp_path / "build", *settings]
    made = subprocess.run(command, env=nowhere, capture_output=True, text=True)
    assert made.returncode != 0
    assert re.search(told, " ".join(made.stderr.split())), made.stderr
    assert not [*tmp_path.rglob("libjpeg-turbo-*")]


def test_an_archive_that_is_not_the_one_wanted_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = runpy.run_path(str(ROOT / "packaging/debian_sources.py"))
    fetched = names["fetched"]
    kept = tmp_path / "kept"
    pool = tmp_path / "a/archive_1.orig.tar.gz"
    monkeypatch.setitem(fetched.__globals__, "WORK", kept)
    monkeypatch.setitem(fetched.__globals__, "pool", tmp_path.as_uri)
    pool.parent.mkdir()
    pool.write_bytes(b"the first part")
    wanted = names["Archive"]("a/archive_1.orig.tar.gz", hashlib.sha256(b"the first part, and the rest").hexdigest())
    with pytest.raises(SystemExit, match="not the archive it should be"):
        fetched(wanted)
    pool.write_bytes(b"the first part, and the rest")
    assert fetched(wanted).read_bytes() == pool.read_bytes()
    pool.unlink()
    assert fetched(wanted) == kept / pool.name


def test_the_bundled_libjpeg_is_the_newest_of_those_tested_as_the_systems() -> None:
    script = (ROOT / "cmake/libjpeg_turbo.cmake").read_text()
    version, checksum = re.findall(r"^set\(PENSTOCK_JPEG_(?:VERSION|SHA256) (\S+)\)$", script, re.MULTILINE)
    archives = runpy.run_path(str(ROOT / "packaging/debian_sources.py"))["JPEG_TURBO"]
    assert archives[-1].path.endswith(f"_{version}.orig.tar.gz")
    assert archives[-1].sha256 == checksum


@pytest.mark.skipif(shutil.which("sh") is None, reason="there is no shell")
@pytest.mark.parametrize(
    ("user", "apt", "code", "told"),
    [
        (0, "", 0, "apt-get install wanted\napt-get update -qq\napt-get install"),
        (0, '[ "$1" != update ]', 0, "apt-get install wanted\napt-get update -qq\ngoing on .*\napt-get install"),
        (0, '[ "$1" != install ]', 1, "apt-get install wanted\napt-get update -qq\napt-get install"),
        (1000, "", 1, "penstock needs: apt-get install wanted"),
        (0, None, 0, "needed is what Debian calls: wanted"),
    ],
)
def test_debian_packages_are_installed_or_named(
    user: int, apt: str | None, code: int, told: str, tmp_path: Path
) -> None:
    commands = {
        "dpkg-query": '[ "$3" = present ] && echo installed',
        "id": f"echo {user}",
        "sudo": "exit 1",
        "env": 'shift; exec "$@"',
    }
    if apt is not None:
        commands["apt-get"] = f'echo "apt-get $*" >&2\n{apt}'
    shell = str(shutil.which("sh"))
    for name, body in commands.items():
        (tmp_path / name).write_text(f"#!{shell}\n{body}\n")
        (tmp_path / name).chmod(0o755)
    script = [shell, str(ROOT / "tools/apt_install.sh")]
    run = {"env": {"PATH": str(tmp_path)}, "stderr": subprocess.STDOUT, "stdout": subprocess.PIPE, "text": True}
    done = subprocess.run([*script, "present", "wanted"], **run)
    assert done.returncode == code
    assert re.match(told, done.stdout)
    assert "present" not in done.stdout
    assert subprocess.run([*script, "present"], **run).stdout == ""


def test_the_documentation_has_every_platform_that_wheels_are_built_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "packaging")
    platforms = runpy.run_path(str(ROOT / "packaging/cross_wheels.py"))["PLATFORMS"]
    documented = (ROOT / "docs/platforms.md").read_text()
    assert [name for name in platforms if name not in documented] == []


@pytest.mark.skipif(shutil.which("sh") is None, reason="there is no shell")
@pytest.mark.parametrize("name", ["macosx_13_3_arm64", "musllinux_1_2_x86_64"])
def test_zig_is_told_what_its_linker_takes(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "packaging")
    names = runpy.run_path(str(ROOT / "packaging/cross_wheels.py"))
    zig = tmp_path / "zig"
    zig.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
    zig.chmod(0o755)
    make_toolchain = names["_zig_toolchain"]
    make_toolchain.__globals__["zig"] = lambda: zig
    platform = names["PLATFORMS"][name]
    toolchain = make_toolchain(platform, tmp_path / "tools").read_text()
    assert ("CMAKE_INSTALL_NAME_TOOL" in toolchain) == (platform.system == "Darwin")
    given = ["-bundle", "a file.o", "-Wl,@/nanobind/cmake/darwin-ld-cpython.sym", "-o", "_native.so"]
    told = subprocess.run([tmp_path / "tools/c++", *given], capture_output=True, text=True, check=True).stdout
    if platform.system == "Darwin":
        given[0], given[2] = "-dynamiclib", "-Wl,-undefined,dynamic_lookup"
    assert told.splitlines() == ["c++", "-target", platform.zig, *given]


def compiled(tmp_path: Path, source: str, *options: str) -> Path:
    """A program or library of C or C++, by GCC."""
    if not shutil.which("g++") or not shutil.which("readelf"):
        pytest.skip("without GCC and binutils")
    file = tmp_path / "source.cc"
    file.write_text(source)
    made = tmp_path / "made"
    done = subprocess.run(["g++", str(file), "-o", str(made), *options], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return made


@pytest.mark.skipif(sys.platform != "linux", reason="libraries of Linux")
def test_newer_symbols_of_libstdcxx_are_linked_statically(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against the stub of GCC 8's library an older version of a symbol is taken, or the code itself."""
    monkeypatch.syspath_prepend(ROOT / "packaging")
    names = runpy.run_path(str(ROOT / "packaging/old_glibc.py"))
    if not shutil.which("g++") or not shutil.which("readelf"):
        pytest.skip("without GCC and binutils")
    names["_make_libstdcxx"](tmp_path, "")
    source = """
      #include <charconv>
      #include <condition_variable>
      void wait(std::condition_variable& condition, std::unique_lock<std::mutex>& lock) { condition.wait(lock); }
      double parse(const char* from, const char* to) { double x = 0; std::from_chars(from, to, x); return x; }
    """
    library = compiled(tmp_path, source, "-std=c++20", "-O2", "-shared", "-fPIC", f"-L{tmp_path}")
    listing = subprocess.run(["readelf", "--dyn-syms", "--wide", library], capture_output=True, text=True).stdout
    versions = {(name, version) for name, version in re.findall(r"UND (\S+)@((?:GLIBCXX|CXXABI)\S+)", listing)}
    assert ("_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE", "GLIBCXX_3.4.11") in versions
    numbers = {int(version.split(".")[2]) for _, version in versions if version.startswith("GLIBCXX_3.4.")}
    assert max(numbers) <= names["NEWEST"]["GLIBCXX_3.4"]
    assert re.search(r" [1-9]\d* _ZSt10from_chars", listing)


@pytest.mark.skipif(sys.platform != "linux", reason="libraries of Linux")
def test_no_function_is_imported_that_older_musls_lack() -> None:
    """auditwheel calls any wheel musllinux_1_2, which promises musl 1.2.0; `make test-musl` looks at all symbols."""
    if not shutil.which("readelf"):
        pytest.skip("without binutils")
    command = ["readelf", "--dyn-syms", "--wide", _native.__file__]
    listing = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    imported = set(re.findall(r" UND (\w+)", listing))
    assert "pread64" in imported or "pread" in imported
    # New in 1.2.5, 1.2.3 and 1.2.2.
    assert imported & {"preadv2", "pwritev2", "statx", "qsort_r", "_Fork", "gettid"} == set()


@pytest.mark.skipif(sys.platform != "linux", reason="threads of Linux")
def test_a_timed_wait_ends_where_glibc_has_no_clock_for_it(tmp_path: Path) -> None:
    """packaging/old_glibc.c with a dlsym that finds nothing, as with glibc 2.28."""
    source = f"""
      extern "C" {{
      #include "{ROOT / "packaging/old_glibc.c"}"
      void* __wrap_dlsym(void*, const char*) {{ return nullptr; }}
      }}
      #include <cerrno>
      #include <thread>
      int main() {{
        pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
        pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
        timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        pthread_mutex_lock(&mutex);
        if (own || pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &until) != ETIMEDOUT) return 1;
        until.tv_sec += 3600;
        bool done = false;
        std::thread signal([&] {{
          pthread_mutex_lock(&mutex);
          done = true;
          pthread_cond_signal(&condition);
          pthread_mutex_unlock(&mutex);
        }});
        while (!done)
          if (pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &until)) return 2;
        pthread_mutex_unlock(&mutex);
        signal.join();
      }}
    """
    program = compiled(tmp_path, source, "-pthread", "-ldl", "-Wl,--wrap=dlsym")
    assert subprocess.run([str(program)]).returncode == 0
