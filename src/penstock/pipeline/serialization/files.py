"""The definition of a pipeline in files: as text to be read again, and as a drawing."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING, Any

from penstock.pipeline.call_definition import Input, serving
from penstock.pipeline.graphviz import dot
from penstock.pipeline.outputs import as_graph_outputs
from penstock.pipeline.pipeline_definition import PipelineDefinition
from penstock.pipeline.serialization.pipeline_json import DeserializedPipeline, serialize

if TYPE_CHECKING:
    from typing_extensions import Self


class SavedDefinition(PipelineDefinition, ABC):
    """A pipeline that can be written down."""

    @abstractmethod
    def build(self) -> None:
        """Checks the graph and starts its sources."""

    def serialize(self, define_graph: Any = None, filename: str | None = None) -> bytes:
        """The definition as text, written to a file too if one is named. Callbacks of external sources stay behind."""
        if define_graph is not None:
            with self:
                self._outputs = as_graph_outputs(define_graph())
        text = serialize(self._options(), self._defined_outputs(), self._definitions)
        if filename is not None:
            Path(filename).write_bytes(text)
        return text

    @classmethod
    def deserialize(cls, serialized_pipeline: Any = None, filename: str | None = None, **kwargs: Any) -> Self:
        """The pipeline of a text that `serialize` made, with other parameters where they are given."""
        if (serialized_pipeline is None) == (filename is None):
            raise ValueError(
                "serialized_pipeline and filename arguments are mutually exclusive. "
                "Precisely one of them should be defined."
            )
        read = DeserializedPipeline(serialized_pipeline if filename is None else Path(filename).read_bytes())
        pipeline = cls(**{**read.options, **kwargs})
        pipeline._adopt(read)
        return pipeline

    def deserialize_and_build(self, serialized_pipeline: bytes) -> None:
        """Becomes the pipeline of a text, with the parameters it has."""
        self._adopt(DeserializedPipeline(serialized_pipeline))
        self.build()

    def _adopt(self, read: DeserializedPipeline) -> None:
        self._definitions, self._outputs = read.definitions, read.outputs
        for definition in read.definitions:
            definition.scope = self._scope

    def save_graph_to_dot_file(
        self, filename: str, *, show_tensors: bool = False, show_ids: Any = None, use_colors: bool = False
    ) -> None:
        """Writes the graph in the language of Graphviz.

        Args:
            filename: The file to write.
            show_tensors: Draw the results of operators too.
            show_ids: Has no effect any more.
            use_colors: Colour the operators.
        """
        if show_ids is not None:
            warnings.warn("the argument show_ids has no effect any more", DeprecationWarning, stacklevel=2)
        kept = [definition for definition in self._definitions if definition.preserve]
        drawn = dot(serving(self._defined_outputs(), kept), self._defined_outputs(), show_tensors, use_colors)
        Path(filename).write_text(drawn)

    def _defined_outputs(self) -> list[Input]:
        if self._outputs is None:
            with self:
                self._outputs = as_graph_outputs(self.define_graph())
        return self._outputs
