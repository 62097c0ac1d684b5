"""Functions that define pipelines as functions that make iterators over them."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from penstock.engine.threads import get_num_threads
from penstock.pipeline.definition.pipeline_function import pipeline_def
from penstock.pipeline.pipeline import Pipeline


def iterator_maker(
    kind: type, pipeline_fn: Callable[..., Any] | None, options: Mapping[str, Any], devices: Sequence[Any] | None
) -> Any:
    """A decorator if there is no function yet, else the function that makes iterators of that kind."""
    sharding = options["sharding"]
    if sharding is not None and devices is not None:
        raise ValueError("Only one of `sharding` and `devices` arguments can be provided.")
    if pipeline_fn is None:
        return lambda function: iterator_maker(kind, function, options, devices)
    define = pipeline_fn
    if devices is not None and options["pmap_compatible"] is None:
        options = {**options, "pmap_compatible": True}

    @functools.wraps(define)
    def make(*arguments: Any, checkpoints: Sequence[bytes] | None = None, **keywords: Any) -> Any:
        keywords.setdefault("num_threads", get_num_threads())
        if sharding is not None:
            places = [
                place for place, device in enumerate(in_order(sharding)) if device in sharding.addressable_devices
            ]
            shards = [(place, len(sharding.device_set)) for place in places]
        else:
            shards = [(place, len(devices)) for place in range(len(devices))] if devices is not None else []
        told = [_of_shard(define, keywords, *shard) for shard in shards] or [keywords]
        pipelines = [_pipeline(define, arguments, each, checkpoints, k) for k, each in enumerate(told)]
        return kind(pipelines, **options)

    return make


def in_order(sharding: Any) -> list[Any]:
    """The devices of a sharding, as the shards of an array's first axis lie on them."""
    return [*sharding.devices_indices_map((len(sharding.device_set),))]


def _of_shard(define: Callable[..., Any], keywords: Mapping[str, Any], shard: int, count: int) -> dict[str, Any]:
    if not {"num_shards", "shard_id"} <= {*inspect.signature(define).parameters}:
        raise TypeError(
            f"{define.__name__}() must take num_shards and shard_id, for its reader, to feed several devices"
        )
    if "batch_size" not in keywords:
        raise KeyError("batch_size")
    own = {"batch_size": keywords["batch_size"] // count, "num_shards": count, "shard_id": shard}
    return {"device_id": shard, **keywords, **own}


def _pipeline(
    define: Callable[..., Any], arguments: Sequence[Any], keywords: Mapping[str, Any],
    checkpoints: Sequence[bytes] | None, place: int,
) -> Pipeline:  # fmt: skip
    restored = {} if checkpoints is None else {"checkpoint": checkpoints[place]}
    return pipeline_def(define)(*arguments, **keywords, **restored)
