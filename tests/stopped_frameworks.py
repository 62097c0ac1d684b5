"""Trains as examples/ do with Lightning and with the Trainer of Hugging Face: in one go, and stopped on the way.

What the training function was given, the samples and a sum over their augmented pixels, is printed as JSON.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import penstock.dynamic as ndd

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples"))
import hugging_face_trainer
import lightning_training

Batches = list[list[Any]]


def noted(module: Any, batches: Batches, files: str, made: Any) -> None:
    """Has an example's `augment` note what it was given and what it makes of that, which is `made` of its result."""
    augment = module.original_augment = getattr(module, "original_augment", module.augment)

    def noting(*outputs: Any) -> Any:
        encoded = outputs[0][files] if isinstance(outputs[0], dict) else outputs[0]
        result = augment(*outputs)
        samples = np.asarray(ndd.as_tensor(ndd.get_property(encoded, key="index"))).tolist()
        batches.append([*samples, float(np.asarray(ndd.as_tensor(made(result))).sum(dtype=np.float64))])
        return result

    module.augment = noting


def with_lightning(folder: Path, **limits: Any) -> Batches:
    module, batches = lightning_training, Batches()
    noted(module, batches, "", lambda result: result[0])
    ndd.random.set_seed(1)
    saved = folder / "last.ckpt"
    resumed = {"ckpt_path": saved, "weights_only": False} if saved.exists() else {}
    module.trainer(folder, **limits).fit(module.Classifier(), module.Photos(folder.parent / "photos"), **resumed)
    return batches


def with_trainer(pictures: Any, folder: Path, **limits: Any) -> Batches:
    module, batches = hugging_face_trainer, Batches()
    noted(module, batches, "image", lambda result: result["pixel_values"])
    resumed = folder.exists()
    module.make_trainer(pictures, str(folder), **limits).train(resume_from_checkpoint=resumed)
    return batches


def runs() -> dict[str, list[Batches]]:
    """The batches of a whole run, of one that is stopped, and of its resumption."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        lightning_training.make_photos(root / "photos")
        drawn = hugging_face_trainer.draw_pictures()
        stopped, resumed = {"max_steps": 11}, {"max_epochs": 3}
        return {
            "lightning": [
                with_lightning(root / "whole", max_epochs=3),
                with_lightning(root / "stopped", **stopped),
                with_lightning(root / "stopped", **resumed),
            ],
            "trainer": [
                with_trainer(drawn, root / "hf_whole"),
                with_trainer(drawn, root / "hf_stopped", max_steps=5),
                with_trainer(drawn, root / "hf_stopped", max_steps=12),
            ],
        }


if __name__ == "__main__":
    print(json.dumps(runs()))
