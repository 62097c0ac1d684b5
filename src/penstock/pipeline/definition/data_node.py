"""DataNode: what an operator of a pipeline will make, before there is any data. Its arithmetic and indexing."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from penstock.ops.declaration import declaration
from penstock.ops.tensor.subscript import Input as IndexInput
from penstock.ops.tensor.subscript import Ranges
from penstock.schema.operator import Operator
from penstock.schema.python_operators import PythonOperators

if TYPE_CHECKING:
    from penstock.pipeline.definition.call_definition import Definition


class DataNode(PythonOperators):
    """A result of an operator in a pipeline. Arithmetic and indexing make further nodes."""

    __slots__ = ("device", "dtype", "index", "layout", "name", "ndim", "source")

    # Adds a call of an operator to the pipeline: call_definition.define. That makes nodes, so it imports this file and
    # sets itself here, as penstock.pipeline is imported.
    _define: ClassVar[Callable[[Operator, Sequence[Any], dict[str, Any]], Any]]

    def __init__(
        self,
        name: str,
        device: str = "cpu",
        source: Definition | None = None,
        index: int = 0,
        ndim: int | None = None,
        dtype: Any = None,
        layout: str | None = None,
    ) -> None:
        self.name = name
        self.device = device
        self.source = source
        self.index = index
        self.ndim = ndim
        self.dtype = dtype
        self.layout = layout

    @staticmethod
    def define_call(op: Operator, inputs: Sequence[Any], keywords: dict[str, Any]) -> Any:
        """Adds a call of an operator that is given nodes: what a user's own operator makes of them."""
        return DataNode._define(op, inputs, keywords)

    def _operate(self, name: str, *operands: Any) -> Any:
        return DataNode._define(declaration(f"_arithmetic.{name}"), operands, {})

    def __getitem__(self, ranges: Any) -> DataNode:
        """A part of every sample, by numbers, ranges and other nodes."""
        return _subscript(self, ranges)

    def __bool__(self) -> bool:
        raise TypeError(
            '"DataNode" was used in conditional context: what it stands for is not known while a pipeline is defined. '
            "@pipeline_def(enable_conditionals=True) lets `if`, `and`, `or` and `not` decide for each sample."
        )

    __iter__ = None  # it stands for data that does not exist yet, and is no collections.abc.Iterable

    def cpu(self) -> DataNode:
        """This node's data in host memory."""
        return self._on("cpu")

    def gpu(self) -> DataNode:
        """This node's data on an accelerator, which a pipeline needs only if the result is used."""
        return self._on("gpu")

    def _on(self, device: str) -> DataNode:
        if device == self.device:
            return self
        return DataNode(self.name, device, self.source, self.index, self.ndim, self.dtype, self.layout)

    def shape(self, *, dtype: Any = None, device: str = "cpu") -> DataNode:
        """The extents of every sample, as int64 or as `dtype`."""
        shapes: DataNode = DataNode._define(declaration("_shape"), (self,), {"dtype": dtype, "device": device})
        return shapes

    def property(self, key: str, *, device: str = "cpu") -> DataNode:
        """What is known of every sample besides its elements, such as its layout, as bytes."""
        found: DataNode = DataNode._define(declaration("get_property"), (self,), {"key": key, "device": device})
        return found

    def source_info(self, *, device: str = "cpu") -> DataNode:
        """The file that every sample came from, as bytes."""
        return self.property("source_info", device=device)

    def __repr__(self) -> str:
        return f'DataNode(name="{self.name}", device="{self.device}")'

    __str__ = __repr__


class NewAxis:
    """A new axis of extent 1 in an index: `node[newaxis]` or `node[None]`; `node[newaxis("C")]` has a name."""

    def __init__(self, name: str | None = None) -> None:
        if name is not None and (not isinstance(name, str) or len(name) != 1):
            raise ValueError(f"an axis has a name of one letter, got {name!r}")
        self.name = name

    def __call__(self, name: str | None = None) -> NewAxis:
        return NewAxis(name)


newaxis = NewAxis()


def _subscript(node: DataNode, ranges: Any) -> DataNode:
    """node[ranges]: numbers, ranges, other nodes for an index per sample, and new axes."""
    items = tuple(newaxis if item is None else item for item in (ranges if isinstance(ranges, tuple) else (ranges,)))
    if any(item is ... for item in items):
        raise NotImplementedError("Ellipsis in indexing is not implemented")
    inputs: list[DataNode] = []
    axes = tuple(_axis(item, inputs) for item in items if not isinstance(item, NewAxis))
    path = "_subscript_by" if inputs else "_subscript"
    whole = all(axis == slice(None) for axis in axes)
    made: Any = node if whole else DataNode._define(declaration(path), (node, *inputs), {"ranges": Ranges(axes)})
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
    expanded: DataNode = DataNode._define(declaration("expand_dims"), (node,), {"axes": places, **named})
    return expanded


def _axis(item: Any, inputs: list[DataNode]) -> Any:
    if not isinstance(item, slice):
        return _bound(item, inputs)
    parts = (item.start, item.stop, item.step)
    return slice(*(None if part is None else _bound(part, inputs) for part in parts))


def _bound(item: Any, inputs: list[DataNode]) -> int | IndexInput:
    """An index as a number, or as the input that brings it."""
    if isinstance(item, DataNode):
        inputs.append(item)
        return IndexInput(len(inputs) - 1)
    try:
        return operator.index(item)
    except TypeError:
        raise TypeError(f"an index is a whole number, a range or a node, got {item!r}") from None
