"""Tar and zip archives: samples like photos of 110 kB, and tiny ones."""

from __future__ import annotations

import io
import random
import tarfile
import zipfile
from pathlib import Path

PHOTOS, PHOTO_BYTES = 1_000, 110_000
TINY, TINY_BYTES = 20_000, 500

CASES = [
    ("Webdataset, photos", "ndd.readers.Webdataset(paths=f'{folder}/photos.tar', ext=['jpg', 'cls'], "
     "index_paths=f'{folder}/photos.idx')", True),
    ("Webdataset, photos, shuffled", "ndd.readers.Webdataset(paths=f'{folder}/photos.tar', ext=['jpg', 'cls'], "
     "index_paths=f'{folder}/photos.idx', random_shuffle=True)", True),
    ("Webdataset, tiny samples", "ndd.readers.Webdataset(paths=f'{folder}/tiny.tar', ext=['jpg', 'cls'], "
     "index_paths=f'{folder}/tiny.idx')", True),
    ("Webdataset, tiny samples, no index", "ndd.readers.Webdataset(paths=f'{folder}/tiny.tar', ext=['jpg', 'cls'])",
     True),
    ("Zip, photos, stored", "ndd.readers.Zip(paths=f'{folder}/photos.zip')", False),
    ("Zip, tiny files, stored", "ndd.readers.Zip(paths=f'{folder}/tiny.zip')", False),
    ("Zip, texts, deflated", "ndd.readers.Zip(paths=f'{folder}/texts.zip', file_filters='*.txt')", False),
]  # fmt: skip


def write(folder: Path) -> None:
    numbers = random.Random(0)
    for name, count, size in (("photos", PHOTOS, PHOTO_BYTES), ("tiny", TINY, TINY_BYTES)):
        samples = [(f"{i:06d}", numbers.randbytes(size + i % 64)) for i in range(count)]
        _write_tar(folder / name, samples)
        _write_zip(
            folder / f"{name}.zip", [(f"class/{stem}.jpg", photo) for stem, photo in samples], zipfile.ZIP_STORED
        )
    texts = [(f"class/{i}.txt", " ".join(map(str, range(i, i + 3000))).encode()) for i in range(PHOTOS)]
    _write_zip(folder / "texts.zip", texts, zipfile.ZIP_DEFLATED)


def _write_zip(path: Path, members: list[tuple[str, bytes]], method: int) -> None:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, contents in members:
            archive.writestr(name, contents)


def _write_tar(stem: Path, samples: list[tuple[str, bytes]]) -> None:
    """With its index, because both libraries are to have the same."""
    lines, end = [], 0
    with tarfile.open(stem.with_suffix(".tar"), "w") as archive:
        for name, photo in samples:
            line = []
            for extension, contents in (("jpg", photo), ("cls", b"7")):
                member = tarfile.TarInfo(f"{name}.{extension}")
                member.size = len(contents)
                archive.addfile(member, io.BytesIO(contents))
                line.append(f"{extension} {end + 512} {len(contents)} {member.name}")
                end += 512 + -(-len(contents) // 512) * 512
            lines.append(" ".join(line))
    stem.with_suffix(".idx").write_text("\n".join([f"v1.2 {len(lines)}", *lines, ""]))
