"""What stands for results of a pipeline until it has run: of one sample, and of a batch.

`default_collate`, which torch's loaders call, makes one for a batch of those for samples.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from penstock.interop.extras import framework

collating: Any = framework("torch.utils.data._utils.collate", "penstock.plugin.pytorch", "torch")

Inputs = dict[str, list[Any]]

_numbers = itertools.count()


class RunKey(NamedTuple):
    """What tells one run from all others. A process is also known by a token, for its number is used again."""

    process: int
    token: bytes
    number: int


class ProxyCall:
    """The inputs of one sample, and the batch that the sample has become part of."""

    def __init__(self, inputs: Mapping[str, Any], schedule: Callable[[DALIPipelineRunRef], None]) -> None:
        self.inputs = inputs
        self.schedule = schedule
        self.batch: list[ProxyCall] | None = None
        self.run: DALIPipelineRunRef | None = None


class DALIPipelineRunRef:
    """A batch that the pipeline is to run on."""

    def __init__(self, inputs: Inputs | None) -> None:
        """`inputs` are those of all samples by their names; None once they were handed to the server."""
        self.key = RunKey(os.getpid(), _own_token(), next(_numbers))
        self.inputs = inputs
        self.outputs: Any = None  # of the pipeline, in the process of the server

    def __repr__(self) -> str:
        return f"DALIPipelineRunRef(process={self.key.process}, number={self.key.number})"


class DALIOutputSampleRef:
    """One output of the pipeline for one sample."""

    def __init__(self, call: ProxyCall, output_idx: int) -> None:
        self.call = call
        self.output_idx = output_idx

    def __repr__(self) -> str:
        return f"DALIOutputSampleRef(inputs={sorted(self.call.inputs)}, output_idx={self.output_idx})"


class DALIOutputBatchRef:
    """One output of the pipeline for a batch."""

    def __init__(self, pipe_run_ref: DALIPipelineRunRef, output_idx: int) -> None:
        self.pipe_run_ref = pipe_run_ref
        self.output_idx = output_idx

    def __repr__(self) -> str:
        return f"DALIOutputBatchRef(pipe_run_ref={self.pipe_run_ref!r}, output_idx={self.output_idx})"


def _collated(samples: Sequence[DALIOutputSampleRef], **options: Any) -> DALIOutputBatchRef:
    """The outputs of the same samples in the same order are those of one run."""
    calls = [sample.call for sample in samples]
    if len({sample.output_idx for sample in samples}) > 1:
        raise RuntimeError("the samples of a batch must all have the same output of the pipeline in this place")
    first = calls[0]
    if first.run is None or first.batch != calls:
        first.batch, first.run = calls, _started(calls)
    return DALIOutputBatchRef(first.run, samples[0].output_idx)


def _started(calls: Sequence[ProxyCall]) -> DALIPipelineRunRef:
    run = DALIPipelineRunRef({name: [call.inputs[name] for call in calls] for name in calls[0].inputs})
    calls[0].schedule(run)
    return run


_token = 0, b""


def _own_token() -> bytes:
    global _token
    if _token[0] != os.getpid():  # it may have been forked from one that has a token
        _token = os.getpid(), os.urandom(8)
    return _token[1]


collating.default_collate_fn_map[DALIOutputSampleRef] = _collated
