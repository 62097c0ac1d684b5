"""Marking of arguments that have a value for every frame."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock._native import Pool, Samples
from penstock.schema import Example, examples, operator
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def _foretell(input: Spec, *, replace: bool) -> Spec:
    if not input.ndim:
        raise RuntimeError(
            "Cannot mark zero-dimensional input as a sequence: it has no axis that could stand for frames"
        )
    layout = input.layout or "F" + "*" * (input.ndim - 1)
    if layout[0] != "F" and not replace:
        raise RuntimeError(
            f'Per-frame argument input must be a sequence: its first axis is "{layout[0]}" in layout "{layout}"; '
            'replace=True would call it "F"'
        )
    return Spec(input.dtype, input.ndim, "F" + layout[1:])


@operator(infer=_foretell, numbers_only=False)
def per_frame(input: Array, *, replace: bool = False) -> Array:
    """Says that the first axis of an argument stands for the frames of a sequence.

        ndd.brightness(videos, brightness=ndd.per_frame(ndd.tensor([0.5, 1.0, 1.5])))

    The elements stay what they are; only the layout changes. A single row serves all frames.

    Args:
        replace: Also relabel an input whose layout begins with another letter.
    """
    return input


@per_frame.on_samples(anywhere=True)
def relabelled(pool: Pool, n: int, samples: Samples, *, replace: bool) -> Samples:
    return samples.coded(samples.code)


per_frame.examples = examples(
    Example("ndd.per_frame(line)", timed=True),
)
