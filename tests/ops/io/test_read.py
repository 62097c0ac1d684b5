"""io.file.read: whole files by name."""

import numpy as np
import pytest

import penstock.dynamic as ndd


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


def test_arguments_of_other_ways_to_read_are_accepted(folder):
    for arguments in ({"dont_use_mmap": True}, {"use_o_direct": True}, {"batch_size": 2}):
        read = ndd.io.file.read(name(folder / "a"), **arguments)
        assert np.asarray(read if "batch_size" not in arguments else read.tensors[1]).tobytes() == b"a"


def test_empty_batches():
    assert ndd.io.file.read(ndd.batch(np.zeros((0, 4), np.uint8))).batch_size == 0


def test_a_file_that_cannot_be_read_is_named(folder):
    with pytest.raises(RuntimeError, match=r"File mapping failed: .*/nope: No such file"):
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
    assert any("/a" in note for note in caught.value.__notes__)
