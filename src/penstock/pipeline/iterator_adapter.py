"""A pipeline for the iterators of frameworks: outputs, epochs and checkpoints."""

from __future__ import annotations

from typing import Any

from penstock.pipeline.checkpoint import PipelineCheckpoint
from penstock.pipeline.pipeline import Pipeline
from penstock.pipeline.values.tensors import TensorListCPU
from penstock.values.enums import PipelineAPIType


class IteratorAdapter:
    """Runs a pipeline for an iterator. Its queue is full also while the program uses a batch."""

    def __init__(self, pipeline: Pipeline) -> None:
        self.pipeline = pipeline
        self._iterations = pipeline._ready(PipelineAPIType.ITERATOR)
        self._depth = 1 + pipeline.cpu_queue_size if pipeline.exec_pipelined else 1

    def take(self) -> tuple[TensorListCPU, ...]:
        """The outputs of the next iteration."""
        self.pipeline._run_ahead(self._iterations, self._depth)
        return self.pipeline._taken()

    def reset(self) -> None:
        """Lets sources that are exhausted start over."""
        self.pipeline.reset()

    @property
    def checkpointing(self) -> bool:
        return self.pipeline._checkpointing

    def checkpoint(self, of_iterator: dict[str, Any]) -> bytes:
        """The checkpoint of the pipeline, with the state of the iterator in it."""
        if not self.checkpointing:
            raise ValueError(
                "Cannot access checkpoints with checkpointing disabled; Pipeline(enable_checkpointing=True)"
            )
        return self.pipeline._saved(of_iterator).text()

    def restart(self, checkpoint: str) -> None:
        """Goes on from a checkpoint that was made by an iterator."""
        self.pipeline._restart(checkpoint)
        self._iterations = self.pipeline._ready(PipelineAPIType.ITERATOR)

    def restored(self) -> dict[str, Any] | None:
        """The state of the iterator in the checkpoint that the pipeline resumed from; None without a checkpoint.

        Empty if the checkpoint was not made by an iterator.
        """
        text = self.pipeline._restored
        return None if text is None else PipelineCheckpoint.read(text).iterator
