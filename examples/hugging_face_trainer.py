"""Hugging Face: a vision transformer and its Trainer, on a data set of `datasets`, decoded and augmented natively.

python examples/hugging_face_trainer.py

The pictures are squares and discs, drawn here; `datasets.load_dataset("food101")` and a pre-trained model go in their
place. Needs `pip install penstock[torch,huggingface] transformers accelerate`.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from datasets import ClassLabel, Dataset, DatasetDict, Features, Image
from transformers import (
    Trainer,
    TrainerCallback,
    TrainerState,
    TrainingArguments,
    ViTConfig,
    ViTForImageClassification,
)

import penstock.dynamic as ndd
from penstock.torch import Loader

CLASSES = ["disc", "square"]
SIZE = 32


def draw_pictures(count: int = 80) -> DatasetDict:
    """Encoded pictures of both kinds in a data set with an Image column, as those of the hub are."""
    rng = np.random.default_rng(0)
    rows: dict[str, list[Any]] = {"image": [], "label": []}
    for number in range(count):
        picture = rng.integers(0, 60, (48, 48, 3), np.uint8)
        center, radius = rng.integers(16, 32, 2).tolist(), int(rng.integers(8, 14))
        colour = rng.integers(120, 256, 3).tolist()
        if number % 2:
            low, high = [at - radius for at in center], [at + radius for at in center]
            cv2.rectangle(picture, low, high, colour, -1)
        else:
            cv2.circle(picture, center, radius, colour, -1)
        rows["image"].append({"bytes": cv2.imencode(".jpg", picture)[1].tobytes(), "path": None})
        rows["label"].append(number % 2)
    features = Features(image=Image(), label=ClassLabel(names=CLASSES))
    return Dataset.from_dict(rows, features=features).train_test_split(0.2, seed=0)


def augment(rows: dict[str, ndd.Batch]) -> dict[str, ndd.Batch]:
    images = ndd.decoders.image_random_crop(rows["image"], random_area=[0.8, 1.0])
    return inputs(images, rows["label"], mirror=ndd.random.coin_flip(batch_size=len(rows["label"])))


def center(rows: dict[str, ndd.Batch]) -> dict[str, ndd.Batch]:
    return inputs(ndd.decoders.image(rows["image"]), rows["label"])


def inputs(images: ndd.Batch, labels: ndd.Batch, **arguments: Any) -> dict[str, ndd.Batch]:
    """What the model takes, by the names of its arguments."""
    images = ndd.resize(images, size=[SIZE, SIZE])
    pixels = ndd.crop_mirror_normalize(images, mean=[127.5], std=[127.5], output_layout="CHW", **arguments)
    return {"pixel_values": pixels, "labels": labels}


class NativeTrainer(Trainer):
    """A Trainer whose loaders are ours; it calls their `set_epoch`, so that every epoch has an order of its own."""

    def get_train_dataloader(self) -> Loader:
        return self._loader(self.train_dataset, augment, self.args.train_batch_size, shuffle_after_epoch=True)

    def get_eval_dataloader(self, eval_dataset: Dataset | None = None) -> Loader:
        return self._loader(eval_dataset or self.eval_dataset, center, self.args.eval_batch_size)

    def _loader(self, dataset: Dataset, fn: Any, batch_size: int, **options: Any) -> Loader:
        shard = {"shard_id": self.args.process_index, "num_shards": self.args.world_size}
        reader = ndd.readers.HuggingFace(dataset=dataset, columns=["image", "label"], **shard, **options)
        return Loader(reader, fn, batch_size=batch_size, device=self.args.device)


class LoaderState(TrainerCallback):
    """Keeps where the loader stands with every checkpoint. `train(resume_from_checkpoint=...)` goes on from there."""

    def on_save(
        self, args: TrainingArguments, state: TrainerState, *_: Any, train_dataloader: Loader, **others: Any
    ) -> None:
        self._file(args, state).write_text(json.dumps(train_dataloader.state_dict()))

    def on_train_begin(
        self, args: TrainingArguments, state: TrainerState, *_: Any, train_dataloader: Loader, **others: Any
    ) -> None:
        if state.global_step:
            train_dataloader.load_state_dict(json.loads(self._file(args, state).read_text()))

    def _file(self, args: TrainingArguments, state: TrainerState) -> Path:
        return Path(args.output_dir) / f"checkpoint-{state.global_step}" / f"loader_{args.process_index}.json"


def make_trainer(pictures: DatasetDict, folder: str, **options: Any) -> Trainer:
    torch.manual_seed(0)
    ndd.random.set_seed(0)
    small = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 64}
    model = ViTForImageClassification(ViTConfig(image_size=SIZE, patch_size=8, num_labels=len(CLASSES), **small))
    arguments = TrainingArguments(
        folder, num_train_epochs=3, per_device_train_batch_size=16, learning_rate=2e-3, save_steps=5,
        ignore_data_skip=True,  # when a run is resumed, since the loader knows where it stands
        report_to="none", disable_tqdm=True, logging_strategy="no", use_cpu=True, **options,
    )  # fmt: skip
    return NativeTrainer(
        model, arguments, train_dataset=pictures["train"], eval_dataset=pictures["test"], callbacks=[LoaderState()],
        compute_metrics=lambda made: {"right": (made.predictions.argmax(1) == made.label_ids).mean()},
    )  # fmt: skip


def main() -> None:
    pictures = draw_pictures()
    with tempfile.TemporaryDirectory() as folder:
        trainer = make_trainer(pictures, folder)
        steps = trainer.train().global_step
        scores = trainer.evaluate()
    print(f"{steps} steps, {scores['eval_right']:.0%} of {len(pictures['test'])} right")


if __name__ == "__main__":
    main()
