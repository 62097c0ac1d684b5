"""`readers.Caffe` and `readers.Caffe2`: what comes out of which database."""

from __future__ import annotations

import fsspec
import lmdb
import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock.readers import Caffe, Caffe2
from readers.lmdb_files import BYTE, FLOAT, INT32, INT64, STRING, datum, lmdb_file, tensor, tensors, write_lmdb
from readers.promises import check_resume, contents, values

IMAGE = tensor(STRING, b"a file", [1])


@pytest.fixture
def seven(tmp_path):
    return write_lmdb(tmp_path / "seven", [datum(b"file" * 400 * n + b"+", n, None, True) for n in range(7)])


def first_batch(reader, count):
    return contents(next(reader.next_epoch(batch_size=count)))


def one(folder, message, **arguments):
    """The outputs of Caffe2 for a database of one entry."""
    return [output[0] for output in first_batch(Caffe2(path=write_lmdb(folder / "one", [message]), **arguments), 1)]


def test_images_and_labels(seven):
    images, labels = first_batch(Caffe(path=seven), 7)
    assert [bytes(image) for image in images] == [b"file" * 400 * n + b"+" for n in range(7)]
    assert labels == [[n] for n in range(7)]


@pytest.mark.parametrize(
    ("count", "size"), [(0, 0), (1, 0), (1, 5000), (3, 1000), (200, 0), (200, 1000), (200, 5000), (5000, 0), (5000, 30)]
)
def test_databases_that_lmdb_itself_wrote(tmp_path, count, size):
    with lmdb.open(str(tmp_path), map_size=1 << 26) as database:
        for begin in range(0, count, 150):  # several transactions, so that pages are freed and used again
            with database.begin(write=True) as transaction:
                for n in range(begin, min(count, begin + 150)):
                    transaction.put(b"%05d" % (n * 7919 % count), datum(bytes([n % 256]) * size, n))
    if count == 0:
        with pytest.raises(RuntimeError, match="there are no entries in"):
            first_batch(Caffe(path=tmp_path), 1)
        return
    images, labels = first_batch(Caffe(path=tmp_path), count)
    with lmdb.open(str(tmp_path)) as database, database.begin() as transaction:
        stored = [value for _, value in transaction.cursor()]
    assert len(stored) == count
    assert [datum(bytes(image), label[0]) for image, label in zip(images, labels, strict=True)] == stored


@pytest.mark.parametrize("page_bytes", [256, 1024, 32768])
def test_pages_of_other_sizes(tmp_path, page_bytes):
    given = [datum(b"x" * (n * 37 % 600), n) for n in range(300)]
    images, labels = first_batch(Caffe(path=write_lmdb(tmp_path / "db", given, page_bytes)), 300)
    assert [len(image) for image in images] == [n * 37 % 600 for n in range(300)]
    assert labels == [[n] for n in range(300)]


def test_several_databases_in_any_order(seven, tmp_path):
    other = write_lmdb(tmp_path / "other", [datum(b"x", n) for n in (10, 11)], page_bytes=512)
    reader = Caffe(path=[seven, other, f"{seven}/data.mdb"])
    assert values(reader.read([15, 7, 0, 8, 6, 7])[1]) == [[6], [10], [0], [11], [6], [10]]


def test_a_sample_knows_its_database_and_key(seven):
    images, labels = next(ndd.readers.Caffe(path=seven).next_epoch(batch_size=2))
    assert (labels.dtype, labels.shape) == (ndd.int32, [(1,), (1,)])
    told = [bytes(np.asarray(text)).decode() for text in ndd.get_property(images, key="source_info")]
    assert told == [f"{seven} at key 00000000", f"{seven} at key 00000001"]


def test_parts_may_be_left_out(seven):
    assert first_batch(Caffe(path=seven, image_available=False), 2) == [[[0], [1]]]
    assert len(first_batch(Caffe(path=seven, label_available=False), 2)) == 1
    with pytest.raises(RuntimeError, match="nothing would be read"):
        Caffe(path=seven, image_available=False, label_available=False)


def test_images_that_are_not_encoded(tmp_path):
    path = write_lmdb(tmp_path / "db", [datum(bytes(range(6)), 1, (1, 2, 3), False), datum(b"a file", 2)])
    reader = Caffe(path=path)
    assert [values(outputs[0])[0] for outputs in reader.next_epoch()] == [
        [[[0], [1], [2]], [[3], [4], [5]]],
        [*b"a file"],
    ]
    with pytest.raises(RuntimeError, match="db at key 00000001: the image is a file, the first of the batch is not"):
        first_batch(Caffe(path=path), 2)


def test_databases_at_urls():
    system = fsspec.filesystem("memory")
    system.pipe_file("/db/data.mdb", lmdb_file([(b"%d" % n, datum(b"x" * 3000 * n, n)) for n in range(5)]))
    images, labels = first_batch(Caffe(path="memory://db"), 5)
    assert ([len(image) for image in images], labels) == ([0, 3000, 6000, 9000, 12000], [[n] for n in range(5)])


@pytest.mark.parametrize("order", [{}, {"random_shuffle": True, "seed": 4, "initial_fill": 3}])
@pytest.mark.parametrize("shards", [{}, {"num_shards": 2, "shard_id": 1}])
def test_resuming_is_exact(seven, tmp_path, order, shards):
    check_resume(lambda: Caffe(path=seven, enable_checkpointing=True, **order, **shards))
    given = [tensors(IMAGE, tensor(INT32, [n])) for n in range(7)]
    path = write_lmdb(tmp_path / "tensors", given)
    check_resume(lambda: Caffe2(path=path, enable_checkpointing=True, **order, **shards))


def test_labels_of_caffe2(tmp_path):
    classes, weights = tensor(INT32, [4, 1]), tensor(FLOAT, [0.5, 0.25])
    assert one(tmp_path, tensors(IMAGE, tensor(INT32, [-3]))) == [[*b"a file"], [-3]]
    assert one(tmp_path, tensors(IMAGE, tensor(FLOAT, [0.5])))[1] == [0.5]
    assert one(tmp_path, tensors(IMAGE, tensor(None, [0.5])))[1] == [0.5]
    assert one(tmp_path, tensors(IMAGE, classes), label_type=1, num_labels=5)[1] == [0, 1, 0, 0, 1]
    assert one(tmp_path, tensors(IMAGE, classes), label_type=2)[1] == [4, 1]
    assert one(tmp_path, tensors(IMAGE, classes, weights), label_type=3, num_labels=5)[1] == [0, 0.25, 0, 0, 0.5]
    assert one(tmp_path, tensors(IMAGE, classes), label_type=4) == [[*b"a file"]]


def test_other_tensors_of_caffe2(tmp_path):
    label, box = tensor(INT32, [5]), tensor(INT32, [1, 2, 30, 40])
    more = [tensor(INT64, [1 << 40, -1], packed=False), tensor(FLOAT, [0.5], packed=False)]
    expected = [[*b"a file"], [5], [1 << 40, -1], [0.5], [1, 2, 30, 40]]
    assert one(tmp_path, tensors(IMAGE, label, *more, box), additional_inputs=2, bbox=True) == expected
    assert one(tmp_path, tensors(IMAGE, label, *more, box), additional_inputs=1) == expected[:3]
    assert one(tmp_path, tensors(label, box), image_available=False, bbox=True) == [[5], [1, 2, 30, 40]]
    pixels = tensor(BYTE, bytes(range(6)), [1, 2, 3])
    assert one(tmp_path, tensors(pixels, label))[0] == [[[0, 1, 2], [3, 4, 5]]]
    assert one(tmp_path, tensors(tensor(BYTE, bytes(range(6)), [2, 3]), label))[0] == [[[0], [1], [2]], [[3], [4], [5]]]
