"""What the tests of random operators share."""

from __future__ import annotations

from typing import Any

import numpy as np

import penstock.dynamic as ndd


def drawn(name: str, *inputs: Any, seed: int = 1234, **arguments: Any) -> Any:
    """The result of a random operator as an array, or a list of arrays for a batch."""
    result = getattr(ndd.random, name)(*inputs, rng=ndd.random.RNG(seed), **arguments)
    return [np.asarray(sample) for sample in result] if isinstance(result, ndd.Batch) else np.asarray(result)


def check_draws(name: str, *inputs: Any, **arguments: Any) -> None:
    """What every random operator promises of its shapes, batches and evaluation modes."""
    alone = drawn(name, *inputs, **arguments)
    batch = drawn(name, *inputs, batch_size=3, **arguments)
    assert alone.shape == ()
    assert [sample.shape for sample in batch] == [()] * 3
    assert batch[0] == alone
    assert drawn(name, *inputs, shape=[], **arguments) == alone
    assert drawn(name, *inputs, shape=2, **arguments).shape == (2,)
    assert drawn(name, *inputs, shape=[0, 3], **arguments).shape == (0, 3)
    assert drawn(name, *inputs, batch_size=0, **arguments) == []
    _check_rows(name, inputs, arguments)
    _check_modes(name, inputs, arguments)


def _check_rows(name: str, inputs: tuple[Any, ...], arguments: dict[str, Any]) -> None:
    """Element i is the same in every shape that has it, so ragged batches agree with uniform ones."""
    long = drawn(name, *inputs, shape=[7, 100], batch_size=3, **arguments)
    shapes = [[2, 100], [7, 3], [1, 1]]
    for sample, whole, shape in zip(
        drawn(name, *inputs, shape=ndd.batch(shapes), **arguments), long, shapes, strict=True
    ):
        assert sample.shape == tuple(shape)
        assert sample.ravel().tolist() == whole.ravel()[: sample.size].tolist()
    assert drawn(name, *inputs, batch_size=3, **arguments) == [whole.ravel()[0] for whole in long]
    like = ndd.batch([np.zeros(shape, np.uint8) for shape in shapes], layout="HW")
    given = getattr(ndd.random, name)(*inputs, like, rng=ndd.random.RNG(1234), **arguments)
    assert given.layout is None
    for sample, whole in zip(given, long, strict=True):
        assert np.asarray(sample).ravel().tolist() == whole.ravel()[: np.asarray(sample).size].tolist()


def _check_modes(name: str, inputs: tuple[Any, ...], arguments: dict[str, Any]) -> None:
    expected = drawn(name, *inputs, shape=[9], batch_size=4, **arguments)
    for mode in ndd.EvalMode:
        with mode:
            got = drawn(name, *inputs, shape=[9], batch_size=4, **arguments)
        np.testing.assert_array_equal(got, expected, strict=True)


def correlation(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.corrcoef(a.ravel(), b.ravel())[0, 1])
