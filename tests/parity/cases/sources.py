"""Sources of pipelines: what they may be, what they may return, and what becomes of it.

`fed` gives what a pipeline puts out in a few iterations, with -1 where an epoch ends and -2 behind an error, and the
layout of each output.
"""

from __future__ import annotations

import importlib
from functools import partial
from typing import Any

import numpy as np

OPTIONS = {"batch_size": 2, "num_threads": 1, "device_id": None, "seed": 5}
TENSORS = {"penstock": "penstock.pipeline.values.tensors", "nvidia": "nvidia.dali.tensors"}


def inputs(ndd: Any) -> dict[str, Any]:
    library = "penstock" if ndd.__name__.startswith("penstock") else "nvidia.dali"
    dali, fn, ops = (importlib.import_module(name) for name in (library, f"{library}.fn", f"{library}.ops"))
    tensors = importlib.import_module(TENSORS[library.partition(".")[0]])
    rows = np.arange(6, dtype=np.int32).reshape(2, 3)
    return {
        "fn": fn,
        "ops": ops,
        "np": np,
        "fed": partial(fed, dali),
        "given": partial(given, dali),
        "rows": rows,
        "pair": [np.float32([1, 2]), np.float32([3, 4])],
        "uneven": [np.uint8([1, 2]), np.uint8([3])],
        "tl": tensors.TensorListCPU(rows, layout="X"),
        "tc": tensors.TensorCPU(rows, "XY"),
        "batches": [[np.int32([k]), np.int32([-k])] for k in range(3)],
        "samples": [np.int32([k]) for k in range(5)],
        "generated": generated,
        "generated_samples": generated_samples,
        "Again": Again,
        "counted": counted,
        "told": told,
    }


def generated() -> Any:
    for k in range(3):
        yield [np.int32([k]), np.int32([10 + k])]


def generated_samples() -> Any:
    for k in range(5):
        yield np.int32([k])


class Again:
    """Something that can be iterated over more than once."""

    def __iter__(self) -> Any:
        return generated()


def counted(index: int) -> Any:
    if index == 3:
        raise StopIteration
    return [np.int32([index])] * 2


def told(info: Any) -> Any:
    if info.idx_in_epoch == 5:
        raise StopIteration
    return np.int32([info.idx_in_epoch, info.idx_in_batch, info.iteration, info.epoch_idx])


def seen(pipeline: Any, count: int) -> Any:
    """What that many iterations put out."""
    found: list[Any] = []
    for _ in range(count):
        try:
            for output in pipeline.run():
                found += [np.array(output.at(k)) for k in range(len(output))]
                found.append(np.frombuffer(output.layout().encode(), np.uint8))
        except StopIteration:
            found.append(np.array(-1))
            pipeline.reset()
    return tuple(found)


def fed(dali: Any, graph: Any, count: int = 7, **options: Any) -> Any:
    def outputs() -> Any:
        made = graph()
        return tuple(made) if isinstance(made, list) else made

    return seen(dali.pipeline_def(**{**OPTIONS, **options})(outputs)(), count)


def given(dali: Any, data: Any, feeding: dict[str, Any] | None = None, times: int = 1, **source: Any) -> Any:
    """What a pipeline makes of data that the program feeds."""
    pipeline = dali.Pipeline(**OPTIONS, prefetch_queue_depth=1)
    with pipeline:
        pipeline.set_outputs(dali.fn.external_source(name="x", **source))
    pipeline.build()
    found: tuple[Any, ...] = ()
    for _ in range(times):
        pipeline.feed_input("x", data, **(feeding or {}))
        found += seen(pipeline, 1)
    return found


RETURNED = (
    "rows", "pair", "uneven", "tl", "tc", "[tc, tc]", "[1, 2]", "[1.5, 2.5]", "1", "[[1, 2], [3, 4]]", "(1, 2)",
    "np.float64([1, 2])", "np.int64([[1], [2]])", "np.float16([1, 2])", "np.bool_([True, False])", "rows[:1]", "rows.T",
    "pair[:1]", "np.zeros((0, 3))", "np.zeros((2, 0))", "None", "'ab'", "{}", "[rows, 1]", "[None, None]",
    "[np.float32([1]), np.float64([2])]", "[np.float32([1]), np.float32([[2]])]",
    "[np.float32(1), np.float32(2)]", "rows[::-1]", "np.asfortranarray(rows)",
)  # fmt: skip
OF_A_SAMPLE = (
    "rows", "pair", "tc", "tl", "1", "1.5", "True", "[1, 2]", "(1, 2)", "np.float64(1)", "np.int64([1])", "None", "'a'",
    "[]", "np.zeros((0, 2))", "[[1, 2], [3]]",
)  # fmt: skip
DECLARED = (
    "layout='X'", "layout='XY'", "dtype=T.INT32", "dtype=T.FLOAT", "ndim=1", "ndim=2", "ndim=0", "ndim=1, layout='XY'",
    "dtype=None, ndim=None, layout=None",
    "no_copy=True", "no_copy=False", "cuda_stream=None", "use_copy_kernel=False", "blocking=True", "name='x'",
    "device='cpu'", "bytes_per_sample_hint=[8]", "num_outputs=2", "batch=None",
    "batch_info=None", "cycle=None", "prefetch_queue_depth=3", "parallel=None",
)  # fmt: skip

CASES: list[dict[str, Any]] = [
    {
        "operator": "sources of pipelines: kinds",
        "calls": [
            *(
                f"fed(lambda: fn.external_source({source}, cycle={cycle}))"
                for source in (
                    "batches", "generated", "generated()", "Again()", "iter(batches)", "counted", "tuple(batches)",
                )
                for cycle in ("None", "False", "'no'", "True", "'quiet'", "'raise'", "'yes'")
            ),
            *(
                f"fed(lambda: fn.external_source({source}, batch=False, cycle={cycle}))"
                for source in ("samples", "generated_samples", "told", "iter(samples)", "rows")
                for cycle in ("None", "True", "'raise'")
            ),
            *(
                f"fed(lambda: ops.ExternalSource({source}{options})())"
                for source in ("batches", "generated", "counted")
                for options in ("", ", cycle='raise'", ", cycle='quiet'")
            ),
            "fed(lambda: fn.external_source(lambda info: told(info), batch=False, batch_size=2))",
            "fed(lambda: fn.external_source(told, batch=False, batch_info=True))",
            "fed(lambda: fn.external_source(source=batches, name='x'))",
            "fed(lambda: ops.ExternalSource()(name='x'))",
            *(f"fed(lambda: fn.external_source({source}))" for source in (
                "5", "{}", "lambda a, b: 1", "lambda *a: 1", "lambda *, a=1: 1", "lambda a=3: batches[a % 3]",
                "fn.constant(idata=1)",
            )),
        ],
    },
    {
        "operator": "sources of pipelines: what they return",
        "calls": [
            *(f"fed(lambda: fn.external_source(lambda: {data}), 2)" for data in RETURNED),
            *(f"fed(lambda: fn.external_source(lambda: {data}, batch=False), 2)" for data in OF_A_SAMPLE),
            *(
                f"fed(lambda: fn.external_source(lambda: {data}, num_outputs=2{options}), 2)"
                for data in ("(rows, pair)", "[rows, pair]", "np.stack([rows, rows])", "rows", "(rows, pair[:1])",
                             "(rows, None)")
                for options in ("", ", layout=['X', '']", ", dtype=[T.INT32, T.FLOAT]", ", ndim=1")
            ),
            "fed(lambda: fn.external_source(lambda: (1, 2.5), num_outputs=2, batch=False), 2)",
            "fed(lambda: fn.external_source(lambda: (rows, 2.5), num_outputs=2, batch=False, layout='XY'), 2)",
            *(
                f"fed(lambda: fn.external_source(lambda: {data}, {options}), 2)"
                for data in ("rows", "pair", "tl")
                for options in DECLARED
            ),
        ],
    },
    {
        "operator": "sources of pipelines: what is fed",
        "calls": [
            *(f"given({data})" for data in RETURNED),
            *(f"given(rows, {options})" for options in DECLARED[:10]),
            *(f"given({data}, dict({options}))" for data in ("rows", "tl") for options in (
                "layout='X'", "layout='XY'", "layout=''", "layout=None", "cuda_stream=None", "use_copy_kernel=True",
                "foo=1",
            )),
            "given(rows, dict(layout='Y'), layout='X')",
            "given(rows, times=3)",
        ],
    },
    {
        "operator": "sources of pipelines (outputs that are not as many as announced)",
        "deliberate": "ValueError; DALI ignores what is too much, and indexes what is too little",
        "calls": [
            f"fed(lambda: fn.external_source(lambda: {data}, num_outputs={count}), 2)"
            for data, count in (("pair", 1), ("rows", 1), ("(rows,)", 2), ("None", 2), ("(rows, rows, 1)", 2))
        ],
    },
    {
        "operator": "sources of pipelines (lists for one output, layout='')",
        "deliberate": "a list of one value is for the one output, and layout='' leaves the layout to the data",
        "calls": [
            *(f"fed(lambda: fn.external_source(lambda: rows, {options}), 2)" for options in (
                "layout=['X']", "dtype=[T.INT32]", "ndim=[1]",
            )),
            "fed(lambda: fn.external_source(lambda: tl, layout=''), 2)",
        ],
    },
    {
        "operator": "sources of pipelines (what DALI cannot do, or does by mistake)",
        "deliberate": "errors that tell what is wrong, and built-in functions and repeat_last on the CPU",
        "calls": [
            *(f"fed(lambda: fn.external_source({source}), 2)" for source in (
                "'text'", "print", "int", "lambda: []", "lambda: np.array([1j, 2])",
                "lambda: rows, repeat_last=True",
            )),
            "fed(lambda: ops.ExternalSource(batches)(source=batches))",
            "given([])",
            "given(np.array([1j, 2]))",
            "given(pair, times=2, repeat_last=True)",
        ],
    },
]  # fmt: skip
