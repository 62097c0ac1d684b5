"""The process' memory stays near `max_bytes`, whatever files promise or unpack to."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pyarrow as pa
import pytest
import soundfile
from pyarrow import parquet

LIMIT = 8 << 20
HUGE = 120 << 20
MOST = 40 << 20  # beyond what the process had after it had read small files

_READ = """
import operator, sys, warnings
import penstock.dynamic as ndd

warnings.simplefilter("ignore")

def peak():
    return int(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1]) << 10

name, arguments, limit, small = sys.argv[1], eval(sys.argv[2]), int(sys.argv[3]), eval(sys.argv[4])
check = eval(arguments.pop("check", "None"))

def errors(given):
    reader = operator.attrgetter(name)(ndd)(**given, check=check, max_bytes=limit)
    try:
        next(reader.next_epoch(batch_size=1))
    except RuntimeError as error:
        return str(error)
    return ""

assert not errors(small), errors(small)
before = peak()
assert "more than the limit" in (told := errors(arguments)), told
print(peak() - before)
"""


def files(folder: Path, size: int) -> tuple[str, dict[str, object]]:
    (folder / "a").mkdir()
    with open(folder / "a" / "0.jpg", "wb") as file:
        file.truncate(size)
    return "readers.File", {"file_root": str(folder)}


def zips(folder: Path, size: int) -> tuple[str, dict[str, object]]:
    with zipfile.ZipFile(folder / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive, archive.open("0.jpg", "w") as member:
        for _ in range(size >> 20):
            member.write(bytes(1 << 20))
        member.write(bytes(size % (1 << 20)))
    return "readers.Zip", {"paths": str(folder / "a.zip")}


def tars(folder: Path, size: int) -> tuple[str, dict[str, object]]:
    entry = tarfile.TarInfo("0.jpg")
    entry.size = size
    with open(folder / "a.tar", "wb") as file:
        file.write(entry.tobuf())
        file.truncate(512 + (size + 511) // 512 * 512 + 1024)
    return "readers.Webdataset", {"paths": str(folder / "a.tar"), "ext": "jpg"}


def arrays(folder: Path, size: int) -> tuple[str, dict[str, object]]:
    np.lib.format.open_memmap(folder / "a.npy", "w+", np.uint8, (size,)).flush()
    return "readers.Numpy", {"file_root": str(folder)}


def tables(folder: Path, size: int) -> tuple[str, dict[str, object]]:
    table = pa.table({"a": pa.array([bytes(size)], pa.large_binary())})
    parquet.write_table(table, folder / "a.parquet", use_dictionary=False, write_statistics=False)
    return "readers.Parquet", {"path": str(folder / "a.parquet")}


def images(folder: Path, size: int) -> tuple[str, dict[str, object]]:
    (folder / "a").mkdir()
    side = int((size / 6) ** 0.5)
    cv2.imwrite(str(folder / "a" / "0.png"), np.zeros((side, side, 3), np.uint8))
    return "readers.File", {"file_root": str(folder), "check": "lambda file: ndd.decoders.image(file, max_bytes=limit)"}


def frames(folder: Path, size: int) -> tuple[str, dict[str, object]]:
    images(folder, size)
    return "readers.Sequence", {"file_root": str(folder), "sequence_length": 1}


def sounds(folder: Path, size: int) -> tuple[str, dict[str, object]]:
    soundfile.write(folder / "0.flac", np.zeros(size // 4, np.int16), 44100)
    (folder / "a.json").write_text(f'{{"audio_filepath": "{folder}/0.flac"}}')
    return "readers.NemoAsr", {"manifest_filepaths": str(folder / "a.json")}


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs the process' peak from Linux")
@pytest.mark.parametrize("made", [files, zips, tars, arrays, tables, images, frames, sounds])
def test_memory_stays_near_the_limit(made, tmp_path):
    for name in ("small", "huge"):
        (tmp_path / name).mkdir()
    _, small = made(tmp_path / "small", 6000)
    reader, huge = made(tmp_path / "huge", HUGE)
    small.pop("check", None)
    command = [sys.executable, "-c", _READ, reader, repr(huge), str(LIMIT), repr(small)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < MOST
