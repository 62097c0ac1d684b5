"""Operator calls in the definition of a pipeline: their inputs and arguments, and how they get into its graph."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock._native import Samples
from penstock.engine.call_memo import read_arguments
from penstock.engine.graph.passes import topological_order
from penstock.engine.site import Site, here
from penstock.interop.frameworks import is_array, to_numpy
from penstock.pipeline.conditionals.branches import Branch, current_branch, explicit_branch, in_current_branch
from penstock.pipeline.definition.data_node import DataNode
from penstock.pipeline.definition.devices import device_of_call
from penstock.pipeline.definition.operands import check_operands, holds_nodes, is_arithmetic
from penstock.pipeline.definition.scope import Scope, current_pipeline, current_scope
from penstock.pipeline.functions.input_count import check_count
from penstock.schema.argument_copy import copy_argument
from penstock.schema.class_names import schema_name
from penstock.schema.operator import Operator
from penstock.values.constants import Constant, ScalarConstant
from penstock.values.deprecation import SEED_UNUSED, warn_deprecated
from penstock.values.dtypes import int32
from penstock.values.literals import from_python, int32_scalar
from penstock.values.spec import UNKNOWN

if TYPE_CHECKING:
    from penstock.pipeline.sources.source import PipelineSource

Input = DataNode | Samples

# Arguments that every operator of a pipeline has. bytes_per_sample_hint has no effect.
_OF_PIPELINES = ("device", "name", "preserve", "seed", "bytes_per_sample_hint")


class Definition:
    """An operator call that a pipeline makes in every iteration, or a source that it fetches a batch from."""

    def __init__(
        self, what: Operator | PipelineSource | Fixed, name: str | None, site: Site, count: int, device: str = "cpu"
    ) -> None:
        self.what = what
        self.site = site
        self.path = what.path
        self.scope = current_scope()  # of the pipeline it was defined in
        if name is not None and not isinstance(name, str):
            raise TypeError(f"the name of a node is a str, got {name!r}")
        self.name = name or self.scope.name(self.path)
        self.device = device
        self.inputs: list[Input] = []
        self.keywords: dict[str, Any] = {}
        self.given_seed: int | None = None
        self.seed: int | None = None  # of a random call; the given one, or one that the pipeline gives
        self.takes_seed = isinstance(what, Operator) and what.draw is not None
        self.preserve = False
        self.branch: Branch | None = None  # whose samples it works on; those of the whole batch if None
        place = "cpu" if device == "cpu" else "gpu"
        self.outputs = [
            DataNode(self.name if count == 1 else f"{self.name}[{k}]", place, self, k) for k in range(count)
        ]

    def move_to(self, scope: Scope) -> None:
        """Takes a call that was defined after its pipeline into the scope of that, which names it."""
        if scope is not self.scope:
            self.scope, self.name = scope, scope.name(self.path)
            for node in self.outputs:
                node.name = self.name if len(self.outputs) == 1 else f"{self.name}[{node.index}]"

    def take_seed(self, seed: int | None) -> None:
        """Sets the seed that was given with the call; None leaves the choice to the pipeline."""
        self.given_seed = self.seed = seed

    def needs(self) -> list[DataNode]:
        """The nodes that the call takes data from: inputs, then arguments sorted by name.

        DALI visits them in this order, which decides the order of seeds.
        """
        arguments = [value for _, value in sorted(self.keywords.items(), key=itemgetter(0))]
        needed = [value for value in (*self.inputs, *arguments) if isinstance(value, DataNode)]
        return needed if self.branch is None else [*needed, self.branch.numbers]


def define(op: Operator, inputs: Sequence[Any], keywords: dict[str, Any]) -> Any:
    """Adds a call to the pipeline that is being defined: its node, or a list of nodes where it has several results.

    Lists of nodes among the inputs, DALI's multiple input sets, make several calls with the same arguments.
    """
    if is_arithmetic(op):
        check_operands(op, inputs)
    sets = {len(value) for value in inputs if _is_set(value)}
    if sets:
        if len(sets) > 1:
            raise ValueError(
                f"All argument lists for Multiple Input Sets used with operator `nvidia.dali.fn.{op.path}` must have "
                f"the same length, got {sorted(sets)}"
            )
        calls = [[value[k] if _is_set(value) else value for value in inputs] for k in range(sets.pop())]
        results = [define(op, each, keywords) for each in calls]
        if len(results) == 1:
            return results[0]
        return [*map(list, zip(*results, strict=True))] if isinstance(results[0], list) else results
    branch = explicit_branch((*inputs, *keywords.values()))
    if branch is not None:
        with branch:
            return define(op, inputs, keywords)
    made, seed = call_of(op, inputs, keywords)
    made.inputs = [*map(in_current_branch, made.inputs)]
    made.keywords = {name: in_current_branch(value) for name, value in made.keywords.items()}
    if op.batchwise or made.inputs or made.needs():  # else it makes a whole batch, of which branches take parts
        made.branch = current_branch()
    register(made, seed)
    return made.outputs[0] if len(made.outputs) == 1 else made.outputs


def call_of(op: Operator, inputs: Sequence[Any], keywords: dict[str, Any]) -> tuple[Definition, int | None]:
    """A call, not yet in any pipeline, and the seed it was given."""
    check_count(op.path, inputs, op.min_inputs, None if op.variadic else len(op.inputs))
    keywords = current_arguments(op, {name: value for name, value in keywords.items() if value is not None})
    implicit = {name: keywords[name] for name in _OF_PIPELINES if name in keywords and name not in op.params}
    given = {name: _plain(value) for name, value in keywords.items() if name not in implicit}
    _check(op, given)
    device = device_of_call(op, implicit.get("device"), inputs, given)
    known = {name: UNKNOWN if isinstance(value, DataNode) else value for name, value in given.items()}
    count = op.count_results(len(inputs), read_arguments(op, known))
    made = Definition(op, implicit.get("name"), here(), count, device)
    made.inputs = [_input(op, k, value) for k, value in enumerate(inputs)]
    made.keywords = given
    made.preserve = bool(implicit.get("preserve"))
    return made, implicit.get("seed")


def register(definition: Definition, seed: int | None) -> None:
    """Adds a call to the pipeline that is being defined, if there is one."""
    definition.take_seed(None if seed is None or seed == -1 else int(seed))
    current = current_pipeline()
    if current is not None:
        current.add(definition)
    elif definition.preserve:
        raise RuntimeError(
            f"Current Pipeline not set!\n{definition.path} is called for what it does, so it must be defined in a "
            "pipeline: in a function with `@pipeline_def`, in `define_graph`, or in `with pipeline:`"
        )


def _input(op: Operator, place: int, value: Any) -> Input:
    reason = ""
    if value is not None and not _is_text(value) and not holds_nodes(value):
        if is_arithmetic(op):
            return as_operand(value)
        try:
            return as_input(value)
        except (TypeError, OverflowError) as error:
            reason = f" {error}"
    raise TypeError(
        f"when calling operator `nvidia.dali.fn.{op.path}`: expected inputs of type 'DataNode', list of 'DataNode' or "
        f"convertible to constant nodes. Received input `{place}` of type '{type(value).__name__}'.{reason}"
    )


def as_operand(value: Any) -> Input:
    """As `as_input`, except that a NumPy scalar keeps its type, as in NumPy's own arithmetic."""
    if not isinstance(value, DataNode) and is_array(value) and not np.ndim(value):
        return Samples.wrap_one(np.array(to_numpy(value)))
    return as_input(value)


def _is_text(value: Any) -> bool:
    """Whether a value is a string, or a list that holds one."""
    if isinstance(value, (list, tuple)):
        return any(map(_is_text, value))
    return isinstance(value, (str, bytes))


def as_input(value: Any) -> Input:
    """An input as a node, or as a constant for all samples: a Python number has 32 bits unless declared otherwise."""
    if isinstance(value, (DataNode, Samples)):
        return value
    if is_array(value):
        value = Constant(value if isinstance(value, np.ndarray) else to_numpy(value))
    elif _holds_members(value):
        value = Constant(value)
    if isinstance(value, Constant):
        samples = Samples.wrap_one(value.value).coded(value.dtype)
        samples.layout = value.layout
        samples.read_only = True
        return samples
    if isinstance(value, ScalarConstant):
        return Samples.wrap_one(value.array)
    array, dtype = (int32_scalar(value), int32) if type(value) is int else from_python(value, None)
    return Samples.wrap_one(array).coded(dtype.code)


def _holds_members(value: Any) -> bool:
    """Whether something is a member of an enumeration, or a list of them."""
    return isinstance(value, Enum) or (isinstance(value, (list, tuple)) and any(map(_holds_members, value)))


class Fixed:
    """The data of a constant that is a node, as `types.Constant` makes it."""

    path = "constant"

    def __init__(self, value: Constant) -> None:
        made = as_input(value)
        assert isinstance(made, Samples)
        self.samples = made


def _node_of(value: Constant) -> DataNode:
    return Definition(Fixed(value), value.name, here(), 1, value.device).outputs[0]


Constant.as_node = _node_of
DataNode._define = staticmethod(define)


def _plain(value: Any) -> Any:
    """The value of a constant; else a copy of the argument."""
    if isinstance(value, ScalarConstant):
        return value.value
    return value.value if isinstance(value, Constant) else copy_argument(value)


def _is_set(value: Any) -> bool:
    """Whether an input is one of DALI's multiple input sets: a list of nodes."""
    return isinstance(value, list) and bool(value) and all(isinstance(each, DataNode) for each in value)


def current_arguments(op: Operator, given: dict[str, Any]) -> dict[str, Any]:
    """Arguments by their current names. Deprecated ones are renamed or dropped with a warning, unknown ones refused."""
    implicit = {name: given[name] for name in _OF_PIPELINES if name in given and name not in op.params}
    named = {name: value for name, value in given.items() if name not in implicit}
    for name in named:
        if not (name in op.params or name in op.renamed or name in op.removed):
            raise KeyError(f'Argument "{name}" is not defined for operator "{schema_name(op.path)}".')
    if "seed" in implicit and op.draw is None:
        warn_deprecated(SEED_UNUSED)
        del implicit["seed"]
    return {**op.by_current_names(named), **implicit}


def _check(op: Operator, given: dict[str, Any]) -> None:
    for name, value in given.items():
        param = op.params.get(name)
        if isinstance(value, DataNode) and param is not None and not param.per_sample:
            op.refuse_tensor(name, "DataNode")
    missing = [name for name in op.required if name not in given]
    if missing:
        names = ", ".join(f'"{name}"' for name in missing)
        raise RuntimeError(
            f'Not all required arguments were specified for op "{schema_name(op.path)}". Please specify values for '
            f"arguments: {names}"
        )


def serving(outputs: Sequence[Input], kept: Sequence[Definition]) -> list[Definition]:
    """What outputs and preserved calls depend on, in topological order: depth first, output by output."""
    roots = [_source(node) for node in outputs if isinstance(node, DataNode)]
    return topological_order([*roots, *kept], lambda each: [*map(_source, each.needs())], _refuse_cycle)


def _source(node: DataNode) -> Definition:
    if node.source is None:
        raise RuntimeError("an output of the pipeline, or an input of an operator, is not the result of an operator")
    return node.source


def _refuse_cycle(definition: Definition) -> None:
    raise RuntimeError(f"{definition.name} needs its own result: the graph of a pipeline has no cycles")
