"""`readers.TFRecord`: features, order, files without an index, records that cannot be read."""

from __future__ import annotations

import fsspec
import numpy as np
import pytest

import penstock.dynamic as ndd
import penstock.tfrecord as tfrec
from penstock.readers import TFRecord
from readers.promises import check_resume, contents, values
from readers.record_files import example, feature, field, framed, ten_examples, varint, write_tfrecord

IMAGE = tfrec.FixedLenFeature((), tfrec.string, "")
LABEL = tfrec.FixedLenFeature([1], tfrec.int64, -1)


@pytest.fixture
def files(tmp_path):
    return write_tfrecord(tmp_path / "ten.tfrecord", ten_examples())


def one_batch(path, features, index_path=None, **arguments):
    return next(TFRecord(path=path, index_path=index_path, features=features, **arguments).next_epoch(batch_size=10))


def test_features_have_the_names_and_the_order_they_were_asked_for_in(files):
    batch = one_batch(files[0], {"label": LABEL, "image": IMAGE}, files[1])
    assert list(batch) == ["label", "image"]
    assert values(batch["label"]) == [[n] for n in range(10)]
    assert values(batch["image"]) == [[ord("i")] * (n + 1) for n in range(10)]


def test_shapes(files):
    features = {
        "label": tfrec.FixedLenFeature([], tfrec.int64, 0),
        "box": tfrec.FixedLenFeature([2, 2], tfrec.float32, 0.0),
        "ids": tfrec.VarLenFeature([2], tfrec.int64, 0),
        "scores": tfrec.VarLenFeature(tfrec.float32, 0.0),
    }
    label, box, ids, scores = contents(one_batch(files[0], features, files[1]))
    assert label == list(range(10))
    assert box == [[[n, n], [n, n]] for n in range(10)]
    assert ids == [np.arange(-n, n).reshape(-1, 2).tolist() for n in range(10)]
    assert scores == [[k + 0.5 for k in range(n)] for n in range(10)]


def test_batches_and_single_samples_of_ndd(files):
    reader = ndd.readers.TFRecord(path=files[0], index_path=files[1], features={"label": LABEL})
    batch = next(reader.next_epoch(batch_size=3))
    assert isinstance(batch["label"], ndd.Batch)
    assert (batch["label"].dtype, batch["label"].shape) == (ndd.int64, [(1,)] * 3)
    sample = next(ndd.readers.TFRecord(path=files[0], features={"label": LABEL}).next_epoch())
    assert isinstance(sample["label"], ndd.Tensor)
    assert list(ndd.readers.TFRecord(path=files[0], features={"label": LABEL})()) == ["label"]
    assert values(reader.read([7, 2])["label"]) == [[7], [2]]


def test_a_sample_knows_its_file_and_offset(files):
    batch = next(ndd.readers.TFRecord(path=files[0], features={"label": LABEL}).next_epoch(batch_size=2))
    told = [bytes(np.asarray(text)).decode() for text in ndd.get_property(batch["label"], key="source_info")]
    second = len(framed(ten_examples()[0]))
    assert told == [f"{files[0]} at index 0", f"{files[0]} at index {second}"]


def test_files_without_an_index_give_the_same(files, tmp_path):
    other, other_index = write_tfrecord(tmp_path / "other.tfrecord", [example({"image": [b"x"], "label": [99]})])
    features = {"image": IMAGE, "label": LABEL}
    indexed = TFRecord(path=[files[0], other], index_path=[files[1], other_index], features=features)
    scanned = TFRecord(path=[files[0], other], features=features)
    assert [contents(b) for b in scanned.next_epoch(batch_size=4)] == [
        contents(b) for b in indexed.next_epoch(batch_size=4)
    ]
    assert scanned.get_metadata()["epoch_size"] == 11


@pytest.mark.parametrize("size", [0, 1, 16_000, 16_384, 40_000])
def test_headers_are_found_wherever_they_lie_in_what_is_read_at_a_time(tmp_path, size):
    payloads = [example({"image": [b"x" * (size + n)], "label": [n]}) for n in range(40)]
    path, _ = write_tfrecord(tmp_path / "f", payloads)
    reader = TFRecord(path=path, features={"label": LABEL})
    assert [values(batch["label"])[0] for batch in reader.next_epoch(batch_size=1)] == [[n] for n in range(40)]


def test_files_at_urls(files):
    payloads = [example({"image": [bytes(400_000)], "label": [n]}) for n in range(7)]
    fsspec.filesystem("memory").pipe_file("/large.tfrecord", b"".join(map(framed, payloads)))
    reader = TFRecord(path="memory://large.tfrecord", features={"label": LABEL})
    assert values(next(reader.next_epoch(batch_size=7))["label"]) == [[n] for n in range(7)]
    fsspec.filesystem("memory").pipe_file("/cut.tfrecord", framed(payloads[0])[:-1])
    with pytest.raises(RuntimeError, match=r"memory://cut.tfrecord: at index 0: the record takes .* bytes"):
        next(TFRecord(path="memory://cut.tfrecord", features={"label": LABEL}).next_epoch())


@pytest.mark.parametrize("order", [{}, {"random_shuffle": True, "seed": 4, "initial_fill": 4}])
@pytest.mark.parametrize("shards", [{}, {"num_shards": 2, "shard_id": 1, "pad_last_batch": True}])
def test_resuming_is_exact(files, order, shards):
    features = {"image": IMAGE, "ids": tfrec.VarLenFeature(tfrec.int64, 0)}
    check_resume(
        lambda: TFRecord(path=files[0], features=features, enable_checkpointing=True, **order, **shards), batch_size=3
    )


def test_a_default_stands_in_for_a_missing_feature(tmp_path):
    path, _ = write_tfrecord(tmp_path / "f", [example({"label": [5]}), example({"label": None, "image": [b"there"]})])
    features = {
        "label": tfrec.FixedLenFeature([1], tfrec.int64, -7),
        "image": tfrec.FixedLenFeature((), tfrec.string, "none"),
        "score": tfrec.FixedLenFeature([1, 3], tfrec.float32, 0.25),
        "ids": tfrec.VarLenFeature([4], tfrec.int64, 3),
    }
    reader = TFRecord(path=path, features=features)
    label, image, score, ids = contents(next(reader.next_epoch(batch_size=2)))
    assert label == [[5], [-7]]
    assert [bytes(text) for text in image] == [b"none", b"there"]
    assert score == [[[0.25] * 3]] * 2
    assert ids == [[], []]


def test_checksums_of_any_length(tmp_path):
    numbers = np.random.default_rng(3)
    sizes = [*range(140), *range(470, 560), *range(1000, 1040), 3 * 3072 + 5]
    images = [numbers.integers(0, 256, size, np.uint8).tobytes() for size in sizes]
    path, _ = write_tfrecord(tmp_path / "f", [example({"image": [image]}) for image in images])
    batch = next(TFRecord(path=path, features={"image": IMAGE}).next_epoch(batch_size=len(sizes)))
    assert [bytes(each) for each in values(batch["image"])] == images


def test_unknown_fields_are_passed_over_and_the_last_of_two_entries_counts(tmp_path):
    unknown = (
        varint(9 << 3) + varint(300) + varint(9 << 3 | 1) + bytes(8) + varint(9 << 3 | 5) + bytes(4) + field(9, b"?")
    )
    entries = [field(1, unknown + field(1, b"label") + field(2, feature([n]))) for n in (3, 4)]
    path, _ = write_tfrecord(tmp_path / "f", [unknown + field(1, unknown + b"".join(entries))])
    assert values(one_batch(path, {"label": LABEL})["label"])[0] == [4]


def test_a_small_string_does_not_keep_the_records_in_memory(tmp_path):
    payloads = [example({"image": [bytes(5000)], "name": [b"n%d" % n]}) for n in range(2)]
    path, _ = write_tfrecord(tmp_path / "f", payloads)
    name = tfrec.FixedLenFeature((), tfrec.string, "")
    batch = next(TFRecord(path=path, features={"image": IMAGE, "name": name}).next_epoch(batch_size=2))
    assert batch["name"].dense
    assert not batch["image"].dense
    assert [bytes(text) for text in values(batch["name"])] == [b"n0", b"n1"]
