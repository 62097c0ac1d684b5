"""Operators that combine their inputs element by element, with shapes broadcast as in NumPy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, wraps
from typing import Any, NamedTuple

import numpy as np

from penstock._native import Combination, Formula, Root, Samples, Step
from penstock.ops.math.kernels_gpu import kernel
from penstock.ops.math.parts import in_parts, place_for
from penstock.ops.math.promotion import ResultType, result_layout, truth
from penstock.schema.operator import Infer, Operator
from penstock.values.dtypes import DType, Kind
from penstock.values.spec import Spec

Array = np.ndarray[Any, Any]


class Term(NamedTuple):
    """What is made of the first operand or of what has been made of it, and of another operand where it takes two."""

    rule: Combination | Root | np.ufunc
    # The other operand stands to the left.
    reversed: bool = False
    # Floats follow this rule instead.
    reals: np.ufunc | None = None


# From the operator's sign and its operands' types to the type it calculates in; None where no native type will do.
Within = Callable[[str, "tuple[DType, ...]"], DType | None]

_WHOLE = (Kind.signed, Kind.unsigned)
# Rules that take longer than fetching their operands and storing the result.
_LABORIOUS = {
    Combination.pow, *Root, np.power, np.fmod, np.cbrt, np.exp, np.log, np.log2, np.log10, np.sin, np.cos, np.tan,
    np.arcsin, np.arccos, np.arctan, np.arctan2, np.sinh, np.cosh, np.tanh, np.arcsinh, np.arccosh, np.arctanh,
}  # fmt: skip

# Below this malloc hands out warm memory, and intermediate results stay in the cache.
_DIVIDED_FROM_ELEMENTS = 1 << 15
# Going from one sample to the next takes a native step as long as NumPy takes for some 1000 elements.
_TINY_BYTES = 1 << 12
# Below this (kParallelFromBytes of native/runtime/pool.h) the native core takes all samples of one shape at once.
_AT_ONCE_BYTES = 128 << 10


def elementwise(
    name: str, result: ResultType, sign: str | None = None, terms: Sequence[Term] = (), within: Within | None = None
) -> Callable[[Callable[..., Array]], Operator]:
    """Declares a function of arrays that broadcast as an operator.

    Args:
        name: Its public name.
        result: Tells the result's type from those of the operands.
        sign: How error messages call it; the last part of the name by default.
        terms: The same as a native formula, where it is one.
        within: Tells the type the formula is calculated in; that of the result by default.
    """
    word = name.rsplit(".", 1)[-1]

    def declare(function: Callable[..., Array]) -> Operator:
        quietly = np.errstate(all="ignore")(function)
        made = Operator(_with_clear_errors(quietly), name=name, infer=_foretell(word, sign or word, result))

        @made.on_stack(reads_threads=True)
        def stack(*arrays: Array, threads: int) -> Array:
            if all(array.size < _DIVIDED_FROM_ELEMENTS for array in arrays):
                return quietly(*arrays)
            dtype = result(sign or word, tuple(DType.by_numpy[array.dtype] for array in arrays)).storage
            return in_parts(function, dtype, arrays, threads)

        on_gpu = kernel(name)
        if on_gpu is not None:
            made.gpu(on_gpu)
        if terms and made.max_inputs == 1:
            made.native(stacks_first=_stacks_first)(_native_step_of_one(sign or word, terms, within or result))
        elif terms:
            register = made.native(reads_data=True, reads_others=True, stacks_first=_stacks_first)
            register(_native_step(sign or word, terms, within or result, compares=result is truth))
        return made

    return declare


def _native_step(sign: str, terms: Sequence[Term], within: Within, compares: bool) -> Callable[..., Step | None]:
    @lru_cache(maxsize=1024)
    def formula(*specs: Spec) -> Formula | None:
        known = tuple(spec.dtype for spec in specs if spec.dtype is not None)
        dtype = within(sign, known) if len(known) == len(specs) else None
        return None if dtype is None else _formula(dtype, terms)

    def native(*specs: Spec, others: list[Samples], samples: Samples | None = None) -> Step | None:
        by_value = compares and _fits(specs[0], others[0])
        found, ndim = formula(*(specs[:1] * 2 if by_value else specs)), specs[0].ndim
        return None if found is None or ndim is None else found.step(samples, ndim, others)

    return native


def _native_step_of_one(sign: str, terms: Sequence[Term], within: Within) -> Callable[[Spec], Step | None]:
    """The step of a function of one operand, which serves all data of a type."""

    def native(spec: Spec) -> Step | None:
        dtype = None if spec.dtype is None else within(sign, (spec.dtype,))
        return None if dtype is None or spec.ndim is None else _formula(dtype, terms).step(None, spec.ndim, [])

    return native


def _formula(dtype: DType, terms: Sequence[Term]) -> Formula:
    is_real = dtype.kind is Kind.float
    rules = [(term.reals if is_real and term.reals is not None else term.rule, term.reversed) for term in terms]
    return Formula(dtype.code, rules, is_laborious=any(rule in _LABORIOUS for rule, _ in rules))


def _fits(spec: Spec, other: Samples) -> bool:
    """Whether the other operand is a whole number that the first's type, one of integers, holds as well."""
    if spec.dtype is None or spec.dtype.kind not in _WHOLE or len(other) != 1 or other.ndim:
        return False
    number, limits = other.sample(0), np.iinfo(spec.dtype.storage)
    return number.dtype.kind in "iu" and limits.min <= int(number) <= limits.max


def _stacks_first(operands: list[Samples], threads: int) -> bool:
    """NumPy takes many tiny samples at once, and parts of large ones where there are too few to go round.

    The native step takes samples of one shape at once, too, as long as one thread does it all.
    """
    most = max([samples.nbytes for samples in operands])
    if most < _AT_ONCE_BYTES:
        return False
    n = max(map(len, operands))
    return n < threads or most < n * _TINY_BYTES


def _foretell(word: str, sign: str, result: ResultType) -> Infer:
    @lru_cache(maxsize=1024)
    def infer(*specs: Spec) -> Spec:
        ndim = max(spec.ndim or 0 for spec in specs)
        dtype = result(sign, tuple(spec.dtype for spec in specs if spec.dtype is not None))
        return Spec(dtype, ndim, result_layout(word, specs, ndim))

    return infer


def _with_clear_errors(function: Callable[..., Array]) -> Callable[..., Array]:
    @wraps(function)
    def run(*arrays: Array) -> Array:
        try:
            return function(*arrays)
        except ValueError:
            shapes = [array.shape for array in arrays]
            try:
                np.broadcast_shapes(*shapes)
            except ValueError:
                raise RuntimeError(f"Can't broadcast shapes: {', '.join(map(str, shapes))}") from None
            raise

    return run


def apply(ufunc: np.ufunc, dtype: np.dtype[Any], *arrays: Array, within: np.dtype[Any] | None = None) -> Array:
    """The ufunc with its result in `dtype`, in which it also computes unless told to do so `within` another."""
    made: Array = ufunc(*arrays, out=place_for(dtype, arrays), dtype=within or dtype, casting="unsafe")
    return made if within is None else made.astype(dtype, copy=False)


def spread(*arrays: Array) -> list[Array]:
    """The arrays in their joint shape. For some functions NumPy has a quicker loop, which rounds differently, but it
    does not take operands that are repeated."""
    shape = np.broadcast_shapes(*(array.shape for array in arrays))
    return [np.asarray(np.broadcast_to(array, shape), order="C") for array in arrays]
