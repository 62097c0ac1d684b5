"""Video files, by FFmpeg behind our reading of their packets."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import penstock.dynamic as ndd
from fuzz.target import LIMIT, Target
from video.clips import clip


def clips() -> list[bytes]:
    small = {"size": (32, 32), "gop": 3}
    return [
        clip("libvpx-vp9", "webm", 6, **small),
        clip("libx264", "mp4", 6, b_frames=2, **small),
        clip("mjpeg", "avi", 3, pixels="yuvj420p", **small),
        clip("mpeg4", "mp4", 6, **small),
    ]


def decode(data: bytes, folder: Path) -> None:
    with ndd.EvalMode.sync_cpu:
        ndd.decoders.video(np.frombuffer(data, np.uint8), sequence_length=4, max_bytes=LIMIT).evaluate()


TARGETS = {"video": Target(clips, decode)}
