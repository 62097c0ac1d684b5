"""`if`, `and`, `or` and `not` of rewritten functions: on nodes they decide for each sample."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np

from penstock.interop.frameworks import is_array
from penstock.ops.declaration import declaration
from penstock.pipeline.conditionals.branches import Branch, in_current_branch
from penstock.pipeline.conditionals.conditional import Conditional, conditional_on
from penstock.pipeline.definition.call_definition import define
from penstock.pipeline.definition.data_node import DataNode
from penstock.values.constants import Constant, ScalarConstant

_DIVERGENT = (
    "Divergent data found in different branches of `if/else` control flow statement. The values assigned to a variable "
    "need to have the same nesting structure in every code path (both `if` branches)"
)
_INCONSISTENT = (
    "Encountered inconsistent outputs out of the `if/else` control flow statement. Variables need to be initialized in "
    "every code path (both `if` branches)."
)


_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "Eq": operator.eq, "NotEq": operator.ne, "Lt": operator.lt, "LtE": operator.le, "Gt": operator.gt,
    "GtE": operator.ge, "Is": operator.is_, "IsNot": operator.is_not,
    "In": lambda element, many: element in many, "NotIn": lambda element, many: element not in many,
}  # fmt: skip


class EarlyExit:
    """How the body of an `if` was left before its end: by `return` with a value, `break` or `continue`."""

    def __init__(self, how: str, value: Any = None) -> None:
        self.how = how
        self.value = value


BREAK, CONTINUE = EarlyExit("break"), EarlyExit("continue")
UNDEFINED = object()


class Unusable:
    """A variable that cannot be merged from its branches. Only code that reads it gets the error."""

    def __init__(self, error: Exception) -> None:
        self.error = error


def returned(value: Any) -> EarlyExit:
    return EarlyExit("return", value)


def value(found: Any) -> Any:
    """The value of a variable; raises the error of an Unusable one."""
    if isinstance(found, Unusable):
        raise found.error.with_traceback(None)
    return found


def read(get: Callable[[], Any]) -> Any:
    """The value of a variable, an attribute or an element, or UNDEFINED."""
    try:
        return get()
    except (NameError, AttributeError, LookupError):
        return UNDEFINED


_WAY_OUT = " `.cpu()` moves it there."


def if_(
    test: Any, then: Callable[[], EarlyExit | None], otherwise: Callable[[], EarlyExit | None], names: Sequence[str],
    get: Callable[[], Sequence[Any]], put: Callable[[Sequence[Any]], None],
) -> EarlyExit | None:  # fmt: skip
    """An `if` statement. `get` and `put` read and assign the variables `names`, to which its branches assign."""
    if not isinstance(test, DataNode):
        return then() if test else otherwise()
    if test.device == "gpu":
        raise ValueError(
            "Invalid device \"gpu\" for argument 'predicate' of operator 'nvidia.dali.fn._conditional.split'. Named "
            f"arguments must be on CPU.{_WAY_OUT}"
        )
    conditional = conditional_on(test)
    before = get()
    left, states = [], []
    for branch, body in ((conditional.yes, then), (conditional.no, otherwise)):
        put(before)
        with branch:
            left.append(body())
            states.append(get())
    put([_variable(name, conditional, *both) for name, *both in zip(names, *states, strict=True)])
    return _merged_exit(conditional, *left)


def and_(left: Any, right: Callable[[], Any]) -> Any:
    return _logical("and", left, right) if isinstance(left, DataNode) else left and right()


def or_(left: Any, right: Callable[[], Any]) -> Any:
    return _logical("or", left, right) if isinstance(left, DataNode) else left or right()


def not_(operand: Any) -> Any:
    if not isinstance(operand, DataNode):
        return not operand
    _refuse_gpu(operand, "Logical expression `not` is restricted to scalar (0-d tensors) inputs", "in")
    return _defined("not_", operand)


def compared(left: Any, name: str, get: Callable[[], Any], *rest: Any) -> Any:
    """A chain of comparisons, `left < a < b`."""
    right = get()
    found = _COMPARISONS[name](left, right)
    return and_(found, lambda: compared(right, *rest)) if rest else found


def _logical(name: str, left: DataNode, right: Callable[[], Any]) -> Any:
    """`and` and `or`: the right side is evaluated only for samples that the left one does not decide."""
    left = _operand(name, "left", left)
    conditional = conditional_on(left)
    undecided, decided = (conditional.yes, conditional.no) if name == "and" else (conditional.no, conditional.yes)
    with undecided:
        found = _operand(name, "right", _leaf(right()))
    known = decided.part(conditional.predicate)
    return conditional.merged(*((found, known) if name == "and" else (known, found)))


def _operand(name: str, side: str, value: Any) -> Any:
    """A side of `and` or `or`."""
    what = f"Logical expression `{name}` is restricted to scalar (0-d tensors) inputs of `bool` type"
    _refuse_gpu(value, what, f"as the {side} argument in")
    return _defined("validate_logical", value, expression_name=name, side=side)


def _refuse_gpu(value: Any, what: str, place: str) -> None:
    if isinstance(value, DataNode) and value.device == "gpu":
        raise RuntimeError(f"{what}, that are placed on CPU. Got a GPU input {place} logical expression.{_WAY_OUT}")


def _merged_exit(conditional: Conditional, yes: EarlyExit | None, no: EarlyExit | None) -> EarlyExit | None:
    """How an `if` statement is left, whose branches are left like this."""
    for early in (yes, no):
        if early is not None and early.how != "return":
            raise TypeError(f"`{early.how}` cannot depend on a DataNode: loops run while a pipeline is defined")
    if yes is None and no is None:
        return None
    if yes is None or no is None:
        missing = "if" if yes is None else "else"
        raise RuntimeError(f"{_INCONSISTENT} The `{missing}` branch must also have a return statement.")
    return returned(_merged("the returned value", conditional, yes.value, no.value))


def _variable(name: str, conditional: Conditional, yes: Any, no: Any) -> Any:
    if yes is UNDEFINED and no is UNDEFINED:
        return UNDEFINED
    if yes is UNDEFINED or no is UNDEFINED:
        missing = "if" if yes is UNDEFINED else "else"
        message = f"{_INCONSISTENT} Variable '{name}' must also be initialized in the `{missing}` branch."
        return Unusable(RuntimeError(message))
    for one in (yes, no):
        if isinstance(one, Unusable):
            return one
    try:
        return _merged(f"variable '{name}'", conditional, yes, no)
    except (TypeError, ValueError) as error:
        return Unusable(error)


def _merged(name: str, conditional: Conditional, yes: Any, no: Any) -> Any:
    """Lists, tuples and dictionaries are merged element by element."""
    kind = type(yes) if isinstance(yes, (list, tuple, dict)) else None
    if kind is not (type(no) if isinstance(no, (list, tuple, dict)) else None) or (yes is None) != (no is None):
        _diverge(name, yes, no)
    if kind is None:
        if yes is None:
            return None
        return conditional.merged(_end(conditional.yes, yes), _end(conditional.no, no))
    if isinstance(yes, dict):
        if yes.keys() != no.keys():
            _diverge(name, yes, no)
        return kind((key, _merged(name, conditional, each, no[key])) for key, each in yes.items())
    if len(yes) != len(no):
        _diverge(name, yes, no)
    each = [_merged(name, conditional, *both) for both in zip(yes, no, strict=True)]
    return kind(*each) if hasattr(kind, "_fields") else kind(each)


def _diverge(name: str, yes: Any, no: Any) -> NoReturn:
    raise ValueError(f"{_DIVERGENT}; {name} is {yes!r:.80} in the `if` branch and {no!r:.80} in the `else` branch")


def _end(branch: Branch, value: Any) -> Any:
    with branch:
        return in_current_branch(_leaf(value))


def _leaf(value: Any) -> Any:
    plain = (bool, int, float, np.generic, Constant, ScalarConstant)
    if isinstance(value, (DataNode, *plain)) or is_array(value):
        return value
    raise TypeError(
        f"a value of a branch must be a DataNode, or a number or an array that becomes one, got {value!r:.80} of type "
        f"{type(value).__name__}"
    )


def _defined(name: str, operand: Any, **keywords: Any) -> Any:
    return define(declaration(f"_conditional.{name}"), (operand,), keywords)
