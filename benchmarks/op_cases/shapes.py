"""Shapes and types, values made from nothing, batches and sequences rearranged, and files."""

from __future__ import annotations

import io
import os
import tempfile
from pathlib import Path
from typing import Any

PICTURES = Path(__file__).resolve().parents[2] / "src/penstock/cli/assets"
FOLDER = tempfile.TemporaryDirectory()

CASES = [
    {
        "operator": "cast_like",
        "call": "ndd.cast_like(images, floats)",
        "plain": "[array.astype(np.float32) for array in arrays]",
    },
    {
        "operator": "cat",
        "call": "ndd.cat(images, grey, axis=2)",
        "plain": "[np.concatenate([a, a[:, :, :1]], axis=2) for a in arrays]",
    },
    {"operator": "cat", "call": "ndd.cat(pairs, pairs)"},
    {
        "operator": "full",
        "call": "ndd.full(0.5, shape=[480, 640, 3], batch_size=32)",
        "plain": "np.full((32, 480, 640, 3), 0.5, np.float32)",
    },
    {"operator": "full_like", "call": "ndd.full_like(images, [1, 2, 3])", "plain": "np.full_like(stack, [1, 2, 3])"},
    {
        "operator": "ones",
        "call": "ndd.ones(shape=[480, 640, 3], dtype=T.UINT8, batch_size=64)",
        "plain": "np.ones((64, 480, 640, 3), np.uint8)",
    },
    {
        "operator": "zeros",
        "call": "ndd.zeros(shape=[480, 640, 3], dtype=T.FLOAT, batch_size=32)",
        "plain": "np.full((32, 480, 640, 3), 0, np.float32)",
    },
    {"operator": "ones_like", "call": "ndd.ones_like(floats)", "plain": "np.ones_like(stack, np.float32)"},
    {"operator": "zeros_like", "call": "ndd.zeros_like(images)", "plain": "np.full_like(stack, 0)"},
    {
        "operator": "one_hot",
        "call": "ndd.one_hot(labels, num_classes=1000)",
        "plain": "np.eye(1000, dtype=np.float32)[classes]",
    },
    {
        "operator": "one_hot",
        "call": "ndd.one_hot(masks, num_classes=21, axis=0, dtype=T.UINT8)",
        "plain": "[np.eye(21, dtype=np.uint8)[mask].transpose(2, 0, 1).copy() for mask in maps]",
    },
    {
        "operator": "permute_batch",
        "call": "ndd.permute_batch(images, indices=ndd.batch(backwards))",
        "plain": "stack[::-1].copy()",
    },
    {
        "operator": "sequence_rearrange",
        "call": "ndd.sequence_rearrange(clips, new_order=backwards)",
        "plain": "[clip[::-1].copy() for clip in films]",
    },
    {"operator": "dump_image", "call": "dump(images)"},
    {
        "operator": "io.file.read",
        "call": "ndd.io.file.read(names)",
        "plain": "[np.fromfile(path, np.uint8) for path in paths]",
    },
    {"operator": "imread", "call": "ndd.imread(paths)", "plain": "[cv2.imread(path) for path in paths]"},
    {
        "operator": "decoders.numpy",
        "call": "ndd.decoders.numpy(saved)",
        "plain": "[np.load(io.BytesIO(file)) for file in files]",
    },
    {
        "operator": "decoders.numpy",
        "call": "ndd.decoders.numpy(saved, dtype=T.FLOAT)",
        "plain": "[np.load(io.BytesIO(file)).astype(np.float32) for file in files]",
    },
    {"operator": "decoders.inflate", "call": "ndd.decoders.inflate(deflated, shape=[1 << 20])"},
]


def inputs(ndd: Any, np: Any) -> dict[str, Any]:
    random = np.random.default_rng(0)
    classes = random.integers(0, 1000, 256).astype(np.int32)
    maps = [random.integers(0, 21, (480, 640)).astype(np.uint8) for _ in range(8)]
    films = [random.integers(0, 256, (32, 180, 240, 3)).astype(np.uint8) for _ in range(8)]
    files = [_saved(np, random.integers(0, 256, (480, 640, 3)).astype(np.uint8)) for _ in range(16)]
    return {
        "classes": classes,
        "labels": ndd.batch(classes),
        "maps": maps,
        "masks": ndd.batch(maps),
        "films": films,
        "clips": ndd.batch(films, layout="FHWC"),
        "pairs": ndd.batch(random.random((256, 2), np.float32)),
        "backwards": [*range(31, -1, -1)],
        "io": io,
        "files": files,
        "saved": ndd.batch([np.frombuffer(file, np.uint8).copy() for file in files]),
        "deflated": ndd.batch([np.frombuffer(_deflated(1 << 20), np.uint8).copy() for _ in range(8)]),
        "dump": lambda images: _in_folder(ndd.dump_image, images),
        **_pictures(ndd, np),
    }


def _saved(np: Any, array: Any) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def _deflated(size: int) -> bytes:
    """LZ4 data of that inflated size: time and again eight bytes as they are, and sixteen copied from before."""
    sequence = bytes([8 << 4 | 16 - 4]) + b"lz4block" + (8).to_bytes(2, "little")
    times = size // 24 - 1
    rest = size - 24 * times
    return sequence * times + bytes([15 << 4, rest - 15]) + b"." * rest


def _pictures(ndd: Any, np: Any) -> dict[str, Any]:
    files = sorted(PICTURES.glob("*/*.jpg"))
    paths = [str(files[number % len(files)]) for number in range(32)]
    return {"paths": paths, "names": ndd.batch([np.frombuffer(path.encode(), np.uint8).copy() for path in paths])}


def _in_folder(call: Any, images: Any) -> Any:
    before = Path.cwd()
    os.chdir(FOLDER.name)
    try:
        return call(images).evaluate()
    finally:
        os.chdir(before)
