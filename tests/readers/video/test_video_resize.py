"""`readers.VideoResize`, and sequences on their way through the operators."""

from __future__ import annotations

import numpy as np
import pytest

import penstock.dynamic as ndd
import penstock.types as types
from readers.videos import write_clip


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    return write_clip(tmp_path_factory.mktemp("clip") / "a-vp9.webm", 12, rate=10)


RESIZES = [
    {"size": [20, 30]},
    {"resize_shorter": 24, "interp_type": types.INTERP_CUBIC},
    {"resize_longer": 100, "mag_filter": types.INTERP_NN},
    {"resize_x": 40, "mode": "not_larger", "resize_y": 10},
    {"size": [16, 16], "roi_start": [0.1, 0.2], "roi_end": [0.8, 0.9], "roi_relative": True, "antialias": False},
    {"size": [20, 0], "max_size": [50, 22], "subpixel_scale": False, "min_filter": types.INTERP_TRIANGULAR},
    {"size": [20, 30], "minibatch_size": 4, "temp_buffer_hint": 1000},
]


@pytest.mark.parametrize("resize", RESIZES)
def test_it_is_video_and_resize(path, resize):
    given = {"filenames": path, "labels": [3], "sequence_length": 4, "enable_timestamps": True}
    both = ndd.readers.VideoResize(**given, **resize).next_epoch(batch_size=2)
    for made, plain in zip(both, ndd.readers.Video(**given).next_epoch(batch_size=2), strict=True):
        expected = (ndd.resize(plain[0], **resize), *plain[1:])
        for ours, theirs in zip(made, expected, strict=True):
            assert ours.layout == theirs.layout
            for one, other in zip(ours, theirs, strict=True):
                np.testing.assert_array_equal(np.asarray(one), np.asarray(other))


def test_floats_and_single_sequences(path):
    given = {"filenames": path, "sequence_length": 4, "size": [8, 8], "dtype": types.FLOAT, "normalized": True}
    (frames,) = next(ndd.readers.VideoResize(**given).next_epoch())
    assert isinstance(frames, ndd.Tensor)
    assert (frames.shape, frames.dtype) == ((4, 8, 8, 3), ndd.float32)
    assert 0 < np.asarray(frames).max() <= 1


def test_a_call_may_give_other_sizes(path):
    reader = ndd.readers.VideoResize(filenames=path, sequence_length=4, size=[8, 8])
    assert reader(batch_size=2).shape == [(4, 8, 8, 3)] * 2
    assert reader(batch_size=2, size=ndd.batch([[4, 5], [6, 7]])).shape == [(4, 4, 5, 3), (4, 6, 7, 3)]


def test_wrong_arguments_are_refused(path):
    with pytest.raises(TypeError, match="unexpected keyword argument 'resize_w'; did you mean 'resize_"):
        ndd.readers.VideoResize(filenames=path, sequence_length=4, resize_w=8)
    with pytest.raises(RuntimeError, match="Exactly one method of specifying size"):
        next(ndd.readers.VideoResize(filenames=path, sequence_length=4).next_epoch())


def test_sequences_flow_through_the_operators_with_an_angle_for_each_frame(path):
    reader = ndd.readers.Video(filenames=path, sequence_length=3, step=3)
    angles = [0.0, 90.0, 180.0]
    for (frames,) in reader.next_epoch(batch_size=2):
        small = ndd.resize(frames, size=[32, 32])
        turned = ndd.rotate(small, angle=ndd.per_frame(ndd.tensor(angles)), keep_size=True)
        made = ndd.crop_mirror_normalize(
            turned, crop=[24, 24], mirror=1, mean=[100.0], std=[50.0], output_layout="FCHW"
        )
        assert (made.layout, made.shape) == ("FCHW", [(3, 3, 24, 24)] * 2)
        for sample, sequence in zip(made, small, strict=True):
            for number, angle in enumerate(angles):
                frame = ndd.rotate(ndd.tensor(np.asarray(sequence)[number], layout="HWC"), angle=angle, keep_size=True)
                alone = ndd.crop_mirror_normalize(frame, crop=[24, 24], mirror=1, mean=[100.0], std=[50.0])
                np.testing.assert_array_equal(np.asarray(sample)[number], np.asarray(alone))
