"""Tensors and Batches themselves: what they are made of, how they print, and arguments that are None, lists or marked.

`text` is what a value prints as, letter by letter. `tl` and `labelled` are lists of tensors as pipelines put them out.
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

TENSORS = {"penstock": "penstock.pipeline.values.tensors", "nvidia": "nvidia.dali.tensors"}


def inputs(ndd: Any) -> dict[str, Any]:
    tensors = importlib.import_module(TENSORS[ndd.__name__.partition(".")[0]])
    rows = np.arange(6, dtype=np.int32).reshape(2, 3)
    ragged = tensors.TensorListCPU([tensors.TensorCPU(rows, "HW"), tensors.TensorCPU(np.vstack([rows, rows]), "HW")])
    return {
        "text": lambda value: np.frombuffer(str(value).encode(), np.uint8),
        "tl": tensors.TensorListCPU(rows),
        "labelled": tensors.TensorListCPU(rows, layout="X"),
        "ragged": ragged,
        "numbers": tensors.TensorListCPU(np.int32([4, 5])),
        "one": tensors.TensorCPU(rows, "HW"),
        "pair": ndd.batch(np.zeros((2, 6, 6, 3), np.uint8), layout="HWC"),
        "sizes": tensors.TensorListCPU(np.float32([[2, 3], [4, 5]])),
        "inv": ndd.capture.invariant,
        "marked": ndd.capture.invariant(Options()),
        "same": same,
        "np": np,
        "Kind": ndd.DType.Kind,
    }


class Options:
    """Something a program keeps its settings in."""

    size = (2, 3)
    scale = 2.0

    def sizes(self) -> tuple[int, ...]:
        return self.size

    def itself(self) -> Options:
        return self


def same(one: object, other: object) -> np.ndarray:
    """Whether they are one object, and whether they are equal."""
    return np.array([one is other, bool(one == other)])


PRINTED = [
    "ndd.tensor(1.5)",
    "ndd.tensor([[1, 2], [3, 4]], layout='HW')",
    "ndd.tensor(np.arange(2000).reshape(2, 1000))",
    "ndd.batch([1, 2, 3])",
    "ndd.batch([True, False])",
    "ndd.batch([[1, 2], [3]])",
    "ndd.batch([np.ones((2, 3)), np.ones((1, 3))], layout='HW')",
    "ndd.batch([np.ones((2, 3, 2)), np.ones((1, 3, 2))])",
    "ndd.batch([], dtype=ndd.float32)",
    "ndd.batch(np.zeros((3, 0, 2)))",
    *(
        f"ndd.batch(np.arange({count}).reshape({shape}) / 7)"
        for count, shape in {1200: "12, 10, 10", 1000: "10, 10, 10", 1002: "6, 167", 996: "6, 166"}.items()
    ),
    "ndd.batch([np.arange(600 + i) for i in range(3)])",
    "ndd.batch([1] * 1001)",
    "ndd.batch(np.zeros((7, 3, 3, 3)))",
    "ndd.batch(np.zeros((8, 3, 3, 3)))",
    "ndd.batch(np.zeros((17, 2)))",
    "ndd.batch([1, 2]) * 2",
    "tl",
    "labelled",
    "ragged",
    "one",
]

CASES: list[dict[str, Any]] = [
    {"operator": "Tensor and Batch as text", "calls": [f"text({value})" for value in PRINTED]},
    {
        "operator": "Batch of a TensorList",
        "calls": [
            *(
                f"ndd.{made}({given})"
                for made in ("batch", "as_batch", "Batch")
                for given in ("tl", "labelled", "ragged", "numbers", "tl, dtype=ndd.float32", "tl, layout='XY'")
            ),
            *(f"ndd.{made}({given})" for made in ("tensor", "as_tensor") for given in ("tl", "ragged", "one")),
            "ndd.cast(tl, dtype=T.FLOAT)",
            "ndd.cast(ragged, dtype=T.FLOAT)",
            "ndd.cast(one, dtype=T.FLOAT)",
            "ndd.pad(ragged)",
            "ndd.stack(labelled, labelled)",
            "ndd.resize(pair, size=sizes)",
            "ndd.resize(pair, resize_x=numbers)",
            "ndd.resize(pair, size=tl)",
            "ndd.flip(pair, horizontal=numbers)",
            "ndd.tensor(1) + tl",
            "ndd.batch([1, 2]) + one",
            "ndd.ExternalSource(lambda: labelled)()",
            "ndd.ExternalSource(lambda: ragged)(batch_size=2)",
            "ndd.ExternalSource(lambda: ragged)(batch_size=3)",
            "ndd.ExternalSource(lambda: one)(batch_size=2)",
            "ndd.ExternalSource(lambda: (tl, 1), num_outputs=2)()",
        ],
    },
    {
        "operator": "None as an argument",
        "calls": [
            "ndd.resize(pair, size=[2, 3], interp_type=None, antialias=None, mode=None)",
            "ndd.resize(pair, size=None, resize_x=3.0)",
            "ndd.resize(pair, size=None)",
            "ndd.cast(tl, dtype=None)",
            "ndd.flip(pair, horizontal=None, vertical=1)",
            "ndd.crop(pair, crop=None, crop_h=2, crop_w=2)",
            "ndd.random.uniform(range=None, batch_size=2)",
            "ndd.random.uniform(values=None, range=[1.0, 2.0], rng=None)",
            "ndd.pad(ragged, axes=None, fill_value=None)",
            "ndd.resize(None, size=[2, 3])",
            "ndd.stack(tl, None)",
            "ndd.tensor([1], dtype=None, device=None, layout=None)",
            "ndd.batch([1], dtype=None, device=None, layout=None)",
            "ndd.cast(tl, dtype=T.FLOAT, device=None, batch_size=None)",
        ],
    },
    {
        "operator": "Lists as arguments",
        "calls": [
            "ndd.resize(pair, size=(2, 3))",
            "ndd.resize(pair, size=[2])",
            "ndd.resize(pair, size=range(2, 4))",
            "ndd.resize(pair, size=np.array([2.0, 3.0]))",
            "ndd.resize(pair, size=[np.float32(2), 3])",
            "ndd.resize(pair, size=[])",
            "ndd.cast([np.zeros(2), np.ones(2)], dtype=T.FLOAT)",
            "ndd.cast([], dtype=T.FLOAT)",
            "ndd.cast([[1, 2], [3]], dtype=T.FLOAT)",
            "ndd.crop(pair, crop=[2, 3.7])",
            "ndd.transpose(pair, perm=(1, 0, 2))",
            "ndd.reshape(pair, shape=[-1])",
            "ndd.random.choice([1, 2, 3], batch_size=2)",
            "ndd.stack(*[tl, tl])",
        ],
    },
    {
        "operator": "Tensors in lists",
        "calls": ["ndd.resize(pair, size=[ndd.tensor(2.0), 3.0])"],
        "deliberate": "a Tensor of one element is a number",
    },
    {
        "operator": "Invariant values",
        "calls": [
            "ndd.resize(pair, size=inv([2, 3]))",
            "ndd.resize(pair, size=[inv(2), inv(3)])",
            "ndd.resize(pair, size=marked.size)",
            "ndd.resize(pair, size=marked.sizes())",
            "ndd.resize(pair, size=2, interp_type=inv(T.INTERP_NN))",
            "ndd.cast(inv(tl), dtype=inv(T.FLOAT))",
            "ndd.cast(inv(ndd.tensor([1])), dtype=inv(ndd.float32))",
            "ndd.tensor(inv([[1]]), dtype=inv(ndd.float32), layout=inv('HW'))",
            "ndd.batch([inv(1), inv(2.5)])",
            "ndd.as_batch(inv(np.zeros((2, 3))), layout=inv('X'))",
            "ndd.tensor([1, 2, 3])[inv(1)]",
            "ndd.tensor([1, 2, 3])[inv(1):]",
            "ndd.tensor([1]) + inv(2)",
            "inv(2) + ndd.tensor([1])",
            "ndd.math.sqrt(inv(4))",
            "ndd.batch([1, 2]).select(inv(1))",
            "ndd.zeros(shape=inv([2]), batch_size=inv(2))",
            "ndd.random.uniform(range=inv([0.0, 1.0]), shape=inv([2]))",
            "same(inv(lambda x: x)(marked), marked)",
            "same(marked.itself(), marked)",
            "same(inv(int), int)",
            "same(int, inv(int))",
            "same(T.FLOAT, inv(T.FLOAT))",
            "same(inv(marked), marked)",
            "same(inv(ndd.float32), ndd.float32)",
            "text(inv([1, 2]))",
            "text(inv(int))",
        ],
    },
    {
        "operator": "DType",
        "calls": [
            *(
                f"text({asked})"
                for parts in (
                    "Kind.signed, 32",
                    "Kind.float, 16",
                    "Kind.float, 16, 8, 7",
                    "Kind.float, 24, 8, 15",
                    "Kind.float, 24",
                    "Kind.bool, 8",
                    "Kind.unsigned, 12",
                    "Kind.enum, 32",
                    "'float', 32",
                    "T.FLOAT",
                )
                for asked in (f"ndd.DType({parts})", f"repr(ndd.DType({parts}))", f"ndd.DType({parts}).bytes")
            ),
            "same(ndd.DType(Kind.signed, 32), ndd.int32)",
            "text(ndd.DType.from_type_id(9))",
            "text(ndd.DType.from_type_id(99))",
            "text(ndd.DType.from_fw_type('int8'))",
            "ndd.tensor([1], dtype=ndd.DType(Kind.signed, 32, type_id=T.INT32))",
        ],
    },
]
