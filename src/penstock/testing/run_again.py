"""An operator in what is run again and again, a compiled loop and a pipeline, held to what it made before."""

from __future__ import annotations

from typing import Any

import numpy as np

import penstock.dynamic as ndd
from penstock import fn
from penstock.pipeline import pipeline_def
from penstock.pipeline.definition.data_node import DataNode
from penstock.testing.cases import Case, Made, Results, downloaded, require_same

_STEPS = 4  # of a compiled loop: the first is traced, the second may be waited for


def check_compiled(case: Case, batches: Results, expected: Made, where: str = "") -> None:
    """A compiled loop over the same batches."""
    values = case.values()
    given = (*batches, *values.values())
    source = ndd.ExternalSource(
        [given if len(given) > 1 else given[0]] * _STEPS, num_outputs=len(given), device=batches[0].device
    )
    for step in source.captured(batch_size=case.size):
        each = [*step] if len(given) > 1 else [step]
        named = dict(zip(values, each[len(batches) :], strict=True))
        made = downloaded(case.of_batches(each[: len(batches)], named))
        require_same(made, expected, f"a compiled loop differs from eager{where}")


def check_pipeline(case: Case, batches: Results, expected: Made, where: str = "") -> None:
    """Two pipelines, which agree with each other, and with eager results where nothing is drawn."""
    values = case.values()

    def defined() -> Any:
        nodes = [_node_of(batch) for batch in batches]
        named = {name: _node_of(batch) for name, batch in values.items()}
        return tuple(case.of_nodes(DataNode.define_call, nodes, named))

    options: dict[str, Any] = {"batch_size": case.size, "num_threads": 2, "seed": 7, "prefetch_queue_depth": 1}
    make = pipeline_def(device_id=0 if where else None, **options)(defined)
    one, other = ([[np.array(sample) for sample in each.as_cpu()] for each in make().run()] for _ in range(2))
    require_same(one, other, f"two pipelines of one seed differ{where}")
    if case.op.draw is None:
        require_same(one, expected, f"a pipeline differs from eager{where}")


def _node_of(batch: ndd.Batch) -> Any:
    samples = [np.array(sample) for sample in batch.cpu()]
    return fn.external_source(lambda: samples, layout=batch.layout, device=batch.device.device_type)
