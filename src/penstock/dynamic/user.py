"""`ndd.operator`: a user's own function as an operator."""

from __future__ import annotations

import functools
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
            return image & np.uint8(256 - (1 << (8 - bits)))

        images = posterize(images, bits=ndd.batch([2, 3, 4]))

    It runs lazily or in the background like every other operator, sample-parallel, and takes per-sample arguments
    where they are annotated so. Options are those of `penstock.schema.operator`; two calls of it are never taken for
    one unless it is declared `pure`.

    In a pipeline it takes nodes, and makes nodes.

    It runs on the CPU. For data on a GPU it is given a second function, on torch tensors with a leading axis for
    samples that are alike in shape and arguments:

        @posterize.gpu
        def posterize_gpu(images, *, bits):
            return images & int(256 - (1 << (8 - bits)))
    """
    options.setdefault("pure", False)
    options.setdefault("runs_on", "cpu")  # until it has a function for GPUs, too
    if function is not None:
        return _made(Operator(function, **options))
    return lambda decorated: _made(Operator(decorated, **options))


def _made(op: Operator) -> Callable[..., Any]:
    at_once = from_operator(op)

    @functools.wraps(at_once)
    def call(*inputs: Any, **keywords: Any) -> Any:
        for value in (*inputs, *keywords.values()):
            define = getattr(type(value), "define_call", None)  # which nodes of pipelines have
            if define is not None:
                return define(op, inputs, keywords)
        return at_once(*inputs, **keywords)

    call.gpu = op.gpu  # type: ignore[attr-defined]
    return call
