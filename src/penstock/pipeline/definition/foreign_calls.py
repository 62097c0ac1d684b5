"""Calls that were defined outside of the pipeline that uses them: it gets copies of its own."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import TypeVar

from penstock.pipeline.definition.call_definition import Definition, Fixed, Input, serving
from penstock.pipeline.definition.data_node import DataNode
from penstock.pipeline.definition.scope import Scope
from penstock.schema.operator import Operator

T = TypeVar("T")


def copy_foreign_calls(outputs: list[Input], kept: Sequence[Definition], scope: Scope) -> list[Input]:
    """The outputs with every call of another scope that they depend on replaced by a copy.

    So two pipelines may use what was defined once, each with its own reader, queue of batches and seed. Calls of
    pipelines with branches stay as they are.
    """
    definitions = serving(outputs, kept)
    if any(each.branch is not None for each in definitions):
        return outputs
    copies: dict[Definition, Definition] = {}

    def of_copy(value: T) -> T:
        if not isinstance(value, DataNode) or value.source not in copies:
            return value
        return copies[value.source].outputs[value.index]._on(value.device)  # type: ignore[return-value]

    for each in definitions:
        own = each
        if each.scope is not scope and not isinstance(each.what, Fixed):
            own = copies[each] = copy.copy(each)
            own.seed = own.given_seed
            own.outputs = [DataNode(node.name, node.device, own, node.index) for node in each.outputs]
            if not isinstance(each.what, Operator):
                own.what = each.what.afresh()
        own.inputs = [*map(of_copy, each.inputs)]
        own.keywords = {name: of_copy(value) for name, value in each.keywords.items()}
    return [*map(of_copy, outputs)]
