"""Files anywhere: local, over HTTP with a server that fails to order, in S3, in memory, in a cache."""

from __future__ import annotations

import builtins
import os
import pickle
import signal

import fsspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from penstock.readers import File
from penstock.readers.core.sample_source import UnreadableError
from penstock.storage import Names, Storage
from readers.promises import check_resume, epochs, numbered_files, values
from readers.servers import FolderServer

PATIENT = Storage(first_wait=0.0)


@pytest.fixture
def server(tmp_path):
    numbered_files(tmp_path, 12)
    with FolderServer(tmp_path).running() as running:
        yield running


def listed(server: FolderServer, **options: object) -> File:
    names = [f"class/{number:03d}.jpg" for number in range(12)]
    return File(files=names, file_root=server.url, storage=options.pop("storage", PATIENT), **options)


def texts(samples: object) -> list[bytes]:
    return [bytes(value) for value in values(samples)]


def test_files_are_read_over_http(server):
    assert epochs(listed(server), 1, 4) == [[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]]


def test_folders_are_listed_over_http(server):
    reader = File(file_root=server.url, storage=PATIENT)
    assert epochs(reader, 1, 6) == [[[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]]]
    assert reader.read([3])[0].sources == ["class/003.jpg"]


@pytest.mark.parametrize("fault", ["500", "dropped", "cut short", "dribbled"])
def test_faults_are_outlived_without_a_wrong_or_missing_sample(server, fault):
    for number in (0, 3, 4, 11):
        server.faults[f"/class/{number:03d}.jpg"] = [fault] * 3
    assert epochs(listed(server), 2, 4) == [[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]] * 2


def test_a_server_that_never_recovers_is_an_error_that_names_the_file(server):
    server.faults["/class/005.jpg"] = ["500"] * 3
    reader = listed(server, storage=Storage(first_wait=0.0, attempts=3))
    with pytest.raises(RuntimeError, match=r"class/005\.jpg: 500.*\(3 attempts\)"):
        epochs(reader, 1, 4)
    assert server.requests.count("/class/005.jpg") == 3


def test_a_missing_file_is_asked_for_once(server):
    reader = File(files=["class/000.jpg", "nope.jpg"], file_root=server.url, storage=PATIENT, on_error="skip")
    assert epochs(reader, 1) == [[[0]]]
    assert server.requests.count("/nope.jpg") == 1
    assert "nope.jpg: No such file or directory" in str(reader.errors[0].error)


def test_requests_are_made_at_the_same_time_but_no_more_than_asked_for(server):
    for number in (0, 1):
        server.faults[f"/class/{number:03d}.jpg"] = ["in pairs"]
    epochs(listed(server, storage=Storage(concurrency=3)), 2, 12)
    assert 2 <= server.most_at_once <= 3


def test_parts_of_files(server, tmp_path):
    (tmp_path / "letters").write_bytes(b"abcdefghij")
    for root in (str(tmp_path), server.url):
        parts = PATIENT.read_parts(
            root, Names.of(["letters"]), np.zeros(3, int), np.array([2, 0, 9]), np.array([3, 0, -1])
        )
        assert texts(parts) == [b"cde", b"", b"j"]
        with pytest.raises(UnreadableError, match="letters: "):
            PATIENT.read_parts(root, Names.of(["letters"]), np.array([0]), np.array([8]), np.array([5]))
        assert PATIENT.size(f"{root}/letters") == 10
        assert PATIENT.read_one(f"{root}/letters", 1, 2) == b"bc"


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 3000), st.integers(0, 400_000)), max_size=12), st.integers(0, 1))
def test_neighbours_in_a_file_are_read_as_they_are_alone(tmp_path_factory, gaps, back):
    path = tmp_path_factory.getbasetemp() / "neighbours"
    if not path.exists():
        path.write_bytes(np.random.default_rng(0).bytes(6_000_000))
    contents, offsets, lengths, end = path.read_bytes(), [], [], 0
    for gap, length in gaps:
        offsets.append(min(max(0, end + gap - back * 1000), len(contents) - length))
        lengths.append(length)
        end = offsets[-1] + length
    parts = Storage().read_parts(
        "",
        Names.of([str(path)]),
        np.zeros(len(gaps), np.int64),
        np.array(offsets, np.int64),
        np.array(lengths, np.int64),
    )
    assert texts(parts) == [contents[start : start + length] for start, length in zip(offsets, lengths, strict=True)]


def test_neighbours_are_one_read_also_in_descending_order(tmp_path):
    (tmp_path / "a").write_bytes(b"0123456789" * 10)
    offsets = np.array([60, 40, 20, 0])
    parts = Storage().read_parts(str(tmp_path), Names.of(["a"]), np.zeros(4, np.int64), offsets, np.full(4, 7))
    assert texts(parts) == [b"0123456"] * 4
    places = np.array([parts.sample(at).ctypes.data for at in range(4)])
    assert (places - places[-1]).tolist() == offsets.tolist()  # in memory as in the file


def test_it_goes_to_other_processes_after_it_was_used(server, tmp_path):
    (tmp_path / "letters").write_bytes(b"abcdefghij")
    storage = Storage(first_wait=0.01, map_files=True)
    for root in (str(tmp_path), server.url):
        place = (Names.of(["letters"]), np.array([0]), np.array([2]), np.array([3]))
        assert texts(storage.read_parts(root, *place)) == [b"cde"]
    copy = pickle.loads(pickle.dumps(storage))
    assert copy.first_wait == 0.01
    assert texts(copy.read_parts(str(tmp_path), *place)) == [b"cde"]


def test_a_piece_behind_the_end_does_not_harm_its_neighbours(tmp_path):
    (tmp_path / "a").write_bytes(b"0123456789")
    with pytest.raises(UnreadableError) as caught:
        Storage().read_parts(
            str(tmp_path), Names.of(["a"]), np.zeros(3, np.int64), np.array([0, 4, 6]), np.array([4, 9, 4])
        )
    assert list(caught.value.failures) == [1]
    assert "the file has 10 bytes, the sample ends at byte 13" in str(caught.value)


def test_lines_of_a_text_longer_than_a_window(tmp_path):
    lines = [f"{number} " + "\u00e9" * (number % 7) for number in range(60_000)]
    for ending in ("\n", ""):
        (tmp_path / "a.txt").write_text("\n".join(lines) + ending)
        assert list(Storage().lines(str(tmp_path / "a.txt"))) == lines


def test_a_reader_of_urls_resumes_exactly(server):
    check_resume(lambda: listed(server, random_shuffle=True, enable_checkpointing=True), batch_size=5)


def test_what_was_fetched_is_kept(server, tmp_path_factory):
    kept = Storage(cache_dir=tmp_path_factory.mktemp("cache"), first_wait=0.0)
    first = epochs(listed(server, storage=kept), 1, 4)
    asked = len(server.requests)
    assert epochs(listed(server, storage=kept), 1, 4) == first
    assert len(server.requests) == asked


def test_files_in_memory():
    with fsspec.open("memory://penstock/cat/a.jpg", "wb") as file:
        file.write(b"0")
    reader = File(file_root="memory://penstock")
    assert texts(reader.read([0])[0]) == [b"0"]


@pytest.mark.filterwarnings("ignore:os.fork")  # JAX warns, if a test before this one has imported it
def test_a_forked_child_fetches_with_threads_of_its_own():
    fsspec.filesystem("memory").pipe_file("/forked/a", b"abc")
    assert PATIENT.read_one("memory://forked/a") == b"abc"
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        os._exit(0 if PATIENT.read_one("memory://forked/a") == b"abc" else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_without_fsspec_the_error_names_the_extra(monkeypatch):
    real = builtins.__import__

    def missing(name: str, *rest: object) -> object:
        if name.startswith("fsspec"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(ImportError, match=r"pip install penstock\[remote\]"):
        PATIENT.read_one("https://example.invalid/a.jpg")
    names = ndd.batch([np.frombuffer(b"https://example.invalid/a.jpg", np.uint8)])
    with pytest.raises(ImportError, match=r"pip install penstock\[remote\]"):
        ndd.io.file.read(names, on_error="replace").evaluate()
    with pytest.raises(ImportError, match=r"pip install penstock\[remote\]"):
        next(File(files=["https://example.invalid/a.jpg"], on_error="skip").next_epoch(batch_size=1))


def test_settings_that_mean_nothing_are_refused():
    with pytest.raises(ValueError, match="attempts must be at least 1, got 0"):
        Storage(attempts=0)
