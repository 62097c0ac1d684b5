"""Samples as other faces of the library keep them: dynamic mode takes them for Tensors and Batches."""

from __future__ import annotations

from penstock._native import Samples


class KeptSample:
    """One sample, with its element type and layout."""

    __slots__ = ()

    _samples: Samples


class KeptSamples:
    """The samples of a batch."""

    __slots__ = ()

    _samples: Samples
