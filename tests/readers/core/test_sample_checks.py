"""Samples that are looked into before they are handed out."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import cv2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ended_workers import collect_until_ended
from ops.promises import photos
from readers.promises import check_resume
from readers.tars import write_tar

CLASSES = 3


def numbered_photos(root: Path, count: int, bad: frozenset[int]) -> Path:
    """JPEGs as wide as their number says, a class for each third; the bad ones are cut off."""
    for number in range(count):
        data = cv2.imencode(".jpg", photos([(8, 10 + number)])[0])[1].tobytes()
        file = root / f"class{number % CLASSES}" / f"{number:03d}.jpg"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data[:-100] if number in bad else data)
    return root


def by_class(count: int) -> list[int]:
    """The numbers in the order of the data set."""
    return sorted(range(count), key=lambda number: (number % CLASSES, number))


def steps(reader: Any, batch_size: int) -> list[list[tuple[int, int]]]:
    """The number of each decoded image and its label."""
    return [
        [(image.shape[1] - 10, label.item()) for image, label in zip(ndd.decoders.image(files), labels, strict=True)]
        for files, labels in reader.next_epoch(batch_size=batch_size)
    ]


def reader_of(root: Path, **options: Any) -> Any:
    return ndd.readers.File(file_root=root, check=ndd.decoders.image, **options)


def test_images_and_labels_stay_together_and_batches_are_filled(tmp_path):
    numbered_photos(tmp_path, 11, frozenset({0, 4, 10}))
    reader = reader_of(tmp_path, on_error="skip")
    read = steps(reader, 4)
    assert [len(batch) for batch in read] == [4, 4]
    flat = [pair for batch in read for pair in batch]
    assert [number for number, _ in flat] == [n for n in by_class(11) if n not in (0, 4, 10)]
    assert all(label == number % CLASSES for number, label in flat)
    assert [Path(bad.source).stem for bad in reader.errors] == ["000", "004", "010"]
    assert [bad.index for bad in reader.errors] == [by_class(11).index(n) for n in (0, 4, 10)]


def test_raise_names_the_sample(tmp_path):
    numbered_photos(tmp_path, 5, frozenset({3}))
    message = r"sample 1, class0/003\.jpg, does not pass the check: the JPEG ends early"
    with pytest.raises(RuntimeError, match=message) as raised:
        steps(reader_of(tmp_path), 5)
    assert not getattr(raised.value, "__notes__", [])
    with pytest.raises(RuntimeError, match=message):
        reader_of(tmp_path).read([1])


def test_replace_and_functions_work_as_for_files_that_cannot_be_read(tmp_path):
    numbered_photos(tmp_path, 6, frozenset({2}))
    order = by_class(6)
    at = order.index(2)
    read = steps(reader_of(tmp_path, on_error="replace"), 6)[0]
    assert read[at] == (order[(at + 1) % 6], order[(at + 1) % 6] % CLASSES)
    read = steps(reader_of(tmp_path, on_error=lambda bad: 0), 6)[0]
    assert read[at] == (order[0], 0)


def test_every_sample_is_checked_once(tmp_path):
    numbered_photos(tmp_path, 7, frozenset({1, 2}))
    sizes: list[int] = []

    def check(files):
        sizes.append(files.batch_size)
        ndd.decoders.image(files)

    reader = ndd.readers.File(file_root=tmp_path, check=check, on_error="skip")
    for _ in range(4):
        steps(reader, 7)
    assert sizes == [7, *[1] * 7]  # all at once, and to find out which are bad one by one


def test_a_check_for_every_output(tmp_path):
    good = cv2.imencode(".png", photos([(5, 6)])[0])[1].tobytes()
    members = [("a.jpg", good), ("a.seg.png", good), ("b.jpg", good), ("b.seg.png", good[:-9]), ("c.jpg", good[:30]),
               ("c.seg.png", good), ("d.jpg", good), ("d.seg.png", good)]  # fmt: skip
    archive = write_tar(tmp_path / "a.tar", members)
    decode = ndd.decoders.image
    options = {"paths": archive, "ext": ["jpg", "seg.png"], "on_error": "skip"}
    reader = ndd.readers.Webdataset(check=[decode, decode], **options)
    ((jpegs, masks),) = reader.next_epoch(batch_size=2)
    assert [index.item() for index in ndd.get_property(jpegs, key="index")] == [0, 3]
    assert decode(jpegs).shape == decode(masks).shape == [(5, 6, 3)] * 2
    only_masks = ndd.readers.Webdataset(check=[None, decode], **options)
    assert [index.item() for index in ndd.get_property(next(only_masks.next_epoch(batch_size=3))[1], key="index")] == [
        0, 2, 3,
    ]  # fmt: skip
    with pytest.raises(ValueError, match="3 checks, the reader has 2 outputs"):
        next(ndd.readers.Webdataset(check=[decode] * 3, **options).next_epoch(batch_size=2))


@pytest.mark.parametrize("wrong", [5, "image", [5], [ndd.decoders.image, "x"]])
def test_what_is_no_check(wrong):
    with pytest.raises(TypeError, match="check is a function, or a list of one for each output, got"):
        ndd.readers.File(file_root=".", check=wrong)


def test_missing_packages_are_no_bad_samples(tmp_path):
    numbered_photos(tmp_path, 3, frozenset())

    def check(files):
        raise ImportError("pip install something")

    with pytest.raises(ImportError, match="pip install something"):
        steps(ndd.readers.File(file_root=tmp_path, check=check, on_error="skip"), 3)


def test_nothing_passes(tmp_path):
    numbered_photos(tmp_path, 4, frozenset(range(4)))
    with pytest.raises(RuntimeError, match="none of 4 samples can be read; the last: sample"):
        steps(reader_of(tmp_path, on_error="skip"), 2)


def test_a_reader_that_checks_ends_its_thread_when_it_is_dropped(tmp_path):
    numbered_photos(tmp_path, 4, frozenset({1}))
    before = {thread for thread in threading.enumerate() if thread.name == "penstock-reader"}
    reader = reader_of(tmp_path, on_error="skip")
    next(reader.next_epoch(batch_size=2))
    (mine,) = {thread for thread in threading.enumerate() if thread.name == "penstock-reader"} - before
    del reader
    collect_until_ended([mine])


@pytest.mark.parametrize("options", [{}, {"random_shuffle": True, "seed": 3}, {"num_shards": 2, "shard_id": 1}])
@pytest.mark.parametrize("on_error", ["skip", "replace"])
def test_a_reader_that_left_samples_out_resumes_exactly(tmp_path, on_error, options):
    numbered_photos(tmp_path, 11, frozenset({1, 4, 5}))
    check_resume(lambda: reader_of(tmp_path, on_error=on_error, enable_checkpointing=True, **options))


@settings(deadline=None, max_examples=20)
@given(
    bad=st.frozensets(st.integers(0, 9), max_size=8),
    batch_size=st.integers(1, 5),
    shuffle=st.booleans(),
)
def test_any_samples_may_be_bad(tmp_path_factory, bad, batch_size, shuffle):
    root = numbered_photos(tmp_path_factory.mktemp("photos"), 10, bad)
    reader = reader_of(root, on_error="skip", random_shuffle=shuffle)
    read = [pair for _ in range(2) for batch in steps(reader, batch_size) for pair in batch]
    assert {number for number, _ in read} == set(range(10)) - bad
    assert all(label == number % CLASSES for number, label in read)
    assert {by_class(10)[each.index] for each in reader.errors} == bad
