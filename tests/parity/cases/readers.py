"""The order in which readers hand out samples. `labels_of` in inputs.py runs three epochs of a reader."""

from __future__ import annotations

from typing import Any

OPTIONS = [
    "",
    "pad_last_batch=True",
    "random_shuffle=True, seed=5",
    "random_shuffle=True, seed=5, initial_fill=3",
    "random_shuffle=True",
    "shuffle_after_epoch=True",
    "num_shards=3, shard_id=0",
    "num_shards=3, shard_id=2, stick_to_shard=True",
    "num_shards=3, shard_id=1, pad_last_batch=True",
    "random_shuffle=True, seed=9, num_shards=2, shard_id=1, pad_last_batch=True, stick_to_shard=True",
    "num_shards=40, shard_id=1",
    "file_filters=['*3.jpg']",
    "dir_filters=['k*1']",
]

CASES: list[dict[str, Any]] = [
    {
        "operator": "readers.File",
        "calls": [
            f"labels_of(ndd.readers.File(file_root=folder{option and ', '}{option}), {size})"
            for option in OPTIONS
            for size in ("None", "4")
        ],
    },
    {
        "operator": "readers.File (shuffle_after_epoch with shards)",
        "deliberate": "an epoch is as long as the shard that is read; DALI counts with the length of another one",
        "calls": [
            "labels_of(ndd.readers.File(file_root=folder, shuffle_after_epoch=True, num_shards=3, shard_id=1), None)",
            "labels_of(ndd.readers.File(file_root=folder, shuffle_after_epoch=True, num_shards=3, shard_id=1), 4)",
        ],
    },
]
