"""Plain JPEGs are decoded past libjpeg, to its very bits: sizes, sampling, windows, damage."""

import io
import os
import pickle
import platform
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

import penstock.dynamic as ndd
from penstock import _native, types

SAMPLINGS = {"4:4:4": 0, "4:2:2": 1, "4:2:0": 2}
_random = np.random.default_rng(7)


def jpeg(image, **options):
    file = io.BytesIO()
    Image.fromarray(image).save(file, "JPEG", **options)
    return file.getvalue()


def by_pillow(data, mode=None, size=None):
    image = Image.open(io.BytesIO(data))
    if mode:
        image.draft(mode, size)
    return np.atleast_3d(np.asarray(image))


def decoded(files, operator=ndd.decoders.image, **arguments):
    batch = operator(ndd.batch([np.frombuffer(data, np.uint8) for data in files]), **arguments)
    return [np.asarray(image) for image in batch.tensors]


def picture(height, width, smoothness=4):
    """Blobs of colour with some noise: coefficients of all sizes."""
    coarse = _random.integers(0, 256, (height // smoothness + 2, width // smoothness + 2, 3), dtype=np.uint8)
    blobs = np.asarray(Image.fromarray(coarse).resize((width, height), Image.Resampling.BILINEAR)).astype(np.int16)
    return np.clip(blobs + _random.integers(-9, 10, blobs.shape), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_small_images_of_every_size(sampling):
    whole = picture(40, 40)
    sizes = [(height, width) for height in range(1, 41) for width in range(1, 41)]
    files = [jpeg(whole[:h, :w], quality=85, subsampling=SAMPLINGS[sampling]) for h, w in sizes]
    wrong = [
        size
        for size, data, image in zip(sizes, files, decoded(files), strict=True)
        if not np.array_equal(image, by_pillow(data))
    ]
    assert wrong == []


@settings(max_examples=90, deadline=None)
@given(
    size=st.tuples(st.integers(1, 150), st.integers(1, 150)),
    sampling=st.sampled_from(list(SAMPLINGS.values())),
    quality=st.integers(1, 100),
    smoothness=st.integers(1, 40),
    restarts=st.integers(0, 7),
    kind=st.sampled_from([{}, {"optimize": True}, {"progressive": True}]),
    window=st.tuples(*[st.floats(0, 1)] * 4),
)
def test_windows_are_cut_from_what_libjpeg_decodes(size, sampling, quality, smoothness, restarts, kind, window):
    options = kind | {"restart_marker_blocks": restarts} if restarts else kind
    data = jpeg(picture(*size, smoothness), quality=quality, subsampling=sampling, **options)
    rows = sorted(round(part * size[0]) for part in window[:2])
    columns = sorted(round(part * size[1]) for part in window[2:])
    expected = by_pillow(data)
    (whole,) = decoded([data])
    assert np.array_equal(whole, expected)
    cut = {"start": [rows[0], columns[0]], "end": [rows[1], columns[1]], "axes": [0, 1]}
    (part,) = decoded([data], ndd.decoders.image_slice, **cut)
    assert np.array_equal(part, expected[rows[0] : rows[1], columns[0] : columns[1]])


@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_extremes(sampling):
    """Values that leave 0..255 on the way, and blocks in which every coefficient counts."""
    noise = _random.choice(np.uint8([0, 255]), (61, 83, 3))
    for quality in (1, 30, 95, 100):
        data = jpeg(noise, quality=quality, subsampling=SAMPLINGS[sampling])
        assert np.array_equal(decoded([data])[0], by_pillow(data))


@pytest.mark.parametrize("sampling", SAMPLINGS)
@pytest.mark.parametrize("progressive", [False, True])
def test_colours(sampling, progressive):
    data = jpeg(picture(37, 53), subsampling=SAMPLINGS[sampling], progressive=progressive)
    rgb = by_pillow(data)
    assert np.array_equal(decoded([data], output_type=types.BGR)[0], rgb[..., ::-1])
    assert np.array_equal(decoded([data], output_type=types.GRAY)[0], by_pillow(data, "L"))
    assert np.array_equal(decoded([data], output_type=types.ANY_DATA)[0], rgb)


@pytest.mark.parametrize("sampling", SAMPLINGS)
@pytest.mark.parametrize("options", [{}, {"restart_marker_blocks": 3}, {"progressive": True}])
def test_windows_of_the_luma_alone(sampling, options):
    noise = _random.integers(0, 256, (70, 90, 3), dtype=np.uint8)
    for image, quality in ((picture(70, 90, 2), 85), (noise, 100)):  # coefficients of up to 11 bits, codes of up to 16
        data = jpeg(image, quality=quality, subsampling=SAMPLINGS[sampling], **options)
        window = decoded(
            [data], ndd.decoders.image_slice, start=(33, 17), end=(61, 71), axis_names="HW", output_type=types.GRAY
        )[0]
        assert np.array_equal(window, by_pillow(data, "L")[33:61, 17:71])


@pytest.mark.parametrize("progressive", [False, True])
def test_grey_images(progressive):
    data = jpeg(picture(37, 53)[..., 0], progressive=progressive)
    grey = by_pillow(data)
    assert np.array_equal(decoded([data], output_type=types.GRAY)[0], grey)
    assert np.array_equal(decoded([data])[0], np.repeat(grey, 3, axis=2))


def dc_tables(data):
    """The Huffman tables of DC coefficients, of a file with each table in a segment of its own."""
    return [segment[:19] for segment in data.split(b"\xff\xc4")[1:] if segment[2] < 16]


def test_the_same_dc_tables_before_other_ac_tables():
    """Tables are kept from one file to the next, and DC coefficients are looked up together with the AC behind them."""
    wave = 40 * np.cos((2 * np.arange(64) + 1) * np.pi / 16) * np.ones((64, 1))  # one coefficient, here or there
    files = [jpeg((128.5 + pattern).astype(np.uint8), quality=50, optimize=True) for pattern in (wave, wave.T)]
    assert dc_tables(files[0]) == dc_tables(files[1])
    files = files * 8
    for data, image in zip(files, decoded(files, output_type=types.GRAY), strict=True):
        assert np.array_equal(image, by_pillow(data))


@pytest.mark.parametrize("blocks", [1, 7, 8, 9, 23, 24, 25, 48, 49])
def test_full_blocks_and_restarts_across_batches_of_blocks(blocks):
    """Noise fills blocks to their last coefficient, which then have no symbol for their end."""
    noise = _random.integers(0, 256, (24, 8 * blocks, 3), dtype=np.uint8)
    for sampling in SAMPLINGS.values():
        for restarts in (0, 1, 5, 9):
            data = jpeg(noise, quality=100, subsampling=sampling, restart_marker_blocks=restarts)
            assert np.array_equal(decoded([data])[0], by_pillow(data))


@pytest.mark.parametrize("sampling", SAMPLINGS)
@pytest.mark.parametrize("options", [{}, {"optimize": True}, {"restart_marker_blocks": 7}])
def test_windows_that_leave_out_many_blocks(sampling, options):
    """Blocks outside of a window are stepped over by tables of their own where there are at least 500 of them."""
    noise = _random.integers(0, 256, (200, 264, 3), dtype=np.uint8)
    for image, quality in ((picture(200, 264), 85), (picture(200, 264, 40), 30), (noise, 60)):
        data = jpeg(image, quality=quality, subsampling=SAMPLINGS[sampling], **options)
        expected = by_pillow(data)
        for top, left, bottom, right in (
            (150, 0, 200, 264),
            (0, 100, 200, 120),
            (97, 133, 170, 201),
            (199, 263, 200, 264),
        ):
            window = {"start": (top, left), "end": (bottom, right), "axis_names": "HW"}
            (part,) = decoded([data], ndd.decoders.image_slice, **window)
            assert np.array_equal(part, expected[top:bottom, left:right])


@pytest.mark.parametrize("sampling", SAMPLINGS)
@pytest.mark.parametrize("restarts", [0, 7])
def test_an_eighth_of_many_blocks(sampling, restarts):
    """Only DC coefficients are read, of several MCUs ahead."""
    data = jpeg(picture(600, 488), quality=85, subsampling=SAMPLINGS[sampling], restart_marker_blocks=restarts)
    eighth = Image.open(io.BytesIO(data))
    eighth.draft("RGB", (61, 75))
    assert np.array_equal(decoded([data], min_size=(75, 61))[0], np.asarray(eighth))


def with_wide_values(blocks_across, blocks_down):
    """A grey JPEG with codes for values of every number of bits up to 15; photos have no more than 11."""
    header, _, scan = jpeg(np.zeros((8 * blocks_down, 8 * blocks_across), np.uint8), quality=100).partition(b"\xff\xc4")
    start_of_scan = scan[scan.index(b"\xff\xda") :][:10]
    # Sixteen codes of five bits: sizes of the DC coefficient; the end of a block, a run of zeros, sizes of the AC.
    counts = bytes([0, 0, 0, 0, 16] + 11 * [0])
    dc_symbols, ac_symbols = list(range(16)), [0x00, 0xF0, *range(0x01, 0x0F)]
    tables = b"".join(
        b"\xff\xc4\x00\x23" + bytes([kind << 4]) + counts + bytes(symbols)
        for kind, symbols in enumerate((dc_symbols, ac_symbols))
    )
    bits = ""
    for _ in range(blocks_across * blocks_down):
        for symbols, count in ((dc_symbols, 1), (ac_symbols[2:], _random.integers(0, 20))):
            for code in _random.integers(16 - len(symbols), 16, count):
                size = (dc_symbols if symbols is dc_symbols else ac_symbols)[code] & 15
                bits += f"{code:05b}" + "".join(_random.choice(["0", "1"], size))
        bits += f"{0:05b}"
    bits += "1" * (-len(bits) % 8)
    coded = int(bits, 2).to_bytes(len(bits) // 8, "big").replace(b"\xff", b"\xff\x00")
    return header + tables + start_of_scan + coded + b"\xff\xd9"


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="vector code overflows otherwise elsewhere")
def test_values_of_up_to_fifteen_bits():
    """They are larger than what the inverse DCT calculates with, which overflows as that of libjpeg for x86 does."""
    data = with_wide_values(30, 24)
    expected = by_pillow(data)
    assert np.array_equal(decoded([data], output_type=types.GRAY)[0], expected)
    window = {"start": (170, 30), "end": (192, 99), "axis_names": "HW", "output_type": types.GRAY}
    (part,) = decoded([data], ndd.decoders.image_slice, **window)  # 500 blocks and more are stepped over
    assert np.array_equal(part, expected[170:192, 30:99])


def test_zeros_behind_ff_at_every_place():
    """64 bytes are copied at once, with one of these zeros or none among them."""
    for width in range(19, 147, 16):
        image = _random.integers(0, 256, (40, width, 3), dtype=np.uint8)
        for quality in (50, 90, 100):
            data = jpeg(image, quality=quality)
            assert np.array_equal(decoded([data])[0], by_pillow(data))


def test_chroma_values_in_steps_of_three():
    """Colours as libjpeg's tables have them, through a JPEG whose blocks are all flat."""
    steps = np.arange(0, 256, 3)
    chroma = np.stack(np.meshgrid(steps, steps, indexing="ij"), axis=-1).astype(np.uint8)
    for luma in (0, 90, 128, 255):
        ycc = np.concatenate([np.full((*chroma.shape[:2], 1), luma, np.uint8), chroma], axis=-1)
        flat = Image.fromarray(np.repeat(np.repeat(ycc, 8, axis=0), 8, axis=1), "YCbCr")
        file = io.BytesIO()
        flat.save(file, "JPEG", quality=100, subsampling=0)
        assert np.array_equal(decoded([file.getvalue()])[0], by_pillow(file.getvalue()))


def damaged_files():
    """Cut off, with bytes changed in their codes, or with factors so large that everything overflows."""
    files = []
    for sampling in SAMPLINGS.values():
        data = jpeg(picture(70, 90, 3), quality=70, subsampling=sampling)
        scan = data.index(b"\xff\xda") + 14
        for _ in range(25):
            changed = bytearray(data)
            for place in _random.integers(scan, len(data) - 2, _random.integers(1, 4)):
                changed[place] = _random.integers(0, 256)
            files.append(bytes(changed))
        files += [data[:cut] for cut in _random.integers(scan, len(data), 8)]
        for share in (0.05, 0.5, 1.0):
            files.append(with_factors(data, np.where(_random.random(64) < share, 255, first_factors(data))))
    return files


def first_factors(data):
    table = data.index(b"\xff\xdb") + 5
    return np.frombuffer(data, np.uint8, 64, table)


def with_factors(data, factors):
    table = data.index(b"\xff\xdb") + 5
    return data[:table] + np.uint8(factors).tobytes() + data[table + 64 :]


def odd_files():
    """Odd sizes with and without restart markers, whole, cut off, and with a byte changed behind a restart."""
    files = []
    for sampling in SAMPLINGS.values():
        for height, width in [(1, 1), (5, 70), (17, 33), (33, 15), (65, 31)]:
            for restarts in (0, 1, 3):
                options = {"restart_marker_blocks": restarts} if restarts else {}
                data = jpeg(picture(height, width), quality=80, subsampling=sampling, **options)
                changed = bytearray(data)
                changed[_random.integers(data.index(b"\xff\xda") + 14, len(data) - 2)] ^= 16
                files += [data, bytes(changed), data[: _random.integers(len(data) * 2 // 3, len(data))]]
    return files


def zero_factors():
    """Coefficients that factors of zero take away, below a first one so large that libjpeg's transform wraps."""
    data = jpeg(picture(40, 40, 2), quality=100, subsampling=0)
    return [with_factors(data, [255] + 63 * [0]), with_factors(data, 32 * [255, 0])]


def outcome(data, **arguments):
    """The image, or what is wrong with it."""
    try:
        return decoded([data], **arguments)[0]
    except RuntimeError as error:
        return str(error)


CHILD = """
import pickle, sys
from ops.decode.test_baseline_jpeg import outcome
files, arguments = pickle.load(sys.stdin.buffer)
sys.stdout.buffer.write(pickle.dumps([outcome(data, **arguments) for data in files]))
"""


def test_batches_beyond_the_caches():
    whole = picture(401, 463)
    files = [jpeg(whole[k:, k:], quality=70, subsampling=2) for k in range(40)]
    images = decoded(files)
    assert sum(image.size for image in images) > 16 << 20  # from there on results are written past the caches
    for data, image in zip(files, images, strict=True):
        assert np.array_equal(image, by_pillow(data))


def outcomes_with(cpu, files, **arguments):
    environment = os.environ | {"PENSTOCK_CPU": cpu, "PYTHONPATH": os.pathsep.join(sys.path)}
    child = subprocess.run(
        [sys.executable, "-c", CHILD], input=pickle.dumps((files, arguments)), env=environment, capture_output=True
    )
    assert child.returncode == 0, child.stderr.decode()
    return pickle.loads(child.stdout)


@pytest.mark.parametrize("progressive", [False, True])
def test_all_instruction_sets_make_the_same_pixels(progressive):
    whole = picture(24, 200, smoothness=1)
    files = [
        jpeg(whole[:, :width], quality=90, subsampling=sampling, progressive=progressive)
        for width in (*range(1, 200, 7), 64, 128, 192)
        for sampling in SAMPLINGS.values()
    ]
    for ours, theirs in zip(map(outcome, files), outcomes_with("avx2", files), strict=True):
        assert np.array_equal(ours, theirs)


@pytest.mark.parametrize("arguments", [{}, {"min_size": (1, 1)}, {"min_size": (10, 12)}])
def test_damaged_files_come_to_what_libjpeg_makes_of_them(arguments):
    files = damaged_files() + odd_files() + zero_factors()
    by_libjpeg = outcomes_with("sse2", files, **arguments)
    images = sum(isinstance(each, np.ndarray) for each in by_libjpeg)
    assert 30 < images < len(files)
    for data, theirs in zip(files, by_libjpeg, strict=True):
        ours = outcome(data, **arguments)
        assert type(ours) is type(theirs)
        assert np.array_equal(ours, theirs) if isinstance(ours, np.ndarray) else ours == theirs


@pytest.mark.skipif(not _native.simd().startswith(("AVX", "SSE")), reason="only x86 has older instruction sets")
def test_an_unknown_limit_of_the_cpu_is_refused():
    environment = os.environ | {"PENSTOCK_CPU": "mmx"}
    child = subprocess.run([sys.executable, "-c", "import penstock._native"], env=environment, capture_output=True)
    assert b'PENSTOCK_CPU is "mmx"; sse2 and avx2 are known' in child.stderr
