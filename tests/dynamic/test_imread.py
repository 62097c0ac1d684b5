"""imread: image files by name."""

import cv2
import numpy as np
import pytest

import penstock.dynamic as ndd
from ops.promises import photos
from penstock import types


@pytest.fixture
def files(tmp_path):
    for name, image in zip(("one.png", "zwölf.png"), photos([(4, 6), (5, 3)]), strict=True):
        cv2.imwrite(str(tmp_path / name), image[..., ::-1])
    return [tmp_path / "one.png", tmp_path / "zwölf.png"]


def test_one_name_gives_a_tensor(files):
    for name in (files[0], str(files[0]), bytes(files[0]), np.frombuffer(bytes(files[0]), np.uint8)):
        image = ndd.imread(name)
        np.testing.assert_array_equal(image, photos([(4, 6)])[0], strict=True)
        assert image.layout == "HWC"


def test_several_names_give_a_batch(files):
    paths = ndd.batch([np.frombuffer(bytes(file), np.uint8) for file in files])
    for names in (files, tuple(map(str, files)), paths, [*paths]):
        assert ndd.imread(names).shape == [(4, 6, 3), (5, 3, 3)]


def test_arguments_of_the_decoder(files):
    image = ndd.imread(files[0], output_type=types.GRAY, dtype=ndd.float32, device="cpu")
    assert (image.shape, image.dtype) == ((4, 6, 1), ndd.float32)


def test_bad_names(files):
    with pytest.raises(RuntimeError, match=r"File mapping failed: nope.png: No such file"):
        ndd.imread("nope.png").evaluate()
    with pytest.raises(ValueError, match="Element type must be specified"):
        ndd.imread([])
    with pytest.raises(TypeError, match="a file is given by its name, got None"):
        ndd.imread(None)


@pytest.mark.parametrize("keyword", ["batch_size", "output_typ"])
def test_unknown_arguments(files, keyword):
    with pytest.raises(TypeError, match=f"imread.* got an unexpected keyword argument '{keyword}'"):
        ndd.imread(files[0], **{keyword: 2})


def test_bad_devices(files):
    with pytest.raises(ValueError, match="Invalid device: None"):
        ndd.imread(files[0], device=None)
    with pytest.raises(ValueError, match="Invalid device type: xpu"):
        ndd.imread(files[0], device="xpu")
