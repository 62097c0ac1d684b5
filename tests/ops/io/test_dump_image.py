"""dump_image: images written out and passed on."""

import cv2
import numpy as np
import pytest

import penstock.dynamic as ndd
from ops.promises import photos


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_text_by_eye(here):
    ndd.dump_image(ndd.tensor([[[1], [20]], [[255], [0]]], dtype=ndd.uint8, layout="HWC"), suffix="eye").evaluate()
    assert (here / "0-eye-0.ppm").read_bytes() == b"P2\n2 2\n255\n1 20 \n255 0 \n"


@pytest.mark.parametrize("channels", [1, 3])
def test_other_programs_read_the_files(here, channels):
    images = photos([(7, 5), (131, 9)], channels)
    passed = ndd.dump_image(ndd.batch(images, layout="HWC"))
    for i, (image, same) in enumerate(zip(images, passed, strict=True)):
        np.testing.assert_array_equal(same, image, strict=True)
        read = cv2.imread(str(here / f"{i}--0.ppm"), cv2.IMREAD_UNCHANGED).reshape(image.shape)
        np.testing.assert_array_equal(read[..., ::-1], image)
    assert passed.layout == "HWC"


def test_deferred_calls_write_when_the_result_is_used(here):
    with ndd.EvalMode.deferred:
        image = ndd.dump_image(ndd.tensor(photos([(2, 2)])[0]))
        assert not [*here.iterdir()]
        image.evaluate()
    assert [file.name for file in here.iterdir()] == ["0--0.ppm"]


def test_an_empty_batch_writes_nothing(here):
    assert ndd.dump_image(ndd.batch(np.zeros((0, 2, 2, 3), np.uint8))).evaluate().batch_size == 0
    assert not [*here.iterdir()]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ndd.dump_image(np.zeros((2, 2, 4), np.uint8)), "got input with `4` channels"),
        (lambda: ndd.dump_image(np.zeros((0, 2, 3), np.uint8)), "has no pixels to write"),
        (lambda: ndd.dump_image(np.zeros((2, 2, 3), np.float32)), "images of uint8 are written, got f32"),
        (lambda: ndd.dump_image(np.zeros((2, 2), np.uint8)), "three dimensions, got input with `2`"),
        (lambda: ndd.dump_image(np.zeros((3, 2, 2), np.uint8), input_layout="CHW"), "'CHW' is not supported"),
    ],
)
def test_bad_calls_are_refused(call, message):
    with pytest.raises(RuntimeError, match=message):
        call().evaluate()


def test_images_of_a_gpu_are_written_and_passed_on(here, any_gpu):
    images = photos([(3, 4), (2, 2)])
    passed = ndd.dump_image(ndd.batch(images, layout="HWC", device="gpu"), suffix="gpu")
    assert str(passed.device) == "gpu:0"
    for image, same in zip(images, passed.cpu(), strict=True):
        np.testing.assert_array_equal(same, image, strict=True)
    assert sorted(file.name for file in here.iterdir()) == ["0-gpu-0.ppm", "1-gpu-0.ppm"]
