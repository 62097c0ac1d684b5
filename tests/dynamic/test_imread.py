"""imread: image files by name."""

import cv2
import fsspec
import numpy as np
import pytest

import penstock.dynamic as ndd
from ops.promises import photos
from penstock import types
from readers.servers import FolderServer

PATIENT = ndd.readers.Storage(first_wait=0.0)


@pytest.fixture
def files(tmp_path):
    for name, image in zip(("one.png", "zwölf.png"), photos([(4, 6), (5, 3)]), strict=True):
        (tmp_path / name).write_bytes(cv2.imencode(".png", image[..., ::-1])[1])  # Windows has cv2 write other names
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


def test_urls(files):
    fsspec.filesystem("memory").pipe("/photos/one.png", files[0].read_bytes())
    assert ndd.imread("memory://photos/one.png").shape == (4, 6, 3)
    with FolderServer(files[0].parent).running() as server:
        server.faults["/one.png"] = ["500", "dropped"]
        images = ndd.imread([f"{server.url}/one.png", files[1]], storage=PATIENT)
        assert images.shape == [(4, 6, 3), (5, 3, 3)]
        assert server.requests.count("/one.png") == 3


@pytest.fixture
def mixed(files):
    """A good file, one that is missing, one that is no image, and another good one."""
    bad = files[0].parent / "bad.png"
    bad.write_bytes(b"no image")
    return [files[0], files[0].parent / "nope.png", bad, files[1]]


@pytest.mark.parametrize("mode", [ndd.EvalMode.eager, ndd.EvalMode.deferred])
def test_files_that_cannot_be_read_or_decoded_are_replaced(mixed, mode):
    errors = []
    with mode:
        images = ndd.resize(ndd.imread(mixed, on_error="replace", errors=errors), size=[8, 8])
        assert [np.asarray(image).any() for image in images] == [True, False, False, True]
    assert [(bad.index, bad.source) for bad in errors] == [(1, str(mixed[1])), (2, str(mixed[2]))]
    assert "No such file" in str(errors[0].error)
    assert "not an image format" in str(errors[1].error)


def test_files_that_cannot_be_read_or_decoded_are_left_out(mixed):
    errors = []
    images, kept = ndd.imread(mixed, on_error="skip", errors=errors)
    assert (kept, images.shape) == ([0, 3], [(4, 6, 3), (5, 3, 3)])
    assert ["No such file" in str(bad.error) for bad in errors] == [True, False]


def test_a_function_stands_in(mixed):
    sizes = []

    def white(bad, data):
        sizes.append((bad.index, len(data)))
        return np.full((2, 2, 3), 255)

    assert ndd.imread(mixed, on_error=white).shape == [(4, 6, 3), (2, 2, 3), (2, 2, 3), (5, 3, 3)]
    assert sizes == [(1, 0), (2, 8)]
    assert ndd.imread("nope.png", on_error="replace").shape == (1, 1, 3)
    with pytest.raises(ValueError, match="on_error is 'raise'"):
        ndd.imread(mixed, on_error="ignore")
