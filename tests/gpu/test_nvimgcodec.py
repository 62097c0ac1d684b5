"""nvImageCodec behind decoders.image, on the CPU alone: there is no GPU here."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import cv2
import numpy as np
import pytest
from PIL import Image

import penstock.dynamic as ndd
from messages import told
from penstock import types
from penstock.gpu import nvimgcodec
from penstock.testing import on_torch_cpu

pytest.importorskip("torch")
pytest.importorskip("nvidia.nvimgcodec")

Array = np.ndarray[Any, Any]
NOISE = np.random.default_rng(0).integers(0, 256, (24, 40, 3), np.uint8)
SMOOTH = cv2.GaussianBlur(NOISE, (9, 9), 3)


def jpeg(turned: int = 1) -> Array:
    """A JPEG that says how it is to be turned."""
    exif = Image.Exif()
    exif[0x112] = turned
    file = io.BytesIO()
    Image.fromarray(SMOOTH).save(file, "JPEG", exif=exif)
    return np.frombuffer(file.getvalue(), np.uint8)


def png() -> Array:
    return cv2.imencode(".png", NOISE)[1].ravel()


@pytest.fixture(scope="module")
def of_cpu() -> nvimgcodec.ImageDecoder:
    return nvimgcodec.ImageDecoder(None)


@pytest.fixture
def used(of_cpu: nvimgcodec.ImageDecoder, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bool]]:
    """Has it stand for that of a GPU; a list with what it could decode, call by call."""
    calls: list[bool] = []
    decode = of_cpu.decode

    def noted(*given: Any) -> Any:
        made = decode(*given)
        calls.append(made is not None)
        return made

    monkeypatch.setattr(of_cpu, "decode", noted)
    monkeypatch.setattr(nvimgcodec, "decoder_of", lambda device: of_cpu)
    with on_torch_cpu():
        yield calls


@pytest.mark.parametrize("output_type", [types.RGB, types.BGR, types.GRAY])
@pytest.mark.parametrize("upright", [True, False])
def test_it_shows_what_the_cpu_shows(used: list[bool], output_type: Any, upright: bool) -> None:
    files = ndd.batch([jpeg(), png(), jpeg(turned=6)])
    options = {"output_type": output_type, "adjust_orientation": upright}
    there = ndd.decoders.image(files, device="gpu", **options)
    assert str(there.device) == "gpu:0"
    assert there.layout == "HWC"
    for got, wanted in zip(there.cpu(), ndd.decoders.image(files, **options), strict=True):
        np.testing.assert_allclose(np.asarray(got), np.asarray(wanted), atol=2)
    assert used == [True]


@pytest.mark.parametrize("options", [{"output_type": types.YCbCr}, {"max_scans": 0}])
def test_what_it_does_not_do_is_left_to_the_cpu(used: list[bool], options: dict[str, Any]) -> None:
    files = ndd.batch([png() if "max_scans" in options else jpeg()] * 2)
    made = ndd.decoders.image(files, device="gpu", **options)
    assert made.evaluate().shape == [(24, 40, 3)] * 2
    assert used == [options == {"max_scans": 0}]


def test_other_types_are_not_asked_for(used: list[bool]) -> None:
    made = ndd.decoders.image(ndd.batch([jpeg()]), device="gpu", dtype=ndd.float32)
    assert made.evaluate().dtype == ndd.float32
    assert used == []


def test_it_is_not_asked_for_less_than_the_full_size(used: list[bool]) -> None:
    made = ndd.decoders.image(ndd.batch([jpeg()]), device="gpu", min_size=(10, 10))
    assert made.evaluate().shape == [(12, 20, 3)]
    assert used == []


def test_images_that_take_too_much_memory_are_refused(used: list[bool]) -> None:
    with pytest.raises(RuntimeError, match="max_bytes"):
        ndd.decoders.image(ndd.batch([jpeg()]), device="gpu", max_bytes=100).evaluate()
    assert used == [False]


def test_the_cpu_tells_what_is_wrong_with_an_image(used: list[bool]) -> None:
    files = ndd.batch([jpeg(), np.frombuffer(b"no image at all", np.uint8)])
    with pytest.raises(RuntimeError) as raised:
        ndd.decoders.image(files, device="gpu").evaluate()
    assert "sample 1" in told(raised.value)
    errors: list[Any] = []
    ndd.decoders.image(files, device="gpu", on_error="replace", errors=errors).evaluate()
    assert [bad.index for bad in errors] == [1]


def test_there_is_none_without_cuda() -> None:
    with on_torch_cpu():
        assert nvimgcodec.decoder_of(0) is None
