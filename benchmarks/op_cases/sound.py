"""Sound: 32 files of 5 to 15 s at 16 kHz, and 8 signals of 10 s at 44.1 kHz."""

from __future__ import annotations

import io
import wave
from contextlib import suppress
from typing import Any

SPECTROGRAM = "ndd.spectrogram(ndd.decoders.audio(wavs, downmix=True)[0], nfft=512, window_length=512, window_step=160)"
LOG_MEL = f"ndd.pad(ndd.to_decibels(ndd.mel_filter_bank({SPECTROGRAM}, sample_rate=16000.0, nfilter=80)))"

CASES: list[dict[str, str]] = [
    {"operator": "decoders.audio (to padded log-mel)", "call": LOG_MEL},
    {
        "operator": "decoders.audio",
        "call": "ndd.decoders.audio(wavs, downmix=True)",
        "plain": "[read_sound(file) for file in wav_files]",
    },
    {
        "operator": "decoders.audio (stereo)",
        "call": "ndd.decoders.audio(stereo_wavs, downmix=True)",
        "plain": "[read_sound(file).mean(axis=1) for file in stereo_wav_files]",
    },
    {
        "operator": "decoders.audio (FLAC)",
        "call": "ndd.decoders.audio(flacs, downmix=True)",
        "plain": "[read_sound(file) for file in flac_files]",
    },
    {
        "operator": "decoders.audio (44.1 to 16 kHz)",
        "call": "ndd.decoders.audio(high_wavs, sample_rate=16000, downmix=True)",
        "plain": "[resample_poly(read_sound(file), 160, 441) for file in high_wav_files]",
    },
    {
        "operator": "audio_resample",
        "call": "ndd.audio_resample(signals, in_rate=44100, out_rate=16000)",
        "plain": "[resample_poly(signal, 160, 441) for signal in signal_arrays]",
    },
    {
        "operator": "audio_resample (stereo, by 1.1)",
        "call": "ndd.audio_resample(stereo_signals, scale=1.1)",
    },
    {
        "operator": "audio_resample (quality 100)",
        "call": "ndd.audio_resample(signals, in_rate=44100, out_rate=48000, quality=100)",
    },
]


def inputs(ndd: Any, np: Any) -> dict[str, Any]:
    rng = np.random.default_rng(0)
    spoken = [voice(np, rng, 16000, seconds) for seconds in rng.uniform(5, 15, 32)]
    high = [voice(np, rng, 44100, 10) for _ in range(8)]
    files = {
        "wav_files": [wav_file(each, 16000) for each in spoken],
        "stereo_wav_files": [wav_file(_stereo(np, each), 16000) for each in spoken],
        "high_wav_files": [wav_file(each, 44100) for each in high],
        "flac_files": _flacs(spoken),
    }
    batches = {
        name.replace("_files", "s"): ndd.batch([np.frombuffer(file, np.uint8).copy() for file in each])
        for name, each in files.items()
        if each
    }
    signals = [each.astype(np.float32) / 32768 for each in high]
    return (
        files
        | batches
        | {
            "signal_arrays": signals,
            "signals": ndd.batch(signals),
            "stereo_signals": ndd.batch([_stereo(np, each) for each in signals]),
            "read_sound": _read_sound,
            "resample_poly": _resample_poly,
        }
    )


def voice(np: Any, rng: Any, rate: int, seconds: float) -> Any:
    """Tones that come and go in a little noise, as 16 bits."""
    time = np.arange(int(rate * seconds)) / rate
    tones = sum(np.sin(2 * np.pi * 150 * k * time + k) * np.sin(time * k) ** 2 / k for k in range(1, 12))
    return ((tones * 0.25 + rng.normal(0, 0.005, time.size)).clip(-1, 1) * 32767).astype(np.int16)


def _stereo(np: Any, sound: Any) -> Any:
    return np.stack([sound, sound[::-1]], axis=1)


def wav_file(sound: Any, rate: int) -> bytes:
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(1 if sound.ndim == 1 else sound.shape[1])
        writer.setsampwidth(2)
        writer.setframerate(rate)
        writer.writeframes(sound.tobytes())
    return file.getvalue()


def _flacs(sounds: list[Any]) -> list[bytes]:
    """Nothing where there is no encoder."""
    files = [io.BytesIO() for _ in sounds]
    with suppress(ImportError):
        import soundfile

        for sound, file in zip(sounds, files, strict=True):
            soundfile.write(file, sound, 16000, format="FLAC")
        return [file.getvalue() for file in files]
    return []


def _read_sound(file: bytes) -> Any:
    import soundfile

    return soundfile.read(io.BytesIO(file), dtype="float32")[0]


def _resample_poly(sound: Any, up: int, down: int) -> Any:
    from scipy.signal import resample_poly

    return resample_poly(sound, up, down)
