"""The definition of a pipeline: its parameters, its operators and its outputs."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any

from penstock.pipeline.call_definition import Definition, Input
from penstock.pipeline.data_node import DataNode
from penstock.pipeline.options import PipelineOptions, checked_depth
from penstock.pipeline.outputs import DeclaredOutputs, as_outputs
from penstock.pipeline.scope import Scope, current_pipeline, pop_pipeline, push_pipeline
from penstock.pipeline.seeds import Seeds

if TYPE_CHECKING:
    from typing_extensions import Self


class PipelineDefinition(PipelineOptions):
    """What a pipeline is, as far as it can be told without running it."""

    def __init__(
        self,
        batch_size: int | None = None,
        num_threads: int | None = None,
        device_id: int | None = None,
        seed: int | None = None,
        exec_pipelined: bool = True,
        prefetch_queue_depth: Any = 2,
        exec_async: bool = True,
        bytes_per_sample: int = 0,
        set_affinity: bool = False,
        max_streams: int | None = None,
        default_cuda_stream_priority: int | None = None,
        *,
        enable_memory_stats: bool = False,
        enable_checkpointing: bool = False,
        checkpoint: bytes | None = None,
        py_num_workers: int = 1,
        py_start_method: str = "fork",
        py_callback_pickler: Any = None,
        output_dtype: Any = None,
        output_ndim: Any = None,
        output_layout: Any = None,
        exec_dynamic: bool | None = None,
        experimental_exec_dynamic: bool | None = None,
        stream_policy: Any = None,
        concurrency: Any = None,
    ) -> None:
        self._given = {
            "seed": seed, "exec_pipelined": exec_pipelined, "prefetch_queue_depth": checked_depth(prefetch_queue_depth),
            "exec_async": exec_async, "bytes_per_sample": bytes_per_sample, "set_affinity": set_affinity,
            "default_cuda_stream_priority": default_cuda_stream_priority, "enable_memory_stats": enable_memory_stats,
            "py_num_workers": py_num_workers, "py_start_method": py_start_method,
            "py_callback_pickler": py_callback_pickler, "exec_dynamic": exec_dynamic,
            "stream_policy": stream_policy, "concurrency": concurrency,
        }  # fmt: skip
        self._batch_size, self._num_threads, self._device_id = batch_size, num_threads, device_id
        self._checkpointing = enable_checkpointing
        self._restored = checkpoint
        self._declared = DeclaredOutputs(output_dtype, output_ndim, output_layout)
        self._seeds = Seeds(seed)
        self._scope = Scope()
        self._definitions: list[Definition] = []
        self._outputs: list[Input] | None = None

    def __enter__(self) -> Self:
        push_pipeline(self)
        return self

    def __exit__(
        self, exc_type: type[BaseException] | None, exc_value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        pop_pipeline()

    current = staticmethod(current_pipeline)
    push_current = staticmethod(push_pipeline)
    pop_current = staticmethod(pop_pipeline)

    def add(self, definition: Definition) -> None:
        """Takes a call into the pipeline."""
        self._definitions.append(definition)

    def add_sink(self, edge: DataNode) -> None:
        """Has a node run though nobody asks for its result."""
        if not isinstance(edge, DataNode):
            raise TypeError(f"add_sink() takes a DataNode, got {edge!r}")
        assert edge.source is not None
        edge.source.preserve = True

    def set_outputs(self, *output_data_nodes: Any) -> None:
        """Declares what the pipeline hands out."""
        self._outputs = as_outputs(output_data_nodes) or None

    def define_graph(self) -> Any:
        """For subclasses that define their operators here, and return the outputs."""
        raise NotImplementedError("give the pipeline outputs with set_outputs(), or override define_graph()")

    def _options(self) -> dict[str, Any]:
        """What the pipeline was made with, as arguments for another one."""
        declared = self._declared
        return {
            **self._given, "batch_size": self._batch_size, "num_threads": self._num_threads,
            "device_id": self._device_id, "enable_checkpointing": self._checkpointing, "output_dtype": declared.dtype,
            "output_ndim": declared.ndim, "output_layout": declared.layout,
        }  # fmt: skip

    @property
    def num_outputs(self) -> int:
        return 0 if self._outputs is None else len(self._outputs)


def check_names(definitions: Sequence[Definition]) -> None:
    """Refuses operators that could not be told from each other."""
    named: dict[str, Definition] = {}
    for definition in definitions:
        other = named.setdefault(definition.name, definition)
        if other is not definition:
            reason = "" if other.scope is definition.scope else "\nThey were not defined in one and the same pipeline."
            raise RuntimeError(
                "The pipeline is invalid because it contains operators with non-unique names:\n"
                f"{definition.name!r} at {other.site.describe()}\nand at {definition.site.describe()}{reason}"
            )


def check_scopes(definitions: Sequence[Definition], scope: Scope) -> None:
    """Refuses checkpoints where operators were defined elsewhere: nothing tells them in another run."""
    others = [definition for definition in definitions if definition.scope is not scope]
    if others:
        raise RuntimeError(
            "The pipeline does not support checkpointing because it contains operator(s) that were defined outside the "
            f"pipeline scope:\n{[each.name for each in others]}\nThe first is at {others[0].site.describe()}\nDefine "
            "all operators in the function with `@pipeline_def`, in `define_graph`, or in `with pipeline:`."
        )
