"""fn.readers.numpy with regions that other operators calculate."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from penstock import fn, ops, pipeline_def, types


@pytest.fixture
def folder(tmp_path: Path) -> str:
    for number in range(6):
        np.save(tmp_path / f"{number}.npy", np.arange(12, dtype=np.int32).reshape(3, 4) + 100 * number)
    return str(tmp_path)


def whole(number: int) -> np.ndarray:
    return np.arange(12, dtype=np.int32).reshape(3, 4) + 100 * number


def pipe(make: Callable[[], Any], **options: Any) -> Any:
    @pipeline_def(batch_size=2, num_threads=1, device_id=None, seed=5, **options)
    def built() -> Any:
        return make()

    return built()


def test_a_region_may_differ_by_sample(folder):
    def make() -> Any:
        start = fn.random.uniform(range=[0, 2], shape=[1], dtype=types.INT32)
        return fn.readers.numpy(file_root=folder, roi_start=start, roi_end=[3], roi_axes=[0], name="arrays"), start

    pipeline, seen = pipe(make), []
    assert pipeline.epoch_size("arrays") == 6
    for step in range(3):
        arrays, starts = pipeline.run()
        for at, (array, start) in enumerate(zip(arrays, starts, strict=True)):
            first = int(np.asarray(start)[0])
            np.testing.assert_array_equal(np.asarray(array), whole(2 * step + at)[first:])
            seen.append(first)
    assert len(set(seen)) > 1


def test_bounds_of_both_kinds_and_shares(folder):
    def make() -> Any:
        size = fn.constant(idata=[2])
        corner = fn.constant(fdata=[0.5, 0.5])
        return (
            fn.readers.numpy(file_root=folder, roi_start=[1], roi_shape=size, roi_axes=[1]),
            fn.readers.numpy(file_root=folder, rel_roi_start=corner, roi_end=fn.constant(idata=[3, 4])),
            ops.readers.Numpy(file_root=folder, roi_end=[2], roi_axes=[0])(roi_start=fn.constant(idata=[1])),
        )

    for output, part in zip(pipe(make).run(), (np.s_[:, 1:3], np.s_[2:, 2:], np.s_[1:2]), strict=True):
        for number, array in enumerate(output):
            np.testing.assert_array_equal(np.asarray(array), whole(number)[part])


def test_seeds_are_given_in_the_order_of_dali(folder):
    """The operators that make the bounds come before the reader: these are DALI's numbers."""

    def make() -> Any:
        corner = fn.random.uniform(range=[0, 0.5], shape=[2])
        return fn.readers.numpy(file_root=folder, rel_roi_start=corner, rel_roi_shape=[0.5, 0.5])

    pipeline = pipe(make)
    made = [[np.asarray(array).tolist() for array in pipeline.run()[0]] for _ in range(2)]
    assert made == [[[[4, 5]], [[105, 106], [109, 110]]], [[[202, 203], [206, 207]], [[304, 305], [308, 309]]]]


def test_a_restored_pipeline_goes_on_with_the_next_sample(folder):
    def make() -> Any:
        start = fn.random.uniform(range=[0, 2], shape=[1], dtype=types.INT32)
        options = {"roi_start": start, "roi_end": [3], "roi_axes": [0], "name": "arrays"}
        return fn.readers.numpy(file_root=folder, random_shuffle=True, **options)

    first = pipe(make, enable_checkpointing=True)
    first.run()
    state = first.checkpoint()
    second = pipe(make, enable_checkpointing=True, checkpoint=state)
    for _ in range(4):
        for one, other in zip(first.run()[0], second.run()[0], strict=True):
            np.testing.assert_array_equal(np.asarray(one), np.asarray(other))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"roi_end": [9], "roi_axes": [0]}, "Slice can't be placed out of bounds"),
        ({"rel_roi_start": [0.1], "roi_axes": [0]}, '"roi_start" and "rel_roi_start" arguments are mutually exclusive'),
        ({"roi_end": [3, 4, 5]}, "3"),
    ],
)
def test_bad_regions_are_refused(folder, options, message):
    pipeline = pipe(lambda: fn.readers.numpy(file_root=folder, roi_start=fn.constant(idata=[1]), **options))
    with pytest.raises(RuntimeError, match=message):
        pipeline.run()


@pytest.mark.parametrize("names", ["a.jpg", b"a.jpg", ["a.jpg"], [b"a.jpg"], (["a.jpg"],)])
def test_names_as_text_are_no_input(names):
    with pytest.raises(TypeError, match=r"fn\.io\.file\.read`: expected inputs of type 'DataNode'"):
        pipe(lambda: fn.io.file.read(names))


def test_regions_are_not_read_on_a_gpu(folder):
    def make() -> Any:
        return fn.readers.numpy(file_root=folder, roi_start=fn.random.uniform(range=[0, 2]), device="gpu")

    with pytest.raises(RuntimeError, match=r'readers.numpy is to run on device="gpu"'):
        pipe(make).build()
