"""An operator call in the definition of a pipeline."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock._native import Samples
from penstock.engine.prepare import read_arguments
from penstock.engine.site import Site, here
from penstock.interop.frameworks import is_array, to_numpy
from penstock.pipeline.conditionals.branches import Branch, brought, current_branch
from penstock.pipeline.data_node import DataNode
from penstock.pipeline.input_count import check_count
from penstock.schema.class_names import schema_name
from penstock.schema.operator import Operator
from penstock.values.constants import Constant, ScalarConstant
from penstock.values.dtypes import int32
from penstock.values.literals import from_python, int32_scalar
from penstock.values.spec import UNKNOWN

if TYPE_CHECKING:
    from penstock.pipeline.sources import Source

Input = DataNode | Samples

# Arguments that every operator of a pipeline has; those behind `name` ask for nothing here.
_OF_PIPELINES = ("device", "name", "preserve", "seed", "bytes_per_sample_hint")
_numbers = itertools.count()


class Definition:
    """A call that a pipeline makes in every iteration, or a source that it asks in each.

    `number` tells which was written first, so that sorting by it puts every call after those it needs.
    """

    def __init__(self, what: Operator | Source | Fixed, name: str | None, site: Site, count: int) -> None:
        self.what = what
        self.number = next(_numbers)
        self.site = site
        self.path = what.path
        self.name = name or f"__{self.path}_{self.number}"
        self.inputs: list[Input] = []
        self.keywords: dict[str, Any] = {}
        self.seed: int | None = None  # of a random call; its own, or one that the pipeline gives
        self.takes_seed = isinstance(what, Operator) and what.draw is not None
        self.preserve = False
        self.branch: Branch | None = None  # whose samples it works on; those of the whole batch if None
        self.outputs = [
            DataNode(self.name if count == 1 else f"{self.name}[{k}]", "cpu", self, k) for k in range(count)
        ]

    def needs(self) -> list[DataNode]:
        """The nodes that the call takes data from."""
        needed = [value for value in (*self.inputs, *self.keywords.values()) if isinstance(value, DataNode)]
        return needed if self.branch is None else [*needed, self.branch.numbers]


def define(op: Operator, inputs: Sequence[Any], keywords: dict[str, Any]) -> Any:
    """Adds a call to the pipeline that is being defined: its node, or a list of nodes where it has several results.

    Lists among the inputs stand for several calls with the same arguments.
    """
    sets = {len(value) for value in inputs if _is_set(value)}
    if sets:
        if len(sets) > 1:
            raise ValueError(f"{op.path}: lists of inputs must be equally long, got {sorted(sets)}")
        calls = [[value[k] if _is_set(value) else value for value in inputs] for k in range(sets.pop())]
        results = [define(op, each, keywords) for each in calls]
        return [*map(list, zip(*results, strict=True))] if isinstance(results[0], list) else results
    made, seed = call_of(op, inputs, keywords)
    made.inputs = [*map(brought, made.inputs)]
    made.keywords = {name: brought(value) for name, value in made.keywords.items()}
    if op.batchwise or made.inputs or made.needs():  # else it makes the whole batch, and branches take their parts
        made.branch = current_branch()
    register(made, seed)
    return made.outputs[0] if len(made.outputs) == 1 else made.outputs


def call_of(op: Operator, inputs: Sequence[Any], keywords: dict[str, Any]) -> tuple[Definition, int | None]:
    """A call, not yet in any pipeline, and the seed it was given."""
    check_count(op.path, inputs, op.min_inputs, None if op.variadic else len(op.inputs))
    implicit = {name: keywords[name] for name in _OF_PIPELINES if name in keywords and name not in op.params}
    given = {name: _plain(value) for name, value in keywords.items() if name not in implicit and value is not None}
    _check(op, given, implicit)
    known = {name: UNKNOWN if isinstance(value, DataNode) else value for name, value in given.items()}
    made = Definition(op, implicit.get("name"), here(), op.count_results(len(inputs), read_arguments(op, known)))
    made.inputs = [_input(op, k, value) for k, value in enumerate(inputs)]
    made.keywords = given
    made.preserve = bool(implicit.get("preserve"))
    return made, implicit.get("seed") if op.draw is not None else None


def register(definition: Definition, seed: int | None) -> None:
    """Tells the pipeline that is being defined, if any."""
    from penstock.pipeline.pipeline import Pipeline

    if seed is not None and seed != -1:
        definition.seed = int(seed)
    current = Pipeline.current()
    if current is not None:
        current.add(definition)


def _input(op: Operator, place: int, value: Any) -> Input:
    if value is None or isinstance(value, (str, bytes)):
        raise TypeError(
            f"when calling operator `nvidia.dali.fn.{op.path}`: expected inputs of type 'DataNode', or numbers and "
            f"arrays that become constants, got a {type(value).__name__} for input {place}"
        )
    return as_input(value)


def as_input(value: Any) -> Input:
    """An input as a node, or as a constant that every sample is given."""
    if isinstance(value, (DataNode, Samples)):
        return value
    if isinstance(value, Constant):
        samples = Samples.wrap_one(value.value).coded(value.dtype)
        samples.layout = value.layout
        samples.read_only = True
        return samples
    if isinstance(value, ScalarConstant):
        return Samples.wrap_one(value.array)
    if is_array(value):
        return Samples.wrap_one(np.array(to_numpy(value)))
    array, dtype = (int32_scalar(value), int32) if type(value) is int else from_python(value, None)
    return Samples.wrap_one(array).coded(dtype.code)


class Fixed:
    """A constant that is a node of its own."""

    path = "constant"

    def __init__(self, value: Constant) -> None:
        made = as_input(value)
        assert isinstance(made, Samples)
        self.samples = made


def _node_of(value: Constant) -> DataNode:
    return Definition(Fixed(value), value.name, here(), 1).outputs[0]


Constant.as_node = _node_of


def _plain(value: Any) -> Any:
    """An argument as the operator takes it."""
    if isinstance(value, ScalarConstant):
        return value.value
    return value.value if isinstance(value, Constant) else value


def _is_set(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and any(isinstance(each, DataNode) for each in value)


def check_arguments(op: Operator, names: Iterable[str]) -> None:
    """Refuses what is no argument of an operator."""
    for name in names:
        if not (name in op.params or name in _OF_PIPELINES or name in op.renamed or name in op.removed):
            raise KeyError(f'Argument "{name}" is not defined for operator "{schema_name(op.path)}".')


def _check(op: Operator, given: dict[str, Any], implicit: dict[str, Any]) -> None:
    check_arguments(op, given)
    for name, value in given.items():
        param = op.params.get(name)
        if isinstance(value, DataNode) and param is not None and not param.per_sample:
            raise TypeError(f"{op.name}(): {name} takes a constant, not a DataNode")
    if implicit.get("device") not in (None, "cpu") or op.needs_gpu:
        raise RuntimeError(f'{op.path} with device="{implicit.get("device")}" needs the GPU backend; leave device out')
    missing = [name for name in op.required if name not in given]
    if missing:
        raise RuntimeError(
            f'Not all required arguments were specified for op "{schema_name(op.path)}". Missing: {missing}'
        )


def serving(outputs: Sequence[Input], kept: Sequence[Definition]) -> list[Definition]:
    """Everything that the outputs need, each after what it needs itself: output by output, input by input."""
    order: dict[Definition, None] = {}
    under_way: set[Definition] = set()
    waiting = [*reversed([*(node.source for node in outputs if isinstance(node, DataNode)), *kept])]
    while waiting:
        definition = waiting[-1]
        if definition is None:
            raise RuntimeError(
                "an output of the pipeline, or an input of an operator, is not the result of an operator"
            )
        if definition in order or definition in under_way:
            order.setdefault(definition)
            waiting.pop()
            continue
        under_way.add(definition)
        needed = [node.source for node in definition.needs()]
        if any(each in under_way and each not in order for each in needed):
            raise RuntimeError(f"{definition.name} needs its own result: the graph of a pipeline has no cycles")
        waiting += reversed([each for each in needed if each not in order])
    return [*order]
