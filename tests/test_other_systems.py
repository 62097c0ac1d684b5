"""The package on systems that lack what Linux has, as far as that can be tried here: Windows and macOS."""

from __future__ import annotations

import ntpath
import subprocess
import sys
from pathlib import Path

import pytest

from penstock.pipeline.workers import pool
from penstock.readers.files import containment
from penstock.readers.files.containment import check_names
from penstock.storage import Names

# What Windows does not have, taken away once NumPy and the like are there, which have their own ways on it.
WITHOUT = """
import asyncio, concurrent.futures, ctypes, multiprocessing.connection, os, signal, subprocess, sys, tempfile
import cloudpickle, cv2, fsspec, numpy as np, sysconfig
sysconfig.get_paths()
for module in ("fcntl", "resource", "pwd", "grp", "termios", "posix"):
    sys.modules[module] = None
for name in (
    "fork", "register_at_fork", "sched_getaffinity", "memfd_create", "geteuid", "getuid", "uname", "pread", "sysconf",
    "O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_DIRECT", "posix_fadvise", "killpg", "mkfifo", "statvfs", "fchmod",
):
    if hasattr(os, name):
        delattr(os, name)
for name in ("SIGKILL", "SIGUSR1", "SIGHUP", "SIGBUS"):
    delattr(signal, name)

def utime(path, utime=os.utime):
    if isinstance(path, int):
        raise TypeError("utime: path should be string, bytes or os.PathLike, not int")
    utime(path)

os.utime = utime
sys.platform = "win32"
"""

LOOP = """
import penstock, penstock.dynamic as ndd
from penstock import fn, pipeline_def
root, cache = sys.argv[1:]
for compiled in (False, True):
    reader = ndd.readers.File(file_root=root, random_shuffle=True, seed=3)
    for files, labels in reader.next_epoch(batch_size=4, compile=compiled):
        images = ndd.resize(ndd.decoders.image(files), size=[16, 16])
        assert np.asarray(ndd.as_tensor(images)).shape == (4, 16, 16, 3)
with ndd.profile() as profile:
    ndd.flip(ndd.tensor(np.zeros((2, 2, 3), np.uint8), layout="HWC")).evaluate()
str(profile)

import fsspec
from penstock.storage import Storage
contents = bytes(range(256))
fsspec.filesystem("memory").pipe_file("/other/a", contents)
for _ in range(2):
    assert bytes(Storage(cache_dir=cache).read_one("memory://other/a")) == contents

@pipeline_def(batch_size=2, num_threads=2, device_id=None)
def definition():
    files, labels = fn.readers.file(file_root=root)
    return fn.resize(fn.decoders.image(files), size=[8, 8])

assert definition().run()[0].as_array().shape == (2, 8, 8, 3)
print("done")
"""


def test_a_loop_runs_without_what_windows_lacks(tmp_path: Path) -> None:
    root = Path(pool.__file__).parents[2] / "cli/assets"
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT + LOOP, str(root), str(tmp_path)], capture_output=True, text=True, timeout=600
    )
    assert done.stdout.endswith("done\n"), done.stderr


def test_parallel_sources_are_refused_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool.os, "name", "nt")
    with pytest.raises(RuntimeError, match="not supported on Windows; parallel=False"):
        pool._start_processes([], 1, "spawn", None, 0)


@pytest.mark.parametrize("name", [r"..\b.jpg", r"a\..\..\b.jpg", r"D:\b.jpg", "d:b.jpg", r"\b.jpg", "/b.jpg", "../b"])
def test_names_lead_nowhere_outside_on_windows(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(containment, "os", windows_os())
    with pytest.raises(RuntimeError, match="leads outside"):
        check_names(Names(name.encode() + b"\0"), "list.txt", r"C:\data", allow_outside=False)


@pytest.mark.parametrize("name", [r"a\b.jpg", "a/b.jpg", r"C:\data\a.jpg", "c:/DATA/a.jpg"])
def test_names_below_the_root_are_read_on_windows(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(containment, "os", windows_os())
    check_names(Names(name.encode() + b"\0"), "list.txt", r"C:\data", allow_outside=False)


def windows_os() -> object:
    class Windows:
        sep = "\\"
        path = ntpath

    return Windows
