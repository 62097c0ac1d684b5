"""Files at URLs: a cache whose processes are killed, and a server that fails in every way it can."""

from __future__ import annotations

import gzip
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from penstock.storage import Storage
from readers.servers import Answer, AnswerServer, ranged

READING = """
import random, sys, fsspec, numpy as np
from penstock.storage import Storage
folder, limit, seed = sys.argv[1], int(sys.argv[2]), sys.argv[3]
rng = random.Random(seed)
contents = [np.random.default_rng(number).bytes(20_000) for number in range(40)]
for number, each in enumerate(contents):
    fsspec.filesystem("memory").pipe_file(f"/soaked/{number}", each)
storage = Storage(cache_dir=folder, cache_bytes=limit)
print(flush=True)
while True:
    number, offset, length = rng.randrange(40), 5000 * rng.randrange(4), rng.choice([-1, 1000, 5000])
    end = None if length < 0 else offset + length
    if storage.read_one(f"memory://soaked/{number}", offset, length) != contents[number][offset:end]:
        sys.exit(f"{number} is wrong")
"""
LIMIT = 300_000
PROCESSES = 3


def kill_cached_reads(seconds: float, seed: int) -> None:
    """Processes that share a cache are killed at any moment, and entries damaged: what is read is right.

    Nothing that is not the cache's is touched, it stays within its size, and nothing unfinished piles up.
    """
    rng = random.Random(seed)
    until = time.monotonic() + seconds
    kills = damaged = 0
    with tempfile.TemporaryDirectory() as name:
        foreign = Path(name, "thesis", "chapter.tex")
        foreign.parent.mkdir()
        foreign.write_bytes(b"x" * LIMIT)
        while not kills or time.monotonic() < until:
            kills += _kill_readers(name, rng)
            assert foreign.stat().st_size == LIMIT
            entries = sorted(Path(name).rglob("*.piece"))
            held = sum(entry.stat().st_size for entry in entries)
            assert held <= LIMIT + PROCESSES * 25_000, held  # each may just have written one
            damaged += _damage(entries, rng)
            for partial in Path(name).rglob("*.partial"):
                os.utime(partial, (0, 0))  # as if it had been left long ago, so that the next process removes it
            assert len(list(Path(name).rglob("*.partial"))) <= PROCESSES
    print(f"{kills} processes killed, {damaged} entries damaged")


def _kill_readers(folder: str, rng: random.Random) -> int:
    commands = [[sys.executable, "-c", READING, folder, str(LIMIT), str(rng.random())] for _ in range(PROCESSES)]
    readers = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) for command in commands]
    for reader in readers:
        assert reader.stdout is not None
        reader.stdout.readline()
    for reader in readers:
        time.sleep(rng.random() ** 2 * 0.5)
        reader.kill()
    for reader in readers:
        told = reader.communicate()[1].decode()
        assert reader.returncode == -signal.SIGKILL, told
    return len(readers)


def _damage(entries: list[Path], rng: random.Random) -> int:
    chosen = rng.sample(entries, len(entries) // 4)
    for entry in chosen:
        contents = bytearray(entry.read_bytes())
        if rng.random() < 0.5:
            del contents[rng.randrange(len(contents)) :]
        else:
            contents[rng.randrange(len(contents))] ^= 1 << rng.randrange(8)
        entry.write_bytes(contents)
    return len(chosen)


class _Files:
    """Files that change now and then, and requests for them that go wrong."""

    def __init__(self, seed: int, count: int) -> None:
        self._random = random.Random(seed)
        self._lock = threading.Lock()
        self._versions = [0] * count
        self.ended = threading.Event()

    @staticmethod
    def contents(number: int, version: int) -> bytes:
        return np.random.default_rng([number, version]).bytes(30_000)

    def answer(self, method: str, path: str, asked: str | None) -> Answer:
        number = int(path.strip("/"))
        with self._lock:
            self._versions[number] += self._random.random() < 0.02
            version, fault, share = self._versions[number], self._random.randrange(40), self._random.random()
        contents = self.contents(number, version)
        status, headers, body = ranged(contents, asked)
        assert isinstance(body, bytes)
        headers["ETag"] = f'"{version}"'
        cut = body[: int(share * len(body))]
        if fault == 0:
            return 503, {"Content-Length": "0"}, b""
        if fault == 1:
            return status, headers, cut
        if fault == 2:
            return status, headers, self._stalling(cut)
        if fault == 3 and asked:
            return status, {**headers, "Content-Range": f"bytes 7-{len(body) + 6}/30000"}, body
        if fault == 4:
            return 200, {"Content-Length": "30000", "ETag": headers["ETag"]}, contents
        if fault == 5:
            packed = gzip.compress(contents, 1)
            told = {"Content-Length": str(len(packed)), "Content-Encoding": "gzip", "ETag": f'"{version}-gzip"'}
            return 200, told, packed
        if fault == 6 and asked:
            return status, {**headers, "Content-Length": str(len(cut))}, cut
        return status, headers, body

    def _stalling(self, beginning: bytes) -> Iterator[bytes]:
        yield beginning
        self.ended.wait(2)


def http_faults(seconds: float, seed: int) -> None:
    """A server fails, stalls, sends wrong parts and changes its files.

    What is read in parts is of one version for as long as a Storage lives, or an error that names the file.
    """
    count = 8
    files, rng = _Files(seed, count), random.Random(seed)
    until = time.monotonic() + seconds
    reads = errors = 0
    with AnswerServer(files.answer).running() as server, tempfile.TemporaryDirectory() as folder:
        while not reads or time.monotonic() < until:
            cache = folder if rng.random() < 0.5 else None
            storage = Storage(first_wait=0.0, attempts=4, read_timeout=0.3, cache_dir=cache, cache_bytes=500_000)
            seen: dict[int, bytes] = {}
            for _ in range(60):
                number = rng.randrange(count)
                reads += 1
                url, told = f"{server.url}/{number}", ""
                try:
                    _read(storage, url, number, seen, rng)
                except RuntimeError as error:
                    told = str(error)
                assert not told or f"{url}: " in told, told
                errors += bool(told)
        files.ended.set()
    assert errors < reads / 2, f"{errors} of {reads} reads failed"
    print(f"{reads} reads, {errors} of them errors")


def _read(storage: Storage, url: str, number: int, seen: dict[int, bytes], rng: random.Random) -> None:
    kind = rng.randrange(10)
    if kind == 0:
        assert storage.size(url) == 30_000
        return
    if kind == 1:
        whole = storage.read_one(url)
        assert any(whole == _Files.contents(number, version) for version in range(1000)), "a file that never was"
        return
    offset, length = (
        rng.randrange(29_000),
        rng.randrange(16, 1000),
    )  # of fewer bytes, several versions may have the same
    part = storage.read_one(url, offset, length)
    if number not in seen:
        versions = (_Files.contents(number, version) for version in range(1000))
        seen[number] = next(each for each in versions if each[offset : offset + length] == part)
    assert part == seen[number][offset : offset + length], f"{url}: parts of two versions"
