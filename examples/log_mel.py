"""Log-mel features for a speech model: recordings from a manifest, as padded PyTorch tensors.

python examples/log_mel.py [--manifest FILE]

FILE is a manifest of NVIDIA NeMo, whose texts are taken for classes. Without it a few voices are made: some rise, some
fall. Needs `pip install penstock[torch]`.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import wave
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch

import penstock.dynamic as ndd

RATE = 16000
MELS = 80


def make_speech(root: Path, per_class: int = 12) -> Path:
    """Voices whose pitch rises or falls, at two sample rates, and a manifest of them."""
    rng = np.random.default_rng(0)
    lines = []
    for number in range(2 * per_class):
        text, rate, seconds = ("rising", "falling")[number % 2], (16000, 22050)[number // 2 % 2], rng.uniform(0.5, 1.5)
        pitch = np.linspace(120, 240, int(rate * seconds))[:: 1 if text == "rising" else -1] * rng.uniform(0.8, 1.2)
        phase = 2 * np.pi * np.cumsum(pitch) / rate
        voice = sum(np.sin(harmonic * phase) / harmonic for harmonic in range(1, 9))
        voice = voice * 0.2 + rng.normal(0, 0.01, len(phase))
        path = root / f"{number}.wav"
        with wave.open(str(path), "wb") as file:
            file.setparams((1, 2, rate, 0, "NONE", ""))
            file.writeframes((voice.clip(-1, 1) * 32767).astype("<i2").tobytes())
        lines.append(json.dumps({"audio_filepath": str(path), "duration": len(phase) / rate, "text": text}))
    manifest = root / "manifest.json"
    manifest.write_text("\n".join(lines))
    return manifest


def batches(manifest: Path, batch_size: int) -> Iterator[tuple[torch.Tensor, torch.Tensor, list[str]]]:
    """Features (N, mels, time), how long each really is, and what was said; an epoch of them."""
    reader = ndd.readers.NemoAsr(
        manifest_filepaths=manifest, sample_rate=RATE, read_sample_rate=False, random_shuffle=True, seed=1
    )
    for audio, texts in reader.next_epoch(batch_size=batch_size):
        spectra = ndd.spectrogram(audio, nfft=512, window_length=400, window_step=160)
        mels = ndd.mel_filter_bank(spectra, sample_rate=RATE, nfilter=MELS)
        features = ndd.to_decibels(mels, cutoff_db=-80)
        lengths = torch.tensor([shape[1] for shape in features.shape])
        padded = ndd.pad(features, fill_value=-80)
        yield padded.torch(), lengths, [bytes(np.asarray(text)).decode() for text in texts]


class Classifier(torch.nn.Module):
    """A recurrent layer over the features; its state where a recording ends tells the class."""

    def __init__(self, classes: int) -> None:
        super().__init__()
        self.listen = torch.nn.GRU(MELS, 32, batch_first=True)
        self.decide = torch.nn.Linear(32, classes)

    def forward(self, features: torch.Tensor, lengths: torch.Tensor) -> torch.Tensor:
        heard, _ = self.listen(features.transpose(1, 2) / 40 + 1)
        return self.decide(heard[torch.arange(len(lengths)), lengths - 1])


def train(manifest: Path, epochs: int = 4, batch_size: int = 8) -> None:
    classes = sorted({json.loads(line)["text"] for line in manifest.read_text().splitlines()})
    torch.manual_seed(0)
    model = Classifier(len(classes))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for epoch in range(epochs):
        losses, largest = [], (0, 0, 0)
        for features, lengths, texts in batches(manifest, batch_size):
            labels = torch.tensor([classes.index(text) for text in texts])
            loss = torch.nn.functional.cross_entropy(model(features, lengths), labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
            largest = max(largest, tuple(features.shape))
        print(f"epoch {epoch}: {len(losses)} batches of up to {largest}, loss {np.mean(losses):.3f}")
    print(f"classes: {', '.join(classes)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--manifest", type=Path, help="a manifest of NVIDIA NeMo")
    given = parser.parse_args()
    if given.manifest is not None:
        train(given.manifest)
        return
    with tempfile.TemporaryDirectory() as folder:
        train(make_speech(Path(folder)))


if __name__ == "__main__":
    main()
