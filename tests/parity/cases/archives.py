"""Samples from tar archives. `contents_of` runs two epochs of a reader and strings its outputs together."""

from __future__ import annotations

import atexit
import io
import shutil
import tarfile
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

BASIC = [
    ("d/a.jpg", b"aj"), ("d/a.cls", b"ac00"), ("d/b.jpg", b"bj"), ("d/b.seg.png", b"bsp"), ("d/b.cls", b"bc000000"),
    ("d/c.png", b"cp"), ("d/c.cls", b""), ("e.JPG", b"ej"), ("e.cls", b"ec00"),
]  # fmt: skip
ODD = [
    ("a.b/c.jpg", b"0"), ("a.b/c.cls", b"1"), (".hidden.jpg", b"h"), ("bare", b"x"), ("q.jpg", b"q1"), ("q.jpg", b"q2"),
    ("q.cls", b"qc"), ("w.jpg", b"w"), ("v.jpg", b"v"), ("w.cls", b"wc"), ("dots..jpg", b"d"), ("m.png", b"mp"),
    ("m.jpg", b"mj"),
]  # fmt: skip
# Two samples, as wds2idx writes it and as it did before.
INDEXES = {
    "v12.idx": "v1.2 2\njpg 512 2 d/a.jpg cls 1536 4 d/a.cls\njpg 2560 2 d/b.jpg cls 4608 8 d/b.cls\n",
    "v11.idx": "v1.1 2\njpg 512 2 cls 1536 4\njpg 2560 2 cls 4608 8\n",
    "v10.idx": "v1.0 1\njpg 512 2\n",
    "cut.idx": "v1.1 3\njpg 512 2\n",
    "far.idx": "v1.1 1\njpg 51200 2\n",
    "odd.idx": "v1.1 1\njpg 513 2\n",
}
# In the middle of a component.
TRUNCATED = 4700

OPTIONS = [
    "paths=basic, ext=['jpg', 'cls']",
    "paths=[basic, odd], ext=['jpg', 'cls']",
    "paths=basic, ext='jpg;png'",
    "paths=odd, ext=['png;jpg', 'cls', 'bare', '.jpg']",
    "paths=basic, ext=['seg.png', 'cls', 'cls']",
    "paths=basic, ext=['none']",
    "paths=basic, ext=['JPG', 'CLS'], case_sensitive_extensions=False",
    "paths=basic, ext=['jpg', 'cls'], missing_component_behavior='skip'",
    "paths=basic, ext=['jpg', 'cls'], missing_component_behavior='empty'",
    "paths=basic, ext=['jpg', 'cls'], missing_component_behavior='error'",
    "paths=basic, ext=['jpg', 'cls'], missing_component_behavior='bogus'",
    "paths=basic, ext=['jpg', 'cls'], dtypes=[T.UINT8, T.INT32]",
    "paths=basic, ext=['cls'], dtypes=[T.FLOAT16]",
    "paths=basic, ext=['cls'], dtypes=[T.FLOAT64]",
    "paths=basic, ext=['cls'], dtypes=[T.BOOL]",
    "paths=basic, ext=['jpg', 'cls'], dtypes=[T.INT32]",
    "paths=basic, ext=['jpg', 'cls'], index_paths=folder_of + '/v12.idx'",
    "paths=basic, ext=['jpg', 'cls'], index_paths=[folder_of + '/v11.idx']",
    "paths=basic, ext=['jpg'], index_paths=[folder_of + '/v10.idx']",
    "paths=basic, ext=['jpg'], index_paths=[folder_of + '/cut.idx']",
    "paths=basic, ext=['jpg'], index_paths=[folder_of + '/far.idx']",
    "paths=basic, ext=['jpg'], index_paths=[folder_of + '/odd.idx']",
    "paths=[basic, odd], ext=['jpg'], index_paths=[folder_of + '/v12.idx']",
    "paths=long, ext=['jpg', 'cls']",
    "paths=truncated, ext=['jpg', 'cls']",
    "paths='nope.tar', ext=['jpg']",
    "paths=[], ext=['jpg']",
    "paths=[basic, odd], ext=['cls'], random_shuffle=True, seed=4",
    "paths=[basic, odd], ext=['cls'], random_shuffle=True, initial_fill=2",
    "paths=[basic, odd], ext=['cls'], num_shards=3, shard_id=1, pad_last_batch=True",
    "paths=[basic, odd], ext=['cls'], num_shards=2, shard_id=1, stick_to_shard=True",
]

CASES: list[dict[str, Any]] = [
    {
        "operator": "readers.Webdataset",
        "calls": [f"contents_of(ndd.readers.Webdataset({option}), {size})" for option in OPTIONS for size in (None, 3)],
    },
    {
        "operator": "readers.Webdataset (sources)",
        "calls": [
            "sources_of(ndd, ndd.readers.Webdataset(paths=[basic, odd], ext=['jpg;png', 'cls']))",
            "sources_of(ndd, ndd.readers.Webdataset(paths=basic, ext='cls', index_paths=folder_of + '/v12.idx'))",
            "sources_of(ndd, ndd.readers.Webdataset(paths=basic, ext='cls', index_paths=folder_of + '/v11.idx'))",
        ],
    },
    {
        "operator": "readers.Webdataset (pax headers)",
        "deliberate": "long names in pax headers are read; DALI hands out other bytes of the archive",
        "calls": ["contents_of(ndd.readers.Webdataset(paths=pax, ext=['jpg', 'cls']), None)"],
    },
]


def inputs(ndd: Any) -> dict[str, Any]:
    folder = Path(tempfile.mkdtemp(prefix="penstock-parity-"))
    atexit.register(shutil.rmtree, folder)
    for name, text in INDEXES.items():
        (folder / name).write_text(text)
    stem = "p" * 120 + "/" + "n" * 60
    names = [(f"{stem}.jpg", b"1"), (f"{stem}.cls", b"2")]
    archives = {
        "basic": _tar(folder / "basic.tar", BASIC),
        "odd": _tar(folder / "odd.tar", ODD),
        "long": _tar(folder / "long.tar", names, tarfile.GNU_FORMAT),
        "pax": _tar(folder / "pax.tar", names, tarfile.PAX_FORMAT),
    }
    (folder / "truncated.tar").write_bytes((folder / "basic.tar").read_bytes()[:TRUNCATED])
    return archives | {
        "truncated": str(folder / "truncated.tar"),
        "folder_of": str(folder),
        "contents_of": contents_of,
        "sources_of": sources_of,
    }


def contents_of(reader: Any, batch_size: int | None) -> np.ndarray:
    """The bytes of every output over two epochs, each behind its length and its type's name."""
    seen = bytearray()
    for _ in range(2):
        for outputs in reader.next_epoch(batch_size=batch_size):
            for output in outputs:
                for sample in [output] if batch_size is None else output:
                    array = np.asarray(sample)
                    seen += f"{len(array)} {array.dtype}: ".encode() + array.tobytes()
    return np.frombuffer(bytes(seen), np.uint8)


def sources_of(ndd: Any, reader: Any) -> np.ndarray:
    """Where the samples of a batch come from, without the folder."""
    seen = b""
    for output in next(iter(reader.next_epoch(batch_size=8))):
        for source in ndd.get_property(output, key="source_info"):
            seen += np.asarray(source).tobytes().rpartition(b"/penstock-parity-")[2][8:] + b"\n"
    return np.frombuffer(seen, np.uint8)


def _tar(path: Path, members: list[tuple[str, bytes]], form: int = tarfile.USTAR_FORMAT) -> str:
    with tarfile.open(path, "w", format=form) as archive:
        for name, contents in members:
            member = tarfile.TarInfo(name)
            member.size = len(contents)
            archive.addfile(member, io.BytesIO(contents))
    return str(path)
