"""`penstock.testing.check_operator` lets pass what keeps the promises of operators, and tells which one is broken."""

from __future__ import annotations

import subprocess
import sys
import threading
from typing import Any

import numpy as np
import pytest

import penstock.dynamic as ndd
from penstock.testing import check_operator

PHOTOS = [np.arange(24, dtype=np.uint8).reshape(2, 4, 3), np.arange(45, dtype=np.uint8).reshape(5, 3, 3)]
BOXES = [np.float32([[0, 0, 0.25, 1]]), np.zeros((0, 4), np.float32)]


@ndd.operator
def posterize(image: Any, *, bits: ndd.PerSample[int] = 4) -> Any:
    return image & (256 - (1 << (8 - bits)))


@ndd.operator(results=2)
def mirrored(image: Any, boxes: Any, scale: float = 1.0) -> Any:
    return image[:, ::-1], boxes * scale


@ndd.operator
def speckled(image: Any, *, rng: np.random.Generator) -> Any:
    return image + rng.integers(0, 9, image.shape, np.uint8)


def test_it_returns_the_results():
    first, second = check_operator(posterize, PHOTOS, layout="HWC", per_sample={"bits": [4, 8]})
    assert first.tolist() == (PHOTOS[0] & 0xF0).tolist()
    assert second.tolist() == PHOTOS[1].tolist()


def test_inputs_and_results_may_be_several():
    images, boxes = check_operator(mirrored, PHOTOS, BOXES, layout=["HWC", None], scale=2.0)
    assert images[0].tolist() == PHOTOS[0][:, ::-1].tolist()
    assert boxes[0].tolist() == [[0, 0, 0.5, 2]]


def test_random_operators_draw_the_same_numbers_each_time():
    images = check_operator(speckled, PHOTOS, layout="HWC")
    assert (images[1] != PHOTOS[1]).any()


def test_operators_of_the_library_are_checked_alike():
    check_operator(ndd.flip, PHOTOS, layout="HWC", vertical=1)


def test_without_torch_the_rest_is_checked(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("penstock.testing.operators.find_spec", lambda name: None)
    monkeypatch.setattr("penstock.testing.operators.check_case_on_gpu", None)
    check_operator(ndd.flip, PHOTOS, layout="HWC")


def test_a_function_for_gpus_is_compared():
    torch = pytest.importorskip("torch")
    own = ndd.operator(lambda image: image + 1)
    own.gpu(lambda images: images + 1)
    check_operator(own, PHOTOS)
    own.gpu(lambda images: (images.to(torch.int16) + 2).to(torch.uint8))
    with pytest.raises(AssertionError, match="the GPU differs from the CPU"):
        check_operator(own, PHOTOS)


def counted() -> Any:
    calls = iter(range(10**6))
    return lambda image: image + np.uint8(next(calls))


def depends_on_the_batch() -> Any:
    return ndd.operator(batchwise=True)(lambda images: [image + np.uint8(len(images)) for image in images])


def keeps_state_in_a_thread() -> Any:
    """A scratch value that belongs to the thread that declared it."""
    main = threading.get_ident()
    return lambda image: image + np.uint8("penstock-samples" in threading.current_thread().name) * np.uint8(main > 0)


def wrong_on_whole_batches() -> Any:
    return ndd.operator(elementwise=True)(lambda images: images[::-1] if images.ndim > 3 else images)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (counted, "differs from the plain function"),
        (depends_on_the_batch, "a sample alone differs from the batch"),
        (keeps_state_in_a_thread, "threads change results"),
    ],
)
def test_a_broken_promise_is_named(make, message):
    function = make()
    own = function if hasattr(function, "operator") else ndd.operator(function)
    with pytest.raises(AssertionError, match=message):
        check_operator(own, PHOTOS)


def test_what_is_made_of_a_whole_batch_is_compared():
    with pytest.raises(AssertionError, match="differs from the plain function"):
        check_operator(wrong_on_whole_batches(), [PHOTOS[0], PHOTOS[0] + 1])


def test_what_is_no_operator_is_refused():
    with pytest.raises(TypeError, match=r"one made by @ndd.operator, is checked; got <function"):
        check_operator(lambda image: image, PHOTOS)
    with pytest.raises(ValueError, match="with samples of every input"):
        check_operator(posterize)


def test_it_needs_no_test_framework():
    without = "import sys; sys.modules['pytest'] = None; import penstock.testing"
    subprocess.run([sys.executable, "-c", without], check=True)
