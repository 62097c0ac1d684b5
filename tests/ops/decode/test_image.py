"""decoders.image: JPEG natively, everything else through OpenCV; hostile bytes."""

import io

import numpy as np
import pytest
from PIL import Image

import penstock.dynamic as ndd
from messages import told
from penstock import types


def jpeg(array, **options):
    buffer = io.BytesIO()
    Image.fromarray(array).save(buffer, "JPEG", **options)
    return np.frombuffer(buffer.getvalue(), np.uint8).copy()


def encoded(array, kind, **options):
    buffer = io.BytesIO()
    Image.fromarray(array).save(buffer, kind, **options)
    return np.frombuffer(buffer.getvalue(), np.uint8).copy()


def smooth(height, width, channels=3):
    y, x = np.mgrid[:height, :width]
    planes = [x * 255 // max(1, width - 1), y * 255 // max(1, height - 1), (x + y) * 255 // max(1, height + width - 2)]
    return np.stack(planes[:channels], axis=-1).astype(np.uint8)


def decoded(data, **arguments):
    return np.asarray(ndd.decoders.image(ndd.tensor(data), **arguments))


@pytest.mark.parametrize("subsampling", [0, 1, 2])
@pytest.mark.parametrize("size", [(1, 1), (7, 13), (33, 64)])
def test_a_jpeg_is_decoded_as_libjpeg_does(subsampling, size):
    data = jpeg(smooth(*size), quality=90, subsampling=subsampling)
    assert np.array_equal(decoded(data), np.asarray(Image.open(io.BytesIO(data.tobytes()))))


@pytest.mark.parametrize("options", [{"progressive": True}, {"restart_marker_blocks": 2}, {"optimize": True}])
def test_kinds_of_jpeg(options):
    data = jpeg(smooth(40, 56), **options)
    assert np.array_equal(decoded(data), np.asarray(Image.open(io.BytesIO(data.tobytes()))))


def test_colours():
    data = encoded(smooth(5, 7), "PNG")
    rgb = decoded(data)
    assert np.array_equal(rgb, smooth(5, 7))
    assert np.array_equal(decoded(data, output_type=types.BGR), rgb[..., ::-1])
    assert decoded(data, output_type=types.GRAY).shape == (5, 7, 1)
    assert decoded(data, output_type=types.YCbCr).shape == (5, 7, 3)
    assert decoded(encoded(rgb[..., 0], "PNG"), output_type=types.ANY_DATA).shape == (5, 7, 1)


def test_other_types_use_their_full_range():
    white = encoded(np.full((2, 2, 3), 255, np.uint8), "PNG")
    for dtype, top in ((ndd.float32, 1.0), (ndd.uint16, 65535), (ndd.int32, 2147483647), (ndd.int8, 127)):
        for data in (white, jpeg(np.full((2, 2, 3), 255, np.uint8))):
            assert (decoded(data, dtype=dtype) == top).all()


@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_orientation(orientation):
    exif = Image.Exif()
    exif[0x112] = orientation
    data = jpeg(smooth(6, 10), exif=exif, subsampling=0)
    stored = decoded(data, adjust_orientation=False)
    turned = {
        1: stored, 2: stored[:, ::-1], 3: stored[::-1, ::-1], 4: stored[::-1], 5: stored.transpose(1, 0, 2),
        6: stored.transpose(1, 0, 2)[:, ::-1], 7: stored[::-1, ::-1].transpose(1, 0, 2),
        8: stored.transpose(1, 0, 2)[::-1],
    }  # fmt: skip
    assert np.array_equal(decoded(data), turned[orientation])


def test_a_batch_may_mix_formats():
    image = smooth(9, 8)
    batch = ndd.batch([jpeg(image), encoded(image, "PNG"), encoded(image, "BMP"), jpeg(smooth(4, 4))])
    result = ndd.decoders.image(batch)
    assert result.shape == [(9, 8, 3), (9, 8, 3), (9, 8, 3), (4, 4, 3)]
    assert np.array_equal(np.asarray(result.tensors[1]), image)
    with ndd.EvalMode.deferred:
        fused = ndd.resize(ndd.decoders.image(batch), size=[5, 5])
    for got, one in zip(fused, result, strict=True):
        assert np.array_equal(np.asarray(got), np.asarray(ndd.resize(one, size=[5, 5])))


@pytest.mark.parametrize("arguments", [{}, {"roi_start": [0.1, 0.2], "roi_end": [0.6, 0.9], "roi_relative": True}])
def test_fused_decoding_gives_the_same_bits(arguments):
    batch = ndd.batch([jpeg(smooth(61, 83), subsampling=s, progressive=p) for s in range(3) for p in (False, True)])
    images = ndd.decoders.image(batch)
    apart = ndd.resize(images, size=[20, 31], **arguments)
    with ndd.EvalMode.deferred:
        fused = ndd.resize(ndd.decoders.image(batch), size=[20, 31], **arguments)
    for got, wanted in zip(fused, apart, strict=True):
        assert np.array_equal(np.asarray(got), np.asarray(wanted))


GOOD = jpeg(smooth(64, 64))
NOISY = jpeg(np.random.default_rng(0).integers(0, 256, (64, 64, 3), dtype=np.uint8))
BOMB = np.frombuffer(bytes.fromhex("ffd8ffc0001108") + (30000).to_bytes(2, "big") * 2 + bytes.fromhex(
    "03012200021101031101ffd9"), np.uint8)  # fmt: skip


@pytest.mark.parametrize("mode", list(ndd.EvalMode))
@pytest.mark.parametrize(
    ("data", "text"),
    [
        (np.zeros(0, np.uint8), "empty"),
        (NOISY[: len(NOISY) // 2], "ends early"),
        (np.frombuffer(b"this is a text named .jpg", np.uint8), "not an image format that is known"),
        (BOMB, "takes at least 1 bytes after its header, there are 0"),
    ],
    ids=["empty", "truncated", "text", "bomb"],
)
def test_bad_bytes_are_told_and_forgotten(mode, data, text):
    batch = ndd.batch([GOOD, data, GOOD])
    batch._resolve().sources = ["a.jpg", "bad.jpg", "c.jpg"]
    with mode, pytest.raises(RuntimeError, match=text) as caught:
        ndd.decoders.image(batch).evaluate()
    assert "in decoders.image, sample 1, called at" in told(caught.value)
    assert "sample 1 is bad.jpg" in told(caught.value)
    assert ndd.decoders.image(ndd.batch([GOOD, GOOD])).shape == [(64, 64, 3)] * 2


def test_limits_can_be_moved():
    with pytest.raises(RuntimeError, match="would take 12288 bytes of memory, more than the limit of 1000; raise max_"):
        decoded(GOOD, max_bytes=1000)
    many = jpeg(smooth(16, 16), progressive=True)
    with pytest.raises(RuntimeError, match="scans"):
        decoded(many, max_scans=2)
    assert decoded(many, max_scans=100).shape == (16, 16, 3)


def test_a_progressive_jpeg_of_a_thousand_scans_is_refused():
    data = jpeg(smooth(16, 16), progressive=True).tobytes()
    last_scan = data[data.rindex(b"\xff\xda") : -2]
    hostile = np.frombuffer(data[:-2] + last_scan * 1000 + data[-2:], np.uint8)
    with pytest.raises(RuntimeError, match="Failed to decode sample: the JPEG has more than 500 scans"):
        decoded(hostile)


def test_what_is_no_file_is_refused_at_the_call():
    for wrong in (np.zeros((2, 2), np.uint8), np.zeros(4, np.int32)):
        with pytest.raises(RuntimeError, match="expected the bytes of a file"):
            ndd.decoders.image(wrong)


@pytest.mark.memory
def test_failures_leave_no_memory_behind():
    import psutil

    process = psutil.Process()
    bad = ndd.batch([NOISY[:3000], np.zeros(0, np.uint8), BOMB])

    def fail(times):
        for _ in range(times):
            with pytest.raises(RuntimeError):
                ndd.decoders.image(bad).evaluate()

    fail(500)
    before = process.memory_info().rss
    fail(10_000)
    assert process.memory_info().rss - before < 8 << 20
