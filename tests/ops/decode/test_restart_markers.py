"""Rows behind restart markers are decoded by several threads at once, and those above a window are left out unread."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.decode.test_baseline_jpeg import SAMPLINGS, by_pillow, decoded, jpeg, outcome, outcomes_with, picture
from penstock import _native, types

_random = np.random.default_rng(11)

# Large enough to be decoded by several threads: 27 or 14 rows of MCUs, in each of which there are 40 or 20.
HEIGHT, WIDTH = 211, 315
WHOLE = picture(HEIGHT, WIDTH)


def restarted(sampling="4:2:0", interval=20, image=WHOLE, **options):
    return jpeg(image, quality=80, subsampling=SAMPLINGS[sampling], restart_marker_blocks=interval, **options)


def by_threads(threads, data, *arguments, **options):
    with ndd.EvalContext(num_threads=threads):
        return decoded([data], *arguments, **options)[0]


@pytest.mark.parametrize("sampling", SAMPLINGS)
@pytest.mark.parametrize("interval", [1, 4, 20, 40, 80, 7, 33, 120, 280, 5000])
def test_the_same_pixels_by_any_number_of_threads(sampling, interval):
    data = restarted(sampling, interval)
    expected = by_pillow(data)
    for threads in (1, 2, 3, 7):
        assert np.array_equal(by_threads(threads, data), expected)


@pytest.mark.parametrize("sampling", SAMPLINGS)
@pytest.mark.parametrize("interval", [4, 20, 40, 33])
@pytest.mark.parametrize("scale", [8, 4])
def test_small_sizes_by_any_number_of_threads(sampling, interval, scale):
    data = restarted(sampling, interval)
    expected = by_pillow(data, "RGB", (WIDTH // scale, HEIGHT // scale))
    assert expected.shape[:2] == (-(-HEIGHT // scale), -(-WIDTH // scale))
    for threads in (1, 2, 3, 7):
        assert np.array_equal(by_threads(threads, data, min_size=expected.shape[:2]), expected)


@settings(max_examples=60, deadline=None)
@given(
    size=st.tuples(st.integers(200, 420), st.integers(330, 420)),
    sampling=st.sampled_from(list(SAMPLINGS)),
    interval=st.integers(1, 100),
    threads=st.integers(2, 6),
    window=st.tuples(*[st.floats(0, 1)] * 4),
)
def test_windows(size, sampling, interval, threads, window):
    data = restarted(sampling, interval, picture(*size))
    expected = by_pillow(data)
    assert np.array_equal(by_threads(threads, data), expected)
    rows = sorted(round(part * size[0]) for part in window[:2])
    columns = sorted(round(part * size[1]) for part in window[2:])
    for top, left, bottom, right in ((rows[0], columns[0], rows[1], columns[1]), (rows[0], 0, size[0], size[1])):
        cut = {"start": [top, left], "end": [bottom, right], "axes": [0, 1]}
        part = by_threads(threads, data, ndd.decoders.image_slice, **cut)
        assert np.array_equal(part, expected[top:bottom, left:right])


def test_rows_at_every_border_of_windows():
    """A window may begin or end at any row of pixels around a restart marker."""
    data = restarted("4:2:0", 20)
    expected = by_pillow(data)
    for top in range(30, 50):
        for bottom in range(192, 211):
            cut = {"start": [top, 0], "end": [bottom, WIDTH], "axes": [0, 1]}
            assert np.array_equal(by_threads(3, data, ndd.decoders.image_slice, **cut), expected[top:bottom])


@pytest.mark.parametrize("kind", [types.RGB, types.BGR, types.GRAY, types.YCbCr, types.ANY_DATA])
@pytest.mark.parametrize("dtype", [types.UINT8, types.FLOAT])
def test_colours_and_types(kind, dtype):
    for data in (restarted(), restarted(image=WHOLE[..., 0])):
        options = {"output_type": kind, "dtype": dtype}
        assert np.array_equal(by_threads(3, data, **options), by_threads(1, data, **options))


def test_turned_upright():
    exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"
    data = restarted(exif=exif)
    image = by_threads(3, data)
    assert np.array_equal(image, np.rot90(by_pillow(data), -1))


def test_straight_into_a_resize():
    files = ndd.batch([np.frombuffer(restarted(interval=interval), np.uint8) for interval in (20, 40)])
    made = []
    for threads in (1, 4):
        with ndd.EvalContext(num_threads=threads):
            made.append(np.asarray(ndd.resize(ndd.decoders.image(files), size=[64, 64]).evaluate()))
    assert np.array_equal(*made)


@pytest.mark.parametrize("count", [1, 2, 3, 5, 9])
def test_batches_of_few_and_of_many(count):
    """The last images of a batch are those that threads without one of their own help with."""
    files = [restarted("4:2:0", 10, picture(HEIGHT + k, WIDTH)) for k in range(count)]
    with ndd.EvalContext(num_threads=4):
        images = decoded(files)
    for data, image in zip(files, images, strict=True):
        assert np.array_equal(image, by_pillow(data))


def test_results_beyond_the_caches():
    data = restarted("4:2:0", 127, np.tile(picture(500, 500), (4, 6, 1))[:1999, :2921])
    image = by_threads(3, data)
    assert image.size > 16 << 20  # from there on results are written past the caches
    assert np.array_equal(image, by_pillow(data))


def test_other_threads_take_part():
    data = ndd.batch([np.frombuffer(restarted("4:4:4", 40, np.tile(WHOLE, (4, 4, 1))), np.uint8)])
    _native.start_worker_log()
    try:
        with ndd.EvalContext(num_threads=2), ndd.EvalMode.sync_cpu:
            before, _ = _native.help_received()
            for _ in range(100):  # one that comes late finds nothing to do
                ndd.decoders.image(data).evaluate()
                if _native.help_received()[0] > before:
                    break
            assert _native.help_received()[0] > before
    finally:
        _native.stop_worker_log()


def markers(data):
    """Where restart markers stand."""
    return [place for place in range(len(data) - 1) if data[place] == 0xFF and 0xD0 <= data[place + 1] <= 0xD7]


def damaged_files():
    """Markers that are missing, out of order, doubled or unknown; segments cut short, too long, changed or empty."""
    files = []
    for sampling in SAMPLINGS:
        for interval in (1, 20, 40, 33):
            data = restarted(sampling, interval)
            found = markers(data)
            for _ in range(3):
                at = found[_random.integers(len(found) - 1)]
                following = found[found.index(at) + 1]
                changed = bytearray(data)
                for place in _random.integers(found[0], len(data) - 2, 3):
                    changed[place] = _random.integers(0, 256)
                files += [
                    bytes(changed),
                    data[:at] + data[at + 2 :],
                    data[: at + 1] + bytes([0xD0 + (data[at + 1] + 3) % 8]) + data[at + 2 :],
                    data[:at] + data[at : at + 2] + data[at:],
                    data[: at + 1] + b"\xfe" + data[at + 2 :],
                    data[: at + 2] + data[following:],
                    data[: (at + following) // 2] + data[following:],
                    data[:following] + b"\x12\x34\x56" + data[following:],
                    data[:at] + data[following:],
                    data[:at],
                    data[:at] + b"\xff\xd9",
                ]
    return files


def test_damaged_files_come_to_what_libjpeg_makes_of_them():
    files = damaged_files()
    by_libjpeg = outcomes_with("sse2", files)
    images = sum(isinstance(each, np.ndarray) for each in by_libjpeg)
    assert 100 < images < len(files)
    for threads in (1, 3):
        with ndd.EvalContext(num_threads=threads):
            ours = [outcome(data) for data in files]
        for mine, theirs in zip(ours, by_libjpeg, strict=True):
            assert type(mine) is type(theirs)
            assert np.array_equal(mine, theirs) if isinstance(mine, np.ndarray) else mine == theirs


def test_windows_of_damaged_files():
    """Damage above a window goes unnoticed, which changes nothing: libjpeg begins anew at every marker."""
    seen = 0
    for data in damaged_files():
        try:
            whole = by_threads(1, data)
        except RuntimeError:
            continue
        for top, bottom in ((100, 211), (150, 175)):
            cut = {"start": [top, 31], "end": [bottom, 300], "axes": [0, 1]}
            assert np.array_equal(by_threads(3, data, ndd.decoders.image_slice, **cut), whole[top:bottom, 31:300])
            seen += 1
    assert seen > 100
