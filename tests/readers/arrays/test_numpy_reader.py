"""`readers.Numpy`: finding files, types, orders, regions, URLs, saved state."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import fsspec
import hypothesis.strategies as st
import numpy as np
import pytest
from fsspec.implementations.memory import MemoryFileSystem
from hypothesis import given, settings
from hypothesis.extra import numpy as arrays

import penstock.dynamic as ndd
from penstock.readers import Numpy
from penstock.storage import Storage
from penstock.values.dtypes import NUMERIC
from readers.promises import check_resume, values
from readers.servers import FolderServer

CUBE = np.arange(60, dtype=np.int32).reshape(3, 4, 5)


def save(path: Path, array: Any, version: tuple[int, int] | None = None) -> str:
    path.parent.mkdir(exist_ok=True, parents=True)
    with open(path, "wb") as file:
        np.lib.format.write_array(file, np.asanyarray(array), version)
    return str(path)


def read(path: Any, **options: Any) -> np.ndarray:
    return Numpy(files=path, **options).read([0])[0].sample(0)


@pytest.fixture
def cubes(tmp_path):
    return [save(tmp_path / "0.npy", CUBE), save(tmp_path / "1.npy", CUBE[:2] + 100)]


@pytest.mark.parametrize("dtype", NUMERIC, ids=str)
@pytest.mark.parametrize("order", ["C", "F"])
def test_every_type_order_and_version(tmp_path, dtype, order):
    array = np.array([[0, 1, 1], [1, 0, 1]], dtype.storage, order=order)
    for version in ((1, 0), (2, 0), (3, 0)):
        path = save(tmp_path / "a.npy", array, version)
        np.testing.assert_array_equal(read(path), array, strict=True)
        np.testing.assert_array_equal(read(path, roi_start=[0, 1]), array[:, 1:], strict=True)


@pytest.mark.parametrize("kind", [">f4", ">i2", ">u8", ">f2"])
def test_the_other_byte_order(tmp_path, kind):
    path = save(tmp_path / "a.npy", CUBE.astype(kind))
    np.testing.assert_array_equal(read(path), CUBE.astype(kind[1:]), strict=True)
    for policy in ("const", "Constant", "pad"):
        padded = read(path, roi_start=[2, 3, 4], roi_shape=[1, 1, 2], out_of_bounds_policy=policy, fill_value=7)
        assert padded.tolist() == [[[59, 7]]]


def test_numbers_and_empty_arrays(tmp_path):
    assert read(save(tmp_path / "a.npy", np.float32(3)), roi_start=[1]) == 3
    assert read(save(tmp_path / "b.npy", np.zeros((3, 0, 2)))).shape == (3, 0, 2)
    padded = read(tmp_path / "b.npy", roi_shape=[1, 2, 1], out_of_bounds_policy="pad", fill_value=4)
    assert padded.ravel().tolist() == [4, 4]


def test_headers_as_others_write_them(tmp_path):
    text = b'{"shape":(2L,),"fortran_order":False,"descr":"<i2"}\n'
    (tmp_path / "a.npy").write_bytes(b"\x93NUMPY\1\0" + len(text).to_bytes(2, "little") + text + b"\1\0\2\0 and more")
    assert read(tmp_path / "a.npy").tolist() == [1, 2]


def test_batches_are_one_block_where_shapes_agree(tmp_path, cubes):
    assert Numpy(files=[cubes[0]] * 3).read([0, 1, 2])[0].dense
    ((batch,),) = ndd.readers.Numpy(files=cubes).next_epoch(batch_size=2)
    assert (batch.shape, batch.dtype) == ([(3, 4, 5), (2, 4, 5)], ndd.int32)


def test_more_files_than_stay_open(tmp_path):
    path = save(tmp_path / "a.npy", CUBE)
    assert Numpy(files=[path] * 600).read(range(600))[0].array()[599].tolist() == CUBE.tolist()


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"roi_start": [1, 1, 1]}, CUBE[1:, 1:, 1:]),
        ({"roi_start": 1}, CUBE[1:, 1:, 1:]),
        ({"roi_end": [2, 2, 2]}, CUBE[:2, :2, :2]),
        ({"roi_start": [1, 1, 1], "roi_shape": [2, 3, 4]}, CUBE[1:3, 1:4, 1:5]),
        ({"roi_axes": [2, 0], "roi_start": [1, 2], "roi_shape": [2, 1]}, CUBE[2:3, :, 1:3]),
        ({"roi_axes": -1, "roi_start": 1, "roi_end": 3}, CUBE[:, :, 1:3]),
        ({"rel_roi_start": [0.4, 0.5, 0.5], "rel_roi_end": [1, 1, 1]}, CUBE[1:, 2:, 3:]),
        ({"rel_roi_shape": [0.5, 0.5, 0.5], "roi_start": [1, 1, 1]}, CUBE[1:3, 1:3, 1:4]),
        ({"roi_start": [1, 1, 1], "roi_end": [1, 2, 2]}, CUBE[1:1, 1:2, 1:2]),
        ({"roi_start": -1, "roi_shape": 3, "out_of_bounds_policy": "trim_to_shape"}, CUBE[:2, :2, :2]),
        ({"roi_start": []}, CUBE),
    ],
)
def test_regions(tmp_path, cubes, options, expected):
    np.testing.assert_array_equal(read(cubes[0], **options), expected, strict=True)
    turned = save(tmp_path / "f.npy", np.asfortranarray(CUBE))
    np.testing.assert_array_equal(read(turned, **options), expected, strict=True)


def test_what_is_padded_is_rounded(tmp_path):
    path = save(tmp_path / "a.npy", np.arange(3, dtype=np.uint8))
    for fill, byte in ((2.5, 3), (300, 255), (-5, 0)):
        padded = read(path, roi_start=-1, roi_shape=5, out_of_bounds_policy="pad", fill_value=fill)
        assert padded.tolist() == [byte, 0, 1, 2, byte]


def expected_region(array: np.ndarray, start: list[int], extent: list[int], fill: int) -> np.ndarray:
    wide = np.pad(array, [(9, 9)] * array.ndim, constant_values=fill)
    return wide[tuple(slice(9 + a, 9 + a + n) for a, n in zip(start, extent, strict=True))]


@given(
    st.data(),
    arrays.arrays(st.sampled_from(["u1", "<i2", ">f4", "f8", "?"]), arrays.array_shapes(max_dims=5, max_side=4)),
    st.booleans(),
)
@settings(max_examples=70, deadline=None)
def test_any_region_is_what_numpy_would_cut_out(tmp_path_factory, data, array, turned):
    path = save(tmp_path_factory.getbasetemp() / "any.npy", np.asfortranarray(array) if turned else array)
    start = [data.draw(st.integers(-4, n + 2)) for n in array.shape]
    extent = [data.draw(st.integers(0, 5)) for _ in array.shape]
    bounds: dict[str, Any] = {"roi_start": start, "roi_shape": extent}
    native = array.astype(array.dtype.newbyteorder("="))
    expected = expected_region(native, start, extent, 1)
    padded = read(path, **bounds, out_of_bounds_policy="pad", fill_value=1)
    np.testing.assert_array_equal(padded, expected, strict=True)
    inside = tuple(slice(max(a, 0), max(a + n, 0)) for a, n in zip(start, extent, strict=True))
    trimmed = read(path, **bounds, out_of_bounds_policy="trim_to_shape")
    np.testing.assert_array_equal(trimmed, native[inside], strict=True)


@pytest.mark.parametrize("window", [(10, 3, 40), (300, 5, 4), (2, 400, 8), (300, 400, 3)])
@pytest.mark.parametrize("turned", [False, True])
def test_large_arrays_are_read_in_blocks_and_rows(tmp_path, window, turned):
    array = np.random.default_rng(3).integers(0, 255, (300, 400, 40), np.uint8)
    path = save(tmp_path / "a.npy", np.asfortranarray(array) if turned else array)
    start = [(a - b) // 2 for a, b in zip(array.shape, window, strict=True)]
    part = array[tuple(slice(a, a + n) for a, n in zip(start, window, strict=True))]
    np.testing.assert_array_equal(read(path, roi_start=start, roi_shape=list(window)), part)


def test_bounds_of_a_call(cubes):
    starts = ndd.batch([np.array([1, 1, 1], np.int32), np.array([0, 2, 2], np.int32)])
    reader = ndd.readers.Numpy(files=cubes, roi_end=[2, 4, 5])
    batch = reader(batch_size=2, roi_start=starts)
    assert values(batch) == [CUBE[1:2, 1:, 1:].tolist(), (CUBE + 100)[:2, 2:, 2:].tolist()]
    assert values(reader(batch_size=2)) == [CUBE[:2].tolist(), (CUBE + 100)[:2].tolist()]
    assert values(reader.read([0])[0]) == [CUBE[:2].tolist()]
    assert ndd.readers.Numpy(files=cubes)(roi_start=[2, 3, 3]).shape == (1, 1, 2)


def test_a_call_may_come_to_have_bounds(cubes):
    reader = ndd.readers.Numpy(files=cubes)
    assert reader().shape == (3, 4, 5)
    assert reader(rel_roi_shape=0.5).shape == (1, 2, 3)
    assert reader().shape == (3, 4, 5)


@pytest.mark.parametrize(
    ("bounds", "error", "message"),
    [
        ({"roi_end": [1, 1, 1]}, ValueError, "cannot be passed both in the constructor and __call__"),
        ({"fill_value": 1}, TypeError, "unexpected keyword argument 'fill_value'"),
        ({"roi_start": ndd.batch([[1, 1, 1]] * 3)}, RuntimeError, "3 rows for a batch of 2"),
        ({"roi_start": ndd.batch([[1, 1, 1], [1]])}, RuntimeError, "equally many values"),
        ({"roi_start": "abc"}, TypeError, "roi_start is a number or a list of numbers"),
        ({"roi_start": [1, 1]}, RuntimeError, r"0\.npy: a region of 3 axes cannot have bounds of 2 values"),
    ],
)
def test_bounds_that_a_call_cannot_have(cubes, bounds, error, message):
    with pytest.raises(error, match=message):
        ndd.readers.Numpy(files=cubes, roi_end=[2, 4, 5])(batch_size=2, **bounds)


def test_tensors_but_no_batches_make_a_reader(cubes):
    reader = ndd.readers.Numpy(files=cubes, roi_start=ndd.as_tensor(np.array([1, 2, 3])))
    assert reader().shape == (2, 2, 2)
    with pytest.raises(ValueError, match="batch keyword arguments"):
        ndd.readers.Numpy(files=cubes, roi_start=ndd.batch([[1, 1, 1]]))


def sources(**options: Any) -> list[str]:
    reader = Numpy(**options)
    return list(reader.read(range(reader.get_metadata()["epoch_size"]))[0].sources)


def test_finding_files(tmp_path):
    names = ["b.npy", "a.npy", "A.NPY", ".h.npy", "x.txt", "sub/c.npy", "sub/deep/d.npy", "-s/e.npy"]
    for name in names:
        save(tmp_path / name, CUBE)
    (tmp_path / "dir.npy").mkdir()
    assert sources(file_root=tmp_path) == ["./.h.npy", "./a.npy", "./b.npy", "-s/e.npy", "sub/c.npy"]
    assert sources(file_root=tmp_path, file_filter="[bc]*") == ["./b.npy", "sub/c.npy"]
    assert sources(file_root=tmp_path, files=["sub/c.npy", tmp_path / "b.npy"])[0] == "sub/c.npy"
    (tmp_path / "list.txt").write_text("b.npy\r\n\n \nsub/c.npy")
    assert sources(file_list=tmp_path / "list.txt") == ["b.npy", "sub/c.npy"]
    assert sources(file_list=tmp_path / "list.txt", file_root=tmp_path) == ["b.npy", "sub/c.npy"]


def test_files_at_urls(tmp_path):
    large = np.arange(300 * 400, dtype=np.int32).reshape(300, 400)
    save(tmp_path / "a.npy", large)
    save(tmp_path / "sub/b.npy", CUBE[0])
    patient = Storage(first_wait=0.001)
    with FolderServer(tmp_path).running() as server:
        server.faults["/a.npy"] += ["500", "cut short"]
        reader = Numpy(file_root=server.url, storage=patient)
        assert sources(file_root=server.url, storage=patient) == ["./a.npy", "sub/b.npy"]
        assert values(reader.read([1, 0])[0]) == [CUBE[0].tolist(), large.tolist()]
        for axes in ({"roi_start": [200, 10]}, {"roi_start": [2, 1]}, {"roi_end": [1, 3]}):
            assert values(Numpy(file_root=server.url, **axes).read([0])[0]) == values(
                Numpy(file_root=tmp_path, **axes).read([0])[0]
            )


def test_of_a_region_at_a_url_only_the_rows_are_fetched(monkeypatch):
    fetched = []
    cat = MemoryFileSystem.cat_file

    def counted(self: Any, path: str, **part: Any) -> bytes:
        contents: bytes = cat(self, path, **part)
        fetched.append(len(contents))
        return contents

    monkeypatch.setattr(MemoryFileSystem, "cat_file", counted)
    with fsspec.open("memory://arrays/large.npy", "wb") as file:
        np.save(file, np.arange(1000 * 1000, dtype=np.int32).reshape(1000, 1000))
    region = Numpy(files="memory://arrays/large.npy", roi_start=[900, 10], roi_shape=[2, 3]).read([0])[0]
    assert values(region) == [[[900010, 900011, 900012], [901010, 901011, 901012]]]
    assert fetched == [64 << 10, 4000 + 12]


def test_an_epoch_with_files_that_cannot_be_read(tmp_path, cubes):
    (tmp_path / "bad.npy").write_bytes(b"\x93NUMPY\x09")
    reader = Numpy(files=[cubes[0], str(tmp_path / "bad.npy"), cubes[1]], on_error="skip")
    assert [len(batch) for (batch,) in reader.next_epoch(batch_size=2)] == [2]
    assert [(bad.index, bad.source) for bad in reader.errors] == [(1, str(tmp_path / "bad.npy"))]


@pytest.mark.parametrize("options", [{}, {"random_shuffle": True, "seed": 3}, {"num_shards": 2, "shard_id": 1}])
@pytest.mark.parametrize("region", [{}, {"roi_start": [1, 1, 1], "roi_end": [2, 2, 2]}])
def test_saved_state(tmp_path, options, region):
    for number in range(7):
        save(tmp_path / f"{number}.npy", CUBE + number)
    check_resume(lambda: Numpy(file_root=tmp_path, enable_checkpointing=True, **options, **region))


def test_few_files_of_a_batch_are_open_at_a_time(tmp_path):
    resource = pytest.importorskip("resource")  # not on Windows
    files = [save(tmp_path / f"{number}.npy", CUBE + number) for number in range(100)]
    reader = Numpy(files=files)
    reader.read([0])  # threads and whatever else takes descriptors are there
    with open(files[0], "rb") as next_one:
        least = next_one.fileno()
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (least + 48, limits[1]))
    try:
        (arrays,) = reader.read(range(100))
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
    assert [int(arrays.sample(at)[0, 0, 0]) for at in range(100)] == [*range(100)]
