"""Pipelines of one expression, for tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from penstock import fn, pipeline_def

Array = np.ndarray[Any, Any]


def pictures(count: int, height: int = 17, width: int = 23) -> list[Array]:
    """Smooth pictures with a little noise, none like another."""
    rng = np.random.default_rng(count)
    y, x = np.mgrid[0:height, 0:width]
    made = []
    for k in range(count):
        channels = [40 + 6 * x + k, 128 + 90 * np.sin(y / 5 + k), 200 - 5 * y + 2 * x]
        noisy = np.stack(channels, axis=-1) + rng.integers(0, 12, (height, width, 3))
        made.append(np.clip(noisy, 0, 255).astype(np.uint8))
    return made


def made_by(
    body: Callable[[Any], Any], samples: Sequence[Array], layout: str = "HWC", conditionals: bool = True, **options: Any
) -> list[Array]:
    """What a pipeline makes of a batch."""

    def defined() -> Any:
        return body(fn.external_source(lambda: [*samples], layout=layout))

    settings = {"num_threads": 2, "device_id": None, "seed": 5, "enable_conditionals": conditionals} | options
    pipe = pipeline_def(defined, batch_size=len(samples), **settings)()
    pipe.build()
    (out,) = pipe.run()
    return [np.array(out.at(k)) for k in range(len(samples))]
