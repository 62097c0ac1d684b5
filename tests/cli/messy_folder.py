"""A folder of images with one of everything that may be wrong or odd about them."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
from PIL import Image

ASSETS = Path(__file__).resolve().parents[2] / "src/penstock/cli/assets"
BAD = {
    "a/cut.jpg": "truncated", "a/cut.png": "truncated", "a/scratched.jpg": "corrupt", "a/empty.jpg": "empty",
    "a/page.jpg": "not an image",
}  # fmt: skip
ODD = {
    "b/cmyk.jpg": ("CMYK",), "b/turned.jpg": ("EXIF-turned",), "b/deep.png": ("16-bit", "grey"),
    "b/film.gif": ("animated",), "b/film.webp": ("animated",), "b/film.png": ("animated",),
    "b/pages.tiff": ("animated",), "b/tiny.png": ("tiny",), "b/clear.png": ("transparent",),
    "b/says_jpeg.jpg": ("wrong suffix",),
}  # fmt: skip


def make(folder: Path) -> Path:
    """Makes the folder: classes a and b, and three copies of one picture."""
    photo = sorted(ASSETS.glob("*/*.jpg"))[0]
    image = Image.open(photo).resize((96, 72))
    for name in ("a", "b", "c"):
        (folder / name).mkdir(parents=True)
    bytes_of = photo.read_bytes()
    (folder / "a/cut.jpg").write_bytes(bytes_of[: len(bytes_of) // 2])
    scratched = np.frombuffer(bytes_of, np.uint8).copy()
    scratched[len(scratched) // 2 :][:300] = np.random.default_rng(0).integers(0, 256, 300)
    (folder / "a/scratched.jpg").write_bytes(scratched.tobytes())
    (folder / "a/empty.jpg").touch()
    (folder / "a/page.jpg").write_text("<html>404</html>")
    image.save(folder / "a/whole.png")
    whole = (folder / "a/whole.png").read_bytes()
    (folder / "a/cut.png").write_bytes(whole[: len(whole) // 2])
    _make_odd(folder / "b", image)
    for name in ("b/first.jpg", "b/again.jpg", "c/other.jpg"):
        shutil.copy(photo, folder / name)
    (folder / "c/notes.txt").write_text("not an image")
    return folder


def _make_odd(folder: Path, image: Image.Image) -> None:
    image.convert("CMYK").save(folder / "cmyk.jpg")
    exif = image.getexif()
    exif[274] = 6
    image.save(folder / "turned.jpg", exif=exif)
    Image.fromarray(np.arange(40 * 50, dtype=np.uint16).reshape(40, 50) * 30).save(folder / "deep.png")
    frames = [image.rotate(angle) for angle in (90, 180)]
    for name in ("film.gif", "film.webp", "film.png", "pages.tiff"):
        image.save(folder / name, save_all=True, append_images=frames)
    image.resize((20, 15)).save(folder / "tiny.png")
    image.convert("RGBA").save(folder / "clear.png")
    image.rotate(45).save(folder / "says_jpeg.jpg", format="PNG")
