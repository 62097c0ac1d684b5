"""Arrays from files of numpy.save. FITS files cannot be compared: DALI reads them on machines with a GPU only."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

KINDS = ("bool", "u1", "u2", "u4", "u8", "i1", "i2", "i4", "i8", "f2", "f4", "f8")
REGIONS = [
    "roi_start=[1, 1, 1]",
    "roi_start=1",
    "roi_end=[2, 2, 2]",
    "roi_shape=[1, 2, 3]",
    "roi_start=[1, 1, 1], roi_end=[2, 3, 4]",
    "roi_start=[1, 1, 1], roi_shape=[1, 3, 4]",
    "roi_start=[1.5, 1, 1]",
    "roi_start=[]",
    "roi_axes=[1], roi_start=[1], roi_end=[3]",
    "roi_axes=[2, 0], roi_start=[1, 1], roi_shape=[2, 1]",
    "roi_axes=-1, roi_start=1, roi_end=3",
    "roi_axes=[1]",
    "rel_roi_start=[0.4, 0.5, 0.5], rel_roi_end=[1, 1, 1]",
    "rel_roi_start=[0.3, 0.3, 0.3], rel_roi_shape=[0.5, 0.5, 0.5]",
    "rel_roi_start=[0.1, 0.5, 0.9], rel_roi_shape=0.3, out_of_bounds_policy='pad'",
    "rel_roi_start=[0.3, 0.3, 0.3], roi_end=[2, 4, 5]",
    "roi_start=[1, 1, 1], rel_roi_shape=[0.5, 0.5, 0.5]",
    "roi_start=[1, 1, 1], roi_end=[1, 2, 2]",
    "roi_start=[1, 1, 1], roi_shape=[3, 4, 5], out_of_bounds_policy='pad', fill_value=7.6",
    "roi_start=[-1, -1, -1], roi_shape=[2, 2, 3], out_of_bounds_policy='PAD', fill_value=-1",
    "roi_start=[-1, 1, 1], roi_shape=[3, 4, 5], out_of_bounds_policy='trim_to_shape'",
    "roi_start=[5, 5, 5], roi_shape=[2, 1, 2], out_of_bounds_policy='pad', fill_value=9",
    "roi_start=[5, 5, 5], roi_shape=[2, 1, 2], out_of_bounds_policy='trim_to_shape'",
]
ERRORS = [
    "files=npy_cube, roi_start=[1, 1]",
    "files=npy_cube, roi_start=[-1, 0, 0]",
    "files=npy_cube, roi_start=[1, 1, 1], roi_shape=[3, 3, 3]",
    "files=npy_cube, roi_shape=[-1, 1, 1], out_of_bounds_policy='pad'",
    "files=npy_cube, roi_start=[2, 1, 1], roi_end=[1, 2, 2]",
    "files=npy_cube, roi_start=[1, 1, 1], rel_roi_start=[0, 0, 0]",
    "files=npy_cube, roi_end=[1, 1, 1], roi_shape=[1, 1, 1]",
    "files=npy_cube, roi_axes=[3], roi_start=[1]",
    "files=npy_cube, roi_axes=[1, 1], roi_start=[1, 1]",
    "files=npy_cube, roi_axes=[1], roi_start=[1, 1]",
    "files=npy_cube, rel_roi_start=[float('nan')] * 3",
    "files=npy_cube, out_of_bounds_policy='wrap'",
    "files=npy_cube, use_o_direct=True",
    "files=[npy_folder + '/f4.npy', npy_folder + '/i4.npy']",
    "files=[npy_folder + '/f4.npy', npy_cube]",
    "files=npy_folder + '/complex.npy'",
    "files=npy_folder + '/object.npy'",
    "files=npy_folder + '/cut.npy'",
    "files=npy_folder + '/empty'",
    "files='nope.npy'",
    "files=[]",
    "file_root=npy_folder + '/nope'",
    "file_root=npy_folder, file_filter='nope'",
]
FOUND = [
    "file_root=npy_tree",
    "file_root=npy_tree + '/'",
    "file_root=npy_tree, file_filter='[bc]*'",
    "file_root=npy_tree, files=['sub/c.npy', 'a.npy']",
    "file_list=npy_tree + '/list.txt'",
    "file_list=npy_tree + '/list.txt', file_root=npy_tree",
    "file_root=npy_tree, random_shuffle=True, seed=4",
    "file_root=npy_tree, num_shards=2, shard_id=1",
    "file_root=npy_tree, num_shards=2, pad_last_batch=True",
    "file_root=npy_tree, cache_header_information=True, register_buffers=False, dont_use_mmap=True, use_o_direct=True",
]
FILLS = [
    f"files=npy_folder + '/{kind}.npy', roi_start=[1, 1], roi_shape=[2, 3], out_of_bounds_policy='pad', fill_value={v}"
    for kind in KINDS
    for v in (2.5, -3, 300)
]
CALLS = [
    ("roi_end=[2, 4, 5]", "roi_start=[1, 1, 1]"),
    ("roi_end=2", "roi_start=ndd.batch([np.array([1, 1, 1], 'i4'), np.array([0, 2, 2], 'i4')])"),
    ("roi_start=1", "rel_roi_end=ndd.batch([np.array([1, 1, 1], 'f4'), np.array([0.5, 0.5, 1], 'f4')])"),
    ("roi_axes=[1]", "roi_start=ndd.batch([1, 2], dtype=ndd.int32)"),
    ("roi_end=2", "roi_start=ndd.batch([np.array([1, 1, 1], 'i4')] * 3)"),
    ("roi_end=2", "roi_end=2"),
    ("roi_end=2", "roi_shape=2"),
    ("roi_end=2", "fill_value=1"),
]


def reader(options: str) -> str:
    return f"ndd.readers.Numpy({options}, max_batch_size=2)"


CASES: list[dict[str, Any]] = [
    {
        "operator": "readers.Numpy",
        "calls": [
            *(f"arrays_in({reader(option)}, 2)" for option in FOUND),
            *(f"arrays_in({reader(f'files=npy_folder + {name!r}')}, 2)" for name in map("/{}.npy".format, KINDS)),
            "arrays_in(ndd.readers.Numpy(files=npy_folder + '/number.npy', roi_start=1), None)",
            "arrays_in(ndd.readers.Numpy(files=npy_folder + '/none.npy'), None)",
            "arrays_in(ndd.readers.Numpy(files=npy_folder + '/longer.npy'), None)",
        ],
    },
    {
        "operator": "readers.Numpy (regions)",
        "calls": [
            *(f"arrays_in({reader(f'files=[{file}], {region}')}, 2)"
              for region in REGIONS for file in ("npy_cube, npy_half", "npy_turned, npy_cube")),
            *(f"arrays_in({reader(option)}, 2)" for option in FILLS),
            *(f"{reader(f'files=[npy_cube, npy_half], {own}')}(batch_size=2, {given})" for own, given in CALLS),
            "ndd.readers.Numpy(files=[npy_cube], roi_start=[1, 1, 1])(roi_start=[1, 1, 1])",
            "ndd.readers.Numpy(files=[npy_cube])(roi_start=ndd.as_tensor(np.array([1, 1, 1], 'i4')))",
            "ndd.readers.Numpy(files=[npy_cube], roi_start=ndd.as_tensor(np.array([1, 1, 1], 'i4')))()",
            "ndd.readers.Numpy(files=[npy_cube], roi_start=ndd.batch([[1, 1, 1]]))()",
        ],
    },
    {
        "operator": "readers.Numpy (errors)",
        "calls": [f"arrays_in({reader(option)}, 2)" for option in ERRORS],
    },
    {
        "operator": "readers.Numpy (sources)",
        "calls": [f"files_in(ndd, {reader(option)})" for option in FOUND],
    },
    {
        "operator": "readers.Numpy (other files)",
        "deliberate": "big-endian arrays and later versions of the format are read; other formats are refused",
        "calls": [
            f"arrays_in(ndd.readers.Numpy(files=npy_folder + '/{name}.npy'), None)"
            for name in ("big", "version2", "magic", "version9")
        ],
    },
]  # fmt: skip


def inputs(ndd: Any) -> dict[str, Any]:
    folder = Path(tempfile.mkdtemp(prefix="penstock-parity-"))
    atexit.register(shutil.rmtree, folder)
    npy_cube = np.arange(60, dtype=np.int32).reshape(3, 4, 5)
    arrays = {kind: (np.arange(6) % 2 * 3).reshape(2, 3).astype(kind) for kind in KINDS}
    arrays |= {
        "npy_cube": npy_cube,
        "npy_half": npy_cube[:2] + 100,
        "npy_turned": np.asfortranarray(npy_cube),
        "number": np.float32(3),
    }
    arrays |= {
        "none": np.zeros((0, 3)),
        "complex": np.zeros(2, "c8"),
        "object": np.array([None]),
        "big": npy_cube.astype(">i4"),
    }
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)
    contents = (folder / "npy_cube.npy").read_bytes()
    with open(folder / "version2.npy", "wb") as file:
        np.lib.format.write_array(file, npy_cube, (2, 0))
    damaged = {
        "cut.npy": contents[:-4],
        "longer.npy": contents + b"more",
        "empty": b"",
        "magic.npy": b"X" + contents[1:],
        "version9.npy": contents[:6] + b"\x09" + contents[7:],
    }
    for name, data in damaged.items():
        (folder / name).write_bytes(data)
    for name in ("b", "a", ".h", "sub/c", "sub/deep/d", "-s/e"):
        path = folder / "npy_tree" / f"{name}.npy"
        path.parent.mkdir(exist_ok=True, parents=True)
        np.save(path, npy_cube[: len(name)])
    (folder / "npy_tree/list.txt").write_text("b.npy\n\nsub/c.npy")
    paths = {name: str(folder / f"{name}.npy") for name in ("npy_cube", "npy_half", "npy_turned")}
    return paths | {
        "np": np,
        "npy_tree": str(folder / "npy_tree"),
        "npy_folder": str(folder),
        "arrays_in": arrays_in,
        "files_in": files_in,
    }


def arrays_in(reader: Any, batch_size: int | None) -> np.ndarray:
    """The arrays of two epochs, each behind its shape and its type's name."""
    seen = bytearray()
    for _ in range(2):
        for (output,) in reader.next_epoch(batch_size=batch_size):
            for sample in [output] if batch_size is None else output:
                array = np.asarray(sample)
                seen += f"{array.shape} {array.dtype}: ".encode() + array.tobytes()
    return np.frombuffer(bytes(seen), np.uint8)


def files_in(ndd: Any, reader: Any) -> np.ndarray:
    """Where the samples of an epoch come from."""
    seen = b""
    for (output,) in reader.next_epoch(batch_size=2):
        for source in ndd.get_property(output, key="source_info"):
            seen += np.asarray(source).tobytes() + b"\n"
    return np.frombuffer(seen, np.uint8)
