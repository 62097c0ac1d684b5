"""`ndd.operator`: a user's own function as an operator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, overload

from penstock.dynamic.functions import from_operator
from penstock.schema.operator import Operator


@overload
def operator(function: Callable[..., Any], /) -> Callable[..., Any]: ...
@overload
def operator(**options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]: ...
def operator(function: Callable[..., Any] | None = None, /, **options: Any) -> Any:
    """Makes a function on one sample, NumPy arrays in and out, an operator on Tensors and Batches.

        @ndd.operator
        def posterize(image, *, bits: ndd.PerSample[int] = 4):
            return image & (256 - (1 << (8 - bits)))

        images = posterize(images, bits=ndd.batch([2, 3, 4]))

    It runs lazily or in the background like every other operator, sample-parallel, and takes per-sample arguments
    where they are annotated so. Options are those of `penstock.schema.operator`; two calls of it are never taken for
    one unless it is declared `pure`. For data on a GPU it needs a second function, on torch tensors with a leading axis
    for samples that are alike:

        @posterize.gpu
        def _(images, *, bits):
            return images & (256 - (1 << (8 - bits)))
    """
    options.setdefault("pure", False)
    options.setdefault("runs_on", "cpu")  # until it has a function for GPUs, too
    if function is not None:
        return _declared(Operator(function, **options))
    return lambda decorated: _declared(Operator(decorated, **options))


def _declared(op: Operator) -> Callable[..., Any]:
    call: Any = from_operator(op)
    call.gpu = op.gpu
    declared: Callable[..., Any] = call
    return declared
