"""io.file.read: whole files by name."""

import fsspec
import numpy as np
import pytest

import penstock.dynamic as ndd
from messages import told
from readers.servers import FolderServer

PATIENT = ndd.readers.Storage(first_wait=0.0)


def name(path):
    return np.frombuffer(str(path).encode(), np.uint8)


@pytest.fixture
def folder(tmp_path):
    for file in ("a", "größe", "empty"):
        (tmp_path / file).write_bytes(file.encode() * (file != "empty"))
    return tmp_path


def test_contents(folder):
    assert np.asarray(ndd.io.file.read(name(folder / "a"))).tobytes() == b"a"
    batch = ndd.io.file.read(ndd.batch([name(folder / "a"), name(folder / "größe"), name(folder / "empty")]))
    assert [np.asarray(t).tobytes() for t in batch] == [b"a", "größe".encode(), b""]
    assert (batch.dtype, batch.ndim, batch.layout) == (ndd.uint8, 1, None)


def test_a_zero_byte_ends_a_name(folder):
    padded = np.concatenate([name(folder / "a"), np.zeros(4, np.uint8)])
    assert np.asarray(ndd.io.file.read(padded)).tobytes() == b"a"
    assert np.asarray(ndd.io.file.read(padded.view(np.int8))).tobytes() == b"a"


def test_a_limit_keeps_to_the_connections_and_the_cache_of_the_storage(tmp_path):
    fsspec.filesystem("memory").pipe_file("/limits/a", b"five!")
    storage = ndd.readers.Storage(cache_dir=tmp_path)
    contents = ndd.io.file.read(name("memory://limits/a"), storage=storage, max_bytes=5)
    assert np.asarray(contents).tobytes() == b"five!"
    assert "_remote" in vars(storage)  # what it was read with is kept for the next batch
    with pytest.raises(RuntimeError, match="more than the limit of 4"):
        ndd.io.file.read(name("memory://limits/a"), storage=storage, max_bytes=4).evaluate()


def test_arguments_of_other_ways_to_read_are_accepted(folder):
    for arguments in ({"dont_use_mmap": True}, {"use_o_direct": True}, {"batch_size": 2}):
        read = ndd.io.file.read(name(folder / "a"), **arguments)
        assert np.asarray(read if "batch_size" not in arguments else read.tensors[1]).tobytes() == b"a"


def test_empty_batches():
    assert ndd.io.file.read(ndd.batch(np.zeros((0, 4), np.uint8))).batch_size == 0


def test_a_file_that_cannot_be_read_is_named(folder):
    with pytest.raises(RuntimeError, match=r"File mapping failed: .*[/\\]nope: No such file"):
        ndd.io.file.read(ndd.batch([name(folder / "a"), name(folder / "nope")])).evaluate()
    with pytest.raises(RuntimeError, match="Is a directory"):
        ndd.io.file.read(name(folder)).evaluate()


def test_what_is_no_name_is_refused(folder):
    with pytest.raises(RuntimeError, match="1-D uint8, got 1-D i32"):
        ndd.io.file.read([97])
    with pytest.raises(RuntimeError, match="1-D uint8, got 2-D u8"):
        ndd.io.file.read(name(folder / "a")[None])
    with pytest.raises(RuntimeError, match="a tensor holds numbers, got str"):
        ndd.io.file.read("a")


def test_errors_of_later_operators_name_the_file(folder):
    with pytest.raises(RuntimeError) as caught:
        ndd.decoders.image(ndd.io.file.read(ndd.batch([name(folder / "a")]))).evaluate()
    assert str(folder / "a") in told(caught.value)


def texts(batch):
    return [np.asarray(sample).tobytes() for sample in batch]


def test_urls_are_read_where_paths_are(folder):
    fsspec.filesystem("memory").pipe("/somewhere/file", b"in memory")
    names = ndd.batch([name("memory://somewhere/file"), name(folder / "a")])
    read = ndd.io.file.read(names)
    assert texts(read) == [b"in memory", b"a"]
    assert texts(ndd.get_property(read, key="source_info")) == [b"memory://somewhere/file", bytes(folder / "a")]
    assert ndd.io.file.read(name("memory://somewhere/file"), batch_size=2).batch_size == 2
    with pytest.raises(RuntimeError, match="memory://somewhere/else: No such file or directory"):
        ndd.io.file.read(name("memory://somewhere/else")).evaluate()


@pytest.mark.parametrize("fault", ["500", "dropped", "cut short"])
def test_a_server_that_fails_is_asked_again(folder, fault):
    with FolderServer(folder).running() as server:
        server.faults["/a"] = [fault] * 3
        names = ndd.batch([name(f"{server.url}/a"), name(f"{server.url}/empty")])
        assert texts(ndd.io.file.read(names, storage=PATIENT)) == [b"a", b""]
        assert server.requests.count("/a") == 4


def test_files_that_cannot_be_read_may_be_replaced_or_left_out(folder):
    with FolderServer(folder).running() as server:
        names = ndd.batch([name(f"{server.url}/{file}") for file in ("nope", "a", "gone")])
        errors = []
        assert texts(ndd.io.file.read(names, on_error="replace", errors=errors, storage=PATIENT)) == [b"", b"a", b""]
        assert [(bad.index, bad.source) for bad in errors] == [(0, f"{server.url}/nope"), (2, f"{server.url}/gone")]
        assert server.requests.count("/a") == 1  # what could be read is not read again
        read, kept = ndd.io.file.read(names, on_error="skip", storage=PATIENT)
        assert (texts(read), kept) == ([b"a"], [1])
    instead = ndd.io.file.read(name("nope"), on_error=lambda bad, data: np.frombuffer(bad.source.encode(), np.uint8))
    assert np.asarray(instead).tobytes() == b"nope"


def test_a_storage_is_a_storage(folder):
    with pytest.raises(TypeError, match="storage is a Storage, got dict"):
        ndd.io.file.read(name(folder / "a"), storage={"anon": True})
