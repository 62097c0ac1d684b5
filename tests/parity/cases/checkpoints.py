"""Checkpoints of pipelines: what a restored one goes on with.

`resumed` runs a pipeline for some iterations, starting over where an epoch ends, and gives what one restored from its
checkpoint puts out; -1 stands for the end of an epoch. `begun` gives the same without a checkpoint in between.
"""

from __future__ import annotations

import importlib
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np

OPTIONS = {"batch_size": 2, "num_threads": 1, "device_id": None, "seed": 5}


def inputs(ndd: Any) -> dict[str, Any]:
    library = "penstock" if ndd.__name__.startswith("penstock") else "nvidia.dali"
    dali, fn = importlib.import_module(library), importlib.import_module(f"{library}.fn")
    folder = Path(mkdtemp())
    files = [str(folder / f"{k}.npy") for k in range(7)]
    for k, path in enumerate(files):
        np.save(path, np.int32([k]))
    return {
        "fn": fn,
        "np": np,
        "resumed": partial(resumed, dali),
        "begun": partial(begun, dali),
        "files": files,
        "by_batch": by_batch,
        "by_sample": by_sample,
        "by_index": by_index,
        "several": several,
        "chosen": partial(chosen, fn),
    }


def by_batch(info: Any) -> Any:
    if info.iteration >= 3:
        raise StopIteration
    return [np.int32([info.epoch_idx, info.iteration])] * 2


def by_sample(info: Any) -> Any:
    if info.iteration >= 3:
        raise StopIteration
    return np.int32([info.idx_in_epoch, info.idx_in_batch, info.iteration, info.epoch_idx])


def by_index(index: int) -> Any:
    if index >= 3:
        raise StopIteration
    return [np.int32([index]), np.int32([-index])]


def several(index: int) -> Any:
    return by_index(index), [np.float32([index])] * 2


def chosen(fn: Any, number: Any) -> Any:
    if fn.random.coin_flip(dtype=number.dtype):
        number = number + 100
    return number


def outputs(pipeline: Any, count: int) -> list[Any]:
    """The numbers of that many iterations, and where epochs end."""
    seen: list[Any] = []
    for _ in range(count):
        try:
            for output in pipeline.run():
                seen += [np.array(output.at(k)) for k in range(len(output))]
        except StopIteration:
            seen.append(np.array(-1))
            pipeline.reset()
    return seen


def made(dali: Any, graph: Any, checkpoint: Any = None, **options: Any) -> Any:
    options = {**OPTIONS, "enable_checkpointing": True, **options}
    return dali.pipeline_def(**options)(graph)(**({} if checkpoint is None else {"checkpoint": checkpoint}))


def begun(dali: Any, graph: Any, count: int, **options: Any) -> Any:
    return tuple(outputs(made(dali, graph, **options), count))


def resumed(dali: Any, graph: Any, count: int, times: int = 1, after: int = 6, **options: Any) -> Any:
    checkpoint = None
    for _ in range(times):
        pipeline = made(dali, graph, checkpoint, **options)
        outputs(pipeline, count)
        checkpoint = pipeline.checkpoint()
    return tuple(outputs(made(dali, graph, checkpoint, **options), after))


SOURCES = (
    "lambda: fn.external_source(by_batch, batch_info=True)",
    "lambda: fn.external_source(by_sample, batch=False)",
    "lambda: fn.external_source(by_index)",
    "lambda: tuple(fn.external_source(several, num_outputs=2))",
    "lambda: (fn.external_source(by_index), fn.external_source(by_sample, batch=False))",
    "lambda: (fn.external_source(by_index), fn.random.uniform(range=[0.0, 9.0]))",
)
READERS = (
    "",
    ", random_shuffle=True, initial_fill=3",
    ", random_shuffle=True, initial_fill=100",
    ", num_shards=2, shard_id=1",
    ", num_shards=2, shard_id=1, stick_to_shard=True",
    ", num_shards=3, shard_id=0, pad_last_batch=True",
    ", pad_last_batch=True, random_shuffle=True",
    ", seed=7, random_shuffle=True",
    ", skip_cached_images=True",
    ", prefetch_queue_depth=3",
    ", read_ahead=True, lazy_init=True",
)
DRAWS = (
    "fn.random.uniform()",
    "fn.random.uniform(seed=3)",
    "fn.random.uniform(shape=[2], values=[1.0, 2.0, 5.0])",
    "fn.random.normal(shape=[3]) * 0 + fn.random.coin_flip()",
    "fn.random.choice([3, 4, 5, 6])",
    "fn.random.beta()",
    "fn.batch_permutation()",
    "fn.permute_batch(fn.random.uniform(), indices=fn.batch_permutation())",
    "fn.random.uniform(fn.readers.numpy(files=files))",
    "fn.noise.salt_and_pepper(fn.constant(fdata=[5.0, 6.0, 7.0], shape=[1, 3, 1], layout='HWC'), prob=0.5)",
    "fn.random_crop_generator(fn.constant(idata=[40, 50]))[0]",
    "fn.reductions.sum(fn.roi_random_crop(crop_shape=[2, 2], shape=[9, 9], roi_start=[1, 1], roi_shape=[5, 5]))",
)

CASES: list[dict[str, Any]] = [
    {
        "operator": "checkpoints: sources that are told their place",
        "calls": [
            *(f"resumed({graph}, {count})" for graph in SOURCES for count in (0, 1, 2, 3, 4, 5, 8)),
            *(f"resumed({graph}, 2, times=3)" for graph in SOURCES),
            *(f"resumed({graph}, 5, {options})" for graph in SOURCES for options in (
                "prefetch_queue_depth=1", "prefetch_queue_depth=4", "exec_async=False, exec_pipelined=False",
                "exec_dynamic=False", "batch_size=2, num_threads=3",
            )),
        ],
    },
    {
        "operator": "checkpoints: readers",
        "calls": [
            f"resumed(lambda: fn.readers.numpy(files=files{options}), {count})"
            for options in READERS
            for count in (0, 1, 3, 4, 9)
        ],
    },
    {
        "operator": "checkpoints: readers (shuffle_after_epoch)",
        "deliberate": "the order of epochs does not depend on enable_checkpointing; in DALI it does",
        "calls": [
            f"resumed(lambda: fn.readers.numpy(files=files, shuffle_after_epoch=True), {count})" for count in (0, 3, 9)
        ],
    },
    {
        "operator": "checkpoints: random numbers",
        "calls": [f"resumed(lambda: {draw}, {count}, after=3)" for draw in DRAWS for count in (0, 1, 4)],
    },
    {
        "operator": "checkpoints: options",
        "calls": [
            "resumed(lambda: fn.external_source(lambda: [np.zeros(1)] * 2), 2)",
            "resumed(lambda: fn.external_source([[1, 2], [3, 4]], cycle=True), 1)",
            "resumed(lambda: fn.external_source([[1, 2], [3, 4]], cycle='raise'), 2)",
            "resumed(lambda: fn.external_source(name='x'), 1)",
            "resumed(lambda: fn.external_source(by_index), 2, enable_checkpointing=False)",
            "resumed(lambda: fn.copy(fn.constant(idata=3)), 2)",
            "resumed(lambda: chosen(fn.constant(idata=3)), 2, enable_conditionals=True)",
            "begun(lambda: fn.random.uniform(), 2, checkpoint='text')",
            "begun(lambda: fn.random.uniform(), 2, checkpoint='')",
            "begun(lambda: fn.random.uniform(), 2, checkpoint=b'')",
            "begun(lambda: fn.random.uniform(), 2, checkpoint=3)",
            "begun(lambda: fn.python_function(fn.constant(idata=1), function=lambda x: x + 1), 2)",
        ],
    },
]  # fmt: skip
