"""What happens to sound files that are empty, cut off, damaged, or no sound at all."""

from __future__ import annotations

import io
import json
import struct
from contextlib import suppress

import numpy as np
import psutil
import pytest
import soundfile
from hypothesis import given, settings
from hypothesis import strategies as st

import penstock.dynamic as ndd
from messages import told
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
        (np.frombuffer(b"ID3\4\0\0\x7f\x7f\x7f\x7f" + bytes(40), np.uint8), "Failed to open encoded data"),
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


MORE = [
    *(("WAV", codec) for codec in ("ALAW", "GSM610", "G721_32", "IMA_ADPCM", "NMS_ADPCM_16")), ("WAVEX", "ULAW"),
    *(("AIFF", codec) for codec in ("ULAW", "FLOAT", "IMA_ADPCM", "DWVW_16", "GSM610")), ("RF64", "ULAW"),
    *(("AU", codec) for codec in ("ULAW", "FLOAT", "G723_24")), *(("W64", codec) for codec in ("ULAW", "MS_ADPCM")),
    *(("CAF", codec) for codec in ("ULAW", "ALAC_16", "PCM_24")), *(("NIST", codec) for codec in ("PCM_16", "ULAW")),
    *(("VOC", codec) for codec in ("PCM_16", "ULAW")), ("AVR", "PCM_16"), ("SVX", "PCM_16"), ("WVE", "ALAW"),
    *(("MAT4", codec) for codec in ("PCM_16", "PCM_32", "FLOAT", "DOUBLE")), ("MPC2K", "PCM_16"),
    *(("MAT5", codec) for codec in ("PCM_U8", "PCM_16", "PCM_32", "FLOAT", "DOUBLE")),
    *(("SDS", codec) for codec in ("PCM_S8", "PCM_16", "PCM_24")),
]  # fmt: skip
NARROW = {"GSM610", "G721_32", "G723_24", "NMS_ADPCM_16", "ALAW", "DWVW_16"}  # of one channel only


def whole(form: str, codec: str) -> np.ndarray:
    known = FILES.get((form, codec))
    if known is not None:
        return known
    narrow = codec in NARROW or form in ("SVX", "SDS")
    return encoded(tone(6000, 1 if narrow else 2), form, codec, 8000 if narrow else RATE)


@pytest.mark.parametrize(("form", "codec"), [*FILES, *MORE])
def test_what_is_cut_off_is_refused(form, codec):
    """Wherever it is, but for what stands behind the sound: a fill byte, a mark of the end, silence of a codec."""
    file = whole(form, codec)
    sound = len(decode(file))
    for cut in (*(len(file) * share // 100 for share in (*range(1, 100, 7), 99)), len(file) - 1):
        if cut < len(file) * 0.95:
            with pytest.raises(RuntimeError, match=r"cut off|damaged|Failed to open encoded data|is empty"):
                decode(file[:cut])
        else:
            with suppress(RuntimeError):
                assert len(decode(file[:cut])) == sound


@pytest.mark.parametrize("form", ["MAT4", "MAT5"])
@pytest.mark.parametrize("endian", ["LITTLE", "BIG"])
def test_matrices_of_either_byte_order_tell_how_long_they_are(form, endian):
    stored = io.BytesIO()
    soundfile.write(stored, tone(6000, 2), RATE, "PCM_16", endian, form)
    file = np.frombuffer(stored.getvalue(), np.uint8)
    assert len(decode(file)) == 6000
    with pytest.raises(
        RuntimeError, match=f"the {form} file is cut off: its header promises 24000 bytes of sound, 23999"
    ):
        decode(file[:-1])


def test_an_instrument_tells_how_long_it_is_unless_its_length_is_zero():
    """libsndfile leaves it at zero; trackers do not."""
    file = encoded(tone(6000, 1), "XI", "DPCM_16", 44100).copy()
    assert len(decode(file[:-2])) == 5999
    file[298:302] = np.frombuffer((12000).to_bytes(4, "little"), np.uint8)
    assert len(decode(file)) == 6000
    with pytest.raises(RuntimeError, match="the XI file is cut off: its header promises 12000 bytes of sound, 11998"):
        decode(file[:-2])


def of_unknown_length() -> dict[str, np.ndarray]:
    mp3 = encoded(tone(20000), "MP3", "MPEG_LAYER_III")
    piped = np.frombuffer(wav(bytes(800), promised=0xFFFFFFFF), np.uint8)
    au = whole("AU", "PCM_16").copy()
    au[8:12] = 0xFF
    ulaw = whole("WAV", "ULAW").copy()
    at = bytes(ulaw).index(b"data")
    ulaw[at + 4 : at + 8] = 0xFF
    found = bytes(mp3).find(b"Info") if b"Info" in bytes(mp3) else bytes(mp3).index(b"Xing")
    frame = bytes(mp3).index(bytes(mp3[:2]), found)  # the first one with sound in it
    xi = encoded(tone(600, 1), "XI", "DPCM_16", 44100)
    pvf = encoded(tone(600), "PVF", "PCM_16")
    return {"MP3": mp3[frame:], "WAV": piped, "AU": au, "u-law": ulaw, "PVF": pvf, "XI": xi}


@pytest.mark.parametrize("name", of_unknown_length())
@pytest.mark.parametrize("on_error", ["raise", "skip"])
def test_files_that_do_not_say_how_long_they_are_are_a_warning_of_the_reader(name, on_error, tmp_path):
    paths = [tmp_path / "0.wav", tmp_path / f"1.{name}", tmp_path / "2.wav"]
    files = (FILES["WAV", "PCM_16"], of_unknown_length()[name], FILES["OGG", "VORBIS"])
    for path, file in zip(paths, files, strict=True):
        path.write_bytes(bytes(file))
    reader = ndd.readers.File(files=paths, check=ndd.decoders.audio, on_error=on_error)
    for _ in range(2):
        assert len([*reader.next_epoch(batch_size=1)]) == 3
    (bad,) = reader.errors  # once, not in every epoch
    assert (bad.index, bad.warning, bad.source) == (1, True, str(paths[1]))
    assert isinstance(bad.error, RuntimeWarning)
    assert "does not say how long it is" in str(bad.error)
    manifest = tmp_path / "speech.json"
    manifest.write_text("".join(json.dumps({"audio_filepath": str(path)}) + "\n" for path in paths))
    speech = ndd.readers.NemoAsr(manifest_filepaths=manifest, on_error=on_error)
    assert len([*speech.next_epoch(batch_size=2)]) == 2
    assert [(bad.index, bad.warning) for bad in speech.errors] == [(1, True)]


@pytest.mark.parametrize("codec", ["PCM_16", "PCM_24"])
def test_a_part_of_a_flac_file_is_no_warning_since_its_header_counts_the_samples(codec, tmp_path):
    flac, counted = tmp_path / "sound.flac", bytes(encoded(tone(600), "FLAC", codec))
    (tmp_path / "speech.json").write_text(
        json.dumps({"audio_filepath": str(flac), "offset": 100 / RATE, "duration": 200 / RATE})
    )
    flac.write_bytes(counted)
    reader = ndd.readers.NemoAsr(manifest_filepaths=tmp_path / "speech.json")
    ((audio, *_),) = reader.next_epoch(batch_size=1)
    assert audio.shape == [(200,)]
    assert reader.errors == []
    flac.write_bytes(counted[:21] + bytes([counted[21] & 0xF0]) + bytes(4) + counted[26:])
    with pytest.raises(RuntimeError, match="its length cannot be told"):
        next(ndd.readers.NemoAsr(manifest_filepaths=tmp_path / "speech.json").next_epoch())


def ogg_checksum(page: bytes) -> int:
    crc = 0
    for byte in page:
        crc ^= byte << 24
        for _ in range(8):
            crc = (crc << 1 ^ (0x04C11DB7 if crc >> 31 else 0)) & 0xFFFFFFFF
    return crc


def with_right_checksums(file: np.ndarray) -> np.ndarray:
    pages, at = bytearray(file.tobytes()), 0
    while at < len(pages):
        size = 27 + pages[at + 26] + sum(pages[at + 27 : at + 27 + pages[at + 26]])
        pages[at + 22 : at + 26] = bytes(4)
        pages[at + 22 : at + 26] = ogg_checksum(pages[at : at + size]).to_bytes(4, "little")
        at += size
    return np.frombuffer(bytes(pages), np.uint8)


def test_a_damaged_ogg_file_is_refused_before_its_decoder_sees_it():
    file = FILES["OGG", "VORBIS"]
    np.testing.assert_array_equal(with_right_checksums(file), file)
    for at in range(0, len(file), 97):
        damaged = file.copy()
        damaged[at] ^= 0x55
        with pytest.raises(RuntimeError, match=r"the Ogg file is damaged or cut off: at byte \d+|Failed to open"):
            decode(damaged)


@pytest.mark.memory
def test_a_malformed_ogg_file_leaks_once_a_decode():
    """libsndfile keeps 5.7 kB of each that it cannot open, and was made to open it up to four times."""
    malformed = FILES["OGG", "VORBIS"].copy()
    malformed[39] = 0  # channels
    malformed = with_right_checksums(malformed)
    message = "there is no sound in the Ogg file that libsndfile knows, or it is damaged"

    def resident(decodes: int) -> int:
        for _ in range(decodes):
            with pytest.raises(RuntimeError, match=message):
                decode(malformed)
        return psutil.Process().memory_info().rss

    before = resident(100)
    assert (resident(1000) - before) / 1000 < 7000


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
    said = told(caught.value)
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
    if np.isfinite(decode(file)).all():  # sums of infinities are not numbers
        assert not np.isnan(audio).any()
