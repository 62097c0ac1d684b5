"""Automatic augmentation in pipelines: `augmented` makes two batches of one, with the seed of the pipeline fixed.

Choices, signs and magnitudes are the same in both libraries. What is moved or turned may be off by one, which those
augmentations that follow can make more of: cases in which several follow each other are judged by their share.
"""

from __future__ import annotations

import importlib
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

IMAGES, BATCHES = 24, 2


def inputs(ndd: Any) -> dict[str, Any]:
    library = "penstock" if ndd.__name__.startswith("penstock") else "nvidia.dali"
    names = ("auto_augment", "rand_augment", "trivial_augment", "augmentations", "core")
    aug = SimpleNamespace(**{name: importlib.import_module(f"{library}.auto_aug.{name}") for name in names})
    fn = importlib.import_module(f"{library}.fn")
    return {"aug": aug, "fn": fn, "augmented": partial(augmented, importlib.import_module(library), fn)}


def pictures(frames: int) -> list[Any]:
    rng = np.random.default_rng(0)
    y, x = np.mgrid[0:61, 0:83]
    made = []
    for k in range(IMAGES + frames):
        channels = [x * (1 + k % 3) + 2 * y + 7 * k, 128 + 90 * np.sin(x / 9 + k), (3 * y + 11 * k) % 200]
        noisy = np.stack(channels, axis=-1) + rng.integers(0, 20, (61, 83, 3))
        made.append(np.clip(noisy, 0, 255).astype(np.uint8))
    return [np.stack(made[k : k + frames]) for k in range(IMAGES)] if frames else made[:IMAGES]


def augmented(library: Any, fn: Any, body: Any, frames: int = 0) -> Any:
    """What a pipeline makes of images, or of clips of some frames."""
    samples = pictures(frames)

    @library.pipeline_def(batch_size=IMAGES, num_threads=1, device_id=None, seed=7, enable_conditionals=True)
    def defined() -> Any:
        return body(fn.external_source(lambda: samples, layout="FHWC" if frames else "HWC"))

    pipeline = defined()
    pipeline.build()
    return tuple(np.array(out.at(k)) for _ in range(BATCHES) for out in pipeline.run() for k in range(IMAGES))


def single(name: str, options: str = "") -> list[str]:
    """An augmentation with the weakest, a middle and the strongest magnitude, and with one drawn for every sample."""
    bins = ("0", "3", "10", "aug.core.signed_bin(fn.random.uniform(values=[*range(11)], dtype=T.INT32))")
    called = f"aug.augmentations.{name}(photos, magnitude_bin={{}}, num_magnitude_bins=11{options})"
    return [f"augmented(lambda photos: {called.format(bin)})" for bin in bins]


def suite(*calls: str) -> list[str]:
    return [f"augmented(lambda photos: aug.{call}{frames})" for call in calls for frames in ("", ", frames=2")]


CASES: list[dict[str, Any]] = [
    {
        "operator": "auto_aug, one augmentation",
        "calls": [
            *(call for name in ("brightness", "contrast", "color", "sharpness") for call in single(name)),
            *(call for name in ("posterize", "solarize", "solarize_add") for call in single(name)),
            *(call for name in ("translate_x_no_shape", "translate_y_no_shape") for call in single(name)),
            *(call for name in ("translate_x", "translate_y") for call in single(name, ", shape=(61, 83)")),
            *(
                f"augmented(lambda photos: aug.augmentations.{name}(photos))"
                for name in ("invert", "equalize", "auto_contrast", "identity", "rotate")
            ),
        ],
        "within": 1,
        "share": 0.999,
    },
    {
        "operator": "auto_aug, one augmentation that turns or slants",
        "calls": [call for name in ("rotate", "shear_x", "shear_y") for call in single(name)],
        "within": 1,
    },
    {
        "operator": "auto_aug, TrivialAugment",
        "calls": suite(
            "trivial_augment.trivial_augment_wide(photos)",
            "trivial_augment.trivial_augment_wide(photos, shape=(61, 83), num_magnitude_bins=5, excluded=['identity'])",
            "trivial_augment.trivial_augment_wide(photos, seed=5, max_translate_abs=(3, 9), fill_value=None)",
            "trivial_augment.apply_trivial_augment([aug.augmentations.rotate], photos)",
            "trivial_augment.trivial_augment_wide(photos, excluded=['nothing'])",
            "trivial_augment.trivial_augment_wide(photos, num_magnitude_bins=0)",
        ),
        "within": 1,
    },
    {
        "operator": "auto_aug, AutoAugment",
        "calls": suite(
            "auto_augment.auto_augment(photos)",
            "auto_augment.auto_augment(photos, 'reduced_image_net')",
            "auto_augment.auto_augment(photos, 'svhn', seed=11, fill_value=None)",
            "auto_augment.auto_augment(photos, 'reduced_cifar10', shape=(61, 83), max_translate_rel=(.2, .3))",
            "auto_augment.auto_augment_image_net(photos, max_translate_abs=20, interp_type=T.INTERP_LINEAR)",
            "auto_augment.auto_augment(photos, 'nothing')",
            "auto_augment.auto_augment(photos, max_translate_rel=0.5)",
        ),
        "within": 1,
        "share": 0.995,
    },
    {
        "operator": "auto_aug, RandAugment",
        "calls": suite(
            "rand_augment.rand_augment(photos, n=1, m=30)",
            "rand_augment.rand_augment(photos, n=2, m=17)",
            "rand_augment.rand_augment(photos, n=3, m=5, num_magnitude_bins=9, monotonic_mag=False, seed=3)",
            "rand_augment.rand_augment(photos, n=2, m=5, excluded=['rotate', 'color'], fill_value=7)",
            "rand_augment.rand_augment(photos, n=2, m=31)",
            "rand_augment.rand_augment(photos, n=-1, m=3)",
        ),
        "within": 1,
        "share": 0.995,
    },
]  # fmt: skip
