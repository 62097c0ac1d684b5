"""Indexing of nodes."""

from __future__ import annotations

from typing import Any

from penstock.ops.declaration import declaration
from penstock.ops.tensor.subscript import Input, Ranges
from penstock.pipeline.call_definition import define
from penstock.pipeline.data_node import DataNode


class NewAxis:
    """A new axis of extent 1 in an index: `node[newaxis]`, or with a name for the layout `node[newaxis("C")]`."""

    def __init__(self, name: str | None = None) -> None:
        if name is not None and (not isinstance(name, str) or len(name) != 1):
            raise ValueError(f"an axis has a name of one letter, got {name!r}")
        self.name = name

    def __call__(self, name: str | None = None) -> NewAxis:
        return NewAxis(name)


newaxis = NewAxis()


def subscript(node: DataNode, ranges: Any) -> DataNode:
    """node[ranges]: numbers, ranges, other nodes for an index per sample, and new axes."""
    items = ranges if isinstance(ranges, tuple) else (ranges,)
    if any(item is ... for item in items):
        raise NotImplementedError("Ellipsis in indexing is not implemented")
    inputs: list[DataNode] = []
    axes = tuple(_axis(item, inputs) for item in items if not isinstance(item, NewAxis))
    path = "_subscript_by" if inputs else "_subscript"
    whole = all(axis == slice(None) for axis in axes)
    made: Any = node if whole else define(declaration(path), (node, *inputs), {"ranges": Ranges(axes)})
    return _with_new_axes(made, items)


def _with_new_axes(node: DataNode, items: tuple[Any, ...]) -> DataNode:
    places, names, at = [], [], 0
    for item in items:
        if isinstance(item, NewAxis):
            places.append(at)
            names.append(item.name)
        at += isinstance(item, (slice, NewAxis))
    if not places:
        return node
    named = {"new_axis_names": "".join(name or "" for name in names)} if any(names) else {}
    expanded: DataNode = define(declaration("expand_dims"), (node,), {"axes": places, **named})
    return expanded


def _axis(item: Any, inputs: list[DataNode]) -> Any:
    if not isinstance(item, slice):
        return _bound(item, inputs)
    parts = (item.start, item.stop, item.step)
    return slice(*(None if part is None else _bound(part, inputs) for part in parts))


def _bound(item: Any, inputs: list[DataNode]) -> int | Input:
    if isinstance(item, DataNode):
        inputs.append(item)
        return Input(len(inputs) - 1)
    if isinstance(item, (str, list, float)):
        raise TypeError(f"an index is a number, a range or a node, got {item!r}")
    return int(item)
