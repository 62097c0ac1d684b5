"""DataNode: what an operator of a pipeline will make, before there is any data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from penstock.ops.declaration import declaration
from penstock.schema.python_operators import PythonOperators

if TYPE_CHECKING:
    from penstock.pipeline.call_definition import Definition


class DataNode(PythonOperators):
    """A result of an operator in a pipeline. Arithmetic and indexing make further nodes."""

    __slots__ = ("device", "dtype", "index", "layout", "name", "ndim", "source")

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

    def _operate(self, name: str, *operands: Any) -> Any:
        from penstock.pipeline.call_definition import define

        return define(declaration(f"_arithmetic.{name}"), operands, {})

    def __getitem__(self, ranges: Any) -> DataNode:
        """A part of every sample, by numbers, ranges and other nodes."""
        from penstock.pipeline.slicing import subscript

        return subscript(self, ranges)

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
        from penstock.pipeline.functions import function

        shapes: DataNode = function("_shape")(self, dtype=dtype, device=device)
        return shapes

    def property(self, key: str, *, device: str = "cpu") -> DataNode:
        """What is known of every sample besides its elements, such as its layout, as bytes."""
        from penstock.pipeline.functions import function

        found: DataNode = function("get_property")(self, key=key, device=device)
        return found

    def source_info(self, *, device: str = "cpu") -> DataNode:
        """The file that every sample came from, as bytes."""
        return self.property("source_info", device=device)

    def __repr__(self) -> str:
        return f'DataNode(name="{self.name}", device="{self.device}")'

    __str__ = __repr__
