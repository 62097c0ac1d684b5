"""What sharding, shuffling and saved states cost at a billion samples on ten thousand processes: numbers, no data.

python benchmarks/scaling.py [samples] [shards]

Every line is a process of its own that does what one of the training processes does: the order of its first epoch, its
saved state, and what a restart with a tenth fewer processes computes. Orders that shuffle the whole listing take 8
bytes for each sample: give 100_000_000 samples where 8 GB are too many.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from base64 import b64encode
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import numpy as np

from penstock.readers.core.order import Order, OrderOptions
from penstock.readers.core.shards import Shards
from penstock.readers.core.state import load, payload_of, reshard, save

BATCH = 256
INITIAL_FILL = 4096


ORDERS: dict[str, dict[str, Any]] = {
    "in order": {},
    "random_shuffle of records": {"random_shuffle": True, "initial_fill": INITIAL_FILL, "shuffles_listing": False},
    "random_shuffle of files": {"random_shuffle": True, "initial_fill": INITIAL_FILL},
    "shuffle_after_epoch": {"shuffle_after_epoch": True},
}


def options(shards: int, order: str) -> OrderOptions:
    return OrderOptions(num_shards=shards, shard_id=shards // 2, pad_last_batch=True, **ORDERS[order])


def first_epoch(samples: int, shards: int, order: str) -> dict[str, float]:
    """Takes the indices of a whole epoch of a shard, batch by batch, and saves the state after each tenth."""
    taken = Order(Shards(samples, options(shards, order)), None, "fill", BATCH)
    steps = -(-samples // shards // BATCH)
    sizes = set()
    for step in range(steps):
        taken.take(BATCH)
        if step % max(steps // 10, 1) == 0:
            sizes.add(len(save(taken, 0, taken.position, samples // shards - step * BATCH)))
    return {"state bytes": max(sizes)}


def restart(samples: int, shards: int, order: str) -> dict[str, float]:
    """Combines the states of all shards in the middle of an epoch, and goes on with a tenth fewer."""
    given = options(shards, order)
    position = Shards(samples, given).first._replace(offset=samples // shards // 2)
    states = []
    for shard in range(shards):
        mine = {field.name: getattr(given, field.name) for field in fields(OrderOptions)} | {"shard_id": shard}
        state = {"version": 1, "size": samples, "epoch": 0, "position": position, "options": mine}
        states.append(b64encode(json.dumps(state).encode()))
    began = time.process_time()
    combined = reshard(states)
    combining = time.process_time() - began
    now = replace(given, num_shards=shards * 9 // 10, shard_id=shards // 3)
    began = time.process_time()
    restored = load(payload_of(combined), samples, now, None, "fill", BATCH).order
    restored.take(BATCH)
    saved = save(restored, 0, restored.position, 1)
    return {
        "combine s": combining, "restore s": time.process_time() - began,
        "combined bytes": len(str(combined)), "state bytes": len(saved),
    }  # fmt: skip


def spread(samples: int, window: int) -> float:
    """How far a sample moves in the shuffling buffer, in samples: the mean distance from its place in the shard."""
    shuffled = Shards(samples, OrderOptions(random_shuffle=True, initial_fill=window, shuffles_listing=False))
    items = np.asarray(shuffled.lay_out(0, shuffled.first.generator).items)
    return float(np.abs(items - np.arange(samples)).mean())


MEASURED: dict[str, Callable[[int, int, str], dict[str, float]]] = {"epoch": first_epoch, "restart": restart}


def measured(what: str, samples: int, shards: int, order: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.process_time()
    found = MEASURED[what](samples, shards, order)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(json.dumps({"CPU s": time.process_time() - began, "MB": grown, **found}))


def main(samples: int, shards: int) -> None:
    print(f"{samples:,} samples on {shards:,} processes")
    for what in MEASURED:
        for order in ORDERS:
            command = [sys.executable, __file__, "--measure", what, str(samples), str(shards), order]
            done = subprocess.run(command, capture_output=True, text=True)
            said = ", ".join(f"{name} {value:,.3g}" for name, value in json.loads(done.stdout or "{}").items())
            print(f"{what:8} {order:28} {said or done.stderr.strip().splitlines()[-1]}", flush=True)
    shard = samples // shards
    for window in (1024, 4096, 16384):
        print(f"initial_fill={window}: a sample of a shard of {shard:,} moves by {spread(shard, window):,.0f} places")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--measure"]:
        measured(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5])
    else:
        given = [int(value.replace("_", "")) for value in sys.argv[1:]]
        main(*(given + [1_000_000_000, 10_000][len(given) :]))
