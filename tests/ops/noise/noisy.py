"""What the tests of noise share."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np

import penstock.dynamic as ndd
from ops.promises import on_torch_cpu, plain_only
from penstock.dynamic.calls.functions import declaration, function

Arrays = list[np.ndarray[Any, Any]]
TYPES = [np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32, np.uint64, np.int64, np.float32]


def noisy(path: str, data: Any, seed: int = 1234, **arguments: Any) -> Any:
    """The result of an operator as an array, or a list of arrays for a batch."""
    result = function(path)(data, rng=ndd.random.RNG(seed), **arguments)
    return [np.asarray(sample) for sample in result] if isinstance(result, ndd.Batch) else np.asarray(result)


def check_noise(path: str, samples: Arrays, layout: str | None = "HWC", **arguments: Any) -> Arrays:
    """Holds a kind of noise to what operators promise; returns its results."""
    batch = ndd.batch(samples, layout=layout)
    before = [np.array(sample) for sample in batch]
    expected: Arrays = noisy(path, batch, **arguments)
    with plain_only(declaration(path)):
        _same(noisy(path, batch, **arguments), expected, "the plain function")
    for mode in ndd.EvalMode:
        with mode:
            _same(noisy(path, batch, **arguments), expected, str(mode))
    with ndd.EvalMode.deferred:
        _same(noisy(path, ndd.copy(batch), **arguments), expected, "a chain")
    alone = ndd.tensor(samples[0], layout=layout)
    _same([noisy(path, alone, **arguments)], expected[:1], "a sample alone")
    _same([np.asarray(sample) for sample in batch], before, "the input afterwards")
    assert [sample.dtype for sample in expected] == [sample.dtype for sample in samples]
    assert noisy(path, ndd.Batch._of_samples(batch._resolve().select([])), **arguments) == []
    if find_spec("torch"):
        _check_gpu(path, samples, layout, expected, **arguments)
    return expected


def _check_gpu(path: str, samples: Arrays, layout: str | None, expected: Arrays, **arguments: Any) -> None:
    with on_torch_cpu():
        given = ndd.batch(samples, layout=layout, device="gpu")
        made = function(path)(given, rng=ndd.random.RNG(1234), **arguments).evaluate()
        assert made._resolve().elsewhere
        _same([np.asarray(sample) for sample in made.cpu()], expected, "the GPU")
        nothing = ndd.Batch._of_samples(given._placed().select([]))
        assert function(path)(nothing, rng=ndd.random.RNG(1234), **arguments).evaluate().shape == []


def _same(got: Arrays, wanted: Arrays, what: str) -> None:
    for a, b in zip(got, wanted, strict=True):
        np.testing.assert_array_equal(a, b, err_msg=f"{what} differs", strict=True)


def check_independence(path: str, image: np.ndarray[Any, Any], **arguments: Any) -> None:
    """Neighbours, samples and seeds have noise of their own."""
    first, second = (made - image.astype(float) for made in noisy(path, ndd.batch([image, image]), **arguments))
    other = noisy(path, image, seed=5, **arguments) - image.astype(float)
    for a, b in ((first, second), (first, other), (first[1:], first[:-1]), (first[:, 1:], first[:, :-1])):
        assert abs(np.corrcoef(a.ravel(), b.ravel())[0, 1]) < 0.03
