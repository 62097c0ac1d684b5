"""Video: batches of 2 clips of 360x640, 60 frames each with a key frame every 20; plain is PyAV and its own RGB."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path
from typing import Any

CASES: list[dict[str, str]] = [
    {
        "operator": "decoders.video",
        "call": "ndd.decoders.video(vp9)",
        "plain": "[frames_of(data, range(60)) for data in vp9_files]",
    },
    {
        "operator": "decoders.video (VP9, 8 frames within)",
        "call": "ndd.decoders.video(vp9, start_frame=42, sequence_length=8)",
        "plain": "[frames_of(data, range(42, 50)) for data in vp9_files]",
    },
    {
        "operator": "decoders.video (VP9, every 20th)",
        "call": "ndd.decoders.video(vp9, stride=20)",
        "plain": "[frames_of(data, range(0, 60, 20)) for data in vp9_files]",
    },
    {
        "operator": "decoders.video (MJPEG)",
        "call": "ndd.decoders.video(mjpeg)",
        "plain": "[frames_of(data, range(60)) for data in mjpeg_files]",
    },
    {
        "operator": "decoders.video (MJPEG, frames here and there)",
        "call": "ndd.decoders.video(mjpeg, frames=[50, 3, 27, 11])",
        "plain": "[frames_of(data, (3, 11, 27, 50)) for data in mjpeg_files]",
    },
]

CODECS = {"vp9.webm": "libvpx-vp9", "mjpeg.avi": "mjpeg"}
FOLDER = Path(tempfile.gettempdir()) / "penstock_benchmark_clips"


def inputs(ndd: Any, np: Any) -> dict[str, Any]:
    """penstock's process, which has PyAV, encodes the clips; that of DALI comes after it and finds them."""
    files = {}
    for name in CODECS:
        path = FOLDER / name
        if not path.exists():
            FOLDER.mkdir(exist_ok=True)
            path.write_bytes(encoded(np, name))
        files[path.stem] = [path.read_bytes()] * 2
    batches = {name: ndd.batch([np.frombuffer(data, np.uint8) for data in both]) for name, both in files.items()}
    return batches | {f"{name}_files": both for name, both in files.items()} | {"frames_of": frames_of}


def encoded(np: Any, name: str) -> bytes:
    import av

    file = io.BytesIO()
    y, x = np.mgrid[:360, :640]
    noise = np.random.default_rng(0).normal(0, 12, (360 + 60, 640 + 60, 3))
    with av.open(file, "w", format=name.split(".")[1]) as output:
        stream = output.add_stream(CODECS[name], rate=25, options={"deadline": "realtime", "cpu-used": "8"})
        stream.width, stream.height, stream.gop_size = 640, 360, 20
        stream.pix_fmt = "yuvj420p" if name.startswith("mjpeg") else "yuv420p"
        stream.bit_rate = 2_000_000
        for t in range(60):
            waves = np.stack([np.sin((x + 3 * t) / a + y / b) for a, b in ((30, 50), (-70, 40), (20, -90))], axis=-1)
            image = (128 + 80 * waves + noise[t : t + 360, t : t + 640]).clip(0, 255).astype(np.uint8)
            output.mux(stream.encode(av.VideoFrame.from_ndarray(image)))
        output.mux(stream.encode())
    return file.getvalue()


def frames_of(data: bytes, wanted: Any) -> list[Any]:
    """What a user of PyAV would write: seek to the first, decode on one thread, keep what is wanted."""
    import av

    with av.open(io.BytesIO(data)) as file:
        stream = file.streams.video[0]
        stream.codec_context.thread_count = 1
        step = 1 / stream.average_rate
        file.seek(int(wanted[0] * step / stream.time_base), stream=stream)
        kept = []
        for frame in file.decode(stream):
            if round(frame.time / step) in wanted:
                kept.append(frame.to_ndarray(format="rgb24"))
            if len(kept) == len(wanted):
                break
        return kept
