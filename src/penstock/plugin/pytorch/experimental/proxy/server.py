"""DALIServer: runs a pipeline on the batches that the workers of a loader collect."""

from __future__ import annotations

import atexit
import functools
import inspect
import os
import queue
import threading
import weakref
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from penstock.interop.frameworks import to_numpy, to_torch
from penstock.pipeline.pipeline import Pipeline, fed_inputs
from penstock.plugin.dense import dense
from penstock.plugin.pytorch.experimental.proxy.references import (
    DALIOutputBatchRef,
    DALIOutputSampleRef,
    DALIPipelineRunRef,
    ProxyCall,
    RunKey,
)
from penstock.plugin.pytorch.experimental.proxy.requests import Requests

_WHAT = "penstock.plugin.pytorch.experimental.proxy"


class DALIServer:
    """Runs a pipeline for the workers of a loader, in a thread of the main process.

        with DALIServer(pipeline) as server:
            dataset = ImageFolder("train", loader=read_bytes, transform=server.proxy)
            for images, labels in DataLoader(server, dataset, batch_size=64, num_workers=4):
                train_step(images, labels)

    Args:
        pipeline: Its external sources that are fed by name are the inputs of `proxy`. Its batch size is the largest
            that a loader may have.
        deterministic: Run the batches in the order in which the loader hands them out, not in that in which workers
            complete them: for pipelines that draw random numbers and are to draw the same ones again. A batch is then
            begun when the program asks for it.
    """

    def __init__(self, pipeline: Pipeline, deterministic: bool = False) -> None:
        pipeline.build()
        names = fed_inputs(pipeline)
        if not names:
            raise RuntimeError(
                "the pipeline has no inputs: DALIServer needs fn.external_source(name=...) without a source in it"
            )
        self._requests = None if deterministic else Requests()
        self._service = _Service(pipeline)
        self._proxy = DALIProxy(names, len(pipeline.output_dtype()), self._requests, self._service)
        self._threads: list[threading.Thread] = []
        self._end = functools.partial(_stop, self._service, self._requests, self._threads)
        weakref.finalize(self, self._end).atexit = False

    @property
    def proxy(self) -> DALIProxy:
        """What a data set calls with the inputs of a sample, in the process of any worker."""
        return self._proxy

    def produce_data(self, obj: Any) -> Any:
        """Puts the results of the pipeline in the place of references to them.

        Args:
            obj: What a torch DataLoader handed out: lists, tuples, dictionaries and objects with attributes are looked
                through. Objects are changed, the others are made anew.
        """
        return _Replaced(self._result).of(obj)

    def start_thread(self) -> None:
        """Begins to take requests; `with` does so too."""
        self._service.check_process()
        if self._threads:
            return
        # Registered now, it is called before the engine, which the thread may be waiting for, stops at exit.
        atexit.register(self._end)
        self._service.open()
        works: list[Any] = [self._service.work]
        if self._requests is not None:
            works.append(functools.partial(self._requests.hand_on, self._service.request))
        for work in works:
            thread = threading.Thread(target=work, name="penstock-proxy", daemon=True)
            thread.start()
            self._threads.append(thread)

    def stop_thread(self) -> None:
        """Ends when the batch that is being made is done; what nobody has asked for is dropped."""
        atexit.unregister(self._end)
        self._end()

    def begin_loop(self) -> None:
        """Comes before the workers of a loop are started, when those of loops that were left have ended."""
        self.start_thread()
        if self._requests is not None and self._service.left:
            self._requests.put_behind(frozenset(self._service.left))

    def discard(self, processes: Collection[int]) -> None:
        """Drops the batches of workers that nobody will ask for, also those that are still to come."""
        self._service.discard(processes)

    def __enter__(self) -> DALIServer:
        self.start_thread()
        return self

    def __exit__(self, *failure: object) -> None:
        self.stop_thread()

    def _result(self, reference: DALIOutputBatchRef) -> Any:
        run = reference.pipe_run_ref
        if run.outputs is None:
            if run.inputs is not None:  # the workers of a deterministic server leave that to it
                self._service.request(run.key, run.inputs)
                run.inputs = None
            run.outputs = self._service.wait(run.key)
            self._service.forget(run.key)
        output = run.outputs[reference.output_idx]
        array = dense(output, str(reference.output_idx), "let the pipeline return the samples flat, with their shapes")
        return to_torch(array, copy=False, what=_WHAT)


class DALIProxy:
    """Takes the inputs of a sample and returns references to what the pipeline will make of it.

    A pipeline with one input takes it by position, those with several take them by their names. Each of several
    outputs has a reference of its own.
    """

    def __init__(self, names: Sequence[str], outputs: int, requests: Requests | None, service: _Service) -> None:
        self._names = names
        self._outputs = outputs
        self._requests = requests
        self._service: _Service | None = service  # which exists only in its own process
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD if len(names) == 1 else inspect.Parameter.KEYWORD_ONLY
        self.__signature__ = inspect.Signature([inspect.Parameter(name, kind) for name in names])

    def __call__(self, *inputs: Any, **named: Any) -> Any:
        """References to the outputs for a sample with these inputs."""
        try:
            bound = self.__signature__.bind(*inputs, **named).arguments
        except TypeError as error:
            raise ValueError(f"Expected signature is: {self.__signature__}: {error}") from None
        arrays = {name: _as_array(value) for name, value in bound.items()}
        call = ProxyCall(arrays, self._schedule)
        references = tuple(DALIOutputSampleRef(call, k) for k in range(self._outputs))
        return references[0] if len(references) == 1 else references

    def _schedule(self, run: DALIPipelineRunRef) -> None:
        """Hands a batch to the server, unless that is to run it when it is asked for."""
        if self._requests is None:
            return
        if self._service is not None and self._service.process == os.getpid():
            self._service.request(run.key, run.inputs)
        else:
            self._requests.put(run.key, run.inputs)
        run.inputs = None

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_service": None}


class _Service:
    """The pipeline, what it is to do, and what it has done that nobody has asked for."""

    def __init__(self, pipeline: Pipeline) -> None:
        self.process = os.getpid()
        self._pipeline = pipeline
        self._waiting: queue.SimpleQueue[tuple[RunKey, Mapping[str, Any]] | None] = queue.SimpleQueue()
        self._done: dict[RunKey, Any] = {}
        self._tokens: dict[int, bytes] = {}  # of the processes that have sent anything
        self._discarded: set[bytes] = set()
        self.left: set[int] = set()  # processes whose batches are not wanted, until it is said that they have ended
        self._changed = threading.Condition()
        self._open = False

    def open(self) -> None:
        self._open = True

    def check_process(self) -> None:
        """A forked process has none of the threads."""
        if self.process != os.getpid():
            raise RuntimeError(
                f"this DALIServer runs in process {self.process}, not in process {os.getpid()}, which was forked from "
                "it; make one after the fork"
            )

    def request(self, key: RunKey | None, inputs: Any) -> None:
        """Takes a batch; without a key, the numbers of processes from which nothing more comes."""
        assert inputs is not None
        with self._changed:
            if key is None:
                self.left -= inputs
            elif key.process not in self.left:
                self._tokens[key.process] = key.token
                self._waiting.put((key, inputs))

    def work(self) -> None:
        """Runs one batch after the other, until `close`."""
        waiting = self._waiting
        while (request := waiting.get()) is not None and self._open:
            key, inputs = request
            if key.token in self._discarded:
                continue
            try:
                made: Any = self._run(inputs)
            except Exception as error:
                made = error
            with self._changed:
                if self._open and key.token not in self._discarded:
                    self._done[key] = made
                self._changed.notify_all()

    def wait(self, key: RunKey) -> Any:
        """The outputs for a batch that was requested, which stay here until they are forgotten."""
        self.check_process()
        with self._changed:
            self._changed.wait_for(lambda: key in self._done or not self._open)
            if key not in self._done:
                raise RuntimeError(
                    "the DALIServer is not running, so nothing comes of this batch; use it as `with DALIServer(...)`"
                )
            made = self._done[key]
        if isinstance(made, Exception):
            self.forget(key)
            raise made
        return made

    def forget(self, key: RunKey) -> None:
        with self._changed:
            self._done.pop(key, None)

    def discard(self, processes: Collection[int]) -> None:
        with self._changed:
            self.left.update(processes)
            self._discarded |= {self._tokens.pop(process) for process in processes if process in self._tokens}
            for key in [key for key in self._done if key.token in self._discarded]:
                del self._done[key]

    def close(self) -> None:
        with self._changed:
            self._open = False
            self._done.clear()
            self._changed.notify_all()
        waiting, self._waiting = self._waiting, queue.SimpleQueue()  # what is left undone is dropped
        waiting.put(None)

    def _run(self, inputs: Mapping[str, Any]) -> Any:
        sizes = {len(batch) for batch in inputs.values()}
        if max(sizes) > self._pipeline.max_batch_size:
            raise RuntimeError(
                f"the loader made a batch of {max(sizes)}, the pipeline takes {self._pipeline.max_batch_size} at most; "
                "Pipeline(batch_size=...) is to be that of the loader or more"
            )
        for name, batch in inputs.items():
            self._pipeline.feed_input(name, batch)
        return self._pipeline.run()


class _Replaced:
    """Copies of nested values with results in the place of references."""

    def __init__(self, result: Any) -> None:
        self._result = result
        self._seen: set[int] = set()

    def of(self, value: Any) -> Any:
        if isinstance(value, DALIOutputBatchRef):
            return self._result(value)
        if isinstance(value, dict):
            return self._unless_same(value, {key: self.of(each) for key, each in value.items()}, value.values())
        if isinstance(value, (list, tuple)):
            made = [self.of(each) for each in value]
            if isinstance(value, tuple):
                kind: Any = type(value)
                return self._unless_same(value, kind(*made) if hasattr(kind, "_fields") else kind(made), value)
            return self._unless_same(value, made, value)
        if hasattr(value, "__dict__") and not isinstance(value, type) and not hasattr(value, "__array__"):
            self._change(value)
        return value

    def _unless_same(self, value: Any, made: Any, members: Any) -> Any:
        new = made.values() if isinstance(made, dict) else made
        return value if all(a is b for a, b in zip(members, new, strict=True)) else made

    def _change(self, value: Any) -> None:
        if id(value) in self._seen:
            return
        self._seen.add(id(value))
        for name, each in [*vars(value).items()]:
            made = self.of(each)
            if made is not each:
                setattr(value, name, made)


def _as_array(value: Any) -> Any:
    return np.asarray(value) if isinstance(value, (bool, int, float, np.generic)) else to_numpy(value)


def _stop(service: _Service, requests: Requests | None, threads: list[threading.Thread]) -> None:
    if threads and service.process == os.getpid():  # a forked process must not stop the one that it is not
        ending = [*threads]
        threads.clear()
        service.close()
        if requests is not None:
            requests.stop()
        for thread in ending:
            thread.join()
