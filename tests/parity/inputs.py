"""What the calls are given: arrays from a fixed seed, images and sounds from the folder `encode.py` filled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from parity.cases import FAMILIES

SIZES = ((61, 83), (97, 55), (64, 64))
Array = np.ndarray


def waves(rng: np.random.Generator, height: int, width: int, channels: int = 3) -> Array:
    """A photo-like array: waves of several lengths and a little noise."""
    y, x = np.mgrid[:height, :width]
    planes = [
        sum(np.sin(x * rng.uniform(0.02, 0.4) + y * rng.uniform(0.02, 0.4) + rng.uniform(0, 6)) for _ in range(4))
        for _ in range(channels)
    ]
    noisy = 128 + 28 * np.stack(planes, axis=-1) + rng.normal(0, 6, (height, width, channels))
    return np.clip(noisy, 0, 255).astype(np.uint8)


def inputs(ndd: Any, folder: Path) -> dict[str, dict[str, Any]]:
    """For every family the names its calls may use, but `ndd` and `T`: its own come before those of others.

    The operators' examples have none of their own.
    """
    encoded = {file.stem: np.frombuffer(file.read_bytes(), np.uint8).copy() for file in sorted(folder.glob("*.*"))}
    jpegs = ndd.batch([encoded[name] for name in ("plain_420", "progressive", "odd_size")])
    sounds = ndd.batch([encoded[f"sound_{name}"] for name in ("pcm_16", "flac", "mono")])
    given = {name: ndd.tensor(data) for name, data in encoded.items()}
    given |= images(ndd) | numbers(ndd)
    given |= {"jpegs": jpegs, "sound_batch": sounds, "folder": str(folder / "tree"), "labels_of": labels_of}
    own = {name: family.inputs(ndd) if hasattr(family, "inputs") else {} for name, family in FAMILIES.items()}
    for names in own.values():
        given = names | given
    return {family: given | names for family, names in own.items()} | {"examples": given}


def images(ndd: Any) -> dict[str, Any]:
    rng = np.random.default_rng(1)
    photos = [waves(rng, *size) for size in SIZES]
    equal = [waves(rng, 24, 32) for _ in range(3)]
    return {
        "photos": ndd.batch(photos, layout="HWC"),
        "grey": ndd.batch([photo[:, :, :1].copy() for photo in photos], layout="HWC"),
        "planar": ndd.batch([photo.transpose(2, 0, 1).copy() for photo in photos], layout="CHW"),
        "floats": ndd.batch([photo.astype(np.float32) / 255 for photo in photos], layout="HWC"),
        "wide_u16": ndd.batch([photo.astype(np.uint16) * 257 for photo in photos], layout="HWC"),
        "wide_i16": ndd.batch([photo.astype(np.int16) * 200 - 25000 for photo in photos], layout="HWC"),
        "equal": ndd.batch(equal, layout="HWC"),
        "video": ndd.batch([np.stack(equal), np.stack(equal[:2])], layout="FHWC"),
        "volume": ndd.tensor(np.stack([waves(rng, 9, 11) for _ in range(5)]), layout="DHWC"),
        "row": ndd.tensor([[[1], [2], [3]]], dtype=ndd.uint8, layout="HWC"),
    }


def numbers(ndd: Any) -> dict[str, Any]:
    signed = np.array([-100, -7, -1, 0, 1, 2, 3, 100])
    unsigned = np.array([0, 1, 2, 3, 7, 100, 200, 255])
    bits = {"i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64}
    given: dict[str, Any] = {name: ndd.tensor(signed.astype(kind)) for name, kind in bits.items()}
    bits = {"u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64}
    given |= {name: ndd.tensor(unsigned.astype(kind)) for name, kind in bits.items()}
    fractions = np.array([-2.5, -0.75, -0.1, 0.0, 0.3, 0.9, 1.0, 17.25])
    given |= {name: ndd.tensor(fractions.astype(kind)) for name, kind in {"f32": np.float32, "f64": np.float64}.items()}
    spread = np.array([-1e10, -300.5, -128.5, -1.5, -0.5, 0.0, 0.5, 1.5, 2.5, 127.5, 255.5, 300.0, 70000.0, 3e9, 1e20])
    return given | {
        "b": ndd.tensor(np.array([True, False] * 4)),
        "spread": ndd.tensor(spread.astype(np.float32)),
        "ints": ndd.tensor(np.array([-(2**40), -70000, -129, -1, 0, 1, 127, 200, 256, 70000, 2**40])),
        "matrix": ndd.tensor(np.arange(6, dtype=np.int32).reshape(2, 3)),
        "cube": ndd.tensor(np.arange(24).reshape(2, 3, 4), layout="HWC"),
    }


def labels_of(reader: Any, batch_size: int | None) -> Array:
    """Labels over three epochs; -1 ends a batch, -2 an epoch."""
    seen: list[int] = []
    for _ in range(3):
        for _, labels in reader.next_epoch(batch_size=batch_size):
            seen += [int(np.asarray(label).ravel()[0]) for label in ([labels] if batch_size is None else labels)]
            seen.append(-1)
        seen.append(-2)
    return np.array(seen)
