"""A filter that brings up high frequencies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from penstock import _native
from penstock.gpu.casting import cast_tensor
from penstock.gpu.types import dtype_of
from penstock.ops.audio.signals import Array
from penstock.ops.names import type_name
from penstock.schema import Example, PerSample, examples, operator
from penstock.schema.params import Refusal
from penstock.values.casting import cast_array
from penstock.values.dtypes import DType, bool_, float16, float32, float64
from penstock.values.spec import Spec

if TYPE_CHECKING:
    import torch

REFUSED = (float16, bool_)


def _foretell(input: Spec, *, border: str, dtype: DType, preemph_coeff: Any) -> Spec:
    if input.dtype in REFUSED:
        raise RuntimeError(f"Unsupported input type: {type_name(input.dtype)}")
    if dtype in REFUSED:
        raise RuntimeError(f"Unsupported output type: {type_name(dtype)}")
    return Spec(dtype, input.ndim, input.layout)


@operator(infer=_foretell)
def preemphasis_filter(
    input: Array,
    *,
    border: Annotated[Literal["clamp", "zero", "reflect"], Refusal('``border`` mode "{}" is not supported')] = "clamp",
    dtype: DType = float32,
    preemph_coeff: PerSample[float] = 0.97,
) -> Array:
    """Subtracts from every sample of a signal a share of the one before: out[i] = in[i] - preemph_coeff * in[i - 1].

        ndd.preemphasis_filter(audio, preemph_coeff=0.95)

    A sample with several axes counts as one signal, in the order it is stored: filter channels one by one.

    Args:
        border: What comes before the first element: "clamp" for itself, "zero", or "reflect" for the second one.
        dtype: Element type of the result; integers are rounded and saturated.
        preemph_coeff: The share.
    """
    real = np.dtype(np.float64 if input.dtype == np.float64 else np.float32).type
    signal: Array = input.reshape(-1).astype(real)
    if signal.size == 0:
        return cast_array(input, dtype)
    before = {"clamp": signal[0], "zero": real(0), "reflect": signal[min(1, signal.size - 1)]}[border]
    with np.errstate(all="ignore"):
        made = signal - real(np.float32(preemph_coeff)) * np.concatenate([[before], signal[:-1]])
    return cast_array(made.astype(real).reshape(input.shape), dtype)


@preemphasis_filter.native
def native(input: Spec, *, border: str, dtype: DType, preemph_coeff: Array) -> _native.Step:
    return _native.Preemphasis(preemph_coeff, getattr(_native.SignalBorder, border), dtype.code)


@preemphasis_filter.gpu
def gpu(input: torch.Tensor, *, border: str, dtype: DType, preemph_coeff: Any) -> torch.Tensor:
    import torch

    if input.numel() == 0:
        return cast_tensor(input, dtype)
    signal = cast_tensor(input.reshape(len(input), -1), float64 if dtype_of(input) is float64 else float32)
    start = signal[:, min(1, signal.shape[1] - 1) :] if border == "reflect" else signal
    first = torch.zeros_like(start[:, :1]) if border == "zero" else start[:, :1]
    made = signal - float(np.float32(preemph_coeff)) * torch.cat([first, signal[:, :-1]], 1)
    return cast_tensor(made.reshape(input.shape), dtype)


preemphasis_filter.examples = examples(
    Example(
        "ndd.preemphasis_filter(sound)",
        compared=True,
        drawn=True,
        plain="np.append(sound[:1] * np.float32(0.03), sound[1:] - np.float32(0.97) * sound[:-1])",
    ),
    within=1e-05,
)
