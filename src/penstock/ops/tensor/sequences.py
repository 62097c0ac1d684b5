"""Frames of sequences, taken out or put in another order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from penstock import _native
from penstock._native import Pool, Samples
from penstock.gpu.casting import by_bits
from penstock.gpu.types import beside
from penstock.schema import Example, PerSample, examples, operator
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]


def _check_sequence(sequence: Spec) -> None:
    if sequence.layout and sequence.layout[0] != "F":
        raise RuntimeError(f"a sequence has a layout that starts with 'F', got {sequence.layout!r}")
    if sequence.ndim is not None and sequence.ndim < 2:
        raise RuntimeError(f"a sequence has at least two axes, one of them for its frames, got {sequence.ndim}")


def _foretell_extracted(sequence: Spec, *, element_map: list[int]) -> tuple[Spec, ...]:
    assert sequence.ndim is not None
    assert sequence.layout is not None
    _check_sequence(sequence)
    if not element_map:
        raise RuntimeError("element_map needs at least one element to take out")
    for element in element_map:
        if element < 0:
            raise RuntimeError(f"Negative indices in `element_map` are not allowed, found: {element}.")
    return (Spec(sequence.dtype, sequence.ndim - 1, sequence.layout[1:]),) * len(element_map)


@operator(
    infer=_foretell_extracted, results=lambda inputs, arguments: len(arguments["element_map"]), numbers_only=False
)
def element_extract(sequence: Array, *, element_map: list[int]) -> Any:
    """Takes single frames out of sequences, one result for each; nothing is copied.

        first, last = ndd.element_extract(videos, element_map=[0, 15])

    Args:
        element_map: Which frames.
    """
    frames = tuple(sequence[element] for element in element_map)
    return frames if len(frames) > 1 else frames[0]


@element_extract.on_samples(anywhere=True)
def extracted(pool: Pool, n: int, sequences: Samples, *, element_map: list[int]) -> list[Samples]:
    if len(sequences) != n:
        sequences = sequences.select([0] * n)
    shortest = min((shape[0] for shape in sequences.shapes()), default=max(element_map) + 1)
    for element in element_map:
        if element >= shortest:
            raise RuntimeError(
                f"Index `{element}` from `element_map` is out of bounds for sample with sequence length equal "
                f"`{shortest}`."
            )
    return [sequences.part(element) for element in element_map]


def _foretell_rearranged(sequence: Spec, *, new_order: Any) -> Spec:
    _check_sequence(sequence)
    if not isinstance(new_order, Spec) and not new_order:
        raise RuntimeError("Empty result sequences are not allowed.")
    if isinstance(new_order, Spec) and new_order.ndim is not None and new_order.ndim > 1:
        raise RuntimeError(f"new_order is a list of frames for every sample, got {new_order.ndim}-D arrays")
    return sequence


@operator(infer=_foretell_rearranged, numbers_only=False)
def sequence_rearrange(sequence: Array, *, new_order: PerSample[list[int]]) -> Array:
    """Puts the frames of sequences in another order.

        ndd.sequence_rearrange(videos, new_order=[3, 2, 1, 0])

    Frames may be repeated or left out.

    Args:
        new_order: For every frame of the result, which one of the input it is.
    """
    return np.stack([sequence[frame] for frame in new_order])


@sequence_rearrange.on_samples
def rearranged(pool: Pool, n: int, sequences: Samples, *, new_order: Any) -> Samples:
    orders = [order.tolist() for order in new_order]
    if not all(orders):
        raise RuntimeError("Empty result sequences are not allowed.")
    return _native.rearrange(pool, sequences, n, orders)


@sequence_rearrange.gpu
def rearranged_gpu(sequence: torch.Tensor, *, new_order: Array) -> torch.Tensor:
    if not len(new_order):
        raise RuntimeError("Empty result sequences are not allowed.")
    for place, frame in enumerate(new_order):
        if not 0 <= frame < sequence.shape[1]:
            raise RuntimeError(
                f"new_order[{place}] must be between 0 and input_sequence_length = {sequence.shape[1]}, but it is: "
                f"{frame}"
            )
    order = beside(np.asarray(new_order, np.int64), sequence)
    return by_bits(lambda frames: frames.index_select(1, order), sequence)


element_extract.examples = examples(
    "ndd.element_extract(frames, element_map=[0, 1, 0])",
    Example("ndd.element_extract(frames, element_map=[1])", drawn=True),
    Example("ndd.element_extract(frames, element_map=[0, 31])", timed=True),
)

sequence_rearrange.examples = examples(
    "ndd.sequence_rearrange(frames, new_order=[1, 0, 1])",
    Example("ndd.sequence_rearrange(frames, new_order=[2, 0, 1])", drawn=True),
)
