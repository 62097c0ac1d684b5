"""Log-mel features of recordings on a GPU, by a pipeline and in dynamic mode. Argument: a folder of WAV files."""

import sys

import nvidia.dali.experimental.dynamic as ndd
import nvidia.dali.fn as fn
import nvidia.dali.types as types
from nvidia.dali import pipeline_def
from nvidia.dali.plugin.pytorch import DALIGenericIterator

FILES = [f"{sys.argv[1]}/{name}.wav" for name in "ab"]


@pipeline_def(batch_size=2, num_threads=2, device_id=0)
def mel_features():
    encoded, labels = fn.readers.file(files=FILES, labels=[0, 1], name="Reader")
    audio, _ = fn.decoders.audio(encoded, dtype=types.FLOAT, downmix=True)
    audio = fn.preemphasis_filter(audio.gpu(), preemph_coeff=0.97)
    spectrum = fn.spectrogram(audio, device="gpu", nfft=512, window_length=400, window_step=160)
    mel = fn.mel_filter_bank(spectrum, device="gpu", sample_rate=16000.0, nfilter=20, freq_high=8000.0)
    mel = fn.to_decibels(mel, multiplier=10.0, cutoff_db=-80.0)
    mel = fn.normalize(mel, axes=[1], device="gpu")
    return fn.pad(mel, axes=[1], fill_value=0, device="gpu"), labels.gpu()


for batch in DALIGenericIterator(mel_features(), ["mel", "label"], reader_name="Reader"):
    mel, label = batch[0]["mel"], batch[0]["label"]
    print(tuple(mel.shape), label.flatten().tolist(), f"{mel.abs().mean():.2f}")

reader = ndd.readers.File(files=FILES)
for encoded, _ in reader.next_epoch(batch_size=2):
    audio, _ = ndd.decoders.audio(encoded, dtype=ndd.float32, downmix=True)
    spectrum = ndd.spectrogram(audio.gpu(), nfft=512, window_length=400, window_step=160)
    mel = ndd.to_decibels(ndd.mel_filter_bank(spectrum, sample_rate=16000.0, nfilter=20), cutoff_db=-80.0)
    coefficients = ndd.mfcc(mel, n_mfcc=8)
    print(mel.device, mel.shape, coefficients.shape, tuple(coefficients.torch(pad=True).shape))
