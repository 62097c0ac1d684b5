"""numba_function and NumbaFunction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from penstock.pipeline.definition.call_definition import define
from penstock.pipeline.functions.op_classes import OperatorObject
from penstock.plugin.numba.compiled import Compiled, Kind
from penstock.schema.operator import Operator
from penstock.values.dtypes import dtype as to_dtype
from penstock.values.spec import Spec


def numba_function(
    *inputs: Any,
    run_fn: Callable[..., Any],
    out_types: Sequence[Any],
    in_types: Sequence[Any],
    outs_ndim: Sequence[int],
    ins_ndim: Sequence[int],
    setup_fn: Callable[..., Any] | None = None,
    batch_processing: bool = False,
    blocks: Sequence[int] | None = None,
    threads_per_block: Sequence[int] | None = None,
    **keywords: Any,
) -> Any:
    """Runs a function that Numba compiles on every sample, on all threads of the pipeline.

    Example:
        >>> def invert(out, image):
        ...     out[:] = 255 - image
        >>> inverted = numba_function(
        ...     images, run_fn=invert, out_types=[types.UINT8], in_types=[types.UINT8], outs_ndim=[3], ins_ndim=[3]
        ... )

    Args:
        run_fn: Takes an array of each output, to be filled, and then one of each input. The arrays are its own.
            What it raises, also beyond the bounds of an array, is an error of the sample; a function that
            `numba.njit` has compiled already is taken as it is, with checks or without.
        out_types: Element types of the outputs.
        in_types: Element types of the inputs.
        outs_ndim: Numbers of axes of the outputs.
        ins_ndim: Numbers of axes of the inputs.
        setup_fn: Tells the shapes of the outputs. It takes a list with a list of shapes for each output, an array a
            sample, to be filled, and such a list for the inputs. Without it each output is like the input in its place.
        batch_processing: `run_fn` takes lists of arrays, the whole batch at once.
        blocks: Asks for nothing on a CPU.
        threads_per_block: Asks for nothing on a CPU.
    """
    if len(out_types) != len(outs_ndim):
        raise AssertionError("Number of output types and output dimensions should match.")
    if len(in_types) != len(ins_ndim):
        raise AssertionError("Number of input types and input dimensions should match.")
    outs = [Kind(to_dtype(each), ndim) for each, ndim in zip(out_types, outs_ndim, strict=True)]
    ins = [Kind(to_dtype(each), ndim) for each, ndim in zip(in_types, ins_ndim, strict=True)]
    if len(inputs) != len(ins):
        raise ValueError(f"numba_function was given {len(inputs)} inputs, in_types tells of {len(ins)}")
    if setup_fn is None:
        _check_alike(outs, ins)
    compiled = Compiled(run_fn, setup_fn, outs, ins, batch_processing)
    specs = tuple(Spec(each.dtype, each.ndim) for each in outs)
    op = Operator(
        lambda *arrays: None, name="plugin.numba.fn.numba_function", pure=False, results=len(outs),
        infer=lambda *given: specs,
    )  # fmt: skip
    op.on_samples(compiled.run)
    return define(op, inputs, keywords)


class NumbaFunction(OperatorObject):
    """`numba_function` as an operator that is made once: `NumbaFunction(run_fn, ...)(images)`."""

    function: ClassVar[Callable[..., Any]] = staticmethod(numba_function)
    path: ClassVar[str] = "NumbaFunction"

    def __init__(
        self,
        run_fn: Callable[..., Any],
        out_types: Sequence[Any],
        in_types: Sequence[Any],
        outs_ndim: Sequence[int],
        ins_ndim: Sequence[int],
        setup_fn: Callable[..., Any] | None = None,
        device: str = "cpu",
        batch_processing: bool = False,
        blocks: Sequence[int] | None = None,
        threads_per_block: Sequence[int] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            run_fn=run_fn, out_types=out_types, in_types=in_types, outs_ndim=outs_ndim, ins_ndim=ins_ndim,
            setup_fn=setup_fn, device=device, batch_processing=batch_processing, blocks=blocks,
            threads_per_block=threads_per_block, **kwargs,
        )  # fmt: skip


def _check_alike(outs: list[Kind], ins: list[Kind]) -> None:
    if len(outs) != len(ins):
        raise RuntimeError("Size of `out_types` should match size of `in_types` when `setup_fn` isn't provided.")
    for k, (out, given) in enumerate(zip(outs, ins, strict=True)):
        if out.ndim != given.ndim:
            raise RuntimeError(
                f"output {k} has {out.ndim} axes and input {k} has {given.ndim}; where they differ `setup_fn` tells "
                "the shape of the output"
            )
