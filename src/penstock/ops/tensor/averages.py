"""Means and standard deviations over axes, of samples or of a whole batch."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]
Shape = tuple[int, ...]


def given_values(rows: Any, n: int) -> list[Array]:
    """A given parameter of each sample, one number as a scalar; nothing where none is given."""
    if rows is None:
        return []
    arrays = [np.asarray(row.reshape(()) if row.size == 1 else row, np.float64) for row in rows]
    return arrays * n if len(arrays) == 1 else arrays


def averages(arrays: list[Array], axes: Shape, batch: bool, ddof: int) -> list[Array]:
    """Sums over the axes divided by how many elements they have less `ddof`; 0 where nothing is left."""
    sums = [x.sum(axes, keepdims=True) for x in arrays]
    counts = [math.prod(x.shape[axis] for axis in axes) for x in arrays]
    if batch:
        sums, counts = [np.sum(sums, axis=0)] * len(arrays), [sum(counts)] * len(arrays)
    return [s / (n - ddof) if n > ddof else np.zeros_like(s) for s, n in zip(sums, counts, strict=True)]


def averages_gpu(tensors: list[torch.Tensor], axes: Shape, batch: bool, ddof: int) -> list[torch.Tensor]:
    """As `averages`."""
    sums = [x.sum(axes, keepdim=True) for x in tensors]
    counts = [math.prod(x.shape[axis] for axis in axes) for x in tensors]
    if batch:
        total = sums[0]
        for other in sums[1:]:
            total = total + other
        sums, counts = [total] * len(tensors), [sum(counts)] * len(tensors)
    return [s / (n - ddof) if n > ddof else s * 0 for s, n in zip(sums, counts, strict=True)]


def deviation(variance: Any, epsilon: float) -> Array:
    """The standard deviation; infinite where there is no variance, so that dividing by it gives zero."""
    total = variance + epsilon
    with np.errstate(invalid="ignore"):
        return np.where(total == 0, np.inf, np.sqrt(total))


def moments_of_batch(
    samples: _native.Samples, axes: list[int], mean: Any, stddev: Any, ddof: int, epsilon: float
) -> tuple[list[Array], list[Array]]:
    """Mean and standard deviation of all samples together, where they are not given."""
    mask = sum(1 << axis for axis in axes)
    shapes = samples.shapes()
    kept = [1 if axis in axes else extent for axis, extent in enumerate(shapes[0])]
    count = sum(math.prod(shape[axis] for axis in axes) for shape in shapes)
    if not count or not math.prod(kept):
        return [np.zeros(())], [np.ones(())]
    means = np.broadcast_to(mean[0], kept) if mean is not None else _sums(samples, mask, kept, []) / count
    if stddev is not None:
        given: Array = np.asarray(stddev[0], np.float64)
        return [means], [given if epsilon == 0 else np.asarray(np.sqrt(given**2 + epsilon))]
    squares = _sums(samples, mask, kept, np.float64(means).reshape(-1).tolist())
    return [means], [deviation(squares / (count - ddof) if count > ddof else np.zeros_like(squares), epsilon)]


def _sums(samples: _native.Samples, mask: int, kept: list[int], mean: list[float]) -> Array:
    return np.array(_native.batch_sums(samples, mask, mean)).reshape(kept)


def check_parameters(shapes: list[Shape], reduced: Shape, batch: bool, parameters: tuple[Any, ...]) -> None:
    """Refuses parameters that do not have the samples' shape with 1 for the averaged axes."""
    kept = [tuple(1 if axis in reduced else extent for axis, extent in enumerate(shape)) for shape in shapes]
    for i, shape in enumerate(kept):
        if batch and shape != kept[0]:
            raise RuntimeError(
                "Normalize: Batch normalization requires that non-reduced dimensions have equal extent in all samples "
                f"in the batch. Got sample {i} with shape {shapes[i]} and sample 0 with shape {shapes[0]}"
            )
        for rows in parameters:
            row = None if rows is None else rows[i if len(rows) > 1 else 0]
            if row is not None and row.size > 1 and row.shape != shape:
                raise RuntimeError(
                    f"Normalize: parameter shape: {row.shape} does not match the reduced input sample shape which is: "
                    f"{shape}"
                )
