"""Shapes and types, values made from nothing, batches and sequences rearranged, and files."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = tempfile.TemporaryDirectory()
IMAGE = ["jpegs", "jpegs, output_type=T.GRAY", "jpegs, dtype=T.FLOAT, adjust_orientation=False", "photos"]
PEEK = ["jpegs", "jpegs, dtype=T.INT32", "jpegs, image_type=T.GRAY", "u8"]
KINDS = ["UINT8", "INT16", "UINT32", "INT64", "FLOAT16", "FLOAT", "FLOAT64", "BOOL"]


def inputs(ndd: Any) -> dict[str, Any]:
    rng = np.random.default_rng(5)
    folder = Path(FOLDER.name)
    for name, (height, width) in {"one": (5, 7), "two": (9, 4)}.items():
        pixels = rng.integers(0, 256, (height, width, 3), np.uint8)
        (folder / f"{name}.ppm").write_bytes(b"P6 %d %d 255\n" % (width, height) + pixels.tobytes())
    ragged = [rng.integers(0, 99, (2, extent, 3)).astype(np.int16) for extent in (4, 1, 5)]
    return {
        "ragged": ndd.batch(ragged, layout="HWC"),
        "wider": ndd.batch([np.repeat(array, 2, axis=1) for array in ragged], layout="HWC"),
        "thin": ndd.batch([np.ones((1, 4, 1), np.float32), np.zeros((1, 2, 1), np.float32)], layout="HWC"),
        "classes": ndd.batch([rng.integers(-1, 6, (3, extent)) for extent in (2, 5)], layout="HW"),
        "clips": ndd.batch([rng.integers(0, 9, (extent, 2, 3)) for extent in (4, 2)], layout="FHW"),
        "octets": ndd.tensor(np.arange(24, dtype=np.uint8).reshape(2, 12), layout="HW"),
        "numbers_of": numbers_of,
        "npy": lambda array: ndd.tensor(saved(array)),
        "name": lambda file: ndd.tensor(np.frombuffer(os.fsencode(folder / file), np.uint8).copy()),
        "path": lambda file: str(folder / file),
        "dumped": dumped,
        "lz4": np.frombuffer(b"\x32abc\x03\x00\x50abcab", np.uint8).copy(),
    }


def numbers_of(dtype: str) -> np.ndarray:
    return np.array([0, 1, 0, 3]).astype(dtype).reshape(2, 2)


def saved(array: np.ndarray) -> np.ndarray:
    file = io.BytesIO()
    np.save(file, array)
    return np.frombuffer(file.getvalue(), np.uint8).copy()


def dumped(dump: Callable[[], Any], suffix: str) -> np.ndarray:
    """The text of the file `dump_image` writes for the first sample."""
    before = Path.cwd()
    os.chdir(FOLDER.name)
    try:
        dump().evaluate()
        return np.frombuffer(Path(f"0-{suffix}-0.ppm").read_bytes(), np.uint8)
    finally:
        os.chdir(before)


CASES: list[dict[str, Any]] = [
    {
        "operator": "cast_like",
        "calls": [
            "ndd.cast_like(spread, ndd.tensor(1))",
            "ndd.cast_like(photos, floats)",
            "ndd.cast_like(ndd.tensor([1.5, 300.0]), ndd.batch([1, 2], dtype=ndd.uint8))",
            "ndd.cast_like(ints, ndd.tensor(numbers_of('float16')))",
            "ndd.cast_like(ints)",
        ],
    },
    {
        "operator": "cat",
        "calls": [
            "ndd.cat(ragged, ragged)",
            "ndd.cat(ragged, wider, axis=1)",
            "ndd.cat(ragged, wider, ragged, axis_name='W')",
            "ndd.cat(photos, photos, axis=-1)",
            "ndd.cat(photos, grey, axis=2)",
            "ndd.cat(matrix)",
            "ndd.cat(matrix, [[7, 8, 9]])",
            "ndd.cat(equal, ndd.cast(row, dtype=T.UINT8), axis=2)",
            "ndd.cat(ragged, wider)",
            "ndd.cat(matrix, matrix, axis=2)",
            "ndd.cat(matrix, matrix, axis=0, axis_name='W')",
            "ndd.cat(photos, floats)",
        ],
    },
    {
        "operator": "stack",
        "calls": [
            "ndd.stack(ragged, ragged)",
            "ndd.stack(photos, photos, axis=2)",
            "ndd.stack(photos, photos, photos, axis=-1)",
            "ndd.stack(floats, floats, axis=-2)",
            "ndd.stack(equal, equal, axis_name='F')",
            "ndd.stack(i64, i64, i64, i64, axis=1)",
            "ndd.stack(ndd.tensor(1), ndd.tensor(2), axis_name='C')",
            "ndd.stack(matrix)",
            "ndd.stack(ragged, wider)",
            "ndd.stack(matrix, matrix, axis=-3)",
            "ndd.stack(matrix, matrix, axis_name='C')",
        ],
    },
    {
        "operator": "reinterpret",
        "calls": [
            *(f"ndd.reinterpret(octets, dtype=T.{kind})" for kind in ("UINT8", "INT16", "UINT32", "FLOAT")),
            "ndd.reinterpret(octets, dtype=T.INT64, shape=[3])",
            "ndd.reinterpret(octets, dtype=T.INT16, shape=[-1, 3], layout='AB')",
            "ndd.reinterpret(octets, dtype=T.INT16, rel_shape=[2, 0.25])",
            "ndd.reinterpret(octets, dtype=T.INT16, rel_shape=[0.5, -1])",
            "ndd.reinterpret(octets, dtype=T.INT16, src_dims=[1, 0])",
            "ndd.reinterpret(octets, ndd.tensor([6]), dtype=T.UINT32)",
            "ndd.reinterpret(floats, dtype=T.UINT8)",
            "ndd.reinterpret(octets, layout='')",
            "ndd.reinterpret(octets, dtype=T.INT64)",
            "ndd.reinterpret(octets)",
        ],
    },
    {
        "operator": "squeeze",
        "calls": [
            "ndd.squeeze(thin, axes=0)",
            "ndd.squeeze(thin, axes=[2, 0])",
            "ndd.squeeze(thin, axis_names='CH')",
            "ndd.squeeze(thin, axis_names='')",
            "ndd.squeeze(row, axes=[0, 2])",
            "ndd.squeeze(grey, axis_names='C')",
            "ndd.squeeze(photos, axes=1)",
            "ndd.squeeze(thin)",
            "ndd.squeeze(thin, axis_names='X')",
            "ndd.squeeze(thin, axes=[0, 0])",
        ],
    },
    {
        "operator": "expand_dims",
        "calls": [
            "ndd.expand_dims(ragged, axes=0)",
            "ndd.expand_dims(ragged, axes=0, new_axis_names='F')",
            "ndd.expand_dims(matrix, axes=[0, 3])",
            "ndd.expand_dims(octets, axes=[3, 0], new_axis_names='CF')",
            "ndd.expand_dims(ndd.tensor(5), axes=[0], new_axis_names='C')",
            "ndd.expand_dims(matrix, axes=[])",
            "ndd.expand_dims(matrix, axes=4)",
            "ndd.expand_dims(matrix, axes=[1, 1])",
            "ndd.expand_dims(matrix, axes=0, new_axis_names='F')",
        ],
    },
    {
        "operator": "full",
        "calls": [
            "ndd.full(2.5)",
            "ndd.full([[1], [2]], shape=[2, 3])",
            "ndd.full(7, shape=ndd.tensor([2, 0]))",
            "ndd.full([1, 2], shape=[2, 3])",
            "ndd.full(7, shape=[2, 2], layout='H')",
            "ndd.full(7, shape=[-1])",
        ],
    },
    {
        "operator": "full_like",
        "calls": [
            "ndd.full_like(photos, 7.5)",
            "ndd.full_like(ragged, [1, 2, 3])",
            "ndd.full_like(ragged, ndd.batch([1, 2, 3]))",
            "ndd.full_like(matrix, ndd.batch([1.5, 300.0]))",
            "ndd.full_like(photos, [1, 2])",
        ],
    },
    *(
        {
            "operator": name,
            "calls": [
                f"ndd.{name}()",
                *(f"ndd.{name}(shape=[2, 3], dtype=T.{kind})" for kind in KINDS),
                f"ndd.{name}(shape=[2, 3], layout='HW', batch_size=2)",
                f"ndd.{name}(shape=ndd.batch([[1, 2], [3, 0]]), layout='HW')",
                f"ndd.{name}(shape=ndd.tensor(3), dtype=T.UINT8)",
                f"ndd.{name}(shape=[2, 3], layout='H')",
                f"ndd.{name}(shape=[-1])",
            ],
        }
        for name in ("ones", "zeros")
    ),
    *(
        {
            "operator": name,
            "calls": [
                f"ndd.{name}(ragged)",
                f"ndd.{name}(photos)",
                *(f"ndd.{name}(octets, dtype=T.{kind})" for kind in KINDS),
                f"ndd.{name}(5)",
                f"ndd.{name}(floats, batch_size=3)",
            ],
        }
        for name in ("ones_like", "zeros_like")
    ),
    {
        "operator": "one_hot",
        "calls": [
            "ndd.one_hot(classes, num_classes=5)",
            "ndd.one_hot(classes, num_classes=5, axis=0)",
            "ndd.one_hot(classes, num_classes=5, axis=1, axis_name='C', dtype=T.UINT8, on_value=9, off_value=1)",
            "ndd.one_hot(classes, num_classes=5, axis=-1, axis_name='C', dtype=T.INT64, on_value=2.75)",
            "ndd.one_hot(photos, num_classes=3, dtype=T.INT16, off_value=-1)",
            "ndd.one_hot(floats, num_classes=2, dtype=T.FLOAT64)",
            "ndd.one_hot(ndd.batch([0, 3, 1]), num_classes=4)",
            "ndd.one_hot(ndd.batch([[0], [3], [1]]), num_classes=4)",
            "ndd.one_hot(ndd.batch([[0], [3], [1]]), num_classes=4, axis=0)",
            "ndd.one_hot(f32, num_classes=4)",
            "ndd.one_hot(u64, num_classes=4)",
            "ndd.one_hot(matrix)",
            "ndd.one_hot(matrix, num_classes=4, axis=3)",
            "ndd.one_hot(b, num_classes=2)",
            "ndd.one_hot(matrix, num_classes=4, axis_name='C')",
            "ndd.one_hot(matrix, num_classes=4, dtype=T.FLOAT16)",
        ],
    },
    {
        "operator": "permute_batch",
        "calls": [
            "ndd.permute_batch(ragged, indices=[2, 0, 1])",
            "ndd.permute_batch(ragged, indices=ndd.batch([1, 1, 0]))",
            "ndd.permute_batch(equal, indices=ndd.tensor(2))",
            "ndd.permute_batch(matrix, indices=[0])",
            "ndd.permute_batch(matrix, indices=ndd.batch([0, 0]))",
            "ndd.permute_batch(equal, indices=ndd.batch_permutation(batch_size=3))",
            "ndd.permute_batch(ragged, indices=[3, 0, 1])",
            "ndd.permute_batch(ragged, indices=[-1, 0, 1])",
            "ndd.permute_batch(ragged, indices=[1, 0])",
            "ndd.permute_batch(ragged, indices=ndd.batch([1, 0]))",
        ],
    },
    {
        "operator": "batch_permutation",
        "calls": [
            *(f"ndd.batch_permutation(batch_size={n})" for n in (1, 2, 3, 16, 257)),
            *(f"ndd.batch_permutation(batch_size={n}, no_fixed_points=True)" for n in (1, 2, 3, 64)),
            *(f"ndd.batch_permutation(batch_size={n}, allow_repetitions=True)" for n in (1, 5, 64)),
            *(
                f"ndd.batch_permutation(batch_size={n}, allow_repetitions=True, no_fixed_points=True)"
                for n in (1, 2, 33)
            ),
            "ndd.batch_permutation(batch_size=9, rng=ndd.random.RNG(seed=77))",
            "ndd.batch_permutation()",
        ],
    },
    {
        "operator": "get_property",
        "calls": [
            "ndd.get_property(matrix, key='layout')",
            "ndd.get_property(photos, key='source_info')",
            "ndd.get_property(photos, key='size')",
            "ndd.get_property(photos)",
        ],
    },
    {
        "operator": "element_extract",
        "calls": [
            "ndd.element_extract(clips, element_map=1)",
            "ndd.element_extract(matrix, element_map=[1])",
            "ndd.element_extract(clips, element_map=[3])",
            "ndd.element_extract(clips, element_map=[-1])",
            "ndd.element_extract(clips, element_map=[])",
            "ndd.element_extract(photos, element_map=[0])",
            "ndd.element_extract(i32, element_map=[0])",
        ],
    },
    {
        "operator": "sequence_rearrange",
        "calls": [
            "ndd.sequence_rearrange(clips, new_order=1)",
            "ndd.sequence_rearrange(clips, new_order=ndd.batch([[3, 2, 1, 0], [1]]))",
            "ndd.sequence_rearrange(clips, new_order=ndd.tensor([1, 1]))",
            "ndd.sequence_rearrange(matrix, new_order=[1, 0])",
            "ndd.sequence_rearrange(clips, new_order=[2])",
            "ndd.sequence_rearrange(clips, new_order=[])",
            "ndd.sequence_rearrange(photos, new_order=[0])",
            "ndd.sequence_rearrange(i32, new_order=[0])",
        ],
    },
    {
        "operator": "dump_image",
        "calls": [
            "ndd.dump_image(floats)",
            "dumped(lambda: ndd.dump_image(photos), '')",
            "dumped(lambda: ndd.dump_image(grey, suffix='grey'), 'grey')",
            "dumped(lambda: ndd.dump_image(row, suffix='row'), 'row')",
            "ndd.dump_image(ndd.tensor(numbers_of('uint8')))",
            "ndd.dump_image(photos, input_layout='CHW')",
        ],
    },
    {
        "operator": "io.file.read",
        "calls": [
            "ndd.io.file.read(name('one.ppm'))",
            "ndd.io.file.read(ndd.batch([name('one.ppm'), name('two.ppm')]))",
            "ndd.io.file.read(name('one.ppm'), dont_use_mmap=True)",
            "ndd.io.file.read(name('one.ppm'), use_o_direct=True)",
            "ndd.io.file.read(ndd.reinterpret(name('two.ppm'), dtype=T.INT8))",
            "ndd.io.file.read(name('none.ppm'))",
            "ndd.io.file.read(matrix)",
        ],
    },
    {
        "operator": "imread",
        "calls": [
            "ndd.imread(path('one.ppm'))",
            "ndd.imread([path('one.ppm'), path('two.ppm')])",
            "ndd.imread(name('two.ppm'), output_type=T.BGR, dtype=T.UINT16)",
            "ndd.imread(ndd.batch([name('one.ppm'), name('two.ppm')]))",
            "ndd.imread([])",
            "ndd.imread(path('none.ppm'))",
            "ndd.imread(path('one.ppm'), device='xpu')",
            "ndd.imread(path('one.ppm'), batch_size=2)",
        ],
    },
    {
        "operator": "decoders.numpy",
        "calls": [
            *(
                f"ndd.decoders.numpy(npy(numbers_of('{kind}')), dtype=T.{wanted})"
                for kind, wanted in (("uint8", "FLOAT"), ("float64", "INT16"), ("int64", "UINT8"), ("bool", "INT32"))
            ),
            "ndd.decoders.numpy(ndd.batch([npy(numbers_of('float32')), npy(numbers_of('float32'))]))",
            "ndd.decoders.numpy(ndd.batch([npy(numbers_of('f4')), npy(numbers_of('i2'))]), dtype=T.FLOAT)",
            "ndd.decoders.numpy(npy(numbers_of('complex64')))",
            "ndd.decoders.numpy(npy(numbers_of('O')))",
            "ndd.decoders.numpy(octets)",
            "ndd.decoders.numpy(u8)",
        ],
    },
    {
        "operator": "decoders.inflate",
        "deliberate": "DALI inflates on GPUs only",
        "calls": [
            "ndd.decoders.inflate(ndd.tensor(lz4), shape=[14])",
            "ndd.decoders.inflate(ndd.tensor(lz4), shape=[7, 2], layout='HW')",
            "ndd.decoders.inflate(ndd.tensor(lz4), shape=[7], dtype=T.UINT16, chunk_sizes=[12])",
            "ndd.decoders.inflate(ndd.batch([lz4, lz4]), shape=[14], chunk_offsets=[0], layout='W')",
        ],
    },
    {
        "operator": "experimental.decoders",
        "share": 0.999,
        "within": 1,
        "calls": [
            *(f"ndd.experimental.decoders.image({given})" for given in IMAGE),
            *(f"ndd.experimental.decoders.image_crop({given}, crop=(20, 30))" for given in IMAGE),
            *(f"ndd.experimental.decoders.image_random_crop({given})" for given in IMAGE),
            *(
                f"ndd.experimental.decoders.image_slice({given}, start=[3, 4], shape=[20, 30], axes=[0, 1])"
                for given in IMAGE
            ),
        ],
    },
    {
        "operator": "experimental.peek_image_shape",
        "calls": [f"ndd.experimental.peek_image_shape({given})" for given in PEEK],
    },
]
