"""Sound from encoded bytes and manifests, and signals at other rates."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

PLAIN = ["pcm_u8", "pcm_16", "pcm_24", "pcm_32", "float", "double"]
OTHERS = ["flac", "flac_24", "aiff", "au", "caf", "w64", "ulaw", "extensible"]
RATES = [(44100, 16000), (16000, 44100), (48000, 16000), (16000, 16001.5), (8000, 11025), (3, 2)]

CASES: list[dict[str, Any]] = [
    {
        "operator": "decoders.audio",
        "calls": [
            *(f"ndd.decoders.audio(sound_{name})" for name in [*PLAIN, *OTHERS]),
            *(f"ndd.decoders.audio(sound_{name}, downmix=True)" for name in ["pcm_u8", "pcm_16", "flac", "mono"]),
            *(
                f"ndd.decoders.audio(sound_{name}, dtype=T.{dtype})"
                for name in ["pcm_u8", "pcm_16", "pcm_24", "pcm_32", "flac", "flac_24", "ulaw"]
                for dtype in ("INT16", "INT32")
            ),
            *(
                f"ndd.decoders.audio(sound_{name}, downmix=True, dtype=T.{dtype})"
                for name in ["pcm_16", "flac"]
                for dtype in ("INT16", "INT32")
            ),
            "ndd.decoders.audio(sound_pcm_16, sample_rate=16000)",
            "ndd.decoders.audio(sound_batch)",
            "ndd.decoders.audio(sound_pcm_16, dtype=T.UINT8)",
            "ndd.decoders.audio(sound_pcm_16, sample_rate=8000, quality=101)",
            "ndd.decoders.audio(garbage)",
            "ndd.decoders.audio(sound_none)",
        ],
    },
    {
        "operator": "decoders.audio (floats mixed)",
        "within": 1e-6,  # the order of the sum
        "calls": [f"ndd.decoders.audio(sound_{name}, downmix=True)" for name in ["pcm_24", "pcm_32", "float", "five"]],
    },
    {
        "operator": "decoders.audio (Vorbis, Opus)",
        "within": 1e-6,  # other releases of the decoders
        "calls": [
            *(f"ndd.decoders.audio(sound_{name})" for name in ("vorbis", "opus")),
            *(f"ndd.decoders.audio(sound_{name}, downmix=True)" for name in ("vorbis", "opus")),
        ],
    },
    {
        "operator": "decoders.audio (other rates)",
        "snr": 60,
        "calls": [
            "ndd.decoders.audio(sound_pcm_16, sample_rate=8000)",
            "ndd.decoders.audio(sound_pcm_16, sample_rate=22050, quality=10)",
            "ndd.decoders.audio(sound_pcm_16, sample_rate=44100, downmix=True, quality=90)",
            "ndd.decoders.audio(sound_flac, sample_rate=11025, downmix=True)",
            "ndd.decoders.audio(sound_pcm_16, sample_rate=11025, dtype=T.INT16)",
            "ndd.decoders.audio(sound_pcm_16, sample_rate=11025, downmix=True, dtype=T.INT32)",
            "ndd.decoders.audio(sound_batch, sample_rate=ndd.batch([8000.0, 16000.0, 11025.0]))",
        ],
    },
    {
        "operator": "decoders.audio (floats as integers, cut off, MP3)",
        "deliberate": "floats are scaled to the range of an integer type; half a file is an error; MP3 is decoded",
        "calls": [
            "ndd.decoders.audio(sound_float, dtype=T.INT16)",
            "ndd.decoders.audio(sound_float, dtype=T.INT32)",
            "ndd.decoders.audio(sound_half)",
            "ndd.decoders.audio(sound_mp3)",
            "ndd.decoders.audio(sound_nan)",
            "ndd.decoders.audio(sound_pcm_16, sample_rate=-5)",
        ],
    },
    {
        "operator": "audio_resample",
        "snr": 60,
        "calls": [
            *(f"ndd.audio_resample(tones, in_rate={a}, out_rate={b})" for a, b in RATES),
            *(f"ndd.audio_resample(tones, in_rate=44100, out_rate=16000, quality={q})" for q in (0, 20, 33, 75, 100)),
            *(f"ndd.audio_resample(tones, scale={scale})" for scale in (0.25, 0.777, 1.0, 1.3, 3.0)),
            *(f"ndd.audio_resample(tones, out_length={length})" for length in (1, 100, 4001)),
            "ndd.audio_resample(stereo_tones, scale=1.7)",
            "ndd.audio_resample(tones, scale=ndd.batch([0.5, 1.0, 2.0]))",
            "ndd.audio_resample(tones, in_rate=ndd.batch([1.0, 2.0, 3.0]), out_rate=2.5)",
            "ndd.audio_resample(tones, out_length=ndd.batch([700, 800, 900]))",
            *(f"ndd.audio_resample(tones, scale=1.5, dtype=T.{kind})" for kind in ("INT16", "INT32", "INT8")),
            *(f"ndd.audio_resample(whole_tones, scale=1.5, dtype=T.{kind})" for kind in ("FLOAT", "INT32")),
            "ndd.audio_resample(unsigned_tones, scale=1.5, dtype=T.FLOAT)",
            "ndd.audio_resample(whole_tones, scale=0.7)",
            "ndd.audio_resample(tones, scale=0.0)",
            "ndd.audio_resample(tones)",
            "ndd.audio_resample(tones, scale=-1.0)",
            "ndd.audio_resample(tones, scale=1.0, out_length=5)",
            "ndd.audio_resample(tones, in_rate=1.0)",
            "ndd.audio_resample(tones, in_rate=0.0, out_rate=1.0)",
            "ndd.audio_resample(tones, scale=1.0, quality=101)",
            "ndd.audio_resample(tones, scale=1.0, dtype=T.FLOAT64)",
            "ndd.audio_resample(f64, scale=1.0)",
            "ndd.audio_resample(floats, scale=1.0)",
        ],
    },
    {
        "operator": "audio_resample (unsigned)",
        "deliberate": "beyond its ends a signal is silent, in unsigned types too",
        "calls": [f"ndd.audio_resample(tones, scale=1.5, dtype=T.{kind})" for kind in ("UINT8", "UINT16", "UINT32")],
    },
]

SPEECH = "manifest_filepaths=[folder + '/../speech.json']"
CASES += [
    {
        "operator": "readers.NemoAsr",
        "calls": [
            f"heard(ndd.readers.NemoAsr({SPEECH}{option and ', '}{option}), {size})"
            for option in [
                "",
                "read_idxs=True",
                "read_text=False, read_sample_rate=False",
                "downmix=False, read_idxs=True",
                "dtype=T.INT16",
                "dtype=T.INT32, read_sample_rate=False",
                "min_duration=0.045",
                "max_duration=0.055, read_idxs=True",
                "random_shuffle=True, seed=3, read_idxs=True",
                "shuffle_after_epoch=True, read_idxs=True",
                "num_shards=2, shard_id=1, read_idxs=True",
                "pad_last_batch=True, num_shards=2, read_idxs=True",
                "min_duration=7",
                "quality=101",
                "dtype=T.UINT8",
            ]
            for size in ("None", "2")
        ],
    },
    {
        "operator": "readers.NemoAsr (other rates)",
        "snr": 60,
        "calls": [
            f"heard(ndd.readers.NemoAsr({SPEECH}, {option}), None)"
            for option in ("sample_rate=8000", "sample_rate=22050, quality=80", "sample_rate=11025, dtype=T.INT16")
        ],
    },
    {
        "operator": "readers.NemoAsr (a line that is no JSON)",
        "deliberate": "a line that cannot be read is an error that names it, instead of being left out",
        "calls": ["heard(ndd.readers.NemoAsr(manifest_filepaths=[folder + '/../broken.json']), None)"],
    },
]


def heard(reader: Any, batch_size: int | None) -> np.ndarray:
    """Shapes and elements of everything a reader hands out in two epochs."""
    found = []
    for _ in range(2):
        for outputs in reader.next_epoch(batch_size=batch_size):
            for output in outputs:
                for sample in [output] if batch_size is None else output:
                    array = np.asarray(sample)
                    found += [array.shape, array.ravel()]
    return np.concatenate(found).astype(np.float64)


def tone(frames: int, channels: int, rate: int = 16000) -> np.ndarray:
    time = np.arange(frames)[:, None] / rate
    above = np.arange(1, channels + 1)
    return 0.5 / above * (np.sin(2 * np.pi * 440 * above * time) + 0.4 * np.sin(2 * np.pi * 1234 * time + above))


def inputs(ndd: Any) -> dict[str, Any]:
    tones = [tone(n, 1)[:, 0].astype(np.float32) for n in (2000, 1500, 999)]
    return {
        "heard": heard,
        "tones": ndd.batch(tones),
        "stereo_tones": ndd.batch([tone(n, 2).astype(np.float32) for n in (800, 500)]),
        "whole_tones": ndd.batch([(each * 20000).astype(np.int16) for each in tones]),
        "unsigned_tones": ndd.batch([(each * 20000 + 32768).astype(np.uint16) for each in tones]),
    }


def encode(folder: Path) -> None:
    import soundfile

    def save(name: str, codec: str = "PCM_16", kind: str = "WAV", sound: np.ndarray | None = None) -> None:
        content = tone(1500, 2) if sound is None else sound
        soundfile.write(folder / f"sound_{name}.bin", content, 16000, subtype=codec, format=kind)

    for name in PLAIN:
        save(name, name.upper())
    save("mono", sound=tone(500, 1))
    save("none", sound=tone(0, 1))
    save("five", "FLOAT", sound=tone(300, 5))
    save("nan", "FLOAT", sound=np.float32([0, np.nan]))
    for name, kind, codec in (
        ("flac", "FLAC", "PCM_16"), ("flac_24", "FLAC", "PCM_24"), ("vorbis", "OGG", "VORBIS"),
        ("opus", "OGG", "OPUS"), ("mp3", "MP3", "MPEG_LAYER_III"), ("aiff", "AIFF", "PCM_16"), ("au", "AU", "PCM_16"),
        ("caf", "CAF", "PCM_16"), ("w64", "W64", "PCM_24"), ("ulaw", "WAV", "ULAW"), ("extensible", "WAVEX", "PCM_24"),
    ):  # fmt: skip
        save(name, codec, kind)
    whole = (folder / "sound_pcm_16.bin").read_bytes()
    (folder / "sound_half.bin").write_bytes(whole[: len(whole) // 2])
    _manifests(folder)


def _manifests(folder: Path) -> None:
    said = [("pcm_16", {}), ("flac", {"duration": 0.05}), ("mono", {"duration": 0.03}), ("au", {"offset": 0.01})]
    lines = [
        json.dumps({"audio_filepath": f"{folder}/sound_{name}.bin", "duration": 0.04, "text": f"say {name} é"} | more)
        for name, more in said
    ]
    (folder / "speech.json").write_text("\n".join([*lines, ""]))
    (folder / "broken.json").write_text("\n".join([lines[0], "{not JSON", lines[1]]))
