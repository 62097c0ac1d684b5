"""penstock gallery: every image operator, before and after, with the call that made the picture."""

from __future__ import annotations

import argparse
import ast
import io
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np

import penstock.dynamic as ndd
from penstock import types
from penstock.ops.families import families, title_of
from penstock.schema.operator import Operator
from penstock.viz.pixels import picture as picture_of

HELP = "show what every image operator does to a picture"

_ASSETS = Path(__file__).parent / "assets"
_SEED = 7
Array = np.ndarray[Any, Any]


class ExamplePicture(NamedTuple):
    """A call, the operator it is of, and the names of the pictures before and after it."""

    call: str
    operator: str
    before: str
    after: str


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", type=Path, default=Path("gallery"), metavar="DIR", help="(default: gallery)")


def run(given: argparse.Namespace) -> int:
    """Writes the pictures and index.md into `out`."""
    out: Path = given.out
    out.mkdir(parents=True, exist_ok=True)
    pictures = inputs()
    shown = gallery()
    for each in (each for family in shown.values() for each in family):
        _write(out / f"{each.before}.jpg", picture(pictures[each.before]))
        _write(out / f"{each.after}.jpg", picture(evaluated(each.call, pictures)))
    (out / "index.md").write_text(index_text(shown))
    print(f"{sum(map(len, shown.values()))} pictures: {out / 'index.md'}")
    return 0


def gallery() -> dict[str, list[ExamplePicture]]:
    """The drawn examples of all operators by family; video needs PyAV."""
    found = {title_of(family): [each for op in ops for each in shown_by(op)] for family, ops in families()}
    return {title: shown for title, shown in found.items() if shown}


def shown_by(op: Operator) -> list[ExamplePicture]:
    """The second and later pictures of an operator are numbered."""
    drawn = [example for example in op.examples if example.drawn]
    if find_spec("av") is None:
        drawn = [example for example in drawn if "clip" not in example.names]
    return [
        ExamplePicture(example.call, op.path, _before(example.call), op.path + (f"-{number}" if number > 1 else ""))
        for number, example in enumerate(drawn, 1)
    ]


def _before(call: str) -> str:
    """The name of the call's first input; a file is shown as the picture in it."""
    parsed = ast.parse(call, mode="eval").body
    assert isinstance(parsed, ast.Call), call
    first = ast.unparse(parsed.args[0])
    return "image" if first in ("jpeg", "clip") else first


def inputs() -> dict[str, Any]:
    """What the calls are given by name."""
    jpeg, other = (
        ndd.tensor(np.fromfile(_ASSETS / name, np.uint8)) for name in ("dunes/dawn.jpg", "mountains/dusk.jpg")
    )
    image = ndd.resize(ndd.decoders.image(jpeg), size=[180, 240])
    pixels = np.asarray(image)
    y, x = np.mgrid[:180, :240].astype(np.float32)
    clip = {"clip": ndd.tensor(_clip(pixels))} if find_spec("av") else {}
    sound = ndd.tensor(_sound())
    power = ndd.spectrogram(sound, nfft=320, window_length=320, window_step=50)
    return clip | {
        "sound": sound,
        "power": power,
        "decibels": ndd.to_decibels(power, cutoff_db=-60.0),
        "jpeg": jpeg,
        "image": image,
        "other": ndd.resize(ndd.decoders.image(other), size=[180, 240]),
        "frames": ndd.tensor(np.stack([pixels[:, left : left + 100] for left in (0, 70, 140)]), layout="FHWC"),
        "mosaic": ndd.tensor(_mosaic(pixels), layout="HW"),
        "mapx": ndd.tensor(x + 8 * np.sin(y / 12), layout="HW"),
        "mapy": ndd.tensor(y + 8 * np.sin(x / 16), layout="HW"),
    }


def _clip(pixels: Array) -> Array:
    """A film of 40 frames: a view of 120x120 that moves over the picture."""
    import av

    file = io.BytesIO()
    with av.open(file, "w", format="avi") as output:
        stream = output.add_stream("mjpeg", rate=25)
        stream.width, stream.height, stream.pix_fmt = 120, 120, "yuvj420p"
        for t in range(40):
            left, top = 3 * t, int(30 + 30 * np.sin(t / 6))
            view = np.ascontiguousarray(pixels[top : top + 120, left : left + 120])
            output.mux(stream.encode(av.VideoFrame.from_ndarray(view)))
        output.mux(stream.encode())
    return np.frombuffer(file.getvalue(), np.uint8)


def _sound() -> Array:
    """A second and a half at 8 kHz: a tone that rises and two that stay, each with the one above it."""
    time = np.arange(12000, dtype=np.float32) / 8000
    phases = 2 * np.pi * np.stack([300 * time + 700 * time**2, 440 * time, 2000 * time])
    loudness = np.stack([np.ones_like(time), time < 0.7, np.abs(time - 0.9) < 0.2])
    return np.asarray((loudness * (np.sin(phases) + 0.3 * np.sin(2 * phases))).sum(0) / 4, np.float32)


def _mosaic(pixels: Array) -> Array:
    """What a sensor behind a Bayer filter sees: red, green / green, blue."""
    seen = pixels[:, :, 1].copy()
    seen[::2, ::2] = pixels[::2, ::2, 0]
    seen[1::2, 1::2] = pixels[1::2, 1::2, 2]
    return seen


def evaluated(call: str, given: dict[str, Any]) -> ndd.Tensor:
    """The first result of the call."""
    ndd.random.set_seed(_SEED)
    result = eval(call, {"ndd": ndd, "types": types, **given})
    first: ndd.Tensor = result[0] if isinstance(result, tuple) else result
    return first


def picture(value: ndd.Tensor) -> Array:
    """As H, W, 3 bytes, frames side by side."""
    frames = picture_of(np.asarray(value), value.layout or "").frames
    if len(frames) == 1:
        return frames[0]
    gap = np.full_like(frames[0][:, :4], 255)
    return np.concatenate([part for frame in frames for part in (frame, gap)], axis=1)


def index_text(shown: dict[str, list[ExamplePicture]]) -> str:
    lines = [
        "<!-- Written by `make gallery`: edit src/penstock/cli/gallery.py. -->",
        "",
        "# Gallery",
        "",
        "Written by `penstock gallery`: a picture is what the call above it made. `image` is an RGB image of 240x180,",
        "`jpeg` the file it is from, twice as large, and `clip` a video of a view that moves over it; floats are",
        "stretched from black to white, frames side by side.",
    ]
    for family, members in shown.items():
        lines += ["", f"## {family}"]
        for each in members:
            lines += ["", f"**{each.operator}**", "", entry_text(each)]
    return "\n".join([*lines, ""])


def entry_text(each: ExamplePicture, folder: str = "") -> str:
    """The call and the pictures before and after it, which are in `folder`."""
    pictures = " | ".join(f"![{name}]({folder}{name}.jpg)" for name in (each.before, each.after))
    return f"```python\n{each.call}\n```\n\n| before | after |\n|---|---|\n| {pictures} |"


def _write(path: Path, drawn: Array) -> None:
    cv2.imwrite(str(path), drawn[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 85])
