"""Calls an operator on Tensors and Batches: reads the arguments, makes an invocation and submits it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import Any

from penstock._native import CallMaker, Samples, ValueClass
from penstock.dynamic.calls.placement import place
from penstock.dynamic.calls.recorder import Recorder, active
from penstock.dynamic.invariant import is_invariant, unwrap
from penstock.dynamic.values.batch import Batch
from penstock.dynamic.values.construct import as_batch, as_tensor
from penstock.dynamic.values.tensor import Tensor
from penstock.dynamic.values.value import Value
from penstock.engine.call_memo import CallMemo, prepare
from penstock.engine.context import EvalContext, active_contexts
from penstock.engine.errors import annotate
from penstock.engine.graph.node import Port
from penstock.engine.invocation import Invocation, Operand
from penstock.engine.modes import EvalMode, active_modes, sync_modes
from penstock.engine.policy import read_policy
from penstock.engine.rng import RNG, get_default_rng
from penstock.engine.site import Site, here
from penstock.schema.operator import Operator
from penstock.values.accelerator import CPU
from penstock.values.device import active as active_devices
from penstock.values.dtypes import DType
from penstock.values.kept_samples import KeptSample, KeptSamples
from penstock.values.spec import Spec

# The types of most arguments, which are neither Tensors nor marked as invariant.
_CONSTANTS = frozenset({int, float, bool, str, list, tuple, type(None), DType})
_DEFERRED, _SYNC = EvalMode.deferred, EvalMode.sync_cpu
_TENSOR, _BATCH = ValueClass(Tensor), ValueClass(Batch)
_make = CallMaker(Invocation, CallMemo, Port, Tensor, Batch).make


def caller(op: Operator) -> Callable[..., Any]:
    """Returns the function that calls `op` with inputs and keywords as a program gives them, and returns its results.

    The evaluation mode decides when the call runs. Bad arguments are raised here. A compiled loop is asked first, for
    the result that it has made ahead, and told of the call otherwise.
    """
    draws = op.draw is not None
    # Whether calls that are like earlier ones need no checks but those of their inputs and arguments.
    is_simple = not op.needs_gpu and not (op.batchwise and not op.inputs)

    def call_operator(*inputs: Any, **keywords: Any) -> Any:
        loops = active.loops
        recorder = loops[-1] if loops else None
        written = None
        if recorder is not None:
            foreseen = recorder.next_call(op, inputs, keywords)
            if foreseen is None:
                foreseen = recorder.foreseen(op, inputs, keywords)
            if foreseen is not None:
                return _evaluated(foreseen) if sync_modes and active_modes.stack[-1] in sync_modes else foreseen
            written = keywords.copy()
        contexts = active_contexts.stack  # as `EvalContext.current()`, without a call: every call comes by here
        context = contexts[-1] if contexts else active_contexts.default or EvalContext.default()
        site = here(2)
        rng = keywords.pop("rng", None) if draws else None
        if is_simple and recorder is None and not active_devices.stack:
            made = _make(op.recent, op, inputs, keywords, context, site)
            if made is not None:
                call, result, external = made
                if draws:
                    call.words = get_default_rng().take_words() if rng is None else _words(call, rng)
                mode = _SYNC if external else active_modes.stack[-1]
                if mode is not _DEFERRED:
                    context.submit(call, mode)
                return result
        return _call_anew(op, inputs, keywords, rng, context, site, recorder, written)

    return call_operator


def _call_anew(
    op: Operator,
    inputs: tuple[Any, ...],
    keywords: dict[str, Any],
    rng: Any,
    context: EvalContext,
    site: Site,
    recorder: Recorder | None,
    written: dict[str, Any] | None,
) -> Any:
    """Makes a call that may be like no other; `written` are the keywords as the program gave them to a recorder."""
    if not op.min_inputs <= len(inputs) <= op.max_inputs:
        op.check_inputs(inputs)
    size = wanted = policy = None
    if keywords:
        size, wanted = keywords.pop("batch_size", None), keywords.pop("device", None)
        if op.blank is not None:
            policy = read_policy(op, keywords.pop("on_error", None), keywords.pop("errors", None))
    if size is not None or op.batchwise:
        size = _batch_size(op, size)
    call = Invocation(op, [], size, context, site)
    call.policy = policy
    if op.draw is not None:
        call.words = _words(call, rng)
    try:
        specs, external = _read_inputs(call, inputs)
        if wanted is not None or call.device != CPU or active_devices.stack or op.needs_gpu:
            place(call, wanted, inputs, _devices_of(call))
        if keywords:
            external |= _take_tensors(call, keywords)
        prepare(call, keywords, specs)
    except Exception as error:
        raise annotate(error, call).with_traceback(None) from error.__cause__
    results = results_of(call) if recorder is None else recorder.noted(call, inputs, written or {})
    if policy is not None and policy.skips:
        return _without_bad(call)
    # The user may write to external memory as soon as this function returns, so such a call runs now.
    mode = _SYNC if external else active_modes.stack[-1]
    if mode is not _DEFERRED:
        context.submit(call, mode)
    return results[0] if len(results) == 1 else tuple(results)


def invoke(op: Operator, inputs: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """Calls an operator that has no function of its own; see `caller`."""
    return caller(op)(*inputs, **keywords)


def _evaluated(results: Any) -> Any:
    return tuple([each.evaluate() for each in results]) if isinstance(results, tuple) else results.evaluate()


def results_of(call: Invocation) -> Sequence[Value]:
    """Returns the Tensors or Batches of a call that may not have run yet."""
    size, handles = call.batch_size, call.handles
    kind = _TENSOR if size is None else _BATCH
    if len(call.specs) == 1:
        return [kind.of_call(call, 0, call.specs[0], size, handles)]
    return [kind.of_call(call, index, spec, size, handles) for index, spec in enumerate(call.specs)]


def _without_bad(call: Invocation) -> tuple[Any, ...]:
    """Runs a call; returns its results without the bad samples, and the indices of the good ones in the batch.

    The call must run now, because the batch size of its results depends on the data.
    """
    if call.batch_size is None:
        raise ValueError(f'{call.op.name}(): on_error="skip" leaves samples out of a Batch; the input is a Tensor')
    call.context.submit(call, EvalMode.sync_cpu)
    assert call.outputs is not None
    assert call.policy is not None
    kept = [i for i in range(call.batch_size) if i not in call.policy.bad]
    whole = len(kept) == call.batch_size
    return *(Batch._of_samples(each if whole else each.select(kept)) for each in call.outputs), kept


def _batch_size(op: Operator, size: Any) -> int | None:
    if size is None:
        if op.batchwise and not op.inputs:
            raise ValueError(
                f"`batch_size` must be specified for dynamic `{op.name}`, which has no inputs to tell it from"
            )
        return None
    if not isinstance(size, int):
        raise TypeError(f"batch_size must be an int, got {type(size).__name__}")
    if size < 0:
        raise ValueError(f"batch_size must not be negative, got {size}")
    return size


def _devices_of(call: Invocation) -> list[int]:
    return [each.device if isinstance(each, Samples) else each.node.device for each in call.inputs]


def _words(call: Invocation, rng: Any) -> tuple[int, ...]:
    """Takes the random words of a call from the generator it was given, or from the thread's own."""
    if rng is None:
        return get_default_rng().take_words()
    if isinstance(rng, RNG):
        return rng.take_words()
    error = ValueError(f"rng must be an instance of ndd.random.RNG, got {type(rng).__name__}")
    raise annotate(error, call).with_traceback(None)


def _read_inputs(call: Invocation, inputs: tuple[Any, ...]) -> tuple[list[Spec], bool]:
    """Takes the inputs into the call; returns their specs, and whether one is in memory that the user may write to."""
    specs: list[Spec] = []
    external = False
    for position, value in enumerate(inputs):
        kind = type(value)
        if kind is not Batch and kind is not Tensor:
            if value is None:
                if position >= call.op.min_inputs:
                    continue
                raise TypeError(f"{call.op.name}() input {position} is None")
            value = unwrap(value)  # a Tensor marked as invariant passes isinstance checks, too
            if call.op.path.startswith(("decoders.", "experimental.decoders.")):
                _refuse_path(call.op, value)
            value = _as_value(value)
        samples = value._samples
        if kind is Batch and call.batch_size is None:
            call.batch_size = value._size
        if samples is not None and (kind is Tensor or (kind is Batch and value._size == call.batch_size)):
            call.inputs.append(samples)  # as most are, without a call of `_enter`
        else:
            call.inputs.append(_enter(call, value, position))
        if samples is not None:
            external |= samples.external
            device = samples.device
            specs.append(samples.spec)
        else:
            device = value._device
            specs.append(value._peek_spec())
        if device != CPU:
            call.device = device
    return specs, external


def _as_value(value: Any) -> Value:
    if isinstance(value, Value):
        return value
    return as_batch(value) if isinstance(value, KeptSamples) else as_tensor(value)


def _refuse_path(op: Operator, value: Any) -> None:
    """Raises for a path, or a list of them, given to a decoder."""
    path = value[0] if isinstance(value, (list, tuple)) and value else value
    if isinstance(path, (str, PurePath)):
        raise RuntimeError(
            f"{op.path}() takes the bytes of a file, got {str(path)!r}; ndd.imread(path) reads and decodes an image, "
            "ndd.readers.File(files=[...]) many files, and numpy.fromfile(path, numpy.uint8) has the bytes of one"
        )


def _enter(call: Invocation, value: Value, what: int | str) -> Operand:
    """Takes an input, by its position, or an argument, by its keyword, into the call."""
    if isinstance(value, Batch):
        size = value._size
        if call.batch_size is None:
            call.batch_size = size
        elif call.batch_size != size:
            other = f"batch_size is {call.batch_size}" if what == 0 else f"what was given before it {call.batch_size}"
            raise ValueError(
                f"Inconsistent batch size: {size} != {call.batch_size}; "
                f"{what if isinstance(what, str) else f'input {what}'} has {size} samples, {other}"
            )
    samples = value._samples
    return value._operand(call.context) if samples is None else samples


def _take_tensors(call: Invocation, keywords: dict[str, Any]) -> bool:
    """Moves Tensors and Batches from the arguments into the call, and puts their specs in their places.

    Returns whether one of them is in memory that the user may write to.
    """
    external = False
    for keyword, value in keywords.items():
        if type(value) in _CONSTANTS:
            continue
        if is_invariant(value):
            value = keywords[keyword] = unwrap(value)
        if isinstance(value, (KeptSample, KeptSamples)):
            value = _as_value(value)
        if isinstance(value, Value):
            param = call.op.params.get(keyword)
            if param is None or not param.per_sample:
                call.op.refuse_tensor(keyword, type(value).__name__)
            call.tensors[keyword] = _enter(call, value, keyword)
            keywords[keyword] = value._peek_spec()
            external |= value._samples is not None and value._samples.external
    return external
