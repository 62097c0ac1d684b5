"""An operator called with Tensors and Batches: arguments are read, a call is made, results are handed out."""

from __future__ import annotations

from typing import Any

from penstock.dynamic.batch import Batch
from penstock.dynamic.construct import as_tensor
from penstock.dynamic.tensor import Tensor
from penstock.dynamic.value import Value
from penstock.engine.context import EvalContext
from penstock.engine.errors import annotate
from penstock.engine.executor import infer_specs, labelled
from penstock.engine.invocation import Invocation, Operand
from penstock.engine.modes import EvalMode
from penstock.engine.rng import RNG, get_default_rng
from penstock.engine.site import here
from penstock.schema.operator import Operator
from penstock.values.device import Device
from penstock.values.device import device as to_device
from penstock.values.spec import UNKNOWN, Spec


def invoke(op: Operator, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """Calls `op`: checks what can be checked now, then runs, queues or records it as the evaluation mode says."""
    op.check_inputs(len(inputs))
    context = EvalContext.current()
    size = _batch_size(op, keywords.pop("batch_size", None))
    _check_device(op, keywords.pop("device", None))
    call = Invocation(op, [], op.defaults.copy(), size, context, here())
    try:
        if op.draw is not None:
            call.words = _rng(keywords.pop("rng", None)).take_words()
        specs, external = _read_inputs(call, inputs)
        if keywords:
            external |= _read_arguments(call, keywords)
        if op.required:
            op.check_required({name: True for name in op.required if call.arguments[name] is not None})
        if specs:
            specs[0] = labelled(call, specs[0])
        if all(spec.known for spec in specs):
            call.specs = infer_specs(call, specs)
        else:
            call.specs = (UNKNOWN,)
    except Exception as error:
        raise annotate(error, call).with_traceback(None) from error.__cause__
    kind: type[Tensor] | type[Batch] = Tensor if call.batch_size is None else Batch
    results = tuple(kind._of_call(call, index) for index in range(len(call.specs)))
    # Memory the user may write to must be read before the call returns.
    context.submit(call, EvalMode.sync_cpu if external else EvalMode.current())
    return results[0] if len(results) == 1 else results


def _batch_size(op: Operator, size: Any) -> int | None:
    if size is None:
        return None
    if not isinstance(size, int):
        raise TypeError(f"batch_size must be an int, got {type(size).__name__}")
    if size < 0:
        raise RuntimeError(f"batch_size must not be negative, got {size}")
    return size


def _check_device(op: Operator, wanted: Any) -> None:
    if wanted is None or wanted == "cpu":
        return
    found = to_device(wanted)
    if found is not None and found != Device.CPU:
        raise ValueError(f'Invalid device "{found}" for operator `{op.name}`: it runs on the CPU')


def _rng(given: Any) -> RNG:
    if given is None:
        return get_default_rng()
    if not isinstance(given, RNG):
        raise ValueError(f"rng must be an instance of ndd.random.RNG, got {type(given).__name__}")
    return given


def _read_inputs(call: Invocation, inputs: tuple[Any, ...]) -> tuple[list[Spec], bool]:
    specs: list[Spec] = []
    external = False
    for position, value in enumerate(inputs):
        if not isinstance(value, Value):
            if value is None:
                if position >= call.op.min_inputs:
                    continue
                raise TypeError(f"{call.op.name}() input {position} is None")
            value = as_tensor(value)
        operand = _enter(call, value)
        external |= value._samples is not None and value._samples.external
        call.inputs.append(operand)
        specs.append(value._peek_spec())
    return specs, external


def _enter(call: Invocation, value: Value) -> Operand:
    if isinstance(value, Batch):
        size = value.batch_size
        if call.batch_size is None:
            call.batch_size = size
        elif call.batch_size != size:
            raise ValueError(f"Inconsistent batch size: {size} != {call.batch_size}")
    return value._operand(call.context)


def _read_arguments(call: Invocation, keywords: dict[str, Any]) -> bool:
    op = call.op
    external = False
    for keyword, value in keywords.items():
        name: str | None = keyword
        param = op.params.get(keyword)
        if param is None:
            name = op.old_name(keyword, value)
            if name is None:
                continue
            param = op.params[name]
        if value is None:
            continue
        assert name is not None
        if isinstance(value, Value):
            if not param.per_sample:
                raise TypeError(f"{op.name}(): {name} takes a constant, not a {type(value).__name__}")
            call.tensors[name] = _enter(call, value)
            call.arguments[name] = value._peek_spec()
            external |= value._samples is not None and value._samples.external
        else:
            call.arguments[name] = param.convert(_plain(value))
    return external


def _plain(value: Any) -> Any:
    """A torch, JAX or other array given as a constant, as NumPy."""
    return value.__array__() if hasattr(value, "__array__") and hasattr(value, "__dlpack__") else value
