"""FLAC files are decoded to the very numbers that were encoded."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

import penstock.dynamic as ndd
from ops.audio.sounds import RATE, encoded, tone

CODECS = {"PCM_S8": 8, "PCM_16": 16, "PCM_24": 24}


def decode(file, **arguments):
    return np.asarray(ndd.decoders.audio(ndd.tensor(file), **arguments)[0])


def packed(sound, codec="PCM_16", level=0.5, rate=RATE):
    """32-bit numbers of which a codec keeps the leading bits."""
    file = io.BytesIO()
    soundfile.write(file, sound, rate, format="FLAC", subtype=codec, compression_level=level)
    return np.frombuffer(file.getvalue(), np.uint8).copy()


def kept(sound, codec):
    wasted = 32 - CODECS[codec]
    return sound >> wasted << wasted


def signal(kind, frames, channels, random):
    """Sounds that every way of storing a block has been made for."""
    if kind == "noise":
        return random.integers(-(2**31), 2**31, (frames, channels)).astype(np.int32)
    if kind == "extremes":
        return random.choice([-(2**31), 2**31 - 1], (frames, channels)).astype(np.int32)
    if kind == "constant":
        return np.full((frames, channels), random.integers(-(2**31), 2**31), np.int32)
    smooth = tone(frames, channels) * 2**31
    if kind == "alike":  # channels that are stored as what they have in common
        smooth = smooth[:, :1] + random.normal(0, 1e6, (frames, channels))
    if kind == "coarse":  # numbers that end in zeros
        smooth = smooth // 2**22 * 2**22
    return smooth.clip(-(2**31), 2**31 - 1).astype(np.int32)


@pytest.mark.parametrize("kind", ["noise", "extremes", "constant", "smooth", "alike", "coarse"])
@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("level", [0.0, 0.5, 1.0])
def test_numbers_come_back(kind, codec, level):
    sound = signal(kind, 10000, 2, np.random.default_rng(1))
    file = packed(sound, codec, level)
    assert_array_equal(decode(file, dtype=ndd.int32), kept(sound, codec))
    assert_array_equal(decode(file, dtype=ndd.int16), sound >> 16 if codec != "PCM_S8" else sound >> 24 << 8)
    assert_array_equal(decode(file), (kept(sound, codec) / 2**31).astype(np.float32))


@settings(max_examples=60, deadline=None)
@given(
    kind=st.sampled_from(["noise", "extremes", "constant", "smooth", "alike", "coarse"]),
    frames=st.integers(1, 6000),
    channels=st.integers(1, 8),
    codec=st.sampled_from(sorted(CODECS)),
    level=st.floats(0, 1),
    seed=st.integers(0, 9),
)
def test_any_sound_comes_back(kind, frames, channels, codec, level, seed):
    sound = signal(kind, frames, channels, np.random.default_rng(seed))
    assert_array_equal(decode(packed(sound, codec, level), dtype=ndd.int32), kept(sound, codec))


def test_a_frame_longer_than_the_part_that_is_looked_at(tmp_path):
    sound = signal("noise", 50000, 8, np.random.default_rng(0))
    file = packed(sound, "PCM_24", 0.0)
    assert_array_equal(decode(file, dtype=ndd.int32), kept(sound, "PCM_24"))
    file.tofile(tmp_path / "long.flac")
    (tmp_path / "list.json").write_text(json.dumps({"audio_filepath": str(tmp_path / "long.flac")}))
    reader = ndd.readers.NemoAsr(manifest_filepaths=tmp_path / "list.json", dtype=ndd.int32, downmix=False)
    ((audio, *_),) = reader.next_epoch()
    assert_array_equal(np.asarray(audio), kept(sound, "PCM_24"))


@pytest.mark.parametrize("at", [0.1, 0.5, 0.9])
def test_a_single_wrong_bit_is_noticed(at):
    file = encoded(tone(RATE), "FLAC")
    file[int(len(file) * at)] ^= 4
    with pytest.raises(RuntimeError, match=r"damaged or cut off: decoding ended at 0\.\d+ s of 1\.000 s: .*"):
        decode(file)


def test_a_file_that_ends_early_tells_when():
    file = encoded(tone(RATE), "FLAC")
    with pytest.raises(RuntimeError, match=r"decoding ended at 0\.\d+ s of 1\.000 s: it ends too early"):
        decode(file[: len(file) // 2])
