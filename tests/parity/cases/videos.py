"""Readers of videos: order, labels, frame numbers, times, padding and frames, on what DALI decodes on the CPU."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

READER = "ndd.experimental.readers.Video"
WHOLE = 'sequence_length=30, pad_mode="constant", file_list_include_end=False'
ROUNDINGS = ("start_down_end_up", "start_up_end_down", "all_up", "all_down")
MODES = ("none", "constant", "edge", "repeat", "reflect_1001", "symmetric", "reflect_101", "reflect")


def inputs(ndd: Any) -> dict[str, Any]:
    return {"numbers_of": numbers_of, "frames_of": frames_of, "listed": listed}


def numbers_of(reader: Any, batch_size: int = 1, epochs: int = 2) -> np.ndarray:
    """What comes beside the frames, over some epochs; -7 ends an output, -8 a batch, -9 an epoch."""
    seen: list[float] = []
    for _ in range(epochs):
        for _, *others in reader.next_epoch(batch_size=batch_size):
            for output in others:
                seen += [float(value) for sample in output for value in np.asarray(sample).ravel()] + [-7]
            seen.append(-8)
        seen.append(-9)
    return np.array(seen)


def frames_of(reader: Any) -> np.ndarray:
    """The frames of an epoch of sequences of one size."""
    return np.concatenate([np.asarray(sample) for (frames,) in reader.next_epoch(batch_size=1) for sample in frames])


def listed(folder: str, *lines: str) -> str:
    """A file with the lines; names in it are those of the folder."""
    path = Path(folder).parent / "list.txt"
    path.write_text("\n".join(f"{Path(folder).parent}/{line}" for line in lines))
    return str(path)


def numbers(arguments: str, size: int = 1) -> str:
    beside = 'enable_frame_num="sequence", enable_timestamps=True'
    return f"numbers_of({READER}({beside}, {arguments}), {size})"


def of_list(*lines: str, arguments: str) -> str:
    return numbers(f"file_list=listed(folder, {', '.join(map(repr, lines))}), {arguments}")


FOLDERS = "file_root=folder + '/../clips'"
ONE = 'filenames=[folder + "/../clip_vp9.webm"]'
CASES: list[dict[str, Any]] = [
    {
        "operator": "experimental.readers.Video",
        "calls": [
            *(numbers(f"{ONE}, {more}") for more in (
                "sequence_length=4", "sequence_length=4, step=2, stride=2", "sequence_length=3, stride=6, labels=[5]",
                "sequence_length=4, step=1, stride=3", "sequence_length=20", "sequence_length=21",
                "sequence_length=5, step=0",
            )),
            *(numbers(f'{ONE}, sequence_length=6, pad_mode="{mode}"') for mode in MODES),
            *(numbers(f'{ONE}, sequence_length=7, stride=2, step=5, pad_mode="{mode}"') for mode in MODES),
            *(numbers(f'{ONE}, sequence_length=50, pad_mode="{mode}"') for mode in MODES[1:]),
            *(numbers(f"{FOLDERS}, sequence_length=5, {more}", size) for size in (1, 3) for more in (
                "labels=None", "pad_mode='edge'", "uniform_sample=True", "random_shuffle=True, seed=4, step=2",
                "num_shards=3, shard_id=1", "num_shards=2, stick_to_shard=True, step=1",
                "num_shards=2, shard_id=1, pad_last_batch=True, random_shuffle=True, seed=8",
                "random_shuffle=True, seed=2, initial_fill=2",
            )),
            *(
                of_list(f"clip_vp9.webm 3 {part}", arguments=f'{WHOLE}, file_list_rounding="{how}"')
                for part in ("0.25 0.55", "0.2 0.6") for how in ROUNDINGS
            ),
            of_list("clip_vp9.webm 3 2 8", arguments=f'{WHOLE}, file_list_format="frames"'),
            of_list("clip_vp9.webm 3 -9 -2", "clip_mjpeg.avi 4", arguments=f'{WHOLE}, file_list_format="frames"'),
            of_list("clip_vp9.webm 3", "", "clip_mjpeg.avi 0", arguments="sequence_length=6"),
            of_list("clip_vp9.webm 3 2 9", arguments='file_list_include_end=False, file_list_format="frames", '
                    'sequence_length=12, stride=2, pad_mode="reflect_1001"'),
            of_list("clip_vp9.webm 3 2 9", arguments='file_list_include_end=False, file_list_format="frames", '
                    "sequence_length=6, uniform_sample=True"),
            numbers(f'{ONE}, sequence_length=3, pad_mode="wrap"'),
            numbers(f"{ONE}, sequence_length=3, labels=[1, 2]"),
            numbers(f"{ONE}, sequence_length=3, file_root=folder"),
            numbers("sequence_length=3"),
            numbers("file_root='nowhere', sequence_length=3"),
            numbers(f"{ONE}, sequence_length=3, image_type=T.BGR"),
            f"{READER}({ONE})",
        ],
    },
    {
        "operator": "experimental.readers.Video (frames)",
        "within": 1,
        "share": 0.999,
        "calls": [
            f"frames_of({READER}(filenames=[folder + '/../clip_{name}'], sequence_length=5, {more}))"
            for name in ("vp9.webm", "vp8.webm", "mjpeg.avi", "odd.webm")
            for more in ("stride=1", "step=3", "pad_mode='edge', step=4", "pad_mode='constant', fill_value=[9, 80, 2]")
        ],
    },
    {
        "operator": "experimental.readers.Video (where lists end, and bad files)",
        "deliberate": "file_list_include_end includes the end, as documented; files that are no videos are refused",
        "calls": [
            of_list("clip_vp9.webm 3 2 8", arguments='sequence_length=30, pad_mode="edge", file_list_format="frames"'),
            of_list("clip_vp9.webm 3 0.25 0.55", arguments='sequence_length=30, pad_mode="edge"'),
            of_list("clip_vp9.webm 3 0.2 30", arguments="sequence_length=4"),
            numbers('filenames=[folder + "/../clip_vp9.webm", "nowhere.mp4"], sequence_length=4'),
            numbers('filenames=[folder + "/../clip_h264.mp4"], sequence_length=4'),
            numbers(f"{ONE}, sequence_length=4, labels=[]"),
        ],
    },
]  # fmt: skip
