"""`ndd.operator`: a user's own function as an operator."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, overload

from penstock.dynamic.calls.functions import from_operator
from penstock.dynamic.own_operators.function import declared, declared_for_gpus
from penstock.dynamic.own_operators.signature import UserSignature
from penstock.dynamic.values.value import Value
from penstock.engine.defining import defining
from penstock.schema.operator import Operator
from penstock.values.dtypes import dtype as to_dtype
from penstock.values.spec import Spec


class OwnOperator(Protocol):
    """What `ndd.operator` makes of a function: one on Tensors and Batches, or on the nodes of a pipeline."""

    operator: Operator
    __name__: str

    def __call__(self, *inputs: Any, **arguments: Any) -> Any: ...

    def gpu(self, function: Callable[..., Any], /) -> Callable[..., Any]:
        """Registers the function for data on GPUs: on torch tensors with a leading axis for samples that are alike."""
        ...


@overload
def operator(function: Callable[..., Any], /) -> OwnOperator: ...
@overload
def operator(
    *,
    name: str | None = None,
    results: int | Callable[[int, dict[str, Any]], int] = 1,
    infer: Callable[..., Spec | tuple[Spec, ...]] | None = None,
    inplace: bool = False,
    layouts: Sequence[str] = (),
    channels_last: bool = False,
    frames: bool = False,
    elementwise: bool = False,
    batchwise: bool = False,
    blank: Callable[..., Any] | None = None,
    pure: bool = False,
    acts: bool = False,
) -> Callable[[Callable[..., Any]], OwnOperator]: ...
def operator(
    function: Callable[..., Any] | None = None,
    /,
    *,
    name: str | None = None,
    results: int | Callable[[int, dict[str, Any]], int] = 1,
    infer: Callable[..., Spec | tuple[Spec, ...]] | None = None,
    inplace: bool = False,
    layouts: Sequence[str] = (),
    channels_last: bool = False,
    frames: bool = False,
    elementwise: bool = False,
    batchwise: bool = False,
    blank: Callable[..., Any] | None = None,
    pure: bool = False,
    acts: bool = False,
) -> Any:
    """Makes a function on one sample, NumPy arrays in and out, an operator on Tensors and Batches.

        @ndd.operator
        def posterize(image, *, bits: ndd.PerSample[int] = 4):
            return image & (256 - (1 << (8 - bits)))

        images = posterize(images, bits=ndd.batch([2, 3, 4]))

    It runs lazily or in the background like every other operator, sample-parallel, and in compiled loops ahead of the
    program. In a pipeline it takes nodes, and makes nodes. docs/guides/own_operators.md tells more.

    Parameters without a default are inputs, or with None for one. Others are arguments: `def f(image, k=3)` is called
    as `f(images, k=2)` or `f(images, 2)`. Those annotated `ndd.PerSample[...]` take a Batch, with a value for every
    sample. One annotated `numpy.random.Generator` is a generator for each sample, which follows `ndd.random.set_seed`
    and the `rng=` of a call.

    Inputs are read-only arrays: what a function is given, other calls may use as well. Those annotated `torch.Tensor`
    are tensors, and copies, since torch has none that are read-only.

    It runs on the CPU. For data on a GPU it is given a second function, on torch tensors with a leading axis for
    samples that are alike in shape and arguments:

        @posterize.gpu
        def posterize_gpu(images, *, bits):
            return images & int(256 - (1 << (8 - bits)))

    Args:
        name: What errors and plans call it; the function's name by default.
        results: How many arrays it returns.
        infer: Tells the `ndd.Spec` of each result from those of the inputs and the arguments, before anything runs.
        inplace: The function writes to its inputs, so it is given copies.
        layouts: Layouts the first input may have; an unlabelled input takes the first of equal rank.
        channels_last: The function takes H, W, C: other layouts are transposed for it, and its results back.
        frames: The function takes one frame: it is called for each one of a sequence.
        elementwise: The function may be given a whole batch of one shape, with a leading axis. Not used where it has
            arguments for every sample or a generator.
        batchwise: The function is given the batch as a list of arrays, and returns such a list.
        blank: Makes what stands for a sample that the function fails for: called with the result of a good one, or
            None, and the arguments. Calls then take `on_error` and `errors`.
        pure: Calls with equal inputs and arguments give equal results, so one of them will do.
        acts: It has side effects: a compiled loop makes each call when the program does, never ahead of it.
    """

    def made(function: Callable[..., Any]) -> OwnOperator:
        signature = UserSignature(function)
        op = Operator(
            declared(function, signature, inplace),
            name=name,
            results=results,
            infer=None if infer is None else _checked(infer, signature.name),
            layouts=layouts,
            channels_last=channels_last,
            frames=frames,
            elementwise=elementwise and not (signature.scalars or signature.generator),
            batchwise=batchwise,
            blank=blank,
            pure=pure,
            acts=acts,
            read_only=not inplace,
            runs_on="cpu",  # until it has a function for GPUs, too
        )
        return _own(op, signature, function)

    return made if function is None else made(function)


def _own(op: Operator, signature: UserSignature, function: Callable[..., Any]) -> OwnOperator:
    at_once = from_operator(op)

    def call(*inputs: Any, **keywords: Any) -> Any:
        if keywords or len(inputs) != len(signature.inputs):
            inputs, keywords = signature.bind(inputs, keywords)
        define = _definer(inputs, keywords)
        return at_once(*inputs, **keywords) if define is None else define(op, inputs, keywords)

    def gpu(function: Callable[..., Any], /) -> Callable[..., Any]:
        op.gpu(declared_for_gpus(function, signature))
        return function

    made: Any = call
    made.__name__, made.__doc__ = op.name, op.doc
    made.__signature__ = signature.shown(op.common_keywords)
    made.__module__ = getattr(function, "__module__", __name__)  # where pickle finds it
    made.__qualname__ = getattr(function, "__qualname__", op.name)
    made.operator, made.gpu = op, gpu
    own: OwnOperator = made
    return own


def _definer(inputs: tuple[Any, ...], keywords: dict[str, Any]) -> Callable[..., Any] | None:
    """What adds the call to a pipeline, if it is one of a pipeline that is being defined, or on nodes of one."""
    values = (*inputs, *keywords.values())
    for value in values:
        define: Callable[..., Any] | None = getattr(type(value), "define_call", None)  # which nodes of pipelines have
        if define is not None:
            return define
    if defining.define is None or any(isinstance(value, Value) for value in values):
        return None
    return defining.define


def _checked(infer: Callable[..., Any], name: str) -> Callable[..., tuple[Spec, ...]]:
    """The function with element types as ndd has them, however they were written."""

    def checked(*specs: Spec, **arguments: Any) -> tuple[Spec, ...]:
        inferred = infer(*specs, **arguments)
        each = (inferred,) if isinstance(inferred, Spec) else tuple(inferred) if inferred is not None else ()
        if not each or not all(isinstance(spec, Spec) for spec in each):
            raise TypeError(f"infer of {name} returned {inferred!r}; it returns an ndd.Spec for every result")
        return tuple(spec if spec.dtype is None else spec._replace(dtype=to_dtype(spec.dtype)) for spec in each)

    return checked
