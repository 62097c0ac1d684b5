"""Draws the pictures of `penstock demo`: four kinds of landscape in three lights each, as small JPEGs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

FOLDER = Path(__file__).resolve().parent.parent / "src/penstock/cli/assets"
WIDTH, HEIGHT = 480, 360
DRAWN_AT = 2  # drawn larger and reduced, which smooths the edges
W, H = WIDTH * DRAWN_AT, HEIGHT * DRAWN_AT
Array = np.ndarray


class Light(NamedTuple):
    """Colours of a time of day, and where the sun stands (as fractions of the picture)."""

    name: str
    zenith: str
    horizon: str
    ground: str
    sun: tuple[float, float]


LIGHTS = (
    Light("dawn", "#3d5a80", "#f7b98b", "#38304d", (0.28, 0.46)),
    Light("noon", "#2a78c2", "#cfe8f5", "#2f5d50", (0.70, 0.18)),
    Light("dusk", "#2b1b4d", "#ef6a4c", "#1b1230", (0.60, 0.50)),
)
X = np.linspace(0, 1, W)[None, :, None]
Y = np.linspace(0, 1, H)[:, None, None]


def colour(code: str) -> Array:
    return np.array([int(code[i : i + 2], 16) for i in (1, 3, 5)], np.float64)


def mix(a: Array, b: Array, share: Array | float) -> Array:
    return a + (b - a) * share


def ridge(rng: np.random.Generator, height: float, rough: float, octaves: int) -> Array:
    """A skyline: sines of falling amplitude and rising frequency."""
    line = np.full(W, height)
    for octave in range(1, octaves + 1):
        frequency = 1.7**octave
        line += rough * 0.62**octave * np.sin(2 * np.pi * (frequency * X[0, :, 0] + rng.uniform()))
    return line[None, :, None]


def sky(light: Light) -> Array:
    picture = mix(colour(light.zenith), colour(light.horizon), np.clip(Y / 0.62, 0, 1) ** 1.3) + 0 * X
    distance = np.hypot((X - light.sun[0]) * W / H, Y - light.sun[1])
    glow = np.exp(-((distance / 0.28) ** 2)) * 0.55 + (distance < 0.05)
    return mix(picture, colour("#fff3d6"), np.clip(glow, 0, 1))


def mountains(light: Light, rng: np.random.Generator) -> Array:
    picture = sky(light)
    for layer in range(5):
        nearness = layer / 4
        tone = mix(colour(light.horizon), colour(light.ground), 0.25 + 0.75 * nearness)
        above = ridge(rng, 0.42 + 0.11 * layer, 0.10 - 0.012 * layer, octaves=8) < Y
        mist = np.clip((Y - 0.4) * 0.35 * (1 - nearness), 0, 1)
        picture = np.where(above, mix(tone, colour(light.horizon), mist), picture)
    return picture


def seas(light: Light, rng: np.random.Generator) -> Array:
    depth = np.clip((Y - 0.58) / 0.42, 1e-3, 1)
    waves = sum(
        np.sin(2 * np.pi * (k * 0.9 / depth**0.8 + rng.uniform(2, 5) * X + rng.uniform())) / k for k in range(1, 6)
    )
    water = mix(colour(light.horizon), colour(light.ground), depth**0.5) + 10 * waves
    glitter = np.exp(-(((X - light.sun[0]) / (0.03 + 0.14 * depth)) ** 2)) * np.clip(waves, 0, 1)
    return np.where(Y > 0.58, mix(water, colour("#fff3d6"), 0.8 * glitter), sky(light))


def dunes(light: Light, rng: np.random.Generator) -> Array:
    picture = sky(light)
    sand = mix(colour("#e0a96d"), colour(light.horizon), 0.25)
    for layer in range(4):
        crest = ridge(rng, 0.55 + 0.12 * layer, 0.09, octaves=2)
        slope = np.gradient(crest[0, :, 0])[None, :, None] * W
        ripples = np.sin(2 * np.pi * (25 * (Y - crest) + 3 * X)) * 3
        shade = np.clip(0.75 - 0.8 * slope - 0.8 * (Y - crest), 0.2, 1)
        picture = np.where(crest < Y, mix(colour(light.ground), sand, shade) + ripples, picture)
    return picture


def planets(light: Light, rng: np.random.Generator) -> Array:
    picture = mix(colour("#05060f"), colour(light.ground), 0.5 * Y + 0.2 * np.sin(3 * X + 5 * Y)) + 0 * X
    for x, y, size in rng.uniform(size=(160, 3)):
        centre = (int(x * W), int(y * H))
        cv2.circle(picture, centre, 1 + int(size**4 * 3), (235, 235, 245), -1)
    radius = 0.30 + 0.08 * light.sun[0]
    x, y = (X - 0.5) * W / H / radius, (Y - 0.52) / radius
    z = np.sqrt(np.clip(1 - x**2 - y**2, 0, 1))
    bands = 0.5 + 0.5 * np.sin(14 * y + 1.5 * np.sin(3 * x + 2 * y) + 6 * light.sun[1])
    lit = np.clip(-0.6 * x - 0.35 * y + 0.75 * z, 0.04, 1)
    surface = mix(colour(light.zenith), colour(light.horizon), bands) * lit
    return np.where(x**2 + y**2 < 1, surface, picture)


SCENES: tuple[Callable[[Light, np.random.Generator], Array], ...] = (mountains, seas, dunes, planets)


def main() -> None:
    for kind, scene in enumerate(SCENES):
        for hour, light in enumerate(LIGHTS):
            picture = np.clip(scene(light, np.random.default_rng([kind, hour])), 0, 255).astype(np.uint8)
            small = cv2.resize(picture, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA)
            path = FOLDER / scene.__name__ / f"{light.name}.jpg"
            path.parent.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(path), cv2.cvtColor(small, cv2.COLOR_RGB2BGR), [cv2.IMWRITE_JPEG_QUALITY, 80])


if __name__ == "__main__":
    main()
