"""Features of speech as RNN-T is trained with. Argument: a folder of WAV files."""

import json
import math
import os
import sys
import tempfile

import numpy as np
import nvidia.dali as dali
import nvidia.dali.fn as fn
import nvidia.dali.types as types

SPLICE = 3


def manifest(folder):
    lines = [
        {"audio_filepath": os.path.join(folder, name), "duration": seconds, "text": text}
        for name, seconds, text in (("a.wav", 0.375, "ab c"), ("b.wav", 0.5, "long text"))
    ]
    with tempfile.NamedTemporaryFile("w", suffix=".json", delete=False) as file:
        file.write("\n".join(map(json.dumps, lines)))
    return file.name


class Features(dali.pipeline.Pipeline):
    def __init__(self, manifest_path, train, batch_size):
        super().__init__(batch_size=batch_size, num_threads=2, device_id=None, seed=8)
        self.train = train
        self.read = dali.ops.readers.NemoAsr(
            manifest_filepaths=[manifest_path], sample_rate=16000.0, dtype=types.FLOAT, downmix=True, read_text=True,
            shuffle_after_epoch=False, name="Reader",
        )  # fmt: skip
        self.preemph = dali.ops.PreemphasisFilter(preemph_coeff=0.97)
        self.spectrogram = dali.ops.Spectrogram(
            nfft=512, window_length=math.ceil(0.025 * 16000), window_step=math.ceil(0.01 * 16000)
        )
        self.mel_fbank = dali.ops.MelFilterBank(
            sample_rate=16000.0, nfilter=20, freq_low=0.0, freq_high=8000.0, normalize=True
        )
        self.log_features = dali.ops.ToDecibels(multiplier=math.log(10), reference=1.0, cutoff_db=math.log(1e-20))
        self.normalize = dali.ops.Normalize(axes=[1], device="cpu", epsilon=1e-5)
        self.pad = dali.ops.Pad(fill_value=0, axes=[1])
        self.get_shape = dali.ops.Shapes()

    def define_graph(self):
        audio, rate, text = self.read()
        if self.train:
            begin, length = fn.nonsilent_region(audio, cutoff_db=-60, reference_power=1.0)
            audio = fn.slice(audio, begin, length, axes=[0], normalized_anchor=False, normalized_shape=False)
            audio = audio + fn.random.normal(audio, mean=0.0, stddev=1e-5)
        features = self.log_features(self.mel_fbank(self.spectrogram(self.preemph(audio))) + 1e-20)
        length = fn.slice(fn.shapes(features, dtype=types.INT32), 1, 1, axes=[0])
        normal = self.normalize(features)
        moved = [normal]
        for n in range(1, SPLICE):
            moved.append(fn.cat(fn.slice(normal, n, 10000, axes=[1], out_of_bounds_policy="trim_to_shape"),
                                fn.slice(normal, 0, n, axes=[1]), axis=1))  # fmt: skip
        return self.pad(fn.cat(*moved, axis=0)), length, text, rate


path = manifest(sys.argv[1])
for train in (True, False):
    pipe = Features(path, train, 2)
    pipe.build()
    print(pipe.reader_meta("Reader")["epoch_size"])
    for _ in range(2):
        features, lengths, texts, rates = pipe.run()
        print(features.shape(), [int(np.array(lengths[i])[0]) for i in range(2)], np.array(rates.as_tensor()).tolist())
        print([f"{np.array(features[i]).std():.2f}" for i in range(2)])
        print([bytes(np.array(texts[i])).decode() for i in range(2)])
os.unlink(path)
