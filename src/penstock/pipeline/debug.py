"""Debug mode: the operators of a pipeline run at once when its function calls them, so that data can be inspected."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from penstock._native import Samples
from penstock.engine.context import EvalContext
from penstock.engine.program.step import Kind
from penstock.engine.site import here
from penstock.pipeline.conditionals.branches import Branch
from penstock.pipeline.definition.call_definition import Definition, Fixed, Input
from penstock.pipeline.definition.data_node import DataNode
from penstock.pipeline.definition.devices import require_gpu
from penstock.pipeline.definition.outputs import as_outputs
from penstock.pipeline.definition.scope import Scope, current_pipeline
from penstock.pipeline.failures import of_operator
from penstock.pipeline.lowering import LoweredPipeline, source_of
from penstock.pipeline.pipeline import Pipeline, name_of
from penstock.pipeline.sources.batch_from_arrays import DeclaredInput
from penstock.pipeline.sources.feed_source import ExternalSource, FeedSource
from penstock.pipeline.sources.source import ReaderSource, SourceBatch
from penstock.pipeline.values.tensors import TensorListCPU, as_list
from penstock.schema.operator import Operator
from penstock.values.accelerator import CPU
from penstock.values.samples import moved


class DataNodeDebug(DataNode):
    """A result of an operator that has run."""

    __slots__ = ("_samples",)

    def __init__(self, name: str, samples: Samples, branch: Branch | None) -> None:
        held = Definition(_Held(samples), name, here(), 0)
        held.branch = branch
        held.outputs = [self]
        super().__init__(name, "cpu" if samples.device == CPU else "gpu", held)
        self._samples = samples

    def get(self) -> Any:
        """Returns the data: a TensorListCPU, or a TensorListGPU where it is on a GPU."""
        return as_list(self._samples)

    def _on(self, device: str) -> DataNode:
        if device == self.device:
            return self
        assert self.source is not None
        number = CPU
        if device == "gpu":
            pipeline: Any = current_pipeline()
            require_gpu((), [DataNode(self.name, "gpu")], pipeline.device_id)
            number = pipeline.device_id
        return DataNodeDebug(self.name, moved(self._samples, number), self.source.branch)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        return np.array(self.get().as_cpu().as_array(), dtype)

    def __repr__(self) -> str:
        return f'DataNodeDebug(\n    name="{self.name}",\n    data={self.get()!r})'

    __str__ = __repr__


def _samples_of(output: Input, size: int) -> Samples:
    if isinstance(output, DataNodeDebug):
        return output._samples
    if isinstance(output, DataNode):
        assert output.source is not None
        assert isinstance(output.source.what, Fixed)
        output = output.source.what.samples
    return output.select([0] * size)


class _Held(ExternalSource):
    """A source of samples that exist already: the inputs of a call in debug mode."""

    def __init__(self, samples: Samples) -> None:
        super().__init__([DeclaredInput(None, None, None)])
        self._samples = samples

    def afresh(self) -> _Held:
        return self

    def fetch(self, number: int) -> SourceBatch:
        return SourceBatch((self._samples,))


class _OneCall(LoweredPipeline):
    """A single call as a program. Inputs may be the parts of a batch in branches, so their sizes are not compared."""

    def _sizes(self, kind: Kind) -> dict[str, int]:
        return {"": self.batch_size}


class DebugPipeline(Pipeline):
    """A pipeline that calls its function in every iteration, and makes nothing ahead."""

    def __init__(self, function: Callable[[], Any], **options: Any) -> None:
        super().__init__(**options)
        self._function = function
        self._context: EvalContext | None = None
        self._iteration = 0
        self._passed = 0  # the number of samples in the iterations before this one
        self._size: int | None = None  # the size of this iteration's batch, known once a source has given one
        self._known: list[Definition] = []  # the calls and sources of the first iteration, in order
        self._passed_in: dict[Definition, int] = {}  # for random calls inside of branches: the samples of the branch
        self._place = 0  # the index of the next call of this iteration
        self._over = False  # a source is exhausted
        self._waiting: dict[str, list[tuple[Any, str | None]]] = {}  # fed batches by the name of their source

    def build(self) -> None:
        """Makes the thread pool. There is no graph to build: the function itself is run."""
        if self.num_threads is None:
            raise TypeError("the number of threads must be set: num_threads=...")
        if self._context is None:
            self._context = EvalContext(num_threads=self.num_threads)

    def run(self, cuda_stream: Any = None, /, **pipeline_inputs: Any) -> tuple[TensorListCPU, ...]:
        """Calls the function; returns its results as outputs."""
        self.build()
        for name, data in pipeline_inputs.items():
            self.feed_input(name, data)
        self._place, self._size, self._definition.scope = 0, None, Scope()
        with self:
            outputs = as_outputs(self._function())
        require_gpu((), outputs, self.device_id)
        self._definition.outputs = outputs
        size = self.max_batch_size if self._size is None else self._size
        made = [_samples_of(each, size) for each in outputs]
        self._declared.check(made)
        self._iteration += 1
        self._passed += size
        return tuple(map(as_list, made))

    def add(self, definition: Definition) -> None:
        """Runs a call, or asks a source, when it is defined."""
        require_gpu([definition], (), self.device_id)
        known = self._same(definition)
        if isinstance(known.what, Operator):
            definition.seed = known.seed
            outputs = self._called(definition, known)
        else:
            outputs = self._fetched(known)
        named = zip(definition.outputs, outputs, strict=True)
        definition.outputs[:] = [DataNodeDebug(node.name, samples, definition.branch) for node, samples in named]

    def _same(self, definition: Definition) -> Definition:
        """Returns the definition of the same call in the first iteration, which has the seed or the source.

        Calls are matched by their order, so that random numbers and sources continue from one iteration to the next.
        """
        place, self._place = self._place, self._place + 1
        if place == len(self._known):
            self._known.append(definition)
            if definition.takes_seed and definition.seed is None:
                definition.seed = self._seeds.next()
                if isinstance(definition.what, ReaderSource):
                    definition.what.take_seed(definition.seed)
            if not isinstance(definition.what, Operator):
                source_of(definition).start(self.max_batch_size, self._iteration)
                self._start_workers([definition])
        known = self._known[place]
        if known.path != definition.path:
            raise RuntimeError(
                f"call {place} of the function is {definition.path} in this iteration and was {known.path} in the "
                "first one; in debug mode a function must make the same calls every time"
            )
        return known

    def _fetched(self, definition: Definition) -> Sequence[Samples]:
        source = source_of(definition)
        if isinstance(source, FeedSource):
            for data, layout in self._waiting.pop(definition.name, ()):
                source.feed(data, layout)
        fetch = source.fetch(self._iteration)
        if isinstance(fetch.error, StopIteration):
            self._over = True
            raise fetch.error
        source.hand_out(self._iteration + 1)
        if fetch.error is not None:
            raise fetch.error
        self._size = len(fetch.outputs[0])
        return fetch.outputs

    def _called(self, definition: Definition, known: Definition) -> Sequence[Samples]:
        assert self._context is not None
        size = self.max_batch_size if self._size is None else self._size
        lowered = _OneCall(definition.outputs, [definition], self._context, size, self.device_id)
        passed = (self._passed, self._passed_in.get(known, 0)) if lowered.branches else (self._passed,)
        made = lowered.program().make(self._iteration, passed)
        if made.error is not None:
            raise of_operator(made.error)
        if lowered.branches:
            self._passed_in[known] = made.behind[1]
        assert made.results is not None
        return made.results.samples

    def feed_input(self, data_node: DataNode | str, data: Any, layout: str | None = None, *unused: Any) -> None:
        """Gives one batch to an external source that has no callback."""
        self._waiting.setdefault(name_of(data_node), []).append((data, layout))

    def reset(self) -> None:
        if self._over:
            self._over = False
            for definition in self._sources():
                source_of(definition).reset(self._iteration)

    def schedule_run(self) -> None:
        raise RuntimeError("in debug mode nothing is scheduled: call run()")

    def share_outputs(self, cuda_stream: Any = None) -> tuple[TensorListCPU, ...]:
        raise RuntimeError("in debug mode nothing is scheduled: call run()")

    def checkpoint(self, filename: str | None = None) -> bytes:
        raise RuntimeError("a pipeline in debug mode has no checkpoints")

    def _sources(self) -> Any:
        return [each for each in self._known if not isinstance(each.what, Operator)]
