"""What happens to sound files that are empty, cut off, damaged, or no sound at all."""

from __future__ import annotations

import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from ops.audio.sounds import OTHERS, PLAIN, RATE, encoded, tone, wav

NAN = struct.pack("<4f", 0.0, 0.5, float("nan"), 0.0)
FILES = {(form, codec): encoded(tone(600, 2), form, codec) for form, codec in [*(("WAV", c) for c in PLAIN), *OTHERS]}


def decode(file, **arguments):
    audio, _ = ndd.decoders.audio(ndd.tensor(np.asarray(file, np.uint8)), **arguments)
    return np.asarray(audio)


@pytest.mark.parametrize(
    ("file", "message"),
    [
        (np.zeros(0, np.uint8), "the file is empty"),
        (np.frombuffer(b"RIFF", np.uint8), "Failed to open encoded data"),
        (np.frombuffer(b"plain text is no sound, whatever the name says", np.uint8), "Format not recognised"),
        (wav(b"\0" * 8, rate=0), "it says the sample rate is 0 Hz"),
        (wav(b"\0" * 8, rate=-16000), "it says the sample rate is 4294951296 Hz"),
        (wav(b"\0" * 8, channels=0), "it says there are 0 channels"),
        (wav(b"\0" * 8, promised=3200), "its header promises 3200 bytes of sound, 8 are there"),
        (wav(b"\0" * 8)[:40], "there is no sound in its 40 bytes"),
        (wav(b"\0" * 8)[:30], "there is no description of the sound in its 30 bytes"),
        (wav(NAN, form=3, bits=32), r"the sound is not a number \(NaN\) at 0.000125 s"),
        (wav(NAN, form=3, bits=32, channels=2), r"the sound is not a number \(NaN\) at 6.25e-05 s"),
    ],
)  # fmt: skip
def test_a_bad_file_says_what_is_wrong(file, message):
    with pytest.raises(RuntimeError, match=message):
        decode(file)


@pytest.mark.parametrize("arguments", [{"dtype": ndd.int16}, {"downmix": True}, {"sample_rate": 8000}])
def test_nan_is_found_whatever_is_asked_for(arguments):
    with pytest.raises(RuntimeError, match="not a number"):
        decode(wav(NAN * 5000, form=3, bits=32, channels=2), **arguments)


# Of other formats libsndfile takes what is there for the whole.
@pytest.mark.parametrize(
    ("form", "codec"), [key for key in FILES if key[0] == "FLAC" or (key[0] == "WAV" and key[1] in PLAIN)]
)
def test_what_is_cut_off_is_refused(form, codec):
    file = FILES[form, codec]
    with pytest.raises(RuntimeError, match=r"cut off|damaged"):
        decode(file[: len(file) * 2 // 3])


def test_damage_in_the_middle_tells_when():
    file = encoded(tone(RATE * 2), "FLAC")
    file[len(file) // 2 :][:200] = 0
    with pytest.raises(RuntimeError, match=r"damaged or cut off: decoding ended at [01]\.\d+ s of 2\.000 s"):
        decode(file)


def test_the_sample_and_its_file_are_named_and_others_still_decode(tmp_path):
    (tmp_path / "a").mkdir()
    for name, content in {"good.wav": encoded(tone(50)).tobytes(), "worse.wav": b"nothing"}.items():
        (tmp_path / "a" / name).write_bytes(content)
    reader = ndd.readers.File(file_root=tmp_path)
    ((files, _),) = reader.next_epoch(batch_size=2)
    with pytest.raises(RuntimeError, match="Failed to open encoded data") as caught:
        ndd.decoders.audio(files)[0].evaluate()
    said = f"{caught.value} {getattr(caught.value, '__notes__', '')}"
    assert "in decoders.audio, sample 1" in said
    assert "a/worse.wav" in said
    assert decode(encoded(tone(50))).shape == (50, 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"sample_rate": -5.0}, "`sample_rate` must be positive, or 0 for the file's own, got -5 Hz"),
        ({"sample_rate": float("inf")}, "got inf Hz"),
        ({"sample_rate": 1e13}, "there would be"),
        ({"quality": 101.0}, r"`quality` out of range: 101"),
        ({"quality": -1.0}, r"`quality` out of range: -1"),
        ({"dtype": ndd.uint8}, "Unsupported output type: uint8"),
        ({"dtype": ndd.float16}, "Unsupported output type: float16"),
    ],
)
def test_bad_arguments_are_refused(arguments, message):
    with pytest.raises(RuntimeError, match=message):
        decode(encoded(tone(50)), **arguments)


def test_rates_of_samples_are_checked_too():
    files = ndd.batch([encoded(tone(50))] * 2)
    with pytest.raises(RuntimeError, match="got -1 Hz"):
        ndd.decoders.audio(files, sample_rate=ndd.batch([8000.0, -1.0]))[0].evaluate()


@pytest.mark.parametrize("data", [np.zeros((2, 2), np.uint8), np.zeros(4, np.int8), np.zeros((), np.uint8)])
def test_only_bytes_are_taken(data):
    with pytest.raises(RuntimeError, match="expected the bytes of a file, 1-D uint8"):
        ndd.decoders.audio(ndd.tensor(data))


def test_an_empty_batch_stays_empty():
    audio, rates = ndd.decoders.audio(ndd.batch([], dtype=ndd.uint8).__class__._of_samples(
        ndd.batch([np.zeros(1, np.uint8)])._resolve().select([])
    ))  # fmt: skip
    assert audio.batch_size == rates.batch_size == 0


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_whatever_is_damaged_is_decoded_or_refused(data):
    file = FILES[data.draw(st.sampled_from(sorted(FILES)))].copy()
    for _ in range(data.draw(st.integers(0, 4))):
        near = data.draw(st.sampled_from([60, len(file)]))
        file[data.draw(st.integers(0, near - 1))] ^= data.draw(st.integers(1, 255))
    if data.draw(st.booleans()):
        file = file[: data.draw(st.integers(0, len(file)))]
    arguments = data.draw(
        st.fixed_dictionaries(
            {},
            optional={
                "dtype": st.sampled_from([ndd.int16, ndd.int32, ndd.float32]),
                "downmix": st.booleans(),
                "sample_rate": st.sampled_from([0.0, 4000.0, 44100.0]),
            },
        )
    )
    try:
        audio = decode(file, **arguments)
    except (RuntimeError, MemoryError):
        return
    assert audio.ndim == (1 if arguments.get("downmix") else 2)
    assert not np.isnan(audio).any()
