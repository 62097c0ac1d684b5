"""From signals to features of sound."""

from __future__ import annotations

from typing import Any

SPEECH = "nfft=512, window_length=400, window_step=160"
WHISPER = "nfft=400, window_length=400, window_step=160"
FRAMES = "[(np.abs(np.fft.rfft(frames_of(clip, 400, 160) * hann, {})) ** 2).T for clip in clips]"
MEL = "sample_rate=16000, nfilter=80"

CASES: list[dict[str, str]] = [
    {
        "operator": "spectrogram",
        "call": f"ndd.spectrogram(speech, {SPEECH})",
        "plain": FRAMES.format(512),
    },
    {
        "operator": "spectrogram",
        "call": f"ndd.spectrogram(speech, {WHISPER}, layout='tf')",
        "plain": FRAMES.format(400),
    },
    {
        "operator": "power_spectrum",
        "call": "ndd.power_spectrum(tones)",
        "plain": "[np.abs(np.fft.rfft(tone)) ** 2 for tone in waves]",
    },
    {
        "operator": "mel_filter_bank",
        "call": f"ndd.mel_filter_bank(powers, {MEL})",
        "plain": "[weights @ power for power in spectra]",
    },
    {
        "operator": "mel_filter_bank",
        "call": f"ndd.mel_filter_bank(frames, {MEL})",
        "plain": "[frame @ weights.T for frame in turned]",
    },
    {
        "operator": "to_decibels",
        "call": "ndd.to_decibels(mel, cutoff_db=-80.0)",
        "plain": "[10 * np.log10(np.maximum(array / array.max(), np.float32(1e-8))) for array in mels]",
    },
    {"operator": "mfcc", "call": "ndd.mfcc(mel)", "plain": "[cosines @ array for array in mels]"},
    {
        "operator": "mfcc",
        "call": "ndd.mfcc(mel, n_mfcc=13, normalize=True, lifter=22.0)",
        "plain": "[cosines[:13] @ array for array in mels]",
    },
    {
        "operator": "nonsilent_region",
        "call": "ndd.nonsilent_region(speech)",
        "plain": "[loud_part(clip, 2048) for clip in clips]",
    },
    {
        "operator": "spectrogram, mel_filter_bank, to_decibels",
        "call": f"ndd.to_decibels(ndd.mel_filter_bank(ndd.spectrogram(speech, {SPEECH}), {MEL}), cutoff_db=-80.0)",
    },
]


def inputs(ndd: Any, np: Any) -> dict[str, Any]:
    """A batch of clips of 5 to 15 seconds at 16 kHz, and what becomes of them."""
    rng = np.random.default_rng(0)
    clips = [rng.normal(size=int(seconds * 16000)).astype(np.float32) for seconds in rng.uniform(5, 15, 32)]

    def frames_of(clip: Any, window: int, step: int) -> Any:
        return np.lib.stride_tricks.sliding_window_view(np.pad(clip, window // 2, mode="reflect"), window)[::step]

    def loud_part(clip: Any, window: int) -> Any:
        totals = np.cumsum(np.square(clip), dtype=np.float64)
        powers = totals[window:] - totals[:-window]
        loud = np.flatnonzero(powers >= powers.max() * 1e-6)
        return loud[0], loud[-1] - loud[0] + window

    waves = [rng.normal(size=1 << 16).astype(np.float32) for _ in range(32)]
    spectra = [rng.random((257, len(clip) // 160 + 1), np.float32) for clip in clips]
    turned = [np.ascontiguousarray(power.T) for power in spectra]
    mels = [rng.random((80, len(clip) // 160 + 1), np.float32) for clip in clips]
    return {
        "clips": clips,
        "speech": ndd.batch(clips),
        "frames_of": frames_of,
        "loud_part": loud_part,
        "hann": np.hanning(400).astype(np.float32),
        "waves": waves,
        "tones": ndd.batch(waves),
        "spectra": spectra,
        "powers": ndd.batch(spectra, layout="ft"),
        "turned": turned,
        "frames": ndd.batch(turned, layout="tf"),
        "weights": rng.random((80, 257), np.float32),
        "mels": mels,
        "mel": ndd.batch(mels, layout="ft"),
        "cosines": rng.random((20, 80), np.float32),
    }
