"""`max_bytes` of files at URLs: what is larger is not fetched, and what does not tell its size no further than that."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import fsspec
import numpy as np
import pytest
from fsspec.implementations.memory import MemoryFileSystem

from penstock.storage import Names, Storage
from readers.servers import Answer, AnswerServer

LIMIT = 100_000
TOO_LARGE = f"/f: reading .* bytes of memory, more than the limit of {LIMIT}; raise max_bytes"


def read(url: str, **options: object) -> bytes:
    samples = Storage(max_bytes=LIMIT, attempts=1, **options).read("", Names.of([url]), np.array([0]))
    return samples.sample(0).tobytes()


@contextmanager
def served(answer: Callable[[str, str, str | None], Answer]) -> Iterator[str]:
    with AnswerServer(answer).running() as server:
        yield f"{server.url}/f"


@contextmanager
def never_sending(headers: dict[str, str], status: int = 200) -> Iterator[str]:
    """A file of which nothing ever comes: who waits for its contents hangs."""
    over = threading.Event()

    def nothing() -> Iterator[bytes]:
        over.wait()
        yield b""

    with served(lambda *asked: (status, headers, nothing())) as url:
        yield url
        over.set()


def test_a_file_that_says_it_is_too_large_is_not_read():
    with never_sending({"Content-Length": str(LIMIT + 1)}) as url, pytest.raises(RuntimeError, match=TOO_LARGE):
        read(url)


def test_a_compressed_file_that_is_too_large_is_read_no_further_than_the_limit():
    encoders = {"gzip": gzip.compress, "deflate": zlib.compress}
    for encoding, encode in encoders.items():
        for contents, fits in ((bytes(LIMIT), True), (bytes(LIMIT + 1), False), (bytes(1 << 26), False)):
            body = encode(contents)
            headers = {"Content-Length": str(len(body)), "Content-Encoding": encoding}
            answer = (200, headers, body)
            with served(lambda *asked, answer=answer: answer) as url:
                if fits:
                    assert read(url) == contents
                else:
                    with pytest.raises(RuntimeError, match=TOO_LARGE):
                        read(url)


def test_compressed_members_one_after_another_are_one_file():
    body = gzip.compress(b"abc") + gzip.compress(bytes(70_000)) + bytes(8)
    with served(lambda *asked: (200, {"Content-Encoding": "gzip", "Content-Length": str(len(body))}, body)) as url:
        assert read(url) == b"abc" + bytes(70_000)


def test_a_file_without_a_length_is_read_up_to_the_limit():
    def endless() -> Iterator[bytes]:
        while True:
            yield bytes(1 << 16)

    with served(lambda *asked: (200, {}, endless())) as url, pytest.raises(RuntimeError, match=TOO_LARGE):
        read(url)
    with served(lambda *asked: (200, {}, bytes(LIMIT))) as url:
        assert read(url) == bytes(LIMIT)


def test_a_part_that_sends_more_than_it_says_is_read_no_further():
    def endless() -> Iterator[bytes]:
        while True:
            yield bytes(1 << 16)

    told = {"Content-Range": "bytes 10-109/1000"}
    with (
        served(lambda *asked: (206, told, endless())) as url,
        pytest.raises(RuntimeError, match="101 bytes came for the Content-Range 'bytes 10-109/1000'"),
    ):
        Storage(attempts=1).read_one(url, 10, 100)


def test_what_the_cache_has_is_held_to_the_limit_too(tmp_path):
    with served(lambda *asked: (200, {"Content-Length": str(LIMIT + 1)}, bytes(LIMIT + 1))) as url:
        assert len(Storage(cache_dir=tmp_path).read_one(url)) == LIMIT + 1
        with pytest.raises(RuntimeError, match=TOO_LARGE):
            read(url, cache_dir=tmp_path)


class _Counted(MemoryFileSystem):
    """Files of which it is known how many bytes were read."""

    protocol = "counted"
    store: dict[str, Any] = {}  # noqa: RUF012
    tells_size = True
    fetched = 0

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return "/" + path.removeprefix("counted://").strip("/")

    def info(self, path: str, **options: Any) -> dict[str, Any]:
        told = super().info(path, **options)
        return told if self.tells_size else {**told, "size": None}

    def cat_file(self, *place: Any, **part: Any) -> bytes:
        contents: bytes = super().cat_file(*place, **part)
        _Counted.fetched += len(contents)
        return contents


@pytest.mark.parametrize(("tells_size", "most"), [(True, 0), (False, LIMIT + 1)])
def test_other_file_systems_are_asked_for_the_size(tells_size, most, monkeypatch):
    fsspec.register_implementation("counted", _Counted, clobber=True)
    monkeypatch.setattr(_Counted, "tells_size", tells_size)
    monkeypatch.setattr(_Counted, "fetched", 0)
    fsspec.filesystem("counted").pipe_file("/f", bytes(3 * LIMIT))
    with pytest.raises(RuntimeError, match=TOO_LARGE):
        read("counted://f")
    assert _Counted.fetched == most
    fsspec.filesystem("counted").pipe_file("/f", bytes(LIMIT))
    assert read("counted://f") == bytes(LIMIT)


_PEAK = """
import sys
import numpy as np
from penstock.storage import Names, Storage
url = sys.argv[1]
def peak():
    return int(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")).split()[1]) << 10
Storage().read_one(url + "/small")
before = peak()
for name in ("endless", "told", "gzip"):
    try:
        Storage(max_bytes=10 << 20, attempts=1).read("", Names.of([f"{url}/{name}"]), np.array([0]))
    except RuntimeError:
        continue
    raise SystemExit(f"{name} was read")
print((peak() - before) >> 20)
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="needs the process' peak from Linux")
@pytest.mark.memory
def test_memory_stays_near_the_limit_whatever_a_server_sends():
    def endless() -> Iterator[bytes]:
        for _ in range(1 << 12):
            yield bytes(1 << 18)

    def answer(method: str, path: str, asked: str | None) -> Answer:
        if path == "/small":
            return 200, {}, b"abc"
        if path == "/gzip":
            body = gzip.compress(bytes(1 << 28), 1)
            return 200, {"Content-Encoding": "gzip", "Content-Length": str(len(body))}, body
        return 200, {"Content-Length": str(1 << 30)} if path == "/told" else {}, endless()

    with AnswerServer(answer).running() as server:
        done = subprocess.run(
            [sys.executable, "-c", _PEAK, server.url], capture_output=True, text=True, timeout=120, check=False
        )
    assert done.returncode == 0, done.stderr + done.stdout
    assert int(done.stdout) <= 30  # MiB, of the limit of 10
