"""An operator that leaves samples as they are unless it is told otherwise."""

from __future__ import annotations

import inspect
import typing
from functools import lru_cache
from typing import Any

import numpy as np

from penstock import _native
from penstock.schema.operator import Operator
from penstock.schema.params import PerSample
from penstock.values.spec import Spec

APPLIED = "applied"
_NOT_ONE = "{}() does not make one sample of one sample, so that none can be left as it is"


@lru_cache(maxsize=1024)
def optional(op: Operator) -> Operator:
    """The operator with one argument more, `applied`: where that is 0, the result is the first input.

    TypeError for an operator that cannot leave a sample as it is: it has no input, several results, or sees the whole
    batch.
    """
    if not op.inputs or op.batchwise or (isinstance(op.results, int) and op.results != 1):
        raise TypeError(_NOT_ONE.format(op.name))
    function, signature = op.function, inspect.signature(op.function)

    def some(sample: Any, *others: Any, applied: Any, **arguments: Any) -> Any:
        return function(sample, *others, **arguments) if applied else sample

    added = inspect.Parameter(APPLIED, inspect.Parameter.KEYWORD_ONLY, annotation=PerSample[int])
    some.__signature__ = signature.replace(parameters=[*signature.parameters.values(), added])  # type: ignore[attr-defined]
    some.__annotations__ = {**typing.get_type_hints(function, include_extras=True), APPLIED: PerSample[int]}
    some.__doc__ = function.__doc__

    def infer(*specs: Spec, applied: Any, **arguments: Any) -> Spec:
        inferred = op.infer(*specs, **arguments)
        results = (inferred,) if isinstance(inferred, Spec) else inferred
        if len(results) != 1:
            raise TypeError(_NOT_ONE.format(op.name))
        _require_alike(op, specs[0], results[0])
        return results[0]

    def check(*, applied: Any, **arguments: Any) -> None:
        assert op.check is not None
        op.check(**arguments)

    made = Operator(
        some,
        name=op.path,
        layouts=op.layouts,
        channels_last=op.channels_last,
        frames=op.frames,
        still=op.still,
        infer=infer if op.infers else None,
        check=None if op.check is None else check,
        needs_gpu=op.needs_gpu,
        by_cpu=op.by_cpu,
        results=op.results,
        pure=op.pure,
        acts=op.acts,
        numbers_only=op.numbers_only,
        runs_on=op.runs_on,
        inputs_from=op.inputs_from,
        renamed=op.renamed,
        removed=op.removed,
    )
    build = op.native_step
    if build is not None:

        @made.native(
            reads_data=op.reads_data,
            needs_data=op.needs_data,
            reads_others=op.reads_others,
            reads_threads=op.reads_threads,
            reads_batch_size=op.reads_batch_size,
        )
        def native(*specs: Spec, applied: Any, **arguments: Any) -> _native.Step | None:
            step = build(*specs, **arguments)
            return None if step is None else _native.Choice([None, step], (applied != 0).astype(np.int32))

    on_gpu = op.gpu_function
    if on_gpu is not None:

        @made.gpu(by_spec=op.by_spec)
        def gpu(samples: Any, *others: Any, applied: Any, **arguments: Any) -> Any:
            return on_gpu(samples, *others, **arguments) if applied else samples

    return made


def _require_alike(op: Operator, given: Spec, made: Spec) -> None:
    for what, one, other in (
        ("type", given.dtype, made.dtype),
        ("number of axes", given.ndim, made.ndim),
        ("layout", given.layout, made.layout),
    ):
        if one is not None and other is not None and one != other:
            raise ValueError(
                f"{op.name}() changes the {what} from {one or 'none'} to {other or 'none'}, and the samples of a batch "
                "have the same: it cannot be left out for some of them"
            )
