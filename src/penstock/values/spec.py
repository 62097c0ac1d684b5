"""What is known of a value before it exists."""

from __future__ import annotations

from typing import NamedTuple

from penstock._native import Samples, make_specs_by
from penstock.values.dtypes import BY_CODE, DType


class TensorLayout(str):
    """What the axes mean, one letter each. A plain string does as well wherever a layout is asked for."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"TensorLayout({str(self)!r})"


class Spec(NamedTuple):
    """Element type, rank and layout; None where only running the operator can tell. An empty layout means none."""

    dtype: DType | None
    ndim: int | None
    layout: str | None = ""

    @property
    def known(self) -> bool:
        return self.dtype is not None and self.ndim is not None and self.layout is not None


UNKNOWN = Spec(None, None, None)


def spec_of(samples: Samples) -> Spec:
    """The spec of samples that exist."""
    return samples.spec


make_specs_by(lambda code, ndim, layout: Spec(BY_CODE[code], ndim, layout))
