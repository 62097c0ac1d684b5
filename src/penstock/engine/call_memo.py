"""The memo of calls: converted arguments and inferred specs, shared by calls with equal arguments and input specs.

A loop makes the same calls in every step, so arguments are converted and checked, and specs inferred, only once.
"""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any

from penstock._native import Step, shared_spec
from penstock.engine.arguments import infer_specs, labelled
from penstock.engine.invocation import Invocation
from penstock.engine.planar_warning import planar_warning
from penstock.schema.operator import Operator
from penstock.values.dtypes import DType
from penstock.values.spec import UNKNOWN, Spec

if TYPE_CHECKING:
    from penstock.engine.backends.kept_choice import KeptChoice

_MOST_PER_OPERATOR = 128
_SIMPLE = frozenset({int, float, bool, str, type(None), DType})


class CallMemo:
    """What calls with equal constant arguments and input specs share. The rest is set when such a call first runs.

    `step` is the native step, where it depends on nothing else, or the latest one of those that depend on data but
    serve others too (`Operator.native`). `choices` are how stages that end with such a call are run, by the memos of
    the stage's calls; None for stages of which the data decide.
    `rows` are the arguments with constants of per-sample ones as arrays, and `grouped` these as the operator's function
    takes them; empty where a group has data in it.
    """

    __slots__ = ("arguments", "choices", "grouped", "rows", "specs", "step")

    def __init__(self, arguments: dict[str, Any], specs: tuple[Spec, ...]) -> None:
        self.arguments = arguments
        self.specs = specs
        self.rows: dict[str, Any] | None = None
        self.grouped: dict[str, Any] | None = None
        self.step: Step | None = None
        self.choices: dict[tuple[CallMemo, ...], KeptChoice | None] = {}


def prepare(call: Invocation, keywords: dict[str, Any], specs: list[Spec]) -> None:
    """Sets the arguments and the result specs of a call, from the memo if an equal call was made before."""
    op = call.op
    if op.layouts and planar_warning.pending and specs and specs[0].layout == "":
        planar_warning.look(call, labelled(call, specs[0]))
    memo: CallMemo | None = op.recent.find(keywords, specs)
    if memo is None:
        memo = _kept_memo(call, keywords, specs)
        if memo is None:
            return
    call.arguments = memo.arguments
    call.specs = memo.specs
    call.memo = memo


def _kept_memo(call: Invocation, keywords: dict[str, Any], specs: list[Spec]) -> CallMemo | None:
    """Returns the memo of a call, made if it is the first of its kind.

    Returns None for a call that has none, whose arguments and specs are set here.
    """
    op, given = call.op, [*specs]
    for name, value in keywords.items():
        if type(value) is list:  # another thread may change it between here and the end
            keywords[name] = value.copy()
    key = _memo_key(keywords, specs)
    memo: CallMemo | None = op.memo.get(key) if key is not None else None
    if memo is None:
        call.arguments = read_arguments(op, keywords)
        if specs:
            specs[0] = labelled(call, specs[0])
        if not all(spec.known for spec in specs):
            call.specs = (UNKNOWN,) * op.count_results(len(specs), call.arguments)
            return None
        call.specs = infer_specs(call, specs)
        if key is None or not all(keyword in op.params for keyword in keywords):
            return None
        call.specs = (*map(_shared, call.specs),)
        memo = CallMemo(call.arguments, call.specs)
        _remember(op, key, memo)
    op.recent.keep(keywords, given, memo)
    return memo


def _shared(spec: Spec) -> Spec:
    """The spec that samples of its kind have: calls are found by the identity of specs."""
    if spec.dtype is None or spec.ndim is None or spec.layout is None:
        return spec
    shared = shared_spec(spec.dtype.code, spec.ndim, spec.layout)
    return shared if shared == spec else spec


def read_arguments(op: Operator, keywords: dict[str, Any]) -> dict[str, Any]:
    """Returns all arguments of the operator, converted and checked; per-sample arguments given as data stay specs."""
    arguments = op.defaults.copy()
    for keyword, value in keywords.items():
        name = keyword if keyword in op.params else op.old_name(keyword, keywords)
        if name is not None and value is not None:
            arguments[name] = value if isinstance(value, Spec) else op.params[name].convert(_plain(value))
    op.check_required([name for name in op.required if arguments[name] is None])
    if op.check is not None:
        op.check(**op.grouped(arguments))
    return arguments


def _plain(value: Any) -> Any:
    """Returns a torch, JAX or other array given as a constant as a NumPy array, and any other value unchanged."""
    return value.__array__() if hasattr(value, "__array__") and hasattr(value, "__dlpack__") else value


def _memo_key(keywords: dict[str, Any], inputs: list[Spec]) -> Any:
    """Returns a key that is equal for calls that share a memo; None where an argument, such as an array, is mutable."""
    parts: list[Any] = [*inputs]
    for name, value in keywords.items():
        kind = type(value)
        if kind is list or kind is tuple:
            if not _SIMPLE.issuperset(map(type, value)):
                return None
            parts += name, kind, *map(_exactly, value)
            continue
        if kind not in _SIMPLE and not isinstance(value, (IntEnum, Spec)):
            return None
        parts += name, _exactly(value)
    return tuple(parts)


def _exactly(value: Any) -> Any:
    """Returns what is equal for values of the same type only, and tells -0.0 from 0.0."""
    return (type(value), value.hex() if type(value) is float else value)


def _remember(op: Operator, key: Any, memo: CallMemo) -> None:
    if len(op.memo) >= _MOST_PER_OPERATOR:
        op.memo.clear()
    op.memo[key] = memo
