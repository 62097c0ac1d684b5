"""What is known of a sample beside its elements."""

from __future__ import annotations

import os
from typing import Annotated, Any, Literal

import numpy as np

from penstock._native import Pool, Samples
from penstock.schema import Example, examples, operator
from penstock.schema.params import Layout, Refusal
from penstock.values.dtypes import int64, uint8
from penstock.values.samples import from_arrays
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


def _foretell(input: Spec, *, key: str) -> Spec:
    return Spec(int64, 0, "") if key == "index" else Spec(uint8, 1, "")


@operator(infer=_foretell, numbers_only=False, inputs_from="anywhere")
def get_property(
    input: Array,
    *,
    key: Annotated[Literal["layout", "source_info", "index"], Refusal("Unsupported property key: {}")],
    layout: Layout,
) -> Array:
    """Tells the layout of samples, or where they came from, as the bytes of a text; or their number in the data set.

        paths = [np.asarray(path).tobytes().decode() for path in ndd.get_property(jpegs, key="source_info")]

    Args:
        key: "layout", or "source_info" for the file a reader took the sample from; empty where it is not known;
            or "index" for its number in the reader's data set, -1 where it is not known.
    """
    return np.array(-1, np.int64) if key == "index" else _text(layout if key == "layout" else "")


@get_property.on_samples
def properties(pool: Pool, n: int, samples: Samples, *, key: str) -> Samples:
    if key == "index":
        indices = samples.indices or ()
        return Samples.wrap(np.array(indices if len(indices) == n else [-1] * n, np.int64))
    sources = samples.sources if key == "source_info" else None
    if sources is not None and len(sources) == n:
        return from_arrays([_text(source) for source in sources], uint8, 1)
    text = _text(samples.layout if key == "layout" else "")
    return Samples.wrap(np.tile(text, (n, 1)))


def _text(text: str) -> Array:
    return np.frombuffer(os.fsencode(text), np.uint8)


get_property.examples = examples(
    Example("ndd.get_property(image, key='layout')", compared=True, timed=True),
)
