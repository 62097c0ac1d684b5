"""Video from encoded bytes. On the CPU DALI decodes only VP8, VP9 and MJPEG."""

from __future__ import annotations

from typing import Any

CLIPS = ["clip_vp9", "clip_vp8", "clip_mjpeg", "clip_odd", "clip_444", "clip_full_range", "clip_709", "clip_altref"]
PADDED = "start_frame=10, sequence_length=6, stride=3"

CASES: list[dict[str, Any]] = [
    {
        "operator": "decoders.video",
        "calls": [
            *(f"ndd.decoders.video({name})" for name in CLIPS),
            "ndd.decoders.video(ndd.batch([clip_vp9, clip_mjpeg]))",
            "ndd.decoders.video(clip_vp9, affine=False, build_index=False)",
            "ndd.decoders.video(clip_vp9, start_frame=5)",
            "ndd.decoders.video(clip_vp9, start_frame=-2, sequence_length=4)",
            "ndd.decoders.video(clip_vp9, start_frame=3, end_frame=9)",
            "ndd.decoders.video(clip_vp9, end_frame=30, stride=4)",
            "ndd.decoders.video(clip_mjpeg, stride=7)",
            "ndd.decoders.video(clip_vp9, frames=[19, 0, 10, 10, 5])",
            "ndd.decoders.video(clip_vp9, frames=[])",
            "ndd.decoders.video(clip_vp9, frames=[3, 25, -4], fill_value=[1, 2, 3])",
            "ndd.decoders.video(clip_vp9, sequence_length=0)",
            "ndd.decoders.video(clip_vp9, start_frame=18, sequence_length=4, fill_value=7)",
            f"ndd.decoders.video(clip_vp9, {PADDED}, pad_mode='constant')",
            f"ndd.decoders.video(clip_vp9, {PADDED}, pad_mode='edge')",
            f"ndd.decoders.video(clip_vp9, {PADDED}, pad_mode='repeat')",
            f"ndd.decoders.video(clip_vp9, {PADDED}, pad_mode='reflect')",
            f"ndd.decoders.video(clip_vp9, {PADDED}, pad_mode='reflect_101')",
            f"ndd.decoders.video(clip_vp9, {PADDED}, pad_mode='reflect_1001')",
            f"ndd.decoders.video(clip_vp9, {PADDED}, pad_mode='symmetric')",
            f"ndd.decoders.video(clip_vp9, {PADDED}, pad_mode='none')",
            "ndd.decoders.video(clip_vp9, start_frame=18, sequence_length=50, pad_mode='reflect')",
            "ndd.decoders.video(clip_vp9, start_frame=18, sequence_length=50, pad_mode='symmetric')",
            "ndd.decoders.video(ndd.batch([clip_vp9, clip_mjpeg]), start_frame=ndd.batch([2, 18]), sequence_length=3)",
            "ndd.decoders.video(ndd.batch([clip_vp9, clip_mjpeg]), sequence_length=ndd.batch([2, 4]))",
            "ndd.decoders.video(ndd.batch([clip_vp9, clip_mjpeg]), end_frame=ndd.batch([3, 2]))",
            "ndd.decoders.video(ndd.batch([clip_vp9, clip_mjpeg]), stride=ndd.batch([7, 9]))",
            "ndd.decoders.video(ndd.batch([clip_vp9, clip_mjpeg]), frames=ndd.batch([[2, 4], [5]]))",
            "ndd.decoders.video(clip_vp9, start_frame=20)",
            "ndd.decoders.video(clip_vp9, start_frame=5, end_frame=5)",
            "ndd.decoders.video(clip_vp9, sequence_length=-1)",
            "ndd.decoders.video(clip_vp9, frames=[1], start_frame=2)",
            "ndd.decoders.video(clip_vp9, end_frame=5, sequence_length=2)",
            "ndd.decoders.video(clip_vp9, frames=[3, 25], pad_mode='none')",
            "ndd.decoders.video(clip_vp9, pad_mode='wrong')",
            "ndd.decoders.video(clip_vp9, fill_value=[1, 2])",
            "ndd.decoders.video(clip_vp9, fill_value=300)",
            "ndd.decoders.video(garbage)",
        ],
    },
    {
        "operator": "decoders.video (H.264)",
        "calls": ["ndd.decoders.video(clip_h264)"],
        "deliberate": "DALI decodes H.264 only on a GPU",
    },
    {
        "operator": "experimental.decoders.video",
        "calls": [
            f"ndd.experimental.decoders.video(clip_vp9{arguments})"
            for arguments in ("", ", stride=3", ", frames=[3, 1]", ", start_frame=18, sequence_length=4")
        ],
        "deliberate": "DALI has this older name in pipelines only",
    },
]
