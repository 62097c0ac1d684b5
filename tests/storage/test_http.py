"""Reads over HTTP: what comes is what was asked for, of one version of the file, or an error that names it."""

from __future__ import annotations

import gzip
import io
import pickle
import tarfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from penstock.readers import Webdataset
from penstock.storage import Names, Storage
from readers.promises import values
from readers.servers import Answer, AnswerServer, ranged

LETTERS = bytes(range(97, 123)) * 400


def storage(**options: object) -> Storage:
    return Storage(first_wait=0.0, **{"attempts": 2, **options})


@contextmanager
def served(answer: Callable[[str, str, str | None], Answer]) -> Iterator[str]:
    with AnswerServer(answer).running() as server:
        yield f"{server.url}/letters"


def in_versions(*versions: tuple[bytes, dict[str, str]]) -> Callable[[str, str, str | None], Answer]:
    """A file that is another one at every request, the last of them at all that follow."""
    left = list(versions)

    def answer(method: str, path: str, asked: str | None) -> Answer:
        contents, headers = left.pop(0) if len(left) > 1 else left[0]
        status, own, body = ranged(contents, asked)
        return status, {**own, **headers}, body

    return answer


def test_parts_that_are_whole_and_of_one_version():
    headers = {"ETag": '"a"', "Last-Modified": "Mon, 16 Nov 2026 10:00:00 GMT"}
    with served(in_versions((LETTERS, headers))) as url:
        reading = storage()
        assert reading.size(url) == len(LETTERS)
        assert reading.read_one(url, 26, 3) == b"abc"
        assert reading.read_one(url, len(LETTERS) - 2) == b"yz"
        assert reading.read_one(url, len(LETTERS)) == b""
        assert reading.read_one(url) == LETTERS


@pytest.mark.parametrize(
    "told",
    ["bytes 0-2/10400", "bytes 27-29/10400", "bytes 26-31/10400", "bytes 26-28/20", "bytes */10400", "", "26-28"],
)
def test_another_range_than_the_one_asked_for_is_refused(told):
    def answer(method: str, path: str, asked: str | None) -> Answer:
        return 206, {"Content-Length": "3", "Content-Range": told}, b"xyz"

    with served(answer) as url, pytest.raises(RuntimeError, match=r"/letters: .*Content-Range.*\(2 attempts\)"):
        storage().read_one(url, 26, 3)


def test_another_range_than_the_one_asked_for_is_asked_for_again():
    wrong = iter([{"Content-Range": "bytes 0-2/10400"}])

    def answer(method: str, path: str, asked: str | None) -> Answer:
        status, headers, body = ranged(LETTERS, asked)
        return status, {**headers, **next(wrong, {})}, body

    with served(answer) as url:
        assert storage().read_one(url, 26, 3) == b"abc"


@pytest.mark.parametrize("length", ["3", "2"])
def test_a_part_that_is_shorter_than_its_range_is_refused(length):
    def answer(method: str, path: str, asked: str | None) -> Answer:
        return 206, {"Content-Length": length, "Content-Range": "bytes 26-28/10400"}, b"ab"

    with served(answer) as url, pytest.raises(RuntimeError, match=r"/letters: .*\(2 attempts\)"):
        storage().read_one(url, 26, 3)


def test_a_part_of_the_range_is_not_all_of_it():
    def answer(method: str, path: str, asked: str | None) -> Answer:
        return 206, {"Content-Length": "2", "Content-Range": "bytes 26-27/10400"}, b"ab"

    with served(answer) as url:
        for length in (3, -1):
            with pytest.raises(
                RuntimeError, match=r"/letters: 2 bytes came of those asked for from 26 on \(2 attempts"
            ):
                storage().read_one(url, 26, length)


def test_a_range_where_the_whole_file_was_asked_for_is_refused():
    def answer(method: str, path: str, asked: str | None) -> Answer:
        return 206, {"Content-Length": "3", "Content-Range": "bytes 0-2/10400"}, b"abc"

    with served(answer) as url, pytest.raises(RuntimeError, match="asked for the whole file"):
        storage().read_one(url)


def test_a_part_behind_the_end_is_told_as_for_local_files():
    with served(in_versions((LETTERS, {}))) as url:
        for offset in (10398, 10400, 20000):
            why = f"the file has 10400 bytes, the sample ends at byte {offset + 5}"
            with pytest.raises(RuntimeError, match=rf"/letters: {why}$"):
                storage().read_one(url, offset, 5)


@pytest.mark.parametrize("headers", [{}, {"ETag": '"a"'}])
def test_a_server_without_ranges_sends_the_whole_file_and_the_part_is_taken_from_it(headers):
    def answer(method: str, path: str, asked: str | None) -> Answer:
        return 200, {"Content-Length": str(len(LETTERS)), **headers}, LETTERS

    with served(answer) as url:
        reading = storage()
        assert reading.size(url) == len(LETTERS)
        for offset, length in ((26, 3), (0, 10400), (10397, 3), (5000, 0)):
            assert reading.read_one(url, offset, length) == LETTERS[offset : offset + length]
        assert reading.read_one(url, 9000) == LETTERS[9000:]
        with pytest.raises(RuntimeError, match="the file has 10400 bytes, the sample ends at byte 10401"):
            reading.read_one(url, 10000, 401)
        starts = reading.read_starts("", Names.of([url]), np.array([0]), 20_000)
        assert bytes(values(starts)[0]) == LETTERS


def test_no_more_of_a_file_is_waited_for_than_is_needed():
    def answer(method: str, path: str, asked: str | None) -> Answer:
        return 200, {"Content-Length": str(1 << 40)}, iter([LETTERS])

    with served(answer) as url:
        assert storage().read_one(url, 52, 3) == b"abc"


@pytest.mark.parametrize(
    ("first", "second", "told"),
    [
        ({"ETag": '"a"'}, {"ETag": '"b"'}, 'its ETag was "a" and is "b" now'),
        ({"Last-Modified": "1"}, {"Last-Modified": "2"}, "it was last modified 1 and now 2"),
        ({"ETag": 'W/"a"', "Last-Modified": "1"}, {"ETag": 'W/"a"', "Last-Modified": "2"}, "last modified 1 and now 2"),
        ({"ETag": '"a"'}, {}, 'it had ETag "a", now there is neither ETag nor Last-Modified to compare'),
        ({"ETag": '"a"'}, {"Last-Modified": "1"}, 'it had ETag "a", now there is Last-Modified 1 to compare'),
    ],
)
def test_parts_of_two_versions_are_an_error_that_names_the_file(first, second, told):
    answer = in_versions((LETTERS, first), (LETTERS.upper(), second))
    with served(answer) as url:
        reading = storage()
        assert reading.read_one(url, 26, 3) == b"abc"
        with pytest.raises(RuntimeError, match=f"/letters: the file has changed since it was first read: .*{told}"):
            reading.read_one(url, 52, 3)
        assert storage().read_one(url, 52, 3) == b"ABC"  # one that knows nothing of the other version


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"ETag": '"a"', "Last-Modified": "1"}, {"ETag": '"a"', "Last-Modified": "2"}),
        ({"ETag": '"a"'}, {"ETag": 'W/"a"'}),
        ({"ETag": '"a"', "Last-Modified": "1"}, {"Last-Modified": "1"}),
        ({}, {"ETag": '"a"'}),
    ],
)
def test_what_may_be_one_version_is_taken_for_one(first, second):
    with served(in_versions((LETTERS, first), (LETTERS, second))) as url:
        reading = storage()
        assert [reading.read_one(url, offset, 3) for offset in (26, 52)] == [b"abc"] * 2


def test_a_file_that_has_another_size_is_another_version():
    with served(in_versions((LETTERS, {}), (LETTERS[:-1], {}))) as url:
        reading = storage()
        reading.size(url)
        with pytest.raises(RuntimeError, match="it had 10400 bytes and has 10399 now"):
            reading.read_one(url, 0, 5)


def test_a_version_is_known_in_other_processes_as_well():
    with served(in_versions((LETTERS, {"ETag": '"a"'}), (LETTERS, {"ETag": '"b"'}))) as url:
        reading = storage()
        reading.size(url)
        with pytest.raises(RuntimeError, match="the file has changed"):
            pickle.loads(pickle.dumps(reading)).read_one(url, 0, 5)


def test_whole_files_may_change_between_reads():
    with served(in_versions((b"old", {"ETag": '"a"'}), (b"newer", {"ETag": '"b"'}))) as url:
        reading = storage()
        assert [reading.read_one(url) for _ in range(2)] == [b"old", b"newer"]


def tar_of(contents: bytes) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for number in range(4):
            member = tarfile.TarInfo(f"{number}.txt")
            member.size = len(contents)
            archive.addfile(member, io.BytesIO(contents))
    return file.getvalue()


def test_an_archive_that_changes_under_its_reader_is_an_error_that_names_it():
    versions = [(tar_of(b"one version"), {"ETag": '"a"'})]
    with served(lambda *request: in_versions(versions[-1])(*request)) as url:
        reader = Webdataset(paths=[url], ext=["txt"], storage=storage())
        assert [bytes(value) for value in values(reader.read([0])[0])] == [b"one version"]
        versions.append((tar_of(b"the other 1"), {"ETag": '"b"'}))
        with pytest.raises(RuntimeError, match="/letters: the file has changed since it was first read"):
            reader.read([1])


def test_kept_parts_of_another_version_are_not_mixed_with_new_ones(tmp_path):
    versions = [(LETTERS, {"ETag": '"a"'})]
    with served(lambda *request: in_versions(versions[-1])(*request)) as url:
        assert storage(cache_dir=tmp_path).read_one(url, 26, 3) == b"abc"
        versions.append((LETTERS.upper(), {"ETag": '"b"'}))
        aware = storage(cache_dir=tmp_path)
        aware.size(url)  # which tells that what is kept is old
        assert [aware.read_one(url, offset, 3) for offset in (26, 52)] == [b"ABC"] * 2


def test_parts_of_a_version_that_is_gone_are_an_error_once(tmp_path):
    versions = [(LETTERS, {"ETag": '"a"'})]
    with served(lambda *request: in_versions(versions[-1])(*request)) as url:
        assert storage(cache_dir=tmp_path).read_one(url, 26, 3) == b"abc"
        versions.append((LETTERS.upper(), {"ETag": '"b"'}))
        unaware = storage(cache_dir=tmp_path)
        assert unaware.read_one(url, 26, 3) == b"abc"
        with pytest.raises(RuntimeError, match="the file has changed"):
            unaware.read_one(url, 52, 3)
        later = storage(cache_dir=tmp_path)
        assert [later.read_one(url, offset, 3) for offset in (26, 52)] == [b"ABC"] * 2


@pytest.mark.parametrize(("encoding", "encode"), [("gzip", gzip.compress), ("deflate", zlib.compress)])
def test_files_that_are_sent_compressed(encoding, encode):
    def answer(method: str, path: str, asked: str | None) -> Answer:
        body = encode(LETTERS)
        return 200, {"Content-Length": str(len(body)), "Content-Encoding": encoding, "ETag": '"x"'}, body

    with served(answer) as url:
        assert storage().read_one(url) == LETTERS
        assert storage().read_one(url, 26, 3) == b"abc"
        with pytest.raises(RuntimeError, match="/letters: the server does not say how large the file is"):
            storage().size(url)


@pytest.mark.parametrize(("encoding", "encode"), [("gzip", gzip.compress), ("deflate", zlib.compress)])
def test_a_compressed_file_that_ends_too_early_is_refused(encoding, encode):
    def answer(method: str, path: str, asked: str | None) -> Answer:
        body = encode(LETTERS)[:-6]
        return 200, {"Content-Length": str(len(body)), "Content-Encoding": encoding}, body

    with served(answer) as url, pytest.raises(RuntimeError, match=rf"/letters: the body is no whole {encoding}"):
        storage().read_one(url)


def test_parts_of_a_compressed_file_are_refused():
    def answer(method: str, path: str, asked: str | None) -> Answer:
        status, headers, body = ranged(gzip.compress(LETTERS), asked)
        return status, {**headers, "Content-Encoding": "gzip"}, body

    with (
        served(answer) as url,
        pytest.raises(RuntimeError, match=r"/letters: .* parts of the file in the encoding gzip$"),
    ):
        storage().read_one(url, 10, 3)


@pytest.mark.parametrize(("etag", "fits"), [('"a-gzip"', True), ('W/"a"', True), ('"b-gzip"', False), (None, False)])
def test_a_part_of_a_file_that_is_suddenly_sent_compressed(etag, fits):
    answers = iter([ranged(LETTERS, "bytes=26-28")])

    def answer(method: str, path: str, asked: str | None) -> Answer:
        body = gzip.compress(LETTERS)
        told = {"ETag": etag} if etag else {}
        packed = 200, {"Content-Length": str(len(body)), "Content-Encoding": "gzip", **told}, body
        status, headers, part = next(answers, packed)
        return status, headers if status == 200 else {**headers, "ETag": '"a"'}, part

    with served(answer) as url:
        reading = storage()
        assert reading.read_one(url, 26, 3) == b"abc"
        if fits:
            assert reading.read_one(url, 52, 3) == b"abc"
        else:
            with pytest.raises(RuntimeError, match="the file has changed"):
                reading.read_one(url, 52, 3)


def test_an_encoding_that_is_not_known_is_refused():
    def answer(method: str, path: str, asked: str | None) -> Answer:
        return 200, {"Content-Length": "3", "Content-Encoding": "brotli-2"}, b"abc"

    with served(answer) as url, pytest.raises(RuntimeError, match=r"the file in the encoding brotli-2$"):
        storage().read_one(url)


def test_redirects_are_followed_with_the_range():
    def answer(method: str, path: str, asked: str | None) -> Answer:
        if path == "/letters":
            return 302, {"Location": "/elsewhere", "Content-Length": "0", "ETag": '"of the redirect"'}, b""
        status, headers, body = ranged(LETTERS, asked)
        return status, {**headers, "ETag": '"a"'}, body

    with served(answer) as url:
        reading = storage()
        assert reading.size(url) == len(LETTERS)
        assert reading.read_one(url, 26, 3) == b"abc"
        assert reading.read_one(url) == LETTERS


def test_a_redirect_that_never_ends_is_an_error_that_names_the_file():
    def answer(method: str, path: str, asked: str | None) -> Answer:
        return 302, {"Location": "/letters", "Content-Length": "0"}, b""

    with served(answer) as url, pytest.raises(RuntimeError, match="/letters: "):
        storage().read_one(url, 26, 3)


@pytest.mark.parametrize("status", [204, 304, 400, 403])
def test_an_answer_that_is_no_file_is_refused(status):
    def answer(method: str, path: str, asked: str | None) -> Answer:
        return status, {"Content-Length": "0"}, b""

    with served(answer) as url:
        for offset in (0, 26):
            with pytest.raises(RuntimeError, match=f"/letters: {status} "):
                storage().read_one(url, offset)


def test_the_size_is_asked_for_again_like_everything_else():
    """A server in trouble was told as a missing file."""
    failures = iter([503, 500])

    def answer(method: str, path: str, asked: str | None) -> Answer:
        status = next(failures, None)
        return (status, {"Content-Length": "0"}, b"") if status else ranged(LETTERS, asked)

    with served(answer) as url:
        assert storage(attempts=3).size(url) == len(LETTERS)


@pytest.mark.parametrize("contents", [LETTERS, b""])
def test_the_size_of_a_file_on_a_server_that_refuses_head(contents):
    def answer(method: str, path: str, asked: str | None) -> Answer:
        return (403, {"Content-Length": "0"}, b"") if method == "HEAD" else ranged(contents, asked)

    with served(answer) as url:
        assert storage().size(url) == len(contents)


def test_the_start_of_an_empty_file():
    with served(in_versions((b"", {}))) as url:
        assert len(storage().read_starts("", Names.of([url]), np.array([0]), 10).sample(0)) == 0


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_followed(status):
    def answer(method: str, path: str, asked: str | None) -> Answer:
        if path == "/letters":
            return status, {"Location": "/elsewhere", "Content-Length": "0"}, b""
        return ranged(LETTERS, asked)

    with served(answer) as url:
        assert storage().size(url) == len(LETTERS)
        assert storage().read_one(url) == LETTERS
        assert storage().read_one(url, 26, 3) == b"abc"


@pytest.mark.parametrize(
    ("where", "told"),
    [
        ("/letters", "the server sends the request on and on, 10 times"),
        ("file:///etc/hosts", "the server sends the request on to what is no URL of HTTP: file:///etc/hosts"),
        ("ftp://host/a", "the server sends the request on to what is no URL of HTTP: ftp://host/a"),
    ],
)
def test_a_redirect_that_leads_nowhere_is_not_tried_again(where, told):
    def answer(method: str, path: str, asked: str | None) -> Answer:
        return 302, {"Location": where, "Content-Length": "0"}, b""

    with served(answer) as url:
        for ask in (storage().read_one, storage().size):
            with pytest.raises(RuntimeError, match=rf"/letters: .*{told}$"):
                ask(url)
