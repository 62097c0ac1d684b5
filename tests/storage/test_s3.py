"""Files in S3: one request for one attempt, parts of one version, and limits before anything is read."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import fsspec
import numpy as np
import pytest

from penstock.readers import File
from penstock.storage import Names, Storage
from readers.servers import Answer, AnswerServer, s3_server

LETTERS = bytes(range(97, 123))


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with pytest.MonkeyPatch.context() as environment, s3_server() as url:
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            environment.setenv(name, "test")
        bucket = fsspec.filesystem("s3", endpoint_url=url)
        bucket.mkdir("photos")
        for number in range(5):
            bucket.pipe_file(f"photos/train/class/{number}.jpg", str(number).encode())
        bucket.pipe_file("photos/letters", LETTERS)
        bucket.pipe_file("photos/empty", b"")
        yield url


@pytest.fixture
def stalled() -> Iterator[AnswerServer]:
    """A server that never answers."""
    over = threading.Event()

    def answer(method: str, path: str, asked: str | None) -> Answer:
        over.wait()
        return 503, {}, b""

    with AnswerServer(answer).running() as server:
        yield server
        over.set()


def storage(url: str, **options: object) -> Storage:
    return Storage(options={"endpoint_url": url}, **{"first_wait": 0.0, "attempts": 2, **options})


def test_files_and_folders(endpoint):
    # Not an epoch: what is read ahead for the next one would be asked for again and again when the server is gone.
    read = File(file_root="s3://photos/train", storage=storage(endpoint)).read(range(5))[0]
    assert [bytes(read.sample(i)) for i in range(5)] == [b"0", b"1", b"2", b"3", b"4"]
    assert storage(endpoint).size("s3://photos/train/class/1.jpg") == 1
    with pytest.raises(RuntimeError, match=r"s3://photos/train/nope\.jpg: No such file or directory"):
        storage(endpoint).read_one("s3://photos/train/nope.jpg")


def test_parts(endpoint):
    reading = storage(endpoint)
    assert reading.read_one("s3://photos/letters") == LETTERS
    assert reading.read_one("s3://photos/letters", 3, 4) == b"defg"
    assert reading.read_one("s3://photos/letters", 24) == b"yz"
    assert reading.read_one("s3://photos/letters", 26) == b""
    assert reading.read_one("s3://photos/empty") == b""
    for offset in (24, 26, 100):
        with pytest.raises(RuntimeError, match=f"the file has 26 bytes, the sample ends at byte {offset + 3}"):
            reading.read_one("s3://photos/letters", offset, 3)
    starts = reading.read_starts("s3://photos", Names.of(["letters", "empty"]), np.array([0, 1]), 30)
    assert [starts.sample(i).tobytes() for i in range(2)] == [LETTERS, b""]


def test_a_file_that_changes_between_its_parts_is_refused(endpoint):
    bucket, reading = fsspec.filesystem("s3", endpoint_url=endpoint), storage(endpoint)
    bucket.pipe_file("photos/changing", LETTERS)
    assert reading.read_one("s3://photos/changing", 0, 3) == b"abc"
    bucket.pipe_file("photos/changing", LETTERS.upper())
    with pytest.raises(RuntimeError, match="the file has changed since it was first read: its ETag was"):
        reading.read_one("s3://photos/changing", 3, 3)


def test_files_that_are_too_large_are_refused(endpoint):
    with pytest.raises(RuntimeError, match=r"s3://photos/letters: reading it would take 26 bytes .* the limit of 25"):
        storage(endpoint, max_bytes=25).read("s3://photos", Names.of(["letters"]), np.array([0]))
    whole = storage(endpoint, max_bytes=26).read("s3://photos", Names.of(["letters"]), np.array([0]))
    assert whole.sample(0).tobytes() == LETTERS


ASKS = {
    "whole": lambda reading: reading.read_one("s3://photos/a"),
    "part": lambda reading: reading.read_one("s3://photos/a", 3, 4),
    "size": lambda reading: reading.size("s3://photos/a"),
    "folder": lambda reading: reading.find_in_folders("s3://photos/train", ["*"], ["*"], True),
    "pattern": lambda reading: reading.find("s3://photos/*.parquet"),
}


@pytest.mark.parametrize("ask", ASKS.values(), ids=ASKS)
def test_an_attempt_is_one_request(ask):
    def answer(method: str, path: str, asked: str | None) -> Answer:
        return 503, {"Content-Length": "0"}, b""

    with AnswerServer(answer).running() as server:
        with pytest.raises(RuntimeError, match=r"s3://photos.*\(3 attempts\)"):
            ask(storage(server.url, attempts=3))
        assert server.asked.qsize() == 3


@pytest.mark.parametrize("ask", ASKS.values(), ids=ASKS)
def test_a_server_that_does_not_answer_is_given_up_after_the_attempts(ask, stalled):
    with pytest.raises(RuntimeError, match=r"s3://photos.*[Tt]imeout.*\(2 attempts\)"):
        ask(storage(stalled.url, read_timeout=0.1))
    assert stalled.asked.qsize() == 2


@pytest.mark.parametrize("ask", ASKS.values(), ids=ASKS)
def test_the_total_time_ends_all_attempts(ask, stalled):
    with pytest.raises(RuntimeError, match=r"s3://photos.*: not read within total_timeout=0.2 seconds"):
        ask(storage(stalled.url, read_timeout=None, attempts=1000, total_timeout=0.2))
    assert stalled.asked.qsize() <= 1  # none where making the connection took all of the time
