"""Pipeline: operators that are declared once and run ahead of the program."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from penstock._native import Samples
from penstock.engine.context import EvalContext
from penstock.engine.explanation import Explanation
from penstock.pipeline.checkpoint import PipelineCheckpoint
from penstock.pipeline.definition.call_definition import Definition, Input, serving
from penstock.pipeline.definition.data_node import DataNode
from penstock.pipeline.definition.devices import refuse_return, require_gpu
from penstock.pipeline.definition.foreign_calls import copy_foreign_calls
from penstock.pipeline.definition.outputs import DeclaredOutputs, as_graph_outputs, as_outputs
from penstock.pipeline.definition.pipeline_definition import PipelineDefinition, check_names, check_scopes
from penstock.pipeline.definition.scope import current_pipeline, pop_pipeline, push_pipeline
from penstock.pipeline.definition.seeds import Seeds
from penstock.pipeline.graphviz import dot
from penstock.pipeline.iterations import Iterations
from penstock.pipeline.lowering import LoweredPipeline, source_of
from penstock.pipeline.options import PipelineOptions
from penstock.pipeline.serialization.pipeline_json import DeserializedPipeline, serialize
from penstock.pipeline.sources.callback_source import CallbackSource
from penstock.pipeline.sources.feed_source import ExternalSource, FeedSource
from penstock.pipeline.sources.source import ReaderSource
from penstock.pipeline.values.tensors import TensorListCPU, as_list
from penstock.pipeline.workers.pool import Workers
from penstock.pipeline.workers.source import ParallelSource, started
from penstock.values.enums import PipelineAPIType

if TYPE_CHECKING:
    from typing_extensions import Self


class Pipeline:
    """A graph of operators and the sources of its data.

        pipe = Pipeline(batch_size=64, num_threads=4, device_id=None)
        with pipe:
            jpegs, labels = fn.readers.file(file_root=root)
            pipe.set_outputs(fn.decoders.image(jpegs), labels)
        images, labels = pipe.run()

    `pipeline_def` makes such pipelines out of functions. A pipeline runs `prefetch_queue_depth` iterations ahead of the
    program, in the background.
    """

    _lowered: LoweredPipeline | None = None
    _fed: Sequence[FeedSource] = ()  # of its sources, those that the program feeds
    _iterations: Iterations | None = None
    _depth = 1  # how many iterations `run` schedules, the one that it hands out among them
    _is_set_up = False  # a subclass has an `iter_setup` of its own
    _api: PipelineAPIType | None = None
    _checks_api = True
    _workers: Workers | None = None

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
        self._options = PipelineOptions(
            batch_size=batch_size, num_threads=num_threads, device_id=device_id, seed=seed,
            exec_pipelined=exec_pipelined, prefetch_queue_depth=prefetch_queue_depth, exec_async=exec_async,
            bytes_per_sample=bytes_per_sample, set_affinity=set_affinity,
            default_cuda_stream_priority=default_cuda_stream_priority, enable_memory_stats=enable_memory_stats,
            enable_checkpointing=enable_checkpointing, py_num_workers=py_num_workers, py_start_method=py_start_method,
            py_callback_pickler=py_callback_pickler, output_dtype=output_dtype, output_ndim=output_ndim,
            output_layout=output_layout, exec_dynamic=exec_dynamic, stream_policy=stream_policy,
            concurrency=concurrency,
        )  # fmt: skip
        # Attributes, not properties as the other options: they are not among DALI's, and a subclass may have its own.
        self.bytes_per_sample, self.py_callback_pickler = bytes_per_sample, py_callback_pickler
        self._checkpointing = enable_checkpointing
        self._restored = checkpoint
        self._declared = DeclaredOutputs(output_dtype, output_ndim, output_layout)
        self._seeds = Seeds(seed)
        self._definition = PipelineDefinition()

    # Its definition.

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
        self._definition.calls.append(definition)

    def add_sink(self, edge: DataNode) -> None:
        """Has a node run though nobody asks for its result."""
        if not isinstance(edge, DataNode):
            raise TypeError(f"add_sink() takes a DataNode, got {edge!r}")
        assert edge.source is not None
        edge.source.preserve = True

    def set_outputs(self, *output_data_nodes: Any) -> None:
        """Declares what the pipeline hands out."""
        self._definition.outputs = as_outputs(output_data_nodes) or None

    def define_graph(self) -> Any:
        """For subclasses that define their operators here, and return the outputs."""
        raise NotImplementedError("give the pipeline outputs with set_outputs(), or override define_graph()")

    def _defined_outputs(self) -> list[Input]:
        """The outputs that were set, else those that `define_graph` returns."""
        definition = self._definition
        if definition.outputs is None:
            with self:
                definition.outputs = as_graph_outputs(self.define_graph())
        return definition.outputs

    def serialize(self, define_graph: Any = None, filename: str | None = None) -> bytes:
        """The definition as text, written to a file too if one is named. Callbacks of external sources stay behind."""
        if define_graph is not None:
            with self:
                self._definition.outputs = as_graph_outputs(define_graph())
        outputs = self._defined_outputs()
        text = serialize(self._options.as_arguments(), outputs, self._definition.preserved)
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
        pipeline._definition.replace(read.definitions, read.outputs)
        return pipeline

    def deserialize_and_build(self, serialized_pipeline: bytes) -> None:
        """Becomes the pipeline of a text, with the parameters it has."""
        read = DeserializedPipeline(serialized_pipeline)
        self._definition.replace(read.definitions, read.outputs)
        self.build()

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
        outputs = self._defined_outputs()
        drawn = dot(serving(outputs, self._definition.preserved), outputs, show_tensors, use_colors)
        Path(filename).write_text(drawn)

    # Its iterations.

    def build(self) -> None:
        """Checks the graph and starts its sources; `run` does so itself."""
        if self._iterations is not None:
            return
        outputs = self._defined_outputs()
        if self.num_threads is None:
            raise TypeError("the number of threads must be set: num_threads=...")
        self._declared.for_each(len(outputs))
        kept, scope = self._definition.preserved, self._definition.scope
        outputs = self._definition.outputs = copy_foreign_calls(outputs, kept, scope)
        lowered = LoweredPipeline(
            outputs, kept, EvalContext(num_threads=self.num_threads), self.max_batch_size, self.device_id
        )
        check_names(lowered.definitions)
        require_gpu(lowered.definitions, outputs, self.device_id)
        if not (self.exec_dynamic and self.exec_async and self.exec_pipelined) or self.exec_separated:
            refuse_return(lowered.definitions, outputs)
        if self._checkpointing:
            check_scopes(lowered.definitions, scope)
        saved = (
            PipelineCheckpoint.read(self._restored)
            if self._restored is not None
            else PipelineCheckpoint(self._seeds.of_pipeline)
        )
        lowered.give_seeds(Seeds(saved.seed))
        for definition in lowered.sources:
            source = source_of(definition)
            if definition.name in saved.sources:
                source.restore(saved.sources[definition.name])
            elif self._checkpointing and isinstance(source, ReaderSource):
                source.reader.enable_checkpointing()
            if self._checkpointing and isinstance(source, CallbackSource):
                source.warn_of_checkpoints()
            source.start(self.max_batch_size, saved.iteration)
        lowered.warn_of_unused()
        lowered.ahead = self.cpu_queue_size - 1 if self.exec_pipelined else 0
        self._seed_used = saved.seed
        self._lowered = lowered
        passed = saved.samples or lowered.nothing_passed
        if len(passed) != len(lowered.nothing_passed):
            raise RuntimeError("the checkpoint is that of a pipeline with other branches")
        self._start_workers(lowered.sources)
        self._fed = [each.what for each in lowered.sources if isinstance(each.what, FeedSource)]
        self._depth = self.cpu_queue_size if self.exec_pipelined else 1
        self._is_set_up = getattr(self.iter_setup, "__func__", None) is not Pipeline.iter_setup
        self._iterations = Iterations(lowered, saved.iteration, passed, self.exec_async)

    def _restart(self, checkpoint: bytes | str) -> None:
        """Goes on from a checkpoint, also where the pipeline has run: its sources begin anew."""
        PipelineCheckpoint.read(checkpoint)  # refuses what is none, before anything is given up
        if self._iterations is not None:
            assert self._lowered is not None
            self._iterations = self._workers = None
            self._lowered.start_over()
        self._restored = checkpoint if isinstance(checkpoint, bytes) else checkpoint.encode()
        self.build()

    def _start_workers(self, definitions: Sequence[Definition]) -> None:
        """Starts the processes that parallel sources are called in, if there are such sources."""
        sources = [each.what for each in definitions if isinstance(each.what, ParallelSource)]
        if sources:
            how = self.py_num_workers, self.py_start_method, self._options.py_callback_pickler
            self._workers = started(sources, self.max_batch_size, self.cpu_queue_size, *how)

    def run(self, cuda_stream: Any = None, /, **pipeline_inputs: Any) -> tuple[TensorListCPU, ...]:
        """The outputs of the next iteration; the ones behind it are being made meanwhile."""
        if pipeline_inputs:
            if self.cpu_queue_size > 1 and self.exec_pipelined:
                raise RuntimeError(
                    "When using pipeline_inputs named arguments, either `prefetch_queue_depth` must be 1 or "
                    "`exec_pipelined` must be False."
                )
            for name, data in pipeline_inputs.items():
                self.feed_input(name, data)
        iterations = self._ready(PipelineAPIType.BASIC)
        self._run_ahead(iterations, self._depth)
        return iterations.take(self._handed)

    def schedule_run(self) -> None:
        """Has one more iteration made in the background."""
        self._schedule(self._ready(PipelineAPIType.SCHEDULED))

    def share_outputs(self, cuda_stream: Any = None) -> tuple[TensorListCPU, ...]:
        """The outputs of the next iteration that was scheduled."""
        if not self._ready(PipelineAPIType.SCHEDULED).scheduled:
            raise StopIteration
        return self._taken()

    def release_outputs(self) -> None:
        """Gives buffers back. Here outputs are the program's own, and go when it drops them."""
        self._ready(PipelineAPIType.SCHEDULED)

    def outputs(self, cuda_stream: Any = None) -> tuple[TensorListCPU, ...]:
        """As share_outputs."""
        return self.share_outputs(cuda_stream)

    def empty(self) -> bool:
        """Whether no iteration is scheduled that was not taken."""
        return self._iterations is None or not self._iterations.scheduled

    def reset(self) -> None:
        """Starts a new epoch of sources that are exhausted."""
        if self._iterations is not None:
            self._iterations.reset()

    def feed_input(
        self, data_node: DataNode | str, data: Any, layout: str | None = None, cuda_stream: Any = None,
        use_copy_kernel: bool = False,
    ) -> None:  # fmt: skip
        """Gives one batch to an external source without a source of its own."""
        name = name_of(data_node)
        source = self._inputs().get(name)
        if source is None:
            raise KeyError(f'Could not find an input operator with name "{name}"')
        if not isinstance(source, FeedSource):
            raise RuntimeError(
                f"Cannot use `feed_input` on the external source '{name}' with a `source` argument specified."
            )
        source.feed(data, layout)

    def input_feed_count(self, input_name: str) -> int:
        """How many batches must be fed before the first run."""
        if input_name not in self._inputs():
            raise KeyError(f'The pipeline doesn\'t have an input named "{input_name}".')
        return self.cpu_queue_size

    def enable_api_check(self, enable: bool) -> None:
        """Whether run() and schedule_run() may not be mixed."""
        self._checks_api = enable

    # What it was made with.

    @property
    def max_batch_size(self) -> int:
        """The largest batch that goes through the pipeline."""
        if self._options.batch_size is None:
            raise ValueError("The batch size must be set.")
        return self._options.batch_size

    batch_size = max_batch_size

    @property
    def num_threads(self) -> int | None:
        return self._options.num_threads

    @property
    def device_id(self) -> int | None:
        return self._options.device_id

    @property
    def seed(self) -> int | None:
        return self._options.seed

    @property
    def exec_pipelined(self) -> bool:
        return self._options.exec_pipelined

    @property
    def exec_async(self) -> bool:
        return self._options.exec_async

    @property
    def exec_dynamic(self) -> bool:
        return self._options.exec_dynamic is not False

    @property
    def exec_separated(self) -> bool:
        return isinstance(self.prefetch_queue_depth, dict)

    @property
    def prefetch_queue_depth(self) -> Any:
        """How many iterations are made ahead."""
        return self._options.prefetch_queue_depth

    @property
    def cpu_queue_size(self) -> int:
        return self._options.cpu_queue_size

    @property
    def gpu_queue_size(self) -> int:
        return self._options.gpu_queue_size

    @property
    def set_affinity(self) -> bool:
        return self._options.set_affinity

    @property
    def max_streams(self) -> int:
        return -1

    @property
    def default_cuda_stream_priority(self) -> int:
        return self._options.default_cuda_stream_priority or 0

    @property
    def stream_policy(self) -> Any:
        return self._options.stream_policy

    @property
    def concurrency(self) -> Any:
        return self._options.concurrency

    @property
    def enable_memory_stats(self) -> bool:
        return self._options.enable_memory_stats

    @property
    def py_num_workers(self) -> int:
        return self._options.py_num_workers

    @property
    def py_start_method(self) -> str:
        return self._options.py_start_method

    # What it knows of itself.

    @property
    def num_outputs(self) -> int:
        outputs = self._definition.outputs
        return 0 if outputs is None else len(outputs)

    def epoch_size(self, name: str | None = None) -> Any:
        """How many samples an epoch of a reader has, or of all readers by their names, the padding counted in."""
        if name is not None:
            return _epoch_size(self.reader_meta(name))
        return {known: _epoch_size(meta) for known, meta in self.reader_meta().items()}

    def reader_meta(self, name: str | None = None) -> Any:
        """Size and sharding of a reader's data set, or of those of all readers by their names."""
        readers = {each.name: each.what.reader for each in self._sources() if isinstance(each.what, ReaderSource)}
        if name is None:
            return {known: reader.get_metadata() for known, reader in readers.items()}
        if name not in readers:
            raise RuntimeError(f"Operator {name} not found or does not expose valid metadata.")
        return readers[name].get_metadata()

    def explain(self) -> Explanation:
        """The stages that every iteration runs, which calls are fused into one, how each runs and what is left out.

        A pipeline that has not run yet makes its first iteration for this, to see the kinds of its batches, and hands
        it out as ever. One that still has to be fed tells what its definition tells.
        """
        self.build()
        assert self._lowered is not None
        assert self._iterations is not None
        if self._iterations.latest_plan is None and self._is_fed_for(self._iterations.following):
            self._iterations.look()
        plan = self._iterations.latest_plan
        return self._lowered.explain() if plan is None else plan.explain()

    def executor_statistics(self) -> dict[str, Any]:
        """Memory of each operator; nothing is counted here."""
        return {}

    def external_source_shm_statistics(self) -> dict[str, Any]:
        """Sizes of the blocks of memory that worker processes share, and what each has for a sample."""
        capacities = [] if self._workers is None else self._workers.capacities()
        shares = [capacity // self.max_batch_size for capacity in capacities]
        return {"capacities": capacities, "per_sample_capacities": shares}

    def output_dtype(self) -> list[Any]:
        """The types that the outputs were declared to have."""
        return [dtype for dtype, _, _ in self._declared.for_each(self.num_outputs)]

    def output_ndim(self) -> list[Any]:
        """The numbers of axes that the outputs were declared to have."""
        return [ndim for _, ndim, _ in self._declared.for_each(self.num_outputs)]

    def output_stream(self) -> None:
        """The CUDA stream of the outputs; they are in host memory."""

    def start_py_workers(self) -> None:
        """Starts the processes of parallel external sources; `build` does so itself.

        They inherit the memory of the program where they are forked, so it is best done early.
        """
        self.build()

    def iter_setup(self) -> None:
        """For subclasses that feed their inputs here, before every iteration."""

    @property
    def is_restored_from_checkpoint(self) -> bool:
        return self._restored is not None

    def checkpoint(self, filename: str | None = None) -> bytes:
        """Where the program stands, for the argument `checkpoint` of a pipeline that goes on from here.

        What was made ahead is not part of it: that comes again.
        """
        self.build()
        if not self._checkpointing:
            raise RuntimeError(
                "Cannot save the checkpoint. The `enable_checkpointing` was not specified when creating the pipeline"
            )
        saved = self._saved().text()
        if filename is not None:
            Path(filename).write_bytes(saved)
        return saved

    def _saved(self, of_iterator: dict[str, Any] | None = None) -> PipelineCheckpoint:
        assert self._iterations is not None
        place = self._iterations.settled()
        states = {each.name: source_of(each).state() for each in self._sources()}
        return PipelineCheckpoint(self._seed_used, place.iteration, place.samples, states, of_iterator or {})

    def _sources(self) -> Any:
        self.build()
        assert self._lowered is not None
        return self._lowered.sources

    def _inputs(self) -> dict[str, ExternalSource]:
        """The external sources that outputs need, by their names."""
        return {each.name: each.what for each in self._sources() if isinstance(each.what, ExternalSource)}

    def _is_fed_for(self, iteration: int) -> bool:
        return not self._fed or all(each.is_fed_for(iteration) for each in self._fed)

    def _ready(self, api: PipelineAPIType) -> Iterations:
        if self._iterations is None:
            self.build()
        assert self._iterations is not None
        if self._api not in (None, api) and self._checks_api:
            raise RuntimeError(f"Mixing pipeline API type. Currently used: {self._api}, but trying to use {api}")
        self._api = api
        return self._iterations

    def _run_ahead(self, iterations: Iterations, depth: int) -> None:
        """Has up to `depth` iterations made: one at least, others only where their inputs have been fed."""
        while (scheduled := iterations.place.scheduled) < depth:
            if scheduled and self._fed and not self._is_fed_for(iterations.following):
                return
            self._schedule(iterations)

    def _schedule(self, iterations: Iterations) -> None:
        if self._is_set_up:
            self.iter_setup()
        for each in self._fed:
            each.schedule(iterations.following)
        iterations.schedule()

    def _taken(self) -> tuple[TensorListCPU, ...]:
        assert self._iterations is not None
        return self._iterations.take(self._handed)

    def _handed(self, outputs: list[Samples]) -> tuple[TensorListCPU, ...]:
        if not self._declared.is_empty:
            self._declared.check(outputs)
        return tuple(map(as_list, outputs))


def _epoch_size(meta: dict[str, Any]) -> Any:
    return meta["epoch_size_padded" if meta["pad_last_batch"] else "epoch_size"]


def fed_inputs(pipeline: Pipeline) -> list[str]:
    """The names of the sources that the program feeds, in the order in which they were defined. Builds the pipeline."""
    fed = [each.what for each in pipeline._sources() if isinstance(each.what, FeedSource)]
    return [call.name for call in pipeline._definition.calls if call.what in fed]


def name_of(data_node: DataNode | str) -> str:
    """The name that a source is fed by."""
    if isinstance(data_node, DataNode):
        return data_node.name
    if not isinstance(data_node, str):
        kind = type(data_node).__name__
        raise TypeError(f'a source is fed by its node or its name; expected type "DataNode" or "str", got "{kind}"')
    return data_node
