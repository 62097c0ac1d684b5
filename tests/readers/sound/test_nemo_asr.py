"""readers.NemoAsr: manifests, parts of files, outputs, and what cannot be read."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import fsspec
import numpy as np
import psutil
import pytest
import soundfile
from numpy.testing import assert_allclose, assert_array_equal

import penstock.dynamic as ndd
from penstock.readers import NemoAsr
from readers.promises import check_resume, values

RATE = 16000


def ramp(frames: int, channels: int = 1) -> np.ndarray:
    """16-bit samples that tell where they stand; every channel counts ten times as fast as the one before."""
    return (np.arange(frames)[:, None] * 10 ** np.arange(channels)).astype(np.int16)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    soundfile.write("one.wav", ramp(1600), RATE)
    soundfile.write("two.wav", ramp(320, 2), RATE)
    soundfile.write("three.flac", ramp(800), RATE)
    return tmp_path


def manifest(*entries: Any, name: str = "speech.json") -> str:
    Path(name).write_text("\n".join(e if isinstance(e, str) else json.dumps(e) for e in entries) + "\n")
    return name


def entry(file: str = "one.wav", **more: Any) -> dict[str, Any]:
    return {"audio_filepath": file, "text": f"about {file}"} | more


def read(*entries: Any, batch_size: int | None = None, **arguments: Any) -> list[list[Any]]:
    """The arrays of every output of every step."""
    reader = ndd.readers.NemoAsr(manifest_filepaths=[manifest(*entries)], **arguments)
    return [[np.asarray(output) for output in outputs] for outputs in reader.next_epoch(batch_size=batch_size)]


def test_outputs_are_sound_rate_text_and_index(folder):
    (one, two) = read(entry(), entry("two.wav", text="zwölf"), read_idxs=True)
    audio, rate, text, index = one
    assert_array_equal(audio, ramp(1600)[:, 0] / np.float32(32768))
    assert (rate.dtype, rate.shape, float(rate)) == (np.float32, (), RATE)
    assert bytes(text) == b"about one.wav"
    assert (index.dtype, index.tolist()) == (np.int64, [0])
    assert bytes(two[2]).decode() == "zwölf"
    assert two[3].tolist() == [1]


@pytest.mark.parametrize("rate", [False, True])
@pytest.mark.parametrize("text", [False, True])
@pytest.mark.parametrize("index", [False, True])
def test_outputs_are_those_asked_for(folder, rate, text, index):
    (outputs,) = read(entry(), read_sample_rate=rate, read_text=text, read_idxs=index)
    assert [each.dtype.name for each in outputs[1:]] == ["float32"] * rate + ["uint8"] * text + ["int64"] * index


def test_types_and_channels(folder):
    ((mixed, *_),) = read(entry("two.wav"), dtype=ndd.int16)
    assert mixed[:3].tolist() == [0, 5, 11]
    ((both, *_),) = read(entry("two.wav"), dtype=ndd.int16, downmix=False)
    assert_array_equal(both, ramp(320, 2))
    ((mono, *_),) = read(entry(), dtype=ndd.int32, downmix=False)
    assert (mono.shape, mono[1].tolist()) == ((1600, 1), [65536])


@pytest.mark.parametrize("file", ["one.wav", "three.flac"])
@pytest.mark.parametrize(
    ("part", "first", "frames"),
    [
        ({"duration": 0.01}, 0, 160),
        ({"offset": 0.02}, 320, None),
        ({"offset": 0.02, "duration": 0.01}, 320, 160),
        ({"offset": 0.02, "duration": 9.0}, 320, None),
        ({"offset": -1, "duration": -1}, 0, None),
        ({"offset": 0.00009, "duration": 0.00109}, 1, 17),
        ({"duration": 0}, 0, 0),
    ],
)
def test_only_a_part_of_a_file(folder, file, part, first, frames):
    ((audio, *_),) = read(entry(file, **part), dtype=ndd.int16)
    whole = np.arange(1600 if file == "one.wav" else 800)
    assert audio.tolist() == whole[first : None if frames is None else first + frames].tolist()


@pytest.mark.memory
def test_a_long_file_is_not_read_as_a_whole(folder):
    """A file of 2 GB without anything in it but its end; to read it takes longer than all of these tests."""
    frames = 1_000_000_000
    about = struct.pack("<4sIHHIIHH", b"fmt ", 16, 1, 1, RATE, 2 * RATE, 2, 16)
    head = struct.pack("<4sI4s", b"RIFF", 2 * frames + 36, b"WAVE") + about + struct.pack("<4sI", b"data", 2 * frames)
    with open("long.wav", "wb") as file:
        file.write(head)
        file.seek(len(head) + 2 * (frames - 3))
        file.write(struct.pack("<3h", 1, 2, 3))
    before = resident_bytes()
    ((audio, *_),) = read(entry("long.wav", offset=frames / RATE - 0.01), dtype=ndd.int16)
    assert audio[-3:].tolist() == [1, 2, 3]
    assert resident_bytes() - before < 50 << 20


def resident_bytes() -> int:
    return int(psutil.Process().memory_info().rss)


@pytest.mark.parametrize("rate", [8000.0, 16000.0, 22050.0])
def test_all_sounds_at_one_rate_which_is_not_the_one_told(folder, rate):
    soundfile.write("low.wav", np.sin(np.arange(2000) * 0.05), 8000, subtype="FLOAT")
    audio, told, _ = read(entry("low.wav"), sample_rate=rate, quality=90)[0]
    assert float(told) == 8000
    assert len(audio) == np.ceil(2000 * rate / 8000)
    assert_allclose(audio[200:-200], np.sin(np.arange(len(audio)) * 0.05 * 8000 / rate)[200:-200], atol=1e-3)


def test_durations_choose_entries_and_the_kept_are_counted(folder):
    lasting = [entry(duration=seconds) for seconds in (0.01, 0.05, 0.1)] + [entry()]

    def kept(**limits: float) -> list[tuple[int, int]]:
        return [(len(audio), int(index[0])) for audio, index in
                read(*lasting, read_text=False, read_sample_rate=False, read_idxs=True, **limits)]  # fmt: skip

    assert kept() == [(160, 0), (800, 1), (1600, 2), (1600, 3)]
    assert kept(min_duration=0.05) == [(800, 0), (1600, 1)]
    assert kept(max_duration=0.05) == [(160, 0), (800, 1), (1600, 2)]
    assert kept(min_duration=0.02, max_duration=0.06) == [(800, 0)]


def test_several_manifests_follow_one_another(folder):
    names = [manifest(entry(text="a"), entry(text="b"), name="1.json"), manifest("", entry(text="c"), name="2.json")]
    reader = NemoAsr(manifest_filepaths=names, read_idxs=True)
    ((_, _, texts, indices),) = reader.next_epoch(batch_size=3)
    assert [bytes(text) for text in values(texts)] == [b"a", b"b", b"c"]
    assert values(indices) == [[0], [1], [0]]


def test_a_batch_knows_its_files(folder):
    ((audio, *_),) = NemoAsr(manifest_filepaths=manifest(entry(), entry("two.wav"))).next_epoch(batch_size=2)
    assert audio.sources == ["one.wav", "two.wav"]


def test_more_files_than_may_be_open(folder):
    reader = NemoAsr(manifest_filepaths=manifest(*[entry(duration=0.001)] * 600), read_text=False)
    ((audio, _),) = reader.next_epoch(batch_size=600)
    assert audio.array().shape == (600, 16)


@pytest.mark.parametrize(
    "order",
    [{}, {"random_shuffle": True, "seed": 7, "initial_fill": 3}, {"shuffle_after_epoch": True},
     {"num_shards": 2, "shard_id": 1, "pad_last_batch": True}],
)  # fmt: skip
def test_it_resumes_at_every_step(folder, order):
    names = manifest(*(entry(text=str(number), duration=0.01 + number / 1000) for number in range(7)))
    check_resume(lambda: NemoAsr(manifest_filepaths=names, enable_checkpointing=True, **order))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{bad", r"speech.json, line 2: not JSON: .* at character 2"),
        ("[1, 2]", "speech.json, line 2: a JSON object is expected, got list"),
        ("\xff\xfe{}", "speech.json, line 2: not JSON"),
        ("[" * 100000, "speech.json, line 2: not JSON"),
        ('{"text": "no file"}', "speech.json, line 2: there is no audio_filepath"),
        (entry(""), "speech.json, line 2: audio_filepath is empty"),
        (entry(5), "speech.json, line 2: audio_filepath must be a string, got 5"),
        (entry(text=None), "speech.json, line 2: text must be a string, got None"),
        (entry(text="\ud800"), "speech.json, line 2: "),
        (entry(duration="long"), "speech.json, line 2: duration must be a number of seconds, got 'long'"),
        (entry(offset=True), "speech.json, line 2: offset must be a number of seconds, got True"),
        ('{"audio_filepath": "one.wav", "offset": NaN}', "line 2: offset must be a number of seconds, got nan"),
    ],
)
def test_a_bad_line_is_named(folder, line, message):
    reader = NemoAsr(manifest_filepaths=manifest(entry(), line))
    with pytest.raises(RuntimeError, match=message):
        next(reader.next_epoch())


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (entry("nope.wav"), r"nope.wav: No such file or directory \(speech.json, line 2\)"),
        (entry("."), r"\.: Is a directory \(speech.json, line 2\)"),
        (entry("speech.json"), r"speech.json: Failed to open encoded data: .*[^.] \(speech.json, line 2\)"),
        (entry("empty.wav"), r"empty.wav: the file is empty \(speech.json, line 2\)"),
        (entry("half.wav"), r"half.wav: the WAV file is cut off: its header promises .* \(speech.json, line 2\)"),
        (entry("half.flac"), r"half.flac: the file is damaged or cut off: .* \(speech.json, line 2\)"),
        (entry("one.wav", offset=3.0), "the offset of 3 s lies behind the end of the sound, at 0.1 s"),
    ],
)
def test_a_bad_file_is_named_and_the_reader_goes_on(folder, bad, message):
    Path("empty.wav").write_bytes(b"")
    for whole in ("one.wav", "three.flac"):
        data = Path(whole).read_bytes()
        Path(f"half{Path(whole).suffix}").write_bytes(data[: len(data) // 2])
    reader = NemoAsr(manifest_filepaths=manifest(entry(), bad, entry("three.flac")), dtype=ndd.int16)
    steps = reader.next_epoch()
    assert len(next(steps)[0].sample(0)) == 1600
    with pytest.raises(RuntimeError, match=message):
        next(steps)
    assert len(next(reader.next_epoch())[0].sample(0)) == 800


def test_bad_files_may_be_left_out(folder):
    entries = [entry(), entry("nope.wav"), entry("speech.json"), entry("three.flac")]
    reader = NemoAsr(manifest_filepaths=manifest(*entries), on_error="skip", dtype=ndd.int16)
    ((audio, *_),) = reader.next_epoch(batch_size=4)
    assert [len(audio.sample(i)) for i in range(2)] == [1600, 800]
    assert [(bad.index, bad.source) for bad in reader.errors[:2]] == [(1, "nope.wav"), (2, "speech.json")]


def test_manifests_and_files_may_be_anywhere(folder):
    system = fsspec.filesystem("memory")
    system.pipe("/speech/one.wav", Path("one.wav").read_bytes())
    system.pipe("/speech/list.json", json.dumps(entry("memory://speech/one.wav", offset=0.09)).encode())
    reader = NemoAsr(manifest_filepaths="memory://speech/list.json", dtype=ndd.int16)
    ((audio, *_),) = reader.next_epoch(batch_size=1)
    assert audio.sample(0).tolist() == list(range(1440, 1600))
    assert audio.sources == ["memory://speech/one.wav"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"dtype": ndd.uint8}, "Unsupported output type: uint8"),
        ({"quality": 101}, "`quality` out of range: 101"),
        ({"sample_rate": -8000}, "`sample_rate` must be positive, or -1 for the file's own, got -8000 Hz"),
        ({"sample_rate": float("nan")}, "`sample_rate` must be positive"),
    ],
)
def test_bad_arguments_are_refused_by_the_constructor(arguments, message):
    with pytest.raises(RuntimeError, match=message):
        NemoAsr(manifest_filepaths="speech.json", **arguments)


def test_manifests_that_are_missing_or_empty(folder):
    for names, message in (
        ("nope.json", "Cannot open: nope.json: No such file or directory"),
        (manifest(""), "No files found. Looked in speech.json"),
        ([], "No files found. Looked in no manifest"),
        (manifest(entry(duration=1)), "min_duration and max_duration say which entries count"),
    ):
        with pytest.raises(RuntimeError, match=message):
            next(NemoAsr(manifest_filepaths=names, max_duration=0.5).next_epoch())


def test_an_outdated_argument_is_accepted(folder):
    with pytest.warns(DeprecationWarning, match="normalize_text has no effect any more"):
        NemoAsr(manifest_filepaths="speech.json", normalize_text=True)
    with pytest.raises(TypeError, match="manifest_filepaths"):
        NemoAsr()


def test_a_manifest_that_is_not_there():
    with pytest.raises(RuntimeError, match=r'Could not open NEMO ASR manifest file: "nope\.json": .*No such file'):
        NemoAsr(manifest_filepaths="nope.json").get_metadata()
