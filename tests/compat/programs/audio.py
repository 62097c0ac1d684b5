"""Log-mel features of recordings. Arguments: a folder of WAV files."""

import sys

import numpy as np
import nvidia.dali.fn as fn
from nvidia.dali import pipeline_def, types


@pipeline_def(batch_size=2, num_threads=2, device_id=None)
def features():
    encoded, _ = fn.readers.file(file_root=sys.argv[1], files=["a.wav", "b.wav"], labels=[0, 1])
    audio, rate = fn.decoders.audio(encoded, dtype=types.FLOAT, downmix=True)
    resampled = fn.audio_resample(audio, in_rate=rate, out_rate=8000.0)
    begin, length = fn.nonsilent_region(audio, cutoff_db=-40)
    audio = fn.slice(audio, begin, length, axes=[0])
    spectrum = fn.spectrogram(fn.preemphasis_filter(audio), nfft=256, window_length=256, window_step=128)
    mel = fn.mel_filter_bank(spectrum, sample_rate=16000.0, nfilter=20, freq_high=8000.0)
    decibels = fn.to_decibels(mel, multiplier=10.0, reference=1.0, cutoff_db=-80)
    coefficients = fn.mfcc(decibels, axis=0, n_mfcc=8, lifter=22)
    normal = fn.normalize(decibels, axes=[1])
    return fn.pad(normal, axes=[1], fill_value=0), coefficients, resampled, rate, length


pipe = features()
pipe.build()
padded, coefficients, resampled, rate, length = pipe.run()
print(padded.shape(), [np.array(coefficients[i]).shape for i in range(2)])
print(np.array(rate.as_tensor()).tolist(), [int(np.array(length[i])) for i in range(2)])
print([f"{np.abs(np.array(coefficients[i])).mean():.2f}" for i in range(2)])
print([np.array(resampled[i]).shape for i in range(2)], [f"{np.abs(np.array(padded[i])).mean():.3f}" for i in range(2)])
