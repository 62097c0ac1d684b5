"""Where libjpeg does not let its entropy coding be replaced, its own is used, to the same bits."""

import os
import pickle
import shutil
import subprocess
import sys

import numpy as np
import pytest

import penstock.dynamic as ndd
from ops.decode.test_baseline_jpeg import SAMPLINGS, jpeg, picture
from penstock import _native

CHILD = """
import pickle, sys
from ops.decode.test_libjpeg_entries import results
from penstock import _native
sys.stdout.buffer.write(pickle.dumps((_native.can_replace_entropy_coding(), results(pickle.load(sys.stdin.buffer)))))
"""


def results(files):
    """Each file decoded in full and small, and what compression does to it."""
    encoded = ndd.batch([np.frombuffer(data, np.uint8) for data in files])
    images = ndd.decoders.image(encoded)
    small = ndd.decoders.image(encoded, min_size=(16, 16))
    distorted = ndd.jpeg_compression_distortion(images, quality=35)
    return [np.asarray(each) for batch in (images, small, distorted) for each in batch.tensors]


def pictures():
    """Every sampling, with and without restarts and own tables, progressive and grey."""
    whole = picture(70, 93)
    kinds = ({}, {"restart_marker_blocks": 3}, {"optimize": True}, {"progressive": True})
    files = [jpeg(whole, subsampling=sampling, **kind) for sampling in SAMPLINGS.values() for kind in kinds]
    return [*files, jpeg(whole[..., 0])]


def in_child(files, **variables):
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)} | variables
    child = subprocess.run(
        [sys.executable, "-c", CHILD], input=pickle.dumps(files), env=environment, capture_output=True
    )
    assert child.returncode == 0, child.stderr.decode()
    return pickle.loads(child.stdout)


@pytest.mark.parametrize("cpu", ["sse2", ""])  # without our own transform more goes through libjpeg
def test_the_public_interface_alone_gives_the_same_bits(cpu):
    assert _native.can_replace_entropy_coding()
    files = pictures()
    limit = {"PENSTOCK_CPU": cpu} if cpu else {}
    can_replace, by_libjpeg = in_child(files, PENSTOCK_LIBJPEG="public", **limit)
    assert not can_replace
    for ours, theirs in zip(results(files), by_libjpeg, strict=True):
        np.testing.assert_array_equal(ours, theirs)


# A libjpeg with a function of somebody else in the struct, as one with another layout would have.
SHIM = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <jpeglib.h>
struct jpeg_entropy_decoder {
  void (*start_pass)(j_decompress_ptr);
  boolean (*decode_mcu)(j_decompress_ptr, JBLOCKROW*);
};
static boolean (*own)(j_decompress_ptr, JBLOCKROW*);
static boolean decode(j_decompress_ptr info, JBLOCKROW* unit) { return own(info, unit); }
boolean jpeg_start_decompress(j_decompress_ptr info) {
  boolean (*start)(j_decompress_ptr) = (boolean (*)(j_decompress_ptr))dlsym(RTLD_NEXT, "jpeg_start_decompress");
  const boolean started = start(info);
  if (info->entropy->decode_mcu != decode && !info->progressive_mode) {
    own = info->entropy->decode_mcu;
    info->entropy->decode_mcu = decode;
  }
  return started;
}
"""


@pytest.mark.skipif(sys.platform != "linux" or not shutil.which("cc"), reason="preloads a library made by a C compiler")
@pytest.mark.skipif(_native.is_jpeg_bundled(), reason="libjpeg is a part of the core: nothing can come between")
def test_a_libjpeg_with_other_entries_is_noticed(tmp_path):
    (tmp_path / "shim.c").write_text(SHIM)
    library = tmp_path / "shim.so"
    linked = ["-Wl,--no-as-needed", "-ljpeg", "-ldl"]
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, tmp_path / "shim.c", *linked], check=True)
    files = pictures()
    can_replace, decoded = in_child(files, LD_PRELOAD=str(library))
    assert not can_replace
    for ours, theirs in zip(results(files), decoded, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_an_unknown_interface_of_libjpeg_is_refused():
    environment = os.environ | {"PENSTOCK_LIBJPEG": "private"}
    program = "from penstock import _native; _native.can_replace_entropy_coding()"
    child = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True)
    assert b'PENSTOCK_LIBJPEG is "private"; public is known' in child.stderr
