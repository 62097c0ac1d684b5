"""get_property: the layout of samples and where they came from."""

import cv2
import numpy as np
import pytest

import penstock.dynamic as ndd


def texts(batch):
    return [np.asarray(t).tobytes().decode() for t in batch]


def test_layouts():
    assert texts(ndd.get_property(ndd.batch([[[1]], [[2]]], layout="HW"), key="layout")) == ["HW", "HW"]
    assert texts([ndd.get_property(ndd.tensor([1]), key="layout")]) == [""]
    assert ndd.get_property(ndd.tensor([1]), key="layout").dtype == ndd.uint8


def test_sources_of_files(tmp_path):
    for name in ("a", "bcd"):
        (tmp_path / name).write_text(name)
    reader = ndd.readers.File(files=[str(tmp_path / name) for name in ("a", "bcd")])
    files, labels = next(reader.next_epoch(batch_size=2))
    wanted = [str(tmp_path / name) for name in ("a", "bcd")]
    assert texts(ndd.get_property(files, key="source_info")) == wanted
    assert texts(ndd.get_property(ndd.cast(files, dtype=ndd.int32), key="source_info")) == wanted
    assert texts(ndd.get_property(labels, key="source_info")) == ["", ""]


def test_sources_of_images_made_of_several(tmp_path):
    for name in "abc":
        cv2.imwrite(str(tmp_path / f"{name}.png"), np.zeros((2, 3, 3), np.uint8))
    reader = ndd.readers.File(files=[f"{name}.png" for name in "abc"], file_root=tmp_path)
    (files, _), *_ = reader.next_epoch(batch_size=3)
    images = ndd.decoders.image(files)
    blank = ndd.tensor(np.zeros((2, 3, 3), np.uint8), layout="HWC")

    def sources(made):
        return texts(ndd.get_property(made, key="source_info"))

    assert sources(ndd.multi_paste(images, in_ids=[0, 1, 1])) == ["a.png;b.png;b.png"] * 3
    assert sources(ndd.multi_paste(images, in_ids=ndd.batch([[0, 2], [1, 1], [2, 0]]))) == [
        "a.png;c.png", "b.png;b.png", "c.png;a.png",
    ]  # fmt: skip
    assert sources(ndd.multi_paste(images, blank, images)) == ["a.png;a.png", "b.png;b.png", "c.png;c.png"]
    assert sources(ndd.flip(ndd.multi_paste(blank, images))) == ["a.png", "b.png", "c.png"]
    assert sources(ndd.multi_paste(ndd.batch([blank, blank]), in_ids=[0])) == ["", ""]
    for joined in (ndd.cat(blank, images), blank + images, ndd.stack(ndd.batch([blank] * 3), images)):
        assert sources(joined) == ["a.png", "b.png", "c.png"]


def test_samples_know_their_number_in_the_data_set(tmp_path):
    for name in "abcd":
        cv2.imwrite(str(tmp_path / f"{name}.png"), np.zeros((2, 3, 3), np.uint8))
    reader = ndd.readers.File(files=[f"{name}.png" for name in "abcd"], file_root=tmp_path, sampler=[2, 0, 3])
    (files, labels), *_ = reader.next_epoch(batch_size=3)
    images = ndd.flip(ndd.resize(ndd.decoders.image(files), size=[4, 4]))
    for made in (files, labels, images):
        assert [int(np.asarray(number)) for number in ndd.get_property(made, key="index")] == [2, 0, 3]
    assert int(np.asarray(ndd.get_property(ndd.tensor([1]), key="index"))) == -1
    assert [int(np.asarray(n)) for n in ndd.get_property(ndd.batch([[1], [2]]), key="index")] == [-1, -1]


def test_what_was_not_read_has_no_source():
    assert ndd.get_property(ndd.batch([1, 2]), key="source_info").shape == [(0,), (0,)]
    assert ndd.get_property(ndd.batch([], dtype=ndd.uint8), key="source_info").batch_size == 0


def test_bad_keys():
    with pytest.raises(RuntimeError, match="choose from 'layout', 'source_info', 'index'"):
        ndd.get_property([1], key="size")
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument: 'key'"):
        ndd.get_property([1])
