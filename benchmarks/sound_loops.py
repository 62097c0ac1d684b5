"""The timed loop over sound: from WAV files in memory to padded log-mel features."""

from __future__ import annotations

from typing import Any

from epochs import Run


def log_mel(ndd: Any, images: str) -> Run:
    """32 clips of 5 to 15 s at 16 kHz."""
    import numpy as np
    from op_cases.sound import voice, wav_file

    rng = np.random.default_rng(0)
    clips = [voice(np, rng, 16000, seconds) for seconds in rng.uniform(5, 15, 32)]
    files = ndd.batch([np.frombuffer(wav_file(clip, 16000), np.uint8).copy() for clip in clips])

    def run() -> int:
        audio, _rates = ndd.decoders.audio(files, downmix=True)
        power = ndd.spectrogram(audio, nfft=512, window_length=512, window_step=160)
        mel = ndd.mel_filter_bank(power, sample_rate=16000.0, nfilter=80)
        ndd.pad(ndd.to_decibels(mel)).evaluate()
        return len(clips)

    return run
