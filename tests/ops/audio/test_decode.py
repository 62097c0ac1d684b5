"""decoders.audio: formats, types, channels and sample rates."""

from __future__ import annotations

import struct
import subprocess
import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import penstock.dynamic as ndd
from ops.audio.sounds import OTHERS, PLAIN, RATE, chunk, decoded, encoded, snr, tone, wav
from ops.several import check_several

DTYPES = {"float32": ndd.float32, "int16": ndd.int16, "int32": ndd.int32}


def decode(file, **arguments):
    audio, rate = ndd.decoders.audio(ndd.tensor(file), **arguments)
    return np.asarray(audio), float(np.asarray(rate))


@pytest.mark.parametrize("arguments", [{}, {"downmix": True}, {"dtype": ndd.int16}, {"sample_rate": 11025.0}])
def test_decoding_keeps_the_promises(arguments):
    files = [
        encoded(tone(300, 2)),
        encoded(tone(100, 1), "FLAC"),
        encoded(tone(0, 2)),
        encoded(tone(200, 3), codec="FLOAT"),
    ]
    check_several("decoders.audio", files, **arguments)


def test_samples_may_have_rates_of_their_own():
    files = [encoded(tone(400)), encoded(tone(400)), encoded(tone(400), rate=8000)]
    audio, rates = check_several("decoders.audio", files, per_sample={"sample_rate": [0.0, 8000.0, 16000.0]})
    assert [len(each) for each in audio] == [400, 200, 800]
    assert [float(rate) for rate in rates] == [16000, 8000, 16000]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("channels", [1, 2, 5])
@pytest.mark.parametrize("form", ["WAV", "WAVEX"])
@pytest.mark.parametrize("codec", PLAIN)
def test_plain_wav_is_what_soundfile_reads(codec, form, channels, dtype):
    file = encoded(tone(70, channels), form, codec)
    audio, rate = decode(file, dtype=DTYPES[dtype])
    assert rate == RATE
    assert audio.shape == (70, channels)
    if dtype == "float32" or codec.startswith("PCM"):
        assert_array_equal(audio, decoded(file, dtype))
    else:  # soundfile does not scale floats
        assert_allclose(audio / (np.iinfo(dtype).max + 1), tone(70, channels), atol=2e-5)


@pytest.mark.parametrize(("form", "codec"), OTHERS)
@pytest.mark.parametrize("channels", [1, 2])
def test_other_formats_are_decoded_by_libsndfile(form, codec, channels):
    file = encoded(tone(4096, channels), form, codec)
    audio, rate = decode(file)
    assert rate == RATE
    assert_allclose(audio, decoded(file), atol=2e-7)
    for dtype in ("int16", "int32"):
        whole = decode(file, dtype=DTYPES[dtype])[0]
        assert_allclose(whole / (np.iinfo(dtype).max + 1), audio, atol=2 / 32768 if dtype == "int16" else 1e-7)


def test_numbers_by_eye():
    file = wav(struct.pack("<4h", -32768, -1, 0, 16384))
    assert decode(file)[0].ravel().tolist() == [-1.0, -1 / 32768, 0.0, 0.5]
    assert decode(file, dtype=ndd.int16)[0].ravel().tolist() == [-32768, -1, 0, 16384]
    assert decode(file, dtype=ndd.int32)[0].ravel().tolist() == [-(2**31), -65536, 0, 2**30]
    assert decode(wav(bytes([0, 128, 255]), bits=8))[0].ravel().tolist() == [-1.0, 0.0, 127 / 128]
    assert decode(wav(b"\xff\xff\xff\x00\x00\x40", bits=24))[0].ravel().tolist() == [-1 / 2**23, 0.5]


def test_floats_become_whole_numbers_of_full_scale():
    file = wav(struct.pack("<6f", -2.0, -1.0, 0.5, 1.0, 1e30, float("-inf")), form=3, bits=32)
    assert decode(file, dtype=ndd.int16)[0].ravel().tolist() == [-32768, -32768, 16384, 32767, 32767, -32768]
    assert decode(file)[0].ravel().tolist()[:4] == [-2.0, -1.0, 0.5, 1.0]


def test_channels_are_mixed_to_their_mean():
    file = wav(struct.pack("<6h", 1, 4, 100, -300, 32767, 32767), channels=2)
    assert decode(file, downmix=True, dtype=ndd.int16)[0].tolist() == [2, -100, 32767]
    assert decode(file, downmix=True)[0].tolist() == [2.5 / 32768, -100 / 32768, 32767 / 32768]
    three = wav(struct.pack("<3h", 3, 6, 9), channels=3)
    assert decode(three, downmix=True, dtype=ndd.int16)[0].tolist() == [6]
    floats = wav(struct.pack("<2f", 0.25, 0.75), channels=2, form=3, bits=32)
    assert decode(floats, downmix=True, dtype=ndd.int16)[0].tolist() == [16384]


def test_chunks_around_the_sound_are_passed_over():
    sound = struct.pack("<2h", 1, 2)
    plain = decode(wav(sound))[0]
    assert_array_equal(decode(wav(sound, before=chunk(b"JUNK", b"odd")))[0], plain)
    after = np.append(wav(sound), np.frombuffer(chunk(b"LIST", b"fmt data"), np.uint8))
    assert_array_equal(decode(after)[0], plain)


@pytest.mark.parametrize("size", [0x7FFFF000, 0xFFFFFFFF])
def test_a_file_of_unknown_length_ends_with_its_bytes(size):
    assert decode(wav(struct.pack("<3h", 1, 2, 3), promised=size), dtype=ndd.int16)[0].ravel().tolist() == [1, 2, 3]


@pytest.mark.parametrize(("rate", "wanted"), [(8000, 16000), (44100, 16000), (16000, 22050), (16000, 16000)])
@pytest.mark.parametrize("dtype", DTYPES)
def test_a_tone_at_another_rate_is_that_tone(rate, wanted, dtype):
    file = encoded(tone(4000, 2, rate=rate), codec="FLOAT", rate=rate)
    audio, now = decode(file, sample_rate=wanted, dtype=DTYPES[dtype], quality=80)
    assert now == wanted
    pure = tone(len(audio), 2, rate=wanted)[200:-200]
    full = 1 if dtype == "float32" else np.iinfo(dtype).max
    assert snr(audio[200:-200] / full, pure) > 60


def test_resampling_while_decoding_is_decoding_then_resampling():
    files = ndd.batch([encoded(tone(900, 2)), encoded(tone(500, 1), "FLAC", rate=22050)])
    at_once, rates = ndd.decoders.audio(files, sample_rate=8000, downmix=True)
    audio, before = ndd.decoders.audio(files, downmix=True)
    later = ndd.audio_resample(audio, in_rate=before, out_rate=8000)
    assert [float(np.asarray(rate)) for rate in rates] == [8000, 8000]
    for a, b in zip(at_once, later, strict=True):
        assert_array_equal(np.asarray(a), np.asarray(b))


def test_a_decoded_batch_knows_its_files(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "speech.wav").write_bytes(encoded(tone(50)).tobytes())
    ((files, _),) = ndd.readers.File(file_root=tmp_path).next_epoch(batch_size=1)
    audio, _ = ndd.decoders.audio(files)
    assert bytes(np.asarray(ndd.get_property(audio, key="source_info").tensors[0])) == b"a/speech.wav"


WITHOUT_LIBRARY = """
import json
import numpy as np
import penstock.dynamic as ndd
from penstock.ops.audio import libsndfile
libsndfile._candidates = lambda: iter(["no such library"])
wav, flac, ogg = (np.fromfile(name, np.uint8) for name in ("a.wav", "b.wav", "c.wav"))
print([np.asarray(audio).shape for audio in ndd.decoders.audio(ndd.batch([wav, flac]))[0]])
with open("list.json", "w") as file:
    json.dump({"audio_filepath": "b.wav", "offset": 0.002}, file)
reader = ndd.readers.NemoAsr(manifest_filepaths="list.json", dtype=ndd.int16)
print([np.asarray(audio).tolist() for audio, *_ in reader.next_epoch()])
try:
    ndd.decoders.audio(ndd.batch([wav, ogg]))[0].evaluate()
except RuntimeError as error:
    print(error, getattr(error, "__notes__", ""))
"""


def test_without_libsndfile_wav_and_flac_are_decoded_and_the_rest_names_the_way_out(tmp_path):
    counting = np.arange(40, dtype=np.int16)
    # The content counts, not the name.
    for name, form, codec in (("a", "WAV", "PCM_16"), ("b", "FLAC", "PCM_16"), ("c", "OGG", "VORBIS")):
        encoded(counting, form, codec).tofile(tmp_path / f"{name}.wav")
    command = [sys.executable, "-c", WITHOUT_LIBRARY]
    told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout.splitlines()
    assert told[0] == "[(40, 1), (40, 1)]"
    assert told[1] == str([counting[32:].tolist()])
    assert "not a plain WAV or FLAC file; Ogg, MP3 and other formats need libsndfile: pip install" in told[2]
    assert '"penstock[audio]"' in told[2]
    assert any("sample 1" in line for line in told[2:])
