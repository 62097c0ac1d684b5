"""Progressive JPEGs are decoded past libjpeg, to its very bits: runs of blocks, scan scripts, lacking scans, damage."""

import itertools
import shutil
import subprocess

import numpy as np
import pytest

import penstock.dynamic as ndd
from ops.decode.test_baseline_jpeg import SAMPLINGS, by_pillow, decoded, jpeg, outcome, outcomes_with, picture
from penstock import _native, types

_random = np.random.default_rng(11)


def progressive(image, **options):
    return jpeg(image, progressive=True, **options)


def is_like_libjpeg(files):
    for data, ours in zip(files, decoded(files), strict=True):
        assert np.array_equal(ours, by_pillow(data))


@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_small_images_of_many_sizes(sampling):
    whole = picture(40, 40)
    sizes = [(height, width) for height in (1, 2, 7, 8, 9, 15, 16, 17, 31, 33) for width in range(1, 41)]
    is_like_libjpeg([progressive(whole[:h, :w], quality=85, subsampling=SAMPLINGS[sampling]) for h, w in sizes])


@pytest.mark.parametrize("sampling", SAMPLINGS)
@pytest.mark.parametrize("restarts", [0, 5])
def test_noise(sampling, restarts):
    """Every coefficient counts: all of a block's are refined, more than a window of bits has."""
    options = {"subsampling": SAMPLINGS[sampling], "restart_marker_blocks": restarts}
    noise = _random.choice(np.uint8([0, 255]), (61, 83, 3))
    is_like_libjpeg([progressive(noise, quality=quality, **options) for quality in (1, 30, 95, 100)])


def test_long_runs_of_blocks_without_coefficients():
    image = np.full((700, 1000, 3), 90, np.uint8)
    image[350:366, 200:216] = picture(16, 16)
    image[690:] = 200
    is_like_libjpeg([progressive(image, quality=quality, subsampling=2) for quality in (10, 75, 98)])


def parts(data):
    """What stands before the first scan, and each scan with the tables that follow it."""
    starts, at = [], 2
    while data[at + 1] != 0xD9:
        if data[at + 1] == 0xDA:
            starts.append(at)
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        while data[at] != 0xFF or data[at + 1] == 0 or 0xD0 <= data[at + 1] <= 0xD7:
            at += 1
    return data[: starts[0]], [data[a:b] for a, b in zip(starts, [*starts[1:], at], strict=True)]


def rearranged_files():
    """Without some scans, with scans twice, and with tables, comments and restart intervals where none are expected."""
    files = []
    for sampling in SAMPLINGS.values():
        data = progressive(picture(70, 90, 3), quality=80, subsampling=sampling)
        head, scans = parts(data)
        assert head + b"".join(scans) + b"\xff\xd9" == data
        files += [head + b"".join(scans[:k]) + b"\xff\xd9" for k in range(1, len(scans))]
        files += [head + b"".join(scans[:k] + scans[k + 1 :]) + b"\xff\xd9" for k in range(len(scans))]
        files += [head + b"".join(scans[: k + 1] + scans[k:]) + b"\xff\xd9" for k in range(len(scans))]
        segments = (b"\xff\xfe\0\x03a", b"\xff\xff\xe5\0\2", b"\xff\xdd\0\4\0\3", head[2:20])
        for between in (*segments, b"stray", b"\xff\xd3"):
            files.append(head + between.join(scans) + b"\xff\xd9")
        tables = data.index(b"\xff\xdb")
        files.append(head + data[tables : tables + 69].join(scans) + b"\xff\xd9")
    return files


def damaged_files():
    """With bytes changed anywhere behind the first scan's header, or cut off."""
    files = []
    for sampling in SAMPLINGS.values():
        for restarts in (0, 4):
            data = progressive(picture(70, 90, 3), quality=70, subsampling=sampling, restart_marker_blocks=restarts)
            scan = data.index(b"\xff\xda")
            for _ in range(60):
                changed = bytearray(data)
                for place in _random.integers(scan, len(data) - 2, _random.integers(1, 4)):
                    changed[place] = _random.integers(0, 256)
                files.append(bytes(changed))
            files += [data[:cut] for cut in _random.integers(scan, len(data), 8)]
    return files


def test_others_come_to_what_libjpeg_makes_of_them():
    good = progressive(picture(70, 90, 3), quality=90)
    files = [each for data in rearranged_files() + damaged_files() for each in (data, good)]
    by_libjpeg = outcomes_with("sse2", files)
    images = sum(isinstance(each, np.ndarray) for each in by_libjpeg)
    assert len(files) / 2 + 100 < images < len(files)
    for ours, theirs in zip(map(outcome, files), by_libjpeg, strict=True):
        assert type(ours) is type(theirs)
        assert np.array_equal(ours, theirs) if isinstance(ours, np.ndarray) else ours == theirs


# Writes a JPEG anew in other scans, each of which is given by a number of components, these, and four numbers more.
RECODE = """
#include <stdio.h>
#include <stdlib.h>
#include <jpeglib.h>
int main(int argc, char** argv) {
  struct jpeg_decompress_struct in;
  struct jpeg_compress_struct out;
  struct jpeg_error_mgr errors;
  jpeg_scan_info scans[200];
  int count = 0;
  in.err = out.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&in);
  jpeg_create_compress(&out);
  jpeg_stdio_src(&in, stdin);
  jpeg_read_header(&in, TRUE);
  jvirt_barray_ptr* coefficients = jpeg_read_coefficients(&in);
  jpeg_copy_critical_parameters(&in, &out);
  out.restart_interval = atoi(argv[1]);
  for (int i = 2; i < argc; ++count) {
    jpeg_scan_info* scan = scans + count;
    scan->comps_in_scan = atoi(argv[i++]);
    for (int k = 0; k < scan->comps_in_scan; ++k) scan->component_index[k] = atoi(argv[i++]);
    scan->Ss = atoi(argv[i++]);
    scan->Se = atoi(argv[i++]);
    scan->Ah = atoi(argv[i++]);
    scan->Al = atoi(argv[i++]);
  }
  out.scan_info = scans;
  out.num_scans = count;
  jpeg_stdio_dest(&out, stdout);
  jpeg_write_coefficients(&out, coefficients);
  jpeg_finish_compress(&out);
  return 0;
}
"""


def scan_script(components):
    """Scans in an order that holds for each component by itself: DC, then bands of AC, each down to its last bit."""
    queues = []
    dc_low = int(_random.integers(0, 4))
    groups = [range(components)] if _random.random() < 0.5 else [[k] for k in range(components)]
    for group in groups:
        first = [(len(group), *group, 0, 0, 0, dc_low)]
        queues.append(first + [(len(group), *group, 0, 0, bit, bit - 1) for bit in range(dc_low, 0, -1)])
    script = [queue.pop(0) for queue in queues]
    for component in range(components):
        edges = [1, *sorted(_random.choice(np.arange(2, 64), _random.integers(0, 4), replace=False).tolist()), 64]
        for start, end in itertools.pairwise(edges):
            low = int(_random.integers(0, 5))
            band = [(1, component, start, end - 1, 0, low)]
            queues.append(band + [(1, component, start, end - 1, bit, bit - 1) for bit in range(low, 0, -1)])
    while queues := [queue for queue in queues if queue]:
        script.append(queues[_random.integers(len(queues))].pop(0))
    return script


@pytest.mark.skipif(not shutil.which("cc"), reason="other scans are written by a program made by a C compiler")
@pytest.mark.skipif(_native.is_jpeg_bundled(), reason="there may be no libjpeg to compile against")
def test_scripts_of_scans(tmp_path):
    (tmp_path / "recode.c").write_text(RECODE)
    subprocess.run(["cc", "-o", tmp_path / "recode", tmp_path / "recode.c", "-ljpeg"], check=True)
    whole, files = picture(90, 131, 3), []
    for k in range(60):
        image = whole[..., 0] if k % 4 == 3 else whole
        data = jpeg(image, quality=int(_random.integers(20, 100)), subsampling=k % 3)
        script = [str(number) for scan in scan_script(1 if k % 4 == 3 else 3) for number in scan]
        restarts = str(_random.choice([0, 0, 1, 6, 40]))
        recoded = subprocess.run([tmp_path / "recode", restarts, *script], input=data, capture_output=True, check=True)
        files.append(recoded.stdout)
    for data, ours in zip(files, decoded(files, output_type=types.ANY_DATA), strict=True):
        assert np.array_equal(ours, by_pillow(data))
    window = {"start": (33, 37), "end": (61, 101), "axis_names": "HW", "output_type": types.ANY_DATA}
    for data, ours in zip(files, decoded(files, ndd.decoders.image_slice, **window), strict=True):
        assert np.array_equal(ours, by_pillow(data)[33:61, 37:101])
